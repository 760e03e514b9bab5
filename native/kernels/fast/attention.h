// Attention: softmax(scale query keys^T + mask) values. What it is given, and the two ways in which it is computed.
#pragma once

#include <algorithm>
#include <limits>

#include "matrix.h"

namespace tenon::native {

inline constexpr float unseen = -std::numeric_limits<float>::infinity();  // the score of a key that is not for a query
inline constexpr int64_t tile_keys = 64;      // as many scores of a strip of 16 queries are there at a time
inline constexpr int64_t most_strips = 8;     // of queries that go over the same keys together
inline constexpr int64_t strips_room = 8192;  // floats

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
    if constexpr (std::is_same_v<T, bool>) return found ? 0.0f : unseen;
    else return found;
  }
  // How many of the first `keys` are left without those at the end that no query of [first, last) sees.
  int64_t seen(int64_t first, int64_t last, int64_t keys) const {
    int64_t most = 0;
    for (int64_t i = first; i < (query ? last : first + 1); ++i) {
      int64_t j = keys;
      while (j > most && at(i, j - 1) == unseen) --j;
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

// Queries from `first` on, a block of them, in strips of 16. `room` is for as many floats as Attention says.
void attend_strips(const Attention& x, int64_t b, int64_t h, int64_t first, float* room);
// Single queries, of which there are batches x heads x queries, as fast as keys and values can be read: those of [first,
// last), as far as they are no more than 16 and see equally many keys. The first that is left.
int64_t attend_rows(const Attention& x, int64_t first, int64_t last);

}  // namespace tenon::native
