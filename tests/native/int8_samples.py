"""Calls of the fused operators on 8-bit numbers, beside the same in double precision, in which all of it is exact."""

import math

import torch
from torch.nn import functional

from native.fused_samples import reals
from native.packed_samples import LAST, NO_PADDING, ONE, OUTPUTS, WINDOWS, padded, panels
from native.samples import Call

BYTES = (torch.int8, torch.uint8)


def wholes(shape, dtype, seed=0):
    """All numbers that a dtype has, its ends more often."""
    low, high = torch.iinfo(dtype).min, torch.iinfo(dtype).max
    generator = torch.Generator().manual_seed(seed + math.prod(shape))
    found = torch.randint(low, high + 1, shape, generator=generator)
    chance = torch.rand(shape, generator=generator)
    return found.where(chance > 0.05, low).where(chance < 0.95, high).to(dtype)


def quads(rows):
    """[outputs, runs, length] as [ceil(outputs / 16), runs * ceil(length / 4), 16, 4]."""
    outputs, runs, length = rows.shape
    fours = -(-length // 4)
    filled = functional.pad(rows, (0, 4 * fours - length)).reshape(outputs, runs * fours * 4)
    packed = panels(filled)
    return packed.reshape(packed.shape[0], runs * fours, 4, 16).transpose(2, 3).contiguous()


def extras(k, outputs, depth):
    """What makes results of sums, each with and without, in turn: zero points of weights, a bias, floats, limits."""
    # Powers of 2, so that nothing is rounded but the result, and there are ties.
    scales = 2.0 ** -(torch.arange(outputs) % 3 + 7 + math.ceil(math.log2(depth + 1) / 2))
    given = {"scales": scales, "zeros": None, "bias": None, "zero": 0}
    if k % 2:
        given["bias"] = (reals(outputs, seed=3) * 64).round() / 4
    if k % 5 == 3:
        given["zeros"] = (torch.arange(outputs) % 7 - 3).int() if k % 3 else torch.zeros(outputs, dtype=torch.int32)
    if k % 4 == 2:
        return given | {"dtype": torch.float32, "low": -math.inf, "high": (math.inf, 9.25)[k % 3 == 0]}
    made = BYTES[k // 2 % 2]
    bounds = torch.iinfo(made)
    zero = (bounds.min, bounds.max, bounds.min + 130)[k % 3]
    low, high = (bounds.min, bounds.max) if k % 7 else (max(bounds.min, zero - 20), min(bounds.max, zero + 15))
    return given | {"dtype": made, "zero": zero, "low": float(low), "high": float(high)}


def input_zero(k, dtype):
    bounds = torch.iinfo(dtype)
    return (0, bounds.min, bounds.max, bounds.min + 117)[k % 4]


def finished(given, sums, channel):
    """Results of sums; outputs are dimension `channel`."""
    shape = [-1 if dim == channel % sums.dim() else 1 for dim in range(sums.dim())]
    result = sums * given["scales"].double().view(shape)
    if given["bias"] is not None:
        result = result + given["bias"].double().view(shape)
    if given["dtype"] != torch.float32:
        result = result.round() + given["zero"]
    return result.clamp(given["low"], given["high"]).to(given["dtype"])


def centred(weight, zeros):
    wide = weight.double()
    return wide if zeros is None else wide - zeros.double().view(-1, *[1] * (weight.dim() - 1))


def linear_call(op, x, outputs, k):
    depth = x.shape[-1]
    weight = wholes((outputs, depth), torch.int8, seed=1)
    given = {"input": x, "input_zero": input_zero(k, x.dtype), "weight": quads(weight[:, None]), "outputs": outputs}
    given |= extras(k, outputs, depth)
    sums = functional.linear(x.double() - given["input_zero"], centred(weight, given["zeros"]))
    return Call(op, given, (finished(given, sums, -1),))


def linear_calls(op, dtype):
    if dtype not in BYTES:
        return
    number = 0
    for outputs in (0, *OUTPUTS):
        for depth in (0, 1, 3, 8, 100):
            for shape in ((depth,), (5, depth), (2, 7, depth), (2, 3, 4, depth), (0, depth), (2, 0, depth)):
                yield linear_call(op, wholes(shape, dtype), outputs, number)
                number += 1
    for rows in (*range(1, 15), 29, 97, 109, 200):
        for depth, outputs in ((37, 40), (576, 48)):
            yield linear_call(op, wholes((rows, depth), dtype), outputs, rows)
    for k in (0, 1, 3, 5):
        yield linear_call(op, wholes((43, 5000), dtype), 40, k)  # more depth than floats sum up exactly
        yield linear_call(op, torch.full((3, 5000), torch.iinfo(dtype).max, dtype=dtype), 40, k)


def image_call(op, x, outputs, kernel, stride, padding, dilation, k):
    """A depthwise one has as many outputs as channels, whatever is said."""
    is_depthwise = "depthwise" in op
    channels = x.shape[1]
    outputs, inputs = (channels, 1) if is_depthwise else (outputs, channels)
    filters = wholes((outputs, inputs, *kernel), torch.int8, seed=1)
    runs = kernel[0] if dilation[1] == 1 else math.prod(kernel)
    if is_depthwise:
        sizes, weight = {}, filters.reshape(channels, math.prod(kernel)).t().contiguous()
    else:
        places = filters.permute(0, 2, 3, 1).reshape(outputs, runs, math.prod(kernel) * channels // runs)
        sizes, weight = {"outputs": outputs}, quads(places)
    window = {"kernel": list(kernel), "stride": list(stride), "padding": list(padding), "dilation": list(dilation)}
    given = {"input": x, "input_zero": input_zero(k, x.dtype), "weight": weight} | sizes | window
    given |= extras(k, outputs, inputs * math.prod(kernel))
    return convolved(op, given, filters, stride, dilation, channels if is_depthwise else 1)


def convolved(op, given, filters, stride, dilation, groups):
    wide = padded(given["input"].double() - given["input_zero"], given["padding"])
    weights = centred(filters, given["zeros"])
    if filters.shape[1] == 0:  # torch has no convolution of no channels
        wide, weights = functional.pad(wide, (0, 0, 0, 0, 0, 1)), functional.pad(weights, (0, 0, 0, 0, 0, 1))
    sums = functional.conv2d(wide, weights, None, stride, 0, dilation, groups)
    return Call(op, given, (finished(given, sums, 1).contiguous(**LAST),))


def images(shape, dtype):
    return wholes(shape, dtype).contiguous(**LAST)


def convolution_calls(op, dtype):
    if dtype not in BYTES:
        return
    number = 0
    for window in WINDOWS:
        for channels in (1, 3, 7, 8, 20, 33):
            x = images((2 - number % 2, channels, 9, 8), dtype)
            yield image_call(op, x, OUTPUTS[number % len(OUTPUTS)], *window, number)
            number += 1
            if channels < 8:  # it may lie in any order
                yield image_call(op, x.contiguous(), 17, *window, number)
                yield image_call(op, x.permute(0, 3, 1, 2).contiguous().permute(0, 2, 3, 1), 5, *window, number)
    for channels in (2, 9):  # most of the kernel is outside, or all of it
        for shape in ((1, 1), (1, 4), (2, 1)):
            x = images((1, channels, *shape), dtype)
            yield image_call(op, x, 9, (7, 7), ONE, (3, 3, 3, 3), ONE, 1)
            yield image_call(op, x, 9, (3, 3), (2, 2), (5, 4, 6, 3), ONE, 3)
            yield image_call(op, x, 9, (3, 3), ONE, (5, 4, 6, 3), (3, 3), 2)
    for shape in ((0, 9, 4, 4), (0, 3, 4, 4), (2, 0, 4, 4), (1, 9, 0, 4), (1, 3, 4, 0)):
        yield image_call(op, images(shape, dtype), 9, (3, 3), ONE, (2, 1, 1, 2), ONE, 1)
    yield image_call(op, images((3, 64, 14, 14), dtype), 48, (3, 3), ONE, (1, 1, 1, 1), ONE, 4)
    yield image_call(op, images((1, 9, 20, 20), dtype), 3, (18, 18), ONE, NO_PADDING, ONE, 1)
    yield image_call(op, images((1, 9, 40, 40), dtype), 3, (20, 20), ONE, NO_PADDING, (1, 2), 1)


def depthwise_calls(op, dtype):
    if dtype not in BYTES:
        return
    number = 0
    for width in range(1, 10):
        for stride in (1, 2, 3):
            for kernel in ((3, 3), (5, 5), (1, 3), (3, 5), (2, 4)):
                channels = 1 + 7 * number % 40
                pads = tuple((number + i) % (kernel[i // 2] + 1) for i in range(4))
                pads = (*pads[:2], kernel[1] - 1 - pads[3] % kernel[1], pads[3])
                x = images((1 + number % 2, channels, 4, width), dtype)
                yield image_call(op, x, 0, kernel, (2 - number % 2, stride), pads, ONE, number)
                number += 1
    for channels in range(1, 41):
        yield image_call(op, images((1, channels, 5, 7), dtype), 0, (3, 3), ONE, (1, 1, 1, 1), ONE, channels)
        yield image_call(op, images((2, channels, 6, 9), dtype), 0, (5, 5), (2, 2), (2, 1, 2, 2), ONE, channels + 5)
    for window in WINDOWS:
        for channels in (3, 16, 24):
            yield image_call(op, images((1, channels, 11, 12), dtype), 0, *window, number)
            number += 1
    for shape in ((0, 9, 4, 4), (1, 9, 0, 4), (1, 16, 4, 0)):
        yield image_call(op, images(shape, dtype), 0, (3, 3), ONE, (2, 1, 1, 2), ONE, 1)
    for k in (0, 1, 3):
        yield image_call(op, images((1, 40, 40, 41), dtype), 0, (3, 3), ONE, (1, 1, 1, 1), ONE, k)  # for two threads
        yield image_call(op, images((1, 16, 16, 16), dtype), 0, (16, 16), ONE, (3, 1, 2, 1), ONE, k)  # 256 taps


# --- one by one ---------------------------------------------------------------------------------------------------


def in_orders(x):
    yield x
    if x.dim() == 4:
        yield x.contiguous(**LAST)
        yield x.permute(1, 0, 3, 2).contiguous().permute(1, 0, 3, 2)


def add_calls(op, dtype):
    if dtype not in BYTES:
        return
    number = 0
    for shape in ((), (0,), (3,), (300,), (2, 700), (2, 3, 4, 5), (0, 3, 1, 2), (1, 40, 33, 60)):
        for x in in_orders(wholes(shape, dtype)):
            for y in in_orders(wholes(shape, BYTES[number % 2], seed=1)):
                scales = {"input_scale": (1.0, 0.25, 2.0)[number % 3], "other_scale": (0.5, 1.0)[number % 2]}
                zeros = {"input_zero": input_zero(number, x.dtype), "other_zero": input_zero(number + 1, y.dtype)}
                given = {"input": x, "other": y} | scales | zeros | extras(4 * number, 0, 1)
                total = (x.double() - zeros["input_zero"]) * scales["input_scale"]
                total = total + (y.double() - zeros["other_zero"]) * scales["other_scale"]
                total = (total.round() + given["zero"]).clamp(given["low"], given["high"])
                for name in ("scales", "zeros", "bias"):
                    del given[name]
                yield Call(op, given, (total.to(given["dtype"]).contiguous(),))
                yield Call(op, given, (torch.empty_like(x, dtype=given["dtype"]).copy_(total),))
                number += 1


def table_calls(op, dtype):
    if dtype not in BYTES:
        return
    for shape in ((), (0,), (300,), (2, 700), (2, 3, 4, 5), (1, 40, 33, 60)):
        for x in in_orders(wholes(shape, dtype)):
            for made in BYTES:
                table = wholes((256,), made, seed=2)
                result = table[x.long() - torch.iinfo(dtype).min]
                yield Call(op, {"input": x, "table": table}, (result.contiguous(),))
                yield Call(op, {"input": x, "table": table}, (torch.empty_like(x, dtype=made).copy_(result),))


INT8 = {
    "tenon::linear_int8.out": linear_calls,
    "tenon::convolution_int8.out": convolution_calls,
    "tenon::convolution_depthwise_int8.out": depthwise_calls,
    "tenon::add_int8.out": add_calls,
    "tenon::table_int8.out": table_calls,
}

# --- refusals ---------------------------------------------------------------------------------------------------


def _results(outputs=4, **changed):
    given = {"input_zero": 0, "scales": torch.ones(outputs), "zeros": None, "bias": None, "dtype": torch.int8}
    return given | {"zero": 0, "low": -128.0, "high": 127.0} | changed


def _linear(**changed):
    given = {"input": _ones(2, 3), "weight": _ones(1, 1, 16, 4), "outputs": 4}
    return given | _results() | changed


def _window(**changed):
    """Of 3x3 points, over an image of one channel: it lies in all orders at once."""
    given = {"input": _ones(1, 1, 4, 4), "kernel": [3, 3], "stride": [1, 1], "padding": [0] * 4, "dilation": [1, 1]}
    return given | changed


def _convolution(**changed):
    return _window(weight=_ones(1, 3, 16, 4), outputs=4) | _results() | changed


def _depthwise(**changed):
    return _window(weight=_ones(9, 1)) | _results(1) | changed


def _add(**changed):
    given = {"input": _ones(2, 3), "input_zero": 0, "input_scale": 1.0, "other": _ones(2, 3), "other_zero": 0}
    given |= {"other_scale": 1.0, "dtype": torch.int8, "zero": 0, "low": -128.0, "high": 127.0}
    return given | changed


def _ones(*shape, dtype=torch.int8):
    return torch.ones(shape, dtype=dtype)


_FOUR, _SINGLE, _ROWS = _ones(1, 4, 2, 2).contiguous(**LAST), _ones(1, 1, 2, 2), _ones(2, 4)
_IN_ORDER, _LAST = "its dimensions in order in memory", "its channels last in memory"
_REFUSED = [
    ("linear_int8.out", _linear(input=_ones()), _ones(4), "an input of shape [] has no 4 outputs"),
    ("linear_int8.out", _linear(outputs=-1), _ROWS, "an input of shape [2, 3] has no -1 outputs"),
    ("linear_int8.out", _linear(input=torch.ones(2, 3)), _ROWS,
     f"the input is float32 of shape [2, 3], and should be int8 or uint8 with {_IN_ORDER}"),
    ("linear_int8.out", _linear(input_zero=128), _ROWS,
     "the zero point of the input is 128, and int8 does not reach so far"),
    ("linear_int8.out", _linear(zero=-129), _ROWS,
     "the zero point of the result is -129, and int8 does not reach so far"),
    ("linear_int8.out", _linear(weight=_ones(1, 3, 16)), _ROWS,
     "the weight has shape [1, 3, 16], and should have [1, 1, 16, 4]"),
    ("linear_int8.out", _linear(weight=_ones(1, 1, 16, 4).char().byte()), _ROWS,
     f"the weight is uint8 of shape [1, 1, 16, 4], and should be int8 with {_IN_ORDER}"),
    ("linear_int8.out", _linear(scales=torch.ones(5)), _ROWS, "scales has shape [5], and should have [4]"),
    ("linear_int8.out", _linear(scales=torch.ones(4).double()), _ROWS,
     f"scales is float64 of shape [4], and should be float with {_IN_ORDER}"),
    ("linear_int8.out", _linear(zeros=torch.ones(4)), _ROWS,
     f"zeros is float32 of shape [4], and should be int32 with {_IN_ORDER}"),
    ("linear_int8.out", _linear(bias=torch.ones(4).int()), _ROWS,
     f"the bias is int32 of shape [4], and should be float with {_IN_ORDER}"),
    ("linear_int8.out", _linear(dtype=torch.int16), _ROWS.short(),
     f"the result is int16 of shape [2, 4], and should be int8, uint8 or float with {_IN_ORDER}"),
    ("linear_int8.out", _linear(), _ones(2, 5), "the result has shape [2, 4], and its place is for [2, 5]"),
    ("convolution_int8.out", _convolution(input=_ones(1, 9, 4, 4), weight=_ones(1, 21, 16, 4)), _FOUR,
     f"the input is int8 of shape [1, 9, 4, 4], and should be int8 or uint8 with {_LAST}"),
    ("convolution_int8.out", _convolution(weight=_ones(1, 9, 16)), _FOUR,
     "the weight has shape [1, 9, 16], and should have [1, 3, 16, 4]"),
    ("convolution_int8.out", _convolution(stride=[1, 0]), _FOUR,
     "a kernel of 3 points at stride 0, padding 0 and 0, and dilation 1 does not fit dim 3 of size 4"),
    ("convolution_int8.out", _convolution(), _FOUR.contiguous(),
     f"the result is int8 of shape [1, 4, 2, 2], and should be int8, uint8 or float with {_LAST}"),
    ("convolution_depthwise_int8.out", _depthwise(weight=_ones(1, 9)), _SINGLE,
     "the weight has shape [1, 9], and should have [9, 1]"),
    ("convolution_depthwise_int8.out", _depthwise(input=_ones(1, 1, 20, 20), kernel=[17, 17], weight=_ones(289, 1)),
     _ones(1, 1, 4, 4), "a kernel of 289 taps over 17 rows is too large"),
    ("add_int8.out", _add(other=_ones(3)), _ones(2, 3), "shapes [2, 3] and [3] should be the same"),
    ("add_int8.out", _add(low=0.5, high=3.0), _ones(2, 3),
     "results of 8 bits have no limits of 0.5 and 3, which should be whole"),
    ("linear_int8.out", _linear(high=float("nan"), low=0.0), _ROWS,
     "results of 8 bits have no limits of 0 and nan, which should be whole"),
    ("table_int8.out", {"input": _ones(2), "table": _ones(255)}, _ones(2),
     "the table has shape [255], and should have [256]"),
]  # fmt: skip
INT8_REFUSED = [(f"tenon::{op}", *rest) for op, *rest in _REFUSED]
