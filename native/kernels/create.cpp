// Tensors from numbers.
#include <cmath>

#include "arithmetic.h"
#include "generated/kernels.h"
#include "moves.h"
#include "selected.h"

namespace tenon::native {
namespace {

bool resize_to_sizes(Context& cx, ArrayRef<int64_t> sizes, Tensor& out) {
  View shape;
  for (size_t d = 0; d < sizes.size() && d <= kTensorDimensionLimit; ++d) shape.insert(d, sizes[d], 0);
  return resize_to(cx, out, shape);
}

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

}  // namespace

Tensor& full_out(Context& cx, ArrayRef<int64_t> size, const Scalar& fill_value, Tensor& out) {
  return resize_to_sizes(cx, size, out) ? fill(cx, fill_value, out) : out;
}

Tensor& full_like_out(Context& cx, const Tensor& self, const Scalar& fill_value, std::optional<MemoryFormat>,
                      Tensor& out) {
  return resize(cx, out, self.sizes()) ? fill(cx, fill_value, out) : out;
}

Tensor& fill_scalar_out(Context& cx, const Tensor& self, const Scalar& value, Tensor& out) {
  return resize(cx, out, self.sizes()) ? fill(cx, value, out) : out;
}

Tensor& scalar_tensor_out(Context& cx, const Scalar& s, Tensor& out) {
  return resize(cx, out, {}) ? fill(cx, s, out) : out;
}

// Its contents are whatever is there.
Tensor& _empty_dim_order_out(Context& cx, ArrayRef<int64_t> size, std::optional<ArrayRef<int64_t>>, Tensor& out) {
  resize_to_sizes(cx, size, out);
  return out;
}

Tensor& arange_start_out(Context& cx, const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  // A whole `out` counts in whole numbers, as torch does: from 0.5 is from 0.
  const bool is_whole = isIntegralType(out.scalar_type(), false);
  const auto taken = [is_whole](const Scalar& s) {
    return is_whole ? static_cast<double>(s.to<int64_t>()) : s.to<double>();
  };
  const double from = taken(start), to = taken(end), by = taken(step);
  const double count = std::ceil((to - from) / by);
  if (!(by != 0) || !(count >= 0) || count > INT32_MAX) {
    cx.fail(Error::InvalidArgument, "from %g to %g in steps of %g there is no range", from, to, by);
    return out;
  }
  if (!resize(cx, out, SizesType(count))) return out;
  if (is_whole) {
    count_up<NUMBERS>(cx, start.to<int64_t>(), step.to<int64_t>(), out);
  } else {
    count_up<NUMBERS>(cx, from, by, out);
  }
  return out;
}

}  // namespace tenon::native
