"""A copy that changes nothing is the value itself."""

from tenon.ir.graph import Graph, OpNode, Ref
from tenon.ir.rewrite import everywhere, substituted, with_values
from tenon.ir.types import TensorMeta, Type

_COPIES = {
    "aten::alias_copy",
    "aten::detach_copy",
    "aten::lift_fresh_copy",
    "aten::clone",
    "aten::_to_copy",
    "aten::expand_copy",
    "aten::view_copy",
    "aten::slice_copy.Tensor",
    "aten::permute_copy",
}


def drop_noops(graph: Graph) -> Graph:
    """clone(x), view_copy(x) to its own shape and the like become x.  aten -> aten

    A result that the graph returns stays a copy if it would be an input or a weight: outputs alias neither.
    """
    return everywhere(graph, _drop)


def _drop(graph: Graph) -> Graph:
    types = graph.types
    own = {value.name for value in graph.inputs} | {weight.name for weight in graph.weights}
    kept_apart = {arg.name for arg in graph.outputs if isinstance(arg, Ref)} | {m.value.name for m in graph.mutations}
    instead: dict[str, Ref] = {}
    nodes = []
    for node in graph.nodes:
        source = substituted(node.args.get("self"), instead)
        if _changes_nothing(node, source, types) and isinstance(source, Ref):
            result = node.outputs[0].name
            if not (result in kept_apart and source.name in own):
                instead[result] = source
                continue
        nodes.append(node)
    return with_values(graph, nodes, instead)


def _changes_nothing(node: OpNode, source: object, types: dict[str, Type]) -> bool:
    if node.op not in _COPIES or not isinstance(source, Ref):
        return False
    before, after = types.get(source.name), node.outputs[0].type
    if not isinstance(before, TensorMeta) or before != after:
        return False
    if node.op == "aten::permute_copy":
        dims = node.args["dims"]
        return isinstance(dims, tuple) and list(dims) == list(range(len(dims)))
    return True
