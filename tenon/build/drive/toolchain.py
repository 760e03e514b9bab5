"""The C++ compiler: units to objects, which are kept from build to build, and objects to archives and programs."""

import os
import platform
import re
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tenon.build import installed
from tenon.build.drive.compiler import Compiler, run
from tenon.build.drive.store import Store
from tenon.errors import Invalid, listing, plural

_SHOWN = 5  # errors of one source: the first are causes, those behind them often only consequences
_ERROR = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<words>.*)$", re.MULTILINE)
_ASSERTION = re.compile(r"^static(?: assertion failed|_assert failed[^:]*)(?: due to requirement [^:]*)?: \"?(.*?)\"?$")
# The type that stands for `Found` in the words of checks.h: gcc tells it before them, clang behind them.
_FOUND = r"n instantiation of .*tenon_row_\d+_(?:argument_\d+|returned)<(?P<type>.*), false>"
_FOUND_BEFORE, _FOUND_BEHIND = re.compile("I" + _FOUND), re.compile("i" + _FOUND)
_MERGE_NEEDS = " That needs a linker with -r and --gc-sections, such as GNU ld or lld (--cxx-flags -fuse-ld=lld)."
# GNU ld and gold quote what is missing; lld does not.
_UNDEFINED = re.compile(r"undefined (?:reference to [`'\"](?P<quoted>.*)['\"]|symbol: (?P<plain>.*))$", re.MULTILINE)


@dataclass(frozen=True)
class Unit:
    """One source and how it is compiled. `flags` come last, so that they overrule those of the toolchain."""

    source: Path
    includes: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


class LinkFailed(Invalid):
    """A link that failed; `undefined` are the functions it missed, as C++ writes them."""

    def __init__(self, words: str, undefined: Sequence[str]) -> None:
        super().__init__(words)
        self.undefined = tuple(undefined)


class Toolchain:
    """A compiler with the flags of Tenon's own libraries, and a folder that keeps what it made."""

    def __init__(
        self,
        cxx: str | None = None,
        optimize: str = "size",
        folder: Path | None = None,
        *,
        cxx_flags: str | None = None,
        other_machine: bool = False,
    ) -> None:
        self.compiler = Compiler(cxx, cxx_flags)
        self.optimize = optimize
        self.flags = installed.flags(optimize)
        self.store = Store(folder or cache_folder())
        if not other_machine:
            self.check_machine("What is built here runs here")

    @property
    def identity(self) -> str:
        return self.compiler.identity

    @property
    def has_libraries(self) -> bool:
        """Whether the libraries that are installed are what this compiler makes with these flags."""
        compiler = self.compiler
        return compiler.is_for_here and not compiler.flags and not compiler.has_another_library

    @cached_property
    def link_flags(self) -> list[str]:
        """Those of a program that this linker knows: what only lays out a file can do without them."""
        flags = installed.link_flags(self.optimize)
        if self.has_libraries:
            return flags
        with self.store.scratch() as folder:
            source = folder / "main.cpp"
            source.write_text("int main() {}\n")
            words = ["-r", "-nostdlib", "-Wl,-e,main", str(source), "-o", str(folder / "main.o")]
            return [each for each in flags if self.compiler.run(*words, each).returncode == 0]

    def check_machine(self, what: str) -> None:
        """Some things are for the machine that they are built on."""
        if not self.compiler.is_for_here:
            raise Invalid(
                f"{what}, on {platform.machine()}, and {self.compiler} compiles for {self.compiler.target}. "
                "Take a compiler for this machine."
            )

    def tool(self, name: str) -> str:
        """nm, ar or another tool that goes with the compiler."""
        return self.compiler.tool(name)

    def compile(self, units: Sequence[Unit]) -> list[Path]:
        """An object per unit. What is wrong with any of them is told at once."""
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            made = list(pool.map(self._object, units))
        faults = [fault for each in made if not isinstance(each, Path) for fault in each]
        if faults:
            raise Invalid("\n".join(dict.fromkeys(faults)))
        return [each for each in made if isinstance(each, Path)]

    def _object(self, unit: Unit) -> Path | list[str]:
        includes = [word for folder in unit.includes for word in ("-I", str(folder))]
        words = [*self.flags, *(f"-D{each}" for each in unit.defines), *includes, *unit.flags]
        key = self.store.key(self.identity, *words, str(unit.source), source=unit.source)
        if found := self.store.find(key):
            return found
        with self.store.scratch() as folder:
            made, needs = folder / "made.o", folder / "needs"
            done = self.compiler.run(*words, "-MD", "-MF", str(needs), "-c", str(unit.source), "-o", str(made))
            if done.returncode or not made.exists():
                return _compile_faults(unit.source, done.stderr)
            return self.store.keep(key, unit.source.stem, made, needs.read_text())

    def archive(self, out: Path, objects: Sequence[Path]) -> Path:
        """A static library. Of two objects with one name both are in it."""
        out.unlink(missing_ok=True)
        self._made([self.tool("ar"), "qcSD", str(out), *map(str, objects)], out)
        self._made([self.tool("ranlib"), "-D", str(out)], out)
        return out

    def extract(self, archive: Path, folder: Path) -> list[Path]:
        """The objects of an archive."""
        folder.mkdir()
        self._made([self.tool("ar"), "x", "--output", str(folder), str(archive)], archive)
        return sorted(folder.iterdir())

    def merge(self, out: Path, inputs: Sequence[Path], roots: Sequence[str]) -> Path:
        """One object of all that is reached from the roots, mangled names, in objects and archives."""
        asked = [f"-Wl,-u,{root}" for root in roots]
        words = ["-r", "-nostdlib", "-Wl,--gc-sections", f"-Wl,-e,{roots[0]}", *asked]
        self._made(self.compiler.line(*words, *map(str, inputs), "-o", str(out)), out, _MERGE_NEEDS)
        return out

    def link(self, out: Path, inputs: Sequence[Path | str], *, shared: bool = False, flags: Sequence[str] = ()) -> Path:
        """A program or a shared library. What is given as text is a flag that stands between the inputs."""
        given = [*(["-shared"] if shared else []), *self.link_flags, *map(str, inputs), *flags]
        self._made(self.compiler.line(*given, "-o", str(out)), out)
        return out

    def _made(self, command: Sequence[str], out: Path, needs: str = "") -> None:
        done = run(command)
        if done.returncode == 0:
            return
        undefined = [found["quoted"] or found["plain"] for found in _UNDEFINED.finditer(done.stderr)]
        missing = list(dict.fromkeys(undefined))
        if missing:
            words = listing(f"{out.name}: {plural(len(missing), 'function')} that it calls nobody defines.", missing)
        else:
            words = listing(f"{out.name} cannot be linked.{needs}", done.stderr.strip().splitlines()[-8:])
        raise LinkFailed(words, missing)


def cache_folder() -> Path:
    """Where objects are kept: TENON_CACHE, or tenon in the user's cache."""
    if chosen := os.environ.get("TENON_CACHE"):
        return Path(chosen)
    try:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    except RuntimeError:  # a user without a home
        base = tempfile.gettempdir()
    return Path(base) / "tenon"


def _shown(file: str) -> str:
    """From here, if it is below."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file


def _place(fault: dict[str, str]) -> str:
    return f"{_shown(fault['file'])}:{fault['line']}"


def _compile_faults(source: Path, words: str) -> list[str]:
    """Assertions first, as they say in words what the other errors show in types."""
    matches = list(_ERROR.finditer(words))
    found = [match.groupdict() for match in matches]
    asserted = []
    for number, each in enumerate(found):
        if text := _ASSERTION.match(each["words"]):
            is_own = Path(each["file"]) == source  # then it stands in what Tenon generated, and says its place itself
            told = _with_type(text[1], matches, number, words)
            asserted.append(told if is_own else f"{_place(each)}: {told}")
    if asserted:
        return asserted
    if not found:
        return [listing(f"{source} cannot be compiled.", words.strip().splitlines()[:_SHOWN])]
    rows = list(dict.fromkeys(f"{_place(each)}: {each['words']}" for each in found))
    left = [f"and {len(rows) - _SHOWN} more"] if len(rows) > _SHOWN else []
    return [listing(f"{_shown(found[0]['file'])} does not compile.", [*rows[:_SHOWN], *left])]


def _with_type(told: str, errors: Sequence[re.Match[str]], number: int, words: str) -> str:
    """A type that checks.h has no name for, as the compiler writes it around its error."""
    if "`Found`" not in told:
        return told
    before = errors[number - 1].end() if number else 0
    behind = errors[number + 1].start() if number + 1 < len(errors) else len(words)
    found = _FOUND_BEFORE.search(words, before, errors[number].start())
    found = found or _FOUND_BEHIND.search(words, errors[number].end(), behind)
    return told.replace("`Found`", f"`{found['type']}`") if found else told
