"""A C++ compiler as it is named, in one or several words: the machine it is for, and the tools beside it."""

import os
import platform
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from tenon.errors import Invalid

_COMPILERS = ("c++", "g++", "clang++")
_PREFIXED = re.compile(r"(?P<prefix>.+-)(?:c\+\+|g\+\+|gcc|clang\+\+|clang)(?:-[\d.]+)?")
_SAME = {"amd64": "x86_64", "arm64": "aarch64"}  # what some call a machine, and what others do


class Compiler:
    """What is run to compile and to link. The flags go with all that it does."""

    def __init__(self, asked: str | None = None, flags: str | None = None) -> None:
        self.flags = split_words(flags or "", "--cxx-flags")
        self.command = _command(asked)
        self._tools: dict[str, str] = {}

    def __str__(self) -> str:
        return shlex.join([*self.command, *self.flags])

    def line(self, *words: str) -> list[str]:
        """A command. The flags come last, so that they overrule others."""
        return [*self.command, *words, *self.flags]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run(self.line(*words))

    @cached_property
    def identity(self) -> str:
        """What makes the same text another object: the compiler and its version."""
        return f"{self}\n{self.run('--version').stdout}"

    @cached_property
    def target(self) -> str:
        """The machine it compiles for, such as aarch64-linux-gnu; nothing if it does not say."""
        return self.run("-dumpmachine").stdout.strip()

    @cached_property
    def has_another_library(self) -> bool:
        """Whether its std::string is another than that of the libraries here."""
        told = self.run("-E", "-dM", "-x", "c++", "-include", "cstddef", os.devnull).stdout
        return platform.system() == "Linux" and "_LIBCPP_VERSION" in told

    @property
    def is_for_here(self) -> bool:
        """Whether what it makes runs on this machine, and with its C library."""
        if not self.target:
            return True
        machine, system = self.target.partition("-")[0], platform.system().lower()
        if _same(machine) != _same(platform.machine()) or system not in self.target:
            return False
        return system != "linux" or ("musl" in self.target) == (platform.libc_ver()[0] != "glibc")

    def tool(self, name: str) -> str:
        """nm, ar or another tool that goes with the compiler."""
        if name not in self._tools:
            found = next(filter(None, map(shutil.which, self._candidates(name))), None)
            if found is None:
                raise Invalid(
                    f"{name} is missing: {self} names none, and there is none on the PATH. "
                    "It comes with the compiler (Debian: binutils)."
                )
            self._tools[name] = found
        return self._tools[name]

    def _candidates(self, name: str) -> Iterator[str]:
        told = self.run(f"-print-prog-name={name}").stdout.strip()
        if os.sep in told:  # a compiler that knows of none repeats the name
            yield told
        if prefixed := _PREFIXED.fullmatch(Path(self.command[0]).name):
            yield str(Path(self.command[0]).with_name(prefixed["prefix"] + name))
            yield prefixed["prefix"] + name
        yield f"{self.target}-{name}"
        yield name
        yield f"llvm-{name}"


def run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """In plain English, as what it says is read."""
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, env={**os.environ, "LC_ALL": "C"}
        )
    except OSError as error:
        raise Invalid(f"{command[0]} cannot be run: {error.strerror}.") from None


def split_words(text: str, option: str) -> list[str]:
    """As a shell splits them."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise Invalid(f"{option} {text}: cannot be split into words: {error}.") from None


def _command(asked: str | None) -> list[str]:
    """The one that is asked for, that CXX names, or the first of the usual ones."""
    named = asked or os.environ.get("CXX")
    if named:
        if whole := shutil.which(named):  # its path may have spaces
            return [whole]
        source = "--cxx" if asked else "CXX"
        first, *others = split_words(named, source) or [named]
        found = shutil.which(first)
        if found is None:
            raise Invalid(f"{first}: there is no such compiler, and {source} names it. Install it or name another.")
        return [found, *others]
    for name in _COMPILERS:
        if found := shutil.which(name):
            return [found]
    raise Invalid(
        f"There is no C++ compiler: none of {', '.join(_COMPILERS)} is on the PATH. "
        "Install one (Debian: apt-get install g++), or name one with --cxx."
    )


def _same(machine: str) -> str:
    lower = machine.lower()
    return _SAME.get(lower, lower)
