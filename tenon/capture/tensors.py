"""A captured tensor's description: dtype, shape, and how it lies in memory."""

import torch

from tenon.capture.symbols import Symbols
from tenon.ir.dims import Dim
from tenon.ir.types import TensorMeta
from tenon.ops.values import DTYPE_OF, layout_name


def tensor_meta(tensor: torch.Tensor, symbols: Symbols) -> TensorMeta:
    """Dense in some order of its dimensions, or with explicit strides."""
    shape = tuple(symbols.dim(size) for size in tensor.shape)
    dtype, device = DTYPE_OF[tensor.dtype], "cpu" if tensor.device.type == "meta" else str(tensor.device)
    if tensor.layout != torch.strided:
        return TensorMeta(dtype, shape, device=device, layout=layout_name(tensor.layout))
    strides = tuple(symbols.dim(stride) for stride in tensor.stride())
    order = tuple(range(len(shape)))
    if not _dense(shape, strides, order):
        # Outermost first; of equal strides the larger dimension counts as outer, so that size 1 decides nothing.
        order = tuple(sorted(order, key=lambda d: (-symbols.hint(strides[d]), -symbols.hint(shape[d]))))
    return TensorMeta(dtype, shape, order, None if _dense(shape, strides, order) else strides, device)


def _dense(shape: tuple[Dim, ...], strides: tuple[Dim, ...], order: tuple[int, ...]) -> bool:
    if 0 in shape:
        return True
    expected: Dim = 1
    for d in reversed(order):
        if shape[d] != 1 and strides[d] != expected:
            return False
        expected = expected * shape[d]
    return True
