// Softmax and its logarithm along one dimension.
#include <algorithm>

#include "fast/smooth.h"
#include "fast/vectors.h"
#include "index.h"

namespace tenon::native {

namespace {

// Of what is not above 0; by the size of the elements, a vector of floats or of doubles.
template <class V>
ET_INLINE V power(const V& x) {
  if constexpr (sizeof(x[0]) == sizeof(float)) return exponential_below<false>(x);
  V found = {};
  for (size_t l = 0; l < sizeof(V) / sizeof(x[0]); ++l) found[l] = std::exp(x[l]);
  return found;
}

// Three passes over a row: its largest number, the sum of exponentials, the result. A row of another dtype or with a
// stride goes through a buffer run by run, and rows of half types are rounded only once.
template <class T, bool logarithm>
struct Rows {
  const Tensor& in;
  const Tensor& out;
  const Odometer<2>& rows;
  int64_t length, step[2];

  template <class Work>
  ET_INLINE void each_run(const Work& work) const {
    for (int64_t i = 0; i < length; i += run_room) work(i, std::min(run_room, length - i));
  }

  // Calls work(values) for the vectors of a run, which may change them; the last is filled up with `fill`.
  template <class V, class Work>
  static ET_INLINE void each_vector(const T* from, T* to, int64_t n, T fill, const Work& work) {
    constexpr int64_t lanes = sizeof(V) / sizeof(T);
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
      V values = load<V>(from + i);
      work(values);
      if (to) store(to + i, values);
    }
    if (i == n) return;
    T rest[lanes];
    std::fill_n(rest, lanes, fill);
    std::copy_n(from + i, n - i, rest);
    V values = load<V>(rest);
    work(values);
    store(rest, values);
    if (to) std::copy_n(rest, n - i, to + i);
  }

  template <class V>
  ET_INLINE T largest(int64_t offset) const {
    constexpr T nothing = -std::numeric_limits<T>::infinity();
    T room[run_room];
    V found = V{} + nothing;
    each_run([&](int64_t first, int64_t n) ET_INLINE_ATTRIBUTE {
      const T* x = read(in, offset + first * step[0], step[0], n, room);
      each_vector<V>(x, nullptr, n, nothing, [&](V& v) ET_INLINE_ATTRIBUTE { found = v > found ? v : found; });
    });
    T best = found[0];
    for (size_t l = 1; l < sizeof(V) / sizeof(T); ++l) best = std::max(best, found[l]);
    return best;
  }

  template <class V>
  ET_INLINE void row(int64_t from, int64_t to) const {
    constexpr T nothing = -std::numeric_limits<T>::infinity();
    T room[run_room], made[run_room], sum = 0;
    const T top = largest<V>(from);
    // A result that is stored as it is computed keeps the exponentials; else they are made twice and rounded once.
    const bool keeps = !logarithm && out.scalar_type() == dtype_of<T> && step[1] == 1;
    T* kept = keeps ? out.mutable_data_ptr<T>() + to : nullptr;
    V sums = {};
    each_run([&](int64_t first, int64_t n) ET_INLINE_ATTRIBUTE {
      const T* x = read(in, from + first * step[0], step[0], n, room);
      each_vector<V>(x, keeps ? kept + first : nullptr, n, nothing, [&](V& v) ET_INLINE_ATTRIBUTE {
        v = power(v - top);
        sums += v;
      });
    });
    for (size_t l = 0; l < sizeof(V) / sizeof(T); ++l) sum += sums[l];
    const T factor = 1 / sum, log_sum = logarithm ? std::log(sum) : T(0);
    each_run([&](int64_t first, int64_t n) ET_INLINE_ATTRIBUTE {
      const T* x = keeps ? kept + first : read(in, from + first * step[0], step[0], n, room);
      each_vector<V>(x, keeps ? kept + first : made, n, nothing, [&](V& v) ET_INLINE_ATTRIBUTE {
        v = logarithm ? v - top - log_sum : (keeps ? v : power(v - top)) * factor;
      });
      if (!keeps) write(out, to + first * step[1], step[1], n, made);
    });
  }

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    Odometer<2> at = rows;
    for (int64_t left = at.start(); left > 0; --left, at.next()) {
      row<typename VectorOf<T, bytes>::type>(at.offset[0], at.offset[1]);
    }
  }
};

template <bool logarithm, DTypeSet set>
Tensor& softmax(Context& cx, const Tensor& in, int64_t dim, bool half_to_float, Tensor& out) {
  const ScalarType wanted = half_to_float ? ScalarType::Float : in.scalar_type();
  if ((in.numel() && !has_dtype(cx, in, set)) || !wrap_dim(cx, dim, in) || !resize(cx, out, in.sizes())) return out;
  REQUIRE(cx, out.scalar_type() == wanted, out, "the result has %s instead of %s", dtype_name(out.scalar_type()),
          dtype_name(wanted));
  const Strides from(in), to(out);
  Odometer<2> rows;
  for (size_t d = 0; d < in.sizes().size(); ++d) {
    if (d != static_cast<size_t>(dim)) rows.add(in.sizes()[d], from[d], to[d]);
  }
  const int64_t length = nonempty_size(in, dim);
  const int64_t step = in.dim() ? from[static_cast<size_t>(dim)] : 1, to_step = in.dim() ? to[static_cast<size_t>(dim)] : 1;
  if (length == 0) return out;
  compute_switch<void, set>(in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    run_tuned(Rows<T, logarithm>{in, out, rows, length, {step, to_step}});
  });
  return out;
}

}  // namespace

Tensor& _softmax_out(Context& cx, const Tensor& self, int64_t dim, bool half_to_float, Tensor& out) {
  return softmax<false, FLOATS>(cx, self, dim, half_to_float, out);
}

Tensor& _log_softmax_out(Context& cx, const Tensor& self, int64_t dim, bool half_to_float, Tensor& out) {
  return softmax<true, FLOATS>(cx, self, dim, half_to_float, out);
}

}  // namespace tenon::native
