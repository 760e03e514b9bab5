"""What every graph must satisfy: each fault is found and named with its place, all of them at once."""

from dataclasses import replace

import pytest
from graphs import call_tree, graphs, quick, small_graph
from hypothesis import given

from tenon.errors import Invalid
from tenon.ir.dims import Symbol, symbol
from tenon.ir.graph import Device, Graph, GraphRef, Mutation, OpNode, Ref, Value, Weight
from tenon.ir.tree import LEAF, Tree, flat_tree
from tenon.ir.types import DTYPE, ScalarMeta, TensorMeta
from tenon.ir.verify import check, dims_of, graph_refs

F32 = DTYPE["float32"]
VECTOR = TensorMeta(F32, (2,))
X = Value("x", VECTOR)
ONE = Graph("one", inputs=(X,), outputs=(Ref("x"),), in_tree=call_tree(1))
BODY = Graph("a", inputs=(Value("i", VECTOR),), outputs=(Ref("i"),))


def relu(of, to):
    return OpNode("aten::relu", {"self": Ref(of)}, (Value(to, VECTOR),))


def weight(type_=VECTOR, **fields):
    return Weight("w", "constant", type_, **fields)


@quick
@given(graphs())
def test_a_sound_graph_is_returned_as_it_is(graph):
    assert check(graph) is graph


FAULTS = {
    "a use before its definition": (
        replace(ONE, nodes=(relu("y", "z"), relu("x", "y"))),
        "%z aten::relu: uses %y, which is not defined before it",
    ),
    "a use of its own result": (
        replace(ONE, nodes=(relu("y", "y"),)),
        "%y aten::relu: uses %y, which is not defined before it",
    ),
    "an undefined name in a list": (
        replace(ONE, nodes=(OpNode("aten::cat", {"tensors": (Ref("x"), (Ref("q"),))}),)),
        "aten::cat: uses %q, which is not defined before it",
    ),
    "an undefined name in a dict": (
        replace(ONE, nodes=(OpNode("higher_order::f", {"options": {"k": Ref("q")}}),)),
        "higher_order::f: uses %q, which is not defined before it",
    ),
    "a missing subgraph": (
        replace(ONE, nodes=(OpNode("higher_order::f", {"body": GraphRef("b")}),)),
        "higher_order::f: there is no subgraph b",
    ),
    "a missing subgraph in a list": (
        replace(ONE, nodes=(OpNode("higher_order::f", {"bodies": (None, (GraphRef("b"),))}),)),
        "higher_order::f: there is no subgraph b",
    ),
    "a missing subgraph in a dict": (
        replace(ONE, nodes=(OpNode("higher_order::f", {"options": {"k": GraphRef("b")}}),)),
        "higher_order::f: there is no subgraph b",
    ),
    "an operator by an odd name": (
        replace(ONE, nodes=(OpNode("aten::add tensor", {}),)),
        "aten::add tensor: this is not an operator's name",
    ),
    "an argument by an odd name": (
        replace(ONE, nodes=(OpNode("aten::f", {"a b": 1}),)),
        "aten::f: 'a b' is not an argument's name",
    ),
    "a dialect by an odd name": (replace(ONE, dialect="a b"), "'a b' is not the name of a dialect"),
    "two inputs of one name": (replace(ONE, inputs=(X, X), in_tree=call_tree(2)), "%x: defined 2 times"),
    "an input and a result of one name": (replace(ONE, nodes=(relu("x", "x"),)), "%x: defined 2 times"),
    "an input and a weight of one name": (
        replace(ONE, weights=(Weight("x", "buffer", VECTOR),)),
        "%x: defined 2 times",
    ),
    "a weight under one name twice": (replace(ONE, weights=(weight(aliases=("v", "w")),)), "%w: defined 2 times"),
    "two results of one name": (replace(ONE, nodes=(relu("x", "y"), relu("x", "y"))), "%y: defined 2 times"),
    "an undefined output": (replace(ONE, outputs=(Ref("y"),)), "return: %y is not defined"),
    "an output that is a device": (
        replace(ONE, outputs=(Device("cpu"),)),
        "return: an output is a value or a plain number, not Device(name='cpu')",
    ),
    "an output that is a list": (
        replace(ONE, outputs=((Ref("x"),),)),
        "return: an output is a value or a plain number, not (Ref(name='x'),)",
    ),
    "a write to a node's result": (
        replace(ONE, nodes=(relu("x", "y"),), mutations=(Mutation("y", Ref("x")),)),
        "write %y: there is no input or weight of that name",
    ),
    "a write to a weight that stays": (
        replace(ONE, weights=(weight(),), mutations=(Mutation("w", Ref("x")),)),
        "write %w: the weight is not marked as mutated",
    ),
    "a write of nothing": (replace(ONE, mutations=(Mutation("x", Ref("y")),)), "write %x: %y is not defined"),
    "too few inputs": (replace(ONE, in_tree=call_tree(2)), "the input structure has 2 leaves for 1 input"),
    "no inputs": (replace(ONE, inputs=(), outputs=(1,)), "the input structure has 1 leaf for 0 inputs"),
    "too many outputs": (
        replace(ONE, outputs=(Ref("x"), Ref("x"))),
        "the output structure has 1 leaf for 2 outputs",
    ),
    "inputs that no call has": (
        replace(ONE, in_tree=flat_tree(1)),
        "the input structure is not (a tuple of positional inputs, a dict of inputs by name)",
    ),
    "a dict without keys": (
        replace(ONE, out_tree=Tree("dict", (LEAF,))),
        "the output structure: a dict of 1 has 0 keys",
    ),
    "a tuple with keys": (
        replace(ONE, out_tree=Tree("list", (Tree("tuple", (LEAF,), ("a", "b")),))),
        "the output structure: a tuple of 1 has 2 keys",
    ),
    "a key that is a list": (
        replace(ONE, out_tree=Tree("dict", (LEAF,), (["a"],))),
        "the output structure: its keys [['a']] are not all plain values",
    ),
    "an undeclared symbol in a shape": (
        replace(ONE, inputs=(Value("x", TensorMeta(F32, (symbol("b") * symbol("a"),))),)),
        "%x: the symbol a, b is not declared",
    ),
    "an undeclared symbol in strides": (
        replace(ONE, inputs=(Value("x", TensorMeta(F32, (2,), strides=(symbol("s"),))),)),
        "%x: the symbol s is not declared",
    ),
    "an undeclared symbol in a number": (
        replace(ONE, inputs=(Value("x", ScalarMeta("int", symbol("s"))),)),
        "%x: the symbol s is not declared",
    ),
    "an empty range": (replace(ONE, symbols=(Symbol("s", 5, 4),)), "symbol s: its range [5, 4] is empty"),
    "two symbols of one name": (replace(ONE, symbols=(Symbol("s"), Symbol("s", 2))), "symbol s: declared 2 times"),
    "a negative size": (
        replace(ONE, inputs=(Value("x", TensorMeta(F32, (2, -1))),)),
        "%x: its shape [2, -1] has a negative size",
    ),
    "data of the wrong size": (
        replace(ONE, weights=(weight(data=b"123"),)),
        "%w: 3 bytes of data for a tensor of 8 bytes",
    ),
    "data for a size that is not known": (
        replace(ONE, symbols=(Symbol("s"),), weights=(weight(TensorMeta(F32, (symbol("s"),)), data=b"123"),)),
        "%w: 3 bytes of data for a tensor of 4*s bytes",
    ),
    "a subgraph under another name": (
        replace(ONE, subgraphs={"body": BODY}),
        "the subgraph body calls itself a",
    ),
    "a subgraph in another dialect": (
        replace(ONE, subgraphs={"a": replace(BODY, dialect="aten")}),
        "a: it is in the dialect aten, and the graph around it in captured",
    ),
    "a subgraph with weights": (
        replace(ONE, subgraphs={"a": replace(BODY, weights=(weight(),))}),
        "a: a subgraph has no weights of its own",
    ),
    "a subgraph with symbols": (
        replace(ONE, subgraphs={"a": replace(BODY, symbols=(Symbol("s"),))}),
        "a: a subgraph has no symbols of its own",
    ),
    "a subgraph that writes": (
        replace(ONE, subgraphs={"a": replace(BODY, mutations=(Mutation("i", Ref("i")),))}),
        "a: a subgraph has no mutations of its own",
    ),
    "a fault in a subgraph of a subgraph": (
        replace(ONE, subgraphs={"a": replace(BODY, subgraphs={"b": replace(BODY, name="b", outputs=(Ref("q"),))})}),
        "a: b: return: %q is not defined",
    ),
    "a value of the graph used in its subgraph": (
        replace(ONE, subgraphs={"a": replace(BODY, outputs=(Ref("x"),))}),
        "a: return: %x is not defined",
    ),
}


@pytest.mark.parametrize(("graph", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_with_its_place(graph, fault):
    with pytest.raises(Invalid) as error:
        check(graph)
    assert str(error.value) == f"the graph {graph.name} is not sound: 1 fault.\n  {fault}"


@pytest.mark.parametrize(
    "type_",
    [
        TensorMeta(F32, (2, 3), (0, 0)),
        TensorMeta(F32, (2, 3), (1, 2)),
        TensorMeta(F32, (2, 3), strides=(1,)),
    ],
    ids=["order twice the same", "order out of range", "strides for another rank"],
)
def test_a_layout_that_fits_no_tensor_is_a_fault(type_):
    with pytest.raises(Invalid, match="%x"):
        check(replace(ONE, inputs=(Value("x", type_),)))


@pytest.mark.parametrize(
    "tree",
    [
        Tree("leaf", (LEAF, LEAF)),
        Tree("dict", (LEAF, Tree("tuple")), ("a", "a")),
        Tree("namedtuple", (LEAF,), (1,), "m:C"),
    ],
    ids=["a leaf with children", "a key twice", "a field that is a number"],
)
def test_a_structure_that_no_value_has_is_a_fault(tree):
    with pytest.raises(Invalid, match="the output structure"):
        check(replace(ONE, out_tree=tree))


def test_the_inputs_of_a_call_are_a_tuple():
    with pytest.raises(Invalid, match="the input structure is not"):
        check(replace(ONE, in_tree=Tree("list", call_tree(1).children)))


@pytest.mark.parametrize("name", ["inf", "max", "é"])
def test_a_symbol_that_no_file_can_name_is_a_fault(name):
    with pytest.raises(Invalid, match=f"symbol {name}"):
        check(replace(ONE, symbols=(Symbol(name),)))


def test_all_faults_come_at_once():
    graph = replace(ONE, outputs=(Ref("p"), Ref("q")), mutations=(Mutation("r", Ref("x")),))
    with pytest.raises(Invalid) as error:
        check(graph)
    assert str(error.value) == (
        "the graph one is not sound: 4 faults.\n"
        "  return: %p is not defined\n"
        "  return: %q is not defined\n"
        "  write %r: there is no input or weight of that name\n"
        "  the output structure has 1 leaf for 2 outputs"
    )


def test_symbols_of_the_graph_hold_in_its_subgraphs():
    inputs = (Value("i", TensorMeta(F32, (symbol("s"),))),)
    check(replace(ONE, symbols=(Symbol("s"),), subgraphs={"a": replace(BODY, inputs=inputs)}))


def test_dims_of_a_type_are_its_sizes_strides_and_expression():
    s = symbol("s")
    assert dims_of(TensorMeta(F32, (s, 2), strides=(2, s))) == (s, 2, 2, s)
    assert dims_of(ScalarMeta("int", s)) == (s,)
    assert dims_of(ScalarMeta("float")) == ()


def test_graph_refs_are_found_at_any_depth():
    args = (GraphRef("a"), (1, (GraphRef("b"),)), {"k": GraphRef("c"), "l": (GraphRef("d"),)}, Ref("e"))
    assert list(graph_refs(args)) == ["a", "b", "c", "d"]


def test_the_small_graph_is_sound():
    assert check(small_graph()).in_tree.leaves == 3
