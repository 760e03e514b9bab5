"""Pointwise programs to C++: each is one loop over vectors, in which every function is rounded as if it were alone."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from tenon.build.generate.bind import Bound
from tenon.build.installed import root

POINTWISE = "tenon::pointwise.out"
_KERNEL = "tenon::native::pointwise_out"  # which asks for the table; a user's own would not
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


class Programs(NamedTuple):
    """The pointwise programs of models, to be compiled; where it `interprets`, any others run too."""

    chains: frozenset[Chain]
    interprets: bool = True


NO_PROGRAMS = Programs(frozenset())


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


def chains_source(programs: Programs, bound: Sequence[Bound]) -> list[str]:
    """The table that the kernel asks, in place of the one without any chains. Nothing if there are none.

    Weak, as two libraries may be in one program: of those of the second, none is then known, and they are interpreted.
    """
    compiled = sorted(filter(is_compiled, programs.chains))
    if not compiled or not any(each.row.op == POINTWISE and str(each.row.kernel) == _KERNEL for each in bound):
        return []
    names = [f"Chain{number}" for number in range(len(compiled))]
    return [
        "// The pointwise programs of models, each a loop.",
        "#include <../kernels/fast/pointwise.h>",
        "",
        "namespace tenon::native::pointwise_programs {",
        "namespace {",
        "",
        *(line for name, chain in zip(names, compiled, strict=True) for line in _functor(name, chain)),
        f"constexpr Chain chains[] = {{{', '.join(f'chain<{name}>()' for name in names)}}};",
        "",
        "}  // namespace",
        "",
        "extern const Known known __attribute__((weak));",
        f"const Known known = {{chains, {'&interpret' if programs.interprets else 'nullptr'}}};",
        "",
        "}  // namespace tenon::native::pointwise_programs",
        "",
    ]


def _functor(name: str, chain: Chain) -> Iterator[str]:
    steps = _steps(chain) or []
    yield f"struct {name} {{"
    yield f"  static constexpr int64_t program[] = {{{', '.join(map(str, chain.code))}}};"
    yield f"  static constexpr size_t inputs = {chain.inputs}, constants = {chain.constants};"
    taken = "".join(f", [[maybe_unused]] float {name}" for name in _given(chain))
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
