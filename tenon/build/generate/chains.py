"""Pointwise programs to C++: each is one loop over vectors, in which every function is rounded as if it were alone."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from tenon.build.installed import root

# A compiler makes no vectors of a loop with these in it; the interpreter has such a loop for them alone.
_CALLS = ("pow", "log")
# These end in a product, which a compiler would fuse with a sum behind it.
_PRODUCTS = ("mul", "silu", "gelu", "gelu_tanh")


@cache
def pointwise_functions() -> tuple[tuple[str, int], ...]:
    """Name, and how many numbers it takes, by code: from the list that the kernel is compiled with."""
    text = (root() / "kernels" / "fast" / "pointwise.h").read_text()
    return tuple((name, int(count)) for name, count in re.findall(r"^ *X\((\w+), (\d),", text, re.MULTILINE))


class Chain(NamedTuple):
    """A program of tenon::pointwise.out, as `native/kernels/fast/pointwise.h` numbers functions and registers."""

    inputs: int
    constants: int
    code: tuple[int, ...]


class _Step:
    def __init__(self, name: str, taken: Sequence[str]) -> None:
        self.name = name
        self.taken = taken

    def __str__(self) -> str:
        call = f"function::{self.name}({', '.join(self.taken)})"
        return f"rounded({call}, zero)" if self.name in _PRODUCTS else call


def is_compiled(chain: Chain) -> bool:
    """Whether it is faster as one loop, and a program at all: what is none, the kernel refuses in words."""
    steps = _steps(chain)
    return steps is not None and not any(step.name in _CALLS for step in steps)


def chains_source(chains: Iterable[Chain], interprets: bool) -> str:
    """The table that the kernel asks, in place of the one without any chains."""
    bodies = [line for number, chain in enumerate(chains) for line in _functor(number, chain)]
    names = re.findall(r"^struct (\w+)", "\n".join(bodies), re.MULTILINE)
    table = [f"constexpr Chain chains[] = {{{', '.join(f'chain<{name}>()' for name in names)}}};"]
    lines = [
        "// Made by tenon build: the pointwise programs of its models.",
        '#include "pointwise.h"',
        "",
        "namespace tenon::native::pointwise_programs {",
        "namespace {",
        "",
        *bodies,
        *table,
        "",
        "}  // namespace",
        "",
        f"const Known known = {{chains, {'&interpret' if interprets else 'nullptr'}}};",
        "",
        "}  // namespace tenon::native::pointwise_programs",
    ]
    return "\n".join(lines) + "\n"


def _functor(number: int, chain: Chain) -> Iterator[str]:
    steps = _steps(chain) or []
    names = _given(chain)
    yield f"struct Chain{number} {{"
    yield f"  static constexpr int64_t program[] = {{{', '.join(map(str, chain.code))}}};"
    yield f"  static constexpr size_t inputs = {chain.inputs}, constants = {chain.constants};"
    taken = "".join(f", [[maybe_unused]] float {name}" for name in names)
    yield f"  static ET_INLINE float of([[maybe_unused]] uint32_t zero{taken}) {{"
    for place, step in enumerate(steps[:-1]):
        yield f"    [[maybe_unused]] const float r{place} = {step};"
    yield f"    return {steps[-1]};"
    yield "  }"
    yield "};"
    yield ""


def _given(chain: Chain) -> list[str]:
    return [*(f"x{i}" for i in range(chain.inputs)), *(f"c{i}" for i in range(chain.constants))]


def _steps(chain: Chain) -> list[_Step] | None:
    """Its functions in order; None if it is no program."""
    functions, names = pointwise_functions(), _given(chain)
    steps: list[_Step] = []
    place = 0
    while place < len(chain.code):
        if not 0 <= chain.code[place] < len(functions):
            return None
        name, count = functions[chain.code[place]]
        taken = chain.code[place + 1 : place + 1 + count]
        if len(taken) != count or any(not 0 <= each < len(names) for each in taken):
            return None
        steps.append(_Step(name, [names[each] for each in taken]))
        names.append(f"r{len(steps) - 1}")
        place += 1 + count
    return steps or None
