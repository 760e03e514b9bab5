// What operators with packed weights share: the checks of their tensors.
#pragma once

#include <algorithm>

#include "product.h"

namespace tenon::native {

// What all of them are given.
struct Packed {
  const Tensor &input, &weight;
  const std::optional<Tensor>&bias, &other;
  std::string_view activation;
  double low, high;

  // Resizes `out`, and says where results go; false, with words, if something does not fit. Images have their channels
  // last in memory; all else lies in the order of its dimensions. An input of `any_order` may lie in any.
  bool plan(Context& cx, ArrayRef<int64_t> weight_sizes, int64_t outputs, ArrayRef<SizesType> sizes, bool is_image,
            Tensor& out, Results& results, bool any_order = false) const;
};

// Whether a tensor is float and lies as it should, as above; false, with words, if not.
bool lies_right(Context& cx, const char* name, const Tensor& t, bool is_image);

// Windows over images: a convolution or a pool.
struct Images {
  int64_t images, channels;
  int64_t in[2], out[2], kernel[2], stride[2], dilation[2];
  int64_t padding[2], behind[2];  // before the first row and column, and behind the last

  int64_t taps() const { return kernel[0] * kernel[1]; }
  int64_t points() const { return images * out[0] * out[1]; }
  // The input row or column that tap `tap` sees from `at` of the result.
  int64_t source(int d, int64_t at, int64_t tap) const { return at * stride[d] + tap * dilation[d] - padding[d]; }
  // The taps that see something from there.
  struct Taps {
    int64_t first, last;
  };
  Taps inside(int d, int64_t at) const {
    Taps found{0, kernel[d]};
    while (found.first < found.last && source(d, at, found.first) < 0) ++found.first;
    while (found.last > found.first && source(d, at, found.last - 1) >= in[d]) --found.last;
    return found;
  }

  // Fills it, and the sizes of the result; false, with words, if the numbers are not for this input.
  bool plan(Context& cx, const Tensor& input, int64_t outputs, ArrayRef<int64_t> kernel, ArrayRef<int64_t> stride,
            ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, SizesType (&sizes)[4]);
};

}  // namespace tenon::native
