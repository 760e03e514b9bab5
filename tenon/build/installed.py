"""What a build finds beside the Python extension: headers, sources, libraries of two kinds, and their flags."""

from functools import cache
from pathlib import Path
from typing import Literal

from tenon.errors import Invalid
from tenon.ops.own import root as root
from tenon.ops.table import Row, read_tables

Optimize = Literal["size", "speed"]
LIBRARIES = ("runner", "kernels", "runtime")  # in the order in which a linker wants them
FOLDERS = ("core", "load", "exec", "kernels", "kernels/fast", "kernels/generated", "runner", "aten")

_LINK = ["-Wl,--gc-sections"]
# Headers, code and data then share pages; relocations are done before main, but their pages stay writable.
_LINK_SMALL = [*_LINK, "-Wl,-z,noseparate-code", "-Wl,-z,norelro", "-Wl,--build-id=none"]


def cmake() -> Path:
    """The folder of TenonConfig.cmake."""
    return root().parent / "cmake"


def include() -> Path:
    return root() / "include"


def library(optimize: str, name: str) -> Path:
    """libtenon_<name>.a, of the kind that is asked for."""
    if name not in LIBRARIES:
        raise Invalid(f"there is no library {name}; there are {', '.join(LIBRARIES)}.")
    return _kind(optimize) / f"libtenon_{name}.a"


def libraries(optimize: str) -> list[Path]:
    """All of them, in the order for a linker."""
    return [library(optimize, name) for name in LIBRARIES]


def sources(folder: str) -> list[Path]:
    """The .cpp files of one folder, such as `kernels`, without those of folders in it."""
    if folder not in FOLDERS:
        raise Invalid(f"there are no sources in {folder}; there are some in {', '.join(FOLDERS)}.")
    return sorted((root() / folder).glob("*.cpp"))


def own_sources() -> list[Path]:
    """Those of all kernels, in alphabetical order of their names."""
    return sorted([*sources("kernels"), *sources("kernels/fast")], key=lambda source: source.name)


def aten_sources() -> list[Path]:
    """What a runner in ATen mode has besides libtenon_runtime.a: compiled as C++20, with exceptions and RTTI."""
    runner = [each for each in sources("runner") if each.name != "kernels.cpp"]
    return [*sources("aten"), *runner]


@cache
def _flags(optimize: str) -> tuple[str, ...]:
    return tuple((_kind(optimize) / "flags.txt").read_text().split())


def flags(optimize: str) -> list[str]:
    """What a source is compiled with to go with the libraries of this kind."""
    return list(_flags(optimize))


def link_flags(optimize: str) -> list[str]:
    """What a program is linked with, so that only what it uses is in it."""
    _kind(optimize)
    return list(_LINK_SMALL if optimize == "size" else _LINK)


def own_tables() -> list[Path]:
    return [root() / "kernels" / name for name in ("functions.yaml", "custom_ops.yaml")]


def own_rows() -> list[Row]:
    """Tenon's own kernels."""
    return read_tables(own_tables())


def _kind(optimize: str) -> Path:
    if optimize not in ("size", "speed"):
        raise Invalid(f"there is nothing optimized for {optimize}; there is size and speed.")
    return root() / "lib" / optimize


if __name__ == "__main__":  # the prefix under which CMake finds the package
    print(cmake().parent)
