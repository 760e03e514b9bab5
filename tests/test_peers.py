"""Programs crossed with ExecuTorch: its files come back byte for byte and run here, ours run in its runtime.

Needs the extra `peers`: `make peers` installs it and runs this.
"""

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
    data = theirs(model, args, shapes=shapes)
    assert b"".join(to_bytes(from_bytes(data))) == data
    (tmp_path / "theirs.pte").write_bytes(data)
    module = tenon.load(tmp_path / "theirs.pte")
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
    assert_same(tenon.load(tmp_path / "theirs.pte")(**case.kwargs), expected)


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
