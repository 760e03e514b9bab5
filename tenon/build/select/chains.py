"""The pointwise programs of a model, which a build compiles: each is a loop of its own."""

from collections.abc import Iterator, Sequence

from tenon.build.generate import Chain
from tenon.pte.program import Program
from tenon.pte.schema import DoubleList, EValue, Int, IntList, KernelCall, TensorList

POINTWISE = "tenon::pointwise.out"


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
