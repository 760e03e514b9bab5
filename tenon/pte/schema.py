"""The file format: one dataclass per table, in order of its fields. Writer and reader are driven by these alone.

A field's place in its class is its id in the file, so fields are only ever appended. `None` is an absent field; an
empty list is one that is there and empty. A union is a field that holds one of several tables.
"""

from dataclasses import dataclass, field, fields
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple


class Kind(NamedTuple):
    """What a field holds: a scalar by its struct code, a string, a table, a union of tables, or a vector of one."""

    form: str  # scalar, string, table, union, vector
    code: str = ""  # of a scalar, or of a vector's scalars
    table: str = ""
    members: tuple[str, ...] = ()  # of a union, from type 1 on
    align: int = 0  # of a vector of bytes


SCALARS = {"b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "f": 4, "d": 8}


def _scalar(code: str, default: Any = 0) -> Any:
    return field(default=default, metadata={"kind": Kind("scalar", code)})


def _i8(default: int = 0) -> Any:
    return _scalar("b", default)


def _i32() -> Any:
    return _scalar("i")


def _u32() -> Any:
    return _scalar("I")


def _u64() -> Any:
    return _scalar("Q")


def _string() -> Any:
    return field(default=None, metadata={"kind": Kind("string")})


def _table(name: str) -> Any:
    return field(default=None, metadata={"kind": Kind("table", table=name)})


def _union(*members: str) -> Any:
    return field(default=None, metadata={"kind": Kind("union", members=members)})


def _vector(code: str, align: int = 0) -> Any:
    return field(default=None, metadata={"kind": Kind("vector", code, align=align)})


def _tables(name: str) -> Any:
    return field(default=None, metadata={"kind": Kind("vector", table=name)})


class Dynamism(IntEnum):
    STATIC = 0
    DYNAMIC_BOUND = 1
    DYNAMIC_UNBOUND = 2


class TensorDataLocation(IntEnum):
    SEGMENT = 0
    EXTERNAL = 1


class DataLocation(IntEnum):
    INLINE = 0
    SEGMENT = 1


class DeviceType(IntEnum):
    CPU = 0
    CUDA = 1


# --- values -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Null:
    pass


@dataclass(slots=True)
class Int:
    int_val: int = _scalar("q")


@dataclass(slots=True)
class Bool:
    bool_val: bool = _scalar("?", False)


@dataclass(slots=True)
class Double:
    double_val: float = _scalar("d", 0.0)


@dataclass(slots=True)
class AllocationDetails:
    memory_id: int = _u32()
    memory_offset_low: int = _u32()
    memory_offset_high: int = _u32()

    @property
    def offset(self) -> int:
        return self.memory_offset_low | self.memory_offset_high << 32


@dataclass(slots=True)
class ExtraTensorInfo:
    mutable_data_segments_idx: int = _u64()
    fully_qualified_name: str | None = _string()
    location: int = _i8()
    device_type: int = _i8()
    device_index: int = _i8()


@dataclass(slots=True)
class Tensor:
    scalar_type: int = _i8()
    storage_offset: int = _i32()
    sizes: list[int] | None = _vector("i")
    dim_order: list[int] | None = _vector("B")
    requires_grad: bool = _scalar("?", False)
    data_buffer_idx: int = _u32()
    allocation_info: AllocationDetails | None = _table("AllocationDetails")
    layout: int = _i8()
    shape_dynamism: int = _i8()
    extra_tensor_info: ExtraTensorInfo | None = _table("ExtraTensorInfo")


@dataclass(slots=True)
class String:
    string_val: str | None = _string()


@dataclass(slots=True)
class IntList:
    items: list[int] | None = _vector("q")


@dataclass(slots=True)
class DoubleList:
    items: list[float] | None = _vector("d")


@dataclass(slots=True)
class BoolList:
    items: list[bool] | None = _vector("?")


@dataclass(slots=True)
class TensorList:
    items: list[int] | None = _vector("i")


@dataclass(slots=True)
class OptionalTensorList:
    items: list[int] | None = _vector("i")


Payload = (
    Null | Int | Bool | Double | Tensor | String | IntList | DoubleList | BoolList | TensorList | OptionalTensorList
)


@dataclass(slots=True)
class EValue:
    val: Payload | None = _union(
        "Null",
        "Int",
        "Bool",
        "Double",
        "Tensor",
        "String",
        "IntList",
        "DoubleList",
        "BoolList",
        "TensorList",
        "OptionalTensorList",
    )


# --- instructions ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class KernelCall:
    op_index: int = _i32()
    args: list[int] | None = _vector("i")


@dataclass(slots=True)
class DelegateCall:
    delegate_index: int = _i32()
    args: list[int] | None = _vector("i")


@dataclass(slots=True)
class MoveCall:
    move_from: int = _i32()
    move_to: int = _i32()


@dataclass(slots=True)
class JumpFalseCall:
    cond_value_index: int = _i32()
    destination_instruction: int = _i32()


@dataclass(slots=True)
class FreeCall:
    value_index: int = _i32()


@dataclass(slots=True)
class Instruction:
    instr_args: KernelCall | DelegateCall | MoveCall | JumpFalseCall | FreeCall | None = _union(
        "KernelCall", "DelegateCall", "MoveCall", "JumpFalseCall", "FreeCall"
    )


@dataclass(slots=True)
class Frame:
    filename: str | None = _string()
    lineno: int = _i32()
    name: str | None = _string()
    context: str | None = _string()


@dataclass(slots=True)
class FrameList:
    items: list[Frame] | None = _tables("Frame")


@dataclass(slots=True)
class Chain:
    inputs: list[int] | None = _vector("i")
    outputs: list[int] | None = _vector("i")
    instructions: list[Instruction] | None = _tables("Instruction")
    stacktrace: list[FrameList] | None = _tables("FrameList")


# --- plans ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class ContainerMetadata:
    encoded_inp_str: str | None = _string()
    encoded_out_str: str | None = _string()


@dataclass(slots=True)
class Operator:
    name: str | None = _string()
    overload: str | None = _string()

    @property
    def full_name(self) -> str:
        return f"{self.name}.{self.overload}" if self.overload else str(self.name)


@dataclass(slots=True)
class BackendDelegateDataReference:
    location: int = _i8()
    index: int = _u32()


@dataclass(slots=True)
class CompileSpec:
    key: str | None = _string()
    value: bytes | None = _vector("B")


@dataclass(slots=True)
class BackendDelegate:
    id: str | None = _string()
    processed: BackendDelegateDataReference | None = _table("BackendDelegateDataReference")
    compile_specs: list[CompileSpec] | None = _tables("CompileSpec")


@dataclass(slots=True)
class NonConstBufferDevice:
    buffer_idx: int = _i32()
    device_type: int = _i8()
    device_index: int = _i8()


@dataclass(slots=True)
class ExecutionPlan:
    name: str | None = _string()
    container_meta_type: ContainerMetadata | None = _table("ContainerMetadata")
    values: list[EValue] | None = _tables("EValue")
    inputs: list[int] | None = _vector("i")
    outputs: list[int] | None = _vector("i")
    chains: list[Chain] | None = _tables("Chain")
    operators: list[Operator] | None = _tables("Operator")
    delegates: list[BackendDelegate] | None = _tables("BackendDelegate")
    non_const_buffer_sizes: list[int] | None = _vector("q")
    non_const_buffer_device: list[NonConstBufferDevice] | None = _tables("NonConstBufferDevice")


# --- the whole file ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Buffer:
    storage: bytes | None = _vector("B", align=16)


@dataclass(slots=True)
class BackendDelegateInlineData:
    data: bytes | None = _vector("B", align=16)


@dataclass(slots=True)
class DataSegment:
    offset: int = _u64()
    size: int = _u64()


@dataclass(slots=True)
class SubsegmentOffsets:
    segment_index: int = _u32()
    offsets: list[int] | None = _vector("Q")


@dataclass(slots=True)
class NamedData:
    key: str | None = _string()
    segment_index: int = _u32()


@dataclass(slots=True)
class FlatProgram:
    """The root table, which the format calls Program."""

    version: int = _u32()
    execution_plan: list[ExecutionPlan] | None = _tables("ExecutionPlan")
    constant_buffer: list[Buffer] | None = _tables("Buffer")
    backend_delegate_data: list[BackendDelegateInlineData] | None = _tables("BackendDelegateInlineData")
    segments: list[DataSegment] | None = _tables("DataSegment")
    constant_segment: SubsegmentOffsets | None = _table("SubsegmentOffsets")
    mutable_data_segments: list[SubsegmentOffsets] | None = _tables("SubsegmentOffsets")
    named_data: list[NamedData] | None = _tables("NamedData")


# --- the sidecar of external data (.ptd) ------------------------------------------------------------------------


@dataclass(slots=True)
class TensorLayout:
    scalar_type: int = _i8()
    sizes: list[int] | None = _vector("i")
    dim_order: list[int] | None = _vector("B")


@dataclass(slots=True)
class ExternalData:
    """An entry of a sidecar, which the format calls NamedData there."""

    key: str | None = _string()
    segment_index: int = _u32()
    tensor_layout: TensorLayout | None = _table("TensorLayout")


@dataclass(slots=True)
class FlatTensor:
    version: int = _u32()
    segments: list[DataSegment] | None = _tables("DataSegment")
    named_data: list[ExternalData] | None = _tables("ExternalData")


class Field(NamedTuple):
    """A field of a table: its name, what it holds, its default, and its first slot in the vtable."""

    name: str
    kind: Kind
    default: Any
    slot: int


def table(name: str) -> Any:
    found = globals().get(name)
    assert isinstance(found, type), name
    return found


@cache
def layout(cls: Any) -> tuple[Field, ...]:
    """The fields of a table in order; a union takes two slots, its type and its offset."""
    found, slot = [], 0
    for each in fields(cls):
        kind = each.metadata["kind"]
        found.append(Field(each.name, kind, each.default, slot))
        slot += 2 if kind.form == "union" else 1
    return tuple(found)
