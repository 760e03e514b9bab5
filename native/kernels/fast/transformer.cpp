// What transformers do to each row: RMS norm, and rotary positions.
#include <tenon/threads.h>

#include <algorithm>
#include <cmath>

#include "../index.h"

namespace tenon::native {

namespace {

// Threads are for rows of so many numbers together.
constexpr int64_t least_numbers = 16384;

// Rows of float32 along the last dimension. Those with strides of their own go through a buffer.
template <size_t n>
struct LastRows {
  Odometer<n> places;
  int64_t length = 1, step[n];  // `length` is the size of a row

  template <class... Stride>
  void add(bool is_last, int64_t size, Stride... strides) {
    if (!is_last) return places.add(size, strides...);
    const int64_t steps[n] = {static_cast<int64_t>(strides)...};
    length = size;
    std::copy_n(steps, n, step);
  }

  // Calls work(offsets) for each row.
  template <class Work>
  void each(const Work& work) const {
    Odometer<n> all = places;
    const int64_t least = std::max<int64_t>(1, least_numbers / std::max<int64_t>(length, 1));
    parallel(all.start(), least, [&](int64_t first, int64_t last) {
      Odometer<n> at = places;
      at.seek(first);
      for (int64_t i = first; i < last; ++i, at.next()) work(at.offset);
    });
  }
};

// --- RMS norm ------------------------------------------------------------------------------------------------------

struct RmsRow {
  const float *from, *weight;  // weight is null if there is none
  float* to;
  int64_t length, from_step, to_step, weight_step;
  float eps;

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    constexpr int64_t lanes = 32;
    float sums[lanes] = {};
    int64_t i = 0;
    if (from_step == 1) {
      for (; i + lanes <= length; i += lanes) {
        for (int64_t l = 0; l < lanes; ++l) sums[l] += from[i + l] * from[i + l];
      }
    }
    for (; i < length; ++i) sums[i % lanes] += from[i * from_step] * from[i * from_step];
    for (int64_t half = lanes / 2; half > 0; half /= 2) {
      for (int64_t l = 0; l < half; ++l) sums[l] += sums[l + half];
    }
    const float factor = 1 / std::sqrt(sums[0] / static_cast<float>(length) + eps);
    if (from_step == 1 && to_step == 1 && weight_step == 1) {
      for (i = 0; i < length; ++i) to[i] = from[i] * factor * weight[i];
    } else if (from_step == 1 && to_step == 1 && !weight) {
      for (i = 0; i < length; ++i) to[i] = from[i] * factor;
    } else {
      for (i = 0; i < length; ++i) {
        to[i * to_step] = from[i * from_step] * factor * (weight ? weight[i * weight_step] : 1.0f);
      }
    }
  }
};

}  // namespace

Tensor& rms_norm_out(Context& cx, const Tensor& input, const Maybe<Tensor>& weight, double eps, Tensor& out) {
  if (!has_dtype(cx, input, FLOAT32) || !has_dtype(cx, out, FLOAT32) || (weight && !has_dtype(cx, *weight, FLOAT32))) {
    return out;
  }
  const size_t rank = input.sizes().size();
  REQUIRE(cx, rank > 0, out, "a number alone has no rows to normalize");
  const bool fits = !weight || (weight->dim() == 1 && weight->sizes()[0] == input.sizes()[rank - 1]);
  REQUIRE(cx, fits, out, "a weight of shape %s is not for rows of an input of shape %s",
          ShapeText(weight->sizes()).text, ShapeText(input.sizes()).text);
  if (!resize(cx, out, input.sizes()) || input.numel() == 0) return out;
  LastRows<2> rows;
  const Strides from(input), to(out);
  for (size_t d = 0; d < rank; ++d) rows.add(d + 1 == rank, input.sizes()[d], from[d], to[d]);
  const float* factors = weight ? weight->const_data_ptr<float>() : nullptr;
  rows.each([&](const int64_t* at) {
    run_vectorised<true>(RmsRow{input.const_data_ptr<float>() + at[0], factors, out.mutable_data_ptr<float>() + at[1],
                                rows.length, rows.step[0], rows.step[1], factors ? 1 : 0, static_cast<float>(eps)});
  });
  return out;
}

// --- rotary positions ----------------------------------------------------------------------------------------------

namespace {

struct RotaryRow {
  const float *from, *cos, *sin;
  float* to;
  int64_t length, from_step, cos_step, sin_step, to_step;

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    const int64_t half = length / 2, rest = length - half;
    if (from_step == 1 && cos_step == 1 && sin_step == 1 && to_step == 1) {
      float* ET_RESTRICT result = to;
      for (int64_t i = 0; i < rest; ++i) result[i] = from[i] * cos[i] - from[half + i] * sin[i];
      for (int64_t i = rest; i < length; ++i) result[i] = from[i] * cos[i] + from[i - rest] * sin[i];
      return;
    }
    for (int64_t i = 0; i < length; ++i) {
      const float other = i < rest ? -from[(half + i) * from_step] : from[(i - rest) * from_step];
      to[i * to_step] = from[i * from_step] * cos[i * cos_step] + other * sin[i * sin_step];
    }
  }
};

// Strides by which a tensor is broadcast to one of more dimensions.
bool take_angles(Context& cx, const Tensor& t, const Tensor& input, int64_t (&found)[kTensorDimensionLimit]) {
  if (!has_dtype(cx, t, FLOAT32)) return false;
  const size_t rank = input.sizes().size(), own = t.sizes().size();
  bool fits = own <= rank;
  const Strides strides(t);
  for (size_t d = 0; fits && d < rank; ++d) {
    const size_t at = d + own - rank;
    const bool is_there = d + own >= rank && t.sizes()[at] != 1;
    fits = !is_there || t.sizes()[at] == input.sizes()[d];
    found[d] = is_there ? strides[at] : 0;
  }
  REQUIRE(cx, fits, false, "angles of shape %s are not for an input of shape %s", ShapeText(t.sizes()).text,
          ShapeText(input.sizes()).text);
  return true;
}

}  // namespace

Tensor& rotary_out(Context& cx, const Tensor& input, const Tensor& cos, const Tensor& sin, Tensor& out) {
  int64_t cos_steps[kTensorDimensionLimit], sin_steps[kTensorDimensionLimit];
  REQUIRE(cx, input.dim() > 0, out, "a number alone cannot be turned");
  if (!has_dtype(cx, input, FLOAT32) || !has_dtype(cx, out, FLOAT32) || !take_angles(cx, cos, input, cos_steps) ||
      !take_angles(cx, sin, input, sin_steps) || !resize(cx, out, input.sizes()) || input.numel() == 0) {
    return out;
  }
  LastRows<4> rows;
  const Strides from(input), to(out);
  const size_t rank = input.sizes().size();
  for (size_t d = 0; d < rank; ++d) {
    rows.add(d + 1 == rank, input.sizes()[d], from[d], cos_steps[d], sin_steps[d], to[d]);
  }
  rows.each([&](const int64_t* at) {
    run_vectorised<true>(RotaryRow{input.const_data_ptr<float>() + at[0], cos.const_data_ptr<float>() + at[1],
                                   sin.const_data_ptr<float>() + at[2], out.mutable_data_ptr<float>() + at[3],
                                   rows.length, rows.step[0], rows.step[1], rows.step[2], rows.step[3]});
  });
  return out;
}

}  // namespace tenon::native
