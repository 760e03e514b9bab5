// Pointwise operators of one tensor.
#include "arithmetic.h"
#include "generated/kernels.h"
#include "loops.h"
#include "moves.h"
#include "fast/smooth.h"

namespace tenon::native {
namespace {

// As a real number, of a complex one. False if it is none.
template <DTypeSet set, class F>
bool real_of_complex(Context& cx, [[maybe_unused]] const F& functor, const Tensor& in, Tensor& out) {
  const Tensor* inputs[] = {&in};
  if (!contains(set, in.scalar_type())) return false;
  if (!prepare_pointwise(cx, toRealValueType(in.scalar_type()), out, inputs)) return true;
  if constexpr (set != 0) pointwise_as<Complex>(cx, functor, ScalarType::Undefined, out, in);
  return true;
}

// What is not a number has no sign: it is 0.
template <class T>
T sign(T x) {
  if constexpr (std::is_same_v<T, Complex>) return x == 0.0 ? x : x / Complex(std::abs(x));
  else return static_cast<T>((T(0) < x) - (x < T(0)));
}

template <class T>
bool is_negative(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::signbit(x);
  else return x < T(0);
}

template <class T>
bool is_infinite([[maybe_unused]] T x) {
  if constexpr (std::is_same_v<T, Complex>) return std::isinf(x.real()) || std::isinf(x.imag());
  else if constexpr (std::is_floating_point_v<T>) return std::isinf(x);
  else return false;
}

constexpr ScalarType own_dtype(ScalarType type) { return type; }
#define TENON_LONG(name, formula)       \
  struct name {                         \
    using IsLong = void;                \
    template <class T>                  \
    ET_INLINE T operator()(T x) const { \
      return formula;                   \
    }                                   \
  };
TENON_LONG(Gelu, T(0.5) * x * (T(1) + error_function(x * T(0.70710678118654752440))))
TENON_LONG(GeluTanh,
           T(0.5) * x * (T(1) + hyperbolic_tangent(T(0.79788456080286535588) * (x + T(0.044715) * x * x * x))))
struct Glu {
  using IsLong = void;
  template <class T>
  ET_INLINE T operator()(T a, T b) const {
    return a * sigmoid(b);
  }
};

// Between two bounds; those of all numbers of a type, where there are none.
template <DTypeSet set>
Tensor& clamp_to(Context& cx, const Tensor& self, const Maybe<Scalar>& min, const Maybe<Scalar>& max, ScalarType common,
                 Tensor& out) {
  const auto make = [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Limits = std::numeric_limits<T>;
    const T low = min ? min->to<T>() : Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    const T high = max ? max->to<T>() : Limits::has_infinity ? Limits::infinity() : Limits::max();
    return [low, high](T x) { return between(x, low, high); };
  };
  return pointwise_made<set>(cx, make, out, common, self);
}

}  // namespace

// Worth wide vectors. function, what it is computed in, dtypes, what it is of x, which is a T.
#define TENON_OF_LONG(function, common, types, formula)                                       \
  namespace {                                                                                 \
  TENON_LONG(function##_functor, formula)                                                     \
  }                                                                                           \
  Tensor& function(Context& cx, const Tensor& self, Tensor& out) {                            \
    return pointwise<types>(cx, function##_functor{}, out, common(self.scalar_type()), self); \
  }
TENON_OF_LONG(sqrt_out, float_dtype, FLOATS | COMPLEX, std::sqrt(x))
TENON_OF_LONG(rsqrt_out, float_dtype, FLOATS | COMPLEX, T(1) / T(std::sqrt(x)))
TENON_OF_LONG(reciprocal_out, float_dtype, FLOATS | COMPLEX, T(1) / x)
TENON_OF_LONG(exp_out, float_dtype, FLOATS | COMPLEX, exponential(x))
TENON_OF_LONG(log_out, float_dtype, FLOATS | COMPLEX, std::log(x))
TENON_OF_LONG(sin_out, float_dtype, FLOATS | COMPLEX, std::sin(x))
TENON_OF_LONG(cos_out, float_dtype, FLOATS | COMPLEX, std::cos(x))
TENON_OF_LONG(tanh_out, float_dtype, FLOATS | COMPLEX, hyperbolic_tangent(x))
TENON_OF_LONG(erf_out, float_dtype, FLOATS, error_function(x))
TENON_OF_LONG(sigmoid_out, float_dtype, FLOATS | COMPLEX, sigmoid(x))
TENON_OF_LONG(silu_out, own_dtype, FLOATS | COMPLEX, x * sigmoid(x))
TENON_OF_LONG(hardsigmoid_out, own_dtype, FLOATS, between(x + T(3), T(0), T(6)) / T(6))
TENON_OF_LONG(hardswish_out, own_dtype, FLOATS, x * between(x + T(3), T(0), T(6)) / T(6))
#undef TENON_OF_LONG
#undef TENON_LONG

// function, dtypes, what it is of x, which is a T
#define TENON_OF(function, types, Result, formula)                  \
  Tensor& function(Context& cx, const Tensor& self, Tensor& out) {  \
    const auto of = [](auto x) -> Result {                          \
      using T [[maybe_unused]] = decltype(x);                       \
      return static_cast<Result>(formula);                          \
    };                                                              \
    return pointwise<types>(cx, of, out, self.scalar_type(), self); \
  }
#define TENON_OF_SAME(function, types, formula) TENON_OF(function, types, decltype(x), formula)
#define TENON_QUESTION(function, types, formula) TENON_OF(function, types, bool, formula)
TENON_OF_SAME(neg_out, NUMBERS | COMPLEX, negative(x))
TENON_OF_SAME(sign_out, NUMBERS_AND_BOOL, sign(x))
TENON_OF_SAME(sgn_out, NUMBERS_AND_BOOL | COMPLEX, sign(x))
TENON_OF_SAME(frac_out, FLOATS, x - std::trunc(x))
TENON_OF_SAME(relu_out, NUMBERS, x < T(0) ? T(0) : x)
TENON_OF_SAME(bitwise_not_out, WHOLES_AND_BOOL, x ^ T(-1))
TENON_QUESTION(logical_not_out, NUMBERS_AND_BOOL | COMPLEX, x == T(0))
TENON_QUESTION(signbit_out, NUMBERS_AND_BOOL, is_negative(x))
TENON_QUESTION(isinf_out, NUMBERS_AND_BOOL | COMPLEX, is_infinite(x))
TENON_QUESTION(isnan_out, NUMBERS_AND_BOOL | COMPLEX, x != x)
#undef TENON_QUESTION
#undef TENON_OF_SAME
#undef TENON_OF

// Whole numbers stay as they are.
#define TENON_ROUNDING(function, rounding)                            \
  Tensor& function(Context& cx, const Tensor& self, Tensor& out) {    \
    const auto of = [](auto x) {                                      \
      if constexpr (std::is_integral_v<decltype(x)>) return x;        \
      else return rounding(x);                                        \
    };                                                                \
    return pointwise<NUMBERS>(cx, of, out, self.scalar_type(), self); \
  }
TENON_ROUNDING(floor_out, std::floor)
TENON_ROUNDING(ceil_out, std::ceil)
TENON_ROUNDING(round_out, std::nearbyint)
TENON_ROUNDING(trunc_out, std::trunc)
#undef TENON_ROUNDING

Tensor& abs_out(Context& cx, const Tensor& self, Tensor& out) {
  if (real_of_complex<COMPLEX>(cx, [](const Complex& x) { return std::abs(x); }, self, out)) return out;
  return pointwise<NUMBERS_AND_BOOL>(cx, [](auto x) { return absolute(x); }, out, self.scalar_type(), self);
}

// Of a real number it is that of its sign.
Tensor& angle_out(Context& cx, const Tensor& self, Tensor& out) {
  if (real_of_complex<COMPLEX>(cx, [](const Complex& x) { return std::arg(x); }, self, out)) return out;
  const auto of_sign = [](auto x) { return x != x ? x : decltype(x)(x < 0 ? 3.14159265358979323846 : 0); };
  return pointwise<FLOATS>(cx, of_sign, out, float_dtype(self.scalar_type()), self);
}

// The power 2 that is a number: of a bool it is an int64.
Tensor& square_out(Context& cx, const Tensor& self, Tensor& out) {
  const auto square = [](auto x) { return wrapping_multiply(x, x); };
  return pointwise<NUMBERS | COMPLEX>(cx, square, out, promote(self, Scalar(2)), self);
}

// Without bounds what is outside of 0 and 1 is not a number. 16-bit floats are rounded at each step, as torch's are:
// with a bound of 1e-6 the upper one is 1.
Tensor& logit_out(Context& cx, const Tensor& self, Maybe<double> eps, Tensor& out) {
  const ScalarType type = float_dtype(self.scalar_type());
  const auto make = [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T low = rounded_to(type, T(eps.value_or(-1))), high = rounded_to(type, T(1) - low);
    return [=](T x) {
      const T p = low < T(0) ? x : x < low ? low : x > high ? high : x;
      return std::log(rounded_to(type, p / rounded_to(type, T(1) - p)));
    };
  };
  return pointwise_made<FLOATS>(cx, make, out, type, self);
}

// The first half of a dimension, as far as the second lets it through.
Tensor& glu_out(Context& cx, const Tensor& self, int64_t dim, Tensor& out) {
  View half(self);
  const size_t d = take_dim(cx, dim, half.rank);
  if (cx.failed()) return out;
  REQUIRE(cx, half.sizes[d] % 2 == 0, out, "dimension %zu of size %" PRId64 " has no halves", d, half.sizes[d]);
  half.sizes[d] /= 2;
  ViewTensor first(half);
  half.move_to(d, half.sizes[d]);
  ViewTensor second(half);
  return pointwise<FLOATS>(cx, Glu{}, out, half.type, first.tensor(), second.tensor());
}

Tensor& gelu_out(Context& cx, const Tensor& self, std::string_view approximate, Tensor& out) {
  REQUIRE(cx, approximate == "none" || approximate == "tanh", out,
          "it is approximated by \"none\" or \"tanh\", and not by \"%.*s\"", static_cast<int>(approximate.size()),
          approximate.data());
  return approximate == "none" ? pointwise<FLOATS>(cx, Gelu{}, out, self.scalar_type(), self)
                               : pointwise<FLOATS>(cx, GeluTanh{}, out, self.scalar_type(), self);
}

Tensor& leaky_relu_out(Context& cx, const Tensor& self, const Scalar& negative_slope, Tensor& out) {
  const auto make = [&](auto tag) {
    using T = typename decltype(tag)::type;
    return [slope = negative_slope.to<T>()](T x) { return x > T(0) ? x : x * slope; };
  };
  return pointwise_made<FLOATS>(cx, make, out, self.scalar_type(), self);
}

Tensor& elu_out(Context& cx, const Tensor& self, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                Tensor& out) {
  const auto make = [&](auto tag) {
    using T = typename decltype(tag)::type;
    return [below = alpha.to<T>() * scale.to<T>(), above = scale.to<T>(), in = input_scale.to<T>()](T x) {
      return x < T(0) ? std::expm1(x * in) * below : x * above;
    };
  };
  return pointwise_made<FLOATS>(cx, make, out, self.scalar_type(), self);
}

Tensor& hardtanh_out(Context& cx, const Tensor& self, const Scalar& min_val, const Scalar& max_val, Tensor& out) {
  return clamp_to<NUMBERS>(cx, self, min_val, max_val, self.scalar_type(), out);
}

Tensor& clamp_out(Context& cx, const Tensor& self, const Maybe<Scalar>& min, const Maybe<Scalar>& max, Tensor& out) {
  REQUIRE(cx, min || max, out, "there is neither a min nor a max");
  Promotion promotion;
  promotion.with(self);
  if (min) promotion.with(*min);
  if (max) promotion.with(*max);
  return clamp_to<NUMBERS>(cx, self, min, max, promotion.dtype(), out);
}

}  // namespace tenon::native
