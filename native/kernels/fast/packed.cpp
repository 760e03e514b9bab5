// The checks of operators with packed weights.
#include "packed.h"

namespace tenon::native {

bool lies_in_order(const Tensor& t, bool is_image, int64_t row) {
  const Strides strides(t);
  const size_t rank = t.sizes().size();
  bool is_right = !is_image || rank == 4;
  int64_t step = 1;
  for (size_t i = 0; is_right && t.numel() > 0 && i < rank; ++i) {
    constexpr size_t channels_last[] = {1, 3, 2, 0};
    const size_t d = is_image ? channels_last[i] : rank - 1 - i;
    is_right = t.sizes()[d] <= 1 || strides[d] == step;
    step = i == 0 && row ? row : step * t.sizes()[d];
  }
  return is_right;
}

bool lies_right(Context& cx, const char* name, const Tensor& t, bool is_image, ScalarType type, int64_t row) {
  if (t.scalar_type() == type && lies_in_order(t, is_image, row)) return true;
  cx.fail(Error::InvalidArgument, "%s is %s of shape %s, and should be %s with its %s", name,
          dtype_name(t.scalar_type()), ShapeText(t.sizes()).text, dtype_name(type),
          is_image ? "channels last in memory" : "dimensions in order in memory");
  return false;
}

bool has_shape(Context& cx, const char* name, const Tensor& t, Ints sizes) {
  bool fits = t.sizes().size() == sizes.size();
  for (size_t d = 0; fits && d < sizes.size(); ++d) fits = t.sizes()[d] == sizes[d];
  if (fits) return true;
  SizesType wanted[kTensorDimensionLimit];
  for (size_t d = 0; d < sizes.size(); ++d) wanted[d] = static_cast<SizesType>(sizes[d]);
  cx.fail(Error::InvalidArgument, "%s has shape %s, and should have %s", name, ShapeText(t.sizes()).text,
          ShapeText({wanted, sizes.size()}).text);
  return false;
}

bool has_sizes(Context& cx, const char* name, const Tensor& t, Ints sizes, ScalarType type) {
  return has_shape(cx, name, t, sizes) && lies_right(cx, name, t, false, type);
}

namespace {

// From one point of an image to the next.
int64_t row_of(const Tensor& image) {
  const Strides strides(image);
  for (size_t d : {3, 2, 0}) {
    if (image.sizes().size() == 4 && image.sizes()[d] > 1) return strides[d];
  }
  return 0;
}

}  // namespace

bool Packed::plan(Context& cx, Ints weight_sizes, int64_t outputs, ArrayRef<SizesType> sizes, bool is_image,
                  Tensor& out, Results& results, bool any_order, bool any_row) const {
  const ScalarType of_bias = bias && bias->scalar_type() == type ? type : ScalarType::Float;
  if (!has_sizes(cx, "the weight", weight, weight_sizes, stored) ||
      (any_order ? !has_same_dtype(cx, input, weight) : !lies_right(cx, "the input", input, is_image, type)) ||
      (bias && !has_sizes(cx, "the bias", *bias, {&outputs, 1}, of_bias)) ||
      !find_activation(cx, activation, low, high, results.activation) || !resize(cx, out, sizes)) {
    return false;
  }
  const int64_t row = any_row && !other ? std::max(row_of(out), outputs) : outputs;
  if (!lies_right(cx, "the result", out, is_image, type, is_image ? row : 0)) return false;
  if (other) {
    REQUIRE(cx, other->sizes() == sizes, false, "what is added has shape %s, and the result has %s",
            ShapeText(other->sizes()).text, ShapeText(sizes).text);
    if (!lies_right(cx, "what is added", *other, is_image, type)) return false;
  }
  results.out = static_cast<float*>(out.mutable_data_ptr());
  results.bias = bias ? static_cast<const float*>(bias->const_data_ptr()) : nullptr;
  results.other = other ? static_cast<const float*>(other->const_data_ptr()) : nullptr;
  results.row = row;
  return true;
}

bool Packed::plan_rows(Context& cx, Ints weight_sizes, int64_t outputs, Tensor& out, Results& results) const {
  SizesType sizes[kTensorDimensionLimit];
  const size_t rank = input.sizes().size();
  std::copy_n(input.sizes().begin(), rank, sizes);
  sizes[rank - 1] = static_cast<SizesType>(outputs);
  return plan(cx, weight_sizes, outputs, {sizes, rank}, false, out, results);
}

bool Images::plan(Context& cx, const Tensor& input, int64_t outputs, Ints kernel_size, Ints strides, Ints pads,
                  Ints dilations, SizesType (&sizes)[4]) {
  const bool are_all = input.dim() == 4 && kernel_size.size() == 2 && strides.size() == 2 && pads.size() == 4 &&
                       dilations.size() == 2 && outputs >= 0 && outputs <= INT32_MAX;
  REQUIRE(cx, are_all, false,
          "an input of shape %s, %" PRId64 " outputs, and %zu, %zu, %zu and %zu numbers for kernel, stride, "
          "padding and dilation are no convolution of images", ShapeText(input.sizes()).text, outputs,
          kernel_size.size(), strides.size(), pads.size(), dilations.size());
  images = input.size(0), channels = input.size(1);
  sizes[0] = input.sizes()[0], sizes[1] = static_cast<SizesType>(outputs);
  for (int d = 0; d < 2; ++d) {
    const size_t i = static_cast<size_t>(d);
    in[d] = input.size(2 + d);
    kernel[d] = kernel_size[i], stride[d] = strides[i], dilation[d] = dilations[i];
    padding[d] = pads[2 * i], behind[d] = pads[2 * i + 1];
    constexpr int64_t most = INT32_MAX;
    const bool is_valid = kernel[d] >= 1 && stride[d] >= 1 && padding[d] >= 0 && behind[d] >= 0 && dilation[d] >= 1 &&
                          kernel[d] <= most && stride[d] <= most && padding[d] <= most && behind[d] <= most &&
                          dilation[d] <= most;
    const int64_t room = is_valid ? in[d] + padding[d] + behind[d] - dilation[d] * (kernel[d] - 1) - 1 : -1;
    REQUIRE(cx, room >= 0 && room / stride[d] < most, false,
            "a kernel of %" PRId64 " points at stride %" PRId64 ", padding %" PRId64 " and %" PRId64
            ", and dilation %" PRId64 " does not fit dim %d of size %" PRId64,
            kernel[d], stride[d], padding[d], behind[d], dilation[d], d + 2, in[d]);
    out[d] = room / stride[d] + 1;
    sizes[2 + d] = static_cast<SizesType>(out[d]);
  }
  return true;
}

}  // namespace tenon::native
