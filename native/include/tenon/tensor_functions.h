// What kernels ask of their tensors. A check that fails says why in the log and gives false; nothing here ends the
// program but the ET_CHECK macros at the end.
#pragma once

#include "evalue.h"
#include "log.h"
#include "switch.h"

namespace tenon {

// --- two or three tensors -----------------------------------------------------------------------------------------

// Any two tensors of one element count as of one shape.
bool tensors_have_same_shape(Tensor a, Tensor b);
bool tensors_have_same_dtype(Tensor a, Tensor b);
bool tensors_have_same_rank(Tensor a, Tensor b);
bool tensors_have_same_strides(Tensor a, Tensor b);
bool tensors_have_same_dim_order(Tensor a, Tensor b);
bool tensors_have_same_size_at_dims(Tensor a, size_t dim_a, Tensor b, size_t dim_b);
inline bool tensors_have_same_shape_and_dtype(Tensor a, Tensor b) {
  return tensors_have_same_shape(a, b) && tensors_have_same_dtype(a, b);
}
#define TENON_OF_THREE(function) \
  inline bool function(Tensor a, Tensor b, Tensor c) { return function(a, b) && function(a, c); }
TENON_OF_THREE(tensors_have_same_shape)
TENON_OF_THREE(tensors_have_same_dtype)
TENON_OF_THREE(tensors_have_same_rank)
TENON_OF_THREE(tensors_have_same_strides)
TENON_OF_THREE(tensors_have_same_dim_order)
TENON_OF_THREE(tensors_have_same_shape_and_dtype)
#undef TENON_OF_THREE

// --- one tensor -----------------------------------------------------------------------------------------------------

bool tensor_is_among(Tensor t, DTypeSet set);  // its dtype
inline bool tensor_is_type(Tensor t, ScalarType type) { return tensor_is_among(t, dtypes(type)); }
inline bool tensor_is_type(Tensor t, ScalarType a, ScalarType b) { return tensor_is_among(t, dtypes(a, b)); }
inline bool tensor_is_type(Tensor t, ScalarType a, ScalarType b, ScalarType c) {
  return tensor_is_among(t, dtypes(a, b, c));
}
inline bool tensor_is_bool_type(Tensor t) { return tensor_is_among(t, bool_dtypes); }
inline bool tensor_is_integral_type(Tensor t, bool with_bool = false) {
  return tensor_is_among(t, int_dtypes | uint_dtypes | (with_bool ? bool_dtypes : 0));
}
inline bool tensor_is_floating_type(Tensor t) { return tensor_is_among(t, float_dtypes | half_dtypes | float8_dtypes); }
inline bool tensor_is_real_type(Tensor t) { return tensor_is_among(t, real_dtypes); }
inline bool tensor_is_realh_type(Tensor t) { return tensor_is_among(t, real_dtypes | dtypes(ScalarType::Half)); }
inline bool tensor_is_realhb_type(Tensor t) {
  return tensor_is_among(t, real_dtypes | dtypes(ScalarType::Half, ScalarType::Bool));
}
inline bool tensor_is_realhbf16_type(Tensor t) { return tensor_is_among(t, real_dtypes | half_dtypes); }
inline bool tensor_is_realhbbf16_type(Tensor t) { return tensor_is_among(t, real_dtypes | half_dtypes | bool_dtypes); }
inline bool tensor_is_complex_type(Tensor t) { return tensor_is_among(t, complex_dtypes); }
inline bool tensor_is_bits_type(Tensor t) { return tensor_is_among(t, bits_dtypes); }

bool tensor_is_rank(Tensor t, size_t rank);
bool tensor_has_rank_greater_or_equal_to(Tensor t, size_t rank);
bool tensor_has_rank_smaller_or_equal_to(Tensor t, size_t rank);
bool tensor_is_scalar(Tensor t);  // one number: rank 0, or one dimension of size 1
bool tensor_is_contiguous(Tensor t);
bool tensor_is_default_dim_order(Tensor t);
bool tensor_is_channels_last_dim_order(Tensor t);
bool tensor_is_default_or_channels_last_dim_order(Tensor t);
bool tensor_has_valid_dim_order(Tensor t);
bool tensor_has_dim(Tensor t, int64_t dim);
bool tensor_has_non_empty_dim(Tensor t, int64_t dim);
bool tensor_has_expected_size(Tensor t, ArrayRef<SizesType> sizes);
bool tensor_dim_has_index(Tensor t, int64_t dim, int64_t index);
bool tensor_can_cast_to(Tensor t, ScalarType type);
bool dim_is_valid(int64_t dim, int64_t upper_bound);
inline ptrdiff_t nonzero_dim(const Tensor& t) { return t.dim() ? t.dim() : 1; }
inline ptrdiff_t nonempty_size(const Tensor& t, ptrdiff_t dim) { return t.dim() ? t.size(dim) : 1; }

// How many elements the dimensions before or after this one have together.
size_t getLeadingDims(const Tensor& t, int64_t dim);
size_t getTrailingDims(const Tensor& t, int64_t dim);

// --- coordinates of a contiguous tensor -----------------------------------------------------------------------------

size_t coordinateToIndex(const Tensor& t, const size_t* coordinate);
void memoizeTrailingDims(const Tensor& t, size_t trailing[kTensorDimensionLimit]);
size_t coordinateToIndexWithTrailingDimsMemo(const Tensor& t, const size_t* coordinate,
                                             const size_t trailing[kTensorDimensionLimit]);
void indexToCoordinate(const Tensor& t, size_t index, size_t* coordinate);
inline size_t calculate_linear_index(const SizesType* coordinate, const StridesType* strides, size_t dim) {
  size_t index = 0;
  for (size_t i = 0; i < dim; ++i) index += static_cast<size_t>(coordinate[i]) * static_cast<size_t>(strides[i]);
  return index;
}

// --- contents -----------------------------------------------------------------------------------------------------

// The number in a tensor of one element, as T; false if there is another count of elements, or no T holds it.
template <class T>
bool extract_scalar_tensor(Tensor t, T* value) {
  if (t.numel() != 1) return false;
  const auto as = [&](auto number) {
    const T found = convert<T>(number);
    if constexpr (std::is_integral_v<T>) {
      if (static_cast<double>(found) != static_cast<double>(number)) return false;
    }
    *value = found;
    return true;
  };
  switch (t.scalar_type()) {
#define TENON_CASE_OF(cpp, name) \
  case ScalarType::name: return as(*t.const_data_ptr<cpp>());
    ET_FORALL_REALHBBF16_TYPES(TENON_CASE_OF)
#undef TENON_CASE_OF
    default: return false;
  }
}

Error get_dim_order(const Tensor& t, DimOrderType* order, size_t count);

}  // namespace tenon

// --- checks that end the program ------------------------------------------------------------------------------------

#define ET_NORMALIZE_IX(index, size) ((index) < 0 ? (index) + (size) : (index))
#define ET_MIN2(a, b) ((a) < (b) ? (a) : (b))
#define ET_MIN3(a, b, c) ET_MIN2(ET_MIN2(a, b), c)
#define ET_CHECK_VALID_IX(index, size) \
  ET_CHECK((index) >= -static_cast<int64_t>(size) && (index) < static_cast<int64_t>(size))
#define ET_CHECK_VALID_DIM(dim, upper_bound) ET_CHECK(::tenon::dim_is_valid(dim, upper_bound))
#define ET_CHECK_NON_ZERO_DIM_SIZE(dim, t) ET_CHECK(::tenon::tensor_has_non_empty_dim(t, dim))
#define ET_CHECK_SAME_SHAPE2(a, b) ET_CHECK(::tenon::tensors_have_same_shape(a, b))
#define ET_CHECK_SAME_SHAPE3(a, b, c) ET_CHECK(::tenon::tensors_have_same_shape(a, b, c))
#define ET_CHECK_SAME_DTYPE2(a, b) ET_CHECK(::tenon::tensors_have_same_dtype(a, b))
#define ET_CHECK_SAME_DTYPE3(a, b, c) ET_CHECK(::tenon::tensors_have_same_dtype(a, b, c))
#define ET_CHECK_SAME_SHAPE_AND_DTYPE2(a, b) ET_CHECK(::tenon::tensors_have_same_shape_and_dtype(a, b))
#define ET_CHECK_SAME_SHAPE_AND_DTYPE3(a, b, c) ET_CHECK(::tenon::tensors_have_same_shape_and_dtype(a, b, c))
#define ET_CHECK_SAME_STRIDES2(a, b) ET_CHECK(::tenon::tensors_have_same_strides(a, b))
#define ET_CHECK_SAME_STRIDES3(a, b, c) ET_CHECK(::tenon::tensors_have_same_strides(a, b, c))
#define ET_CHECK_CONTIGUOUS(t) ET_CHECK(::tenon::tensor_is_contiguous(t))
#define ET_CHECK_DEFAULT_OR_CHANNELSLAST_DIMORDER(t) ET_CHECK(::tenon::tensor_is_default_or_channels_last_dim_order(t))
#define ET_EXTRACT_SCALAR_TENSOR(t, value) ET_CHECK(::tenon::extract_scalar_tensor(t, &value))
