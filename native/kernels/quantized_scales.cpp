// Kernels that choose the scale and the zero point with which some numbers are quantised.
#include <algorithm>
#include <cmath>

#include "moves.h"
#include "quantize.h"
#include "rows.h"

namespace tenon::native {
namespace {

// The lowest and the highest of some elements and 0; NaN if one of them is.
template <class T>
struct Range {
  T low = 0, high = 0;

  Range(const Tensor& in, int64_t offset, int64_t step, int64_t count) {
    T room[run_room];
    for (int64_t i = 0; i < count; i += run_room) {
      const int64_t n = std::min(run_room, count - i);
      const T* x = read(in, offset + i * step, step, n, room);
      for (int64_t j = 0; j < n; ++j) {
        low = x[j] < low || x[j] != x[j] ? x[j] : low;
        high = x[j] > high || x[j] != x[j] ? x[j] : high;
      }
    }
  }
};

struct Chosen {
  double scale;
  int64_t zero_point;
};

// One for each row of a view, along its last dimension, which has the size 1 then.
template <DTypeSet inputs, DTypeSet floats, DTypeSet numbers, class Choose>
void choose_each(Context& cx, const Tensor& in, const View& view, const Choose& choose_by, Tensor& scale,
                 Tensor& zero_point) {
  ViewTensor whole(view);
  Rows rows;
  if (!has_dtype(cx, in, inputs) || !has_dtype(cx, scale, floats) || !has_dtype(cx, zero_point, numbers)) return;
  REQUIRE(cx, view.sizes[view.rank - 1] > 0, , "in shape %s there is nothing to choose a scale by", ShapeText(in).text);
  const int64_t last = static_cast<int64_t>(view.rank) - 1;
  if (!plan_rows(cx, whole.tensor(), last, 1, true, scale, &zero_point, rows)) return;
  compute_switch<void, inputs>(in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = rows.at.start(); left > 0; --left, rows.at.next()) {
      const Chosen chosen = choose_by(Range<T>(in, rows.at.offset[0], rows.step[0], rows.length));
      write_one(scale, rows.at.offset[1], chosen.scale);
      write_one(zero_point, rows.at.offset[2], chosen.zero_point);
    }
  });
}

// Of all elements of a tensor; they lie one after the other, in any order.
template <DTypeSet inputs, DTypeSet floats, DTypeSet numbers, class Choose>
void choose(Context& cx, const Tensor& in, int64_t low, int64_t high, ScalarType type, const Choose& choose_by,
            Tensor& scale, Tensor& zero_point) {
  REQUIRE(cx, low < high && contains(quantized, type), , "there is no %s from %" PRId64 " to %" PRId64,
          dtype_name(type), low, high);
  View all(in);
  all.rank = 0;
  all.insert(0, in.numel(), 1);
  choose_each<inputs, floats, numbers>(cx, in, all, choose_by, scale, zero_point);
}

// Of the elements along the last dimension; a number alone counts as one of them.
View tokens(const Tensor& in) {
  View view(in);
  if (view.rank == 0) view.insert(0, 1, 1);
  return view;
}

}  // namespace

Pair choose_qparams_tensor_out(Context& cx, const Tensor& input, int64_t quant_min, int64_t quant_max, double eps,
                               ScalarType dtype, Tensor& scale_out, Tensor& zero_point_out) {
  const auto by = [&, type = input.scalar_type()](const Range<float>& range) {
    const float width = rounded_to(type, range.high - range.low), least = static_cast<float>(eps);
    float scale = rounded_to(type, width / static_cast<float>(quant_max - quant_min));
    scale = scale < least ? least : scale;
    const float lowest = std::nearbyint(range.low / scale);
    const bool is_whole = lowest >= -2147483648.0f && lowest < 2147483648.0f;
    const int64_t down = is_whole ? static_cast<int64_t>(lowest) : INT32_MIN;
    const int64_t zero_point = static_cast<int32_t>(static_cast<uint32_t>(quant_min - down));  // it wraps around
    return Chosen{scale, zero_point < quant_min ? quant_min : zero_point > quant_max ? quant_max : zero_point};
  };
  choose<TABLE_FLOATS, FLOATS, NUMBERS>(cx, input, quant_min, quant_max, dtype, by, scale_out, zero_point_out);
  return {scale_out, zero_point_out};
}

Pair choose_qparams_symmetric_tensor_out(Context& cx, const Tensor& input, int64_t quant_min, int64_t quant_max,
                                         double eps, ScalarType dtype, Tensor& scale_out, Tensor& zero_point_out) {
  const auto by = [&, type = input.scalar_type()](const Range<float>& range) {
    const float half = static_cast<float>(quant_max - quant_min) / 2, least = static_cast<float>(eps);
    const float scale = rounded_to(type, (range.high < -range.low ? -range.low : range.high) / half);
    return Chosen{scale < least ? least : scale, dtype == ScalarType::Byte ? 128 : 0};
  };
  choose<TABLE_FLOATS, FLOATS, NUMBERS>(cx, input, quant_min, quant_max, dtype, by, scale_out, zero_point_out);
  return {scale_out, zero_point_out};
}

// The dtype is int8.
Pair choose_qparams_per_token_asymmetric_out(Context& cx, const Tensor& input, ScalarType, Tensor& scale_out,
                                             Tensor& zero_point_out) {
  const auto by = [type = input.scalar_type()](const auto& range) {
    using T = decltype(range.low + 0);
    const auto as = [type](T x) { return rounded_to(type, x); };
    constexpr T low = -128, high = 127, least = T(1) / (1 << 23);
    T scale = as(as(range.high - range.low) / (high - low));
    scale = scale < least ? least : scale;
    const T from_low = as(range.low / scale), from_high = as(range.high / scale);
    T zero_point = as(as(low + from_low) + as(high + from_high)) > 0 ? as(low - from_low) : as(high - from_high);
    zero_point = zero_point < low ? low : zero_point > high ? high : zero_point;
    return Chosen{scale, zero_point != zero_point ? INT64_MIN : static_cast<int64_t>(std::nearbyint(zero_point))};
  };
  choose_each<FLOATS, FLOATS, NUMBERS>(cx, input, tokens(input), by, scale_out, zero_point_out);
  return {scale_out, zero_point_out};
}

Pair choose_qparams_per_token_out(Context& cx, const Tensor& input, ScalarType dtype, Tensor& scale_out,
                                  Tensor& zero_point_out) {
  const Pair outs(scale_out, zero_point_out);
  REQUIRE(cx, dtype == ScalarType::Char, outs, "tokens become int8, and not %s", dtype_name(dtype));
  // A half becomes a float before it is divided; a bfloat16 does not.
  const ScalarType type = input.scalar_type() == ScalarType::Half ? ScalarType::Float : input.scalar_type();
  const auto by = [type](const auto& range) {
    using T = decltype(range.low + 0);
    const T most = range.high < -range.low ? -range.low : range.high, least = rounded_to(type, T(1e-5));
    return Chosen{rounded_to(type, (most < least ? least : most) / T(127)), 0};
  };
  choose_each<FLOATS, FLOATS, NUMBERS>(cx, input, tokens(input), by, scale_out, zero_point_out);
  return outs;
}

}  // namespace tenon::native
