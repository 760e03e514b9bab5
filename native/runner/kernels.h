// Where a runner has its kernels from: Tenon's own in kernels.cpp, ATen's in native/aten/runner.cpp.
#pragma once

#include <tenon/registry.h>

#include <string>
#include <vector>

#include "../exec/program.h"

namespace tenon::runner {

// False with a sentence in `why`. The libraries are files to load first.
bool add_kernels(const Program& program, const std::vector<std::string>& libraries, Registry& registry,
                 std::string& why);

}  // namespace tenon::runner
