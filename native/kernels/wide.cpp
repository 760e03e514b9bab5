// Which vectors this processor has.
#include "index.h"

#if TENON_HAS_WIDE
#include <cpuid.h>

#include <atomic>

namespace tenon::native {

// By hand, as libgcc's __builtin_cpu_supports brings a table of every processor, five kilobytes of it.
static bool find_wide() {
  unsigned a, b, c, d;
  constexpr unsigned fma = 1u << 12, saves_state = 1u << 27, avx2 = 1u << 5;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (fma | saves_state)) != (fma | saves_state)) return false;
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));  // whether the system keeps wide registers
  if ((low & 6) != 6) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & avx2);
}

bool has_wide() {
  static std::atomic<int8_t> known{-1};
  const int8_t found = known.load(std::memory_order_relaxed);
  if (found >= 0) return found;
  const bool wide = find_wide();
  known.store(wide, std::memory_order_relaxed);
  return wide;
}

}  // namespace tenon::native
#endif
