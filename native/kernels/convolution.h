// The geometry of a convolution over up to three dimensions of space, of which those that are not there have size 1.
#pragma once

#include <algorithm>

#include "index.h"

namespace tenon::native {

// Where a tensor has its images, their channels, and the points of a channel. Weights: outputs, inputs, points.
struct ImageStrides {
  int64_t image, channel, point[3];
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

}  // namespace tenon::native
