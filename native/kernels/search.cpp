// Where numbers belong in a row that is in order.
#include "generated/kernels.h"
#include "loops.h"

namespace tenon::native {
namespace {

// One element, first as the common dtype, then as what that is computed in.
template <class T>
T read_common(const Tensor& t, int64_t offset, ScalarType common) {
  if (t.scalar_type() == common) return read_one<T>(t, offset);
  alignas(8) char as_common[8];
  T found;
  converter(common, t.scalar_type())(as_common, 0, static_cast<const char*>(t.const_data_ptr()) + offset * t.itemsize(),
                                     0, 1);
  converter(dtype_of<T>, common)(reinterpret_cast<char*>(&found), 0, as_common, 0, 1);
  return found;
}

// All but the last dimension of both are the same, or the row is one for all.
bool is_row_for(Context& cx, const Tensor& rows, const Tensor& self) {
  bool fits = rows.dim() == 1 || (rows.dim() > 0 && rows.dim() == self.dim());
  for (ptrdiff_t d = 0; fits && d + 1 < rows.dim(); ++d) fits = rows.size(d) == self.size(d);
  return HOLDS(cx, fits, "rows of shape %s are not for numbers of shape %s", ShapeText(rows).text,
               ShapeText(self).text);
}

bool is_sorter_of(Context& cx, const Tensor& sorter, const Tensor& rows) {
  return HOLDS(cx, sorter.scalar_type() == ScalarType::Long && tensors_have_same_shape(sorter, rows),
               "a sorter of %s and shape %s is not int64 of shape %s", dtype_name(sorter), ShapeText(sorter).text,
               ShapeText(rows).text);
}

// How many of a row are before each number: those that are less, or on the right side also those that are equal.
template <DTypeSet set>
Tensor& search(Context& cx, const Tensor& rows, const Tensor& self, ScalarType common, bool out_int32, bool right,
               Maybe<std::string_view> side, const Maybe<Tensor>& sorter, Tensor& out) {
  REQUIRE(cx, !side || *side == "right" || (*side == "left" && !right), out, "side is \"%.*s\", and right is %s",
          static_cast<int>(side->size()), side->data(), right ? "true" : "false");
  if (!is_row_for(cx, rows, self) || (sorter && !is_sorter_of(cx, *sorter, rows)) ||
      !has_dtype(cx, out, dtypes(out_int32 ? ScalarType::Int : ScalarType::Long)) || !resize(cx, out, self.sizes())) {
    return out;
  }
  const size_t rank = self.sizes().size(), last = rows.sizes().size() - 1;
  const Strides from(self), to(out), in_rows(rows), in_sorter(sorter ? *sorter : rows);
  Odometer<5> places;
  for (size_t d = 0; d < rank; ++d) {
    const bool has_own = last > 0 && d < last;
    places.add(self.sizes()[d], from[d], to[d], has_own ? in_rows[d] : 0, has_own ? in_sorter[d] : 0, 0);
  }
  const int64_t size = rows.size(static_cast<ptrdiff_t>(last));
  const bool is_right = right || (side && *side == "right");
  visit<promoted(set)>(cx, common, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = places.start(); left > 0; --left, places.next()) {
      const T x = read_common<T>(self, places.offset[0], common);
      int64_t low = 0;
      for (int64_t high = size; low < high;) {
        const int64_t middle = low + (high - low) / 2;
        int64_t at = middle;
        if (sorter) at = sorter->const_data_ptr<int64_t>()[places.offset[3] + middle * in_sorter[last]];
        if (sorter && !is_inside(cx, at, size, static_cast<int64_t>(last), middle)) return;
        const T y = read_common<T>(rows, places.offset[2] + at * in_rows[last], common);
        if (is_right ? y > x : y >= x) high = middle;
        else low = middle + 1;
      }
      write_one(out, places.offset[1], low);
    }
  });
  return out;
}

}  // namespace

Tensor& searchsorted_tensor_out(Context& cx, const Tensor& sorted_sequence, const Tensor& self, bool out_int32,
                                bool right, Maybe<std::string_view> side, const Maybe<Tensor>& sorter, Tensor& out) {
  const ScalarType common = promote(sorted_sequence, self);
  return search<NUMBERS>(cx, sorted_sequence, self, common, out_int32, right, side, sorter, out);
}

Tensor& searchsorted_scalar_out(Context& cx, const Tensor& sorted_sequence, const Scalar& self, bool out_int32,
                                bool right, Maybe<std::string_view> side, const Maybe<Tensor>& sorter, Tensor& out) {
  NumberTensor number(self);
  const ScalarType common = promote(sorted_sequence, self);
  constexpr DTypeSet set = NUMBERS | dtypes(ScalarType::Float);  // what whole numbers become beside a float
  return search<set>(cx, sorted_sequence, number.tensor(), common, out_int32, right, side, sorter, out);
}

}  // namespace tenon::native
