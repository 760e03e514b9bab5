"""Products with a constant matrix take it packed."""

from collections.abc import Container

from tenon.ir.graph import Arg, Graph, OpNode, Ref
from tenon.ir.types import TensorMeta
from tenon.lower.dequantised import Dequantised, dequantised, widened
from tenon.lower.panels import bits, outputs_of, panels
from tenon.lower.separate_constants import constants
from tenon.lower.writer import FLOAT, HALVES, Writer

PLAIN: dict[str, Arg] = {"activation": "none", "low": 0.0, "high": 0.0}  # no epilogue yet


def pack_linear(graph: Graph) -> Graph:
    """linear(x, w, b) becomes tenon::linear(x, panels of w, b), if w is constant; mm and addmm too.

    In float16 and bfloat16 sums are float32 and rounded once. A matrix of these that is widened stays narrow, and one
    of whole numbers with scales becomes tenon::linear_groups: a product with few rows takes as long as its weights take
    to read. BERT takes 0.79 of its time without it on one thread.  aten -> aten
    """
    write, known = Writer(graph), constants(graph)
    for node in graph.nodes:
        write.at = node.source
        product = _product(node, write, known)
        if product is None:
            write.keep(node)
            continue
        x, weight, bias, is_transposed = product
        added = _added(bias, write, node)
        parts = dequantised(write, weight, known) if is_transposed else None
        if parts is not None:
            packed = _in_groups(parts, write)
            sizes = {"outputs": outputs_of(write, parts.numbers), "group": parts.group}
            write.replace(node, "tenon::linear_groups", {"input": x} | packed | added | sizes | PLAIN)
            continue
        weight = widened(write, weight) or weight
        rows = weight if is_transposed else write.make("aten::permute_copy", self=weight, dims=(1, 0))
        packed = {"weight": panels(write, rows)}
        write.replace(
            node, "tenon::linear", {"input": x} | packed | added | {"outputs": outputs_of(write, rows)} | PLAIN
        )
    return write.finish()


def _in_groups(parts: Dequantised, write: Writer) -> dict[str, Arg]:
    weight = panels(write, parts.numbers)
    return {
        "weight": bits(write, weight) if parts.is_small and parts.group % 8 == 0 else weight,
        "scales": panels(write, parts.scales),
        "zeros": None if parts.zeros is None else panels(write, parts.zeros),
    }


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
    dtypes = {meta.dtype for meta in (write.tensor(x), matrix, result, added) if meta is not None}
    if len(dtypes) != 1 or not dtypes <= {FLOAT, *HALVES}:
        return None
    if added is not None and added.shape not in (result.shape[-1:], result.shape):
        return None
    return x, weight, bias, names[3]


def _added(bias: Arg, write: Writer, node: OpNode) -> dict[str, Arg]:
    """A vector is a bias; what has the result's shape is added as it is."""
    meta = write.tensor(bias)
    is_vector = meta is None or len(meta.shape) == 1
    return {"bias": bias if is_vector else None, "other": None if is_vector else bias}
