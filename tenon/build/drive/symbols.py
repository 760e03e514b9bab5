"""What objects, archives and shared libraries define and miss, as nm tells it."""

import re
import subprocess
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenon.errors import Invalid

CONTEXT = "tenon::KernelRuntimeContext&"
_LINE = re.compile(r"^[0-9a-f]* +([A-Za-z]) (.+)$")
_MEMBER = re.compile(r"^(?:.*\[(.+)\]|([^:\s]+\.o)):$")


@dataclass(frozen=True)
class Function:
    """A C++ function: `custom::native::mul3_out` with the types of its arguments. None were told for one of C."""

    name: str
    arguments: tuple[str, ...] | None
    is_local: bool = False  # static, or in a namespace without a name: nothing outside its file can call it

    def __str__(self) -> str:
        if self.arguments is None:
            return self.name
        return f"{self.name}({', '.join(map(readable, self.arguments))})"

    @property
    def has_context(self) -> bool:
        return bool(self.arguments) and self.arguments is not None and self.arguments[0] == CONTEXT


def defined_functions(path: Path, nm: str = "nm") -> list[Function]:
    """Those that a file defines, in its order. Templates are not told: no kernel is one."""
    found = []
    for letter, text in _symbols(path, nm, "--demangle", "--defined-only"):
        if letter in "TtWw":
            function = parsed(text, is_local=letter == "t")
            if function is not None:
                found.append(function)
    return list(dict.fromkeys(found))


def parsed(text: str, is_local: bool = False) -> Function | None:
    """A function from its demangled name; None for what is no function with a plain name."""
    plain = text.replace("(anonymous namespace)::", "").partition(" [clone")[0].replace("[abi:cxx11]", "")
    is_local = is_local or "(anonymous namespace)::" in text
    name, parenthesis, rest = plain.partition("(")
    if not re.fullmatch(r"[\w:~]+", name):
        return None
    if not parenthesis:
        return Function(name, None, is_local)
    inside = rest[: rest.rfind(")")]
    return Function(name, tuple(split_arguments(inside)), is_local)


def split_arguments(text: str) -> list[str]:
    """`a, b<c, d>` to [`a`, `b<c, d>`]."""
    found, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "<([") - (letter in ">)]")
        if letter == "," and not depth:
            found.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return [*found, last] if last else found


def readable(type: str) -> str:
    """A type as people write it: `tenon::Tensor const&` is `const Tensor&`."""
    plain = re.sub(r"\blong(?: long)?\b", "int64_t", re.sub(r"\b(?:tenon|at)::", "", type)).replace("> >", ">>")
    plain = plain.replace("KernelRuntimeContext", "Context")
    plain = plain.replace("std::basic_string_view<char, std::char_traits<char>>", "std::string_view")
    return re.sub(r"^(.*) const([&*])$", r"const \1\2", plain)


@dataclass(frozen=True)
class Member:
    """One object of an archive, by mangled names."""

    defined: frozenset[str]
    undefined: frozenset[str]


def members(archive: Path, nm: str = "nm") -> dict[str, Member]:
    """The objects of an archive by their names."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    defined: set[str] = set()
    undefined: set[str] = set()
    for line in _output(archive, nm).splitlines():
        if header := _MEMBER.match(line):
            defined, undefined = found.setdefault(header[1] or header[2], (set(), set()))
        elif symbol := _LINE.match(line):
            if symbol[1] in "Uw":
                undefined.add(symbol[2])
            elif symbol[1].isupper() or symbol[1] == "u":  # others are local
                defined.add(symbol[2])
    return {name: Member(frozenset(d), frozenset(u)) for name, (d, u) in found.items()}


def needed_members(wanted: Iterable[str], archive: Mapping[str, Member], given: Collection[str] = ()) -> list[str]:
    """The members that define any of these, and what those need in turn that is not given."""
    home = {symbol: name for name, member in archive.items() for symbol in member.defined}
    found: set[str] = set()
    open_symbols = list(wanted)
    while open_symbols:
        symbol = open_symbols.pop()
        member = home.get(symbol) if symbol not in given else None
        if member is not None and member not in found:
            found.add(member)
            open_symbols += archive[member].undefined
    return sorted(found)


def undefined_symbols(objects: Sequence[Path], nm: str = "nm") -> set[str]:
    """What these objects miss, mangled."""
    return {text for path in objects for letter, text in _symbols(path, nm) if letter == "U"}


def provided_symbols(objects: Sequence[Path], nm: str = "nm") -> set[str]:
    """What these objects have for others, functions and data, mangled."""
    found = (each for path in objects for each in _symbols(path, nm, "--defined-only"))
    return {text for letter, text in found if letter.isupper()}


def undefined_functions(objects: Sequence[Path], nm: str = "nm") -> set[Function]:
    """The functions that these objects miss."""
    texts = {text for path in objects for letter, text in _symbols(path, nm, "--demangle") if letter == "U"}
    return {function for function in map(parsed, texts) if function is not None}


def defined_symbols(path: Path, nm: str = "nm") -> list[tuple[str, str]]:
    """What others can call of a file: each mangled, and as C++ writes it."""
    told = [_symbols(path, nm, "--defined-only", *how) for how in ((), ("--demangle",))]
    return [(symbol, text) for (letter, symbol), (_, text) in zip(*told, strict=True) if letter in "TW"]


def _symbols(path: Path, nm: str, *options: str) -> list[tuple[str, str]]:
    return [(line[1], line[2]) for line in map(_LINE.match, _output(path, nm, *options).splitlines()) if line]


def _output(path: Path, nm: str, *options: str) -> str:
    dynamic = ["--dynamic"] if ".so" in path.suffixes else []
    try:
        done = subprocess.run(
            [nm, *dynamic, *options, str(path)], capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise Invalid(f"{nm} cannot be run: {error.strerror}. It comes with the compiler (Debian: binutils).") from None
    if done.returncode:
        words = done.stderr.strip().splitlines()
        raise Invalid(f"{path}: is no object, archive or shared library: {words[0] if words else 'nm cannot read it'}.")
    return done.stdout
