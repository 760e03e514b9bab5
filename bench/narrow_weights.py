"""Linear layers with weights of 8 or 4 bits, as each system wants them: int8 per output, int4 in groups of 32."""

from pathlib import Path
from typing import Any

import torch
from torch import nn

GROUP = 32


def weights_only(module: nn.Module, bits: int) -> nn.Module:
    """By torchao, in place: weights are quantised, all that is computed is float32."""
    from torchao.quantization import Int8WeightOnlyConfig, IntxWeightOnlyConfig, quantize_
    from torchao.quantization.granularity import PerGroup

    in_groups = IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=PerGroup(GROUP))
    quantize_(module, Int8WeightOnlyConfig() if bits == 8 else in_groups)
    return module


def with_dynamic_activations(module: nn.Module, bits: int) -> nn.Module:
    """By torchao, in place, as ExecuTorch's XNNPACK has kernels for it: what is multiplied is int8, row by row."""
    from torchao.quantization import Int8DynamicActivationIntxWeightConfig, quantize_
    from torchao.quantization.granularity import PerAxis, PerGroup

    dtype, per = (torch.int8, PerAxis(0)) if bits == 8 else (torch.int4, PerGroup(GROUP))
    quantize_(module, Int8DynamicActivationIntxWeightConfig(weight_dtype=dtype, weight_granularity=per))
    return module


class Int8Linear(nn.Module):
    """torch's own product with weights of 8 bits."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight = linear.weight.detach()
        scales = weight.abs().amax(1) / 127.5
        self.register_buffer("numbers", (weight / scales[:, None]).round().clamp(-128, 127).to(torch.int8))
        self.register_buffer("scales", scales)
        self.bias = linear.bias

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = x.reshape(-1, x.shape[-1])
        found = torch.ops.aten._weight_int8pack_mm(rows, self.numbers, self.scales)
        found = found.view(*x.shape[:-1], found.shape[-1])
        return found if self.bias is None else found + self.bias


class Int4Linear(nn.Module):
    """torch's own product with weights of 4 bits, in groups."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        groups = linear.weight.detach().unflatten(1, (-1, GROUP))
        scales = groups.abs().amax(-1) / 7.5
        numbers = (groups / scales[..., None]).round().clamp(-8, 7).flatten(1).to(torch.int32) + 8
        self.register_buffer("packed", torch.ops.aten._convert_weight_to_int4pack_for_cpu(numbers, 2))
        self.register_buffer("scales", torch.stack([scales.t(), torch.zeros_like(scales.t())], -1).contiguous())
        self.bias = linear.bias

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = x.reshape(-1, x.shape[-1])
        found = torch.ops.aten._weight_int4pack_mm_for_cpu(rows, self.packed, GROUP, self.scales)
        found = found.view(*x.shape[:-1], found.shape[-1])
        return found if self.bias is None else found + self.bias


def with_torchs_products(module: nn.Module, bits: int) -> nn.Module:
    """As torch runs it fastest: with its own products, which torchao's tensors do not reach on a processor."""
    layer = Int8Linear if bits == 8 else Int4Linear
    for parent in list(module.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, nn.Linear):
                setattr(parent, name, layer(child))
    return module


def onnx_in_place(path: Path, bits: int) -> None:
    """By ONNX Runtime's own tool: blocks of 32, int8 activations inside of a product, which is its fastest."""
    import onnx
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

    model = onnx.load(path)
    tool: Any = MatMulNBitsQuantizer(model, bits=bits, block_size=GROUP, is_symmetric=True, accuracy_level=4)
    tool.process()
    onnx.save(tool.model.model, path)
