// Views, and the one copy that all moves use.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "convert.h"
#include "moves.h"
#include "selected.h"

namespace tenon {

// --- views ---------------------------------------------------------------------------------------------------------

View::View(const Tensor& t) : data(t.mutable_data_ptr<char>()), type(t.scalar_type()), rank(t.sizes().size()) {
  int64_t dense = 1;
  for (size_t d = rank; d-- > 0;) {
    sizes[d] = t.sizes()[d];
    strides[d] = t.strides().empty() ? dense : t.strides()[d];
    dense *= sizes[d];
  }
}

void View::insert(size_t d, int64_t size, int64_t stride) {
  for (size_t i = rank++; i > d; --i) {
    sizes[i] = sizes[i - 1];
    strides[i] = strides[i - 1];
  }
  sizes[d] = size;
  strides[d] = stride;
}

void View::remove(size_t d) {
  for (size_t i = d + 1; i < rank; ++i) {
    sizes[i - 1] = sizes[i];
    strides[i - 1] = strides[i];
  }
  --rank;
}

void swap_dims(View& view, size_t a, size_t b) {
  std::swap(view.sizes[a], view.sizes[b]);
  std::swap(view.strides[a], view.strides[b]);
}

bool broadcast(View& a, View& b) {
  while (a.rank < b.rank) a.insert(0, 1, 0);
  while (b.rank < a.rank) b.insert(0, 1, 0);
  for (size_t d = 0; d < a.rank; ++d) {
    View& repeated = a.sizes[d] == 1 ? a : b;
    const int64_t size = (&repeated == &a ? b : a).sizes[d];
    if (repeated.sizes[d] == size) continue;
    if (repeated.sizes[d] != 1) return false;
    repeated.sizes[d] = size, repeated.strides[d] = 0;
  }
  return true;
}

void narrow(View& view, size_t d, int64_t start, int64_t count, int64_t step) {
  view.move_to(d, start);
  view.sizes[d] = count;
  view.strides[d] *= step;
}

size_t take_dim(Context& cx, int64_t dim, size_t rank, bool at_least_one) {
  const int64_t dims = static_cast<int64_t>(rank) + (rank == 0 && at_least_one);
  REQUIRE(cx, dim >= -dims && dim < dims, rank, "there is no dimension %" PRId64 " in a tensor of rank %zu", dim, rank);
  return static_cast<size_t>(dim < 0 ? dim + dims : dim);
}

bool take_dims(Context& cx, Ints dims, size_t rank, bool (&is_named)[kTensorDimensionLimit]) {
  std::fill_n(is_named, kTensorDimensionLimit, false);
  for (const int64_t dim : dims) {
    const size_t d = take_dim(cx, dim, rank, true);
    if (cx.failed() || !HOLDS(cx, !is_named[d], "dimension %zu is named twice", d)) return false;
    is_named[d] = true;
  }
  return true;
}

bool fits(Context& cx, const Scalar& value, ScalarType type) {
  const double x = value.to<double>();
  const bool is_whole = isIntegralType(type, false);
  const bool is_signed = is_whole && type != ScalarType::Byte && !contains(uint_dtypes, type);
  const int bits = static_cast<int>(8 * elementSize(type)) - is_signed;
  const double most = is_whole                       ? std::ldexp(1.0, bits) - (bits < 63)
                      : type == ScalarType::Half     ? 65504
                      : type == ScalarType::BFloat16 ? 0x1.fep127
                      : type == ScalarType::Float    ? 0x1.fffffep127
                                                     : HUGE_VAL;
  // -1 is a uint8 too: 255.
  const bool is_in = is_whole ? x >= -most - is_signed && x <= most : !(std::fabs(x) > most) || std::isinf(x);
  return HOLDS(cx, is_in, "the value %g is none of %s", x, dtype_name(type));
}

Number::Number(Context& cx, const Scalar& value, ScalarType type) : bytes{}, type_(type) {
  if (!contains(half_dtypes, type) && !fits(cx, value, type)) return;  // 16-bit floats are filled with infinity
  constexpr DTypeSet there = TENON_SELECTED(sets::numbers_and_bool | uint_dtypes) | (COMPLEX ? float_dtypes : 0);
  switch (toRealValueType(type)) {
#define X(cpp, name)                                   \
  case ScalarType::name:                               \
    if constexpr (contains(there, ScalarType::name)) { \
      const cpp number = value.to<cpp>();              \
      std::memcpy(bytes, &number, sizeof number);      \
      return;                                          \
    }                                                  \
    break;
    ET_FORALL_REALHBBF16_TYPES(X)
    ET_FORALL_UINT_TYPES(X)
#undef X
    default:
      break;
  }
  cx.fail(Error::InvalidArgument, "a number cannot be a %s", dtype_name(type));
}

View spread(char* element, ScalarType type, const View& shape) {
  View view = shape;
  view.data = element, view.type = type;
  for (size_t d = 0; d < view.rank; ++d) view.strides[d] = 0;
  return view;
}

ViewTensor::ViewTensor(const View& view) {
  for (size_t d = 0; d < view.rank; ++d) {
    sizes_[d] = static_cast<SizesType>(view.sizes[d]);
    strides_[d] = static_cast<StridesType>(view.strides[d]);
  }
  impl_ = TensorImpl(view.type, static_cast<ptrdiff_t>(view.rank), sizes_, view.data, nullptr, strides_);
}

View part_of(const Tensor& t, bool is_imaginary) {
  View view(t);
  if (!isComplexType(view.type)) return view;
  view.type = toRealValueType(view.type);
  view.data += is_imaginary ? elementSize(view.type) : 0;
  for (size_t d = 0; d < view.rank; ++d) view.strides[d] *= 2;
  return view;
}

// --- the copy ------------------------------------------------------------------------------------------------------

namespace {

constexpr int64_t kTile = 16;  // elements each way: both sides of a tile stay in the nearest cache

// Rows of `to` are columns of `from`, and both are dense along their rows.
template <class T>
TENON_HOT void transpose(T* to, int64_t to_stride, const T* from, int64_t from_stride, int64_t rows, int64_t columns) {
  for (int64_t row = 0; row < rows; row += kTile) {
    const int64_t row_end = row + kTile < rows ? row + kTile : rows;
    for (int64_t column = 0; column < columns; column += kTile) {
      const int64_t column_end = column + kTile < columns ? column + kTile : columns;
      for (int64_t r = row; r < row_end; ++r) {
        for (int64_t c = column; c < column_end; ++c) to[r * to_stride + c] = from[c * from_stride + r];
      }
    }
  }
}

template <class T>
void copy_transposed(const Walk<2>& outer, char* const (&start)[2], const Walk<2>& plane) {
  constexpr int64_t size = sizeof(T);
  outer.each_run(start, [&](size_t n, char* const* at) {
    const int64_t to_step = outer.rank ? outer.steps[0][outer.rank - 1] : 0;
    const int64_t from_step = outer.rank ? outer.steps[1][outer.rank - 1] : 0;
    for (int64_t i = 0; i < static_cast<int64_t>(n); ++i) {
      transpose(reinterpret_cast<T*>(at[0] + i * to_step), plane.steps[0][0] / size,
                reinterpret_cast<const T*>(at[1] + i * from_step), plane.steps[1][1] / size, plane.sizes[0],
                plane.sizes[1]);
    }
  });
}

// Which dimension is dense in `from`, where another one is dense in `to`; the rank if there is no such pair.
size_t transposed_dim(const Walk<2>& walk, int64_t size) {
  if (walk.rank < 2 || walk.steps[0][walk.rank - 1] != size || walk.sizes[walk.rank - 1] < 4) return walk.rank;
  for (size_t d = 0; d + 1 < walk.rank; ++d) {
    if (walk.steps[1][d] == size && walk.sizes[d] >= 4) return d;
  }
  return walk.rank;
}

// Whether two dimensions were taken out of the walk and copied in tiles.
bool copy_in_tiles(const Walk<2>& walk, char* const (&start)[2], int64_t size) {
  const size_t across = transposed_dim(walk, size);
  if (across == walk.rank) return false;
  Walk<2> outer, plane;
  for (size_t d = 0; d < walk.rank; ++d) {
    Walk<2>& into = d == across || d == walk.rank - 1 ? plane : outer;
    into.add(walk.sizes[d], {walk.steps[0][d], walk.steps[1][d]});
  }
  return width_switch<ALL>(size, [&](auto tag) { copy_transposed<typename decltype(tag)::type>(outer, start, plane); });
}

}  // namespace

void copy(Context& cx, const View& to, const View& from) {
  const Converter convert = converter(to.type, from.type);
  REQUIRE(cx, convert, , "%s does not become %s", dtype_name(from.type), dtype_name(to.type));
  Walk<2> walk;
  bool is_same = to.data == from.data && to.type == from.type;
  for (size_t d = 0; d < to.rank; ++d) {
    walk.add(to.sizes[d], {to.step(d), from.step(d)});
    is_same = is_same && to.strides[d] == from.strides[d];
  }
  if (is_same) return;
  walk.arrange();
  char* const start[2] = {to.data, from.data};
  const int64_t size = static_cast<int64_t>(elementSize(to.type));
  if (to.type == from.type && copy_in_tiles(walk, start, size)) return;
  const int64_t to_step = walk.rank ? walk.steps[0][walk.rank - 1] : size;
  const int64_t from_step = walk.rank ? walk.steps[1][walk.rank - 1] : static_cast<int64_t>(elementSize(from.type));
  walk.each_run(start, [&](size_t n, char* const* at) { convert(at[0], to_step, at[1], from_step, n); });
}

bool resize_to(Context& cx, Tensor& out, const View& view) {
  SizesType sizes[kTensorDimensionLimit];
  REQUIRE(cx, view.rank <= kTensorDimensionLimit, false, "the result has %zu dimensions, and at most %zu", view.rank,
          kTensorDimensionLimit);
  for (size_t d = 0; d < view.rank; ++d) {
    REQUIRE(cx, view.sizes[d] >= 0 && view.sizes[d] <= INT32_MAX, false,
            "dimension %zu of the result would be %" PRId64, d, view.sizes[d]);
    sizes[d] = static_cast<SizesType>(view.sizes[d]);
  }
  return resize(cx, out, {sizes, view.rank});
}

bool resize_to_sizes(Context& cx, Ints sizes, Tensor& out) {
  View shape;
  for (size_t d = 0; d < sizes.size() && d <= kTensorDimensionLimit; ++d) shape.insert(d, sizes[d], 0);
  return resize_to(cx, out, shape);
}

Tensor& copy_view(Context& cx, const View& from, Tensor& out) {
  if (!cx.failed() && resize_to(cx, out, from)) copy(cx, View(out), from);
  return out;
}

// --- other shapes --------------------------------------------------------------------------------------------------

bool is_dense(const View& view) {
  int64_t dense = 1;
  for (size_t d = view.rank; d-- > 0; dense *= std::max<int64_t>(view.sizes[d], 1)) {
    if (view.sizes[d] != 1 && view.strides[d] != dense) return false;
  }
  return true;
}

namespace {

// A dense view in the shape of another.
View reshaped(const View& view, const View& shape) {
  View result = shape;
  result.data = view.data;
  result.type = view.type;
  int64_t dense = 1;
  for (size_t d = shape.rank; d-- > 0;) {
    result.strides[d] = dense;
    dense *= shape.sizes[d];
  }
  return result;
}

}  // namespace

int64_t offset_of(const View& view, int64_t number) {
  int64_t offset = 0;
  for (size_t d = view.rank; d-- > 0; number /= view.sizes[d]) offset += number % view.sizes[d] * view.step(d);
  return offset;
}

void copy_in_order(Context& cx, const View& to, const View& from) {
  int64_t count = 1;
  for (size_t d = 0; d < to.rank; ++d) count *= to.sizes[d];
  if (count == 0) return;
  if (is_dense(from)) return copy(cx, to, reshaped(from, to));
  if (is_dense(to)) return copy(cx, reshaped(to, from), from);
  const Converter convert = converter(to.type, from.type);
  REQUIRE(cx, convert, , "%s does not become %s", dtype_name(from.type), dtype_name(to.type));
  for (int64_t i = 0; i < count; ++i) convert(to.data + offset_of(to, i), 0, from.data + offset_of(from, i), 0, 1);
}

}  // namespace tenon
