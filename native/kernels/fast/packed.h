// What operators with packed weights share: the checks of their tensors.
#pragma once

#include <algorithm>

#include "product.h"

namespace tenon::native {

// What all of them are given.
struct Packed {
  const Tensor &input, &weight;
  const Maybe<Tensor>&bias, &other;
  std::string_view activation;
  double low, high;
  ScalarType stored = ScalarType::Float, type = ScalarType::Float;

  // Resizes `out`, and says where results go; false, with words, if something does not fit. Images have their channels
  // last in memory; all else lies in the order of its dimensions. An input of `any_order` may lie in any; of a result
  // with `any_row`, points may be farther apart than their channels reach. The weight is of dtype `stored`; the input,
  // what is added and the result are of `type`, and the bias of that or float32.
  bool plan(Context& cx, Ints weight_sizes, int64_t outputs, ArrayRef<SizesType> sizes, bool is_image, Tensor& out,
            Results& results, bool any_order = false, bool any_row = false) const;
  // The same for linear layers: an output for each of the input's rows.
  bool plan_rows(Context& cx, Ints weight_sizes, int64_t outputs, Tensor& out, Results& results) const;
};

// Whether a tensor lies as it should, as above. The points of an image are `row` numbers apart, or else as many as there
// are channels.
bool lies_in_order(const Tensor& t, bool is_image, int64_t row = 0);
// And is of a dtype; false, with words, if not.
bool lies_right(Context& cx, const char* name, const Tensor& t, bool is_image, ScalarType type = ScalarType::Float,
                int64_t row = 0);
// Whether it has these sizes; false, with words, if not.
bool has_shape(Context& cx, const char* name, const Tensor& t, Ints sizes);
// Both, with its dimensions in order.
bool has_sizes(Context& cx, const char* name, const Tensor& t, Ints sizes, ScalarType type = ScalarType::Float);

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
  bool plan(Context& cx, const Tensor& input, int64_t outputs, Ints kernel, Ints stride, Ints padding, Ints dilation,
            SizesType (&sizes)[4]);
};

}  // namespace tenon::native
