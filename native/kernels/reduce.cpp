// Reductions over any dimensions.
#include "reduce.h"

#include <limits>

#include "moves.h"

namespace tenon::native {

bool plan_reduction(Context& cx, const Tensor& in, Ints dims, bool keepdim, Tensor& out, Tensor* second,
                    Reduction& plan) {
  const size_t rank = in.sizes().size();
  bool is_reduced[kTensorDimensionLimit];
  if (!take_dims(cx, dims, rank, is_reduced)) return false;
  if (dims.empty()) std::fill_n(is_reduced, kTensorDimensionLimit, true);
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
  return HOLDS(cx, plan.count > 0, "the size of what is reduced is 0, and there is no result of nothing");
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

bool has_wanted_dtype(Context& cx, const Maybe<ScalarType>& wanted, const Tensor& out) {
  return HOLDS(cx, !wanted || *wanted == out.scalar_type(), "dtype is %s, but the result has %s", dtype_name(*wanted),
               dtype_name(out));
}

// What makes a sum like this: it does not lose an imaginary part.
DTypeSet summable(DTypeSet set, const Tensor& out) {
  return isComplexType(out.scalar_type()) ? set : set & ~complex_dtypes;
}

// Calls work(in, out) for the real parts, and for the imaginary ones.
template <class Work>
void each_part(Context& cx, const Tensor& in, const Tensor& out, const Work& work) {
  for (const bool is_imaginary : {false, true}) {
    const View place = part_of(out, is_imaginary);
    ViewTensor from(part_of(in, is_imaginary)), to(place);
    Tensor result = to.tensor();
    if (!is_imaginary || isComplexType(in.scalar_type())) work(from.tensor(), result);
    else copy(cx, place, Number(cx, Scalar(0), place.type).as(place));
  }
}

template <DTypeSet set, class Op>
Tensor& reduce_sum(Context& cx, const Op& op, const Tensor& in, Ints dims, bool keepdim, const Maybe<ScalarType>& dtype,
                   bool is_mean, Tensor& out) {
  Reduction plan;
  if (!has_dtype(cx, in, summable(set, out)) || !has_dtype(cx, out, is_mean ? set & ~sets::wholes_and_bool : set) ||
      !has_wanted_dtype(cx, dtype, out) || !plan_reduction(cx, in, dims, keepdim, out, nullptr, plan)) {
    return out;
  }
  if constexpr ((set & sets::complex) != 0 && std::is_same_v<Op, Sum>) {
    if (isComplexType(out.scalar_type())) {
      each_part(cx, in, out, [&](const Tensor& from, Tensor& to) {
        reduce_sum<set>(cx, op, from, dims, keepdim, std::nullopt, is_mean, to);
      });
      return out;
    }
  }
  compute_switch<uint64_t, set & ~(std::is_same_v<Op, Sum> ? sets::complex : 0)>(out.scalar_type(), [&](auto tag) {
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

// A number of the input's dtype for each element of the result.
template <DTypeSet set, class Op>
Tensor& reduce_numbers(Context& cx, const Op& op, const Tensor& in, Ints dims, bool keepdim, bool of_nothing,
                       Tensor& out) {
  Reduction plan;
  if (!has_dtype(cx, in, set) || !plan_reduction(cx, in, dims, keepdim, out, nullptr, plan) ||
      (!of_nothing && !has_elements(cx, plan))) {
    return out;
  }
  compute_switch<int64_t, set>(in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    reduce<T>(op, in, plan, results<T>(out, [](T state) { return state; }));
  });
  return out;
}

template <bool largest, DTypeSet set>
Tensor& reduce_extreme(Context& cx, const Tensor& in, Ints dims, bool keepdim, Tensor& out) {
  if (!has_same_dtype(cx, in, out)) return out;
  return reduce_numbers<set>(cx, Extreme<largest>(), in, dims, keepdim, /*of_nothing=*/false, out);
}

// `values` may be missing.
template <bool largest, DTypeSet set>
void reduce_place(Context& cx, const Tensor& in, Ints dims, bool keepdim, Tensor* values, Tensor& places) {
  Reduction plan;
  if (!has_dtype(cx, in, set) || !has_dtype(cx, places, dtypes(ScalarType::Long)) ||
      (values && !has_same_dtype(cx, in, *values)) || !plan_reduction(cx, in, dims, keepdim, places, values, plan) ||
      !has_elements(cx, plan)) {
    return;
  }
  compute_switch<int64_t, set>(in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using State = typename ExtremePlace<largest>::template State<T>;
    const auto place = [](const State& s) { return s.at; };
    const auto value = [](const State& s) { return s.best; };
    reduce<T>(ExtremePlace<largest>(), in, plan, [&](const State* states, int64_t n, auto* offset, auto* stride) {
      results<int64_t>(places, place)(states, n, offset, stride);
      if (values) results<T>(*values, value)(states, n, offset + 1, stride + 1);
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
  void add(Complex& state, const Complex& x, int64_t) const {
    if ((x != 0.0) != all) state = Complex(!all);
  }
};

template <bool all, DTypeSet set>
Tensor& reduce_truth(Context& cx, const Tensor& in, Ints dims, bool keepdim, Tensor& out) {
  if (!has_dtype(cx, out, dtypes(ScalarType::Bool, ScalarType::Byte))) return out;
  return reduce_numbers<set>(cx, Truth<all>(), in, dims, keepdim, /*of_nothing=*/true, out);
}

// A sum or product of bools: each element counts as one before, and a sum is any of them, a product all.
template <DTypeSet set, class Op>
Tensor& reduce_sum_or_truth(Context& cx, const Op& op, const Tensor& in, Ints dims, bool keepdim,
                            const Maybe<ScalarType>& dtype, Tensor& out) {
  if constexpr (contains(set, ScalarType::Bool)) {
    if (out.scalar_type() == ScalarType::Bool && has_wanted_dtype(cx, dtype, out)) {
      return reduce_truth<std::is_same_v<Op, Prod>, set>(cx, in, dims, keepdim, out);
    }
  }
  return reduce_sum<set>(cx, op, in, dims, keepdim, dtype, false, out);
}

// Of a list of dims that is empty torch makes nothing for any and all, and everything for a sum.
template <bool all, DTypeSet set>
Tensor& reduce_truth_over(Context& cx, const Tensor& in, const Maybe<Ints>& dims, bool keepdim, Tensor& out) {
  if (!dims || !dims->empty()) return reduce_truth<all, set>(cx, in, dims.value_or(Ints()), keepdim, out);
  if (!has_dtype(cx, in, set) || !has_dtype(cx, out, dtypes(ScalarType::Bool, ScalarType::Byte)) ||
      !resize(cx, out, in.sizes())) {
    return out;
  }
  View truths(out);
  truths.type = ScalarType::Bool;  // an uint8 too is 0 or 1
  copy(cx, truths, View(in));
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
void reduce_variance(Context& cx, const Tensor& in, const Maybe<Ints>& dims, double correction, bool keepdim,
                     Tensor& out, Tensor* means) {
  Reduction plan;
  if (!has_dtype(cx, in, set) || !has_same_dtype(cx, in, out) || (means && !has_same_dtype(cx, in, *means)) ||
      !plan_reduction(cx, in, dims.value_or(Ints()), keepdim, out, means, plan)) {
    return;
  }
  using State = Variance::State<double>;
  const double free = std::max(0.0, static_cast<double>(plan.count) - correction);
  const double nothing = plan.count ? 0.0 : std::numeric_limits<double>::quiet_NaN();  // the mean of no elements
  const auto variance = [&](const State& s) { return s.squares / free; };
  const auto mean = [&](const State& s) { return s.mean + nothing; };
  reduce<double>(Variance(), in, plan, [&](const State* states, int64_t n, auto* offset, auto* stride) {
    results<double>(out, variance)(states, n, offset, stride);
    if (means) results<double>(*means, mean)(states, n, offset + 1, stride + 1);
  });
}

}  // namespace

// What is complex is summed part by part.
#define SUMMED with_parts(NUMBERS_AND_BOOL | COMPLEX)

Tensor& sum_intlist_out(Context& cx, const Tensor& self, Maybe<Ints> dim, bool keepdim, Maybe<ScalarType> dtype,
                        Tensor& out) {
  return reduce_sum_or_truth<SUMMED>(cx, Sum(), self, dim.value_or(Ints()), keepdim, dtype, out);
}

Tensor& mean_out(Context& cx, const Tensor& self, Maybe<Ints> dim, bool keepdim, Maybe<ScalarType> dtype, Tensor& out) {
  return reduce_sum<SUMMED>(cx, Sum(), self, dim.value_or(Ints()), keepdim, dtype, true, out);
}

Tensor& mean_dtype_out(Context& cx, const Tensor& self, Maybe<ScalarType> dtype, Tensor& out) {
  return reduce_sum<SUMMED>(cx, Sum(), self, {}, false, dtype, true, out);
}

Tensor& prod_out(Context& cx, const Tensor& self, Maybe<ScalarType> dtype, Tensor& out) {
  return reduce_sum_or_truth<SUMMED>(cx, Prod(), self, {}, false, dtype, out);
}

Tensor& prod_int_out(Context& cx, const Tensor& self, int64_t dim, bool keepdim, Maybe<ScalarType> dtype, Tensor& out) {
  return reduce_sum_or_truth<SUMMED>(cx, Prod(), self, dim, keepdim, dtype, out);
}

#define TENON_EXTREME(max, largest)                                                                         \
  Tensor& a##max##_out(Context& cx, const Tensor& self, Ints dim, bool keepdim, Tensor& out) {              \
    return reduce_extreme<largest, NUMBERS_AND_BOOL>(cx, self, dim, keepdim, out);                          \
  }                                                                                                         \
  Tensor& max##_unary_out(Context& cx, const Tensor& self, Tensor& out) {                                   \
    return reduce_extreme<largest, NUMBERS_AND_BOOL>(cx, self, {}, false, out);                             \
  }                                                                                                         \
  Tensor& arg##max##_out(Context& cx, const Tensor& self, Maybe<int64_t> dim, bool keepdim, Tensor& out) {  \
    reduce_place<largest, NUMBERS_AND_BOOL>(cx, self, dim ? Ints(*dim) : Ints(), keepdim, nullptr, out);    \
    return out;                                                                                             \
  }                                                                                                         \
  Pair max##_dim_##max(Context& cx, const Tensor& self, int64_t dim, bool keepdim, Tensor& values,          \
                       Tensor& indices) {                                                                   \
    reduce_place<largest, NUMBERS_AND_BOOL>(cx, self, dim, keepdim, &values, indices);                      \
    return {values, indices};                                                                               \
  }
TENON_EXTREME(max, true)
TENON_EXTREME(min, false)
#undef TENON_EXTREME

#define TENON_TRUTH(any, is_all)                                                                       \
  Tensor& any##_out(Context& cx, const Tensor& self, int64_t dim, bool keepdim, Tensor& out) {         \
    return reduce_truth<is_all, NUMBERS_AND_BOOL | COMPLEX>(cx, self, dim, keepdim, out);              \
  }                                                                                                    \
  Tensor& any##_dims_out(Context& cx, const Tensor& self, Maybe<Ints> dim, bool keepdim, Tensor& out) { \
    return reduce_truth_over<is_all, NUMBERS_AND_BOOL | COMPLEX>(cx, self, dim, keepdim, out);         \
  }                                                                                                    \
  Tensor& any##_all_out(Context& cx, const Tensor& self, Tensor& out) {                                \
    return reduce_truth<is_all, NUMBERS_AND_BOOL | COMPLEX>(cx, self, {}, false, out);                 \
  }
TENON_TRUTH(any, false)
TENON_TRUTH(all, true)
#undef TENON_TRUTH

Tensor& var_correction_out(Context& cx, const Tensor& self, Maybe<Ints> dim, const Maybe<Scalar>& correction,
                           bool keepdim, Tensor& out) {
  reduce_variance<FLOATS>(cx, self, dim, correction ? correction->to<double>() : 1, keepdim, out, nullptr);
  return out;
}

Tensor& var_out(Context& cx, const Tensor& self, Maybe<Ints> dim, bool unbiased, bool keepdim, Tensor& out) {
  reduce_variance<FLOATS>(cx, self, dim, unbiased, keepdim, out, nullptr);
  return out;
}

Pair var_mean_correction_out(Context& cx, const Tensor& self, Maybe<Ints> dim, const Maybe<Scalar>& correction,
                             bool keepdim, Tensor& out0, Tensor& out1) {
  reduce_variance<FLOATS>(cx, self, dim, correction ? correction->to<double>() : 1, keepdim, out0, &out1);
  return {out0, out1};
}

}  // namespace tenon::native
