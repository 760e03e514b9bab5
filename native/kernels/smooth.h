// Smooth functions that compilers make vectors of: no calls, no branches. Those of double are the C++ library's.
#pragma once

#include <cmath>
#include "complex.h"

namespace tenon {

ET_INLINE double exponential(double x) { return std::exp(x); }
ET_INLINE double hyperbolic_tangent(double x) { return std::tanh(x); }
ET_INLINE double error_function(double x) { return std::erf(x); }
inline Complex exponential(const Complex& x) { return std::exp(x); }
inline Complex hyperbolic_tangent(const Complex& x) { return std::tanh(x); }

// 2^n, made by adding n to an exponent, times a polynomial in what is left. What is too small for a normal number is 0.
ET_INLINE float exponential(float x) {
  constexpr float rounder = 0x1.8p23f;  // a number added to it has no room for what is behind its point
  const float limited = x < -87.0f ? -87.0f : x > 89.0f ? 89.0f : x;
  const float shifted = limited * 0x1.715476p0f + rounder, n = shifted - rounder;
  const float r = (limited - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;  // the logarithm of 2 in two parts
  float p = 0.00139411131f;
  p = p * r + 0.00836317986f;
  p = p * r + 0.0416663736f;
  p = p * r + 0.166665763f;
  p = p * r + 0.5f;
  const float power = 1.0f + (r + r * r * p);
  // In two factors: of the largest results, 2^n alone is not a number any more.
  const int32_t whole = static_cast<int32_t>(bits::of(shifted) - bits::of(rounder)), half = whole >> 1;
  const float first = bits::to_float(static_cast<uint32_t>(half + 127) << 23);
  const float second = bits::to_float(static_cast<uint32_t>(whole - half + 127) << 23);
  return x < -87.0f ? 0.0f : power * first * second;
}

// Near 0 an odd polynomial, fitted so that the largest error is smallest; else by the exponential. The relative error
// is below 2e-7.
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
  float p = 7.88911522e-05f;
  p = p * square - 0.000802083999f;
  p = p * square + 0.00518953519f;
  p = p * square - 0.0268544445f;
  p = p * square + 0.112836002f;
  p = p * square - 0.376126271f;
  p = p * square + 1.12837917f;
  float q = -0.000197183895f;
  q = q * size + 0.00305562728f;
  q = q * size - 0.0222771599f;
  q = q * size + 0.104037499f;
  q = q * size + 0.637059606f;
  q = q * size + 1.12774964f;
  q = q * size + 0.000177476445f;
  const float far = std::copysign(1.0f - exponential(-q), x);
  return size < 1.0f ? x * p : far;
}

}  // namespace tenon
