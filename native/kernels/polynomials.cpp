// Orthogonal polynomials of degree n at x, by their recurrences, as the dtype itself computes them: with products that
// are not rounded before they are subtracted from, as torch's, since what is left of large numbers has no other digits.
#include "generated/kernels.h"
#include "loops.h"

namespace tenon::native {
namespace {

// A degree as a whole number; what is none, or too large for one, counts as below 0, where polynomials are 0.
template <class T>
int64_t degree(T n) {
  return n > T(-1) && n < T(9e18) ? static_cast<int64_t>(n) : -1;
}

// step(k, q, p) makes the polynomial of degree k + 1 of those of degrees k and k - 1.
template <class T, class Step>
T recur(int64_t n, T before, const Step& step) {
  T p = before, q = T(1);
  for (int64_t k = 0; k < n && q == q; ++k) {
    const T next = step(static_cast<T>(k), q, p);
    p = q;
    q = next;
  }
  return q;
}

// The four kinds differ in what comes before degree 0, and so do their values at 1 and -1 and as waves.
enum class Kind { T, U, V, W };
struct Chebyshev {
  Kind kind;
  bool is_shifted;  // from 0 to 1, and not from -1

  template <class T>
  T operator()(T x, T degrees) const {
    const int64_t n = degree(degrees);
    if (is_shifted) x = x + x - T(1);
    if (n < 0) return T(0);
    if (std::fabs(x) == T(1)) {
      const bool is_one = kind == Kind::T || kind == (x > T(0) ? Kind::V : Kind::W);
      const T size = is_one ? T(1) : static_cast<T>(kind == Kind::U ? n + 1 : 2 * n + 1);
      return x > T(0) || n % 2 == 0 ? size : -size;
    }
    if (std::fabs(x) < T(1) && n > (kind == Kind::T ? 6 : 8)) return wave(std::acos(x), static_cast<T>(n));
    const T before = kind == Kind::V ? T(1) : kind == Kind::W ? T(-1) : T(0);
    const bool is_first = kind == Kind::T;
    return recur(n, before, [=](T k, T q, T p) { return is_first && k == T(0) ? x : std::fma(x + x, q, -p); });
  }

  template <class T>
  T wave(T angle, T n) const {
    switch (kind) {
      case Kind::T: return std::cos(n * angle);
      case Kind::U: return std::sin((n + T(1)) * angle) / std::sin(angle);
      case Kind::V: return std::cos((n + T(0.5)) * angle) / std::cos(angle / T(2));
      default: return std::sin((n + T(0.5)) * angle) / std::sin(angle / T(2));
    }
  }
};

// Beyond some degree torch has no numbers for them.
struct Hermite {
  bool is_statistical;
  template <class T>
  T operator()(T x, T degrees) const {
    const int64_t n = degree(degrees);
    if (n < 0) return T(0);
    if (n > (std::is_same_v<T, float> ? 128 : 512)) return std::numeric_limits<T>::quiet_NaN();
    const T by = is_statistical ? T(1) : T(2);
    return recur(n, T(0), [=](T k, T q, T p) { return std::fma(by * x, q, -(by * k * p)); });
  }
};
struct Laguerre {
  template <class T>
  T operator()(T x, T degrees) const {
    const int64_t n = degree(degrees);
    if (n < 0 || x == T(0)) return static_cast<T>(n >= 0);
    return recur(n, T(0), [x](T k, T q, T p) { return std::fma(k + k + (T(1) - x), q, -(k * p)) / (k + T(1)); });
  }
};
struct Legendre {
  template <class T>
  T operator()(T x, T degrees) const {
    const int64_t n = degree(degrees);
    if (n < 0) return T(0);
    if (std::fabs(x) == T(1)) return x > T(0) || n % 2 == 0 ? T(1) : T(-1);
    return recur(n, T(0), [x](T k, T q, T p) { return std::fma((k + k + T(1)) * x, q, -(k * p)) / (k + T(1)); });
  }
};

}  // namespace

#define TENON_POLYNOMIAL(function, functor)                                       \
  Tensor& function(Context& cx, const Tensor& x, const Tensor& n, Tensor& out) {  \
    return pointwise<FLOATS>(cx, functor, out, float_dtype(promote(x, n)), x, n); \
  }
TENON_POLYNOMIAL(special_chebyshev_polynomial_t_out, (Chebyshev{Kind::T, false}))
TENON_POLYNOMIAL(special_chebyshev_polynomial_u_out, (Chebyshev{Kind::U, false}))
TENON_POLYNOMIAL(special_chebyshev_polynomial_v_out, (Chebyshev{Kind::V, false}))
TENON_POLYNOMIAL(special_chebyshev_polynomial_w_out, (Chebyshev{Kind::W, false}))
TENON_POLYNOMIAL(special_shifted_chebyshev_polynomial_t_out, (Chebyshev{Kind::T, true}))
TENON_POLYNOMIAL(special_shifted_chebyshev_polynomial_u_out, (Chebyshev{Kind::U, true}))
TENON_POLYNOMIAL(special_shifted_chebyshev_polynomial_v_out, (Chebyshev{Kind::V, true}))
TENON_POLYNOMIAL(special_shifted_chebyshev_polynomial_w_out, (Chebyshev{Kind::W, true}))
TENON_POLYNOMIAL(special_hermite_polynomial_h_out, Hermite{false})
TENON_POLYNOMIAL(special_hermite_polynomial_he_out, Hermite{true})
TENON_POLYNOMIAL(special_laguerre_polynomial_l_out, Laguerre{})
TENON_POLYNOMIAL(special_legendre_polynomial_p_out, Legendre{})
#undef TENON_POLYNOMIAL

}  // namespace tenon::native
