// All out variants of the dispatcher in the place of Tenon's kernels, so that kernels.cpp calls them.
#include <ATen/core/dispatch/Dispatcher.h>

#include <set>

#include "../../native/aten/operators.h"

namespace tenon {

static std::vector<Kernel> made() {
  std::vector<Kernel> rows;
  std::set<std::string> names;
  for (const c10::OperatorName& each : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto found = c10::Dispatcher::singleton().findSchema(each);
    if (!found) continue;
    for (const c10::Argument& argument : found->schema().arguments()) {
      if (argument.is_out())
        names.insert(each.overload_name.empty() ? each.name : each.name + "." + each.overload_name);
    }
  }
  for (const std::string& each : names) {
    if (const std::optional<Kernel> found = aten::find_kernel(each)) rows.push_back(*found);
  }
  return rows;
}

static const std::vector<Kernel> all = made();
KernelTable tenon_kernels{"aten", {all.data(), all.size()}, true};

}  // namespace tenon
