// Pointwise functions of one tensor, as a float, that are computed one number at a time: by the C++ library, or in
// double where it has none.
#include <math.h>  // lgamma_r is POSIX's, and in no namespace

#include "generated/kernels.h"
#include "loops.h"
#include "special.h"

namespace tenon::native {

// The logarithmic derivative of the gamma function: by steps of 1 to where its series for large numbers converges.
double digamma(double x) {
  if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
  double sum = 0;
  if (x < 0) {  // reflected to above 1; there is none at negative whole numbers
    const double fraction = x - std::trunc(x);
    if (!(fraction < 0)) return std::numeric_limits<double>::quiet_NaN();
    sum = -kPi / std::tan(kPi * fraction);
    x = 1 - x;
  }
  for (; x < 10; x += 1) sum -= 1 / x;
  const double y = 1 / (x * x);
  double p = 1.0 / 12;
  p = 691.0 / 32760 - y * p;
  p = 1.0 / 132 - y * p;
  p = 1.0 / 240 - y * p;
  p = 1.0 / 252 - y * p;
  p = 1.0 / 120 - y * p;
  p = 1.0 / 12 - y * p;
  return sum + std::log(x) - 0.5 / x - y * p;
}

double log_gamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);
}

namespace {

// A first guess that is right to three digits, and two of Halley's steps, each of which triples them. Towards 1 it is
// what is missing to 1 that has digits.
double inverse_error_function(double x) {
  const double size = std::fabs(x), missing = 1 - size;
  if (!(missing > 0)) {
    return missing == 0 ? std::copysign(std::numeric_limits<double>::infinity(), x)
                        : std::numeric_limits<double>::quiet_NaN();
  }
  const double w = std::log1p(-x * x), t = 2 / (kPi * 0.147) + w / 2;
  double y = std::sqrt(std::fabs(std::sqrt(t * t - w / 0.147) - t));
  for (int step = 0; step < 2; ++step) {
    const double error = size < 0.5 ? std::erf(y) - size : missing - std::erfc(y);
    const double by = error / (2 / std::sqrt(kPi) * std::exp(-y * y));
    y -= by / (1 + y * by);
  }
  return std::copysign(y, x);
}

// Of numbers near 0 all digits count.
template <class T>
T log_of_1_and(T x) {
  if constexpr (std::is_same_v<T, Complex>) {
    const double square = x.real() * (2 + x.real()) + x.imag() * x.imag();
    return {0.5 * std::log1p(square), std::atan2(x.imag(), 1 + x.real())};
  } else {
    return std::log1p(x);
  }
}
template <class T>
T exponential_but_1(T x) {
  if constexpr (std::is_same_v<T, Complex>) {
    const double half = std::sin(x.imag() / 2);
    return {std::expm1(x.real()) * std::cos(x.imag()) - 2 * half * half, std::exp(x.real()) * std::sin(x.imag())};
  } else {
    return std::expm1(x);
  }
}

// The C++ library has these of real numbers only.
using std::exp2, std::log2;
Complex log2(const Complex& x) { return std::log(x) / std::log(2.0); }
Complex exp2(const Complex& x) { return std::exp(x * Complex(std::log(2.0))); }

}  // namespace

// function, what it is of x as a float, whether it is of complex numbers too
#define TENON_TRANSCENDENTAL(function, formula, others)                                    \
  Tensor& function(Context& cx, const Tensor& self, Tensor& out) {                         \
    const auto of = [](auto x) { return formula; };                                        \
    return pointwise<FLOATS | others>(cx, of, out, float_dtype(self.scalar_type()), self); \
  }
TENON_TRANSCENDENTAL(asin_out, std::asin(x), COMPLEX)
TENON_TRANSCENDENTAL(acos_out, std::acos(x), COMPLEX)
TENON_TRANSCENDENTAL(atan_out, std::atan(x), COMPLEX)
TENON_TRANSCENDENTAL(tan_out, std::tan(x), COMPLEX)
TENON_TRANSCENDENTAL(sinh_out, std::sinh(x), COMPLEX)
TENON_TRANSCENDENTAL(cosh_out, std::cosh(x), COMPLEX)
TENON_TRANSCENDENTAL(asinh_out, std::asinh(x), COMPLEX)
TENON_TRANSCENDENTAL(acosh_out, std::acosh(x), COMPLEX)
TENON_TRANSCENDENTAL(atanh_out, std::atanh(x), COMPLEX)
TENON_TRANSCENDENTAL(log2_out, log2(x), COMPLEX)
TENON_TRANSCENDENTAL(log10_out, std::log10(x), COMPLEX)
TENON_TRANSCENDENTAL(log1p_out, log_of_1_and(x), COMPLEX)
TENON_TRANSCENDENTAL(exp2_out, exp2(x), COMPLEX)
TENON_TRANSCENDENTAL(expm1_out, exponential_but_1(x), COMPLEX)
TENON_TRANSCENDENTAL(erfc_out, std::erfc(x), 0)
TENON_TRANSCENDENTAL(erfinv_out, decltype(x)(inverse_error_function(x)), 0)
TENON_TRANSCENDENTAL(lgamma_out, decltype(x)(log_gamma(x)), 0)
TENON_TRANSCENDENTAL(digamma_out, decltype(x)(digamma(x)), 0)
#undef TENON_TRANSCENDENTAL

}  // namespace tenon::native
