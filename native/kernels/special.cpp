// Special functions, one number at a time, in double for all dtypes: by series where they converge, by integrals whose
// sums converge exponentially, by the C++ library.
#include "special.h"

#include <math.h>  // j0 and its like are POSIX's, and in no namespace

#include "generated/kernels.h"
#include "loops.h"

namespace tenon::native {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = 1e-17;  // a term that is such a part of a sum does not change it

// By pointers, so that one loop serves all functions.
struct OfOne {
  double (*function)(double);
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(function(x));
  }
};
struct OfTwo {
  double (*function)(double, double);
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(function(a, b));
  }
};

// --- Bessel functions ----------------------------------------------------------------------------------------------

// exp(-|x|) I_n(|x|) for n of 0 and 1. Far out the series diverges in the end, but the terms taken do not.
double scaled_i(int n, double x) {
  x = std::fabs(x);
  double term = n && x < 20 ? x / 2 : 1, sum = term;
  if (x < 20) {
    for (int k = 1; term > sum * kTiny; ++k) sum += term *= x * x / 4 / (k * (k + n));
    return sum * std::exp(-x);
  }
  for (int k = 1; k < 26; ++k) sum += term *= ((2 * k - 1) * (2 * k - 1) - 4 * n) / (8 * k * x);
  return sum / (std::sqrt(2 * kPi) * std::sqrt(x));
}
double i0e(double x) { return scaled_i(0, x); }
double i1e(double x) { return x < 0 ? -scaled_i(1, x) : scaled_i(1, x); }
double i0(double x) { return std::exp(std::fabs(x)) * i0e(x); }
double i1(double x) { return std::exp(std::fabs(x)) * i1e(x); }

// exp(x) K_n(x): the integral of exp(-x (cosh t - 1)) cosh(n t) over t from 0.
double scaled_k(double n, double x) {
  if (!(x > 0)) return x == 0 ? kInfinity : kNone;
  if (x < 1e-8) return n == 0 ? -std::log(x / 2) - 0.57721566490153286061 : 1 / x;
  if (std::isinf(x)) return 0;
  const double step = std::fmin(0.2, 0.6 / std::sqrt(x));
  double sum = 0.5;
  for (double t = step;; t += step) {
    const double half = std::sinh(t / 2), term = std::exp(-2 * x * half * half) * std::cosh(n * t);
    if (!(term > sum * kTiny)) return sum * step;
    sum += term;
  }
}
double k0e(double x) { return scaled_k(0, x); }
double k1e(double x) { return scaled_k(1, x); }
double k0(double x) { return std::exp(-x) * k0e(x); }
double k1(double x) { return std::exp(-x) * k1e(x); }

// The library's have a limit at infinity; torch's are not a number there.
double bessel_j0(double x) { return std::isinf(x) ? kNone : ::j0(x); }
double bessel_j1(double x) { return std::isinf(x) ? kNone : ::j1(x); }
double bessel_y(double (*function)(double), double x) {
  if (x == 0) return -kInfinity;
  return x > 0 && !std::isinf(x) ? function(x) : kNone;
}
double bessel_y0(double x) { return bessel_y(::y0, x); }
double bessel_y1(double x) { return bessel_y(::y1, x); }
double spherical_j0(double x) { return x == 0 ? 1 : std::isinf(x) ? 0 : std::sin(x) / x; }

double airy(double x) {
  if (std::isinf(x)) return kNone;
  const double z = 2.0 / 3 * std::fabs(x) * std::sqrt(std::fabs(x));
  if (x > 1) return std::sqrt(x / 3) / kPi * std::exp(-z) * scaled_k(1.0 / 3, z);
  if (x >= -7) {
    double even = 1, odd = x, even_term = even, odd_term = odd;
    for (int k = 2; k < 100; k += 3) {
      even += even_term *= x * x * x / (k * (k + 1));
      odd += odd_term *= x * x * x / ((k + 1) * (k + 2));
    }
    return 0.35502805388781723926 * even - 0.25881940379280679840 * odd;
  }
  double waves[] = {1, 0}, term = 1;
  for (int k = 1; k < 20; ++k) {
    term *= (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / (216.0 * k * (2 * k - 1) * z);
    waves[k % 2] += k & 2 ? -term : term;
  }
  return (std::cos(z - kPi / 4) * waves[0] + std::sin(z - kPi / 4) * waves[1]) / std::sqrt(kPi * std::sqrt(-x));
}

// --- of the normal distribution ------------------------------------------------------------------------------------

double erfcx(double x) {
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  const double t = 1 / (2 * x * x);
  return (1 - t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t)))) / (x * std::sqrt(kPi));
}

// The smaller tail tells where it begins: a guess, and Halley's steps, each of which triples the digits.
double ndtri(double p) {
  if (!(p > 0 && p < 1)) return p == 0 ? -kInfinity : p == 1 ? kInfinity : kNone;
  const double tail = std::fmin(p, 1 - p), t = std::sqrt(-2 * std::log(tail));
  double z = t - (2.3 + 0.27 * t) / (1 + t * (0.99 + 0.045 * t));
  for (int step = 0; step < 4; ++step) {
    const double root = std::exp(z * z / 4);  // of one over the density, which alone can be too large
    const double by = (std::erfc(z / std::sqrt(2.0)) / 2 - tail) * root * root * std::sqrt(2 * kPi);
    z += by / (1 + z * by / 2);
  }
  return p < 0.5 ? -z : z;
}

// --- of the gamma function -----------------------------------------------------------------------------------------

// The sum of (q + k)^-s: term by term to where that of Euler and Maclaurin converges.
double zeta(double s, double q) {
  if (s == 1) return kInfinity;
  if (s < 1) return kNone;
  if (q <= 0 && q == std::floor(q)) return kInfinity;
  if (q <= 0 && s != std::floor(s)) return kNone;
  double sum = 0, term;
  for (int k = 0; k < 10 || q < 10; ++k, q += 1) {
    sum += term = std::pow(q, -s);
    if (std::fabs(term) < std::fabs(sum) * kTiny) return sum;
  }
  term = std::pow(q, -s);
  sum += term * q / (s - 1) + term / 2;
  constexpr double bernoulli[] = {12, -720, 30240, -1209600, 47900160, -1307674368000.0 / 691, 74724249600};
  for (double divisor : bernoulli) {
    sum += (term *= s / q) / divisor;
    term *= (s + 1) / q;
    s += 2;
  }
  return sum;
}

// At a pole the sine, of pi rounded to the dtype, is not quite 0: torch's result there is large, and not infinite.
struct Trigamma {
  template <class T>
  T operator()(T x) const {
    if (!(x < T(0.5))) return x > T(1e30) ? T(1) / x : static_cast<T>(zeta(2, x));
    const T sine = std::sin(static_cast<T>(kPi) * x);
    return static_cast<T>(kPi * kPi) / (sine * sine) - static_cast<T>(zeta(2, 1 - x));
  }
};
struct Polygamma {
  double n, factor;
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(factor * zeta(n + 1, x));
  }
};

// What of the gamma function's integral is below x, or above: by a series, a continued fraction, or, where both are
// slow, as a normal distribution with its first correction.
double gamma_part(double a, double x, bool above) {
  if (a < 0 || x < 0 || (a == 0 && !(x > 0)) || (std::isinf(a) && std::isinf(x))) return kNone;
  if (a < 1e-290 && x > 0) return !above;  // 1 / a, which is on the way, would be infinite
  if (x == 0 || std::isinf(a)) return above;
  if (std::isinf(x)) return !above;
  if (a > 1e4) {
    const double m = (x - a) / a;
    const double half = std::fabs(m) < 1e-3 ? m * m * (1.0 / 2 - m * (1.0 / 3 - m * (1.0 / 4 - m * (1.0 / 5 - m / 6))))
                                            : m - std::log1p(m);
    const double eta = std::copysign(std::sqrt(2 * half), m);
    const double correction = std::fabs(m) < 1e-4 ? m / 12 - 1.0 / 3 : 1 / m - 1 / eta;
    const double shift = std::exp(-a * half) / std::sqrt(2 * kPi * a) * correction;
    const double side = std::erfc((above ? eta : -eta) * std::sqrt(a / 2)) / 2;
    return above ? side + shift : side - shift;
  }
  const double front = std::exp(a * std::log(x) - x - log_gamma(a));
  if (x < a + 1) {
    double sum = 1 / a, term = sum;
    for (double k = a + 1; term > sum * kTiny; ++k) sum += term *= x / k;
    return above ? 1 - front * sum : front * sum;
  }
  double b = x + 1 - a, c = 1e300, d = 1 / b, fraction = d;
  for (int k = 1; k < 100000; ++k) {
    const double step = k * (a - k);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    fraction *= c * d;
    if (std::fabs(c * d - 1) < 1e-15) break;
  }
  return above ? front * fraction : 1 - front * fraction;
}
double igamma(double a, double x) { return gamma_part(a, x, false); }
double igammac(double a, double x) { return gamma_part(a, x, true); }

}  // namespace

// function, what it is of one number
#define TENON_SPECIAL(function, math)                                                      \
  Tensor& function(Context& cx, const Tensor& self, Tensor& out) {                         \
    return pointwise<FLOATS>(cx, OfOne{math}, out, float_dtype(self.scalar_type()), self); \
  }
TENON_SPECIAL(i0_out, i0)
TENON_SPECIAL(special_i0e_out, i0e)
TENON_SPECIAL(special_i1_out, i1)
TENON_SPECIAL(special_i1e_out, i1e)
TENON_SPECIAL(special_modified_bessel_i0_out, i0)
TENON_SPECIAL(special_modified_bessel_i1_out, i1)
TENON_SPECIAL(special_modified_bessel_k0_out, k0)
TENON_SPECIAL(special_modified_bessel_k1_out, k1)
TENON_SPECIAL(special_scaled_modified_bessel_k0_out, k0e)
TENON_SPECIAL(special_scaled_modified_bessel_k1_out, k1e)
TENON_SPECIAL(special_bessel_j0_out, bessel_j0)
TENON_SPECIAL(special_bessel_j1_out, bessel_j1)
TENON_SPECIAL(special_bessel_y0_out, bessel_y0)
TENON_SPECIAL(special_bessel_y1_out, bessel_y1)
TENON_SPECIAL(special_spherical_bessel_j0_out, spherical_j0)
TENON_SPECIAL(special_airy_ai_out, airy)
TENON_SPECIAL(special_erfcx_out, erfcx)
TENON_SPECIAL(special_ndtri_out, ndtri)
#undef TENON_SPECIAL

Tensor& special_zeta_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return pointwise<FLOATS>(cx, OfTwo{zeta}, out, float_dtype(promote(self, other)), self, other);
}
Tensor& igamma_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return pointwise<FLOATS>(cx, OfTwo{igamma}, out, promote(self, other), self, other);
}
Tensor& igammac_out(Context& cx, const Tensor& self, const Tensor& other, Tensor& out) {
  return pointwise<FLOATS>(cx, OfTwo{igammac}, out, promote(self, other), self, other);
}

Tensor& polygamma_out(Context& cx, int64_t n, const Tensor& self, Tensor& out) {
  const ScalarType type = float_dtype(self.scalar_type());
  REQUIRE(cx, n >= 0, out, "n is %" PRId64 ", and at least 0", n);
  if (n == 0) return pointwise<FLOATS>(cx, OfOne{digamma}, out, type, self);
  if (n == 1) return pointwise<FLOATS>(cx, Trigamma{}, out, type, self);
  const double order = static_cast<double>(n), size = std::exp(log_gamma(order + 1));
  return pointwise<FLOATS>(cx, Polygamma{order, n % 2 ? size : -size}, out, type, self);
}

}  // namespace tenon::native
