"""Rows of a table are taken before they are widened: the table stays as small as it is."""

from collections.abc import Container

from tenon.ir.graph import Arg, Graph, OpNode, Ref
from tenon.ir.types import DTYPE, TensorMeta
from tenon.lower.dequantised import dequantised, widened
from tenon.lower.separate_constants import constants
from tenon.lower.writer import Writer

_FLOAT = DTYPE["float32"]


def narrow_tables(graph: Graph) -> Graph:
    """embedding(dequantised table, i) becomes the dequantised rows embedding(table, i), if the table is constant.

    So does a table of float16 or bfloat16 that is widened. 32,000 words of 768 numbers are 49 MB instead of 98; to take
    64 of them is 1.1 times as long.  aten -> aten
    """
    write, known = Writer(graph), constants(graph)
    for node in graph.nodes:
        write.at = node.source
        if node.op != "aten::embedding" or not (_dequantise(node, write, known) or _widen(node, write, known)):
            write.keep(node)
    return write.finish()


def _widen(node: OpNode, write: Writer, known: Container[str]) -> bool:
    table, result = widened(write, node.args["weight"]), node.outputs[0].type
    if table is None or table.name not in known:
        return False
    assert isinstance(result, TensorMeta)
    rows = _taken(write, table, node.args["indices"], result.shape)
    write.replace(node, "aten::_to_copy", {"self": rows, "dtype": _FLOAT})
    return True


def _dequantise(node: OpNode, write: Writer, known: Container[str]) -> bool:
    indices, result = write.tensor(node.args["indices"]), node.outputs[0].type
    assert indices is not None and isinstance(result, TensorMeta)
    parts = dequantised(write, node.args["weight"], known) if indices.is_static else None
    if parts is None or parts.group < 2:
        return False
    count, columns = indices.numel, result.shape[-1]
    which = write.make("aten::view_copy", self=node.args["indices"], size=(count,))  # type: ignore[arg-type]
    groups = columns // parts.group  # type: ignore[operator]
    rows = write.make(
        "quantized_decomposed::dequantize_per_channel_group",
        TensorMeta(_FLOAT, (count, columns)),
        input=_taken(write, parts.numbers, which, (count, columns)),
        scales=_taken(write, parts.scales, which, (count, groups)),
        zero_points=None if parts.zeros is None else _taken(write, parts.zeros, which, (count, groups)),
        quant_min=-8 if parts.is_small else -128,
        quant_max=7 if parts.is_small else 127,
        dtype=DTYPE["int8"],
        group_size=parts.group,
        output_dtype=_FLOAT,
    )
    write.replace(node, "aten::view_copy", {"self": rows, "size": result.shape})  # type: ignore[dict-item]
    return True


def _taken(write: Writer, table: Ref, indices: Arg, shape: tuple[object, ...]) -> Ref:
    meta = write.tensor(table)
    assert meta is not None
    return write.make("aten::embedding", TensorMeta(meta.dtype, shape), weight=table, indices=indices)  # type: ignore[arg-type]
