// A number of any kind, as a `Scalar` argument holds it: an int, a double or a bool.
#pragma once

#include "dtype.h"

namespace tenon {

class Scalar {
 public:
  Scalar() : Scalar(static_cast<int64_t>(0)) {}
  template <class T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, bool> = true>
  Scalar(T value) : kind_(Kind::whole) {
    value_.whole = static_cast<int64_t>(value);
  }
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0>
  Scalar(T value) : kind_(Kind::truth) {
    value_.whole = value;
  }
  Scalar(double value) : kind_(Kind::real) { value_.real = value; }
  Scalar(float value) : Scalar(static_cast<double>(value)) {}
  Scalar(Half value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
  Scalar(BFloat16 value) : Scalar(static_cast<double>(static_cast<float>(value))) {}

  bool isBoolean() const { return kind_ == Kind::truth; }
  bool isFloatingPoint() const { return kind_ == Kind::real; }
  bool isIntegral(bool with_bool) const { return kind_ == Kind::whole || (with_bool && kind_ == Kind::truth); }
  ScalarType dtype() const {  // the dtype it has in torch
    return isBoolean() ? ScalarType::Bool : isFloatingPoint() ? ScalarType::Double : ScalarType::Long;
  }

  // As any type of number; none is refused.
  template <class T>
  T to() const {
    return kind_ == Kind::real ? convert<T>(value_.real) : convert<T>(value_.whole);
  }

 private:
  enum class Kind : uint8_t { whole, real, truth };

  union {
    int64_t whole;
    double real;
  } value_;
  Kind kind_;
};

}  // namespace tenon
