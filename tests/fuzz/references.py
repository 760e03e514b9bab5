"""Operators of quantised models that torch has no definition of: their schemas from their rows, and what they compute.

They are defined in torch only where the fuzzer runs as a command: a process has one definition of an operator.
"""

from collections.abc import Callable

import torch

from tenon.build.installed import own_rows
from tenon.ops.schema import find_op

Tensor = torch.Tensor
_KEPT: list[torch.library.Library] = []  # a definition lasts as long as its library


def define() -> None:
    """Each with its out variant, whose name is the row's."""
    library = torch.library.Library("quantized_decomposed", "FRAGMENT")
    _KEPT.append(library)
    for row in own_rows():
        base, _, out = row.op.removeprefix("quantized_decomposed::").partition(".")
        if row.schema is None or base not in _FUNCTIONS or find_op(row.op) is not None:
            continue
        head = row.schema.removeprefix("quantized_decomposed::")
        arguments = head[head.index("(") + 1 : head.index(", Tensor(a!) out")].removesuffix(", *")
        overload = out.removesuffix("out").removesuffix("_")
        name = f"{base}.{overload}" if overload else base
        library.define(f"{name}({arguments}) -> Tensor")
        library.define(head)
        library.impl(name, _FUNCTIONS[base], "CompositeExplicitAutograd")


def _dequantized(numbers: Tensor, scales: Tensor, zeros: Tensor | None) -> Tensor:
    """Of each row in groups of one scale each."""
    groups = scales.view(scales.shape[0], -1).double()
    parts = numbers.double().unflatten(-1, (groups.shape[1], -1))
    shift = 0.0 if zeros is None else zeros.double().view_as(groups)[..., None]
    return ((parts - shift) * groups[..., None]).flatten(-2)


def _unpacked(weight: Tensor, bits: int) -> Tensor:
    """Two in a byte with the first one high, four with the first one lowest."""
    if bits == 8:
        return weight
    shifts = torch.tensor([4, 0] if bits == 4 else [0, 2, 4, 6])
    return ((weight[..., None].int() >> shifts) % 2**bits - 2 ** (bits - 1)).flatten(-2)


def _embedding(bits: int) -> Callable[..., Tensor]:
    def function(
        weight: Tensor, weight_scales: Tensor, weight_zero_points: Tensor | None, weight_quant_min: int,
        weight_quant_max: int, indices: Tensor, dtype: torch.dtype | None = None,
    ) -> Tensor:  # fmt: skip
        table = _dequantized(_unpacked(weight, bits), weight_scales, weight_zero_points)
        return table[indices.long()].to(dtype or weight_scales.dtype)

    return function


def _mixed_mm(input: Tensor, weight: Tensor, weight_scales: Tensor, weight_zero_points: Tensor | None) -> Tensor:
    return (input.double() @ _dequantized(weight, weight_scales, weight_zero_points)).to(input.dtype)


def _mixed_linear(
    input: Tensor, weight: Tensor, weight_scales: Tensor, weight_zero_points: Tensor | None,
    dtype: torch.dtype | None = None,
) -> Tensor:  # fmt: skip
    table = _dequantized(weight, weight_scales, weight_zero_points)
    return (input.double() @ table.T).to(dtype or input.dtype)


def _add(
    a: Tensor, a_scale: float, a_zero_point: int, a_quant_min: int, a_quant_max: int,
    b: Tensor, b_scale: float, b_zero_point: int, b_quant_min: int, b_quant_max: int,
    out_scale: float, out_zero_point: int, out_quant_min: int, out_quant_max: int,
) -> Tensor:  # fmt: skip
    named = torch.ops.quantized_decomposed
    one = named.dequantize_per_tensor(a, a_scale, a_zero_point, a_quant_min, a_quant_max, a.dtype)
    other = named.dequantize_per_tensor(b, b_scale, b_zero_point, b_quant_min, b_quant_max, b.dtype)
    return named.quantize_per_tensor(one + other, out_scale, out_zero_point, out_quant_min, out_quant_max, a.dtype)


_FUNCTIONS = {
    "embedding_byte": _embedding(8),
    "embedding_4bit": _embedding(4),
    "embedding_2bit": _embedding(2),
    "mixed_mm": _mixed_mm,
    "mixed_linear": _mixed_linear,
    "add": _add,
}
