// Rows in order: sort, and what one picks from a row by its order: topk, kthvalue, mode.
#include <algorithm>

#include "generated/kernels.h"
#include "rows.h"

namespace tenon::native {
bool plan_rows(Context& cx, const Tensor& self, int64_t dim, int64_t count, bool is_kept, Tensor& out, Tensor* second,
               Rows& plan) {
  const size_t rank = self.sizes().size(), along = static_cast<size_t>(dim);
  SizesType sizes[kTensorDimensionLimit];
  size_t kept = 0;
  for (size_t d = 0; d < rank; ++d) {
    if (d != along || is_kept) sizes[kept++] = d == along ? static_cast<SizesType>(count) : self.sizes()[d];
  }
  if (!resize(cx, out, {sizes, kept}) || (second && !resize(cx, *second, {sizes, kept}))) return false;
  const Strides from(self), to(out), also(second ? *second : out);
  plan.length = nonempty_size(self, dim), plan.count = count;
  for (size_t d = 0, own = 0; d < rank; ++d) {
    if (d != along) plan.at.add(self.sizes()[d], from[d], to[own], also[own]);
    else plan.step[0] = from[d], plan.step[1] = is_kept ? to[own] : 0, plan.step[2] = is_kept ? also[own] : 0;
    own += d != along || is_kept;
  }
  return true;
}

bool plan_places(Context& cx, const Tensor& self, DTypeSet set, int64_t& dim, Maybe<int64_t> count, bool is_kept,
                 Tensor& values, Tensor& places, Rows& plan) {
  return wrap_dim(cx, dim, self) && has_dtype(cx, self, set) && has_same_dtype(cx, self, values) &&
         has_dtype(cx, places, dtypes(ScalarType::Long)) &&
         plan_rows(cx, self, dim, count.value_or(nonempty_size(self, dim)), is_kept, values, &places, plan);
}

namespace {

// What is not a number counts as the largest.
template <class T>
bool is_larger(T a, T b) {
  return a > b || (a != a && b == b);
}

// --- all of a row, or the first few --------------------------------------------------------------------------------

// Where there is no temporary memory: the first k of a row by value, equal ones by place. The results are the only
// memory: they are a heap with the last one of those so far at its root.
template <class T>
struct FirstFew {
  T* values;
  int64_t* places;
  int64_t value_step, place_step;
  bool largest;

  bool is_before(T a, int64_t at_a, T b, int64_t at_b) const {
    if (largest ? is_larger(a, b) : is_larger(b, a)) return true;
    return !(largest ? is_larger(b, a) : is_larger(a, b)) && at_a < at_b;
  }
  bool is_before(int64_t i, int64_t j) const {
    return is_before(values[i * value_step], places[i * place_step], values[j * value_step], places[j * place_step]);
  }
  void swap(int64_t i, int64_t j) const {
    std::swap(values[i * value_step], values[j * value_step]);
    std::swap(places[i * place_step], places[j * place_step]);
  }
  void set(int64_t i, T value, int64_t place) const { values[i * value_step] = value, places[i * place_step] = place; }

  void sink(int64_t i, int64_t count) const {
    for (int64_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
      if (child + 1 < count && is_before(child, child + 1)) ++child;
      if (!is_before(i, child)) return;
      swap(i, child);
      i = child;
    }
  }

  void take(const T* from, int64_t step, int64_t length, int64_t k) const {
    for (int64_t i = 0; i < k; ++i) set(i, from[i * step], i);
    for (int64_t i = k / 2; i-- > 0;) sink(i, k);
    for (int64_t i = k; i < length; ++i) {
      if (!is_before(from[i * step], i, values[0], places[0])) continue;
      set(0, from[i * step], i);
      sink(0, k);
    }
    for (int64_t i = k; i-- > 1;) swap(0, i), sink(0, i);
  }
};

template <DTypeSet set>
void take_first(Context& cx, const Tensor& self, bool largest, Tensor& values, Tensor& indices, Rows& rows) {
  if (rows.count == 0) return;
  visit_stored<set>(cx, self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = rows.at.start(); left > 0; --left, rows.at.next()) {
      T* few_values = values.mutable_data_ptr<T>() + rows.at.offset[1];
      int64_t* places = indices.mutable_data_ptr<int64_t>() + rows.at.offset[2];
      const FirstFew<T> few{few_values, places, rows.step[1], rows.step[2], largest};
      few.take(self.const_data_ptr<T>() + rows.at.offset[0], rows.step[0], rows.length, rows.count);
    }
  });
}

// --- which of equals, as torch picks it ----------------------------------------------------------------------------

// A number of a row and its place there. Torch reorders a copy of these by algorithms of the standard library that do
// not keep the order of equals; the same algorithms lead to the same places.
template <class T>
struct Element {
  T value;
  int64_t place;
};

constexpr size_t room_for_row(int64_t length) { return static_cast<size_t>(length) * sizeof(Element<int64_t>); }

// The results of each row are the first `rows.count` elements after pick(elements, length).
template <DTypeSet set, class Pick>
void pick_from_rows(const Tensor& self, Tensor& values, Tensor& indices, Rows& rows, void* room, const Pick& pick) {
  compute_switch<int64_t, set>(self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    constexpr int64_t width = sizeof(Element<T>);
    auto* elements = static_cast<Element<T>*>(room);
    const size_t length = static_cast<size_t>(rows.length), count = static_cast<size_t>(rows.count);
    const Converter take = converter(dtype_of<T>, self.scalar_type());
    const Converter give = converter(self.scalar_type(), dtype_of<T>);
    for (int64_t left = rows.at.start(); left > 0; --left, rows.at.next()) {
      const int64_t size = self.itemsize();
      take(reinterpret_cast<char*>(&elements->value), width,
           static_cast<const char*>(self.const_data_ptr()) + rows.at.offset[0] * size, rows.step[0] * size, length);
      for (size_t i = 0; i < length; ++i) elements[i].place = static_cast<int64_t>(i);
      pick(elements, rows.length);
      give(static_cast<char*>(values.mutable_data_ptr()) + rows.at.offset[1] * size, rows.step[1] * size,
           reinterpret_cast<const char*>(&elements->value), width, count);
      for (int64_t i = 0; i < rows.count; ++i) {
        indices.mutable_data_ptr<int64_t>()[rows.at.offset[2] + i * rows.step[2]] = elements[i].place;
      }
    }
  });
}

// Number k of a row in order, brought to its front: Hoare's way with the middle of three as the pivot, as in torch.
template <class T>
void select(Element<T>* at, int64_t length, int64_t k) {
  const auto order = [&](int64_t i, int64_t j) {
    if (is_larger(at[i].value, at[j].value)) std::swap(at[i], at[j]);
  };
  int64_t low = 0, high = length - 1;
  while (high > low + 1) {
    std::swap(at[low + (high - low) / 2], at[low + 1]);
    order(low + 1, high), order(low, high), order(low + 1, low);
    const T pivot = at[low].value;
    int64_t i = low + 1, j = high;
    for (;;) {
      do ++i;
      while (is_larger(pivot, at[i].value));
      do --j;
      while (is_larger(at[j].value, pivot));
      if (j < i) break;
      std::swap(at[i], at[j]);
    }
    std::swap(at[low], at[j]);
    if (j <= k) low = i;
    if (j >= k) high = j - 1;
  }
  if (high == low + 1) order(low, high);
  at[0] = at[k];
}

// One element of each row.
template <DTypeSet set, class Pick>
void pick_one(Context& cx, const Tensor& self, int64_t dim, bool keepdim, Tensor& values, Tensor& indices,
              const Pick& pick) {
  Rows rows;
  if (!plan_places(cx, self, set, dim, 1, keepdim, values, indices, rows)) return;
  REQUIRE(cx, rows.length > 0, , "dim %" PRId64 " of shape %s is empty", dim, ShapeText(self).text);
  void* room = cx.temporary(room_for_row(rows.length));
  if (room) pick_from_rows<set>(self, values, indices, rows, room, pick);
}

// All of each row. What does not have to be stable has equals in the order that torch leaves them in.
template <DTypeSet set>
void sort_rows(Context& cx, const Tensor& self, int64_t dim, bool descending, bool is_stable, Tensor& values,
               Tensor& indices) {
  Rows rows;
  if (!plan_places(cx, self, set, dim, std::nullopt, true, values, indices, rows)) return;
  const Result<void*> room = cx.allocate_temp(room_for_row(rows.length));
  if (!room.ok()) return take_first<set>(cx, self, descending, values, indices, rows);
  pick_from_rows<set>(self, values, indices, rows, *room, [&](auto* at, int64_t n) {
    std::sort(at, at + n, [&](const auto& a, const auto& b) {
      const auto& first = descending ? b : a;
      const auto& last = descending ? a : b;
      if (is_larger(last.value, first.value)) return true;
      return is_stable && a.place < b.place && !is_larger(first.value, last.value);
    });
  });
}

}  // namespace

Pair sort_values(Context& cx, const Tensor& self, int64_t dim, bool descending, Tensor& values, Tensor& indices) {
  sort_rows<NUMBERS_AND_BOOL>(cx, self, dim, descending, false, values, indices);
  return {values, indices};
}

Pair sort_values_stable(Context& cx, const Tensor& self, Maybe<bool> stable, int64_t dim, bool descending,
                        Tensor& values, Tensor& indices) {
  sort_rows<NUMBERS_AND_BOOL>(cx, self, dim, descending, stable.value_or(false), values, indices);
  return {values, indices};
}

Pair topk_values(Context& cx, const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted, Tensor& values,
                 Tensor& indices) {
  Rows rows;
  int64_t along = dim;
  if (!wrap_dim(cx, along, self)) return {values, indices};
  const int64_t length = nonempty_size(self, along);
  if (self.dim() == 0) k = 1;  // a number alone is its own result, as in torch
  const Pair outs(values, indices);
  REQUIRE(cx, k >= 0 && k <= length, outs, "k=%" PRId64 " exceeds size %" PRId64 " of dim %" PRId64, k, length, along);
  if (!plan_places(cx, self, NUMBERS_AND_BOOL, dim, k, true, values, indices, rows) || k == 0) return outs;
  const Result<void*> room = cx.allocate_temp(room_for_row(length));
  if (!room.ok()) return take_first<NUMBERS_AND_BOOL>(cx, self, largest, values, indices, rows), outs;
  pick_from_rows<NUMBERS_AND_BOOL>(self, values, indices, rows, *room, [&](auto* at, int64_t n) {
    const auto is_before = [&](const auto& a, const auto& b) {
      return largest ? is_larger(a.value, b.value) : is_larger(b.value, a.value);
    };
    if (k <= n / 64) return std::partial_sort(at, at + k, at + n, is_before);
    std::nth_element(at, at + k - 1, at + n, is_before);
    if (sorted) std::sort(at, at + k - 1, is_before);
  });
  return outs;
}

Pair kthvalue_values(Context& cx, const Tensor& self, int64_t k, int64_t dim, bool keepdim, Tensor& values,
                     Tensor& indices) {
  const Pair outs(values, indices);
  int64_t along = dim;
  if (!wrap_dim(cx, along, self)) return outs;
  REQUIRE(cx, k >= 1 && k <= nonempty_size(self, along), outs,
          "k=%" PRId64 " is not from 1 to size %" PRId64 " of dim %" PRId64, k,
          static_cast<int64_t>(nonempty_size(self, along)), along);
  const auto pick = [k](auto* at, int64_t n) { select(at, n, k - 1); };
  pick_one<NUMBERS_AND_BOOL>(cx, self, dim, keepdim, values, indices, pick);
  return outs;
}

// The smallest of those that are there most often.
Pair mode_values(Context& cx, const Tensor& self, int64_t dim, bool keepdim, Tensor& values, Tensor& indices) {
  pick_one<NUMBERS_AND_BOOL>(cx, self, dim, keepdim, values, indices, [](auto* at, int64_t n) {
    std::sort(at, at + n, [](const auto& a, const auto& b) { return is_larger(b.value, a.value); });
    int64_t most = 0, found = 0;
    for (int64_t i = 0, first = 0; i < n; ++i) {
      if (i + 1 < n && at[i].value == at[i + 1].value) continue;
      if (i + 1 - first > most) most = i + 1 - first, found = i;
      first = i + 1;
    }
    at[0] = at[found];
  });
  return {values, indices};
}

}  // namespace tenon::native
