"""A loop's body hands on copies: what it was given may be overwritten before it is read."""

from dataclasses import replace

from tenon.ir.graph import Graph, GraphRef, OpNode, Ref, Value
from tenon.ir.rewrite import everywhere, fresh_names
from tenon.ir.types import TensorMeta

_BODIES = {"higher_order::while_loop": "body_fn", "higher_order::scan": "combine_fn", "higher_order::map_impl": "f"}


def separate_loop_results(graph: Graph) -> Graph:
    """A result of a loop's body that is one of its inputs becomes a clone of it.  aten -> aten"""
    return everywhere(graph, _in)


def _in(graph: Graph) -> Graph:
    bodies = dict(graph.subgraphs)
    for node in graph.nodes:
        body = node.args.get(_BODIES.get(node.op, ""))
        if isinstance(body, GraphRef):
            bodies[body.name] = _separated(bodies[body.name])
    return replace(graph, subgraphs=bodies)


def _separated(body: Graph) -> Graph:
    names, own = fresh_names(body), {value.name: value.type for value in body.inputs}
    nodes, outputs = list(body.nodes), []
    for i, result in enumerate(body.outputs):
        type_ = own.get(result.name) if isinstance(result, Ref) else None
        stays = isinstance(result, Ref) and i < len(body.inputs) and body.inputs[i].name == result.name
        if isinstance(type_, TensorMeta) and not stays:
            copy = Value(next(names), type_)
            nodes.append(OpNode("aten::clone", {"self": result}, (copy,)))
            result = Ref(copy.name)
        outputs.append(result)
    return replace(body, nodes=tuple(nodes), outputs=tuple(outputs))
