"""What passes share that see quantised numbers: a number q stands for (q - zero point) * scale."""

import torch

from tenon.ir.graph import OpNode
from tenon.ir.types import DTYPE, TensorMeta
from tenon.lower.fuse_epilogues import activation
from tenon.lower.writer import is_float

PER_TENSOR, PER_CHANNEL = (f"quantized_decomposed::dequantize_per_{each}" for each in ("tensor", "channel"))
QUANTIZE = "quantized_decomposed::quantize_per_tensor"
BYTES = (DTYPE["int8"], DTYPE["uint8"])
ALL = (-torch.inf, torch.inf)


def is_known(node: OpNode) -> bool:
    """Whether what quantises, or takes it back to float32, has numbers for scale and zero point."""
    return isinstance(node.args["scale"], float) and isinstance(node.args["zero_point"], int) and is_narrow(node)


def is_narrow(node: OpNode) -> bool:
    """Whether floats are float32."""
    return node.op == QUANTIZE or is_float(type_of(node))


def makes_bytes(node: OpNode | None) -> bool:
    """Whether a node quantises to 8 bits, by known numbers."""
    return node is not None and node.op == QUANTIZE and is_known(node) and node.args["dtype"] in BYTES


def type_of(node: OpNode) -> TensorMeta:
    type_ = node.outputs[0].type
    assert isinstance(type_, TensorMeta)
    return type_


def clamped(node: OpNode | None) -> tuple[float, float] | None:
    """The limits that a node keeps numbers within, if that is what it does."""
    args = {} if node is None else activation(node)
    if args.get("activation") not in ("relu", "clamp"):
        return None
    low, high = args.get("low", 0.0), args.get("high", torch.inf)
    assert isinstance(low, float) and isinstance(high, float)
    return low, high


def rounded(node: OpNode, limits: tuple[float, float]) -> tuple[float, float]:
    """Limits of floats as those of what they are quantised to: rounding keeps order."""
    scale, zero, least, most = (node.args[name] for name in ("scale", "zero_point", "quant_min", "quant_max"))
    ends = (torch.tensor(limits) * (1.0 / scale)).round() + zero  # type: ignore[operator]
    low, high = ends.clamp(least, most).tolist()  # type: ignore[arg-type]
    return low, high
