// Tensors. A `Tensor` is a pointer to a `TensorImpl`, which describes memory that belongs to someone else.
#pragma once

#include "array_ref.h"
#include "dtype.h"
#include "error.h"

namespace tenon {

using SizesType = int32_t;
using DimOrderType = uint8_t;
using StridesType = int32_t;

inline constexpr size_t kTensorDimensionLimit = 16;

enum class TensorShapeDynamism : uint8_t { STATIC = 0, DYNAMIC_BOUND = 1, DYNAMIC_UNBOUND = 2 };
enum class MemoryFormat : int8_t { Contiguous = 0, Preserve = 1 };
enum class Layout : int8_t { Strided = 0 };
struct Generator {};  // of random numbers, by schemas; no program has one, as there is one for all (random.h)
enum class DeviceType : int8_t { CPU = 0, CUDA = 1 };
using DeviceIndex = int8_t;

class Device {
 public:
  constexpr Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {}
  constexpr DeviceType type() const { return type_; }
  constexpr DeviceIndex index() const { return index_; }
  constexpr bool is_cpu() const { return type_ == DeviceType::CPU; }
  constexpr bool operator==(Device other) const { return type_ == other.type_ && index_ == other.index_; }
  constexpr bool operator!=(Device other) const { return !(*this == other); }

 private:
  DeviceType type_;
  DeviceIndex index_;
};

class TensorImpl {
 public:
  using SizesType = tenon::SizesType;
  using DimOrderType = tenon::DimOrderType;
  using StridesType = tenon::StridesType;

  TensorImpl() = default;
  // `dim_order` and `strides` may be null, and are then those of a contiguous tensor; else they have `dim` elements.
  // Room is for these sizes: a resize to more elements is refused.
  TensorImpl(ScalarType type, ptrdiff_t dim, SizesType* sizes, void* data = nullptr, DimOrderType* dim_order = nullptr,
             StridesType* strides = nullptr, TensorShapeDynamism dynamism = TensorShapeDynamism::STATIC,
             DeviceType device = DeviceType::CPU, DeviceIndex device_index = 0);

  size_t nbytes() const { return static_cast<size_t>(numel_) * element_size(); }
  ptrdiff_t size(ptrdiff_t d) const { return sizes_[d]; }
  ptrdiff_t dim() const { return dim_; }
  ptrdiff_t numel() const { return numel_; }
  ScalarType scalar_type() const { return type_; }
  ScalarType dtype() const { return type_; }
  size_t element_size() const { return dtype_bytes[static_cast<uint8_t>(type_)]; }
  ArrayRef<SizesType> sizes() const { return {sizes_, dim_}; }
  ArrayRef<DimOrderType> dim_order() const { return {dim_order_, dim_order_ ? dim_ : size_t{0}}; }
  ArrayRef<StridesType> strides() const { return {strides_, strides_ ? dim_ : size_t{0}}; }
  TensorShapeDynamism shape_dynamism() const { return dynamism_; }
  Device device() const { return {device_, 0}; }
  DeviceType device_type() const { return device_; }
  DeviceIndex device_index() const { return 0; }

  const void* data() const { return data_; }
  void* mutable_data() const { return data_; }
  template <class T>
  const T* data() const {
    return static_cast<const T*>(data_);
  }
  template <class T>
  T* mutable_data() const {
    return static_cast<T*>(data_);
  }
  void set_data(void* data) { data_ = data; }

  // --- what the executor knows besides ---

  // Whether it lies in a program file, where nothing may be written.
  bool is_constant() const { return constant_; }
  // How many bytes there are where the data is.
  size_t capacity() const { return capacity_; }
  // The largest size each dimension may have; null if only the capacity counts.
  const SizesType* bounds() const { return bounds_; }
  void set_bounds(const SizesType* bounds) { bounds_ = bounds; }
  void set_memory(void* data, size_t capacity, bool constant) {
    data_ = data;
    capacity_ = capacity;
    constant_ = constant;
  }

  // Other sizes, as many as there are. Refused, and nothing changed: another rank or a static shape (NotSupported),
  // more than a bound or the capacity (NotSupported), a negative size or more elements than can be counted
  // (InvalidArgument).
  Error resize(ArrayRef<SizesType> sizes);
  // Which dimension made resize refuse; its rank if it was all of them together.
  size_t first_beyond(ArrayRef<SizesType> sizes) const;

 private:
  SizesType* sizes_ = nullptr;
  DimOrderType* dim_order_ = nullptr;
  StridesType* strides_ = nullptr;
  const SizesType* bounds_ = nullptr;
  void* data_ = nullptr;
  size_t capacity_ = 0;
  ptrdiff_t numel_ = 0;
  uint8_t dim_ = 0;
  ScalarType type_ = ScalarType::Byte;
  TensorShapeDynamism dynamism_ = TensorShapeDynamism::STATIC;
  DeviceType device_ = DeviceType::CPU;
  bool constant_ = false;
};

class Tensor {
 public:
  using SizesType = tenon::SizesType;
  using DimOrderType = tenon::DimOrderType;
  using StridesType = tenon::StridesType;

  constexpr Tensor() = default;
  explicit constexpr Tensor(TensorImpl* impl) : impl_(impl) {}

  size_t nbytes() const { return impl_->nbytes(); }
  ptrdiff_t size(ptrdiff_t d) const { return impl_->size(d); }
  ptrdiff_t dim() const { return impl_->dim(); }
  ptrdiff_t numel() const { return impl_->numel(); }
  ScalarType scalar_type() const { return impl_->scalar_type(); }
  ScalarType dtype() const { return impl_->scalar_type(); }
  size_t element_size() const { return impl_->element_size(); }
  ptrdiff_t itemsize() const { return static_cast<ptrdiff_t>(impl_->element_size()); }
  ArrayRef<SizesType> sizes() const { return impl_->sizes(); }
  ArrayRef<DimOrderType> dim_order() const { return impl_->dim_order(); }
  ArrayRef<StridesType> strides() const { return impl_->strides(); }
  TensorShapeDynamism shape_dynamism() const { return impl_->shape_dynamism(); }
  Device device() const { return impl_->device(); }
  DeviceType device_type() const { return impl_->device_type(); }
  DeviceIndex device_index() const { return impl_->device_index(); }

  template <class T>
  const T* const_data_ptr() const {
    return impl_->data<T>();
  }
  const void* const_data_ptr() const { return impl_->data(); }
  template <class T>
  T* mutable_data_ptr() const {
    return impl_->mutable_data<T>();
  }
  void* mutable_data_ptr() const { return impl_->mutable_data(); }
  template <class T>
  T* data_ptr() const {
    return impl_->mutable_data<T>();
  }
  void* data_ptr() const { return impl_->mutable_data(); }
  void set_data(void* data) const { impl_->set_data(data); }

  TensorImpl* unsafeGetTensorImpl() const { return impl_; }

 private:
  TensorImpl* impl_ = nullptr;
};

using TensorList = ArrayRef<Tensor>;

// A shape in words, "[2, 3]": fail(error, "shape %s", ShapeText(t).text). More than fits ends in "...".
struct ShapeText {
  char text[96];
#if TENON_WORDS
  explicit ShapeText(ArrayRef<SizesType> sizes);
#else
  explicit ShapeText(ArrayRef<SizesType>) { text[0] = 0; }
#endif
  explicit ShapeText(const Tensor& t) : ShapeText(t.sizes()) {}
};

// --- sizes, orders, strides -----------------------------------------------------------------------------------

// What a kernel calls on its `out` before it writes. A failure tells the context more, if it is given.
class KernelRuntimeContext;
Error resize_tensor(Tensor t, ArrayRef<SizesType> sizes);
Error resize_tensor(Tensor t, ArrayRef<int64_t> sizes);
template <class T,
          std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, SizesType> && !std::is_same_v<T, int64_t>,
                           bool> = true>
Error resize_tensor(Tensor t, ArrayRef<T> sizes) {
  SizesType own[kTensorDimensionLimit];
  if (sizes.size() > kTensorDimensionLimit) return Error::NotSupported;
  for (size_t i = 0; i < sizes.size(); ++i) own[i] = static_cast<SizesType>(sizes[i]);
  return resize_tensor(t, ArrayRef<SizesType>(own, sizes.size()));
}
// Fails through the context, with the sizes that were wanted and those that may be.
bool resize(KernelRuntimeContext& context, Tensor t, ArrayRef<SizesType> sizes);

// Counts elements; false if a size is negative or the bytes are more than can be counted.
bool count_elements(const SizesType* sizes, size_t dim, size_t element_size, ptrdiff_t& numel);

bool is_contiguous_dim_order(const DimOrderType* order, size_t dim);
bool is_channels_last_dim_order(const DimOrderType* order, size_t dim);
// Dense strides in this order of dimensions, which is from outermost to innermost. False if one exceeds its type.
bool fill_strides(const SizesType* sizes, const DimOrderType* order, size_t dim, StridesType* strides);
Error dim_order_to_stride(const SizesType* sizes, const DimOrderType* order, size_t dim, StridesType* strides);
Error stride_to_dim_order(const StridesType* strides, size_t dim, DimOrderType* order);
inline void dim_order_to_stride_nocheck(const SizesType* sizes, const DimOrderType* order, size_t dim,
                                        StridesType* strides) {
  (void)fill_strides(sizes, order, dim, strides);
}

}  // namespace tenon
