// Kernels to quantised numbers, from them, and of their sum.
#include "quantize.h"

#include <cmath>

#include "moves.h"

namespace tenon::native {

namespace {

// --- one number ----------------------------------------------------------------------------------------------------

// A rounded number within its limits, as the whole number it is. NaN becomes what torch makes of it: 0 in 8 or 16 bits.
template <class T>
struct Limits {
  T low, high;

  ET_INLINE int32_t operator()(T x) const {
    x = x < low ? low : x;
    x = x > high ? high : x;
    if (x != x) return INT32_MIN;
    return x >= T(2147483648.0) ? INT32_MAX : static_cast<int32_t>(x);  // as a float, the highest int32 is too high
  }
};

template <class T>
struct Quantize {
  using IsLong = void;
  Limits<T> limits;
  T inverse, zero_point;
  ET_INLINE int32_t operator()(T x) const { return limits(std::nearbyint(x * inverse) + zero_point); }
};

template <class T>
struct QuantizeChannel {
  using IsLong = void;
  Limits<T> limits;
  ET_INLINE int32_t operator()(T x, T scale, T zero_point) const {
    return limits(std::nearbyint(x * (T(1) / scale)) + zero_point);
  }
};

// Of a token, torch rounds when the zero point is there already. Not for wide vectors, where it would be one with the
// product.
template <class T>
struct QuantizeToken {
  Limits<T> limits;
  int32_t operator()(T x, T scale, T zero_point) const {
    return limits(std::nearbyint(x * (T(1) / scale) + zero_point));
  }
};

template <class T>
struct Dequantize {
  T scale, zero_point;
  T operator()(T x) const { return (x - zero_point) * scale; }
};

struct DequantizeWith {
  template <class X, class T>
  T operator()(X x, T scale, X zero_point) const {
    return static_cast<T>(x - zero_point) * scale;
  }
};

struct QuantizedAdd {
  Dequantize<float> a, b;
  Quantize<float> out;
  int32_t operator()(float x, float y) const { return out(a(x) + b(y)); }
};

template <class... T, class F, class... In>
void run(Context& cx, const F& functor, Tensor& out, const In&... in) {
  const Tensor* inputs[] = {&in...};
  if (!prepare_pointwise(cx, out.scalar_type(), out, inputs)) return;
  pointwise_as<T...>(cx, functor, ScalarType::Undefined, out, in...);
}

// --- checks --------------------------------------------------------------------------------------------------------

bool are_limits(Context& cx, int64_t low, int64_t high, ScalarType type) {
  const int64_t count = int64_t{1} << (8 * elementSize(type));
  const int64_t lowest = type == ScalarType::Byte ? 0 : -count / 2;
  return HOLDS(cx, low >= lowest && high < lowest + count, "%s does not reach from %" PRId64 " to %" PRId64,
               dtype_name(type), low, high);
}

bool is_scale(Context& cx, double scale) { return HOLDS(cx, scale != 0, "a scale is 0"); }

template <class... In>
bool are_numbers(Context& cx, const In&... in) {
  const Tensor* tensors[] = {&in...};
  for (const Tensor* t : tensors) {
    REQUIRE(cx, t->numel() == 1, false, "a scale, a zero point or a limit has shape %s, and should be one number",
            ShapeText(*t).text);
  }
  return true;
}

template <DTypeSet floats, DTypeSet wholes>
bool begin_quantize(Context& cx, const Tensor& in, int64_t low, int64_t high, ScalarType type, const Tensor& out) {
  return has_dtype(cx, in, floats) && has_place_for(cx, type, out) && has_dtype(cx, out, wholes) &&
         are_limits(cx, low, high, type);
}

template <DTypeSet floats, DTypeSet wholes>
bool begin_dequantize(Context& cx, const Tensor& in, ScalarType type, ScalarType result, const Tensor& out) {
  REQUIRE(cx, in.scalar_type() == type, false, "it is %s, and said to be %s", dtype_name(in), dtype_name(type));
  return has_dtype(cx, in, wholes) && has_place_for(cx, result, out) && has_dtype(cx, out, floats);
}

template <class T>
Limits<T> limits(int64_t low, int64_t high) {
  return {static_cast<T>(low), static_cast<T>(high)};
}

// --- one scale for all ---------------------------------------------------------------------------------------------

template <DTypeSet floats, DTypeSet wholes>
Tensor& quantize(Context& cx, const Tensor& in, double scale, int64_t zero_point, int64_t low, int64_t high,
                 ScalarType type, Tensor& out) {
  if (!begin_quantize<floats, wholes>(cx, in, low, high, type, out) || !is_scale(cx, scale) ||
      !resize(cx, out, in.sizes()) || quantize_bytes(in, scale, zero_point, low, high, out)) {
    return out;
  }
  compute_switch<void, floats>(in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    run<T>(cx, Quantize<T>{limits<T>(low, high), static_cast<T>(1 / scale), static_cast<T>(zero_point)}, out, in);
  });
  return out;
}

template <DTypeSet floats, DTypeSet wholes>
Tensor& dequantize(Context& cx, const Tensor& in, double scale, int64_t zero_point, ScalarType type,
                   Maybe<ScalarType> result, Tensor& out) {
  const ScalarType made = result.value_or(ScalarType::Float);
  if (!begin_dequantize<floats, wholes>(cx, in, type, made, out) || !resize(cx, out, in.sizes()) ||
      dequantize_bytes(in, scale, zero_point, out)) {
    return out;
  }
  compute_switch<void, floats>(made, [&](auto tag) {
    using T = typename decltype(tag)::type;
    run<T>(cx, Dequantize<T>{static_cast<T>(scale), static_cast<T>(zero_point)}, out, in);
  });
  return out;
}

template <DTypeSet floats, DTypeSet wholes>
Tensor& dequantize(Context& cx, const Tensor& in, const Tensor& scale, const Tensor& zero_point, ScalarType type,
                   Maybe<ScalarType> result, Tensor& out) {
  if (!are_numbers(cx, scale, zero_point)) return out;
  return dequantize<floats, wholes>(cx, in, read_one<double>(scale, 0), read_one<int64_t>(zero_point, 0), type, result,
                                    out);
}

// --- a scale for each of some dimensions ---------------------------------------------------------------------------

// Scales or zero points, seen with the rank of another tensor: one for each index of its dimensions from `first` on and
// before `last`, and the same along all others.
View beside(Context& cx, const Tensor& t, const Tensor& other, size_t first, size_t last) {
  View view(t);
  SizesType sizes[kTensorDimensionLimit];
  const size_t rank = other.sizes().size();
  int64_t count = 1;
  for (size_t d = rank; d-- > 0; count *= sizes[d]) {
    sizes[d] = d >= first && d < last && t.numel() != 1 ? other.sizes()[d] : 1;
    view.sizes[d] = sizes[d], view.strides[d] = count;
  }
  if (t.sizes() == ArrayRef<SizesType>(sizes, rank)) return View(t);  // in any order
  view.rank = rank;
  REQUIRE(cx, count == t.numel() && is_plain(t), view, "scales or zero points of shape %s are not one for each of %s",
          ShapeText(t).text, ShapeText({sizes, rank}).text);
  return view;
}

// A matrix, each row of which is seen as a row of groups.
View grouped(Context& cx, const Tensor& t, const Tensor& scales, int64_t size) {
  View view(t);
  const int64_t columns = view.rank == 2 ? view.sizes[1] : 0, step = view.rank == 2 ? view.strides[1] : 0;
  if (size > columns && scales.dim() > 0 && scales.size(scales.dim() - 1) == 1) size = columns;
  REQUIRE(cx, view.rank == 2 && size >= 1 && columns % size == 0, view,
          "shape %s is not one of rows in groups of %" PRId64, ShapeText(t).text, size);
  narrow(view, 1, 0, columns / size, size);
  view.insert(2, size, step);
  return view;
}

bool is_axis(Context& cx, int64_t& axis, const Tensor& in) {
  return HOLDS(cx, in.dim() > 0, "a number alone has no channels") && wrap_dim(cx, axis, in);
}

size_t last_dim(const Tensor& in) { return in.dim() > 1 ? in.sizes().size() - 1 : 0; }

// The wider of two, as double scales make doubles of what they scale.
ScalarType wider(ScalarType a, ScalarType b) {
  return a == ScalarType::Double || b == ScalarType::Double ? ScalarType::Double : ScalarType::Float;
}

template <template <class> class F, DTypeSet floats>
Tensor& quantize_each(Context& cx, const Tensor& in, const Tensor& scales, const Tensor& zero_points, size_t first,
                      size_t last, int64_t low, int64_t high, Tensor& out) {
  ViewTensor scale(beside(cx, scales, in, first, last)), zero_point(beside(cx, zero_points, in, first, last));
  if (cx.failed() || !has_dtype(cx, scales, floats)) return out;
  compute_switch<void, floats>(wider(in.scalar_type(), scales.scalar_type()), [&](auto tag) {
    using T = typename decltype(tag)::type;
    run<T, T, T>(cx, F<T>{limits<T>(low, high)}, out, in, scale.tensor(), zero_point.tensor());
  });
  return out;
}

template <DTypeSet floats>
Tensor& dequantize_each(Context& cx, const Tensor& in, const Tensor& scales, const Tensor& zero_points, size_t first,
                        size_t last, Tensor& out) {
  ViewTensor scale(beside(cx, scales, in, first, last)), zero_point(beside(cx, zero_points, in, first, last));
  if (cx.failed() || !has_dtype(cx, scales, floats)) return out;
  compute_switch<void, floats>(wider(scales.scalar_type(), ScalarType::Float), [&](auto tag) {
    using T = typename decltype(tag)::type;
    // A float holds each difference of 16 bits; those of 32 are subtracted before they become one.
    if (in.scalar_type() == ScalarType::Int || std::is_same_v<T, double>) {
      run<double, T, double>(cx, DequantizeWith(), out, in, scale.tensor(), zero_point.tensor());
    } else {
      run<T, T, T>(cx, DequantizeWith(), out, in, scale.tensor(), zero_point.tensor());
    }
  });
  return out;
}

}  // namespace

// --- kernels: to quantised numbers ---------------------------------------------------------------------------------

Tensor& quantize_per_tensor_out(Context& cx, const Tensor& input, double scale, int64_t zero_point, int64_t quant_min,
                                int64_t quant_max, ScalarType dtype, Tensor& out) {
  return quantize<FLOATS, QUANTIZED>(cx, input, scale, zero_point, quant_min, quant_max, dtype, out);
}

Tensor& quantize_per_tensor_tensor_out(Context& cx, const Tensor& input, const Tensor& scale, const Tensor& zero_point,
                                       int64_t quant_min, int64_t quant_max, ScalarType dtype, Tensor& out) {
  if (!are_numbers(cx, scale, zero_point)) return out;
  return quantize<FLOATS, QUANTIZED>(cx, input, read_one<double>(scale, 0), read_one<int64_t>(zero_point, 0), quant_min,
                                     quant_max, dtype, out);
}

Tensor& quantize_per_tensor_tensor2_out(Context& cx, const Tensor& input, const Tensor& scale, const Tensor& zero_point,
                                        const Tensor& quant_min, const Tensor& quant_max, ScalarType dtype,
                                        Tensor& out) {
  if (!are_numbers(cx, scale, zero_point, quant_min, quant_max)) return out;
  return quantize<FLOATS, QUANTIZED>(cx, input, read_one<double>(scale, 0), read_one<int64_t>(zero_point, 0),
                                     read_one<int64_t>(quant_min, 0), read_one<int64_t>(quant_max, 0), dtype, out);
}

Tensor& quantize_per_channel_out(Context& cx, const Tensor& input, const Tensor& scales, const Tensor& zero_points,
                                 int64_t axis, int64_t quant_min, int64_t quant_max, ScalarType dtype, Tensor& out) {
  if (!begin_quantize<FLOATS, QUANTIZED>(cx, input, quant_min, quant_max, dtype, out) || !is_axis(cx, axis, input)) {
    return out;
  }
  const size_t along = static_cast<size_t>(axis);
  return quantize_each<QuantizeChannel, FLOATS>(cx, input, scales, zero_points, along, along + 1, quant_min, quant_max,
                                                out);
}

Tensor& quantize_per_token_out(Context& cx, const Tensor& input, const Tensor& scales, const Tensor& zero_points,
                               int64_t quant_min, int64_t quant_max, ScalarType dtype, Tensor& out) {
  if (!begin_quantize<NUMBERS_AND_BOOL, QUANTIZED>(cx, input, quant_min, quant_max, dtype, out)) return out;
  return quantize_each<QuantizeToken, FLOATS>(cx, input, scales, zero_points, 0, last_dim(input), quant_min, quant_max,
                                              out);
}

Tensor& quantize_per_channel_group_out(Context& cx, const Tensor& input, const Tensor& scales,
                                       const Tensor& zero_points, int64_t quant_min, int64_t quant_max,
                                       ScalarType dtype, int64_t group_size, Tensor& out) {
  if (!begin_quantize<NUMBERS_AND_BOOL, QUANTIZED>(cx, input, quant_min, quant_max, dtype, out) ||
      !resize(cx, out, input.sizes())) {
    return out;
  }
  ViewTensor from(grouped(cx, input, scales, group_size)), to(grouped(cx, out, scales, group_size));
  if (cx.failed()) return out;
  Tensor result = to.tensor();
  quantize_each<QuantizeToken, FLOATS>(cx, from.tensor(), scales, zero_points, 0, 2, quant_min, quant_max, result);
  return out;
}

// --- kernels: from quantised numbers -------------------------------------------------------------------------------

Tensor& dequantize_per_tensor_out(Context& cx, const Tensor& input, double scale, int64_t zero_point, int64_t, int64_t,
                                  ScalarType dtype, Maybe<ScalarType> out_dtype, Tensor& out) {
  return dequantize<FLOATS, QUANTIZED>(cx, input, scale, zero_point, dtype, out_dtype, out);
}

Tensor& dequantize_per_tensor_tensor_out(Context& cx, const Tensor& input, const Tensor& scale,
                                         const Tensor& zero_point, int64_t, int64_t, ScalarType dtype,
                                         Maybe<ScalarType> out_dtype, Tensor& out) {
  return dequantize<FLOATS, QUANTIZED>(cx, input, scale, zero_point, dtype, out_dtype, out);
}

Tensor& dequantize_per_tensor_tensor2_out(Context& cx, const Tensor& input, const Tensor& scale,
                                          const Tensor& zero_point, const Tensor&, const Tensor&, ScalarType dtype,
                                          Maybe<ScalarType> out_dtype, Tensor& out) {
  return dequantize<FLOATS, QUANTIZED>(cx, input, scale, zero_point, dtype, out_dtype, out);
}

Tensor& dequantize_per_channel_out(Context& cx, const Tensor& input, const Tensor& scales,
                                   const Maybe<Tensor>& zero_points, int64_t axis, int64_t, int64_t, ScalarType dtype,
                                   Maybe<ScalarType> out_dtype, Tensor& out) {
  if (!begin_dequantize<FLOATS, QUANTIZED>(cx, input, dtype, out_dtype.value_or(ScalarType::Float), out) ||
      !is_axis(cx, axis, input)) {
    return out;
  }
  NumberTensor zero(Scalar(int64_t{0}));
  const size_t along = static_cast<size_t>(axis);
  return dequantize_each<FLOATS>(cx, input, scales, zero_points ? *zero_points : zero.tensor(), along, along + 1, out);
}

Tensor& dequantize_per_token_out(Context& cx, const Tensor& input, const Tensor& scales, const Tensor& zero_points,
                                 int64_t, int64_t, ScalarType dtype, ScalarType output_dtype, Tensor& out) {
  if (!begin_dequantize<FLOATS, QUANTIZED>(cx, input, dtype, output_dtype, out)) return out;
  return dequantize_each<FLOATS>(cx, input, scales, zero_points, 0, last_dim(input), out);
}

Tensor& dequantize_per_channel_group_out(Context& cx, const Tensor& input, const Tensor& scales,
                                         const Maybe<Tensor>& zero_points, int64_t, int64_t, ScalarType dtype,
                                         int64_t group_size, ScalarType output_dtype, Tensor& out) {
  if (!begin_dequantize<FLOATS, QUANTIZED>(cx, input, dtype, output_dtype, out) || !resize(cx, out, input.sizes())) {
    return out;
  }
  NumberTensor zero(Scalar(int64_t{0}));
  ViewTensor from(grouped(cx, input, scales, group_size)), to(grouped(cx, out, scales, group_size));
  if (cx.failed()) return out;
  Tensor result = to.tensor();
  dequantize_each<FLOATS>(cx, from.tensor(), scales, zero_points ? *zero_points : zero.tensor(), 0, 2, result);
  return out;
}

// What 16-bit floats leave of numbers is told by a conversion to them and back.
Tensor& convert_element_type_no_fuse_out(Context& cx, const Tensor& input, ScalarType dtype, Tensor& out) {
  return has_place_for(cx, dtype, out) ? copy_view(cx, View(input), out) : out;
}

// --- kernels: a sum ------------------------------------------------------------------------------------------------

Tensor& quantized_add_out(Context& cx, const Tensor& a, double a_scale, int64_t a_zero_point, int64_t, int64_t,
                          const Tensor& b, double b_scale, int64_t b_zero_point, int64_t, int64_t, double out_scale,
                          int64_t out_zero_point, int64_t out_quant_min, int64_t out_quant_max, Tensor& out) {
  if (!has_dtype(cx, a, QUANTIZED) || !has_same_dtype(cx, a, b, out) ||
      !are_limits(cx, out_quant_min, out_quant_max, out.scalar_type()) || !is_scale(cx, out_scale)) {
    return out;
  }
  const auto dequantized = [](double scale, int64_t zero_point) {
    return Dequantize<float>{static_cast<float>(scale), static_cast<float>(zero_point)};
  };
  const Quantize<float> quantize{limits<float>(out_quant_min, out_quant_max), static_cast<float>(1 / out_scale),
                                 static_cast<float>(out_zero_point)};
  run<float, float>(cx, QuantizedAdd{dequantized(a_scale, a_zero_point), dequantized(b_scale, b_zero_point), quantize},
                    out, a, b);
  return out;
}

}  // namespace tenon::native
