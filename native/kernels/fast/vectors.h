// Vectors as long as a processor has them: a body is compiled for each length, and the longest that is there is run. A
// build whose flags name a processor (-march=...) has the one length of that.
#pragma once

#include "../index.h"

namespace tenon::native {

#if TENON_HAS_WIDE
#if defined(__clang__)
#define TENON_WIDEST __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")))
#else
#define TENON_WIDEST \
  __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma,prefer-vector-width=512"), \
                 optimize("fp-contract=fast")))
#endif
#endif

template <int size>
using Bytes = std::integral_constant<int, size>;

template <class T, int bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(bytes)));
};
template <int bytes>
using Floats = typename VectorOf<float, bytes>::type;
template <int bytes>
using Whole = typename VectorOf<int32_t, bytes>::type;

// The elements of two vectors at these places, which are counted through both.
template <int... places, class V>
ET_INLINE V shuffled(const V& a, const V& b) {
#if defined(__clang__)
  return __builtin_shufflevector(a, b, places...);
#else
  typedef int32_t Places __attribute__((vector_size(sizeof(V))));
  return __builtin_shuffle(a, b, Places{places...});
#endif
}

// Has a vector stay in its register: gcc takes one that is used several times from memory each time.
template <class V>
ET_INLINE void hold(V& vector) {
#if defined(__AVX512F__) || (TENON_HAS_WIDE && !defined(__clang__))
  asm("" : "+v"(vector));
#elif defined(__x86_64__)
  asm("" : "+x"(vector));
#elif defined(__aarch64__)
  asm("" : "+w"(vector));
#endif
}

namespace tuned {
template <class Body>
TENON_WIDE TENON_HOT void run_32(const Body& body) {
  body(Bytes<32>());
}
#if TENON_HAS_WIDE
template <class Body>
TENON_WIDEST TENON_HOT void run_64(const Body& body) {
  body(Bytes<64>());
}
#endif
template <class Body>
TENON_HOT void run_16(const Body& body) {
  body(Bytes<16>());
}
}  // namespace tuned

// Calls body(Bytes<n>()), n being the bytes of a vector. All of it must be ET_INLINE.
template <class Body>
void run_tuned(const Body& body) {
#if defined(__AVX512F__) && defined(__AVX512VL__)
  tuned::run_64(body);
#elif defined(__AVX2__) && defined(__FMA__)
  tuned::run_32(body);
#elif TENON_HAS_WIDE
  const int bytes = vector_bytes();
  bytes == 64 ? tuned::run_64(body) : bytes == 32 ? tuned::run_32(body) : tuned::run_16(body);
#else
  tuned::run_16(body);
#endif
}

// Calls each(Bytes<n>(), c) for vectors from element c on. The last takes some elements once more; what is shorter than a
// vector goes by single ones.
template <int bytes, class Each>
ET_INLINE void each_vector(int64_t count, const Each& each) {
  constexpr int64_t lanes = bytes / 4;
  int64_t c = 0;
  for (; c + lanes <= count; c += lanes) each(Bytes<bytes>(), c);
  if (c == count) return;
  if (count >= lanes) return each(Bytes<bytes>(), count - lanes);
  for (; c < count; ++c) each(Bytes<4>(), c);
}

}  // namespace tenon::native
