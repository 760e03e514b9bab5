"""What the lean runtime refuses, in which words."""

import copy

import pytest
import torch
from torch.export import Dim

import tenon
from native.driver import (
    answers,
    given,
    inputs,
    one_call,
    saved,
    taken,
)
from native.nets import Plain, Views
from pte.programs import PROGRAMS, addition, plan, stateful, tensor
from tenon.pte.program import Program
from tenon.pte.schema import (
    Bool,
    BoolList,
    Double,
    DoubleList,
    Dynamism,
    ExtraTensorInfo,
    Int,
    IntList,
    JumpFalseCall,
    KernelCall,
    MoveCall,
    Null,
    OptionalTensorList,
    String,
    TensorDataLocation,
    TensorList,
)


def test_all_missing_operators_are_named_at_once(driver, tmp_path):
    program = addition()
    forward = program.plans[0]
    forward.operators += [
        type(forward.operators[0])("aten::squeeze_copy", "dim_out"),
        type(forward.operators[0])("my::own", ""),
    ]
    forward.chains[0].instructions += [type(forward.chains[0].instructions[0])(KernelCall(k, [0])) for k in (2, 1, 2)]
    found = answers(driver, f"load {saved(program, tmp_path)}", "method forward")[1]
    assert found == [
        "error OperatorMissing",
        "| Missing operator: [1] aten::squeeze_copy.dim_out",
        "| Missing operator: [2] my::own",
        "| Method forward needs kernels for them: link a library that has them, or build one with these operators.",
    ]


def test_more_missing_operators_than_fit_are_counted(driver, tmp_path):
    names = [(f"my::operator_with_a_long_name_{i}", "out") for i in range(40)]
    calls = [KernelCall(i, []) for i in range(40)]
    found = answers(
        driver, f"load {saved(Program([plan([], calls, [], [], [0], names)]), tmp_path)}", "method forward"
    )[1]
    shown = [line for line in found if "Missing operator" in line]
    assert found[-2] == f"| and {40 - len(shown)} more" and found[-1].endswith("build one with these operators.")


def test_what_only_another_runtime_can_run_is_refused_by_method(driver, tmp_path):
    path = saved(PROGRAMS["branching"](), tmp_path)
    found = answers(driver, f"load {path}", "method forward", "method version", "run", "method vers")
    assert found[1] == [
        "error NotSupported",
        "| method forward calls a delegate (Mill), which only its own runtime can run.",
    ]
    assert found[2] == ["ok"] and found[3] == ["int 7"]
    assert found[4] == ["error NotFound", "| there is no method vers. There are: forward, version."]


def test_what_has_no_bound_or_is_elsewhere_is_refused(driver, tmp_path):
    unbounded = addition()
    unbounded.plans[0].values[0].val.shape_dynamism = Dynamism.DYNAMIC_UNBOUND
    device = addition()
    device.plans[0].values[1].val.extra_tensor_info = ExtraTensorInfo(device_type=1)
    wide = Program([plan([tensor([3, 65536, 65536])], [], [], [], [0])])
    words = [
        "method forward: value 0 has no upper bound. Export it with one.",
        "method forward: value 1 is on a device, and there is only memory here.",
        "method forward: value 0 of shape [3, 65536, 65536] has strides beyond 2147483647.",
    ]
    for i, program in enumerate((unbounded, device, wide)):
        found = answers(driver, f"load {saved(program, tmp_path)}", "method forward")[1]
        assert found == ["error NotSupported", f"| {words[i]}"]


def test_constants_that_are_not_aligned_are_refused(driver, tmp_path):
    values = [tensor([1], data_buffer_idx=1, dtype=0), tensor([2], data_buffer_idx=2)]
    program = Program([plan(values, [], [], [0], [0])], [bytes(1), bytes(8)], alignment=1)
    found = answers(driver, f"load {saved(program, tmp_path)}", "method forward")[1]
    words = "method forward: the data of value 1 is not aligned for float32. Load the file to a multiple of 16."
    assert found == ["error InvalidArgument", f"| {words}"]


def test_inputs_are_checked_against_the_model(driver, tmp_path):
    rows = {0: Dim("rows", min=1, max=5)}
    path = saved(tenon.export(Views(), (torch.ones(3, 4),), dynamic_shapes=(rows,)), tmp_path)
    commands = {
        "run": "input 0 was not given.",
        f"tensor 0 {given(torch.ones(6, 4))}": "input 0: dimension 0 is 6, and at most 5.",
        f"tensor 0 {given(torch.ones(5, 5))}": "input 0: dimension 1 is 5, and at most 4.",
        f"tensor 0 {given(torch.ones(4))}": "input 0 has shape [4], but must have [5, 4].",
        f"tensor 0 {given(torch.ones(3, 4, dtype=torch.float64))}": "input 0 is float64, but must be float32.",
        "int 0 3": "input 0 must be a tensor, not an int.",
        f"tensor 1 {given(torch.ones(4))}": "there is no input 1 of 1.",
        "state 0": "there is no state 0 of 0.",
        "state total": "there is no state total.",
    }
    found = answers(driver, f"load {path}", "method forward", *commands)[2:]
    for (command, words), reply in zip(commands.items(), found, strict=True):
        assert reply[0].startswith("error") and reply[1] == f"| method forward: {words}", command
    path = saved(tenon.export(Plain(), (torch.ones(2, 3), torch.ones(2, 3))), tmp_path)
    found = answers(driver, f"load {path}", "method forward", f"tensor 0 {given(torch.ones(3, 3))}")[2]
    assert found[1] == "| method forward: input 0 has shape [3, 3], but must have [2, 3]."


def test_a_dimension_may_exceed_its_bound_where_the_caller_says_so(driver, tmp_path):
    rows = {0: Dim("rows", min=1, max=4)}
    program = tenon.export(torch.nn.ReLU(), (torch.ones(3, 4),), dynamic_shapes=(rows,))
    x = torch.randn(2, 8)
    found = answers(driver, f"load {saved(program, tmp_path)}", "method forward capacity", *inputs(x), "run",
                    *inputs(torch.ones(3, 8)))  # fmt: skip
    torch.testing.assert_close(taken(found[3][0]), x.relu())
    assert "input 0 of shape [3, 8] has more elements than" in found[4][1]


def test_plain_inputs_must_be_those_of_the_export(driver, tmp_path):
    values = [Int(3), Double(0.5), Bool(True), String("mean"), Null(), IntList([0])]
    path = saved(Program([plan(values, [], list(range(6)), [0], [0])]), tmp_path)
    good = ["int 0 3", "double 1 0.50001", "bool 2 1", "string 3 mean", "none 4"]
    bad = {
        "int 0 4": "input 0 was exported as 3, and is 4.",
        "double 1 0.6": "input 1 was exported as 0.5, and is 0.59999999999999998.",
        "bool 2 0": "input 2 was exported as True, and is False.",
        "string 3 sum": "input 3 was exported as another string than it is now.",
        "int 4 1": "input 4 was exported as None, and is an int.",
        "int 1 1": "input 1 is an int, and was exported as something else.",
        "int 5 1": "input 5 is a list, which cannot be set.",
    }
    found = answers(driver, f"load {path}", "method forward", *good, *bad)[2:]
    assert found[: len(good)] == [["ok"]] * len(good)
    assert [reply[1] for reply in found[len(good) :]] == [f"| method forward: {words}" for words in bad.values()]


def test_kernels_are_not_called_with_what_they_cannot_take(driver, tmp_path):
    x, y, out = tensor([2], 1, 0), tensor([2], 1, 16), tensor([2], 1, 32)
    constant = tensor([2], data_buffer_idx=1)
    cases = [
        ([x, y, Bool(True), out], [0, 1, 2, 3], "it takes 5 values, and was given 4"),
        ([x, Null(), Int(1), out], [0, 1, 2, 3, 3], "argument 1 is nothing, but must be a tensor"),
        ([x, y, String("s"), out], [0, 1, 2, 3, 3], "argument 2 is a string, but must be a number"),
        ([x, y, Int(1), constant], [0, 1, 2, 3, 3], "it would write to argument 3, which is a constant"),
        (
            [x, y, Int(1), tensor([2])],
            [0, 1, 2, 3, 3],
            "argument 3 is a tensor without data: give it memory before the run",
        ),
        ([x, tensor([3], 1, 48), Int(1), out], [0, 1, 2, 3, 3], "[2] and [3] do not go together"),
        ([x, y, Int(1), tensor([3], 1, 48)], [0, 1, 2, 3, 3], "the result has shape [2], and its place is for [3]"),
    ]
    for values, args, words in cases:
        program = one_call("aten::add.out", copy.deepcopy(values), args)
        program.constants = [bytes(8)]
        found = answers(driver, f"load {saved(program, tmp_path)}", "method forward", "run")[2]
        assert found[1] == f"| aten::add.out (instruction 0 of forward): {words}.", found


def test_a_constant_is_not_written_through_a_move_or_a_view(driver, tmp_path):
    constant, x = tensor([2], data_buffer_idx=1), tensor([2], 1, 0)
    moved = plan(
        [constant, x, tensor([2])],
        [MoveCall(0, 2), KernelCall(0, [1, 2, 2])],
        [],
        [2],
        [0, 16],
        [("aten::relu", "out")],
    )
    viewed = plan(
        [copy.deepcopy(constant), x, tensor([2]), Int(2), IntList([3])],
        [KernelCall(1, [0, 4, 2]), KernelCall(0, [1, 2, 2])], [], [2], [0, 16],
        [("aten::relu", "out"), ("executorch_prim::et_view", "default")],
    )  # fmt: skip
    for each in (moved, viewed):
        found = answers(driver, f"load {saved(Program([each], [bytes(8)]), tmp_path)}", "method forward", "run")[2]
        assert (
            found[1]
            == "| aten::relu.out (instruction 1 of forward): it would write to argument 1, which is a constant."
        )


def test_an_item_that_became_something_else_is_refused(driver, tmp_path):
    values = [Int(2), IntList([0]), Double(1.5), Int(1), tensor([2], 1, 0)]
    calls = [MoveCall(2, 0), KernelCall(0, [1, 3, 4, 4])]
    path = saved(Program([plan(values, calls, [], [4], [0, 16], [("aten::full", "out")])]), tmp_path)
    found = answers(driver, f"load {path}", "method forward", "run")[2]
    assert "an item of argument 0, which is a list of ints, is of another kind" in found[1]


def test_jumps_need_a_bool(driver, tmp_path):
    for value, words in ((Int(1), "an int"), (tensor([2], 1, 0), "float32")):
        path = saved(Program([plan([value], [JumpFalseCall(0, 1)], [], [], [0, 16])]), tmp_path)
        found = answers(driver, f"load {path}", "method forward", "run")[2]
        assert found == [
            "error InvalidType",
            f"| a jump (instruction 0 of forward): the condition is {words}, but must be a bool.",
        ]


def test_a_hook_ends_a_loop_that_has_no_end_and_numbers_start_afresh(driver, tmp_path):
    values = [Int(0), Int(1), Bool(False)]
    calls = [KernelCall(0, [0, 1, 0]), JumpFalseCall(2, 0)]
    path = saved(Program([plan(values, calls, [], [0], [0], [("executorch_prim::add", "Scalar")])]), tmp_path)
    found = answers(driver, f"load {path}", "method forward stop=1000", "run")[2]
    assert found == ["error EndOfMethod", "| method forward: it was stopped by its hook at instruction 0."]


def test_programs_are_refused_in_the_words_of_the_python_reader(driver, tmp_path):
    """Written without its checks; a few of each kind, as the damaged files try the rest."""
    from tenon.errors import Invalid
    from tenon.pte.check import check_program
    from tenon.pte.container import write_container
    from tenon.pte.schema import FlatProgram

    def change(path, value):
        program = stateful() if "stateful" in path else addition()
        *parents, last = path.replace("stateful.", "").split(".")
        place = program
        for name in parents:
            place = place[int(name)] if name.isdecimal() else getattr(place, name)
        if last.isdecimal():
            place[int(last)] = value
        else:
            setattr(place, last, value)
        return program

    first = "plans.0"
    cases = [
        (f"{first}.values", None), (f"{first}.chains", []), (f"{first}.non_const_buffer_sizes", [0, -5]),
        (f"{first}.inputs", [0, 9]), (f"{first}.outputs", [-1]), (f"{first}.operators.0.overload", None),
        (f"{first}.values.0.val.scalar_type", 30), (f"{first}.values.0.val.sizes", None),
        (f"{first}.values.0.val.sizes", [2, -3]), (f"{first}.values.0.val.sizes", [2, 3, 1]),
        (f"{first}.values.0.val.sizes", [2**31 - 1, 2**31 - 1]), (f"{first}.values.0.val.storage_offset", 1),
        (f"{first}.values.0.val.allocation_info.memory_id", 2), (f"{first}.values.0.val.data_buffer_idx", 1),
        (f"{first}.values.2.val", IntList([0])), (f"{first}.values.2.val", IntList([9])),
        (f"{first}.values.2.val", TensorList([3])), (f"{first}.values.3.val", TensorList([2])),
        (f"{first}.values.3.val", OptionalTensorList([-2])), (f"{first}.values.2.val", DoubleList(None)),
        (f"{first}.values.2.val", BoolList(None)), (f"{first}.values.2.val", String(None)),
        (f"{first}.chains.0.instructions", None), (f"{first}.chains.0.instructions.0.instr_args.args", None),
        (f"{first}.chains.0.instructions.0.instr_args.args", [0, 4]),
        (f"{first}.chains.0.instructions.0.instr_args.op_index", 1),
        (f"{first}.chains.0.instructions.0.instr_args", JumpFalseCall(0, 2)),
        (f"{first}.values.0.val.extra_tensor_info", ExtraTensorInfo(location=TensorDataLocation.EXTERNAL)),
        (f"{first}.values.0.val.extra_tensor_info", ExtraTensorInfo(device_type=2)),
    ]  # fmt: skip
    commands, expected = [], []
    for i, (path, value) in enumerate(cases):
        program = change(path, value)
        with pytest.raises(Invalid) as error:
            check_program(program)
        expected.append(str(error.value))
        (tmp_path / f"{i}.pte").write_bytes(b"".join(write_container(FlatProgram(execution_plan=program.plans), [])))
        commands.append(f"load {tmp_path / f'{i}.pte'}")
    for words, reply in zip(expected, answers(driver, *commands), strict=True):
        assert reply == ["error InvalidProgram", f"| {words}"]
    (tmp_path / "none.pte").write_bytes(b"".join(write_container(FlatProgram(execution_plan=[]), [])))
    (tmp_path / "text.pte").write_bytes(b"this is no program at all")
    found = answers(driver, f"load {tmp_path / 'none.pte'}", f"load {tmp_path / 'text.pte'}")
    assert found[0][1] == "| it has no methods."
    assert found[1][1] == "| bytes 4 to 7 are not the identifier of this format"
