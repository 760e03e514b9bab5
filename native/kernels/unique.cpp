// Values without those that are there again: anywhere, or just before. How many there are is known only at the end.
#include <algorithm>

#include "generated/kernels.h"
#include "index.h"
#include "moves.h"

namespace tenon::native {
namespace {

// The parts of a tensor along a dimension, or all its elements.
struct Parts {
  const Tensor& self;
  View whole;
  Maybe<size_t> dim;
  Odometer<2> inside;
  int64_t count;

  Parts(const Tensor& t, Maybe<size_t> along) : self(t), whole(t), dim(along), count(t.numel()) {
    if (!dim) return;
    count = whole.sizes[*dim];
    for (size_t d = 0; d < whole.rank; ++d) {
      if (d != *dim) inside.add(whole.sizes[d], whole.strides[d], whole.strides[d]);
    }
  }

  int64_t start(int64_t i) const { return dim ? i * whole.strides[*dim] : offset_of(whole, i) / self.itemsize(); }

  // Below 0 if part a comes first; `differs` also if what is not a number meets its like.
  template <class T>
  int compare(int64_t a, int64_t b, bool& differs) {
    const int64_t base[] = {start(a), start(b)};
    for (int64_t left = inside.start(); left > 0; --left, inside.next()) {
      const T x = read_one<T>(self, base[0] + inside.offset[0]), y = read_one<T>(self, base[1] + inside.offset[1]);
      if (!(x == y)) differs = true;
      if (x < y || (x == x && y != y)) return -1;
      if (y < x || (y == y && x != x)) return 1;
    }
    return 0;
  }
};

template <DTypeSet set>
void find_unique(Context& cx, const Tensor& self, Maybe<int64_t> given, bool is_sorted, bool with_inverse,
                 bool with_counts, Tensor& out, Tensor& inverse, Tensor& counts) {
  Maybe<size_t> dim;
  if (given) dim = take_dim(cx, *given, self.sizes().size());
  if (cx.failed() || !has_dtype(cx, self, set) || !has_same_dtype(cx, self, out) ||
      !has_dtype(cx, inverse, dtypes(ScalarType::Long)) || !has_dtype(cx, counts, dtypes(ScalarType::Long))) {
    return;
  }
  Parts parts(self, dim);
  const int64_t count = parts.count;
  auto* order = static_cast<int64_t*>(cx.temporary(static_cast<size_t>(2 * count) * sizeof(int64_t)));
  if (!order) return;
  int64_t* ranks = order + count;  // of each part, in this order
  for (int64_t i = 0; i < count; ++i) order[i] = i;
  compute_switch<int64_t, set>(self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    bool differs = false;
    if (is_sorted) {
      std::sort(order, order + count, [&](int64_t a, int64_t b) { return parts.compare<T>(a, b, differs) < 0; });
    }
    for (int64_t i = 0, rank = -1; i < count; ++i) {
      differs = i == 0;
      if (i > 0) (void)parts.compare<T>(order[i - 1], order[i], differs);
      ranks[i] = rank += differs;
    }
  });
  const SizesType none = 0, all = static_cast<SizesType>(count);
  const SizesType found = static_cast<SizesType>(count ? ranks[count - 1] + 1 : 0);
  SizesType sizes[kTensorDimensionLimit] = {found};
  if (dim) std::copy_n(self.sizes().data(), self.dim(), sizes), sizes[*dim] = found;
  const ArrayRef<SizesType> of_inverse = dim ? ArrayRef<SizesType>(all) : self.sizes();
  if (!resize(cx, out, {sizes, dim ? self.sizes().size() : 1}) || !resize(cx, counts, with_counts ? found : none) ||
      !resize(cx, inverse, with_inverse ? of_inverse : ArrayRef<SizesType>(none))) {
    return;
  }
  const View to(out);
  for (int64_t i = 0, first = 0; i < count; ++i) {
    if (with_inverse) inverse.mutable_data_ptr<int64_t>()[order[i]] = ranks[i];
    if (i + 1 < count && ranks[i + 1] == ranks[i]) continue;
    View one = to, from = parts.whole;
    from.data += parts.start(order[first]) * self.itemsize();
    one.move_to(dim.value_or(0), ranks[i]);
    one.remove(dim.value_or(0));
    if (dim) from.remove(*dim);
    else from.rank = 0;
    copy(cx, one, from);
    if (with_counts) counts.mutable_data_ptr<int64_t>()[ranks[i]] = i + 1 - first;
    first = i + 1;
  }
}

}  // namespace

// They are sorted in any case, as in torch.
Triple _unique2_out(Context& cx, const Tensor& self, bool, bool return_inverse, bool return_counts, Tensor& out0,
                    Tensor& out1, Tensor& out2) {
  find_unique<NUMBERS_AND_BOOL>(cx, self, std::nullopt, true, return_inverse, return_counts, out0, out1, out2);
  return {out0, out1, out2};
}

// Along one of several dimensions, torch gives all results, also those that were not asked for.
Triple unique_dim_out(Context& cx, const Tensor& self, int64_t dim, bool, bool, bool, Tensor& out0, Tensor& out1,
                      Tensor& out2) {
  find_unique<NUMBERS_AND_BOOL>(cx, self, dim, true, true, true, out0, out1, out2);
  return {out0, out1, out2};
}

Triple unique_consecutive_out(Context& cx, const Tensor& self, bool return_inverse, bool return_counts,
                              Maybe<int64_t> dim, Tensor& out0, Tensor& out1, Tensor& out2) {
  if (dim && !(*dim == 0 && self.dim() == 1)) return_inverse = return_counts = true;
  find_unique<NUMBERS_AND_BOOL>(cx, self, dim, false, return_inverse, return_counts, out0, out1, out2);
  return {out0, out1, out2};
}

}  // namespace tenon::native
