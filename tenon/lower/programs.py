"""Pointwise operators as expressions of the functions of tenon::pointwise, and expressions as a program."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from tenon.ir.graph import Arg, OpNode, Ref
from tenon.ops.fused import POINTWISE

MOST_FUNCTIONS, MOST_INPUTS, MOST_CONSTANTS = 16, 16, 16  # the kernel takes 32 functions, 12 results at a time
ANSWERS = ("eq", "ne", "lt", "le", "gt", "ge")  # their results are bool in ATen
_CODE = {name: code for code, name in enumerate(POINTWISE)}

Expression = Any  # a value (Ref), a number, or a function's name and what it takes


def expression(node: OpNode) -> Expression | None:
    """What a node computes; None if it is not pointwise, or has an argument that the functions do not know."""
    name, _, overload = node.op.removeprefix("aten::").partition(".")
    form = _FORMS.get(name)
    return form(node.args) if form is not None and overload in _OVERLOADS else None


_OVERLOADS = ("", "Tensor", "Scalar", "Tensor_Scalar", "self")


def _binary(name: str) -> Callable[[Any], Expression]:
    return lambda args: (name, args["self"], args["other"])


def _unary(name: str) -> Callable[[Any], Expression]:
    return lambda args: (name, args["self"])


def _sum(name: str) -> Callable[[Any], Expression]:
    def form(args: Any) -> Expression:
        alpha = args.get("alpha", 1)
        return (name, args["self"], args["other"] if alpha == 1 else ("mul", args["other"], alpha))

    return form


def _power(args: Any) -> Expression | None:
    x, exponent = args["self"], args["exponent"]
    if isinstance(exponent, Ref) or not isinstance(x, Ref):
        return ("pow", x, exponent)
    square = ("mul", x, x)
    known = {2: square, 3: ("mul", square, x), 0.5: ("sqrt", x), -0.5: ("rsqrt", x), -1: ("reciprocal", x)}
    return known.get(exponent, ("pow", x, exponent))


def _clamp(args: Any) -> Expression | None:
    x, low, high = args["self"], args.get("min"), args.get("max")
    if isinstance(low, Ref) or isinstance(high, Ref):
        return None
    return ("clamp", x, -math.inf if low is None else low, math.inf if high is None else high)


def _gelu(args: Any) -> Expression:
    return ("gelu_tanh" if args.get("approximate") == "tanh" else "gelu", args["self"])


_UNARY = ("neg", "abs", "reciprocal", "sqrt", "rsqrt", "exp", "log", "tanh", "erf", "sigmoid", "relu", "hardswish",
          "hardsigmoid", "silu")  # fmt: skip
_FORMS: dict[str, Callable[[Any], Expression | None]] = {
    **{name: _unary(name) for name in _UNARY},
    **{name: _binary(name) for name in ("mul", "maximum", "minimum", *ANSWERS)},
    "div": lambda args: None if args.get("rounding_mode") else ("div", args["self"], args["other"]),
    "add": _sum("add"),
    "sub": _sum("sub"),
    "rsub": lambda args: None if args.get("alpha", 1) != 1 else ("sub", args["other"], args["self"]),
    "pow": _power,
    "clamp": _clamp,
    "hardtanh": lambda args: ("clamp", args["self"], args.get("min_val", -1), args.get("max_val", 1)),
    "gelu": _gelu,
    "where": lambda args: ("where", args["condition"], args["self"], args["other"]),
}


class Program:
    """The nodes of a program, each before those that need it."""

    def __init__(self, nodes: Iterable[OpNode]) -> None:
        self.inputs: list[Ref] = []
        self.constants: list[float] = []
        self._steps: list[tuple[str, list[Expression]]] = []
        self._results: dict[Ref, tuple[int]] = {}  # a result is the number of its step
        for node in nodes:
            self._results[Ref(node.outputs[0].name)] = self._add(expression(node))

    def _add(self, part: Expression) -> Any:
        if isinstance(part, tuple):
            self._steps.append((part[0], [self._add(each) for each in part[1:]]))
            return (len(self._steps) - 1,)
        if isinstance(part, Ref):
            if part not in self._results and part not in self.inputs:
                self.inputs.append(part)
            return self._results.get(part, part)
        if float(part) not in self.constants:
            self.constants.append(float(part))
        return float(part)

    @property
    def is_small(self) -> bool:
        return (
            len(self._steps) <= MOST_FUNCTIONS
            and len(self.inputs) <= MOST_INPUTS
            and len(self.constants) <= MOST_CONSTANTS
        )

    @property
    def args(self) -> dict[str, Arg]:
        """Of tenon::pointwise."""
        code = [number for name, taken in self._steps for number in (_CODE[name], *map(self._register, taken))]
        return {"inputs": tuple(self.inputs), "program": tuple(code), "constants": tuple(self.constants)}

    def _register(self, operand: Expression) -> int:
        if isinstance(operand, Ref):
            return self.inputs.index(operand)
        if isinstance(operand, float):
            return len(self.inputs) + self.constants.index(operand)
        return len(self.inputs) + len(self.constants) + int(operand[0])
