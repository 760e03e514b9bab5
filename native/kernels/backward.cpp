// Gradients of pools and norms. Each element of a gradient is gathered from all that it went into, and rounded once.
#include "generated/kernels.h"
#include "pool.h"

namespace tenon::native {

namespace {

// --- pools ---------------------------------------------------------------------------------------------------------

// Resizes the result to the shape of the input. `sizes` are those of the last two dimensions of what was pooled, which
// is read here. All have one dtype, of the set.
bool plan_gradient(Context& cx, DTypeSet set, const Tensor& grad, const Tensor& self, const int64_t (&sizes)[3],
                   const Tensor* indices, Tensor& out, Volume& plan) {
  const size_t rank = self.sizes().size();
  if (!has_dtype(cx, self, set) || !has_same_dtype(cx, self, grad, out)) return false;
  if (indices && !has_dtype(cx, *indices, dtypes(ScalarType::Long))) return false;
  for (const Tensor* t : {&grad, indices ? indices : &grad}) {
    bool fits = t->sizes().size() == rank;
    for (size_t d = 0; fits && d < rank; ++d) {
      fits = t->sizes()[d] == (d + 2 < rank ? self.sizes()[d] : sizes[d + 3 - rank]);
    }
    REQUIRE(cx, fits, false, "shape %s is not that of a pool of shape %s", ShapeText(*t).text, ShapeText(self).text);
  }
  if (!resize(cx, out, self.sizes())) return false;
  plan.lay_out(2, grad, out, indices ? *indices : grad);
  return true;
}

// The windows, of `count`, that have an element among those they touch.
Span uses_of(const Window& window, size_t d, int64_t i, int64_t count) {
  const int64_t at = i + window.padding[d], reach = window.dilation[d] * (window.size[d] - 1);
  const int64_t begin = at <= reach ? 0 : (at - reach + window.stride[d] - 1) / window.stride[d];
  return {begin, std::min(at / window.stride[d] + 1, count), 1, 1};
}

// Each element is the sum of the gradients of what it went into, as `uses` says, each divided by divisor(at, y, x) for
// element `at` and result y, x; those of 0 are left out.
template <DTypeSet set, class Whole = void, class Uses, class Divisor>
void gather_gradient(const Tensor& grad, const Tensor& out, Volume& plan, const Uses& uses, const Divisor& divisor) {
  each_box(plan, uses, [&](const Span (&box)[3], const int64_t (&at)[3]) {
    compute_switch<Whole, set>(out.scalar_type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      T sum = 0;
      each_point(box, [&](int64_t z, int64_t y, int64_t x) {
        const int64_t by = divisor(at, y, x);
        if (by != 0) sum += read_one<T>(grad, plan.place(0, z, y, x)) / static_cast<T>(by);
      });
      write_one(out, plan.place(1, at), sum);
    });
  });
}

bool are_inside(Context& cx, const Tensor& indices, int64_t size) {
  const int64_t* at = indices.const_data_ptr<int64_t>();
  for (int64_t i = 0; i < indices.numel(); ++i) {
    REQUIRE(cx, at[i] >= 0 && at[i] < size, false,
            "index %" PRId64 " at position %" PRId64 " is outside of a plane of %" PRId64, at[i], i, size);
  }
  return true;
}

}  // namespace

Tensor& max_pool2d_with_indices_backward_grad_input(Context& cx, const Tensor& grad_output, const Tensor& self,
                                                    Ints kernel_size, Ints stride, Ints padding, Ints dilation,
                                                    bool ceil_mode, const Tensor& indices, Tensor& grad_input) {
  Window window;
  Volume plan;
  int64_t sizes[3];
  if (!take_window(cx, self, 2, kernel_size, stride, padding, dilation, ceil_mode, window, sizes) ||
      !plan_gradient(cx, FLOATS, grad_output, self, sizes, &indices, grad_input, plan) ||
      !are_inside(cx, indices, plan.out[1] * plan.out[2])) {
    return grad_input;
  }
  gather_gradient<FLOATS>(
      grad_output, grad_input, plan, [&](size_t d, int64_t i) { return uses_of(window, d, i, sizes[d]); },
      [&](const int64_t (&at)[3], int64_t y, int64_t x) -> int64_t {
        return indices.const_data_ptr<int64_t>()[plan.place(2, 0, y, x)] == at[1] * plan.out[2] + at[2];
      });
  return grad_input;
}

Tensor& avg_pool2d_backward_grad_input(Context& cx, const Tensor& grad_output, const Tensor& self, Ints kernel_size,
                                       Ints stride, Ints padding, bool ceil_mode, bool count_include_pad,
                                       Maybe<int64_t> divisor_override, Tensor& grad_input) {
  Window window;
  Volume plan;
  int64_t sizes[3];
  constexpr DTypeSet set = TENON_SELECTED(sets::floats | dtypes(ScalarType::Long));
  if (!take_window(cx, self, 2, kernel_size, stride, padding, 1, ceil_mode, window, sizes) ||
      !is_divisor(cx, divisor_override) ||
      !plan_gradient(cx, set, grad_output, self, sizes, nullptr, grad_input, plan)) {
    return grad_input;
  }
  const auto count = [&](size_t d, int64_t i) { return window.covered(d, i, plan.out[d], count_include_pad).count; };
  gather_gradient<set, int64_t>(
      grad_output, grad_input, plan, [&](size_t d, int64_t i) { return uses_of(window, d, i, sizes[d]); },
      [&](const int64_t (&)[3], int64_t y, int64_t x) {
        return divisor_override ? *divisor_override : count(1, y) * count(2, x);
      });
  return grad_input;
}

Tensor& _adaptive_avg_pool2d_backward_out(Context& cx, const Tensor& grad_output, const Tensor& self, Tensor& out) {
  Volume plan;
  if (!has_space(cx, self, 2) || !has_space(cx, grad_output, 2)) return out;
  const int64_t sizes[] = {1, grad_output.size(grad_output.dim() - 2), grad_output.size(grad_output.dim() - 1)};
  if (!plan_gradient(cx, FLOATS, grad_output, self, sizes, nullptr, out, plan)) return out;
  const auto count = [&](size_t d, int64_t i) { return part_of(i, plan.in[d], plan.out[d]).count; };
  gather_gradient<FLOATS>(
      grad_output, out, plan, [&](size_t d, int64_t i) { return part_of(i, plan.out[d], plan.in[d]); },
      [&](const int64_t (&)[3], int64_t y, int64_t x) { return count(1, y) * count(2, x); });
  return out;
}

// --- norms ---------------------------------------------------------------------------------------------------------

namespace {

// A tensor by the number of an element, in the order of the indices.
class InOrder {
 public:
  InOrder(const Tensor& t) : tensor_(t), is_plain_(is_plain(t)), strides_(t) {}
  int64_t place(int64_t number) const {
    int64_t offset = is_plain_ ? number : 0;
    for (size_t d = is_plain_ ? 0 : tensor_.sizes().size(); d-- > 0; number /= tensor_.sizes()[d]) {
      offset += number % tensor_.sizes()[d] * strides_[d];
    }
    return offset;
  }
  double operator[](int64_t number) const { return read_one<double>(tensor_, place(number)); }
  void set(int64_t number, double value) const { write_one(tensor_, place(number), value); }
  const Tensor& tensor() const { return tensor_; }

 private:
  const Tensor& tensor_;
  bool is_plain_;
  Strides strides_;
};

// Rows that were normalized. A group norm has several groups of channels, each channel with `inner` elements; a layer
// norm has one group, and a channel is one element.
struct NormalGradient {
  InOrder grad, input, mean, factor;
  const Tensor* weight;
  InOrder weights;  // if there is one
  int64_t rows, groups, channels, inner;  // channels: of a group

  int64_t length() const { return channels * inner; }
  double gradient(int64_t row, int64_t i) const { return grad[row * length() + i]; }
  double normal(int64_t row, int64_t i) const { return (input[row * length() + i] - mean[row]) * factor[row]; }
  double scale(int64_t row, int64_t channel) const { return weight ? weights[row % groups * channels + channel] : 1; }
};

// In torch's order, so that infinities and the sign of 0 are as there: a factor for the gradient, one for the input.
void write_input_gradient(const NormalGradient& x, const InOrder& out) {
  const double part = 1 / static_cast<double>(x.length());
  for (int64_t row = 0; row < x.rows; ++row) {
    double sum = 0, product = 0;
    for (int64_t channel = 0; channel < x.channels; ++channel) {
      double plain = 0, times_input = 0;
      for (int64_t i = channel * x.inner; i < (channel + 1) * x.inner; ++i) {
        plain += x.gradient(row, i);
        times_input += x.gradient(row, i) * x.input[row * x.length() + i];
      }
      sum += plain * x.scale(row, channel);
      product += times_input * x.scale(row, channel);
    }
    const double mean = x.mean[row], factor = x.factor[row];
    const double slope = (sum * mean - product) * factor * factor * factor * part;
    const double shift = -slope * mean - sum * factor * part;
    for (int64_t i = 0; i < x.length(); ++i) {
      const int64_t at = row * x.length() + i;
      out.set(at, factor * x.scale(row, i / x.inner) * x.gradient(row, i) + slope * x.input[at] + shift);
    }
  }
}

void write_channel_gradient(const NormalGradient& x, bool is_weight, const InOrder& out) {
  for (int64_t channel = 0; channel < x.groups * x.channels; ++channel) {
    double sum = 0;
    for (int64_t row = channel / x.channels; row < x.rows; row += x.groups) {
      for (int64_t i = 0; i < x.inner; ++i) {
        const int64_t at = channel % x.channels * x.inner + i;
        sum += x.gradient(row, at) * (is_weight ? x.normal(row, at) : 1);
      }
    }
    out.set(channel, sum);
  }
}

// The three gradients, as far as they are wanted.
template <DTypeSet set>
void normal_gradients(Context& cx, const NormalGradient& x, ArrayRef<SizesType> channel_shape, ArrayRef<bool> wanted,
                      Tensor& out0, Tensor& out1, Tensor& out2) {
  const int64_t elements = x.rows * x.length(), channels = x.groups * x.channels;
  REQUIRE(cx, wanted.size() == 3, , "output_mask has %zu answers for 3 results", wanted.size());
  const Tensor &grad = x.grad.tensor(), &input = x.input.tensor(), &mean = x.mean.tensor(), &factor = x.factor.tensor();
  const bool fits = input.numel() == elements && grad.numel() == elements && mean.numel() == x.rows &&
                    factor.numel() == x.rows && (!x.weight || x.weight->numel() == channels);
  REQUIRE(cx, fits, , "gradients of shape %s do not go with an input of shape %s", ShapeText(grad).text,
          ShapeText(input).text);
  for (const Tensor* t : {&grad, &input, &mean, &factor, x.weight}) {
    if (t && !has_dtype(cx, *t, set)) return;
  }
  Tensor* outs[] = {&out0, &out1, &out2};
  for (size_t k = 0; k < 3; ++k) {
    if (!wanted[k]) continue;
    if (!has_dtype(cx, *outs[k], set) || !resize(cx, *outs[k], k ? channel_shape : input.sizes())) return;
    if (k == 0) write_input_gradient(x, *outs[k]);
    else write_channel_gradient(x, k == 1, *outs[k]);
  }
}

}  // namespace

Triple native_layer_norm_backward_out(Context& cx, const Tensor& grad_out, const Tensor& input, Ints normalized_shape,
                                      const Tensor& mean, const Tensor& rstd, const Maybe<Tensor>& weight,
                                      const Maybe<Tensor>&, ArrayRef<bool> output_mask, Tensor& out0, Tensor& out1,
                                      Tensor& out2) {
  const Triple outs(out0, out1, out2);
  const size_t rank = input.sizes().size(), inner = normalized_shape.size();
  const bool fits = inner > 0 && inner <= rank &&
                    std::equal(normalized_shape.begin(), normalized_shape.end(), input.sizes().end() - inner);
  REQUIRE(cx, fits, outs, "the shape to normalize is not the end of shape %s", ShapeText(input).text);
  int64_t rows = 1, count = 1;
  for (size_t d = 0; d < rank; ++d) (d < rank - inner ? rows : count) *= input.sizes()[d];
  const Tensor* scale = weight ? &*weight : nullptr;
  const NormalGradient x{grad_out, input, mean, rstd, scale, scale ? *scale : mean, rows, 1, count, 1};
  normal_gradients<FLOATS>(cx, x, {input.sizes().data() + rank - inner, inner}, output_mask, out0, out1, out2);
  return outs;
}

Triple native_group_norm_backward_out(Context& cx, const Tensor& grad_out, const Tensor& input, const Tensor& mean,
                                      const Tensor& rstd, const Maybe<Tensor>& weight, int64_t N, int64_t C,
                                      int64_t HxW, int64_t group, ArrayRef<bool> output_mask, Tensor& out0,
                                      Tensor& out1, Tensor& out2) {
  const Triple outs(out0, out1, out2);
  REQUIRE(cx, group > 0 && C >= 0 && C % group == 0, outs,
          "%" PRId64 " channels are not %" PRId64 " groups of one size", C, group);
  const SizesType shape[] = {static_cast<SizesType>(C)};
  const Tensor* scale = weight ? &*weight : nullptr;
  const NormalGradient x{grad_out, input, mean, rstd, scale, scale ? *scale : mean, N * group, group, C / group, HxW};
  normal_gradients<FLOATS>(cx, x, shape, output_mask, out0, out1, out2);
  return outs;
}

}  // namespace tenon::native
