// The kernels of tenon_run: those of Tenon.
#include "kernels.h"

namespace tenon {

extern KernelTable tenon_kernels;

bool runner::add_kernels(const Program&, const std::vector<std::string>& libraries, Registry& registry,
                         std::string& why) {
  if (!libraries.empty())
    return why = libraries[0] + ": this runner has its kernels in it, and loads no library.", false;
  Message message;
  if (registry.add(tenon_kernels, &message) == Error::Ok) return true;
  return why = message.text, false;
}

}  // namespace tenon
