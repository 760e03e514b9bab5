// Scans: what each element of a row becomes together with those before it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "generated/kernels.h"
#include "rows.h"

namespace tenon::native {
namespace {

// The next state of each row is op(state, x); the first comes from `start`.
template <class T, class State, class Op>
void scan(const Tensor& self, const Tensor& out, Rows& rows, State start, const Op& op) {
  T room[run_room], found[run_room];
  for (int64_t left = rows.at.start(); left > 0; --left, rows.at.next()) {
    State state = start;
    for (int64_t i = 0; i < rows.length; i += run_room) {
      const int64_t n = std::min(run_room, rows.length - i);
      const T* x = read(self, rows.at.offset[0] + i * rows.step[0], rows.step[0], n, room);
      for (int64_t j = 0; j < n; ++j) found[j] = static_cast<T>(state = op(state, x[j], i + j));
      write(out, rows.at.offset[1] + i * rows.step[1], rows.step[1], n, found);
    }
  }
}

// Floats are joined in float64, and 16-bit ones in float32, as in torch.
template <DTypeSet set, class Op>
Tensor& accumulate(Context& cx, const Tensor& self, int64_t dim, Maybe<ScalarType> dtype, double start, const Op& op,
                   Tensor& out) {
  REQUIRE(cx, !dtype || *dtype == out.scalar_type(), out, "dtype is %s, but the result has %s", dtype_name(*dtype),
          dtype_name(out));
  Rows rows;
  if (!has_dtype(cx, self, sets::numbers_and_bool) || !has_dtype(cx, out, set) || !wrap_dim(cx, dim, self) ||
      !plan_rows(cx, self, dim, nonempty_size(self, dim), true, out, nullptr, rows)) {
    return out;
  }
  const bool is_short = contains(half_dtypes, out.scalar_type());
  compute_switch<uint64_t, set>(out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using State = std::conditional_t<std::is_integral_v<T>, T, double>;
    scan<T>(self, out, rows, static_cast<State>(start), [&](State state, T x, int64_t) {
      const State next = op(state, static_cast<State>(x));
      return is_short ? static_cast<State>(static_cast<float>(next)) : next;
    });
  });
  return out;
}

// Of those that are equal the last one counts, and what is not a number before all others.
template <bool largest, DTypeSet set>
void scan_extreme(Context& cx, const Tensor& self, int64_t dim, Tensor& values, Tensor& indices) {
  Rows rows;
  if (!plan_places(cx, self, set, dim, std::nullopt, true, values, indices, rows)) return;
  compute_switch<int64_t, set>(self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    int64_t place = 0;
    scan<T>(self, values, rows, T(0), [&](T best, T x, int64_t i) {
      const bool is_better = i == 0 || x != x || (largest ? x >= best : x <= best);
      if (is_better) place = i;
      indices.mutable_data_ptr<int64_t>()[rows.at.offset[2] + i * rows.step[2]] = place;
      return is_better ? x : best;
    });
  });
}

}  // namespace

Tensor& cumsum_out(Context& cx, const Tensor& self, int64_t dim, Maybe<ScalarType> dtype, Tensor& out) {
  return accumulate<NUMBERS>(cx, self, dim, dtype, 0, [](auto sum, auto x) { return sum + x; }, out);
}

Tensor& cumprod_out(Context& cx, const Tensor& self, int64_t dim, Maybe<ScalarType> dtype, Tensor& out) {
  return accumulate<NUMBERS>(cx, self, dim, dtype, 1, [](auto product, auto x) { return product * x; }, out);
}

Tensor& logcumsumexp_out(Context& cx, const Tensor& self, int64_t dim, Tensor& out) {
  const auto join = [](double a, double b) {
    if (a != a || b != b) return a + b;
    const double low = std::min(a, b), high = std::max(a, b);
    return low == high && std::isinf(low) ? low : std::log1p(std::exp(low - high)) + high;
  };
  if (!has_same_dtype(cx, self, out)) return out;
  return accumulate<FLOATS>(cx, self, dim, std::nullopt, -std::numeric_limits<double>::infinity(), join, out);
}

Pair cummax_out(Context& cx, const Tensor& self, int64_t dim, Tensor& values, Tensor& indices) {
  scan_extreme<true, NUMBERS_AND_BOOL>(cx, self, dim, values, indices);
  return {values, indices};
}

Pair cummin_out(Context& cx, const Tensor& self, int64_t dim, Tensor& values, Tensor& indices) {
  scan_extreme<false, NUMBERS_AND_BOOL>(cx, self, dim, values, indices);
  return {values, indices};
}

}  // namespace tenon::native
