"""What nobody uses is not computed, and what the types already say is not checked again."""

from dataclasses import replace

from tenon.ir.graph import Graph, refs
from tenon.ir.rewrite import everywhere

_CHECKS = {
    "aten::_assert_scalar",
    "aten::_assert_async.msg",
    "aten::sym_constrain_range",
    "aten::sym_constrain_range_for_size",
}


def drop_dead(graph: Graph) -> Graph:
    """Nodes and weights that have no use go, and so do run-time checks of sizes.  aten -> aten"""
    return everywhere(graph, _drop)


def _drop(graph: Graph) -> Graph:
    used = {ref.name for arg in graph.outputs for ref in refs(arg)} | {m.value.name for m in graph.mutations}
    kept = []
    for node in reversed(graph.nodes):
        if node.op in _CHECKS or (node.outputs and not any(value.name in used for value in node.outputs)):
            continue
        kept.append(node)
        used |= {ref.name for arg in node.args.values() for ref in refs(arg)}
    targets = {mutation.target for mutation in graph.mutations}
    weights = tuple(weight for weight in graph.weights if weight.name in used or weight.name in targets)
    return replace(graph, nodes=tuple(reversed(kept)), weights=weights)
