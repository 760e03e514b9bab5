"""Operators that torch does not have and programs call: their schemas, from the rows beside the extension.

Quantised models call some of them. torch has those as functions that give a new tensor; here they write to one that
they are given, under the names that ExecuTorch uses too.
"""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from tenon.errors import Invalid
from tenon.ops.schema import find_op, functional_name, op_name, out_overload, overloads
from tenon.ops.table import read_table


@cache
def root() -> Path:
    """`native/` of the installation, which in an editable one is not in the checkout."""
    extension = find_spec("tenon._native")
    if extension is None or extension.origin is None:
        raise Invalid("Tenon's extension is not installed. Run `make demo`, or `pip install` the checkout.")
    found = Path(extension.origin).parent / "native"
    if not found.is_dir():
        raise Invalid(f"{found} is missing: this installation is from before Tenon built for models. Install it again.")
    return found


@cache
def own_schemas() -> Mapping[str, Any]:
    """By full name."""
    rows = read_table(root() / "kernels" / "custom_ops.yaml")
    return {row.op: torch._C.parse_schema(row.schema) for row in rows if row.schema is not None}


def schema_of(name: str) -> Any:
    """torch's schema of an operator, or our own; None if neither has it."""
    op = find_op(name)
    return own_schemas().get(name) if op is None else op._schema


def own_out(functional: torch._ops.OpOverload) -> str | None:
    """Of the operators here, the one that writes what this one gives, told by what both take."""
    for name, schema in own_schemas().items():
        if schema.name == functional._schema.name and _taken(schema) == _taken(functional._schema):
            return name
    return None


def functional_of(out: str) -> torch._ops.OpOverload | None:
    """torch's operator that gives what this one writes: told by what both take, or by a name that was made up."""
    op = find_op(out)
    if out not in own_schemas():
        return (
            find_op(functional_name(out))
            if op is None
            else next((e for e in overloads(out) if out_overload(e) is op), None)
        )
    wanted = _taken(own_schemas()[out])
    return next((op for op in overloads(out) if not op._schema.is_mutable and _taken(op._schema) == wanted), None)


def _taken(schema: Any) -> list[tuple[str, str]]:
    return [(argument.name, str(argument.type)) for argument in schema.arguments if not argument.is_out]


def has_kernel(op: torch._ops.OpOverload) -> bool:
    """Whether lean mode runs an operator of ATen: its out variant has a row."""
    out = out_overload(op)
    return out is not None and op_name(out) in _rows()


@cache
def _rows() -> frozenset[str]:
    return frozenset(row.op for row in read_table(root() / "kernels" / "functions.yaml"))
