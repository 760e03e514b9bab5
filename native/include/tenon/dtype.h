// Dtypes: one list of them, and what follows from it (codes, sizes, names, C++ types, sets, promotion).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "elements.h"

namespace tenon {

// code in a file, name, C++ type, torch's name
#define TENON_DTYPES(X)                                               \
  X(0, Byte, uint8_t, "uint8")                                        \
  X(1, Char, int8_t, "int8")                                          \
  X(2, Short, int16_t, "int16")                                       \
  X(3, Int, int32_t, "int32")                                         \
  X(4, Long, int64_t, "int64")                                        \
  X(5, Half, ::tenon::Half, "float16")                                \
  X(6, Float, float, "float32")                                       \
  X(7, Double, double, "float64")                                     \
  X(8, ComplexHalf, ::tenon::complex<::tenon::Half>, "complex32")     \
  X(9, ComplexFloat, ::tenon::complex<float>, "complex64")            \
  X(10, ComplexDouble, ::tenon::complex<double>, "complex128")        \
  X(11, Bool, bool, "bool")                                           \
  X(12, QInt8, ::tenon::qint8, "qint8")                               \
  X(13, QUInt8, ::tenon::quint8, "quint8")                            \
  X(14, QInt32, ::tenon::qint32, "qint32")                            \
  X(15, BFloat16, ::tenon::BFloat16, "bfloat16")                      \
  X(16, QUInt4x2, ::tenon::quint4x2, "quint4x2")                      \
  X(17, QUInt2x4, ::tenon::quint2x4, "quint2x4")                      \
  X(18, Bits1x8, ::tenon::bits1x8, "bits1x8")                         \
  X(19, Bits2x4, ::tenon::bits2x4, "bits2x4")                         \
  X(20, Bits4x2, ::tenon::bits4x2, "bits4x2")                         \
  X(21, Bits8, ::tenon::bits8, "bits8")                               \
  X(22, Bits16, ::tenon::bits16, "bits16")                            \
  X(23, Float8_e5m2, ::tenon::Float8_e5m2, "float8_e5m2")             \
  X(24, Float8_e4m3fn, ::tenon::Float8_e4m3fn, "float8_e4m3fn")       \
  X(25, Float8_e5m2fnuz, ::tenon::Float8_e5m2fnuz, "float8_e5m2fnuz") \
  X(26, Float8_e4m3fnuz, ::tenon::Float8_e4m3fnuz, "float8_e4m3fnuz") \
  X(27, UInt16, uint16_t, "uint16")                                   \
  X(28, UInt32, uint32_t, "uint32")                                   \
  X(29, UInt64, uint64_t, "uint64")

enum class ScalarType : int8_t {
#define X(code, name, type, words) name = code,
  TENON_DTYPES(X)
#undef X
      Undefined,
  NumOptions,
};

inline constexpr uint8_t dtype_bytes[] = {
#define X(code, name, type, words) sizeof(type),
    TENON_DTYPES(X)
#undef X
};

constexpr bool isValid(ScalarType type) { return static_cast<uint8_t>(type) < sizeof dtype_bytes; }
constexpr size_t elementSize(ScalarType type) { return isValid(type) ? dtype_bytes[static_cast<uint8_t>(type)] : 0; }

[[gnu::const]] const char* toString(ScalarType type);    // "Float": how C++ writes it
[[gnu::const]] const char* dtype_name(ScalarType type);  // "float32": how people know it

// --- C++ types ------------------------------------------------------------------------------------------------

template <ScalarType type>
struct ScalarTypeToCppType;
template <class T>
struct CppTypeToScalarType;
#define X(code, name, cpp, words)                \
  template <>                                    \
  struct ScalarTypeToCppType<ScalarType::name> { \
    using type = cpp;                            \
  };                                             \
  template <>                                    \
  struct CppTypeToScalarType<cpp> : std::integral_constant<ScalarType, ScalarType::name> {};
TENON_DTYPES(X)
#undef X
template <ScalarType type>
using cpp_type = typename ScalarTypeToCppType<type>::type;
template <class T>
inline constexpr ScalarType dtype_of = CppTypeToScalarType<T>::value;

// --- sets: a bit per dtype ------------------------------------------------------------------------------------

using DTypeSet = uint32_t;
template <class... Types>
constexpr DTypeSet dtypes(Types... types) {
  return ((1u << static_cast<unsigned>(types)) | ... | 0u);
}
constexpr bool contains(DTypeSet set, ScalarType type) {
  return isValid(type) && (set >> static_cast<unsigned>(type) & 1);
}

inline constexpr DTypeSet int_dtypes =
    dtypes(ScalarType::Byte, ScalarType::Char, ScalarType::Short, ScalarType::Int, ScalarType::Long);
inline constexpr DTypeSet uint_dtypes = dtypes(ScalarType::UInt16, ScalarType::UInt32, ScalarType::UInt64);
inline constexpr DTypeSet float_dtypes = dtypes(ScalarType::Float, ScalarType::Double);
inline constexpr DTypeSet half_dtypes = dtypes(ScalarType::Half, ScalarType::BFloat16);
inline constexpr DTypeSet float8_dtypes = dtypes(ScalarType::Float8_e5m2, ScalarType::Float8_e4m3fn,
                                                 ScalarType::Float8_e5m2fnuz, ScalarType::Float8_e4m3fnuz);
inline constexpr DTypeSet bool_dtypes = dtypes(ScalarType::Bool);
inline constexpr DTypeSet complex_dtypes =
    dtypes(ScalarType::ComplexHalf, ScalarType::ComplexFloat, ScalarType::ComplexDouble);
inline constexpr DTypeSet quantised_dtypes =
    dtypes(ScalarType::QInt8, ScalarType::QUInt8, ScalarType::QInt32, ScalarType::QUInt4x2, ScalarType::QUInt2x4);
inline constexpr DTypeSet bits_dtypes =
    dtypes(ScalarType::Bits1x8, ScalarType::Bits2x4, ScalarType::Bits4x2, ScalarType::Bits8, ScalarType::Bits16);
inline constexpr DTypeSet real_dtypes = int_dtypes | float_dtypes;

constexpr bool isIntegralType(ScalarType type, bool with_bool) {
  return contains(int_dtypes | uint_dtypes | (with_bool ? bool_dtypes : 0), type);
}
constexpr bool isFloatingType(ScalarType type) { return contains(float_dtypes | half_dtypes | float8_dtypes, type); }
constexpr bool isRealType(ScalarType type) { return contains(real_dtypes, type); }
constexpr bool isRealHType(ScalarType type) { return contains(real_dtypes | dtypes(ScalarType::Half), type); }
constexpr bool isRealHBType(ScalarType type) {
  return contains(real_dtypes | dtypes(ScalarType::Half, ScalarType::Bool), type);
}
constexpr bool isRealHBF16Type(ScalarType type) { return contains(real_dtypes | half_dtypes, type); }
constexpr bool isRealHBBF16Type(ScalarType type) { return contains(real_dtypes | half_dtypes | bool_dtypes, type); }
constexpr bool isComplexType(ScalarType type) { return contains(complex_dtypes, type); }
constexpr bool isBitsType(ScalarType type) { return contains(bits_dtypes, type); }
constexpr bool isQIntType(ScalarType type) { return contains(quantised_dtypes, type); }

// --- from one dtype to another --------------------------------------------------------------------------------

constexpr ScalarType toRealValueType(ScalarType type) {
  return type == ScalarType::ComplexHalf     ? ScalarType::Half
         : type == ScalarType::ComplexFloat  ? ScalarType::Float
         : type == ScalarType::ComplexDouble ? ScalarType::Double
                                             : type;
}
constexpr ScalarType toComplexType(ScalarType type) {
  return type == ScalarType::Half || type == ScalarType::ComplexHalf       ? ScalarType::ComplexHalf
         : type == ScalarType::Double || type == ScalarType::ComplexDouble ? ScalarType::ComplexDouble
                                                                           : ScalarType::ComplexFloat;
}

// Whether a result of dtype `from` may be stored as `to`: not a complex as a real, a float as an int, an int as a bool.
constexpr bool canCast(ScalarType from, ScalarType to) {
  if (isComplexType(from) && !isComplexType(to)) return false;
  if (isFloatingType(from) && isIntegralType(to, false)) return false;
  return to != ScalarType::Bool || from == ScalarType::Bool;
}
template <class From, class To>
inline constexpr bool can_cast_v = canCast(dtype_of<From>, dtype_of<To>);
template <class From, class To>
struct can_cast : std::bool_constant<can_cast_v<From, To>> {};

// The dtype of a result of both, by torch's rules; Undefined if there is none.
constexpr ScalarType promoteTypes(ScalarType a, ScalarType b, bool half_to_float = false) {
  if (half_to_float && contains(half_dtypes, a)) a = ScalarType::Float;
  if (half_to_float && contains(half_dtypes, b)) b = ScalarType::Float;
  if (a == b) return a;
  constexpr DTypeSet numbers = int_dtypes | uint_dtypes | float_dtypes | half_dtypes | bool_dtypes | complex_dtypes;
  if (!contains(numbers, a) || !contains(numbers, b)) return ScalarType::Undefined;
  if (isComplexType(a) || isComplexType(b)) {
    // A whole number takes on the precision of the other; torch has no rule for the wider unsigned ones.
    const ScalarType other = isComplexType(a) ? b : a;
    if (contains(uint_dtypes, other)) return ScalarType::Undefined;
    const ScalarType whole = isComplexType(a) ? a : b;
    const ScalarType real = isComplexType(other) || isFloatingType(other)
                                ? promoteTypes(toRealValueType(whole), toRealValueType(other))
                                : toRealValueType(whole);
    return toComplexType(real);
  }
  if (isFloatingType(a) || isFloatingType(b)) {
    if (!isFloatingType(b)) return a;
    if (!isFloatingType(a)) return b;
    if (contains(half_dtypes, a) && contains(half_dtypes, b)) return ScalarType::Float;
    return elementSize(a) > elementSize(b) ? a : b;
  }
  if (contains(uint_dtypes, a) || contains(uint_dtypes, b)) return ScalarType::Undefined;
  if (a == ScalarType::Bool) return b;
  if (b == ScalarType::Bool) return a;
  if (a == ScalarType::Byte || b == ScalarType::Byte) {
    const ScalarType other = a == ScalarType::Byte ? b : a;
    return other == ScalarType::Char ? ScalarType::Short : other;
  }
  return elementSize(a) > elementSize(b) ? a : b;
}
template <class A, class B, bool half_to_float = false>
struct promote_types {
  using type = cpp_type<promoteTypes(dtype_of<A>, dtype_of<B>, half_to_float)>;
};

// A number as another type. Where C++ leaves it open (a float that does not fit an int), it is still some number.
template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return static_cast<bool>(value != From(0));
  } else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
    const double wide = static_cast<double>(value);
    if (!(wide >= -9223372036854775808.0)) return static_cast<To>(INT64_MIN);
    if (wide >= 9223372036854775808.0) {
      return static_cast<To>(wide < 18446744073709551616.0 ? static_cast<uint64_t>(wide)
                                                           : static_cast<uint64_t>(INT64_MIN));
    }
    return static_cast<To>(static_cast<int64_t>(wide));
  } else if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>) {
    return To(static_cast<float>(value));
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace tenon
