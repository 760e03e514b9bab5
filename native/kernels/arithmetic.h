// Mathematics that functors share. Signed numbers wrap around, as torch's do.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace tenon {

// The unsigned type in which arithmetic on T wraps without being undefined; a small one would be widened to int.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <class T>
T wrapping_add(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) return a || b;
  else if constexpr (std::is_integral_v<T>) return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
  else return a + b;
}
template <class T>
T wrapping_subtract(T a, T b) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
  else return a - b;
}
template <class T>
T wrapping_multiply(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) return a && b;
  else if constexpr (std::is_integral_v<T>) return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
  else return a * b;
}

template <class T>
T negative(T x) {
  if constexpr (std::is_integral_v<T>) return wrapping_subtract(T(0), x);
  else return -x;
}
// The smallest number of a type is its own absolute value.
template <class T>
T absolute(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::fabs(x);
  else if constexpr (std::is_signed_v<T>) return x < T(0) ? negative(x) : x;
  else return x;
}

// Between two bounds, of which the upper one counts if they cross. What is not a number stays so, as do such bounds.
template <class T>
T between(T x, T low, T high) {
  const T raised = x < low || low != low ? low : x;
  return raised > high || high != high ? high : raised;
}

// Quotients of whole numbers. The divisor is not 0; the smallest number by -1 wraps.
template <class T>
T divide_to_zero(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) return negative(a);
  }
  return static_cast<T>(a / b);
}
template <class T>
T divide_down(T a, T b) {
  const T quotient = divide_to_zero(a, b);
  const bool is_inexact = b != T(-1) && a % b != 0;
  return is_inexact && (a < T(0)) != (b < T(0)) ? static_cast<T>(quotient - 1) : quotient;
}

// The largest whole number not above a / b, found from the remainder: a / b itself may have been rounded up to it.
// `rounded` is what the dtype makes of each step.
template <class T, class Rounded>
T floor_quotient(T a, T b, const Rounded& rounded) {
  if (b == T(0)) return a / b;
  const T remainder = std::fmod(a, b);
  T quotient = rounded(rounded(a - remainder) / b);
  if (remainder != T(0) && (remainder < T(0)) != (b < T(0))) quotient = rounded(quotient - T(1));
  if (quotient == T(0)) return std::copysign(T(0), a / b);
  const T down = std::floor(quotient);
  return quotient - down > T(0.5) ? down + T(1) : down;
}

// A power of whole numbers; below 1, that is 0, but for the powers of 1 and -1.
template <class T>
T whole_power(T base, T exponent) {
  if (exponent < T(0)) {
    if (base == T(1)) return T(1);
    if (base == T(-1)) return exponent % 2 ? T(-1) : T(1);
    return T(0);
  }
  T result = T(1);
  for (; exponent > T(0); exponent = static_cast<T>(exponent / 2)) {
    if (exponent % 2) result = wrapping_multiply(result, base);
    base = wrapping_multiply(base, base);
  }
  return result;
}

}  // namespace tenon
