#include "arrays.h"

#include <cstdint>
#include <cstring>

namespace tenon {

extern KernelTable tenon_kernels;

[[noreturn]] void raise(const char* kind, const std::string& text) {
  nb::object cls = nb::module_::import_("tenon.errors").attr(kind);
  PyErr_SetString(cls.ptr(), text.c_str());
  throw nb::python_error();
}

void check(Error error, const Message& why) {
  if (error == Error::Ok) return;
  raise(error == Error::OperatorMissing || error == Error::NotSupported ? "Unsupported" : "Invalid", why.text);
}

namespace {

bool scalar_type_of(nb::dlpack::dtype type, ScalarType& found) {
  using Code = nb::dlpack::dtype_code;
  const auto is = [&](Code code, int bits) { return type.code == static_cast<uint8_t>(code) && type.bits == bits; };
  if (type.lanes != 1) return false;
  if (is(Code::Bool, 8)) return found = ScalarType::Bool, true;
  if (is(Code::UInt, 8)) return found = ScalarType::Byte, true;
  if (is(Code::UInt, 16)) return found = ScalarType::UInt16, true;
  if (is(Code::UInt, 32)) return found = ScalarType::UInt32, true;
  if (is(Code::UInt, 64)) return found = ScalarType::UInt64, true;
  if (is(Code::Int, 8)) return found = ScalarType::Char, true;
  if (is(Code::Int, 16)) return found = ScalarType::Short, true;
  if (is(Code::Int, 32)) return found = ScalarType::Int, true;
  if (is(Code::Int, 64)) return found = ScalarType::Long, true;
  if (is(Code::Float, 16)) return found = ScalarType::Half, true;
  if (is(Code::Float, 32)) return found = ScalarType::Float, true;
  if (is(Code::Float, 64)) return found = ScalarType::Double, true;
  if (is(Code::Bfloat, 16)) return found = ScalarType::BFloat16, true;
  if (is(Code::Complex, 64)) return found = ScalarType::ComplexFloat, true;
  if (is(Code::Complex, 128)) return found = ScalarType::ComplexDouble, true;
  return false;
}

nb::dlpack::dtype dlpack_of(ScalarType type) {
  using Code = nb::dlpack::dtype_code;
  const auto make = [&](Code code) {
    return nb::dlpack::dtype{static_cast<uint8_t>(code), static_cast<uint8_t>(8 * elementSize(type)), 1};
  };
  switch (type) {
    case ScalarType::Bool: return make(Code::Bool);
    case ScalarType::Byte: case ScalarType::UInt16: case ScalarType::UInt32: case ScalarType::UInt64:
      return make(Code::UInt);
    case ScalarType::Char: case ScalarType::Short: case ScalarType::Int: case ScalarType::Long:
      return make(Code::Int);
    case ScalarType::Half: case ScalarType::Float: case ScalarType::Double: return make(Code::Float);
    case ScalarType::BFloat16: return make(Code::Bfloat);
    case ScalarType::ComplexFloat: case ScalarType::ComplexDouble: return make(Code::Complex);
    default: raise("Unsupported", std::string("Python has no arrays of ") + toString(type) + ".");
  }
}

nb::object array_of(Tensor tensor, bool torch) {
  const bool widen = !torch && tensor.scalar_type() == ScalarType::BFloat16;
  const size_t count = static_cast<size_t>(tensor.numel());
  const size_t bytes = widen ? count * sizeof(float) : tensor.nbytes();
  uint8_t* data = new uint8_t[bytes ? bytes : 1];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<uint8_t*>(p); });
  if (widen) {
    for (size_t i = 0; i < count; ++i) {
      const float element = tensor.const_data_ptr<BFloat16>()[i];
      std::memcpy(data + i * sizeof element, &element, sizeof element);
    }
  } else if (bytes) {
    std::memcpy(data, tensor.const_data_ptr(), bytes);
  }
  std::vector<size_t> shape(tensor.sizes().begin(), tensor.sizes().end());
  std::vector<int64_t> strides(tensor.strides().begin(), tensor.strides().end());
  const nb::dlpack::dtype type = dlpack_of(widen ? ScalarType::Float : tensor.scalar_type());
  if (torch) {
    return nb::cast(
        nb::ndarray<nb::pytorch>(data, shape.size(), shape.data(), owner, strides.data(), type));
  }
  return nb::cast(nb::ndarray<nb::numpy>(data, shape.size(), shape.data(), owner, strides.data(), type));
}

}  // namespace

Viewed::Viewed(Array from, const std::string& who) : array(std::move(from)) {
  ScalarType type;
  if (!scalar_type_of(array.dtype(), type)) raise("Invalid", who + " has a dtype that programs do not have.");
  if (array.device_type() != nb::device::cpu::value) raise("Invalid", who + " is not in the memory of the CPU.");
  const size_t dim = array.ndim();
  for (size_t d = 0; d < dim; ++d) {
    if (array.shape(d) > INT32_MAX || array.stride(d) > INT32_MAX || array.stride(d) < INT32_MIN) {
      raise("Invalid", who + " is too large for a program.");
    }
    sizes.push_back(static_cast<SizesType>(array.shape(d)));
    strides.push_back(static_cast<StridesType>(array.stride(d)));
    order.push_back(static_cast<DimOrderType>(d));
  }
  (void)stride_to_dim_order(strides.data(), dim, order.data());
  impl = TensorImpl(type, static_cast<ptrdiff_t>(dim), sizes.data(), array.data(), order.data(), strides.data());
}

nb::object object_of(const EValue& value, bool torch) {
  if (value.isNone()) return nb::none();
  if (value.isBool()) return nb::cast(value.toBool());
  if (value.isInt()) return nb::cast(value.toInt());
  if (value.isDouble()) return nb::cast(value.toDouble());
  if (value.isString()) return nb::cast(std::string(value.toString()));
  if (!value.isTensor()) raise("Unsupported", "an output of the program is a list, which has no form in Python.");
  return array_of(value.toTensor(), torch);
}

Registry& kernels() {
  static Registry registry;
  static const Error added = registry.add(tenon_kernels);
  (void)added;
  return registry;
}

}  // namespace tenon
