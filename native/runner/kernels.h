// Where a runner has its kernels from: all of Tenon's (every/kernels.cpp), those that were linked in (kernels.cpp), or
// ATen's (native/aten/runner.cpp).
#pragma once

#include <tenon/registry.h>

#include <string>
#include <vector>

#include "../exec/program.h"

namespace tenon::runner {

// False with a sentence in `why`. The libraries are files to load first.
bool add_kernels(const Program& program, const std::vector<std::string>& libraries, Registry& registry,
                 std::string& why);

// False with a sentence in `why` if there are libraries.
inline bool loads_none(const std::vector<std::string>& libraries, std::string& why) {
  if (libraries.empty()) return true;
  return why = libraries[0] + ": this runner has its kernels in it, and loads no library.", false;
}

}  // namespace tenon::runner
