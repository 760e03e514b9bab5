// The product of float matrices: tiles of the result in registers, strips of the right side in the innermost cache.
#include "matrix.h"

#include <algorithm>

namespace tenon::native {

namespace {

// --- a tile of the result, in registers ----------------------------------------------------------------------------

// As many rows as leave registers for a row of the strip.
#if defined(__aarch64__)
template <bool wide>
inline constexpr int64_t most_rows = 6;
#else
template <bool wide>
inline constexpr int64_t most_rows = wide ? 6 : 2;
#endif

struct StripProduct {
  int64_t rows, width, depth;
  Matrix a;
  const float* b;
  int64_t b_row;
  MatrixOut c;
  bool adds;

  template <bool wide, int rows>
  ET_INLINE void tile(int64_t first) const {
    using V = typename Vector<float, wide>::type;
    constexpr int64_t lanes = Vector<float, wide>::lanes;
    constexpr int vectors = static_cast<int>(strip_width / lanes);
    V sums[rows][vectors] = {};
    const float* left = a.data + first * a.row;
    const float* right = b;
    for (int64_t p = 0; p < depth; ++p) {
      V row[vectors];
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) row[v] = load<V>(right + v * lanes);
      TENON_UNROLL
      for (int r = 0; r < rows; ++r) {
        const V factor = left[r * a.row] - V{};
        TENON_UNROLL
        for (int v = 0; v < vectors; ++v) sums[r][v] += factor * row[v];
      }
      left += a.column;
      right += b_row;
    }
    if (width == strip_width && c.column == 1) {
      TENON_UNROLL
      for (int r = 0; r < rows; ++r) {
        float* to = c.data + (first + r) * c.row;
        TENON_UNROLL
        for (int v = 0; v < vectors; ++v) {
          store<V>(to + v * lanes, adds ? load<V>(to + v * lanes) + sums[r][v] : sums[r][v]);
        }
      }
      return;
    }
    float room[rows][strip_width];
    std::memcpy(room, sums, sizeof room);
    TENON_UNROLL
    for (int r = 0; r < rows; ++r) {
      for (int64_t j = 0; j < width; ++j) {
        float& to = c.data[(first + r) * c.row + j * c.column];
        to = adds ? to + room[r][j] : room[r][j];
      }
    }
  }

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    constexpr bool wide = Wide::value;
    constexpr int64_t most = most_rows<wide>;
    // Tiles of nearly one height: 8 rows are 4 and 4, not 6 and 2.
    const int64_t tiles = (rows + most - 1) / most;
    for (int64_t t = 0, first = 0; t < tiles; ++t) {
      const int64_t height = (rows - first) / (tiles - t);
      switch (height) {
        case 1: tile<wide, 1>(first); break;
        case 2: tile<wide, 2>(first); break;
        case 3: tile<wide, most < 4 ? 1 : 3>(first); break;
        case 4: tile<wide, most < 4 ? 1 : 4>(first); break;
        case 5: tile<wide, most < 4 ? 1 : 5>(first); break;
        default: tile<wide, most < 4 ? 1 : 6>(first); break;
      }
      first += height;
    }
  }
};

// --- a row of the result: as fast as b can be read -----------------------------------------------------------------

// c (+)= alpha a b, where the rows of b are runs. Eight rows at a time, so that c is seldom read.
struct RowsProduct {
  int64_t n, k;
  float alpha;
  const float* a;
  int64_t a_step;
  Matrix b;
  float* c;
  bool adds;

  template <bool wide, int rows>
  ET_INLINE void step(int64_t p, bool is_first) const {
    using V = typename Vector<float, wide>::type;
    constexpr int64_t lanes = Vector<float, wide>::lanes;
    float factors[rows];
    const float* from[rows];
    TENON_UNROLL
    for (int r = 0; r < rows; ++r) factors[r] = alpha * a[(p + r) * a_step], from[r] = b.data + (p + r) * b.row;
    int64_t j = 0;
    for (; j + lanes <= n; j += lanes) {
      V sum = is_first ? V{} : load<V>(c + j);
      TENON_UNROLL
      for (int r = 0; r < rows; ++r) sum += factors[r] * load<V>(from[r] + j);
      store<V>(c + j, sum);
    }
    for (; j < n; ++j) {
      float sum = is_first ? 0 : c[j];
      TENON_UNROLL
      for (int r = 0; r < rows; ++r) sum += factors[r] * from[r][j];
      c[j] = sum;
    }
  }
  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    int64_t p = 0;
    for (; p + 8 <= k; p += 8) step<Wide::value, 8>(p, p == 0 && !adds);
    for (; p < k; ++p) step<Wide::value, 1>(p, p == 0 && !adds);
  }
};

// The same where the columns of b are runs, and so is a: four sums of products at a time.
struct ColumnsProduct {
  int64_t n, k;
  float alpha;
  const float* a;
  Matrix b;
  float* c;
  int64_t c_step;
  bool adds;

  template <bool wide, int columns>
  ET_INLINE void step(int64_t j) const {
    using V = typename Vector<float, wide>::type;
    constexpr int64_t lanes = Vector<float, wide>::lanes;
    constexpr int parts = columns == 1 ? 4 : 2;
    const float* from[columns];
    TENON_UNROLL
    for (int i = 0; i < columns; ++i) from[i] = b.data + (j + i) * b.column;
    V sums[columns][parts] = {};
    int64_t p = 0;
    for (; p + parts * lanes <= k; p += parts * lanes) {
      TENON_UNROLL
      for (int part = 0; part < parts; ++part) {
        const V left = load<V>(a + p + part * lanes);
        TENON_UNROLL
        for (int i = 0; i < columns; ++i) sums[i][part] += left * load<V>(from[i] + p + part * lanes);
      }
    }
    TENON_UNROLL
    for (int i = 0; i < columns; ++i) {
      V whole = sums[i][0];
      TENON_UNROLL
      for (int part = 1; part < parts; ++part) whole += sums[i][part];
      float sum = 0;
      TENON_UNROLL
      for (int64_t l = 0; l < lanes; ++l) sum += whole[l];
      for (int64_t q = p; q < k; ++q) sum += a[q] * from[i][q];
      float& to = c[(j + i) * c_step];
      to = adds ? to + alpha * sum : alpha * sum;
    }
  }
  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    int64_t j = 0;
    for (; j + 4 <= n; j += 4) step<Wide::value, 4>(j);
    for (; j < n; ++j) step<Wide::value, 1>(j);
  }
};

// False if b is neither, or the strides of the vectors are not for it.
bool multiply_row(int64_t n, int64_t k, float alpha, const float* a, int64_t a_step, Matrix b, float* c, int64_t c_step,
                  bool adds) {
  if (b.row == 1 && (a_step == 1 || k == 1)) {
    run_vectorised(ColumnsProduct{n, k, alpha, a, b, c, c_step, adds});
    return true;
  }
  if (b.column == 1 && c_step == 1) {
    run_vectorised(RowsProduct{n, k, alpha, a, a_step, b, c, adds});
    return true;
  }
  return false;
}

}  // namespace

// --- strips --------------------------------------------------------------------------------------------------------

TENON_HOT void fill_strip(Strip& strip, Matrix b, int64_t width, int64_t depth, float alpha) {
  float* to = strip.at;
  if (width < strip_width) std::fill_n(to, depth * strip_width, 0.0f);
  if (b.column == 1 && width == strip_width) {
    for (int64_t p = 0; p < depth; ++p) std::memcpy(to + p * strip_width, b.data + p * b.row, strip_width * sizeof *to);
  } else if (b.column == 1) {
    for (int64_t p = 0; p < depth; ++p) std::copy_n(b.data + p * b.row, width, to + p * strip_width);
  } else {
    for (int64_t j = 0; j < width; ++j) {
      for (int64_t p = 0; p < depth; ++p) to[p * strip_width + j] = b.data[p * b.row + j * b.column];
    }
  }
  if (alpha == 1) return;
  for (int64_t i = 0; i < depth * strip_width; ++i) to[i] *= alpha;
}

void multiply_strip(int64_t rows, int64_t width, int64_t depth, Matrix a, const float* b, int64_t b_row, MatrixOut c,
                    bool adds) {
  run_vectorised(StripProduct{rows, width, depth, a, b, b_row, c, adds});
}

void multiply(int64_t m, int64_t n, int64_t k, float alpha, Matrix a, Matrix b, MatrixOut c, bool adds) {
  if (k == 0 && !adds) {
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) c.data[i * c.row + j * c.column] = 0;
    }
  }
  if (m == 0 || n == 0 || k == 0) return;
  if (m == 1 && multiply_row(n, k, alpha, a.data, a.column, b, c.data, c.column, adds)) return;
  if (n == 1 && multiply_row(m, k, alpha, b.data, b.row, a.transposed(), c.data, c.row, adds)) return;
  if (c.column != 1 && c.row == 1) return multiply(n, m, k, alpha, b.transposed(), a.transposed(), c.transposed(), adds);
  Strip strip;
  for (int64_t p = 0; p < k; p += strip_depth) {
    const int64_t depth = std::min(strip_depth, k - p);
    for (int64_t j = 0; j < n; j += strip_width) {
      const int64_t width = std::min(strip_width, n - j);
      // A strip that is used once is not worth a copy.
      const bool in_place = b.column == 1 && width == strip_width && alpha == 1 && m <= most_rows<TENON_HAS_WIDE>;
      if (!in_place) fill_strip(strip, b.from(p, j), width, depth, alpha);
      multiply_strip(m, width, depth, a.from(0, p), in_place ? b.from(p, j).data : strip.at,
                     in_place ? b.row : strip_width, c.from(0, j), adds || p > 0);
    }
  }
}

}  // namespace tenon::native
