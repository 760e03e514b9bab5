"""Weights as the fused operators take them, written as nodes: constants that are computed ahead of time."""

import torch

from tenon.ir.graph import Ref
from tenon.ir.types import DTYPE
from tenon.lower.writer import Writer
from tenon.ops.fused import PANEL, QUAD


def panels(write: Writer, rows: Ref) -> Ref:
    """[..., outputs, inputs] -> [..., ceil(outputs / 16), inputs, 16], with zeros beyond the last output."""
    meta = write.tensor(rows)
    assert meta is not None
    *front, outputs, inputs = (int(size) for size in meta.shape)  # type: ignore[arg-type]
    missing = -outputs % PANEL
    if missing:
        rows = write.make("aten::constant_pad_nd", self=rows, pad=(0, 0, 0, missing))
    split = write.make("aten::view_copy", self=rows, size=(*front, (outputs + missing) // PANEL, PANEL, inputs))
    order = tuple(range(len(front)))
    return write.make("aten::permute_copy", self=split, dims=(*order, len(order), len(order) + 2, len(order) + 1))


def outputs_of(write: Writer, rows: Ref) -> int:
    meta = write.tensor(rows)
    assert meta is not None
    return int(meta.shape[-2])  # type: ignore[arg-type]


def bits(write: Writer, numbers: Ref) -> Ref:
    """Panels of int8 in -8 .. 7, eight of 4 bits to an int32: [..., inputs, 16] -> [..., inputs / 8, 16]."""
    meta = write.tensor(numbers)
    assert meta is not None
    *front, inputs, width = (int(size) for size in meta.shape)  # type: ignore[arg-type]
    wide = write.make("aten::_to_copy", self=numbers, dtype=DTYPE["int32"])
    positive = write.make("aten::add.Scalar", self=wide, other=8)
    split = write.make("aten::view_copy", self=positive, size=(*front, inputs // 8, 8, width))
    places = write.constant("places_of_bits", torch.arange(0, 32, 4, dtype=torch.int32)[:, None])
    shifted = write.make("aten::bitwise_left_shift.Tensor", self=split, other=places)
    return write.make("aten::sum.dim_IntList", self=shifted, dim=(-2,), dtype=DTYPE["int32"])


def quads(write: Writer, rows: Ref) -> Ref:
    """[outputs, runs, inputs] -> [ceil(outputs / 16), runs * ceil(inputs / 4), 16, 4], with zeros beyond the last."""
    meta = write.tensor(rows)
    assert meta is not None
    outputs, runs, inputs = (int(size) for size in meta.shape)  # type: ignore[arg-type]
    missing, more = -outputs % PANEL, -inputs % QUAD
    if missing or more:
        rows = write.make("aten::constant_pad_nd", self=rows, pad=(0, more, 0, 0, 0, missing))
    fours = runs * ((inputs + more) // QUAD)
    split = write.make("aten::view_copy", self=rows, size=((outputs + missing) // PANEL, PANEL, fours, QUAD))
    return write.make("aten::permute_copy", self=split, dims=(0, 2, 1, 3))
