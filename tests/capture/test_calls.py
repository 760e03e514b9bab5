"""Decomposition call by call gives what eager gives, also where tensors are written to, or leaves it to torch."""

import pytest
import torch
from torch import nn

import tenon
from models import SUITE, make
from tenon.capture.calls import decompose_calls
from tenon.capture.decompose import decompose, rules
from tenon.capture.export import export_module
from tenon.capture.writes import NeedsWholeGraph


class Writes(nn.Module):
    def __init__(self, forward):
        super().__init__()
        self.register_buffer("total", torch.zeros(2, 3))
        self.layer = nn.Linear(3, 3)
        self.function = forward

    def forward(self, x):
        return self.function(self, x)


def base_after_its_view_was_written(self, x):
    y = x * 2
    y[0].add_(1)
    return y


def view_after_its_base_was_written(self, x):
    y = x * 2
    row = y[0]
    y.add_(1)
    return row


def handed_on_by_dropout(self, x):
    y = x * 2
    z = nn.functional.dropout(y, training=False)
    z.add_(1)
    return y, z


def a_view_nobody_looks_at_again(self, x):
    y = (x * 2).view(-1)
    y.relu_().add_(1)
    return y


def a_chain_of_writes(self, x):
    y = self.layer(x)
    z = y.mul_(2).sub_(1)
    return y, z, y + z


def a_buffer(self, x):
    self.total.add_(x)
    self.total.mul_(0.5)
    return self.total + x


def a_slice_of_a_buffer(self, x):
    self.total[1:].copy_(x[:1])
    return self.total.sum()


def an_input(self, x):
    x.add_(1)
    return x * 2


def a_region_without_gradients(self, x):
    with torch.no_grad():
        y = self.layer(x).relu()
    return y.flatten()


def a_copy_with_another_dtype(self, x):
    y = torch.zeros(2, 3, dtype=torch.int64)
    y.copy_(x * 3)
    return y


CALL_BY_CALL = (a_view_nobody_looks_at_again, a_chain_of_writes, a_buffer, an_input, a_region_without_gradients)
AT_ONCE = (base_after_its_view_was_written, view_after_its_base_was_written, handed_on_by_dropout, a_slice_of_a_buffer)


def program(forward):
    return export_module(Writes(forward).eval(), (torch.ones(2, 3),), None, None)


@pytest.mark.parametrize("forward", [*CALL_BY_CALL, *AT_ONCE, a_copy_with_another_dtype], ids=lambda f: f.__name__)
def test_what_is_written_is_what_eager_writes(forward):
    model = Writes(forward).eval()
    ir = tenon.capture(model, (torch.ones(2, 3),))
    x = torch.tensor([[1.0, -2.0, 3.5], [0.0, 1.5, -1.0]])
    executor = tenon.Executor(ir, model.state_dict())
    mine, theirs = x.clone(), x.clone()
    torch.testing.assert_close(executor(mine), model(theirs), check_stride=False)
    torch.testing.assert_close(mine, theirs)
    torch.testing.assert_close(executor.state.get("total", torch.zeros(2, 3)), model.total)


@pytest.mark.parametrize("forward", CALL_BY_CALL, ids=lambda f: f.__name__)
def test_a_write_that_only_its_tensor_sees_is_a_new_value(forward):
    assert not any("_." in str(node.target) for node in decompose_calls(program(forward), rules(()), ()).graph.nodes)


@pytest.mark.parametrize("forward", AT_ONCE, ids=lambda f: f.__name__)
def test_a_write_that_another_tensor_sees_is_left_to_torch(forward):
    exported = program(forward)
    if forward is not handed_on_by_dropout:  # there the other tensor is the very same one
        with pytest.raises(NeedsWholeGraph):
            decompose_calls(exported, rules(()), ())
    assert decompose(exported).graph_signature is not None


@pytest.mark.parametrize("name", SUITE)
def test_the_model_suite_is_decomposed_call_by_call(name):
    case = make(name)
    for shapes in (None, case.shapes):
        decompose_calls(export_module(case.model, (), case.kwargs, shapes), rules(()), ())


@pytest.mark.parametrize(
    "forward",
    [
        lambda self, x: (y := x.relu(), x @ x, y @ x, x @ y, y @ y),
        lambda self, x: (torch.outer(x[0], x[0]), torch.outer(x[0], x[1]), torch.outer(x[1], x[1])),
    ],
    ids=["matmul", "outer"],
)
def test_a_call_whose_operands_are_one_tensor_does_not_stand_for_one_of_two(forward):
    model, x = Writes(forward), torch.randn(3, 3)
    program = export_module(model, (x,), {}, None)
    decompose_calls(program, rules(()), ())
    found = tenon.Executor(tenon.capture(model, (x,)), model.state_dict())(x)
    for mine, theirs in zip(found, model(x), strict=True):
        torch.testing.assert_close(mine, theirs)


def test_a_layer_that_occurs_often_is_traced_once(monkeypatch):
    from tenon.capture import calls

    traced = []
    trace = calls._Walk.trace
    monkeypatch.setattr(calls._Walk, "trace", lambda self, op, *rest: traced.append(op) or trace(self, op, *rest))
    tenon.capture(nn.Sequential(*(nn.Linear(4, 4) for _ in range(50))), (torch.ones(2, 4),))
    assert traced == [torch.ops.aten.linear.default]
