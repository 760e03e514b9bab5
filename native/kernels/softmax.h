// The exponential of a vector of numbers.
#pragma once

#include <cmath>

#include "index.h"

namespace tenon::native {

// 2^n times a polynomial in what is left: at most 2 units in the last place from the truth. Below -87 it is 0.
template <class V>
ET_INLINE V exponential_of_floats(const V& x) {
  typedef uint32_t Bits __attribute__((vector_size(sizeof(V))));
  constexpr float shifter = 12582912.0f;  // 1.5 * 2^23: what is added to it is rounded to a whole number
  V limited = x < -87.0f ? V{} - 87.0f : x;
  limited = limited > 89.0f ? V{} + 89.0f : limited;
  const V shifted = limited * 1.44269504f + shifter;
  const V n = shifted - shifter;
  const V r = (limited - n * 0.693359375f) + n * 2.1219444e-4f;
  V p = r * 0.000197902977f + 0.00139447034f;
  p = p * r + 0.00833349768f;
  p = p * r + 0.0416662954f;
  p = p * r + 0.166666657f;
  p = p * r + 0.5f;
  p = p * r * r + r + 1.0f;
  // In two steps, as 2^128 is no float though exp(88.7) is one.
  const Bits whole = load<Bits>(&shifted) - bits::of(shifter);
  const Bits half = ((whole + 256) >> 1) - 128;
  const Bits first = (half + 127) << 23, second = (whole - half + 127) << 23;
  const V result = p * load<V>(&first) * load<V>(&second);
  return x < -87.0f ? V{} : result;
}

// Whole numbers of the size of floats.
template <class V>
struct BitsOf {
  typedef uint32_t type __attribute__((vector_size(sizeof(V))));
};
template <>
struct BitsOf<float> {
  using type = uint32_t;
};

// 2^x of a float or of a vector of them, in half as many steps: 0 below -126.5, and infinite above 127.5. What is never
// above 0 needs no look at the latter.
inline constexpr float log2_of_e = 1.44269504f;
template <bool is_any = true, class V>
ET_INLINE V power_of_2(const V& x) {
  using Bits = typename BitsOf<V>::type;
  constexpr float shifter = 12582912.0f + 127;  // the last bits of a sum with it are an exponent's
  V limited = x < -127.0f ? V{} - 127.0f : x;
  if constexpr (is_any) limited = limited > 128.0f ? V{} + 128.0f : limited;
  const V shifted = limited + shifter;
  const V r = limited - (shifted - shifter);
  V p = r * 0.00132647261f + 0.00967151299f;
  p = p * r + 0.0555073358f;
  p = p * r + 0.240222424f;
  p = p * r + 0.693147004f;
  p = p * r + 1.0f;
  const Bits exponent = load<Bits>(&shifted) << 23;
  return p * load<V>(&exponent);
}

// By the size of the elements: a vector of floats or of doubles.
template <class V>
ET_INLINE V exponential(const V& x) {
  if constexpr (sizeof(x[0]) == sizeof(float)) return exponential_of_floats(x);
  V found = {};
  for (size_t l = 0; l < sizeof(V) / sizeof(x[0]); ++l) found[l] = std::exp(x[l]);
  return found;
}

}  // namespace tenon::native
