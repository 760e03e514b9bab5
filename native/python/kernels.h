// Kernels for Python, one by one.
#pragma once

#include <nanobind/nanobind.h>

namespace tenon {

void bind_kernels(nanobind::module_& m);

}  // namespace tenon
