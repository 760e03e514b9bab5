// Several tensors in one, one in several, and one again and again: copies to and from parts.
#include "generated/kernels.h"
#include "loops.h"
#include "moves.h"

namespace tenon::native {
namespace {

bool fits(Context& cx, ScalarType result, const Tensor& out) {
  return HOLDS(cx, canCast(result, out.scalar_type()), "the result is %s, and its place is %s", dtype_name(result),
               dtype_name(out));
}

// torch lets an empty list-like tensor join anything.
bool is_skipped(const View& view) { return view.rank == 1 && view.sizes[0] == 0; }

bool is_like(const View& a, const View& b, size_t except) {
  if (a.rank != b.rank) return false;
  for (size_t d = 0; d < a.rank; ++d) {
    if (d != except && a.sizes[d] != b.sizes[d]) return false;
  }
  return true;
}

// Neighbours along a dimension, one for each place: size_of(i) elements of it. Of 1 each, they may be without it.
template <class SizeOf>
void copy_parts(Context& cx, const View& whole, size_t d, bool is_kept, TensorList out, const SizeOf& size_of) {
  int64_t start = 0;
  for (size_t i = 0; i < out.size() && !cx.failed(); start += size_of(i++)) {
    View part = whole;
    narrow(part, d, start, size_of(i));
    if (!is_kept) part.remove(d);
    Tensor place = out[i];
    copy_view(cx, part, place);
  }
}

// Along a dimension that they have, or along a new one.
Tensor& join(Context& cx, TensorList tensors, int64_t dim, bool is_new, Tensor& out) {
  REQUIRE(cx, !tensors.empty(), out, "there are no tensors to join");
  Promotion promotion;
  for (const Tensor& t : tensors) promotion.with(t);
  View whole(tensors[0]);
  for (size_t i = 1; i < tensors.size() && !is_new && is_skipped(whole); ++i) whole = View(tensors[i]);
  if (!fits(cx, promotion.dtype(), out)) return out;
  const size_t d = take_dim(cx, dim, whole.rank + is_new);
  if (cx.failed()) return out;
  const auto part_of = [&](const Tensor& t) {
    View part(t);
    if (is_new) part.insert(d, 1, 0);
    return part;
  };
  if (is_new) whole.insert(d, 0, 0);
  whole.sizes[d] = 0;
  for (const Tensor& t : tensors) {
    const View part = part_of(t);
    if (is_skipped(part)) continue;
    const bool is_part = is_like(part, whole, d);
    REQUIRE(cx, is_part || !is_new, out, "%s is not stacked on %s", ShapeText(t).text, ShapeText(tensors[0]).text);
    REQUIRE(cx, is_part, out, "%s does not join %s along dimension %zu", ShapeText(t).text, ShapeText(tensors[0]).text,
            d);
    whole.sizes[d] += part.sizes[d];
  }
  if (!resize_to(cx, out, whole)) return out;
  int64_t start = 0;
  for (const Tensor& t : tensors) {
    const View part = part_of(t);
    if (is_skipped(part)) continue;
    View place(out);
    narrow(place, d, start, part.sizes[d]);
    copy(cx, place, part);
    start += part.sizes[d];
  }
  return out;
}

}  // namespace

Tensor& cat_out(Context& cx, TensorList tensors, int64_t dim, Tensor& out) {
  return join(cx, tensors, dim, false, out);
}
Tensor& stack_out(Context& cx, TensorList tensors, int64_t dim, Tensor& out) {
  return join(cx, tensors, dim, true, out);
}

void split_with_sizes_copy_out(Context& cx, const Tensor& self, Ints split_sizes, int64_t dim, TensorList out) {
  const View whole(self);
  const size_t d = take_dim(cx, dim, whole.rank);
  if (cx.failed()) return;
  int64_t sum = 0;
  for (const int64_t size : split_sizes) sum = size < 0 || size > whole.sizes[d] ? -1 : sum < 0 ? -1 : sum + size;
  REQUIRE(cx, sum == whole.sizes[d] && split_sizes.size() == out.size(), ,
          "the %" PRId64 " of dimension %zu do not split into %zu parts of %" PRId64 " together, for %zu places",
          whole.sizes[d], d, split_sizes.size(), sum, out.size());
  copy_parts(cx, whole, d, true, out, [&](size_t i) { return split_sizes[i]; });
}

void split_copy_tensor_out(Context& cx, const Tensor& self, int64_t split_size, int64_t dim, TensorList out) {
  const View whole(self);
  const size_t d = take_dim(cx, dim, whole.rank);
  if (cx.failed()) return;
  const int64_t size = whole.sizes[d];
  // What has nothing in it is one part, and only then may a part have nothing.
  const int64_t parts = size == 0 ? 1 : split_size > 0 ? (size - 1) / split_size + 1 : 0;
  REQUIRE(cx, split_size >= 0 && static_cast<size_t>(parts) == out.size(), ,
          "the %" PRId64 " of dimension %zu do not split into parts of %" PRId64 " for %zu places", size, d, split_size,
          out.size());
  copy_parts(cx, whole, d, true, out, [&](size_t i) {
    const int64_t left = size - static_cast<int64_t>(i) * split_size;
    return left < split_size ? left : split_size;
  });
}

void unbind_copy_int_out(Context& cx, const Tensor& self, int64_t dim, TensorList out) {
  const View whole(self);
  const size_t d = take_dim(cx, dim, whole.rank);
  if (cx.failed()) return;
  REQUIRE(cx, static_cast<size_t>(whole.sizes[d]) == out.size(), ,
          "the %" PRId64 " of dimension %zu are not for %zu places", whole.sizes[d], d, out.size());
  copy_parts(cx, whole, d, false, out, [](size_t) { return 1; });
}

Tensor& repeat_out(Context& cx, const Tensor& self, Ints repeats, Tensor& out) {
  View from(self);
  REQUIRE(cx, repeats.size() >= from.rank && repeats.size() <= kTensorDimensionLimit, out,
          "a tensor of rank %zu has not %zu repetitions", from.rank, repeats.size());
  while (from.rank < repeats.size()) from.insert(0, 1, 0);
  View whole = from;
  for (size_t d = 0; d < whole.rank; ++d) {
    REQUIRE(cx, repeats[d] >= 0 && !__builtin_mul_overflow(whole.sizes[d], repeats[d], &whole.sizes[d]), out,
            "dimension %zu is not repeated %" PRId64 " times", d, repeats[d]);
  }
  if (!resize_to(cx, out, whole)) return out;
  // A dimension for each repetition, in front of what is repeated.
  View to(out);
  for (size_t d = repeats.size(); d-- > 0;) {
    const int64_t size = from.sizes[d];
    to.sizes[d] = size;
    to.insert(d, repeats[d], to.strides[d] * size);
    from.insert(d, repeats[d], 0);
  }
  copy(cx, to, from);
  return out;
}

}  // namespace tenon::native
