// Runs of elements from one dtype to another.
#pragma once

#include <tenon/kernel.h>

namespace tenon {

// From `from` to `to`, `count` elements that lie steps of bytes apart. A step of 0 reads one element again and again.
using ConvertRun = void (*)(char* to, int64_t to_step, const char* from, int64_t from_step, size_t count);

// Elements of one size, as they are.
ConvertRun mover(size_t element_size);
// As another dtype; null if one of the two is not a dtype that kernels compute with.
ConvertRun converter(ScalarType to, ScalarType from);

}  // namespace tenon
