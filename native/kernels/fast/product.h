// The product of rows with packed weights, and what is done to its results while they are at hand: bias, another tensor
// added, an activation. Convolutions are this product too, their rows being the patches.
//
// Weights are packed in panels: panel p holds columns 16p to 16p + 15 of the right side, row after row, with zeros where
// there is no column. So the innermost loop reads them as they lie, for vectors of any length.
#pragma once

#include <string_view>

#include "vectors.h"

namespace tenon::native {

inline constexpr int64_t panel_width = 16;
inline int64_t panel_count(int64_t columns) { return (columns + panel_width - 1) / panel_width; }

// Every activation is a clamp and, behind it, one function.
struct Activation {
  enum class Kind : uint8_t { none, hardswish, hardsigmoid, silu, gelu, gelu_tanh, sigmoid, tanh };
  float low, high;
  Kind kind = Kind::none;
};
// False, with words, if there is no such activation.
bool find_activation(Context& cx, std::string_view name, double low, double high, Activation& found);
// Over `rows` rows of `columns` numbers.
void activate(Activation::Kind kind, float* at, int64_t rows, int64_t columns, int64_t step);

// What becomes of sums: where they go, and what is added before.
struct Results {
  float* out;
  int64_t row;  // from one row to the next, also of `other`
  const float* bias;
  const float* other;
  Activation activation;
};

// Sums that are `offset` behind the first result, as results; `bias` is of the first of them, or null.
void store_sums(const Results& results, int64_t offset, int64_t count, const float* sums, const float* bias);

inline constexpr int64_t most_taps = 340;

// The left side: where the `depth` numbers of a row begin, for each tap of a kernel; a matrix has one tap.
struct Left {
  const float* base;
  int64_t row;  // from one row to the next, if there is one tap
  int64_t depth, taps;
  // Fills to[tap * count + i] for rows first + i; null if rows are as above.
  void (*find)(const void* geometry, int64_t first, int64_t count, const float** to);
  const void* geometry;
  int64_t start = 0;  // rows are counted from this one on
};

// out = activation(left panels + bias + other), on all threads.
void multiply_panels(int64_t rows, int64_t columns, const Left& left, const float* panels, const Results& results);
// The same on this thread, only for panels [first, last) of the columns.
void multiply_some(int64_t first_row, int64_t last_row, int64_t first, int64_t last, int64_t columns, const Left& left,
                   const float* panels, const Results& results);

}  // namespace tenon::native
