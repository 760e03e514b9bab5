// How numbers of 16, 8 and 4 bits in panels become vectors of floats, and are multiplied while they are at hand.
#pragma once

#include "product.h"

namespace tenon::native {

template <class V>
using WholeOf = Whole<sizeof(V)>;

// As many as a vector has. The loop is one instruction; __builtin_convertvector would be several.
template <class V, class T>
ET_INLINE WholeOf<V> widened(const T* from) {
  constexpr int lanes = sizeof(V) / sizeof(float);
  int32_t wide[lanes];
  for (int i = 0; i < lanes; ++i) wide[i] = from[i];
  return load<WholeOf<V>>(wide);
}

// A row of a panel. Four alone are no vector of narrow numbers, so that the shortest vectors come from all 16.
template <class V, class T, int per>
ET_INLINE void widen_row(const T* from, WholeOf<V> (&to)[per]) {
  constexpr int64_t lanes = sizeof(V) / sizeof(float);
  int32_t wide[panel_width];
  if constexpr (lanes == 4) {
    for (int i = 0; i < panel_width; ++i) wide[i] = from[i];
  }
  TENON_UNROLL
  for (int v = 0; v < per; ++v) to[v] = lanes == 4 ? load<WholeOf<V>>(wide + v * lanes) : widened<V>(from + v * lanes);
}

// Numbers that are stored one by one.
template <class Self, class Element>
struct Elements {
  using Stored = Element;
  static constexpr int rows = 1;     // of a panel, in one row of what is stored
  static constexpr int factors = 1;  // as many that differ follow each other, see OfInt4
  static constexpr bool has_odd = false;  // numbers for which there is no quick way
  static constexpr int64_t ahead = 0;     // how many bytes ahead of their use numbers are asked for, if that is faster

  static constexpr int step(int parts) { return parts; }

  // Row i of those that are stored together.
  template <class V, int per>
  ET_INLINE static void row(const Stored* from, int, V (&to)[per]) {
    WholeOf<V> bits[per];
    widen_row<V>(from, bits);
    TENON_UNROLL
    for (int v = 0; v < per; ++v) to[v] = Self::template of<V>(bits[v]);
  }
  // sums[i % parts] += x[i] * row i, for `parts` rows.
  template <bool is_careful, class V, int parts, int per>
  ET_INLINE static void add(const Stored* from, const float* x, V (&sums)[parts][per], WholeOf<V>& odd) {
    TENON_UNROLL
    for (int i = 0; i < parts; ++i) {
      WholeOf<V> bits[per];
      widen_row<V>(from + i * panel_width, bits);
      TENON_UNROLL
      for (int v = 0; v < per; ++v) {
        if constexpr (Self::has_odd && !is_careful) {
          sums[i][v] += x[i] * Self::template quick<V>(bits[v], odd);
        } else {
          sums[i][v] += x[i] * Self::template of<V>(bits[v]);
        }
      }
    }
  }
};

struct OfBFloat16 : Elements<OfBFloat16, uint16_t> {
  static constexpr bool is_scaled = false;
  template <class V>
  ET_INLINE static V of(const WholeOf<V>& bits) {
    return reinterpret_cast<V>(bits << 16);
  }
};

// The bits at their places in a float make a number 2^112 times too small. Infinities, and what is no number, have the
// largest exponent before and after; to see to them takes longer than all else, so that it is done where there are any.
struct OfHalf : Elements<OfHalf, int16_t> {
  static constexpr bool is_scaled = false, has_odd = true;
  template <class V>
  ET_INLINE static V quick(const WholeOf<V>& bits, WholeOf<V>& odd) {
    const WholeOf<V> whole = bits << 13 & static_cast<int32_t>(0x8fffe000);
    odd |= whole + 0x00800000;  // from the largest exponent there is a carry to bit 28
    return reinterpret_cast<V>(whole) * 0x1p112f;
  }
  template <class V>
  static bool is_any(const WholeOf<V>& odd) {
    int32_t found = 0;
    for (size_t i = 0; i < sizeof(V) / sizeof(float); ++i) found |= odd[i];
    return found >> 28 & 1;
  }
  template <class V>
  ET_INLINE static V of(const WholeOf<V>& bits) {
    WholeOf<V> odd{};
    const V number = quick<V>(bits, odd);
    return reinterpret_cast<V>(reinterpret_cast<WholeOf<V>>(number) | (((odd & 0x10000000) != 0) & 0x7f800000));
  }
};

struct OfInt8 : Elements<OfInt8, int8_t> {
  static constexpr bool is_scaled = true;
  static constexpr int64_t ahead = 6144;
  static constexpr float offset = 0;
  template <class V>
  ET_INLINE static V of(const WholeOf<V>& numbers) {
    return __builtin_convertvector(numbers, V);
  }
};

// Eight rows in one of words, each number plus 8 in 4 bits, the first one lowest. Where a number is not moved to the
// lowest bits, it is 16, 256 or 4096 times too large, and what it is multiplied with is made as much smaller before.
struct OfInt4 {
  using Stored = int32_t;
  static constexpr int rows = 8;
  static constexpr int factors = 4;
  static constexpr bool is_scaled = true, has_odd = false;
  static constexpr int64_t ahead = 6144;
  static constexpr float offset = 8;

  static constexpr int step(int) { return rows; }

  template <class V, int per>
  ET_INLINE static void row(const Stored* from, int i, V (&to)[per]) {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    TENON_UNROLL
    for (int v = 0; v < per; ++v) to[v] = __builtin_convertvector(load<WholeOf<V>>(from + v * lanes) >> 4 * i & 15, V);
  }
  template <bool is_careful, class V, int parts, int per>
  ET_INLINE static void add(const Stored* from, const float* x, V (&sums)[parts][per], WholeOf<V>&) {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    TENON_UNROLL
    for (int half = 0; half < 2; ++half) {
      WholeOf<V> words[per];
      TENON_UNROLL
      for (int v = 0; v < per; ++v) words[v] = load<WholeOf<V>>(from + v * lanes) >> 16 * half;
      TENON_UNROLL
      for (int i = 0; i < 4; ++i) {
        TENON_UNROLL
        for (int v = 0; v < per; ++v) sums[i % parts][v] += x[4 * half + i] * shifted<V>(words[v], i);
      }
    }
  }

  // Number i of a word, 16^i times too large. A vector of 16 is a table too, which needs the lowest bits alone.
  template <class V>
  ET_INLINE static V shifted(const WholeOf<V>& words, int i) {
#if defined(__GNUC__) && !defined(__clang__)
    if constexpr (sizeof(V) == 64) {
      if (i == 0) return __builtin_shuffle(V{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, words);
    }
#endif
    return __builtin_convertvector(words & 15 << 4 * i, V);
  }
};

}  // namespace tenon::native
