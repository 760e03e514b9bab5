"""ATen mode: the selected operators by their names, called in the torch that is installed."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tenon.build import installed
from tenon.build.drive.library import OperatorLibrary, compile_kernels, compile_prim, generate_files, split_inputs
from tenon.build.drive.own import own_library
from tenon.build.drive.toolchain import Toolchain, Unit
from tenon.build.generate import Bound, bind
from tenon.build.generate.aten import ATEN_OPERATORS, aten_names, aten_table
from tenon.build.select import Selection, chosen
from tenon.errors import Invalid
from tenon.ops.table import Row

# What Tenon's own sources are compiled without, and torch's headers need.
_FLAGS = "-std=c++20 -fexceptions -frtti -fthreadsafe-statics -funwind-tables -fasynchronous-unwind-tables".split()


@cache
def torch_folder() -> Path:
    """Where torch lies, without importing it."""
    found = find_spec("torch")
    if found is None or found.origin is None or not (Path(found.origin).parent / "include" / "ATen").is_dir():
        raise Invalid(
            "ATen mode needs torch with its headers, and this Python has none. Install it: pip install torch."
        )
    return Path(found.origin).parent


def torch_libraries() -> tuple[Path, ...]:
    return tuple(torch_folder() / "lib" / name for name in ("libtorch_cpu.so", "libc10.so"))


def aten_unit(source: Path, *includes: Path) -> Unit:
    """A source over ATen's types."""
    folders = (*includes, installed.include(), installed.root())
    return Unit(source, folders, ("USE_ATEN_LIB",), (*_FLAGS, "-isystem", str(torch_folder() / "include")))


def aten_library(
    selection: Selection,
    rows: Sequence[Row],
    *,
    name: str,
    kernels: Sequence[Path | Unit],
    manual: bool,
    every_prim: bool,
    toolchain: Toolchain,
) -> OperatorLibrary:
    """The user's kernels over ATen's types, and a table of what the dispatcher has of the selection."""
    toolchain.check_machine("ATen mode is on the torch that is installed")
    bound = chosen(selection, bind(rows), aten=True)
    names = aten_names(selection, {each.row.op for each in bound})
    given = _compiled(kernels, bound, toolchain)
    generated, registration = generate_files(bound, name, given, manual, toolchain, aten=True)
    table = toolchain.store.texts({ATEN_OPERATORS: aten_table(names, name)}) / ATEN_OPERATORS
    bridge = [each for each in installed.sources("aten") if each.name != "runner.cpp"]
    late = toolchain.store.texts({"aten_runner.cpp": _runner(name, selection.everything)}) / "aten_runner.cpp"
    # What is generated is no folder of the bridge, whose objects are then those of every build.
    units = [*(aten_unit(each, generated) for each in registration), *map(aten_unit, (table, *bridge, late))]
    *objects, runner = toolchain.compile(units)
    linked, libraries = split_inputs(given)
    return OperatorLibrary(
        name,
        (*objects, *linked),
        (generated, installed.include()),
        (*libraries, own_library("runtime", toolchain), *torch_libraries()),
        tuple(bound),
        generated,
        compile_prim(selection, every_prim, toolchain),
        given,
        tuple(names),
        (runner,),
        (*([] if manual else [f"tenon_register_{name}"]), f"tenon_register_{name}_aten"),
    )


def _compiled(kernels: Sequence[Path | Unit], bound: Sequence[Bound], toolchain: Toolchain) -> dict[Path, Path]:
    try:
        return compile_kernels(kernels, bound, aten_unit(Path()), toolchain)
    except Invalid as fault:
        if not re.search(r"is bound to .* `(?:const )?tenon::", str(fault)):
            raise
        raise Invalid(f"{fault}\nIn ATen mode a tensor is at::Tensor: write executorch::aten::Tensor.") from None


def _runner(library: str, everything: bool) -> str:
    """C++ of a runner's `add_kernels`: libraries to load, and then what of the selection they brought."""
    return _RUNNER.replace("@library@", library).replace("@everything@", "true" if everything else "false")


_RUNNER = """\
// Made by tenon.build: where a runner in ATen mode has its kernels from.
#include <dlfcn.h>

#include "aten/operators.h"
#include "runner/kernels.h"

namespace tenon {

bool @library@_add_aten();

bool runner::add_kernels(const Program& program, const std::vector<std::string>& libraries, Registry& registry,
                         std::string& why) {
  for (const std::string& each : libraries) {
    if (!dlopen(each.c_str(), RTLD_NOW | RTLD_GLOBAL)) return why = std::string(dlerror()) + ".", false;
  }
  if (!@library@_add_aten()) return why = "the kernels of ATen cannot be registered.", false;
  if (!@everything@) return true;
  static aten::Kernels rest(program);  // what nobody knew of when this was built
  rest.table.precedence = -2;
  Message message;
  if (registry.add(rest.table, &message) == Error::Ok) return true;
  return why = message.text, false;
}

}  // namespace tenon
"""
