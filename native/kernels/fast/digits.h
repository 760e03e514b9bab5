// Few rows times weights of 8 and 4 bits, where a processor adds up four products of bytes at once: half the instructions
// that floats take, so that one thread reads as fast as memory is.
//
// The numbers of a row that share scales become whole ones, the largest as large as these can be, and whole ones digits
// of 8 bits, whose sums are exact. Four digits lose nothing that a float would keep. With weights of 4 bits, of which
// there are twice as many in what is read, three are enough where numbers are nearly of one size: they lose 2^-24 of the
// largest one, as floats do in a sum that this number is part of.
#pragma once

#include "dots.h"
#include "narrow.h"

namespace tenon::native {

#if TENON_HAS_DOTS
namespace digits {

constexpr int64_t together = 8;             // numbers
constexpr int64_t most_in_group = 1 << 16;  // of which sums of digits are far from 32 bits

// How weights lie: those of eight numbers as two vectors of words, each with four of a column plus `offset`.
template <int digits>
struct OfWords {
  using Numbers = OfInt4;
  static constexpr int count = digits;
  static constexpr int32_t offset = 8;
  static constexpr int64_t bytes = 64;

  ET_INLINE static void read(const char* at, Dots16 (&to)[2]) {
    const Dots16 words = load<Dots16>(at);
    to[0] = words & 0x0f0f0f0f, to[1] = words >> 4 & 0x0f0f0f0f;
  }
  // Numbers in the order in which their weights are there.
  ET_INLINE static Floats<32> sorted(const Floats<32>& x) { return shuffled<0, 2, 4, 6, 1, 3, 5, 7>(x, x); }
};

struct OfBytes {
  using Numbers = OfInt8;
  static constexpr int count = 4;
  static constexpr int32_t offset = 128;
  static constexpr int64_t bytes = 128;

  ET_INLINE static void read(const char* at, Dots16 (&to)[2]) {
    TENON_UNROLL
    for (int i = 0; i < 2; ++i) {
      const Dots16 rows = load<Dots16>(at + 64 * i);
      const Dots16 fours = shuffled<0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15>(rows, rows);
      to[i] = transposed(fours, std::make_integer_sequence<int, 64>()) ^ static_cast<int32_t>(0x80808080);
    }
  }
  // Of four rows of four columns each.
  template <int... i>
  ET_INLINE static Dots16 transposed(const Dots16& fours, std::integer_sequence<int, i...>) {
    using Single = typename VectorOf<int8_t, 64>::type;
    const Single bytes = reinterpret_cast<Single>(fours);
    return reinterpret_cast<Dots16>(__builtin_shuffle(bytes, Single{(i / 16 * 16 + i % 4 * 4 + i % 16 / 4)...}));
  }
  ET_INLINE static Floats<32> sorted(const Floats<32>& x) { return x; }
};

template <class Form>
struct Group {
  int32_t start[Form::count];  // of sums: what the offset, which is in every weight, makes too much; the lowest first
  float unit;                  // of the whole numbers
  float sum;                   // of the numbers
};

// Numbers as digits: [eight numbers][digit][four and four].
template <class Form>
struct Make {
  static constexpr int count = Form::count;
  const float* x;
  int64_t total, group;
  int8_t* to;
  Group<Form>* groups;
  bool *is_finite, *is_even;  // whether no number is far above the largest of every eighth

  ET_INLINE void operator()(Bytes<64>) const {
    int8_t* at = to;
    for (int64_t k = 0; k < total; k += group) one(x + k, at, groups[k / group]);
  }

  ET_INLINE void one(const float* from, int8_t*& at, Group<Form>& made) const {
    using V = Floats<32>;
    using I = WholeOf<V>;
    typedef int8_t Eight __attribute__((vector_size(8)));
    constexpr int32_t infinite = 0x7f800000, bytes = 0x00808080;
    I most{};
    for (int64_t k = 0; k < group; k += together) {
      const I size = load<I>(from + k) & 0x7fffffff;
      most = size > most ? size : most;
    }
    int32_t largest = 0;
    float others = 0;
    for (int i = 0; i < together; ++i) largest = std::max(largest, most[i]), others += of_bits(most[i]) / 7;
    others -= of_bits(largest) / 7;
    *is_finite &= largest < infinite, *is_even &= of_bits(largest) <= 32 * others;
    // To 2^22, or 2^30, and beyond, as far as digits from -128 to 127 reach.
    const int32_t power = std::min(125 + 8 * count - (largest >> 23) - ((largest & 0x7fffff) > 0x7efefe), 126);
    const V factor = V{} + of_bits((127 + power) << 23);
    I sums[count] = {};
    for (int64_t k = 0; k < group; k += together) {
      const V sorted = Form::sorted(load<V>(from + k) * factor);
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
      made.start[d] = -Form::offset * sum;
      made.sum = made.sum * 256 + static_cast<float>(sum);
    }
    made.sum *= made.unit;
  }

  ET_INLINE static float of_bits(int32_t bits) { return load<float>(&bits); }
};

template <class Form>
struct Multiply {
  static constexpr int count = Form::count;
  const Weights& weights;
  int64_t rows;
  const int8_t* digits;
  const Group<Form>* groups;
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
    const char* at = static_cast<const char*>(weights.panels) + p * (depth / together * Form::bytes);
    const int8_t* x = digits + row * depth * count;
    V total{};
    for (int64_t g = 0; g < in_row; ++g) {
      const Group<Form>& group = groups[row * in_row + g];
      Dots16 sums[2][count] = {};  // two, so that one need not wait for the other
      TENON_UNROLL
      for (int d = 0; d < count; ++d) sums[0][d] += group.start[d];
      for (int64_t k = 0; k < weights.group; k += together, at += Form::bytes, x += together * count) {
        TENON_UNROLL
        for (int64_t line = 0; line < Form::bytes; line += 64) __builtin_prefetch(at + Form::Numbers::ahead + line);
        Dots16 numbers[2];
        Form::read(at, numbers);
        TENON_UNROLL
        for (int d = 0; d < count; ++d) {
          TENON_UNROLL
          for (int i = 0; i < 2; ++i) {
            sums[i][d] = add_dots(sums[i][d], numbers[i], load<int32_t>(x + d * together + 4 * i) - Dots16{});
          }
        }
      }
      V sum{};
      TENON_UNROLL
      for (int d = count - 1; d >= 0; --d) sum = sum * 256.0f + __builtin_convertvector(sums[0][d] + sums[1][d], V);
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
};

template <class Form>
bool multiply(Context& cx, int64_t rows, int64_t columns, const float* x, const Weights& weights, const Results& results) {
  const int64_t total = rows * weights.depth, room = total * Form::count, in_all = total / weights.group;
  const size_t bytes = static_cast<size_t>(room) + static_cast<size_t>(in_all) * sizeof(Group<Form>);
  auto* const made = static_cast<int8_t*>(cx.temporary(bytes, 64));
  if (!made) return false;
  auto* const groups = reinterpret_cast<Group<Form>*>(made + room);
  bool is_finite = true, is_even = true;
  run_dots(Make<Form>{x, total, weights.group, made, groups, &is_finite, &is_even});
  if (!is_finite) return narrow::multiply_many<typename Form::Numbers>(rows, columns, x, weights, results), true;
  if constexpr (Form::count < 4) {
    if (!is_even) return multiply<OfWords<4>>(cx, rows, columns, x, weights, results);
  }
  narrow::share_panels(rows, columns, weights, results, [&](int64_t first, int64_t last) {
    run_dots(Multiply<Form>{weights, rows, made, groups, first, last, columns, results});
  });
  return true;
}

}  // namespace digits
#endif

// The product with weights that are scaled in groups.
inline bool multiply_groups(Context& cx, bool is_int4, int64_t rows, int64_t columns, const float* left,
                            const Weights& weights, const Results& results) {
#if TENON_HAS_DOTS
  using namespace digits;
  if (rows <= narrow::few && has_dots() && weights.group % together == 0 && weights.group <= most_in_group) {
    return is_int4 ? multiply<OfWords<3>>(cx, rows, columns, left, weights, results)
                   : multiply<OfBytes>(cx, rows, columns, left, weights, results);
  }
#endif
  return is_int4 ? multiply_narrow<OfInt4>(cx, rows, columns, left, weights, results)
                 : multiply_narrow<OfInt8>(cx, rows, columns, left, weights, results);
}

}  // namespace tenon::native
