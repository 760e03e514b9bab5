"""Graphs as flowcharts: every node and every edge is there, under names and labels that Mermaid can read."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from graphs import graphs, quick, small_graph
from hypothesis import given

from tenon.ir.graph import Graph, GraphRef, OpNode, Ref, Value, Weight, refs
from tenon.ir.mermaid import ir_to_mermaid
from tenon.ir.tree import flat_tree
from tenon.ir.types import DTYPE, ConstMeta, TensorMeta

ID, LABEL = r"([\w%-]+)", r'"([^"\n]*)"'
LINES = {
    "start": re.compile(r"flowchart TD"),
    "input": re.compile(rf" *{ID}\(\[{LABEL}\]\)"),
    "weight": re.compile(rf" *{ID}\[\({LABEL}\)\]"),
    "node": re.compile(rf" *{ID}\[{LABEL}\]"),
    "edge": re.compile(rf" *{ID} -->\|{LABEL}\| {ID}"),
    "body": re.compile(rf" *{ID} -\.-> {ID}"),
    "subgraph": re.compile(rf" *subgraph {ID} \[{LABEL}\]"),
    "end": re.compile(r" *end"),
}
F32 = DTYPE["float32"]
VECTOR = TensorMeta(F32, (2,))


def read(text):
    """The flowchart's lines by kind; a line that is none of them is a fault."""
    found = {kind: [] for kind in LINES}
    for line in text.removesuffix("\n").split("\n"):
        kinds = [(kind, match) for kind, pattern in LINES.items() if (match := pattern.fullmatch(line))]
        assert kinds, f"{line!r} is not a line of a flowchart"
        found[kinds[0][0]].append(kinds[0][1].groups())
    return found


def op(name, args, *results):
    return OpNode(name, args, tuple(Value(result, VECTOR) for result in results))


def test_a_flowchart_reads_as_one_would_draw_it():
    body = Graph("body", inputs=(Value("a", VECTOR),), outputs=(Ref("a"),))
    graph = Graph(
        "model",
        inputs=(Value("x", VECTOR),),
        weights=(Weight("w", "parameter", VECTOR),),
        nodes=(
            op("aten::add.Tensor", {"self": Ref("x"), "other": Ref("w")}, "y"),
            op("higher_order::map", {"f": GraphRef("body"), "xs": (Ref("y"), Ref("x"), Ref("y"))}, "z"),
        ),
        outputs=(Ref("z"), Ref("x")),
        out_tree=flat_tree(2),
        subgraphs={"body": body},
    )
    drawn = (
        "flowchart TD\n"
        '  n_in0(["x"])\n'
        '  n0["aten::add.Tensor"]\n'
        '  n_in0 -->|"f32[2]"| n0\n'
        '  n1["higher_order::map"]\n'
        '  n0 -->|"f32[2]"| n1\n'
        '  n_in0 -->|"f32[2]"| n1\n'
        '  subgraph n1_body0 ["body"]\n'
        '    n1_body0__in0(["a"])\n'
        '    n1_body0__out0(["output 0"])\n'
        '    n1_body0__in0 -->|"f32[2]"| n1_body0__out0\n'
        "  end\n"
        "  n1 -.-> n1_body0\n"
        '  n_out0(["output 0"])\n'
        '  n1 -->|"f32[2]"| n_out0\n'
        '  n_out1(["output 1"])\n'
        '  n_in0 -->|"f32[2]"| n_out1\n'
    )
    assert ir_to_mermaid(graph) == drawn
    with_weights = drawn.replace('  n0["aten', '  n_w0[("w")]\n  n0["aten')
    with_weights = with_weights.replace("| n0\n", '| n0\n  n_w0 -->|"f32[2]"| n0\n', 1)
    assert ir_to_mermaid(graph, weights=True) == with_weights


@pytest.mark.parametrize("weights", [False, True], ids=["without weights", "with weights"])
def test_every_node_and_every_edge_of_the_small_graph_is_there(weights):
    graph = small_graph()
    found = read(ir_to_mermaid(graph, weights=weights))
    assert Counter(label for _, label in found["node"]) == Counter(
        node.op for drawn in (graph, graph.subgraphs["body"]) for node in drawn.nodes
    )
    assert len(found["weight"]) == (2 if weights else 0)
    assert [label for _, label in found["subgraph"]] == ["body"]
    named = dict(found["input"] + found["node"] + found["weight"])
    edges = {(named[start], named[end]) for start, _, end in found["edge"]}
    expected = {
        ("x", "aten::op.out"),
        ("aten::op.out", "higher_order::go"),
        ("higher_order::go", "output 0"),
        ("higher_order::go", "output 2"),
        ("a", "aten::neg"),
        ("aten::neg", "output 0"),
    }
    assert edges == expected | ({("a b", "higher_order::go")} if weights else set())


def test_an_output_is_numbered_by_its_place():
    graph = Graph("g", inputs=(Value("x", VECTOR),), outputs=(None, Ref("x"), Ref("x")), out_tree=flat_tree(3))
    found = read(ir_to_mermaid(graph))
    assert [label for _, label in found["input"]] == ["x", "output 1", "output 2"]


def test_a_subgraph_in_an_option_is_drawn():
    body = Graph("body", in_tree=flat_tree(0), out_tree=flat_tree(0))
    node = OpNode("higher_order::f", {"options": {"f": GraphRef("body")}})
    graph = Graph("g", nodes=(node,), in_tree=flat_tree(0), out_tree=flat_tree(0), subgraphs={"body": body})
    assert [label for _, label in read(ir_to_mermaid(graph))["subgraph"]] == ["body"]


def test_quotes_in_a_label_are_written_as_entities():
    graph = Graph("g", inputs=(Value('say "x"', ConstMeta("y")),), outputs=(Ref('say "x"'),))
    text = ir_to_mermaid(graph)
    assert '(["say #quot;x#quot;"])' in text
    assert '|"const #quot;y#quot;"|' in text


ODD = ["two words", 'quo"te', "new\nline", "é", "[x]", "end", "", "a-b", "%"]


@pytest.mark.parametrize("name", ODD)
def test_a_value_may_have_any_name(name):
    graph = Graph("g", inputs=(Value(name, VECTOR),), outputs=(Ref(name),))
    assert len(read(ir_to_mermaid(graph))["input"]) == 2


@pytest.mark.parametrize("name", ODD)
def test_a_subgraph_may_have_any_name(name):
    body = Graph(name, in_tree=flat_tree(0), out_tree=flat_tree(0))
    node = OpNode("higher_order::f", {"f": GraphRef(name)})
    graph = Graph("g", nodes=(node,), in_tree=flat_tree(0), out_tree=flat_tree(0), subgraphs={name: body})
    assert len(read(ir_to_mermaid(graph))["subgraph"]) == 1


def test_boxes_of_subgraphs_with_similar_names_are_kept_apart():
    body = Graph("a", nodes=(OpNode("aten::f", {}),), in_tree=flat_tree(0), out_tree=flat_tree(0))
    node = OpNode("higher_order::f", {"f": GraphRef("a"), "g": GraphRef("a_0"), "h": GraphRef("a")})
    bodies = {"a": body, "a_0": replace(body, name="a_0")}
    graph = Graph("g", nodes=(node,), in_tree=flat_tree(0), out_tree=flat_tree(0), subgraphs=bodies)
    found = read(ir_to_mermaid(graph))
    ids = [box[0] for box in found["node"] + found["subgraph"]]
    assert len(ids) == len(set(ids))


@quick
@given(graphs())
def test_any_graph_is_drawn_in_full(graph):
    found = read(ir_to_mermaid(graph, weights=True))
    boxes = [box[0] for kind in ("input", "weight", "node", "subgraph") for box in found[kind]]
    assert len(boxes) == len(set(boxes))
    ends = {end for start, _, end in found["edge"]} | {start for start, _, end in found["edge"]}
    assert ends <= set(boxes)
    assert len(found["subgraph"]) == len(found["end"])
    top = [(box, label) for box, label in found["node"] if re.fullmatch(r"n\d+", box)]
    assert [label for _, label in top] == [node.op for node in graph.nodes]
    for node, (box, _) in zip(graph.nodes, top, strict=True):
        uses = {ref.name for arg in node.args.values() for ref in refs(arg)}
        assert sum(end == box for _, _, end in found["edge"]) == len(uses)
