"""Zero points that are all 0 are left out: symmetric quantisers give them too."""

from collections.abc import Collection
from dataclasses import replace

from tenon.ir.graph import Graph, OpNode, Ref, refs

_TAKES_ZEROS = "tenon::linear_groups"


def zeros_of(graph: Graph) -> set[str]:
    """The names of zero points."""
    named = [node.args["zeros"] for node in graph.nodes if node.op == _TAKES_ZEROS]
    return {arg.name for arg in named if isinstance(arg, Ref)}


def drop_zeros(graph: Graph, zero: Collection[str]) -> Graph:
    """linear_groups(zeros=%z) becomes linear_groups(zeros=None), where %z is one of the weights that are 0.

    Their values are known only when they are computed.  aten -> aten
    """
    nodes = tuple(_without(node, zero) for node in graph.nodes)
    used = {ref.name for node in nodes for arg in node.args.values() for ref in refs(arg)}
    used |= {ref.name for arg in graph.outputs for ref in refs(arg)}
    weights = tuple(weight for weight in graph.weights if weight.name in used or weight.name not in zero)
    return replace(graph, nodes=nodes, weights=weights)


def _without(node: OpNode, zero: Collection[str]) -> OpNode:
    zeros = node.args["zeros"] if node.op == _TAKES_ZEROS else None
    is_zero = isinstance(zeros, Ref) and zeros.name in zero
    return replace(node, args={**node.args, "zeros": None}) if is_zero else node
