// Sets of dtypes, each narrowed to those that a build selects for the kernel in whose body it is written. A build that
// selects none has all of them, and the same code as if nothing could be selected. A function that is no kernel takes
// its set as a template parameter, or has the dtypes of all kernels together.
#pragma once

#include <tenon/kernel.h>

#include "complex.h"

#ifdef EXECUTORCH_SELECTIVE_BUILD_DTYPE
#define TENON_SELECTED(set) (static_cast<::tenon::DTypeSet>(::tenon::selected_dtypes(__func__)) & (set))
#else
#define TENON_SELECTED(set) (set)
#endif

#define FLOATS TENON_SELECTED(::tenon::sets::floats)
#define FLOAT32 TENON_SELECTED(::tenon::dtypes(::tenon::ScalarType::Float))
#define FLOATS_TO_32 TENON_SELECTED(::tenon::dtypes(::tenon::ScalarType::Float) | ::tenon::half_dtypes)
#define WHOLES TENON_SELECTED(::tenon::int_dtypes)
#define WHOLES_AND_BOOL TENON_SELECTED(::tenon::sets::wholes_and_bool)
#define NUMBERS TENON_SELECTED(::tenon::sets::numbers)
#define NUMBERS_AND_BOOL TENON_SELECTED(::tenon::sets::numbers_and_bool)
#define COMPLEX TENON_SELECTED(::tenon::sets::complex)
#define COMPLEX64 TENON_SELECTED(::tenon::dtypes(::tenon::ScalarType::ComplexFloat))
#define ALL TENON_SELECTED(~::tenon::DTypeSet{0})

namespace tenon {

namespace sets {
inline constexpr DTypeSet floats = float_dtypes | half_dtypes;
inline constexpr DTypeSet wholes_and_bool = int_dtypes | bool_dtypes;
inline constexpr DTypeSet numbers = int_dtypes | floats;
inline constexpr DTypeSet numbers_and_bool = numbers | bool_dtypes;
inline constexpr DTypeSet complex = dtypes(ScalarType::ComplexFloat, ScalarType::ComplexDouble);
}  // namespace sets

// The set with what the parts of its complex numbers are, for what is done part by part.
constexpr DTypeSet with_parts(DTypeSet set) {
  return set | (contains(set, ScalarType::ComplexFloat) ? dtypes(ScalarType::Float) : 0) |
         (contains(set, ScalarType::ComplexDouble) ? dtypes(ScalarType::Double) : 0);
}

// The set with what two of its dtypes become together: what a comparison computes in is no dtype of its tensors.
constexpr DTypeSet promoted(DTypeSet set) {
  DTypeSet found = set;
  for (int8_t a = 0; a < static_cast<int8_t>(ScalarType::Undefined); ++a) {
    for (int8_t b = 0; b < a; ++b) {
      const ScalarType one = static_cast<ScalarType>(a), other = static_cast<ScalarType>(b);
      if (!contains(set, one) || !contains(set, other)) continue;
      const ScalarType both = promoteTypes(one, other);
      if (isValid(both)) found |= dtypes(both);
    }
  }
  return found;
}

// What a dtype is computed as.
constexpr ScalarType compute_dtype(ScalarType type) { return contains(half_dtypes, type) ? ScalarType::Float : type; }

// What models mostly compute in: loops over these are fast also in a build for size.
template <class T>
inline constexpr bool is_often = std::is_same_v<T, float>;

// Whether one of a set is computed as T.
template <class T>
constexpr bool computes(DTypeSet set) {
  return contains(set, dtype_of<T>) || (std::is_same_v<T, float> && (set & half_dtypes)) ||
         (std::is_same_v<T, Complex> && (set & sets::complex));
}

constexpr bool has_width(DTypeSet set, size_t size) {
  for (int8_t code = 0; code < static_cast<int8_t>(ScalarType::Undefined); ++code) {
    if (contains(set, static_cast<ScalarType>(code)) && elementSize(static_cast<ScalarType>(code)) == size) return true;
  }
  return false;
}

void fail_compute(Context& cx, ScalarType type);

namespace visits {
template <bool is_there, class T, class Work>
bool one(ScalarType type, Work& work) {
  if constexpr (is_there) {
    if (type == dtype_of<T>) return work(TypeTag<T>()), true;
  }
  return (void)type, (void)work, false;
}
// The one of these that a dtype is, if it is computed or stored as one of the set.
template <DTypeSet set, bool is_computed, class... T, class Work>
bool among(ScalarType type, Work& work) {
  return (one<is_computed ? computes<T>(set) : contains(set, dtype_of<T>), T>(type, work) || ...);
}
}  // namespace visits

// Calls work(TypeTag<T>()) with the type that a dtype is computed as; fails with words if it is not in the set.
template <DTypeSet set, class Work>
void visit(Context& cx, ScalarType type, Work&& work) {
  const bool is_complex = (set & sets::complex) && contains(sets::complex, type);
  const ScalarType computed = is_complex ? ScalarType::ComplexDouble : compute_dtype(type);
  const bool is_found = visits::among<set, true, uint8_t, int8_t, int16_t, int32_t, int64_t, float, double, bool,
                                      Complex>(computed, work);
  if (!is_found) fail_compute(cx, type);
}

// The same with the type that a dtype is stored as.
template <DTypeSet set, class Work>
void visit_stored(Context& cx, ScalarType type, Work&& work) {
  const bool is_found = visits::among<set, false, float, uint8_t, int8_t, int16_t, int32_t, int64_t, Half, BFloat16,
                                      double, bool, complex<float>>(type, work);
  if (!is_found) fail_compute(cx, type);
}

// Calls work(TypeTag<T>()) with a type of so many bytes, for kernels that only move elements. False if no dtype of the
// set has that many.
template <DTypeSet set, class Work>
bool width_switch(size_t size, Work&& work) {
  const auto one = [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (has_width(set, sizeof(T))) {
      if (size == sizeof(T)) return work(tag), true;
    }
    return false;
  };
  return one(TypeTag<uint32_t>()) || one(TypeTag<uint64_t>()) || one(TypeTag<uint8_t>()) || one(TypeTag<uint16_t>());
}

}  // namespace tenon
