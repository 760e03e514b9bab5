"""ATen mode without rows: C++ that asks the dispatcher of torch for the operators of a selection."""

from collections.abc import Sequence
from functools import cache

from tenon.build.select import Selection
from tenon.build.select.prim import prim_names

ATEN_OPERATORS = "aten_operators.cpp"


def aten_names(selection: Selection, bound: set[str]) -> list[str]:
    """The operators that ATen is to have: not those with kernels of their own. A name alone is all its outs."""
    outs = _out_variants()
    if selection.everything:
        return sorted(outs - bound)
    found: set[str] = set()
    for op, selected in selection.operators.items():
        found |= {each for each in outs if each.partition(".")[0] == op} if selected.every_overload else {op}
    return sorted(found - bound - set(prim_names()))


@cache
def _out_variants() -> set[str]:
    import torch

    schemas = torch._C._jit_get_all_schemas()
    outs = [each for each in schemas if any(argument.is_out for argument in each.arguments)]
    return {f"{each.name}.{each.overload_name}" if each.overload_name else each.name for each in outs}


def aten_table(names: Sequence[str], library: str) -> str:
    """C++ that registers, before main, what torch has of these operators; and later what libraries bring."""
    rows = "".join(f'    "{each}",\n' for each in names)
    return _TABLE.replace("@rows@", rows).replace("@library@", library)


_TABLE = """\
// Made by tenon.build: the operators that ATen's dispatcher is asked for.
#include "aten/operators.h"

#include <tenon/boxed.h>

namespace tenon {
namespace {

const char* const selected[] = {
@rows@    nullptr,
};

// Rows of a table stay for as long as the process.
std::vector<Kernel>& rows_of_new_operators() {
  auto& rows = *new std::vector<Kernel>();
  for (const char* const* name = selected; *name; ++name) {
    if (global_registry().has(*name)) continue;
    if (const std::optional<Kernel> found = aten::find_kernel(*name)) rows.push_back(*found);
  }
  return rows;
}

}  // namespace

// What is found now and was not before: a library that was loaded may have brought more.
bool @library@_add_aten() {
  const std::vector<Kernel>& rows = rows_of_new_operators();
  auto& table = *new KernelTable("@library@ of ATen", {rows.data(), rows.size()}, /*in_order=*/true, /*rank=*/-1);
  return register_library(table) == Error::Ok;
}

}  // namespace tenon

extern "C" int tenon_register_@library@_aten;
int tenon_register_@library@_aten = tenon::@library@_add_aten();
"""
