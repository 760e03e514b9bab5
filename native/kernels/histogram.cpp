// Counts of numbers: by their value, or by bins of one width.
#include <algorithm>

#include "generated/kernels.h"
#include "loops.h"

namespace tenon::native {
namespace {

// Calls work(element, weight) with the offsets of each, in the order of their indices.
template <class Work>
void each_weighted(const Tensor& self, const Maybe<Tensor>& weight, const Work& work) {
  const Strides from(self), of_weight(weight ? *weight : self);
  Odometer<2> places;
  for (size_t d = 0; d < self.sizes().size(); ++d) places.add(self.sizes()[d], from[d], of_weight[d]);
  for (int64_t left = places.start(); left > 0; --left, places.next()) work(places.offset[0], places.offset[1]);
}

bool has_same_shape(Context& cx, const Tensor& self, const Maybe<Tensor>& weight) {
  return HOLDS(cx, !weight || tensors_have_same_shape(self, *weight),
               "weights of shape %s are not those of numbers of shape %s", ShapeText(*weight).text,
               ShapeText(self).text);
}

bool make_zeros(Context& cx, int64_t count, Tensor& out) {
  REQUIRE(cx, count >= 0 && count <= INT32_MAX, false, "there would be %" PRId64 " counts", count);
  if (!resize(cx, out, static_cast<SizesType>(count))) return false;
  std::memset(out.mutable_data_ptr(), 0, out.nbytes());
  return true;
}

}  // namespace

Tensor& bincount_out(Context& cx, const Tensor& self, const Maybe<Tensor>& weights, int64_t minlength, Tensor& out) {
  const ScalarType type = !weights                                         ? ScalarType::Long
                          : weights->scalar_type() == ScalarType::Float ? ScalarType::Float
                                                                          : ScalarType::Double;
  // Torch makes whole counts of no numbers, whatever their weights.
  const DTypeSet results = dtypes(type, self.numel() ? type : ScalarType::Long);
  if (!has_dtype(cx, self, WHOLES) || !has_same_shape(cx, self, weights) || !has_dtype(cx, out, results)) return out;
  REQUIRE(cx, self.dim() == 1 || self.numel() == 0, out, "numbers of shape %s do not have 1 dimension",
          ShapeText(self).text);
  REQUIRE(cx, minlength >= 0, out, "minlength is %" PRId64 ", and at least 0", minlength);
  int64_t count = minlength, position = 0;
  each_weighted(self, std::nullopt, [&](int64_t at, int64_t) {
    const int64_t x = read_one<int64_t>(self, at);
    count = std::max(count, x == INT64_MAX ? x : x + 1);
    if (x < 0) cx.fail(Error::InvalidArgument, "%" PRId64 " at position %" PRId64 " is no bin", x, position);
    ++position;
  });
  if (cx.failed() || !make_zeros(cx, count, out)) return out;
  const auto add = [&](auto one) {
    auto* counts = out.mutable_data_ptr<decltype(one)>();
    each_weighted(self, weights, [&](int64_t at, int64_t weight) {
      counts[read_one<int64_t>(self, at)] += weights ? read_one<decltype(one)>(*weights, weight) : one;
    });
  };
  if (out.scalar_type() == ScalarType::Long) add(int64_t{1});
  else if (out.scalar_type() == ScalarType::Float) add(1.0f);
  else add(1.0);
  return out;
}

// Bins of one width from `min` to `max`; from the smallest to the largest number if these are equal, and with 1 more to
// each side if those are too. The last one has its end. 16-bit floats are rounded at each step, as in torch.
Tensor& histc_out(Context& cx, const Tensor& self, int64_t bins, const Scalar& min, const Scalar& max, Tensor& out) {
  REQUIRE(cx, bins > 0, out, "bins is %" PRId64 ", and at least 1", bins);
  if (!has_dtype(cx, self, FLOATS) || !has_same_dtype(cx, self, out) || !make_zeros(cx, bins, out)) return out;
  compute_switch<void, FLOATS>(self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto rounded = [&](T x) { return rounded_to(self.scalar_type(), x); };
    T first = rounded(min.to<T>()), last = rounded(max.to<T>());
    if (first == last && self.numel() > 0) {
      first = last = read_one<T>(self, 0);
      each_weighted(self, std::nullopt, [&](int64_t at, int64_t) {
        const T x = read_one<T>(self, at);
        if (x < first || x != x) first = x;
        if (x > last || x != x) last = x;
      });
    }
    REQUIRE(cx, first - first == 0 && last - last == 0 && first <= last, , "there are no bins from %g to %g",
            static_cast<double>(first), static_cast<double>(last));
    if (first == last) first = rounded(first - 1), last = rounded(last + 1);
    // Where numbers are so large that 1 more is none, torch counts in the middle, and those of 16 bits at the start.
    const int64_t only = contains(half_dtypes, self.scalar_type()) ? 0 : bins / 2;
    each_weighted(self, std::nullopt, [&](int64_t at, int64_t) {
      const T x = read_one<T>(self, at);
      if (!(x >= first && x <= last)) return;
      const T part = rounded(rounded(x - first) * static_cast<T>(bins)) / rounded(last - first);
      const int64_t bin = first < last ? std::min(static_cast<int64_t>(rounded(part)), bins - 1) : only;
      write_one(out, bin, read_one<T>(out, bin) + T(1));
    });
  });
  return out;
}

}  // namespace tenon::native
