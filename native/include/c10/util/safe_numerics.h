// Sums and products that tell whether they are too large for their type.
#pragma once

#if __has_include_next(<c10/util/safe_numerics.h>)
#include_next <c10/util/safe_numerics.h>  // torch's own
#else

namespace c10 {

template <class T>
bool add_overflows(T a, T b, T* out) {
  return __builtin_add_overflow(a, b, out);
}
template <class T>
bool mul_overflows(T a, T b, T* out) {
  return __builtin_mul_overflow(a, b, out);
}

}  // namespace c10

#endif
