// Reductions over any dimensions; cumsum, which keeps what a sum passes by; topk and sort, the first few of a row.
#include "reduce.h"

#include <limits>

namespace tenon::native {

bool plan_reduction(Context& cx, const Tensor& in, ArrayRef<int64_t> dims, bool keepdim, Tensor& out, Tensor* second,
                    Reduction& plan) {
  const size_t rank = in.sizes().size();
  bool is_reduced[kTensorDimensionLimit];
  std::fill_n(is_reduced, kTensorDimensionLimit, dims.empty());
  for (int64_t dim : dims) {
    if (!wrap_dim(cx, dim, in)) return false;
    if (is_reduced[dim]) {
      cx.fail(Error::InvalidArgument, "dim %" PRId64 " is there twice", dim);
      return false;
    }
    is_reduced[dim] = true;
  }
  SizesType sizes[kTensorDimensionLimit];
  size_t kept = 0;
  for (size_t d = 0; d < rank; ++d) {
    if (!is_reduced[d]) sizes[kept++] = in.sizes()[d];
    else if (keepdim) sizes[kept++] = 1;
  }
  if (!resize(cx, out, {sizes, kept}) || (second && !resize(cx, *second, {sizes, kept}))) return false;

  const Strides from(in), to(out), also(second ? *second : out);
  kept = 0;
  for (size_t d = 0; d < rank; ++d) {
    if (is_reduced[d]) {
      plan.reduced.add(in.sizes()[d], from[d]);
      plan.count *= in.sizes()[d];
    } else {
      plan.kept.add(in.sizes()[d], from[d], to[kept], also[kept]);
    }
    if (!is_reduced[d] || keepdim) ++kept;
  }
  return true;
}

bool has_elements(Context& cx, const Reduction& plan) {
  if (plan.count > 0) return true;
  cx.fail(Error::InvalidArgument, "the size of what is reduced is 0, and there is no result of nothing");
  return false;
}

namespace {

// A functor whose state is a number.
struct OfNumbers {
  template <class T>
  using State = T;
  static constexpr bool has_lanes = true;
};

// Writes what `finish` makes of the states.
template <class T, class Finish>
struct Results {
  const Tensor& out;
  Finish finish;

  template <class State>
  void operator()(const State* states, int64_t n, const int64_t* offset, const int64_t* stride) const {
    T found[reduction::block];
    for (int64_t i = 0; i < n; ++i) found[i] = finish(states[i]);
    write(out, offset[1], stride[1], n, found);
  }
};
template <class T, class Finish>
Results<T, Finish> results(const Tensor& out, Finish finish) {
  return {out, finish};
}

// --- sums and products: computed in the dtype of the result --------------------------------------------------------

struct Sum : OfNumbers {
  template <class T>
  ET_INLINE T start() const {
    return T(0);
  }
  template <class T>
  ET_INLINE void add(T& state, const T& x, int64_t) const {
    state += x;
  }
};

struct Prod : OfNumbers {
  template <class T>
  ET_INLINE T start() const {
    return T(1);
  }
  template <class T>
  ET_INLINE void add(T& state, const T& x, int64_t) const {
    state *= x;
  }
};

bool has_wanted_dtype(Context& cx, const std::optional<ScalarType>& wanted, const Tensor& out) {
  if (!wanted || *wanted == out.scalar_type()) return true;
  cx.fail(Error::InvalidArgument, "dtype is %s, but the result has %s", dtype_name(*wanted),
          dtype_name(out.scalar_type()));
  return false;
}

template <DTypeSet set, class Op>
Tensor& reduce_sum(Context& cx, const Op& op, const Tensor& in, ArrayRef<int64_t> dims, bool keepdim,
                   const std::optional<ScalarType>& dtype, bool is_mean, Tensor& out) {
  Reduction plan;
  if (!has_dtype(cx, in, set) || !has_dtype(cx, out, is_mean ? set & sets::floats : set) ||
      !has_wanted_dtype(cx, dtype, out) || !plan_reduction(cx, in, dims, keepdim, out, nullptr, plan)) {
    return out;
  }
  compute_switch<uint64_t, set>(out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T count = is_mean ? static_cast<T>(plan.count) : T(1);
    reduce<T>(op, in, plan, results<T>(out, [count](T state) { return state / count; }));
  });
  return out;
}

// --- largest and smallest: computed in the dtype of the input ------------------------------------------------------

template <bool largest, class T>
constexpr T worst() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) return largest ? -Limits::infinity() : Limits::infinity();
  else return largest ? Limits::min() : Limits::max();
}

// Not a number counts as larger and smaller than any, as in torch.
template <bool largest>
struct Extreme : OfNumbers {
  template <class T>
  ET_INLINE T start() const {
    return worst<largest, T>();
  }
  template <class T>
  ET_INLINE void add(T& state, const T& x, int64_t) const {
    state = ((largest ? x > state : x < state) | (x != x)) ? x : state;
  }
};

// The first of those that are equal.
template <bool largest>
struct ExtremePlace {
  template <class T>
  struct State {
    T best;
    int64_t at;
  };
  static constexpr bool has_lanes = false;

  template <class T>
  ET_INLINE State<T> start() const {
    return {worst<largest, T>(), 0};
  }
  template <class T>
  ET_INLINE void add(State<T>& state, T x, int64_t at) const {
    // One comparison for most: it also lets pass what is not a number, of which the first one stays.
    if (!(largest ? x <= state.best : x >= state.best) && state.best == state.best) state = {x, at};
  }
};

template <bool largest, DTypeSet set>
Tensor& reduce_extreme(Context& cx, const Tensor& in, ArrayRef<int64_t> dims, bool keepdim, Tensor& out) {
  Reduction plan;
  if (!has_dtype(cx, in, set) || !has_same_dtype(cx, in, out) ||
      !plan_reduction(cx, in, dims, keepdim, out, nullptr, plan) || !has_elements(cx, plan)) {
    return out;
  }
  compute_switch<int64_t, set>(in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    reduce<T>(Extreme<largest>(), in, plan, results<T>(out, [](T state) { return state; }));
  });
  return out;
}

// `values` may be missing.
template <bool largest, DTypeSet set>
void reduce_place(Context& cx, const Tensor& in, ArrayRef<int64_t> dims, bool keepdim, Tensor* values, Tensor& places) {
  Reduction plan;
  if (!has_dtype(cx, in, set) || !has_dtype(cx, places, dtypes(ScalarType::Long)) ||
      (values && !has_same_dtype(cx, in, *values)) ||
      !plan_reduction(cx, in, dims, keepdim, places, values, plan) || !has_elements(cx, plan)) {
    return;
  }
  compute_switch<int64_t, set>(in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using State = typename ExtremePlace<largest>::template State<T>;
    reduce<T>(ExtremePlace<largest>(), in, plan,
              [&](const State* states, int64_t n, const int64_t* offset, const int64_t* stride) {
                results<int64_t>(places, [](const State& s) { return s.at; })(states, n, offset, stride);
                if (values) results<T>(*values, [](const State& s) { return s.best; })(states, n, offset + 1, stride + 1);
              });
  });
}

// --- any and all ---------------------------------------------------------------------------------------------------

template <bool all>
struct Truth : OfNumbers {
  template <class T>
  ET_INLINE T start() const {
    return T(all);
  }
  template <class T>
  ET_INLINE void add(T& state, const T& x, int64_t) const {
    state = (all ? x == T{} : x != T{}) ? T{} + !all : state;
  }
};

template <bool all, DTypeSet set>
Tensor& reduce_truth(Context& cx, const Tensor& in, ArrayRef<int64_t> dims, bool keepdim, Tensor& out) {
  Reduction plan;
  if (!has_dtype(cx, in, set) || !has_dtype(cx, out, dtypes(ScalarType::Bool, ScalarType::Byte)) ||
      !plan_reduction(cx, in, dims, keepdim, out, nullptr, plan)) {
    return out;
  }
  compute_switch<int64_t, set>(in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    reduce<T>(Truth<all>(), in, plan, results<T>(out, [](T state) { return state; }));
  });
  return out;
}

// A sum or product of bools: each element counts as one before, and a sum is any of them, a product all.
template <DTypeSet set, class Op>
Tensor& reduce_sum_or_truth(Context& cx, const Op& op, const Tensor& in, ArrayRef<int64_t> dims, bool keepdim,
                            const std::optional<ScalarType>& dtype, Tensor& out) {
  if constexpr (contains(set, ScalarType::Bool)) {
    if (out.scalar_type() == ScalarType::Bool && has_wanted_dtype(cx, dtype, out)) {
      return reduce_truth<std::is_same_v<Op, Prod>, set>(cx, in, dims, keepdim, out);
    }
  }
  return reduce_sum<set>(cx, op, in, dims, keepdim, dtype, false, out);
}

// Of a list of dims that is empty torch makes nothing for any and all, and everything for a sum.
template <bool all, DTypeSet set>
Tensor& reduce_truth_over(Context& cx, const Tensor& in, const std::optional<ArrayRef<int64_t>>& dims, bool keepdim,
                          Tensor& out) {
  if (!dims || !dims->empty()) return reduce_truth<all, set>(cx, in, dims.value_or(ArrayRef<int64_t>()), keepdim, out);
  if (!has_dtype(cx, in, set) || !has_dtype(cx, out, dtypes(ScalarType::Bool, ScalarType::Byte)) ||
      !resize(cx, out, in.sizes())) {
    return out;
  }
  Odometer<2> places;
  const Strides from(in), to(out);
  for (size_t d = 0; d < in.sizes().size(); ++d) places.add(in.sizes()[d], from[d], to[d]);
  for (int64_t left = places.start(); left > 0; --left, places.next()) {
    const double truth = read_one<double>(in, places.offset[0]) != 0;
    write(out, places.offset[1], 1, 1, &truth);
  }
  return out;
}

// --- variance ------------------------------------------------------------------------------------------------------

// Welford's: the mean so far, and the squares of the distances from it.
struct Variance {
  template <class>
  struct State {
    double count, mean, squares;
  };
  static constexpr bool has_lanes = false;

  template <class T>
  ET_INLINE State<T> start() const {
    return {0, 0, 0};
  }
  template <class T>
  ET_INLINE void add(State<T>& state, T x, int64_t) const {
    const double away = x - state.mean;
    state.count += 1;
    state.mean += away / state.count;
    state.squares += away * (x - state.mean);
  }
};

// `means` may be missing.
template <DTypeSet set>
void reduce_variance(Context& cx, const Tensor& in, const std::optional<ArrayRef<int64_t>>& dims, double correction,
                     bool keepdim, Tensor& out, Tensor* means) {
  Reduction plan;
  if (!has_dtype(cx, in, set) || !has_same_dtype(cx, in, out) || (means && !has_same_dtype(cx, in, *means)) ||
      !plan_reduction(cx, in, dims.value_or(ArrayRef<int64_t>()), keepdim, out, means, plan)) {
    return;
  }
  using State = Variance::State<double>;
  const double free = std::max(0.0, static_cast<double>(plan.count) - correction);
  const double nothing = plan.count ? 0.0 : std::numeric_limits<double>::quiet_NaN();  // the mean of no elements
  reduce<double>(Variance(), in, plan, [&](const State* states, int64_t n, const int64_t* offset, const int64_t* stride) {
    results<double>(out, [&](const State& s) { return s.squares / free; })(states, n, offset, stride);
    if (means) results<double>(*means, [&](const State& s) { return s.mean + nothing; })(states, n, offset + 1, stride + 1);
  });
}

}  // namespace

Tensor& sum_intlist_out(Context& cx, const Tensor& self, std::optional<ArrayRef<int64_t>> dim, bool keepdim,
                        std::optional<ScalarType> dtype, Tensor& out) {
  return reduce_sum_or_truth<NUMBERS_AND_BOOL>(cx, Sum(), self, dim.value_or(ArrayRef<int64_t>()), keepdim, dtype, out);
}

Tensor& mean_out(Context& cx, const Tensor& self, std::optional<ArrayRef<int64_t>> dim, bool keepdim,
                 std::optional<ScalarType> dtype, Tensor& out) {
  return reduce_sum<NUMBERS_AND_BOOL>(cx, Sum(), self, dim.value_or(ArrayRef<int64_t>()), keepdim, dtype, true, out);
}

Tensor& mean_dtype_out(Context& cx, const Tensor& self, std::optional<ScalarType> dtype, Tensor& out) {
  return reduce_sum<NUMBERS_AND_BOOL>(cx, Sum(), self, {}, false, dtype, true, out);
}

Tensor& prod_out(Context& cx, const Tensor& self, std::optional<ScalarType> dtype, Tensor& out) {
  return reduce_sum_or_truth<NUMBERS_AND_BOOL>(cx, Prod(), self, {}, false, dtype, out);
}

Tensor& prod_int_out(Context& cx, const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> dtype,
                     Tensor& out) {
  return reduce_sum_or_truth<NUMBERS_AND_BOOL>(cx, Prod(), self, dim, keepdim, dtype, out);
}

Tensor& amax_out(Context& cx, const Tensor& self, ArrayRef<int64_t> dim, bool keepdim, Tensor& out) {
  return reduce_extreme<true, NUMBERS_AND_BOOL>(cx, self, dim, keepdim, out);
}

Tensor& amin_out(Context& cx, const Tensor& self, ArrayRef<int64_t> dim, bool keepdim, Tensor& out) {
  return reduce_extreme<false, NUMBERS_AND_BOOL>(cx, self, dim, keepdim, out);
}

Tensor& max_unary_out(Context& cx, const Tensor& self, Tensor& out) {
  return reduce_extreme<true, NUMBERS_AND_BOOL>(cx, self, {}, false, out);
}

Tensor& min_unary_out(Context& cx, const Tensor& self, Tensor& out) {
  return reduce_extreme<false, NUMBERS_AND_BOOL>(cx, self, {}, false, out);
}

Tensor& argmax_out(Context& cx, const Tensor& self, std::optional<int64_t> dim, bool keepdim, Tensor& out) {
  const ArrayRef<int64_t> dims = dim ? ArrayRef<int64_t>(*dim) : ArrayRef<int64_t>();
  reduce_place<true, NUMBERS_AND_BOOL>(cx, self, dims, keepdim, nullptr, out);
  return out;
}

Tensor& argmin_out(Context& cx, const Tensor& self, std::optional<int64_t> dim, bool keepdim, Tensor& out) {
  const ArrayRef<int64_t> dims = dim ? ArrayRef<int64_t>(*dim) : ArrayRef<int64_t>();
  reduce_place<false, NUMBERS_AND_BOOL>(cx, self, dims, keepdim, nullptr, out);
  return out;
}

std::tuple<Tensor&, Tensor&> max_dim_max(Context& cx, const Tensor& self, int64_t dim, bool keepdim, Tensor& max,
                                         Tensor& max_values) {
  reduce_place<true, NUMBERS_AND_BOOL>(cx, self, dim, keepdim, &max, max_values);
  return {max, max_values};
}

std::tuple<Tensor&, Tensor&> min_dim_min(Context& cx, const Tensor& self, int64_t dim, bool keepdim, Tensor& min,
                                         Tensor& min_indices) {
  reduce_place<false, NUMBERS_AND_BOOL>(cx, self, dim, keepdim, &min, min_indices);
  return {min, min_indices};
}

Tensor& any_out(Context& cx, const Tensor& self, int64_t dim, bool keepdim, Tensor& out) {
  return reduce_truth<false, NUMBERS_AND_BOOL>(cx, self, dim, keepdim, out);
}

Tensor& any_dims_out(Context& cx, const Tensor& self, std::optional<ArrayRef<int64_t>> dim, bool keepdim, Tensor& out) {
  return reduce_truth_over<false, NUMBERS_AND_BOOL>(cx, self, dim, keepdim, out);
}

Tensor& any_all_out(Context& cx, const Tensor& self, Tensor& out) {
  return reduce_truth<false, NUMBERS_AND_BOOL>(cx, self, {}, false, out);
}

Tensor& all_out(Context& cx, const Tensor& self, int64_t dim, bool keepdim, Tensor& out) {
  return reduce_truth<true, NUMBERS_AND_BOOL>(cx, self, dim, keepdim, out);
}

Tensor& all_dims_out(Context& cx, const Tensor& self, std::optional<ArrayRef<int64_t>> dim, bool keepdim, Tensor& out) {
  return reduce_truth_over<true, NUMBERS_AND_BOOL>(cx, self, dim, keepdim, out);
}

Tensor& all_all_out(Context& cx, const Tensor& self, Tensor& out) {
  return reduce_truth<true, NUMBERS_AND_BOOL>(cx, self, {}, false, out);
}

Tensor& var_correction_out(Context& cx, const Tensor& self, std::optional<ArrayRef<int64_t>> dim,
                           const std::optional<Scalar>& correction, bool keepdim, Tensor& out) {
  reduce_variance<FLOATS>(cx, self, dim, correction ? correction->to<double>() : 1, keepdim, out, nullptr);
  return out;
}

Tensor& var_out(Context& cx, const Tensor& self, std::optional<ArrayRef<int64_t>> dim, bool unbiased, bool keepdim,
                Tensor& out) {
  reduce_variance<FLOATS>(cx, self, dim, unbiased, keepdim, out, nullptr);
  return out;
}

std::tuple<Tensor&, Tensor&> var_mean_correction_out(Context& cx, const Tensor& self,
                                                     std::optional<ArrayRef<int64_t>> dim,
                                                     const std::optional<Scalar>& correction, bool keepdim, Tensor& out0,
                                                     Tensor& out1) {
  reduce_variance<FLOATS>(cx, self, dim, correction ? correction->to<double>() : 1, keepdim, out0, &out1);
  return {out0, out1};
}

Tensor& cumsum_out(Context& cx, const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, Tensor& out) {
  if (!has_dtype(cx, self, NUMBERS_AND_BOOL) || !has_dtype(cx, out, NUMBERS) || !has_wanted_dtype(cx, dtype, out) ||
      !wrap_dim(cx, dim, self) || !resize(cx, out, self.sizes())) {
    return out;
  }
  const Strides from(self), to(out);
  const size_t along = static_cast<size_t>(dim);
  Odometer<2> places;
  for (size_t d = 0; d < self.sizes().size(); ++d) {
    if (d != along) places.add(self.sizes()[d], from[d], to[d]);
  }
  const int64_t length = nonempty_size(self, dim);
  const int64_t step = self.dim() ? from[along] : 1, to_step = self.dim() ? to[along] : 1;
  compute_switch<uint64_t, NUMBERS>(out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T room[run_room], sums[run_room];
    for (int64_t left = places.start(); left > 0; --left, places.next()) {
      T sum = 0;
      for (int64_t i = 0; i < length; i += run_room) {
        const int64_t n = std::min(run_room, length - i);
        const T* x = read(self, places.offset[0] + i * step, step, n, room);
        for (int64_t j = 0; j < n; ++j) sums[j] = sum += x[j];
        write(out, places.offset[1] + i * to_step, to_step, n, sums);
      }
    }
  });
  return out;
}

// --- in order ------------------------------------------------------------------------------------------------------

namespace {

// The first k of a row by value, equal ones by place. The results are the only memory: they are a heap with the last one
// of those so far at its root.
template <class T>
struct FirstFew {
  T* values;
  int64_t* places;
  int64_t value_step, place_step;
  bool largest;

  bool is_before(T a, int64_t at_a, T b, int64_t at_b) const {
    if constexpr (!std::is_integral_v<T>) {  // not a number counts as the largest
      const bool is_a = a == a, is_b = b == b;
      if (!is_a || !is_b) return is_a == is_b ? at_a < at_b : is_b == largest;
    }
    if (a < b || b < a) return largest ? b < a : a < b;
    return at_a < at_b;
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
void take_first(Context& cx, const Tensor& self, int64_t k, int64_t dim, bool largest, Tensor& values,
                Tensor& indices) {
  if (!wrap_dim(cx, dim, self) || !has_same_dtype(cx, self, values) ||
      !has_dtype(cx, indices, dtypes(ScalarType::Long))) {
    return;
  }
  const size_t rank = self.sizes().size(), along = static_cast<size_t>(dim);
  const int64_t length = nonempty_size(self, dim);
  if (rank == 0) k = 1;  // a number alone is its own result, as in torch
  ET_KERNEL_CHECK_MSG(cx, k >= 0 && k <= length, InvalidArgument, ,
                      "k=%" PRId64 " exceeds size %" PRId64 " of dim %" PRId64, k, length, dim);
  SizesType sizes[kTensorDimensionLimit];
  for (size_t d = 0; d < rank; ++d) sizes[d] = d == along ? static_cast<SizesType>(k) : self.sizes()[d];
  if (!resize(cx, values, {sizes, rank}) || !resize(cx, indices, {sizes, rank}) || k == 0) return;
  const Strides from(self), to(values), places(indices);
  Odometer<3> rows;
  for (size_t d = 0; d < rank; ++d) {
    if (d != along) rows.add(sizes[d], from[d], to[d], places[d]);
  }
  visit_stored<set>(cx, self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = rows.start(); left > 0; --left, rows.next()) {
      const FirstFew<T> few{values.mutable_data_ptr<T>() + rows.offset[1],
                            indices.mutable_data_ptr<int64_t>() + rows.offset[2], rank ? to[along] : 0,
                            rank ? places[along] : 0, largest};
      few.take(self.const_data_ptr<T>() + rows.offset[0], rank ? from[along] : 0, length, k);
    }
  });
}

}  // namespace

std::tuple<Tensor&, Tensor&> topk_values(Context& cx, const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted,
                                         Tensor& values, Tensor& indices) {
  (void)sorted;  // they are in order in any case
  take_first<NUMBERS_AND_BOOL>(cx, self, k, dim, largest, values, indices);
  return {values, indices};
}

std::tuple<Tensor&, Tensor&> sort_values(Context& cx, const Tensor& self, int64_t dim, bool descending, Tensor& values,
                                         Tensor& indices) {
  int64_t along = dim;
  if (!wrap_dim(cx, along, self)) return {values, indices};
  take_first<NUMBERS_AND_BOOL>(cx, self, nonempty_size(self, along), along, descending, values, indices);
  return {values, indices};
}

}  // namespace tenon::native
