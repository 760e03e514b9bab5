// Convolutions whose results are some channels of a wider image, so that several need not be joined.
#include "../generated/kernels.h"
#include "packed.h"

namespace tenon::native {

namespace {

// Channels [first, first + outputs) of `channels`; the others are those of `wide`, where that lies already if it can.
struct Wide {
  const Maybe<Tensor>& wide;
  int64_t channels, first, outputs;

  // Calls convolve(part), whose result is these channels.
  template <class Convolve>
  Tensor& fill(Context& cx, const SizesType (&part_sizes)[4], Tensor& out, const Convolve& convolve) const {
    REQUIRE(cx, first >= 0 && outputs <= channels && first <= channels - outputs && channels <= INT32_MAX, out,
            "channels from %" PRId64 " on, %" PRId64 " of them, are not inside of %" PRId64, first, outputs, channels);
    SizesType sizes[] = {part_sizes[0], static_cast<SizesType>(channels), part_sizes[2], part_sizes[3]};
    if (!resize(cx, out, {sizes, 4}) || !lies_right(cx, "the result", out, true)) return out;
    if (wide && !take(cx, {sizes, 4}, out)) return out;
    sizes[1] = static_cast<SizesType>(outputs);
    DimOrderType order[] = {0, 2, 3, 1};
    StridesType strides[] = {0, 1, 0, static_cast<StridesType>(channels)};
    strides[2] = strides[3] * sizes[3], strides[0] = strides[2] * sizes[2];
    TensorImpl impl(ScalarType::Float, 4, sizes, out.mutable_data_ptr<float>() + first, order, strides);
    Tensor part(&impl);
    convolve(part);
    return out;
  }
  bool take(Context& cx, ArrayRef<SizesType> sizes, Tensor& out) const {
    REQUIRE(cx, wide->sizes() == sizes, false, "what the other channels are of has shape %s, and the result has %s",
            ShapeText(wide->sizes()).text, ShapeText(sizes).text);
    if (!lies_right(cx, "what the other channels are of", *wide, true)) return false;
    const float* from = wide->const_data_ptr<float>();
    if (from != out.const_data_ptr<float>()) std::copy_n(from, out.numel(), out.mutable_data_ptr<float>());
    return true;
  }
};

}  // namespace

Tensor& convolution_into_out(Context& cx, const Maybe<Tensor>& wide, int64_t channels, int64_t first,
                             const Tensor& input, const Tensor& weight, const Maybe<Tensor>& bias, int64_t outputs,
                             Ints kernel, Ints stride, Ints padding, Ints dilation, std::string_view activation,
                             double low, double high, Tensor& out) {
  Images images;
  SizesType sizes[4];
  if (!images.plan(cx, input, outputs, kernel, stride, padding, dilation, sizes)) return out;
  return Wide{wide, channels, first, outputs}.fill(cx, sizes, out, [&](Tensor& part) {
    convolution_packed_out(cx, input, weight, bias, {}, outputs, kernel, stride, padding, dilation, activation, low, high,
                           part);
  });
}

Tensor& convolution_winograd_into_out(Context& cx, const Maybe<Tensor>& wide, int64_t channels, int64_t first,
                                      const Tensor& input, const Tensor& weight, const Maybe<Tensor>& bias,
                                      int64_t outputs, Ints padding, std::string_view activation, double low,
                                      double high, Tensor& out) {
  constexpr int64_t three[] = {3, 3}, one[] = {1, 1};
  Images images;
  SizesType sizes[4];
  if (!images.plan(cx, input, outputs, three, one, padding, one, sizes)) return out;
  return Wide{wide, channels, first, outputs}.fill(cx, sizes, out, [&](Tensor& part) {
    convolution_winograd_out(cx, input, weight, bias, {}, outputs, padding, activation, low, high, part);
  });
}

}  // namespace tenon::native
