// Sums of four products of bytes by one instruction. gcc makes no such instruction of plain code: it is the only one in
// the kernels that is asked for by name.
#pragma once

#include "vectors.h"

#if TENON_HAS_WIDE && !defined(__clang__) && (defined(__AVX512VNNI__) || !(defined(__AVX2__) || defined(__AVX512F__)))
#define TENON_HAS_DOTS 1

namespace tenon::native {

// Calls body(Bytes<64>()) where has_dots().
template <class Body>
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx512vnni,avx2,fma,prefer-vector-width=512"),
               optimize("fp-contract=fast"))) TENON_HOT void
run_dots(const Body& body) {
  body(Bytes<64>());
}

using Dots16 = VectorOf<int32_t, 64>::type;
// To each sum, four products are added: of bytes without a sign, and bytes with one.
ET_INLINE Dots16 add_dots(const Dots16& sums, const Dots16& unsigned_bytes, const Dots16& bytes) {
  return __builtin_ia32_vpdpbusd_v16si(sums, unsigned_bytes, bytes);
}

}  // namespace tenon::native

#else
#define TENON_HAS_DOTS 0
#endif
