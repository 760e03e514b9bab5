// Kernels of quantised numbers, where q stands for (q - zero point) * scale: to them, from them, and tables of them.
#include <algorithm>
#include <cmath>

#include "loops.h"

namespace tenon::native {
namespace {

constexpr DTypeSet quantized = dtypes(ScalarType::Byte, ScalarType::Char, ScalarType::Short, ScalarType::Int);
constexpr DTypeSet table_floats = dtypes(ScalarType::Float, ScalarType::Half, ScalarType::BFloat16);
#define QUANTIZED TENON_SELECTED(quantized)
#define TABLE_FLOATS TENON_SELECTED(table_floats)

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
  if (prepare_pointwise(cx, out.scalar_type(), out, inputs)) pointwise_as<T...>(cx, functor, ScalarType::Undefined, out, in...);
}

// --- checks --------------------------------------------------------------------------------------------------------

bool has_place_for(Context& cx, ScalarType wanted, const Tensor& out) {
  if (out.scalar_type() == wanted) return true;
  cx.fail(Error::InvalidArgument, "the result is %s, and its place is %s", dtype_name(wanted),
          dtype_name(out.scalar_type()));
  return false;
}

bool are_limits(Context& cx, int64_t low, int64_t high, ScalarType type) {
  const int64_t count = int64_t{1} << (8 * elementSize(type));
  const int64_t lowest = type == ScalarType::Byte ? 0 : -count / 2;
  if (low >= lowest && high < lowest + count) return true;
  cx.fail(Error::InvalidArgument, "%s does not reach from %" PRId64 " to %" PRId64, dtype_name(type), low, high);
  return false;
}

bool is_scale(Context& cx, double scale) {
  if (scale != 0) return true;
  cx.fail(Error::InvalidArgument, "a scale is 0");
  return false;
}

bool is_one(Context& cx, const Tensor& scale, const Tensor& zero_point) {
  if (scale.numel() == 1 && zero_point.numel() == 1) return true;
  cx.fail(Error::InvalidArgument, "the scale has shape %s and the zero point %s, and both are one number",
          ShapeText(scale.sizes()).text, ShapeText(zero_point.sizes()).text);
  return false;
}

template <DTypeSet floats, DTypeSet wholes>
bool begin_quantize(Context& cx, const Tensor& in, int64_t low, int64_t high, ScalarType type, const Tensor& out) {
  return has_dtype(cx, in, floats) && has_place_for(cx, type, out) && has_dtype(cx, out, wholes) &&
         are_limits(cx, low, high, type);
}

template <DTypeSet floats, DTypeSet wholes>
bool begin_dequantize(Context& cx, const Tensor& in, ScalarType type, ScalarType result, const Tensor& out) {
  if (in.scalar_type() != type) {
    cx.fail(Error::InvalidArgument, "it is %s, and said to be %s", dtype_name(in.scalar_type()), dtype_name(type));
    return false;
  }
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
  if (!begin_quantize<floats, wholes>(cx, in, low, high, type, out) || !is_scale(cx, scale)) return out;
  compute_switch<void, floats>(in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    run<T>(cx, Quantize<T>{limits<T>(low, high), static_cast<T>(1 / scale), static_cast<T>(zero_point)}, out, in);
  });
  return out;
}

template <DTypeSet floats, DTypeSet wholes>
Tensor& dequantize(Context& cx, const Tensor& in, double scale, int64_t zero_point, ScalarType type, ScalarType result,
                   Tensor& out) {
  if (!begin_dequantize<floats, wholes>(cx, in, type, result, out)) return out;
  compute_switch<void, floats>(result, [&](auto tag) {
    using T = typename decltype(tag)::type;
    run<T>(cx, Dequantize<T>{static_cast<T>(scale), static_cast<T>(zero_point)}, out, in);
  });
  return out;
}

// --- a scale for each of some dimensions ---------------------------------------------------------------------------

// Scales or zero points, seen as a tensor of the rank of another: one for each index of its dimensions from `first` on
// and before `last`, and the same along all others.
class Beside {
 public:
  Beside(Context& cx, const Tensor& t, const Tensor& other, size_t first, size_t last) : tensor_(t) {
    int64_t count = 1;
    const size_t rank = other.sizes().size();
    for (size_t d = 0; d < rank; ++d) {
      sizes_[d] = d >= first && d < last && t.numel() != 1 ? other.sizes()[d] : 1;
      count *= sizes_[d];
    }
    if (t.sizes() == ArrayRef<SizesType>(sizes_, rank)) return;  // in any order
    impl_ = TensorImpl(t.scalar_type(), static_cast<ptrdiff_t>(rank), sizes_, t.mutable_data_ptr());
    tensor_ = Tensor(&impl_);
    if (count != t.numel() || !is_plain(t)) {
      cx.fail(Error::InvalidArgument, "scales or zero points of shape %s are not one for each of %s",
              ShapeText(t.sizes()).text, ShapeText({sizes_, rank}).text);
    }
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  const Tensor& tensor() const { return tensor_; }

 private:
  SizesType sizes_[kTensorDimensionLimit];
  TensorImpl impl_;
  Tensor tensor_;
};

bool is_axis(Context& cx, int64_t& axis, const Tensor& in) {
  if (in.dim() > 0) return wrap_dim(cx, axis, in);
  cx.fail(Error::InvalidArgument, "a number alone has no channels");
  return false;
}

size_t last_dim(const Tensor& in) { return in.dim() > 1 ? in.sizes().size() - 1 : 0; }

// The wider of two, as double scales make doubles of what they scale.
ScalarType wider(ScalarType a, ScalarType b) {
  return a == ScalarType::Double || b == ScalarType::Double ? ScalarType::Double : ScalarType::Float;
}

template <template <class> class F, DTypeSet floats>
Tensor& quantize_each(Context& cx, const Tensor& in, const Tensor& scales, const Tensor& zero_points, size_t first,
                      size_t last, int64_t low, int64_t high, Tensor& out) {
  Beside scale(cx, scales, in, first, last), zero_point(cx, zero_points, in, first, last);
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
  Beside scale(cx, scales, in, first, last), zero_point(cx, zero_points, in, first, last);
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

// --- the choice of scales ------------------------------------------------------------------------------------------

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

bool has_elements(Context& cx, const Tensor& in, int64_t count) {
  if (count > 0) return true;
  cx.fail(Error::InvalidArgument, "in shape %s there is nothing to choose a scale by", ShapeText(in.sizes()).text);
  return false;
}

// --- tables --------------------------------------------------------------------------------------------------------

// Rows of quantised numbers, 1, 2 or 4 in a byte. Each row has a scale, or one for each group of its numbers.
struct Table {
  const Tensor& weight;
  const Tensor& scales;
  const Tensor* zero_points;
  int bits;
  int64_t rows = 0, columns = 0, row = 0, step = 0, groups = 1, group = 1;

  bool check(Context& cx, DTypeSet floats, DTypeSet wholes);
  void read_run(int64_t at, int64_t first, int64_t count, float* to) const;

 private:
  void read_numbers(int64_t at, int64_t first, int64_t count, float* to) const;
};

bool Table::check(Context& cx, DTypeSet floats, DTypeSet wholes) {
  const bool has_sizes = weight.dim() == 2 && scales.dim() > 0 && scales.dim() < 3 && scales.size(0) == weight.size(0);
  if (has_sizes) {
    rows = weight.size(0), columns = weight.size(1) * (8 / bits);
    row = Strides(weight)[0], step = Strides(weight)[1];
    groups = scales.dim() == 2 ? scales.size(1) : 1;
    group = groups > 0 ? columns / groups : 0;
  }
  if (!has_sizes || group * groups != columns || !is_plain(scales)) {
    cx.fail(Error::InvalidArgument, "scales of shape %s do not go with weights of shape %s, %d in a byte",
            ShapeText(scales.sizes()).text, ShapeText(weight.sizes()).text, 8 / bits);
    return false;
  }
  if (zero_points && (zero_points->numel() != scales.numel() || !is_plain(*zero_points))) {
    cx.fail(Error::InvalidArgument, "zero points of shape %s do not go with scales of shape %s",
            ShapeText(zero_points->sizes()).text, ShapeText(scales.sizes()).text);
    return false;
  }
  return has_dtype(cx, scales, floats) && has_dtype(cx, weight, wholes);
}

void Table::read_numbers(int64_t at, int64_t first, int64_t count, float* to) const {
  if (bits == 8) {
    read(weight, at * row + first * step, step, count, to);  // into `to`, as they are no floats
    return;
  }
  const uint8_t* bytes = weight.const_data_ptr<uint8_t>() + at * row;
  const int64_t per_byte = 8 / bits;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = (first + i) % per_byte;
    // Of two in a byte the first is the high one; of four the first is the lowest.
    const int64_t shift = bits == 4 ? 4 - 4 * place : 2 * place;
    const int number = (bytes[(first + i) / per_byte * step] >> shift) & ((1 << bits) - 1);
    to[i] = static_cast<float>(number - (1 << (bits - 1)));
  }
}

void Table::read_run(int64_t at, int64_t first, int64_t count, float* to) const {
  read_numbers(at, first, count, to);
  for (int64_t i = 0; i < count;) {
    const int64_t which = (first + i) / group, end = (which + 1) * group - first, offset = at * groups + which;
    const float scale = read_one<float>(scales, offset);
    const float zero_point = zero_points ? read_one<float>(*zero_points, offset) : 0;
    for (; i < count && i < end; ++i) to[i] = (to[i] - zero_point) * scale;
  }
}

bool has_limits(Context& cx, int64_t low, int64_t high, int64_t lowest) {
  if (low == lowest && high == -lowest - 1) return true;
  cx.fail(Error::InvalidArgument,
          "the weights reach from %" PRId64 " to %" PRId64 ", and are said to from %" PRId64 " to %" PRId64, lowest,
          -lowest - 1, low, high);
  return false;
}

template <DTypeSet floats, DTypeSet wholes>
Tensor& take_rows(Context& cx, Table table, const Tensor& indices, ScalarType result, Tensor& out) {
  const size_t rank = indices.sizes().size();
  if (!table.check(cx, floats, table.bits == 8 ? wholes : wholes & dtypes(ScalarType::Byte)) ||
      !has_place_for(cx, result, out) || !has_dtype(cx, out, sets::floats) || !has_index_dtype(cx, indices)) {
    return out;
  }
  ET_KERNEL_CHECK_MSG(cx, rank < kTensorDimensionLimit, InvalidArgument, out,
                      "indices of rank %zu leave no dimension for the rows", rank);
  SizesType sizes[kTensorDimensionLimit];
  for (size_t d = 0; d < rank; ++d) sizes[d] = indices.sizes()[d];
  sizes[rank] = static_cast<SizesType>(table.columns);
  if (!resize(cx, out, {sizes, rank + 1})) return out;
  const Strides from(indices), to(out);
  Odometer<2> places;
  for (size_t d = 0; d < rank; ++d) places.add(sizes[d], from[d], to[d]);
  int64_t position = 0;
  float room[run_room];
  for (int64_t left = places.start(); left > 0; --left, places.next(), ++position) {
    const int64_t at = read_one<int64_t>(indices, places.offset[0]);
    if (!is_inside(cx, at, table.rows, 0, position)) return out;
    for (int64_t i = 0; i < table.columns; i += run_room) {
      const int64_t n = std::min(run_room, table.columns - i);
      table.read_run(at, i, n, room);
      write(out, places.offset[1] + i * to[rank], to[rank], n, room);
    }
  }
  return out;
}

// In several sums, which is faster and nearer to the truth than one.
TENON_HOT float dot(int64_t count, const float* a, const float* b) {
  constexpr int64_t parts = 16;
  float sums[parts] = {}, sum = 0;
  int64_t i = 0;
  for (; i + parts <= count; i += parts) {
    for (int64_t p = 0; p < parts; ++p) sums[p] += a[i + p] * b[i + p];
  }
  for (; i < count; ++i) sums[i % parts] += a[i] * b[i];
  for (const float part : sums) sum += part;
  return sum;
}

// Some rows of a product, and of its columns at most a run.
struct Sums {
  static constexpr int64_t most = 8;
  const Tensor& in;
  const Table& table;
  int64_t row, height, column, width;
  float at[most][run_room] = {};

  // The rows of the table are summed over.
  void add_rows(const Strides& step) {
    float numbers[run_room];
    for (int64_t k = 0; k < table.rows; ++k) {
      table.read_run(k, column, width, numbers);
      for (int64_t r = 0; r < height; ++r) {
        const float x = read_one<float>(in, (row + r) * step[0] + k * step[1]);
        for (int64_t c = 0; c < width; ++c) at[r][c] += x * numbers[c];
      }
    }
  }

  // Its columns are.
  void add_columns(const Strides& step) {
    float numbers[run_room], room[run_room];
    for (int64_t k = 0; k < table.columns; k += run_room) {
      const int64_t n = std::min(run_room, table.columns - k);
      for (int64_t c = 0; c < width; ++c) {
        table.read_run(column + c, k, n, numbers);
        for (int64_t r = 0; r < height; ++r) {
          const float* x = read(in, (row + r) * step[0] + k * step[1], step[1], n, room);
          at[r][c] += dot(n, x, numbers);
        }
      }
    }
  }
};

// A product of matrices, the second one a table. If it is transposed, its columns are summed over.
template <DTypeSet floats, DTypeSet wholes>
Tensor& multiply_table(Context& cx, const Tensor& in, Table table, bool is_transposed, ScalarType result, Tensor& out) {
  if (!table.check(cx, floats, wholes) || !has_dtype(cx, in, floats) || !has_place_for(cx, result, out) ||
      !has_dtype(cx, out, sets::floats)) {
    return out;
  }
  const int64_t depth = is_transposed ? table.columns : table.rows, width = is_transposed ? table.rows : table.columns;
  ET_KERNEL_CHECK_MSG(cx, in.dim() == 2 && in.size(1) == depth, InvalidArgument, out,
                      "there is no product of shapes %s and %s", ShapeText(in.sizes()).text,
                      ShapeText(table.weight.sizes()).text);
  const SizesType sizes[] = {in.sizes()[0], static_cast<SizesType>(width)};
  if (!resize(cx, out, sizes)) return out;
  const Strides from(in), to(out);
  for (int64_t i = 0; i < sizes[0]; i += Sums::most) {
    for (int64_t j = 0; j < width; j += run_room) {
      Sums sums{in, table, i, std::min<int64_t>(Sums::most, sizes[0] - i), j, std::min(run_room, width - j)};
      if (is_transposed) sums.add_columns(from);
      else sums.add_rows(from);
      for (int64_t r = 0; r < sums.height; ++r) write(out, (i + r) * to[0] + j * to[1], to[1], sums.width, sums.at[r]);
    }
  }
  return out;
}

const Tensor* pointer(const std::optional<Tensor>& t) { return t ? &*t : nullptr; }

#define BYTES TENON_SELECTED(dtypes(ScalarType::Byte, ScalarType::Char))

}  // namespace

// --- kernels: to quantised numbers ---------------------------------------------------------------------------------

Tensor& quantize_per_tensor_out(Context& cx, const Tensor& input, double scale, int64_t zero_point, int64_t quant_min,
                                int64_t quant_max, ScalarType dtype, Tensor& out) {
  return quantize<FLOATS, QUANTIZED>(cx, input, scale, zero_point, quant_min, quant_max, dtype, out);
}

Tensor& quantize_per_tensor_tensor_out(Context& cx, const Tensor& input, const Tensor& scale, const Tensor& zero_point,
                                       int64_t quant_min, int64_t quant_max, ScalarType dtype, Tensor& out) {
  if (!is_one(cx, scale, zero_point)) return out;
  return quantize<FLOATS, QUANTIZED>(cx, input, read_one<double>(scale, 0), read_one<int64_t>(zero_point, 0), quant_min,
                                     quant_max, dtype, out);
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
  if (!begin_quantize<FLOATS, QUANTIZED>(cx, input, quant_min, quant_max, dtype, out)) return out;
  return quantize_each<QuantizeToken, FLOATS>(cx, input, scales, zero_points, 0, last_dim(input), quant_min, quant_max,
                                              out);
}

// --- kernels: from quantised numbers -------------------------------------------------------------------------------

Tensor& dequantize_per_tensor_out(Context& cx, const Tensor& input, double scale, int64_t zero_point, int64_t quant_min,
                                  int64_t quant_max, ScalarType dtype, std::optional<ScalarType> out_dtype,
                                  Tensor& out) {
  (void)quant_min, (void)quant_max;
  return dequantize<FLOATS, QUANTIZED>(cx, input, scale, zero_point, dtype, out_dtype.value_or(ScalarType::Float), out);
}

Tensor& dequantize_per_tensor_tensor_out(Context& cx, const Tensor& input, const Tensor& scale,
                                         const Tensor& zero_point, int64_t quant_min, int64_t quant_max,
                                         ScalarType dtype, std::optional<ScalarType> out_dtype, Tensor& out) {
  (void)quant_min, (void)quant_max;
  if (!is_one(cx, scale, zero_point)) return out;
  return dequantize<FLOATS, QUANTIZED>(cx, input, read_one<double>(scale, 0), read_one<int64_t>(zero_point, 0), dtype,
                                       out_dtype.value_or(ScalarType::Float), out);
}

Tensor& dequantize_per_channel_out(Context& cx, const Tensor& input, const Tensor& scales,
                                   const std::optional<Tensor>& zero_points, int64_t axis, int64_t quant_min,
                                   int64_t quant_max, ScalarType dtype, std::optional<ScalarType> out_dtype,
                                   Tensor& out) {
  (void)quant_min, (void)quant_max;
  if (!begin_dequantize<FLOATS, QUANTIZED>(cx, input, dtype, out_dtype.value_or(ScalarType::Float), out) ||
      !is_axis(cx, axis, input)) {
    return out;
  }
  NumberTensor zero(Scalar(int64_t{0}));
  const size_t along = static_cast<size_t>(axis);
  return dequantize_each<FLOATS>(cx, input, scales, zero_points ? *zero_points : zero.tensor(), along, along + 1, out);
}

Tensor& dequantize_per_token_out(Context& cx, const Tensor& input, const Tensor& scales, const Tensor& zero_points,
                                 int64_t quant_min, int64_t quant_max, ScalarType dtype, ScalarType output_dtype,
                                 Tensor& out) {
  (void)quant_min, (void)quant_max;
  if (!begin_dequantize<FLOATS, QUANTIZED>(cx, input, dtype, output_dtype, out)) return out;
  return dequantize_each<FLOATS>(cx, input, scales, zero_points, 0, last_dim(input), out);
}

// --- kernels: the choice of scales ---------------------------------------------------------------------------------

std::tuple<Tensor&, Tensor&> choose_qparams_tensor_out(Context& cx, const Tensor& input, int64_t quant_min,
                                                       int64_t quant_max, double eps, ScalarType dtype,
                                                       Tensor& scale_out, Tensor& zero_point_out) {
  const std::tuple<Tensor&, Tensor&> outs{scale_out, zero_point_out};
  const SizesType one[] = {1};
  const ScalarType type = input.scalar_type();
  if (!has_dtype(cx, input, TABLE_FLOATS) || !has_elements(cx, input, input.numel()) ||
      !has_dtype(cx, scale_out, FLOATS) || !has_dtype(cx, zero_point_out, NUMBERS) || !resize(cx, scale_out, one) ||
      !resize(cx, zero_point_out, one)) {
    return outs;
  }
  ET_KERNEL_CHECK_MSG(cx, quant_min < quant_max && contains(quantized, dtype), InvalidArgument, outs,
                      "there is no %s from %" PRId64 " to %" PRId64, dtype_name(dtype), quant_min, quant_max);
  const Range<float> range(input, 0, 1, input.numel());  // in any order, its elements lie one after the other
  const float width = rounded_to(type, range.high - range.low), least = static_cast<float>(eps);
  float scale = rounded_to(type, width / static_cast<float>(quant_max - quant_min));
  scale = scale < least ? least : scale;
  const float lowest = std::nearbyint(range.low / scale);
  const bool is_whole = lowest >= -2147483648.0f && lowest < 2147483648.0f;
  const int64_t down = is_whole ? static_cast<int64_t>(lowest) : INT32_MIN;
  const int64_t zero_point = static_cast<int32_t>(static_cast<uint32_t>(quant_min - down));  // it wraps around
  const int64_t kept = zero_point < quant_min ? quant_min : zero_point > quant_max ? quant_max : zero_point;
  const double found = scale;
  write(scale_out, 0, 1, 1, &found);
  write(zero_point_out, 0, 1, 1, &kept);
  return outs;
}

std::tuple<Tensor&, Tensor&> choose_qparams_per_token_asymmetric_out(Context& cx, const Tensor& input,
                                                                     ScalarType dtype, Tensor& scale_out,
                                                                     Tensor& zero_point_out) {
  (void)dtype;  // it is int8
  const std::tuple<Tensor&, Tensor&> outs{scale_out, zero_point_out};
  const size_t rank = input.sizes().size();
  ET_KERNEL_CHECK_MSG(cx, rank > 0, InvalidArgument, outs, "a number alone has no tokens");
  SizesType sizes[kTensorDimensionLimit];
  for (size_t d = 0; d < rank; ++d) sizes[d] = d + 1 < rank ? input.sizes()[d] : 1;
  if (!has_dtype(cx, input, FLOATS) || !has_elements(cx, input, input.sizes()[rank - 1]) ||
      !has_dtype(cx, scale_out, FLOATS) || !has_dtype(cx, zero_point_out, NUMBERS) ||
      !resize(cx, scale_out, {sizes, rank}) || !resize(cx, zero_point_out, {sizes, rank})) {
    return outs;
  }
  const Strides from(input), to_scale(scale_out), to_zero(zero_point_out);
  Odometer<3> tokens;
  for (size_t d = 0; d + 1 < rank; ++d) tokens.add(sizes[d], from[d], to_scale[d], to_zero[d]);
  const ScalarType type = input.scalar_type();
  compute_switch<void, FLOATS>(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto as = [type](T x) { return rounded_to(type, x); };
    constexpr T low = -128, high = 127, least = T(1) / (1 << 23);
    for (int64_t left = tokens.start(); left > 0; --left, tokens.next()) {
      const Range<T> range(input, tokens.offset[0], from[rank - 1], input.sizes()[rank - 1]);
      T scale = as(as(range.high - range.low) / (high - low));
      scale = scale < least ? least : scale;
      const T from_low = as(range.low / scale), from_high = as(range.high / scale);
      T zero_point = as(as(low + from_low) + as(high + from_high)) > 0 ? as(low - from_low) : as(high - from_high);
      zero_point = zero_point < low ? low : zero_point > high ? high : zero_point;
      const double found = scale;
      const int64_t whole = zero_point != zero_point ? INT64_MIN : static_cast<int64_t>(std::nearbyint(zero_point));
      write(scale_out, tokens.offset[1], 1, 1, &found);
      write(zero_point_out, tokens.offset[2], 1, 1, &whole);
    }
  });
  return outs;
}

// --- kernels: tables -----------------------------------------------------------------------------------------------

Tensor& embedding_byte_dtype_out(Context& cx, const Tensor& weight, const Tensor& weight_scales,
                                 const std::optional<Tensor>& weight_zero_points, int64_t weight_quant_min,
                                 int64_t weight_quant_max, const Tensor& indices, std::optional<ScalarType> dtype,
                                 Tensor& out) {
  (void)weight_quant_min, (void)weight_quant_max;
  return take_rows<TABLE_FLOATS, BYTES>(cx, {weight, weight_scales, pointer(weight_zero_points), 8}, indices,
                                        dtype.value_or(weight_scales.scalar_type()), out);
}

Tensor& embedding_byte_out(Context& cx, const Tensor& weight, const Tensor& weight_scales,
                           const std::optional<Tensor>& weight_zero_points, int64_t weight_quant_min,
                           int64_t weight_quant_max, const Tensor& indices, Tensor& out) {
  (void)weight_quant_min, (void)weight_quant_max;
  return take_rows<TABLE_FLOATS, BYTES>(cx, {weight, weight_scales, pointer(weight_zero_points), 8}, indices,
                                        weight_scales.scalar_type(), out);
}

Tensor& embedding_4bit_dtype_out(Context& cx, const Tensor& weight, const Tensor& weight_scales,
                                 const std::optional<Tensor>& weight_zero_points, int64_t weight_quant_min,
                                 int64_t weight_quant_max, const Tensor& indices, std::optional<ScalarType> dtype,
                                 Tensor& out) {
  if (!has_limits(cx, weight_quant_min, weight_quant_max, -8)) return out;
  return take_rows<TABLE_FLOATS, BYTES>(cx, {weight, weight_scales, pointer(weight_zero_points), 4}, indices,
                                        dtype.value_or(weight_scales.scalar_type()), out);
}

Tensor& embedding_4bit_out(Context& cx, const Tensor& weight, const Tensor& weight_scales,
                           const std::optional<Tensor>& weight_zero_points, int64_t weight_quant_min,
                           int64_t weight_quant_max, const Tensor& indices, Tensor& out) {
  if (!has_limits(cx, weight_quant_min, weight_quant_max, -8)) return out;
  return take_rows<TABLE_FLOATS, BYTES>(cx, {weight, weight_scales, pointer(weight_zero_points), 4}, indices,
                                        weight_scales.scalar_type(), out);
}

Tensor& embedding_2bit_dtype_out(Context& cx, const Tensor& weight, const Tensor& weight_scales,
                                 const std::optional<Tensor>& weight_zero_points, int64_t weight_quant_min,
                                 int64_t weight_quant_max, const Tensor& indices, std::optional<ScalarType> dtype,
                                 Tensor& out) {
  if (!has_limits(cx, weight_quant_min, weight_quant_max, -2)) return out;
  return take_rows<TABLE_FLOATS, BYTES>(cx, {weight, weight_scales, pointer(weight_zero_points), 2}, indices,
                                        dtype.value_or(weight_scales.scalar_type()), out);
}

Tensor& embedding_2bit_out(Context& cx, const Tensor& weight, const Tensor& weight_scales,
                           const std::optional<Tensor>& weight_zero_points, int64_t weight_quant_min,
                           int64_t weight_quant_max, const Tensor& indices, Tensor& out) {
  if (!has_limits(cx, weight_quant_min, weight_quant_max, -2)) return out;
  return take_rows<TABLE_FLOATS, BYTES>(cx, {weight, weight_scales, pointer(weight_zero_points), 2}, indices,
                                        weight_scales.scalar_type(), out);
}

Tensor& mixed_mm_out(Context& cx, const Tensor& input, const Tensor& weight, const Tensor& weight_scales,
                     const std::optional<Tensor>& weight_zero_points, Tensor& out) {
  return multiply_table<TABLE_FLOATS, BYTES>(cx, input, {weight, weight_scales, pointer(weight_zero_points), 8}, false,
                                             input.scalar_type(), out);
}

Tensor& mixed_linear_out(Context& cx, const Tensor& input, const Tensor& weight, const Tensor& weight_scales,
                         const std::optional<Tensor>& weight_zero_points, std::optional<ScalarType> dtype,
                         Tensor& out) {
  return multiply_table<TABLE_FLOATS, BYTES>(cx, input, {weight, weight_scales, pointer(weight_zero_points), 8}, true,
                                             dtype.value_or(input.scalar_type()), out);
}

// --- kernels: a sum ------------------------------------------------------------------------------------------------

Tensor& quantized_add_out(Context& cx, const Tensor& a, double a_scale, int64_t a_zero_point, int64_t a_quant_min,
                          int64_t a_quant_max, const Tensor& b, double b_scale, int64_t b_zero_point,
                          int64_t b_quant_min, int64_t b_quant_max, double out_scale, int64_t out_zero_point,
                          int64_t out_quant_min, int64_t out_quant_max, Tensor& out) {
  (void)a_quant_min, (void)a_quant_max, (void)b_quant_min, (void)b_quant_max;
  if (!has_dtype(cx, a, QUANTIZED) || !has_same_dtype(cx, a, b) || !has_same_dtype(cx, a, out) ||
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
