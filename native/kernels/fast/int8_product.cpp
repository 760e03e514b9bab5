// The product of 8-bit numbers: tiles of sums in registers, four products at a time; or by the product of floats.
#include "int8_product.h"

#include <cmath>
#include <limits>

#include <tenon/threads.h>

namespace tenon::native {

namespace {

// --- the left side -------------------------------------------------------------------------------------------------

// An image with its padding around it, of bytes or floats: the same for all rows and taps but for where they begin.
struct Left8 {
  const void* base;
  int64_t across, down;  // points of a row of the result, and rows of an image of it
  int64_t image, line, point;  // steps between them
  Runs runs;
  int64_t run[2], in_row;  // steps between rows of taps, and taps of a row; how many are in a row

  Left8(const Images& g, const void* base, int64_t height, int64_t width)
      : base(base), across(g.out[1]), down(g.out[0]), image(height * width * g.channels),
        line(g.stride[0] * width * g.channels), point(g.stride[1] * g.channels), runs(g),
        run{g.dilation[0] * width * g.channels, g.dilation[1] * g.channels}, in_row(runs.count / g.kernel[0]) {}
  // Where rows [first, first + count) begin.
  void find(int64_t first, int64_t count, int64_t* to) const {
    int64_t x = first % across, y = first / across % down, n = first / across / down;
    for (int64_t i = 0; i < count; ++i) {
      to[i] = n * image + y * line + x * point;
      if (++x == across) x = 0, ++y;
      if (y == down) y = 0, ++n;
    }
  }
  ET_INLINE int64_t tap(int64_t t) const { return t / in_row * run[0] + t % in_row * run[1]; }
};

// Numbers as the product takes them: bytes without a sign, or floats from which the zero point is taken away.
struct AsByte {
  using type = uint8_t;
  uint8_t flip, outside;
  template <class T>
  ET_INLINE uint8_t operator()(T x) const {
    return static_cast<uint8_t>(static_cast<uint8_t>(x) ^ flip);
  }
};
struct AsFloat {
  using type = float;
  float zero, outside = 0;
  template <class T>
  ET_INLINE float operator()(T x) const {
    return static_cast<float>(x) - zero;
  }
};

template <class T, class As>
struct CopyPadded {
  const Images& g;
  const T* input;
  const Strides& strides;
  As as;
  typename As::type* to;
  int64_t first, last, height, width;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    using E = typename As::type;
    const int64_t channels = g.channels, columns = g.in[1];
    for (int64_t i = first; i < last; ++i) {
      const int64_t n = i / height, y = i % height - g.padding[0];
      E* row = to + i * width * channels;
      if (y < 0 || y >= g.in[0]) {
        std::fill_n(row, width * channels, as.outside);
        continue;
      }
      row = std::fill_n(row, g.padding[1] * channels, as.outside);
      const T* from = input + n * strides[0] + y * strides[2];
      if (strides[1] == 1 && strides[3] == channels) {
        for (int64_t k = 0; k < columns * channels; ++k) row[k] = as(from[k]);
      } else if (channels == 3) {  // an image as it came
        for (int64_t x = 0; x < columns; ++x) {
          for (int64_t c = 0; c < 3; ++c) row[x * 3 + c] = as(from[c * strides[1] + x * strides[3]]);
        }
      } else {
        for (int64_t x = 0; x < columns; ++x) {
          for (int64_t c = 0; c < channels; ++c) row[x * channels + c] = as(from[c * strides[1] + x * strides[3]]);
        }
      }
      std::fill_n(row + columns * channels, g.behind[1] * channels, as.outside);
    }
  }
};

// The last four numbers of a run may be read where there are fewer; weights are 0 there.
constexpr int64_t slack = 64;

template <class As>
const typename As::type* copy_padded(Context& cx, const Images& g, const Tensor& input, const Strides& strides, As as,
                                     int64_t height, int64_t width) {
  using E = typename As::type;
  const int64_t row = width * g.channels, rows = g.images * height;
  E* to = static_cast<E*>(cx.temporary(static_cast<size_t>(rows * row) * sizeof(E) + slack, 64));
  if (!to) return nullptr;
  std::fill_n(to + rows * row, slack / sizeof(E), E{});
  const auto copy = [&](auto tag) {
    using T = typename decltype(tag)::type;
    parallel(rows, std::max<int64_t>(1, 100000 / (row + 1)), [&](int64_t first, int64_t last) {
      run_tuned(CopyPadded<T, As>{g, input.const_data_ptr<T>(), strides, as, to, first, last, height, width});
    });
  };
  input.scalar_type() == ScalarType::Byte ? copy(TypeTag<uint8_t>()) : copy(TypeTag<int8_t>());
  return to;
}

// --- products ------------------------------------------------------------------------------------------------------

struct Product8 {
  Left8 left;
  const int8_t* panels;
  int64_t panel_step, outputs;
  int32_t offset;  // what is in every number of the left side, and does not belong to it
  const int32_t* zeros;
  Requantize results;
};

constexpr int64_t strip_width = 2 * panel_width;

// Results of sums [row][column of a strip].
struct Put {
  const Requantize& results;
  const int32_t* sums;
  int64_t row, rows, column, outputs;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t j = 0; j < std::min(strip_width, outputs - column); j += bytes / 4) {
        results.put<bytes>(__builtin_convertvector(load<Whole<bytes>>(sums + r * strip_width + j), Floats<bytes>),
                           (row + r) * outputs + column + j, column + j, outputs - column - j);
      }
    }
  }
};

#if TENON_HAS_DOTS
// Rows [first, last) of the result, and strips [from, to) of two panels each.
struct Dots : Product8 {
  int64_t first, last, from, to;
  static constexpr int most_rows = 6;
  static constexpr int64_t most_places = 480;
  using V = Whole<64>;

  // `places` are where its rows begin.
  template <int height, int vectors>
  ET_INLINE void tile(int64_t row, const int64_t* places, const int8_t* panel, int64_t column, const V* start) const {
    V sums[height][vectors];
    TENON_UNROLL
    for (int r = 0; r < height; ++r) {
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) sums[r][v] = start[v];
    }
    const uint8_t* const base = static_cast<const uint8_t*>(left.base);
    const int64_t quads = left.runs.quads();
    const int8_t* b = panel;
    for (int64_t t = 0; t < left.runs.count; ++t) {
      const uint8_t* at[height];
      TENON_UNROLL
      for (int r = 0; r < height; ++r) at[r] = base + places[r] + left.tap(t);
      for (int64_t q = 0; q < quads; ++q, b += 64) {
        V weights[vectors];
        TENON_UNROLL
        for (int v = 0; v < vectors; ++v) weights[v] = load<V>(b + v * panel_step);
        TENON_UNROLL
        for (int r = 0; r < height; ++r) {
          int32_t four;
          std::memcpy(&four, at[r] + 4 * q, 4);
          const V factor = four - V{};
          TENON_UNROLL
          for (int v = 0; v < vectors; ++v) sums[r][v] = add_dots(sums[r][v], factor, weights[v]);
        }
      }
    }
    if (results.is_float) {
      int32_t room[height * strip_width];
      for (int r = 0; r < height; ++r) std::memcpy(room + r * strip_width, sums[r], sizeof sums[r]);
      return run_tuned(Put{results, room, row, height, column, outputs});
    }
    TENON_UNROLL
    for (int r = 0; r < height; ++r) {
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) {
        const int64_t here = column + v * panel_width;
        const Floats<64> floats = __builtin_convertvector(sums[r][v], Floats<64>);
        const int64_t place = (row + r) * outputs + here, count = outputs - here;
        count >= panel_width ? results.put_bytes<64>(floats, place, here) : results.put<64>(floats, place, here, count);
      }
    }
  }

  template <int vectors>
  ET_INLINE void strip(int64_t first_row, int64_t rows, const int64_t* places, int64_t column) const {
    const int8_t* panel = panels + column / panel_width * panel_step;
    V start[vectors] = {};
    for (int64_t at = 0; at < panel_step; at += 64) {
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) {
        start[v] = add_dots(start[v], 0x01010101 - V{}, load<V>(panel + v * panel_step + at));
      }
    }
    TENON_UNROLL
    for (int v = 0; v < vectors; ++v) start[v] *= -offset;
    const int64_t tiles = (rows + most_rows - 1) / most_rows;
    for (int64_t t = 0, r = 0; t < tiles; ++t) {
      const int64_t height = (rows - r) / (tiles - t), row = first_row + r;
      switch (height) {
        case 1: tile<1, vectors>(row, places + r, panel, column, start); break;
        case 2: tile<2, vectors>(row, places + r, panel, column, start); break;
        case 3: tile<3, vectors>(row, places + r, panel, column, start); break;
        case 4: tile<4, vectors>(row, places + r, panel, column, start); break;
        case 5: tile<5, vectors>(row, places + r, panel, column, start); break;
        default: tile<6, vectors>(row, places + r, panel, column, start); break;
      }
      r += height;
    }
  }

  ET_INLINE void operator()(Bytes<64>) const {
    const int64_t depth = left.runs.count * left.runs.length;
    int64_t places[most_places];
    // As many rows as stay in the second cache while all weights pass, and their results in the first.
    const int64_t fit = std::min(131072 / (depth + 1), 24576 / (outputs + 1));
    const int64_t height = std::clamp<int64_t>(fit / 48 * 48, 48, most_places);
    for (int64_t row = first; row < last; row += height) {
      const int64_t rows = std::min(height, last - row);
      left.find(row, rows, places);
      for (int64_t column = from * strip_width; column < std::min(to * strip_width, outputs); column += strip_width) {
        outputs - column > panel_width ? strip<2>(row, rows, places, column) : strip<1>(row, rows, places, column);
      }
    }
  }
};
#endif

// The same by the product of floats, in blocks of so many rows and so much depth that sums are exact.
struct Blocks : Product8 {
  static constexpr int64_t height = 96, depth = 128;
  struct Place {
    const Left8* left;
    int64_t row, offset;
  };

  static void find(const void* held, int64_t first, int64_t count, const float** to) {
    const Place& place = *static_cast<const Place*>(held);
    int64_t places[height];
    place.left->find(place.row + first, count, places);
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<const float*>(place.left->base) + places[i] + place.offset;
  }

  // `count` rows of a panel as floats: fours of bytes become four rows.
  struct Widen {
    const int8_t* from;
    int64_t count;
    const float* zeros;
    float* to;

    template <int bytes>
    ET_INLINE void operator()(Bytes<bytes>) const {
      for (int64_t k = 0; k < count; k += 4) {
        for (int64_t j = 0; j < panel_width; j += bytes / 4) {
          const Whole<bytes> four = load<Whole<bytes>>(from + 16 * k + 4 * j);
          const Floats<bytes> zero = load<Floats<bytes>>(zeros + j);
          TENON_UNROLL
          for (int i = 0; i < 4; ++i) {
            const Whole<bytes> one = (four << (24 - 8 * i)) >> 24;
            store(to + (k + i) * panel_width + j, __builtin_convertvector(one, Floats<bytes>) - zero);
          }
        }
      }
    }
  };

  struct Add {
    const float* part;
    int32_t* sums;
    int64_t count;

    template <int bytes>
    ET_INLINE void operator()(Bytes<bytes>) const {
      for (int64_t i = 0; i < count; ++i) sums[i] += static_cast<int32_t>(part[i]);
    }
  };

  void block(int64_t row, int64_t rows, int64_t column) const {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    float weights[strip_width * depth], part[height * strip_width], weight_zeros[strip_width] = {};
    int32_t sums[height * strip_width];
    std::fill_n(sums, rows * strip_width, 0);
    std::fill_n(part, rows * strip_width, 0.0f);  // there may be one panel only
    for (int64_t j = 0; zeros && j < std::min(strip_width, outputs - column); ++j) {
      weight_zeros[j] = static_cast<float>(zeros[column + j]);
    }
    const int64_t count = std::min<int64_t>(panel_count(outputs - column), 2), width = count * panel_width;
    for (int64_t t = 0; t < left.runs.count; ++t) {
      for (int64_t k = 0; k < left.runs.length; k += depth) {
        const int64_t some = std::min(depth, left.runs.length - k);
        for (int64_t p = 0; p < count; ++p) {
          const int64_t quad = t * left.runs.quads() + k / 4;
          run_tuned(Widen{panels + (column / panel_width + p) * panel_step + quad * 64, some,
                          weight_zeros + p * panel_width, weights + p * some * panel_width});
        }
        const Place place{&left, row, left.tap(t) + k};
        multiply_some(0, rows, 0, count, width, {nullptr, 0, some, 1, find, &place}, weights,
                      {part, strip_width, nullptr, nullptr, {-infinite, infinite}});
        run_tuned(Add{part, sums, rows * strip_width});
      }
    }
    run_tuned(Put{results, sums, row, rows, column, outputs});
  }

  void run(int64_t first, int64_t last, int64_t from, int64_t to) const {
    for (int64_t row = first; row < last; row += height) {
      for (int64_t s = from; s < to; ++s) block(row, std::min(height, last - row), s * strip_width);
    }
  }
};

}  // namespace

void multiply_int8(Context& cx, const Images& g, bool is_matrix, const Packed8& packed, int64_t outputs,
                   const Requantize& results) {
  const int64_t height = g.in[0] + g.padding[0] + g.behind[0], width = g.in[1] + g.padding[1] + g.behind[1];
  const bool is_signed = packed.input.scalar_type() == ScalarType::Char;
  const int32_t* zeros = packed.weight_zeros();
  const bool by_dots = TENON_HAS_DOTS && !zeros && has_dots();
  const Runs runs(g);
  Strides strides(packed.input);
  if (is_matrix) strides.at[0] = strides.at[2] = 0, strides.at[1] = 1, strides.at[3] = g.channels;
  const void* base;
  const uint8_t flip = is_signed ? 128 : 0;
  if (by_dots) {
    const bool is_padded = height != g.in[0] || width != g.in[1];
    const bool lies_right = strides[1] == 1 && strides[3] == g.channels && packed.input.numel() > 0;
    if (!is_signed && !is_padded && lies_right && runs.length % 4 == 0) {
      base = packed.input.const_data_ptr<uint8_t>();
    } else {
      const AsByte as{flip, static_cast<uint8_t>(packed.input_zero + flip)};
      base = copy_padded(cx, g, packed.input, strides, as, height, width);
    }
  } else {
    base = copy_padded(cx, g, packed.input, strides, AsFloat{static_cast<float>(packed.input_zero)}, height, width);
  }
  if (!base) return;
  const int64_t depth = runs.count * runs.length, rows = g.points();
  const Product8 product{Left8(g, base, height, width), packed.weight.const_data_ptr<int8_t>(),
                         runs.count * runs.quads() * 64, outputs, static_cast<int32_t>(packed.input_zero + flip), zeros,
                         results};
  const auto run = [&](int64_t first, int64_t last, int64_t from, int64_t to) {
#if TENON_HAS_DOTS
    if (by_dots) return run_dots(Dots{product, first, last, from, to});
#endif
    Blocks{product}.run(first, last, from, to);
  };
  constexpr int64_t tile = 6, least_shared = 2 * tile, enough = 100000;
  const int64_t strips = (outputs + strip_width - 1) / strip_width;
  if (rows >= least_shared * thread_count()) {
    parallel((rows + tile - 1) / tile, std::max<int64_t>(1, enough / (tile * depth * outputs + 1)),
             [&](int64_t first, int64_t last) { run(first * tile, std::min(last * tile, rows), 0, strips); });
  } else {
    parallel(strips, std::max<int64_t>(1, enough / (rows * depth * strip_width + 1)),
             [&](int64_t first, int64_t last) { run(0, rows, first, last); });
  }
}

// --- checks --------------------------------------------------------------------------------------------------------

namespace {

bool is_right(Context& cx, const char* name, const Tensor& t, DTypeSet set, const char* wanted, bool is_image,
              bool any_order = false) {
  if (contains(set, t.scalar_type()) && (any_order || lies_in_order(t, is_image))) return true;
  cx.fail(Error::InvalidArgument, "%s is %s of shape %s, and should be %s with its %s", name,
          dtype_name(t.scalar_type()), ShapeText(t.sizes()).text, wanted,
          is_image ? "channels last in memory" : "dimensions in order in memory");
  return false;
}

constexpr DTypeSet bytes_set = dtypes(ScalarType::Byte, ScalarType::Char);

bool is_within(Context& cx, const char* name, int64_t zero, ScalarType type) {
  const int64_t lowest = type == ScalarType::Byte ? 0 : -128;
  REQUIRE(cx, zero >= lowest && zero <= lowest + 255, false, "%s is %" PRId64 ", and %s does not reach so far", name,
          zero, dtype_name(type));
  return true;
}

}  // namespace

bool are_limits(Context& cx, double low, double high) {
  REQUIRE(cx, low == std::trunc(low) && high == std::trunc(high), false,
          "results of 8 bits have no limits of %g and %g, which should be whole", low, high);
  return true;
}

bool Packed8::plan(Context& cx, Ints weight_sizes, int64_t outputs, ArrayRef<SizesType> sizes, bool is_image,
                   Tensor& out, Requantize& results, bool any_order) const {
  constexpr DTypeSet float_set = dtypes(ScalarType::Float);
  const bool is_float = dtype == ScalarType::Float;
  if (!is_right(cx, "the input", input, bytes_set, "int8 or uint8", is_image, any_order) ||
      !is_within(cx, "the zero point of the input", input_zero, input.scalar_type()) ||
      !has_shape(cx, "the weight", weight, weight_sizes) ||
      !is_right(cx, "the weight", weight, dtypes(ScalarType::Char), "int8", false) ||
      !has_shape(cx, "scales", scales, {&outputs, 1}) || !is_right(cx, "scales", scales, float_set, "float", false) ||
      (zeros && !(has_shape(cx, "zeros", *zeros, {&outputs, 1}) &&
                  is_right(cx, "zeros", *zeros, dtypes(ScalarType::Int), "int32", false))) ||
      (bias && !(has_shape(cx, "the bias", *bias, {&outputs, 1}) &&
                 is_right(cx, "the bias", *bias, float_set, "float", false))) ||
      !has_place_for(cx, dtype, out) || !resize(cx, out, sizes) ||
      !is_right(cx, "the result", out, bytes_set | float_set, "int8, uint8 or float", is_image) ||
      !(is_float || (is_within(cx, "the zero point of the result", zero, dtype) && are_limits(cx, low, high)))) {
    return false;
  }
  const size_t count = static_cast<size_t>(panel_count(outputs) * panel_width);
  float* numbers = static_cast<float*>(cx.temporary(2 * std::max<size_t>(count, 1) * sizeof(float), 64));
  if (!numbers) return false;
  std::fill_n(numbers, 2 * count, 0.0f);
  std::copy_n(scales.const_data_ptr<float>(), outputs, numbers);
  if (bias) std::copy_n(bias->const_data_ptr<float>(), outputs, numbers + count);
  const int64_t lowest = dtype == ScalarType::Byte ? 0 : -128;
  const double least = is_float ? low : std::max(low, static_cast<double>(lowest)) - static_cast<double>(zero);
  const double most = is_float ? high : std::min(high, static_cast<double>(lowest + 255)) - static_cast<double>(zero);
  results = {numbers, numbers + count, static_cast<float>(least), static_cast<float>(most),
             is_float ? 0 : static_cast<int32_t>(zero), is_float, out.mutable_data_ptr()};
  return true;
}

const int32_t* Packed8::weight_zeros() const {
  if (!zeros) return nullptr;
  const int32_t* found = zeros->const_data_ptr<int32_t>();
  for (int64_t i = 0; i < zeros->numel(); ++i) {
    if (found[i] != 0) return found;
  }
  return nullptr;
}

}  // namespace tenon::native
