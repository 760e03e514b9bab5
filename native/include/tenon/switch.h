// From a dtype known at run time to a C++ type: `dtype_switch` for our kernels, ET_SWITCH_* for those of others.
#pragma once

#include "context.h"
#include "dtype.h"

// A build for chosen dtypes gives a header with `constexpr bool should_include_kernel_dtype(const char*, ScalarType)`.
#ifdef EXECUTORCH_SELECTIVE_BUILD_DTYPE
#include <executorch/kernels/portable/cpu/selected_op_variants.h>
#define TENON_IS_SELECTED(name, type) should_include_kernel_dtype(name, type)
#else
#define TENON_IS_SELECTED(name, type) true
#endif

namespace tenon {

void fail_dtype(Context& context, const char* name, ScalarType type);

template <class T>
struct TypeTag {
  using type = T;
};

// Calls `work(TypeTag<T>())` for the dtype, if it is among these; else the context fails with the dtype and `name`.
//
//   dtype_switch<float, double>(cx, out.scalar_type(), "sin.out", [&](auto tag) { using T = typename
//   decltype(tag)::type; ... });
template <class... Types, class Work>
void dtype_switch(Context& context, ScalarType type, const char* name, Work&& work) {
  const bool found = ((type == dtype_of<Types> ? (work(TypeTag<Types>()), true) : false) || ...);
  if (!found) fail_dtype(context, name, type);
}

}  // namespace tenon

// --- lists: _(C++ type, name) for each of a set ----------------------------------------------------------------------

#define TENON_NAMED(_, name) _(::tenon::cpp_type<::tenon::ScalarType::name>, name)
#define ET_FORALL_INT_TYPES(_) _(uint8_t, Byte) _(int8_t, Char) _(int16_t, Short) _(int32_t, Int) _(int64_t, Long)
#define ET_FORALL_UINT_TYPES(_) _(uint16_t, UInt16) _(uint32_t, UInt32) _(uint64_t, UInt64)
#define ET_FORALL_FLOAT_TYPES(_) _(float, Float) _(double, Double)
#define ET_FORALL_FLOATH_TYPES(_) ET_FORALL_FLOAT_TYPES(_) TENON_NAMED(_, Half)
#define ET_FORALL_FLOATHBF16_TYPES(_) ET_FORALL_FLOATH_TYPES(_) TENON_NAMED(_, BFloat16)
#define ET_FORALL_REAL_TYPES(_) ET_FORALL_INT_TYPES(_) ET_FORALL_FLOAT_TYPES(_)
#define ET_FORALL_REALH_TYPES(_) ET_FORALL_INT_TYPES(_) ET_FORALL_FLOATH_TYPES(_)
#define ET_FORALL_REALHBF16_TYPES(_) ET_FORALL_INT_TYPES(_) ET_FORALL_FLOATHBF16_TYPES(_)
#define ET_FORALL_REALB_TYPES(_) ET_FORALL_REAL_TYPES(_) _(bool, Bool)
#define ET_FORALL_REALHB_TYPES(_) ET_FORALL_REALH_TYPES(_) _(bool, Bool)
#define ET_FORALL_REALHBBF16_TYPES(_) ET_FORALL_REALHBF16_TYPES(_) _(bool, Bool)
#define ET_FORALL_COMPLEX_TYPES(_) TENON_NAMED(_, ComplexFloat) TENON_NAMED(_, ComplexDouble)
#define ET_FORALL_COMPLEXH_TYPES(_) ET_FORALL_COMPLEX_TYPES(_) TENON_NAMED(_, ComplexHalf)
#define ET_FORALL_QINT_TYPES(_) \
  TENON_NAMED(_, QInt8) TENON_NAMED(_, QUInt8) TENON_NAMED(_, QInt32) TENON_NAMED(_, QUInt4x2) TENON_NAMED(_, QUInt2x4)
#define TENON_FORALL_BITS_TYPES(_) \
  TENON_NAMED(_, Bits1x8) TENON_NAMED(_, Bits2x4) TENON_NAMED(_, Bits4x2) TENON_NAMED(_, Bits8) TENON_NAMED(_, Bits16)
#define ET_FORALL_SCALAR_TYPES(_) \
  ET_FORALL_REALHBBF16_TYPES(_)   \
  ET_FORALL_COMPLEXH_TYPES(_) ET_FORALL_QINT_TYPES(_) TENON_FORALL_BITS_TYPES(_) ET_FORALL_UINT_TYPES(_)
#define ET_FORALL_INT_TYPES_AND(A, _) TENON_NAMED(_, A) ET_FORALL_INT_TYPES(_)
#define ET_FORALL_FLOAT_TYPES_AND(A, _) TENON_NAMED(_, A) ET_FORALL_FLOAT_TYPES(_)
#define ET_FORALL_REAL_TYPES_AND(A, _) TENON_NAMED(_, A) ET_FORALL_REAL_TYPES(_)
#define ET_FORALL_REAL_TYPES_AND2(A, B, _) TENON_NAMED(_, A) TENON_NAMED(_, B) ET_FORALL_REAL_TYPES(_)
#define ET_FORALL_REAL_TYPES_AND3(A, B, C, _) \
  TENON_NAMED(_, A) TENON_NAMED(_, B) TENON_NAMED(_, C) ET_FORALL_REAL_TYPES(_)
// With the first argument of each call given: _(A, C++ type, name).
#define ET_FORALL_INT_TYPES_WITH(A, _) \
  _(A, uint8_t, Byte) _(A, int8_t, Char) _(A, int16_t, Short) _(A, int32_t, Int) _(A, int64_t, Long)
#define ET_FORALL_FLOAT_TYPES_WITH(A, _) _(A, float, Float) _(A, double, Double)
#define ET_FORALL_REAL_TYPES_WITH(A, _) ET_FORALL_INT_TYPES_WITH(A, _) ET_FORALL_FLOAT_TYPES_WITH(A, _)
#define ET_FORALL_INT_TYPES_WITH2(A, B, _) \
  _(A, B, uint8_t, Byte) _(A, B, int8_t, Char) _(A, B, int16_t, Short) _(A, B, int32_t, Int) _(A, B, int64_t, Long)
#define ET_FORALL_FLOAT_TYPES_WITH2(A, B, _) _(A, B, float, Float) _(A, B, double, Double)
#define ET_FORALL_REAL_TYPES_WITH2(A, B, _) ET_FORALL_INT_TYPES_WITH2(A, B, _) ET_FORALL_FLOAT_TYPES_WITH2(A, B, _)

// --- switches: ET_SWITCH_<SET>_TYPES(dtype, context, "name.overload", alias, [&] { ... alias ... })
// ------------------------

#define ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ...)      \
  [&] {                                                   \
    const ::tenon::ScalarType tenon_type = TYPE;          \
    constexpr const char* tenon_name = NAME;              \
    switch (tenon_type) {                                 \
      __VA_ARGS__                                         \
      default: break;                                     \
    }                                                     \
    ::tenon::fail_dtype(CONTEXT, tenon_name, tenon_type); \
  }()
#define ET_INTERNAL_SWITCH_CASE(DTYPE, ALIAS, ...)             \
  case DTYPE:                                                  \
    if constexpr (TENON_IS_SELECTED(tenon_name, DTYPE)) {      \
      using ALIAS [[maybe_unused]] = ::tenon::cpp_type<DTYPE>; \
      return __VA_ARGS__();                                    \
    } else {                                                   \
      break;                                                   \
    }
#define TENON_CASE(NAME, ALIAS, ...) ET_INTERNAL_SWITCH_CASE(::tenon::ScalarType::NAME, ALIAS, __VA_ARGS__)

#define TENON_CASES_INT(ALIAS, ...)                                                                              \
  TENON_CASE(Byte, ALIAS, __VA_ARGS__)                                                                           \
  TENON_CASE(Char, ALIAS, __VA_ARGS__) TENON_CASE(Short, ALIAS, __VA_ARGS__) TENON_CASE(Int, ALIAS, __VA_ARGS__) \
      TENON_CASE(Long, ALIAS, __VA_ARGS__)
#define TENON_CASES_UINT(ALIAS, ...) \
  TENON_CASE(UInt16, ALIAS, __VA_ARGS__) TENON_CASE(UInt32, ALIAS, __VA_ARGS__) TENON_CASE(UInt64, ALIAS, __VA_ARGS__)
#define TENON_CASES_FLOAT(ALIAS, ...) TENON_CASE(Float, ALIAS, __VA_ARGS__) TENON_CASE(Double, ALIAS, __VA_ARGS__)
#define TENON_CASES_FLOATH(ALIAS, ...) TENON_CASES_FLOAT(ALIAS, __VA_ARGS__) TENON_CASE(Half, ALIAS, __VA_ARGS__)
#define TENON_CASES_FLOATHBF16(ALIAS, ...) \
  TENON_CASES_FLOATH(ALIAS, __VA_ARGS__) TENON_CASE(BFloat16, ALIAS, __VA_ARGS__)
#define TENON_CASES_REAL(ALIAS, ...) TENON_CASES_INT(ALIAS, __VA_ARGS__) TENON_CASES_FLOAT(ALIAS, __VA_ARGS__)
#define TENON_CASES_REALB(ALIAS, ...) TENON_CASES_REAL(ALIAS, __VA_ARGS__) TENON_CASE(Bool, ALIAS, __VA_ARGS__)
#define TENON_CASES_REALH(ALIAS, ...) TENON_CASES_REAL(ALIAS, __VA_ARGS__) TENON_CASE(Half, ALIAS, __VA_ARGS__)
#define TENON_CASES_REALHB(ALIAS, ...) TENON_CASES_REALH(ALIAS, __VA_ARGS__) TENON_CASE(Bool, ALIAS, __VA_ARGS__)
#define TENON_CASES_REALHBF16(ALIAS, ...) TENON_CASES_REALH(ALIAS, __VA_ARGS__) TENON_CASE(BFloat16, ALIAS, __VA_ARGS__)
#define TENON_CASES_REALHBBF16(ALIAS, ...) \
  TENON_CASES_REALHBF16(ALIAS, __VA_ARGS__) TENON_CASE(Bool, ALIAS, __VA_ARGS__)
#define TENON_CASES_COMPLEX(ALIAS, ...) \
  TENON_CASE(ComplexFloat, ALIAS, __VA_ARGS__) TENON_CASE(ComplexDouble, ALIAS, __VA_ARGS__)
#define TENON_CASES_COMPLEXH(ALIAS, ...) \
  TENON_CASES_COMPLEX(ALIAS, __VA_ARGS__) TENON_CASE(ComplexHalf, ALIAS, __VA_ARGS__)
#define TENON_CASES_QINT(ALIAS, ...)                                            \
  TENON_CASE(QInt8, ALIAS, __VA_ARGS__)                                         \
  TENON_CASE(QUInt8, ALIAS, __VA_ARGS__) TENON_CASE(QInt32, ALIAS, __VA_ARGS__) \
      TENON_CASE(QUInt4x2, ALIAS, __VA_ARGS__) TENON_CASE(QUInt2x4, ALIAS, __VA_ARGS__)
#define TENON_CASES_BITS(ALIAS, ...)                                              \
  TENON_CASE(Bits1x8, ALIAS, __VA_ARGS__)                                         \
  TENON_CASE(Bits2x4, ALIAS, __VA_ARGS__) TENON_CASE(Bits4x2, ALIAS, __VA_ARGS__) \
      TENON_CASE(Bits8, ALIAS, __VA_ARGS__) TENON_CASE(Bits16, ALIAS, __VA_ARGS__)

#define TENON_SWITCH(SET, T, CX, N, A, ...) ET_INTERNAL_SWITCH(T, CX, N, TENON_CASES_##SET(A, __VA_ARGS__))
#define ET_SWITCH_INT_TYPES(T, CX, N, A, ...) TENON_SWITCH(INT, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_FLOAT_TYPES(T, CX, N, A, ...) TENON_SWITCH(FLOAT, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_FLOATH_TYPES(T, CX, N, A, ...) TENON_SWITCH(FLOATH, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_FLOATHBF16_TYPES(T, CX, N, A, ...) TENON_SWITCH(FLOATHBF16, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REAL_TYPES(T, CX, N, A, ...) TENON_SWITCH(REAL, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REALB_TYPES(T, CX, N, A, ...) TENON_SWITCH(REALB, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REALH_TYPES(T, CX, N, A, ...) TENON_SWITCH(REALH, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REALHB_TYPES(T, CX, N, A, ...) TENON_SWITCH(REALHB, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REALHBF16_TYPES(T, CX, N, A, ...) TENON_SWITCH(REALHBF16, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REALHBBF16_TYPES(T, CX, N, A, ...) TENON_SWITCH(REALHBBF16, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REALHBBF16_AND_UINT_TYPES(T, CX, N, A, ...) \
  ET_INTERNAL_SWITCH(T, CX, N, TENON_CASES_REALHBBF16(A, __VA_ARGS__) TENON_CASES_UINT(A, __VA_ARGS__))
#define ET_SWITCH_COMPLEX_TYPES(T, CX, N, A, ...) TENON_SWITCH(COMPLEX, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_COMPLEXH_TYPES(T, CX, N, A, ...) TENON_SWITCH(COMPLEXH, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_QINT_TYPES(T, CX, N, A, ...) TENON_SWITCH(QINT, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_ALL_TYPES(T, CX, N, A, ...)                                                    \
  ET_INTERNAL_SWITCH(T, CX, N,                                                                   \
                     TENON_CASES_REALHBBF16(A, __VA_ARGS__) TENON_CASES_COMPLEXH(A, __VA_ARGS__) \
                         TENON_CASES_QINT(A, __VA_ARGS__) TENON_CASES_BITS(A, __VA_ARGS__))
#define ET_SWITCH_SCALAR_OBJ_TYPES(T, CX, N, A, ...) ET_SWITCH_THREE_TYPES(Bool, Long, Double, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_SCALAR_OBJ_REAL_TYPES(T, CX, N, A, ...) ET_SWITCH_TWO_TYPES(Long, Double, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_SCALAR_OBJ_INTB_TYPES(T, CX, N, A, ...) ET_SWITCH_TWO_TYPES(Bool, Long, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_SCALAR_OBJ_FLOATB_TYPES(T, CX, N, A, ...) ET_SWITCH_TWO_TYPES(Bool, Double, T, CX, N, A, __VA_ARGS__)

// With more dtypes, which are named first.
#define TENON_SWITCH_AND(SET, X, T, CX, N, A, ...) \
  ET_INTERNAL_SWITCH(T, CX, N, TENON_CASE(X, A, __VA_ARGS__) TENON_CASES_##SET(A, __VA_ARGS__))
#define TENON_SWITCH_AND2(SET, X, Y, T, CX, N, A, ...) \
  ET_INTERNAL_SWITCH(T, CX, N,                         \
                     TENON_CASE(X, A, __VA_ARGS__) TENON_CASE(Y, A, __VA_ARGS__) TENON_CASES_##SET(A, __VA_ARGS__))
#define TENON_SWITCH_AND3(SET, X, Y, Z, T, CX, N, A, ...)                                                      \
  ET_INTERNAL_SWITCH(T, CX, N,                                                                                 \
                     TENON_CASE(X, A, __VA_ARGS__) TENON_CASE(Y, A, __VA_ARGS__) TENON_CASE(Z, A, __VA_ARGS__) \
                         TENON_CASES_##SET(A, __VA_ARGS__))
#define ET_SWITCH_INT_TYPES_AND(X, T, CX, N, A, ...) TENON_SWITCH_AND(INT, X, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REAL_TYPES_AND(X, T, CX, N, A, ...) TENON_SWITCH_AND(REAL, X, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REAL_TYPES_AND2(X, Y, T, CX, N, A, ...) TENON_SWITCH_AND2(REAL, X, Y, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REAL_TYPES_AND3(X, Y, Z, T, CX, N, A, ...) TENON_SWITCH_AND3(REAL, X, Y, Z, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REALH_TYPES_AND(X, T, CX, N, A, ...) TENON_SWITCH_AND(REALH, X, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REALHBF16_TYPES_AND(X, T, CX, N, A, ...) TENON_SWITCH_AND(REALHBF16, X, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_REALHBBF16_TYPES_AND(X, T, CX, N, A, ...) TENON_SWITCH_AND(REALHBBF16, X, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_FLOAT_TYPES_AND(X, T, CX, N, A, ...) TENON_SWITCH_AND(FLOAT, X, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_FLOAT_TYPES_AND2(X, Y, T, CX, N, A, ...) TENON_SWITCH_AND2(FLOAT, X, Y, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_FLOAT_TYPES_AND3(X, Y, Z, T, CX, N, A, ...) \
  TENON_SWITCH_AND3(FLOAT, X, Y, Z, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_FLOATHBF16_TYPES_AND(X, T, CX, N, A, ...) TENON_SWITCH_AND(FLOATHBF16, X, T, CX, N, A, __VA_ARGS__)
#define ET_SWITCH_TWO_TYPES(X, Y, T, CX, N, A, ...) \
  ET_INTERNAL_SWITCH(T, CX, N, TENON_CASE(X, A, __VA_ARGS__) TENON_CASE(Y, A, __VA_ARGS__))
#define ET_SWITCH_THREE_TYPES(X, Y, Z, T, CX, N, A, ...) \
  ET_INTERNAL_SWITCH(T, CX, N,                           \
                     TENON_CASE(X, A, __VA_ARGS__) TENON_CASE(Y, A, __VA_ARGS__) TENON_CASE(Z, A, __VA_ARGS__))
#define ET_SWITCH_FOUR_TYPES(W, X, Y, Z, T, CX, N, A, ...)                                                     \
  ET_INTERNAL_SWITCH(T, CX, N,                                                                                 \
                     TENON_CASE(W, A, __VA_ARGS__) TENON_CASE(X, A, __VA_ARGS__) TENON_CASE(Y, A, __VA_ARGS__) \
                         TENON_CASE(Z, A, __VA_ARGS__))

#define ET_DEFINE_OPERATOR_NAME(variable, name) static constexpr const char variable[] = name
