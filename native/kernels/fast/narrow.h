// The product with weights that are narrower than float32. For few rows they become floats in registers, at the speed
// of memory; for many a block of two panels becomes floats first, and the packed product does the rest.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <tenon/threads.h>

#include "numbers.h"
#include "packed.h"

namespace tenon::native {

// Weights in panels. What is whole is scaled in groups of rows of a panel: (number - zero) * scale.
struct Weights {
  const void* panels;
  int64_t depth;                  // rows of a panel
  int64_t group = 0;              // rows that have one scale
  const float* scales = nullptr;  // panels of depth / group rows
  const float* zeros = nullptr;   // as many, or none
};

namespace narrow {
template <class Numbers>
void multiply_many(int64_t rows, int64_t columns, const float* left, const Weights& weights, const Results& results);
}

// --- few rows ------------------------------------------------------------------------------------------------------

namespace narrow {

constexpr int64_t few = 3;

template <class Numbers>
struct FewRows {
  const Weights& weights;
  int64_t count;
  const float* x;
  const float* sums_of_x;  // of each group; null where nothing is subtracted from the numbers
  int64_t first, last, columns;
  const Results& results;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    for (int64_t p = first; p < last; ++p) {
      for (int64_t row = 0; row < count; ++row) panel<Floats<bytes>>(p, row);  // the second from the first cache
    }
  }

  template <class V, bool is_careful = false>
  ET_INLINE void panel(int64_t p, int64_t row) const {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    constexpr int per = static_cast<int>(panel_width / lanes), parts = sizeof(V) == 16 ? 2 : 4;
    constexpr int64_t step = Numbers::step(parts), stride = step / Numbers::rows * panel_width;
    const auto* at = static_cast<const typename Numbers::Stored*>(weights.panels) +
                     p * (weights.depth / Numbers::rows * panel_width);
    const int64_t groups = Numbers::is_scaled ? weights.depth / weights.group : 1;
    const int64_t rows = Numbers::is_scaled ? weights.group : weights.depth;
    const float* factors = x + row * weights.depth;
    V total[per] = {};
    WholeOf<V> odd{};
    for (int64_t g = 0; g < groups; ++g) {
      V sums[parts][per] = {};
      int64_t k = 0;
      for (; k + step <= rows; k += step, factors += step, at += stride) {
        if constexpr (Numbers::ahead) __builtin_prefetch(reinterpret_cast<const char*>(at) + Numbers::ahead);
        Numbers::template add<is_careful>(at, factors, sums, odd);
      }
      if constexpr (Numbers::rows == 1) {
        for (; k < rows; ++k, ++factors, at += panel_width) {
          V numbers[per];
          Numbers::row(at, 0, numbers);
          TENON_UNROLL
          for (int v = 0; v < per; ++v) sums[0][v] += *factors * numbers[v];
        }
      }
      const int64_t place = (p * groups + g) * panel_width;
      TENON_UNROLL
      for (int v = 0; v < per; ++v) {
        TENON_UNROLL
        for (int i = 1; i < parts; ++i) sums[0][v] += sums[i][v];
        if constexpr (Numbers::is_scaled) {
          if (sums_of_x) {
            const V zero = weights.zeros ? load<V>(weights.zeros + place + v * lanes) : V{};
            sums[0][v] -= (zero + Numbers::offset) * sums_of_x[row * groups + g];
          }
          total[v] += sums[0][v] * load<V>(weights.scales + place + v * lanes);
        } else {
          total[v] = sums[0][v];
        }
      }
    }
    if constexpr (Numbers::has_odd && !is_careful) {
      if (Numbers::template is_any<V>(odd)) return panel<V, true>(p, row);
    }
    float room[panel_width];
    std::memcpy(room, total, sizeof room);
    const int64_t column = p * panel_width;
    store_sums(results, row * results.row + column, std::min(columns - column, panel_width), room,
               results.bias ? results.bias + column : nullptr);
  }
};

// What weights are multiplied with: the numbers of rows, some of them made smaller, and their sums.
template <class Numbers>
struct Factors {
  const float* x;
  int64_t total, group;
  float *to, *sums;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    for (int64_t g = 0, k = 0; k < total; ++g) {
      Floats<16> sum = {};
      int64_t rest = group;
      for (; rest >= 4; rest -= 4, k += 4) {
        const Floats<16> four = load<Floats<16>>(x + k);
        sum += four;
        if constexpr (Numbers::factors == 4) store(to + k, four * Floats<16>{1, 1.0f / 16, 1.0f / 256, 1.0f / 4096});
      }
      for (; rest > 0; --rest, ++k) sum[0] += x[k];
      sums[g] = sum[0] + sum[1] + (sum[2] + sum[3]);
    }
  }
};

// Calls sum(first, last) for panels, on all threads, and applies the activation.
template <class Sum>
void share_panels(int64_t rows, int64_t columns, const Weights& weights, const Results& results, const Sum& sum) {
  const int64_t least = 40000 / (rows * weights.depth * panel_width + 1) + 1;
  parallel(panel_count(columns), least, [&](int64_t first, int64_t last) {
    sum(first, last);
    const int64_t column = first * panel_width, width = std::min(last * panel_width, columns) - column;
    activate(results.activation.kind, results.out + column, rows, width, results.row);
  });
}

template <class Numbers>
bool multiply_few(Context& cx, int64_t rows, int64_t columns, const float* x, const Weights& weights,
                  const Results& results) {
  float* sums = nullptr;
  if constexpr (Numbers::is_scaled) {
    if (Numbers::offset != 0 || weights.zeros) {
      const int64_t total = rows * weights.depth, groups = total / weights.group;
      const int64_t room = groups + (Numbers::factors == 1 ? 0 : total);
      sums = static_cast<float*>(cx.temporary(static_cast<size_t>(room) * sizeof(float), 64));
      if (!sums) return false;
      run_tuned(Factors<Numbers>{x, total, weights.group, sums + groups, sums});
      // Of an infinite number, only what belongs to it may be infinite.
      if (!std::all_of(sums, sums + groups, [](float sum) { return std::isfinite(sum); })) {
        return multiply_many<Numbers>(rows, columns, x, weights, results), true;
      }
      if (Numbers::factors != 1) x = sums + groups;
    }
  }
  share_panels(rows, columns, weights, results, [&](int64_t first, int64_t last) {
    run_tuned(FewRows<Numbers>{weights, rows, x, sums, first, last, columns, results});
  });
  return true;
}

// --- many rows -----------------------------------------------------------------------------------------------------

// Rows [first, last) of a panel as floats.
template <class Numbers>
struct Widen {
  const Weights& weights;
  int64_t panel, first, last;
  float* to;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    using V = Floats<bytes>;
    constexpr int64_t lanes = bytes / 4, rows = Numbers::rows;
    constexpr int per = static_cast<int>(panel_width / lanes);
    const auto* at = static_cast<const typename Numbers::Stored*>(weights.panels) +
                     (panel * weights.depth + first) / rows * panel_width;
    float* into = to;
    for (int64_t k = first; k < last;) {
      int64_t end = last;
      [[maybe_unused]] V zero[per], scale[per];
      if constexpr (Numbers::is_scaled) {
        const int64_t g = k / weights.group;
        const int64_t place = (panel * (weights.depth / weights.group) + g) * panel_width;
        end = std::min(last, (g + 1) * weights.group);
        TENON_UNROLL
        for (int v = 0; v < per; ++v) {
          scale[v] = load<V>(weights.scales + place + v * lanes);
          zero[v] = (weights.zeros ? load<V>(weights.zeros + place + v * lanes) : V{}) + Numbers::offset;
        }
      }
      for (; k < end; k += rows, at += panel_width) {
        TENON_UNROLL
        for (int i = 0; i < rows; ++i, into += panel_width) {
          V numbers[per];
          Numbers::row(at, i, numbers);
          TENON_UNROLL
          for (int v = 0; v < per; ++v) {
            if constexpr (Numbers::is_scaled) numbers[v] = (numbers[v] - zero[v]) * scale[v];
            store(into + v * lanes, numbers[v]);
          }
        }
      }
    }
  }
};

template <class Numbers>
void multiply_many(int64_t rows, int64_t columns, const float* left, const Weights& weights, const Results& results) {
  constexpr int64_t most = 256, together = 2;  // two panels of so many rows stay in the first cache
  constexpr float infinite = std::numeric_limits<float>::infinity();
  const int64_t depth = weights.depth, count = panel_count(columns);
  const int64_t least = 40000 / (rows * depth * together * panel_width + 1) + 1;
  parallel((count + together - 1) / together, least, [&](int64_t first, int64_t last) {
    alignas(64) float wide[together * most * panel_width];
    for (int64_t p = first * together; p < std::min(last * together, count); p += together) {
      const int64_t panels = std::min(together, count - p), column = p * panel_width;
      Results part{results.out + column, results.row, results.bias ? results.bias + column : nullptr,
                   results.other ? results.other + column : nullptr, {-infinite, infinite}};
      for (int64_t k = 0; k == 0 || k < depth; k += most) {
        const int64_t end = std::min(k + most, depth);
        for (int64_t i = 0; i < panels; ++i) {
          run_tuned(Widen<Numbers>{weights, p + i, k, end, wide + i * (end - k) * panel_width});
        }
        if (end == depth) part.activation = results.activation;
        const Left some{left + k, depth, end - k, 1, nullptr, nullptr};
        multiply_some(0, rows, 0, panels, columns - column, some, wide, part);
        part.bias = nullptr, part.other = part.out;
      }
    }
  });
}

}  // namespace narrow

// out = activation(left weights + bias + other), on all threads; false, with words, where there is no temporary memory.
template <class Numbers>
bool multiply_narrow(Context& cx, int64_t rows, int64_t columns, const float* left, const Weights& weights,
                     const Results& results) {
  if (rows <= narrow::few) return narrow::multiply_few<Numbers>(cx, rows, columns, left, weights, results);
  narrow::multiply_many<Numbers>(rows, columns, left, weights, results);
  return true;
}

// Calls multiply(rows, left, results) with floats: at once where the tensors are float32, else with some rows at a time
// that become floats before, and numbers of 16 bits behind.
template <class Multiply>
void by_rows(Context& cx, const Packed& packed, int64_t depth, Tensor& out, Results results, const Multiply& multiply) {
  const int64_t columns = results.row, rows = out.numel() / columns, height = std::min<int64_t>(rows, 384);
  const bool widens_bias = packed.bias && packed.bias->scalar_type() != ScalarType::Float;
  if (packed.type == ScalarType::Float) return multiply(rows, packed.input.const_data_ptr<float>(), results);
  const int64_t room = height * (depth + columns) + (widens_bias ? columns : 0);
  float* const left = static_cast<float*>(cx.temporary(static_cast<size_t>(room) * sizeof(float), 64));
  if (!left) return;
  results.out = left + height * depth;
  float* const bias = results.out + height * columns;
  if (widens_bias) results.bias = read(*packed.bias, 0, 1, columns, bias);
  if (packed.other) results.other = results.out;
  for (int64_t row = 0; row < rows; row += height) {
    const int64_t count = std::min(height, rows - row);
    const float* x = read(packed.input, row * depth, 1, count * depth, left);
    if (packed.other) read(*packed.other, row * columns, 1, count * columns, results.out);
    multiply(count, x, results);
    write(out, row * columns, 1, count * columns, results.out);
  }
}

}  // namespace tenon::native
