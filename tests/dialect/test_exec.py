"""The Exec dialect: what a program can call, and how a violation reads."""

from dataclasses import replace

import pytest
import torch

import models
import tenon
from tenon.ir import OpNode, Ref, Source, TensorMeta, Value
from tenon.ir.types import DTYPE
from tenon.lower import to_edge, to_exec

PLACE = Source("net.py", 7, "Net.forward")


def calling(op):
    """A graph of one call on its one input."""
    base = tenon.capture(torch.nn.ReLU(), (torch.ones(2, 3),))
    node = OpNode(op, {"self": Ref(base.inputs[0].name)}, (Value("0", TensorMeta(DTYPE["float32"], (2, 3))),), PLACE)
    return replace(base, dialect="exec", nodes=(node,))


def complaint(graph):
    with pytest.raises(tenon.Unsupported) as error:
        tenon.verify(graph, "exec")
    return str(error.value)


def test_a_functional_operator_is_a_violation():
    text = complaint(calling("aten::relu"))
    assert "ReLU is not in the exec dialect: 1 violation." in text
    what = "it is not an out variant: nothing says where its result lies"
    assert f"%0 aten::relu   [out-variant] {what}   net.py:7 in Net.forward" in text


@pytest.mark.parametrize(
    "op",
    [
        "aten::relu.out",
        "dim_order_ops::_to_dim_order_copy.out",
        "executorch_prim::add.Scalar",
        "aten::sym_size.int",
        "higher_order::cond",
    ],
)
def test_out_variants_numbers_and_control_flow_pass(op):
    tenon.verify(calling(op), "exec")


def test_an_unknown_operator_is_a_violation_with_near_names():
    text = complaint(calling("aten::rleu.out"))
    assert "%0 aten::rleu.out   [out-variant] torch has no operator of that name. Did you mean aten::" in text


def test_the_functional_form_of_a_dim_order_operator_is_a_violation():
    assert "[out-variant]" in complaint(calling("dim_order_ops::_to_dim_order_copy"))


def test_control_flow_that_no_program_holds_is_a_violation():
    text = complaint(calling("higher_order::associative_scan"))
    assert "[out-variant] a program has no instruction for it. There are: higher_order::cond, " in text


def test_an_out_variant_that_is_made_for_a_custom_operator_passes():
    with torch.library._scoped_library("tenon_exec", "DEF") as library:
        library.define("f(Tensor self) -> Tensor")
        tenon.verify(calling("tenon_exec::f.out"), "exec")
        assert "[out-variant] it is not an out variant" in complaint(calling("tenon_exec::f"))


def test_layouts_are_checked():
    graph = calling("aten::relu.out")
    strided = replace(graph.nodes[0].outputs[0], type=TensorMeta(DTYPE["float32"], (2, 3), (1, 0)))
    graph = replace(graph, nodes=(replace(graph.nodes[0], outputs=(strided,)),))
    assert "[contiguous] dim order [1, 0] is not contiguous   net.py:7" in complaint(graph)


def test_subgraphs_are_checked():
    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda a: a + 1, lambda a: a.sin(), (x,))

    edge = to_edge(tenon.capture(Net(), (torch.ones(2),)))
    assert "aten::sin   [out-variant]" in complaint(edge)
    tenon.verify(to_exec(edge), "exec")


@pytest.mark.parametrize("name", ["bert", "resnet"])
def test_models_are_in_the_dialect_once_lowered(name):
    case = models.make(name)
    edge = tenon.verify(to_edge(tenon.capture(case.model, (), case.kwargs, dynamic_shapes=case.shapes or None)), "edge")
    tenon.verify(to_exec(edge), "exec")
