"""verify_ir: equal graphs are found equal, and the first node that differs is named."""

import inspect
from dataclasses import replace

import pytest
import torch

import tenon


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(4, 4)
        self.second = torch.nn.Linear(4, 2)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        h = torch.relu(self.first(x))
        h = torch.sigmoid(h)
        return {"y": self.second(h), "calls": self.calls.clone()}


SIGMOID = inspect.getsourcelines(Net.forward)[1] + 3
BOTH = pytest.mark.parametrize("way", [tenon.extract_ir, tenon.capture])


@BOTH
def test_a_faithful_graph_matches_and_the_model_is_left_as_it_was(way):
    model, x = Net(), torch.randn(2, 4)
    found = tenon.verify_ir(way(model, (x,)), model, (x,))
    assert found and found.matches and found.first_difference is None
    assert [output.name for output in found.outputs] == ["output['y']", "output['calls']"]
    assert model.calls == 0


@BOTH
def test_the_first_node_that_differs_is_named_with_its_line(way):
    model, x = Net(), torch.randn(2, 4)
    ir = way(model, (x,))
    broken = replace(ir, nodes=tuple(replace(n, op="aten::tanh") if n.op == "aten::sigmoid" else n for n in ir.nodes))
    found = tenon.verify_ir(broken, model, x)
    assert not found
    assert found.first_difference.op == "aten::tanh"
    text = str(found)
    assert "output['y']: DIFFERS" in text and "output['calls']: equal" in text
    assert (
        "the first node that differs is %" in text and f"aten::tanh, test_compare.py:{SIGMOID} in Net.forward" in text
    )


@BOTH
def test_a_difference_is_found_when_the_graph_has_other_nodes(way):
    model, x = Net(), torch.randn(2, 4)
    ir = way(model, (x,))
    (relu,) = (i for i, node in enumerate(ir.nodes) if node.op == "aten::relu")
    node = ir.nodes[relu]
    again = replace(node, outputs=(replace(node.outputs[0], name="again"),))
    broken = replace(
        ir,
        nodes=(
            *ir.nodes[: relu + 1],
            again,
            *(replace(n, op="aten::tanh") if n.op == "aten::sigmoid" else n for n in ir.nodes[relu + 1 :]),
        ),
    )
    found = tenon.verify_ir(broken, model, x)
    assert found.first_difference.op == "aten::tanh"


def test_wrong_weights_show_at_the_node_that_uses_them():
    model, x = Net(), torch.randn(2, 4)
    weights = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    weights["second.bias"] += 1
    found = tenon.verify_ir(tenon.extract_ir(model, (x,)), model, x, state_dict=weights)
    assert found.first_difference.op == "aten::linear" and found.first_difference.source.module == "second"


def test_shapes_and_dtypes_that_differ_are_told():
    class Cast(torch.nn.Module):
        def forward(self, x):
            return x.double()

    ir = tenon.capture(Cast(), (torch.ones(2),))
    node = replace(ir.nodes[0], args={**ir.nodes[0].args, "dtype": tenon.ir.types.DTYPE["float16"]})
    text = str(tenon.verify_ir(replace(ir, nodes=(node,)), Cast(), torch.ones(2)))
    assert "dtype torch.float16, and the model gives torch.float64" in text


def test_a_model_with_other_outputs_is_refused():
    ir = tenon.extract_ir(Net(), (torch.ones(1, 4),))
    with pytest.raises(
        tenon.Invalid, match="the model's outputs are not those of Net: outputs: the graph takes a dict"
    ):
        tenon.verify_ir(ir, torch.nn.Linear(4, 4), torch.ones(1, 4))
    with pytest.raises(tenon.Invalid, match="verify_ir compares with a torch.nn.Module, not a str."):
        tenon.verify_ir(ir, "model", torch.ones(1, 4))
