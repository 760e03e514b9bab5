"""An operator library: what a selection needs of the rows, generated, and compiled with the kernels it binds."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tenon.build import installed
from tenon.build.drive.explain import REMEDY, explained
from tenon.build.drive.own import kernel_sources, own_kernels, own_library
from tenon.build.drive.symbols import Function, defined_functions
from tenon.build.drive.toolchain import LinkFailed, Toolchain, Unit
from tenon.build.generate import NO_PROGRAMS, Bound, Programs, bind, checks, generate
from tenon.build.select import DTYPE_HEADER, Selection, chosen, dtype_header, prim_table, programs_of
from tenon.errors import Invalid
from tenon.ops.table import Row

Mode = Literal["lean", "aten"]
SOURCES = (".cpp", ".cc", ".cxx", ".c++", ".C")
RESERVED = {"prim"}  # a table of the runtime has this name
_DTYPE_DEFINE = "EXECUTORCH_SELECTIVE_BUILD_DTYPE"


@dataclass(frozen=True)
class OperatorLibrary:
    """Objects that all go into a link, and the libraries behind them in a linker's order."""

    name: str
    objects: tuple[Path, ...]
    includes: tuple[Path, ...]
    libraries: tuple[Path, ...]
    bound: tuple[Bound, ...]
    generated: Path  # the folder of what was generated
    prim: Path | None  # the object of a table of prim operators; none for that of the runtime, with all of them
    kernels: Mapping[Path, Path] = field(default_factory=dict)  # what was given, and what was compiled of it
    aten: tuple[str, ...] = ()  # operators that ATen's dispatcher has the kernels of
    runner: tuple[Path, ...] = ()  # objects of a runner alone
    # Symbols that a linker is asked for, so that the library is in a program that calls nothing of it.
    roots: tuple[str, ...] = ()
    loadable: tuple[str, ...] = ()  # symbols by which Python finds the kernels of a shared library

    @property
    def own_prim(self) -> list[Path]:
        return [self.prim] if self.prim else []

    @contextmanager
    def explaining(self, toolchain: Toolchain, remedy: str = REMEDY) -> Iterator[None]:
        """A link within that misses kernels says which rows ask for them, and, if nothing is near, what to do."""
        try:
            yield
        except LinkFailed as fault:
            nm = toolchain.tool("nm")
            given = {path: defined_functions(made, nm) for path, made in self.kernels.items()}
            own = defined_functions(installed.library(toolchain.optimize, "kernels"), nm)
            words = explained(fault.undefined, self.bound, given, own, remedy)
            if words is not None:
                raise Invalid(words) from None
            if not fault.undefined or remedy in str(fault):
                raise
            raise LinkFailed(f"{fault}\n  {remedy}", fault.undefined) from None


def operator_library(
    selection: Selection,
    rows: Sequence[Row],
    *,
    name: str,
    kernels: Sequence[Path | Unit] = (),
    mode: Mode = "lean",
    dtype: bool = False,
    manual: bool = False,
    every_prim: bool = False,
    toolchain: Toolchain,
) -> OperatorLibrary:
    """Select, generate and compile. `kernels` are sources, objects, archives and shared libraries, or units of sources.

    In ATen mode the rows are the user's own; what has none is called in ATen.
    """
    if not name.isidentifier():
        raise Invalid(f"{name!r} is not the name of a library: C++ needs one of letters, digits and underscores.")
    if name in RESERVED:
        raise Invalid(f"{name} is the name of a library of the runtime itself. Choose another.")
    if mode == "aten":
        from tenon.build.drive.aten import aten_library

        return aten_library(
            selection, rows, name=name, kernels=kernels, manual=manual, every_prim=every_prim, toolchain=toolchain
        )
    bound = chosen(selection, bind(rows))
    includes: tuple[Path, ...] = (installed.include(),)
    defines: tuple[str, ...] = ()
    if dtype:
        includes = (toolchain.store.texts({DTYPE_HEADER: dtype_header(selection, bound)}), *includes)
        defines = (_DTYPE_DEFINE,)
    given = compile_kernels(kernels, bound, Unit(Path(), includes, defines), toolchain)
    programs = programs_of(selection, exact=dtype)
    generated, registration = generate_files(bound, name, given, manual, toolchain, programs=programs)
    prim = prim_units(selection, every_prim, toolchain)
    units = [Unit(each, (generated, *includes), ("TENON_LOADABLE",)) for each in registration]
    made = toolchain.compile([*units, *prim])
    objects = made[: len(units)]
    linked, libraries = split_inputs(given)
    objects += linked
    own = [own_library("runtime", toolchain)]
    if dtype:
        sources = kernel_sources(objects, toolchain)
        objects += toolchain.compile([_for_dtypes(each, selection, bound, toolchain) for each in sources])
    else:
        own.insert(0, own_kernels(objects, toolchain))
    return OperatorLibrary(
        name,
        tuple(objects),
        (generated, *includes),
        (*libraries, *own),
        tuple(bound),
        generated,
        made[-1] if prim else None,
        given,
        roots=() if manual else (f"tenon_register_{name}",),
        loadable=() if manual else ("tenon_kernel_table",),
    )


def compile_kernels(
    kernels: Sequence[Path | Unit], bound: Sequence[Bound], like: Unit, toolchain: Toolchain
) -> dict[Path, Path]:
    """Each of the kernels' files, and what the linker gets of it. Sources are compiled with a check of their types."""
    units = {each.source if isinstance(each, Unit) else each: each for each in kernels}
    for path in units:
        if not path.is_file():
            raise Invalid(f"{path}: there is no such file. A library of kernels is a source, an object, a .a or a .so.")
    sources = {path: each for path, each in units.items() if path.suffix in SOURCES}
    made = toolchain.compile([_checked(path, each, bound, like, toolchain) for path, each in sources.items()])
    objects = dict(zip(sources, made, strict=True))
    return {path: objects.get(path, path) for path in units}


def _checked(path: Path, unit: Path | Unit, bound: Sequence[Bound], like: Unit, toolchain: Toolchain) -> Unit:
    """The unit of a source that includes the user's, and asserts what it finds there."""
    own = unit if isinstance(unit, Unit) else Unit(path)
    folder = toolchain.store.texts({f"{path.stem}.cpp": checks(bound, path.absolute())})
    # The folder of the source, as if it were compiled itself.
    includes = (path.absolute().parent, *own.includes, *like.includes)
    return Unit(folder / f"{path.stem}.cpp", includes, (*like.defines, *own.defines), (*like.flags, *own.flags))


def generate_files(
    bound: Sequence[Bound],
    name: str,
    given: Mapping[Path, Path],
    manual: bool,
    toolchain: Toolchain,
    aten: bool = False,
    programs: Programs = NO_PROGRAMS,
) -> tuple[Path, list[Path]]:
    """The folder of what is generated, and the sources in it. Kernels without a context are called without one."""
    nm = toolchain.tool("nm")
    functions = [each for made in given.values() for each in defined_functions(made, nm)]
    registration: Literal["manual", "static"] = "manual" if manual else "static"
    plain = without_context(functions)
    files = generate(bound, name, registration=registration, aten=aten, plain=plain, programs=programs)
    folder = toolchain.store.texts(files)
    return folder, [folder / each for each in files if each.endswith(".cpp")]


def without_context(functions: Sequence[Function]) -> frozenset[str]:
    """The names of those of which there is no form with a context."""
    with_context = {each.name for each in functions if each.has_context}
    return frozenset(each.name for each in functions if each.arguments is not None and each.name not in with_context)


def split_inputs(given: Mapping[Path, Path]) -> tuple[list[Path], list[Path]]:
    """Objects, which are linked as they are, and archives and shared libraries, which are searched."""
    objects = [made for made in given.values() if made.suffix == ".o"]
    return objects, [made for made in given.values() if made.suffix != ".o"]


def prim_units(selection: Selection, every: bool, toolchain: Toolchain) -> list[Unit]:
    """A table of the prim operators that are selected; nothing for all, which the runtime's own has."""
    text = None if every else prim_table(selection)
    if text is None:
        return []
    return [Unit(toolchain.store.texts({"prim_kernels.cpp": text}) / "prim_kernels.cpp", (installed.include(),))]


def compile_prim(selection: Selection, every: bool, toolchain: Toolchain) -> Path | None:
    """The object of that table."""
    return next(iter(toolchain.compile(prim_units(selection, every, toolchain))), None)


def _for_dtypes(source: Path, selection: Selection, bound: Sequence[Bound], toolchain: Toolchain) -> Unit:
    """One of Tenon's own sources with the rows of its own kernels: models that differ elsewhere share its object."""
    named = set(re.findall(r"\w+", source.read_text()))
    folder = toolchain.store.texts({DTYPE_HEADER: dtype_header(selection, bound, only=named)})
    return Unit(source, (folder, installed.include()), (_DTYPE_DEFINE,))
