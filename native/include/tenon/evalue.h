// A value of a program: whatever an operator can take or give, with a tag that says what it is.
#pragma once

#include <optional>
#include <string_view>

#include "scalar.h"
#include "tensor.h"

namespace tenon {

// Every tag, and its words.
#define TENON_TAGS(X)                \
  X(None, "nothing")                 \
  X(Tensor, "a tensor")              \
  X(String, "a string")              \
  X(Double, "a float")               \
  X(Int, "an int")                   \
  X(Bool, "a bool")                  \
  X(ListBool, "a list of bools")     \
  X(ListDouble, "a list of floats")  \
  X(ListInt, "a list of ints")       \
  X(ListTensor, "a list of tensors") \
  X(ListScalar, "a list of numbers") \
  X(ListOptionalTensor, "a list of optional tensors")

enum class Tag : uint32_t {
#define X(name, words) name,
  TENON_TAGS(X)
#undef X
};
[[gnu::const]] const char* tag_words(Tag tag);

struct EValue;

// A list whose items are values of the program, which may change from call to call: they are read again by each get().
template <class T>
class BoxedEvalueList {
 public:
  BoxedEvalueList() = default;
  // `unwrapped` has room for as many. An item that is null is none, in a list of optional tensors.
  BoxedEvalueList(EValue** wrapped, T* unwrapped, size_t size)
      : wrapped_(wrapped), unwrapped_(unwrapped), size_(size) {}

  size_t size() const { return size_; }
  EValue* item(size_t i) const { return wrapped_[i]; }
  // False if an item is not of the kind of this list.
  bool try_get(ArrayRef<T>& items) const;
  ArrayRef<T> get() const;

 private:
  EValue** wrapped_ = nullptr;
  T* unwrapped_ = nullptr;
  size_t size_ = 0;
};

struct EValue {
  union Payload {
    int64_t as_int;
    double as_double;
    bool as_bool;
    TensorImpl* as_tensor;
    const void* as_items;  // of a string, or of a list of bools or floats
    const BoxedEvalueList<int64_t>* as_int_list;
    const BoxedEvalueList<Tensor>* as_tensor_list;
    const BoxedEvalueList<std::optional<Tensor>>* as_optional_tensor_list;
  };

  Payload payload;
  uint32_t count;  // of the items at as_items
  Tag tag;

  EValue() : count(0), tag(Tag::None) { payload.as_int = 0; }
  EValue(int64_t value) : count(0), tag(Tag::Int) { payload.as_int = value; }
  template <class T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, bool> = true>
  EValue(T value) : EValue(static_cast<int64_t>(value)) {}
  EValue(double value) : count(0), tag(Tag::Double) { payload.as_double = value; }
  EValue(bool value) : count(0), tag(Tag::Bool) { payload.as_bool = value; }
  EValue(Tensor value) : count(0), tag(Tag::Tensor) { payload.as_tensor = value.unsafeGetTensorImpl(); }
  EValue(Scalar value);
  EValue(const char* text, size_t size) : EValue(Tag::String, text, size) {}
  EValue(std::string_view text) : EValue(Tag::String, text.data(), text.size()) {}
  EValue(ArrayRef<bool> items) : EValue(Tag::ListBool, items.data(), items.size()) {}
  EValue(ArrayRef<double> items) : EValue(Tag::ListDouble, items.data(), items.size()) {}
  EValue(const BoxedEvalueList<int64_t>* items) : count(0), tag(Tag::ListInt) { payload.as_int_list = items; }
  EValue(const BoxedEvalueList<Tensor>* items) : count(0), tag(Tag::ListTensor) { payload.as_tensor_list = items; }
  EValue(const BoxedEvalueList<std::optional<Tensor>>* items) : count(0), tag(Tag::ListOptionalTensor) {
    payload.as_optional_tensor_list = items;
  }

  bool isNone() const { return tag == Tag::None; }
  bool isTensor() const { return tag == Tag::Tensor; }
  bool isString() const { return tag == Tag::String; }
  bool isDouble() const { return tag == Tag::Double; }
  bool isInt() const { return tag == Tag::Int; }
  bool isBool() const { return tag == Tag::Bool; }
  bool isScalar() const { return isInt() || isDouble() || isBool(); }
  bool isBoolList() const { return tag == Tag::ListBool; }
  bool isDoubleList() const { return tag == Tag::ListDouble; }
  bool isIntList() const { return tag == Tag::ListInt; }
  bool isTensorList() const { return tag == Tag::ListTensor; }
  bool isListOptionalTensor() const { return tag == Tag::ListOptionalTensor; }

  // These end the program if the tag is another. Where it is not known, ask first or take it with `take` of boxed.h.
  Tensor toTensor() const { return need(Tag::Tensor), Tensor(payload.as_tensor); }
  std::string_view toString() const {
    return need(Tag::String), std::string_view(static_cast<const char*>(payload.as_items), count);
  }
  double toDouble() const { return need(Tag::Double), payload.as_double; }
  int64_t toInt() const { return need(Tag::Int), payload.as_int; }
  bool toBool() const { return need(Tag::Bool), payload.as_bool; }
  Scalar toScalar() const;
  ScalarType toScalarType() const { return static_cast<ScalarType>(toInt()); }
  MemoryFormat toMemoryFormat() const { return static_cast<MemoryFormat>(toInt()); }
  Layout toLayout() const { return static_cast<Layout>(toInt()); }
  Device toDevice() const { return Device(static_cast<DeviceType>(toInt()), -1); }
  ArrayRef<bool> toBoolList() const {
    return need(Tag::ListBool), ArrayRef<bool>(static_cast<const bool*>(payload.as_items), count);
  }
  ArrayRef<double> toDoubleList() const {
    return need(Tag::ListDouble), ArrayRef<double>(static_cast<const double*>(payload.as_items), count);
  }
  ArrayRef<int64_t> toIntList() const { return need(Tag::ListInt), payload.as_int_list->get(); }
  ArrayRef<Tensor> toTensorList() const { return need(Tag::ListTensor), payload.as_tensor_list->get(); }
  ArrayRef<std::optional<Tensor>> toListOptionalTensor() const {
    return need(Tag::ListOptionalTensor), payload.as_optional_tensor_list->get();
  }

  template <class T>
  T to() const;
  template <class T>
  std::optional<T> toOptional() const {
    if (isNone()) return std::nullopt;
    return to<T>();
  }

  Result<Tensor> tryToTensor() const { return attempt<Tensor>(Tag::Tensor); }
  Result<double> tryToDouble() const { return attempt<double>(Tag::Double); }
  Result<int64_t> tryToInt() const { return attempt<int64_t>(Tag::Int); }
  Result<bool> tryToBool() const { return attempt<bool>(Tag::Bool); }
  Result<std::string_view> tryToString() const { return attempt<std::string_view>(Tag::String); }
  Result<Scalar> tryToScalar() const;

 private:
  EValue(Tag kind, const void* items, size_t size) : count(static_cast<uint32_t>(size)), tag(kind) {
    payload.as_items = items;
  }
  void need(Tag wanted) const {
    if (tag != wanted) wrong(wanted);
  }
  [[noreturn]] void wrong(Tag wanted) const;
  template <class T>
  Result<T> attempt(Tag wanted) const {
    if (tag != wanted) return Error::InvalidType;
    return to<T>();
  }
};
static_assert(sizeof(EValue) == 16);

#define TENON_TO(T, getter)        \
  template <>                      \
  inline T EValue::to<T>() const { \
    return getter();               \
  }
TENON_TO(Tensor, toTensor)
TENON_TO(std::string_view, toString)
TENON_TO(double, toDouble)
TENON_TO(int64_t, toInt)
TENON_TO(bool, toBool)
TENON_TO(Scalar, toScalar)
TENON_TO(ScalarType, toScalarType)
TENON_TO(MemoryFormat, toMemoryFormat)
TENON_TO(Layout, toLayout)
TENON_TO(Device, toDevice)
TENON_TO(ArrayRef<bool>, toBoolList)
TENON_TO(ArrayRef<double>, toDoubleList)
TENON_TO(ArrayRef<int64_t>, toIntList)
TENON_TO(ArrayRef<Tensor>, toTensorList)
TENON_TO(ArrayRef<std::optional<Tensor>>, toListOptionalTensor)
#undef TENON_TO

}  // namespace tenon
