// The runtime's part of the Python extension.
#pragma once

#include <nanobind/nanobind.h>

namespace tenon {

void bind_runtime(nanobind::module_& m);

}  // namespace tenon
