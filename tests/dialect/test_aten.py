"""The ATen dialect: what it allows, and how each rule's violation reads."""

from dataclasses import replace

import pytest
import torch

import tenon
from tenon.dialect.aten import is_core
from tenon.ir import OpNode, Ref, Source, TensorMeta, Tree, Value
from tenon.ir.types import DTYPE
from tenon.ops.schema import find_op, has_meta_kernel

PLACE = Source("net.py", 7, "Net.forward")
F32 = DTYPE["float32"]


def one_node(op, args=None, type_=None):
    """A graph of one call on its one input."""
    base = tenon.capture(torch.nn.ReLU(), (torch.ones(2, 3),))
    node = OpNode(op, args or {"self": Ref("input")}, (Value("0", type_ or TensorMeta(F32, (2, 3))),), PLACE)
    return replace(base, nodes=(node,))


def complaint(graph, **options):
    with pytest.raises(tenon.Unsupported) as error:
        tenon.verify(graph, dialect="aten", **options)
    return str(error.value)


def test_every_operator_that_torch_tags_core_is_allowed_and_has_a_meta_kernel():
    names = torch._C._dispatch_get_all_op_names()
    operators = [op for name in names if name.startswith("aten::") and (op := find_op(name)) is not None]
    core = [op for op in operators if torch.Tag.core in op.tags]
    assert len(core) >= 190
    assert all(is_core(op) for op in core)
    assert [op for op in core if not has_meta_kernel(op)] == []


def test_copies_of_views_are_allowed():
    for name in ("aten::permute_copy", "aten::slice_copy.Tensor", "aten::view_copy", "aten::split_with_sizes_copy"):
        assert is_core(find_op(name))


def test_an_operator_that_is_not_core_is_a_violation():
    text = complaint(one_node("aten::selu"))
    assert "ReLU is not in the aten dialect: 1 violation." in text
    assert "%0 aten::selu   [core] it is not core ATen   net.py:7 in Net.forward" in text
    assert "name it in keep=[...]" in text
    tenon.verify(one_node("aten::selu"), keep=["aten::selu"])


def test_an_unknown_operator_is_a_violation_with_near_names():
    text = complaint(one_node("aten::rleu"))
    assert "%0 aten::rleu   [core] torch has no operator of that name. Did you mean aten::" in text


def test_an_operator_that_writes_is_a_violation():
    assert "%0 aten::relu_   [functional] it changes self   net.py:7 in Net.forward" in complaint(
        one_node("aten::relu_")
    )


def test_a_custom_operator_needs_a_meta_kernel():
    with torch.library._scoped_library("tenon_dialect", "DEF") as library:
        library.define("f(Tensor self) -> Tensor")
        text = complaint(one_node("tenon_dialect::f"))
        assert "%0 tenon_dialect::f   [meta-kernel] it has no meta kernel   net.py:7 in Net.forward" in text
        assert '@torch.library.register_fake("tenon_dialect::f")' in text
        torch.library.register_fake("tenon_dialect::f", lambda self: torch.empty_like(self), lib=library)
        tenon.verify(one_node("tenon_dialect::f"))


def test_a_tensor_that_is_not_contiguous_is_a_violation():
    text = complaint(one_node("aten::relu", type_=TensorMeta(F32, (2, 3), (1, 0))))
    assert "%0 aten::relu   [contiguous] dim order [1, 0] is not contiguous   net.py:7 in Net.forward" in text
    text = complaint(one_node("aten::relu", type_=TensorMeta(F32, (2, 3), (0, 1), (0, 1))))
    assert "[contiguous] strides ['0', '1'] is not contiguous" in text


def test_a_structure_that_cannot_be_built_is_a_violation():
    tree = Tree("dataclass", (Tree(),), ("logits",), "nowhere:Output")
    text = complaint(replace(one_node("aten::relu"), out_tree=tree))
    assert "the outputs   [pytree] the class nowhere:Output" in text and "Import nowhere first." in text


def test_promotion_and_broadcasting_may_be_implicit():
    class Mixed(torch.nn.Module):
        def forward(self, x, y):
            return x + y * 2

    ir = tenon.capture(Mixed(), (torch.ones(3, dtype=torch.int32), torch.ones(2, 1)))
    assert [node.op for node in ir.nodes] == ["aten::mul.Tensor", "aten::add.Tensor"]


def test_all_violations_are_listed_at_once_inside_subgraphs_too():
    class Net(torch.nn.Module):
        def forward(self, x):
            y = torch.nn.functional.selu(x).t()
            return torch.cond(y.sum() > 0, lambda a: torch.nn.functional.selu(a), lambda a: a + 1, (y.clone(),))

    ir = tenon.extract_ir(Net(), (torch.ones(2, 3),))
    text = complaint(ir)
    assert text.count("aten::selu   [core]") == 2
    assert "[contiguous]" in text


def test_other_dialects_and_other_things_are_refused_in_words():
    with pytest.raises(tenon.Invalid, match=r"'atne' is not a dialect. Did you mean aten\? There are: aten"):
        tenon.verify(one_node("aten::relu"), "atne")
    with pytest.raises(tenon.Invalid, match="verify takes a graph, not a ReLU. Capture the model first."):
        tenon.verify(torch.nn.ReLU())
