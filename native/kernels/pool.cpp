// Pooling and nearest upsampling over the last two dimensions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "convolution.h"
#include "pool.h"

namespace tenon::native {

namespace {

// Planes of an image: height and width of both sides, and where the planes lie.
struct Planes {
  int64_t in[2], out[2], in_step[2], out_step[2], also_step[2];
  Odometer<3> planes;  // strides of: input, result, second result
};

// Resizes the results to these sizes of their last two dimensions.
bool plan_planes(Context& cx, const Tensor& in, const int64_t (&sizes)[2], Tensor& out, Tensor* second, Planes& plan) {
  const size_t rank = in.sizes().size();
  SizesType shape[4];
  for (size_t d = 0; d < rank; ++d) {
    shape[d] = d + 2 < rank ? in.sizes()[d] : static_cast<SizesType>(sizes[d + 2 - rank]);
  }
  if (!resize(cx, out, {shape, rank}) || (second && !resize(cx, *second, {shape, rank}))) return false;
  const Strides from(in), to(out), also(second ? *second : out);
  for (size_t d = 0; d < 2; ++d) {
    const size_t own = rank - 2 + d;
    plan.in[d] = in.sizes()[own], plan.out[d] = sizes[d];
    plan.in_step[d] = from[own], plan.out_step[d] = to[own], plan.also_step[d] = also[own];
  }
  for (size_t d = 0; d + 2 < rank; ++d) plan.planes.add(in.sizes()[d], from[d], to[d], also[d]);
  return true;
}

// --- the largest ---------------------------------------------------------------------------------------------------

// A row of the result at a time: each tap is compared with all of it at once.
template <class T>
struct MaxPlanes {
  static constexpr int64_t room = 128;
  const Planes& plan;
  const Window<2>& window;
  const Tensor &in, &out, &places;
  T worst;

  template <bool wide>
  ET_INLINE void row(const int64_t (&plane)[3], int64_t y, int64_t first, int64_t count) const {
    using V = typename Vector<T, wide>::type;
    using Places = decltype(V{} > V{});  // whole numbers of the same size
    using Place = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    constexpr int64_t lanes = Vector<T, wide>::lanes;
    T best[room], values[room], buffer[room];
    Place found[room];
    std::fill_n(best, room, worst);
    std::fill_n(values, room, T(0));
    for (int64_t x = 0; x < count; ++x) found[x] = static_cast<Place>(start(0, y) * plan.in[1] + start(1, first + x));
    for (int64_t i = 0; i < window.size[0]; ++i) {
      const int64_t line = y * window.stride[0] - window.padding[0] + i * window.dilation[0];
      if (line < 0 || line >= plan.in[0]) continue;
      for (int64_t j = 0; j < window.size[1]; ++j) {
        const int64_t column = first * window.stride[1] - window.padding[1] + j * window.dilation[1];
        const Range x(count, window.stride[1], column, plan.in[1]);
        const int64_t begin = column + x.first * window.stride[1];
        const T* from = read(in, plane[0] + line * plan.in_step[0] + begin * plan.in_step[1],
                             window.stride[1] * plan.in_step[1], x.last - x.first, buffer);
        // What is outside of the input is never better.
        std::fill_n(values, x.first, worst);
        std::copy_n(from, x.last - x.first, values + x.first);
        std::fill(values + x.last, values + count, worst);
        Places place = {};
        for (int64_t l = 0; l < lanes; ++l) {
          place[l] = static_cast<Place>(line * plan.in[1] + column + l * window.stride[1]);
        }
        for (int64_t v = 0; v < count; v += lanes, place += static_cast<Place>(lanes * window.stride[1])) {
          const V value = load<V>(values + v), before = load<V>(best + v);
          const Places is_better = (value > before) | (value != value);
          store(best + v, is_better ? value : before);
          store(found + v, is_better ? place : load<Places>(found + v));
        }
      }
    }
    write(out, plane[1] + y * plan.out_step[0] + first * plan.out_step[1], plan.out_step[1], count, best);
    int64_t* to = places.mutable_data_ptr<int64_t>() + plane[2] + y * plan.also_step[0] + first * plan.also_step[1];
    for (int64_t x = 0; x < count; ++x) to[x * plan.also_step[1]] = found[x];
  }

  // The first tap of a window that is inside.
  ET_INLINE int64_t start(int d, int64_t i) const {
    const int64_t at = i * window.stride[d] - window.padding[d], dilation = window.dilation[d];
    return at >= 0 ? at : at + (dilation - 1 - at) / dilation * dilation;
  }

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    Odometer<3> planes = plan.planes;
    for (int64_t left = planes.start(); left > 0; --left, planes.next()) {
      for (int64_t y = 0; y < plan.out[0]; ++y) {
        for (int64_t x = 0; x < plan.out[1]; x += room) {
          row<Wide::value>(planes.offset, y, x, std::min(room, plan.out[1] - x));
        }
      }
    }
  }
};

// --- the mean ------------------------------------------------------------------------------------------------------

template <class T>
Computed<T> box_sum(const Planes& plan, const T* from, int64_t top, int64_t bottom, int64_t left, int64_t right) {
  Computed<T> sum = 0;
  for (int64_t i = top; i < bottom; ++i) {
    for (int64_t j = left; j < right; ++j) {
      sum += static_cast<Computed<T>>(from[i * plan.in_step[0] + j * plan.in_step[1]]);
    }
  }
  return sum;
}

// Rectangles of the input as `box(y, x)` says: their sums, divided by its count.
struct Box {
  int64_t top, bottom, left, right, count;
};
template <DTypeSet set, class BoxOf>
void average(Context& cx, const Tensor& in, const Tensor& out, Planes& plan, const BoxOf& box_of) {
  visit_stored<set>(cx, in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = plan.planes.start(); left > 0; --left, plan.planes.next()) {
      const T* from = in.const_data_ptr<T>() + plan.planes.offset[0];
      T* to = out.mutable_data_ptr<T>() + plan.planes.offset[1];
      for (int64_t y = 0; y < plan.out[0]; ++y) {
        for (int64_t x = 0; x < plan.out[1]; ++x) {
          const Box box = box_of(y, x);
          const Computed<T> sum = box_sum(plan, from, box.top, box.bottom, box.left, box.right);
          const bool is_empty = box.top >= box.bottom || box.left >= box.right;
          to[y * plan.out_step[0] + x * plan.out_step[1]] =
              is_empty ? convert<T>(Computed<T>(0)) : convert<T>(sum / static_cast<Computed<T>>(box.count));
        }
      }
    }
  });
}

}  // namespace

std::tuple<Tensor&, Tensor&> max_pool2d_with_indices_out(Context& cx, const Tensor& self, ArrayRef<int64_t> kernel_size,
                                                         ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                                         ArrayRef<int64_t> dilation, bool ceil_mode, Tensor& out,
                                                         Tensor& indices) {
  const std::tuple<Tensor&, Tensor&> outs(out, indices);
  Window<2> window;
  Planes plan;
  int64_t sizes[2];
  if (!take_window(cx, self, kernel_size, stride, padding, dilation, ceil_mode, window, sizes) ||
      !has_dtype(cx, self, NUMBERS) || !has_same_dtype(cx, self, out) ||
      !has_dtype(cx, indices, dtypes(ScalarType::Long)) || !plan_planes(cx, self, sizes, out, &indices, plan)) {
    return outs;
  }
  compute_switch<int64_t, NUMBERS>(self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Limits = std::numeric_limits<T>;
    const bool is_byte = self.scalar_type() == ScalarType::Byte;
    const T least = is_byte ? T(0) : static_cast<T>(INT64_MIN >> (64 - 8 * self.element_size()));  // of whole numbers
    const T worst = Limits::has_infinity ? -Limits::infinity() : least;
    run_vectorised<is_often<T>>(MaxPlanes<T>{plan, window, self, out, indices, worst});
  });
  return outs;
}

Tensor& avg_pool2d_out(Context& cx, const Tensor& self, ArrayRef<int64_t> kernel_size, ArrayRef<int64_t> stride,
                       ArrayRef<int64_t> padding, bool ceil_mode, bool count_include_pad,
                       std::optional<int64_t> divisor_override, Tensor& out) {
  Window<2> window;
  Planes plan;
  int64_t sizes[2];
  if (!take_window(cx, self, kernel_size, stride, padding, 1, ceil_mode, window, sizes) ||
      !has_same_dtype(cx, self, out)) {
    return out;
  }
  ET_KERNEL_CHECK_MSG(cx, !divisor_override || *divisor_override != 0, InvalidArgument, out, "divisor_override is 0");
  if (!plan_planes(cx, self, sizes, out, nullptr, plan)) return out;
  average<NUMBERS>(cx, self, out, plan, [&](int64_t y, int64_t x) {
    const int64_t top = y * window.stride[0] - window.padding[0], left = x * window.stride[1] - window.padding[1];
    // What is beyond the padding counts never: ceil_mode lets a window reach there.
    const int64_t bottom = std::min(top + window.size[0], plan.in[0] + window.padding[0]);
    const int64_t right = std::min(left + window.size[1], plan.in[1] + window.padding[1]);
    Box box{std::max<int64_t>(top, 0), std::min(bottom, plan.in[0]), std::max<int64_t>(left, 0),
            std::min(right, plan.in[1]), 0};
    box.count = divisor_override    ? *divisor_override
                : count_include_pad ? (bottom - top) * (right - left)
                                    : (box.bottom - box.top) * (box.right - box.left);
    return box;
  });
  return out;
}

Tensor& _adaptive_avg_pool2d_out(Context& cx, const Tensor& self, ArrayRef<int64_t> output_size, Tensor& out) {
  Planes plan;
  int64_t sizes[2];
  if (!has_space<2>(cx, self) || !take_each(cx, "output_size", output_size, 0, sizes) || !has_same_dtype(cx, self, out)) {
    return out;
  }
  for (ptrdiff_t d = self.dim() - 2; d < self.dim(); ++d) {
    ET_KERNEL_CHECK_MSG(cx, self.size(d) > 0, InvalidArgument, out, "dim %zd of shape %s is empty", d,
                        ShapeText(self.sizes()).text);
  }
  if (!plan_planes(cx, self, sizes, out, nullptr, plan) || out.numel() == 0) return out;
  average<NUMBERS>(cx, self, out, plan, [&](int64_t y, int64_t x) {
    const auto begin = [&](int d, int64_t i) { return i * plan.in[d] / plan.out[d]; };
    const auto end = [&](int d, int64_t i) { return ((i + 1) * plan.in[d] + plan.out[d] - 1) / plan.out[d]; };
    Box box{begin(0, y), end(0, y), begin(1, x), end(1, x), 0};
    box.count = (box.bottom - box.top) * (box.right - box.left);
    return box;
  });
  return out;
}

Tensor& upsample_nearest2d_vec_out(Context& cx, const Tensor& input, std::optional<ArrayRef<int64_t>> output_size,
                                   std::optional<ArrayRef<double>> scale_factors, Tensor& out) {
  ET_KERNEL_CHECK_MSG(cx, output_size.has_value() != scale_factors.has_value(), InvalidArgument, out,
                      "either output_size or scale_factors is needed");
  ET_KERNEL_CHECK_MSG(cx, input.dim() == 4, InvalidArgument, out, "an input of shape %s has not 4 dimensions",
                      ShapeText(input.sizes()).text);
  ET_KERNEL_CHECK_MSG(cx, output_size || scale_factors->size() == 2, InvalidArgument, out,
                      "scale_factors has %zu numbers for 2 dimensions", scale_factors->size());
  if (!has_dtype(cx, input, NUMBERS) || !has_same_dtype(cx, input, out)) return out;
  int64_t sizes[2];
  float steps[2];
  if (output_size && !take_each(cx, "output_size", *output_size, 1, sizes)) return out;
  for (size_t d = 0; d < 2; ++d) {
    const double have = static_cast<double>(input.size(2 + static_cast<ptrdiff_t>(d)));
    if (!output_size) {
      const double wanted = have * (*scale_factors)[d];
      ET_KERNEL_CHECK_MSG(cx, wanted >= 1 && wanted <= INT32_MAX, InvalidArgument, out,
                          "size %.0f cannot be scaled by %g", have, (*scale_factors)[d]);
      sizes[d] = static_cast<int64_t>(wanted);
    }
    // As float, as torch has it: which element is nearest depends on it.
    steps[d] = output_size ? static_cast<float>(have) / static_cast<float>(sizes[d])
                           : static_cast<float>(1.0 / (*scale_factors)[d]);
  }
  Planes plan;
  if (!plan_planes(cx, input, sizes, out, nullptr, plan)) return out;
  const auto nearest = [&](int d, int64_t i) {
    if (plan.out[d] == plan.in[d]) return i;
    if (plan.out[d] == 2 * plan.in[d]) return i / 2;
    return std::min(static_cast<int64_t>(std::floor(static_cast<float>(i) * steps[d])), plan.in[d] - 1);
  };
  width_switch<NUMBERS>(input.element_size(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = plan.planes.start(); left > 0; --left, plan.planes.next()) {
      const T* from = static_cast<const T*>(input.const_data_ptr()) + plan.planes.offset[0];
      T* to = static_cast<T*>(out.mutable_data_ptr()) + plan.planes.offset[1];
      for (int64_t y = 0; y < plan.out[0]; ++y) {
        const T* row = from + nearest(0, y) * plan.in_step[0];
        for (int64_t x = 0; x < plan.out[1]; ++x) {
          to[y * plan.out_step[0] + x * plan.out_step[1]] = row[nearest(1, x) * plan.in_step[1]];
        }
      }
    }
  });
  return out;
}

}  // namespace tenon::native
