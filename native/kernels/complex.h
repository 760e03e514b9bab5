// Complex numbers: computed in double whatever they are stored as, with torch's products and quotients where C++ has
// its own for infinities.
#pragma once

#include <cmath>
#include <tenon/kernel.h>

namespace tenon {

struct Complex : std::complex<double> {
  using std::complex<double>::complex;
  Complex(const std::complex<double>& number) : std::complex<double>(number) {}
  Complex& operator*=(const Complex& other);
};
template <>
struct CppTypeToScalarType<Complex> : std::integral_constant<ScalarType, ScalarType::ComplexDouble> {};

inline Complex operator*(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
inline Complex& Complex::operator*=(const Complex& other) { return *this = *this * other; }
// Both by the larger part of the divisor, so that no square of it is there.
inline Complex operator/(const Complex& a, const Complex& b) {
  const bool is_real_larger = std::fabs(b.real()) >= std::fabs(b.imag());
  const double large = is_real_larger ? b.real() : b.imag(), small = is_real_larger ? b.imag() : b.real();
  if (large == 0 && small == 0) return {a.real() / std::fabs(large), a.imag() / std::fabs(large)};
  const double ratio = small / large, scale = 1 / (large + small * ratio);
  if (is_real_larger) return {(a.real() + a.imag() * ratio) * scale, (a.imag() - a.real() * ratio) * scale};
  return {(a.real() * ratio + a.imag()) * scale, (a.imag() * ratio - a.real()) * scale};
}

}  // namespace tenon
