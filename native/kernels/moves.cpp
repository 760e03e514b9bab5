// Operators that only move elements: each makes a view, and copies it.
#include "moves.h"

#include "generated/kernels.h"

namespace tenon::native {
namespace {

// A view of a tensor in a larger shape, where sizes of 1 and dimensions in front are repeated. -1 keeps a size.
View expanded(Context& cx, const Tensor& t, Ints sizes) {
  View view(t);
  REQUIRE(cx, sizes.size() >= view.rank && sizes.size() <= kTensorDimensionLimit, view,
          "a tensor of rank %zu is not expanded to rank %zu", view.rank, sizes.size());
  while (view.rank < sizes.size()) view.insert(0, 1, 0);
  const size_t added = sizes.size() - t.sizes().size();
  for (size_t d = 0; d < view.rank; ++d) {
    const bool is_kept = sizes[d] == view.sizes[d] || (sizes[d] == -1 && d >= added);
    if (is_kept) continue;
    REQUIRE(cx, view.sizes[d] == 1 && sizes[d] >= 0, view,
            "dimension %zu of size %" PRId64 " is not expanded to %" PRId64, d, view.sizes[d], sizes[d]);
    view.sizes[d] = sizes[d];
    view.strides[d] = 0;
  }
  return view;
}

// The sizes of a view of `count` elements, where one that is -1 is what is left.
bool complete(Context& cx, Ints sizes, int64_t count, View& shape) {
  int64_t known = 1;
  size_t open = sizes.size();
  shape.rank = 0;
  REQUIRE(cx, sizes.size() <= kTensorDimensionLimit, false, "a view has %zu dimensions, and at most %zu", sizes.size(),
          kTensorDimensionLimit);
  for (size_t d = 0; d < sizes.size(); ++d) {
    const bool is_open = sizes[d] == -1 && open == sizes.size();
    if (is_open) open = d;
    REQUIRE(cx, (sizes[d] >= 0 || is_open) && (is_open || !__builtin_mul_overflow(known, sizes[d], &known)), false,
            "dimension %zu of a view cannot be %" PRId64, d, sizes[d]);
    shape.insert(d, sizes[d], 0);
  }
  if (open < sizes.size() && known != 0 && count % known == 0) shape.sizes[open] = count / known;
  const bool is_full = open < sizes.size() ? shape.sizes[open] >= 0 : known == count;
  return HOLDS(cx, is_full, "%" PRId64 " elements have no view with %" PRId64 " in the dimensions that are given",
               count, known);
}

// One place of a dimension, which is gone then. False, with words, if there is none.
bool select(Context& cx, View& view, int64_t dim, int64_t index) {
  const size_t d = take_dim(cx, dim, view.rank);
  if (cx.failed()) return false;
  const int64_t size = view.sizes[d];
  REQUIRE(cx, index >= -size && index < size, false, "index %" PRId64 " is out of the %" PRId64 " of dimension %zu",
          index, size, d);
  view.move_to(d, index < 0 ? index + size : index);
  view.remove(d);
  return true;
}

// Every `step`th of a dimension between two places, which are counted from the end if negative, and may be beyond.
bool slice(Context& cx, View& view, int64_t dim, Maybe<int64_t> start, Maybe<int64_t> end, int64_t step) {
  const size_t d = take_dim(cx, dim, view.rank);
  if (cx.failed()) return false;
  REQUIRE(cx, step >= 1, false, "the step is %" PRId64 ", and at least 1", step);
  const int64_t size = view.sizes[d];
  const auto bounded = [size](int64_t place) {
    const int64_t from_front = place < 0 ? place + size : place;
    return from_front < 0 ? 0 : from_front > size ? size : from_front;
  };
  const int64_t first = bounded(start.value_or(0)), last = bounded(end.value_or(size));
  const int64_t length = last > first ? last - first : 0;
  narrow(view, d, first, length / step + (length % step != 0), step);
  return true;
}

// Puts elements in the place of a part.
void replace(Context& cx, const View& part, const Tensor& src) {
  const View from(src);
  bool is_same = part.rank == from.rank;
  for (size_t d = 0; is_same && d < from.rank; ++d) is_same = part.sizes[d] == from.sizes[d];
  if (is_same) return copy(cx, part, from);
  SizesType sizes[kTensorDimensionLimit];
  for (size_t d = 0; d < part.rank; ++d) sizes[d] = static_cast<SizesType>(part.sizes[d]);
  cx.fail(Error::InvalidArgument, "%s does not take the place of %s", ShapeText(src).text,
          ShapeText({sizes, part.rank}).text);
}

// A copy with elements of `src` in the place of what take(part) leaves of a view of it.
template <class Take>
Tensor& copy_but(Context& cx, const Tensor& self, const Tensor& src, Tensor& out, const Take& take) {
  copy_view(cx, View(self), out);
  if (cx.failed()) return out;
  View part(out);
  if (take(part)) replace(cx, part, src);
  return out;
}

// A pixel of several planes is a square of pixels in one plane, or the other way round: both as views of [..., channel,
// row in the square, column in the square, row, column].
View with_planes(View view, int64_t factor) {
  const size_t d = view.rank - 3;
  const int64_t stride = view.strides[d];
  narrow(view, d, 0, view.sizes[d] / (factor * factor), factor * factor);
  view.insert(d + 1, factor, stride);
  view.insert(d + 1, factor, stride * factor);
  return view;
}
View with_pixels(View view, int64_t factor) {
  const size_t d = view.rank - 3;
  const int64_t down = view.strides[d + 1], right = view.strides[d + 2];
  narrow(view, d + 1, 0, view.sizes[d + 1] / factor, factor);
  narrow(view, d + 2, 0, view.sizes[d + 2] / factor, factor);
  view.insert(d + 1, factor, right);
  view.insert(d + 1, factor, down);
  return view;
}

// Planes become pixels, or pixels planes.
Tensor& shuffle(Context& cx, const Tensor& self, int64_t factor, bool to_pixels, Tensor& out) {
  View whole(self);
  const int64_t square = factor < 1 || factor > INT16_MAX ? 0 : factor * factor;
  int64_t* sizes = square == 0 || whole.rank < 3 ? nullptr : whole.sizes + whole.rank - 3;
  const bool fits = sizes && (to_pixels ? sizes[0] % square == 0 : sizes[1] % factor == 0 && sizes[2] % factor == 0);
  REQUIRE(cx, fits, out, "the pixels of %s are not shuffled by %" PRId64, ShapeText(self).text, factor);
  sizes[0] = to_pixels ? sizes[0] / square : sizes[0] * square;
  for (int i = 1; i < 3; ++i) sizes[i] = to_pixels ? sizes[i] * factor : sizes[i] / factor;
  if (!resize_to(cx, out, whole)) return out;
  if (to_pixels) copy(cx, with_pixels(View(out), factor), with_planes(View(self), factor));
  else copy(cx, with_planes(View(out), factor), with_pixels(View(self), factor));
  return out;
}

// What is not on one side of a diagonal becomes 0.
Tensor& triangle(Context& cx, const Tensor& self, int64_t diagonal, bool keep_lower, Tensor& out) {
  REQUIRE(cx, self.dim() >= 2, out, "a triangle has at least 2 dimensions, and %s has %zu", ShapeText(self).text,
          self.sizes().size());
  copy_view(cx, View(self), out);
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
// What it is for is the shape of `self`; its elements are not read.
Tensor& copy_out(Context& cx, const Tensor& self, const Tensor& src, bool non_blocking, Tensor& out) {
  return resize(cx, out, self.sizes()) ? copy_(cx, out, src, non_blocking) : out;
}
Tensor& lift_fresh_copy_out(Context& cx, const Tensor& self, Tensor& out) { return copy_view(cx, View(self), out); }
Tensor& alias_copy_out(Context& cx, const Tensor& self, Tensor& out) { return copy_view(cx, View(self), out); }
Tensor& detach_copy_out(Context& cx, const Tensor& self, Tensor& out) { return copy_view(cx, View(self), out); }
Tensor& clone_out(Context& cx, const Tensor& self, Maybe<MemoryFormat>, Tensor& out) {
  return copy_view(cx, View(self), out);
}
Tensor& _to_copy_out(Context& cx, const Tensor& self, bool, Maybe<MemoryFormat>, Tensor& out) {
  return copy_view(cx, View(self), out);
}
Tensor& _to_dim_order_copy_out(Context& cx, const Tensor& self, bool, Maybe<Ints>, Tensor& out) {
  return copy_view(cx, View(self), out);
}
Tensor& _clone_dim_order_out(Context& cx, const Tensor& self, bool, Maybe<Ints>, Tensor& out) {
  return copy_view(cx, View(self), out);
}
// From and to a device, of which there is one.
Tensor& _h2d_copy_out(Context& cx, const Tensor& self, Tensor& out) { return copy_view(cx, View(self), out); }
Tensor& _d2h_copy_out(Context& cx, const Tensor& self, Tensor& out) { return copy_view(cx, View(self), out); }

// --- in another shape ----------------------------------------------------------------------------------------------

Tensor& view_copy_out(Context& cx, const Tensor& self, Ints size, Tensor& out) {
  View shape;
  if (!complete(cx, size, self.numel(), shape) || !resize_to(cx, out, shape)) return out;
  copy_in_order(cx, View(out), View(self));
  return out;
}

Tensor& unsqueeze_copy_out(Context& cx, const Tensor& self, int64_t dim, Tensor& out) {
  View view(self);
  const size_t d = take_dim(cx, dim, view.rank + 1);
  if (!cx.failed()) view.insert(d, 1, 0);
  return copy_view(cx, view, out);
}

Tensor& squeeze_copy_dims_out(Context& cx, const Tensor& self, Ints dims, Tensor& out) {
  View view(self);
  bool is_named[kTensorDimensionLimit];
  if (!take_dims(cx, dims, view.rank, is_named)) return out;
  for (size_t d = view.rank; d-- > 0;) {
    if (is_named[d] && view.sizes[d] == 1) view.remove(d);
  }
  return copy_view(cx, view, out);
}
Tensor& squeeze_copy_dim_out(Context& cx, const Tensor& self, int64_t dim, Tensor& out) {
  return squeeze_copy_dims_out(cx, self, dim, out);
}

Tensor& expand_copy_out(Context& cx, const Tensor& self, Ints size, bool, Tensor& out) {
  return copy_view(cx, expanded(cx, self, size), out);
}

// --- with dimensions exchanged -------------------------------------------------------------------------------------

Tensor& permute_copy_out(Context& cx, const Tensor& self, Ints dims, Tensor& out) {
  const View view(self);
  View permuted = view;
  bool is_named[kTensorDimensionLimit];
  REQUIRE(cx, dims.size() == view.rank, out, "%zu dimensions are named, and the tensor has %zu", dims.size(),
          view.rank);
  if (!take_dims(cx, dims, view.rank, is_named)) return out;
  for (size_t i = 0; i < view.rank; ++i) {
    const size_t d = take_dim(cx, dims[i], view.rank);
    permuted.sizes[i] = view.sizes[d];
    permuted.strides[i] = view.strides[d];
  }
  return copy_view(cx, permuted, out);
}

Tensor& transpose_copy_int_out(Context& cx, const Tensor& self, int64_t dim0, int64_t dim1, Tensor& out) {
  View view(self);
  const size_t a = take_dim(cx, dim0, view.rank, true), b = take_dim(cx, dim1, view.rank, true);
  if (!cx.failed() && view.rank > 0) swap_dims(view, a, b);
  return copy_view(cx, view, out);
}

Tensor& t_copy_out(Context& cx, const Tensor& self, Tensor& out) {
  View view(self);
  REQUIRE(cx, view.rank <= 2, out, "at most 2 dimensions are exchanged, and %s has %zu", ShapeText(self).text,
          view.rank);
  if (view.rank == 2) swap_dims(view, 0, 1);
  return copy_view(cx, view, out);
}

// --- in another order ----------------------------------------------------------------------------------------------

Tensor& flip_out(Context& cx, const Tensor& self, Ints dims, Tensor& out) {
  View view(self);
  bool is_named[kTensorDimensionLimit];
  if (!take_dims(cx, dims, view.rank, is_named)) return out;
  for (size_t d = 0; d < view.rank; ++d) {
    if (is_named[d] && view.sizes[d] > 0) narrow(view, d, view.sizes[d] - 1, view.sizes[d], -1);
  }
  return copy_view(cx, view, out);
}

Tensor& pixel_shuffle_out(Context& cx, const Tensor& self, int64_t upscale_factor, Tensor& out) {
  return shuffle(cx, self, upscale_factor, true, out);
}
Tensor& pixel_unshuffle_out(Context& cx, const Tensor& self, int64_t downscale_factor, Tensor& out) {
  return shuffle(cx, self, downscale_factor, false, out);
}

// --- parts ---------------------------------------------------------------------------------------------------------

Tensor& select_copy_int_out(Context& cx, const Tensor& self, int64_t dim, int64_t index, Tensor& out) {
  View view(self);
  return select(cx, view, dim, index) ? copy_view(cx, view, out) : out;
}

Tensor& slice_copy_tensor_out(Context& cx, const Tensor& self, int64_t dim, Maybe<int64_t> start, Maybe<int64_t> end,
                              int64_t step, Tensor& out) {
  View view(self);
  return slice(cx, view, dim, start, end, step) ? copy_view(cx, view, out) : out;
}

Tensor& narrow_copy_out(Context& cx, const Tensor& self, int64_t dim, int64_t start, int64_t length, Tensor& out) {
  View view(self);
  const size_t d = take_dim(cx, dim, view.rank);
  if (cx.failed()) return out;
  const int64_t size = view.sizes[d], first = start < 0 ? start + size : start;
  REQUIRE(cx, first >= 0 && first <= size && length >= 0 && length <= size - first, out,
          "dimension %zu of size %" PRId64 " has not %" PRId64 " elements from %" PRId64 " on", d, size, length, start);
  narrow(view, d, first, length);
  return copy_view(cx, view, out);
}

Tensor& select_scatter_out(Context& cx, const Tensor& self, const Tensor& src, int64_t dim, int64_t index,
                           Tensor& out) {
  return copy_but(cx, self, src, out, [&](View& part) { return select(cx, part, dim, index); });
}

Tensor& slice_scatter_out(Context& cx, const Tensor& self, const Tensor& src, int64_t dim, Maybe<int64_t> start,
                          Maybe<int64_t> end, int64_t step, Tensor& out) {
  return copy_but(cx, self, src, out, [&](View& part) { return slice(cx, part, dim, start, end, step); });
}

namespace {

bool take_diagonal(Context& cx, View& view, int64_t offset, int64_t dim1, int64_t dim2) {
  const size_t a = take_dim(cx, dim1, view.rank), b = take_dim(cx, dim2, view.rank);
  if (cx.failed()) return false;
  REQUIRE(cx, a != b, false, "dimension %zu has no diagonal with itself", a);
  // The two that it starts from, bounded: an offset may be beyond all numbers.
  const int64_t height = view.sizes[a], width = view.sizes[b];
  const int64_t down = offset >= 0 ? 0 : offset < -height ? height : -offset;
  const int64_t right = offset <= 0 ? 0 : offset > width ? width : offset;
  const int64_t length = height - down < width - right ? height - down : width - right;
  view.move_to(a, length ? down : 0);
  view.move_to(b, length ? right : 0);
  view.insert(view.rank, length, view.strides[a] + view.strides[b]);
  view.remove(a > b ? a : b);
  view.remove(a > b ? b : a);
  return true;
}

}  // namespace

Tensor& diagonal_copy_out(Context& cx, const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2, Tensor& out) {
  View view(self);
  return take_diagonal(cx, view, offset, dim1, dim2) ? copy_view(cx, view, out) : out;
}

Tensor& diagonal_scatter_out(Context& cx, const Tensor& self, const Tensor& src, int64_t offset, int64_t dim1,
                             int64_t dim2, Tensor& out) {
  return copy_but(cx, self, src, out, [&](View& part) { return take_diagonal(cx, part, offset, dim1, dim2); });
}

Tensor& unfold_copy_out(Context& cx, const Tensor& self, int64_t dimension, int64_t size, int64_t step, Tensor& out) {
  View view(self);
  const size_t d = take_dim(cx, dimension, view.rank, true);
  if (cx.failed()) return out;
  const int64_t whole = view.rank ? view.sizes[d] : 1, stride = view.rank ? view.strides[d] : 1;
  REQUIRE(cx, size >= 0 && size <= whole && step >= 1, out,
          "dimension %zu of size %" PRId64 " has no windows of %" PRId64 " every %" PRId64, d, whole, size, step);
  if (view.rank) narrow(view, d, 0, (whole - size) / step + 1, step);
  view.insert(view.rank, size, stride);
  return copy_view(cx, view, out);
}

namespace {

// Strides are those in memory, whatever the order of the dimensions there.
bool take_strided(Context& cx, const Tensor& self, Ints size, Ints stride, Maybe<int64_t> storage_offset, View& view) {
  REQUIRE(cx, size.size() == stride.size() && size.size() <= kTensorDimensionLimit, false,
          "there are %zu sizes and %zu strides, and at most %zu", size.size(), stride.size(), kTensorDimensionLimit);
  view = View(self);
  view.rank = 0;
  int64_t last = storage_offset.value_or(0);
  bool fits = last >= 0, is_empty = false;
  for (size_t d = 0; d < size.size(); ++d) {
    int64_t length = 0;
    is_empty = is_empty || size[d] == 0;
    fits = fits && size[d] >= 0 && stride[d] >= 0 && !__builtin_mul_overflow(size[d] - 1, stride[d], &length) &&
           !__builtin_add_overflow(last, size[d] ? length : 0, &last);
    view.insert(d, size[d], stride[d]);
  }
  REQUIRE(cx, fits && (is_empty || last < self.numel()), false,
          "sizes, strides and an offset of %" PRId64 " lead out of %" PRId64 " elements", storage_offset.value_or(0),
          self.numel());
  if (!is_empty) view.data += storage_offset.value_or(0) * static_cast<int64_t>(elementSize(view.type));
  return true;
}

}  // namespace

Tensor& as_strided_copy_out(Context& cx, const Tensor& self, Ints size, Ints stride, Maybe<int64_t> storage_offset,
                            Tensor& out) {
  View view;
  return take_strided(cx, self, size, stride, storage_offset, view) ? copy_view(cx, view, out) : out;
}

Tensor& as_strided_scatter_out(Context& cx, const Tensor& self, const Tensor& src, Ints size, Ints stride,
                               Maybe<int64_t> storage_offset, Tensor& out) {
  return copy_but(cx, self, src, out,
                  [&](View& part) { return take_strided(cx, out, size, stride, storage_offset, part); });
}

Tensor& tril_out(Context& cx, const Tensor& self, int64_t diagonal, Tensor& out) {
  return triangle(cx, self, diagonal, true, out);
}
Tensor& triu_out(Context& cx, const Tensor& self, int64_t diagonal, Tensor& out) {
  return triangle(cx, self, diagonal, false, out);
}

}  // namespace tenon::native
