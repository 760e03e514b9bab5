// Kernels that take elements by index: embedding, gather, index, index_put, index_select, scatter.
#include "index.h"

#include <algorithm>
#include <limits>

#include "arithmetic.h"
#include "moves.h"

// What is taken by index as it is: by its width, and a sum of two of them by its type.
#define MOVED (NUMBERS_AND_BOOL | COMPLEX64)

namespace tenon::native {

// --- where ---------------------------------------------------------------------------------------------------------

Strides::Strides(const Tensor& t) {
  const ArrayRef<StridesType> known = t.strides();
  int64_t step = 1;
  for (size_t d = t.sizes().size(); d-- > 0;) {
    at[d] = known.empty() ? step : known[d];
    step *= std::max<int64_t>(t.sizes()[d], 1);
  }
}

bool is_plain(const Tensor& t) {
  if (t.strides().empty()) return true;
  int64_t step = 1;
  for (size_t d = t.sizes().size(); d-- > 0;) {
    if (t.sizes()[d] != 1 && t.strides()[d] != step) return false;
    step *= std::max<int64_t>(t.sizes()[d], 1);
  }
  return true;
}

bool wrap_dim(Context& cx, int64_t& dim, const Tensor& t) {
  dim = static_cast<int64_t>(take_dim(cx, dim, t.sizes().size(), true));
  return !cx.failed();
}

template <size_t n>
void Odometer<n>::append(int64_t size, const int64_t (&steps)[n]) {
  if (size == 1) return;
  bool continues = rank > 0;
  for (size_t i = 0; continues && i < n; ++i) continues = strides[rank - 1][i] == steps[i] * size;
  if (!continues) ++rank;
  sizes[rank - 1] = continues ? sizes[rank - 1] * size : size;
  for (size_t i = 0; i < n; ++i) strides[rank - 1][i] = steps[i];
}

template <size_t n>
int64_t Odometer<n>::pop(int64_t (&steps)[n]) {
  for (size_t i = 0; i < n; ++i) steps[i] = rank ? strides[rank - 1][i] : 0;
  return rank ? sizes[--rank] : 1;
}

template <size_t n>
int64_t Odometer<n>::start() {
  int64_t count = 1;
  for (size_t d = 0; d < rank; ++d) at[d] = 0, count *= sizes[d];
  for (size_t i = 0; i < n; ++i) offset[i] = 0;
  return count;
}

template <size_t n>
void Odometer<n>::next() {
  for (size_t d = rank; d-- > 0;) {
    for (size_t i = 0; i < n; ++i) offset[i] += strides[d][i];
    if (++at[d] < sizes[d]) return;
    for (size_t i = 0; i < n; ++i) offset[i] -= strides[d][i] * sizes[d];
    at[d] = 0;
  }
}

// Not in the header: loops that are compiled for many types call these, and are small.
template struct Odometer<1>;
template struct Odometer<2>;
template struct Odometer<3>;
template struct Odometer<5>;

// --- what ----------------------------------------------------------------------------------------------------------

bool has_dtype(Context& cx, const Tensor& t, DTypeSet set) {
  if (contains(set, t.scalar_type())) return true;
  fail_dtype(cx, "", t.scalar_type());
  return false;
}

bool has_same_dtype(Context& cx, const Tensor& a, const Tensor& b) {
  if (a.scalar_type() == b.scalar_type()) return true;
  cx.fail(Error::InvalidArgument, "dtypes %s and %s should be the same", dtype_name(a.scalar_type()),
          dtype_name(b.scalar_type()));
  return false;
}

bool has_index_dtype(Context& cx, const Tensor& t) {
  if (contains(TENON_SELECTED(dtypes(ScalarType::Long, ScalarType::Int)), t.scalar_type())) return true;
  cx.fail(Error::InvalidArgument, "indices are %s, and should be int64 or int32", dtype_name(t.scalar_type()));
  return false;
}

bool is_inside(Context& cx, int64_t index, int64_t size, int64_t dim, int64_t position) {
  if (index >= 0 && index < size) return true;
  cx.fail(Error::InvalidArgument,
          "index %" PRId64 " at position %" PRId64 " is outside of dim %" PRId64 ", which has size %" PRId64, index, position,
          dim, size);
  return false;
}

namespace {

// A sum in the dtype itself; whole numbers wrap around.
template <class T>
T plus(T a, T b) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else return a + b;
}

template <class T>
const T* data_of(const Tensor& t) {
  return static_cast<const T*>(t.const_data_ptr());
}
template <class T>
T* out_of(const Tensor& t) {
  return static_cast<T*>(t.mutable_data_ptr());
}

// --- one dimension, with one index for each slice ------------------------------------------------------------------

// out[i] = from[index[i]] along one dimension of each. `slice` goes over what is inside of one, `indices` over the indices.
template <DTypeSet set>
void take_slices(Context& cx, const Tensor& from, int64_t from_step, int64_t size, int64_t dim, const Tensor& index,
                 const Tensor& out, Odometer<2> slice, Odometer<2> indices) {
  int64_t step[2];
  const int64_t run = slice.pop(step);
  int64_t position = 0;
  for (int64_t left = indices.start(); left > 0; --left, indices.next(), ++position) {
    const int64_t at = read_one<int64_t>(index, indices.offset[0]);
    if (!is_inside(cx, at, size, dim, position)) return;
    width_switch<set>(from.element_size(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (int64_t lines = slice.start(); lines > 0; --lines, slice.next()) {
        const T* source = data_of<T>(from) + at * from_step + slice.offset[0];
        T* target = out_of<T>(out) + indices.offset[1] + slice.offset[1];
        if (step[0] == 1 && step[1] == 1) {
          std::copy_n(source, run, target);
        } else {
          for (int64_t i = 0; i < run; ++i) target[i * step[1]] = source[i * step[0]];
        }
      }
    });
  }
}

// --- one dimension, with an index for each element -----------------------------------------------------------------

// Calls work(where, other) for each element of the indices: the offset in the indexed tensor, and that in the other one.
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
  if (fits || index.numel() == 0) return true;
  cx.fail(Error::InvalidArgument, "indices of shape %s are too large for shapes %s and %s", ShapeText(index.sizes()).text,
          ShapeText(indexed.sizes()).text, ShapeText((whole ? *whole : indexed).sizes()).text);
  return false;
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

}  // namespace

Tensor& embedding_out(Context& cx, const Tensor& weight, const Tensor& indices, int64_t padding_idx,
                      bool scale_grad_by_freq, bool sparse, Tensor& out) {
  (void)padding_idx, (void)scale_grad_by_freq, (void)sparse;  // for training
  const size_t rank = indices.sizes().size();
  ET_KERNEL_CHECK_MSG(cx, weight.dim() == 2 && rank < kTensorDimensionLimit, InvalidArgument, out,
                      "weights of shape %s have not 2 dimensions", ShapeText(weight.sizes()).text);
  if (!has_index_dtype(cx, indices) || !has_dtype(cx, weight, MOVED) || !has_same_dtype(cx, weight, out)) {
    return out;
  }
  SizesType sizes[kTensorDimensionLimit];
  std::copy_n(indices.sizes().begin(), rank, sizes);
  sizes[rank] = weight.sizes()[1];
  if (!resize(cx, out, {sizes, rank + 1})) return out;
  const Strides from(weight), at(indices), to(out);
  Odometer<2> row, places;
  row.add(sizes[rank], from[1], to[rank]);
  for (size_t d = 0; d < rank; ++d) places.add(sizes[d], at[d], to[d]);
  take_slices<MOVED>(cx, weight, from[0], weight.size(0), 0, indices, out, row, places);
  return out;
}

Tensor& index_select_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, Tensor& out) {
  if (!wrap_dim(cx, dim, self) || !has_index_dtype(cx, index) || !has_dtype(cx, self, MOVED) ||
      !has_same_dtype(cx, self, out)) {
    return out;
  }
  ET_KERNEL_CHECK_MSG(cx, index.dim() <= 1, InvalidArgument, out, "indices of shape %s have more than 1 dimension",
                      ShapeText(index.sizes()).text);
  const size_t rank = self.sizes().size(), along = static_cast<size_t>(dim);
  SizesType sizes[kTensorDimensionLimit];
  for (size_t d = 0; d < rank; ++d) sizes[d] = d == along ? static_cast<SizesType>(index.numel()) : self.sizes()[d];
  if (!resize(cx, out, {sizes, rank})) return out;
  const Strides from(self), at(index), to(out);
  Odometer<2> slice, places;
  for (size_t d = 0; d < rank; ++d) {
    if (d != along) slice.add(sizes[d], from[d], to[d]);
  }
  places.add(index.numel(), index.dim() ? at[0] : 0, rank ? to[along] : 0);
  take_slices<MOVED>(cx, self, rank ? from[along] : 0, nonempty_size(self, dim), dim, index, out, slice, places);
  return out;
}

Tensor& gather_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad, Tensor& out) {
  (void)sparse_grad;  // for training
  if (!wrap_dim(cx, dim, self) || !has_index_dtype(cx, index) || !has_dtype(cx, self, MOVED) ||
      !has_same_dtype(cx, self, out) || !index_fits(cx, index, self, dim, nullptr) || !resize(cx, out, index.sizes())) {
    return out;
  }
  width_switch<MOVED>(self.element_size(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    each_along(cx, index, self, dim, out,
               [&](int64_t where, int64_t to) { out_of<T>(out)[to] = data_of<T>(self)[where]; });
  });
  return out;
}

Tensor& scatter_src_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                        Tensor& out) {
  if (!begin_scatter<MOVED>(cx, self, dim, index, &src, out)) return out;
  width_switch<MOVED>(self.element_size(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    each_along(cx, index, out, dim, src,
               [&](int64_t where, int64_t from) { out_of<T>(out)[where] = data_of<T>(src)[from]; });
  });
  return out;
}

Tensor& scatter_value_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                          Tensor& out) {
  if (!begin_scatter<MOVED>(cx, self, dim, index, nullptr, out)) return out;
  const Number number(cx, index.numel() ? value : Scalar(0), out.scalar_type());
  if (cx.failed()) return out;
  width_switch<MOVED>(self.element_size(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T bytes;
    std::memcpy(&bytes, number.bytes, sizeof bytes);
    each_along(cx, index, out, dim, index, [&](int64_t where, int64_t) { out_of<T>(out)[where] = bytes; });
  });
  return out;
}

Tensor& scatter_add_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                        Tensor& out) {
  if (!begin_scatter<MOVED>(cx, self, dim, index, &src, out)) return out;
  visit_stored<MOVED>(cx, out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    each_along(cx, index, out, dim, src, [&](int64_t where, int64_t from) {
      out_of<T>(out)[where] = plus(out_of<T>(out)[where], data_of<T>(src)[from]);
    });
  });
  return out;
}

namespace {

// What several elements for one place become.
enum class Joining { sum, prod, mean, amax, amin };

template <size_t n>
bool take_joining(Context& cx, std::string_view name, const std::string_view (&names)[n], Joining& found) {
  const auto* at = std::find(std::begin(names), std::end(names), name);
  ET_KERNEL_CHECK_MSG(cx, at != std::end(names), InvalidArgument, false, "there is no reduction \"%.*s\"",
                      static_cast<int>(name.size()), name.data());
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

// Room for a number of each element of `t`, all of them `first`.
int32_t* make_counts(Context& cx, int64_t count, int32_t first) {
  int32_t* counts = static_cast<int32_t*>(cx.temporary(static_cast<size_t>(count) * sizeof(int32_t)));
  if (counts) std::fill_n(counts, count, first);
  return counts;
}

}  // namespace

Tensor& scatter_reduce_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                           std::string_view reduce, Tensor& out) {
  Joining joining;
  if (!take_joining(cx, reduce, {"add", "multiply"}, joining) ||
      !begin_scatter<NUMBERS_AND_BOOL>(cx, self, dim, index, &src, out)) {
    return out;
  }
  visit<NUMBERS_AND_BOOL>(cx, out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    each_along(cx, index, out, dim, src, [&](int64_t where, int64_t from) {
      const T found = joined(joining, read_one<T>(out, where), read_one<T>(src, from));
      write(out, where, 1, 1, &found);
    });
  });
  return out;
}

Tensor& scatter_value_reduce_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                                 std::string_view reduce, Tensor& out) {
  Joining joining;
  if (!take_joining(cx, reduce, {"add", "multiply"}, joining) ||
      !begin_scatter<NUMBERS_AND_BOOL>(cx, self, dim, index, nullptr, out)) {
    return out;
  }
  const Number number(cx, value, out.scalar_type());
  visit<NUMBERS_AND_BOOL>(cx, out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T by;
    converter(dtype_of<T>, out.scalar_type())(reinterpret_cast<char*>(&by), 0, number.bytes, 0, 1);
    each_along(cx, index, out, dim, index, [&](int64_t where, int64_t) {
      const T found = joined(joining, read_one<T>(out, where), by);
      write(out, where, 1, 1, &found);
    });
  });
  return out;
}

Tensor& scatter_reduce_two_out(Context& cx, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                               std::string_view reduce, bool include_self, Tensor& out) {
  constexpr std::string_view names[] = {"sum", "prod", "mean", "amax", "amin"};
  Joining joining;
  if (!take_joining(cx, reduce, names, joining) ||
      !begin_scatter<NUMBERS_AND_BOOL>(cx, self, dim, index, &src, out)) {
    return out;
  }
  int32_t* counts = joining == Joining::mean ? make_counts(cx, out.numel(), include_self) : nullptr;
  if (cx.failed()) return out;
  visit<NUMBERS_AND_BOOL>(cx, out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T nothing = neutral<T>(joining);
    if (!include_self) {
      each_along(cx, index, out, dim, src, [&](int64_t where, int64_t) { write(out, where, 1, 1, &nothing); });
    }
    if (cx.failed()) return;
    each_along(cx, index, out, dim, src, [&](int64_t where, int64_t from) {
      const T found = joined(joining, read_one<T>(out, where), read_one<T>(src, from));
      write(out, where, 1, 1, &found);
      if (counts) ++counts[where];
    });
    for (int64_t i = 0; counts && i < out.numel(); ++i) {
      const T count = static_cast<T>(std::max(counts[i], 1)), sum = read_one<T>(out, i);
      T mean = sum;
      if constexpr (std::is_floating_point_v<T>) mean = sum / count;
      else if constexpr (!std::is_same_v<T, bool>) mean = count > T(0) ? divide_down(sum, count) : T(0);
      write(out, i, 1, 1, &mean);
    }
  });
  return out;
}

Tensor& embedding_dense_backward_out(Context& cx, const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                     int64_t padding_idx, bool scale_grad_by_freq, Tensor& out) {
  const int64_t length = grad_output.dim() ? grad_output.size(grad_output.dim() - 1) : 1;
  ET_KERNEL_CHECK_MSG(cx, grad_output.dim() == indices.dim() + 1 && grad_output.numel() == indices.numel() * length,
                      InvalidArgument, out, "gradients of shape %s are not those of %s indices",
                      ShapeText(grad_output.sizes()).text, ShapeText(indices.sizes()).text);
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
  const auto each_index = [&](const auto& work) {
    int64_t position = 0;
    for (int64_t left = places.start(); left > 0; --left, places.next(), ++position) {
      const int64_t index = read_one<int64_t>(indices, places.offset[0]);
      if (index == padding_idx) continue;
      if (!is_inside(cx, index, num_weights, 0, position)) return;
      work(index, places.offset[1]);
    }
  };
  std::memset(out.mutable_data_ptr(), 0, out.nbytes());
  if (counts) each_index([&](int64_t index, int64_t) { ++counts[index]; });
  compute_switch<uint64_t, NUMBERS_AND_BOOL>(out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    each_index([&](int64_t index, int64_t start) {
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

// --- several dimensions at once ------------------------------------------------------------------------------------

namespace {

// The places of a mask that are true, in order, without a list of them: the one that is asked for next is near the last.
class TruePlaces {
 public:
  TruePlaces() = default;
  explicit TruePlaces(const Tensor& mask) : mask_(&mask) {
    const Strides strides(mask);
    for (size_t d = 0; d < mask.sizes().size(); ++d) places_.add(mask.sizes()[d], strides[d]);
    for (int64_t left = places_.start(); left > 0; --left, places_.next()) count_ += is_true();
    restart();
  }

  int64_t count() const { return count_; }
  // Where number i is, counted over all places of the mask.
  int64_t find(int64_t i) {
    if (i < number_) restart();
    while (number_ < i || !is_true()) {
      number_ += is_true();
      places_.next();
      ++place_;
    }
    return place_;
  }

 private:
  bool is_true() const { return static_cast<const uint8_t*>(mask_->const_data_ptr())[places_.offset[0]] != 0; }
  void restart() {
    number_ = place_ = 0;
    (void)places_.start();
  }

  const Tensor* mask_ = nullptr;
  Odometer<1> places_;
  int64_t count_ = 0, number_ = 0, place_ = 0;
};

// One of the indices: a tensor of numbers for one dimension, or a mask over several.
struct Index {
  const Tensor* tensor;
  bool is_mask;
  size_t first, rank;                    // the dimensions it is for
  int64_t strides[kTensorDimensionLimit];  // along the dimensions that all indices have together
  TruePlaces places;
};

// self[indices]. Its dimensions are those of the indices together, put where the first of them was if they are neighbours
// and in front if not, and those that no index is for.
struct Indexing {
  Index indices[kTensorDimensionLimit];
  size_t count = 0;
  SizesType sizes[kTensorDimensionLimit];  // of the result
  size_t rank = 0;
  size_t common_first = 0, common_rank = 0;  // which of them belong to the indices
  bool is_indexed[kTensorDimensionLimit] = {};
};

bool take_indices(Context& cx, const Tensor& self, ArrayRef<std::optional<Tensor>> given, Indexing& plan) {
  size_t dim = 0;
  for (const std::optional<Tensor>& t : given) {
    if (!t) {
      ++dim;
      continue;
    }
    const bool is_mask = contains(dtypes(ScalarType::Bool, ScalarType::Byte), t->scalar_type());
    if (!is_mask && !has_index_dtype(cx, *t)) return false;
    const size_t rank = is_mask ? t->sizes().size() : 1;
    bool fits = dim + rank <= self.sizes().size();
    for (size_t d = 0; fits && is_mask && d < rank; ++d) fits = t->sizes()[d] == self.sizes()[dim + d];
    if (!fits || plan.count == kTensorDimensionLimit) {
      cx.fail(Error::InvalidArgument, "index %zu of shape %s does not fit dim %zu of shape %s", plan.count,
              ShapeText(t->sizes()).text, dim, ShapeText(self.sizes()).text);
      return false;
    }
    Index& index = plan.indices[plan.count++];
    index.tensor = &*t, index.is_mask = is_mask, index.first = dim, index.rank = rank;
    if (is_mask) index.places = TruePlaces(*t);
    for (size_t d = 0; d < rank; ++d) plan.is_indexed[dim + d] = true;
    dim += rank;
  }
  return true;
}

// The sizes that all indices have together, and how each goes along them.
bool broadcast_indices(Context& cx, Indexing& plan, SizesType (&common)[kTensorDimensionLimit]) {
  const auto own_rank = [](const Index& index) { return index.is_mask ? size_t{1} : index.tensor->sizes().size(); };
  const auto own_size = [](const Index& index, size_t d) {
    return index.is_mask ? static_cast<SizesType>(index.places.count()) : index.tensor->sizes()[d];
  };
  for (size_t i = 0; i < plan.count; ++i) plan.common_rank = std::max(plan.common_rank, own_rank(plan.indices[i]));
  std::fill_n(common, plan.common_rank, 1);
  for (size_t i = 0; i < plan.count; ++i) {
    Index& index = plan.indices[i];
    const size_t before = plan.common_rank - own_rank(index);
    const Strides strides(*index.tensor);
    for (size_t d = 0; d < plan.common_rank; ++d) {
      const SizesType size = d < before ? 1 : own_size(index, d - before);
      if (size != 1 && common[d] != 1 && common[d] != size) {
        cx.fail(Error::InvalidArgument, "index %zu has size %d where others have %d", i, static_cast<int>(size),
                static_cast<int>(common[d]));
        return false;
      }
      if (size != 1) common[d] = size;
      index.strides[d] = size == 1 ? 0 : index.is_mask ? 1 : strides[d - before];
    }
  }
  return true;
}

bool plan_indexing(Context& cx, const Tensor& self, ArrayRef<std::optional<Tensor>> given, Indexing& plan) {
  SizesType common[kTensorDimensionLimit];
  if (!take_indices(cx, self, given, plan) || !broadcast_indices(cx, plan, common)) return false;
  const size_t rank = self.sizes().size();
  size_t first = 0, blocks = 0, indexed = 0;
  for (size_t d = 0; d < rank; ++d) {
    if (!plan.is_indexed[d]) continue;
    if (!indexed++) first = d;
    blocks += d == 0 || !plan.is_indexed[d - 1];
  }
  // A mask of rank 0 is for no dimension, but says how often there is what it is for.
  if (plan.count && !indexed) first = plan.indices[0].first, blocks = 1;
  ET_KERNEL_CHECK_MSG(cx, plan.common_rank + rank - indexed <= kTensorDimensionLimit, InvalidArgument, false,
                      "the result would have %zu dimensions", plan.common_rank + rank - indexed);
  plan.common_first = blocks == 1 ? first : 0;
  for (size_t d = 0; d <= rank; ++d) {
    if (d == plan.common_first) {
      std::copy_n(common, plan.common_rank, plan.sizes + plan.rank);
      plan.rank += plan.common_rank;
    }
    if (d < rank && !plan.is_indexed[d]) plan.sizes[plan.rank++] = self.sizes()[d];
  }
  return true;
}

template <class T>
void add_run(char* to, int64_t to_step, const char* from, int64_t from_step, size_t count) {
  for (; count > 0; --count, to += to_step, from += from_step) {
    T& sum = *reinterpret_cast<T*>(to);
    sum = plus(sum, *reinterpret_cast<const T*>(from));
  }
}
template <DTypeSet set>
ConvertRun adder(Context& cx, ScalarType type) {
  ConvertRun found = nullptr;
  visit_stored<set>(cx, type, [&](auto tag) { found = &add_run<typename decltype(tag)::type>; });
  return found;
}

// Where runs of elements of self[indices] go or come from: a tensor of that shape, or one that is expanded to it.
struct Other {
  const Tensor& tensor;
  const int64_t* strides;
};

// Gives `work` each run of elements of self[indices] and that of the other tensor; `puts` says that the first is written.
void each_indexed(Context& cx, Indexing& plan, const Tensor& self, const Other& x, bool puts, ConvertRun work) {
  const Strides strides(self);
  const int64_t* other = x.strides;
  const int64_t width = self.itemsize();
  Odometer<2> rest;
  for (size_t d = 0, to = 0; d < self.sizes().size(); ++d) {
    if (plan.is_indexed[d]) continue;
    if (to == plan.common_first) to += plan.common_rank;
    rest.add(self.sizes()[d], strides[d], other[to++]);
  }
  int64_t step[2];
  const int64_t run = rest.pop(step);
  const SizesType* common = plan.sizes + plan.common_first;
  int64_t at[kTensorDimensionLimit] = {}, total = 1;
  for (size_t d = 0; d < plan.common_rank; ++d) total *= common[d];
  for (int64_t position = 0; position < total; ++position) {
    int64_t where = 0, target = 0;
    for (size_t d = 0; d < plan.common_rank; ++d) target += at[d] * other[plan.common_first + d];
    for (size_t i = 0; i < plan.count; ++i) {
      Index& index = plan.indices[i];
      int64_t offset = 0;
      for (size_t d = 0; d < plan.common_rank; ++d) offset += at[d] * index.strides[d];
      int64_t found = index.is_mask ? index.places.find(offset) : read_one<int64_t>(*index.tensor, offset);
      if (!index.is_mask) {
        const int64_t size = self.sizes()[index.first];
        if (found < 0 && found >= -size) found += size;
        if (!is_inside(cx, found, size, static_cast<int64_t>(index.first), position)) return;
      }
      // The place in a mask is one number for several dimensions.
      for (size_t d = index.first + index.rank; d-- > index.first;) {
        const int64_t size = index.is_mask ? self.sizes()[d] : INT64_MAX;
        where += found % size * strides[d];
        found /= size;
      }
    }
    for (int64_t left = rest.start(); left > 0; --left, rest.next()) {
      char* own = static_cast<char*>(self.mutable_data_ptr()) + (where + rest.offset[0]) * width;
      char* its = static_cast<char*>(x.tensor.mutable_data_ptr()) + (target + rest.offset[1]) * width;
      const size_t count = static_cast<size_t>(run);
      if (puts) work(own, step[0] * width, its, step[1] * width, count);
      else work(its, step[1] * width, own, step[0] * width, count);
    }
    for (size_t d = plan.common_rank; d-- > 0;) {
      if (++at[d] < common[d]) break;
      at[d] = 0;
    }
  }
}

// Puts values where the indices lead in `place`, which first becomes a copy of `self`.
template <DTypeSet set>
void put(Context& cx, const Tensor& self, ArrayRef<std::optional<Tensor>> indices, const Tensor& values,
         bool accumulate, const Tensor& place) {
  Indexing plan;
  if (!has_dtype(cx, self, set) || !has_same_dtype(cx, self, place) || !has_same_dtype(cx, self, values) ||
      !resize(cx, place, self.sizes()) || !plan_indexing(cx, place, indices, plan)) {
    return;
  }
  const size_t rank = values.sizes().size();
  const Strides own(values);
  int64_t strides[kTensorDimensionLimit] = {};
  bool fits = rank <= plan.rank;
  for (size_t d = 0; fits && d < rank; ++d) {
    const size_t to = plan.rank - rank + d;
    fits = values.sizes()[d] == 1 || values.sizes()[d] == plan.sizes[to];
    strides[to] = values.sizes()[d] == 1 ? 0 : own[d];
  }
  ET_KERNEL_CHECK_MSG(cx, fits, InvalidArgument, , "values of shape %s cannot be expanded to shape %s",
                      ShapeText(values.sizes()).text, ShapeText({plan.sizes, plan.rank}).text);
  copy(cx, View(place), View(self));
  each_indexed(cx, plan, place, {values, strides}, true,
               accumulate ? adder<set>(cx, place.scalar_type()) : mover(place.element_size()));
}

}  // namespace

Tensor& index_tensor_out(Context& cx, const Tensor& self, ArrayRef<std::optional<Tensor>> indices, Tensor& out) {
  Indexing plan;
  if (!has_dtype(cx, self, NUMBERS_AND_BOOL | COMPLEX) || !has_same_dtype(cx, self, out) ||
      !plan_indexing(cx, self, indices, plan) || !resize(cx, out, {plan.sizes, plan.rank})) {
    return out;
  }
  const Strides strides(out);
  each_indexed(cx, plan, self, {out, strides.at}, false, mover(self.element_size()));
  return out;
}

Tensor& index_put_out(Context& cx, const Tensor& self, ArrayRef<std::optional<Tensor>> indices, const Tensor& values,
                      bool accumulate, Tensor& out) {
  put<MOVED>(cx, self, indices, values, accumulate, out);
  return out;
}

Tensor& index_put_(Context& cx, Tensor& self, ArrayRef<std::optional<Tensor>> indices, const Tensor& values,
                   bool accumulate) {
  put<MOVED>(cx, self, indices, values, accumulate, self);
  return self;
}

}  // namespace tenon::native
