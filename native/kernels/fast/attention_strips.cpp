// Attention of strips of 16 queries, a block of keys at a time: all scores together are never in memory.
#include "attention.h"
#include "smooth.h"
#include "vectors.h"

namespace tenon::native {

namespace {

// Scores lie with the queries in the lanes: keys are the rows of a product as they lie in memory, the largest score and
// the sum of 16 queries are each a vector, and unseen is transposed but the queries, once.
struct State {
  alignas(64) float top[strip_width], sum[strip_width];
};

// As many rows as leave registers for a row of the right side.
#if defined(__aarch64__)
template <int bytes>
inline constexpr int most_rows = 6;
#else
template <int bytes>
inline constexpr int most_rows = bytes == 64 ? 8 : bytes == 32 ? 6 : 2;
#endif

// result [rows][16] (+)= left right, where right is [depth][16]. Of the left side either rows or columns are adjacent.
template <bool adds, bool has_adjacent_rows>
struct StripProduct {
  int64_t rows, depth;
  const float* left;
  int64_t step;  // from one of those that are not adjacent to the next
  const float* right;
  float* result;

  template <class V, int height>
  ET_INLINE void tile(int64_t first) const {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    constexpr int vectors = static_cast<int>(strip_width / lanes);
    float* const to = result + first * strip_width;
    const float* from = left + first * (has_adjacent_rows ? 1 : step);
    V sums[height][vectors];
    TENON_UNROLL
    for (int r = 0; r < height; ++r) {
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) sums[r][v] = adds ? load<V>(to + r * strip_width + v * lanes) : V{};
    }
    for (int64_t p = 0; p < depth; ++p, from += has_adjacent_rows ? step : 1) {
      V row[vectors];
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) row[v] = load<V>(right + p * strip_width + v * lanes);
      TENON_UNROLL
      for (int r = 0; r < height; ++r) {
        const V factor = from[r * (has_adjacent_rows ? 1 : step)] - V{};
        TENON_UNROLL
        for (int v = 0; v < vectors; ++v) sums[r][v] += factor * row[v];
      }
    }
    TENON_UNROLL
    for (int r = 0; r < height; ++r) {
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) store<V>(to + r * strip_width + v * lanes, sums[r][v]);
    }
  }

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    using V = Floats<bytes>;
    constexpr int most = most_rows<bytes>;
    int64_t first = 0;
    for (; first + most <= rows; first += most) tile<V, most>(first);
    if constexpr (most > 4) {
      if (first + 4 <= rows) tile<V, 4>(first), first += 4;
    }
    for (; first < rows; ++first) tile<V, 1>(first);
  }
};

template <class T>
TENON_HOT void add_to_strip(float* scores, Added<T> added, int64_t first_query, int64_t queries, int64_t first_key,
                            int64_t keys) {
  for (int64_t i = 0; i < queries; ++i) {
    for (int64_t j = 0; j < keys; ++j) scores[j * strip_width + i] += added.at(first_query + i, first_key + j);
  }
}

// A strip of queries sees some more keys.
struct StripStep {
  const Attention& x;
  int64_t batch, head, first_query, queries, first_key, keys;
  const float* strip;  // [size][16]
  Matrix block, values;
  float* result;  // [value size][16]
  State& state;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes> size) const {
    using V = Floats<bytes>;
    alignas(64) float scores[tile_keys * strip_width];  // [keys][16], which become exponentials
    StripProduct<false, false>{keys, x.size, block.data, block.row, strip, scores}(size);
    if (x.mask.is_there()) {
      if (x.mask.is_bool()) add_to_strip(scores, x.added<bool>(batch, head), first_query, queries, first_key, keys);
      else add_to_strip(scores, x.added<float>(batch, head), first_query, queries, first_key, keys);
    }
    if (x.causal && first_key + keys - 1 > first_query) {
      for (int64_t l = 0; l < strip_width; l += static_cast<int64_t>(sizeof(V) / sizeof(float))) hide<V>(scores, l);
    }
    for (int64_t l = 0; l < strip_width; l += static_cast<int64_t>(sizeof(V) / sizeof(float))) weigh<V>(scores, l);
    StripProduct<true, true>{x.value_size, keys, values.data, values.row, scores, result}(size);
  }

  // What comes after a query is not for it.
  template <class V>
  ET_INLINE void hide(float* scores, int64_t l) const {
    V place;
    for (size_t i = 0; i < sizeof(V) / sizeof(float); ++i) place[i] = static_cast<float>(l + static_cast<int64_t>(i));
    for (int64_t j = 0; j < keys; ++j) {
      const V from = V{} + static_cast<float>(std::max<int64_t>(first_key + j - first_query, -1));
      store(scores + j * strip_width + l, place < from ? V{} + unseen : load<V>(scores + j * strip_width + l));
    }
  }

  template <class V>
  ET_INLINE void weigh(float* scores, int64_t l) const {
    const V before = load<V>(state.top + l);
    V top = before, second = top;
    int64_t j = 0;
    for (; j + 2 <= keys; j += 2) {
      const V a = load<V>(scores + j * strip_width + l), b = load<V>(scores + (j + 1) * strip_width + l);
      top = a > top ? a : top;
      second = b > second ? b : second;
    }
    for (; j < keys; ++j) {
      const V a = load<V>(scores + j * strip_width + l);
      top = a > top ? a : top;
    }
    top = second > top ? second : top;
    const V base = top == unseen ? V{} : top;  // of a query that saw no key yet
    const V factor = exponential_below<true>(before - base);
    V sum = V{}, other = V{};
    for (j = 0; j + 2 <= keys; j += 2) {
      const V a = exponential_below<true>(load<V>(scores + j * strip_width + l) - base);
      const V b = exponential_below<true>(load<V>(scores + (j + 1) * strip_width + l) - base);
      sum += a, other += b;
      store(scores + j * strip_width + l, a);
      store(scores + (j + 1) * strip_width + l, b);
    }
    for (; j < keys; ++j) {
      const V a = exponential_below<true>(load<V>(scores + j * strip_width + l) - base);
      sum += a;
      store(scores + j * strip_width + l, a);
    }
    store(state.sum + l, load<V>(state.sum + l) * factor + (sum + other));
    store(state.top + l, top);
    if (first_key == 0) return;  // there is no result yet
    for (int64_t e = 0; e < x.value_size; ++e) {
      store(result + e * strip_width + l, load<V>(result + e * strip_width + l) * factor);
    }
  }
};

// to = (from factors)^T, a factor being for a column: squares of vectors by shuffles, and the rest one by one.
struct Transposed {
  Matrix from;
  int64_t rows, columns;
  const float* factors;
  int64_t step;  // from one factor to the next: 0 if one is for all
  MatrixOut to;  // [columns][rows]

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    constexpr int64_t lanes = bytes / 4;
    const bool are_adjacent = from.column == 1 && to.column == 1;
    const int64_t down = are_adjacent ? rows / lanes * lanes : 0, right = columns / lanes * lanes;
    for (int64_t i = 0; i < down; i += lanes) {
      for (int64_t j = 0; j < right; j += lanes) square<Floats<bytes>>(i, j);
    }
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = i < down ? right : 0; j < columns; ++j) {
        to.data[j * to.row + i * to.column] = from.data[i * from.row + j * from.column] * factors[j * step];
      }
    }
  }

  template <class V>
  ET_INLINE void square(int64_t i, int64_t j) const {
    constexpr int lanes = sizeof(V) / sizeof(float);
    const V by = step ? load<V>(factors + j) : *factors - V{};
    V all[lanes];
    TENON_UNROLL
    for (int k = 0; k < lanes; ++k) all[k] = load<V>(from.data + (i + k) * from.row + j) * by;
    swap<lanes / 2>(all, std::make_integer_sequence<int, lanes>());
    TENON_UNROLL
    for (int k = 0; k < lanes; ++k) store<V>(to.data + (j + k) * to.row + i, all[k]);
  }

  // Of vectors that are `half` apart, those of one's numbers that belong into the other.
  template <int half, class V, int lanes, int... l>
  ET_INLINE static void swap(V (&all)[lanes], std::integer_sequence<int, l...> places) {
    TENON_UNROLL
    for (int i = 0; i < lanes; ++i) {
      if (i & half) continue;
      const V one = all[i], other = all[i + half];
      all[i] = shuffled<(l & half ? (l ^ half) + lanes : l)...>(one, other);
      all[i + half] = shuffled<(l & half ? l + lanes : l ^ half)...>(one, other);
    }
    if constexpr (half > 1) swap<half / 2>(all, places);
  }
};

// Rows one after the other, unless they lie so that they fill a cache evenly: those that are a power of 2 apart fall on
// the same few of its lines.
Matrix gathered(Matrix from, int64_t rows, int64_t columns, float* room) {
  if (from.column == 1 && columns >= std::min<int64_t>(from.row & -from.row, 1024)) return from;
  for (int64_t i = 0; i < rows; ++i) {
    const float* row = from.data + i * from.row;
    if (from.column == 1) {
      std::copy_n(row, columns, room + i * columns);
    } else {
      for (int64_t j = 0; j < columns; ++j) room[i * columns + j] = row[j * from.column];
    }
  }
  return {room, columns, 1};
}

}  // namespace

TENON_HOT void attend_strips(const Attention& x, int64_t b, int64_t h, int64_t first, float* room) {
  State states[most_strips];
  const int64_t count = x.strips(), end = std::min(first + x.step(), x.queries), most = x.block_keys();
  float* results = room + count * strip_width * x.size;
  float* keys_room = results + count * strip_width * x.value_size;
  const Matrix query = x.query.of(b, h);
  std::fill_n(room, count * strip_width * (x.size + x.value_size), 0.0f);
  for (int64_t i = first; i < end; i += strip_width) {
    run_tuned(Transposed{query.from(i, 0), std::min(strip_width, end - i), x.size, &x.scale, 0,
                         {room + (i - first) * x.size, strip_width, 1}});
  }
  for (State& state : states) std::fill_n(state.top, strip_width, unseen), std::fill_n(state.sum, strip_width, 0.0f);
  const int64_t seen = x.seen_by(b, h, first, end);
  for (int64_t j = 0; j < seen; j += most) {
    const int64_t height = std::min(most, seen - j);
    const Matrix keys = gathered(x.key.of(b, h / x.shared).from(j, 0), height, x.size, keys_room);
    const Matrix values =
        gathered(x.value.of(b, h / x.shared).from(j, 0), height, x.value_size, keys_room + most * x.size);
    for (int64_t s = 0, i = first; i < end; ++s, i += strip_width) {
      const int64_t n = std::min(height, x.seen(i + strip_width) - j), width = std::min(strip_width, end - i);
      if (n <= 0) continue;
      run_tuned(StripStep{x, b, h, i, width, j, n, room + s * strip_width * x.size, keys, values,
                          results + s * strip_width * x.value_size, states[s]});
    }
  }
  const MatrixOut out = x.out_of(b, h);
  for (int64_t s = 0, i = first; i < end; ++s, i += strip_width) {
    float factors[strip_width];  // who sees no key gets 0, as torch has it
    for (int64_t l = 0; l < strip_width; ++l) factors[l] = states[s].sum[l] == 0 ? 0.0f : 1 / states[s].sum[l];
    run_tuned(Transposed{{results + s * strip_width * x.value_size, strip_width, 1}, x.value_size,
                         std::min(strip_width, end - i), factors, 1, out.from(i, 0)});
  }
}

}  // namespace tenon::native
