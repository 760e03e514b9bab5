// Tensors from numbers.
#include <algorithm>
#include <cmath>

#include "arithmetic.h"
#include "generated/kernels.h"
#include "index.h"
#include "moves.h"
#include "selected.h"

namespace tenon::native {
namespace {

Tensor& fill(Context& cx, const Scalar& value, Tensor& out) {
  const View view(out);
  const Number number(cx, value, out.scalar_type());
  if (!cx.failed()) copy(cx, view, number.as(view));
  return out;
}

// Numbers are made in double or in int64, and stored as any dtype.
template <DTypeSet set, class T>
void count_up(Context& cx, T start, T step, Tensor& out) {
  const View view(out);
  const int64_t stride = view.rank ? view.strides[0] : 1;
  visit_stored<set>(cx, out.scalar_type(), [&](auto tag) {
    using To = typename decltype(tag)::type;
    To* place = out.mutable_data_ptr<To>();
    for (int64_t i = 0; i < out.numel(); ++i) {
      place[i * stride] = convert<To>(wrapping_add(start, wrapping_multiply(static_cast<T>(i), step)));
    }
  });
}

template <DTypeSet set>
Tensor& range(Context& cx, const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  // A whole `out` counts in whole numbers, as torch does: from 0.5 is from 0. How many there are is told by whole
  // numbers only for int64.
  const bool is_whole = isIntegralType(out.scalar_type(), false), is_long = out.scalar_type() == ScalarType::Long;
  const auto taken = [is_long](const Scalar& s) {
    return is_long ? static_cast<double>(s.to<int64_t>()) : s.to<double>();
  };
  const double from = taken(start), to = taken(end), by = taken(step);
  const double steps = (to - from) / by, count = std::ceil(steps);
  REQUIRE(cx, by != 0 && steps >= 0 && count <= INT32_MAX, out, "from %g to %g in steps of %g there is no range", from,
          to, by);
  if (!resize(cx, out, SizesType(count))) return out;
  if (is_whole) {
    count_up<set>(cx, start.to<int64_t>(), step.to<int64_t>(), out);
  } else {
    count_up<set>(cx, from, by, out);
  }
  return out;
}

// Numbers at even distances, both ends among them: counted from the nearer end, as torch does.
template <DTypeSet set, class Map>
Tensor& spaced(Context& cx, const Scalar& start, const Scalar& end, int64_t steps, Tensor& out, Map map) {
  REQUIRE(cx, steps >= 0 && steps <= INT32_MAX, out, "there are no %" PRId64 " steps", steps);
  if (!resize(cx, out, SizesType(steps))) return out;
  visit_stored<set>(cx, out.scalar_type(), [&](auto tag) {
    using To = typename decltype(tag)::type;
    // A whole range has whole ends, of its own dtype: from -3 in uint8 is from 253. A single number is as it is given.
    const auto taken = [steps](const Scalar& s) {
      if constexpr (std::is_integral_v<To>) {
        if (steps > 1) return static_cast<double>(static_cast<To>(s.to<int64_t>()));
      }
      return s.to<double>();
    };
    const double from = taken(start), to = taken(end);
    const double step = steps > 1 ? (to - from) / static_cast<double>(steps - 1) : 0;
    To* place = out.mutable_data_ptr<To>();
    for (int64_t i = 0; i < steps; ++i) {
      const double before = static_cast<double>(i), behind = static_cast<double>(steps - i - 1);
      place[i] = convert<To>(map(before < behind || steps == 1 ? from + step * before : to - step * behind));
    }
  });
  return out;
}

}  // namespace

Tensor& full_out(Context& cx, Ints size, const Scalar& fill_value, Tensor& out) {
  return resize_to_sizes(cx, size, out) ? fill(cx, fill_value, out) : out;
}

Tensor& ones_out(Context& cx, Ints size, Tensor& out) { return full_out(cx, size, Scalar(1), out); }
Tensor& zeros_out(Context& cx, Ints size, Tensor& out) { return full_out(cx, size, Scalar(0), out); }

Tensor& full_like_out(Context& cx, const Tensor& self, const Scalar& fill_value, Maybe<MemoryFormat>, Tensor& out) {
  return resize(cx, out, self.sizes()) ? fill(cx, fill_value, out) : out;
}

Tensor& fill_scalar_out(Context& cx, const Tensor& self, const Scalar& value, Tensor& out) {
  return resize(cx, out, self.sizes()) ? fill(cx, value, out) : out;
}

Tensor& fill_tensor_out(Context& cx, const Tensor& self, const Tensor& value, Tensor& out) {
  REQUIRE(cx, value.dim() == 0, out, "it is filled with a number, and not with a tensor of shape %s",
          ShapeText(value).text);
  if (!resize(cx, out, self.sizes())) return out;
  const View to(out);
  copy(cx, to, spread(View(value).data, value.scalar_type(), to));
  return out;
}

Tensor& scalar_tensor_out(Context& cx, const Scalar& s, Tensor& out) {
  return resize(cx, out, {}) ? fill(cx, s, out) : out;
}

// Its contents are whatever is there, and how they lie is told by `out`.
Tensor& empty_out(Context& cx, Ints size, Maybe<MemoryFormat>, Tensor& out) {
  return resize_to_sizes(cx, size, out), out;
}
Tensor& empty_strided_out(Context& cx, Ints size, Ints, Tensor& out) { return resize_to_sizes(cx, size, out), out; }
Tensor& _empty_dim_order_out(Context& cx, Ints size, Maybe<Ints>, Tensor& out) {
  return resize_to_sizes(cx, size, out), out;
}

// Its elements are those that lie there, as far as there are some.
Tensor& resize_(Context& cx, Tensor& self, Ints size, Maybe<MemoryFormat>) {
  return resize_to_sizes(cx, size, self), self;
}
Tensor& resize_out(Context& cx, const Tensor& self, Ints size, Maybe<MemoryFormat>, Tensor& out) {
  if (!has_place_for(cx, self.scalar_type(), out) || !resize_to_sizes(cx, size, out)) return out;
  const size_t bytes = std::min(self.nbytes(), out.nbytes());
  if (bytes) std::memmove(out.mutable_data_ptr(), self.const_data_ptr(), bytes);
  return out;
}

Tensor& arange_start_out(Context& cx, const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  return range<NUMBERS>(cx, start, end, step, out);
}
Tensor& arange_out(Context& cx, const Scalar& end, Tensor& out) {
  return range<NUMBERS>(cx, Scalar(0), end, Scalar(1), out);
}

Tensor& linspace_out(Context& cx, const Scalar& start, const Scalar& end, int64_t steps, Tensor& out) {
  return spaced<NUMBERS | COMPLEX64>(cx, start, end, steps, out, [](double x) { return x; });
}
Tensor& logspace_out(Context& cx, const Scalar& start, const Scalar& end, int64_t steps, double base, Tensor& out) {
  return spaced<NUMBERS | COMPLEX64>(cx, start, end, steps, out, [base](double x) { return std::pow(base, x); });
}

// Each number as often as its place says: [2, 0, 1] gives [0, 0, 2].
Tensor& repeat_interleave_tensor_out(Context& cx, const Tensor& repeats, Maybe<int64_t> output_size, Tensor& out) {
  REQUIRE(cx, repeats.dim() == 1 && repeats.scalar_type() == out.scalar_type(), out,
          "repetitions are %s of shape %s, and should be %s in one dimension", dtype_name(repeats),
          ShapeText(repeats).text, dtype_name(out));
  visit_stored<TENON_SELECTED(dtypes(ScalarType::Long, ScalarType::Int))>(cx, out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const int64_t count = repeats.size(0);
    const T* times = repeats.const_data_ptr<T>();
    int64_t total = 0;
    for (int64_t i = 0; i < count; ++i) {
      REQUIRE(cx, times[i] >= 0 && times[i] <= INT32_MAX - total, ,
              "number %" PRId64 " is not repeated %" PRId64 " times", i, int64_t{times[i]});
      total += times[i];
    }
    REQUIRE(cx, total == output_size.value_or(total), , "there are %" PRId64 " repetitions, and not %" PRId64, total,
            *output_size);
    if (!resize(cx, out, SizesType(total))) return;
    T* place = out.mutable_data_ptr<T>();
    for (int64_t i = 0; i < count; ++i) place = std::fill_n(place, times[i], static_cast<T>(i));
  });
  return out;
}

}  // namespace tenon::native
