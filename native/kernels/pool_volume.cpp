// Pooling over the last one or three dimensions, or two of an adaptive maximum: of the three that are gone over, those
// that are not there have size 1.
#include <algorithm>
#include <limits>

#include "pool.h"

namespace tenon::native {

namespace {

struct Volume {
  int64_t in[3], out[3], in_step[3], out_step[3], also_step[3];
  Odometer<3> planes;  // strides of: input, result, second result
};

// Resizes the results to these sizes of their last n dimensions.
template <size_t n>
bool plan_volume(Context& cx, const Tensor& in, const int64_t (&sizes)[n], Tensor& out, Tensor* second, Volume& plan) {
  const size_t rank = in.sizes().size();
  SizesType shape[n + 2];
  for (size_t d = 0; d < rank; ++d) {
    shape[d] = d + n < rank ? in.sizes()[d] : static_cast<SizesType>(sizes[d + n - rank]);
  }
  if (!resize(cx, out, {shape, rank}) || (second && !resize(cx, *second, {shape, rank}))) return false;
  const Strides from(in), to(out), also(second ? *second : out);
  for (size_t d = 0; d < 3; ++d) {
    const bool is_there = d + n >= 3;
    const size_t own = is_there ? rank - 3 + d : 0;
    plan.in[d] = is_there ? in.sizes()[own] : 1, plan.out[d] = is_there ? shape[own] : 1;
    plan.in_step[d] = from[own], plan.out_step[d] = to[own], plan.also_step[d] = also[own];
  }
  for (size_t d = 0; d + n < rank; ++d) plan.planes.add(in.sizes()[d], from[d], to[d], also[d]);
  return true;
}

// Calls work(input, result, second, at) with the offsets of a plane, for each point of the result.
template <class Work>
void each_point(Volume& plan, const Work& work) {
  for (int64_t left = plan.planes.start(); left > 0; --left, plan.planes.next()) {
    for (int64_t z = 0; z < plan.out[0]; ++z) {
      for (int64_t y = 0; y < plan.out[1]; ++y) {
        for (int64_t x = 0; x < plan.out[2]; ++x) {
          const int64_t at[3] = {z, y, x};
          int64_t to = plan.planes.offset[1], also = plan.planes.offset[2];
          for (int d = 0; d < 3; ++d) to += at[d] * plan.out_step[d], also += at[d] * plan.also_step[d];
          work(plan.planes.offset[0], to, also, at);
        }
      }
    }
  }
}

// --- the mean ------------------------------------------------------------------------------------------------------

// What a window covers of one dimension, and how many elements it counts as.
struct Span {
  int64_t begin, end, count;
};

// Boxes of the input, of which `span_of(d, i)` is one side: their sums, divided by the product of counts or `divisor`.
template <DTypeSet set, class SpanOf>
void average_boxes(Context& cx, const Tensor& in, const Tensor& out, Volume& plan, std::optional<int64_t> divisor,
                   const SpanOf& span_of) {
  visit_stored<set>(cx, in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    each_point(plan, [&](int64_t plane, int64_t to, int64_t, const int64_t (&at)[3]) {
      const Span box[3] = {span_of(0, at[0]), span_of(1, at[1]), span_of(2, at[2])};
      Computed<T> sum = 0;
      bool is_empty = true;
      for (int64_t z = box[0].begin; z < box[0].end; ++z) {
        for (int64_t y = box[1].begin; y < box[1].end; ++y) {
          const T* row = in.const_data_ptr<T>() + plane + z * plan.in_step[0] + y * plan.in_step[1];
          for (int64_t x = box[2].begin; x < box[2].end; ++x) {
            sum += static_cast<Computed<T>>(row[x * plan.in_step[2]]);
            is_empty = false;
          }
        }
      }
      const int64_t count = divisor ? *divisor : box[0].count * box[1].count * box[2].count;
      is_empty = is_empty && (plan.in[2] || std::is_integral_v<T>);  // the mean of no floats is not a number
      out.mutable_data_ptr<T>()[to] = convert<T>(is_empty ? sum : sum / static_cast<Computed<T>>(count));
    });
  });
}

template <size_t n, DTypeSet set>
Tensor& average_windows(Context& cx, const Tensor& self, ArrayRef<int64_t> kernel_size, ArrayRef<int64_t> stride,
                        ArrayRef<int64_t> padding, bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor,
                        Tensor& out) {
  Window<n> window;
  Volume plan;
  int64_t sizes[n];
  if (!take_window(cx, self, kernel_size, stride, padding, 1, ceil_mode, window, sizes) || !has_dtype(cx, self, set) ||
      !has_same_dtype(cx, self, out)) {
    return out;
  }
  ET_KERNEL_CHECK_MSG(cx, !divisor || *divisor != 0, InvalidArgument, out, "divisor_override is 0");
  if (!plan_volume(cx, self, sizes, out, nullptr, plan)) return out;
  average_boxes<set>(cx, self, out, plan, divisor, [&](size_t d, int64_t i) {
    if (d + n < 3) return Span{0, 1, 1};
    const size_t own = d + n - 3;
    const int64_t begin = i * window.stride[own] - window.padding[own];
    // What is beyond the padding counts never: ceil_mode lets a window reach there.
    const int64_t end = std::min(begin + window.size[own], plan.in[d] + window.padding[own]);
    const Span inside{std::max<int64_t>(begin, 0), std::min(end, plan.in[d]), 0};
    return Span{inside.begin, inside.end, count_include_pad ? end - begin : inside.end - inside.begin};
  });
  return out;
}

// As many parts of each dimension as the result has places.
template <size_t n>
bool plan_parts(Context& cx, const Tensor& self, ArrayRef<int64_t> output_size, Tensor& out, Tensor* second,
                Volume& plan) {
  int64_t sizes[n];
  if (!has_space<n>(cx, self) || !take_each(cx, "output_size", output_size, 0, sizes)) return false;
  if (!has_same_dtype(cx, self, out)) return false;
  const bool is_mean = n == 1 && sizes[0] == 1 && isFloatingType(self.scalar_type());  // also of nothing, as in torch
  for (ptrdiff_t d = self.dim() - static_cast<ptrdiff_t>(n); d < self.dim(); ++d) {
    ET_KERNEL_CHECK_MSG(cx, self.size(d) > 0 || is_mean, InvalidArgument, false, "dim %zd of shape %s is empty", d,
                        ShapeText(self.sizes()).text);
  }
  return plan_volume(cx, self, sizes, out, second, plan) && out.numel() > 0;
}

Span part_of(const Volume& plan, size_t d, int64_t i) {
  const int64_t begin = i * plan.in[d] / plan.out[d];
  const int64_t end = ((i + 1) * plan.in[d] + plan.out[d] - 1) / plan.out[d];
  return {begin, end, end - begin};
}

template <size_t n, DTypeSet set>
Tensor& average_parts(Context& cx, const Tensor& self, ArrayRef<int64_t> output_size, Tensor& out) {
  Volume plan;
  if (!plan_parts<n>(cx, self, output_size, out, nullptr, plan)) return out;
  average_boxes<set>(cx, self, out, plan, std::nullopt, [&](size_t d, int64_t i) { return part_of(plan, d, i); });
  return out;
}

}  // namespace

Tensor& avg_pool1d_out(Context& cx, const Tensor& self, ArrayRef<int64_t> kernel_size, ArrayRef<int64_t> stride,
                       ArrayRef<int64_t> padding, bool ceil_mode, bool count_include_pad, Tensor& out) {
  return average_windows<1, NUMBERS>(cx, self, kernel_size, stride, padding, ceil_mode, count_include_pad, std::nullopt,
                                     out);
}

Tensor& avg_pool3d_out(Context& cx, const Tensor& self, ArrayRef<int64_t> kernel_size, ArrayRef<int64_t> stride,
                       ArrayRef<int64_t> padding, bool ceil_mode, bool count_include_pad,
                       std::optional<int64_t> divisor_override, Tensor& out) {
  return average_windows<3, NUMBERS>(cx, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                                     divisor_override, out);
}

Tensor& adaptive_avg_pool1d_out(Context& cx, const Tensor& self, ArrayRef<int64_t> output_size, Tensor& out) {
  return average_parts<1, NUMBERS>(cx, self, output_size, out);
}

Tensor& _adaptive_avg_pool3d_out(Context& cx, const Tensor& self, ArrayRef<int64_t> output_size, Tensor& out) {
  return average_parts<3, NUMBERS>(cx, self, output_size, out);
}

// --- the largest ---------------------------------------------------------------------------------------------------

namespace {

// What a window covers of one dimension: every `step`th.
struct Strip {
  int64_t begin, end, step;
};

// The largest of boxes of the input, of which `strip_of(d, i)` is one side, and its place in a plane.
template <DTypeSet set, class StripOf>
void largest_of_boxes(Context& cx, const Tensor& self, Tensor& out, Tensor& indices, Volume& plan,
                      const StripOf& strip_of) {
  visit_stored<set>(cx, self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Limits = std::numeric_limits<std::conditional_t<std::is_integral_v<T>, T, Computed<T>>>;
    each_point(plan, [&](int64_t plane, int64_t to, int64_t also, const int64_t (&at)[3]) {
      const Strip box[3] = {strip_of(0, at[0]), strip_of(1, at[1]), strip_of(2, at[2])};
      Computed<T> best = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
      int64_t place = (box[0].begin * plan.in[1] + box[1].begin) * plan.in[2] + box[2].begin;
      for (int64_t z = box[0].begin; z < box[0].end; z += box[0].step) {
        for (int64_t y = box[1].begin; y < box[1].end; y += box[1].step) {
          const T* row = self.const_data_ptr<T>() + plane + z * plan.in_step[0] + y * plan.in_step[1];
          for (int64_t x = box[2].begin; x < box[2].end; x += box[2].step) {
            const Computed<T> value = static_cast<Computed<T>>(row[x * plan.in_step[2]]);
            // What is not a number is larger than any, as in torch.
            if (value > best || value != value) best = value, place = (z * plan.in[1] + y) * plan.in[2] + x;
          }
        }
      }
      out.mutable_data_ptr<T>()[to] = convert<T>(best);
      indices.mutable_data_ptr<int64_t>()[also] = place;
    });
  });
}

}  // namespace

std::tuple<Tensor&, Tensor&> max_pool3d_with_indices_out(Context& cx, const Tensor& self, ArrayRef<int64_t> kernel_size,
                                                         ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                                         ArrayRef<int64_t> dilation, bool ceil_mode, Tensor& out,
                                                         Tensor& indices) {
  const std::tuple<Tensor&, Tensor&> outs(out, indices);
  Window<3> window;
  Volume plan;
  int64_t sizes[3];
  if (!take_window(cx, self, kernel_size, stride, padding, dilation, ceil_mode, window, sizes) ||
      !has_dtype(cx, self, NUMBERS) || !has_same_dtype(cx, self, out) ||
      !has_dtype(cx, indices, dtypes(ScalarType::Long)) || !plan_volume(cx, self, sizes, out, &indices, plan)) {
    return outs;
  }
  largest_of_boxes<NUMBERS>(cx, self, out, indices, plan, [&](size_t d, int64_t i) {
    const int64_t first = i * window.stride[d] - window.padding[d], step = window.dilation[d];
    const int64_t begin = first >= 0 ? first : first + (step - 1 - first) / step * step;
    return Strip{begin, std::min(first + window.size[d] * step, plan.in[d]), step};
  });
  return outs;
}

std::tuple<Tensor&, Tensor&> adaptive_max_pool2d_out(Context& cx, const Tensor& self, ArrayRef<int64_t> output_size,
                                                     Tensor& out, Tensor& indices) {
  const std::tuple<Tensor&, Tensor&> outs(out, indices);
  Volume plan;
  if (!has_dtype(cx, indices, dtypes(ScalarType::Long)) ||
      !has_dtype(cx, self, FLOATS) || !plan_parts<2>(cx, self, output_size, out, &indices, plan)) {
    return outs;
  }
  largest_of_boxes<FLOATS>(cx, self, out, indices, plan, [&](size_t d, int64_t i) {
    const Span part = part_of(plan, d, i);
    return Strip{part.begin, part.end, 1};
  });
  return outs;
}

}  // namespace tenon::native
