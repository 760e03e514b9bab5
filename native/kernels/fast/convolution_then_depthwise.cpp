// A convolution and the depthwise one behind it, in one: rows between the two are made when they are needed, and used
// while they are in the cache. The image that they would be is never in memory.
#include <tenon/threads.h>

#include "../generated/kernels.h"
#include "depthwise.h"
#include "patches.h"

namespace tenon::native {

namespace {

struct Both {
  Patches first;
  Left left;
  const float* panels;
  Results made;  // by the first
  Depthwise second;
  int64_t height;  // rows of the result at a time

  // As many rows as the second cache holds beside the rest; those that these see.
  void plan_rows() {
    constexpr int64_t held_bytes = 128 * 1024;
    const int64_t row = std::max<int64_t>(second.in[1] * second.channels * 4, 1);
    const int64_t reach = second.dilation[0] * (second.kernel[0] - 1) + 1;
    height = std::clamp<int64_t>((held_bytes / row - reach) / second.stride[0] + 1, 1, second.out[0]);
    second.held = std::clamp<int64_t>((height - 1) * second.stride[0] + reach, 1, std::max<int64_t>(second.in[0], 1));
  }
  int64_t room() const { return second.held * second.in[1] * second.channels; }

  // Rows [y, last) of one image's result.
  void convolve_image(int64_t image, int64_t y, int64_t last, float* rows) const {
    Depthwise part = second;
    part.input = rows;
    part.results.out += image * second.out[0] * second.out[1] * second.channels;
    for (int64_t next = 0, end; y < last; y = end) {
      end = std::min(y + height, last);
      next = std::max(next, second.source(0, y, 0));
      const int64_t needed = std::min(second.source(0, end - 1, second.kernel[0] - 1) + 1, second.in[0]);
      for (int64_t run; next < needed; next += run) {
        const int64_t at = next % second.held, width = second.in[1];
        run = std::min(needed - next, second.held - at);
        make(image * second.in[0] + next, run, rows + at * width * second.channels);
      }
      convolve_depthwise(part, y, end);
    }
  }

  // Rows between the two.
  void make(int64_t row, int64_t count, float* to) const {
    Left from = left;
    from.start = row * second.in[1];
    Results results = made;
    results.out = to;
    multiply_some(0, count * second.in[1], 0, panel_count(second.channels), second.channels, from, panels, results);
  }

  // Rows [first_row, last_row) of the result, counted through all images.
  void convolve(int64_t first_row, int64_t last_row, float* rows) const {
    for (int64_t i = first_row, end; i < last_row; i = end) {
      const int64_t image = i / second.out[0], before = image * second.out[0];
      end = std::min(last_row, before + second.out[0]);
      convolve_image(image, i - before, end - before, rows);
    }
  }
};

}  // namespace

Tensor& convolution_then_depthwise_out(Context& cx, const Tensor& input, const Tensor& weight,
                                       const Maybe<Tensor>& bias, int64_t outputs, Ints kernel, Ints stride,
                                       Ints padding, Ints dilation, std::string_view activation, double low,
                                       double high, const Tensor& depthwise_weight, const Maybe<Tensor>& depthwise_bias,
                                       Ints depthwise_kernel, Ints depthwise_stride, Ints depthwise_padding,
                                       Ints depthwise_dilation, std::string_view depthwise_activation,
                                       double depthwise_low, double depthwise_high, Tensor& out) {
  Both both;
  SizesType between_sizes[4], sizes[4];
  if (!both.first.plan(cx, input, outputs, kernel, stride, padding, dilation, between_sizes)) return out;
  DimOrderType order[] = {0, 2, 3, 1};
  StridesType strides[] = {0, 1, 0, static_cast<StridesType>(outputs)};
  strides[2] = strides[3] * between_sizes[3], strides[0] = strides[2] * between_sizes[2];
  TensorImpl impl(ScalarType::Float, 4, between_sizes, nullptr, order, strides);
  const Tensor between(&impl);
  Depthwise& g = both.second;
  if (!g.plan(cx, between, outputs, depthwise_kernel, depthwise_stride, depthwise_padding, depthwise_dilation, sizes)) {
    return out;
  }
  const int64_t panels[] = {panel_count(outputs), both.first.taps() * both.first.channels, panel_width};
  const int64_t weight_sizes[] = {g.taps(), outputs};
  const Packed packed{between,       depthwise_weight, depthwise_bias, {}, depthwise_activation,
                      depthwise_low, depthwise_high};
  if (!has_sizes(cx, "the weight", weight, panels) || (bias && !has_sizes(cx, "the bias", *bias, {&outputs, 1})) ||
      (both.first.is_copied() ? !has_same_dtype(cx, input, weight) : !lies_right(cx, "the input", input, true)) ||
      !find_activation(cx, activation, low, high, both.made.activation) ||
      !has_sizes(cx, "the depthwise weight", depthwise_weight, weight_sizes) ||
      (depthwise_bias && !has_sizes(cx, "the depthwise bias", *depthwise_bias, {&outputs, 1})) ||
      !packed.plan(cx, weight_sizes, outputs, sizes, true, out, g.results) || out.numel() == 0 ||
      !both.first.prepare(cx, input, both.left)) {
    return out;
  }
  both.panels = weight.const_data_ptr<float>();
  both.made.row = outputs, both.made.other = nullptr;
  both.made.bias = bias ? bias->const_data_ptr<float>() : nullptr;
  both.plan_rows();

  const int64_t rows = g.images * g.out[0], room = both.room();
  const int64_t parts = std::min<int64_t>(thread_count(), rows);
  float* zeros = static_cast<float*>(cx.temporary(static_cast<size_t>(outputs + parts * room) * sizeof(float), 64));
  if (!zeros) return out;
  std::fill_n(zeros, outputs, 0.0f);
  g.weights = depthwise_weight.const_data_ptr<float>(), g.zeros = zeros;
  parallel(parts, 1, [&](int64_t first, int64_t last) {
    for (int64_t p = first; p < last; ++p) {
      both.convolve(rows * p / parts, rows * (p + 1) / parts, zeros + outputs + p * room);
    }
  });
  return out;
}

}  // namespace tenon::native
