// Few rows times weights of 4 bits, where a processor adds up four products of bytes at once: half the instructions
// that floats take, so that one thread reads as fast as memory is.
//
// The numbers of a row that share scales become whole ones of 24 bits, the largest as large as these can be, and whole
// ones three digits of 8 bits, whose sums are exact. What is lost is 2^-24 of the largest number that shares its scales: as
// much as floats lose in a sum that this number is part of, and more where its weight is 0.
#pragma once

#include "dots.h"
#include "narrow.h"

namespace tenon::native {

#if TENON_HAS_DOTS
namespace digits {

constexpr int count = 3;                    // of a number, the lowest first
constexpr int64_t together = 8;             // numbers, whose weights are in one word
constexpr int64_t most_in_group = 1 << 16;  // of which sums of digits are far from 32 bits

struct Group {
  int32_t start[count];  // of sums: what 8, which is in every weight, makes too much
  float unit;            // of the whole numbers
  float sum;             // of the numbers
};

// Numbers as digits [eight numbers][digit][even, odd]: as the weights lie in a word.
struct Make {
  const float* x;
  int64_t total, group;
  int8_t* to;
  Group* groups;
  bool* is_finite;

  ET_INLINE void operator()(Bytes<64>) const {
    *is_finite = true;
    int8_t* at = to;
    for (int64_t k = 0; k < total; k += group) *is_finite &= one(x + k, at, groups[k / group]);
  }

  ET_INLINE bool one(const float* from, int8_t*& at, Group& made) const {
    using V = Floats<32>;
    using I = Ints<V>;
    typedef int8_t Eight __attribute__((vector_size(8)));
    constexpr int32_t infinite = 0x7f800000, bytes = 0x00808080;
    I most{};
    for (int64_t k = 0; k < group; k += together) {
      const I size = load<I>(from + k) & 0x7fffffff;
      most = size > most ? size : most;
    }
    int32_t largest = 0;
    for (int i = 0; i < together; ++i) largest = std::max(largest, most[i]);
    // To 2^22 and beyond, as far as three digits from -128 to 127 reach.
    const int32_t power = std::min(149 - (largest >> 23) - ((largest & 0x7fffff) > 0x7efefe), 126);
    const V factor = V{} + of_bits((127 + power) << 23);
    I sums[count] = {};
    for (int64_t k = 0; k < group; k += together) {
      const V numbers = load<V>(from + k) * factor, sorted = shuffled<0, 2, 4, 6, 1, 3, 5, 7>(numbers, numbers);
      const I whole = __builtin_convertvector(sorted + (sorted < 0 ? V{} - 0.5f : V{} + 0.5f), I);
      const I all = (whole + bytes) ^ bytes;  // with a carry into each byte where that below it is negative
      TENON_UNROLL
      for (int d = 0; d < count; ++d, at += together) {
        const I digit = all << (24 - 8 * d) >> 24;
        sums[d] += digit;
        store(at, __builtin_convertvector(digit, Eight));
      }
    }
    made.unit = of_bits((127 - power) << 23), made.sum = 0;
    for (int d = count - 1; d >= 0; --d) {
      int32_t sum = 0;
      for (int i = 0; i < together; ++i) sum += sums[d][i];
      made.start[d] = -8 * sum;
      made.sum = made.sum * 256 + static_cast<float>(sum);
    }
    made.sum *= made.unit;
    return largest < infinite;
  }

  ET_INLINE static float of_bits(int32_t bits) { return load<float>(&bits); }
};

struct Multiply {
  const Weights& weights;
  int64_t rows;
  const int8_t* digits;
  const Group* groups;
  int64_t first, last, columns;
  const Results& results;

  ET_INLINE void operator()(Bytes<64>) const {
    for (int64_t p = first; p < last; ++p) {
      for (int64_t row = 0; row < rows; ++row) panel(p, row);  // the second from the first cache
    }
  }

  ET_INLINE void panel(int64_t p, int64_t row) const {
    using V = Floats<64>;
    const int64_t depth = weights.depth, in_row = depth / weights.group;
    const auto* at = static_cast<const int32_t*>(weights.panels) + p * (depth / together * panel_width);
    const int8_t* x = digits + row * depth * count;
    V total{};
    for (int64_t g = 0; g < in_row; ++g) {
      const Group& group = groups[row * in_row + g];
      Dots16 sums[count] = {};
      TENON_UNROLL
      for (int d = 0; d < count; ++d) sums[d] += group.start[d];
      for (int64_t k = 0; k < weights.group; k += together, at += panel_width, x += together * count) {
        __builtin_prefetch(reinterpret_cast<const char*>(at) + OfInt4::ahead);
        const Dots16 words = load<Dots16>(at), even = words & 0x0f0f0f0f, odd = words >> 4 & 0x0f0f0f0f;
        TENON_UNROLL
        for (int d = 0; d < count; ++d) {
          sums[d] = add_dots(sums[d], even, four(x + d * together));
          sums[d] = add_dots(sums[d], odd, four(x + d * together + 4));
        }
      }
      V sum = __builtin_convertvector(sums[2], V);
      TENON_UNROLL
      for (int d = 1; d >= 0; --d) sum = sum * 256.0f + __builtin_convertvector(sums[d], V);
      sum *= group.unit;
      const int64_t place = (p * in_row + g) * panel_width;
      if (weights.zeros) sum -= load<V>(weights.zeros + place) * group.sum;
      total += sum * load<V>(weights.scales + place);
    }
    float room[panel_width];
    store(room, total);
    const int64_t column = p * panel_width;
    store_sums(results, row * results.row + column, std::min(columns - column, panel_width), room,
               results.bias ? results.bias + column : nullptr);
  }

  ET_INLINE static Dots16 four(const int8_t* from) { return load<int32_t>(from) - Dots16{}; }
};

inline bool multiply(Context& cx, int64_t rows, int64_t columns, const float* x, const Weights& weights,
                     const Results& results) {
  const int64_t total = rows * weights.depth, room = total * count, in_all = total / weights.group;
  const size_t bytes = static_cast<size_t>(room) + static_cast<size_t>(in_all) * sizeof(Group);
  auto* const made = static_cast<int8_t*>(cx.temporary(bytes, 64));
  if (!made) return false;
  auto* const groups = reinterpret_cast<Group*>(made + room);
  bool is_finite;
  run_dots(Make{x, total, weights.group, made, groups, &is_finite});
  if (!is_finite) return narrow::multiply_many<OfInt4>(rows, columns, x, weights, results), true;
  narrow::share_panels(rows, columns, weights, results, [&](int64_t first, int64_t last) {
    run_dots(Multiply{weights, rows, made, groups, first, last, columns, results});
  });
  return true;
}

}  // namespace digits
#endif

inline bool multiply_int4(Context& cx, int64_t rows, int64_t columns, const float* left, const Weights& weights,
                          const Results& results) {
#if TENON_HAS_DOTS
  if (rows <= narrow::few && has_dots() && weights.group <= digits::most_in_group) {
    return digits::multiply(cx, rows, columns, left, weights, results);
  }
#endif
  return multiply_narrow<OfInt4>(cx, rows, columns, left, weights, results);
}

}  // namespace tenon::native
