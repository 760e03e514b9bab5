// Convolutions of float32, by the order in which images and weights lie. The product of weights and patches is that of
// matrix.h; patches are made strip by strip as it goes.
#include "../convolution.h"
#include "matrix.h"

namespace tenon::native {

namespace {

// Whether the points lie at even distances in the order of their indices.
bool is_even(const int64_t (&size)[3], const int64_t (&step)[3]) {
  return (size[1] == 1 || step[1] == step[2] * size[2]) && (size[0] == 1 || step[0] == step[2] * size[2] * size[1]);
}

// --- where all begin -----------------------------------------------------------------------------------------------

TENON_HOT void fill_bias(const FloatConvolution& g) {
  const int64_t channels = g.groups * g.outputs;
  const int64_t step = g.to.point[2];
  for (int64_t n = 0; n < g.images; ++n) {
    float* image = g.output + n * g.to.image;
    if (g.to.channel == 1) {
      for (int64_t p = 0; p < g.points(); ++p) {
        if (g.bias) std::copy_n(g.bias, channels, image + p * step);
        else std::fill_n(image + p * step, channels, 0.0f);
      }
      continue;
    }
    for (int64_t c = 0; c < channels; ++c) {
      float* to = image + c * g.to.channel;
      const float value = g.bias ? g.bias[c] : 0;
      for (int64_t p = 0; p < g.points(); ++p) to[p * step] = value;
    }
  }
}

// --- strips of patches ---------------------------------------------------------------------------------------------

// The right side of the product is made of patches: its columns are points of the result, its rows taps of channels.
// Which of the two is faster along the rows follows the order of the weights, which are the left side as they lie.
struct PatchOrder {
  int64_t channel_step, tap_step;
};

// Rows [row, row + depth) of columns [point, point + width).
TENON_HOT void fill_patches(Strip& strip, const FloatConvolution& g, const float* image, PatchOrder order, int64_t row,
                            int64_t depth, int64_t point, int64_t width) {
  for (int64_t t = 0; t < g.taps(); ++t) {
    const auto first_channel = [&](int64_t end) {
      const int64_t rows = end - t * order.tap_step;
      return rows <= 0 ? 0 : std::min(g.inputs, (rows + order.channel_step - 1) / order.channel_step);
    };
    const int64_t first = first_channel(row), last = first_channel(row + depth);
    if (first == last) continue;
    // Where each column looks, by parts of rows of the result; one that looks outside reads any place, and is masked.
    const Tap tap(g, t);
    int64_t offset[strip_width] = {};
    uint32_t mask[strip_width] = {};
    bool is_run = false;
    for (int64_t j = 0; j < width;) {
      const int64_t x = (point + j) % g.out[2], line = (point + j) / g.out[2];
      const int64_t y = line % g.out[1] * g.stride[1] + tap.shift[1], z = line / g.out[1] * g.stride[0] + tap.shift[0];
      const int64_t count = std::min(width - j, g.out[2] - x), shift = x * g.stride[2] + tap.shift[2];
      if (y >= 0 && y < g.in[1] && z >= 0 && z < g.in[0]) {
        const Range inside(count, g.stride[2], shift, g.in[2]);
        const int64_t step = g.stride[2] * g.from.point[2];
        const int64_t start = z * g.from.point[0] + y * g.from.point[1] + shift * g.from.point[2];
        for (int64_t i = inside.first; i < inside.last; ++i) offset[j + i] = start + i * step, mask[j + i] = ~0u;
        is_run = step == 1 && inside.last - inside.first == strip_width;
      }
      j += count;
    }
    float* to = strip.at + (first * order.channel_step + t * order.tap_step - row) * strip_width;
    const float* from = image + first * g.from.channel;
    for (int64_t c = first; c < last; ++c, to += order.channel_step * strip_width, from += g.from.channel) {
      if (is_run) {
        std::memcpy(to, from + offset[0], strip_width * sizeof *to);
        continue;
      }
      for (int64_t j = 0; j < strip_width; ++j) to[j] = bits::to_float(bits::of(from[offset[j]]) & mask[j]);
    }
  }
}

void convolve_strips(const FloatConvolution& g, PatchOrder order) {
  const int64_t rows = g.inputs * g.taps();
  // With one tap and no padding the patches are the input as it lies.
  bool is_product = g.taps() == 1 && is_even(g.in, g.from.point);
  for (int d = 0; d < 3; ++d) is_product = is_product && g.stride[d] == 1 && g.padding[d] == 0;
  fill_bias(g);
  Strip strip;
  for (int64_t n = 0; n < g.images; ++n) {
    for (int64_t group = 0; group < g.groups; ++group) {
      const float* image = g.input + n * g.from.image + group * g.inputs * g.from.channel;
      const Matrix left{g.weights + group * g.outputs * g.weight.image, g.weight.image, 1};
      const MatrixOut result{g.output + n * g.to.image + group * g.outputs * g.to.channel, g.to.channel, g.to.point[2]};
      if (is_product) {
        multiply(g.outputs, g.points(), rows, 1, left, {image, g.from.channel, g.from.point[2]}, result, true);
        continue;
      }
      for (int64_t p = 0; p < rows; p += strip_depth) {
        const int64_t depth = std::min(strip_depth, rows - p);
        for (int64_t j = 0; j < g.points(); j += strip_width) {
          const int64_t width = std::min(strip_width, g.points() - j);
          fill_patches(strip, g, image, order, p, depth, j, width);
          multiply_strip(g.outputs, width, depth, left.from(0, p), strip.at, strip_width, result.from(0, j), true);
        }
      }
    }
  }
}

// --- channels last -------------------------------------------------------------------------------------------------

// Each tap is a product of its own: points of the input, which are rows as they lie, and the weights of the tap.
void convolve_points(const FloatConvolution& g) {
  fill_bias(g);
  Strip strip;
  for (int64_t group = 0; group < g.groups; ++group) {
    for (int64_t t = 0; t < g.taps(); ++t) {
      const Tap tap(g, t);
      const Range x(g.out[2], g.stride[2], tap.shift[2], g.in[2]);
      if (x.first == x.last) continue;
      const Matrix right{g.weights + g.weight.place(group * g.outputs, 0, tap.at), g.weight.channel, g.weight.image};
      for (int64_t p = 0; p < g.inputs; p += strip_depth) {
        const int64_t depth = std::min(strip_depth, g.inputs - p);
        for (int64_t j = 0; j < g.outputs; j += strip_width) {
          const int64_t width = std::min(strip_width, g.outputs - j);
          fill_strip(strip, right.from(p, j), width, depth, 1);
          for (int64_t line = 0; line < g.images * g.out[0] * g.out[1]; ++line) {
            const int64_t y = line % g.out[1], z = line / g.out[1] % g.out[0], n = line / g.out[1] / g.out[0];
            const int64_t from_y = y * g.stride[1] + tap.shift[1], from_z = z * g.stride[0] + tap.shift[0];
            if (from_y < 0 || from_y >= g.in[1] || from_z < 0 || from_z >= g.in[0]) continue;
            const int64_t from_x = x.first * g.stride[2] + tap.shift[2];
            const float* from = g.input + g.from.place(n, 0, from_z, from_y, from_x) + group * g.inputs + p;
            float* to = g.output + g.to.place(n, 0, z, y, x.first) + group * g.outputs + j;
            multiply_strip(x.last - x.first, width, depth, {from, g.stride[2] * g.from.point[2], 1}, strip.at,
                           strip_width, {to, g.to.point[2], 1}, true);
          }
        }
      }
    }
  }
}

// --- one input channel for each output -----------------------------------------------------------------------------

// One plane: each row of the result is made of vectors that take all taps, and of single points at its borders.
struct DepthwisePlane {
  static constexpr int64_t most_rows = 32, slack = 64;
  const FloatConvolution& g;
  bool has_slack;  // there are numbers behind the input, so that a short row may be a vector too

  // A row of the input that a row of the kernel sees, and that row of the kernel.
  struct Row {
    const float *from, *factors;
  };

  template <class V, int stride>
  ET_INLINE V load_every(const float* from) const {
    if constexpr (stride == 1) return load<V>(from);
    V found = {};
    TENON_UNROLL
    for (int l = 0; l < static_cast<int>(sizeof(V) / sizeof(float)); ++l) found[l] = from[stride * l];
    return found;
  }

  template <class V, int vectors, int stride>
  ET_INLINE void points(float* to, const Row* rows, int64_t count, int64_t x, float bias) const {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    V sums[vectors];
    TENON_UNROLL
    for (int v = 0; v < vectors; ++v) sums[v] = V{} + bias;
    for (int64_t r = 0; r < count; ++r) {
      const float* from = rows[r].from + x * stride - g.padding[2];
      for (int64_t k = 0; k < g.kernel[2]; ++k, from += g.dilation[2]) {
        const float factor = rows[r].factors[k * g.weight.point[2]];
        TENON_UNROLL
        for (int v = 0; v < vectors; ++v) sums[v] += factor * load_every<V, stride>(from + v * lanes * stride);
      }
    }
    TENON_UNROLL
    for (int v = 0; v < vectors; ++v) store(to + x + v * lanes, sums[v]);
  }

  ET_INLINE void border(float* to, const Row* rows, int64_t count, int64_t x, float bias) const {
    float sum = bias;
    for (int64_t r = 0; r < count; ++r) {
      for (int64_t k = 0; k < g.kernel[2]; ++k) {
        const int64_t at = x * g.stride[2] - g.padding[2] + k * g.dilation[2];
        if (at >= 0 && at < g.in[2]) sum += rows[r].factors[k * g.weight.point[2]] * rows[r].from[at];
      }
    }
    to[x] = sum;
  }

  // Where all taps are inside: vectors, the last of which may do some points again.
  template <class V, int stride>
  ET_INLINE void inside(float* to, const Row* rows, int64_t count, int64_t x, int64_t last, float bias) const {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    for (; x + 4 * lanes <= last; x += 4 * lanes) points<V, 4, stride>(to, rows, count, x, bias);
    for (; x + lanes <= last; x += lanes) points<V, 1, stride>(to, rows, count, x, bias);
    if (x < last) points<V, 1, stride>(to, rows, count, last - lanes, bias);
  }

  // The rows that a row of the result sees.
  ET_INLINE int64_t find_rows(int64_t z, int64_t y, Row* rows) const {
    int64_t count = 0;
    for (int64_t i = 0; i < g.kernel[0]; ++i) {
      const int64_t from_z = z * g.stride[0] - g.padding[0] + i * g.dilation[0];
      if (from_z < 0 || from_z >= g.in[0]) continue;
      for (int64_t j = 0; j < g.kernel[1]; ++j) {
        const int64_t from_y = y * g.stride[1] - g.padding[1] + j * g.dilation[1];
        if (from_y < 0 || from_y >= g.in[1]) continue;
        rows[count++] = {g.input + from_z * g.from.point[0] + from_y * g.from.point[1],
                         g.weights + i * g.weight.point[0] + j * g.weight.point[1]};
      }
    }
    return count;
  }

  template <class V>
  ET_INLINE void run() const {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    const Range at_first(g.out[2], g.stride[2], -g.padding[2], g.in[2]);
    const Range at_last(g.out[2], g.stride[2], (g.kernel[2] - 1) * g.dilation[2] - g.padding[2], g.in[2]);
    const bool is_short = at_last.last - at_first.first < lanes;
    const bool has_inside = g.stride[2] <= 2 && (!is_short || has_slack);
    const int64_t first = has_inside ? at_first.first : 0, last = has_inside ? at_last.last : 0;
    const float bias = g.bias ? *g.bias : 0;
    Row rows[most_rows];
    float room[lanes];
    for (int64_t z = 0; z < g.out[0]; ++z) {
      for (int64_t y = 0; y < g.out[1]; ++y) {
        float* to = g.output + z * g.to.point[0] + y * g.to.point[1];
        const int64_t count = find_rows(z, y, rows);
        for (int64_t x = 0; x < first; ++x) border(to, rows, count, x, bias);
        float* made = is_short ? room : to;
        if (has_inside && g.stride[2] == 1) inside<V, 1>(made, rows, count, first, is_short ? lanes : last, bias);
        if (has_inside && g.stride[2] == 2) inside<V, 2>(made, rows, count, first, is_short ? lanes : last, bias);
        if (has_inside && is_short) std::copy_n(room, last, to);
        for (int64_t x = last; x < g.out[2]; ++x) border(to, rows, count, x, bias);
      }
    }
  }
};

struct DepthwisePlanes {
  static constexpr int64_t most_padded = 4096;
  const FloatConvolution& whole;

  // Copies a plane with its padding, so that it has no borders.
  static ET_INLINE void pad(FloatConvolution& g, float* room) {
    const int64_t width = g.in[2] + 2 * g.padding[2];
    for (int64_t y = 0; y < g.in[1]; ++y) {
      std::copy_n(g.input + y * g.from.point[1], g.in[2], room + (y + g.padding[1]) * width + g.padding[2]);
    }
    g.input = room, g.from.point[1] = width;
    for (int d = 1; d < 3; ++d) g.in[d] += 2 * g.padding[d], g.padding[d] = 0;
  }

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    using V = typename Vector<float, Wide::value>::type;
    const int64_t padded = (whole.in[1] + 2 * whole.padding[1]) * (whole.in[2] + 2 * whole.padding[2]);
    const bool pads = whole.in[0] == 1 && whole.kernel[0] == 1 && whole.padding[0] == 0 && padded <= most_padded;
    float room[most_padded + DepthwisePlane::slack];
    if (pads) std::fill_n(room, padded + DepthwisePlane::slack, 0.0f);
    for (int64_t n = 0; n < whole.images; ++n) {
      for (int64_t c = 0; c < whole.groups; ++c) {
        FloatConvolution g = whole;
        g.input += n * g.from.image + c * g.from.channel, g.output += n * g.to.image + c * g.to.channel;
        g.weights += c * g.weight.image, g.bias += g.bias ? c : 0;
        if (pads) pad(g, room);
        DepthwisePlane{g, pads}.run<V>();
      }
    }
  }
};

// Channels last: some channels at a time, with the weights of all their taps on the stack.
struct DepthwisePoints {
  static constexpr int64_t width = 32, most_taps = 128;
  const FloatConvolution& g;

  template <class V, int vectors>
  ET_INLINE void point(int64_t n, const int64_t (&at)[3], int64_t c, const float* factors) const {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    V sums[vectors];
    TENON_UNROLL
    for (int v = 0; v < vectors; ++v) sums[v] = g.bias ? load<V>(g.bias + c + v * lanes) : V{};
    const float* image = g.input + n * g.from.image + c;
    int64_t start[3];
    for (int d = 0; d < 3; ++d) start[d] = at[d] * g.stride[d] - g.padding[d];
    for (int64_t i = 0, z = start[0]; i < g.kernel[0]; ++i, z += g.dilation[0]) {
      if (z < 0 || z >= g.in[0]) continue;
      for (int64_t j = 0, y = start[1]; j < g.kernel[1]; ++j, y += g.dilation[1]) {
        if (y < 0 || y >= g.in[1]) continue;
        const float* row = image + z * g.from.point[0] + y * g.from.point[1];
        const float* factor = factors + (i * g.kernel[1] + j) * g.kernel[2] * width;
        for (int64_t k = 0, x = start[2]; k < g.kernel[2]; ++k, x += g.dilation[2], factor += width) {
          if (x < 0 || x >= g.in[2]) continue;
          const float* from = row + x * g.from.point[2];
          TENON_UNROLL
          for (int v = 0; v < vectors; ++v) sums[v] += load<V>(factor + v * lanes) * load<V>(from + v * lanes);
        }
      }
    }
    float* to = g.output + g.to.place(n, 0, at) + c;
    TENON_UNROLL
    for (int v = 0; v < vectors; ++v) store(to + v * lanes, sums[v]);
  }

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    using V = typename Vector<float, Wide::value>::type;
    constexpr int64_t lanes = Vector<float, Wide::value>::lanes;
    float factors[most_taps * width];
    for (int64_t c = 0; c < g.groups; c += width) {
      const int64_t channels = std::min(width, g.groups - c);
      for (int64_t t = 0; t < g.taps(); ++t) {
        const Tap tap(g, t);
        const float* from = g.weights + g.weight.place(0, 0, tap.at);
        for (int64_t l = 0; l < channels; ++l) factors[t * width + l] = from[(c + l) * g.weight.image];
      }
      for (int64_t i = 0; i < g.images * g.out[0] * g.out[1]; ++i) {
        const int64_t n = i / g.out[1] / g.out[0], z = i / g.out[1] % g.out[0], y = i % g.out[1];
        for (int64_t x = 0; x < g.out[2]; ++x) {
          const int64_t at[3] = {z, y, x};
          int64_t l = 0;
          if (channels == width) point<V, width / lanes>(n, at, c, factors), l = width;
          for (; l + lanes <= channels; l += lanes) point<V, 1>(n, at, c + l, factors + l);
          for (; l < channels; ++l) point<float, 1>(n, at, c + l, factors + l);
        }
      }
    }
  }
};

}  // namespace

bool convolve_float(const FloatConvolution& g) {
  if (g.transposed || !is_even(g.out, g.to.point)) return false;
  const bool is_depthwise = g.inputs == 1 && g.outputs == 1 && g.groups > 1;
  if (is_depthwise && g.from.point[2] == 1 && g.to.point[2] == 1 &&
      g.kernel[0] * g.kernel[1] <= DepthwisePlane::most_rows) {
    return run_vectorised(DepthwisePlanes{g}), true;
  }
  const bool channels_last = g.from.channel == 1 && g.to.channel == 1;
  if (is_depthwise && channels_last && g.taps() <= DepthwisePoints::most_taps) {
    return run_vectorised(DepthwisePoints{g}), true;
  }
  if (channels_last && g.inputs >= strip_width) return convolve_points(g), true;
  const int64_t taps = g.taps();
  const bool has_even_taps = is_even(g.kernel, g.weight.point);
  if (has_even_taps && g.weight.point[2] == 1 && (g.inputs == 1 || g.weight.channel == taps)) {
    return convolve_strips(g, {taps, 1}), true;
  }
  if (has_even_taps && g.weight.channel == 1 && g.weight.point[2] == g.inputs) {
    return convolve_strips(g, {1, g.inputs}), true;
  }
  return false;
}

}  // namespace tenon::native
