"""Models as programs: exported, saved, read and run on torch's out variants, equal to eager."""

import copy
import dataclasses
import subprocess
import sys
import warnings
import zipfile

import pytest
import torch
from torch.export import Dim
from torch.utils import _pytree as pytree

import tenon
from models import SUITE, make
from tenon.pte.container import write_container
from tenon.pte.program import from_bytes, to_bytes
from tenon.pte.schema import FlatProgram


def assert_same(actual, expected):
    ours, theirs = pytree.tree_leaves(actual), pytree.tree_leaves(expected)
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-4, atol=1e-5)


def through_a_file(program, folder):
    program.save(folder / "model.pte")
    assert tenon.read_program(folder / "model.pte") == program
    return tenon.load(folder / "model.pte", mode="aten")


@pytest.mark.parametrize("name", SUITE)
def test_a_model_runs_as_a_program(name, tmp_path):
    case = make(name)
    module = through_a_file(tenon.export(case.model, (), case.kwargs), tmp_path)
    with torch.no_grad():
        assert_same(module(**case.kwargs), case.model(**case.kwargs))


@pytest.mark.parametrize("name", SUITE)
def test_a_plan_takes_hardly_more_than_what_is_alive_at_once(name):
    case = make(name)
    memory = tenon.export(case.model, (), case.kwargs).memory()
    assert memory.lower_bound <= memory.planned <= 1.05 * memory.lower_bound


@pytest.mark.parametrize("name", ["bert", "gpt2", "llama"])
def test_one_program_runs_at_the_smallest_a_middle_and_the_largest_size(name, tmp_path):
    case = make(name)
    module = through_a_file(tenon.export(case.model, (), case.kwargs, dynamic_shapes=case.shapes), tmp_path)
    for batch, length in ((1, 2), (3, 5), (8, 32), (1, 2)):
        inputs = case.resized(batch, length)
        with torch.no_grad():
            assert_same(module(**inputs), case.model(**inputs))
    with pytest.raises(tenon.Invalid, match="method forward: input 0: dimension 0 is 9, and at most 8."):
        module(**case.resized(9, 5))


class Turned(torch.nn.Module):
    def forward(self, x):
        return x.permute(2, 3, 0, 1).relu()


@pytest.mark.parametrize("optimize", [False, True])
def test_what_never_has_elements_is_permuted_at_any_size(optimize, tmp_path):
    """It lies where what it shows lies, as both need no memory, and has another shape."""
    rows = ({0: torch.export.Dim("rows", min=1, max=4)},)
    exported = torch.export.export(Turned(), (torch.ones(3, 5, 0, 3),), dynamic_shapes=rows)
    tenon.export(exported, optimize=optimize).save(tmp_path / "turned.pte")
    assert tenon.load(tmp_path / "turned.pte")(torch.ones(2, 5, 0, 3)).shape == (0, 3, 2, 5)


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)
        self.register_buffer("calls", torch.full((3,), 5.0))

    def forward(self, x):
        self.calls.add_(1)
        y = torch.relu(self.linear(x) + self.calls)
        return {"y": y.view(-1), "z": torch.cond(y.sum() > 50, lambda a: a * 2.5, lambda a: a - 1, (y,))}


def test_state_has_its_first_value_and_keeps_it_from_call_to_call(tmp_path):
    model = Counter()
    program = tenon.export(model, (torch.ones(2, 4),), dynamic_shapes={"x": {0: Dim("rows", min=1, max=8)}})
    assert program.memory().state == 12
    module = through_a_file(program, tmp_path)
    for rows in (1, 8, 3, 8):
        x = torch.randn(rows, 4)
        assert_same(module(x), model(x))


class Loops(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("by", torch.full((2,), 3.0))

    def forward(self, n, x, y):
        from functorch.experimental.control_flow import map as torch_map
        from torch._higher_order_ops.scan import scan
        from torch._higher_order_ops.while_loop import while_loop

        count, left, right = while_loop(
            lambda i, a, b: i < 4, lambda i, a, b: (i + 1, b * self.by, a.clone()), (n, x[0].clone(), y)
        )
        mapped = torch_map(
            lambda row, by: torch.cond(row.sum() > 0, lambda r: r * 2, lambda r: r - 1, (row,)) * by, x, self.by
        )
        total, products = scan(lambda carry, row: (carry + row, carry * row), y, x)
        return count, left, right, mapped, total, products, mapped.sum()


@pytest.mark.parametrize("rows", [None, {0: Dim("rows", min=1, max=9)}])
def test_loops_run_as_jumps(rows, tmp_path):
    model = Loops()
    shapes = None if rows is None else (None, rows, None)
    program = tenon.export(model, (torch.tensor(0), torch.randn(3, 2), torch.ones(2)), dynamic_shapes=shapes)
    module = through_a_file(program, tmp_path)
    for start, length in ((0, 3), (1, 3), (4, 3), (9, 3)) if rows is None else ((0, 1), (3, 9), (9, 4)):
        inputs = (torch.tensor(start), torch.randn(length, 2), torch.randn(2))
        assert_same(module(*inputs), model(*inputs))


def test_the_same_model_gives_the_same_bytes_and_equal_constants_are_stored_once():
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Linear(8, 8))
    model[1].load_state_dict(model[0].state_dict())
    first, second = (b"".join(to_bytes(tenon.export(model, (torch.ones(1, 8),)))) for _ in range(2))
    assert first == second
    assert len(from_bytes(first).constants) == 2


def test_several_methods_share_weights_and_constant_methods_give_values(tmp_path):
    linear = torch.nn.Linear(4, 4)
    methods = {
        "forward": (linear, (torch.ones(1, 4),)),
        "other": (torch.nn.Sequential(linear, torch.nn.ReLU()), (torch.ones(2, 4),)),
    }
    program = tenon.export(methods, constant_methods={"version": 3, "name": "two", "pair": (1.5, True)})
    assert len(program.constants) == 2
    module = through_a_file(program, tmp_path)
    assert module.methods == ["forward", "name", "other", "pair", "version"]
    assert (module["version"](), module["name"](), module["pair"]()) == (3, "two", (1.5, True))
    x = torch.randn(2, 4)
    assert_same(module["other"](x), linear(x).relu())
    with pytest.raises(tenon.Invalid, match="there is no method othr. Did you mean other"):
        module["othr"]


def test_weights_may_lie_beside_the_program(tmp_path):
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
    tenon.export(model, (torch.ones(1, 4),), external_weights=True).save(tmp_path / "model.pte")
    assert tenon.read_program(tmp_path / "model.pte").constants == []
    x = torch.randn(1, 4)
    assert_same(tenon.load(tmp_path / "model.pte", mode="aten")(x), model(x))
    other = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
    tenon.export(other, (torch.ones(1, 4),), external_weights=True).save(tmp_path / "other.pte")
    (tmp_path / "other.ptd").replace(tmp_path / "model.ptd")
    with pytest.raises(
        tenon.Invalid, match=r"the external data 0.weight has shape \[8, 4\], and the program \[4, 4\]."
    ):
        tenon.load(tmp_path / "model.pte", mode="aten")
    whole = (tmp_path / "model.ptd").read_bytes()
    for cut in range(0, len(whole), 7):
        (tmp_path / "model.ptd").write_bytes(whole[:cut])
        with pytest.raises(tenon.Invalid, match="model.ptd: "):
            tenon.load(tmp_path / "model.pte", mode="aten")
    (tmp_path / "model.ptd").unlink()
    with pytest.raises(tenon.Invalid, match="needs the external data 0.weight, and there is none beside the program."):
        tenon.load(tmp_path / "model.pte", mode="aten")


def test_a_custom_operator_needs_no_out_variant(tmp_path):
    with torch.library._scoped_library("tenon_out", "DEF") as library:
        library.define("mul3(Tensor x, float by=3.0) -> Tensor")
        library.impl("mul3", lambda x, by=3.0: x * by, "CPU")
        library.impl("mul3", lambda x, by=3.0: torch.empty_like(x), "Meta")

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.ops.tenon_out.mul3(x + 1)

        program = tenon.export(Net(), (torch.ones(3),))
        assert "tenon_out::mul3.out" in program.operators()
        module = through_a_file(program, tmp_path)
        assert_same(module(torch.ones(3)), torch.full((3,), 6.0))


def test_an_out_variant_that_is_made_up_takes_a_dtype_that_is_no_option(tmp_path):
    with torch.library._scoped_library("tenon_typed", "DEF") as library:
        library.define("cast(Tensor x, ScalarType dtype) -> Tensor")
        library.impl("cast", lambda x, dtype: x.to(dtype), "CPU")
        library.impl("cast", lambda x, dtype: torch.empty_like(x, dtype=dtype), "Meta")

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.ops.tenon_typed.cast(x, torch.int8)

        module = through_a_file(tenon.export(Net(), (torch.ones(3),)), tmp_path)
        assert_same(module(torch.arange(3.0)), torch.arange(3, dtype=torch.int8))


def test_missing_operators_are_named_at_once_when_a_program_is_loaded(tmp_path):
    program = tenon.export(torch.nn.ReLU(), (torch.ones(2),))
    program.plans[0].operators[0].name = "aten::no_such"
    program.save(tmp_path / "model.pte")
    with pytest.raises(tenon.Unsupported) as error:
        tenon.load(tmp_path / "model.pte", mode="aten")
    assert "Missing operator: [0] aten::no_such.out" in str(error.value)


def test_memory_without_a_bound_is_refused():
    class Net(torch.nn.Module):
        def forward(self, x):
            return x * 2

    with pytest.raises(tenon.Unsupported) as error:
        tenon.export(Net(), (torch.ones(4),), dynamic_shapes={"x": {0: Dim("rows")}})
    assert "the memory of Net has no upper bound." in str(error.value)
    assert "Give every dynamic dimension a largest size: Dim('batch', max=...)." in str(error.value)


def test_what_has_no_out_variant_is_listed():
    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.full((2,), x.shape[0] ** 2)

    with pytest.raises(tenon.Unsupported) as error:
        tenon.export(Net(), (torch.ones(4),), dynamic_shapes={"x": {0: Dim("rows", max=8)}})
    assert "1 operator of Net have no out variant" in str(error.value) and "sym::pow" in str(error.value)


def test_wrong_inputs_of_a_program_are_told(tmp_path):
    module = through_a_file(tenon.export(torch.nn.ReLU(), (torch.ones(2, 3),)), tmp_path)
    for inputs, text in (
        ((), "method forward takes 1 input, and was given 0."),
        ((torch.ones(2, 4),), "method forward: input 0 has shape [2, 4], but must have [2, 3]."),
        ((torch.ones(2, 3).int(),), "method forward: input 0 is int32, but must be float32."),
        ((3,), "method forward: input 0 must be a tensor, not a int."),
    ):
        with pytest.raises(tenon.Invalid) as error:
            module(*inputs)
        assert str(error.value) == text


def test_a_mode_that_there_is_not_is_told(tmp_path):
    with pytest.raises(tenon.Unsupported) as error:
        tenon.load(tmp_path / "model.pte", mode="leen")
    assert str(error.value) == "'leen' is no mode. Did you mean lean? There are: lean, aten."


# --- weights ------------------------------------------------------------------------------------------------


class Weights(torch.nn.Module):
    """Gives its input, and its weights as they are, moved a little so that they are computed with."""

    def __init__(self, **weights):
        super().__init__()
        for name, weight in weights.items():
            self.register_buffer(name, weight)

    def forward(self, x):
        return x + 1, *(weight.clone() for weight in self.buffers())


class Plain(torch.Tensor):
    """A subclass that changes nothing."""


COMPLEX = torch.tensor([[1 + 2j, 3 - 4j], [5j, -6]])
WEIGHTS = {
    "f32": torch.randn(3, 4),
    "bf16": torch.randn(3, 4).bfloat16(),
    "f16": torch.randn(3, 4).half(),
    "bool": torch.tensor([True, False, True]),
    "int64": torch.arange(5),
    "complex": COMPLEX,
    "zero-size": torch.empty(0, 4),
    "zero-dim": torch.tensor(2.5),
    "transposed": torch.randn(3, 4).t(),
    "part": torch.randn(4, 6)[1:3, ::2],
    "one of a stride": torch.randn(4, 6)[1:2, ::6].t()[0],
    "expanded": torch.randn(1, 4).expand(3, 4),
    "conj": COMPLEX.conj(),
    "neg": COMPLEX.conj().imag,
    "subclass": torch.randn(3).as_subclass(Plain),
}


@pytest.mark.parametrize("external", [False, True], ids=["inside", "beside"])
@pytest.mark.parametrize("name", WEIGHTS)
def test_any_weight_comes_through_a_file(name, external, tmp_path):
    model = Weights(weight=WEIGHTS[name])
    program = tenon.export(model, (torch.ones(2),), external_weights=external)
    module = through_a_file(program, tmp_path)
    weight = module(torch.ones(2))[1]
    assert weight.dtype == WEIGHTS[name].dtype
    assert torch.equal(weight, WEIGHTS[name].as_subclass(torch.Tensor))


@pytest.mark.parametrize("external", [False, True], ids=["inside", "beside"])
def test_dense_weights_are_referred_to_and_read_when_the_program_is_saved(external, tmp_path):
    model = torch.nn.Linear(3, 2)
    program = tenon.export(model, (torch.ones(1, 3),), external_weights=external)
    with torch.no_grad():
        model.weight.fill_(7)
    module = through_a_file(program, tmp_path)
    assert_same(module(torch.ones(1, 3)), model(torch.ones(1, 3)))
    held = [each.data for each in program.external.values()] if external else program.constants
    assert all(isinstance(data, memoryview) and data.readonly for data in held)


def test_state_is_that_of_the_export(tmp_path):
    model = Counter()
    program, fresh = tenon.export(model, (torch.ones(2, 4),)), copy.deepcopy(model)
    model(torch.ones(2, 4))
    assert_same(through_a_file(program, tmp_path)(torch.ones(2, 4)), fresh(torch.ones(2, 4)))


def test_weights_outlive_the_model(tmp_path):
    model = torch.nn.Linear(3, 2)
    expected = model(torch.ones(1, 3))
    program = tenon.export(model, (torch.ones(1, 3),))
    del model
    assert_same(through_a_file(program, tmp_path)(torch.ones(1, 3)), expected)


def test_tied_weights_are_stored_once():
    model = torch.nn.Sequential(torch.nn.Linear(4, 4, bias=False), torch.nn.Linear(4, 4, bias=False))
    model[1].weight = model[0].weight
    assert len(tenon.export(model, (torch.ones(1, 4),)).constants) == 1


@pytest.mark.parametrize("digest", ["as it is", "the same for all"])
def test_equal_weights_are_stored_once_over_all_methods_and_different_ones_never(digest, monkeypatch, tmp_path):
    if digest != "as it is":
        monkeypatch.setattr("tenon.pte.container.digest", lambda data: b"")
    a, b = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)
    same = copy.deepcopy(a)
    program = tenon.export({name: (each, (torch.ones(1, 4),)) for name, each in {"a": a, "b": b, "c": same}.items()})
    assert len(program.constants) == 4
    module = through_a_file(program, tmp_path)
    x = torch.randn(1, 4)
    for name, each in {"a": a, "b": b, "c": a}.items():
        assert_same(module[name](x), each(x))


def test_external_weights_of_one_name_are_one_weight():
    a, b = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

    def exported(*models):
        return tenon.export(
            {f"m{i}": (each, (torch.ones(1, 4),)) for i, each in enumerate(models)}, external_weights=True
        )

    assert sorted(exported(a, copy.deepcopy(a)).external) == ["bias", "weight"]
    with pytest.raises(tenon.Unsupported, match="two methods have different weights of the name"):
        exported(a, b)


def test_a_model_without_data_is_refused():
    with torch.device("meta"):
        model, x = torch.nn.Linear(3, 2), torch.ones(1, 3)
    with pytest.raises(tenon.Invalid, match="no data   weight: it is on the meta device"):
        tenon.export(model, (x,))


def test_a_loaded_program_uses_the_bytes_of_the_file_in_place_and_warns_of_nothing(tmp_path):
    model = torch.nn.Linear(3, 2)
    data = bytearray(b"".join(to_bytes(tenon.export(model, (torch.ones(1, 3),)))))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module = tenon.run.Module(from_bytes(data))
    x = torch.ones(1, 3)
    assert_same(module(x), model(x))
    place = data.index(model.bias.detach().numpy().tobytes())
    data[place : place + 8] = bytes(8)
    assert_same(module(x), model(x) - model.bias)


@pytest.mark.parametrize("external", [False, True], ids=["inside", "beside"])
def test_a_program_that_writes_to_a_constant_is_stopped(external):
    model = torch.nn.Linear(3, 2)
    program = tenon.export(model, (torch.ones(1, 3),), external_weights=external)
    before = copy.deepcopy(model.state_dict())
    plan = program.plans[0]
    for instruction in plan.chains[0].instructions:
        instruction.instr_args.args[-2:] = [0, 0]  # the first value is a weight
    with pytest.raises(
        tenon.Invalid, match=r"\(instruction 0 of forward\): it writes to value 0, which is a constant\."
    ):
        tenon.run.Module(program, program.external)(torch.ones(1, 3))
    plan.inputs = [0]
    with pytest.raises(tenon.Invalid, match="method forward: input 0 is a constant of the program"):
        tenon.run.Module(program, program.external)(torch.ones_like(model.weight))
    assert_same(model.state_dict(), before)


@pytest.mark.parametrize("offset", range(1, 9))
def test_a_program_may_lie_anywhere_in_memory(offset):
    model = torch.nn.Linear(3, 2).double()
    x = torch.ones(1, 3, dtype=torch.float64)
    data = bytes(offset) + b"".join(to_bytes(tenon.export(model, (x,))))
    assert_same(tenon.run.Module(from_bytes(memoryview(data)[offset:]))(x), model(x))


def test_the_steps_of_an_export_are_told_as_they_begin():
    told = []
    methods = {"b": (torch.nn.ReLU(), (torch.ones(1),)), "a": (torch.nn.SiLU(), (torch.ones(1),))}
    tenon.export(methods, constant_methods={"version": 1}, progress=lambda *step: told.append(step))
    stages = (("capture", "lower"), ("plan", "emit"))
    names = [f"{stage} {name}" for each in stages for name in "ab" for stage in each] + ["check"]
    assert told == [(name, number, 9) for number, name in enumerate(names)]


def test_a_remainder_of_a_negative_number_is_pythons():
    class Net(torch.nn.Module):
        def forward(self, x):
            return x.new_zeros((x.shape[0] - 5) % 3 + 2) + x.sum()

    program = tenon.export(Net(), (torch.ones(7),), dynamic_shapes=({0: torch.export.Dim("rows", min=2, max=12)},))
    module = tenon.run.Module(program)
    for rows in range(2, 13):
        assert_same(module(torch.ones(rows)), Net()(torch.ones(rows)))


# --- what cannot be exported, and what is no program --------------------------------------------------------


class Gives(torch.nn.Module):
    def __init__(self, made):
        super().__init__()
        self.made = made

    def forward(self, x):
        return self.made(x + 1)


class Box:
    """A class that torch does not know the inside of."""

    def __init__(self, held):
        self.held = held


OUTPUTS = {
    "set": lambda x: {x},
    "Box": lambda x: Box(x),
    "bytes": lambda x: (x, b"text"),
    "complex": lambda x: [x, 1j],
    "dtype": lambda x: {"x": x, "type": x.dtype},
    "device": lambda x: (x, (x.device,)),
    "range": lambda x: (x, range(3)),
    "builtin_function_or_method": lambda x: (x, len),
}


@pytest.mark.parametrize("kind", OUTPUTS)
def test_an_output_that_a_program_cannot_hold_is_named_in_one_line(kind):
    with pytest.raises(tenon.TenonError) as error:
        tenon.export(Gives(OUTPUTS[kind]), (torch.ones(2),))
    assert kind in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "made",
    [
        lambda x: (x, "text"),
        lambda x: {"x": x, "nothing": None},
        lambda x: [x, 3, 1.5, True],
        lambda x: (),
        lambda x: None,
        lambda x: (x, x, (x,)),
    ],
    ids=["str", "None", "numbers", "empty", "only None", "one value often"],
)
def test_plain_outputs_come_through_a_file(made, tmp_path):
    model = Gives(made)
    found = through_a_file(tenon.export(model, (torch.ones(2),)), tmp_path)(torch.ones(2))
    expected = model(torch.ones(2))
    assert pytree.tree_structure(found) == pytree.tree_structure(expected)
    for ours, theirs in zip(pytree.tree_leaves(found), pytree.tree_leaves(expected), strict=True):
        assert type(ours) is type(theirs)
        assert torch.equal(ours, theirs) if isinstance(ours, torch.Tensor) else ours == theirs


def test_nothing_is_written_when_an_export_fails(tmp_path):
    (tmp_path / "net.py").write_text(
        "import torch\n"
        "class Net(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        return {x + 1}\n"
        "def net():\n"
        "    return Net(), (torch.ones(2),)\n"
    )
    (tmp_path / "old.pte").write_bytes(b"what was there before")
    for name in ("new.pte", "old.pte"):
        done = subprocess.run(
            [sys.executable, "-m", "tenon.cli", "export", "net.py:net", "-o", name],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert (tmp_path / "old.pte").read_bytes() == b"what was there before"
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {"net.py", "old.pte"}


def write_foreign(path, kind):
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("data.txt", "text" * 50)
    elif kind == "weights":
        torch.save(torch.nn.Linear(2, 2).state_dict(), path)
    elif kind == "exported":
        torch.export.save(torch.export.export(torch.nn.ReLU(), (torch.ones(2),)), path)
    elif kind == "folder":
        path.mkdir()
    elif kind != "missing":
        path.write_bytes({"empty": b"", "short": b"hi\n", "text": b"a line of text\n" * 20, "zeros": bytes(500)}[kind])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("zip", r"this is no program: bytes 4 to 7 are '\x14\x00\x00\x00', and should be 'ET12'."),
        ("weights", r"this is no program: bytes 4 to 7 are '\x00\x00\x08\x08', and should be 'ET12'."),
        ("exported", r"this is no program: bytes 4 to 7 are '\x00\x00\x08\x08', and should be 'ET12'."),
        ("zeros", r"this is no program: bytes 4 to 7 are '\x00\x00\x00\x00', and should be 'ET12'."),
        ("text", "this is no program: bytes 4 to 7 are 'ne o', and should be 'ET12'."),
        ("empty", "this is no program: it has 0 bytes, and even an empty one has more."),
        ("short", "this is no program: it has 3 bytes, and even an empty one has more."),
        ("folder", "cannot be read: Is a directory."),
        ("missing", "cannot be read: No such file or directory."),
    ],
)
@pytest.mark.parametrize("read", [tenon.read_program, tenon.load])
def test_a_foreign_file_is_told_in_one_sentence(kind, text, read, tmp_path):
    path = tmp_path / "model.pte"
    write_foreign(path, kind)
    with pytest.raises(tenon.Invalid) as error:
        read(path)
    assert str(error.value) == f"{path}: {text}"


def test_a_file_of_a_newer_version_names_both_versions(tmp_path):
    plans = tenon.export(torch.nn.ReLU(), (torch.ones(2),)).plans
    path = tmp_path / "newer.pte"
    path.write_bytes(b"".join(write_container(FlatProgram(version=7, execution_plan=plans), [], 16)))
    with pytest.raises(tenon.Invalid) as error:
        tenon.load(path, mode="aten")
    assert str(error.value) == f"{path}: this program has the schema version 7, and Tenon reads version 0."
    whole = bytearray(b"".join(to_bytes(tenon.export(torch.nn.ReLU(), (torch.ones(2),)))))
    whole[4:8] = b"ET13"
    path.write_bytes(whole)
    with pytest.raises(tenon.Invalid) as error:
        tenon.load(path, mode="aten")
    assert str(error.value) == f"{path}: this program has the format 'ET13', and Tenon reads 'ET12'."


@dataclasses.dataclass
class Pair:
    first: torch.Tensor
    second: dict


def test_outputs_come_back_in_the_classes_of_the_model(tmp_path):
    class Net(torch.nn.Module):
        def forward(self, x):
            return Pair(x + 1, {"twice": [x * 2]})

    program = tenon.export(Net(), (torch.ones(2),))
    result = tenon.run.Module(program)(torch.ones(2))
    assert isinstance(result, Pair) and list(result.second) == ["twice"]
    assert_same(result.second["twice"][0], torch.full((2,), 2.0))
    # To a reader that knows the format alone it is a dict of its fields.
    meta = program.plans[0].container_meta_type
    spec = pytree.treespec_loads(meta.encoded_out_str)
    assert list(pytree.tree_unflatten([0, 1], spec)) == ["first", "second"]


def test_keywords_may_come_in_another_order():
    class Net(torch.nn.Module):
        def forward(self, *, a, b):
            return a - b

    module = tenon.run.Module(tenon.export(Net(), (), {"a": torch.ones(2), "b": torch.ones(2)}))
    assert_same(module(b=torch.full((2,), 3.0), a=torch.ones(2)), torch.full((2,), -2.0))


def test_source_lines_are_kept_on_request():
    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.relu(x @ x)

    model = Net()
    plain = tenon.export(model, (torch.ones(2, 2),))
    assert plain.plans[0].chains[0].stacktrace is None
    program = tenon.export(model, (torch.ones(2, 2),), source_lines=True)
    (chain,) = from_bytes(b"".join(to_bytes(program))).plans[0].chains
    assert len(chain.stacktrace) == len(chain.instructions)
    assert all(frames.items[0].name.endswith("Net.forward") for frames in chain.stacktrace)


class Branched(torch.nn.Module):
    def __init__(self, yes, no, pick):
        super().__init__()
        self.yes, self.no, self.pick = yes, no, pick

    def forward(self, x):
        return self.pick(*torch.cond(x.sum() > 0, self.yes, self.no, (x,)))


def twice(x):
    y = x + 1
    return y, y.clone()


@pytest.mark.parametrize(
    "model",
    [
        Branched(lambda x: (x + 1, (x @ x).relu() @ x), lambda x: (x * 2, x @ x), lambda a, b: b),
        Branched(twice, lambda x: (x * 2, x * 3), lambda a, b: (a @ b, a, b)),
    ],
    ids=["a result that nobody uses", "one value as two results"],
)
def test_results_of_branches_are_where_they_are_read(model):
    x = torch.randn(3, 3)
    module = tenon.run.Module(tenon.export(model, (x,)))
    for each in (x.abs(), -x.abs()):
        assert_same(module(each), model(each))


class Cache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("held", torch.zeros(3), persistent=False)
        self.unused = torch.nn.Linear(100, 100)

    def forward(self, x):
        self.held.add_(x)
        return self.held * 2


class Reader(torch.nn.Module):
    def __init__(self, cache):
        super().__init__()
        self.cache = cache

    def forward(self, x):
        return self.cache.held + x


def test_a_buffer_that_no_state_dict_has_is_shared_and_weights_without_use_are_not_stored():
    cache, x = Cache(), torch.ones(3)
    program = tenon.export({"write": (cache, (x,)), "read": (Reader(cache), (x,))})
    module = tenon.run.Module(program)
    module["write"](x)
    module["write"](x)
    assert_same(module["read"](torch.zeros(3)), torch.full((3,), 2.0))
    assert program.memory().constant < 100


@pytest.mark.parametrize("memory", [{}, {"a": "x"}, ["a"], {"a": -1}, {"a": 1.5}, {1: 5}, 64])
def test_banks_that_are_none_are_told(memory):
    with pytest.raises(tenon.Invalid) as error:
        tenon.export(torch.nn.ReLU(), (torch.ones(2),), memory=memory)
    assert str(error.value).startswith(f"memory={memory!r} gives no banks. Give each a name and its bytes")
