// Convolutions of images with kernels of 3x3 points, by Winograd's algorithm: 4x4 results from 36 products instead of 144.
//
// Tiles of 6x6 points of the input, and the weights ahead of time, are taken to a space in which the convolution is a
// product for each of 36 places; tiles of 4x4 results come back from there.
#include <tenon/threads.h>

#include "../generated/kernels.h"
#include "packed.h"

namespace tenon::native {

namespace {

constexpr int seen = 6, made = 4, places = seen * seen;

struct Winograd : Images {
  const float *input, *weights, *zeros;
  Results results;
  int64_t outputs, tiles_down, tiles_across;

  int64_t tile_count() const { return images * tiles_down * tiles_across; }

  struct Tile {
    int64_t image, y, x;  // of its first result
  };
  Tile tile(int64_t number) const {
    const int64_t across = number % tiles_across, down = number / tiles_across;
    return {down / tiles_down, down % tiles_down * made, across * made};
  }

  // --- there and back, for the channels of one vector

  template <class V>
  static ET_INLINE void forward(const V (&d)[seen], V (&to)[seen]) {
    const V a = d[4] - 4.0f * d[2], b = d[3] - 4.0f * d[1], e = d[4] - d[2], f = 2.0f * (d[3] - d[1]);
    to[0] = 4.0f * d[0] - 5.0f * d[2] + d[4];
    to[1] = a + b, to[2] = a - b, to[3] = e + f, to[4] = e - f;
    to[5] = 4.0f * d[1] - 5.0f * d[3] + d[5];
  }
  template <class V>
  static ET_INLINE void back(const V (&m)[seen], V (&to)[made]) {
    const V a = m[1] + m[2], b = m[1] - m[2], e = m[3] + m[4], f = m[3] - m[4];
    to[0] = m[0] + a + e, to[1] = b + 2.0f * f, to[2] = a + 4.0f * e, to[3] = b + 8.0f * f + m[5];
  }

  template <class V>
  ET_INLINE void take(const float* const (&from)[places], int64_t c, float* to, int64_t step) const {
    V half[seen][seen];
    TENON_UNROLL
    for (int j = 0; j < seen; ++j) {
      V column[seen], turned[seen];
      TENON_UNROLL
      for (int i = 0; i < seen; ++i) column[i] = load<V>(from[i * seen + j] + c);
      forward(column, turned);
      TENON_UNROLL
      for (int i = 0; i < seen; ++i) half[i][j] = turned[i];
    }
    TENON_UNROLL
    for (int i = 0; i < seen; ++i) {
      V turned[seen];
      forward(half[i], turned);
      TENON_UNROLL
      for (int j = 0; j < seen; ++j) store<V>(to + (i * seen + j) * step + c, turned[j]);
    }
  }

  template <class V>
  ET_INLINE void give(const float* from, int64_t step, const Tile& at, int64_t c) const {
    V half[made][seen];
    TENON_UNROLL
    for (int j = 0; j < seen; ++j) {
      V column[seen], turned[made];
      TENON_UNROLL
      for (int i = 0; i < seen; ++i) column[i] = load<V>(from + (i * seen + j) * step + c);
      back(column, turned);
      TENON_UNROLL
      for (int i = 0; i < made; ++i) half[i][j] = turned[i];
    }
    const V bias = results.bias ? load<V>(results.bias + c) : V{};
    const V low = results.activation.low - V{}, high = results.activation.high - V{};
    TENON_UNROLL
    for (int i = 0; i < made; ++i) {
      if (at.y + i >= out[0]) break;
      V turned[made];
      back(half[i], turned);
      const int64_t line = ((at.image * out[0] + at.y + i) * out[1] + at.x) * results.row + c;
      TENON_UNROLL
      for (int j = 0; j < made; ++j) {
        if (at.x + j >= out[1]) break;
        const int64_t place = line + j * results.row;
        V sum = turned[j] + bias;
        if (results.other) sum += load<V>(results.other + place);
        sum = sum < low ? low : sum;
        sum = sum > high ? high : sum;
        store<V>(results.out + place, sum);
      }
    }
  }
};

// Tiles [first, last) of a block, to [place][tile][channel].
struct TakeTiles {
  const Winograd& g;
  int64_t start, first, last;
  float* to;
  int64_t step;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    for (int64_t t = first; t < last; ++t) {
      const Winograd::Tile at = g.tile(start + t);
      const float* from[places];
      for (int i = 0; i < seen; ++i) {
        const int64_t y = at.y + i - g.padding[0];
        for (int j = 0; j < seen; ++j) {
          const int64_t x = at.x + j - g.padding[1];
          const bool is_inside = y >= 0 && y < g.in[0] && x >= 0 && x < g.in[1];
          from[i * seen + j] = is_inside ? g.input + ((at.image * g.in[0] + y) * g.in[1] + x) * g.channels : g.zeros;
        }
      }
      each_vector<bytes>(g.channels, [&](auto size, int64_t c) ET_INLINE_ATTRIBUTE {
        g.take<Floats<decltype(size)::value>>(from, c, to + t * g.channels, step);
      });
    }
  }
};

struct GiveTiles {
  const Winograd& g;
  int64_t start, first, last;
  const float* from;
  int64_t step;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    for (int64_t t = first; t < last; ++t) {
      const Winograd::Tile at = g.tile(start + t);
      each_vector<bytes>(g.outputs, [&](auto size, int64_t c) ET_INLINE_ATTRIBUTE {
        g.give<Floats<decltype(size)::value>>(from + t * g.outputs, step, at, c);
      });
    }
  }
};

constexpr int64_t least_tiles = 24;                  // so that weights are not read for too few
constexpr int64_t block_floats = 3 * 128 * 1024;     // of a block of tiles, for the second cache

int64_t block_tiles(const Winograd& g) {
  return std::max(block_floats / (places * (g.channels + g.outputs)), least_tiles);
}

// Tiles [first, last), block after block, by this thread alone or by all.
void convolve_tiles(const Winograd& g, int64_t first, int64_t last, float* room, bool is_shared) {
  const int64_t most = block_tiles(g);
  const auto each = [&](int64_t count, const auto& body) { is_shared ? parallel(count, 1, body) : body(int64_t{0}, count); };
  for (int64_t start = first; start < last; start += most) {
    const int64_t tiles = std::min(most, last - start), step = tiles * g.channels, out_step = tiles * g.outputs;
    float* const products = room + places * most * g.channels;
    each(tiles, [&](int64_t from, int64_t to) { run_tuned(TakeTiles{g, start, from, to, room, step}); });
    each(places, [&](int64_t from, int64_t to) {
      constexpr float infinite = std::numeric_limits<float>::infinity();
      const int64_t panels = panel_count(g.outputs);
      for (int64_t p = from; p < to; ++p) {
        const Left left{room + p * step, g.channels, g.channels, 1, nullptr, nullptr};
        const Results sums{products + p * out_step, g.outputs, nullptr, nullptr, {-infinite, infinite}};
        multiply_some(0, tiles, 0, panels, g.outputs, left, g.weights + p * panels * g.channels * panel_width, sums);
      }
    });
    each(tiles, [&](int64_t from, int64_t to) { run_tuned(GiveTiles{g, start, from, to, products, out_step}); });
  }
}

}  // namespace

Tensor& convolution_winograd_out(Context& cx, const Tensor& input, const Tensor& weight, const Maybe<Tensor>& bias,
                                 const Maybe<Tensor>& other, int64_t outputs, Ints padding, std::string_view activation,
                                 double low, double high, Tensor& out) {
  constexpr int64_t three[] = {3, 3}, one[] = {1, 1};
  Winograd g;
  SizesType sizes[4];
  if (!g.plan(cx, input, outputs, three, one, padding, one, sizes)) return out;
  const Packed packed{input, weight, bias, other, activation, low, high};
  const int64_t panels[] = {places, panel_count(outputs), g.channels, panel_width};
  if (!packed.plan(cx, panels, outputs, sizes, true, out, g.results, false, true) || out.numel() == 0) return out;
  g.input = input.const_data_ptr<float>(), g.weights = weight.const_data_ptr<float>(), g.outputs = outputs;
  g.tiles_down = (g.out[0] + made - 1) / made, g.tiles_across = (g.out[1] + made - 1) / made;

  const int64_t tiles = g.tile_count(), threads = thread_count();
  const bool is_shared = tiles < threads * least_tiles;
  const int64_t parts = is_shared ? 1 : threads;
  const int64_t room = places * block_tiles(g) * (g.channels + outputs);
  float* zeros = static_cast<float*>(cx.temporary(static_cast<size_t>(g.channels + parts * room) * sizeof(float), 64));
  if (!zeros) return out;
  std::fill_n(zeros, g.channels, 0.0f);
  g.zeros = zeros;
  parallel(parts, 1, [&](int64_t first, int64_t last) {
    for (int64_t p = first; p < last; ++p) {
      convolve_tiles(g, tiles * p / parts, tiles * (p + 1) / parts, zeros + g.channels + p * room, is_shared);
    }
  });
  if (g.results.activation.kind != Activation::Kind::none) {
    parallel(g.points(), 64, [&](int64_t first, int64_t last) {
      activate(g.results.activation.kind, g.results.out + first * g.results.row, last - first, outputs, g.results.row);
    });
  }
  return out;
}

}  // namespace tenon::native
