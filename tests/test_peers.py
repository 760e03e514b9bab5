"""Programs crossed with ExecuTorch: its files come back byte for byte and run here, ours run in its runtime.

Needs the extra `peers`: `make peers` installs it and runs this.
"""

import copy

import pytest
import torch
from torch.export import Dim
from torch.utils import _pytree as pytree

import tenon
from models import SUITE, make
from tenon.pte.program import from_bytes, to_bytes

exir = pytest.importorskip("executorch.exir", reason="the extra `peers` is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")


class Stateful(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)
        self.register_buffer("calls", torch.zeros(3))

    def forward(self, x):
        self.calls.add_(1)
        return torch.relu(self.linear(x) + self.calls), x.view(-1)


class Branches(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda a: a + 1, lambda a: a * 2, (x,))


class Several(torch.nn.Module):
    def forward(self, x):
        return tuple(x.topk(2)), torch.cat([x, x]), x.split(1, 1), torch.nn.functional.layer_norm(x, (4,))


class Loops(torch.nn.Module):
    """A while loop, which they do not export, and a scan."""

    def forward(self, n, x):
        from torch._higher_order_ops.scan import scan
        from torch._higher_order_ops.while_loop import while_loop

        count, doubled = while_loop(lambda i, a: i < 4, lambda i, a: (i + 1, a * 2), (n, x[0].clone()))
        total, products = scan(lambda carry, row: (carry + row, carry * row), x[0].clone(), x)
        return count, doubled, total, products


ROWS = {0: Dim("rows", min=1, max=8)}
CASES = {
    "state": (Stateful, (torch.ones(2, 4),), None, [(torch.randn(2, 4),)] * 3),
    "dynamic": (Stateful, (torch.ones(2, 4),), (ROWS,), [(torch.randn(n, 4),) for n in (1, 5, 8)]),
    "cond": (Branches, (torch.ones(3),), None, [(torch.ones(3),), (-torch.ones(3),)]),
    "several": (Several, (torch.randn(3, 4),), None, [(torch.randn(3, 4),)]),
}


def theirs(model, args=(), kwargs=None, shapes=None):
    exported = torch.export.export(model, args, kwargs, dynamic_shapes=shapes)
    return bytes(exir.to_edge(exported).to_executorch().buffer)


def run_theirs(path, inputs):
    from executorch.runtime import Runtime, Verification

    program = Runtime.get().load_program(str(path), verification=Verification.InternalConsistency)
    method = program.load_method("forward")
    return [method.execute(list(each)) for each in inputs]


def assert_same(actual, expected):
    ours, others = pytree.tree_leaves(actual), pytree.tree_leaves(expected)
    assert len(ours) == len(others)
    for mine, other in zip(ours, others, strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_their_file_comes_back_byte_for_byte_and_runs_here(name, tmp_path):
    make_model, args, shapes, inputs = CASES[name]
    model = make_model()
    state = copy.deepcopy(model.state_dict())
    data = theirs(model, args, shapes=shapes)
    assert b"".join(to_bytes(from_bytes(data))) == data
    (tmp_path / "theirs.pte").write_bytes(data)
    for mode in ("aten", "lean"):
        module, model = tenon.load(tmp_path / "theirs.pte", mode), make_model()
        model.load_state_dict(state)
        for each in inputs:
            assert_same(module(*each), model(*each))


@pytest.mark.parametrize("name", CASES)
def test_our_file_runs_in_their_runtime(name, tmp_path):
    make_model, args, shapes, inputs = CASES[name]
    model = make_model()
    tenon.export(model, args, dynamic_shapes=shapes).save(tmp_path / "ours.pte")
    for found, each in zip(run_theirs(tmp_path / "ours.pte", inputs), inputs, strict=True):
        assert_same(found, model(*each))


def test_our_loops_run_in_their_runtime(tmp_path):
    model, inputs = Loops(), [(torch.tensor(start), torch.randn(3, 2)) for start in (0, 2, 9)]
    tenon.export(model, inputs[0]).save(tmp_path / "ours.pte")
    for found, each in zip(run_theirs(tmp_path / "ours.pte", inputs), inputs, strict=True):
        assert_same(found, model(*each))


@pytest.mark.parametrize("name", SUITE)
def test_the_model_suite_crosses_both_ways(name, tmp_path):
    case = make(name)
    with torch.no_grad():
        expected = case.model(**case.kwargs)
    tenon.export(case.model, (), case.kwargs).save(tmp_path / "ours.pte")
    assert_same(run_theirs(tmp_path / "ours.pte", [list(case.kwargs.values())])[0], expected)
    wrapped = Outputs(case.model)
    data = theirs(wrapped, (), case.kwargs)
    assert b"".join(to_bytes(from_bytes(data))) == data
    (tmp_path / "theirs.pte").write_bytes(data)
    for mode in ("aten", "lean"):
        assert_same(tenon.load(tmp_path / "theirs.pte", mode)(**case.kwargs), expected)


class Outputs(torch.nn.Module):
    """A model as they can export it: outputs in a tuple, and GPT-2's attention written out, on which they fail."""

    def __init__(self, model):
        super().__init__()
        self.model = model
        if "GPT2" in type(model).__name__:
            model.set_attn_implementation("eager")

    def forward(self, **kwargs):
        return tuple(pytree.tree_leaves(self.model(**kwargs)))


@pytest.mark.parametrize("name", ["bert", "llama"])
def test_our_dynamic_programs_run_in_their_runtime_at_every_size(name, tmp_path):
    case = make(name)
    tenon.export(case.model, (), case.kwargs, dynamic_shapes=case.shapes).save(tmp_path / "ours.pte")
    sizes = [case.resized(*size) for size in ((1, 2), (3, 5), (8, 32))]
    for found, inputs in zip(run_theirs(tmp_path / "ours.pte", [list(i.values()) for i in sizes]), sizes, strict=True):
        with torch.no_grad():
            assert_same(found, case.model(**inputs))


@pytest.mark.parametrize("name", SUITE)
def test_our_plan_takes_no_more_memory_than_theirs(name):
    case = make(name)
    ours = tenon.export(case.model, (), case.kwargs).memory().planned
    assert ours <= from_bytes(theirs(Outputs(case.model), (), case.kwargs)).memory().planned


# --- several methods, state, sizes and banks ----------------------------------------------------------------


class Held(torch.nn.Module):
    """A model with state that methods around it share."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("total", torch.full((4,), 3.0))


class Adds(torch.nn.Module):
    def __init__(self, held):
        super().__init__()
        self.held = held

    def forward(self, x):
        self.held.total.add_(x.sum(0))
        return self.held.linear(x) + self.held.total


class Reads(torch.nn.Module):
    def __init__(self, held):
        super().__init__()
        self.model = held

    def forward(self, x):
        return self.model.linear(x).relu() * self.model.total


class InPlace(torch.nn.Module):
    """Pointwise chains and views, whose shapes vary with the rows."""

    def forward(self, x):
        y = (x + 1).tanh().sigmoid()
        flat = y.view(-1)
        pairs = flat.neg().view(-1, 2).abs()
        return pairs @ pairs.t(), y.view(x.shape[0], 2, 2).exp().transpose(1, 2), flat * 2


METHODS = {"forward": torch.nn.Linear(4, 4), "other": torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.Softmax(-1))}
SIZES = {"forward": 1, "other": 3}


def their_methods(path):
    from executorch.runtime import Runtime, Verification

    program = Runtime.get().load_program(str(path), verification=Verification.InternalConsistency)
    return {name: program.load_method(name) for name in program.method_names}


def test_two_methods_of_ours_run_in_their_runtime(tmp_path):
    methods = {name: (model, (torch.ones(SIZES[name], 4),)) for name, model in METHODS.items()}
    tenon.export(methods, constant_methods={"version": 3}).save(tmp_path / "ours.pte")
    found = their_methods(tmp_path / "ours.pte")
    assert sorted(found) == ["forward", "other", "version"]
    assert found["version"].execute([]) == [3]
    for name in ("forward", "other", "forward"):
        x = torch.randn(SIZES[name], 4)
        assert_same(found[name].execute([x]), METHODS[name](x))


def test_two_methods_of_theirs_run_here(tmp_path):
    exported = {name: torch.export.export(model, (torch.ones(SIZES[name], 4),)) for name, model in METHODS.items()}
    data = bytes(exir.to_edge(exported).to_executorch().buffer)
    assert b"".join(to_bytes(from_bytes(data))) == data
    (tmp_path / "theirs.pte").write_bytes(data)
    module = tenon.load(tmp_path / "theirs.pte", mode="aten")
    assert module.methods == ["forward", "other"]
    for name in ("other", "forward", "other"):
        x = torch.randn(SIZES[name], 4)
        assert_same(module[name](x), METHODS[name](x))


@pytest.mark.parametrize("memory", [None, {"sram": 64, "dram": None}], ids=["one bank", "two banks"])
def test_our_methods_share_state_in_their_runtime(memory, tmp_path):
    held = Held()
    methods = {"add": Adds(held), "read": Reads(held)}
    x = torch.ones(2, 4)
    tenon.export({name: (each, (x,)) for name, each in methods.items()}, memory=memory).save(tmp_path / "ours.pte")
    found = their_methods(tmp_path / "ours.pte")
    for name in ("read", "add", "add", "read", "add", "read", "read"):
        x = torch.randn(2, 4)
        assert_same(found[name].execute([x]), methods[name](x))


@pytest.mark.parametrize("memory", [{"sram": 64, "dram": None}, {"none": 0, "a": 96, "b": None}], ids=["two", "three"])
def test_our_programs_of_several_banks_run_in_their_runtime(memory, tmp_path):
    model, inputs = Stateful(), [(torch.randn(2, 4),) for _ in range(3)]
    program = tenon.export(model, inputs[0], memory=memory)
    assert sum(size > 0 for size in program.plans[0].non_const_buffer_sizes) == 2
    program.save(tmp_path / "ours.pte")
    for found, each in zip(run_theirs(tmp_path / "ours.pte", inputs), inputs, strict=True):
        assert_same(found, model(*each))


@pytest.mark.parametrize("shapes", [None, (ROWS,)], ids=["fixed", "varying"])
def test_values_that_we_compute_in_place_and_see_through_views_are_right_in_their_runtime(shapes, tmp_path):
    model = InPlace()
    program = tenon.export(model, (torch.ones(4, 4),), dynamic_shapes=shapes)
    assert ("executorch_prim::et_view.default" in program.operators()) == (shapes is not None)
    program.save(tmp_path / "ours.pte")
    inputs = [(torch.randn(rows, 4),) for rows in ((4, 4) if shapes is None else (1, 5, 8, 1))]
    for found, each in zip(run_theirs(tmp_path / "ours.pte", inputs), inputs, strict=True):
        assert_same(found, model(*each))


def test_their_views_of_varying_shape_run_here(tmp_path):
    model = InPlace()
    (tmp_path / "theirs.pte").write_bytes(theirs(model, (torch.ones(4, 4),), shapes=(ROWS,)))
    module = tenon.load(tmp_path / "theirs.pte", mode="aten")
    for rows in (1, 5, 8, 1):
        x = torch.randn(rows, 4)
        assert_same(module(x), model(x))


class VaryingBranches(torch.nn.Module):
    def forward(self, x):
        y, total = torch.cond(
            x.sum() > 0, lambda a: (a + 1, (a * 2).sum(0)), lambda a: ((a * a).tanh(), a.sum(0).neg()), (x,)
        )
        return y.relu() + total, total


def test_branches_of_varying_size_cross_both_ways(tmp_path):
    model = VaryingBranches()
    inputs = [(sign * torch.rand(rows, 4),) for rows in (1, 5, 8) for sign in (1, -1)]
    tenon.export(model, (torch.ones(2, 4),), dynamic_shapes=(ROWS,)).save(tmp_path / "ours.pte")
    (tmp_path / "theirs.pte").write_bytes(theirs(model, (torch.ones(2, 4),), shapes=(ROWS,)))
    module = tenon.load(tmp_path / "theirs.pte", mode="aten")
    for found, each in zip(run_theirs(tmp_path / "ours.pte", inputs), inputs, strict=True):
        assert_same(found, model(*each))
        assert_same(module(*each), model(*each))


def test_state_that_does_not_begin_at_zero_crosses_both_ways(tmp_path):
    from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass

    model, inputs = Stateful(), [(torch.randn(2, 4),) for _ in range(3)]
    model.calls.fill_(5)
    tenon.export(model, inputs[0]).save(tmp_path / "ours.pte")
    config = exir.ExecutorchBackendConfig(passes=[InitializedMutableBufferPass(["calls"])])
    edge = exir.to_edge(torch.export.export(model, inputs[0]))
    (tmp_path / "theirs.pte").write_bytes(bytes(edge.to_executorch(config).buffer))
    module = tenon.load(tmp_path / "theirs.pte", mode="aten")
    for found, each in zip(run_theirs(tmp_path / "ours.pte", inputs), inputs, strict=True):
        expected = model(*each)
        assert_same(found, expected)
        assert_same(module(*each), expected)


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_a_model_that_their_quantiser_made_crosses_both_ways(dynamic, tmp_path):
    import executorch.kernels.quantized  # noqa: F401, their kernels
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import (
        XNNPACKQuantizer,
        get_symmetric_quantization_config,
    )
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    torch.manual_seed(0)
    model, inputs = (
        torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)),
        torch.randn(3, 8),
    )
    config = get_symmetric_quantization_config(is_per_channel=True, is_dynamic=dynamic)
    prepared = prepare_pt2e(torch.export.export(model, (inputs,)).module(), XNNPACKQuantizer().set_global(config))
    prepared(inputs)
    quantized = convert_pt2e(prepared)
    tenon.export(quantized, (inputs,)).save(tmp_path / "ours.pte")
    assert_same(run_theirs(tmp_path / "ours.pte", [(inputs,)]), quantized(inputs))
    (tmp_path / "theirs.pte").write_bytes(theirs(quantized, (inputs,)))
    for mode in ("lean", "aten"):
        assert_same(tenon.load(tmp_path / "theirs.pte", mode)(inputs), quantized(inputs))
