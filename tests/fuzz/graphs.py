"""Draws programs: the same seed gives the same. Each call was tried in torch, whose result is what is expected."""

import re
from collections.abc import Mapping

import torch

from tenon.ir.graph import OpNode, Ref

from .arguments import maker
from .draw import Draw
from .numbers import DTYPES, Source
from .operators import Operator, operators
from .program import Drawn, dense, node_of, used
from .undefined import forbidden, is_noise, undefined

LONGEST = 30  # operators of a program
_TRIES = 12  # of arguments for one operator
_LARGEST = 20_000  # elements of a result
_REFUSALS = (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError, AssertionError, OverflowError,
             ZeroDivisionError)  # fmt: skip


class _Growing:
    """A program that gets one call after the other."""

    def __init__(self, seed: int, only: str) -> None:
        self.source = Source(seed)
        self.known = [op for op in operators().values() if re.search(only, op.name)]
        self.values: dict[str, torch.Tensor] = {}
        self.usable: list[str] = []
        self.inputs: list[str] = []
        self.constants: list[str] = []
        self.nodes: list[OpNode] = []
        self.shapes = [self.source.shape() for _ in range(3)]
        self.dtypes = [self.source.dtype() for _ in range(self.source.whole(1, 3))]
        self.is_dynamic = self.source.chance(0.15)
        self.lies_last = self.source.chance(0.1)
        if self.lies_last:
            self.shapes[0] = self.source.shape(4)

    def grow(self) -> None:
        """One call more, of an operator that torch takes some arguments for."""
        while True:
            operator = self.source.pick(self.known)
            if (self.is_dynamic or self.lies_last) and operator.base == "view_copy":
                continue  # it may lie where its argument lies, which fixes the sizes and the layout
            for _ in range(_TRIES):
                if self.call(operator):
                    return

    def call(self, operator: Operator) -> bool:
        draw = Draw(self.source, operator, self.values, self.usable, self.shapes, self.dtypes)
        try:
            self.arguments(draw)
            if self.lies_last:
                for name, tensor in draw.fresh.items():
                    if tensor.dim() == 4 and self.source.chance(0.6):
                        draw.fresh[name] = tensor.contiguous(memory_format=torch.channels_last)
            args = {name: draw.of(value) for name, value in draw.args.items()}
            if forbidden(operator, args):
                return False
            results = [dense(result) for result in operator(args)]
        except _REFUSALS:
            return False
        if not results or not all(_fits(result) for result in results) or undefined(operator, args, results):
            return False
        self.add(operator, draw, results)
        return True

    def arguments(self, draw: Draw) -> None:
        for argument in draw.operator.arguments:
            if not (argument.has_default and self.source.chance(0.4)):
                draw.makers[argument.name] = maker(draw, argument)
        for argument in draw.operator.arguments:
            draw.need(argument.name)
        draw.args = {a.name: draw.args[a.name] for a in draw.operator.arguments if a.name in draw.args}

    def add(self, operator: Operator, draw: Draw, results: list[torch.Tensor]) -> None:
        names = [f"v{len(self.nodes)}" + (f"_{i}" if i else "") for i in range(len(results))]
        node = node_of(operator.name, draw.args, names, results)
        self.nodes.append(node)
        written = {draw.args[a.name] for a in operator.arguments if a.is_written and a.name in draw.args}
        for name in used(node):
            if name in draw.fresh:
                tensor = draw.fresh[name]
                self.values[name] = tensor
                self.usable += [] if Ref(name) in written else [name]
                constant = self.source.chance(0.3) and tensor.is_contiguous() and Ref(name) not in written
                (self.constants if constant else self.inputs).append(name)
        self.values |= zip(names, results, strict=True)
        self.usable += [] if is_noise(operator) else names

    def finished(self) -> Drawn:
        last = {name for node in self.nodes for name in used(node)}
        outputs = [v.name for n in self.nodes for v in n.outputs if v.name not in last or self.source.chance(0.15)]
        bounds = {name: self.bound(name) for name in self.values if self.is_dynamic and name not in self.constants}
        return Drawn(
            dict(self.values), tuple(self.inputs), tuple(self.constants), tuple(self.nodes), tuple(outputs), bounds
        )

    def bound(self, name: str) -> tuple[int, ...]:
        return tuple(size + (self.source.whole(0, 2) if self.source.chance(0.4) else 0)
                     for size in self.values[name].shape)  # fmt: skip


def _fits(result: object) -> bool:
    """A few operators of torch make a tensor of a negative size, of one without elements."""
    if not isinstance(result, torch.Tensor) or result.dtype not in _KEPT:
        return False
    return result.numel() <= _LARGEST and min(result.shape, default=0) >= 0


_KEPT = {*DTYPES, torch.complex64}


def draw_program(seed: int, only: str = "") -> Drawn:
    """The program of a seed, of 1 to 30 operators; of those only in whose name the pattern is found."""
    growing = _Growing(seed, only)
    # Short ones are as many as long ones: what fails in a short one is found at once.
    short = int(LONGEST ** growing.source.random.random())
    for _ in range(short if growing.source.chance(0.5) else growing.source.whole(1, LONGEST)):
        growing.grow()
    return growing.finished()


def described(drawn: Drawn) -> Mapping[str, int]:
    """How often each row is called."""
    found: dict[str, int] = {}
    for node in drawn.nodes:
        row = operators()[node.op].row
        found[row] = found.get(row, 0) + 1
    return found
