// Operators that only move elements: each makes a view, and copies it.
#include "moves.h"

#include "generated/kernels.h"

namespace tenon::native {
namespace {

// A view of a tensor in a larger shape, where sizes of 1 and dimensions in front are repeated. -1 keeps a size.
View expanded(Context& cx, const Tensor& t, ArrayRef<int64_t> sizes) {
  View view(t);
  if (sizes.size() < view.rank || sizes.size() > kTensorDimensionLimit) {
    cx.fail(Error::InvalidArgument, "a tensor of rank %zu is not expanded to rank %zu", view.rank, sizes.size());
    return view;
  }
  while (view.rank < sizes.size()) view.insert(0, 1, 0);
  const size_t added = sizes.size() - t.sizes().size();
  for (size_t d = 0; d < view.rank; ++d) {
    const bool is_kept = sizes[d] == view.sizes[d] || (sizes[d] == -1 && d >= added);
    if (is_kept) continue;
    if (view.sizes[d] != 1 || sizes[d] < 0) {
      cx.fail(Error::InvalidArgument, "dimension %zu of size %lld is not expanded to %lld", d,
              static_cast<long long>(view.sizes[d]), static_cast<long long>(sizes[d]));
      return view;
    }
    view.sizes[d] = sizes[d];
    view.strides[d] = 0;
  }
  return view;
}

// The sizes of a view of `count` elements, where one that is -1 is what is left.
bool complete(Context& cx, ArrayRef<int64_t> sizes, int64_t count, View& shape) {
  int64_t known = 1;
  size_t open = sizes.size();
  shape.rank = 0;
  if (sizes.size() > kTensorDimensionLimit) {
    cx.fail(Error::InvalidArgument, "a view has %zu dimensions, and at most %zu", sizes.size(), kTensorDimensionLimit);
    return false;
  }
  for (size_t d = 0; d < sizes.size(); ++d) {
    const bool is_open = sizes[d] == -1 && open == sizes.size();
    if (is_open) open = d;
    if ((sizes[d] < 0 && !is_open) || (!is_open && __builtin_mul_overflow(known, sizes[d], &known))) {
      cx.fail(Error::InvalidArgument, "dimension %zu of a view cannot be %lld", d, static_cast<long long>(sizes[d]));
      return false;
    }
    shape.insert(d, sizes[d], 0);
  }
  if (open < sizes.size() && known != 0 && count % known == 0) shape.sizes[open] = count / known;
  const bool is_full = open < sizes.size() ? shape.sizes[open] >= 0 : known == count;
  if (!is_full) {
    cx.fail(Error::InvalidArgument, "%lld elements have no view with %lld in the dimensions that are given",
            static_cast<long long>(count), static_cast<long long>(known));
  }
  return is_full;
}

Tensor& view_out(Context& cx, const Tensor& self, ArrayRef<int64_t> sizes, Tensor& out) {
  View shape;
  if (!complete(cx, sizes, self.numel(), shape) || !resize_to(cx, out, shape)) return out;
  copy_in_order(cx, View(out), View(self));
  return out;
}

// What is not on one side of a diagonal becomes 0.
Tensor& triangle(Context& cx, const Tensor& self, int64_t diagonal, bool keep_lower, Tensor& out) {
  if (self.dim() < 2) {
    cx.fail(Error::InvalidArgument, "a triangle has at least 2 dimensions, and %s has %zu",
            ShapeText(self.sizes()).text, self.sizes().size());
    return out;
  }
  copy_out(cx, View(self), out);
  if (cx.failed() || out.numel() == 0) return out;
  const Number zero(cx, Scalar(0), out.scalar_type());
  View rows(out);
  const int64_t height = rows.sizes[rows.rank - 2], width = rows.sizes[rows.rank - 1];
  for (int64_t row = 0; row < height; ++row) {
    // The column behind the last of the lower part; written without row + diagonal, which may be too large.
    const int64_t split = diagonal >= width - row ? width : diagonal < -row ? 0 : row + diagonal + (keep_lower ? 1 : 0);
    const int64_t edge = split > width ? width : split;
    View rest = rows;
    narrow(rest, rest.rank - 2, row, 1);
    narrow(rest, rest.rank - 1, keep_lower ? edge : 0, keep_lower ? width - edge : edge);
    copy(cx, rest, zero.as(rest));
  }
  return out;
}

}  // namespace

// --- the same elements, in another place, dtype or dim order -------------------------------------------------------
// How they are laid out is told by `out`: a memory format or a dim order that is asked for is already there.

Tensor& copy_(Context& cx, Tensor& self, const Tensor& src, bool) {
  int64_t sizes[kTensorDimensionLimit];
  for (size_t d = 0; d < self.sizes().size(); ++d) sizes[d] = self.sizes()[d];
  const View view = expanded(cx, src, {sizes, self.sizes().size()});
  if (!cx.failed()) copy(cx, View(self), view);
  return self;
}
Tensor& alias_copy_out(Context& cx, const Tensor& self, Tensor& out) { return copy_out(cx, View(self), out); }
Tensor& detach_copy_out(Context& cx, const Tensor& self, Tensor& out) { return copy_out(cx, View(self), out); }
Tensor& clone_out(Context& cx, const Tensor& self, std::optional<MemoryFormat>, Tensor& out) {
  return copy_out(cx, View(self), out);
}
Tensor& _to_copy_out(Context& cx, const Tensor& self, bool, std::optional<MemoryFormat>, Tensor& out) {
  return copy_out(cx, View(self), out);
}
Tensor& _to_dim_order_copy_out(Context& cx, const Tensor& self, bool, std::optional<ArrayRef<int64_t>>, Tensor& out) {
  return copy_out(cx, View(self), out);
}
Tensor& _clone_dim_order_out(Context& cx, const Tensor& self, bool, std::optional<ArrayRef<int64_t>>, Tensor& out) {
  return copy_out(cx, View(self), out);
}

// --- in another shape ----------------------------------------------------------------------------------------------

Tensor& view_copy_out(Context& cx, const Tensor& self, ArrayRef<int64_t> size, Tensor& out) {
  return view_out(cx, self, size, out);
}

Tensor& unsqueeze_copy_out(Context& cx, const Tensor& self, int64_t dim, Tensor& out) {
  View view(self);
  const size_t d = take_dim(cx, dim, view.rank + 1);
  if (!cx.failed()) view.insert(d, 1, 0);
  return copy_out(cx, view, out);
}

Tensor& squeeze_copy_dims_out(Context& cx, const Tensor& self, ArrayRef<int64_t> dims, Tensor& out) {
  View view(self);
  bool is_named[kTensorDimensionLimit] = {};
  for (const int64_t dim : dims) {
    const size_t d = take_dim(cx, dim, view.rank, true);
    if (cx.failed()) return out;
    if (is_named[d]) {
      cx.fail(Error::InvalidArgument, "dimension %zu is named twice", d);
      return out;
    }
    is_named[d] = true;
  }
  for (size_t d = view.rank; d-- > 0;) {
    if (is_named[d] && view.sizes[d] == 1) view.remove(d);
  }
  return copy_out(cx, view, out);
}
Tensor& squeeze_copy_dim_out(Context& cx, const Tensor& self, int64_t dim, Tensor& out) {
  return squeeze_copy_dims_out(cx, self, dim, out);
}

Tensor& expand_copy_out(Context& cx, const Tensor& self, ArrayRef<int64_t> size, bool, Tensor& out) {
  return copy_out(cx, expanded(cx, self, size), out);
}

// --- with dimensions exchanged -------------------------------------------------------------------------------------

Tensor& permute_copy_out(Context& cx, const Tensor& self, ArrayRef<int64_t> dims, Tensor& out) {
  const View view(self);
  View permuted = view;
  bool is_taken[kTensorDimensionLimit] = {};
  if (dims.size() != view.rank) {
    cx.fail(Error::InvalidArgument, "%zu dimensions are named, and the tensor has %zu", dims.size(), view.rank);
    return out;
  }
  for (size_t i = 0; i < view.rank; ++i) {
    const size_t d = take_dim(cx, dims[i], view.rank);
    if (cx.failed()) return out;
    if (is_taken[d]) {
      cx.fail(Error::InvalidArgument, "dimension %zu is named twice", d);
      return out;
    }
    is_taken[d] = true;
    permuted.sizes[i] = view.sizes[d];
    permuted.strides[i] = view.strides[d];
  }
  return copy_out(cx, permuted, out);
}

Tensor& transpose_copy_int_out(Context& cx, const Tensor& self, int64_t dim0, int64_t dim1, Tensor& out) {
  View view(self);
  const size_t a = take_dim(cx, dim0, view.rank, true), b = take_dim(cx, dim1, view.rank, true);
  if (!cx.failed() && view.rank > 0) swap_dims(view, a, b);
  return copy_out(cx, view, out);
}

Tensor& t_copy_out(Context& cx, const Tensor& self, Tensor& out) {
  View view(self);
  if (view.rank > 2) {
    cx.fail(Error::InvalidArgument, "at most 2 dimensions are exchanged, and %s has %zu", ShapeText(self.sizes()).text,
            view.rank);
  }
  if (view.rank == 2) swap_dims(view, 0, 1);
  return copy_out(cx, view, out);
}

// --- parts ---------------------------------------------------------------------------------------------------------

Tensor& select_copy_int_out(Context& cx, const Tensor& self, int64_t dim, int64_t index, Tensor& out) {
  View view(self);
  const size_t d = take_dim(cx, dim, view.rank);
  if (cx.failed()) return out;
  const int64_t size = view.sizes[d];
  if (index < -size || index >= size) {
    cx.fail(Error::InvalidArgument, "index %lld is out of the %lld of dimension %zu", static_cast<long long>(index),
            static_cast<long long>(size), d);
    return out;
  }
  view.move_to(d, index < 0 ? index + size : index);
  view.remove(d);
  return copy_out(cx, view, out);
}

Tensor& slice_copy_tensor_out(Context& cx, const Tensor& self, int64_t dim, std::optional<int64_t> start,
                              std::optional<int64_t> end, int64_t step, Tensor& out) {
  View view(self);
  const size_t d = take_dim(cx, dim, view.rank);
  if (cx.failed()) return out;
  if (step < 1) {
    cx.fail(Error::InvalidArgument, "the step is %lld, and at least 1", static_cast<long long>(step));
    return out;
  }
  const int64_t size = view.sizes[d];
  const auto bounded = [size](int64_t place) {
    const int64_t from_front = place < 0 ? place + size : place;
    return from_front < 0 ? 0 : from_front > size ? size : from_front;
  };
  const int64_t first = bounded(start.value_or(0)), last = bounded(end.value_or(size));
  const int64_t length = last > first ? last - first : 0;
  narrow(view, d, first, length / step + (length % step != 0), step);
  return copy_out(cx, view, out);
}

Tensor& tril_out(Context& cx, const Tensor& self, int64_t diagonal, Tensor& out) {
  return triangle(cx, self, diagonal, true, out);
}
Tensor& triu_out(Context& cx, const Tensor& self, int64_t diagonal, Tensor& out) {
  return triangle(cx, self, diagonal, false, out);
}

}  // namespace tenon::native
