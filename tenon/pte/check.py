"""What must hold in a program before any of it is used: every index, size, offset and jump."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NoReturn

from tenon.errors import Invalid
from tenon.ir.types import DTYPE_BY_CODE
from tenon.pte.schema import (
    BackendDelegate,
    BoolList,
    DataLocation,
    DelegateCall,
    DoubleList,
    ExecutionPlan,
    FreeCall,
    Int,
    IntList,
    JumpFalseCall,
    KernelCall,
    MoveCall,
    Null,
    OptionalTensorList,
    String,
    Tensor,
    TensorDataLocation,
    TensorList,
)

if TYPE_CHECKING:
    from tenon.files import Data
    from tenon.pte.program import Program

MAX_RANK = 16
_REQUIRED = (
    "name",
    "container_meta_type",
    "values",
    "inputs",
    "outputs",
    "chains",
    "operators",
    "delegates",
    "non_const_buffer_sizes",
)


def check_program(program: Program) -> None:
    """Raises Invalid at the first thing that does not hold, with its method and place."""
    if not program.plans:
        raise Invalid("it has no methods.")
    for plan in program.plans:
        _PlanCheck(program, plan).run()


class _PlanCheck:
    """The checks of one method."""

    def __init__(self, program: Program, plan: ExecutionPlan) -> None:
        self.program = program
        self.plan = plan

    def fail(self, what: str) -> NoReturn:
        raise Invalid(f"method {self.plan.name}: {what}.")

    def run(self) -> None:
        for name in _REQUIRED:
            if getattr(self.plan, name) is None:
                self.fail(f"its {name} is absent")
        if not self.plan.chains:
            self.fail("it has no chain of instructions")
        for size in self.banks:
            if not 0 <= size < 2**48:
                self.fail(f"a memory bank of {size} bytes cannot be")
        for i, value in enumerate(self.values):
            self.value(i, value.val)
        for what, indices in (("input", self.plan.inputs), ("output", self.plan.outputs)):
            for index in indices or []:
                self.index(index, f"an {what}")
        for operator in self.plan.operators or []:
            if operator.name is None or operator.overload is None:
                self.fail("an operator has no name")
        for delegate in self.plan.delegates or []:
            self.delegate(delegate)
        for device in self.plan.non_const_buffer_device or []:
            if device.device_type not in (0, 1):
                self.fail(
                    f"memory bank {device.buffer_idx} is on a device of type {device.device_type}, which is not known"
                )
            if not 0 <= device.buffer_idx < len(self.banks):
                self.fail(f"a device is given for memory bank {device.buffer_idx}, and there are {len(self.banks)}")
        for number, chain in enumerate(self.plan.chains or []):
            if chain.instructions is None:
                self.fail(f"chain {number} has no instructions")
            for i, instruction in enumerate(chain.instructions):
                self.instruction(f"instruction {i}", instruction.instr_args, len(chain.instructions))

    @property
    def values(self) -> list[Any]:
        return self.plan.values or []

    @property
    def banks(self) -> list[int]:
        return self.plan.non_const_buffer_sizes or []

    def index(self, index: int, who: str) -> Any:
        if not 0 <= index < len(self.values):
            self.fail(f"{who} is value {index}, and there are {len(self.values)}")
        return self.values[index].val

    # --- values -------------------------------------------------------------------------------------------

    def value(self, i: int, value: Any) -> None:
        who = f"value {i}"
        if value is None:
            self.fail(f"{who} has no content")
        if isinstance(value, Tensor):
            self.tensor(who, value)
        elif isinstance(value, String):
            if value.string_val is None:
                self.fail(f"{who} is a string without content")
        elif isinstance(value, (IntList, DoubleList, BoolList, TensorList, OptionalTensorList)):
            if value.items is None:
                self.fail(f"{who} is a list without content")
            self.items(who, i, value)

    def items(self, who: str, i: int, value: Any) -> None:
        if isinstance(value, IntList):
            for item in value.items or []:
                if not isinstance(self.index(item, f"an item of {who}"), Int):
                    self.fail(f"an item of {who} is value {item}, which is no number")
        if isinstance(value, (TensorList, OptionalTensorList)):
            for item in value.items or []:
                if item == -1 and isinstance(value, OptionalTensorList):
                    continue
                found = self.index(item, f"an item of {who}")
                if item >= i:
                    self.fail(f"an item of {who} is value {item}, which comes after it")
                absent = isinstance(found, Null) and isinstance(value, OptionalTensorList)
                if not isinstance(found, Tensor) and not absent:
                    self.fail(f"an item of {who} is value {item}, which is no tensor")

    def tensor(self, who: str, tensor: Tensor) -> None:
        if tensor.scalar_type not in DTYPE_BY_CODE:
            self.fail(f"{who} has the dtype {tensor.scalar_type}, which is none")
        if tensor.sizes is None or tensor.dim_order is None:
            self.fail(f"{who} has no shape")
        if len(tensor.sizes) > MAX_RANK or len(tensor.sizes) != len(tensor.dim_order):
            self.fail(f"{who} has {len(tensor.sizes)} sizes and an order of {len(tensor.dim_order)} dimensions")
        if any(size < 0 for size in tensor.sizes):
            self.fail(f"{who} has the shape {tensor.sizes}")
        if sorted(tensor.dim_order) != list(range(len(tensor.sizes))):
            self.fail(f"{who}: {list(tensor.dim_order)} is not an order of {len(tensor.sizes)} dimensions")
        if tensor.storage_offset or not 0 <= tensor.shape_dynamism <= 2 or tensor.layout:
            self.fail(f"{who} has a storage offset, a dynamism or a layout that is not known")
        # A size of 0 does not excuse an overflow: another run may have it differently.
        size = prod(max(each, 1) for each in tensor.sizes) * DTYPE_BY_CODE[tensor.scalar_type].bytes
        if size >= 2**63:
            self.fail(f"{who} of shape {tensor.sizes} has more bytes than there can be")
        self.place(who, tensor, prod(tensor.sizes) * DTYPE_BY_CODE[tensor.scalar_type].bytes)

    def place(self, who: str, tensor: Tensor, size: int) -> None:
        extra, allocation = tensor.extra_tensor_info, tensor.allocation_info
        external = extra is not None and extra.location == TensorDataLocation.EXTERNAL
        if extra is not None and (extra.location not in (0, 1) or extra.device_type not in (0, 1)):
            self.fail(f"{who} is at a location or on a device that is not known")
        if external and extra is not None and not extra.fully_qualified_name:
            self.fail(f"{who} is external data without a name")
        if allocation is not None:
            if not 1 <= allocation.memory_id < len(self.banks):
                count = max(len(self.banks) - 1, 0)
                self.fail(f"{who} is in memory bank {allocation.memory_id}, and there are {count}")
            end = allocation.offset + size
            if end > self.banks[allocation.memory_id]:
                room = self.banks[allocation.memory_id]
                self.fail(f"{who} ends at byte {end} of memory bank {allocation.memory_id}, which has {room}")
        if tensor.data_buffer_idx and not external:
            self.data(who, tensor, self.program.state if allocation else self.program.constants, size)

    def data(self, who: str, tensor: Tensor, held: list[Data], size: int) -> None:
        index = tensor.data_buffer_idx
        if index > len(held):
            self.fail(f"{who} has the data {index}, and there are {len(held)}")
        if len(held[index - 1]) < size:
            self.fail(f"{who} needs {size} bytes of data, and its data {index} has {len(held[index - 1])}")

    # --- instructions and delegates -----------------------------------------------------------------------------

    def instruction(self, who: str, call: Any, count: int) -> None:
        if isinstance(call, (KernelCall, DelegateCall)):
            if call.args is None:
                self.fail(f"{who} has no arguments")
            for arg in call.args:
                self.index(arg, f"an argument of {who}")
            held, index = (
                (self.plan.operators or [], call.op_index)
                if isinstance(call, KernelCall)
                else (self.plan.delegates or [], call.delegate_index)
            )
            if not 0 <= index < len(held):
                self.fail(f"{who} calls number {index} of {len(held)}")
        elif isinstance(call, MoveCall):
            self.index(call.move_from, f"what {who} moves")
            self.index(call.move_to, f"where {who} moves to")
        elif isinstance(call, JumpFalseCall):
            self.index(call.cond_value_index, f"the condition of {who}")
            if not 0 <= call.destination_instruction <= count:
                self.fail(f"{who} jumps to {call.destination_instruction}, and there are {count}")
        elif isinstance(call, FreeCall):
            self.index(call.value_index, f"what {who} frees")
        else:
            self.fail(f"{who} has no content")

    def delegate(self, delegate: BackendDelegate) -> None:
        processed = delegate.processed
        if delegate.id is None or processed is None or delegate.compile_specs is None:
            self.fail(f"the delegate {delegate.id} is not complete")
        held = {DataLocation.INLINE: self.program.inline, DataLocation.SEGMENT: self.program.payloads}.get(
            processed.location
        )  # type: ignore[call-overload]
        if held is None or processed.index >= len(held):
            self.fail(f"the delegate {delegate.id} has the payload {processed.index}, which is not there")
        for spec in delegate.compile_specs:
            if spec.key is None or spec.value is None:
                self.fail(f"a compile spec of the delegate {delegate.id} has no key or no value")
