"""The operators that optimize=True makes of several: what each computes, in plain torch operators.

Each is the functional form of a row `tenon::NAME.out` in custom_ops.yaml: a function here, called like the row and
marked with `fused`. torch then knows `tenon::NAME`: eager, export, the executor, the oracle, and as a meta kernel.
Weights are packed in panels of 16 outputs, [ceil(outputs / 16), inputs, 16], with zeros beyond the last output.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch
from torch.nn import functional

from tenon.errors import Invalid
from tenon.ops.own import own_schemas

PANEL = 16
_TAIL = "*, Tensor(a!) out) -> Tensor(a!)"
_library = torch.library.Library("tenon", "FRAGMENT")
_Function = TypeVar("_Function", bound=Callable[..., Any])


def fused(reference: _Function) -> _Function:
    """Make a function torch's operator of its name, with the row's schema."""
    name = reference.__name__
    row = own_schemas().get(f"tenon::{name}.out")
    if row is None:
        raise Invalid(f"custom_ops.yaml of this installation has no row tenon::{name}.out. Install Tenon again.")
    taken = str(row).removeprefix("tenon::").replace(".out(", "(", 1).removesuffix(_TAIL).rstrip(", ")
    _library.define(f"{taken}) -> Tensor")
    _library.impl(name, reference, "CompositeExplicitAutograd")
    return reference


ACTIVATIONS: dict[str, Callable[[torch.Tensor, float, float], torch.Tensor]] = {
    "none": lambda x, low, high: x,
    "relu": lambda x, low, high: torch.relu(x),
    "clamp": lambda x, low, high: torch.clamp(x, low, high),
    "hardswish": lambda x, low, high: functional.hardswish(x),
    "hardsigmoid": lambda x, low, high: functional.hardsigmoid(x),
    "silu": lambda x, low, high: functional.silu(x),
    "gelu": lambda x, low, high: functional.gelu(x),
    "gelu_tanh": lambda x, low, high: functional.gelu(x, approximate="tanh"),
    "sigmoid": lambda x, low, high: torch.sigmoid(x),
    "tanh": lambda x, low, high: torch.tanh(x),
}


def _finished(x: torch.Tensor, other: torch.Tensor | None, activation: str, low: float, high: float) -> torch.Tensor:
    if activation not in ACTIVATIONS:
        raise Invalid(f"{activation!r} is not an activation. There are: {', '.join(ACTIVATIONS)}.")
    return ACTIVATIONS[activation](x if other is None else x + other, low, high)


def _unpacked(panels: torch.Tensor, outputs: int) -> torch.Tensor:
    """[..., outputs, inputs] from panels."""
    rows = panels.transpose(-1, -2)
    return rows.reshape(*rows.shape[:-3], -1, rows.shape[-1]).narrow(-2, 0, outputs)


@fused
def linear(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    other: torch.Tensor | None,
    outputs: int,
    activation: str,
    low: float,
    high: float,
) -> torch.Tensor:
    """act(input W^T + bias + other)"""
    return _finished(functional.linear(input, _unpacked(weight, outputs), bias), other, activation, low, high)


def _padded(images: torch.Tensor, padding: Sequence[int]) -> torch.Tensor:
    """Padding is what is above, below, to the left and to the right."""
    above, below, left, right = padding
    return functional.pad(images, (left, right, above, below))


@fused
def convolution(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    other: torch.Tensor | None,
    outputs: int,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    activation: str,
    low: float,
    high: float,
) -> torch.Tensor:
    """Of one group. The inputs of a panel are [row, column, channel] of the kernel."""
    filters = _unpacked(weight, outputs).reshape(outputs, *kernel, input.shape[1]).permute(0, 3, 1, 2)
    result = functional.conv2d(_padded(input, padding), filters, bias, tuple(stride), 0, tuple(dilation))
    return _finished(result, other, activation, low, high)


@fused
def convolution_depthwise(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    other: torch.Tensor | None,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    activation: str,
    low: float,
    high: float,
) -> torch.Tensor:
    """Each channel by itself; the weight is [place in the kernel, channel]."""
    channels = weight.shape[1]
    filters = weight.t().reshape(channels, 1, *kernel)
    result = functional.conv2d(_padded(input, padding), filters, bias, tuple(stride), 0, tuple(dilation), channels)
    return _finished(result, other, activation, low, high)


# Of F(4x4, 3x3): six points at which a filter's rows are evaluated, 0, 1, -1, 2, -2 and infinity.
WINOGRAD = ((1 / 4, 0, 0), (-1 / 6, -1 / 6, -1 / 6), (-1 / 6, 1 / 6, -1 / 6), (1 / 24, 1 / 12, 1 / 6),
            (1 / 24, -1 / 12, 1 / 6), (0, 0, 1))  # fmt: skip


@fused
def convolution_winograd(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    other: torch.Tensor | None,
    outputs: int,
    padding: Sequence[int],
    activation: str,
    low: float,
    high: float,
) -> torch.Tensor:
    """3x3 with stride 1; the weight is panels of G w G^T for each of 6x6 places, [36, panels, channels, 16]."""
    places = _unpacked(weight, outputs).reshape(6, 6, outputs, -1).double()
    back = torch.linalg.pinv(torch.tensor(WINOGRAD, dtype=torch.float64)).to(weight.device)
    filters = torch.einsum("ai,bj,ijoc->ocab", back, back, places).to(weight.dtype)
    return _finished(functional.conv2d(_padded(input, padding), filters, bias), other, activation, low, high)


@fused
def max_pool(
    input: torch.Tensor, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int]
) -> torch.Tensor:
    """Of windows that reach into the padding, what is inside counts."""
    above, below, left, right = padding
    wide = functional.pad(input, (left, right, above, below), value=-torch.inf)
    return functional.max_pool2d(wide, tuple(kernel), tuple(stride), 0, tuple(dilation))


@fused
def attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None,
    causal: bool,
    scale: float,
) -> torch.Tensor:
    """softmax(scale query key^T + mask) value, for tensors [batch, place, head, size]; heads may share keys.

    With both a mask and causal, a key must be seen by both. A query that sees none gets 0.
    """
    heads = query.shape[2] // max(key.shape[2], 1)
    q, k, v = (x.transpose(1, 2) for x in (query, key, value))
    k, v = (x if heads == 1 else x.repeat_interleave(heads, 1) for x in (k, v))
    if causal:
        seen = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).tril()
        if mask is None or mask.dtype == torch.bool:
            mask = seen if mask is None else mask & seen
        else:
            mask = torch.where(seen, mask, -math.inf)
    return functional.scaled_dot_product_attention(q, k, v, mask, scale=scale).transpose(1, 2).contiguous()


@fused
def rms_norm(input: torch.Tensor, weight: torch.Tensor | None, eps: float) -> torch.Tensor:
    """Along the last dimension."""
    return functional.rms_norm(input, input.shape[-1:], weight, eps)


@fused
def rotary(input: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Pairs of numbers, each in another half of the last dimension, turned by angles."""
    half = input.shape[-1] // 2
    turned = torch.cat((-input[..., half:], input[..., :half]), -1)
    return input * cos + turned * sin


# The functions of a program; the place of a name is its code, as in native/kernels/pointwise.cpp.
POINTWISE: dict[str, Callable[..., torch.Tensor]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "maximum": lambda x, y: torch.maximum(x, y),
    "minimum": lambda x, y: torch.minimum(x, y),
    "pow": lambda x, y: torch.pow(x, y),
    "eq": lambda x, y: (x == y).to(x.dtype),
    "ne": lambda x, y: (x != y).to(x.dtype),
    "lt": lambda x, y: (x < y).to(x.dtype),
    "le": lambda x, y: (x <= y).to(x.dtype),
    "gt": lambda x, y: (x > y).to(x.dtype),
    "ge": lambda x, y: (x >= y).to(x.dtype),
    "neg": lambda x: -x,
    "abs": lambda x: x.abs(),
    "reciprocal": lambda x: x.reciprocal(),
    "sqrt": lambda x: x.sqrt(),
    "rsqrt": lambda x: x.rsqrt(),
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "tanh": lambda x: x.tanh(),
    "erf": lambda x: x.erf(),
    "sigmoid": lambda x: x.sigmoid(),
    "relu": lambda x: x.relu(),
    "hardswish": lambda x: functional.hardswish(x),
    "hardsigmoid": lambda x: functional.hardsigmoid(x),
    "silu": lambda x: functional.silu(x),
    "gelu": lambda x: functional.gelu(x),
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "clamp": lambda x, low, high: torch.clamp(x, low, high),
    "where": lambda x, y, z: torch.where(x != 0, y, z),
}


@fused
def pointwise(inputs: Sequence[torch.Tensor], program: Sequence[int], constants: Sequence[float]) -> torch.Tensor:
    """The last result of a program: codes of functions, each followed by the registers that it takes.

    Registers are the inputs, then the constants, then the results, numbered as they come.
    """
    functions = list(POINTWISE.values())
    registers = [*inputs, *(inputs[0].new_tensor(constant) for constant in constants)]
    numbers = iter(program)
    for code in numbers:
        function = functions[code]
        registers.append(function(*(registers[next(numbers)] for _ in range(function.__code__.co_argcount))))
    return registers[-1].expand(torch.broadcast_shapes(*(x.shape for x in inputs))).contiguous()
