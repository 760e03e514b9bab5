"""Texts of C++ and YAML to a shared library of kernels, and to the operators that it brings: tenon.ops.load_inline."""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenon.build import eager
from tenon.build.drive.library import OperatorLibrary, operator_library
from tenon.build.drive.store import Store, content
from tenon.build.drive.toolchain import Toolchain, Unit
from tenon.build.generate import bind
from tenon.build.select import of_everything
from tenon.errors import Invalid
from tenon.ops.table import Row, merged, read_table

Source = str | os.PathLike[str]

# One symbol is for others. All else stays inside, so that a newer build of the same kernels is not mixed with an older.
_EXPORTS = "{ global: tenon_kernel_table; local: *; };\n"


@dataclass(frozen=True)
class InlineLibrary:
    """A library of kernels, and what torch is to know of its operators."""

    path: Path
    operators: tuple[eager.Definition, ...]
    meta: Mapping[str, eager.Meta]


def build_inline(
    sources: Source | Iterable[Source],
    custom_ops_yaml: Source | None,
    functions_yaml: Source | None,
    meta: Mapping[str, eager.Meta],
    *,
    name: str | None,
    extra_flags: Sequence[str],
    folder: Path | None,
) -> InlineLibrary:
    """What can be told without a compiler is told first."""
    if isinstance(extra_flags, str):
        raise Invalid(f"extra_flags is a text, and is a list of them: {extra_flags.split()}.")
    toolchain = Toolchain(optimize="speed", folder=folder)
    custom, functions = _rows(toolchain.store, custom_ops_yaml, functions_yaml)
    rows = merged(custom, functions)
    if not rows:
        raise Invalid("There are no rows, and so there is nothing to build. Give custom_ops_yaml or functions_yaml.")
    called = name or (custom[0].op.partition("::")[0] if custom else "inline")
    defined = eager.definitions(bind(rows))
    chosen = eager.check(defined, meta)
    units = [Unit(each, flags=tuple(extra_flags)) for each in _files(toolchain.store, sources, called)]
    library = operator_library(of_everything(), rows, name=called, kernels=units, every_prim=True, toolchain=toolchain)
    return InlineLibrary(_link(library, toolchain, extra_flags), tuple(defined), chosen)


# --- what is given ----------------------------------------------------------------------------------------------------


def _rows(store: Store, custom: Source | None, functions: Source | None) -> tuple[list[Row], list[Row]]:
    def read(given: Source | None, name: str) -> list[Row]:
        return [] if given is None else read_table(_file(store, given, name, "YAML"))

    return read(custom, "custom_ops.yaml"), read(functions, "functions.yaml")


def _files(store: Store, sources: Source | Iterable[Source], name: str) -> list[Path]:
    listed = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    return [_file(store, each, f"{name}_{i}.cpp" if i else f"{name}.cpp", "C++") for i, each in enumerate(listed)]


def _file(store: Store, given: Source, name: str, language: str) -> Path:
    """The file of a path, or one that is written for a text. A text has more than one line."""
    if isinstance(given, str) and "\n" in given:
        return store.texts({name: given}) / name
    path = Path(given)
    if not path.is_file():
        raise Invalid(f"{given}: there is no such file. Give the path of one, or {language} of more than one line.")
    return path.absolute()


# --- what is built ----------------------------------------------------------------------------------------------------


def _link(library: OperatorLibrary, toolchain: Toolchain, flags: Sequence[str]) -> Path:
    """The shared library of these objects, as an earlier build left it if they are the same."""
    inputs = [*library.objects, *library.libraries]
    exports = toolchain.store.texts({"exports.txt": _EXPORTS}) / "exports.txt"
    own = ["-Wl,-z,defs", f"-Wl,--version-script={exports}", *flags]
    parts = [toolchain.identity, library.name, *own, *(f"{each}={content(each)}" for each in inputs)]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    target = toolchain.store.folder / f"{library.name}-{key}.so"
    if target.exists():
        return target
    with toolchain.store.scratch() as folder, library.explaining(toolchain):
        made = toolchain.link(folder / target.name, inputs, shared=True, flags=own)
        os.replace(made, target)
    return target
