"""What a program asks for: the operators that it calls, with a key for each kind of call."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import NamedTuple

from tenon.build.select.chains import POINTWISE, chains
from tenon.build.select.key import Meta, key_text
from tenon.build.select.selection import Selected, Selection
from tenon.pte.program import Program, read_program
from tenon.pte.schema import Chain, EValue, ExecutionPlan, KernelCall, OptionalTensorList, Tensor, TensorList


class Call(NamedTuple):
    """An instruction that calls an operator."""

    op: str
    keys: tuple[str, ...]
    method: str
    instruction: int
    source: str  # the model's line, if the program holds it


def of_model(path: str | PathLike[str], origin: str = "") -> Selection:
    """The operators of a .pte file, of all its methods."""
    return of_program(read_program(path), origin or fspath(path))


def of_program(program: Program, origin: str) -> Selection:
    keys: dict[str, set[str]] = {}
    for call in calls(program):
        keys.setdefault(call.op, set()).update(call.keys)
    found = {op: Selected(frozenset(keys[op]), (origin,)) for op in sorted(keys)}
    if POINTWISE in found:
        found[POINTWISE] = replace(found[POINTWISE], chains=frozenset(chains(program)))
    return Selection(found)


def calls(program: Program) -> Iterator[Call]:
    """All calls of operators, in order."""
    for plan in program.plans:
        start = 0
        for chain in plan.chains or []:
            for number, instruction in enumerate(chain.instructions or []):
                if isinstance(instruction.instr_args, KernelCall):
                    yield _call(plan, chain, start, number, instruction.instr_args)
            start += len(chain.instructions or [])


def _call(plan: ExecutionPlan, chain: Chain, start: int, number: int, call: KernelCall) -> Call:
    op = (plan.operators or [])[call.op_index].full_name
    keys = _keys(plan.values or [], call.args or [])
    return Call(op, keys, str(plan.name), start + number, _source(chain, number))


def _source(chain: Chain, number: int) -> str:
    traces = chain.stacktrace or []
    frames = (traces[number].items or []) if number < len(traces) else []
    return next((f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames), "")


def _keys(values: Sequence[EValue], args: Sequence[int]) -> tuple[str, ...]:
    """The key in the form that ExecuTorch's tools write: for a list, its first tensor.

    A dtype that is only further on in a list gets a key of its own, since a kernel meets it too.
    """
    metas: list[Meta] = []
    more: dict[int, None] = {}
    for arg in args:
        value = values[arg].val
        if isinstance(value, Tensor):
            metas.append(_meta(value))
        elif isinstance(value, (TensorList, OptionalTensorList)):
            found = [
                _meta(each) for item in value.items or [] if item >= 0 and isinstance(each := values[item].val, Tensor)
            ]
            metas += found[:1]
            more |= {meta.dtype: None for meta in found[1:]}
    rest = [key_text([Meta(dtype)]) for dtype in more if dtype not in {meta.dtype for meta in metas}]
    return (key_text(metas), *rest)


def _meta(tensor: Tensor) -> Meta:
    return Meta(tensor.scalar_type, tuple(tensor.dim_order or []))
