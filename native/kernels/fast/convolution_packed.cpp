// Convolutions of images with packed weights.
#include <tenon/threads.h>

#include "../generated/kernels.h"
#include "patches.h"

namespace tenon::native {

namespace {

// Three channels, `step` apart, as points of three numbers: four points at a time.
TENON_HOT void join_channels(const float* from, int64_t step, int64_t count, float* to) {
  using V = Floats<16>;
  int64_t x = 0;
  for (; x + 4 <= count; x += 4, to += 12) {
    const V a = load<V>(from + x), b = load<V>(from + step + x), c = load<V>(from + 2 * step + x);
    const V ab = shuffled<0, 2, 4, 6>(a, b), bc = shuffled<1, 3, 5, 7>(b, c), ca = shuffled<0, 2, 5, 7>(c, a);
    store(to, shuffled<0, 2, 4, 6>(ab, ca));      // a0 b0 c0 a1
    store(to + 4, shuffled<0, 2, 5, 7>(bc, ab));  // b1 c1 a2 b2
    store(to + 8, shuffled<1, 3, 5, 7>(ca, bc));  // c2 a3 b3 c3
  }
  for (; x < count; ++x, to += 3) to[0] = from[x], to[1] = from[step + x], to[2] = from[2 * step + x];
}

}  // namespace

// With few channels, the taps of a row are one run once the image has its padding around it.
bool Patches::pad(Context& cx, const Tensor& image) {
  const int64_t height = in[0] + padding[0] + behind[0], width = in[1] + padding[1] + behind[1];
  float* room = static_cast<float*>(
      cx.temporary(static_cast<size_t>(images * height * width * channels) * sizeof(float), 64));
  if (!room) return false;
  const Strides strides(image);
  parallel(images * height, 64, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t n = i / height, y = i % height - padding[0];
      float* to = room + i * width * channels;
      if (y < 0 || y >= in[0]) {
        std::fill_n(to, width * channels, 0.0f);
        continue;
      }
      to = std::fill_n(to, padding[1] * channels, 0.0f);
      const float* from = input + n * strides[0] + y * strides[2];
      if (channels == 3 && strides[3] == 1) join_channels(from, strides[1], in[1], to);
      else if (strides[1] == 1 && strides[3] == channels) std::copy_n(from, in[1] * channels, to);
      else
        for (int64_t c = 0; c < channels; ++c) {
          for (int64_t x = 0; x < in[1]; ++x) to[x * channels + c] = from[c * strides[1] + x * strides[3]];
        }
      std::fill_n(to + in[1] * channels, behind[1] * channels, 0.0f);
    }
  });
  input = room;
  in[0] = height, in[1] = width, padding[0] = padding[1] = 0;
  return true;
}

bool Patches::prepare(Context& cx, const Tensor& image, Left& left) {
  input = image.const_data_ptr<float>();
  left = {input, channels, channels, taps(), find_in, this};
  const bool has_padding = padding[0] || padding[1] || behind[0] || behind[1];
  if (is_copied()) {
    if (!pad(cx, image)) return false;
    left.depth = kernel[1] * channels, left.taps = kernel[0];
    kernel[1] = 1;
  } else if (taps() == 1 && stride[0] == 1 && stride[1] == 1 && !has_padding) {
    left.find = nullptr;  // the points of the input are the rows, as they lie
  } else if (has_padding) {
    float* room = static_cast<float*>(cx.temporary(static_cast<size_t>(channels) * sizeof(float), 64));
    if (!room) return false;
    std::fill_n(room, channels, 0.0f);
    zeros = room;
  }
  REQUIRE(cx, left.taps <= most_taps, false, "a kernel of %" PRId64 " taps is too large", left.taps);
  return true;
}

Tensor& convolution_packed_out(Context& cx, const Tensor& input, const Tensor& weight, const Maybe<Tensor>& bias,
                               const Maybe<Tensor>& other, int64_t outputs, Ints kernel, Ints stride, Ints padding,
                               Ints dilation, std::string_view activation, double low, double high, Tensor& out) {
  Patches g;
  SizesType sizes[4];
  if (!g.plan(cx, input, outputs, kernel, stride, padding, dilation, sizes)) return out;
  const Packed packed{input, weight, bias, other, activation, low, high};
  const int64_t panels[] = {panel_count(outputs), g.taps() * g.channels, panel_width};
  Results results;
  if (!packed.plan(cx, panels, outputs, sizes, true, out, results, g.is_copied(), true) || out.numel() == 0) return out;
  Left left;
  if (!g.prepare(cx, input, left)) return out;
  multiply_panels(g.points(), outputs, left, weight.const_data_ptr<float>(), results);
  return out;
}

}  // namespace tenon::native
