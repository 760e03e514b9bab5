// Pointwise functions by name; chains of them, each compiled as one loop; and where the kernel finds those.
#pragma once

#include <algorithm>

#include "../arithmetic.h"
#include "smooth.h"
#include "vectors.h"

namespace tenon::native {

// Name, how many numbers it takes, its formula. A code is a place in this list: tenon/ops/fused.py has the same one.
#define TENON_POINTWISE_FUNCTIONS(X)                                                   \
  X(add, 2, x + y)                                                                     \
  X(sub, 2, x - y)                                                                     \
  X(mul, 2, x * y)                                                                     \
  X(div, 2, x / y)                                                                     \
  X(maximum, 2, (x > y) | (x != x) ? x : y)                                            \
  X(minimum, 2, (x < y) | (x != x) ? x : y)                                            \
  X(pow, 2, std::pow(x, y))                                                            \
  X(eq, 2, x == y ? 1.0f : 0.0f)                                                       \
  X(ne, 2, x != y ? 1.0f : 0.0f)                                                       \
  X(lt, 2, x < y ? 1.0f : 0.0f)                                                        \
  X(le, 2, x <= y ? 1.0f : 0.0f)                                                       \
  X(gt, 2, x > y ? 1.0f : 0.0f)                                                        \
  X(ge, 2, x >= y ? 1.0f : 0.0f)                                                       \
  X(neg, 1, -x)                                                                        \
  X(abs, 1, std::fabs(x))                                                              \
  X(reciprocal, 1, 1.0f / x)                                                           \
  X(sqrt, 1, std::sqrt(x))                                                             \
  X(rsqrt, 1, 1.0f / std::sqrt(x))                                                     \
  X(exp, 1, exponential(x))                                                            \
  X(log, 1, std::log(x))                                                               \
  X(tanh, 1, hyperbolic_tangent(x))                                                    \
  X(erf, 1, error_function(x))                                                         \
  X(sigmoid, 1, tenon::sigmoid(x))                                                     \
  X(relu, 1, x < 0.0f ? 0.0f : x)                                                      \
  X(hardswish, 1, x * between(x + 3.0f, 0.0f, 6.0f) / 6.0f)                            \
  X(hardsigmoid, 1, between(x + 3.0f, 0.0f, 6.0f) / 6.0f)                              \
  X(silu, 1, x * tenon::sigmoid(x))                                                    \
  X(gelu, 1, tenon::gelu(x))                                                           \
  X(gelu_tanh, 1, x * tenon::sigmoid(2 * 0.797884561f * x * (1.0f + 0.044715f * x * x))) \
  X(clamp, 3, between(x, y, z))                                                        \
  X(where, 3, x != 0.0f ? y : z)

namespace function {
#define X(name, count, formula)                                                                         \
  ET_INLINE float name(float x, [[maybe_unused]] float y = 0.0f, [[maybe_unused]] float z = 0.0f) {     \
    return formula;                                                                                     \
  }
TENON_POINTWISE_FUNCTIONS(X)
#undef X
}  // namespace function

// --- inputs ----------------------------------------------------------------------------------------------------------

namespace pointwise_programs {

inline constexpr int64_t tile = 512;
inline constexpr int64_t most_inputs = 16, most_constants = 16;
inline constexpr int64_t least_numbers = 16384;  // for a thread

// An input in the order in which the result lies in memory.
struct Input {
  const float* data;
  Odometer<1> places;
  bool is_same = false;  // it lies as the result does
  bool is_single = false;

  // Numbers from `first` on, where they lie or else in `room`.
  const float* take(int64_t first, int64_t n, float* room) const;
};

struct Operands {
  Input taken[most_inputs];
  size_t inputs;
  ArrayRef<double> constants;
  int64_t numbers;
  float* out;

  // Calls each(first, n, inputs) for the tiles of [begin, end); all at once if inputs lie as the result does, and that
  // is `whole`.
  template <bool whole, class Each>
  void each_tile(int64_t begin, int64_t end, const Each& each) const {
    alignas(64) float room[most_inputs][tile];
    const float* found[most_inputs];
    bool is_same = whole;
    for (size_t k = 0; k < inputs; ++k) {
      is_same = is_same && taken[k].is_same;
      if (taken[k].is_single) std::fill_n(room[k], tile, *taken[k].data);
    }
    const int64_t last = std::min(end * tile, numbers);
    for (int64_t first = begin * tile; first < last;) {
      const int64_t n = is_same ? last - first : std::min(tile, last - first);
      for (size_t k = 0; k < inputs; ++k) found[k] = taken[k].take(first, n, room[k]);
      each(first, n, found);
      first += n;
    }
  }
  // How many tiles there are, and how many are for a thread at least.
  int64_t tiles() const { return (numbers + tile - 1) / tile; }
  static constexpr int64_t least_tiles = least_numbers / tile;
};

// --- chains ----------------------------------------------------------------------------------------------------------

// A program that is compiled.
struct Chain {
  Ints program;
  size_t inputs, constants;
  void (*run)(int64_t n, float* to, const float* const* inputs, const float* constants, uint32_t zero);
};

// Keeps a compiler from fusing a product with the sum behind it, so that a chain rounds as its functions do one by one.
// It must not know that the number is 0.
ET_INLINE float rounded(float product, uint32_t zero) { return bits::to_float(bits::of(product) ^ zero); }

template <class F>
struct Loop {
  int64_t n;
  float* to;
  const float* const* inputs;
  const float* constants;
  uint32_t zero;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    over(std::make_index_sequence<F::inputs>(), std::make_index_sequence<F::constants>());
  }
  template <size_t... i, size_t... c>
  ET_INLINE void over(std::index_sequence<i...>, std::index_sequence<c...>) const {
    const float* const x[] = {inputs[i]...};
    const float y[] = {constants[c]..., 0.0f};
    // The result may lie where an input does, and each element is read before it is written.
#pragma GCC ivdep
    for (int64_t at = 0; at < n; ++at) to[at] = F::of(zero, x[i][at]..., y[c]...);
  }
};
template <class F>
constexpr Chain chain() {
  return {F::program, F::inputs, F::constants,
          [](int64_t n, float* to, const float* const* inputs, const float* constants, uint32_t zero) {
            run_tuned(Loop<F>{n, to, inputs, constants, zero});
          }};
}

// The chains that there are, and what runs other programs: false, with words, if it is none. A build of some models has
// its own; else there are no chains.
struct Known {
  ArrayRef<Chain> chains;
  bool (*interpret)(Context& cx, Ints program, const Operands& operands);
};
extern const Known known;
bool interpret(Context& cx, Ints program, const Operands& operands);

}  // namespace pointwise_programs
}  // namespace tenon::native
