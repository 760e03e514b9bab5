// See names.h. There is nothing to set up.
#pragma once

#include <executorch/names.h>

namespace executorch::runtime {
inline void runtime_init() {}
}  // namespace executorch::runtime
namespace torch::executor {
using ::executorch::runtime::runtime_init;
}
