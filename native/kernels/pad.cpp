// Rolls and pads: along each dimension a result is a few pieces of its input, forwards, backwards, or one element again
// and again. A copy for each combination of pieces does the work. What no piece covers is a number.
#include <algorithm>

#include "generated/kernels.h"
#include "index.h"
#include "moves.h"

namespace tenon::native {
namespace {

struct Piece {
  int64_t to, from, count, step;  // the step is along the input
};

// How the elements of one dimension come about.
struct Pieces {
  Piece at[3];
  size_t count = 0;

  void add(const Piece& piece) {
    if (piece.count > 0) at[count++] = piece;
  }
  void add_rolled(int64_t size, int64_t shift) {
    add({0, size - shift, shift, 1});
    add({shift, 0, size - shift, 1});
  }
};

void copy_pieces(Context& cx, const View& to, const View& from, const Pieces* pieces) {
  for (size_t d = 0; d < to.rank; ++d) {
    if (pieces[d].count == 0) return;
  }
  size_t at[kTensorDimensionLimit] = {}, d = 0;
  do {
    View target = to, source = from;
    for (d = 0; d < to.rank; ++d) {
      const Piece& piece = pieces[d].at[at[d]];
      narrow(target, d, piece.to, piece.count);
      narrow(source, d, piece.from, piece.count, piece.step);
    }
    copy(cx, target, source);
    for (d = 0; d < to.rank; ++d) {
      if (++at[d] < pieces[d].count) break;
      at[d] = 0;
    }
  } while (d < to.rank && !cx.failed());
}

// From 0 to size - 1.
int64_t wrapped(int64_t shift, int64_t size) { return size ? (shift % size + size) % size : 0; }

// All elements as one dimension, in the order of their indices.
void roll_all(Context& cx, const Tensor& self, int64_t shift, Tensor& out) {
  View to(out), from(self);
  const int64_t count = self.numel(), by = wrapped(shift, count);
  if (is_plain(self) && is_plain(out)) {
    to.rank = from.rank = 0;
    to.insert(0, count, 1);
    from.insert(0, count, 1);
    Pieces pieces;
    pieces.add_rolled(count, by);
    return copy_pieces(cx, to, from, &pieces);
  }
  const ConvertRun move = mover(out.element_size());
  for (int64_t i = 0; i < count; ++i) {
    move(to.data + offset_of(to, (i + by) % count), 0, from.data + offset_of(from, i), 0, 1);
  }
}

// What is beyond an edge: a number, the mirror image of what is before it, or the element that is nearest.
enum class Edge { number, mirror, nearest };

Tensor& pad(Context& cx, const Tensor& self, Ints padding, Edge edge, const Scalar& value, Tensor& out) {
  const View from(self);
  View whole = from;
  Pieces pieces[kTensorDimensionLimit];
  const size_t dims = padding.size() / 2;
  for (size_t d = 0; d < from.rank - dims; ++d) pieces[d].add({0, 0, from.sizes[d], 1});
  for (size_t i = 0; i < dims; ++i) {
    const size_t d = from.rank - 1 - i;
    const int64_t size = from.sizes[d], before = padding[2 * i], after = padding[2 * i + 1];
    const int64_t most = edge == Edge::mirror ? size - 1 : INT32_MAX, least = -int64_t{INT32_MAX};
    // Places are counted from the first of the input.
    const int64_t first = -std::clamp(before, least, most), end = size + std::clamp(after, least, most);
    const bool fits = edge == Edge::number ? end >= first : end >= first + (dims == 1) && size != 0;
    REQUIRE(cx, fits && first == -before && end == size + after, out,
            "dimension %zu of size %" PRId64 " is not padded by %" PRId64 " and %" PRId64, d, size, before, after);
    whole.sizes[d] = end - first;
    const int64_t inside = std::max<int64_t>(first, 0), behind = std::max(first, size);
    pieces[d].add({inside - first, inside, std::min(end, size) - inside, 1});
    if (edge == Edge::number) continue;
    const bool is_mirror = edge == Edge::mirror;
    pieces[d].add({0, is_mirror ? -first : 0, std::min<int64_t>(end, 0) - first, is_mirror ? -1 : 0});
    pieces[d].add({behind - first, is_mirror ? 2 * size - 2 - behind : size - 1, end - behind, is_mirror ? -1 : 0});
  }
  if (!resize_to(cx, out, whole)) return out;
  if (edge == Edge::number) {
    const bool is_padded = std::any_of(padding.begin(), padding.end(), [](int64_t n) { return n > 0; });
    const Number number(cx, is_padded ? value : Scalar(0), out.scalar_type());  // any number is for no padding
    if (cx.failed()) return out;
    copy(cx, View(out), number.as(View(out)));
  }
  copy_pieces(cx, View(out), from, pieces);
  return out;
}

Tensor& pad_images(Context& cx, const Tensor& self, Ints padding, size_t dims, Edge edge, Tensor& out) {
  const size_t rank = self.sizes().size();
  REQUIRE(cx, padding.size() == 2 * dims && rank >= dims + 1 && rank <= dims + 2, out,
          "%zu numbers of padding are not for %zu dimensions behind the 1 or 2 first of %s", padding.size(), dims,
          ShapeText(self).text);
  return pad(cx, self, padding, edge, Scalar(0), out);
}

}  // namespace

Tensor& roll_out(Context& cx, const Tensor& self, Ints shifts, Ints dims, Tensor& out) {
  const View from(self);
  const bool is_all = dims.empty() && shifts.size() == 1;
  REQUIRE(cx, !shifts.empty() && (is_all || shifts.size() == dims.size()), out, "%zu shifts are not for %zu dimensions",
          shifts.size(), dims.size());
  int64_t sums[kTensorDimensionLimit] = {};
  for (size_t i = 0; i < dims.size(); ++i) {
    const size_t d = take_dim(cx, dims[i], from.rank);
    if (cx.failed()) return out;
    sums[d] = wrapped(sums[d] + wrapped(shifts[i], from.sizes[d]), from.sizes[d]);
  }
  if (!has_same_dtype(cx, self, out) || !resize(cx, out, self.sizes())) return out;
  if (is_all) return roll_all(cx, self, shifts[0], out), out;
  Pieces pieces[kTensorDimensionLimit];
  for (size_t d = 0; d < from.rank; ++d) pieces[d].add_rolled(from.sizes[d], sums[d]);
  copy_pieces(cx, View(out), from, pieces);
  return out;
}

Tensor& constant_pad_nd_out(Context& cx, const Tensor& self, Ints pad, const Scalar& value, Tensor& out) {
  REQUIRE(cx, pad.size() % 2 == 0 && pad.size() / 2 <= self.sizes().size(), out,
          "%zu numbers of padding are not two for each of at most %zu dimensions", pad.size(), self.sizes().size());
  return native::pad(cx, self, pad, Edge::number, value, out);
}

#define TENON_PAD(function, dims, edge)                                          \
  Tensor& function(Context& cx, const Tensor& self, Ints padding, Tensor& out) { \
    return pad_images(cx, self, padding, dims, edge, out);                       \
  }
TENON_PAD(reflection_pad1d_out, 1, Edge::mirror)
TENON_PAD(reflection_pad2d_out, 2, Edge::mirror)
TENON_PAD(reflection_pad3d_out, 3, Edge::mirror)
TENON_PAD(replication_pad1d_out, 1, Edge::nearest)
TENON_PAD(replication_pad2d_out, 2, Edge::nearest)
TENON_PAD(replication_pad3d_out, 3, Edge::nearest)
#undef TENON_PAD

}  // namespace tenon::native
