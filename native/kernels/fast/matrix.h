// One blocked product of float matrices, which is also the heart of convolution.
#pragma once

#include "../index.h"

namespace tenon::native {

// The right side goes through a strip of columns that stays in the innermost cache; it is small enough for the stack.
inline constexpr int64_t strip_width = 16;
inline constexpr int64_t strip_depth = 256;
struct Strip {
  alignas(64) float at[strip_depth * strip_width];
};

// Element (i, j) is data[i * row + j * column].
template <class T>
struct Strided {
  T* data;
  int64_t row, column;
  Strided transposed() const { return {data, column, row}; }
  Strided from(int64_t i, int64_t j) const { return {data + i * row + j * column, row, column}; }
};
using Matrix = Strided<const float>;
using MatrixOut = Strided<float>;

// c = a b, or c += a b if `adds`, where b is a strip of `width` columns. b has 16 columns one after the other in any case;
// those behind `width` may hold any numbers.
void multiply_strip(int64_t rows, int64_t width, int64_t depth, Matrix a, const float* b, int64_t b_row, MatrixOut c,
                    bool adds);

// The first `depth` rows and `width` columns of b, times alpha; zeros behind the columns.
void fill_strip(Strip& strip, Matrix b, int64_t width, int64_t depth, float alpha);

// c = alpha a b, or c += alpha a b if `adds`: a is m x k, b is k x n.
void multiply(int64_t m, int64_t n, int64_t k, float alpha, Matrix a, Matrix b, MatrixOut c, bool adds);

}  // namespace tenon::native
