"""`tenon ops`: what there is of an operator: its schema, its row, where its kernel is, and how models get to it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from tenon.cli.terminal import app, out
from tenon.errors import Invalid, near

if TYPE_CHECKING:
    from tenon.ops.table import Row


@app.command()
def ops(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="As aten::add.out, add.out, add.")
    ] = None,
) -> None:
    """Say of operators what schema, row, kernel and tests they have, and what becomes of them. Alone, list the rows."""
    from tenon.build.installed import own_rows

    rows = {row.op: row for row in own_rows()}
    if not names:
        for op, row in sorted(rows.items()):
            out.print(f"{op:<48} {row.place}", soft_wrap=True)
        return
    for name in names:
        for number, op in enumerate(_meant(name, rows)):
            out.print(*([""] if number else []), *_lines(op, rows), sep="\n", soft_wrap=True)


def _meant(name: str, rows: dict[str, "Row"]) -> list[str]:
    """The operators that a name is short for: without an overload every row of that name, or else what torch has."""
    from tenon.ops.schema import find_op, near_ops, normal_name

    full = normal_name(name if "::" in name else f"aten::{name}")
    short = full.partition("::")[2]
    same = [op for op in rows if (op if "::" in name else op.partition("::")[2]).partition(".")[0] == name]
    if same:
        return sorted(same)
    if full in rows or find_op(full) is not None:
        return [full]
    elsewhere = [op for op in rows if op.endswith(f"::{short}")]
    if not elsewhere:
        raise Invalid(
            f"{name} is no operator of torch, and no row of Tenon's has it.{near(full, rows) or near_ops(full)}"
        )
    return elsewhere


def _lines(op: str, rows: dict[str, "Row"]) -> Iterator[str]:
    from tenon.ops.own import schema_of

    row = rows.get(op)
    yield op
    yield f"  schema    {schema_of(op)}"
    if row is not None:
        yield f"  row       {row.place}"
        yield f"  kernel    {row.kernel}{_defined(row.kernel.function)}"
    yield f"  lowering  {_lowering(op, rows)}"
    if row is not None:
        yield f"  tests     pytest tests/native/test_kernels.py -k {op.partition('::')[2]}"


def _defined(function: str) -> str:
    """Where the kernel is, in the sources that builds use. Macros define some, and are given its name's first part."""
    from tenon.build.installed import own_sources, root

    lines = [(path, n, line) for path in own_sources() for n, line in enumerate(path.read_text().splitlines(), 1)]
    parts = function.split("_")
    begins = "|".join("_".join(parts[:count]) for count in range(len(parts), 0, -1))
    for pattern in (rf"[\w:&<>, ]* {function}\(", rf"\s*(X|TENON_\w+)\(({begins})[,)]"):
        for path, number, line in lines:
            if re.match(pattern, line):
                return f", {path.relative_to(root())}:{number}"
    return ""


def _lowering(op: str, rows: dict[str, "Row"]) -> str:
    from tenon.capture.decompose import rules
    from tenon.dialect.aten import is_core
    from tenon.lower.out_variants import out_name
    from tenon.ops.own import functional_of
    from tenon.ops.schema import find_op, op_name

    found = find_op(op)
    if op in rows and (found is None or found._schema.is_mutable):
        functional = functional_of(op)
        if functional is None:
            return "programs call it by this name"
        apart = ", if keep=[...] names it; otherwise it is taken apart" if functional in rules(()) else ""
        return f"{op_name(functional)} becomes this{apart}"
    into = out_name(op)
    if found in rules(()):
        return "it is taken apart when a model is captured, unless keep=[...] names it"
    if into in rows:
        return f"it becomes {into}"
    why = "is not core ATen, and " if found is not None and not is_core(found) else ""
    return f"it {why}has no kernel in lean mode; ATen mode runs it, with keep=[...]"
