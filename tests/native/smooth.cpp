// Smooth functions beside those of double, over numbers of every exponent: for each length of vectors that this
// processor has, a line with the function, the bytes of a vector, the most units in the last place that it is off, and
// where.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "../../native/kernels/fast/smooth.h"
#include "../../native/kernels/fast/vectors.h"

namespace tenon::native {
namespace {

constexpr uint32_t step = 2039;  // a prime: mantissas differ from exponent to exponent
constexpr int64_t count = ((int64_t{1} << 32) / step + 15) / 16 * 16;
float given[count], found[count];

double sigmoid_of_double(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

// name, what it is of x, of double, and whether x is in its domain
#define TENON_SMOOTH(X)                                                                   \
  X(Exp, exponential(x), std::exp(x), true)                                               \
  X(ExpBelow, exponential_below<false>(x), std::exp(x), x <= 0 || x != x)                 \
  X(RoughBelow, exponential_below<true>(x), std::exp(x), (x <= 0 && x > -87.3) || x != x) \
  X(Tanh, hyperbolic_tangent(x), std::tanh(x), true)                                      \
  X(Erf, error_function(x), std::erf(x), true)                                            \
  X(Sigmoid, sigmoid(x), sigmoid_of_double(x), true)

#define X(name, formula, truth, domain)                   \
  struct name {                                           \
    template <class V>                                    \
    static ET_INLINE V of(const V& x) { return formula; } \
    static double of_double(double x) { return truth; }   \
    static bool has([[maybe_unused]] double x) { return domain; } \
  };
TENON_SMOOTH(X)
#undef X

// As a loop over single numbers, of which the compiler makes vectors.
template <class F>
struct Singly {
  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    for (int64_t i = 0; i < count; ++i) found[i] = F::of(given[i]);
  }
};
template <class F>
struct InVectors {
  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    for (int64_t i = 0; i < count; i += bytes / 4) store(found + i, F::of(load<Floats<bytes>>(given + i)));
  }
};

// Neighbours differ by 1, also the two zeros and the largest number and infinity.
int64_t place(float x) {
  const uint32_t whole = bits::of(x);
  return whole >> 31 ? -int64_t{whole & 0x7fffffff} : int64_t{whole};
}

template <class F, class Body>
void check(const char* name, int bytes, const Body& body) {
  switch (bytes) {
#if TENON_HAS_WIDE
    case 64: tuned::run_64(body); break;
    case 32: tuned::run_32(body); break;
#endif
    default: tuned::run_16(body);
  }
  int64_t worst = 0;
  float where = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (!F::has(given[i])) continue;
    const float truth = static_cast<float>(F::of_double(given[i]));
    const bool is_number = truth == truth && found[i] == found[i];
    const bool is_same_kind = is_number ? std::signbit(truth) == std::signbit(found[i]) : truth != truth && found[i] != found[i];
    const int64_t off = !is_same_kind ? INT64_MAX : is_number ? std::llabs(place(found[i]) - place(truth)) : 0;
    if (off > worst) worst = off, where = given[i];
  }
  std::printf("%s %d %" PRId64 " %.9g\n", name, bytes, worst, static_cast<double>(where));
}

}  // namespace
}  // namespace tenon::native

int main() {
  using namespace tenon::native;
  uint32_t next = 0;
  for (float& x : given) x = tenon::bits::to_float(next), next += step;
  for (int bytes = 16; bytes <= vector_bytes(); bytes *= 2) {
    check<Exp>("exponential", bytes, Singly<Exp>());
    check<Exp>("exponential_in_vectors", bytes, InVectors<Exp>());
    check<ExpBelow>("exponential_below", bytes, InVectors<ExpBelow>());
    check<RoughBelow>("rough_exponential_below", bytes, InVectors<RoughBelow>());
    check<Tanh>("hyperbolic_tangent", bytes, Singly<Tanh>());
    check<Erf>("error_function", bytes, Singly<Erf>());
    check<Sigmoid>("sigmoid", bytes, Singly<Sigmoid>());
  }
}
