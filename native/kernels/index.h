// Where the elements of tensors lie, and how a run of them is read and written as another type: what all kernels with a
// loop of their own share.
#pragma once

#include "arguments.h"
#include "convert.h"
#include "selected.h"

#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are passed only to functions that are inlined

namespace tenon::native {

// --- where ---------------------------------------------------------------------------------------------------------

// The stride of each dimension, in elements.
struct Strides {
  int64_t at[kTensorDimensionLimit];

  explicit Strides(const Tensor& t);
  int64_t operator[](size_t d) const { return at[d]; }
};

// Whether the elements lie one after the other in the order of their indices.
bool is_plain(const Tensor& t);

// -1 is the last dimension. A number alone counts as one dimension. False, with words, if there is no such dimension.
bool wrap_dim(Context& cx, int64_t& dim, const Tensor& t);

// Goes over every index of some dimensions, the last one fastest, and keeps the offset in `n` tensors.
template <size_t n>
struct Odometer {
  size_t rank = 0;
  int64_t sizes[kTensorDimensionLimit];
  int64_t strides[kTensorDimensionLimit][n];
  int64_t at[kTensorDimensionLimit];
  int64_t offset[n];

  // A dimension inside of those there are. One that continues the last becomes part of it.
  template <class... Stride>
  void add(int64_t size, Stride... stride) {
    const int64_t steps[n] = {static_cast<int64_t>(stride)...};
    append(size, steps);
  }
  void append(int64_t size, const int64_t (&steps)[n]);

  // Takes away the last dimension, for a loop of its own: its size, and its strides. A size of 1 if there is none.
  int64_t pop(int64_t (&steps)[n]);

  // for (int64_t left = odometer.start(); left > 0; --left, odometer.next()) ...
  int64_t start();
  void next();
  void seek(int64_t place);  // as after start() and `place` times next()
};

// --- what ----------------------------------------------------------------------------------------------------------

// False, with words, if the dtype is not among these.
bool has_dtype(Context& cx, const Tensor& t, DTypeSet set);
bool has_same_dtype(Context& cx, const Tensor& a, const Tensor& b);
template <class... More>
bool has_same_dtype(Context& cx, const Tensor& a, const Tensor& b, const More&... more) {
  return has_same_dtype(cx, a, b) && (has_same_dtype(cx, a, more) && ...);
}
bool has_place_for(Context& cx, ScalarType wanted, const Tensor& out);
bool has_index_dtype(Context& cx, const Tensor& t);
// n numbers, or one for all, to the last n of `to`. False, with words, if there are others or one is below `least`.
bool take_each(Context& cx, const char* name, Ints numbers, int64_t least, size_t n, int64_t (&to)[3]);
// False, with words, if the index is outside. `position` counts the indices.
bool is_inside(Context& cx, int64_t index, int64_t size, int64_t dim, int64_t position);

// Calls `work(TypeTag<T>())` with the type to compute in: half types become float, and whole numbers `Whole`, which is
// uint64_t where a sum may wrap around and int64_t where order counts. The dtype is one of the set: has_dtype looked.
template <class Whole, DTypeSet set, class Work>
void compute_switch(ScalarType type, Work&& work) {
  if constexpr ((set & sets::complex) != 0) {
    if (contains(sets::complex, type)) return work(TypeTag<Complex>());
  }
  if constexpr (contains(set, ScalarType::Double)) {
    if (type == ScalarType::Double) return work(TypeTag<double>());
  }
  if constexpr ((set & sets::floats) != 0) {
    if (isFloatingType(type)) return work(TypeTag<float>());
  }
  if constexpr (!std::is_void_v<Whole> && (set & sets::wholes_and_bool) != 0) work(TypeTag<Whole>());
}

// --- runs of elements ----------------------------------------------------------------------------------------------

// How many elements a run has at most, where it needs room on the stack.
inline constexpr int64_t run_room = 256;

// Whole numbers that may wrap around are stored as signed ones.
template <class T>
inline constexpr ScalarType stored_as = std::is_same_v<T, uint64_t> ? ScalarType::Long : dtype_of<T>;

// A run as T: where it lies if it is one, else copied into `room`.
template <class T>
const T* read(const Tensor& t, int64_t offset, int64_t stride, int64_t count, T* room) {
  const int64_t width = t.itemsize();
  const char* from = static_cast<const char*>(t.const_data_ptr()) + offset * width;
  if (stride == 1 && t.scalar_type() == stored_as<T>) return reinterpret_cast<const T*>(from);
  converter(stored_as<T>, t.scalar_type())(reinterpret_cast<char*>(room), sizeof(T), from, stride * width,
                                           static_cast<size_t>(count));
  return room;
}
template <class T>
T read_one(const Tensor& t, int64_t offset) {
  T room;
  return *read(t, offset, 1, 1, &room);
}

template <class T>
void write(const Tensor& t, int64_t offset, int64_t stride, int64_t count, const T* from) {
  const int64_t width = t.itemsize();
  converter(t.scalar_type(), stored_as<T>)(static_cast<char*>(t.mutable_data_ptr()) + offset * width, stride * width,
                                           reinterpret_cast<const char*>(from), sizeof(T), static_cast<size_t>(count));
}

template <class T>
void write_one(const Tensor& t, int64_t offset, const T& value) {
  write(t, offset, 1, 1, &value);
}

// --- indices -------------------------------------------------------------------------------------------------------

// What is taken by index as it is: by its width, and a sum of two of them by its type.
#define MOVED (NUMBERS_AND_BOOL | COMPLEX64)

// Calls work(index, other) for each index but `skipped`, where `places` goes over the indices and another tensor. Stops,
// with words, at one that is outside of the dimension.
template <class Work>
void each_index(Context& cx, const Tensor& indices, Odometer<2>& places, int64_t size, int64_t dim,
                Maybe<int64_t> skipped, const Work& work) {
  int64_t position = 0;
  for (int64_t left = places.start(); left > 0; --left, places.next(), ++position) {
    const int64_t index = read_one<int64_t>(indices, places.offset[0]);
    if (index == skipped) continue;
    if (!is_inside(cx, index, size, dim, position)) return;
    work(index, places.offset[1]);
  }
}

// --- wide vectors --------------------------------------------------------------------------------------------------

#if defined(__x86_64__) && defined(__GNUC__)
#define TENON_HAS_WIDE 1
#if defined(__clang__)
#define TENON_WIDE __attribute__((target("avx2,fma")))
#else  // with -std=c++17 gcc fuses no product with its sum unless it is told to
#define TENON_WIDE __attribute__((target("avx2,fma"), optimize("fp-contract=fast")))
#endif
int vector_bytes();  // how long the vectors of this processor are: 16, 32 or 64
bool has_dots();     // whether it adds up four products of bytes at once, in vectors of 64 bytes
#else
#define TENON_HAS_WIDE 0
#define TENON_WIDE
inline int vector_bytes() { return 16; }
inline bool has_dots() { return false; }
#endif
inline bool has_wide() { return vector_bytes() >= 32; }

template <class Body>
TENON_WIDE void run_wide(const Body& body) {
  body(std::true_type());
}
template <class Body>
TENON_WIDE TENON_HOT void run_wide_hot(const Body& body) {
  body(std::true_type());
}
// Calls `body` compiled for wide vectors if this processor has them. All of it must be ET_INLINE: what is not inlined
// is compiled for any processor. The argument is std::true_type for wide vectors. What is hot has loops over single
// numbers, which are made into vectors also in a build for size.
template <bool is_hot = false, class Body>
void run_vectorised(const Body& body) {
  if (TENON_HAS_WIDE && has_wide()) {
    if constexpr (is_hot) return run_wide_hot(body);
    else return run_wide(body);
  }
  body(std::false_type());
}

// Several numbers as one, with the arithmetic of the compiler. A comparison gives a mask, and mask ? a : b chooses.
template <class T, bool wide>
struct Vector {
  static constexpr int64_t lanes = (wide ? 32 : 16) / sizeof(T);
  typedef T type __attribute__((vector_size(lanes * sizeof(T))));
};

template <class V, class T>
ET_INLINE V load(const T* from) {
  V found;
  std::memcpy(&found, from, sizeof found);
  return found;
}
template <class V, class T>
ET_INLINE void store(T* to, const V& value) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace tenon::native
