"""What programs are drawn from: the rows of the kernel library, each with the functional operator it stands for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
import torch.ao.quantization.fx._decomposed  # defines the quantised operators

from tenon.build.installed import own_rows
from tenon.lower.out_variants import out_name
from tenon.ops.schema import is_pointwise, op_name

# Where a tensor lies and how it is made are no choice of a program.
_UNSEEN = ("layout", "device", "pin_memory", "memory_format", "non_blocking", "generator", "dim_order")

_DIM_ORDER = {
    "dim_order_ops::_to_dim_order_copy(Tensor self, *, ScalarType? dtype=None) -> Tensor": (
        lambda x, dtype=None: x.to(dtype or x.dtype, copy=True)
    ),
    "dim_order_ops::_clone_dim_order(Tensor self) -> Tensor": lambda x: x.clone(),
    "dim_order_ops::_empty_dim_order(int[] size) -> Tensor": lambda size: torch.zeros(size),
}


@dataclass(frozen=True)
class Argument:
    """One argument: its name, its kind in the schema's words, and whether it may be None, left out or written to."""

    name: str
    kind: str
    optional: bool
    has_default: bool
    by_name: bool
    is_written: bool


@dataclass(frozen=True)
class Operator:
    """A functional operator. `row` is the operator of the kernel that serves it."""

    name: str
    row: str
    base: str  # `add` of aten::add.Tensor
    arguments: tuple[Argument, ...]
    function: Callable[..., Any]
    is_random: bool

    def __call__(self, args: dict[str, Any]) -> list[torch.Tensor]:
        """Its results of these arguments, which stay as they are."""
        written = {a.name for a in self.arguments if a.is_written and args.get(a.name) is not None}
        args = {name: value.clone() if name in written else value for name, value in args.items()}
        positional, named, gap = [], {}, False
        for argument in self.arguments:
            if argument.name not in args:
                gap = True
            elif gap or argument.by_name:
                named[argument.name] = args[argument.name]
            else:
                positional.append(args[argument.name])
        found = self.function(*positional, **named)
        return list(found) if isinstance(found, (tuple, list)) else [found]

    @property
    def pointwise(self) -> bool:
        return is_pointwise(self.name)


@cache
def operators() -> dict[str, Operator]:
    """Those that have a row, by their own names."""
    rows = {row.op for row in own_rows()}
    found = {}
    for row in sorted(rows):
        packet = getattr(getattr(torch.ops, row.partition("::")[0]), row.partition("::")[2].partition(".")[0], None)
        for overload in packet.overloads() if packet is not None else ():
            op = getattr(packet, overload)
            if out_name(op_name(op)) == row and op_name(op) != row:
                found[op_name(op)] = _operator(op._schema, row, op, op.tags)
    for text, function in _DIM_ORDER.items():
        schema = torch._C.parse_schema(text)
        if f"{schema.name}.out" in rows:
            found[schema.name] = _operator(schema, f"{schema.name}.out", function, ())
    return found


def unserved() -> list[str]:
    """Rows that no functional operator of torch stands for: those that write in place, a few of quantised models."""
    served = {operator.row for operator in operators().values()}
    return sorted({row.op for row in own_rows()} - served)


def _operator(schema: Any, row: str, function: Callable[..., Any], tags: Any) -> Operator:
    return Operator(
        schema.name + (f".{schema.overload_name}" if schema.overload_name else ""),
        row,
        schema.name.partition("::")[2],
        tuple(_argument(each) for each in schema.arguments if each.name not in _UNSEEN),
        function,
        torch.Tag.nondeterministic_seeded in tags,
    )


def _argument(argument: Any) -> Argument:
    kind = str(argument.real_type)
    optional = kind.startswith("Optional[")
    kind = kind[len("Optional[") : -1] if optional else kind
    is_written = argument.alias_info is not None and argument.alias_info.is_write
    return Argument(argument.name, kind, optional, argument.has_default_value(), argument.kwarg_only, is_written)
