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

PANEL = 16  # outputs of a panel of weights
QUAD = 4  # inputs that lie together, of 8-bit weights
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


def _wide(tensor: torch.Tensor | None) -> Any:
    """Numbers of 16 bits are computed with as float32."""
    return tensor.float() if tensor is not None and tensor.dtype in (torch.float16, torch.bfloat16) else tensor


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
    """act(input W^T + bias + other), rounded once to the input's dtype. The weight may be of another."""
    rows = _unpacked(_wide(weight), outputs)
    result = functional.linear(_wide(input), rows, _wide(bias))
    return _finished(result, _wide(other), activation, low, high).to(input.dtype)


def unpacked_bits(words: torch.Tensor, inputs: int) -> torch.Tensor:
    """Panels of int8 from panels of int32, each of which holds eight numbers of 4 bits, the first one lowest."""
    shifts = torch.arange(0, 32, 4, dtype=torch.int32, device=words.device)[:, None]
    numbers = (words[..., None, :] >> shifts & 15) - 8
    return numbers.flatten(-3, -2).narrow(-2, 0, inputs).to(torch.int8)


@fused
def linear_groups(
    input: torch.Tensor,
    weight: torch.Tensor,
    scales: torch.Tensor,
    zeros: torch.Tensor | None,
    bias: torch.Tensor | None,
    other: torch.Tensor | None,
    outputs: int,
    group: int,
    activation: str,
    low: float,
    high: float,
) -> torch.Tensor:
    """linear with W[n, k] = (q[n, k] - zeros[n, k // group]) * scales[n, k // group], scales and zeros in panels too.

    The weight is panels of int8; or of int32, [ceil(outputs / 16), ceil(inputs / 8), 16], whose eight parts of 4 bits
    are q + 8 of eight inputs, the first one lowest.
    """
    panels = unpacked_bits(weight, input.shape[-1]) if weight.dtype == torch.int32 else weight
    numbers = panels.float().unflatten(-2, (-1, group))
    if zeros is not None:
        numbers = numbers - zeros[..., None, :]
    rows = _unpacked((numbers * scales[..., None, :]).flatten(-3, -2), outputs)
    result = functional.linear(_wide(input), rows, _wide(bias))
    return _finished(result, _wide(other), activation, low, high).to(input.dtype)


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


@fused
def convolution_then_depthwise(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    outputs: int,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    activation: str,
    low: float,
    high: float,
    depthwise_weight: torch.Tensor,
    depthwise_bias: torch.Tensor | None,
    depthwise_kernel: Sequence[int],
    depthwise_stride: Sequence[int],
    depthwise_padding: Sequence[int],
    depthwise_dilation: Sequence[int],
    depthwise_activation: str,
    depthwise_low: float,
    depthwise_high: float,
) -> torch.Tensor:
    """The second of the first; around what is between the two there are zeros."""
    first = (kernel, stride, padding, dilation, activation, low, high)
    steps = (depthwise_kernel, depthwise_stride, depthwise_padding, depthwise_dilation)
    second = (depthwise_activation, depthwise_low, depthwise_high)
    between = convolution(input, weight, bias, None, outputs, *first)
    return convolution_depthwise(between, depthwise_weight, depthwise_bias, None, *steps, *second)


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


def _unpacked_quads(panels: torch.Tensor, outputs: int) -> torch.Tensor:
    """[outputs, inputs], in whole fours of inputs, from panels [ceil(outputs / 16), fours, 16, 4]."""
    rows = panels.transpose(1, 2)
    return rows.reshape(-1, rows.shape[2] * QUAD).narrow(0, 0, outputs)


def _centred(numbers: torch.Tensor, zeros: torch.Tensor | int | None) -> torch.Tensor:
    """Quantised numbers without their zero points. In double precision, sums of their products are exact."""
    return numbers.double() if zeros is None else numbers.double() - zeros


def _requantized(
    sums: torch.Tensor,
    scales: torch.Tensor,
    bias: torch.Tensor | None,
    dtype: torch.dtype,
    zero: int,
    low: float,
    high: float,
) -> torch.Tensor:
    """Exact sums as results, outputs along the last dimension."""
    result = sums.float() * scales
    result = result if bias is None else result + bias
    return (result if dtype.is_floating_point else result.round() + zero).clamp(low, high).to(dtype)


@fused
def linear_int8(
    input: torch.Tensor,
    input_zero: int,
    weight: torch.Tensor,
    scales: torch.Tensor,
    zeros: torch.Tensor | None,
    bias: torch.Tensor | None,
    outputs: int,
    dtype: torch.dtype,
    zero: int,
    low: float,
    high: float,
) -> torch.Tensor:
    """(input - input_zero) (W - zeros)^T scales + bias, of 8-bit numbers; rounded, and zero added, unless it is float.

    Weights are packed in panels of 16 outputs and fours of inputs, [ceil(outputs / 16), ceil(inputs / 4), 16, 4].
    """
    rows = _unpacked_quads(weight, outputs).narrow(1, 0, input.shape[-1])
    filters = _centred(rows, None if zeros is None else zeros[:, None])
    sums = functional.linear(_centred(input, input_zero), filters)
    return _requantized(sums, scales, bias, dtype, zero, low, high)


@fused
def convolution_int8(
    input: torch.Tensor,
    input_zero: int,
    weight: torch.Tensor,
    scales: torch.Tensor,
    zeros: torch.Tensor | None,
    bias: torch.Tensor | None,
    outputs: int,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    dtype: torch.dtype,
    zero: int,
    low: float,
    high: float,
) -> torch.Tensor:
    """Of one group. Each row of the kernel, or each place if it is dilated across, is in whole fours of inputs."""
    runs = kernel[0] if dilation[1] == 1 else kernel[0] * kernel[1]
    rows = _unpacked_quads(weight, outputs).reshape(outputs, runs, -1)
    length = kernel[0] * kernel[1] * input.shape[1] // runs
    filters = rows.narrow(2, 0, length).reshape(outputs, *kernel, input.shape[1]).permute(0, 3, 1, 2)
    filters = _centred(filters, None if zeros is None else zeros[:, None, None, None])
    wide = _padded(_centred(input, input_zero), padding)
    sums = functional.conv2d(wide, filters, None, tuple(stride), 0, tuple(dilation))
    return _requantized(sums.movedim(1, -1), scales, bias, dtype, zero, low, high).movedim(-1, 1).contiguous()


@fused
def convolution_depthwise_int8(
    input: torch.Tensor,
    input_zero: int,
    weight: torch.Tensor,
    scales: torch.Tensor,
    zeros: torch.Tensor | None,
    bias: torch.Tensor | None,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    dtype: torch.dtype,
    zero: int,
    low: float,
    high: float,
) -> torch.Tensor:
    """Each channel by itself; the weight is [place in the kernel, channel]."""
    channels = weight.shape[1]
    filters = _centred(weight, zeros).t().reshape(channels, 1, *kernel)
    wide = _padded(_centred(input, input_zero), padding)
    sums = functional.conv2d(wide, filters, None, tuple(stride), 0, tuple(dilation), channels)
    return _requantized(sums.movedim(1, -1), scales, bias, dtype, zero, low, high).movedim(-1, 1).contiguous()


@fused
def add_int8(
    input: torch.Tensor,
    input_zero: int,
    input_scale: float,
    other: torch.Tensor,
    other_zero: int,
    other_scale: float,
    dtype: torch.dtype,
    zero: int,
    low: float,
    high: float,
) -> torch.Tensor:
    """The sum of what 8-bit numbers of one shape stand for, in steps of the result."""
    total = (input.float() - input_zero) * input_scale + (other.float() - other_zero) * other_scale
    return (total.round() + zero).clamp(low, high).to(dtype)


@fused
def table_int8(input: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """A function of 8-bit numbers: what becomes of each, the lowest first."""
    lowest = 128 if input.dtype == torch.int8 else 0
    return table[input.long() + lowest]


def _into(wide: torch.Tensor | None, channels: int, first: int, part: torch.Tensor) -> torch.Tensor:
    """The channels of `wide`, and from `first` on those of the part."""
    sizes = (part.shape[0], channels, *part.shape[2:])
    result = part.new_zeros(sizes) if wide is None else wide
    return torch.slice_scatter(result, part, 1, first, first + part.shape[1])


@fused
def convolution_into(
    wide: torch.Tensor | None,
    channels: int,
    first: int,
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    outputs: int,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    activation: str,
    low: float,
    high: float,
) -> torch.Tensor:
    """Some channels of an image, the others being those of `wide`; without it they are not for use yet."""
    part = convolution(input, weight, bias, None, outputs, kernel, stride, padding, dilation, activation, low, high)
    return _into(wide, channels, first, part)


@fused
def convolution_winograd_into(
    wide: torch.Tensor | None,
    channels: int,
    first: int,
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    outputs: int,
    padding: Sequence[int],
    activation: str,
    low: float,
    high: float,
) -> torch.Tensor:
    """The same by Winograd's algorithm."""
    part = convolution_winograd(input, weight, bias, None, outputs, padding, activation, low, high)
    return _into(wide, channels, first, part)


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


# The functions of a program; the place of a name is its code, as in native/kernels/fast/pointwise.cpp.
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
