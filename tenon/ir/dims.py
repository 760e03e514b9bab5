"""Symbolic dimensions: integer polynomials over symbols, in a normal form, with ranges.

A dimension is an `int` or an `Expr`. Equal expressions are equal objects and print as the same text, so
files that hold them are stable. Functions other than + - * are atoms of the polynomial: `floordiv(s0, 2)`.
"""

import itertools
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Union

from tenon.errors import Invalid

Number = int | float
Range = tuple[Number, Number]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A number that is known when the program runs, within [low, high]; None means unbounded on that side."""

    name: str
    low: int | None = 0
    high: int | None = None

    @property
    def range(self) -> Range:
        return -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high


def is_symbol_name(name: str) -> bool:
    """Plain ASCII, and no word that means something else in an expression."""
    return bool(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name)) and name not in FUNCTIONS and name not in ("inf", "nan")


class Function(NamedTuple):
    """A function of numbers that is not a polynomial: how it is computed, and the range it then has."""

    compute: Callable[..., Number]
    bound: Callable[..., Range]
    arguments: int = 2


_ANY: Range = (-math.inf, math.inf)


def _at_corners(function: Callable[..., Number]) -> Callable[..., Range]:
    """The range of a function that is monotone in each argument: its values at the corners."""

    def bound(*ranges: Range) -> Range:
        values = [function(*corner) for corner in itertools.product(*ranges)]
        return min(values), max(values)

    return bound


def _unknown(*_: Range) -> Range:
    return _ANY


def _truth(*_: Range) -> Range:
    return 0, 1


def _steps(function: Callable[[Number], Number]) -> Callable[[Range], Range]:
    """The range of a rounding: it is monotone, and leaves infinity alone."""
    return _at_corners(lambda a: a if math.isinf(a) else function(a))


def _quotient(a: Number, b: Number) -> Number:
    """a // b where either may be infinite."""
    if math.isinf(b):
        return 0 if math.isinf(a) or a == 0 or (a > 0) == (b > 0) else -1
    return a * (1 if b > 0 else -1) if math.isinf(a) else a // b


def _without_zero(bound: Callable[[Range, Range], Range]) -> Callable[[Range, Range], Range]:
    """A quotient's range, if the divisor cannot be zero."""
    return lambda a, b: _ANY if b[0] <= 0 <= b[1] else bound(a, b)


def _floordiv_range(a: Range, b: Range) -> Range:
    # An infinite dividend over an infinite divisor is anything of that sign.
    low, high = _at_corners(_quotient)(a, b)
    return (-math.inf if low < 0 else low, high) if math.isinf(a[0]) and math.isinf(max(map(abs, b))) else (low, high)


def _negated(a: Range) -> Range:
    return -a[1], -a[0]


def _mod_range(a: Range, b: Range) -> Range:
    if b[0] < 0:
        return b[0] + 1, 0
    return 0, min(a[1], b[1] - 1) if a[0] >= 0 else b[1] - 1


def _power(a: Number, b: Number) -> Number:
    if isinstance(a, int) and isinstance(b, int) and a.bit_length() * b > 256:
        raise ValueError("the power is too large")
    return a**b  # type: ignore[no-any-return]


def _shift_left(a: int, b: int) -> int:
    if b > 63:
        raise ValueError("the shift is too large")
    return a << b


FUNCTIONS: dict[str, Function] = {
    "floordiv": Function(operator.floordiv, _without_zero(_floordiv_range)),
    "ceildiv": Function(lambda a, b: -(-a // b), _without_zero(lambda a, b: _negated(_floordiv_range(_negated(a), b)))),
    "mod": Function(operator.mod, _without_zero(_mod_range)),
    "max": Function(max, lambda *r: (max(x[0] for x in r), max(x[1] for x in r))),
    "min": Function(min, lambda *r: (min(x[0] for x in r), min(x[1] for x in r))),
    "pow": Function(_power, _unknown),
    "shl": Function(_shift_left, _unknown),
    "shr": Function(operator.rshift, _unknown),
    "and": Function(operator.and_, _unknown),
    "or": Function(operator.or_, _unknown),
    "xor": Function(operator.xor, _unknown),
    "where": Function(lambda c, a, b: a if c else b, lambda c, a, b: (min(a[0], b[0]), max(a[1], b[1])), 3),
    "eq": Function(operator.eq, _truth),
    "ne": Function(operator.ne, _truth),
    "lt": Function(operator.lt, _truth),
    "le": Function(operator.le, _truth),
    "gt": Function(operator.gt, _truth),
    "ge": Function(operator.ge, _truth),
    "truediv": Function(operator.truediv, _unknown),
    "float": Function(float, _steps(float), 1),
    "floor": Function(math.floor, _steps(math.floor), 1),
    "ceil": Function(math.ceil, _steps(math.ceil), 1),
    "trunc": Function(math.trunc, _steps(math.trunc), 1),
    "round": Function(round, _steps(round), 1),
    "sqrt": Function(math.sqrt, _unknown, 1),
    "abs": Function(abs, lambda a: (0 if a[0] <= 0 <= a[1] else min(map(abs, a)), max(map(abs, a))), 1),
}


@dataclass(frozen=True, slots=True)
class Call:
    """A function of dimensions, as an atom of a polynomial."""

    fn: str
    args: tuple["Dim", ...]

    def __str__(self) -> str:
        return f"{self.fn}({', '.join(map(str, self.args))})"


Atom = str | Call  # a symbol's name, or a call
Monomial = tuple[tuple[Atom, int], ...]  # atoms with their powers, sorted


@dataclass(frozen=True, slots=True)
class Expr:
    """A polynomial: terms (coefficient, monomial), never constant: a constant polynomial is an int."""

    terms: tuple[tuple[int, Monomial], ...]

    def __add__(self, other: "Dim") -> "Dim":
        return _polynomial([*self.terms, *_terms(other)])

    def __mul__(self, other: "Dim") -> "Dim":
        return _polynomial((a * b, _join(m, n)) for a, m in self.terms for b, n in _terms(other))

    def __neg__(self) -> "Dim":
        return self * -1

    def __sub__(self, other: "Dim") -> "Dim":
        return self + -1 * other

    def __rsub__(self, other: "Dim") -> "Dim":
        return -1 * self + other

    __radd__, __rmul__ = __add__, __mul__

    def __str__(self) -> str:
        text = ""
        for coefficient, monomial in self.terms:
            factors = [str(atom) for atom, power in monomial for _ in range(power)]
            size = [str(abs(coefficient))] if abs(coefficient) != 1 or not factors else []
            sign = ("-" if coefficient < 0 else "") if not text else (" - " if coefficient < 0 else " + ")
            text += sign + "*".join(size + factors)
        return text

    __repr__ = __str__


Dim = Union[int, Expr]


def _terms(dim: Dim) -> Iterable[tuple[int, Monomial]]:
    return dim.terms if isinstance(dim, Expr) else ((dim, ()),)


def _join(left: Monomial, right: Monomial) -> Monomial:
    powers: dict[Atom, int] = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(powers.items(), key=lambda item: str(item[0])))


def _polynomial(terms: Iterable[tuple[int, Monomial]]) -> Dim:
    sums: dict[Monomial, int] = {}
    for coefficient, monomial in terms:
        sums[monomial] = sums.get(monomial, 0) + coefficient
    kept = [(c, m) for m, c in sums.items() if c]
    if not kept:
        return 0
    if len(kept) == 1 and not kept[0][1]:
        return kept[0][0]
    # Highest degree first, then by text: one expression has one spelling.
    return Expr(tuple(sorted(kept, key=lambda t: (-sum(p for _, p in t[1]), [(str(a), p) for a, p in t[1]]))))


def symbol(name: str) -> Expr:
    return Expr(((1, ((name, 1),)),))


def call(fn: str, *args: Dim) -> Dim:
    """The function applied: computed at once when every argument is a number."""
    if fn not in FUNCTIONS:
        raise Invalid(f"{fn} is not a function of dimensions. There are: {', '.join(sorted(FUNCTIONS))}.")
    wanted = FUNCTIONS[fn].arguments
    if len(args) != wanted and not (fn in ("max", "min") and len(args) > wanted):
        raise Invalid(f"{fn} of dimensions takes {wanted}, and was given {len(args)}.")
    if not any(isinstance(arg, Expr) for arg in args):
        value = evaluate(Expr(((1, ((Call(fn, args), 1),)),)), {})
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return Expr(((1, ((Call(fn, args), 1),)),))


def product(dims: Iterable[Dim]) -> Dim:
    total: Dim = 1
    for dim in dims:
        total = total * dim
    return total


def symbols_of(dim: Dim) -> set[str]:
    """The names of the symbols in an expression."""
    atoms = [atom for _, monomial in _terms(dim) for atom, _ in monomial]
    names = {atom for atom in atoms if isinstance(atom, str)}
    return names.union(*(symbols_of(arg) for atom in atoms if isinstance(atom, Call) for arg in atom.args))


def evaluate(dim: Dim, values: Mapping[str, int]) -> int:
    """The number an expression stands for when its symbols have these values."""
    if isinstance(dim, int):
        return dim
    total = 0
    for coefficient, monomial in dim.terms:
        for atom, power in monomial:
            coefficient *= _evaluate_atom(atom, values) ** power
        total += coefficient
    return total


def _evaluate_atom(atom: Atom, values: Mapping[str, int]) -> int:
    if isinstance(atom, str):
        return values[atom]
    try:
        return FUNCTIONS[atom.fn].compute(*(evaluate(arg, values) for arg in atom.args))  # type: ignore[return-value]
    except (TypeError, ValueError, ArithmeticError, MemoryError) as error:
        raise Invalid(f"the size {atom} cannot be computed: {error}.") from error


def solve(dim: Dim, size: int) -> tuple[str, int | None] | None:
    """For a*s + b = size: the symbol s and its value (None if no integer fits). None for any other expression."""
    if not isinstance(dim, Expr) or len(symbols_of(dim)) != 1:
        return None
    (name,) = symbols_of(dim)
    terms = {monomial: coefficient for coefficient, monomial in dim.terms}
    slope = terms.pop(((name, 1),), 0)
    offset = terms.pop((), 0)
    if terms or not slope:
        return None
    value, rest = divmod(size - offset, slope)
    return name, None if rest else value


def bounds(dim: Dim, ranges: Mapping[str, Range]) -> Range:
    """The least range that interval arithmetic can show for an expression."""
    low: Number = 0
    high: Number = 0
    for coefficient, monomial in _terms(dim):
        term: Range = (coefficient, coefficient)
        for atom, power in monomial:
            factor = (
                ranges[atom]
                if isinstance(atom, str)
                else FUNCTIONS[atom.fn].bound(*(bounds(a, ranges) for a in atom.args))
            )
            for _ in range(power):
                term = _at_corners(_times)(term, factor)
        low, high = low + term[0], high + term[1]
    return low, high


def _times(a: Number, b: Number) -> Number:
    return 0 if a == 0 or b == 0 else a * b


_MAX_DEPTH = 20  # of nested calls
_TOKEN = re.compile(r"\s*(?:([0-9]+)|([A-Za-z_][A-Za-z0-9_]*)|([-+*(),]))")


def parse_dim(text: str) -> Dim:
    """Read what `str` of a dimension wrote."""
    tokens: list[str] = []
    position = 0
    while position < len(text.rstrip()):
        match = _TOKEN.match(text, position)
        if not match:
            raise Invalid(f"{text!r} is not a dimension: {text[position:]!r} cannot be read.")
        tokens.append(match.group().strip())
        position = match.end()
    tokens.append("")
    if max(itertools.accumulate({"(": 1, ")": -1}.get(token, 0) for token in tokens)) > _MAX_DEPTH:
        raise Invalid(f"{text[:20]!r}... is not a dimension: it is nested too deeply.")
    dim = _sum(tokens, text)
    if tokens != [""]:
        raise Invalid(f"{text!r} is not a dimension: {tokens[0]!r} was not expected.")
    return dim


def _sum(tokens: list[str], text: str) -> Dim:
    total: Dim = 0
    sign = 1
    if tokens[0] == "-":
        sign = -1
        tokens.pop(0)
    while True:
        total = total + sign * _term(tokens, text)
        if tokens[0] not in ("+", "-"):
            return total
        sign = 1 if tokens.pop(0) == "+" else -1


def _term(tokens: list[str], text: str) -> Dim:
    total = _factor(tokens, text)
    while tokens[0] == "*":
        tokens.pop(0)
        total = total * _factor(tokens, text)
    return total


def _factor(tokens: list[str], text: str) -> Dim:
    token = tokens.pop(0) if tokens[0] else ""
    if token.isdigit():
        if len(token) > 19:
            raise Invalid(f"{token[:20]}... is not a dimension: it does not fit 64 bits.")
        return int(token)
    if token == "(":
        inner = _sum(tokens, text)
        _expect(")", tokens, text)
        return inner
    if not token or not (token[0].isalpha() or token[0] == "_"):
        raise Invalid(f"{text!r} is not a dimension: a number or a name should stand before {(token or 'its end')!r}.")
    if tokens[0] != "(":
        return symbol(token)
    tokens.pop(0)
    args = [_sum(tokens, text)]
    while tokens[0] == ",":
        tokens.pop(0)
        args.append(_sum(tokens, text))
    _expect(")", tokens, text)
    return call(token, *args)


def _expect(token: str, tokens: list[str], text: str) -> None:
    if tokens[0] != token:
        raise Invalid(f"{text!r} is not a dimension: {token!r} should stand before {(tokens[0] or 'its end')!r}.")
    tokens.pop(0)
