// Attention: softmax(scale query keys^T + mask) values, in tiles; all scores together are never in memory.
#include <tenon/threads.h>

#include <algorithm>

#include "matrix.h"
#include "smooth.h"
#include "vectors.h"

namespace tenon::native {

namespace {

constexpr float nothing = -std::numeric_limits<float>::infinity();
constexpr int64_t tile_keys = 64;      // as many scores of a strip of queries are there at a time,
constexpr int64_t row_keys = 512;      // and of a single query
constexpr int64_t most_strips = 8;     // of queries that go over the same keys together
constexpr int64_t strips_room = 8192;  // floats
constexpr int64_t few_queries = 4;     // are faster one by one: a strip is for 16 of them

// The sizes and strides are those of batch, place, head, element.
struct Side {
  const float* data;
  int64_t batch, place, head, element;

  explicit Side(const Tensor& t) : data(t.const_data_ptr<float>()) {
    const Strides strides(t);
    batch = strides[0], place = strides[1], head = strides[2], element = strides[3];
  }
  Matrix of(int64_t b, int64_t h) const { return {data + b * batch + h * head, place, element}; }
};

struct Mask {
  const Tensor* tensor = nullptr;
  int64_t step[4] = {};  // batch, head, query, key; 0 where it is the same for all

  bool is_there() const { return tensor != nullptr; }
  bool is_bool() const { return tensor->scalar_type() == ScalarType::Bool; }
};

// What is added to scores, of one batch and head.
template <class T>
struct Added {
  const T* data;
  int64_t query, key;

  ET_INLINE float at(int64_t i, int64_t j) const {
    const T found = data[i * query + j * key];
    if constexpr (std::is_same_v<T, bool>) return found ? 0.0f : nothing;
    else return found;
  }
  // How many of the first `keys` are left without those at the end that no query of [first, last) sees.
  int64_t seen(int64_t first, int64_t last, int64_t keys) const {
    int64_t most = 0;
    for (int64_t i = first; i < (query ? last : first + 1); ++i) {
      int64_t j = keys;
      while (j > most && at(i, j - 1) == nothing) --j;
      most = j;
    }
    return most;
  }
};

struct Attention {
  Side query, key, value;
  float* out;
  int64_t out_step[4];
  Mask mask;
  bool causal;
  float scale;
  int64_t batches, queries, keys, heads, shared, size, value_size;  // `shared` heads have the same keys

  int64_t strips() const { return std::clamp<int64_t>(strips_room / (strip_width * larger()), 1, most_strips); }
  int64_t blocks() const { return (queries + strips() * strip_width - 1) / (strips() * strip_width); }
  // Queries of a block: all have about as many.
  int64_t step() const { return ((queries + blocks() - 1) / blocks() + strip_width - 1) / strip_width * strip_width; }
  int64_t block_keys() const { return std::clamp<int64_t>(strips_room / larger(), 16, tile_keys); }
  int64_t larger() const { return std::max({size, value_size, int64_t{1}}); }
  // Floats: queries and results of all strips, and copies of a block of keys and of values.
  int64_t room() const { return (strips() * strip_width + block_keys()) * (size + value_size); }
  // Keys that the queries before `end` see.
  int64_t seen(int64_t end) const { return causal ? std::min(keys, end) : keys; }
  MatrixOut out_of(int64_t b, int64_t h) const {
    return {out + b * out_step[0] + h * out_step[2], out_step[1], out_step[3]};
  }
  template <class T>
  Added<T> added(int64_t b, int64_t h) const {
    return {mask.tensor->const_data_ptr<T>() + b * mask.step[0] + h * mask.step[1], mask.step[2], mask.step[3]};
  }
  // Keys that one of the queries [first, last) sees, at most: of a cache that is not full, the part that is.
  int64_t seen_by(int64_t b, int64_t h, int64_t first, int64_t last) const {
    if (!mask.is_there()) return seen(last);
    return mask.is_bool() ? added<bool>(b, h).seen(first, last, seen(last))
                          : added<float>(b, h).seen(first, last, seen(last));
  }
};

// --- a strip of 16 queries -----------------------------------------------------------------------------------------

// Scores lie with the queries in the lanes: keys are the rows of a product as they lie in memory, the largest score and
// the sum of 16 queries are each a vector, and nothing is transposed but the queries, once.
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
      store(scores + j * strip_width + l, place < from ? V{} + nothing : load<V>(scores + j * strip_width + l));
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
    const V base = top == nothing ? V{} : top;  // of a query that saw no key yet
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

TENON_HOT void attend_strips(const Attention& x, int64_t b, int64_t h, int64_t first, float* room) {
  State states[most_strips];
  const int64_t count = x.strips(), end = std::min(first + x.step(), x.queries), most = x.block_keys();
  float* results = room + count * strip_width * x.size;
  float* keys_room = results + count * strip_width * x.value_size;
  const Matrix query = x.query.of(b, h);
  std::fill_n(room, count * strip_width * (x.size + x.value_size), 0.0f);
  for (int64_t i = first; i < end; ++i) {
    float* to = room + (i - first) / strip_width * strip_width * x.size + (i - first) % strip_width;
    for (int64_t d = 0; d < x.size; ++d) to[d * strip_width] = query.data[i * query.row + d * query.column] * x.scale;
  }
  for (State& state : states) std::fill_n(state.top, strip_width, nothing), std::fill_n(state.sum, strip_width, 0.0f);
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
  for (int64_t i = first; i < end; ++i) {
    const int64_t s = (i - first) / strip_width, l = (i - first) % strip_width;
    const float sum = states[s].sum[l], factor = sum == 0 ? 0.0f : 1 / sum;  // who sees nothing gets 0, as torch has it
    const float* from = results + s * strip_width * x.value_size + l;
    for (int64_t e = 0; e < x.value_size; ++e) out.data[i * out.row + e * out.column] = from[e * strip_width] * factor;
  }
}

// --- a single query: as fast as keys and values can be read --------------------------------------------------------

struct RowSoftmax {
  float* scores;
  int64_t keys;
  float &top, &sum, &factor;  // the factor for what was before

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    using V = typename Vector<float, Wide::value>::type;
    constexpr int64_t lanes = Vector<float, Wide::value>::lanes;
    const int64_t padded = (keys + lanes - 1) / lanes * lanes;
    for (int64_t j = keys; j < padded; ++j) scores[j] = nothing;
    V tops = V{} + top, sums = V{};
    for (int64_t j = 0; j < padded; j += lanes) {
      const V v = load<V>(scores + j);
      tops = v > tops ? v : tops;
    }
    float now = tops[0];
    for (int64_t l = 1; l < lanes; ++l) now = std::max(now, tops[l]);
    const float base = now == nothing ? 0.0f : now;
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

// `seen` keys are for it. The first of those that share keys fetches them for all.
void attend_row(const Attention& x, int64_t b, int64_t h, int64_t i, int64_t seen, bool is_first) {
  alignas(64) float scores[row_keys], scaled[most_whole];
  float top = nothing, sum = 0, factor = 0;
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

// --- the operator --------------------------------------------------------------------------------------------------

bool take_mask(Context& cx, const std::optional<Tensor>& given, const int64_t (&sizes)[4], Mask& mask) {
  if (!given) return true;
  const ScalarType type = given->scalar_type();
  ET_KERNEL_CHECK_MSG(cx, type == ScalarType::Bool || type == ScalarType::Float, InvalidArgument, false,
                      "the mask is %s, and should be bool or float32", dtype_name(type));
  bool fits = given->dim() == 4;
  for (size_t d = 0; fits && d < 4; ++d) fits = given->sizes()[d] == 1 || given->sizes()[d] == sizes[d];
  ET_KERNEL_CHECK_MSG(cx, fits, InvalidArgument, false,
                      "a mask of shape %s is not for [%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 "]",
                      ShapeText(given->sizes()).text, sizes[0], sizes[1], sizes[2], sizes[3]);
  const Strides strides(*given);
  for (size_t d = 0; d < 4; ++d) mask.step[d] = given->sizes()[d] == 1 ? 0 : strides[d];
  mask.tensor = &*given;
  return true;
}

}  // namespace

Tensor& attention_out(Context& cx, const Tensor& query, const Tensor& key, const Tensor& value,
                      const std::optional<Tensor>& mask, bool causal, double scale, Tensor& out) {
  for (const Tensor* t : {&query, &key, &value, static_cast<const Tensor*>(&out)}) {
    if (!has_dtype(cx, *t, FLOAT32)) return out;
  }
  const auto q = query.sizes(), k = key.sizes(), v = value.sizes();
  const bool fits = q.size() == 4 && k.size() == 4 && v.size() == 4 && q[0] == k[0] && q[0] == v[0] && k[1] == v[1] &&
                    k[2] == v[2] && q[3] == k[3] && (k[2] ? q[2] % k[2] == 0 : q[2] == 0);
  ET_KERNEL_CHECK_MSG(cx, fits, InvalidArgument, out,
                      "queries of shape %s, keys of %s and values of %s do not go together", ShapeText(q).text,
                      ShapeText(k).text, ShapeText(v).text);
  Mask added;
  if (!take_mask(cx, mask, {q[0], q[2], q[1], k[1]}, added)) return out;
  const SizesType sizes[] = {q[0], q[1], q[2], v[3]};
  if (!resize(cx, out, sizes) || out.numel() == 0) return out;
  const Strides to(out);
  const Attention x{Side(query), Side(key), Side(value), out.mutable_data_ptr<float>(), {to[0], to[1], to[2], to[3]},
                    added, causal, static_cast<float>(scale), q[0], q[1], k[1], q[2], q[2] / k[2], q[3], v[3]};

  if (x.queries <= few_queries) {
    parallel(x.batches * x.heads * x.queries, 1, [&](int64_t first, int64_t last) {
      int64_t seen = -1;
      for (int64_t i = first; i < last; ++i) {
        const int64_t b = i / x.queries / x.heads, h = i / x.queries % x.heads, q = i % x.queries;
        if (seen < 0 || x.queries > 1 || x.mask.step[0] || x.mask.step[1]) seen = x.seen_by(b, h, q, q + 1);
        attend_row(x, b, h, q, seen, i == first || (q == 0 && h % x.shared == 0));
      }
    });
    return out;
  }
  const int64_t step = x.step(), blocks = x.blocks();
  const auto run = [&](int64_t first, int64_t last, float* room) {
    for (int64_t i = first; i < last; ++i) {
      attend_strips(x, i / blocks / x.heads, i / blocks % x.heads, i % blocks * step, room);
    }
  };
  constexpr int64_t stack_room = 4 * strips_room;
  if (x.room() > stack_room) {  // heads of more than 512 numbers
    float* room = static_cast<float*>(cx.temporary(static_cast<size_t>(x.room()) * sizeof(float), 64));
    if (room) run(0, x.batches * x.heads * blocks, room);
    return out;
  }
  parallel(x.batches * x.heads * blocks, 1, [&](int64_t first, int64_t last) {
    alignas(64) float room[stack_room];
    run(first, last, room);
  });
  return out;
}

}  // namespace tenon::native
