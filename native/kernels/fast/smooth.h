// Smooth functions that compilers make vectors of: no calls, no branches. Those of floats, gelu aside, are at most 2
// units in the last place from the truth, whatever the vectors are: tests/native/smooth.cpp looks. Those of double are the
// C++ library's.
#pragma once

#include <cmath>

#include "../complex.h"
#include "../index.h"

namespace tenon {

inline Complex exponential(const Complex& x) { return std::exp(x); }
inline Complex hyperbolic_tangent(const Complex& x) { return std::tanh(x); }
ET_INLINE double exponential(double x) { return std::exp(x); }
ET_INLINE double hyperbolic_tangent(double x) { return std::tanh(x); }
ET_INLINE double error_function(double x) { return std::erf(x); }

namespace smooth {

// Whole numbers of the size of floats.
template <class V>
struct BitsOf {
  typedef uint32_t type __attribute__((vector_size(sizeof(V))));
};
template <>
struct BitsOf<float> {
  using type = uint32_t;
};

// x = n log(2) + r, where `shifted` has n in its last bits, and e^r: by a polynomial fitted so that its largest error is
// smallest.
template <class V>
struct Parts {
  V shifted, power;

  ET_INLINE Parts(const V& x, float shifter) {
    shifted = x * 0x1.715476p0f + shifter;  // a number that large has no room for what is behind its point
    const V n = shifted - shifter;
    const V r = (x - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;  // the logarithm in two parts: n times one is exact
    V p = r * 0.00138143205f + 0.00836885107f;
    p = p * r + 0.0416684011f;
    p = p * r + 0.166665195f;
    p = p * r + 0.499999934f;
    p = p * r + 1.0f;
    power = p * r + 1.0f;
  }
};
inline constexpr float shifter = 0x1.8p23f;

}  // namespace smooth

// e^x of a float, or of a vector of floats.
template <class V>
ET_INLINE V exponential(const V& x) {
  using Bits = typename smooth::BitsOf<V>::type;
  V limited = x < -104.0f ? V{} - 104.0f : x;
  limited = limited > 89.0f ? V{} + 89.0f : limited;
  const smooth::Parts<V> parts(limited, smooth::shifter);
  // In two factors: of the largest results 2^n alone is infinite, and of the smallest it is 0.
  const Bits biased = native::load<Bits>(&parts.shifted) - (bits::of(smooth::shifter) - 2 * 127);
  const Bits half = biased >> 1, first = half << 23, second = (biased - half) << 23;
  return parts.power * native::load<V>(&first) * native::load<V>(&second);
}

// The same of what is not above 0, in fewer steps. A result that is no normal number may be 0, if that is `rough`.
template <bool rough, class V>
ET_INLINE V exponential_below(const V& x) {
  using Bits = typename smooth::BitsOf<V>::type;
  constexpr float least = rough ? -88.0f : -104.0f;
  constexpr int shift = rough ? 0 : 64;  // of an exponent that there is no number for
  const V limited = x < least ? V{} + least : x;
  const smooth::Parts<V> parts(limited, smooth::shifter + 127 + shift);  // its last bits are an exponent's
  const Bits exponent = native::load<Bits>(&parts.shifted) << 23;
  const V found = parts.power * native::load<V>(&exponent);
  if constexpr (rough) return found;
  else return found * 0x1p-64f;
}

template <class T>
ET_INLINE T sigmoid(const T& x) {
  return T(1) / T(T(1) + exponential(T(-x)));
}
// e^-x is infinite where the result is not 0 yet; so by what is not above 1.
ET_INLINE float sigmoid(float x) {
  const float power = exponential_below<false>(-std::fabs(x));
  return (x < 0.0f ? power : 1.0f) / (1.0f + power);
}

// Near 0 an odd polynomial, fitted as above; else by the exponential.
ET_INLINE float hyperbolic_tangent(float x) {
  const float size = std::fabs(x), square = x * x;
  float p = -0.00628366027f;
  p = p * square + 0.0211214505f;
  p = p * square - 0.0538763165f;
  p = p * square + 0.133329325f;
  p = p * square - 0.333333305f;
  const float near = x * (1.0f + square * p);
  const float far = std::copysign(1.0f - 2.0f / (exponential(2.0f * size) + 1.0f), x);
  return size < 0.6f ? near : far;
}

// The same, with a polynomial for the logarithm of what is missing to 1.
ET_INLINE float error_function(float x) {
  const float size = std::fabs(x) > 4.0f ? 4.0f : std::fabs(x), square = x * x;
  float p = 8.51310473e-05f;
  p = p * square - 0.000817563946f;
  p = p * square + 0.00520385918f;
  p = p * square - 0.0268605085f;
  p = p * square + 0.11283715f;
  p = p * square - 0.37612635f;
  p = p * square + 0.128379167f;
  float q = -0.000198219671f;
  q = q * size + 0.00306549044f;
  q = q * size - 0.0223152135f;
  q = q * size + 0.104113679f;
  q = q * size + 0.636976083f;
  q = q * size + 1.12779724f;
  q = q * size + 0.00016644761f;
  const float far = std::copysign(1.0f - exponential_below<true>(-q), x);
  return size < 0.9f ? x + x * p : far;
}

// relu(x) - |x| times the part of the normal distribution beyond |x|, whose logarithm is nearly a polynomial: within 5e-8,
// and of numbers above 0 within 3 units in the last place. Beyond 16 that part is 0.
ET_INLINE float gelu(float x) {
  const float size = std::fabs(x) > 16.0f ? 16.0f : std::fabs(x);
  const float square = size * size;
  float even = 2.2806769e-08f, odd = -6.54534459e-07f;  // two sums, which do not wait for each other
  even = even * square + 8.08408535e-06f;
  odd = odd * square - 5.48664566e-05f;
  even = even * square + 0.000197027759f;
  odd = odd * square - 7.71492589e-08f;
  even = even * square - 0.00482247355f;
  odd = odd * square + 0.0363588705f;
  even = even * square + 0.318303263f;
  odd = odd * square + 0.7978853f;
  even = even * square + 0.693147181f;
  return (x > 0.0f ? x : 0.0f) - size * exponential_below<true>(-(even + odd * size));
}

}  // namespace tenon
