// self[indices]: several dimensions at once, by tensors of numbers and by masks.
#include <algorithm>

#include "arithmetic.h"
#include "generated/kernels.h"
#include "index.h"
#include "moves.h"

namespace tenon::native {
namespace {

// The places of a mask that are true, in order, without a list of them: what is asked for next is near the last.
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

// self[indices]. Its dimensions are those of the indices together, put where the first of them was if they are
// neighbours and in front if not, and those that no index is for.
struct Indexing {
  Index indices[kTensorDimensionLimit];
  size_t count = 0;
  SizesType sizes[kTensorDimensionLimit];  // of the result
  size_t rank = 0;
  size_t common_first = 0, common_rank = 0;  // which of them belong to the indices
  bool is_indexed[kTensorDimensionLimit] = {};
};

bool take_indices(Context& cx, const Tensor& self, ArrayRef<Maybe<Tensor>> given, Indexing& plan) {
  size_t dim = 0;
  for (const Maybe<Tensor>& t : given) {
    if (!t) {
      ++dim;
      continue;
    }
    const bool is_mask = contains(dtypes(ScalarType::Bool, ScalarType::Byte), t->scalar_type());
    if (!is_mask && !has_index_dtype(cx, *t)) return false;
    const size_t rank = is_mask ? t->sizes().size() : 1;
    bool fits = dim + rank <= self.sizes().size();
    for (size_t d = 0; fits && is_mask && d < rank; ++d) fits = t->sizes()[d] == self.sizes()[dim + d];
    REQUIRE(cx, fits && plan.count != kTensorDimensionLimit, false,
            "index %zu of shape %s does not fit dim %zu of shape %s", plan.count, ShapeText(*t).text, dim,
            ShapeText(self).text);
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
      REQUIRE(cx, size == 1 || common[d] == 1 || common[d] == size, false, "index %zu has size %d where others have %d",
              i, static_cast<int>(size), static_cast<int>(common[d]));
      if (size != 1) common[d] = size;
      index.strides[d] = size == 1 ? 0 : index.is_mask ? 1 : strides[d - before];
    }
  }
  return true;
}

bool plan_indexing(Context& cx, const Tensor& self, ArrayRef<Maybe<Tensor>> given, Indexing& plan) {
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
  REQUIRE(cx, plan.common_rank + rank - indexed <= kTensorDimensionLimit, false, "the result would have %zu dimensions",
          plan.common_rank + rank - indexed);
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
    sum = wrapping_add(sum, *reinterpret_cast<const T*>(from));
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

// Gives `work` each run of elements of self[indices] and that of the other tensor; `puts` says which is written.
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
void put(Context& cx, const Tensor& self, ArrayRef<Maybe<Tensor>> indices, const Tensor& values, bool accumulate,
         const Tensor& place) {
  Indexing plan;
  if (!has_dtype(cx, self, set) || !has_same_dtype(cx, self, place, values) || !resize(cx, place, self.sizes()) ||
      !plan_indexing(cx, place, indices, plan)) {
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
  REQUIRE(cx, fits, , "values of shape %s cannot be expanded to shape %s", ShapeText(values).text,
          ShapeText({plan.sizes, plan.rank}).text);
  copy(cx, View(place), View(self));
  each_indexed(cx, plan, place, {values, strides}, true,
               accumulate ? adder<set>(cx, place.scalar_type()) : mover(place.element_size()));
}

}  // namespace

Tensor& index_tensor_out(Context& cx, const Tensor& self, ArrayRef<Maybe<Tensor>> indices, Tensor& out) {
  Indexing plan;
  if (!has_dtype(cx, self, NUMBERS_AND_BOOL | COMPLEX) || !has_same_dtype(cx, self, out) ||
      !plan_indexing(cx, self, indices, plan) || !resize(cx, out, {plan.sizes, plan.rank})) {
    return out;
  }
  const Strides strides(out);
  each_indexed(cx, plan, self, {out, strides.at}, false, mover(self.element_size()));
  return out;
}

Tensor& index_put_out(Context& cx, const Tensor& self, ArrayRef<Maybe<Tensor>> indices, const Tensor& values,
                      bool accumulate, Tensor& out) {
  put<MOVED>(cx, self, indices, values, accumulate, out);
  return out;
}

Tensor& index_put_(Context& cx, Tensor& self, ArrayRef<Maybe<Tensor>> indices, const Tensor& values, bool accumulate) {
  put<MOVED>(cx, self, indices, values, accumulate, self);
  return self;
}

}  // namespace tenon::native
