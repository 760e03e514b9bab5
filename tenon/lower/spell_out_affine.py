"""torchao's dequantisation in core operators, where no other pass wanted it whole."""

from tenon.ir.dims import Dim
from tenon.ir.graph import Arg, Graph, OpNode
from tenon.ir.types import TensorMeta
from tenon.lower.writer import FLOAT, Writer

AFFINE = "torchao::dequantize_affine"
_Shape = tuple[Dim, ...]


def spell_out_affine(graph: Graph) -> Graph:
    """torchao::dequantize_affine(q, block, scale, zero) becomes (q - zero) * scale, viewed by block.  aten -> aten

    Nothing has a kernel for the former; what another pass makes of it is faster.
    """
    if not any(node.op == AFFINE for node in graph.nodes):
        return graph
    write = Writer(graph)
    for node in graph.nodes:
        write.at = node.source
        if node.op != AFFINE or not _spell_out(node, write):
            write.keep(node)
    return write.finish()


def _spell_out(node: OpNode, write: Writer) -> bool:
    meta, scale, zero = (write.tensor(node.args.get(name)) for name in ("input", "scale", "zero_point"))
    block, result = node.args["block_size"], node.outputs[0].type
    assert meta is not None and scale is not None and isinstance(block, tuple)
    shapes = _split(meta.shape, block)
    if shapes is None or result != TensorMeta(FLOAT, meta.shape) or scale.dtype != FLOAT:
        return False
    split, of_blocks = shapes
    if not all(_can_view(each, of_blocks) for each in (scale, zero)) or not _can_view(meta, split):
        return False
    type_ = TensorMeta(FLOAT, split)
    value = write.as_float(write.viewed(node.args["input"], split))
    if zero is not None:
        taken = write.as_float(write.viewed(node.args["zero_point"], of_blocks))
        value = write.make("aten::sub.Tensor", type_, self=value, other=taken)
    scales = write.viewed(node.args["scale"], of_blocks)
    if split == meta.shape:
        write.replace(node, "aten::mul.Tensor", {"self": value, "other": scales})
    else:
        value = write.make("aten::mul.Tensor", type_, self=value, other=scales)
        write.replace(node, "aten::view_copy", {"self": value, "size": meta.shape})  # type: ignore[dict-item]
    return True


def _split(shape: _Shape, block: tuple[Arg, ...]) -> tuple[_Shape, _Shape] | None:
    """A shape with the dimensions of blocks apart, and that of one number per block."""
    split, of_blocks = _Shape(), _Shape()
    for size, part in zip(shape, block, strict=True):
        if part in (1, size):
            split, of_blocks = (*split, size), (*of_blocks, size if part == 1 else 1)
        elif isinstance(size, int) and isinstance(part, int):
            split, of_blocks = (*split, size // part, part), (*of_blocks, size // part, 1)
        else:
            return None
    return split, of_blocks


def _can_view(meta: TensorMeta | None, shape: _Shape) -> bool:
    return meta is None or meta.is_static or shape in (meta.shape, (*meta.shape, 1))
