"""cxx_binary and cxx_test: sources, libraries and operators linked to a program. Without sources it is a runner."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from tenon.build import installed
from tenon.build.buck.evaluate import Target
from tenon.build.buck.external import Stands
from tenon.build.buck.operators import Operators
from tenon.build.buck.reach import Reached, reached
from tenon.build.buck.sources import in_aten_mode
from tenon.build.drive.aten import aten_unit, torch_libraries
from tenon.build.drive.library import OperatorLibrary, compile_prim
from tenon.build.drive.own import own_library
from tenon.build.drive.toolchain import LinkFailed, Toolchain
from tenon.build.select import union
from tenon.errors import Invalid, Unsupported

REMEDY = "Add the library that defines it to kernel_deps or deps."


def link_program(target: Target, operators: Operators, out: Path) -> None:
    """The program of a target, in the mode of the operators that it reaches."""
    toolchain = operators.toolchain
    reach = reached(operators.graph, target)
    libraries = _operator_libraries(target, reach, operators)
    aten = bool(reach.in_aten_mode)
    own = compiled(target, operators, aten=aten)
    inputs = [*own, *_linked(reach, libraries, aten, operators)]
    archives = _last_of_each(each for library in libraries for each in library.libraries)
    if not own or libraries or reach.externals:
        inputs += libraries[0].runner if libraries and not own else []
        behind = [own_library("runtime", toolchain), *(torch_libraries() if aten else [])]
        archives = _last_of_each([own_library("runner", toolchain), *archives, *behind])
    flags = [flag for each in (target, *reach.libraries) for flag in _linker_flags(each)]
    with ExitStack() as explaining:
        for library in libraries:
            explaining.enter_context(library.explaining(toolchain, REMEDY))
        try:
            toolchain.link(out, [*inputs, *archives], flags=[*run_paths(archives), *flags])
        except LinkFailed as fault:
            if "main" not in fault.undefined:
                raise
            raise Invalid(f"{target.where}: none of the srcs of {target.rule} {target.label} defines main().") from None


def compiled(target: Target, operators: Operators, *, aten: bool, without: Iterable[Path] = ()) -> list[Path]:
    """The objects of a library's or a program's own sources."""
    reach = reached(operators.graph, target)
    generated = tuple(operators.library(each).generated for each in reach.generated)
    units = operators.sources.units(target, reach, (*generated, *operators.header_folders(reach)))
    new = [unit for unit in units if unit.source not in without]
    return operators.toolchain.compile([in_aten_mode(unit) for unit in new] if aten else new)


def compiled_bridge(toolchain: Toolchain) -> list[Path]:
    """What kernels over ATen's types call."""
    return toolchain.compile([aten_unit(each) for each in installed.sources("aten") if each.name == "tensors.cpp"])


def run_paths(libraries: Iterable[Path]) -> list[str]:
    """Flags by which a program finds its shared libraries again."""
    folders = {str(each.absolute().parent) for each in libraries if ".so" in each.suffixes}
    return [f"-Wl,-rpath,{folder}" for folder in sorted(folders)]


def _operator_libraries(target: Target, reach: Reached, operators: Operators) -> list[OperatorLibrary]:
    """The operator libraries of a program, which are all of one mode."""
    lean = [each for each in reach.generated if not each.attributes.get("aten_mode")]
    aten = reach.in_aten_mode
    who = f"{target.where}: {target.rule} {target.label}"
    if lean and aten:
        raise Invalid(f"{who} mixes modes: {lean[0].label} is for lean mode, and {aten[0]} is for ATen mode.")
    found = [operators.library(each) for each in reach.generated]
    found += [operators.standing_for(each) for each in reach.externals if each.stands == Stands.OPERATORS][:1]
    if aten and len(found) > 1:
        names = " and ".join(library.name for library in found)
        raise Unsupported(f"{who} has {len(found)} operator libraries for ATen mode, {names}. Make one of them.")
    return found


def _linked(reach: Reached, libraries: Sequence[OperatorLibrary], aten: bool, operators: Operators) -> Iterator[Path]:
    """Objects of libraries and operators. A kernel that two of them have compiled is linked once."""
    toolchain = operators.toolchain
    taken: set[Path] = set()
    for library in libraries:
        kernels = {made for source, made in library.kernels.items() if source not in taken}
        yield from (each for each in library.objects if each in kernels)
        yield from (each for each in library.objects if each not in library.kernels.values())
        taken |= set(library.kernels)
    for each in reach.libraries:
        if each.rule == "prebuilt_cxx_library":
            yield from (path for path in operators.prebuilt(each) if path not in taken)
        else:
            yield from compiled(each, operators, aten=aten, without=taken)
    if aten and not libraries:
        yield from compiled_bridge(toolchain)
    if libraries and all(library.prim for library in libraries):
        graph = operators.graph
        selections = (operators.union(each, reached(graph, each)).selection for each in reach.generated)
        yield from filter(None, [compile_prim(union(selections), False, toolchain)])


def _last_of_each(paths: Iterable[Path]) -> list[Path]:
    """A linker searches an archive for what those before it miss."""
    return list(reversed(dict.fromkeys(reversed(list(paths)))))


def _linker_flags(target: Target) -> list[str]:
    return [*target.attributes.get("exported_linker_flags", []), *target.attributes.get("linker_flags", [])]
