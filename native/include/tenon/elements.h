// Element types that C++ has not: two of 16 bits that compute as float, and those that are only stored.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>

namespace tenon {

namespace bits {

inline uint32_t of(float value) {
  uint32_t found;
  std::memcpy(&found, &value, sizeof found);
  return found;
}
inline float to_float(uint32_t value) {
  float found;
  std::memcpy(&found, &value, sizeof found);
  return found;
}

// Rounds to nearest, ties to even, as torch does.
inline uint16_t half_of(float value) {
  const uint32_t whole = of(value), sign = whole >> 16 & 0x8000, rest = whole & 0x7fffffff;
  if (rest > 0x7f800000) return static_cast<uint16_t>(sign | 0x7e00);
  if (rest >= 0x47800000) return static_cast<uint16_t>(sign | 0x7c00);
  // Below the smallest normal number: adding 0.5 lets the float unit round at the last bit of a subnormal half.
  if (rest < 0x38800000) return static_cast<uint16_t>(sign | (of(to_float(rest) + 0.5f) - 0x3f000000));
  return static_cast<uint16_t>(sign | ((rest - 0x38000000 + 0xfff + (rest >> 13 & 1)) >> 13));
}
inline float half_to_float(uint16_t value) {
  const uint32_t sign = static_cast<uint32_t>(value & 0x8000) << 16, rest = value & 0x7fff;
  if (rest >= 0x7c00) return to_float(sign | 0x7f800000 | rest << 13);
  if (rest >= 0x0400) return to_float(sign | ((rest << 13) + 0x38000000));
  return to_float(sign | of(static_cast<float>(rest) * 0x1p-24f));
}
inline uint16_t bfloat16_of(float value) {
  const uint32_t whole = of(value);
  if ((whole & 0x7fffffff) > 0x7f800000) return 0x7fc0;
  return static_cast<uint16_t>((whole + 0x7fff + (whole >> 16 & 1)) >> 16);
}

}  // namespace bits

struct alignas(2) Half {
  uint16_t x;
  struct from_bits_t {};
  static constexpr from_bits_t from_bits() { return {}; }

  Half() = default;
  constexpr Half(uint16_t bits, from_bits_t) : x(bits) {}
  Half(float value) : x(bits::half_of(value)) {}
  operator float() const { return bits::half_to_float(x); }
};

struct alignas(2) BFloat16 {
  uint16_t x;
  struct from_bits_t {};
  static constexpr from_bits_t from_bits() { return {}; }

  BFloat16() = default;
  constexpr BFloat16(uint16_t bits, from_bits_t) : x(bits) {}
  BFloat16(float value) : x(bits::bfloat16_of(value)) {}
  operator float() const { return bits::to_float(static_cast<uint32_t>(x) << 16); }
};

// A result of two 16-bit numbers is one too; mixed with another type it is what float gives.
#define TENON_OPERATOR(T, op)                                                                  \
  inline T operator op(T a, T b) { return T(static_cast<float>(a) op static_cast<float>(b)); } \
  inline T& operator op## = (T & a, T b) { return a = a op b; }
#define TENON_OPERATORS(T) \
  TENON_OPERATOR(T, +)     \
  TENON_OPERATOR(T, -)     \
  TENON_OPERATOR(T, *)     \
  TENON_OPERATOR(T, /)     \
  inline T operator-(T a) { return T(-static_cast<float>(a)); }
TENON_OPERATORS(Half)
TENON_OPERATORS(BFloat16)
#undef TENON_OPERATORS
#undef TENON_OPERATOR

template <class T>
using complex = std::complex<T>;

// Quantised numbers and packed bits: the runtime moves them, only kernels made for them know what they mean.
#define TENON_STORED(name, storage)                 \
  struct alignas(alignof(storage)) name {           \
    using underlying = storage;                     \
    storage val_;                                   \
    name() = default;                               \
    explicit constexpr name(storage v) : val_(v) {} \
  }
TENON_STORED(qint8, int8_t);
TENON_STORED(quint8, uint8_t);
TENON_STORED(qint32, int32_t);
TENON_STORED(quint4x2, uint8_t);
TENON_STORED(quint2x4, uint8_t);
TENON_STORED(bits1x8, uint8_t);
TENON_STORED(bits2x4, uint8_t);
TENON_STORED(bits4x2, uint8_t);
TENON_STORED(bits8, uint8_t);
TENON_STORED(bits16, uint16_t);
TENON_STORED(Float8_e5m2, uint8_t);
TENON_STORED(Float8_e4m3fn, uint8_t);
TENON_STORED(Float8_e5m2fnuz, uint8_t);
TENON_STORED(Float8_e4m3fnuz, uint8_t);
#undef TENON_STORED

}  // namespace tenon

#define TENON_LIMITS(T, smallest, largest, step, infinite, digits_, exponent)                             \
  template <>                                                                                             \
  class std::numeric_limits<tenon::T> {                                                                   \
   public:                                                                                                \
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;  \
    static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = true, is_bounded = true; \
    static constexpr int digits = digits_, radix = 2, max_exponent = exponent;                            \
    static constexpr tenon::T make(uint16_t bits) { return tenon::T(bits, tenon::T::from_bits()); }       \
    static constexpr tenon::T lowest() { return make(0x8000 | largest); }                                 \
    static constexpr tenon::T max() { return make(largest); }                                             \
    static constexpr tenon::T min() { return make(smallest); }                                            \
    static constexpr tenon::T epsilon() { return make(step); }                                            \
    static constexpr tenon::T denorm_min() { return make(1); }                                            \
    static constexpr tenon::T infinity() { return make(infinite); }                                       \
    static constexpr tenon::T quiet_NaN() { return make(infinite | 1 << (digits_ - 2)); }                 \
  }
TENON_LIMITS(Half, 0x0400, 0x7bff, 0x1400, 0x7c00, 11, 16);
TENON_LIMITS(BFloat16, 0x0080, 0x7f7f, 0x3c00, 0x7f80, 8, 128);
#undef TENON_LIMITS
