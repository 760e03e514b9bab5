// Convolutions of images with packed weights: a product whose rows are patches, found by pointers and never copied.
#include <tenon/threads.h>

#include "../generated/kernels.h"
#include "packed.h"

namespace tenon::native {

namespace {

struct Patches : Images {
  const float* input;
  const float* zeros;  // the channels of a point outside

  // Where the taps of points [first, first + count) look: row by row of the result, a tap's places are evenly spaced.
  void find(int64_t first, int64_t count, const float** to) const {
    int64_t x = first % out[1], y = first / out[1] % out[0], n = first / out[1] / out[0];
    for (int64_t i = 0, run; i < count; i += run) {
      run = std::min(count - i, out[1] - x);
      const float** place = to + i;
      for (int64_t v = 0; v < kernel[0]; ++v) {
        const int64_t line = source(0, y, v);
        const bool is_inside = line >= 0 && line < in[0];
        for (int64_t u = 0; u < kernel[1]; ++u, place += count) {
          const int64_t at = source(1, x, u);
          fill(place, run, is_inside, at, ((n * in[0] + line) * in[1] + at) * channels);
        }
      }
      x = 0;
      if (++y == out[0]) y = 0, ++n;
    }
  }
  // The places of a tap that sees column `at`, and others from there.
  ET_INLINE void fill(const float** place, int64_t run, bool is_inside, int64_t at, int64_t offset) const {
    const int64_t step = stride[1];
    const int64_t begin = !is_inside ? run : at >= 0 ? 0 : std::min((-at + step - 1) / step, run);
    const int64_t end = !is_inside ? run : std::clamp<int64_t>((in[1] - at + step - 1) / step, begin, run);
    int64_t i = 0;
    for (; i < begin; ++i) place[i] = zeros;
    for (; i < end; ++i) place[i] = input + (offset + i * step * channels);
    for (; i < run; ++i) place[i] = zeros;
  }
  static void find_in(const void* held, int64_t first, int64_t count, const float** to) {
    static_cast<const Patches*>(held)->find(first, count, to);
  }
};

// With few channels, the taps of a row are one run once the image has its padding around it. It is copied for that, and
// so it may lie in any order.
constexpr int64_t few_channels = 8;

// Three channels, `step` apart, as points of three numbers: four points at a time.
TENON_HOT void join_channels(const float* from, int64_t step, int64_t count, float* to) {
  using V = Floats<16>;
  int64_t x = 0;
  for (; x + 4 <= count; x += 4, to += 12) {
    const V a = load<V>(from + x), b = load<V>(from + step + x), c = load<V>(from + 2 * step + x);
    store(to, shuffled<0, 1, 4, 5>(shuffled<0, 4, 1, 5>(a, b), shuffled<0, 5, 2, 7>(c, a)));  // a0 b0 c0 a1
    store(to + 4, shuffled<0, 1, 6, 2>(shuffled<1, 5, 2, 6>(b, c), a));                       // b1 c1 a2 b2
    store(to + 8, shuffled<1, 7, 2, 3>(shuffled<2, 6, 3, 7>(b, c), a));                       // c2 a3 b3 c3
  }
  for (; x < count; ++x, to += 3) to[0] = from[x], to[1] = from[step + x], to[2] = from[2 * step + x];
}

bool pad_image(Context& cx, const Tensor& input, Patches& g) {
  const int64_t height = g.in[0] + g.padding[0] + g.behind[0], width = g.in[1] + g.padding[1] + g.behind[1];
  float* room = static_cast<float*>(
      cx.temporary(static_cast<size_t>(g.images * height * width * g.channels) * sizeof(float), 64));
  if (!room) return false;
  const Strides strides(input);
  parallel(g.images * height, 64, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t n = i / height, y = i % height - g.padding[0];
      float* to = room + i * width * g.channels;
      if (y < 0 || y >= g.in[0]) {
        std::fill_n(to, width * g.channels, 0.0f);
        continue;
      }
      to = std::fill_n(to, g.padding[1] * g.channels, 0.0f);
      const float* from = g.input + n * strides[0] + y * strides[2];
      if (g.channels == 3 && strides[3] == 1) join_channels(from, strides[1], g.in[1], to);
      else if (strides[1] == 1 && strides[3] == g.channels) std::copy_n(from, g.in[1] * g.channels, to);
      else
        for (int64_t c = 0; c < g.channels; ++c) {
          for (int64_t x = 0; x < g.in[1]; ++x) to[x * g.channels + c] = from[c * strides[1] + x * strides[3]];
        }
      std::fill_n(to + g.in[1] * g.channels, g.behind[1] * g.channels, 0.0f);
    }
  });
  g.input = room;
  g.in[0] = height, g.in[1] = width, g.padding[0] = g.padding[1] = 0;
  return true;
}

}  // namespace

Tensor& convolution_packed_out(Context& cx, const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                               const std::optional<Tensor>& other, int64_t outputs, ArrayRef<int64_t> kernel,
                               ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation,
                               std::string_view activation, double low, double high, Tensor& out) {
  Patches g;
  SizesType sizes[4];
  if (!g.plan(cx, input, outputs, kernel, stride, padding, dilation, sizes)) return out;
  const Packed packed{input, weight, bias, other, activation, low, high};
  const int64_t panels[] = {panel_count(outputs), g.taps() * g.channels, panel_width};
  Results results;
  const bool is_padded = g.channels < few_channels && g.dilation[1] == 1;
  if (!packed.plan(cx, panels, outputs, sizes, true, out, results, is_padded, true) || out.numel() == 0) return out;
  g.input = input.const_data_ptr<float>();
  Left left{g.input, g.channels, g.channels, g.taps(), Patches::find_in, &g};
  const bool has_padding = g.padding[0] || g.padding[1] || g.behind[0] || g.behind[1];
  if (is_padded) {
    if (!pad_image(cx, input, g)) return out;
    left.depth = g.kernel[1] * g.channels, left.taps = g.kernel[0];
    g.kernel[1] = 1;
  } else if (g.taps() == 1 && g.stride[0] == 1 && g.stride[1] == 1 && !has_padding) {
    left.find = nullptr;  // the points of the input are the rows, as they lie
  } else if (has_padding) {
    float* zeros = static_cast<float*>(cx.temporary(static_cast<size_t>(g.channels) * sizeof(float), 64));
    if (!zeros) return out;
    std::fill_n(zeros, g.channels, 0.0f);
    g.zeros = zeros;
  }
  ET_KERNEL_CHECK_MSG(cx, left.taps <= most_taps, InvalidArgument, out, "a kernel of %" PRId64 " taps is too large",
                      left.taps);
  multiply_panels(g.points(), outputs, left, weight.const_data_ptr<float>(), results);
  return out;
}

}  // namespace tenon::native
