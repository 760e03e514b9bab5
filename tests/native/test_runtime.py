"""The lean runtime beside the Python one: the same results from the same files."""

import copy
import re
import struct

import pytest
import torch
from torch.export import Dim

import tenon
from native.driver import (
    DYNAMIC,
    FLOAT,
    answers,
    assert_runs_as_in_python,
    given,
    held,
    inputs,
    one_call,
    saved,
    taken,
)
from native.nets import Branch, Plain, Sum, Views
from pte.programs import addition, plan, tensor
from tenon.pte.external import External, write_external
from tenon.pte.program import Program
from tenon.pte.schema import (
    Bool,
    Int,
    IntList,
    KernelCall,
    Null,
)
from tenon.run.prim import PRIM

# --- the same results ---------------------------------------------------------------------------------------------


def test_a_simple_graph_with_constants(driver, tmp_path):
    program = tenon.export(Plain(), (torch.ones(2, 3), torch.ones(2, 3)))
    calls = [(torch.randn(2, 3), torch.randn(2, 3)) for _ in range(3)]
    assert_runs_as_in_python(driver, program, tmp_path, calls)


def test_dynamic_shapes_with_views(driver, tmp_path):
    rows = {0: Dim("rows", min=1, max=5)}
    program = tenon.export(Views(), (torch.ones(3, 4),), dynamic_shapes=(rows,))
    assert "executorch_prim::et_view.default" in program.operators()
    assert_runs_as_in_python(driver, program, tmp_path, [(torch.randn(n, 4),) for n in (3, 1, 5, 2, 5)])


def test_state_goes_on_from_call_to_call_and_is_reset_and_set(driver, tmp_path):
    program = tenon.export(Sum(), (torch.ones(2, 3),))
    calls = [(torch.randn(2, 3),) for _ in range(4)]
    assert_runs_as_in_python(driver, program, tmp_path, calls)
    x, other = torch.ones(2, 3), torch.randn(2, 3)
    again = [*inputs(x), "run"]
    commands = [f"load {tmp_path / 'model.pte'}", "method forward", *again, *again, "reset", *again,
                "states", "state 0", f"set 0 {given(other)}", *again, "state 0"]  # fmt: skip
    found = dict(enumerate(answers(driver, *commands)))
    first, second, after_reset = found[3], found[5], found[8]
    assert torch.equal(taken(first[0]), torch.full((2, 3), 16.0))
    assert torch.equal(taken(second[0]), torch.full((2, 3), 18.0))
    assert after_reset == first
    assert found[9] == ["int 1", "string total"]
    assert torch.equal(taken(found[10][0]), torch.full((2, 3), 8.0))
    torch.testing.assert_close(taken(found[13][0]), (other + 1) * 2)
    torch.testing.assert_close(taken(found[14][0]), other + 1)


def test_branches(driver, tmp_path):
    program = tenon.export(Branch(), (torch.tensor(True), torch.ones(2, 3)))
    calls = [(torch.tensor(holds), torch.randn(2, 3)) for holds in (True, False, False, True)]
    assert_runs_as_in_python(driver, program, tmp_path, calls)


@pytest.mark.parametrize("rows", [None, {0: Dim("rows", min=1, max=9)}])
def test_loops(driver, tmp_path, rows):
    from test_export import Loops

    shapes = None if rows is None else (None, rows, None)
    program = tenon.export(Loops(), (torch.tensor(0), torch.randn(3, 2), torch.ones(2)), dynamic_shapes=shapes)
    lengths = (3, 3, 3) if rows is None else (3, 9, 1, 4)
    calls = [(torch.tensor(n % 5), torch.randn(length, 2), torch.randn(2)) for n, length in enumerate(lengths)]
    assert_runs_as_in_python(driver, program, tmp_path, calls)


def test_two_methods_and_values_without_any_operator(driver, tmp_path):
    methods = {
        "forward": (Plain(), (torch.ones(2, 3),) * 2),
        "branch": (Branch(), (torch.tensor(True), torch.ones(2, 3))),
    }
    program = tenon.export(methods, constant_methods={"pair": (1.5, True), "version": 3, "word": "two"})
    assert_runs_as_in_python(driver, program, tmp_path, [(torch.randn(2, 3), torch.randn(2, 3))])
    assert_runs_as_in_python(driver, program, tmp_path, [(torch.tensor(False), torch.randn(2, 3))], "branch")
    for name in ("pair", "version", "word"):
        assert_runs_as_in_python(driver, program, tmp_path, [()], name)


def test_weights_beside_the_program(driver, tmp_path):
    program = tenon.export(Plain(), (torch.ones(2, 3), torch.ones(2, 3)), external_weights=True)
    path = saved(program, tmp_path)
    values = (torch.randn(2, 3), torch.randn(2, 3))
    reply = answers(driver, f"load {path} {path.with_suffix('.ptd')}", "method forward", *inputs(*values), "run")[-1]
    torch.testing.assert_close(taken(reply[0]), Plain()(*values)[0])
    other = tmp_path / "other.ptd"
    other.write_bytes(b"".join(write_external({"by": External(FLOAT, (3, 2), (0, 1), bytes(24))})))
    commands = [f"load {path}", "method forward", f"load {path} {other}", "method forward",
                f"load {path} {path.with_suffix('.ptd')} {path.with_suffix('.ptd')}", "method forward"]  # fmt: skip
    found = answers(driver, *commands)
    assert found[1] == ["error NotFound", "| it needs the external data by, and there is none beside the program."]
    assert found[3][0] == "error InvalidExternalData" and "has another dtype, shape or order" in found[3][1]
    assert found[5] == ["error InvalidExternalData", "| the external data by is there twice."]


def test_a_second_method_takes_on_the_state_of_the_first(driver, tmp_path):
    """Both have the buffer in bank 2, at the same place, and are given the same memory for it."""
    state = tensor([2], 2, data_buffer_idx=1)
    steps = [state, tensor([2], 1, 0), Int(1), Bool(False)]
    calls = [KernelCall(0, [0, 1, 2, 0, 0])]
    banks, operators = [0, 16, 16], [("aten::add", "out")]
    more = plan(steps, calls, [1], [], banks, operators, name="more")
    read = plan([copy.deepcopy(state)], [], [], [0], banks, name="read")
    path = saved(Program([more, read], [], [struct.pack("<2f", 1, 2)]), tmp_path)
    x = torch.tensor([10.0, 20.0])
    commands = [f"load {path}", "method more", *inputs(x), "run", "method read share=2 keep", "run",
                "method read share=2", "run"]  # fmt: skip
    found = answers(driver, *commands)
    assert torch.equal(taken(found[5][0]), torch.tensor([11.0, 22.0]))
    assert torch.equal(taken(found[7][0]), torch.tensor([1.0, 2.0]))


def test_inputs_of_any_strides_are_copied(driver, tmp_path):
    path = saved(tenon.export(Plain(), (torch.ones(2, 3), torch.ones(2, 3))), tmp_path)
    x, y = torch.randn(3, 2), torch.randn(2, 3)
    code, _, data = given(x).split(" ")
    found = answers(driver, f"load {path}", "method forward", f"tensor 0 {code} 2,3 {data} strides=1,2",
                    f"tensor 1 {given(y)}", "run")[-1]  # fmt: skip
    torch.testing.assert_close(taken(found[0]), Plain()(x.T, y)[0])


def test_inputs_and_outputs_without_a_place_in_the_plan(driver, tmp_path):
    program = addition()
    for i in (0, 1, 3):
        program.plans[0].values[i].val.allocation_info = None
    path = saved(program, tmp_path)
    x, y = torch.randn(2, 3), torch.randn(2, 3)
    code, _, data = given(x).split(" ")
    commands = [f"load {path}", "method forward", *inputs(x, y), "run", "output 0 23", "output 0 24", "run",
                f"tensor 0 {code} 2,3 {data} strides=1,2", "run", "output 1 24"]  # fmt: skip
    found = answers(driver, *commands)
    assert "argument 3 is a tensor without data: give it memory before the run" in found[4][1]
    assert found[5][1] == "| method forward: output 0 needs 24 bytes, and was given 23."
    torch.testing.assert_close(taken(found[7][0]), x + y)
    assert "input 0 is used where it lies, and its strides are not those of the program." in found[8][1]
    assert found[9][1] == "| method forward: input 0 was not given."
    assert found[10][1] == "| method forward: there is no output 1 of 1."


# --- prim operators ---------------------------------------------------------------------------------------------

NUMBERS = (0, 1, -1, 7, -7, 3, -3, 2**40, 2.5, -2.5, 0.5, 1.5, -0.5, 7.0, -3.0, 1e20)
UNARY = ("neg", "sym_float", "sym_int", "ceil", "trunc", "round")
BINARY = "add sub mul truediv floordiv.Scalar floordiv.int mod.int mod.Scalar eq gt lt ge le sym_max sym_min".split()


def full(name):
    return f"executorch_prim::{name if '.' in name else name + '.Scalar'}"


def prim(driver, folder, cases):
    """What each call gives: a list of (operator, arguments). A method per call, as each may fail."""
    plans = []
    for i, (name, args) in enumerate(cases):
        base, _, overload = name.partition(".")
        values = [*map(held, args), Int(0)]
        called = [KernelCall(0, list(range(len(values))))]
        plans.append(plan(values, called, [], [len(args)], [0], [(base, overload)], name=f"m{i}"))
    path = saved(Program(plans), folder)
    commands = [f"load {path}", *(line for i in range(len(cases)) for line in (f"method m{i}", "run"))]
    return answers(driver, *commands)[2::2]


def test_prim_operators_give_what_python_gives(driver, tmp_path):
    cases = [(full(name), (a,)) for name in UNARY for a in NUMBERS]
    cases += [(full(name), (a, b)) for name in BINARY for a in NUMBERS for b in NUMBERS]
    cases += [(full("sym_not"), (a,)) for a in (True, False)]
    cases += [(full(name), (a, b)) for name in ("eq", "gt", "le") for a in (True, False) for b in (True, False)]
    cases += [(full("sym_ite"), (c, 2, 3.5)) for c in (True, False)]
    unlike = []
    for (name, args), reply in zip(cases, prim(driver, tmp_path, cases), strict=True):
        try:
            expected = PRIM[name](*args)
        except (ArithmeticError, ValueError, TypeError):
            expected = None
        if reply[0].startswith("error"):
            whole = all(type(arg) is int for arg in args)
            only_ints = name.endswith((".int", "mod.Scalar")) and not whole
            only_floats = "ceil trunc round".find(name.split("::")[1].split(".")[0]) >= 0 and whole
            too_large = isinstance(expected, int) and abs(expected) >= 2**63
            if expected is not None and not (only_ints or only_floats or too_large):
                unlike.append((name, args, reply, expected))
            continue
        mine = taken(reply[0])
        if "floordiv.Scalar" in name and float in map(type, args):
            expected = float(expected)  # Python's executor gives an int of the same value
        if isinstance(expected, int) and not isinstance(expected, bool):
            expected = (expected + 2**63) % 2**64 - 2**63  # sums and products wrap round
        if ("sym_max" in name or "sym_min" in name) and float in map(type, args):
            expected = float(expected)
        if type(mine) is not type(expected) or mine != expected:
            unlike.append((name, args, mine, expected))
    assert unlike == []


def test_prim_operators_refuse_what_is_no_number(driver, tmp_path):
    cases = {
        (full("floordiv.Scalar"), (3, 0)): "3 divided by 0 is no number",
        (full("floordiv.int"), (-(2**63), -1)): "-9223372036854775808 divided by -1 is no number",
        (full("mod.int"), (3, 0)): "3 divided by 0 is no number",
        (full("truediv"), (3, 0)): "a number cannot be divided by 0",
        (full("sym_int"), (1e20,)): "1e+20 is no int",
        (full("ceil"), (float("nan"),)): "nan is no int",
        (full("add"), (True, 1)): "argument 0 is a bool, but must be a number",
        (full("sym_not"), (1,)): "argument 0 is an int, but must be a bool",
        (full("eq"), (True, 1)): "argument 0 is a bool, but must be a number",
        (full("add"), (1,)): "it takes 3 values, and was given 2",
        (full("ceil"), (1,)): "argument 0 is an int, but must be a float",
    }
    for reply, (call_, words) in zip(prim(driver, tmp_path, list(cases)), cases.items(), strict=True):
        assert reply[0].startswith("error") and reply[1].endswith(f": {words}."), (call_, reply)


VIEW, STORE = "executorch_prim::et_view.default", "executorch_prim::et_copy_index.tensor"
ITEM = "aten::_local_scalar_dense"
SIX, ROWS = tensor([6], 1), tensor([3, 2], 1, shape_dynamism=DYNAMIC)


@pytest.mark.parametrize(
    "name, values, words",
    [
        ("aten::sym_size.int", [tensor([2, 3], 1), Int(2), Int(0)], "there is no dimension 2 in a tensor of 2"),
        ("aten::sym_size.int", [Int(2), Int(2), Int(0)], "argument 0 is an int, but must be a tensor"),
        (ITEM, [tensor([0], 1), Int(2)], "a tensor without elements holds no number"),
        (ITEM, [tensor([1], 1, dtype=9), Int(2)], "no number is read from a tensor of complex64"),
        (VIEW, [SIX, IntList([3]), tensor([4]), Int(4)],
         "the 6 elements of [6] cannot have the 1 sizes that are wanted"),
        (VIEW, [SIX, IntList([3]), tensor([6], dtype=3), Int(6)], "a view of float32 cannot be int32"),
        (VIEW, [SIX, IntList([3]), tensor([5], shape_dynamism=DYNAMIC), Int(6)],
         "dimension 0 of the result is 6, and at most 5"),
        (VIEW, [SIX, IntList([3]), tensor([5]), Int(6)], "the result has shape [6], and its place is for [5]"),
        (STORE, [tensor([3, 2], 1), tensor([3], 1, 32), Int(0)],
         "float32 of shape [3] is no row of float32 of shape [3, 2]"),
        (STORE, [ROWS, tensor([2], 1, 32), Int(3)], "dimension 0 of the result is 4, and at most 3"),
        (STORE, [tensor([3, 2], 1), tensor([2], 1, 32), Int(3)], "there is no row 3 in shape [3, 2]"),
        (STORE, [tensor([3, 2], 1), tensor([2], 1, 32), Int(-1)], "there is no row -1"),
    ],
)  # fmt: skip
def test_prim_operators_on_tensors_refuse(driver, tmp_path, name, values, words):
    program = one_call(name, values, list(range(min(len(values), 3))))
    found = answers(driver, f"load {saved(program, tmp_path)}", "method forward", "run")
    assert found[1] == ["ok"] and found[2][1].endswith(f" (instruction 0 of forward): {words}."), found


def test_a_view_takes_over_the_room_of_what_it_views(driver, tmp_path):
    """A later result must not be written past it, though the view's own bound is larger."""
    values = [
        tensor([2], 1, 0),
        Int(2),
        IntList([1]),
        tensor([8], shape_dynamism=DYNAMIC),
        tensor([8], 1, 16, shape_dynamism=DYNAMIC),
    ]
    calls = [KernelCall(0, [0, 2, 3]), KernelCall(1, [4, 3, 3])]
    operators = [("executorch_prim::et_view", "default"), ("aten::relu", "out")]
    path = saved(Program([plan(values, calls, [], [3], [0, 48], operators)]), tmp_path)
    found = answers(driver, f"load {path}", "method forward", "run")[2]
    assert found == ["error InvalidArgument", "| aten::relu.out (instruction 1 of forward): cannot resize to 1 dims."]


# --- memory -----------------------------------------------------------------------------------------------------


def test_a_method_takes_exactly_the_bytes_it_says(driver, tmp_path):
    from test_export import Loops

    program = tenon.export(Loops(), (torch.tensor(0), torch.randn(3, 2), torch.ones(2)))
    found = answers(
        driver, f"load {saved(program, tmp_path)}", "method forward", "method forward less=0", "method forward less=1"
    )
    size = program.plans[0].non_const_buffer_sizes[1]
    assert found[1] == ["ok"]
    assert found[2][0] == found[3][0] == "error MemoryAllocationFailed"
    words = re.fullmatch(
        r"\| method forward needs (\d+) bytes for its values and instructions, and (\d+) are left.", found[2][1]
    )
    assert words and int(words[1]) == int(words[2]) + 1
    assert found[3][1] == f"| method forward needs {size} bytes for memory bank 1, and was given {size - 1}."


def test_kernels_get_temporary_memory_or_say_what_they_lack(driver, tmp_path):
    values = [tensor([2], 1, 0), Null(), Bool(False), Null(), tensor([], 1, 16)]
    program = one_call("aten::sum.IntList_out", values, [0, 1, 2, 3, 4, 4], outputs=[4])
    path = saved(program, tmp_path)
    found = answers(driver, f"load {path}", "method forward", "run", "run", "method forward temporary=7", "run")
    assert found[2] == found[3] and found[2][0].startswith("tensor")
    assert found[5][0] == "error MemoryAllocationFailed"
    assert "it needs 8 bytes of temporary memory, and 7 are left" in found[5][1]
