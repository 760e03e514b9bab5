"""A product with a transposed constant is a linear layer."""

from tenon.ir.graph import Arg, Graph, Ref
from tenon.lower.dequantised import WIDEN
from tenon.lower.separate_constants import constants
from tenon.lower.writer import Writer, is_float


def linear_for_mm(graph: Graph) -> Graph:
    """mm(x, permute_copy(w)) becomes linear(x, w), if w is constant; so does one whose matrix is converted.

    So that a scale behind it finds its way into the weights, as behind any linear layer. Where there is none,
    nothing is gained: GPT-2 takes as long without it.  aten -> aten
    """
    write, known = Writer(graph), constants(graph)
    for node in graph.nodes:
        matrix = node.args["mat2"] if node.op == "aten::mm" and is_float(node.outputs[0].type) else None
        write.at = node.source
        rows = _transposed(write, matrix) if isinstance(matrix, Ref) and matrix.name in known else None
        if rows is None:
            write.keep(node)
        else:
            write.replace(node, "aten::linear", {"input": node.args["self"], "weight": rows})
    return write.finish()


def _transposed(write: Writer, matrix: Arg) -> Ref | None:
    node = write.made_by(matrix, "aten::permute_copy", *WIDEN)
    if node is None:
        return None
    if node.op == "aten::permute_copy":
        rows = node.args["self"]
        return rows if isinstance(rows, Ref) and node.args["dims"] in ((1, 0), (-1, -2)) else None
    name = "self" if "self" in node.args else "input"
    inner = _transposed(write, node.args[name])
    return None if inner is None else write.make(node.op, **{**node.args, name: inner})
