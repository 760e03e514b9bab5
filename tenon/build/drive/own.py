"""Tenon's own libraries for a toolchain: those that are installed, or else compiled from the sources beside them."""

import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from tenon.build import installed
from tenon.build.drive.symbols import (
    defined_symbols,
    members,
    needed_members,
    parsed,
    provided_symbols,
    undefined_functions,
    undefined_symbols,
)
from tenon.build.drive.toolchain import Toolchain, Unit

_FOLDERS = {"runtime": ("core", "load", "exec"), "runner": ("runner",)}


def own_library(name: str, toolchain: Toolchain) -> Path:
    """libtenon_runtime.a or libtenon_runner.a."""
    if toolchain.has_libraries:
        return installed.library(toolchain.optimize, name)
    return _archived(name, [source for folder in _FOLDERS[name] for source in installed.sources(folder)], toolchain)


def own_kernels(objects: Sequence[Path], toolchain: Toolchain) -> Path:
    """libtenon_kernels.a; where it has to be compiled, with the sources that these objects need and no others."""
    if toolchain.has_libraries:
        return installed.library(toolchain.optimize, "kernels")
    return _archived("kernels", kernel_sources(objects, toolchain), toolchain)


def kernel_sources(objects: Sequence[Path], toolchain: Toolchain) -> list[Path]:
    """Tenon's own sources of kernels that these objects need, those included that they need in turn."""
    nm = toolchain.tool("nm")
    library = installed.library(toolchain.optimize, "kernels")
    # By names, as another machine may have other types, and so other symbols, for the same arguments.
    wanted = {each.name for each in undefined_functions(objects, nm)}
    named = {symbol for symbol, text in defined_symbols(library, nm) if (f := parsed(text)) and f.name in wanted}
    roots = named | undefined_symbols(objects, nm)
    by_name = {f"{source.name}.o": source for source in installed.own_sources()}
    return [
        by_name[each]
        for each in needed_members(roots, members(library, nm), provided_symbols(objects, nm))
        if each in by_name
    ]


def _archived(name: str, sources: Sequence[Path], toolchain: Toolchain) -> Path:
    """An archive of these sources, which is kept as their objects are."""
    objects = toolchain.compile([Unit(each, (installed.include(),)) for each in sources])
    key = hashlib.sha256("\0".join(each.name for each in objects).encode()).hexdigest()[:32]
    kept = toolchain.store.folder / f"libtenon_{name}-{key}.a"
    if kept.exists():
        os.utime(kept)
        return kept
    with toolchain.store.scratch() as folder:
        # An object has the name of its source, as in the libraries that are installed.
        named = [folder / f"{source.name}.o" for source in sources]
        for made, target in zip(objects, named, strict=True):
            shutil.copy(made, target)
        os.replace(toolchain.archive(folder / kept.name, named), kept)
    return kept
