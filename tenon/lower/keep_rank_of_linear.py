"""A linear layer takes any number of dimensions: it needs no views before and behind."""

from tenon.ir.graph import Graph, OpNode
from tenon.ir.types import TensorMeta
from tenon.lower.fuse_epilogues import LINEAR
from tenon.lower.writer import Writer


def keep_rank_of_linear(graph: Graph) -> Graph:
    """view_copy(tenon::linear(view_copy(x))) becomes tenon::linear(x), if both views only join and part rows.

    So that what is behind the second view can be fused with the layer. The views themselves cost nothing: BERT takes as
    long without it.  aten -> aten
    """
    write = Writer(graph)
    for node in graph.nodes:
        layer = write.made_by(node.args["self"], *LINEAR) if node.op == "aten::view_copy" else None
        rows = None if layer is None else write.made_by(layer.args["input"], "aten::view_copy")
        if layer is None or rows is None or not _parts(node, layer, rows, write):
            write.keep(node)
        else:
            args = {**layer.args, "input": rows.args["self"]}
            write.nodes.append(OpNode(layer.op, args, node.outputs, layer.source))
    return write.finish()


def _parts(node: OpNode, layer: OpNode, rows: OpNode, write: Writer) -> bool:
    """Whether the second view gives the rows back the dimensions that the first joined."""
    before, after = write.tensor(rows.args["self"]), node.outputs[0].type
    joined, result = rows.outputs[0].type, layer.outputs[0].type
    assert isinstance(joined, TensorMeta) and isinstance(result, TensorMeta) and isinstance(after, TensorMeta)
    if before is None or not before.shape or write.uses[layer.outputs[0].name] != 1:
        return False
    is_plain = layer.args["other"] is None and layer.args["activation"] == "none"
    return is_plain and before.shape[-1] == joined.shape[-1] and after.shape == (*before.shape[:-1], result.shape[-1])
