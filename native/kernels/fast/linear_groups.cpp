// Linear layers whose weights are small whole numbers, scaled in groups of inputs.
#include "../generated/kernels.h"
#include "digits.h"

namespace tenon::native {

Tensor& linear_groups_out(Context& cx, const Tensor& input, const Tensor& weight, const Tensor& scales,
                          const Maybe<Tensor>& zeros, const Maybe<Tensor>& bias, const Maybe<Tensor>& other,
                          int64_t outputs, int64_t group, std::string_view activation, double low, double high,
                          Tensor& out) {
  REQUIRE(cx, input.dim() > 0 && outputs >= 0 && outputs <= INT32_MAX, out,
          "an input of shape %s has no %" PRId64 " outputs", ShapeText(input.sizes()).text, outputs);
  const ScalarType stored = weight.scalar_type();
  const bool is_int4 = stored == ScalarType::Int;
  REQUIRE(cx, is_int4 || stored == ScalarType::Char, out,
          "the weight is %s, and should be int8, or int32 of eight numbers each", dtype_name(stored));
  const int64_t depth = input.size(input.dim() - 1);
  REQUIRE(cx, group > 0 && depth % group == 0 && (!is_int4 || group % 8 == 0), out,
          "groups of %" PRId64 " do not divide %" PRId64 " inputs%s", group, depth,
          is_int4 ? " of 4 bits, eight of which are one number" : "");
  const int64_t count = panel_count(outputs), stored_rows = is_int4 ? depth / 8 : depth;
  const int64_t panels[] = {count, stored_rows, panel_width}, groups[] = {count, depth / group, panel_width};
  const Packed packed{input, weight, bias, other, activation, low, high, stored, input.scalar_type()};
  Results planned;
  if (!has_dtype(cx, input, FLOATS_TO_32) || !has_sizes(cx, "the scale", scales, groups) ||
      (zeros && !has_sizes(cx, "the zero point", *zeros, groups)) ||
      !packed.plan_rows(cx, panels, outputs, out, planned) || out.numel() == 0) {
    return out;
  }
  const Weights weights{weight.const_data_ptr(), depth, group, scales.const_data_ptr<float>(),
                        zeros ? zeros->const_data_ptr<float>() : nullptr};
  by_rows(cx, packed, depth, out, planned, [&](int64_t rows, const float* left, const Results& results) {
    multiply_groups(cx, is_int4, rows, outputs, left, weights, results);
  });
  return out;
}

}  // namespace tenon::native
