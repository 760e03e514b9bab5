"""Models as programs: exported, saved, read and run on torch's out variants, equal to eager."""

import pytest
import torch
from torch.export import Dim
from torch.utils import _pytree as pytree

import tenon
from models import SUITE, make
from tenon.pte.program import from_bytes, to_bytes


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
    assert_same(tenon.load(tmp_path / "model.pte")(x), model(x))
    other = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
    tenon.export(other, (torch.ones(1, 4),), external_weights=True).save(tmp_path / "other.pte")
    (tmp_path / "other.ptd").replace(tmp_path / "model.ptd")
    with pytest.raises(
        tenon.Invalid, match=r"the external data 0.weight has shape \[8, 4\], and the program \[4, 4\]."
    ):
        tenon.load(tmp_path / "model.pte")
    whole = (tmp_path / "model.ptd").read_bytes()
    for cut in range(0, len(whole), 7):
        (tmp_path / "model.ptd").write_bytes(whole[:cut])
        with pytest.raises(tenon.Invalid, match="model.ptd: "):
            tenon.load(tmp_path / "model.pte")
    (tmp_path / "model.ptd").unlink()
    with pytest.raises(tenon.Invalid, match="needs the external data 0.weight, and there is none beside the program."):
        tenon.load(tmp_path / "model.pte")


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


def test_missing_operators_are_named_at_once_when_a_program_is_loaded(tmp_path):
    program = tenon.export(torch.nn.ReLU(), (torch.ones(2),))
    program.plans[0].operators[0].name = "aten::no_such"
    program.save(tmp_path / "model.pte")
    with pytest.raises(tenon.Unsupported) as error:
        tenon.load(tmp_path / "model.pte")
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


def test_another_mode_is_not_here_yet(tmp_path):
    with pytest.raises(tenon.Unsupported, match="the mode 'lean' is not here yet: there is 'aten'."):
        tenon.load(tmp_path / "model.pte", mode="lean")
