"""Matrices of small whole numbers with scales: the ways in which models say so."""

from collections.abc import Callable, Container
from dataclasses import dataclass

import torch

from tenon.ir.graph import Arg, OpNode, Ref
from tenon.ir.types import DTYPE, TensorMeta
from tenon.lower.writer import HALVES, Writer, is_float

WIDEN = ("aten::_to_copy", "quantized_decomposed::convert_element_type.no_fuse")
_BYTE = DTYPE["int8"]


@dataclass(frozen=True, slots=True)
class Dequantised:
    """W[n, k] = (numbers[n, k] - zeros[n, k // group]) * scales[n, k // group], all of them constants."""

    numbers: Ref  # int8
    scales: Ref  # float32, [n, groups], as are zeros
    zeros: Ref | None
    group: int
    is_small: bool  # all numbers are in -8 .. 7


def widened(write: Writer, arg: Arg) -> Ref | None:
    """The float16 or bfloat16 tensor that a float32 one is, if it is one."""
    node = write.made_by(arg, *WIDEN)
    source = None if node is None else _source(node)
    meta = write.tensor(source)
    is_wide = meta is not None and meta.dtype in HALVES and is_float(write.tensor(arg))
    return source if is_wide and isinstance(source, Ref) else None


def dequantised(write: Writer, matrix: Arg, known: Container[str]) -> Dequantised | None:
    """The parts of a float32 matrix, if it is constant and made of whole numbers."""
    return _found(write, matrix) if isinstance(matrix, Ref) and matrix.name in known else None


def _found(write: Writer, matrix: Arg) -> Dequantised | None:
    meta, node = write.tensor(matrix), write.made_by(matrix, *_RULES)
    if node is None or meta is None or not is_float(meta) or len(meta.shape) != 2:
        return None
    return _RULES[node.op](write, node)


def _parts(write: Writer, numbers: Arg, scales: Ref, zeros: Arg, limits: tuple[Arg, Arg]) -> Dequantised | None:
    """Scales and zeros hold a number for each group of each row, in order, or one for all."""
    meta, count = write.tensor(numbers), write.tensor(scales)
    if not isinstance(numbers, Ref) or meta is None or meta.dtype != _BYTE or count is None or not meta.is_static:
        return None
    rows, columns = (int(size) for size in meta.shape)  # type: ignore[arg-type]
    if count.numel == 1:
        scales, zeros = (_spread(write, each, rows) for each in (scales, zeros))  # type: ignore[assignment]
        count = write.tensor(scales)
        assert count is not None
    groups, rest = divmod(int(count.numel), max(rows, 1))  # type: ignore[arg-type]
    if rest or groups == 0 or columns == 0 or columns % groups:
        return None
    shape = (rows, groups)
    low, high = limits
    is_small = isinstance(low, int) and isinstance(high, int) and low >= -8 and high <= 7
    return Dequantised(
        numbers,
        write.as_float(write.viewed(scales, shape)),
        None if zeros is None else write.as_float(write.viewed(zeros, shape)),
        columns // groups,
        is_small,
    )


def _spread(write: Writer, one: Arg, rows: int) -> Ref | None:
    if one is None:
        return None
    flat = write.make("aten::view_copy", self=one, size=(1, 1))
    return write.make("aten::expand_copy", self=flat, size=(rows, 1))


def _limits(node: OpNode) -> tuple[Arg, Arg]:
    return node.args.get("quant_min"), node.args.get("quant_max")


def _by_group(write: Writer, node: OpNode) -> Dequantised | None:
    scales = node.args["scales"]
    assert isinstance(scales, Ref)
    return _parts(write, node.args["input"], scales, node.args.get("zero_points"), _limits(node))


def _by_channel(write: Writer, node: OpNode) -> Dequantised | None:
    return _by_group(write, node) if node.args["axis"] in (0, -2) else None


def _by_tensor(write: Writer, node: OpNode) -> Dequantised | None:
    scale, zero = node.args["scale"], node.args["zero_point"]
    if not isinstance(scale, float) or not isinstance(zero, int):
        return None
    scales = write.constant(f"scale.{scale!r}", torch.tensor([scale]))
    zeros = write.constant(f"zero.{zero}", torch.tensor([float(zero)])) if zero else None
    return _parts(write, node.args["input"], scales, zeros, _limits(node))


def _by_tensors(write: Writer, node: OpNode) -> Dequantised | None:
    scale = node.args["scale"]
    assert isinstance(scale, Ref)
    return _parts(write, node.args["input"], scale, node.args["zero_point"], _limits(node))


def _by_block(write: Writer, node: OpNode) -> Dequantised | None:
    """Blocks of a row, or of all."""
    meta, scale, block = write.tensor(node.args["input"]), node.args["scale"], node.args["block_size"]
    if meta is None or not isinstance(scale, Ref) or not isinstance(block, tuple):
        return None
    if block[0] != 1 and block != meta.shape:
        return None
    return _parts(write, node.args["input"], scale, node.args.get("zero_point"), _limits(node))


def _unscaled(write: Writer, node: OpNode) -> Dequantised | None:
    meta = write.tensor(_source(node))
    if meta is None or meta.dtype != _BYTE:
        return None
    return _parts(write, _source(node), write.constant("scale.1.0", torch.ones(1)), None, (None, None))


def _times(write: Writer, node: OpNode) -> Dequantised | None:
    """Numbers as they are, by a factor for each row."""
    numbers, factor, meta = write.made_by(node.args["self"], *WIDEN), node.args["other"], node.outputs[0].type
    count = write.tensor(factor)
    assert isinstance(meta, TensorMeta)
    if numbers is None or count is None or not isinstance(factor, Ref) or not is_float(count):
        return None
    is_factor = count.shape in ((meta.shape[0], 1), (1, 1), (1,), ())
    return _parts(write, _source(numbers), factor, None, (None, None)) if is_factor else None


def _source(node: OpNode) -> Arg:
    return node.args.get("self", node.args.get("input"))


_Rule = Callable[[Writer, OpNode], Dequantised | None]
_RULES: dict[str, _Rule] = {
    "quantized_decomposed::dequantize_per_channel_group": _by_group,
    "quantized_decomposed::dequantize_per_channel": _by_channel,
    "quantized_decomposed::dequantize_per_tensor": _by_tensor,
    "quantized_decomposed::dequantize_per_tensor.tensor": _by_tensors,
    "torchao::dequantize_affine": _by_block,
    "aten::mul.Tensor": _times,
    **dict.fromkeys(WIDEN, _unscaled),
}
