// Where the elements of tensors lie, and what indices and dtypes have to be.
#include "index.h"

#include <algorithm>

#include "moves.h"

namespace tenon::native {

// --- where ---------------------------------------------------------------------------------------------------------

Strides::Strides(const Tensor& t) {
  const View view(t);
  std::copy_n(view.strides, view.rank, at);
}

bool is_plain(const Tensor& t) { return t.strides().empty() || is_dense(View(t)); }

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

template <size_t n>
void Odometer<n>::seek(int64_t place) {
  start();
  for (size_t d = rank; d-- > 0; place /= sizes[d]) {
    at[d] = place % sizes[d];
    for (size_t i = 0; i < n; ++i) offset[i] += at[d] * strides[d][i];
  }
}

// Not in the header: loops that are compiled for many types call these, and are small.
template struct Odometer<1>;
template struct Odometer<2>;
template struct Odometer<3>;
template struct Odometer<4>;
template struct Odometer<5>;

// --- what ----------------------------------------------------------------------------------------------------------

bool has_dtype(Context& cx, const Tensor& t, DTypeSet set) {
  if (contains(set, t.scalar_type())) return true;
  fail_dtype(cx, "", t.scalar_type());
  return false;
}

bool has_same_dtype(Context& cx, const Tensor& a, const Tensor& b) {
  return HOLDS(cx, a.scalar_type() == b.scalar_type(), "dtypes %s and %s should be the same", dtype_name(a),
               dtype_name(b));
}

bool has_place_for(Context& cx, ScalarType wanted, const Tensor& out) {
  return HOLDS(cx, out.scalar_type() == wanted, "the result is %s, and its place is %s", dtype_name(wanted),
               dtype_name(out));
}

bool has_index_dtype(Context& cx, const Tensor& t) {
  return HOLDS(cx, contains(TENON_SELECTED(dtypes(ScalarType::Long, ScalarType::Int)), t.scalar_type()),
               "indices are %s, and should be int64 or int32", dtype_name(t));
}

bool take_each(Context& cx, const char* name, Ints numbers, int64_t least, size_t n, int64_t (&to)[3]) {
  REQUIRE(cx, numbers.size() == n || numbers.size() == 1, false, "%s has %zu numbers for %zu dimensions", name,
          numbers.size(), n);
  for (size_t i = 0; i < n; ++i) {
    const int64_t number = to[3 - n + i] = numbers[numbers.size() == 1 ? 0 : i];
    REQUIRE(cx, number >= least && number <= INT32_MAX, false, "%s is %" PRId64 ", and at least %" PRId64, name, number,
            least);
  }
  return true;
}

bool is_inside(Context& cx, int64_t index, int64_t size, int64_t dim, int64_t position) {
  return HOLDS(cx, index >= 0 && index < size,
               "index %" PRId64 " at position %" PRId64 " is outside of dim %" PRId64 ", which has size %" PRId64,
               index, position, dim, size);
}

}  // namespace tenon::native
