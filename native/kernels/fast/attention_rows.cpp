// Attention of a single query.
#include "attention.h"
#include "smooth.h"
#include "vectors.h"

namespace tenon::native {

namespace {

constexpr int64_t row_keys = 512;  // as many scores are there at a time

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

// The products of a query with keys, as many as a vector has at a time.
struct RowScores {
  const float* query;
  Matrix keys;
  int64_t count, size;
  float* scores;  // with room for a vector's more
  const float* values;  // that are needed next; none if they, and the keys, are in a cache by now
  int64_t value_row;
  static constexpr int64_t ahead = 24;  // keys

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    using V = Floats<bytes>;
    constexpr int lanes = bytes / 4;
    for (int64_t j = 0; j < count; j += lanes) {
      V sums[lanes];
      TENON_UNROLL
      for (int i = 0; i < lanes; i += 4) four<V>(j + i, sums + i);
      add_up<lanes / 2>(sums, std::make_integer_sequence<int, lanes>());
      store(scores + j, sums[0]);
    }
  }

  template <class V>
  ET_INLINE void four(int64_t j, V* sums) const {
    const float* from[4];
    TENON_UNROLL
    for (int i = 0; i < 4; ++i) from[i] = keys.data + std::min(j + i, count - 1) * keys.row, sums[i] = V{};
    for (int64_t c = 0; values && c < size; c += 16) {
      TENON_UNROLL
      for (int i = 0; i < 4; ++i) {
        __builtin_prefetch(from[i] + ahead * keys.row + c);
        __builtin_prefetch(values + (j + i) * value_row + c);
      }
    }
    for (int64_t c = 0; c < size; c += static_cast<int64_t>(sizeof(V) / sizeof(float))) {
      const V factor = load<V>(query + c);
      TENON_UNROLL
      for (int i = 0; i < 4; ++i) sums[i] += factor * load<V>(from[i] + c);
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
struct RowValues {
  const float* scores;
  Matrix values;
  int64_t count, size;
  float* out;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    constexpr int64_t lanes = bytes / 4;
    int64_t c = 0;
    for (; c + 4 * lanes <= size; c += 4 * lanes) columns<Floats<bytes>, 4>(c);
    for (; c < size; c += lanes) columns<Floats<bytes>, 1>(c);
  }

  template <class V, int vectors>
  ET_INLINE void columns(int64_t c) const {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    V sums[2][vectors] = {};  // of every second key, as a sum waits for the one before
    const auto add = [&](V (&to)[vectors], int64_t j) ET_INLINE_ATTRIBUTE {
      const float* from = values.data + j * values.row + c;
      TENON_UNROLL
      for (int v = 0; v < vectors; ++v) to[v] += scores[j] * load<V>(from + v * lanes);
    };
    int64_t j = 0;
    for (; j + 2 <= count; j += 2) add(sums[0], j), add(sums[1], j + 1);
    if (j < count) add(sums[0], j);
    TENON_UNROLL
    for (int v = 0; v < vectors; ++v) {
      float* const to = out + c + v * lanes;
      store(to, load<V>(to) + (sums[0][v] + sums[1][v]));
    }
  }
};

}  // namespace

void attend_row(const Attention& x, int64_t b, int64_t h, int64_t i, int64_t seen, bool is_first) {
  alignas(64) float scores[row_keys], scaled[most_whole];
  float top = unseen, sum = 0, factor = 0;
  const Matrix query = x.query.of(b, h).from(i, 0);
  const Matrix keys = x.key.of(b, h / x.shared), values = x.value.of(b, h / x.shared);
  const MatrixOut out = x.out_of(b, h).from(i, 0);
  const bool is_whole = keys.column == 1 && values.column == 1 && out.column == 1 && x.size % whole == 0 &&
                        x.value_size % whole == 0 && x.size <= most_whole;
  const auto scale_out = [&](float by) {
    for (int64_t e = 0; e < x.value_size; ++e) out.data[e * out.column] *= by;
  };
  for (int64_t e = 0; e < x.value_size; ++e) out.data[e * out.column] = 0;
  for (int64_t d = 0; is_whole && d < x.size; ++d) scaled[d] = query.data[d * query.column] * x.scale;
  for (int64_t j = 0; j < seen; j += row_keys) {
    const int64_t n = std::min(row_keys, seen - j);
    const Matrix block = values.from(j, 0);
    const float* const next = is_first ? block.data : nullptr;
    if (is_whole) run_tuned(RowScores{scaled, keys.from(j, 0), n, x.size, scores, next, block.row});
    else multiply(1, n, x.size, x.scale, query, keys.from(j, 0).transposed(), {scores, n, 1}, false);
    if (x.mask.is_there() && x.mask.is_bool()) add_to_row(scores, x.added<bool>(b, h), i, j, n);
    else if (x.mask.is_there()) add_to_row(scores, x.added<float>(b, h), i, j, n);
    run_vectorised(RowSoftmax{scores, n, top, sum, factor});
    if (factor != 1) scale_out(factor);
    if (is_whole) run_tuned(RowValues{scores, block, n, x.value_size, out.data});
    else multiply(1, x.value_size, n, 1, {scores, n, 1}, block, out, true);
  }
  scale_out(sum == 0 ? 0.0f : 1 / sum);
}

}  // namespace tenon::native
