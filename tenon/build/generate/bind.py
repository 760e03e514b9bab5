"""Rows and their schemas: each row is checked, and knows the C++ type that its kernel must have."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torchgen.model import FunctionSchema, SchemaKind  # type: ignore[import-untyped]

from tenon.build.generate.keys import keys
from tenon.build.generate.signature import Signature, signature
from tenon.errors import Invalid, Unsupported, listing, plural
from tenon.ops.schema import find_op, near_ops, op_name
from tenon.ops.schema import signature as taken
from tenon.ops.table import Row

# Programs write their state with these, so that they have kernels although they write what they are given.
WRITES_STATE = ("aten::copy_", "aten::index_put_", "aten::resize_", "aten::_native_batch_norm_legit.out")


@dataclass(frozen=True)
class Bound:
    """A row whose operator has a schema. Without keys it is the kernel of all calls that no key is for."""

    row: Row
    schema: FunctionSchema
    signature: Signature
    keys: tuple[str, ...] = ()


def bind(rows: Sequence[Row]) -> list[Bound]:
    """The rows in order of their operators, fallbacks first. All that is wrong with any of them is told at once."""
    found: list[Bound] = []
    first: dict[tuple[str, str], Row] = {}
    faults: dict[str, None] = {}  # what is wrong with an operator is told once, and not of each of its kernels
    for row in rows:
        place = row.named or row.place
        try:
            schema, typed = _typed(row)
            place = row.place
            bound = Bound(row, schema, typed, keys(row, schema) if row.metas is not None else ())
        except (Invalid, Unsupported) as fault:
            faults[f"{place}: {fault}"] = None
            continue
        twice = [key for key in bound.keys or ("",) if (row.op, key) in first]
        if twice:
            before = first[row.op, twice[0]].place
            named = f" for {twice[0]}" if twice[0] else ""
            faults[f"{place}: {row.op} has a kernel{named} already, at {before}. Keep one of them."] = None
            continue
        first |= {(row.op, key): row for key in bound.keys or ("",)}
        found.append(bound)
    if faults:
        raise Invalid(listing(f"{plural(len(faults), 'row')} cannot be bound.", faults))
    return sorted(found, key=lambda bound: (bound.row.op.encode(), bool(bound.keys)))


def _typed(row: Row) -> tuple[FunctionSchema, Signature]:
    """What an operator's kernels take: the same for all of them."""
    schema, gives_nothing = _schema(row)
    _check_kind(row, schema)
    return schema, signature(schema, gives_nothing)


def _schema(row: Row) -> tuple[FunctionSchema, bool]:
    """With whether its kernel gives nothing back: torchgen has no schema with an out tensor that is not returned."""
    if row.schema is None:
        op = find_op(row.op)
        if op is None:
            own = " Give its schema with `func`, or load the library that defines it first."
            hint = near_ops(row.op) or ("" if row.op.startswith("aten::") else own)
            raise Invalid(f"torch has no operator {row.op}.{hint}")
        return _parsed(str(op._schema).partition("::")[2], str(op._schema)), False
    text = " ".join(row.schema.split()).removeprefix(f"{row.op.partition('::')[0]}::")
    _check_order(row, text)
    outs = re.findall(r"\bTensor\((\w+!)\)(?!\[)", text.partition("*")[2])
    gives_nothing = text.endswith("-> ()") and bool(outs)
    if gives_nothing:
        returned = ", ".join(f"Tensor({each})" for each in outs)
        text = text.removesuffix("()") + (f"({returned})" if len(outs) > 1 else returned)
    return _parsed(text, row.schema), gives_nothing


def _parsed(text: str, written: str) -> FunctionSchema:
    # torchgen splits at a comma and a space, which torch writes in the default of a list too
    dense = re.sub(r"=\[[^\]]*\]", lambda default: default[0].replace(", ", ","), text)
    try:
        return FunctionSchema.parse(dense)
    except (AssertionError, RuntimeError, ValueError) as fault:
        words = str(fault).strip() or "it has another form than `name.overload(Type argument, ...) -> Type`"
        raise Invalid(f"`{written}` is not a schema of a kernel: {words}") from None


def _check_order(row: Row, text: str) -> None:
    """What is written is at the end and by keyword only. A schema that has other faults is left to its parser."""
    try:
        schema = torch._C.parse_schema(text)
    except (RuntimeError, ValueError):
        return
    written = [a for a in schema.arguments if a.alias_info is not None and a.alias_info.is_write]
    if row.op in WRITES_STATE or not written:
        return
    positional = [a.name for a in written if not a.kwarg_only]
    last = schema.arguments[-len(written) :]
    if positional or [a.name for a in last] != [a.name for a in written]:
        wrong = positional[0] if positional else written[0].name
        raise Invalid(
            f"`{row.schema}` writes its argument `{wrong}`, which must be at the end and by keyword only: "
            f"`(..., *, Tensor(a!) {wrong})`. A kernel writes to nothing else."
        )


def _check_kind(row: Row, schema: FunctionSchema) -> None:
    """Out variants only: they write what they are given as `out`, and nothing else."""
    if row.op in WRITES_STATE:
        return
    kind = schema.kind()
    written = [a.name for a in schema.arguments.flat_non_out if a.annotation is not None and a.annotation.is_write]
    shared = [a.name for a in schema.arguments.flat_non_out if a.annotation is not None and not a.annotation.is_write]
    if kind == SchemaKind.out and not written:
        if shared:
            raise Invalid(
                f"{row.op} says of its input `{shared[0]}` that it shares memory with another tensor, and a kernel's "
                f"out is apart from all it reads. Write `Tensor {shared[0]}`."
            )
        return
    if written:
        told = f"{row.op} writes its input `{written[0]}`, and a kernel writes only to what it is given as out."
    elif any(r.annotation is not None for r in schema.returns):
        told = f"{row.op} gives a view of its input, and a kernel writes to memory of its own."
    else:
        told = f"{row.op} gives a new tensor, and a kernel writes to one that it is given."
    raise Invalid(f"{told} {_remedy(row)}")


def _remedy(row: Row) -> str:
    found = list(_out_variants(row.op)) if row.schema is None else []
    if found:
        return f"Bind {found[0]}."
    if row.schema is not None:
        return "Give the schema of an out variant, as in `my_ops::f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)`."
    return "torch has no out variant of it: give the schema of one with `func`."


def _out_variants(op: str) -> Iterator[str]:
    """Operators of torch that take what `op` takes, and write their result: of itself, or of its copying form."""
    known = find_op(op)
    if known is None:
        return
    namespace, _, base = known._schema.name.partition("::")
    for name in (base.removesuffix("_"), f"{base}_copy"):
        packet = getattr(getattr(torch.ops, namespace), name, None)
        for overload in packet.overloads() if packet is not None else ():
            each = getattr(packet, overload)
            if any(a.is_out for a in each._schema.arguments) and taken(each) == taken(known):
                yield op_name(each)
