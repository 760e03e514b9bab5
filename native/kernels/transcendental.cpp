// Pointwise functions of one tensor, as a float, that are computed one number at a time: by the C++ library, or in
// double where it has none.
#include "generated/kernels.h"
#include "loops.h"

namespace tenon::native {
namespace {

constexpr double kPi = 3.14159265358979323846;

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

}  // namespace

// function, what it is of x as a float
#define TENON_TRANSCENDENTAL(X)                         \
  X(asin_out, std::asin(x))                             \
  X(acos_out, std::acos(x))                             \
  X(atan_out, std::atan(x))                             \
  X(tan_out, std::tan(x))                               \
  X(sinh_out, std::sinh(x))                             \
  X(cosh_out, std::cosh(x))                             \
  X(asinh_out, std::asinh(x))                           \
  X(acosh_out, std::acosh(x))                           \
  X(atanh_out, std::atanh(x))                           \
  X(log2_out, std::log2(x))                             \
  X(log10_out, std::log10(x))                           \
  X(log1p_out, std::log1p(x))                           \
  X(exp2_out, std::exp2(x))                             \
  X(expm1_out, std::expm1(x))                           \
  X(erfc_out, std::erfc(x))                             \
  X(erfinv_out, decltype(x)(inverse_error_function(x))) \
  X(lgamma_out, std::lgamma(x))                         \
  X(digamma_out, decltype(x)(digamma(x)))
#define X(function, formula)                                                      \
  Tensor& function(Context& cx, const Tensor& self, Tensor& out) {                \
    const auto of = [](auto x) { return formula; };                               \
    return pointwise<FLOATS>(cx, of, out, float_dtype(self.scalar_type()), self); \
  }
TENON_TRANSCENDENTAL(X)
#undef X

}  // namespace tenon::native
