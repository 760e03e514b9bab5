// Pointwise operators of two tensors, or of a tensor and a number; and `where`, of three.
#include "arithmetic.h"
#include "generated/kernels.h"
#include "loops.h"

namespace tenon::native {
namespace {

// a + alpha * b, and a - alpha * b
template <class T>
struct AddScaled {
  T alpha;
  T operator()(T a, T b) const { return wrapping_add(a, wrapping_multiply(alpha, b)); }
};
template <class T>
struct SubtractScaled {
  T alpha;
  T operator()(T a, T b) const { return wrapping_subtract(a, wrapping_multiply(alpha, b)); }
};
struct Multiply {
  template <class T>
  T operator()(T a, T b) const {
    return wrapping_multiply(a, b);
  }
};
struct Divide {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
// The divisors of whole numbers are looked at: 0 among them is told when all is done. A quotient of 16-bit floats is
// rounded to one before it is made whole, as torch does: 2.999 is then 3.
template <class T, bool down>
struct DivideWhole {
  bool* has_zero;
  ScalarType type;

  T operator()(T a, T b) const {
    const auto rounded = [this](T x) {
      return type == ScalarType::Half ? T(Half(float(x))) : type == ScalarType::BFloat16 ? T(BFloat16(float(x))) : x;
    };
    if constexpr (std::is_floating_point_v<T>) {
      return down ? floor_quotient(a, b, rounded) : std::trunc(rounded(a / b));
    } else {
      if (b == T(0)) return *has_zero = true, T(0);
      return down ? divide_down(a, b) : divide_to_zero(a, b);
    }
  }
};
struct Power {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) return std::pow(a, b);
    else return whole_power(a, b);
  }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return a < b || b != b ? b : a;
  }
};
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    return b < a || b != b ? b : a;
  }
};

// name, what it is of a and b
#define TENON_BITWISE(X) \
  X(BitwiseAnd, a & b)   \
  X(BitwiseOr, a | b)    \
  X(BitwiseXor, a ^ b)
#define X(name, formula)              \
  struct name {                       \
    template <class T>                \
    T operator()(T a, T b) const {    \
      return static_cast<T>(formula); \
    }                                 \
  };
TENON_BITWISE(X)
#undef X

#define TENON_PREDICATES(X)                \
  X(LogicalAnd, (a != T(0)) & (b != T(0))) \
  X(LogicalOr, (a != T(0)) | (b != T(0)))  \
  X(Equal, a == b)                         \
  X(NotEqual, a != b)                      \
  X(Less, a < b)                           \
  X(LessOrEqual, a <= b)                   \
  X(Greater, a > b)                        \
  X(GreaterOrEqual, a >= b)
#define X(name, formula)              \
  struct name {                       \
    template <class T>                \
    bool operator()(T a, T b) const { \
      return formula;                 \
    }                                 \
  };
TENON_PREDICATES(X)
#undef X

struct Where {
  template <class T>
  T operator()(bool condition, T a, T b) const {
    return condition ? a : b;
  }
};

template <DTypeSet set, class F>
Tensor& of_two(Context& cx, const F& functor, const Tensor& a, const Tensor& b, Tensor& out) {
  return pointwise<set>(cx, functor, out, promote(a, b), a, b);
}
// Whole numbers compare to a fraction as floats, which none of the tensors need be.
template <DTypeSet set, class F>
Tensor& of_number(Context& cx, const F& functor, const Tensor& a, const Scalar& b, Tensor& out) {
  NumberTensor number(b);
  return pointwise<set | dtypes(ScalarType::Float)>(cx, functor, out, promote(a, b), a, number.tensor());
}

// --- sums ----------------------------------------------------------------------------------------------------------

bool is_factor(Context& cx, const Scalar& alpha, ScalarType common) {
  const bool is_whole = isIntegralType(common, true);
  if (is_whole && alpha.isFloatingPoint()) {
    cx.fail(Error::InvalidArgument, "alpha is %g, and a sum of %s has a whole one", alpha.to<double>(),
            dtype_name(common));
  } else if (alpha.isBoolean() && common != ScalarType::Bool) {
    cx.fail(Error::InvalidArgument, "alpha is a bool, and the sum is %s", dtype_name(common));
  }
  return !cx.failed();
}

template <DTypeSet set, template <class> class Sum>
Tensor& sum(Context& cx, ScalarType common, const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
  if (!is_factor(cx, alpha, common)) return out;
  const auto make = [&](auto tag) {
    using T = typename decltype(tag)::type;
    return Sum<T>{alpha.to<T>()};
  };
  return pointwise_made<set>(cx, make, out, common, a, b);
}

}  // namespace

Tensor& add_out(Context& cx, const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  return sum<NUMBERS_AND_BOOL, AddScaled>(cx, promote(self, other), self, other, alpha, out);
}
Tensor& add_scalar_out(Context& cx, const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  NumberTensor number(other);
  return sum<NUMBERS_AND_BOOL, AddScaled>(cx, promote(self, other), self, number.tensor(), alpha, out);
}
Tensor& sub_out(Context& cx, const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  return sum<NUMBERS, SubtractScaled>(cx, promote(self, other), self, other, alpha, out);
}
Tensor& sub_scalar_out(Context& cx, const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  NumberTensor number(other);
  return sum<NUMBERS, SubtractScaled>(cx, promote(self, other), self, number.tensor(), alpha, out);
}

// --- products ------------------------------------------------------------------------------------------------------

Tensor& mul_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return of_two<NUMBERS_AND_BOOL>(cx, Multiply{}, self, other, out);
}
Tensor& mul_scalar_out(Context& cx, const Tensor& self, const Scalar& other, Tensor& out) {
  return of_number<NUMBERS_AND_BOOL>(cx, Multiply{}, self, other, out);
}

template <DTypeSet set>
static Tensor& quotient(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return pointwise<set>(cx, Divide{}, out, float_dtype(promote(self, other)), self, other);
}
Tensor& div_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return quotient<FLOATS>(cx, self, other, out);
}

Tensor& div_out_mode(Context& cx, const Tensor& self, const Tensor& other,
                     std::optional<std::string_view> rounding_mode, Tensor& out) {
  if (!rounding_mode) return quotient<FLOATS>(cx, self, other, out);
  bool has_zero = false;
  const ScalarType common = promote(self, other);
  const auto down = [&](auto tag) { return DivideWhole<typename decltype(tag)::type, true>{&has_zero, common}; };
  const auto to_zero = [&](auto tag) { return DivideWhole<typename decltype(tag)::type, false>{&has_zero, common}; };
  if (*rounding_mode == "floor") {
    pointwise_made<NUMBERS>(cx, down, out, common, self, other);
  } else if (*rounding_mode == "trunc") {
    pointwise_made<NUMBERS>(cx, to_zero, out, common, self, other);
  } else {
    cx.fail(Error::InvalidArgument, "it is rounded by \"floor\" or \"trunc\", and not by \"%.*s\"",
            static_cast<int>(rounding_mode->size()), rounding_mode->data());
  }
  if (has_zero) cx.fail(Error::InvalidArgument, "a whole number is divided by 0");
  return out;
}

// --- powers --------------------------------------------------------------------------------------------------------

Tensor& pow_tensor_tensor_out(Context& cx, const Tensor& self, const Tensor& exponent, Tensor& out) {
  return of_two<NUMBERS>(cx, Power{}, self, exponent, out);
}

Tensor& pow_tensor_scalar_out(Context& cx, const Tensor& self, const Scalar& exponent, Tensor& out) {
  const ScalarType common = promote(self, exponent);
  const double power = exponent.to<double>();
  if (isIntegralType(common, true) && power < 0) {
    cx.fail(Error::InvalidArgument, "a whole number has no power %g", power);
    return out;
  }
  // The powers that models use, without a logarithm. The first two are all that a bool has.
  if (power == 0) return pointwise<NUMBERS_AND_BOOL>(cx, [](auto x) { return decltype(x)(1); }, out, common, self);
  if (power == 1) return pointwise<NUMBERS_AND_BOOL>(cx, [](auto x) { return x; }, out, common, self);
  if (power == 2) return pointwise<NUMBERS>(cx, [](auto x) { return wrapping_multiply(x, x); }, out, common, self);
  if (power == 3) {
    const auto cube = [](auto x) { return wrapping_multiply(x, wrapping_multiply(x, x)); };
    return pointwise<NUMBERS>(cx, cube, out, common, self);
  }
  if (power == 0.5) return pointwise<FLOATS>(cx, [](auto x) { return std::sqrt(x); }, out, common, self);
  if (power == -0.5) return pointwise<FLOATS>(cx, [](auto x) { return 1 / std::sqrt(x); }, out, common, self);
  if (power == -1) return pointwise<FLOATS>(cx, [](auto x) { return 1 / x; }, out, common, self);
  return of_number<NUMBERS>(cx, Power{}, self, exponent, out);
}

// --- the greater, the smaller, bits --------------------------------------------------------------------------------

#define TENON_OF_TWO(function, functor, types)                                          \
  Tensor& function(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) { \
    return of_two<types>(cx, functor{}, self, other, out);                              \
  }
TENON_OF_TWO(maximum_out, Maximum, NUMBERS_AND_BOOL)
TENON_OF_TWO(minimum_out, Minimum, NUMBERS_AND_BOOL)
TENON_OF_TWO(bitwise_and_tensor_out, BitwiseAnd, WHOLES_AND_BOOL)
TENON_OF_TWO(bitwise_or_tensor_out, BitwiseOr, WHOLES_AND_BOOL)
TENON_OF_TWO(bitwise_xor_tensor_out, BitwiseXor, WHOLES_AND_BOOL)
TENON_OF_TWO(logical_and_out, LogicalAnd, NUMBERS_AND_BOOL)
TENON_OF_TWO(logical_or_out, LogicalOr, NUMBERS_AND_BOOL)

// --- comparisons, with a tensor and with a number ------------------------------------------------------------------

#define TENON_COMPARISON(name, functor)                                                          \
  TENON_OF_TWO(name##_tensor_out, functor, NUMBERS_AND_BOOL)                                       \
  Tensor& name##_scalar_out(Context& cx, const Tensor& self, const Scalar& other, Tensor& out) { \
    return of_number<NUMBERS_AND_BOOL>(cx, functor{}, self, other, out);                           \
  }
TENON_COMPARISON(eq, Equal)
TENON_COMPARISON(ne, NotEqual)
TENON_COMPARISON(lt, Less)
TENON_COMPARISON(le, LessOrEqual)
TENON_COMPARISON(gt, Greater)
TENON_COMPARISON(ge, GreaterOrEqual)
#undef TENON_COMPARISON
#undef TENON_OF_TWO

Tensor& where_self_out(Context& cx, const Tensor& condition, const Tensor& self, const Tensor& other, Tensor& out) {
  if (condition.scalar_type() != ScalarType::Bool && condition.scalar_type() != ScalarType::Byte) {
    cx.fail(Error::InvalidArgument, "the condition is %s, and a bool or uint8", dtype_name(condition.scalar_type()));
    return out;
  }
  const ScalarType common = promote(self, other);
  const Tensor* inputs[] = {&condition, &self, &other};
  if (!prepare_pointwise(cx, common, out, inputs)) return out;
  visit<NUMBERS_AND_BOOL>(cx, common, [&](auto tag) {
    using T = typename decltype(tag)::type;
    pointwise_as<bool, T, T>(cx, Where{}, out, condition, self, other);
  });
  return out;
}

}  // namespace tenon::native
