// The packed product: tiles of results in registers.
#include "product.h"

#include <algorithm>
#include <limits>

#include <tenon/threads.h>

#include "smooth.h"

namespace tenon::native {

namespace {

// As many rows as leave registers for a row of a panel: 16 registers of 16 or 32 bytes, 32 of 64.
#if defined(__aarch64__)
template <int bytes>
inline constexpr int most_rows = 6;
#else
template <int bytes>
inline constexpr int most_rows = bytes == 16 ? 2 : 6;
#endif
// Of 64 bytes there are registers for twice as many, which read weights half as often. But the innermost cache holds no
// more than 8 rows that are so many numbers apart.
constexpr int64_t high_tile = 12, apart = 1024;
constexpr int64_t block_room = 6 * most_taps;  // pointers to rows, on the stack
constexpr int64_t far_weights = 4 << 20;     // are more than a cache holds
constexpr int64_t block_bytes = 512 * 1024;  // of rows, which stay in the second cache while all panels pass

// What is needed next, fetched into the second cache bit by bit while sums are computed.
struct Ahead {
  const float *at = nullptr, *end = nullptr;
  ET_INLINE void fetch() {
    if (at >= end) return;
    __builtin_prefetch(at, 0, 2);
    at += 64 / sizeof(float);
  }
};

struct Block {
  int64_t rows, columns;  // columns: from the first of the panels here on
  int64_t depth, taps;
  const float* const* left;  // [tap][row]
  const float* panels;
  int64_t panel_step;
  int64_t panel_total;
  bool has_few_rows;
  bool is_far;  // one row, and weights that come from memory
  Results results;

  // Sums of a single row would wait for each other: it has several of each.
  static constexpr int parts_of(int height, int vectors) {
    return height * vectors >= 8 ? 1 : height * vectors >= 4 ? 2 : 4;
  }

  // How a sum is put together is part of its result, and how high a tile is depends on the threads that share the rows.
  // So it is as in the highest tile, unless rows are too few to be shared.
  template <class V, int height, int vectors>
  ET_INLINE void tile(int64_t first, const float* panel, int64_t column, const float* bias, Ahead& ahead) const {
    constexpr int few = parts_of(height, vectors), many = parts_of(most_rows<static_cast<int>(sizeof(V))>, vectors);
    if constexpr (few != many) {
      if (has_few_rows) return sum<V, height, vectors, few>(first, panel, column, bias, ahead);
    }
    sum<V, height, vectors, many>(first, panel, column, bias, ahead);
  }

  // `height` rows of `vectors` vectors, of which a panel has `per`.
  template <class V, int height, int vectors, int parts>
  ET_INLINE void sum(int64_t first, const float* panel, int64_t column, const float* bias, Ahead& ahead) const {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    constexpr int per = static_cast<int>(panel_width / lanes);
    V sums[parts][height][vectors];
    TENON_UNROLL
    for (int v = 0; v < vectors; ++v) {
      const V start = load<V>(bias + v * lanes);
      TENON_UNROLL
      for (int r = 0; r < height; ++r) sums[0][r][v] = start;
    }
    TENON_UNROLL
    for (int p = 1; p < parts; ++p) {
      TENON_UNROLL
      for (int r = 0; r < height; ++r) {
        TENON_UNROLL
        for (int v = 0; v < vectors; ++v) sums[p][r][v] = V{};
      }
    }
    const auto step = [&](int part, const float* const (&from)[height], int64_t k, const float* b) ET_INLINE_ATTRIBUTE {
      V row[vectors];
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) row[v] = load<V>(b + v / per * panel_step + v % per * lanes);
      TENON_UNROLL
      for (int r = 0; r < height; ++r) {
        const V factor = from[r][k] - V{};
        TENON_UNROLL
        for (int v = 0; v < vectors; ++v) sums[part][r][v] += factor * row[v];
      }
    };
    const float* b = panel;
    for (int64_t t = 0; t < taps; ++t) {
      const float* from[height];
      TENON_UNROLL
      for (int r = 0; r < height; ++r) from[r] = left[t * rows + first + r];
      int64_t k = 0;
      if constexpr (parts > 1) {
        for (; k + parts <= depth; k += parts) {
          TENON_UNROLL
          for (int p = 0; p < parts; ++p) step(p, from, k + p, b + p * panel_width);
          b += parts * panel_width;
        }
      }
      if constexpr (parts == 1 && height > 3) {
        constexpr int run = height > 6 ? 2 : 4;
        for (; k + run <= depth; k += run, b += run * panel_width) {
          ahead.fetch();
          TENON_UNROLL
          for (int i = 0; i < run; ++i) step(0, from, k + i, b + i * panel_width);
        }
      }
      for (; k < depth; ++k, b += panel_width) step(0, from, k, b);
    }
    TENON_UNROLL
    for (int p = 1; p < parts; ++p) {
      TENON_UNROLL
      for (int r = 0; r < height; ++r) {
        TENON_UNROLL
        for (int v = 0; v < vectors; ++v) sums[0][r][v] += sums[p][r][v];
      }
    }
    if (columns - column < vectors * lanes) {
      float room[height * vectors * lanes];
      std::memcpy(room, sums[0], sizeof room);
      return store_some(first, height, column, room, vectors * lanes);
    }
    const V low = results.activation.low - V{}, high = results.activation.high - V{};
    float* const out = results.out + first * results.row + column;
    const float* const other = results.other + first * results.row + column;
    TENON_UNROLL
    for (int r = 0; r < height; ++r) {
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) {
        V sum = sums[0][r][v];
        if (results.other) sum += load<V>(other + r * results.row + v * lanes);
        sum = sum < low ? low : sum;
        sum = sum > high ? high : sum;
        store<V>(out + r * results.row + v * lanes, sum);
      }
    }
  }

  // The same for columns that are no whole panel.
  __attribute__((noinline)) void store_some(int64_t first, int height, int64_t column, const float* sums,
                                            int64_t step) const {
    for (int r = 0; r < height; ++r, sums += step) {
      store_sums(results, (first + r) * results.row + column, columns - column, sums, nullptr);
    }
  }

  template <class V, int vectors, bool is_row = false>
  ET_INLINE void strip(int64_t p) const {
    constexpr int most = most_rows<static_cast<int>(sizeof(V))>;
    constexpr int64_t wide = vectors * static_cast<int64_t>(sizeof(V) / sizeof(float));
    const float* from = panels + p * panel_step;
    const int64_t column = p * panel_width, width = std::min(columns - column, wide);
    float room[wide] = {};
    const float* bias = results.bias ? results.bias + column : room;
    if (results.bias && width < wide) bias = std::copy_n(bias, width, room) - width;
    Ahead ahead;
    int64_t first = 0;
    if constexpr (is_row) {
      for (; first < rows; ++first) sum<V, 1, vectors, 1>(first, from, column, bias, ahead);
    } else {
      if (rows > 3 * most) {
        ahead.at = from + wide / panel_width * panel_step;
        ahead.end = ahead.at + std::min(panels + panel_total * panel_step - ahead.at, ahead.at - from);
      }
      if constexpr (sizeof(V) == 64) {
        // Unless it leaves so few rows that their sums would wait for each other.
        while (depth % apart && (rows - first == high_tile || rows - first > high_tile + 3)) {
          tile<V, high_tile, vectors>(first, from, column, bias, ahead);
          first += high_tile;
        }
      }
      // Tiles of nearly one height: 8 rows are 4 and 4, not 6 and 2.
      for (int64_t tiles = (rows - first + most - 1) / most; tiles; --tiles) {
        const int64_t height = (rows - first) / tiles;
        switch (height) {
          case 1: tile<V, 1, vectors>(first, from, column, bias, ahead); break;
          case 2: tile<V, 2, vectors>(first, from, column, bias, ahead); break;
          case 3: tile<V, most < 4 ? 1 : 3, vectors>(first, from, column, bias, ahead); break;
          case 4: tile<V, most < 4 ? 1 : 4, vectors>(first, from, column, bias, ahead); break;
          case 5: tile<V, most < 4 ? 1 : 5, vectors>(first, from, column, bias, ahead); break;
          default: tile<V, most < 4 ? 1 : 6, vectors>(first, from, column, bias, ahead); break;
        }
        first += height;
      }
    }
    if (results.activation.kind != Activation::Kind::none) {
      activate(results.activation.kind, results.out + column, rows, width, results.row);
    }
  }

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    constexpr int per = static_cast<int>(panel_width * 4 / bytes);
    constexpr int half = bytes == 16 ? 16 : 32;
    // Memory is read faster in several places at a time. How a sum is put together does not depend on how many.
    constexpr int streams = bytes == 64 ? 8 : 3;
    int64_t p = 0;
    if constexpr (bytes > 16) {
      for (; is_far && p + streams <= panel_total && columns >= (p + streams) * panel_width; p += streams) {
        strip<Floats<bytes>, streams * per, true>(p);
      }
      for (; is_far && p < panel_total; ++p) strip<Floats<bytes>, per, true>(p);
    }
    while (p < panel_total) {
      const int64_t left = columns - p * panel_width;
      if (bytes == 64 && left > panel_width + panel_width / 2 && p + 2 <= panel_total) {
        strip<Floats<bytes>, 2 * per>(p);  // a panel is one vector wide: two at a time
        p += 2;
      } else if (left <= panel_width / 2) {
        strip<Floats<half>, panel_width * 2 / half>(p++);  // half a panel is all there is
      } else {
        strip<Floats<bytes>, per>(p++);
      }
    }
  }
};

void multiply_rows(int64_t first_row, int64_t last_row, int64_t first, int64_t last, int64_t columns, const Left& left,
                   const float* panels, const Results& results, bool has_few_rows) {
  const float* pointers[block_room];
  const int64_t total = left.depth * left.taps;
  int64_t height = std::min(block_room / left.taps, block_bytes / (4 * std::max<int64_t>(total, 1)));
  height = std::max<int64_t>(height / 6 * 6, 6);
  const int64_t blocks = (last_row - first_row + height - 1) / height;  // of nearly one height
  if (blocks > 1) height = ((last_row - first_row + blocks - 1) / blocks + 5) / 6 * 6;
  Block block;
  block.depth = left.depth, block.taps = left.taps, block.left = pointers;
  block.panel_step = total * panel_width;
  block.panels = panels + first * block.panel_step, block.panel_total = last - first;
  block.columns = columns - first * panel_width, block.has_few_rows = has_few_rows;
  block.is_far = last_row == 1 && total * columns > far_weights;
  for (int64_t row = first_row; row < last_row; row += height) {
    block.rows = std::min(height, last_row - row);
    if (left.find) {
      left.find(left.geometry, left.start + row, block.rows, pointers);
    } else {
      for (int64_t i = 0; i < block.rows; ++i) pointers[i] = left.base + (left.start + row + i) * left.row;
    }
    block.results = results;
    const int64_t offset = row * results.row + first * panel_width;
    block.results.out += offset;
    if (results.other) block.results.other += offset;
    if (results.bias) block.results.bias += first * panel_width;
    run_tuned(block);
  }
}

}  // namespace

void store_sums(const Results& results, int64_t offset, int64_t count, const float* sums, const float* bias) {
  const Activation& limits = results.activation;
  const auto some = [&](auto size, int64_t j) {
    using V = Floats<decltype(size)::value>;
    V sum = load<V>(sums + j);
    if (bias) sum += load<V>(bias + j);
    if (results.other) sum += load<V>(results.other + offset + j);
    sum = sum < limits.low ? V{} + limits.low : sum;
    store<V>(results.out + offset + j, sum > limits.high ? V{} + limits.high : sum);
  };
  int64_t j = 0;  // none twice, as what is added may lie where the results do
  for (; j + 4 <= count; j += 4) some(Bytes<16>(), j);
  for (; j < count; ++j) some(Bytes<4>(), j);
}

void multiply_some(int64_t first_row, int64_t last_row, int64_t first, int64_t last, int64_t columns, const Left& left,
                   const float* panels, const Results& results) {
  multiply_rows(first_row, last_row, first, last, columns, left, panels, results, false);
}

void multiply_panels(int64_t rows, int64_t columns, const Left& left, const float* panels, const Results& results) {
  const int64_t count = panel_count(columns), work = left.depth * left.taps;
  constexpr int64_t tile = 6, least_shared = 2 * tile;
  // A thread is worth its start from some ten thousand products on.
  if (rows >= least_shared * thread_count()) {
    const int64_t tiles = (rows + tile - 1) / tile;
    parallel(tiles, std::max<int64_t>(1, 40000 / (tile * work * columns + 1)), [&](int64_t first, int64_t last) {
      multiply_some(first * tile, std::min(last * tile, rows), 0, count, columns, left, panels, results);
    });
    return;
  }
  parallel((count + 1) / 2, std::max<int64_t>(1, 40000 / (rows * work * 2 * panel_width + 1)),
           [&](int64_t first, int64_t last) {
             multiply_rows(0, rows, first * 2, std::min(last * 2, count), columns, left, panels, results,
                           rows < least_shared);
           });
}

// --- activations ---------------------------------------------------------------------------------------------------

namespace {

template <class F>
struct Activate {
  F f;
  float* at;
  int64_t rows, columns, step;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    // Columns by panels, a number that compilers know: so what is the same for all rows is made once.
    int64_t j = 0;
    for (; j + panel_width <= columns; j += panel_width) {
      for (int64_t r = 0; r < rows; ++r) {
        float* const from = at + r * step + j;
        for (int64_t l = 0; l < panel_width; ++l) from[l] = f(from[l]);
      }
    }
    if (j == columns) return;
    for (int64_t r = 0; r < rows; ++r) {
      float* const from = at + r * step;
      for (int64_t l = j; l < columns; ++l) from[l] = f(from[l]);
    }
  }
};

}  // namespace

void activate(Activation::Kind kind, float* at, int64_t rows, int64_t columns, int64_t step) {
  const auto each = [&](auto f) { run_tuned(Activate<decltype(f)>{f, at, rows, columns, step}); };
  using Kind = Activation::Kind;
  const auto limited = [](float x) ET_INLINE_ATTRIBUTE {
    const float above = x < 0.0f ? 0.0f : x;  // in two steps, an instruction each
    return above > 6.0f ? 6.0f : above;
  };
  switch (kind) {
    case Kind::none: return;
    case Kind::hardswish: return each([=](float x) ET_INLINE_ATTRIBUTE { return x * limited(x + 3.0f) * (1.0f / 6); });
    case Kind::hardsigmoid: return each([=](float x) ET_INLINE_ATTRIBUTE { return limited(x + 3.0f) * (1.0f / 6); });
    case Kind::silu: return each([](float x) ET_INLINE_ATTRIBUTE { return x * sigmoid(x); });
    case Kind::sigmoid: return each([](float x) ET_INLINE_ATTRIBUTE { return sigmoid(x); });
    case Kind::tanh: return each([](float x) ET_INLINE_ATTRIBUTE { return hyperbolic_tangent(x); });
    case Kind::gelu: return each([](float x) ET_INLINE_ATTRIBUTE { return gelu(x); });
    case Kind::gelu_tanh:
      return each([](float x) ET_INLINE_ATTRIBUTE {
        return x * sigmoid(2 * 0.79788456f * x * (1.0f + 0.044715f * x * x));
      });
  }
}

bool find_activation(Context& cx, std::string_view name, double low, double high, Activation& found) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  found = {-infinite, infinite};
  if (name == "none") return true;
  if (name == "relu") return found.low = 0, true;
  if (name == "clamp") return found = {static_cast<float>(low), static_cast<float>(high)}, true;
  constexpr std::string_view names[] = {"none", "hardswish", "hardsigmoid", "silu", "gelu", "gelu_tanh", "sigmoid", "tanh"};
  for (size_t i = 1; i < std::size(names); ++i) {
    if (names[i] == name) return found.kind = static_cast<Activation::Kind>(i), true;
  }
  cx.fail(Error::InvalidArgument, "there is no activation %.*s", static_cast<int>(name.size()), name.data());
  return false;
}

}  // namespace tenon::native
