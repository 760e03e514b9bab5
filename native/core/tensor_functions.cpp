// What kernels ask of their tensors.
#include <tenon/tensor_functions.h>

namespace tenon {

bool tensors_have_same_shape(Tensor a, Tensor b) {
  if (a.numel() == 1 && b.numel() == 1) return true;
  ET_CHECK_OR_RETURN_FALSE(a.sizes() == b.sizes(), "shapes differ: %s and %s", ShapeText(a.sizes()).text,
                           ShapeText(b.sizes()).text);
  return true;
}

bool tensors_have_same_dtype(Tensor a, Tensor b) {
  ET_CHECK_OR_RETURN_FALSE(a.scalar_type() == b.scalar_type(), "dtypes differ: %s and %s", dtype_name(a.scalar_type()),
                           dtype_name(b.scalar_type()));
  return true;
}

bool tensors_have_same_rank(Tensor a, Tensor b) {
  ET_CHECK_OR_RETURN_FALSE(a.dim() == b.dim(), "ranks differ: %td and %td", a.dim(), b.dim());
  return true;
}

bool tensors_have_same_strides(Tensor a, Tensor b) {
  ET_CHECK_OR_RETURN_FALSE(a.strides() == b.strides(), "strides differ: %s and %s", ShapeText(a.strides()).text,
                           ShapeText(b.strides()).text);
  return true;
}

bool tensors_have_same_dim_order(Tensor a, Tensor b) {
  const bool both_plain = tensor_is_default_dim_order(a) && tensor_is_default_dim_order(b);
  ET_CHECK_OR_RETURN_FALSE((both_plain && a.dim() == b.dim()) || a.dim_order() == b.dim_order(), "dim orders differ");
  return true;
}

bool tensors_have_same_size_at_dims(Tensor a, size_t dim_a, Tensor b, size_t dim_b) {
  ET_CHECK_OR_RETURN_FALSE(dim_a < a.sizes().size() && dim_b < b.sizes().size(), "there is no dimension %zu or %zu",
                           dim_a, dim_b);
  ET_CHECK_OR_RETURN_FALSE(a.sizes()[dim_a] == b.sizes()[dim_b], "dimension %zu of %s is not as dimension %zu of %s",
                           dim_a, ShapeText(a.sizes()).text, dim_b, ShapeText(b.sizes()).text);
  return true;
}

bool tensor_is_among(Tensor t, DTypeSet set) {
  ET_CHECK_OR_RETURN_FALSE(contains(set, t.scalar_type()), "%s is not among the dtypes that are taken",
                           dtype_name(t.scalar_type()));
  return true;
}

bool tensor_is_rank(Tensor t, size_t rank) {
  ET_CHECK_OR_RETURN_FALSE(t.sizes().size() == rank, "the rank is %td, and must be %zu", t.dim(), rank);
  return true;
}

bool tensor_has_rank_greater_or_equal_to(Tensor t, size_t rank) {
  ET_CHECK_OR_RETURN_FALSE(t.sizes().size() >= rank, "the rank is %td, and must be at least %zu", t.dim(), rank);
  return true;
}

bool tensor_has_rank_smaller_or_equal_to(Tensor t, size_t rank) {
  ET_CHECK_OR_RETURN_FALSE(t.sizes().size() <= rank, "the rank is %td, and must be at most %zu", t.dim(), rank);
  return true;
}

bool tensor_is_scalar(Tensor t) { return t.dim() == 0 || (t.dim() == 1 && t.numel() == 1); }

bool tensor_is_contiguous(Tensor t) {
  ptrdiff_t step = 1;
  for (size_t d = t.strides().size(); d-- > 0;) {
    ET_CHECK_OR_RETURN_FALSE(t.sizes()[d] == 1 || t.strides()[d] == step, "shape %s with strides %s is not contiguous",
                             ShapeText(t.sizes()).text, ShapeText(t.strides()).text);
    step *= t.sizes()[d] > 1 ? t.sizes()[d] : 1;
  }
  return true;
}

bool tensor_is_default_dim_order(Tensor t) {
  return is_contiguous_dim_order(t.dim_order().data(), t.dim_order().size());
}

bool tensor_is_channels_last_dim_order(Tensor t) {
  return is_channels_last_dim_order(t.dim_order().data(), t.dim_order().size());
}

bool tensor_is_default_or_channels_last_dim_order(Tensor t) {
  ET_CHECK_OR_RETURN_FALSE(tensor_is_default_dim_order(t) || tensor_is_channels_last_dim_order(t),
                           "the dim order is neither the plain one nor channels last");
  return true;
}

bool tensor_has_valid_dim_order(Tensor t) {
  unsigned seen = 0;
  for (const DimOrderType d : t.dim_order()) {
    ET_CHECK_OR_RETURN_FALSE(d < t.dim() && !(seen >> d & 1), "the dim order does not name each dimension once");
    seen |= 1u << d;
  }
  return true;
}

bool dim_is_valid(int64_t dim, int64_t upper_bound) {
  ET_CHECK_OR_RETURN_FALSE(dim >= -upper_bound && dim < upper_bound, "there is no dimension %lld of %lld",
                           static_cast<long long>(dim), static_cast<long long>(upper_bound));
  return true;
}

bool tensor_has_dim(Tensor t, int64_t dim) { return dim_is_valid(dim, nonzero_dim(t)); }

bool tensor_has_non_empty_dim(Tensor t, int64_t dim) {
  if (!tensor_has_dim(t, dim)) return false;
  ET_CHECK_OR_RETURN_FALSE(nonempty_size(t, dim < 0 ? dim + nonzero_dim(t) : dim) > 0, "dimension %lld of %s is empty",
                           static_cast<long long>(dim), ShapeText(t.sizes()).text);
  return true;
}

bool tensor_has_expected_size(Tensor t, ArrayRef<SizesType> sizes) {
  ET_CHECK_OR_RETURN_FALSE(t.sizes() == sizes, "the shape is %s, and must be %s", ShapeText(t.sizes()).text,
                           ShapeText(sizes).text);
  return true;
}

bool tensor_dim_has_index(Tensor t, int64_t dim, int64_t index) {
  if (!tensor_has_dim(t, dim)) return false;
  const int64_t size = nonempty_size(t, dim < 0 ? dim + nonzero_dim(t) : dim);
  ET_CHECK_OR_RETURN_FALSE(index >= -size && index < size, "there is no element %lld of %lld in dimension %lld",
                           static_cast<long long>(index), static_cast<long long>(size), static_cast<long long>(dim));
  return true;
}

bool tensor_can_cast_to(Tensor t, ScalarType type) {
  ET_CHECK_OR_RETURN_FALSE(canCast(t.scalar_type(), type), "%s cannot be stored as %s", dtype_name(t.scalar_type()),
                           dtype_name(type));
  return true;
}

size_t getLeadingDims(const Tensor& t, int64_t dim) {
  size_t count = 1;
  for (int64_t d = 0; d < dim; ++d) count *= static_cast<size_t>(t.size(d));
  return count;
}

size_t getTrailingDims(const Tensor& t, int64_t dim) {
  size_t count = 1;
  for (int64_t d = dim + 1; d < t.dim(); ++d) count *= static_cast<size_t>(t.size(d));
  return count;
}

// --- coordinates ------------------------------------------------------------------------------------------------

void memoizeTrailingDims(const Tensor& t, size_t trailing[kTensorDimensionLimit]) {
  size_t count = 1;
  for (size_t d = t.sizes().size(); d-- > 0;) {
    trailing[d] = count;
    count *= static_cast<size_t>(t.sizes()[d]);
  }
}

size_t coordinateToIndexWithTrailingDimsMemo(const Tensor& t, const size_t* coordinate,
                                             const size_t trailing[kTensorDimensionLimit]) {
  size_t index = 0;
  for (size_t d = 0; d < t.sizes().size(); ++d) index += coordinate[d] * trailing[d];
  return index;
}

size_t coordinateToIndex(const Tensor& t, const size_t* coordinate) {
  size_t trailing[kTensorDimensionLimit];
  memoizeTrailingDims(t, trailing);
  return coordinateToIndexWithTrailingDimsMemo(t, coordinate, trailing);
}

void indexToCoordinate(const Tensor& t, size_t index, size_t* coordinate) {
  for (size_t d = t.sizes().size(); d-- > 0;) {
    const size_t size = static_cast<size_t>(t.sizes()[d]);
    coordinate[d] = index % size;
    index /= size;
  }
}

Error get_dim_order(const Tensor& t, DimOrderType* order, size_t count) {
  if (!order || count != t.sizes().size()) return Error::InvalidArgument;
  for (size_t i = 0; i < count; ++i) order[i] = t.dim_order().empty() ? static_cast<DimOrderType>(i) : t.dim_order()[i];
  return Error::Ok;
}

}  // namespace tenon
