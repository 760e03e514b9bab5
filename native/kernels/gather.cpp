// Elements by an index along one dimension: embedding, index_select, gather, and scatters, which may join several.
#include <algorithm>
#include <limits>

#include "arithmetic.h"
#include "generated/kernels.h"
#include "index.h"
#include "moves.h"

namespace tenon::native {
namespace {

// --- an index for each slice ---------------------------------------------------------------------------------------

// out = from[index] along a dimension, in whose place the result has those of the index.
template <DTypeSet set>
void take_slices(Context& cx, const Tensor& from, int64_t dim, const Tensor& index, Tensor& out) {
  if (!has_index_dtype(cx, index) || !has_dtype(cx, from, set) || !has_same_dtype(cx, from, out)) return;
  const size_t along = static_cast<size_t>(dim), count = index.sizes().size();
  View whole(from);
  whole.remove(along);
  for (size_t d = 0; d < count; ++d) whole.insert(along + d, index.sizes()[d], 0);
  if (!resize_to(cx, out, whole)) return;
  const Strides strides(from), at(index), to(out);
  Odometer<2> slice, places;
  for (size_t d = 0; d < from.sizes().size(); ++d) {
    if (d != along) slice.add(from.sizes()[d], strides[d], to[d < along ? d : d + count - 1]);
  }
  for (size_t d = 0; d < count; ++d) places.add(index.sizes()[d], at[d], to[along + d]);
  int64_t step[2];
  const int64_t run = slice.pop(step);
  each_index(cx, index, places, from.size(dim), dim, std::nullopt, [&](int64_t i, int64_t place) {
    width_switch<set>(from.element_size(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (int64_t lines = slice.start(); lines > 0; --lines, slice.next()) {
        const T* source = from.const_data_ptr<T>() + i * strides[along] + slice.offset[0];
        T* target = out.mutable_data_ptr<T>() + place + slice.offset[1];
        if (step[0] == 1 && step[1] == 1) {
          std::copy_n(source, run, target);
        } else {
          for (int64_t k = 0; k < run; ++k) target[k * step[1]] = source[k * step[0]];
        }
      }
    });
  });
}

// A number alone counts as one dimension.
View line_of(const Tensor& t) {
  View view(t);
  if (view.rank == 0) view.insert(0, 1, 1);
  return view;
}

// --- an index for each element -------------------------------------------------------------------------------------

// Calls work(where, other) for each element of the indices: the offset in the indexed tensor, and in the other one.
template <class Work>
void each_along(Context& cx, const Tensor& index, const Tensor& indexed, int64_t dim, const Tensor& other,
                const Work& work) {
  const Strides index_strides(index), strides(indexed), other_strides(other);
  const size_t along = static_cast<size_t>(dim);
  const int64_t size = nonempty_size(indexed, dim), step = indexed.dim() ? strides[along] : 1;
  Odometer<3> places;
  for (size_t d = 0; d < index.sizes().size(); ++d) {
    const int64_t other_step = d < other.sizes().size() ? other_strides[d] : 0;
    places.add(index.sizes()[d], index_strides[d], d == along || !indexed.dim() ? 0 : strides[d], other_step);
  }
  int64_t steps[3], position = 0, room[run_room];
  const int64_t length = places.pop(steps);
  for (int64_t left = places.start(); left > 0; --left, places.next()) {
    for (int64_t i = 0; i < length; i += run_room) {
      const int64_t n = std::min(run_room, length - i);
      const int64_t* at = read(index, places.offset[0] + i * steps[0], steps[0], n, room);
      for (int64_t j = 0; j < n; ++j, ++position) {
        if (!is_inside(cx, at[j], size, dim, position)) return;
        work(places.offset[1] + (i + j) * steps[1] + at[j] * step, places.offset[2] + (i + j) * steps[2]);
      }
    }
  }
}

// Whether the indices have no more elements than the tensors they are for: in all dimensions of `whole`, and in all but
// one of `indexed`.
bool index_fits(Context& cx, const Tensor& index, const Tensor& indexed, int64_t dim, const Tensor* whole) {
  bool fits = nonzero_dim(index) == nonzero_dim(indexed) && (!whole || nonzero_dim(index) == nonzero_dim(*whole));
  for (int64_t d = 0; fits && d < nonzero_dim(index); ++d) {
    fits = (d == dim || nonempty_size(index, d) <= nonempty_size(indexed, d)) &&
           (!whole || nonempty_size(index, d) <= nonempty_size(*whole, d));
  }
  return HOLDS(cx, fits || index.numel() == 0, "indices of shape %s are too large for shapes %s and %s",
               ShapeText(index).text, ShapeText(indexed).text, ShapeText((whole ? *whole : indexed).sizes()).text);
}

// What all scatters begin with: `out` is a copy of `self`.
template <DTypeSet set>
bool begin_scatter(Context& cx, const Tensor& self, int64_t& dim, const Tensor& index, const Tensor* src, Tensor& out) {
  if (!wrap_dim(cx, dim, self) || !has_index_dtype(cx, index) || !has_dtype(cx, self, set) ||
      !has_same_dtype(cx, self, out) || (src && !has_same_dtype(cx, self, *src)) ||
      !index_fits(cx, index, self, dim, src) || !resize(cx, out, self.sizes())) {
    return false;
  }
  copy(cx, View(out), View(self));
  return true;
}

// Puts each element of `src`, which may be one number for all, where its index leads.
template <DTypeSet set>
Tensor& put_each(Context& cx, const Tensor& index, const Tensor& src, int64_t dim, Tensor& out) {
  each_along(cx, index, out, dim, src, [&](int64_t where, int64_t from) {
    width_switch<set>(out.element_size(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      out.mutable_data_ptr<T>()[where] = src.const_data_ptr<T>()[from];
    });
  });
  return out;
}

}  // namespace

// What is not named is for training.
Tensor& embedding_out(Context& cx, const Tensor& weight, const Tensor& indices, int64_t, bool, bool, Tensor& out) {
  REQUIRE(cx, weight.dim() == 2, out, "weights of shape %s have not 2 dimensions", ShapeText(weight).text);
  return take_slices<MOVED>(cx, weight, 0, indices, out), out;
}

Tensor& index_select_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, Tensor& out) {
  if (!wrap_dim(cx, dim, self)) return out;
  REQUIRE(cx, index.dim() <= 1, out, "indices of shape %s have more than 1 dimension", ShapeText(index).text);
  if (self.dim() == 0 && !resize(cx, out, {})) return out;
  ViewTensor from(line_of(self)), places(line_of(index)), number(line_of(out));
  Tensor result = self.dim() ? out : number.tensor();
  return take_slices<MOVED>(cx, from.tensor(), dim, places.tensor(), result), out;
}

Tensor& gather_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, bool, Tensor& out) {
  if (!wrap_dim(cx, dim, self) || !has_index_dtype(cx, index) || !has_dtype(cx, self, MOVED) ||
      !has_same_dtype(cx, self, out) || !index_fits(cx, index, self, dim, nullptr) || !resize(cx, out, index.sizes())) {
    return out;
  }
  width_switch<MOVED>(self.element_size(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    each_along(cx, index, self, dim, out,
               [&](int64_t where, int64_t to) { out.mutable_data_ptr<T>()[to] = self.const_data_ptr<T>()[where]; });
  });
  return out;
}

Tensor& scatter_src_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                        Tensor& out) {
  return begin_scatter<MOVED>(cx, self, dim, index, &src, out) ? put_each<MOVED>(cx, index, src, dim, out) : out;
}

Tensor& scatter_value_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                          Tensor& out) {
  if (!begin_scatter<MOVED>(cx, self, dim, index, nullptr, out)) return out;
  Number number(cx, index.numel() ? value : Scalar(0), out.scalar_type());
  TensorImpl one(out.scalar_type(), 0, nullptr, number.bytes);
  return cx.failed() ? out : put_each<MOVED>(cx, index, Tensor(&one), dim, out);
}

Tensor& scatter_add_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                        Tensor& out) {
  if (!begin_scatter<MOVED>(cx, self, dim, index, &src, out)) return out;
  visit_stored<MOVED>(cx, out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    each_along(cx, index, out, dim, src, [&](int64_t where, int64_t from) {
      out.mutable_data_ptr<T>()[where] = wrapping_add(out.mutable_data_ptr<T>()[where], src.const_data_ptr<T>()[from]);
    });
  });
  return out;
}

// --- joined --------------------------------------------------------------------------------------------------------

namespace {

// What several elements for one place become.
enum class Joining { sum, prod, mean, amax, amin };

template <size_t n>
bool take_joining(Context& cx, std::string_view name, const std::string_view (&names)[n], Joining& found) {
  const auto* at = std::find(std::begin(names), std::end(names), name);
  REQUIRE(cx, at != std::end(names), false, "there is no reduction \"%.*s\"", static_cast<int>(name.size()),
          name.data());
  found = static_cast<Joining>(at - names);
  return true;
}

// What changes nothing.
template <class T>
T neutral(Joining joining) {
  using Limits = std::numeric_limits<T>;
  if (joining == Joining::amax) return Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
  if (joining == Joining::amin) return Limits::has_infinity ? Limits::infinity() : Limits::max();
  return static_cast<T>(joining == Joining::prod);
}

// What is not a number stays so.
template <class T>
T joined(Joining joining, T a, T b) {
  if (joining == Joining::amax) return b > a || b != b ? b : a;
  if (joining == Joining::amin) return b < a || b != b ? b : a;
  return joining == Joining::prod ? wrapping_multiply(a, b) : wrapping_add(a, b);
}

// So many numbers, all of them `first`.
int32_t* make_counts(Context& cx, int64_t count, int32_t first) {
  int32_t* counts = static_cast<int32_t*>(cx.temporary(static_cast<size_t>(count) * sizeof(int32_t)));
  if (counts) std::fill_n(counts, count, first);
  return counts;
}

// One element becomes what change(x) makes of it.
template <DTypeSet set, class Change>
void replace(Context& cx, const Tensor& t, int64_t where, const Change& change) {
  visit<set>(cx, t.scalar_type(), [&](auto tag) {
    write_one(t, where, change(read_one<typename decltype(tag)::type>(t, where)));
  });
}

// Joins each element of `src`, which may be one number for all, with what is where its index leads.
template <DTypeSet set>
Tensor& join_each(Context& cx, const Tensor& index, const Tensor& src, int64_t dim, Joining joining, int32_t* counts,
                  Tensor& out) {
  each_along(cx, index, out, dim, src, [&](int64_t where, int64_t from) {
    replace<set>(cx, out, where, [&](auto x) { return joined(joining, x, read_one<decltype(x)>(src, from)); });
    if (counts) ++counts[where];
  });
  return out;
}

}  // namespace

Tensor& scatter_reduce_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                           std::string_view reduce, Tensor& out) {
  Joining joining;
  if (!take_joining(cx, reduce, {"add", "multiply"}, joining) ||
      !begin_scatter<NUMBERS_AND_BOOL>(cx, self, dim, index, &src, out)) {
    return out;
  }
  return join_each<NUMBERS_AND_BOOL>(cx, index, src, dim, joining, nullptr, out);
}

Tensor& scatter_value_reduce_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                                 std::string_view reduce, Tensor& out) {
  Joining joining;
  if (!take_joining(cx, reduce, {"add", "multiply"}, joining) ||
      !begin_scatter<NUMBERS_AND_BOOL>(cx, self, dim, index, nullptr, out)) {
    return out;
  }
  Number number(cx, value, out.scalar_type());
  TensorImpl one(out.scalar_type(), 0, nullptr, number.bytes);
  return cx.failed() ? out : join_each<NUMBERS_AND_BOOL>(cx, index, Tensor(&one), dim, joining, nullptr, out);
}

Tensor& scatter_reduce_two_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                               std::string_view reduce, bool include_self, Tensor& out) {
  constexpr std::string_view names[] = {"sum", "prod", "mean", "amax", "amin"};
  Joining joining;
  if (!take_joining(cx, reduce, names, joining) || !begin_scatter<NUMBERS_AND_BOOL>(cx, self, dim, index, &src, out)) {
    return out;
  }
  int32_t* counts = joining == Joining::mean ? make_counts(cx, out.numel(), include_self) : nullptr;
  if (cx.failed()) return out;
  if (!include_self) {
    each_along(cx, index, out, dim, src, [&](int64_t where, int64_t) {
      replace<NUMBERS_AND_BOOL>(cx, out, where, [&](auto x) { return neutral<decltype(x)>(joining); });
    });
  }
  if (!cx.failed()) join_each<NUMBERS_AND_BOOL>(cx, index, src, dim, joining, counts, out);
  for (int64_t i = 0; counts && i < out.numel(); ++i) {
    replace<NUMBERS_AND_BOOL>(cx, out, i, [&](auto sum) {
      using T = decltype(sum);
      const T count = static_cast<T>(std::max(counts[i], 1));
      if constexpr (std::is_floating_point_v<T>) return sum / count;
      else if constexpr (std::is_same_v<T, bool>) return sum;
      else return count > T(0) ? divide_down(sum, count) : T(0);
    });
  }
  return out;
}

Tensor& embedding_dense_backward_out(Context& cx, const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                     int64_t padding_idx, bool scale_grad_by_freq, Tensor& out) {
  const int64_t length = grad_output.dim() ? grad_output.size(grad_output.dim() - 1) : 1;
  REQUIRE(cx, grad_output.dim() == indices.dim() + 1 && grad_output.numel() == indices.numel() * length, out,
          "gradients of shape %s are not those of %s indices", ShapeText(grad_output).text, ShapeText(indices).text);
  const SizesType sizes[] = {static_cast<SizesType>(num_weights), static_cast<SizesType>(length)};
  if (!has_index_dtype(cx, indices) || !has_dtype(cx, grad_output, NUMBERS_AND_BOOL) ||
      !has_same_dtype(cx, grad_output, out) || !resize(cx, out, sizes)) {
    return out;
  }
  const bool is_bool = out.scalar_type() == ScalarType::Bool;
  int32_t* counts = scale_grad_by_freq ? make_counts(cx, num_weights, 0) : nullptr;
  if (cx.failed()) return out;
  const Strides from(grad_output), at(indices), to(out);
  const size_t rank = indices.sizes().size();
  Odometer<2> places;
  for (size_t d = 0; d < rank; ++d) places.add(indices.sizes()[d], at[d], from[d]);
  const auto each = [&](const auto& work) { each_index(cx, indices, places, num_weights, 0, padding_idx, work); };
  std::memset(out.mutable_data_ptr(), 0, out.nbytes());
  if (counts) each([&](int64_t index, int64_t) { ++counts[index]; });
  each([&](int64_t index, int64_t start) {
    compute_switch<uint64_t, NUMBERS_AND_BOOL>(out.scalar_type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      T rooms[2][run_room], sums[run_room];
      // A part of a whole number is none, but that of a bool is one.
      const T factor = counts && !is_bool ? static_cast<T>(1.0 / counts[index]) : T(1);
      for (int64_t i = 0; i < length; i += run_room) {
        const int64_t n = std::min(run_room, length - i), place = index * to[0] + i * to[1];
        const T* more = read(grad_output, start + i * from[rank], from[rank], n, rooms[0]);
        const T* sum = read(out, place, to[1], n, rooms[1]);
        for (int64_t j = 0; j < n; ++j) sums[j] = sum[j] + more[j] * factor;
        write(out, place, to[1], n, sums);
      }
    });
  });
  return out;
}

// Parts of a dimension, whose lengths or ends are in a tensor.
Tensor& segment_reduce_out(Context& cx, const Tensor& data, std::string_view reduce, const Maybe<Tensor>& lengths,
                           const Maybe<Tensor>& indices, const Maybe<Tensor>& offsets, int64_t axis, bool unsafe,
                           const Maybe<Scalar>& initial, Tensor& out) {
  Joining joining;
  if (!take_joining(cx, reduce, {"sum", "prod", "mean", "max", "min"}, joining)) return out;
  REQUIRE(cx, lengths.has_value() != offsets.has_value() && !indices, out,
          "parts are told by their lengths or by their offsets");
  if (!wrap_dim(cx, axis, data) || !has_dtype(cx, data, FLOATS) || !has_same_dtype(cx, data, out)) return out;
  const Tensor& parts = lengths ? *lengths : *offsets;
  if (!has_index_dtype(cx, parts)) return out;
  bool fits = data.dim() > 0 && parts.dim() == axis + 1 && (lengths || parts.size(axis) > 0);
  SizesType sizes[kTensorDimensionLimit];
  for (ptrdiff_t d = 0; fits && d < data.dim(); ++d) {
    fits = d >= axis || parts.size(d) == data.size(d);
    sizes[d] = static_cast<SizesType>(d == axis ? parts.size(d) - !lengths : data.size(d));
  }
  REQUIRE(cx, fits, out, "parts of shape %s are not those of dim %" PRId64 " of shape %s", ShapeText(parts).text, axis,
          ShapeText(data).text);
  if (!resize(cx, out, {sizes, data.sizes().size()})) return out;
  const Strides from(data), at(parts), to(out);
  const size_t along = static_cast<size_t>(axis);
  Odometer<3> rows;  // strides of: data, parts, out
  Odometer<2> inside;
  for (size_t d = 0; d < along; ++d) rows.add(sizes[d], from[d], at[d], to[d]);
  for (size_t d = along + 1; d < data.sizes().size(); ++d) inside.add(sizes[d], from[d], to[d]);
  const int64_t size = data.size(axis);
  compute_switch<void, FLOATS>(data.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T first = initial ? initial->to<T>() : neutral<T>(joining);
    for (int64_t left = rows.start(); left > 0; --left, rows.next()) {
      int64_t end = lengths ? 0 : read_one<int64_t>(parts, rows.offset[1]);
      for (int64_t part = 0; part < sizes[axis]; ++part) {
        const int64_t begin = end;
        const int64_t told = read_one<int64_t>(parts, rows.offset[1] + (part + !lengths) * at[along]);
        end = lengths ? (told > size ? size + 1 : begin + told) : told;
        REQUIRE(cx, begin >= 0 && begin <= end && end <= size, ,
                "part %" PRId64 " from %" PRId64 " to %" PRId64 " is not in size %" PRId64 " of dim %" PRId64, part,
                begin, end, size, axis);
        const int64_t base = rows.offset[0], place = rows.offset[2] + part * to[along];
        for (int64_t lines = inside.start(); lines > 0; --lines, inside.next()) {
          T found = first;
          for (int64_t i = begin; i < end; ++i) {
            found = joined(joining, found, read_one<T>(data, base + i * from[along] + inside.offset[0]));
          }
          if (joining == Joining::mean && (end > begin || !initial)) found /= static_cast<T>(end - begin);
          write_one(out, place + inside.offset[1], found);
        }
      }
      REQUIRE(cx, !lengths || unsafe || end == size, ,
              "the lengths are %" PRId64 " together, and size %" PRId64 " of dim %" PRId64, end, size, axis);
    }
  });
  return out;
}

}  // namespace tenon::native
