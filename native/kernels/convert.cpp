// Runs of elements from one dtype to another, by way of a third where that is seldom done.
#include "convert.h"

#include <cstring>

#include "selected.h"

namespace tenon {
namespace {

template <size_t size>
struct Bytes {
  char bytes[size];
};
template <size_t size>
using Unit = std::conditional_t<
    size == 2, uint16_t, std::conditional_t<size == 4, uint32_t, std::conditional_t<size == 8, uint64_t, Bytes<size>>>>;

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
TENON_HOT void move_run(char* to, int64_t to_step, const char* from, int64_t from_step, size_t count) {
  using T = Unit<size>;
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

// What there are runs for. Three are what kernels compute in, whatever their tensors have.
constexpr DTypeSet there() {
  return NUMBERS_AND_BOOL | dtypes(ScalarType::Long, ScalarType::Float, ScalarType::Double);
}

template <ScalarType to, ScalarType from>
ConvertRun run_of() {
  if constexpr (contains(there(), to) && contains(there(), from)) return &convert_run<cpp_type<to>, cpp_type<from>>;
  return nullptr;
}

// 16-bit floats are read and written as float32 by every kernel.
ConvertRun run_of_half(ScalarType to, ScalarType from) {
  if (to == ScalarType::Float && from == ScalarType::Half) return run_of<ScalarType::Float, ScalarType::Half>();
  if (to == ScalarType::Float && from == ScalarType::BFloat16) return run_of<ScalarType::Float, ScalarType::BFloat16>();
  if (to == ScalarType::Half && from == ScalarType::Float) return run_of<ScalarType::Half, ScalarType::Float>();
  if (to == ScalarType::BFloat16 && from == ScalarType::Float) return run_of<ScalarType::BFloat16, ScalarType::Float>();
  return nullptr;
}

template <ScalarType from>
ConvertRun run_from(ScalarType to) {
  switch (to) {
#define X(cpp, name)     \
  case ScalarType::name: \
    return run_of<ScalarType::name, from>();
    ET_FORALL_REALHBBF16_TYPES(X)
#undef X
    default:
      return nullptr;
  }
}

// What stands between two dtypes holds every number of the first, so that the second rounds, cuts or wraps it as if at
// once.
constexpr ScalarType between(ScalarType from) {
  return isIntegralType(from, /*with_bool=*/true) ? ScalarType::Long : ScalarType::Double;
}

ConvertRun run_to_between(ScalarType from) {
  switch (from) {
#define X(cpp, name)     \
  case ScalarType::name: \
    return run_of<between(ScalarType::name), ScalarType::name>();
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

Converter converter(ScalarType to, ScalarType from) {
  if (to == from) return {mover(elementSize(to))};
  const ScalarType to_part = toRealValueType(to), from_part = toRealValueType(from);
  if (to != to_part || from != from_part) {
    Converter parts = converter(to_part, from_part);
    const bool has_two = to != to_part || to == ScalarType::Bool;  // a real number forgets the other part
    if (to != to_part) parts.to_imaginary = dtype_bytes[static_cast<size_t>(to_part)];
    if (has_two && from != from_part) parts.from_imaginary = dtype_bytes[static_cast<size_t>(from_part)];
    return parts;
  }
  if (const ConvertRun run = run_of_half(to, from)) return {run};
  const ConvertRun second =
      between(from) == ScalarType::Long ? run_from<ScalarType::Long>(to) : run_from<ScalarType::Double>(to);
  if (from == between(from)) return {second};
  const ConvertRun first = run_to_between(from);
  if (to == between(from)) return {first};
  return first && second ? Converter{first, second} : Converter{};
}

void Converter::in_parts(char* to, int64_t to_step, const char* from, int64_t from_step, size_t count) const {
  const Converter part{first, second};
  part(to, to_step, from, from_step, count);
  if (to_imaginary && from_imaginary) {
    part(to + to_imaginary, to_step, from + from_imaginary, from_step, count);
  } else if (to_imaginary) {
    constexpr double zero = 0;
    mover(to_imaginary)(to + to_imaginary, to_step, reinterpret_cast<const char*>(&zero), 0, count);
  } else {  // true if one of the parts is
    for (char other = 0; count > 0; --count, to += to_step, from += from_step) {
      part(&other, 0, from + from_imaginary, 0, 1);
      *to = static_cast<char>(*to | other);
    }
  }
}

void Converter::in_steps(char* to, int64_t to_step, const char* from, int64_t from_step, size_t count) const {
  if (to_imaginary || from_imaginary) return in_parts(to, to_step, from, from_step, count);
  constexpr size_t most = 128, size = sizeof(int64_t);
  alignas(size) char numbers[most * size];
  for (size_t n; count > 0; count -= n) {
    n = count < most ? count : most;
    first(numbers, size, from, from_step, n);
    second(to, to_step, numbers, size, n);
    to += static_cast<int64_t>(n) * to_step;
    from += static_cast<int64_t>(n) * from_step;
  }
}

}  // namespace tenon
