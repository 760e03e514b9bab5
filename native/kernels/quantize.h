// What the kernels of quantised numbers share. A number q stands for (q - zero point) * scale.
#pragma once

#include "loops.h"

namespace tenon::native {

inline constexpr DTypeSet quantized = dtypes(ScalarType::Byte, ScalarType::Char, ScalarType::Short, ScalarType::Int);
inline constexpr DTypeSet table_floats = dtypes(ScalarType::Float, ScalarType::Half, ScalarType::BFloat16);
#define QUANTIZED TENON_SELECTED(quantized)
#define TABLE_FLOATS TENON_SELECTED(table_floats)

// Between float and 8 bits, by one scale, on all threads; false if these are other dtypes or lie in different orders.
bool quantize_bytes(const Tensor& in, double scale, int64_t zero, int64_t low, int64_t high, const Tensor& out);
bool dequantize_bytes(const Tensor& in, double scale, int64_t zero, const Tensor& out);

}  // namespace tenon::native
