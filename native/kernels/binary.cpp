// Pointwise operators of two tensors, or of a tensor and a number; and those of three that choose between them.
#include "arithmetic.h"
#include "generated/kernels.h"
#include "loops.h"
#include "moves.h"

namespace tenon::native {
namespace {

struct Multiply {
  using IsDivisorExact = void;
  using IsLong = void;

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
struct Power {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return whole_power(a, b);
    else return std::pow(a, b);
  }
};
template <DTypeSet set, class F>
Tensor& of_two(Context& cx, const F& functor, const Tensor& a, const Tensor& b, Tensor& out) {
  return pointwise<set>(cx, functor, out, promote(a, b), a, b);
}
template <DTypeSet set, class F>
Tensor& of_number(Context& cx, const F& functor, const Tensor& a, const Scalar& b, Tensor& out) {
  return pointwise<set>(cx, functor, out, promote(a, b), a, NumberTensor(b).tensor());
}
// Whole numbers go with a fraction as floats, which none of the tensors need be.
constexpr DTypeSet with_float(DTypeSet set) { return set | dtypes(ScalarType::Float); }

// --- sums ----------------------------------------------------------------------------------------------------------

bool is_factor(Context& cx, const Scalar& alpha, ScalarType common) {
  return HOLDS(cx, !alpha.isFloatingPoint() || !isIntegralType(common, true),
               "alpha is %g, and a sum of %s has a whole one", alpha.to<double>(), dtype_name(common)) &&
         HOLDS(cx, !alpha.isBoolean() || common == ScalarType::Bool, "alpha is a bool, and the sum is %s",
               dtype_name(common));
}

// What a difference is computed in: with a bool, it is none.
bool is_bool(const Tensor& t) { return t.scalar_type() == ScalarType::Bool; }
bool is_bool(const Scalar& s) { return s.isBoolean(); }
template <class B>
ScalarType difference(const Tensor& a, const B& b) {
  return is_bool(a) || is_bool(b) ? ScalarType::Bool : promote(a, b);
}

// a + alpha * b, or a - alpha * b.
constexpr bool plus = false, minus = true;
template <DTypeSet set, bool sign>
Tensor& sum(Context& cx, ScalarType common, const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
  if (!is_factor(cx, alpha, common)) return out;
  const auto make = [&](auto tag) {
    using T = typename decltype(tag)::type;
    return [factor = alpha.to<T>()](T x, T y) {
      if constexpr (sign == minus) return wrapping_subtract(x, wrapping_multiply(factor, y));
      else return wrapping_add(x, wrapping_multiply(factor, y));
    };
  };
  return pointwise_made<set>(cx, make, out, common, a, b);
}

}  // namespace

Tensor& add_out(Context& cx, const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  return sum<NUMBERS_AND_BOOL | COMPLEX, plus>(cx, promote(self, other), self, other, alpha, out);
}
Tensor& add_scalar_out(Context& cx, const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  return sum<NUMBERS_AND_BOOL | COMPLEX, plus>(cx, promote(self, other), self, NumberTensor(other).tensor(), alpha,
                                               out);
}
Tensor& sub_out(Context& cx, const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  return sum<NUMBERS | COMPLEX, minus>(cx, difference(self, other), self, other, alpha, out);
}
Tensor& sub_scalar_out(Context& cx, const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  return sum<NUMBERS | COMPLEX, minus>(cx, difference(self, other), self, NumberTensor(other).tensor(), alpha, out);
}

Tensor& rsub_scalar_out(Context& cx, const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  return sum<NUMBERS | COMPLEX, minus>(cx, difference(self, other), NumberTensor(other).tensor(), self, alpha, out);
}

// --- products ------------------------------------------------------------------------------------------------------

Tensor& mul_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return of_two<NUMBERS_AND_BOOL | COMPLEX>(cx, Multiply{}, self, other, out);
}
Tensor& mul_scalar_out(Context& cx, const Tensor& self, const Scalar& other, Tensor& out) {
  return of_number<with_float(NUMBERS_AND_BOOL | COMPLEX)>(cx, Multiply{}, self, other, out);
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
// What a division leaves: with the sign of what is divided, or with that of the divisor.
template <DTypeSet set, bool as_divisor>
Tensor& remainder(Context& cx, ScalarType common, const Tensor& a, const Tensor& b, Tensor& out) {
  const auto make = [](auto tag, bool* has_zero) {
    using T = typename decltype(tag)::type;
    return [has_zero](T x, T y) {
      T left;
      if constexpr (std::is_floating_point_v<T>) {
        left = std::fmod(x, y);
      } else {
        if (y == T(0)) return *has_zero = true, T(0);
        left = static_cast<T>(std::is_signed_v<T> && y == T(-1) ? 0 : x % y);
      }
      const bool is_other = as_divisor && left != T(0) && (left < T(0)) != (y < T(0));
      return is_other ? static_cast<T>(left + y) : left;
    };
  };
  return whole<set>(cx, make, common, a, b, out);
}

template <DTypeSet set>
Tensor& quotient_by_mode(Context& cx, ScalarType common, const Tensor& a, const Tensor& b, Maybe<std::string_view> mode,
                         Tensor& out) {
  if (!mode) return quotient<set & sets::floats>(cx, common, a, b, out);
  REQUIRE(cx, *mode == "floor" || *mode == "trunc", out, "it is rounded by \"floor\" or \"trunc\", and not by \"%.*s\"",
          static_cast<int>(mode->size()), mode->data());
  return *mode == "floor" ? whole_quotient<set, true>(cx, common, a, b, out)
                          : whole_quotient<set, false>(cx, common, a, b, out);
}

}  // namespace

Tensor& div_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return quotient<FLOATS | COMPLEX>(cx, promote(self, other), self, other, out);
}
Tensor& div_scalar_out(Context& cx, const Tensor& self, const Scalar& other, Tensor& out) {
  return quotient<FLOATS | COMPLEX>(cx, promote(self, other), self, NumberTensor(other).tensor(), out);
}
Tensor& div_out_mode(Context& cx, const Tensor& self, const Tensor& other, Maybe<std::string_view> rounding_mode,
                     Tensor& out) {
  return quotient_by_mode<NUMBERS>(cx, promote(self, other), self, other, rounding_mode, out);
}
Tensor& div_scalar_mode_out(Context& cx, const Tensor& self, const Scalar& other, Maybe<std::string_view> rounding_mode,
                            Tensor& out) {
  return quotient_by_mode<NUMBERS>(cx, promote(self, other), self, NumberTensor(other).tensor(), rounding_mode, out);
}
Tensor& floor_divide_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return whole_quotient<NUMBERS, true>(cx, promote(self, other), self, other, out);
}

#define TENON_REMAINDER(name, as_divisor)                                                        \
  Tensor& name##_tensor_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) { \
    return remainder<NUMBERS, as_divisor>(cx, promote(self, other), self, other, out);           \
  }                                                                                              \
  Tensor& name##_scalar_out(Context& cx, const Tensor& self, const Scalar& other, Tensor& out) { \
    const ScalarType common = promote(self, other);                                              \
    return remainder<NUMBERS, as_divisor>(cx, common, self, NumberTensor(other).tensor(), out);  \
  }
TENON_REMAINDER(fmod, false)
TENON_REMAINDER(remainder, true)
#undef TENON_REMAINDER

Tensor& atan2_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  const auto angle = [](auto y, auto x) { return std::atan2(y, x); };
  return pointwise<FLOATS>(cx, angle, out, float_dtype(promote(self, other)), self, other);
}

// --- powers --------------------------------------------------------------------------------------------------------

Tensor& pow_tensor_tensor_out(Context& cx, const Tensor& self, const Tensor& exponent, Tensor& out) {
  return of_two<NUMBERS | COMPLEX>(cx, Power{}, self, exponent, out);
}

Tensor& pow_scalar_out(Context& cx, const Scalar& self, const Tensor& exponent, Tensor& out) {
  const ScalarType common = promote(self, exponent);
  return pointwise<NUMBERS | COMPLEX>(cx, Power{}, out, common, NumberTensor(self).tensor(), exponent);
}

Tensor& pow_tensor_scalar_out(Context& cx, const Tensor& self, const Scalar& exponent, Tensor& out) {
  const ScalarType common = promote(self, exponent);
  const double power = exponent.to<double>();
  REQUIRE(cx, !isIntegralType(common, true) || power >= 0, out, "a whole number has no power %g", power);
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
  const auto root = [](auto x) { return decltype(x)(std::sqrt(x)); };
  if (power == 0.5 && has_root) return pointwise<floats>(cx, root, out, common, self);
  const auto inverse = [](auto x) { return decltype(x)(1) / x; };
  if (power == -0.5 && has_root) {
    return pointwise<floats>(cx, [=](auto x) { return inverse(root(x)); }, out, common, self);
  }
  if (power == -1) return pointwise<floats>(cx, inverse, out, common, self);
  if (power == -2) return pointwise<floats>(cx, [=](auto x) { return inverse(x * x); }, out, common, self);
  return of_number<with_float(numbers)>(cx, Power{}, self, exponent, out);
}

// --- what one formula says of a and b, which are T -----------------------------------------------------------------

#define TENON_OF_TWO(function, types, Result, formula)                                  \
  namespace {                                                                           \
  struct function##_functor {                                                           \
    template <class T>                                                                  \
    Result operator()(T a, T b) const {                                                 \
      return static_cast<Result>(formula);                                              \
    }                                                                                   \
  };                                                                                    \
  }                                                                                     \
  Tensor& function(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) { \
    return of_two<types>(cx, function##_functor{}, self, other, out);                   \
  }
TENON_OF_TWO(maximum_out, NUMBERS_AND_BOOL, T, a < b || b != b ? b : a)
TENON_OF_TWO(minimum_out, NUMBERS_AND_BOOL, T, b < a || b != b ? b : a)
TENON_OF_TWO(logical_and_out, NUMBERS_AND_BOOL | COMPLEX, bool, (a != T(0)) & (b != T(0)))
TENON_OF_TWO(logical_or_out, NUMBERS_AND_BOOL | COMPLEX, bool, (a != T(0)) | (b != T(0)))
TENON_OF_TWO(logical_xor_out, NUMBERS_AND_BOOL | COMPLEX, bool, (a != T(0)) != (b != T(0)))

// The same of a tensor and a number. Where there are no floats, a fraction is refused.
#define TENON_OF_NUMBER(function, functor, types)                                       \
  Tensor& function(Context& cx, const Tensor& self, const Scalar& other, Tensor& out) { \
    return of_number<types>(cx, functor{}, self, other, out);                           \
  }
#define TENON_BITWISE(name, types, formula)              \
  TENON_OF_TWO(name##_tensor_out, types, T, formula)     \
  TENON_OF_NUMBER(name##_scalar_out, name##_tensor_out_functor, types)
TENON_BITWISE(bitwise_and, WHOLES_AND_BOOL, a & b)
TENON_BITWISE(bitwise_or, WHOLES_AND_BOOL, a | b)
TENON_BITWISE(bitwise_xor, WHOLES_AND_BOOL, a ^ b)
#undef TENON_BITWISE

// By less than 0 or by more than there are, all bits are gone; of a negative number a sign is left.
template <class T>
constexpr T most_bits = T(8 * sizeof(T) - std::is_signed_v<T>);
TENON_OF_TWO(bitwise_left_shift_tensor_out, WHOLES, T, b < T(0) || b >= T(8 * sizeof(T)) ? 0 : Wrapping<T>(a) << b)
TENON_OF_TWO(bitwise_right_shift_tensor_out, WHOLES, T, a >> (b < T(0) || b > most_bits<T> ? most_bits<T> : b))
TENON_OF_NUMBER(bitwise_left_shift_tensor_scalar_out, bitwise_left_shift_tensor_out_functor, WHOLES)
TENON_OF_NUMBER(bitwise_right_shift_tensor_scalar_out, bitwise_right_shift_tensor_out_functor, WHOLES)

#define TENON_COMPARISON(name, types, comparison)            \
  TENON_OF_TWO(name##_tensor_out, types, bool, a comparison b) \
  TENON_OF_NUMBER(name##_scalar_out, name##_tensor_out_functor, with_float(types))
TENON_COMPARISON(eq, NUMBERS_AND_BOOL | COMPLEX, ==)
TENON_COMPARISON(ne, NUMBERS_AND_BOOL | COMPLEX, !=)
TENON_COMPARISON(lt, NUMBERS_AND_BOOL, <)
TENON_COMPARISON(le, NUMBERS_AND_BOOL, <=)
TENON_COMPARISON(gt, NUMBERS_AND_BOOL, >)
TENON_COMPARISON(ge, NUMBERS_AND_BOOL, >=)
#undef TENON_COMPARISON
#undef TENON_OF_NUMBER
#undef TENON_OF_TWO

// --- of three ------------------------------------------------------------------------------------------------------

Tensor& clamp_tensor_out(Context& cx, const Tensor& self, const Maybe<Tensor>& min, const Maybe<Tensor>& max,
                         Tensor& out) {
  REQUIRE(cx, min || max, out, "there is neither a min nor a max");
  if (!max) return of_two<NUMBERS_AND_BOOL>(cx, maximum_out_functor{}, self, *min, out);
  if (!min) return of_two<NUMBERS_AND_BOOL>(cx, minimum_out_functor{}, self, *max, out);
  const auto clamp = [](auto x, auto low, auto high) { return between(x, low, high); };
  return pointwise<NUMBERS>(cx, clamp, out, promote(self, *min, *max), self, *min, *max);
}

Tensor& masked_fill_scalar_out(Context& cx, const Tensor& self, const Tensor& mask, const Scalar& value, Tensor& out) {
  const ScalarType type = self.scalar_type();
  REQUIRE(cx, mask.scalar_type() == ScalarType::Bool, out, "the mask is %s, and a bool", dtype_name(mask));
  const Tensor* inputs[] = {&self, &mask};
  if (!prepare_pointwise(cx, type, out, inputs) || !fits(cx, value, type)) return out;
  visit<NUMBERS_AND_BOOL | COMPLEX>(cx, type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto fill = [with = value.to<T>()](T x, bool is_masked) { return is_masked ? with : x; };
    pointwise_as<T, bool>(cx, fill, type, out, self, mask);
  });
  return out;
}

Tensor& where_self_out(Context& cx, const Tensor& condition, const Tensor& self, const Tensor& other, Tensor& out) {
  REQUIRE(cx, contains(dtypes(ScalarType::Bool, ScalarType::Byte), condition.scalar_type()), out,
          "the condition is %s, and a bool or uint8", dtype_name(condition));
  const ScalarType common = promote(self, other);
  const Tensor* inputs[] = {&condition, &self, &other};
  if (!prepare_pointwise(cx, common, out, inputs)) return out;
  visit<NUMBERS_AND_BOOL | COMPLEX>(cx, common, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto choose = [](bool is_first, T a, T b) { return is_first ? a : b; };
    pointwise_as<bool, T, T>(cx, choose, common, out, condition, self, other);
  });
  return out;
}

}  // namespace tenon::native
