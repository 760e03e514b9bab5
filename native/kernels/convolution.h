// The geometry of a convolution over up to three dimensions of space, of which those that are not there have size 1.
#pragma once

#include <algorithm>

#include "index.h"

namespace tenon::native {

// Where a tensor has its images, their channels, and the points of a channel. Weights: outputs, inputs, points.
struct ImageStrides {
  int64_t image, channel, point[3];

  ET_INLINE int64_t place(int64_t n, int64_t c, int64_t z, int64_t y, int64_t x) const {
    return n * image + c * channel + z * point[0] + y * point[1] + x * point[2];
  }
  ET_INLINE int64_t place(int64_t n, int64_t c, const int64_t (&at)[3]) const { return place(n, c, at[0], at[1], at[2]); }
};

struct Geometry {
  int64_t images, groups, inputs, outputs;  // inputs and outputs: channels of one group
  int64_t in[3], kernel[3], out[3], stride[3], padding[3], dilation[3];
  ImageStrides from, weight, to;
  bool transposed;

  int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  int64_t points() const { return out[0] * out[1] * out[2]; }
};

// A tap of the kernel, and how far into the input it looks from the point that is the origin of a patch.
struct Tap {
  int64_t at[3], shift[3];

  Tap(const Geometry& g, int64_t number) {
    at[2] = number % g.kernel[2];
    at[1] = number / g.kernel[2] % g.kernel[1];
    at[0] = number / g.kernel[2] / g.kernel[1];
    for (int d = 0; d < 3; ++d) shift[d] = at[d] * g.dilation[d] - g.padding[d];
  }
};

// The i in [first, last) for which 0 <= i * stride + shift < size.
struct Range {
  int64_t first, last;

  Range(int64_t count, int64_t stride, int64_t shift, int64_t size) {
    const auto steps_to = [&](int64_t n) { return n <= 0 ? 0 : stride == 1 ? n : (n + stride - 1) / stride; };
    last = std::min(count, steps_to(size - shift));
    first = std::min(steps_to(-shift), last);
  }
};

// All of a convolution but where its result lies, and the sizes of that. False, with words, if there is none.
bool plan_convolution(Context& cx, const Tensor& input, const Tensor& weight, Ints stride, Ints padding, Ints dilation,
                      bool transposed, Ints output_padding, int64_t groups, Geometry& g, SizesType (&sizes)[5]);
ImageStrides image_strides(const Tensor& t);

// Of float32. False if there is no fast way for these strides.
struct FloatConvolution : Geometry {
  const float *input, *weights, *bias;
  float* output;

  explicit FloatConvolution(const Geometry& g) : Geometry(g) {}
};
bool convolve_float(const FloatConvolution& g);

// Any dtype, any strides, also transposed.
struct AnyConvolution : Geometry {
  const Tensor *input, *weights, *bias, *output;

  // Adds to `sums`, points [first, first + count) of a row of the result, what tap and input channel give.
  template <class T>
  void add_row(T* sums, int64_t first, int64_t count, T factor, int64_t row, const Tap& tap) const {
    T room[run_room];
    if (!transposed) {
      const Range x(count, stride[2], first * stride[2] + tap.shift[2], in[2]);
      const int64_t step = stride[2] * from.point[2];
      const int64_t offset = row + (first * stride[2] + tap.shift[2]) * from.point[2];
      const T* values = read(*input, offset + x.first * step, step, x.last - x.first, room);
      for (int64_t i = x.first; i < x.last; ++i) sums[i] += factor * values[i - x.first];
      return;
    }
    // Input x lands on x * stride + shift.
    const Range x(in[2], stride[2], tap.shift[2] - first, count);
    for (int64_t i = x.first; i < x.last; i += run_room) {
      const int64_t n = std::min(run_room, x.last - i);
      const T* values = read(*input, row + i * from.point[2], from.point[2], n, room);
      for (int64_t j = 0; j < n; ++j) sums[(i + j) * stride[2] + tap.shift[2] - first] += factor * values[j];
    }
  }

  // The row or plane of the input that a tap sees from one of the result; false if there is none.
  bool source(int d, int64_t at, const Tap& tap, int64_t& found) const {
    found = transposed ? at - tap.shift[d] : at * stride[d] + tap.shift[d];
    if (transposed && (found < 0 || found % stride[d] != 0)) return false;
    if (transposed) found /= stride[d];
    return found >= 0 && found < in[d];
  }

  template <class T>
  void row(int64_t n, int64_t channel, int64_t z, int64_t y, int64_t first, int64_t count) const {
    const int64_t group = channel / outputs;
    T sums[run_room];
    std::fill_n(sums, count, bias ? read_one<T>(*bias, channel) : T(0));
    for (int64_t t = 0; t < taps(); ++t) {
      const Tap tap(*this, t);
      int64_t above, line;
      if (!source(0, z, tap, above) || !source(1, y, tap, line)) continue;
      for (int64_t c = 0; c < inputs; ++c) {
        const int64_t i = group * inputs + c;
        const T factor = read_one<T>(*weights, transposed ? weight.place(i, channel % outputs, tap.at)
                                                          : weight.place(channel, c, tap.at));
        add_row(sums, first, count, factor, from.place(n, i, above, line, 0), tap);
      }
    }
    write(*output, to.place(n, channel, z, y, first), to.point[2], count, sums);
  }

  template <class T>
  void run() const {
    for (int64_t n = 0; n < images; ++n) {
      for (int64_t channel = 0; channel < groups * outputs; ++channel) {
        for (int64_t line = 0; line < out[0] * out[1]; ++line) {
          for (int64_t x = 0; x < out[2]; x += run_room) {
            row<T>(n, channel, line / out[1], line % out[1], x, std::min(run_room, out[2] - x));
          }
        }
      }
    }
  }
};

}  // namespace tenon::native
