"""Three small programs made by hand: one addition, one with data of every kind, one with control flow and delegates."""

from tenon.pte.program import Program
from tenon.pte.schema import (
    AllocationDetails,
    BackendDelegate,
    BackendDelegateDataReference,
    Bool,
    BoolList,
    Chain,
    CompileSpec,
    ContainerMetadata,
    DataLocation,
    DelegateCall,
    DeviceType,
    Double,
    DoubleList,
    Dynamism,
    EValue,
    ExecutionPlan,
    ExtraTensorInfo,
    Frame,
    FrameList,
    FreeCall,
    Instruction,
    Int,
    IntList,
    JumpFalseCall,
    KernelCall,
    MoveCall,
    NonConstBufferDevice,
    Null,
    Operator,
    OptionalTensorList,
    String,
    Tensor,
    TensorDataLocation,
    TensorList,
)

FLOAT, LONG, BOOL = 6, 4, 11
WEIGHT, BIAS, STEPS = bytes(range(1, 25)), bytes(range(101, 109)), bytes(range(201, 225))


def tensor(sizes, bank=None, offset=0, dtype=FLOAT, **fields):
    place = None if bank is None else AllocationDetails(bank, offset)
    return Tensor(dtype, sizes=sizes, dim_order=list(range(len(sizes))), allocation_info=place, **fields)


def plan(values, calls, inputs, outputs, banks, operators=(), name="forward", **fields):
    return ExecutionPlan(
        name,
        ContainerMetadata("", ""),
        values=[EValue(value) for value in values],
        inputs=inputs,
        outputs=outputs,
        chains=[Chain([], [], [Instruction(call) for call in calls])],
        operators=[Operator(*operator) for operator in operators],
        **{"delegates": [], "non_const_buffer_sizes": banks, **fields},
    )


def addition():
    """x + y, and no data at all."""
    values = [tensor([2, 3], 1, 0), tensor([2, 3], 1, 32), Int(1), tensor([2, 3], 1, 64)]
    return Program([plan(values, [KernelCall(0, [0, 1, 2, 3, 3])], [0, 1], [3], [0, 96], [("aten::add", "out")])])


def stateful():
    """Constants, a buffer with an initial value, external data, and a value of every kind."""
    steps = ExtraTensorInfo(fully_qualified_name="steps")
    table = ExtraTensorInfo(fully_qualified_name="table", location=TensorDataLocation.EXTERNAL)
    values = [
        tensor([2, 3], data_buffer_idx=1, requires_grad=True),
        tensor([1], dtype=LONG, data_buffer_idx=2),
        tensor([6], 1, 0, data_buffer_idx=1, extra_tensor_info=steps),
        tensor([8, 3], 1, 32, shape_dynamism=Dynamism.DYNAMIC_BOUND),
        Int(-2),
        Int(3),
        IntList([4, 5, 4]),
        OptionalTensorList([-1, 1]),
        Null(),
        tensor([8, 3], 1, 128, shape_dynamism=Dynamism.DYNAMIC_BOUND),
        Double(float("-inf")),
        Bool(True),
        String("mean é"),
        DoubleList([0.5, -2.0]),
        BoolList([True, False]),
        TensorList([0, 9]),
        tensor([4], extra_tensor_info=table),
        tensor([]),
    ]
    calls = [
        KernelCall(1, [3, 6, 9, 9]),
        KernelCall(0, [9, 7, 9, 9]),
        KernelCall(2, [2, 9, 11, 2]),
        KernelCall(0, [9, 7, 9, 9]),
    ]
    operators = [("aten::index", "Tensor_out"), ("aten::view_copy", "out"), ("aten::copy_", "")]
    return Program([plan(values, calls, [3], [9], [0, 224], operators)], [WEIGHT, BIAS], [STEPS])


def branching():
    """Jumps, moves, frees, two methods, delegates with payloads inside and behind the flatbuffer, stack traces."""
    values = [tensor([], 1, 0, dtype=BOOL), tensor([2], 1, 16), tensor([2], 2), tensor([2]), Bool(False)]
    calls = [
        JumpFalseCall(0, 4),
        KernelCall(0, [1, 2, 2]),
        MoveCall(2, 3),
        JumpFalseCall(4, 6),
        DelegateCall(0, [1, 2]),
        DelegateCall(1, [2, 3]),
        FreeCall(2),
    ]
    forward = plan(
        values,
        calls,
        [0, 1],
        [3],
        [0, 32, 16],
        [("aten::neg", "out")],
        delegates=[
            BackendDelegate("Mill", BackendDelegateDataReference(DataLocation.INLINE, 0), []),
            BackendDelegate(
                "Lathe",
                BackendDelegateDataReference(DataLocation.SEGMENT, 0),
                [CompileSpec("mode", b"fast"), CompileSpec("", b"")],
            ),
        ],
        non_const_buffer_device=[NonConstBufferDevice(2, DeviceType.CUDA, 1)],
    )
    frames = [FrameList([Frame("model.py", 12, "forward", "return -x")]), *(FrameList([]) for _ in calls[1:])]
    forward.chains[0].stacktrace = frames
    return Program(
        [forward, plan([Int(7)], [], [], [0], [0], name="version")],
        payloads=[b"a payload behind the flatbuffer"],
        inline=[b"a payload inside it"],
        named_data={"first": b"named bytes", "second": b"other", "third": b"named bytes"},
    )


PROGRAMS = {"addition": addition, "stateful": stateful, "branching": branching}
