"""Rows and their schemas: each row is checked, and knows the C++ type that its kernel must have."""

from collections.abc import Sequence
from dataclasses import dataclass

from torchgen.model import FunctionSchema, SchemaKind  # type: ignore[import-untyped]

from tenon.build.generate.signature import Signature, signature
from tenon.errors import Invalid, Unsupported, listing, plural
from tenon.ops.schema import find_op, near_ops
from tenon.ops.table import Row


@dataclass(frozen=True)
class Bound:
    """A row whose operator has a schema."""

    row: Row
    schema: FunctionSchema
    signature: Signature


def bind(rows: Sequence[Row]) -> list[Bound]:
    """The rows in order of their operators. All that is wrong with any of them is told at once."""
    found: dict[str, Bound] = {}
    faults: list[str] = []
    for row in rows:
        try:
            bound = _bind(row)
        except (Invalid, Unsupported) as fault:
            faults.append(f"{row.place}: {fault}")
            continue
        if row.op in found:
            first = found[row.op].row.place
            faults.append(f"{row.place}: {row.op} has a kernel already, at {first}. Keep one of them.")
        found.setdefault(row.op, bound)
    if faults:
        raise Invalid(listing(f"{plural(len(faults), 'row')} cannot be bound.", faults))
    return [found[op] for op in sorted(found)]


def _bind(row: Row) -> Bound:
    schema = _schema(row)
    if schema.kind() not in (SchemaKind.out, SchemaKind.inplace):
        raise Invalid(
            f"{row.op} gives a new tensor, and a kernel writes to one that it is given. "
            f"Bind an out variant.{near_ops(f'{row.op}.out')}"
        )
    return Bound(row, schema, signature(schema))


def _schema(row: Row) -> FunctionSchema:
    if row.schema is None:
        op = find_op(row.op)
        if op is None:
            raise Invalid(f"torch has no operator {row.op}.{near_ops(row.op)}")
        return FunctionSchema.parse(str(op._schema).partition("::")[2])
    try:
        return FunctionSchema.parse(row.schema.removeprefix(f"{row.op.partition('::')[0]}::"))
    except (AssertionError, RuntimeError, ValueError) as fault:
        raise Invalid(f"`{row.schema}` is not a schema: {fault}") from None
