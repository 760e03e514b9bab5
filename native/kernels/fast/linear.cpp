// Linear layers with packed weights.
#include "../generated/kernels.h"
#include "narrow.h"

namespace tenon::native {

Tensor& linear_packed_out(Context& cx, const Tensor& input, const Tensor& weight, const Maybe<Tensor>& bias,
                          const Maybe<Tensor>& other, int64_t outputs, std::string_view activation, double low,
                          double high, Tensor& out) {
  REQUIRE(cx, input.dim() > 0 && outputs >= 0 && outputs <= INT32_MAX, out,
          "an input of shape %s has no %" PRId64 " outputs", ShapeText(input.sizes()).text, outputs);
  const int64_t depth = input.size(input.dim() - 1);
  const int64_t panels[] = {panel_count(outputs), depth, panel_width};
  const ScalarType stored = weight.scalar_type();
  const Packed packed{input, weight, bias, other, activation, low, high, stored, input.scalar_type()};
  Results planned;
  if (!has_dtype(cx, input, FLOATS_TO_32) || !has_dtype(cx, weight, FLOATS_TO_32) ||
      !packed.plan_rows(cx, panels, outputs, out, planned) || out.numel() == 0) {
    return out;
  }
  constexpr DTypeSet there = FLOATS_TO_32;
  by_rows(cx, packed, depth, out, planned, [&](int64_t rows, const float* from, const Results& results) {
    const Weights weights{weight.const_data_ptr(), depth};
    if constexpr (contains(there, ScalarType::Half)) {
      if (stored == ScalarType::Half) return void(multiply_narrow<OfHalf>(cx, rows, outputs, from, weights, results));
    }
    if constexpr (contains(there, ScalarType::BFloat16)) {
      if (stored == ScalarType::BFloat16) {
        return void(multiply_narrow<OfBFloat16>(cx, rows, outputs, from, weights, results));
      }
    }
    const Left left{from, depth, depth, 1, nullptr, nullptr};
    multiply_panels(rows, outputs, left, weight.const_data_ptr<float>(), results);
  });
  return out;
}

}  // namespace tenon::native
