// Tensors: counting elements, strides, and other sizes.
#include <tenon/context.h>
#include <tenon/tensor.h>

#include <cstdio>

namespace tenon {

const char* toString(ScalarType type) {
  switch (type) {
#define X(code, name, cpp, words) \
  case ScalarType::name:          \
    return #name;
    TENON_DTYPES(X)
#undef X
    default:
      return "Undefined";
  }
}

const char* dtype_name(ScalarType type) {
  switch (type) {
#define X(code, name, cpp, words) \
  case ScalarType::name:          \
    return words;
    TENON_DTYPES(X)
#undef X
    default:
      return "no dtype";
  }
}

#if TENON_WORDS
ShapeText::ShapeText(ArrayRef<SizesType> sizes) {
  size_t used = 0;
  text[used++] = '[';
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizeof text - used < 20) {  // the longest number, a comma, and what ends it
      used += static_cast<size_t>(std::snprintf(text + used, sizeof text - used, ", ..."));
      break;
    }
    used += static_cast<size_t>(
        std::snprintf(text + used, sizeof text - used, i ? ", %d" : "%d", static_cast<int>(sizes[i])));
  }
  text[used] = ']';
  text[used + 1] = 0;
}
#endif

// --- sizes ------------------------------------------------------------------------------------------------------

bool count_elements(const SizesType* sizes, size_t dim, size_t element_size, ptrdiff_t& numel) {
  // A size of 0 does not excuse an overflow: strides are made as if it were 1.
  ptrdiff_t count = 1;
  bool empty = false;
  for (size_t i = 0; i < dim; ++i) {
    if (sizes[i] < 0) return false;
    empty = empty || !sizes[i];
    if (__builtin_mul_overflow(count, static_cast<ptrdiff_t>(sizes[i] ? sizes[i] : 1), &count)) return false;
  }
  ptrdiff_t bytes;
  if (__builtin_mul_overflow(count, static_cast<ptrdiff_t>(element_size), &bytes)) return false;
  numel = empty ? 0 : count;
  return true;
}

bool fill_strides(const SizesType* sizes, const DimOrderType* order, size_t dim, StridesType* strides) {
  int64_t step = 1;
  for (size_t i = dim; i-- > 0;) {
    const size_t d = order ? order[i] : i;
    if (step > INT32_MAX) return false;
    strides[d] = static_cast<StridesType>(step);
    step *= sizes[d] > 1 ? sizes[d] : 1;
  }
  return true;
}

bool is_contiguous_dim_order(const DimOrderType* order, size_t dim) {
  for (size_t i = 0; i < dim; ++i) {
    if (order[i] != i) return false;
  }
  return true;
}

bool is_channels_last_dim_order(const DimOrderType* order, size_t dim) {
  if ((dim != 4 && dim != 5) || order[0] != 0 || order[dim - 1] != 1) return false;
  for (size_t i = 1; i + 1 < dim; ++i) {
    if (order[i] != i + 1) return false;
  }
  return true;
}

Error dim_order_to_stride(const SizesType* sizes, const DimOrderType* order, size_t dim, StridesType* strides) {
  for (size_t i = 0; i < dim; ++i) {
    if (order[i] >= dim) return Error::InvalidArgument;
  }
  return fill_strides(sizes, order, dim, strides) ? Error::Ok : Error::InvalidArgument;
}

Error stride_to_dim_order(const StridesType* strides, size_t dim, DimOrderType* order) {
  if (dim > kTensorDimensionLimit) return Error::InvalidArgument;
  for (size_t i = 0; i < dim; ++i) {
    if (strides[i] == 0) return Error::InvalidArgument;
    size_t place = i;  // behind all that are as large
    for (; place > 0 && strides[order[place - 1]] < strides[i]; --place) order[place] = order[place - 1];
    order[place] = static_cast<DimOrderType>(i);
  }
  return Error::Ok;
}

// --- tensors ------------------------------------------------------------------------------------------------------

TensorImpl::TensorImpl(ScalarType type, ptrdiff_t dim, SizesType* sizes, void* data, DimOrderType* dim_order,
                       StridesType* strides, TensorShapeDynamism dynamism, DeviceType device, DeviceIndex)
    : sizes_(sizes),
      dim_order_(dim_order),
      strides_(strides),
      data_(data),
      dim_(static_cast<uint8_t>(dim)),
      type_(type),
      dynamism_(dynamism),
      device_(device) {
  if (!isValid(type) || dim < 0 || dim > static_cast<ptrdiff_t>(kTensorDimensionLimit) ||
      !count_elements(sizes, dim_, element_size(), numel_)) {
    die(__FILE__, __LINE__, "a tensor cannot have %d dimensions, the dtype %d or these sizes", static_cast<int>(dim),
        static_cast<int>(type));
  }
  capacity_ = nbytes();
}

size_t TensorImpl::first_beyond(ArrayRef<SizesType> sizes) const {
  for (size_t d = 0; d < dim_ && d < sizes.size(); ++d) {
    const bool is_fixed = dynamism_ == TensorShapeDynamism::STATIC;
    if (is_fixed ? sizes[d] != sizes_[d] : bounds_ && sizes[d] > bounds_[d]) return d;
  }
  return dim_;
}

Error TensorImpl::resize(ArrayRef<SizesType> sizes) {
  if (sizes.size() != dim_) return Error::NotSupported;
  bool is_same = true;
  for (size_t d = 0; d < dim_; ++d) is_same = is_same && sizes[d] == sizes_[d];
  if (is_same) return Error::Ok;
  if (dynamism_ == TensorShapeDynamism::STATIC || first_beyond(sizes) < dim_) return Error::NotSupported;
  ptrdiff_t numel;
  StridesType strides[kTensorDimensionLimit];
  if (!count_elements(sizes.data(), dim_, element_size(), numel)) return Error::InvalidArgument;
  if (static_cast<size_t>(numel) * element_size() > capacity_) return Error::NotSupported;
  if (strides_ && !fill_strides(sizes.data(), dim_order_, dim_, strides)) return Error::InvalidArgument;
  numel_ = numel;
  for (size_t d = 0; d < dim_; ++d) {
    sizes_[d] = sizes[d];
    if (strides_) strides_[d] = strides[d];
  }
  return Error::Ok;
}

Error resize_tensor(Tensor t, ArrayRef<SizesType> sizes) { return t.unsafeGetTensorImpl()->resize(sizes); }

Error resize_tensor(Tensor t, ArrayRef<int64_t> sizes) {
  SizesType own[kTensorDimensionLimit];
  if (sizes.size() > kTensorDimensionLimit) return Error::NotSupported;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0 || sizes[i] > INT32_MAX) return Error::InvalidArgument;
    own[i] = static_cast<SizesType>(sizes[i]);
  }
  return resize_tensor(t, ArrayRef<SizesType>(own, sizes.size()));
}

bool resize(Context& context, Tensor t, ArrayRef<SizesType> sizes) {
  const TensorImpl& impl = *t.unsafeGetTensorImpl();
  const Error error = resize_tensor(t, sizes);
  if (error == Error::Ok) return true;
  const bool is_fixed = impl.shape_dynamism() == TensorShapeDynamism::STATIC;
  const size_t beyond = impl.first_beyond(sizes);
  if (is_fixed || sizes.size() != t.sizes().size()) {
    context.fail(error, "the result has shape %s, and its place is for %s", ShapeText(sizes).text,
                 ShapeText(t.sizes()).text);
  } else if (beyond < sizes.size()) {
    context.fail(error, "dimension %d of the result is %d, and at most %d", static_cast<int>(beyond),
                 static_cast<int>(sizes[beyond]), static_cast<int>(impl.bounds()[beyond]));
  } else {
    context.fail(error, "the result of shape %s needs more than the %zu bytes of its place", ShapeText(sizes).text,
                 impl.capacity());
  }
  return false;
}

}  // namespace tenon
