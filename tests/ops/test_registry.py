"""Executors and conversions that users register, as the documents show them."""

from dataclasses import replace

import pytest
import torch

import tenon
from tenon.ir import OpNode, Ref
from tenon.ops import registry


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    monkeypatch.setattr(registry, "_executors", dict(registry._executors))
    monkeypatch.setattr(registry, "_conversions", dict(registry._conversions))


def test_the_same_functions_are_exported_in_both_places():
    import tenon.ops

    for name in ("register_executor", "register_op", "list_registered_ops"):
        assert getattr(tenon, name) is getattr(tenon.ops, name)


def test_a_registered_executor_runs_an_operator_outside_torch():
    @tenon.ops.register_executor("my_custom_op")
    def execute_my_op(inputs, attrs):
        return [inputs[0] * attrs["scale"] + inputs[1]]

    ir = tenon.extract_ir(torch.nn.ReLU(), (torch.ones(2),))
    args = {"a": Ref("input"), "scale": 3, "b": Ref("input")}
    ir = replace(ir, nodes=(OpNode("my_custom_op", args, ir.nodes[0].outputs),))
    assert torch.equal(tenon.execute_ir(ir, torch.ones(2)), torch.full((2,), 4.0))


@pytest.mark.parametrize("spelling", ["aten::relu", "aten.relu.default", "aten::relu.default"])
def test_a_registered_executor_comes_before_torch(spelling):
    tenon.register_executor(spelling)(lambda inputs, attrs: [inputs[0] + 100])
    ir = tenon.extract_ir(torch.nn.ReLU(), (torch.ones(2),))
    assert torch.equal(tenon.execute_ir(ir, torch.ones(2)), torch.full((2,), 101.0))


def test_lists_of_tensors_are_among_the_inputs():
    @tenon.register_executor("aten::cat")
    def execute_cat(inputs, attrs):
        assert attrs == {"dim": 1}
        return [sum(inputs)]

    class Net(torch.nn.Module):
        def forward(self, x, y):
            return torch.cat([x, y], 1)

    ir = tenon.extract_ir(Net(), (torch.ones(1, 1), torch.ones(1, 1)))
    assert tenon.execute_ir(ir, (torch.ones(1, 1), torch.ones(1, 1))).item() == 2


def test_a_registered_conversion_writes_the_node():
    @tenon.register_op("aten::relu")
    def convert(node, inputs, outputs):
        return OpNode("aten::clamp", {"self": inputs[0], "min": 0}, tuple(outputs))

    ir = tenon.extract_ir(torch.nn.ReLU(), (torch.ones(2),))
    assert [node.op for node in ir.nodes] == ["aten::clamp"]
    assert torch.equal(tenon.execute_ir(ir, -torch.ones(2)), torch.zeros(2))


def test_what_is_registered_is_listed():
    before = tenon.list_registered_ops()
    assert before["conversion"] == [] and {"sym::getitem", "higher_order::cond"} <= set(before["execution"])
    tenon.register_executor("mine")(lambda inputs, attrs: [])
    tenon.register_op("yours")(lambda node, inputs, outputs: None)
    after = tenon.list_registered_ops()
    assert after["conversion"] == ["yours"] and set(after["execution"]) - set(before["execution"]) == {"mine"}


def test_what_cannot_be_registered_is_refused():
    with pytest.raises(tenon.Invalid, match="an operator's name is a string such as 'my_ops::mul3', not 3."):
        tenon.register_executor(3)
    with pytest.raises(tenon.Invalid, match="the executor of mine must be a function, not int."):
        tenon.register_executor("mine")(3)
