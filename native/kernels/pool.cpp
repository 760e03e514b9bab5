// Pooling over the last one to three dimensions.
#include "pool.h"

#include <cmath>
#include <limits>

#include "convolution.h"
#include "generated/kernels.h"

namespace tenon::native {

// --- windows -------------------------------------------------------------------------------------------------------

void Volume::lay_out(size_t n, const Tensor& input, const Tensor& result, const Tensor& third) {
  const size_t rank = input.sizes().size();
  const Strides strides[] = {Strides(input), Strides(result), Strides(third)};
  for (size_t d = 0; d < 3; ++d) {
    const bool is_there = d + n >= 3;
    const size_t own = is_there ? rank - 3 + d : 0;
    in[d] = is_there ? input.sizes()[own] : 1, out[d] = is_there ? result.sizes()[own] : 1;
    for (size_t k = 0; k < 3; ++k) step[k][d] = strides[k][own];
  }
  for (size_t d = 0; d + n < rank; ++d) planes.add(input.sizes()[d], strides[0][d], strides[1][d], strides[2][d]);
}

bool has_space(Context& cx, const Tensor& in, size_t n) {
  const size_t rank = in.sizes().size();
  REQUIRE(cx, rank == n + 1 || rank == n + 2, false, "an input of shape %s has not %zu or %zu dimensions",
          ShapeText(in.sizes()).text, n + 1, n + 2);
  return true;
}

bool take_window(Context& cx, const Tensor& in, size_t n, Ints size, Ints stride, Ints padding, Ints dilation,
                 bool ceil_mode, Window& window, int64_t (&places)[3]) {
  if (!has_space(cx, in, n) || !take_each(cx, "kernel_size", size, 1, n, window.size) ||
      !take_each(cx, "stride", stride.empty() ? size : stride, 1, n, window.stride) ||
      !take_each(cx, "padding", padding, 0, n, window.padding) ||
      !take_each(cx, "dilation", dilation, 1, n, window.dilation)) {
    return false;
  }
  places[0] = places[1] = 1;
  for (size_t d = 3 - n; d < 3; ++d) {
    const int64_t have = in.sizes()[in.sizes().size() - 3 + d], step = window.stride[d], outside = window.padding[d];
    const int64_t room = have + 2 * outside - window.dilation[d] * (window.size[d] - 1) - 1;
    const int64_t last = room + (ceil_mode ? step - 1 : 0);
    places[d] = last / step + 1;
    // A window that begins in the padding behind is not there.
    if (ceil_mode && (places[d] - 1) * step >= have + outside) --places[d];
    REQUIRE(cx, last >= 0 && places[d] >= 1 && 2 * outside <= window.size[d], false,
            "a window of %" PRId64 " with padding %" PRId64 " and dilation %" PRId64 " does not fit size %" PRId64,
            window.size[d], outside, window.dilation[d], have);
  }
  return true;
}

bool is_divisor(Context& cx, Maybe<int64_t> divisor_override) {
  REQUIRE(cx, !divisor_override || *divisor_override != 0, false, "divisor_override is 0");
  return true;
}

bool plan_volume(Context& cx, const Tensor& in, size_t n, const int64_t (&sizes)[3], Tensor& out, Tensor* second,
                 Volume& plan) {
  const size_t rank = in.sizes().size();
  SizesType shape[5];
  for (size_t d = 0; d < rank; ++d) {
    shape[d] = d + n < rank ? in.sizes()[d] : static_cast<SizesType>(sizes[d + 3 - rank]);
  }
  if (!resize(cx, out, {shape, rank}) || (second && !resize(cx, *second, {shape, rank}))) return false;
  plan.lay_out(n, in, out, second ? *second : out);
  return true;
}

namespace {

// As many parts of each dimension as the result has places.
bool plan_parts(Context& cx, const Tensor& self, size_t n, Ints output_size, Tensor& out, Tensor* second,
                Volume& plan) {
  int64_t sizes[3];
  if (!has_space(cx, self, n) || !take_each(cx, "output_size", output_size, 0, n, sizes) ||
      !has_same_dtype(cx, self, out)) {
    return false;
  }
  const bool is_mean = n == 1 && sizes[2] == 1 && isFloatingType(self.scalar_type());  // also of nothing, as in torch
  for (ptrdiff_t d = self.dim() - static_cast<ptrdiff_t>(n); d < self.dim(); ++d) {
    REQUIRE(cx, self.size(d) > 0 || is_mean, false, "dim %zd of shape %s is empty", d, ShapeText(self.sizes()).text);
  }
  return plan_volume(cx, self, n, sizes, out, second, plan) && out.numel() > 0;
}

template <class T>
using Computed = std::conditional_t<std::is_integral_v<T>, int64_t,
                                    std::conditional_t<std::is_same_v<T, double>, double, float>>;

// --- the mean ------------------------------------------------------------------------------------------------------

// The sums of boxes of the input, divided by the product of their counts or by `divisor`. The dtype is asked for at
// each point, so that what goes over points is there once.
template <DTypeSet set, class SpanOf>
void average(Context& cx, const Tensor& in, const Tensor& out, Volume& plan, Maybe<int64_t> divisor,
             const SpanOf& span_of) {
  if (!contains(set, in.scalar_type())) return fail_compute(cx, in.scalar_type());
  each_box(plan, span_of, [&](const Span (&box)[3], const int64_t (&at)[3]) {
    const int64_t count = divisor ? *divisor : box[0].count * box[1].count * box[2].count;
    visit_stored<set>(cx, in.scalar_type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* from = in.const_data_ptr<T>();
      Computed<T> sum = 0;
      each_point(box, [&](int64_t z, int64_t y, int64_t x) {
        sum += static_cast<Computed<T>>(from[plan.place(0, z, y, x)]);
      });
      const bool is_none = std::is_integral_v<T> && count == 0;  // the mean of no floats is not a number
      out.mutable_data_ptr<T>()[plan.place(1, at)] = convert<T>(is_none ? sum : sum / static_cast<Computed<T>>(count));
    });
  });
}

template <DTypeSet set>
Tensor& average_windows(Context& cx, const Tensor& self, size_t n, Ints kernel_size, Ints stride, Ints padding,
                        bool ceil_mode, bool count_include_pad, Maybe<int64_t> divisor, Tensor& out) {
  Window window;
  Volume plan;
  int64_t places[3];
  if (!take_window(cx, self, n, kernel_size, stride, padding, 1, ceil_mode, window, places) ||
      !has_same_dtype(cx, self, out) || !is_divisor(cx, divisor) ||
      !plan_volume(cx, self, n, places, out, nullptr, plan)) {
    return out;
  }
  average<set>(cx, self, out, plan, divisor,
               [&](size_t d, int64_t i) { return window.covered(d, i, plan.in[d], count_include_pad); });
  return out;
}

template <DTypeSet set>
Tensor& average_parts(Context& cx, const Tensor& self, size_t n, Ints output_size, Tensor& out) {
  Volume plan;
  if (!plan_parts(cx, self, n, output_size, out, nullptr, plan)) return out;
  average<set>(cx, self, out, plan, std::nullopt,
               [&](size_t d, int64_t i) { return part_of(i, plan.out[d], plan.in[d]); });
  return out;
}

}  // namespace

Tensor& avg_pool1d_out(Context& cx, const Tensor& self, Ints kernel_size, Ints stride, Ints padding, bool ceil_mode,
                       bool count_include_pad, Tensor& out) {
  if (!has_dtype(cx, self, NUMBERS)) return out;
  return average_windows<NUMBERS>(cx, self, 1, kernel_size, stride, padding, ceil_mode, count_include_pad, std::nullopt,
                                  out);
}
Tensor& avg_pool2d_out(Context& cx, const Tensor& self, Ints kernel_size, Ints stride, Ints padding, bool ceil_mode,
                       bool count_include_pad, Maybe<int64_t> divisor_override, Tensor& out) {
  return average_windows<NUMBERS>(cx, self, 2, kernel_size, stride, padding, ceil_mode, count_include_pad,
                                  divisor_override, out);
}
Tensor& avg_pool3d_out(Context& cx, const Tensor& self, Ints kernel_size, Ints stride, Ints padding, bool ceil_mode,
                       bool count_include_pad, Maybe<int64_t> divisor_override, Tensor& out) {
  if (!has_dtype(cx, self, NUMBERS)) return out;
  return average_windows<NUMBERS>(cx, self, 3, kernel_size, stride, padding, ceil_mode, count_include_pad,
                                  divisor_override, out);
}

Tensor& adaptive_avg_pool1d_out(Context& cx, const Tensor& self, Ints output_size, Tensor& out) {
  return average_parts<NUMBERS>(cx, self, 1, output_size, out);
}
Tensor& _adaptive_avg_pool2d_out(Context& cx, const Tensor& self, Ints output_size, Tensor& out) {
  return average_parts<NUMBERS>(cx, self, 2, output_size, out);
}
Tensor& _adaptive_avg_pool3d_out(Context& cx, const Tensor& self, Ints output_size, Tensor& out) {
  return average_parts<NUMBERS>(cx, self, 3, output_size, out);
}

// --- the largest ---------------------------------------------------------------------------------------------------

namespace {

// The largest of boxes of the input, and its number in a plane. A dtype that is not of the set was refused.
template <DTypeSet set, class SpanOf>
void largest(Context& cx, const Tensor& in, const Tensor& out, const Tensor& indices, Volume& plan,
             const SpanOf& span_of) {
  each_box(plan, span_of, [&](const Span (&box)[3], const int64_t (&at)[3]) {
    const auto number = [&](int64_t z, int64_t y, int64_t x) { return (z * plan.in[1] + y) * plan.in[2] + x; };
    int64_t found = number(box[0].begin, box[1].begin, box[2].begin);
    visit_stored<set>(cx, in.scalar_type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      using Limits = std::numeric_limits<std::conditional_t<std::is_integral_v<T>, T, Computed<T>>>;
      const T* from = in.const_data_ptr<T>();
      Computed<T> best = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
      each_point(box, [&](int64_t z, int64_t y, int64_t x) {
        const Computed<T> value = static_cast<Computed<T>>(from[plan.place(0, z, y, x)]);
        // What is not a number is larger than any, as in torch.
        if (value > best || value != value) best = value, found = number(z, y, x);
      });
      out.mutable_data_ptr<T>()[plan.place(1, at)] = convert<T>(best);
    });
    indices.mutable_data_ptr<int64_t>()[plan.place(2, at)] = found;
  });
}

// Two dimensions, a row of the result at a time: each tap is compared with all of it at once.
template <class T>
struct MaxRows {
  static constexpr int64_t room = 128;
  const Volume& plan;
  const Window& window;
  const Tensor &in, &out, &indices;
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
    for (int64_t x = 0; x < count; ++x) found[x] = static_cast<Place>(start(1, y) * plan.in[2] + start(2, first + x));
    for (int64_t i = 0; i < window.size[1]; ++i) {
      const int64_t line = y * window.stride[1] - window.padding[1] + i * window.dilation[1];
      if (line < 0 || line >= plan.in[1]) continue;
      for (int64_t j = 0; j < window.size[2]; ++j) {
        const int64_t column = first * window.stride[2] - window.padding[2] + j * window.dilation[2];
        const Range x(count, window.stride[2], column, plan.in[2]);
        const int64_t begin = column + x.first * window.stride[2];
        const T* from = read(in, plane[0] + line * plan.step[0][1] + begin * plan.step[0][2],
                             window.stride[2] * plan.step[0][2], x.last - x.first, buffer);
        // What is outside of the input is never better.
        std::fill_n(values, x.first, worst);
        std::copy_n(from, x.last - x.first, values + x.first);
        std::fill(values + x.last, values + count, worst);
        Places place = {};
        for (int64_t l = 0; l < lanes; ++l) {
          place[l] = static_cast<Place>(line * plan.in[2] + column + l * window.stride[2]);
        }
        for (int64_t v = 0; v < count; v += lanes, place += static_cast<Place>(lanes * window.stride[2])) {
          const V value = load<V>(values + v), before = load<V>(best + v);
          const Places is_better = (value > before) | (value != value);
          store(best + v, is_better ? value : before);
          store(found + v, is_better ? place : load<Places>(found + v));
        }
      }
    }
    write(out, plane[1] + y * plan.step[1][1] + first * plan.step[1][2], plan.step[1][2], count, best);
    int64_t* to = indices.mutable_data_ptr<int64_t>() + plane[2] + y * plan.step[2][1] + first * plan.step[2][2];
    for (int64_t x = 0; x < count; ++x) to[x * plan.step[2][2]] = found[x];
  }

  // The first tap of a window that is inside.
  ET_INLINE int64_t start(size_t d, int64_t i) const {
    const int64_t at = i * window.stride[d] - window.padding[d], dilation = window.dilation[d];
    return at >= 0 ? at : at + (dilation - 1 - at) / dilation * dilation;
  }

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    Odometer<3> planes = plan.planes;
    for (int64_t left = planes.start(); left > 0; --left, planes.next()) {
      for (int64_t y = 0; y < plan.out[1]; ++y) {
        for (int64_t x = 0; x < plan.out[2]; x += room) {
          row<Wide::value>(planes.offset, y, x, std::min(room, plan.out[2] - x));
        }
      }
    }
  }
};

// What all maxima of windows begin with.
template <DTypeSet set>
bool plan_largest(Context& cx, const Tensor& self, size_t n, Ints kernel_size, Ints stride, Ints padding, Ints dilation,
                  bool ceil_mode, Tensor& out, Tensor& indices, Window& window, Volume& plan) {
  int64_t places[3];
  return take_window(cx, self, n, kernel_size, stride, padding, dilation, ceil_mode, window, places) &&
         has_dtype(cx, self, set) && has_same_dtype(cx, self, out) &&
         has_dtype(cx, indices, dtypes(ScalarType::Long)) && plan_volume(cx, self, n, places, out, &indices, plan);
}

}  // namespace

Pair max_pool2d_with_indices_out(Context& cx, const Tensor& self, Ints kernel_size, Ints stride, Ints padding,
                                 Ints dilation, bool ceil_mode, Tensor& out, Tensor& indices) {
  const Pair outs(out, indices);
  Window window;
  Volume plan;
  if (!plan_largest<NUMBERS>(cx, self, 2, kernel_size, stride, padding, dilation, ceil_mode, out, indices, window,
                             plan)) {
    return outs;
  }
  compute_switch<int64_t, NUMBERS>(self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Limits = std::numeric_limits<T>;
    const bool is_byte = self.scalar_type() == ScalarType::Byte;
    const T least = is_byte ? T(0) : static_cast<T>(INT64_MIN >> (64 - 8 * self.element_size()));  // of whole numbers
    const T worst = Limits::has_infinity ? -Limits::infinity() : least;
    run_vectorised<is_often<T>>(MaxRows<T>{plan, window, self, out, indices, worst});
  });
  return outs;
}

Pair max_pool3d_with_indices_out(Context& cx, const Tensor& self, Ints kernel_size, Ints stride, Ints padding,
                                 Ints dilation, bool ceil_mode, Tensor& out, Tensor& indices) {
  Window window;
  Volume plan;
  if (plan_largest<NUMBERS>(cx, self, 3, kernel_size, stride, padding, dilation, ceil_mode, out, indices, window,
                            plan)) {
    largest<NUMBERS>(cx, self, out, indices, plan,
                     [&](size_t d, int64_t i) { return window.covered(d, i, plan.in[d], false); });
  }
  return {out, indices};
}

Pair adaptive_max_pool2d_out(Context& cx, const Tensor& self, Ints output_size, Tensor& out, Tensor& indices) {
  Volume plan;
  if (has_dtype(cx, indices, dtypes(ScalarType::Long)) && has_dtype(cx, self, FLOATS) &&
      plan_parts(cx, self, 2, output_size, out, &indices, plan)) {
    largest<FLOATS>(cx, self, out, indices, plan,
                    [&](size_t d, int64_t i) { return part_of(i, plan.out[d], plan.in[d]); });
  }
  return {out, indices};
}

}  // namespace tenon::native
