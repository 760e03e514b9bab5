"""Plain argument values between torch and the IR: dtypes, devices, layouts, memory formats, numbers, lists."""

import math
from typing import Any

import torch

from tenon.errors import Unsupported
from tenon.ir.graph import Arg, Device, Layout, MemoryFormat, OpRef
from tenon.ir.types import DTYPE, DType
from tenon.ops.schema import op_name

# A torch build may lack the newest dtypes of the list; they then never occur.
TORCH_DTYPE: dict[DType, torch.dtype] = {
    dtype: getattr(torch, name) for name, dtype in DTYPE.items() if hasattr(torch, name)
}
DTYPE_OF: dict[torch.dtype, DType] = {theirs: ours for ours, theirs in TORCH_DTYPE.items()}


def layout_name(layout: torch.layout) -> str:
    return str(layout).removeprefix("torch.").removeprefix("_")


def from_torch(value: Any) -> Arg:
    """A plain value as the IR has it. Raises TypeError for anything that is not plain."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if type(value) is int:
        return value
    if isinstance(value, float):
        return math.nan if math.isnan(value) else float(value)  # one NaN, so that equal graphs compare equal
    if isinstance(value, complex):
        return value
    if isinstance(value, torch.dtype):
        return DTYPE_OF[value]
    if isinstance(value, torch.device):
        return Device(str(value))
    if isinstance(value, torch.layout):
        return Layout(layout_name(value))
    if isinstance(value, torch.memory_format):
        return MemoryFormat(str(value).removeprefix("torch."))
    if isinstance(value, torch._ops.OpOverload):
        return OpRef(op_name(value))
    if isinstance(value, int):  # an IntEnum and the like
        return int(value)
    raise TypeError(f"{type(value).__name__} is not a plain value")


def view_of(tensor: torch.Tensor) -> memoryview:
    """A tensor's elements densely, in the order of its dimensions: its own memory where they lie in it like that."""
    if type(tensor).__torch_dispatch__ is not torch.Tensor.__torch_dispatch__:
        raise Unsupported(
            f"a weight is a {type(tensor).__name__}, which has no memory to read. Make it a plain tensor."
        )
    with torch._C.DisableTorchFunctionSubclass():  # a subclass may make anything of these calls
        # Resolve first: a lazily conjugated or negated tensor shows its bytes as they were.
        dense = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()
        flat = dense.as_strided((dense.numel(),), (1,))  # one element counts as contiguous with any stride
        return flat.view(torch.uint8).numpy().data.toreadonly()


def bytes_of(tensor: torch.Tensor) -> bytes:
    """The same, as a copy."""
    return bytes(view_of(tensor))


def to_torch(arg: Arg) -> Any:
    """The value torch's operators take for a plain argument."""
    if isinstance(arg, DType):
        return TORCH_DTYPE[arg]
    if isinstance(arg, Device):
        return torch.device(arg.name)
    if isinstance(arg, Layout):
        return getattr(torch, arg.name if hasattr(torch, arg.name) else f"_{arg.name}")
    if isinstance(arg, MemoryFormat):
        return getattr(torch, arg.name)
    return arg
