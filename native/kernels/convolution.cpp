// What a convolution is, and the one of any dtype and any strides.
#include "convolution.h"

#include "generated/kernels.h"

namespace tenon::native {

// --- geometry ------------------------------------------------------------------------------------------------------

ImageStrides image_strides(const Tensor& t) {
  const Strides strides(t);
  ImageStrides found{strides[0], strides[1], {0, 0, 0}};
  const size_t space = t.sizes().size() - 2;
  for (size_t d = 0; d < space; ++d) found.point[3 - space + d] = strides[2 + d];
  // A dimension of size 1 has any stride; one that continues those inside lets more be even.
  for (size_t d = 3; d-- > 3 - space;) {
    const size_t own = d + space - 1;
    if (t.sizes()[own] == 1 && d < 2) found.point[d] = found.point[d + 1] * t.sizes()[own + 1];
  }
  return found;
}

bool plan_convolution(Context& cx, const Tensor& input, const Tensor& weight, Ints stride, Ints padding, Ints dilation,
                      bool transposed, Ints output_padding, int64_t groups, Geometry& g, SizesType (&sizes)[5]) {
  const size_t rank = input.sizes().size();
  REQUIRE(cx, rank >= 3 && rank <= 5 && weight.sizes().size() == rank, false,
          "an input of shape %s and weights of shape %s: both have 3, 4 or 5 dimensions", ShapeText(input).text,
          ShapeText(weight).text);
  const int64_t inputs = input.size(1), one = weight.size(0), other = weight.size(1);
  REQUIRE(cx, groups > 0 && one % groups == 0 && (transposed ? one == inputs : other * groups == inputs), false,
          "weights of shape %s in %" PRId64 " groups are not for %" PRId64 " channels", ShapeText(weight).text, groups,
          inputs);
  const size_t space = rank - 2;
  g = {input.size(0), groups, inputs / groups, transposed ? other : one / groups, {1, 1, 1}, {1, 1, 1}, {1, 1, 1},
       {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {}, {}, {}, transposed};
  int64_t more[3] = {0, 0, 0};
  if (!take_each(cx, "stride", stride, 1, space, g.stride) || !take_each(cx, "padding", padding, 0, space, g.padding) ||
      !take_each(cx, "dilation", dilation, 1, space, g.dilation) ||
      (transposed && !take_each(cx, "output_padding", output_padding, 0, space, more))) {
    return false;
  }
  // From no channels torch makes none.
  sizes[0] = input.sizes()[0], sizes[1] = static_cast<SizesType>(inputs ? g.outputs * groups : 0);
  for (size_t d = 3 - space, own = 2; own < rank; ++d, ++own) {
    g.in[d] = input.size(static_cast<ptrdiff_t>(own));
    g.kernel[d] = weight.size(static_cast<ptrdiff_t>(own));
    const int64_t reach = g.dilation[d] * (g.kernel[d] - 1) + 1;
    const int64_t room = g.in[d] + 2 * g.padding[d] - reach;
    g.out[d] = transposed ? (g.in[d] - 1) * g.stride[d] - 2 * g.padding[d] + reach + more[d] : room / g.stride[d] + 1;
    REQUIRE(cx, g.kernel[d] > 0 && (transposed || room >= 0) && g.out[d] >= 0 && g.out[d] <= INT32_MAX, false,
            "a kernel that reaches over %" PRId64 " points does not fit dim %zu of size %" PRId64 " with padding %"
            PRId64, reach, own, g.in[d], g.padding[d]);
    sizes[own] = static_cast<SizesType>(g.out[d]);
  }
  g.from = image_strides(input), g.weight = image_strides(weight);
  return true;
}

// --- which ---------------------------------------------------------------------------------------------------------

Tensor& convolution_out(Context& cx, const Tensor& input, const Tensor& weight, const Maybe<Tensor>& bias, Ints stride,
                        Ints padding, Ints dilation, bool transposed, Ints output_padding, int64_t groups,
                        Tensor& out) {
  Geometry g;
  SizesType sizes[5];
  if (!plan_convolution(cx, input, weight, stride, padding, dilation, transposed, output_padding, groups, g, sizes) ||
      !has_same_dtype(cx, weight, input) || !has_same_dtype(cx, out, input)) {
    return out;
  }
  if (bias) {
    if (!has_same_dtype(cx, *bias, input)) return out;
    REQUIRE(cx, bias->dim() == 1 && bias->size(0) == g.outputs * groups, out,
            "a bias of shape %s is not for %" PRId64 " channels", ShapeText(*bias).text, g.outputs * groups);
  }
  if (!resize(cx, out, {sizes, input.sizes().size()})) return out;
  if (out.numel() == 0 || !has_dtype(cx, input, NUMBERS)) return out;
  g.to = image_strides(out);

  if (contains(NUMBERS, ScalarType::Float) && input.scalar_type() == ScalarType::Float) {
    FloatConvolution fast(g);
    fast.input = input.const_data_ptr<float>(), fast.weights = weight.const_data_ptr<float>();
    fast.bias = bias ? bias->const_data_ptr<float>() : nullptr, fast.output = out.mutable_data_ptr<float>();
    if (convolve_float(fast)) return out;
  }
  AnyConvolution any{g, &input, &weight, bias ? &*bias : nullptr, &out};
  compute_switch<uint64_t, NUMBERS>(input.scalar_type(), [&](auto tag) { any.run<typename decltype(tag)::type>(); });
  return out;
}

}  // namespace tenon::native
