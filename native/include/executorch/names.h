// The names of Tenon in the namespaces in which sources for ExecuTorch look for them. One list, used many times.
#pragma once

// Sources rely on some of these without including them.
#include <tenon/kernel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <tuple>
#ifdef USE_ATEN_LIB
#include <executorch/aten.h>
#endif

#ifndef USE_ATEN_LIB
#define TENON_TYPE_NAMES              \
  using ::tenon::ArrayRef;            \
  using ::tenon::BFloat16;            \
  using ::tenon::complex;             \
  using ::tenon::Device;              \
  using ::tenon::DeviceIndex;         \
  using ::tenon::DeviceType;          \
  using ::tenon::DimOrderType;        \
  using ::tenon::elementSize;         \
  using ::tenon::Generator;           \
  using ::tenon::Half;                \
  using ::tenon::IntArrayRef;         \
  using ::tenon::Layout;              \
  using ::tenon::makeArrayRef;        \
  using ::tenon::MemoryFormat;        \
  using ::tenon::OptionalArrayRef;    \
  using ::tenon::OptionalIntArrayRef; \
  using ::tenon::qint32;              \
  using ::tenon::qint8;               \
  using ::tenon::quint2x4;            \
  using ::tenon::quint4x2;            \
  using ::tenon::quint8;              \
  using ::tenon::Scalar;              \
  using ::tenon::ScalarType;          \
  using ::tenon::SizesType;           \
  using ::tenon::StridesType;         \
  using ::tenon::Tensor;              \
  using ::tenon::TensorImpl;          \
  using ::tenon::TensorList;          \
  using ::tenon::TensorShapeDynamism; \
  using ::tenon::toString;            \
  template <class T>                  \
  using optional = std::optional<T>;  \
  using std::nullopt;                 \
  using std::nullopt_t;               \
  using std::string_view;

#define TENON_DTYPE_NAMES             \
  using ::tenon::CppTypeToScalarType; \
  using ::tenon::ScalarTypeToCppType;
#else  // ATen mode: types are those of ATen
#define TENON_TYPE_NAMES              \
  using ::at::Generator;              \
  using ::c10::ArrayRef;              \
  using ::c10::BFloat16;              \
  using ::c10::complex;               \
  using ::c10::Device;                \
  using ::c10::DeviceIndex;           \
  using ::c10::DeviceType;            \
  using ::c10::elementSize;           \
  using ::c10::Half;                  \
  using ::c10::IntArrayRef;           \
  using ::c10::Layout;                \
  using ::c10::makeArrayRef;          \
  using ::c10::MemoryFormat;          \
  using ::c10::OptionalArrayRef;      \
  using ::c10::OptionalIntArrayRef;   \
  using ::c10::qint32;                \
  using ::c10::qint8;                 \
  using ::c10::quint2x4;              \
  using ::c10::quint4x2;              \
  using ::c10::quint8;                \
  using ::c10::Scalar;                \
  using ::c10::ScalarType;            \
  using ::c10::TensorImpl;            \
  using ::c10::toString;              \
  using ::at::Tensor;                 \
  using ::at::TensorList;             \
  using ::tenon::DimOrderType;        \
  using ::tenon::TensorShapeDynamism; \
  using SizesType = int64_t;          \
  using StridesType = int64_t;        \
  template <class T>                  \
  using optional = std::optional<T>;  \
  using std::nullopt;                 \
  using std::nullopt_t;               \
  using std::string_view;

#define TENON_DTYPE_NAMES           \
  using ::c10::canCast;             \
  using ::c10::CppTypeToScalarType; \
  using ::c10::isBitsType;          \
  using ::c10::isComplexType;       \
  using ::c10::isFloatingType;      \
  using ::c10::isIntegralType;      \
  using ::c10::isQIntType;          \
  using ::c10::promoteTypes;        \
  using ::c10::toComplexType;       \
  using ::c10::toRealValueType;     \
  using ::tenon::aten::ScalarTypeToCppType;
#endif

#define TENON_RUNTIME_NAMES                                    \
  using ::tenon::boxed;                                        \
  using ::tenon::BoxedEvalueList;                              \
  using ::tenon::calculate_linear_index;                       \
  using ::tenon::can_cast;                                     \
  using ::tenon::canCast;                                      \
  using ::tenon::convert;                                      \
  using ::tenon::coordinateToIndex;                            \
  using ::tenon::coordinateToIndexWithTrailingDimsMemo;        \
  using ::tenon::dim_is_valid;                                 \
  using ::tenon::dim_order_to_stride;                          \
  using ::tenon::dim_order_to_stride_nocheck;                  \
  using ::tenon::Error;                                        \
  using ::tenon::error_code_t;                                 \
  using ::tenon::EValue;                                       \
  using ::tenon::EventTracer;                                  \
  using ::tenon::extract_scalar_tensor;                        \
  using ::tenon::get_dim_order;                                \
  using ::tenon::get_op_function_from_registry;                \
  using ::tenon::getLeadingDims;                               \
  using ::tenon::getTrailingDims;                              \
  using ::tenon::HierarchicalAllocator;                        \
  using ::tenon::indexToCoordinate;                            \
  using ::tenon::is_channels_last_dim_order;                   \
  using ::tenon::is_contiguous_dim_order;                      \
  using ::tenon::isBitsType;                                   \
  using ::tenon::isComplexType;                                \
  using ::tenon::isFloatingType;                               \
  using ::tenon::isIntegralType;                               \
  using ::tenon::isQIntType;                                   \
  using ::tenon::isRealHBBF16Type;                             \
  using ::tenon::isRealHBF16Type;                              \
  using ::tenon::isRealHBType;                                 \
  using ::tenon::isRealHType;                                  \
  using ::tenon::isRealType;                                   \
  using ::tenon::isValid;                                      \
  using ::tenon::Kernel;                                       \
  using ::tenon::KernelKey;                                    \
  using ::tenon::KernelRuntimeContext;                         \
  using ::tenon::kTensorDimensionLimit;                        \
  using ::tenon::make_boxed_kernel;                            \
  using ::tenon::memoizeTrailingDims;                          \
  using ::tenon::MemoryAllocator;                              \
  using ::tenon::MemoryManager;                                \
  using ::tenon::nonempty_size;                                \
  using ::tenon::nonzero_dim;                                  \
  using ::tenon::OpFunction;                                   \
  using ::tenon::promote_types;                                \
  using ::tenon::promoteTypes;                                 \
  using ::tenon::register_kernel;                              \
  using ::tenon::register_kernels;                             \
  using ::tenon::registry_has_op_function;                     \
  using ::tenon::resize_tensor;                                \
  using ::tenon::Result;                                       \
  using ::tenon::Span;                                         \
  using ::tenon::stride_to_dim_order;                          \
  using ::tenon::Tag;                                          \
  using ::tenon::tensor_can_cast_to;                           \
  using ::tenon::tensor_dim_has_index;                         \
  using ::tenon::tensor_has_dim;                               \
  using ::tenon::tensor_has_expected_size;                     \
  using ::tenon::tensor_has_non_empty_dim;                     \
  using ::tenon::tensor_has_rank_greater_or_equal_to;          \
  using ::tenon::tensor_has_rank_smaller_or_equal_to;          \
  using ::tenon::tensor_has_valid_dim_order;                   \
  using ::tenon::tensor_is_bits_type;                          \
  using ::tenon::tensor_is_bool_type;                          \
  using ::tenon::tensor_is_channels_last_dim_order;            \
  using ::tenon::tensor_is_complex_type;                       \
  using ::tenon::tensor_is_contiguous;                         \
  using ::tenon::tensor_is_default_dim_order;                  \
  using ::tenon::tensor_is_default_or_channels_last_dim_order; \
  using ::tenon::tensor_is_floating_type;                      \
  using ::tenon::tensor_is_integral_type;                      \
  using ::tenon::tensor_is_rank;                               \
  using ::tenon::tensor_is_real_type;                          \
  using ::tenon::tensor_is_realh_type;                         \
  using ::tenon::tensor_is_realhb_type;                        \
  using ::tenon::tensor_is_realhbbf16_type;                    \
  using ::tenon::tensor_is_realhbf16_type;                     \
  using ::tenon::tensor_is_scalar;                             \
  using ::tenon::tensor_is_type;                               \
  using ::tenon::TensorMeta;                                   \
  using ::tenon::tensors_have_same_dim_order;                  \
  using ::tenon::tensors_have_same_dtype;                      \
  using ::tenon::tensors_have_same_rank;                       \
  using ::tenon::tensors_have_same_shape;                      \
  using ::tenon::tensors_have_same_shape_and_dtype;            \
  using ::tenon::tensors_have_same_size_at_dims;               \
  using ::tenon::tensors_have_same_strides;                    \
  using ::tenon::toComplexType;                                \
  using ::tenon::toRealValueType;                              \
  using ::tenon::toString;

#ifdef USE_ATEN_LIB
#define ET_RUNTIME_NAMESPACE runtime::aten
#else
#define ET_RUNTIME_NAMESPACE runtime
#endif

namespace executorch {
namespace aten {
TENON_TYPE_NAMES
}
namespace runtime {
TENON_RUNTIME_NAMES
TENON_DTYPE_NAMES
#ifdef USE_ATEN_LIB
namespace aten {
TENON_RUNTIME_NAMES
TENON_DTYPE_NAMES
}  // namespace aten
#endif
namespace etensor {
TENON_TYPE_NAMES
}
}  // namespace runtime
namespace extension {
using ::tenon::make_boxed_kernel;
}
}  // namespace executorch

namespace exec_aten {
TENON_TYPE_NAMES
}

namespace torch {
namespace executor {
TENON_TYPE_NAMES
TENON_RUNTIME_NAMES
TENON_DTYPE_NAMES
using RuntimeContext = ::tenon::KernelRuntimeContext;
}  // namespace executor
}  // namespace torch

// Where torch is on the path, these are its own.
#if !__has_include(<c10/core/TensorImpl.h>)
namespace c10 {
using ::tenon::ArrayRef;
using ::tenon::BFloat16;
using ::tenon::complex;
using ::tenon::Half;
using ::tenon::ScalarType;
}  // namespace c10
#endif
