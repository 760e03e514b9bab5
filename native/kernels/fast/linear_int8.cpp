// Linear layers and convolutions of 8-bit numbers with packed weights.
#include "../generated/kernels.h"
#include "int8_product.h"

namespace tenon::native {

Tensor& linear_int8_out(Context& cx, const Tensor& input, int64_t input_zero, const Tensor& weight,
                        const Tensor& scales, const Maybe<Tensor>& zeros, const Maybe<Tensor>& bias, int64_t outputs,
                        ScalarType dtype, int64_t zero, double low, double high, Tensor& out) {
  const size_t rank = input.sizes().size();
  REQUIRE(cx, rank > 0 && outputs >= 0 && outputs <= INT32_MAX, out, "an input of shape %s has no %" PRId64 " outputs",
          ShapeText(input.sizes()).text, outputs);
  SizesType sizes[kTensorDimensionLimit];
  std::copy_n(input.sizes().begin(), rank, sizes);
  sizes[rank - 1] = static_cast<SizesType>(outputs);
  const Packed8 packed{input, input_zero, weight, scales, zeros, bias, dtype, zero, low, high};
  const int64_t depth = input.size(input.dim() - 1);
  const int64_t panels[] = {panel_count(outputs), (depth + 3) / 4, panel_width, 4};
  Requantize results;
  if (!packed.plan(cx, panels, outputs, {sizes, rank}, false, out, results) || out.numel() == 0) return out;
  const int64_t rows = out.numel() / outputs;  // an image of one row, and a kernel of one point
  const Images g{1, depth, {1, rows}, {1, rows}, {1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}};
  multiply_int8(cx, g, true, packed, outputs, results);
  return out;
}

Tensor& convolution_int8_out(Context& cx, const Tensor& input, int64_t input_zero, const Tensor& weight,
                             const Tensor& scales, const Maybe<Tensor>& zeros, const Maybe<Tensor>& bias,
                             int64_t outputs, Ints kernel, Ints stride, Ints padding, Ints dilation, ScalarType dtype,
                             int64_t zero, double low, double high, Tensor& out) {
  Images g;
  SizesType sizes[4];
  if (!g.plan(cx, input, outputs, kernel, stride, padding, dilation, sizes)) return out;
  const Packed8 packed{input, input_zero, weight, scales, zeros, bias, dtype, zero, low, high};
  const Runs runs(g);
  const int64_t panels[] = {panel_count(outputs), runs.count * runs.quads(), panel_width, 4};
  Requantize results;
  // As in convolution_packed.cpp: an image of few channels is copied in any case, and so may lie in any order.
  constexpr int64_t few_channels = 8;
  if (!packed.plan(cx, panels, outputs, sizes, true, out, results, g.channels < few_channels) || out.numel() == 0) {
    return out;
  }
  multiply_int8(cx, g, false, packed, outputs, results);
  return out;
}

}  // namespace tenon::native
