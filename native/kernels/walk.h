// Views of tensors, and a walk over several of them together in as few runs as their strides allow.
#pragma once

#include "arguments.h"

namespace tenon {

// Twice as many dimensions as a tensor has: a repetition is a view with a dimension of its own for each.
inline constexpr size_t kViewRank = 2 * kTensorDimensionLimit;

// Elements of a tensor by strides of their own, counted in elements. A stride may be 0 or negative.
struct View {
  char* data = nullptr;  // where it is read from; only the view that a copy goes to is written
  ScalarType type = ScalarType::Byte;
  size_t rank = 0;
  int64_t sizes[kViewRank];
  int64_t strides[kViewRank];

  View() = default;
  explicit View(const Tensor& t);

  int64_t step(size_t d) const { return strides[d] * static_cast<int64_t>(elementSize(type)); }
  void move_to(size_t d, int64_t index) { data += index * step(d); }
  void insert(size_t d, int64_t size, int64_t stride);
  void remove(size_t d);
};

// Dimensions that all operands of a loop share, the first operand being what is written. Steps are in bytes. They are
// in the order in which the first lies in memory, those of size 1 are gone, and those that are one for all are merged.
template <size_t operands>
struct Walk {
  size_t rank = 0;
  int64_t sizes[kViewRank];
  int64_t steps[operands][kViewRank];

  void add(int64_t size, const int64_t (&step)[operands]);  // a dimension inside of those there are
  void arrange();

  // Calls run(n, pointers) for each run of n elements along the innermost dimension.
  template <class Run>
  void each_run(char* const (&start)[operands], Run&& run) const;
};

template <size_t operands>
void Walk<operands>::add(int64_t size, const int64_t (&step)[operands]) {
  sizes[rank] = size;
  for (size_t k = 0; k < operands; ++k) steps[k][rank] = step[k];
  ++rank;
}

template <size_t operands>
void Walk<operands>::arrange() {
  Walk sorted;
  int64_t step[operands];
  for (size_t d = 0; d < rank; ++d) {
    if (sizes[d] == 1) continue;
    for (size_t k = 0; k < operands; ++k) step[k] = steps[k][d];
    sorted.add(sizes[d], step);
    for (size_t at = sorted.rank - 1; at > 0 && sorted.steps[0][at - 1] < sorted.steps[0][at]; --at) {
      std::swap(sorted.sizes[at - 1], sorted.sizes[at]);
      for (size_t k = 0; k < operands; ++k) std::swap(sorted.steps[k][at - 1], sorted.steps[k][at]);
    }
  }
  rank = 0;
  for (size_t d = 0; d < sorted.rank; ++d) {
    bool is_one_with_last = rank > 0;
    for (size_t k = 0; k < operands; ++k) {
      step[k] = sorted.steps[k][d];
      is_one_with_last = is_one_with_last && steps[k][rank - 1] == step[k] * sorted.sizes[d];
    }
    const int64_t outer = is_one_with_last ? sizes[--rank] : 1;
    add(outer * sorted.sizes[d], step);
  }
}

template <size_t operands>
template <class Run>
void Walk<operands>::each_run(char* const (&start)[operands], Run&& run) const {
  char* at[operands];
  for (size_t k = 0; k < operands; ++k) at[k] = start[k];
  const size_t inner = rank ? static_cast<size_t>(sizes[rank - 1]) : 1;
  for (size_t d = 0; d < rank; ++d) {
    if (sizes[d] == 0) return;
  }
  int64_t index[kViewRank] = {};
  for (;;) {
    run(inner, at);
    size_t d = rank ? rank - 1 : 0;
    for (; d > 0; --d) {
      for (size_t k = 0; k < operands; ++k) at[k] += steps[k][d - 1];
      if (++index[d - 1] < sizes[d - 1]) break;
      for (size_t k = 0; k < operands; ++k) at[k] -= steps[k][d - 1] * sizes[d - 1];
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

}  // namespace tenon
