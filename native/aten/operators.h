// ATen's kernels for a program: a row per operator that the dispatcher knows, called by its schema.
//
//   aten::Kernels kernels(program);                    // after the libraries that define custom operators were loaded
//   registry.add(kernels.table, &why);                 // what else is registered goes before these
#pragma once

#include <tenon/registry.h>

#include <optional>
#include <string>
#include <vector>

#include "../exec/program.h"

namespace tenon::aten {

// The kernel of one operator, such as aten::add.out. A custom operator without an out variant has one that computes its
// results and copies them.
std::optional<Kernel> find_kernel(const std::string& name);

class Kernels {
 public:
  explicit Kernels(const Program& program);
  Kernels(const Kernels&) = delete;

 private:
  std::vector<Kernel> rows_;

 public:
  KernelTable table;
};

}  // namespace tenon::aten
