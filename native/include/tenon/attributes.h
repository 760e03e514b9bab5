// What compilers call by different names: attributes, and how sizes are printed.
#pragma once

#include <cinttypes>

#define ET_NORETURN [[noreturn]]
#define ET_NODISCARD [[nodiscard]]
#define ET_UNUSED [[maybe_unused]]
#define ET_FALLTHROUGH [[fallthrough]]
#define ET_DEPRECATED [[deprecated]]
#define ET_EXPERIMENTAL

#if defined(__GNUC__) || defined(__clang__)
#define ET_INLINE __attribute__((always_inline)) inline
#define ET_INLINE_ATTRIBUTE __attribute__((always_inline))
#define ET_NOINLINE __attribute__((noinline))
#define ET_RESTRICT __restrict__
#define ET_WEAK __attribute__((weak))
#define ET_LIKELY(condition) (__builtin_expect(!!(condition), 1))
#define ET_UNLIKELY(condition) (__builtin_expect(!!(condition), 0))
#define ET_PRINTFLIKE(words, values) __attribute__((format(printf, words, values)))
#define ET_UNREACHABLE() __builtin_unreachable()
#else
#define ET_INLINE inline
#define ET_INLINE_ATTRIBUTE
#define ET_NOINLINE
#define ET_RESTRICT
#define ET_WEAK
#define ET_LIKELY(condition) (condition)
#define ET_UNLIKELY(condition) (condition)
#define ET_PRINTFLIKE(words, values)
#define ET_UNREACHABLE() ((void)0)
#endif

// Before a loop that goes over an array of registers: it is written out, also where code is to be small. The array is
// in memory otherwise.
#if defined(__GNUC__) && !defined(__clang__)
#define TENON_UNROLL _Pragma("GCC unroll 16")
#elif defined(__clang__)
#define TENON_UNROLL _Pragma("unroll")
#else
#define TENON_UNROLL
#endif

// A function whose loops are made into vectors also in a build for size. In one for speed all of them are.
#if defined(__OPTIMIZE_SIZE__) && defined(__GNUC__) && !defined(__clang__)
#define TENON_HOT __attribute__((optimize("O3")))
#else
#define TENON_HOT
#endif

#define __ET_NORETURN ET_NORETURN
#define __ET_NODISCARD ET_NODISCARD
#define __ET_UNUSED ET_UNUSED
#define __ET_FALLTHROUGH ET_FALLTHROUGH
#define __ET_DEPRECATED ET_DEPRECATED
#define __ET_INLINE ET_INLINE
#define __ET_NOINLINE ET_NOINLINE
#define __ET_WEAK ET_WEAK
#define __ET_LIKELY(condition) ET_LIKELY(condition)
#define __ET_UNLIKELY(condition) ET_UNLIKELY(condition)
#define __ET_PRINTFLIKE(words, values) ET_PRINTFLIKE(words, values)

#define ET_PRIsize_t "zu"
#define ET_PRIssize_t "zd"
#define ET_PRI_TENSOR_SIZE PRId32
#define ET_PRI_TENSOR_DIM "zd"
#define ET_PRI_TENSOR_NUMEL "zd"
#define ET_PRI_SIZES_AND_STRIDES PRId32
