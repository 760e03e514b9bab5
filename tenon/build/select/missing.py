"""The operators of a program that nothing could run, with the instruction and the model's line."""

from collections.abc import Sequence
from os import PathLike, fspath
from typing import NamedTuple

from tenon.build.generate import Bound
from tenon.build.select.choose import by_operator, hint, remedy, served
from tenon.build.select.key import key_words
from tenon.build.select.model import Call, calls
from tenon.build.select.prim import prim_names
from tenon.errors import Unsupported, listing
from tenon.ops.schema import find_op
from tenon.pte.program import Program, read_program


class Checked(NamedTuple):
    """A program that can run: how many operators it calls, and how often."""

    operators: int
    calls: int


def check_model(path: str | PathLike[str], bound: Sequence[Bound], *, aten: bool = False) -> Checked:
    """Every operator that a .pte file calls has a kernel; else Unsupported, with all that have none."""
    return check_calls(read_program(path), fspath(path), bound, aten)


def check_calls(program: Program, name: str, bound: Sequence[Bound], aten: bool = False) -> Checked:
    delegates = sorted({str(delegate.id) for plan in program.plans for delegate in plan.delegates or []})
    if delegates:
        raise Unsupported(f"{name} calls a delegate ({', '.join(delegates)}), which only its own runtime can run.")
    groups = by_operator(bound)
    prims = set(prim_names())
    found: dict[str, list[Call]] = {}
    for call in calls(program):
        found.setdefault(call.op, []).append(call)
    rows: list[tuple[str, str, str]] = []
    for op, called in sorted(found.items()):
        if op in prims or (aten and find_op(op)):
            continue
        if op not in groups:
            rows.append((op, _where(program, called), "" if find_op(op) else hint(op, groups)))
            continue
        for call in called:
            unserved = served(groups[op], frozenset(call.keys))[1]
            if unserved:
                place = groups[op][0].row.place
                rows.append((op, _where(program, [call]), f"no kernel is for {key_words(unserved[0])} ({place})"))
                break
    if rows:
        raise Unsupported(_words(rows, name, aten))
    return Checked(len(found), sum(map(len, found.values())))


def _words(rows: Sequence[tuple[str, str, str]], name: str, aten: bool) -> str:
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = [f"{op:<{widths[0]}}  {where:<{widths[1]}}  {words}".rstrip() for op, where, words in rows]
    has = "operator of this model has" if len(rows) == 1 else "operators of this model have"
    return listing(f"{name}: {len(rows)} {has} no kernel.", lines, remedy([op for op, _, _ in rows], aten))


def _where(program: Program, called: Sequence[Call]) -> str:
    """The first call, and how many there are."""
    first = called[0]
    method = f"{first.method}, " if len(program.plans) > 1 else ""
    source = f", {first.source}" if first.source else ""
    more = f" and {len(called) - 1} more" if len(called) > 1 else ""
    return f"{method}instruction {first.instruction}{source}{more}"
