"""Which dtypes an operator takes and gives in the Edge dialect: `edge_types.txt`, read and asked.

A line is an alternative, `aten::embedding(weight: A, indices: B) -> A   A: f16 f32, B: i32 i64`: a letter is one dtype
throughout, `any` is no constraint. An operator that has no line takes anything.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from tenon.errors import Invalid
from tenon.ops.promotion import promoted_arguments

FILE = Path(__file__).with_name("edge_types.txt")
ANY = "any"
# What is probed, by the IR's short names. A tensor of another dtype is not constrained: nothing is known of it.
PROBED = tuple("b8 u8 i8 i16 i32 i64 u16 f16 bf16 f32 f64 c64 c128".split())
Given = tuple[tuple[str, tuple[str, ...]], ...]  # argument -> its dtype, or those of its list
NEAREST = 3


@dataclass(frozen=True, slots=True)
class Alternative:
    """A letter or a dtype for each tensor argument and each result, and the dtypes that each letter stands for.

    It is for calls that give these arguments or, of the optional ones, fewer.
    """

    arguments: Mapping[str, str]
    results: tuple[str, ...]
    letters: Mapping[str, tuple[str, ...]]

    def __str__(self) -> str:
        takes = ", ".join(f"{name}: {letter}" for name, letter in self.arguments.items())
        gives = self.results[0] if len(self.results) == 1 else f"({', '.join(self.results)})"
        letters = ", ".join(f"{letter}: {' '.join(dtypes)}" for letter, dtypes in self.letters.items())
        return f"({takes}) -> {gives}" + (f"   {letters}" if letters else "")

    def accepts(self, given: Mapping[str, str], results: Iterable[str] = ()) -> bool:
        return not self.clashes(given, results)

    def clashes(self, given: Mapping[str, str], results: Iterable[str] = ()) -> int:
        """How many of these dtypes do not agree with it, and with one another."""
        places = [(self.arguments.get(name, ""), dtype) for name, dtype in given.items()]
        places += zip(self._each_result(), results, strict=False)
        bound: dict[str, str] = {}
        return sum(not self._holds(letter, dtype, bound) for letter, dtype in places if dtype in PROBED)

    def _holds(self, letter: str, dtype: str, bound: dict[str, str]) -> bool:
        if letter == ANY:
            return True
        return dtype in self.letters.get(letter, (letter,)) and bound.setdefault(letter, dtype) == dtype

    def _each_result(self) -> Iterator[str]:
        """A list of results is one letter, repeated: nothing says how many there are."""
        yield from self.results
        while len(self.results) == 1:
            yield self.results[0]


@cache
def load() -> Mapping[str, tuple[Alternative, ...]]:
    """The alternatives of every operator that was probed."""
    found: dict[str, tuple[Alternative, ...]] = {}
    for number, line in enumerate(FILE.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            name, alternative = parse_line(line, f"{FILE.name}:{number}")
            found[name] = (*found.get(name, ()), alternative)
    return found


_LINE = re.compile(r"(?P<name>[\w:.]+)\((?P<takes>[^)]*)\) -> (?P<gives>\w+|\([^)]*\))(   (?P<letters>.+))?")


def parse_line(line: str, where: str) -> tuple[str, Alternative]:
    """An operator's name and one alternative of it."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise Invalid(
            f"{where}: {line!r} is not `name(argument: A) -> A   A: dtypes`. Run python -m tenon.dialect.probe."
        )
    letters = dict(_pair(part) for part in (match["letters"] or "").split(", ") if part)
    return match["name"], Alternative(
        dict(_pair(part) for part in match["takes"].split(", ") if part),
        tuple(part for part in match["gives"].strip("()").split(", ") if part),
        {letter: tuple(dtypes.split()) for letter, dtypes in letters.items()},
    )


def _pair(text: str) -> tuple[str, str]:
    name, _, rest = text.partition(": ")
    return name, rest


@cache
def fault(op: str, given: Given, results: tuple[str, ...]) -> tuple[str, str] | None:
    """The rule that these dtypes break, and how, in words; None if the operator takes them and gives those results."""
    alternatives = load().get(op)
    if alternatives is None:
        return None
    known = {name for each in alternatives for name in each.arguments}
    given = tuple((name, dtypes) for name, dtypes in given if name in known)
    # A list may hold several dtypes (a mask beside indices): each must do.
    for choice in product(*(dtypes for _, dtypes in given)):
        single = {name: dtype for (name, _), dtype in zip(given, choice, strict=True)}
        if not any(each.accepts(single, results) for each in alternatives):
            return _told(op, given, single, results, alternatives)
    return None


def _told(
    op: str, given: Given, single: Mapping[str, str], results: tuple[str, ...], alternatives: tuple[Alternative, ...]
) -> tuple[str, str]:
    takes = ", ".join(f"{name}={'/'.join(dtypes)}" for name, dtypes in given)
    apart = _apart(op, dict(given), alternatives)
    if apart:
        return "no-promotion", f"it takes {takes}: {apart} must have one dtype"
    nearest = sorted(alternatives, key=lambda each: each.clashes(single, results))[:NEAREST]
    more = f", or {len(alternatives) - NEAREST} more" if len(alternatives) > NEAREST else ""
    gives = f" and gives {', '.join(filter(None, results))}" if any(results) else ""
    return "dtypes", f"it takes {takes}{gives}, not {' or '.join(map(str, nearest))}{more}"


def _apart(op: str, given: Mapping[str, tuple[str, ...]], alternatives: tuple[Alternative, ...]) -> str:
    """The arguments that differ although every alternative has one letter for them."""
    for name in given:
        letters = [each.arguments.get(name, ANY) for each in alternatives]
        if any(letter not in each.letters for letter, each in zip(letters, alternatives, strict=True)):
            continue
        same = [other for other in given if [each.arguments.get(other) for each in alternatives] == letters]
        if len({dtype for other in same for dtype in given[other]}) < 2:
            continue
        if len(same) > 1:
            return " and ".join(same)
        if name in promoted_arguments(op):
            return f"all of {name}"
    return ""
