// Kernels of tables of quantised numbers: rows taken from them, and products with them.
#include <algorithm>

#include "quantize.h"

namespace tenon::native {
namespace {

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
  REQUIRE(cx, has_sizes && group * groups == columns && is_plain(scales), false,
          "scales of shape %s do not go with weights of shape %s, %d in a byte", ShapeText(scales).text,
          ShapeText(weight).text, 8 / bits);
  REQUIRE(cx, !zero_points || (zero_points->numel() == scales.numel() && is_plain(*zero_points)), false,
          "zero points of shape %s do not go with scales of shape %s", ShapeText(*zero_points).text,
          ShapeText(scales).text);
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

// What a number of few bits reaches is known, and is to be what the model says.
bool has_limits(Context& cx, int bits, int64_t low, int64_t high) {
  const int64_t lowest = -(int64_t{1} << (bits - 1));
  return HOLDS(cx, bits == 8 || (low == lowest && high == -lowest - 1),
               "the weights reach from %" PRId64 " to %" PRId64 ", and are said to from %" PRId64 " to %" PRId64,
               lowest, -lowest - 1, low, high);
}

template <DTypeSet floats, DTypeSet wholes>
Tensor& take_rows(Context& cx, Table table, int64_t low, int64_t high, const Tensor& indices, Maybe<ScalarType> result,
                  Tensor& out) {
  const size_t rank = indices.sizes().size();
  if (!has_limits(cx, table.bits, low, high) ||
      !table.check(cx, floats, table.bits == 8 ? wholes : wholes & dtypes(ScalarType::Byte)) ||
      !has_place_for(cx, result.value_or(table.scales.scalar_type()), out) || !has_dtype(cx, out, sets::floats) ||
      !has_index_dtype(cx, indices)) {
    return out;
  }
  REQUIRE(cx, rank < kTensorDimensionLimit, out, "indices of rank %zu leave no dimension for the rows", rank);
  SizesType sizes[kTensorDimensionLimit];
  for (size_t d = 0; d < rank; ++d) sizes[d] = indices.sizes()[d];
  sizes[rank] = static_cast<SizesType>(table.columns);
  if (!resize(cx, out, {sizes, rank + 1})) return out;
  const Strides from(indices), to(out);
  Odometer<2> places;
  for (size_t d = 0; d < rank; ++d) places.add(sizes[d], from[d], to[d]);
  float room[run_room];
  each_index(cx, indices, places, table.rows, 0, std::nullopt, [&](int64_t at, int64_t place) {
    for (int64_t i = 0; i < table.columns; i += run_room) {
      const int64_t n = std::min(run_room, table.columns - i);
      table.read_run(at, i, n, room);
      write(out, place + i * to[rank], to[rank], n, room);
    }
  });
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
  REQUIRE(cx, in.dim() == 2 && in.size(1) == depth, out, "there is no product of shapes %s and %s", ShapeText(in).text,
          ShapeText(table.weight).text);
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

const Tensor* pointer(const Maybe<Tensor>& t) { return t ? &*t : nullptr; }

#define BYTES TENON_SELECTED(dtypes(ScalarType::Byte, ScalarType::Char))

}  // namespace

// --- kernels -------------------------------------------------------------------------------------------------------

// Rows of numbers of so many bits, in the dtype of the scales or in another.
#define TENON_EMBEDDING(function, bits)                                                                              \
  Tensor& function##_out(Context& cx, const Tensor& weight, const Tensor& scales,                                    \
                         const Maybe<Tensor>& zero_points, int64_t low, int64_t high, const Tensor& indices, \
                         Tensor& out) {                                                                              \
    return take_rows<TABLE_FLOATS, BYTES>(cx, {weight, scales, pointer(zero_points), bits}, low, high, indices,      \
                                          std::nullopt, out);                                                        \
  }                                                                                                                  \
  Tensor& function##_dtype_out(Context& cx, const Tensor& weight, const Tensor& scales,                              \
                               const Maybe<Tensor>& zero_points, int64_t low, int64_t high,                  \
                               const Tensor& indices, Maybe<ScalarType> dtype, Tensor& out) {                \
    return take_rows<TABLE_FLOATS, BYTES>(cx, {weight, scales, pointer(zero_points), bits}, low, high, indices,      \
                                          dtype, out);                                                               \
  }
TENON_EMBEDDING(embedding_byte, 8)
TENON_EMBEDDING(embedding_4bit, 4)
TENON_EMBEDDING(embedding_2bit, 2)
#undef TENON_EMBEDDING

Tensor& mixed_mm_out(Context& cx, const Tensor& input, const Tensor& weight, const Tensor& weight_scales,
                     const Maybe<Tensor>& weight_zero_points, Tensor& out) {
  return multiply_table<TABLE_FLOATS, BYTES>(cx, input, {weight, weight_scales, pointer(weight_zero_points), 8}, false,
                                             input.scalar_type(), out);
}

Tensor& mixed_linear_out(Context& cx, const Tensor& input, const Tensor& weight, const Tensor& weight_scales,
                         const Maybe<Tensor>& weight_zero_points, Maybe<ScalarType> dtype, Tensor& out) {
  return multiply_table<TABLE_FLOATS, BYTES>(cx, input, {weight, weight_scales, pointer(weight_zero_points), 8}, true,
                                             dtype.value_or(input.scalar_type()), out);
}

}  // namespace tenon::native
