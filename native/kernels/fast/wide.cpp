// Which vectors this processor has.
#include "../index.h"

#if TENON_HAS_WIDE
#include <cpuid.h>

#include <atomic>

namespace tenon::native {

static constexpr int8_t dots = 1;  // beside the bytes of a vector

// By hand, as libgcc's __builtin_cpu_supports brings a table of every processor, five kilobytes of it.
static int8_t find_vectors() {
  unsigned a, b, c, d;
  constexpr unsigned fma = 1u << 12, saves_state = 1u << 27, avx2 = 1u << 5;
  constexpr unsigned avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;  // f, dq, bw, vl
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (fma | saves_state)) != (fma | saves_state)) return 16;
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));  // whether the system keeps wide registers
  if ((low & 0x6) != 0x6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & avx2)) return 16;
  if ((low & 0xe6) != 0xe6 || (b & avx512) != avx512) return 32;
  return c & 1u << 11 ? 64 | dots : 64;  // vnni
}

static int8_t vectors() {
  static std::atomic<int8_t> known{0};
  int8_t found = known.load(std::memory_order_relaxed);
  if (!found) known.store(found = find_vectors(), std::memory_order_relaxed);
  return found;
}

int vector_bytes() { return vectors() & ~dots; }
bool has_dots() { return vectors() & dots; }

}  // namespace tenon::native
#endif
