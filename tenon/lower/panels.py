"""Weights as the fused operators take them, written as nodes: constants that are computed ahead of time."""

from tenon.ir.graph import Ref
from tenon.lower.writer import Writer
from tenon.ops.fused import PANEL


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
