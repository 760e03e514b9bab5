// Convolutions of images where each channel is by itself. Vectors go over channels, which lie together.
#include "depthwise.h"

#include <tenon/threads.h>

#include "../generated/kernels.h"

namespace tenon::native {

namespace {

struct DepthwiseRows : Depthwise {
  int64_t first_row, last_row;

  template <class V>
  struct Limits {
    V low, high;
  };
  template <class V>
  ET_INLINE Limits<V> limits() const {
    return {results.activation.low - V{}, results.activation.high - V{}};
  }

  template <class V>
  ET_INLINE void finish(int64_t place, const V& found, const Limits<V>& limits) const {
    V sum = found;
    if (results.other) sum += load<V>(results.other + place);
    sum = sum < limits.low ? limits.low : sum;
    sum = sum > limits.high ? limits.high : sum;
    store<V>(results.out + place, sum);
  }

  template <class V>
  ET_INLINE V start(int64_t c) const {
    return results.bias ? load<V>(results.bias + c) : V{};
  }

  // The row of an image that a tap sees.
  const float* seen_row(const float* image, int64_t y, int64_t tap) const {
    return image + source(0, y, tap) % held * in[1] * channels;
  }

  // One point, any taps.
  template <class V>
  ET_INLINE void point(const float* image, int64_t line, int64_t y, int64_t x, Taps v, int64_t c) const {
    const Taps u = inside(1, x);
    V sum = start<V>(c);
    for (int64_t i = v.first; i < v.last; ++i) {
      const float* row = seen_row(image, y, i) + c;
      for (int64_t j = u.first; j < u.last; ++j) {
        sum += load<V>(row + source(1, x, j) * channels) * load<V>(weights + (i * kernel[1] + j) * channels + c);
      }
    }
    finish<V>((line + x) * channels + c, sum, limits<V>());
  }

  // Four neighbouring points; what they share of a row is read once. At a border each place has a pointer, to zeros if
  // it is outside.
  static constexpr int count = 4;
  template <class V, int width, int step, bool at_border>
  ET_INLINE void points(const float* const* rows, const float* const* places, int64_t left, int64_t to, int64_t c,
                        const Limits<V>& limits) const {
    constexpr int reach = (count - 1) * step + width;
    V sums[count];
    TENON_UNROLL
    for (int p = 0; p < count; ++p) sums[p] = start<V>(c);
    TENON_UNROLL
    for (int i = 0; i < width; ++i) {
      // Three pointers are fastest. Five are too many: rows that are not evenly spaced count as a border.
      const float* from = width == 3 ? rows[at_border ? 0 : i] : rows[0] + i * dilation[0] * in[1] * channels;
      const float* row = from + left + c;
      V seen[reach];
      TENON_UNROLL
      for (int j = 0; j < reach; ++j) seen[j] = load<V>(at_border ? places[i * reach + j] + c : row + j * channels);
      if constexpr (step == 1 && width == 3) {
        TENON_UNROLL
        for (int j = 0; j < reach; ++j) hold(seen[j]);
      }
      TENON_UNROLL
      for (int j = 0; j < width; ++j) {
        const V factor = load<V>(weights + (i * width + j) * channels + c);
        TENON_UNROLL
        for (int p = 0; p < count; ++p) sums[p] += factor * seen[p * step + j];
      }
    }
    TENON_UNROLL
    for (int p = 0; p < count; ++p) finish<V>(to + p * channels + c, sums[p], limits);
  }

  // A row of the result: all channels of four points, then of the next. The last four may be some points once more.
  template <int bytes, int width, int step>
  ET_INLINE void row(const float* image, int64_t line, int64_t y) const {
    constexpr int reach = (count - 1) * step + width;
    const float *rows[width], *places[most_taps];
    using V = Floats<bytes>;
    const Limits<V> limits = this->limits<V>();
    const Taps v = inside(0, y);
    rows[0] = zeros;
    for (int64_t i = v.first; i < v.last; ++i) rows[i] = seen_row(image, y, i);
    bool is_inside = v.first == 0 && v.last == kernel[0];
    if (width != 3 && is_inside) is_inside = rows[width - 1] == rows[0] + (width - 1) * dilation[0] * in[1] * channels;
    for (int64_t next = 0; next < out[1]; next += count) {
      const int64_t x = std::min(next, out[1] - count), left = source(1, x, 0), to = (line + x) * channels;
      const bool at_border = !is_inside || left < 0 || left + reach > in[1];
      for (int64_t i = 0; at_border && i < kernel[0]; ++i) {
        for (int64_t j = 0; j < reach; ++j) {
          const bool is_there = i >= v.first && i < v.last && left + j >= 0 && left + j < in[1];
          places[i * reach + j] = is_there ? rows[i] + (left + j) * channels : zeros;
        }
      }
      // The last vector takes some channels once more.
      constexpr int64_t lanes = bytes / 4;
      const int64_t last = channels - lanes, first = left * channels;
      if (at_border) {
        for (int64_t c = 0; c < channels; c += lanes) {
          points<V, width, step, true>(rows, places, 0, to, std::min(c, last), limits);
        }
      } else {
        for (int64_t c = 0; c < channels; c += lanes) {
          points<V, width, step, false>(rows, places, first, to, std::min(c, last), limits);
        }
      }
    }
  }

  template <int bytes>
  ET_INLINE void row(const float* image, int64_t line, int64_t y) const {
    const bool is_known =
        dilation[1] == 1 && stride[1] <= 2 && kernel[0] == kernel[1] && out[1] >= count && channels >= bytes / 4;
    const bool is_dense = stride[1] == 1;
    if (is_known && kernel[1] == 3) return is_dense ? row<bytes, 3, 1>(image, line, y) : row<bytes, 3, 2>(image, line, y);
    if (is_known && kernel[1] == 5) return is_dense ? row<bytes, 5, 1>(image, line, y) : row<bytes, 5, 2>(image, line, y);
    const Taps v = inside(0, y);
    for (int64_t x = 0; x < out[1]; ++x) {
      each_vector<bytes>(channels, [&](auto size, int64_t c) ET_INLINE_ATTRIBUTE {
        point<Floats<decltype(size)::value>>(image, line, y, x, v, c);
      });
    }
  }

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    const int64_t numbers = out[1] * channels;
    for (int64_t i = first_row; i < last_row; ++i) {
      row<bytes>(input + i / out[0] * held * in[1] * channels, i * out[1], i % out[0]);
      if (results.activation.kind == Activation::Kind::none) continue;
      activate(results.activation.kind, results.out + i * numbers, 1, numbers, numbers);
    }
  }
};

}  // namespace

void convolve_depthwise(const Depthwise& g, int64_t first, int64_t last) {
  run_tuned(DepthwiseRows{g, first, last});
}

Tensor& convolution_depthwise_out(Context& cx, const Tensor& input, const Tensor& weight, const Maybe<Tensor>& bias,
                                  const Maybe<Tensor>& other, Ints kernel, Ints stride, Ints padding, Ints dilation,
                                  std::string_view activation, double low, double high, Tensor& out) {
  Depthwise g;
  SizesType sizes[4];
  const int64_t channels = input.dim() == 4 ? input.size(1) : 0;
  if (!g.plan(cx, input, channels, kernel, stride, padding, dilation, sizes)) return out;
  const Packed packed{input, weight, bias, other, activation, low, high};
  const int64_t weight_sizes[] = {g.taps(), channels};
  if (!packed.plan(cx, weight_sizes, channels, sizes, true, out, g.results) || out.numel() == 0) return out;
  float* zeros = static_cast<float*>(cx.temporary(static_cast<size_t>(channels) * sizeof(float), 64));
  if (!zeros) return out;
  std::fill_n(zeros, channels, 0.0f);
  // An image without points may be nowhere, and places are told from its first.
  g.input = input.numel() > 0 ? input.const_data_ptr<float>() : zeros;
  g.weights = weight.const_data_ptr<float>(), g.zeros = zeros, g.held = std::max<int64_t>(g.in[0], 1);
  const int64_t row = g.out[1] * channels;
  parallel(g.images * g.out[0], std::max<int64_t>(1, 40000 / (row * g.taps())),
           [&](int64_t first, int64_t last) { convolve_depthwise(g, first, last); });
  return out;
}

}  // namespace tenon::native
