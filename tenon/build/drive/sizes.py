"""Bytes per operator: what is in a program for one operator alone, for several of them, and for none."""

import struct
from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_ELF64 = b"\x7fELF\x02\x01"  # of 64 bits, little-endian
_SYMBOLS, _RELOCATIONS, _ZEROS, _RUN_BEFORE = 2, 4, 8, (14, 15, 16)  # kinds of sections
_LOADED = 2  # a flag of those that a program has in memory
_SYMBOL = "<IBBHQQ"
_NO_SECTION = 0xFF00  # from here on, numbers of sections mean something else
_FUNCTION = 16  # where a row of a table of kernels has its function: behind the name and the key


@dataclass(frozen=True)
class OperatorSize:
    """`own` is reached from this operator only, `shared` from others too. What is there without any is neither."""

    op: str
    own: int
    shared: int


@dataclass(frozen=True)
class Sizes:
    """Bytes of a program's parts. `core` is what would be there without operators; `rest` is what a file adds."""

    operators: tuple[OperatorSize, ...]
    shared: int
    core: int
    rest: int
    whole: int


def measured(relocatable: Path, program: Path, ops: Sequence[str]) -> Sizes:
    """Of a program, and the one object it was laid out from, where sections still say what they refer to."""
    data, whole = relocatable.read_bytes(), program.stat().st_size
    if not data.startswith(_ELF64):
        return Sizes((), 0, 0, whole, whole)
    parts = Sections(data)
    roots = parts.rows(set(ops))
    tables = {edge for edges in roots.values() for edge in edges}
    core = parts.reached(parts.entries(), without=tables)
    reached = {op: parts.reached([parts.target[edge] for edge in edges]) - core for op, edges in roots.items()}
    users: dict[int, int] = defaultdict(int)
    for sections in reached.values():
        for section in sections:
            users[section] += 1
    sizes = []
    for op in ops:
        sections = reached.get(op, set())
        own = sum(parts.size[each] for each in sections if users[each] == 1)
        sizes.append(OperatorSize(op, own, sum(parts.size[each] for each in sections) - own))
    shared = sum(parts.size[each] for each, count in users.items() if count > 1)
    inside = sum(parts.size[each] for each in core)
    rest = whole - inside - shared - sum(each.own for each in sizes)
    return Sizes(tuple(sizes), shared, inside, rest, whole)


Edge = tuple[int, int]  # a section, and an offset in it where something else is referred to


class _Header(NamedTuple):
    """Of a section, as the file has it."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry: int


class Sections:
    """Sections of an ELF64 object and what they refer to. Functions and data have a section each."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        (start,), (count,) = struct.unpack_from("<Q", data, 0x28), struct.unpack_from("<H", data, 0x3C)
        self.headers = [_Header(*struct.unpack_from("<IIQQQQIIQQ", data, start + 64 * i)) for i in range(count)]
        # Only what is loaded counts, and of that only what lies in the file.
        self.size = [each.size if each.flags & _LOADED and each.kind != _ZEROS else 0 for each in self.headers]
        self.target: dict[Edge, int] = {}
        self.addend: dict[Edge, int] = {}
        self.refers: dict[int, list[Edge]] = defaultdict(list)
        for each in self.headers:
            if each.kind == _RELOCATIONS:
                self._read_relocations(each, self.headers[each.link])

    def _read_relocations(self, header: _Header, symbols: _Header) -> None:
        for at in range(header.offset, header.offset + header.size, 24):
            place, info, addend = struct.unpack_from("<QQq", self.data, at)
            _, _, _, home, value, _ = struct.unpack_from(_SYMBOL, self.data, symbols.offset + 24 * (info >> 32))
            if 0 < home < _NO_SECTION:
                edge = (header.info, place)
                self.target[edge], self.addend[edge] = home, value + addend
                self.refers[header.info].append(edge)

    def _text(self, offset: int) -> str:
        return self.data[offset : self.data.index(b"\0", offset)].decode(errors="replace")

    def entries(self) -> list[int]:
        """Where a program begins: main, and what runs before it."""
        found = [i for i, each in enumerate(self.headers) if each.kind in _RUN_BEFORE]
        for table in (each for each in self.headers if each.kind == _SYMBOLS):
            texts = self.headers[table.link].offset
            for at in range(table.offset, table.offset + table.size, 24):
                name, _, _, home, _, _ = struct.unpack_from(_SYMBOL, self.data, at)
                if 0 < home < _NO_SECTION and self._text(texts + name) == "main":
                    found.append(home)
        return found

    def rows(self, ops: AbstractSet[str]) -> dict[str, list[Edge]]:
        """Where tables of kernels refer to functions, by the operator whose name stands before each."""
        found: dict[str, list[Edge]] = defaultdict(list)
        for (section, place), home in self.target.items():
            function = (section, place + _FUNCTION)
            start = self.headers[home].offset + self.addend[section, place]
            if function in self.target and self.size[home] and (op := self._text(start)) in ops:
                found[op].append(function)
        return found

    def reached(self, roots: Iterable[int], without: AbstractSet[Edge] = frozenset()) -> set[int]:
        """The sections that these refer to, in however many steps, by other ways than these."""
        found: set[int] = set()
        waiting = list(roots)
        while waiting:
            section = waiting.pop()
            if section not in found:
                found.add(section)
                waiting += [self.target[edge] for edge in self.refers[section] if edge not in without]
        return found
