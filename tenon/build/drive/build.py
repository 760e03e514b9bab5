"""A build: models, operators and kernels to a runner, a static and a shared library with headers, and a size table."""

import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenon.build import installed
from tenon.build.drive.library import RESERVED, Mode, OperatorLibrary, operator_library
from tenon.build.drive.output import written_whole
from tenon.build.drive.own import own_library
from tenon.build.drive.sizes import Sizes, measured
from tenon.build.drive.symbols import members, undefined_symbols
from tenon.build.drive.toolchain import Toolchain
from tenon.build.select import Selection, of_everything, of_list, of_model, selection_files, union
from tenon.build.select.inputs import holds_rows, of_file
from tenon.errors import Invalid
from tenon.ops.table import Row, merged, read_table

_REGISTRY = "global_registry.cpp.o"  # who uses the process's registry gets the kernels with it
_PRIM_TABLE = "prim_table.cpp.o"  # all prim operators, where a build has those that it selects
_PRIM_KERNELS = "_ZN5tenon12prim_kernelsE"  # tenon::prim_kernels


@dataclass(frozen=True)
class BuildRequest:
    """What to build, of what, and where to."""

    out: Path
    models: tuple[Path, ...] = ()
    ops: tuple[str, ...] = ()
    yamls: tuple[Path, ...] = ()
    everything: bool = False
    functions: tuple[Path, ...] = ()
    custom_ops: tuple[Path, ...] = ()
    kernels: tuple[Path, ...] = ()
    mode: Mode = "lean"
    dtype: bool = False
    optimize: str = "size"
    name: str | None = None
    cxx: str | None = None
    cxx_flags: str | None = None


@dataclass(frozen=True)
class Built:
    """What was built, and what it weighs."""

    runner: Path
    archive: Path
    shared: Path
    include: Path
    sizes: Sizes


def build(request: BuildRequest, progress: Callable[[str, int, int], None] = lambda *_: None) -> Built:
    """All of it, or nothing."""
    name = library_name(request)
    if request.dtype and request.mode == "aten":
        raise Invalid("--dtype chooses what Tenon's own kernels are compiled for: in ATen mode there are none of them.")
    progress("select", 0, 4)
    models = {path: of_model(path) for path in request.models}
    selection = _selection(request, list(models.values()))
    toolchain = Toolchain(request.cxx, request.optimize, cxx_flags=request.cxx_flags, other_machine=True)
    with written_whole(request.out) as folder:
        progress("compile", 1, 4)
        library = operator_library(
            selection,
            rows_of(request),
            name=name,
            kernels=request.kernels,
            mode=request.mode,
            dtype=request.dtype,
            toolchain=toolchain,
        )
        progress("link", 2, 4)
        with library.explaining(toolchain):
            sizes = _link(library, folder, toolchain)
        progress("write", 3, 4)
        for file, text in selection_files([(str(path), each) for path, each in models.items()], selection).items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(text)
        copy_headers(library, folder / "include")
    out = request.out
    return Built(out / f"{name}_runner", out / f"lib{name}.a", out / f"lib{name}.so", out / "include", sizes)


def library_name(request: BuildRequest) -> str:
    """As asked for, or after the first model; as C++ can have it."""
    if request.name is not None:
        if not re.fullmatch(r"[A-Za-z_]\w*", request.name, re.ASCII):
            raise Invalid(f"--name {request.name}: a name has letters, digits and underscores, as names in C++ do.")
        return request.name
    first = request.models[0].stem if request.models else "operators"
    plain = re.sub(r"\W", "_", first, flags=re.ASCII)
    return f"_{plain}" if plain[0].isdigit() or plain in RESERVED else plain


def rows_of(request: BuildRequest) -> list[Row]:
    """The user's rows go before Tenon's own; in ATen mode there are no others, as ATen has the rest."""
    custom = [row for path in request.custom_ops for row in read_table(path)]
    functions = [row for path in request.functions for row in read_table(path)]
    rows = merged(custom, functions)
    # What is only to be selected may be an operator that nothing else has a row for.
    listed = [row for path in request.yamls if holds_rows(path) for row in read_table(path)]
    if request.mode == "aten":
        return merged(rows, [row for row in listed if row.schema is not None])
    return merged(merged(rows, installed.own_rows()), listed)


def _selection(request: BuildRequest, models: Sequence[Selection]) -> Selection:
    parts = [*models, *(of_file(path) for path in request.yamls)]
    if request.ops:
        parts.append(of_list(request.ops))
    if request.everything:
        parts.append(of_everything())
    if not parts:
        raise Invalid(
            "Nothing is selected. Name a model, operators (--ops aten::add.out,aten::mul.out), "
            "a YAML of them (--yaml functions.yaml), or all (--all)."
        )
    return union(parts)


def _link(library: OperatorLibrary, folder: Path, toolchain: Toolchain) -> Sizes:
    runner, shared = folder / f"{library.name}_runner", folder / f"lib{library.name}.so"
    inputs = [*library.objects, *library.own_prim]
    archives = [each for each in library.libraries if ".so" not in each.suffixes]
    beside = [each for each in library.libraries if ".so" in each.suffixes]
    rpath = sorted({f"-Wl,-rpath,{each.absolute().parent}" for each in beside})
    with toolchain.store.scratch() as scratch:
        # What a program consists of is decided here, once; a link of it then only lays it out.
        parts = [*inputs, *library.runner, own_library("runner", toolchain), *archives]
        roots = ["main", *library.roots, *_called_from_shared(library, toolchain)]
        whole = toolchain.merge(scratch / "runner.o", parts, roots)
        toolchain.link(runner, [whole, *beside], flags=[*rpath, "-s"])
        toolchain.archive(folder / f"lib{library.name}.a", library_parts(library, scratch / "static", toolchain))
        objects = library_parts(library, scratch / "shared", toolchain, roots=library.loadable)
        toolchain.link(shared, [*objects, *beside], shared=True, flags=[*rpath, "-s"])
        return measured(whole, runner, list(dict.fromkeys(each.row.op for each in library.bound)))


def _called_from_shared(library: OperatorLibrary, toolchain: Toolchain) -> list[str]:
    """What shared libraries of kernels call in the runtime, which nothing in the program itself may."""
    nm = toolchain.tool("nm")
    shared = [each for each in library.kernels.values() if ".so" in each.suffixes]
    runtime = members(own_library("runtime", toolchain), nm).values() if shared else []
    defined = {symbol for member in runtime for symbol in member.defined}
    return sorted(undefined_symbols(shared, nm) & defined)


def library_parts(
    library: OperatorLibrary, scratch: Path, toolchain: Toolchain, roots: Sequence[str] = ()
) -> list[Path]:
    """The runtime's objects, where the one with the process's registry brings the kernels: it links as any other."""
    runtime = own_library("runtime", toolchain)
    parts = {each.name: each for each in toolchain.extract(runtime, scratch)}
    if library.prim:
        del parts[_PRIM_TABLE]
    registry = parts.pop(_REGISTRY)
    exported = [name for name in members(runtime, toolchain.tool("nm"))[_REGISTRY].defined if name.startswith("_ZN")]
    searched = [each for each in library.libraries if ".so" not in each.suffixes and each != runtime]
    inputs = [registry, *library.objects, *library.own_prim, *searched]
    asked = [*library.roots, *roots, *([_PRIM_KERNELS] if library.prim else []), *sorted(exported)]
    return [toolchain.merge(scratch / f"{library.name}.o", inputs, asked), *parts.values()]


def copy_headers(library: OperatorLibrary, folder: Path) -> None:
    """What a program that uses the library includes: tenon/, executorch/, and what was generated under its name."""
    shutil.copytree(installed.include(), folder)
    for part in ("exec", "load"):
        for header in (installed.root() / part).glob("*.h"):
            (folder / "tenon" / part).mkdir(exist_ok=True)
            shutil.copy(header, folder / "tenon" / part)
    for header in library.generated.glob("*.h"):
        (folder / library.name).mkdir(exist_ok=True)
        shutil.copy(header, folder / library.name)
