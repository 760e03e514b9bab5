"""Products with a constant matrix take it packed."""

from collections.abc import Container

from tenon.ir.graph import Arg, Graph, OpNode, Ref
from tenon.ir.types import TensorMeta
from tenon.lower.panels import outputs_of, panels
from tenon.lower.separate_constants import constants
from tenon.lower.writer import Writer, is_float

PLAIN: dict[str, Arg] = {"activation": "none", "low": 0.0, "high": 0.0}  # no epilogue yet


def pack_linear(graph: Graph) -> Graph:
    """linear(x, w, b) becomes tenon::linear(x, panels of w, b), if w is constant; mm and addmm too.  aten -> aten"""
    write, known = Writer(graph), constants(graph)
    for node in graph.nodes:
        write.at = node.source
        product = _product(node, write, known)
        if product is None:
            write.keep(node)
            continue
        x, weight, bias, is_transposed = product
        rows = weight if is_transposed else write.make("aten::permute_copy", self=weight, dims=(1, 0))
        args = {
            "input": x,
            "weight": panels(write, rows),
            **_added(bias, write, node),
            "outputs": outputs_of(write, rows),
        }
        write.replace(node, "tenon::linear", args | PLAIN)
    return write.finish()


_Product = tuple[Ref, Ref, Arg, bool]  # what is multiplied, the matrix, what is added, whether its rows are outputs
_NAMES = {
    "aten::linear": ("input", "weight", "bias", True),
    "aten::mm": ("self", "mat2", "", False),
    "aten::addmm": ("mat1", "mat2", "self", False),
}


def _product(node: OpNode, write: Writer, known: Container[str]) -> _Product | None:
    """The parts of a product that can be packed."""
    names = _NAMES.get(node.op)
    if names is None or node.args.get("alpha", 1) != 1 or node.args.get("beta", 1) != 1:
        return None
    x, weight, bias = (node.args.get(name) for name in names[:3])
    matrix, added, result = write.tensor(weight), write.tensor(bias), node.outputs[0].type
    assert isinstance(x, Ref) and isinstance(weight, Ref) and isinstance(result, TensorMeta)
    if weight.name not in known or matrix is None or len(matrix.shape) != 2 or 0 in matrix.shape:
        return None
    if not all(is_float(meta) for meta in (write.tensor(x), matrix, result)):
        return None
    if added is not None and (not is_float(added) or added.shape not in (result.shape[-1:], result.shape)):
        return None
    return x, weight, bias, names[3]


def _added(bias: Arg, write: Writer, node: OpNode) -> dict[str, Arg]:
    """A vector is a bias; what has the result's shape is added as it is."""
    meta = write.tensor(bias)
    is_vector = meta is None or len(meta.shape) == 1
    return {"bias": bias if is_vector else None, "other": None if is_vector else bias}
