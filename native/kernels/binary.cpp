// Pointwise operators of two tensors, or of a tensor and a number; and those of three that choose between them.
#include "arithmetic.h"
#include "generated/kernels.h"
#include "loops.h"
#include "moves.h"

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
  using IsDivisorExact = void;

  template <class T>
  T operator()(T a, T b) const {
    return wrapping_multiply(a, b);
  }
};
struct Divide {
  using IsDivisorExact = void;

  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
// The divisors of whole numbers are looked at: 0 among them is told when all is done. A quotient of 16-bit floats is
// rounded to one before it is made whole, as torch does: 2.999 is then 3.
template <class T, bool down>
struct DivideWhole {
  using IsDivisorExact = void;
  bool* has_zero;
  ScalarType type;

  T operator()(T a, T b) const {
    const auto rounded = [this](T x) { return rounded_to(type, x); };
    if constexpr (std::is_floating_point_v<T>) {
      return down ? floor_quotient(a, b, rounded) : std::trunc(rounded(a / b));
    } else {
      if (b == T(0)) return *has_zero = true, T(0);
      return down ? divide_down(a, b) : divide_to_zero(a, b);
    }
  }
};
// What a division leaves: with the sign of what is divided, or with that of the divisor.
template <class T, bool as_divisor>
struct Remainder {
  bool* has_zero;

  T operator()(T a, T b) const {
    T left;
    if constexpr (std::is_floating_point_v<T>) {
      left = std::fmod(a, b);
    } else {
      if (b == T(0)) return *has_zero = true, T(0);
      left = static_cast<T>(std::is_signed_v<T> && b == T(-1) ? 0 : a % b);
    }
    const bool is_other = as_divisor && left != T(0) && (left < T(0)) != (b < T(0));
    return is_other ? static_cast<T>(left + b) : left;
  }
};
struct ArcTangent {
  template <class T>
  T operator()(T a, T b) const {
    return std::atan2(a, b);
  }
};
struct Power {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return whole_power(a, b);
    else return std::pow(a, b);
  }
};
struct Root {
  template <class T>
  T operator()(T x) const {
    return std::sqrt(x);
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

// By less than 0 or by more than there are, all bits are gone; of a negative number a sign is left.
struct ShiftLeft {
  template <class T>
  T operator()(T a, T b) const {
    return b < T(0) || b >= T(8 * sizeof(T)) ? T(0) : static_cast<T>(Wrapping<T>(a) << b);
  }
};
struct ShiftRight {
  template <class T>
  T operator()(T a, T b) const {
    constexpr T most = T(8 * sizeof(T) - std::is_signed_v<T>);
    return static_cast<T>(a >> (b < T(0) || b > most ? most : b));
  }
};

#define TENON_PREDICATES(X)                 \
  X(LogicalAnd, (a != T(0)) & (b != T(0)))  \
  X(LogicalOr, (a != T(0)) | (b != T(0)))   \
  X(LogicalXor, (a != T(0)) != (b != T(0))) \
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

struct Between {
  template <class T>
  T operator()(T x, T low, T high) const {
    return between(x, low, high);
  }
};
template <class T>
struct MaskedFill {
  T value;
  T operator()(T x, bool is_masked) const { return is_masked ? value : x; }
};
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

// The same where there are no floats: a fraction is refused.
template <DTypeSet set, class F>
Tensor& of_whole_number(Context& cx, const F& functor, const Tensor& a, const Scalar& b, Tensor& out) {
  NumberTensor number(b);
  return pointwise<set>(cx, functor, out, promote(a, b), a, number.tensor());
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

// What a difference is computed in: with a bool, it is none.
bool is_bool(const Tensor& t) { return t.scalar_type() == ScalarType::Bool; }
bool is_bool(const Scalar& s) { return s.isBoolean(); }
template <class B>
ScalarType difference(const Tensor& a, const B& b) {
  return is_bool(a) || is_bool(b) ? ScalarType::Bool : promote(a, b);
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
  return sum<NUMBERS_AND_BOOL | COMPLEX, AddScaled>(cx, promote(self, other), self, other, alpha, out);
}
Tensor& add_scalar_out(Context& cx, const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  NumberTensor number(other);
  return sum<NUMBERS_AND_BOOL | COMPLEX, AddScaled>(cx, promote(self, other), self, number.tensor(), alpha, out);
}
Tensor& sub_out(Context& cx, const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  return sum<NUMBERS | COMPLEX, SubtractScaled>(cx, difference(self, other), self, other, alpha, out);
}
Tensor& sub_scalar_out(Context& cx, const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  NumberTensor number(other);
  return sum<NUMBERS | COMPLEX, SubtractScaled>(cx, difference(self, other), self, number.tensor(), alpha, out);
}

Tensor& rsub_scalar_out(Context& cx, const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  NumberTensor number(other);
  return sum<NUMBERS | COMPLEX, SubtractScaled>(cx, difference(self, other), number.tensor(), self, alpha, out);
}

// --- products ------------------------------------------------------------------------------------------------------

Tensor& mul_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return of_two<NUMBERS_AND_BOOL | COMPLEX>(cx, Multiply{}, self, other, out);
}
Tensor& mul_scalar_out(Context& cx, const Tensor& self, const Scalar& other, Tensor& out) {
  return of_number<NUMBERS_AND_BOOL | COMPLEX>(cx, Multiply{}, self, other, out);
}

namespace {

template <DTypeSet set>
Tensor& quotient(Context& cx, ScalarType common, const Tensor& a, const Tensor& b, Tensor& out) {
  return pointwise<set>(cx, Divide{}, out, float_dtype(common), a, b);
}

// What make(tag, has_zero) gives tells of whole numbers that are divided by 0.
template <DTypeSet set, class Make>
Tensor& whole(Context& cx, const Make& make, ScalarType common, const Tensor& a, const Tensor& b, Tensor& out) {
  bool has_zero = false;
  pointwise_made<set>(cx, [&](auto tag) { return make(tag, &has_zero); }, out, common, a, b);
  if (has_zero) cx.fail(Error::InvalidArgument, "a whole number is divided by 0");
  return out;
}
template <DTypeSet set, bool down>
Tensor& whole_quotient(Context& cx, ScalarType common, const Tensor& a, const Tensor& b, Tensor& out) {
  const auto make = [common](auto tag, bool* has_zero) {
    return DivideWhole<typename decltype(tag)::type, down>{has_zero, common};
  };
  return whole<set>(cx, make, common, a, b, out);
}
template <DTypeSet set, bool as_divisor>
Tensor& remainder(Context& cx, ScalarType common, const Tensor& a, const Tensor& b, Tensor& out) {
  const auto make = [](auto tag, bool* has_zero) {
    return Remainder<typename decltype(tag)::type, as_divisor>{has_zero};
  };
  return whole<set>(cx, make, common, a, b, out);
}

template <DTypeSet set>
Tensor& quotient_by_mode(Context& cx, ScalarType common, const Tensor& a, const Tensor& b, Maybe<std::string_view> mode,
                         Tensor& out) {
  if (!mode) return quotient<set & sets::floats>(cx, common, a, b, out);
  if (*mode == "floor") return whole_quotient<set, true>(cx, common, a, b, out);
  if (*mode == "trunc") return whole_quotient<set, false>(cx, common, a, b, out);
  cx.fail(Error::InvalidArgument, "it is rounded by \"floor\" or \"trunc\", and not by \"%.*s\"",
          static_cast<int>(mode->size()), mode->data());
  return out;
}

}  // namespace

Tensor& div_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return quotient<FLOATS | COMPLEX>(cx, promote(self, other), self, other, out);
}
Tensor& div_scalar_out(Context& cx, const Tensor& self, const Scalar& other, Tensor& out) {
  NumberTensor number(other);
  return quotient<FLOATS | COMPLEX>(cx, promote(self, other), self, number.tensor(), out);
}
Tensor& div_out_mode(Context& cx, const Tensor& self, const Tensor& other, Maybe<std::string_view> rounding_mode,
                     Tensor& out) {
  return quotient_by_mode<NUMBERS>(cx, promote(self, other), self, other, rounding_mode, out);
}
Tensor& div_scalar_mode_out(Context& cx, const Tensor& self, const Scalar& other, Maybe<std::string_view> rounding_mode,
                            Tensor& out) {
  NumberTensor number(other);
  return quotient_by_mode<NUMBERS>(cx, promote(self, other), self, number.tensor(), rounding_mode, out);
}
Tensor& floor_divide_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return whole_quotient<NUMBERS, true>(cx, promote(self, other), self, other, out);
}

#define TENON_REMAINDER(name, as_divisor)                                                        \
  Tensor& name##_tensor_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) { \
    return remainder<NUMBERS, as_divisor>(cx, promote(self, other), self, other, out);           \
  }                                                                                              \
  Tensor& name##_scalar_out(Context& cx, const Tensor& self, const Scalar& other, Tensor& out) { \
    NumberTensor number(other);                                                                  \
    return remainder<NUMBERS, as_divisor>(cx, promote(self, other), self, number.tensor(), out); \
  }
TENON_REMAINDER(fmod, false)
TENON_REMAINDER(remainder, true)
#undef TENON_REMAINDER

Tensor& atan2_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return pointwise<FLOATS>(cx, ArcTangent{}, out, float_dtype(promote(self, other)), self, other);
}

// --- powers --------------------------------------------------------------------------------------------------------

Tensor& pow_tensor_tensor_out(Context& cx, const Tensor& self, const Tensor& exponent, Tensor& out) {
  return of_two<NUMBERS | COMPLEX>(cx, Power{}, self, exponent, out);
}

Tensor& pow_scalar_out(Context& cx, const Scalar& self, const Tensor& exponent, Tensor& out) {
  const ScalarType common = promote(self, exponent);
  NumberTensor number(self);
  return pointwise<NUMBERS | COMPLEX>(cx, Power{}, out, common, number.tensor(), exponent);
}

Tensor& pow_tensor_scalar_out(Context& cx, const Tensor& self, const Scalar& exponent, Tensor& out) {
  const ScalarType common = promote(self, exponent);
  const double power = exponent.to<double>();
  if (isIntegralType(common, true) && power < 0) {
    cx.fail(Error::InvalidArgument, "a whole number has no power %g", power);
    return out;
  }
  // The powers that models use, without a logarithm. The first two are all that a bool has.
  constexpr DTypeSet floats = FLOATS | COMPLEX, numbers = NUMBERS | COMPLEX, all = NUMBERS_AND_BOOL | COMPLEX;
  if (power == 0) return pointwise<all>(cx, [](auto x) { return decltype(x)(1); }, out, common, self);
  if (power == 1) return pointwise<all>(cx, [](auto x) { return x; }, out, common, self);
  if (power == 2) return pointwise<numbers>(cx, [](auto x) { return wrapping_multiply(x, x); }, out, common, self);
  if (power == 3) {
    const auto cube = [](auto x) { return wrapping_multiply(x, wrapping_multiply(x, x)); };
    return pointwise<numbers>(cx, cube, out, common, self);
  }
  const bool has_root = common != ScalarType::Half;  // torch takes the logarithm of these: -0.0 gives 0, and -inf inf
  if (power == 0.5 && has_root) return pointwise<floats>(cx, Root{}, out, common, self);
  const auto inverse = [](auto x) { return decltype(x)(1) / x; };
  if (power == -0.5 && has_root) {
    return pointwise<floats>(cx, [=](auto x) { return inverse(Root{}(x)); }, out, common, self);
  }
  if (power == -1) return pointwise<floats>(cx, inverse, out, common, self);
  if (power == -2) return pointwise<floats>(cx, [=](auto x) { return inverse(x * x); }, out, common, self);
  return of_number<numbers>(cx, Power{}, self, exponent, out);
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
TENON_OF_TWO(logical_and_out, LogicalAnd, NUMBERS_AND_BOOL | COMPLEX)
TENON_OF_TWO(bitwise_left_shift_tensor_out, ShiftLeft, WHOLES)
TENON_OF_TWO(bitwise_right_shift_tensor_out, ShiftRight, WHOLES)
TENON_OF_TWO(logical_or_out, LogicalOr, NUMBERS_AND_BOOL | COMPLEX)
TENON_OF_TWO(logical_xor_out, LogicalXor, NUMBERS_AND_BOOL | COMPLEX)

#define TENON_OF_WHOLE_NUMBER(function, functor, types)                                 \
  Tensor& function(Context& cx, const Tensor& self, const Scalar& other, Tensor& out) { \
    return of_whole_number<types>(cx, functor{}, self, other, out);                     \
  }
TENON_OF_WHOLE_NUMBER(bitwise_and_scalar_out, BitwiseAnd, WHOLES_AND_BOOL)
TENON_OF_WHOLE_NUMBER(bitwise_or_scalar_out, BitwiseOr, WHOLES_AND_BOOL)
TENON_OF_WHOLE_NUMBER(bitwise_xor_scalar_out, BitwiseXor, WHOLES_AND_BOOL)
TENON_OF_WHOLE_NUMBER(bitwise_left_shift_tensor_scalar_out, ShiftLeft, WHOLES)
TENON_OF_WHOLE_NUMBER(bitwise_right_shift_tensor_scalar_out, ShiftRight, WHOLES)
#undef TENON_OF_WHOLE_NUMBER

// --- comparisons, with a tensor and with a number ------------------------------------------------------------------

#define TENON_COMPARISON(name, functor, types)                                                   \
  TENON_OF_TWO(name##_tensor_out, functor, types)                                                \
  Tensor& name##_scalar_out(Context& cx, const Tensor& self, const Scalar& other, Tensor& out) { \
    return of_number<types>(cx, functor{}, self, other, out);                                    \
  }
TENON_COMPARISON(eq, Equal, NUMBERS_AND_BOOL | COMPLEX)
TENON_COMPARISON(ne, NotEqual, NUMBERS_AND_BOOL | COMPLEX)
TENON_COMPARISON(lt, Less, NUMBERS_AND_BOOL)
TENON_COMPARISON(le, LessOrEqual, NUMBERS_AND_BOOL)
TENON_COMPARISON(gt, Greater, NUMBERS_AND_BOOL)
TENON_COMPARISON(ge, GreaterOrEqual, NUMBERS_AND_BOOL)
#undef TENON_COMPARISON
#undef TENON_OF_TWO

// --- of three ------------------------------------------------------------------------------------------------------

Tensor& clamp_tensor_out(Context& cx, const Tensor& self, const Maybe<Tensor>& min, const Maybe<Tensor>& max,
                         Tensor& out) {
  if (min && max) return pointwise<NUMBERS>(cx, Between{}, out, promote(self, *min, *max), self, *min, *max);
  if (min) return of_two<NUMBERS_AND_BOOL>(cx, Maximum{}, self, *min, out);
  if (max) return of_two<NUMBERS_AND_BOOL>(cx, Minimum{}, self, *max, out);
  cx.fail(Error::InvalidArgument, "there is neither a min nor a max");
  return out;
}

Tensor& masked_fill_scalar_out(Context& cx, const Tensor& self, const Tensor& mask, const Scalar& value, Tensor& out) {
  const ScalarType type = self.scalar_type();
  if (mask.scalar_type() != ScalarType::Bool) {
    cx.fail(Error::InvalidArgument, "the mask is %s, and a bool", dtype_name(mask));
    return out;
  }
  const Tensor* inputs[] = {&self, &mask};
  if (!prepare_pointwise(cx, type, out, inputs) || !fits(cx, value, type)) return out;
  visit<NUMBERS_AND_BOOL | COMPLEX>(cx, type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    pointwise_as<T, bool>(cx, MaskedFill<T>{value.to<T>()}, type, out, self, mask);
  });
  return out;
}

Tensor& where_self_out(Context& cx, const Tensor& condition, const Tensor& self, const Tensor& other, Tensor& out) {
  if (condition.scalar_type() != ScalarType::Bool && condition.scalar_type() != ScalarType::Byte) {
    cx.fail(Error::InvalidArgument, "the condition is %s, and a bool or uint8", dtype_name(condition));
    return out;
  }
  const ScalarType common = promote(self, other);
  const Tensor* inputs[] = {&condition, &self, &other};
  if (!prepare_pointwise(cx, common, out, inputs)) return out;
  visit<NUMBERS_AND_BOOL | COMPLEX>(cx, common, [&](auto tag) {
    using T = typename decltype(tag)::type;
    pointwise_as<bool, T, T>(cx, Where{}, common, out, condition, self, other);
  });
  return out;
}

}  // namespace tenon::native
