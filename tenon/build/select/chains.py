"""The pointwise programs of models, which a build compiles: each is a loop of its own."""

import re
from collections.abc import Iterator, Sequence

from tenon.build.generate import NO_PROGRAMS, POINTWISE, Chain, Programs, is_compiled
from tenon.build.select.prim import is_listed
from tenon.build.select.selection import Selection
from tenon.errors import Invalid
from tenon.pte.program import Program
from tenon.pte.schema import DoubleList, EValue, Int, IntList, KernelCall, TensorList

_TEXT = re.compile(r"(\d+) inputs, (\d+) constants:((?: \d+)+)", re.ASCII)


def chains(program: Program) -> Iterator[Chain]:
    """Those of all methods, in order, as often as they are called."""
    for plan in program.plans:
        names = [each.full_name for each in plan.operators or []]
        for each in plan.chains or []:
            for instruction in each.instructions or []:
                call = instruction.instr_args
                if isinstance(call, KernelCall) and names[call.op_index] == POINTWISE:
                    yield from _chain(plan.values or [], call.args or [])


def _chain(values: Sequence[EValue], args: Sequence[int]) -> Iterator[Chain]:
    """None for a call that the kernel would refuse, or whose numbers are made while it runs."""
    inputs, code, constants = (values[arg].val for arg in args[:3])
    if isinstance(inputs, TensorList) and isinstance(code, IntList) and isinstance(constants, DoubleList):
        numbers = [values[item].val for item in code.items or []]
        known = [each.int_val for each in numbers if isinstance(each, Int)]
        if len(known) == len(numbers):
            yield Chain(len(inputs.items or []), len(constants.items or []), tuple(known))


def programs_of(selection: Selection, exact: bool = False) -> Programs:
    """Those that are selected. A build that has exactly what its models call has no interpreter for others."""
    selected = selection.operators.get(POINTWISE)
    if selected is None:
        return NO_PROGRAMS
    is_known = not selection.everything and not is_listed(selected) and all(map(is_compiled, selected.chains))
    return Programs(selected.chains, interprets=not (exact and is_known))


def chain_text(chain: Chain) -> str:
    """A program as files of selections have it."""
    return f"{chain.inputs} inputs, {chain.constants} constants: {' '.join(map(str, chain.code))}"


def chain_of(text: str) -> Chain:
    found = _TEXT.fullmatch(text)
    if found is None:
        raise Invalid(f"`{text}` is no program. It is written as `2 inputs, 1 constants: 0 0 2`.")
    return Chain(int(found[1]), int(found[2]), tuple(map(int, found[3].split())))
