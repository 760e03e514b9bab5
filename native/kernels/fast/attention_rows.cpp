// Attention of few queries: each is a row, and rows that have the same keys go over them together. Those of several heads
// go on at the same pace, as memory is faster in several places than in one after the other.
#include "attention.h"
#include "smooth.h"
#include "vectors.h"

namespace tenon::native {

namespace {

constexpr int64_t row_keys = 512;   // as many scores of a row are there at a time
constexpr int64_t most_rows = 16;   // at a time
constexpr int64_t most_shared = 4;  // rows that go over keys together, as registers have room for
constexpr int64_t block = 16;       // keys of one head after the other
constexpr int64_t ahead = 20;       // keys from now, which by then are in the second cache

struct RowSoftmax {
  float* scores;
  int64_t keys;
  float &top, &sum, &factor;  // the factor for what was before

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    using V = typename Vector<float, Wide::value>::type;
    constexpr int64_t lanes = Vector<float, Wide::value>::lanes;
    const int64_t padded = (keys + lanes - 1) / lanes * lanes;
    for (int64_t j = keys; j < padded; ++j) scores[j] = unseen;
    V tops = V{} + top, sums = V{};
    for (int64_t j = 0; j < padded; j += lanes) {
      const V v = load<V>(scores + j);
      tops = v > tops ? v : tops;
    }
    float now = tops[0];
    for (int64_t l = 1; l < lanes; ++l) now = std::max(now, tops[l]);
    const float base = now == unseen ? 0.0f : now;
    for (int64_t j = 0; j < padded; j += lanes) {
      const V v = exponential_below<true>(load<V>(scores + j) - base);
      sums += v;
      store(scores + j, v);
    }
    factor = exponential_below<true>(V{} + (top - base))[0];
    sum *= factor;
    for (int64_t l = 0; l < lanes; ++l) sum += sums[l];
    top = now;
  }
};

template <class T>
TENON_HOT void add_to_row(float* scores, Added<T> added, int64_t query, int64_t first_key, int64_t keys) {
  if (added.key == 1) {  // a number that compilers know
    added.key = 1;
    for (int64_t j = 0; j < keys; ++j) scores[j] += added.at(query, first_key + j);
  } else {
    for (int64_t j = 0; j < keys; ++j) scores[j] += added.at(query, first_key + j);
  }
}

// Whole vectors of numbers that are adjacent: the sizes of nearly all models.
constexpr int64_t whole = 16, most_whole = 512;

// Into the second cache: the first has too few places for what is on its way from memory.
ET_INLINE void fetch(const float* at) { __builtin_prefetch(at, 0, 2); }
TENON_HOT void fetch_block(const Matrix& from, int64_t rows, int64_t size) {
  for (int64_t i = 0; i < std::min(rows, block); ++i) {
    for (int64_t c = 0; c < size; c += 16) fetch(from.data + i * from.row + c);
  }
}

struct Row {
  int64_t batch, head, query;
  Matrix keys, values, numbers;  // those of the query
  MatrixOut out;
  bool is_first;  // of those that share keys
  float top, sum;
};

Row row_of(const Attention& x, int64_t number) {
  const int64_t query = number % x.queries, head = number / x.queries % x.heads, batch = number / x.queries / x.heads;
  return {batch, head, query, x.key.of(batch, head / x.shared), x.value.of(batch, head / x.shared),
          x.query.of(batch, head).from(query, 0), x.out_of(batch, head).from(query, 0), head % x.shared == 0, unseen, 0};
}

// Rows one after the other, and all that lies behind them.
struct Rows {
  const Row* rows;
  int64_t count, keys;   // of them, from `first` on
  int64_t first, size;   // numbers of a key, or of a value
  const float* queries;  // [rows][size], times the scale
  float* scores;         // [rows][row_keys]

  // Calls each(std::integral_constant<int, n>(), i, j) for the n rows from i on that share keys, and a block of keys from
  // j on.
  template <class Each>
  ET_INLINE void by_blocks(const Each& each) const {
    for (int64_t j = 0; j < keys; j += block) {
      for (int64_t i = 0, n; i < count; i += n) {
        for (n = 1; n < most_shared && i + n < count && rows[i + n].keys.data == rows[i].keys.data;) ++n;
        if (n == 1) each(std::integral_constant<int, 1>(), i, j);
        else if (n == 2) each(std::integral_constant<int, 2>(), i, j);
        else if (n == 3) each(std::integral_constant<int, 3>(), i, j);
        else each(std::integral_constant<int, 4>(), i, j);
      }
    }
  }
};

// The products of queries with keys, as many as a vector has at a time.
struct Scores : Rows {
  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    by_blocks([&](auto n, int64_t i, int64_t j) ET_INLINE_ATTRIBUTE { one<Floats<bytes>, n>(i, j); });
  }

  template <class V, int n>
  ET_INLINE void one(int64_t i, int64_t start) const {
    constexpr int lanes = sizeof(V) / sizeof(float);
    for (int64_t j = start; j < std::min(start + block, keys); j += lanes) {
      V sums[n][lanes];
      TENON_UNROLL
      for (int l = 0; l < lanes; l += 4) four<V, n>(i, j + l, l, sums);
      TENON_UNROLL
      for (int r = 0; r < n; ++r) {
        add_up<lanes / 2>(sums[r], std::make_integer_sequence<int, lanes>());
        store(scores + (i + r) * row_keys + j, sums[r][0]);
      }
    }
  }

  template <class V, int n, int lanes>
  ET_INLINE void four(int64_t i, int64_t j, int at, V (&to)[n][lanes]) const {
    const Matrix& matrix = rows[i].keys;
    const float* from[4];
    V sums[n][4] = {};
    TENON_UNROLL
    for (int k = 0; k < 4; ++k) from[k] = matrix.data + (first + std::min(j + k, keys - 1)) * matrix.row;
    for (int64_t c = 0; c < size; c += lanes) {
      V factors[n];
      TENON_UNROLL
      for (int r = 0; r < n; ++r) factors[r] = load<V>(queries + (i + r) * size + c), hold(factors[r]);
      TENON_UNROLL
      for (int k = 0; k < 4; ++k) {
        V key = load<V>(from[k] + c);
        fetch(from[k] + ahead * matrix.row + c);
        if constexpr (n > 1) hold(key);
        TENON_UNROLL
        for (int r = 0; r < n; ++r) sums[r][k] += factors[r] * key;
      }
    }
    TENON_UNROLL
    for (int r = 0; r < n; ++r) {
      TENON_UNROLL
      for (int k = 0; k < 4; ++k) to[r][at + k] = sums[r][k];
    }
  }

  // The sum of each vector's numbers, all of them as the first vector: two vectors become one, half of it of each.
  template <int half, class V, int lanes, int... l>
  ET_INLINE static void add_up(V (&sums)[lanes], std::integer_sequence<int, l...> all) {
    TENON_UNROLL
    for (int i = 0; i < half; ++i) {
      sums[i] = shuffled<(l & half ? l + lanes : l)...>(sums[i], sums[i + half]) +
                shuffled<(l & half ? (l ^ half) + lanes : l ^ half)...>(sums[i], sums[i + half]);
    }
    if constexpr (half > 1) add_up<half / 2>(sums, all);
  }
};

// out += scores values.
struct Values : Rows {
  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    by_blocks([&](auto n, int64_t i, int64_t j) ET_INLINE_ATTRIBUTE {
      constexpr int64_t lanes = bytes / 4;
      constexpr int vectors = bytes == 64 || n < 3 ? 4 : 2;  // as registers have room for
      int64_t c = 0;
      for (; c + vectors * lanes <= size; c += vectors * lanes) columns<Floats<bytes>, n, vectors>(i, j, c);
      for (; c < size; c += lanes) columns<Floats<bytes>, n, 1>(i, j, c);
    });
  }

  template <class V, int n, int vectors>
  ET_INLINE void columns(int64_t i, int64_t start, int64_t c) const {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    const Matrix& matrix = rows[i].values;
    const float* from = matrix.data + (first + start) * matrix.row + c;
    V sums[n][vectors] = {};
    for (int64_t j = start; j < std::min(start + block, keys); ++j, from += matrix.row) {
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) {
        V value = load<V>(from + v * lanes);
        fetch(from + ahead * matrix.row + v * lanes);
        if constexpr (n > 1) hold(value);
        TENON_UNROLL
        for (int r = 0; r < n; ++r) sums[r][v] += scores[(i + r) * row_keys + j] * value;
      }
    }
    TENON_UNROLL
    for (int r = 0; r < n; ++r) {
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) {
        float* const to = rows[i + r].out.data + c + v * lanes;
        store(to, load<V>(to) + sums[r][v]);
      }
    }
  }
};

void scale_out(const Row& row, int64_t size, float by) {
  MatrixOut out = row.out;
  if (out.column == 1) out.column = 1;  // a number that compilers know
  for (int64_t e = 0; e < size; ++e) out.data[e * out.column] *= by;
}

// What the mask adds to scores from key `first` on.
void mask_row(const Attention& x, const Row& row, int64_t first, int64_t keys, float* scores) {
  if (x.mask.is_there() && x.mask.is_bool()) {
    add_to_row(scores, x.added<bool>(row.batch, row.head), row.query, first, keys);
  } else if (x.mask.is_there()) {
    add_to_row(scores, x.added<float>(row.batch, row.head), row.query, first, keys);
  }
}

}  // namespace

int64_t attend_rows(const Attention& x, int64_t first, int64_t last) {
  alignas(64) float scores[most_rows * row_keys], queries[most_rows * most_whole];
  Row rows[most_rows];
  const auto seen_by = [&](const Row& row) { return x.seen_by(row.batch, row.head, row.query, row.query + 1); };
  const bool is_one_mask = x.queries == 1 && !x.mask.step[0] && !x.mask.step[1];
  bool is_whole = x.size % whole == 0 && x.value_size % whole == 0 && x.size <= most_whole;
  int64_t count = 0, seen = 0;
  for (; count < std::min(last - first, most_rows); ++count) {
    Row& row = rows[count] = row_of(x, first + count);
    if (count == 0) seen = seen_by(row);
    else if (!is_one_mask && seen_by(row) != seen) break;
    is_whole &= row.keys.column == 1 && row.values.column == 1 && row.out.column == 1;
    if (is_whole && row.is_first) fetch_block(row.keys, seen, x.size);
  }
  for (int64_t i = 0; i < count; ++i) {
    const Row& row = rows[i];
    for (int64_t d = 0; is_whole && d < x.size; ++d) {
      queries[i * x.size + d] = row.numbers.data[d * row.numbers.column] * x.scale;
    }
    for (int64_t e = 0; e < x.value_size; ++e) row.out.data[e * row.out.column] = 0;
  }
  for (int64_t j = 0; j < seen; j += row_keys) {
    const int64_t n = std::min(row_keys, seen - j);
    if (is_whole) run_tuned(Scores{{rows, count, n, j, x.size, queries, scores}});
    for (int64_t i = 0; i < count; ++i) {
      Row& row = rows[i];
      float* const own = scores + i * row_keys;
      float factor = 0;
      if (!is_whole) {
        multiply(1, n, x.size, x.scale, row.numbers, row.keys.from(j, 0).transposed(), {own, n, 1}, false);
      } else if (row.is_first) {
        fetch_block(row.values.from(j, 0), n, x.value_size);
      }
      mask_row(x, row, j, n, own);
      run_vectorised(RowSoftmax{own, n, row.top, row.sum, factor});
      if (factor != 1) scale_out(row, x.value_size, factor);
      if (!is_whole) multiply(1, x.value_size, n, 1, {own, n, 1}, row.values.from(j, 0), row.out, true);
    }
    if (is_whole) run_tuned(Values{{rows, count, n, j, x.value_size, queries, scores}});
  }
  for (int64_t i = 0; i < count; ++i) scale_out(rows[i], x.value_size, rows[i].sum == 0 ? 0.0f : 1 / rows[i].sum);
  return first + count;
}

}  // namespace tenon::native
