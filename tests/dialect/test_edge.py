"""The Edge dialect: what it adds to the ATen dialect, and how each rule's violation reads."""

import time
from dataclasses import replace

import pytest
import torch

import models
import tenon
from tenon.dialect.edge_types import FILE, PROBED, Alternative, fault, load, parse_line
from tenon.ir import Graph, OpNode, Ref, ScalarMeta, Source, TensorMeta, Tree, Value
from tenon.ir.types import DTYPE_BY_SHORT
from tenon.lower import to_edge

PLACE = Source("net.py", 7, "Net.forward")


def tensor(short, *shape):
    return TensorMeta(DTYPE_BY_SHORT[short], shape or (2, 3))


def one_node(op, args, result, **inputs):
    """A graph of one call on its inputs."""
    values = tuple(Value(name, type_) for name, type_ in inputs.items())
    results = result if isinstance(result, tuple) else (result,)
    node = OpNode(op, args, tuple(Value(str(number), type_) for number, type_ in enumerate(results)), PLACE)
    tree = Tree("tuple", (Tree("tuple", (Tree(),) * len(values)), Tree("dict")))
    return Graph("Net", "edge", inputs=values, nodes=(node,), outputs=(Ref("0"),), in_tree=tree)


def binary(op, self, other, result, **more):
    args = {"self": Ref("x"), "other": Ref("y"), **more}
    return one_node(op, args, tensor(result), x=tensor(self), y=tensor(other))


def unary(op, self, result, **args):
    return one_node(op, {"self": Ref("x"), **args}, tensor(result), x=tensor(self))


def complaint(graph, **options):
    with pytest.raises(tenon.Unsupported) as error:
        tenon.verify(graph, "edge", **options)
    return str(error.value)


def test_arguments_of_one_dtype_pass():
    for dtype in ("b8", "i64", "f16", "f32", "c64"):
        tenon.verify(binary("aten::add.Tensor", dtype, dtype, dtype), "edge")
    tenon.verify(binary("aten::div.Tensor", "i32", "i32", "f32"), "edge")


def test_a_promotion_that_is_implicit_is_a_violation():
    text = complaint(binary("aten::add.Tensor", "f32", "i64", "f32"))
    assert "Net is not in the edge dialect: 1 violation." in text
    what = "it takes self=f32, other=i64: self and other must have one dtype"
    assert f"%0 aten::add.Tensor   [no-promotion] {what}   net.py:7 in Net.forward" in text
    assert "Casts are written out: dim_order_ops::_to_dim_order_copy." in text


def test_a_list_of_two_dtypes_is_a_promotion_for_cat_and_none_for_indices():
    lists = {"x": tensor("f32", 2), "y": tensor("i64", 2), "m": tensor("b8", 2)}
    cat = one_node("aten::cat", {"tensors": (Ref("x"), Ref("y"))}, tensor("f32", 4), **lists)
    assert "[no-promotion] it takes tensors=f32/i64: all of tensors must have one dtype" in complaint(cat)
    indices = {"self": Ref("x"), "indices": (None, Ref("y"), Ref("m"))}
    tenon.verify(one_node("aten::index.Tensor", indices, tensor("f32", 2), **lists), "edge")


def test_a_dtype_that_no_kernel_takes_or_gives_is_a_violation_with_what_there_is():
    text = complaint(unary("aten::bitwise_not", "f32", "f32"))
    assert "[dtypes] it takes self=f32 and gives f32, not (self: A) -> A   A: b8 u8 i8 i16 i32 i64" in text
    assert text.endswith("net.py:7 in Net.forward")
    assert "[dtypes] it takes self=i64 and gives f32, not (self: A) -> A" in complaint(unary("aten::neg", "i64", "f32"))
    text = complaint(one_node("aten::max.dim", {"self": Ref("x"), "dim": 0}, (tensor("f32"),) * 2, x=tensor("f32")))
    assert "it takes self=f32 and gives f32, f32, not (self: A) -> (A, i64)" in text


def test_a_result_whose_dtype_is_asked_for_is_free():
    args = {"self": Ref("x"), "dim": (0,)}
    assert "[dtypes]" in complaint(one_node("aten::sum.dim_IntList", args, tensor("f64", 3), x=tensor("f32")))
    asked = {**args, "dtype": DTYPE_BY_SHORT["f64"]}
    tenon.verify(one_node("aten::sum.dim_IntList", asked, tensor("f64", 3), x=tensor("f32")), "edge")


def test_a_dtype_that_was_not_probed_is_free():
    tenon.verify(unary("aten::view_copy", "u32", "u32", size=(2, 3)), "edge")


def test_an_optional_tensor_may_be_absent():
    tenon.verify(
        one_node("aten::clamp.Tensor", {"self": Ref("x"), "max": Ref("x")}, tensor("f32"), x=tensor("f32")), "edge"
    )
    pools = {"x": tensor("f32", 1, 2, 4, 4), "w": tensor("f32", 2, 2, 1, 1)}
    args = {"input": Ref("x"), "weight": Ref("w"), "bias": None}
    tenon.verify(one_node("aten::convolution", args, tensor("f32", 1, 2, 4, 4), **pools), "edge")


def test_a_number_where_a_tensor_belongs_is_a_violation():
    text = complaint(unary("aten::add.Tensor", "f32", "f32", other=1))
    what = "other=1 is a number, where it takes a tensor"
    assert f"%0 aten::add.Tensor   [typed-scalars] {what}   net.py:7 in Net.forward" in text
    symbolic = one_node(
        "aten::add.Tensor", {"self": Ref("x"), "other": Ref("n")}, tensor("f32"), x=tensor("f32"), n=ScalarMeta("int")
    )
    assert "[typed-scalars] other=%n is a number" in complaint(symbolic)
    tenon.verify(unary("aten::add.Scalar", "f32", "f32", other=1), "edge")


def test_copies_must_be_the_forms_that_say_their_dim_order():
    for name, form in (("_to_copy", "_to_dim_order_copy"), ("clone", "_clone_dim_order")):
        text = complaint(unary(f"aten::{name}", "f32", "f32"))
        what = f"it does not say its dim order: dim_order_ops::{form} does"
        assert f"%0 aten::{name}   [dim-order] {what}   net.py:7 in Net.forward" in text
    empty = one_node("aten::empty.memory_format", {"size": (2, 3)}, tensor("f32"))
    assert "[dim-order] it does not say its dim order: dim_order_ops::_empty_dim_order does" in complaint(empty)


def test_a_dim_order_must_be_there_and_be_the_results():
    copy = "dim_order_ops::_to_dim_order_copy"
    where = f"%0 {copy}   [dim-order] "
    assert where + "its dim_order is missing: [0, 1]   net.py:7" in complaint(unary(copy, "i64", "f32"))
    text = complaint(unary(copy, "i64", "f32", dim_order=(1, 0)))
    assert where + "its dim_order is [1, 0], and its result's is [0, 1]   net.py:7" in text
    tenon.verify(unary(copy, "i64", "f32", dim_order=(0, 1)), "edge")
    tenon.verify(unary("dim_order_ops::_clone_dim_order", "b8", "b8", dim_order=(0, 1)), "edge")
    assert "[dtypes]" in complaint(unary("dim_order_ops::_clone_dim_order", "b8", "f32", dim_order=(0, 1)))


def test_the_rules_of_the_aten_dialect_hold():
    assert "%0 aten::selu   [core] it is not core ATen   net.py:7" in complaint(unary("aten::selu", "f32", "f32"))
    assert "[functional] it changes self" in complaint(unary("aten::relu_", "f32", "f32"))
    strided = one_node("aten::relu", {"self": Ref("x")}, replace(tensor("f32"), dim_order=(1, 0)), x=tensor("f32"))
    assert "[contiguous] dim order [1, 0] is not contiguous" in complaint(strided)


def test_kept_and_custom_operators_take_any_dtype():
    tenon.verify(unary("aten::silu", "f32", "f32"), "edge", keep=["aten::silu"])
    with torch.library._scoped_library("tenon_edge", "DEF") as library:
        library.define("f(Tensor self, Tensor other) -> Tensor")
        torch.library.register_fake("tenon_edge::f", lambda self, other: torch.empty_like(self), lib=library)
        tenon.verify(binary("tenon_edge::f", "f32", "i64", "b8"), "edge")


def test_subgraphs_are_checked_with_their_own_types():
    class Net(torch.nn.Module):
        def forward(self, x, n):
            return torch.cond(x.sum() > 0, lambda a, b: a + b, lambda a, b: a * b * 2, (x, n))

    graph = tenon.capture(Net(), (torch.ones(2), torch.ones(2, dtype=torch.int64)))
    text = complaint(graph)
    assert text.count("[no-promotion]") == 2
    assert "[typed-scalars] other=2 is a number" in text
    tenon.verify(to_edge(graph), "edge")


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.bool])
def test_what_lowers_is_in_the_dialect(dtype):
    class Net(torch.nn.Module):
        def forward(self, x, n):
            y = x * 0.5 + n + 1
            return torch.where(x > 0.5, y, 2), y.pow(2).clamp(0.25, 3.5), torch.cat([y, n]), 2.0**n, (x == n).sum()

    graph = tenon.capture(Net(), (torch.ones(3).to(dtype), torch.arange(3)))
    tenon.verify(to_edge(graph), "edge")


def test_a_model_is_verified_in_little_time():
    case = models.make("llama")
    graph = to_edge(tenon.capture(case.model, (), case.kwargs))
    tenon.verify(graph, "edge")  # fills the caches
    start = time.process_time()
    tenon.verify(graph, "edge")
    assert (time.process_time() - start) / len(graph.nodes) < 1e-4


def test_the_file_reads_back_as_it_is_written():
    lines = [line for line in FILE.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) > 200
    for line in lines:
        name, alternative = parse_line(line, "here")
        assert name + str(alternative) == line
        named = {dtype for dtypes in alternative.letters.values() for dtype in dtypes}
        assert named <= set(PROBED)
    assert fault("aten::add.Tensor", (("self", ("f32",)), ("other", ("f32",))), ("f32",)) is None
    assert load()["aten::isnan"][0].results == ("b8",)


def test_a_line_that_cannot_be_read_is_named():
    with pytest.raises(tenon.Invalid, match=r"edge_types.txt:3: 'aten::add self' is not `name\(argument: A\)"):
        parse_line("aten::add self", "edge_types.txt:3")


def test_an_alternative_binds_each_letter_once():
    embedding = Alternative({"weight": "A", "indices": "B"}, ("A",), {"A": ("f16", "f32"), "B": ("i32", "i64")})
    assert embedding.accepts({"weight": "f16", "indices": "i32"}, ["f16"])
    assert not embedding.accepts({"weight": "f16", "indices": "i32"}, ["f32"])
    assert not embedding.accepts({"weight": "f16", "indices": "f32"}, ["f16"])
    assert embedding.clashes({"weight": "i8", "indices": "i8"}, ["f16"]) == 2
