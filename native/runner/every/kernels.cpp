// The kernels of tenon_run: all of Tenon's.
#include "../kernels.h"

namespace tenon {

extern KernelTable tenon_kernels;

bool runner::add_kernels(const Program&, const std::vector<std::string>& libraries, Registry& registry,
                         std::string& why) {
  if (!loads_none(libraries, why)) return false;
  Message message;
  if (registry.add(tenon_kernels, &message) == Error::Ok) return true;
  return why = message.text, false;
}

}  // namespace tenon
