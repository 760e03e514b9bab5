// The kernels of tenon_run_aten: those of ATen, and of the libraries it is told to load.
#include <dlfcn.h>

#include "../runner/kernels.h"
#include "operators.h"

namespace tenon {

bool runner::add_kernels(const Program& program, const std::vector<std::string>& libraries, Registry& registry,
                         std::string& why) {
  for (const std::string& each : libraries) {
    if (!dlopen(each.c_str(), RTLD_NOW | RTLD_GLOBAL)) return why = std::string(dlerror()) + ".", false;
  }
  static aten::Kernels kernels(program);  // there is one program in a runner
  Message message;
  if (registry.add(kernels.table, &message) == Error::Ok) return true;
  return why = message.text, false;
}

}  // namespace tenon
