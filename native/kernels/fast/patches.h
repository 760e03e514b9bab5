// Convolutions of images as products: rows are patches, found by pointers and never copied.
#pragma once

#include "packed.h"

namespace tenon::native {

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

  // Whether channels are so few that the image is copied, with its padding around it: it may lie in any order then.
  bool is_copied() const { return channels < few_channels && dilation[1] == 1; }
  // The left side of the product; false, with words, if there is no room or there are too many taps.
  bool prepare(Context& cx, const Tensor& input, Left& left);

 private:
  static constexpr int64_t few_channels = 8;
  bool pad(Context& cx, const Tensor& input);
};

}  // namespace tenon::native
