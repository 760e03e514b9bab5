// Linear layers with packed weights.
#include "generated/kernels.h"
#include "packed.h"

namespace tenon::native {

Tensor& linear_packed_out(Context& cx, const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                          const std::optional<Tensor>& other, int64_t outputs, std::string_view activation, double low,
                          double high, Tensor& out) {
  const size_t rank = input.sizes().size();
  ET_KERNEL_CHECK_MSG(cx, rank > 0 && outputs >= 0 && outputs <= INT32_MAX, InvalidArgument, out,
                      "an input of shape %s has no %" PRId64 " outputs", ShapeText(input.sizes()).text, outputs);
  const int64_t depth = input.size(input.dim() - 1);
  const int64_t panels[] = {panel_count(outputs), depth, panel_width};
  SizesType sizes[kTensorDimensionLimit];
  std::copy_n(input.sizes().begin(), rank, sizes);
  sizes[rank - 1] = static_cast<SizesType>(outputs);
  const Packed packed{input, weight, bias, other, activation, low, high};
  Results results;
  if (!packed.plan(cx, panels, outputs, {sizes, rank}, false, out, results) || out.numel() == 0) return out;
  const Left left{input.const_data_ptr<float>(), depth, depth, 1, nullptr, nullptr};
  multiply_panels(out.numel() / outputs, outputs, left, weight.const_data_ptr<float>(), results);
  return out;
}

}  // namespace tenon::native
