// What the kernels of quantised numbers share. A number q stands for (q - zero point) * scale.
#pragma once

#include "loops.h"

namespace tenon::native {

inline constexpr DTypeSet quantized = dtypes(ScalarType::Byte, ScalarType::Char, ScalarType::Short, ScalarType::Int);
inline constexpr DTypeSet table_floats = dtypes(ScalarType::Float, ScalarType::Half, ScalarType::BFloat16);
#define QUANTIZED TENON_SELECTED(quantized)
#define TABLE_FLOATS TENON_SELECTED(table_floats)

}  // namespace tenon::native
