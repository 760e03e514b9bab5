// Pointwise operators on the parts of numbers: their signs, exponents, neighbours and divisors.
#include "arithmetic.h"
#include "generated/kernels.h"
#include "loops.h"

namespace tenon::native {
namespace {

// The number beside a towards b. Of 16-bit floats the bits are counted, which are in order.
template <class Narrow>
float beside(float a, float b) {
  if (a == b || a != a || b != b) return a == b ? b : a + b;
  Narrow x(a == 0.0f ? std::copysign(0.0f, b) : a);
  x.x = static_cast<uint16_t>(a == 0.0f || (a < b) == (a > 0.0f) ? x.x + 1 : x.x - 1);
  return x;
}
struct NextAfter {
  ScalarType type;
  double operator()(double a, double b) const { return std::nextafter(a, b); }
  float operator()(float a, float b) const {
    if (type == ScalarType::Half) return beside<Half>(a, b);
    return type == ScalarType::BFloat16 ? beside<BFloat16>(a, b) : std::nextafter(a, b);
  }
};

struct Gcd {
  template <class T>
  T operator()(T a, T b) const {
    a = absolute(a), b = absolute(b);
    while (a != T(0)) {
      const T left = static_cast<T>(std::is_signed_v<T> && a == T(-1) ? 0 : b % a);
      b = a, a = left;
    }
    return b;
  }
};
struct Lcm {
  template <class T>
  T operator()(T a, T b) const {
    using Wide = decltype(a + b);  // small numbers wrap only in the end
    const Wide divisor = Gcd{}(a, b);
    if (divisor == 0) return T(0);
    return static_cast<T>(absolute(wrapping_multiply(divide_to_zero(Wide(a), divisor), Wide(b))));
  }
};

struct Exponent {
  template <class T>
  int32_t operator()(T x) const {
    int exponent = 0;
    if (std::isfinite(x)) std::frexp(x, &exponent);
    return exponent;
  }
};
struct Mantissa {
  template <class T>
  T operator()(T x) const {
    int exponent;
    return std::frexp(x, &exponent);
  }
};

}  // namespace

Tensor& hypot_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return pointwise<FLOATS>(cx, [](auto a, auto b) { return std::hypot(a, b); }, out, promote(self, other), self, other);
}
Tensor& copysign_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  const auto copy = [](auto a, auto b) { return std::copysign(a, b); };
  return pointwise<FLOATS>(cx, copy, out, float_dtype(promote(self, other)), self, other);
}
Tensor& nextafter_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  const ScalarType common = promote(self, other);
  return pointwise<FLOATS>(cx, NextAfter{common}, out, common, self, other);
}
Tensor& gcd_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return pointwise<WHOLES>(cx, Gcd{}, out, promote(self, other), self, other);
}
Tensor& lcm_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return pointwise<WHOLES>(cx, Lcm{}, out, promote(self, other), self, other);
}

// The mantissa is last: it may take the place of the tensor.
Pair frexp_tensor_out(Context& cx, const Tensor& self, Tensor& mantissa, Tensor& exponent) {
  const ScalarType type = self.scalar_type();
  const Tensor* inputs[] = {&self};
  if (prepare_pointwise(cx, ScalarType::Int, exponent, inputs)) {
    visit<FLOATS>(cx, type, [&](auto tag) {
      pointwise_as<typename decltype(tag)::type>(cx, Exponent{}, type, exponent, self);
    });
  }
  if (!cx.failed()) pointwise<FLOATS>(cx, Mantissa{}, mantissa, type, self);
  return {mantissa, exponent};
}

}  // namespace tenon::native
