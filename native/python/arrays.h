// Arrays of Python as tensors and back, and errors as exceptions.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <tenon/registry.h>

#include <string>
#include <vector>

namespace tenon {

namespace nb = nanobind;
using Array = nb::ndarray<>;

// Raises tenon.Invalid or tenon.Unsupported.
[[noreturn]] void raise(const char* kind, const std::string& text);
void check(Error error, const Message& why);

// A tensor over an array of Python's, for the time of one call.
struct Viewed {
  Array array;
  std::vector<SizesType> sizes;
  std::vector<StridesType> strides;
  std::vector<DimOrderType> order;
  TensorImpl impl;

  Viewed(Array from, const std::string& who);
};

// A value as Python has it. A tensor is copied, so that it stays when the method runs again; numpy has no bfloat16: there
// it is float32, which holds the same.
nb::object object_of(const EValue& value, bool torch);

// Tenon's own kernels.
Registry& kernels();

}  // namespace tenon
