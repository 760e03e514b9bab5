// Pointwise operators of one tensor.
#include "arithmetic.h"
#include "generated/kernels.h"
#include "loops.h"
#include "moves.h"
#include "smooth.h"

namespace tenon::native {
namespace {

// As its own dtype.
template <DTypeSet set, class F>
Tensor& of_same(Context& cx, const F& functor, const Tensor& in, Tensor& out) {
  return pointwise<set>(cx, functor, out, in.scalar_type(), in);
}
// As a float, also of whole numbers.
template <DTypeSet set, class F>
Tensor& of_float(Context& cx, const F& functor, const Tensor& in, Tensor& out) {
  return pointwise<set>(cx, functor, out, float_dtype(in.scalar_type()), in);
}

// As a real number, of a complex one. False if it is none.
template <DTypeSet set, class F>
bool real_of_complex(Context& cx, [[maybe_unused]] const F& functor, const Tensor& in, Tensor& out) {
  const Tensor* inputs[] = {&in};
  if (!contains(set, in.scalar_type())) return false;
  if (!prepare_pointwise(cx, toRealValueType(in.scalar_type()), out, inputs)) return true;
  if constexpr (set != 0) pointwise_as<Complex>(cx, functor, ScalarType::Undefined, out, in);
  return true;
}

struct Abs {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) return std::fabs(x);
    else return x < T(0) ? wrapping_subtract(T(0), x) : x;
  }
  bool operator()(bool x) const { return x; }
};
struct Negative {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_integral_v<T>) return wrapping_subtract(T(0), x);
    else return -x;
  }
};
struct BitwiseNot {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(~x);
  }
  bool operator()(bool x) const { return !x; }
};
struct LogicalNot {
  template <class T>
  bool operator()(T x) const {
    return x == T(0);
  }
};
// What is not a number has no sign: it is 0.
struct Sign {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>((T(0) < x) - (x < T(0)));
  }
  bool operator()(bool x) const { return x; }
  Complex operator()(const Complex& x) const { return x == 0.0 ? x : x / Complex(std::abs(x)); }
};
struct Angle {
  template <class T>
  T operator()(T x) const {
    return x != x ? x : x < T(0) ? T(3.14159265358979323846) : T(0);
  }
};
struct Square {
  template <class T>
  T operator()(T x) const {
    return wrapping_multiply(x, x);
  }
};
struct Frac {
  template <class T>
  T operator()(T x) const {
    return x - std::trunc(x);
  }
};
struct Relu {
  template <class T>
  T operator()(T x) const {
    return x < T(0) ? T(0) : x;
  }
};

// name, what it is of x; whole numbers stay as they are
#define TENON_ROUNDINGS(X)    \
  X(Floor, std::floor(x))     \
  X(Ceil, std::ceil(x))       \
  X(Round, std::nearbyint(x)) \
  X(Trunc, std::trunc(x))
#define X(name, formula)                                         \
  struct name {                                                  \
    template <class T>                                           \
    T operator()(T x) const {                                    \
      if constexpr (std::is_floating_point_v<T>) return formula; \
      else return x;                                             \
    }                                                            \
  };
TENON_ROUNDINGS(X)
#undef X

// name, what is asked of x; of whole numbers it is `otherwise`
#define TENON_QUESTIONS(X)              \
  X(SignBit, std::signbit(x), x < T(0)) \
  X(IsInfinite, std::isinf(x), false)   \
  X(IsNan, x != x, false)
#define X(name, formula, otherwise)                                                            \
  struct name {                                                                                \
    template <class T>                                                                         \
    bool operator()([[maybe_unused]] T x) const {                                              \
      if constexpr (std::is_floating_point_v<T>) return formula;                               \
      else return otherwise;                                                                   \
    }                                                                                          \
    bool operator()(const Complex& x) const { return (*this)(x.real()) || (*this)(x.imag()); } \
  };
TENON_QUESTIONS(X)
#undef X

// name, what it is of x as a float
#define TENON_FLOAT_FUNCTIONS(X)                                                                                   \
  X(Sqrt, std::sqrt(x))                                                                                            \
  X(Rsqrt, T(1) / T(std::sqrt(x)))                                                                                 \
  X(Reciprocal, T(1) / x)                                                                                          \
  X(Exp, exponential(x))                                                                                           \
  X(Log, std::log(x))                                                                                              \
  X(Sin, std::sin(x))                                                                                              \
  X(Cos, std::cos(x))                                                                                              \
  X(Tanh, hyperbolic_tangent(x))                                                                                   \
  X(Erf, error_function(x))                                                                                        \
  X(Sigmoid, sigmoid(x))                                                                                           \
  X(Silu, x * sigmoid(x))                                                                                          \
  X(Gelu, T(0.5) * x * (T(1) + error_function(x * T(0.70710678118654752440))))                                     \
  X(GeluTanh, T(0.5) * x * (T(1) + hyperbolic_tangent(T(0.79788456080286535588) * (x + T(0.044715) * x * x * x)))) \
  X(Hardsigmoid, between(x + T(3), T(0), T(6)) / T(6))                                                             \
  X(Hardswish, x * between(x + T(3), T(0), T(6)) / T(6))
#define X(name, formula)                \
  struct name {                         \
    using IsLong = void;                \
    template <class T>                  \
    ET_INLINE T operator()(T x) const { \
      return formula;                   \
    }                                   \
  };
TENON_FLOAT_FUNCTIONS(X)
#undef X

template <class T>
struct Clamp {
  T low, high;
  T operator()(T x) const { return between(x, low, high); }
};
// Without bounds what is outside of 0 and 1 is not a number. 16-bit floats are rounded at each step, as torch's are:
// with a bound of 1e-6 the upper one is 1.
template <class T>
struct Logit {
  ScalarType type;
  bool is_bound;
  T low, high;
  T operator()(T x) const {
    const T p = !is_bound ? x : x < low ? low : x > high ? high : x;
    return std::log(rounded_to(type, p / rounded_to(type, T(1) - p)));
  }
};
struct Glu {
  using IsLong = void;
  template <class T>
  ET_INLINE T operator()(T a, T b) const {
    return a * sigmoid(b);
  }
};
template <class T>
struct LeakyRelu {
  T slope;
  T operator()(T x) const { return x > T(0) ? x : x * slope; }
};
template <class T>
struct Elu {
  T alpha, scale, input_scale;
  T operator()(T x) const { return x < T(0) ? std::expm1(x * input_scale) * (alpha * scale) : x * scale; }
};

// The bounds of all numbers of a type, where there are none.
template <class T>
Clamp<T> clamp_to(const Maybe<Scalar>& min, const Maybe<Scalar>& max) {
  using Limits = std::numeric_limits<T>;
  const T lowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  const T highest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  return {min ? min->to<T>() : lowest, max ? max->to<T>() : highest};
}

}  // namespace

#define TENON_OF_FLOAT(function, functor, types) \
  Tensor& function(Context& cx, const Tensor& self, Tensor& out) { return of_float<types>(cx, functor{}, self, out); }
TENON_OF_FLOAT(sqrt_out, Sqrt, FLOATS | COMPLEX)
TENON_OF_FLOAT(rsqrt_out, Rsqrt, FLOATS | COMPLEX)
TENON_OF_FLOAT(reciprocal_out, Reciprocal, FLOATS | COMPLEX)
TENON_OF_FLOAT(exp_out, Exp, FLOATS | COMPLEX)
TENON_OF_FLOAT(log_out, Log, FLOATS | COMPLEX)
TENON_OF_FLOAT(sin_out, Sin, FLOATS | COMPLEX)
TENON_OF_FLOAT(cos_out, Cos, FLOATS | COMPLEX)
TENON_OF_FLOAT(tanh_out, Tanh, FLOATS | COMPLEX)
TENON_OF_FLOAT(erf_out, Erf, FLOATS)
TENON_OF_FLOAT(sigmoid_out, Sigmoid, FLOATS | COMPLEX)
#undef TENON_OF_FLOAT

#define TENON_OF_SAME(function, functor, types) \
  Tensor& function(Context& cx, const Tensor& self, Tensor& out) { return of_same<types>(cx, functor{}, self, out); }
TENON_OF_SAME(neg_out, Negative, NUMBERS | COMPLEX)
TENON_OF_SAME(sign_out, Sign, NUMBERS_AND_BOOL)
TENON_OF_SAME(sgn_out, Sign, NUMBERS_AND_BOOL | COMPLEX)
TENON_OF_SAME(signbit_out, SignBit, NUMBERS_AND_BOOL)
TENON_OF_SAME(isinf_out, IsInfinite, NUMBERS_AND_BOOL | COMPLEX)
TENON_OF_SAME(isnan_out, IsNan, NUMBERS_AND_BOOL | COMPLEX)
TENON_OF_SAME(floor_out, Floor, NUMBERS)
TENON_OF_SAME(ceil_out, Ceil, NUMBERS)
TENON_OF_SAME(round_out, Round, NUMBERS)
TENON_OF_SAME(trunc_out, Trunc, NUMBERS)
TENON_OF_SAME(frac_out, Frac, FLOATS)
TENON_OF_SAME(bitwise_not_out, BitwiseNot, WHOLES_AND_BOOL)
TENON_OF_SAME(logical_not_out, LogicalNot, NUMBERS_AND_BOOL | COMPLEX)
TENON_OF_SAME(relu_out, Relu, NUMBERS)
TENON_OF_SAME(silu_out, Silu, FLOATS | COMPLEX)
TENON_OF_SAME(hardsigmoid_out, Hardsigmoid, FLOATS)
TENON_OF_SAME(hardswish_out, Hardswish, FLOATS)
#undef TENON_OF_SAME

Tensor& abs_out(Context& cx, const Tensor& self, Tensor& out) {
  if (real_of_complex<COMPLEX>(cx, [](const Complex& x) { return std::abs(x); }, self, out)) return out;
  return of_same<NUMBERS_AND_BOOL>(cx, Abs{}, self, out);
}

// Of a real number it is that of its sign.
Tensor& angle_out(Context& cx, const Tensor& self, Tensor& out) {
  if (real_of_complex<COMPLEX>(cx, [](const Complex& x) { return std::arg(x); }, self, out)) return out;
  return of_float<FLOATS>(cx, Angle{}, self, out);
}

// The power 2 that is a number: of a bool it is an int64.
Tensor& square_out(Context& cx, const Tensor& self, Tensor& out) {
  return pointwise<NUMBERS | COMPLEX>(cx, Square{}, out, promote(self, Scalar(2)), self);
}

Tensor& logit_out(Context& cx, const Tensor& self, Maybe<double> eps, Tensor& out) {
  const ScalarType type = float_dtype(self.scalar_type());
  const auto make = [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T low = rounded_to(type, T(eps.value_or(-1)));
    return Logit<T>{type, !(low < T(0)), low, rounded_to(type, T(1) - low)};
  };
  return pointwise_made<FLOATS>(cx, make, out, type, self);
}

// The first half of a dimension, as far as the second lets it through.
Tensor& glu_out(Context& cx, const Tensor& self, int64_t dim, Tensor& out) {
  View half(self);
  const size_t d = take_dim(cx, dim, half.rank);
  if (cx.failed()) return out;
  if (half.sizes[d] % 2) {
    cx.fail(Error::InvalidArgument, "dimension %zu of size %lld has no halves", d,
            static_cast<long long>(half.sizes[d]));
    return out;
  }
  half.sizes[d] /= 2;
  ViewTensor first(half);
  half.move_to(d, half.sizes[d]);
  ViewTensor second(half);
  return pointwise<FLOATS>(cx, Glu{}, out, half.type, first.tensor(), second.tensor());
}

Tensor& gelu_out(Context& cx, const Tensor& self, std::string_view approximate, Tensor& out) {
  if (approximate == "none") return of_same<FLOATS>(cx, Gelu{}, self, out);
  if (approximate == "tanh") return of_same<FLOATS>(cx, GeluTanh{}, self, out);
  cx.fail(Error::InvalidArgument, "it is approximated by \"none\" or \"tanh\", and not by \"%.*s\"",
          static_cast<int>(approximate.size()), approximate.data());
  return out;
}

Tensor& leaky_relu_out(Context& cx, const Tensor& self, const Scalar& negative_slope, Tensor& out) {
  const auto make = [&](auto tag) {
    using T = typename decltype(tag)::type;
    return LeakyRelu<T>{negative_slope.to<T>()};
  };
  return pointwise_made<FLOATS>(cx, make, out, self.scalar_type(), self);
}

Tensor& elu_out(Context& cx, const Tensor& self, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                Tensor& out) {
  const auto make = [&](auto tag) {
    using T = typename decltype(tag)::type;
    return Elu<T>{alpha.to<T>(), scale.to<T>(), input_scale.to<T>()};
  };
  return pointwise_made<FLOATS>(cx, make, out, self.scalar_type(), self);
}

Tensor& hardtanh_out(Context& cx, const Tensor& self, const Scalar& min_val, const Scalar& max_val, Tensor& out) {
  const auto make = [&](auto tag) { return clamp_to<typename decltype(tag)::type>(min_val, max_val); };
  return pointwise_made<NUMBERS>(cx, make, out, self.scalar_type(), self);
}

Tensor& clamp_out(Context& cx, const Tensor& self, const Maybe<Scalar>& min, const Maybe<Scalar>& max, Tensor& out) {
  if (!min && !max) {
    cx.fail(Error::InvalidArgument, "there is neither a min nor a max");
    return out;
  }
  Promotion promotion;
  promotion.with(self);
  if (min) promotion.with(*min);
  if (max) promotion.with(*max);
  const auto make = [&](auto tag) { return clamp_to<typename decltype(tag)::type>(min, max); };
  return pointwise_made<NUMBERS>(cx, make, out, promotion.dtype(), self);
}

}  // namespace tenon::native
