"""What only changes the shape is a view: one operator that can lie where its input lies."""

from dataclasses import replace

from tenon.ir.graph import Graph, OpNode, Ref
from tenon.ir.rewrite import everywhere
from tenon.ir.types import TensorMeta, Type

_RESHAPES = {
    "aten::unsqueeze_copy",
    "aten::squeeze_copy",
    "aten::squeeze_copy.dim",
    "aten::squeeze_copy.dims",
    "aten::_unsafe_view",
    "aten::expand_copy",
}


def views_for_reshapes(graph: Graph) -> Graph:
    """unsqueeze_copy(x), or permute_copy(x) that moves only dimensions of size 1, becomes view_copy(x).  aten -> aten

    A shape with two sizes that vary cannot be told to a view by its numbers alone, and stays as it is.
    """
    return everywhere(graph, _in)


def _in(graph: Graph) -> Graph:
    types = graph.types
    return replace(graph, nodes=tuple(_view(node, types) for node in graph.nodes))


def _view(node: OpNode, types: dict[str, Type]) -> OpNode:
    source = node.args.get("self")
    before = types.get(source.name) if isinstance(source, Ref) else None
    after = node.outputs[0].type if node.outputs else None
    if not isinstance(before, TensorMeta) or not isinstance(after, TensorMeta) or not _reshapes(node, before, after):
        return node
    size = tuple(each if isinstance(each, int) else -1 for each in after.shape)
    if size.count(-1) > 1 or (-1 in size and 0 in size):
        return node
    return replace(node, op="aten::view_copy", args={"self": source, "size": size})


def _reshapes(node: OpNode, before: TensorMeta, after: TensorMeta) -> bool:
    """The elements stay in their order. A size of 1 is no part of the order."""
    if node.op == "aten::permute_copy":
        dims = node.args["dims"]
        assert isinstance(dims, tuple)
        order = [int(dim) % len(dims) for dim in dims if before.shape[int(dim)] != 1]  # type: ignore[arg-type]
        return order == sorted(order)
    return node.op in _RESHAPES and [s for s in before.shape if s != 1] == [s for s in after.shape if s != 1]
