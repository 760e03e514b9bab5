// Runs of elements from one dtype to another: a function for each pair.
#include "convert.h"

#include <cstring>

namespace tenon {
namespace {

template <size_t size>
struct Bytes {
  char bytes[size];
};
template <>
struct Bytes<2> {
  uint16_t bytes;
};
template <>
struct Bytes<4> {
  uint32_t bytes;
};
template <>
struct Bytes<8> {
  uint64_t bytes;
};

template <class T>
T read(const char* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}
template <class T>
void write(char* place, T value) {
  std::memcpy(place, &value, sizeof value);
}

template <size_t size>
void move_run(char* to, int64_t to_step, const char* from, int64_t from_step, size_t count) {
  using T = Bytes<size>;
  constexpr int64_t dense = static_cast<int64_t>(size);
  if (to_step == dense && from_step == dense) {
    std::memmove(to, from, count * size);
  } else if (to_step == dense && from_step == 0) {
    const T value = read<T>(from);
    for (size_t i = 0; i < count; ++i) write(to + i * size, value);
  } else if (to_step == dense) {
    for (size_t i = 0; i < count; ++i, from += from_step) write(to + i * size, read<T>(from));
  } else {
    for (; count > 0; --count, to += to_step, from += from_step) write(to, read<T>(from));
  }
}

template <class To, class From>
void convert_run(char* to, int64_t to_step, const char* from, int64_t from_step, size_t count) {
  constexpr int64_t to_dense = sizeof(To), from_dense = sizeof(From);
  if (to_step == to_dense && from_step == from_dense) {
    To* result = reinterpret_cast<To*>(to);
    const From* values = reinterpret_cast<const From*>(from);
    for (size_t i = 0; i < count; ++i) result[i] = convert<To>(values[i]);
  } else if (from_step == 0) {
    if (count == 0) return;
    const To value = convert<To>(*reinterpret_cast<const From*>(from));
    move_run<sizeof(To)>(to, to_step, reinterpret_cast<const char*>(&value), 0, count);
  } else {
    for (; count > 0; --count, to += to_step, from += from_step) {
      *reinterpret_cast<To*>(to) = convert<To>(*reinterpret_cast<const From*>(from));
    }
  }
}

template <class To>
ConvertRun converter_to(ScalarType from) {
  switch (from) {
#define X(cpp, name)     \
  case ScalarType::name: \
    return &convert_run<To, cpp>;
    ET_FORALL_REALHBBF16_TYPES(X)
#undef X
    default:
      return nullptr;
  }
}

}  // namespace

ConvertRun mover(size_t element_size) {
  return element_size == 1   ? &move_run<1>
         : element_size == 2 ? &move_run<2>
         : element_size == 4 ? &move_run<4>
         : element_size == 8 ? &move_run<8>
                             : &move_run<16>;
}

ConvertRun converter(ScalarType to, ScalarType from) {
  if (to == from) return mover(elementSize(to));
  switch (to) {
#define X(cpp, name)     \
  case ScalarType::name: \
    return converter_to<cpp>(from);
    ET_FORALL_REALHBBF16_TYPES(X)
#undef X
    default:
      return nullptr;
  }
}

}  // namespace tenon
