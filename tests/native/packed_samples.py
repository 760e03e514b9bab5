"""Calls of the fused operators with packed weights, and of max_pool, beside torch's layers in double precision."""

import math

import torch
from torch.nn import functional

from native.fused_samples import reals
from native.samples import Call
from tenon.ops.fused import ACTIVATIONS, WINOGRAD

LAST = {"memory_format": torch.channels_last}


def panels(rows):
    """[..., outputs, inputs] as [..., ceil(outputs / 16), inputs, 16]."""
    *outer, outputs, inputs = rows.shape
    count = -(-outputs // 16)
    filled = functional.pad(rows, (0, 0, 0, 16 * count - outputs))
    return filled.reshape(*outer, count, 16, inputs).transpose(-1, -2).contiguous()


def finished(given, result):
    """What becomes of the sums of a layer."""
    other = given["other"]
    result = result if other is None else result + other.double()
    return ACTIVATIONS[given["activation"]](result, given["low"], given["high"]).to(given["input"].dtype)


def tail(bias, other, activation="none", low=-0.5, high=0.25):
    """Arguments that all have."""
    return {"bias": bias, "other": other, "activation": activation, "low": low, "high": high}


def extras(k, outputs, shape):
    """With and without a bias and another tensor, in turn; and every activation, in turn."""
    bias = reals(outputs, seed=3) if k & 1 else None
    other = reals(*shape, seed=4) if k & 2 else None
    return bias, other, list(ACTIVATIONS)[k % len(ACTIVATIONS)]


# --- linear -----------------------------------------------------------------------------------------------------


def layer_call(op, x, matrix, k, **stored):
    """A layer of a matrix [outputs, inputs] that is stored as told."""
    outputs = matrix.shape[0]
    bias, other, activation = extras(k, outputs, (*x.shape[:-1], outputs))
    bias = bias if bias is None or k & 4 else bias.to(x.dtype)
    given = {"input": x, "outputs": outputs} | stored
    given |= tail(bias, other if other is None else other.to(x.dtype), activation)
    result = functional.linear(x.double(), matrix.double(), None if bias is None else bias.double())
    return Call(op, given, (finished(given, result),))


def linear_call(op, x, outputs, k, stored=torch.float32):
    depth = x.shape[-1]
    weight = (reals(outputs, depth, seed=1) / math.sqrt(max(depth, 1))).to(stored)
    return layer_call(op, x, weight, k, weight=panels(weight))


OUTPUTS = (1, 8, 15, 16, 17, 24, 33, 40, 64, 71)


SMALL = (torch.float16, torch.bfloat16)
FLOATS = (torch.float32, *SMALL)
SHAPES = ((), (5,), (2, 7), (2, 3, 4), (0,), (2, 0))


def linear_calls(op, dtype):
    if dtype not in FLOATS:
        return
    number = 0
    for outputs in (0, *OUTPUTS):
        for depth in (0, 1, 3, 100):
            for shape in SHAPES:
                for stored in FLOATS if dtype == torch.float32 else (FLOATS[number % 3],):
                    yield linear_call(op, reals(*shape, depth).to(dtype), outputs, number, stored)
                    number += 1
    for stored in FLOATS:
        for k in range(4 * len(ACTIVATIONS)):
            yield linear_call(op, reals(3, 50).to(dtype) * 20, 21, k, stored)
        for rows in (*range(1, 15), 29, 100, 109):
            for depth, outputs in ((37, 40), (576, 48)):
                yield linear_call(op, reals(rows, depth).to(dtype), outputs, rows, stored)
        yield linear_call(op, reals(43, 5000).to(dtype), 40, 1, stored)  # six rows fill the cache
        yield linear_call(op, reals(390, 20).to(dtype), 17, 3, stored)  # more rows than are made wider at a time
        for odd in (math.nan, math.inf):
            x = reals(9, 8).abs().to(dtype)
            x[4, 3] = odd
            for k in (1, 2):  # relu, clamp
                yield linear_call(op, x, 17, k, stored)
                yield linear_call(op, x[4], 17, k, stored)
    for stored in SMALL:  # every number there is
        weight = torch.arange(-(2**15), 2**15).to(torch.int16).view(stored).reshape(256, 256)[:, :, None]
        for part in (weight[:, :1], weight[:128].flatten()[:, None]):
            given = {"weight": panels(part.reshape(-1, 1)), "outputs": part.numel()} | tail(None, None)
            for x in (torch.ones(1, 1, dtype=dtype), torch.ones(3, 1, dtype=dtype)):
                result = (x.double() * part.flatten().double()).to(dtype)
                yield Call(op, given | {"input": x}, (result,))


# --- linear layers whose weights are scaled in groups ------------------------------------------------------------


def packed_bits(numbers):
    """Panels of int8 as words of eight numbers, each plus 8."""
    eight = (numbers.int() + 8).unflatten(-2, (-1, 8)) << torch.arange(0, 32, 4, dtype=torch.int32)[:, None]
    return eight.sum(-2, dtype=torch.int32)


def groups_call(op, x, outputs, group, bits, k):
    depth = x.shape[-1]
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1)
    generator = torch.Generator().manual_seed(k + outputs)
    numbers = torch.randint(low, high, (outputs, depth), generator=generator, dtype=torch.int8)
    scales = (reals(outputs, depth // group, seed=5).abs() + 0.5) / (high * math.sqrt(max(depth, 1)))
    zeros = reals(outputs, depth // group, seed=6).mul(3).round() if k % 3 else None
    wide = numbers.double() if zeros is None else numbers - zeros.double().repeat_interleave(group, 1)
    weight = wide * scales.double().repeat_interleave(group, 1)
    stored = panels(numbers) if bits == 8 else packed_bits(panels(numbers))
    given = {"weight": stored, "scales": panels(scales), "zeros": zeros if zeros is None else panels(zeros)}
    return layer_call(op, x, weight, k, group=group, **given)


def groups_calls(op, dtype):
    if dtype not in FLOATS:
        return
    number = 0
    for bits in (8, 4):
        for outputs in (0, *OUTPUTS):
            for depth, group in ((0, 8), (8, 8), (64, 32), (96, 96), (1, 1), (30, 3), (77, 77)):
                if bits == 4 and group % 8:
                    continue
                for shape in SHAPES:
                    yield groups_call(op, reals(*shape, depth).to(dtype), outputs, group, bits, number)
                    number += 1
        for k in range(4 * len(ACTIVATIONS)):
            yield groups_call(op, reals(3, 48).to(dtype) * 8, 21, 24, bits, k)
            yield groups_call(op, reals(48).to(dtype) * 8, 21, 24, bits, k)
        for rows in (*range(1, 15), 29, 100):
            for depth, outputs, group in ((40, 40, 8), (576, 48, 64), (768, 35, 96)):
                yield groups_call(op, reals(rows, depth).to(dtype), outputs, group, bits, rows)
        yield groups_call(op, reals(2048).to(dtype), 600, 32, bits, 1)  # shared among threads
        for number, odd in enumerate((math.inf, -math.inf, math.nan, 1000.0, 1e-40, -0.0)):
            x = reals(2, 64)
            x[0, 5], x[1, 32:] = odd, odd
            yield groups_call(op, x.to(dtype), 21, 32, bits, number)


# --- windows over images ----------------------------------------------------------------------------------------


def padded(x, padding, value=0.0):
    above, below, left, right = padding
    return functional.pad(x.double(), (left, right, above, below), value=value)


def convolved(op, given, filters, stride, dilation, groups=1):
    bias = given["bias"]
    wide = padded(given["input"], given["padding"])
    if filters.shape[1] == 0:  # torch has no convolution of no channels
        wide, filters = functional.pad(wide, (0, 0, 0, 0, 0, 1)), functional.pad(filters, (0, 0, 0, 0, 0, 1))
    result = functional.conv2d(wide, filters.double(), None, stride, 0, dilation, groups)
    result = result if bias is None else result + bias.double()[:, None, None]
    return Call(op, given, (finished(given, result).contiguous(**LAST),))


def result_shape(x, outputs, kernel, stride, padding, dilation):
    sizes = [
        (x.shape[2 + d] + sum(padding[2 * d : 2 * d + 2]) - dilation[d] * (kernel[d] - 1) - 1) // stride[d] + 1
        for d in (0, 1)
    ]
    return x.shape[0], outputs, *sizes


def image_call(op, x, outputs, kernel, stride, padding, dilation, k):
    """Of one group. A depthwise one has as many outputs as channels, whatever is said."""
    is_depthwise = "depthwise" in op
    channels = x.shape[1]
    outputs = channels if is_depthwise else outputs
    bias, other, activation = extras(k, outputs, result_shape(x, outputs, kernel, stride, padding, dilation))
    other = other if other is None else other.contiguous(**LAST)
    inputs = 1 if is_depthwise else channels
    filters = reals(outputs, inputs, *kernel, seed=1) / math.sqrt(max(inputs * math.prod(kernel), 1))
    if is_depthwise:
        sizes, weight = {}, filters.reshape(channels, math.prod(kernel)).t().contiguous()
    else:
        flat = filters.permute(0, 2, 3, 1).reshape(outputs, math.prod(kernel) * channels)
        sizes, weight = {"outputs": outputs}, panels(flat)
    window = {"kernel": list(kernel), "stride": list(stride), "padding": list(padding), "dilation": list(dilation)}
    given = {"input": x, "weight": weight} | sizes | window | tail(bias, other, activation)
    return convolved(op, given, filters, stride, dilation, channels if is_depthwise else 1)


def images(*shape):
    return reals(*shape).contiguous(**LAST)


NO_PADDING, ONE = (0, 0, 0, 0), (1, 1)
# kernel, stride, padding, dilation
WINDOWS = [
    ((1, 1), ONE, NO_PADDING, ONE), ((1, 1), (2, 2), NO_PADDING, ONE), ((1, 1), ONE, (1, 0, 0, 2), ONE),
    ((3, 3), ONE, (1, 1, 1, 1), ONE), ((3, 3), (2, 2), (0, 1, 0, 1), ONE), ((3, 3), (1, 2), (3, 0, 1, 2), ONE),
    ((3, 3), (2, 1), (2, 2, 2, 2), (2, 2)), ((3, 3), ONE, (0, 1, 2, 3), (1, 2)), ((3, 3), ONE, (3, 2, 1, 0), (3, 1)),
    ((5, 5), (2, 2), (2, 1, 2, 1), ONE), ((7, 7), (2, 2), (3, 3, 3, 3), ONE), ((1, 3), ONE, (0, 0, 1, 1), ONE),
    ((3, 1), (3, 3), (1, 0, 0, 0), ONE), ((3, 3), (5, 4), (1, 1, 1, 1), ONE),
]  # fmt: skip


def convolution_calls(op, dtype):
    if dtype != torch.float32:
        return
    number = 0
    for window in WINDOWS:
        for channels in (1, 3, 7, 8, 20, 33):
            x = images(2 - number % 2, channels, 9, 8)
            yield image_call(op, x, OUTPUTS[number % len(OUTPUTS)], *window, number)
            number += 1
            if channels < 8 and window[3][1] == 1:
                yield image_call(op, x.contiguous(), 17, *window, number)  # it may lie in any order
                yield image_call(op, x.permute(0, 3, 1, 2).contiguous().permute(0, 2, 3, 1), 5, *window, number)
    for outputs in OUTPUTS:
        for activation in range(len(ACTIVATIONS)):
            yield image_call(op, images(1, 12, 3, 3), outputs, (3, 3), ONE, (1, 1, 1, 1), ONE, activation + outputs)
    for channels in (2, 9):  # most of the kernel is outside, or all of it
        for shape in ((1, 1), (1, 4), (2, 1)):
            x = images(1, channels, *shape)
            yield image_call(op, x, 9, (7, 7), ONE, (3, 3, 3, 3), ONE, 1)
            yield image_call(op, x, 9, (3, 3), (2, 2), (5, 4, 6, 3), ONE, 3)
            yield image_call(op, x, 9, (3, 3), ONE, (5, 4, 6, 3), (3, 3), 2)
    for shape in ((0, 9, 4, 4), (0, 3, 4, 4), (2, 0, 4, 4), (1, 9, 0, 4), (1, 3, 4, 0)):
        yield image_call(op, images(*shape), 9, (3, 3), ONE, (2, 1, 1, 2), ONE, 1)
    yield image_call(op, images(3, 64, 14, 14), 48, (3, 3), ONE, (1, 1, 1, 1), ONE, 3)
    yield image_call(op, images(1, 64, 3, 111), 48, (3, 3), ONE, NO_PADDING, ONE, 1)  # one row more than a block has
    yield image_call(op, images(1, 9, 20, 20), 3, (18, 18), ONE, NO_PADDING, ONE, 1)  # 324 taps
    yield image_call(op, images(1, 2, 30, 30), 3, (30, 29), ONE, NO_PADDING, ONE, 1)  # 30 rows of taps


def depthwise_calls(op, dtype):
    if dtype != torch.float32:
        return
    number = 0
    for width in range(1, 10):
        for stride in (1, 2, 3):
            for kernel in ((3, 3), (5, 5), (1, 3), (3, 5), (2, 4)):
                channels = 1 + 7 * number % 40
                pads = tuple((number + i) % (kernel[i // 2] + 1) for i in range(4))
                pads = (*pads[:2], kernel[1] - 1 - pads[3] % kernel[1], pads[3])
                x = images(1 + number % 2, channels, 4, width)
                yield image_call(op, x, 0, kernel, (2 - number % 2, stride), pads, ONE, number)
                number += 1
    for channels in range(1, 41):
        yield image_call(op, images(1, channels, 5, 7), 0, (3, 3), ONE, (1, 1, 1, 1), ONE, channels)
        yield image_call(op, images(2, channels, 6, 9), 0, (5, 5), (2, 2), (2, 1, 2, 2), ONE, channels + 5)
    for window in WINDOWS:
        for channels in (3, 16, 24):
            yield image_call(op, images(1, channels, 11, 12), 0, *window, number)
            number += 1
    for shape in ((0, 9, 4, 4), (1, 9, 0, 4), (1, 16, 4, 0)):
        yield image_call(op, images(*shape), 0, (3, 3), ONE, (2, 1, 1, 2), ONE, 1)
    for width, stride in ((3, 1), (5, 2)):  # so many rows that neighbours are not taken together
        yield image_call(op, images(1, 16, 60, 12), 0, (60, width), (1, stride), (1, 1, 1, 1), ONE, 1)


# --- a convolution and a depthwise one ---------------------------------------------------------------------------


def both_call(op, x, outputs, first, second, k):
    """The first is a convolution of images, the second is depthwise, of what that gives."""
    made = image_call("tenon::convolution.out", x, outputs, *first, k & ~2)
    behind = image_call("tenon::convolution_depthwise.out", made.results[0], 0, *second, k * 7 & ~2)
    given = dict(made.arguments) | {f"depthwise_{name}": value for name, value in behind.arguments.items()}
    for name in ("other", "depthwise_input", "depthwise_other"):
        del given[name]
    return Call(op, given, behind.results)


POINT = (ONE, ONE, NO_PADDING, ONE)


def both_calls(op, dtype):
    if dtype != torch.float32:
        return
    number = 0
    for first in (POINT, *WINDOWS[::3]):
        for second in WINDOWS:
            outputs = (*OUTPUTS, 100)[number % 11]
            x = images(1 + number % 2, (3, 8, 20)[number % 3], 9 + number % 4, 8)
            yield both_call(op, x, outputs, first, second, number)
            number += 1
    threes = [((3, 3), (stride, stride), (1, 1, 1, 1), ONE) for stride in (1, 2)]
    fives = [((5, 5), (stride, stride), (2, 2, 2, 2), ONE) for stride in (1, 2)]
    for second in (*threes, *fives):
        for k in range(len(ACTIVATIONS)):
            yield both_call(op, images(1, 9, 6, 7) * 4, 24, POINT, second, k)
        for height in (1, 2, 5):
            yield both_call(op, images(2, 4, height, 8), 33, POINT, second, 3)
        # rows are held in a ring, and take turns in it
        yield both_call(op, images(2, 16, 30, 60), 72, POINT, second, 1)
        yield both_call(op, images(1, 3, 41, 83), 32, threes[1], second, 1)
    # some rows are not seen
    yield both_call(op, images(1, 8, 40, 70), 65, POINT, ((3, 3), (5, 4), (1, 1, 1, 1), ONE), 1)
    yield both_call(op, images(1, 8, 40, 70), 65, POINT, ((3, 3), ONE, (4, 4, 2, 2), (4, 2)), 1)
    for shape in ((0, 9, 4, 4), (2, 0, 4, 4), (1, 9, 0, 4), (1, 9, 4, 0), (0, 3, 4, 4)):
        yield both_call(op, images(*shape), 9, *[((3, 3), ONE, (2, 1, 1, 2), ONE)] * 2, 1)


# --- Winograd ---------------------------------------------------------------------------------------------------


def winograd_call(op, x, outputs, padding, k):
    channels = x.shape[1]
    filters = reals(outputs, channels, 3, 3, seed=1) / math.sqrt(max(9 * channels, 1))
    at = torch.tensor(WINOGRAD, dtype=torch.float64)
    places = torch.einsum("ia,ocab,jb->ijoc", at, filters.double(), at).float().reshape(36, outputs, channels)
    bias, other, activation = extras(k, outputs, result_shape(x, outputs, (3, 3), ONE, padding, ONE))
    other = other if other is None else other.contiguous(**LAST)
    given = {"input": x, "weight": panels(places), "outputs": outputs, "padding": list(padding)}
    return convolved(op, given | tail(bias, other, activation), filters, ONE, ONE)


def winograd_calls(op, dtype):
    if dtype != torch.float32:
        return
    number = 0
    for height in range(3, 11):
        for width in (3, 4, 7, 8, 9):  # the last tiles are cut
            for padding in (NO_PADDING, (1, 1, 1, 1), (0, 3, 2, 1)):
                x = images(1 + number % 2, (1, 3, 8, 20, 33)[number % 5], height, width)
                yield winograd_call(op, x, OUTPUTS[number % len(OUTPUTS)], padding, number)
                number += 1
    for k in range(4 * len(ACTIVATIONS)):
        yield winograd_call(op, images(1, 16, 6, 5) * 8, 19, (1, 1, 1, 1), k)
    for shape in ((0, 9, 4, 4), (2, 0, 4, 4), (1, 9, 0, 4), (1, 16, 4, 0), (1, 9, 1, 1), (1, 9, 1, 2)):
        yield winograd_call(op, images(*shape), 9, (2, 1, 1, 2), 1)
    yield winograd_call(op, images(1, 64, 40, 41), 64, (1, 1, 1, 1), 1)  # several blocks of tiles
    yield winograd_call(op, images(1, 16, 20, 40), 440, (1, 1, 1, 1), 1)  # two tiles more than blocks have
    yield winograd_call(op, images(2, 120, 30, 21), 130, (0, 1, 0, 1), 3)


# --- channels of a wider image ----------------------------------------------------------------------------------


def into_calls(plain):
    """The same, with channels before and behind."""

    def calls(op, dtype):
        alone = [call for call in plain(op.replace("_into", ""), dtype) if call.arguments["other"] is None]
        for number, call in enumerate(alone):
            (part,) = call.results
            n, outputs, *places = part.shape
            first, behind = ((0, 0), (3, 0), (0, 16), (16, 5))[number % 4]
            wide = images(n, first + outputs + behind, *places) if number % 4 else None
            given = {"wide": wide, "channels": first + outputs + behind, "first": first} | call.arguments
            del given["other"]
            whole = part if wide is None else torch.slice_scatter(wide, part, 1, first, first + outputs)
            yield Call(op, given, (whole.contiguous(**LAST),))

    return calls


# --- pools ------------------------------------------------------------------------------------------------------


def pool_call(op, x, kernel, stride, padding, dilation):
    window = {"kernel": list(kernel), "stride": list(stride), "padding": list(padding), "dilation": list(dilation)}
    wide = padded(x, padding, -math.inf)
    result = functional.max_pool2d(wide, kernel, stride, 0, dilation).float()
    return Call(op, {"input": x} | window, (result.contiguous(**LAST),))


def pool_calls(op, dtype):
    if dtype != torch.float32:
        return
    windows = [*WINDOWS, ((2, 2), (2, 2), NO_PADDING, ONE), ((3, 2), (1, 3), (4, 5, 3, 3), ONE)]
    for window in windows:
        for channels in (1, 3, 7, 8, 20, 33):
            x = images(2, channels, 9, 8)
            yield pool_call(op, x, *window)
            edged = x.clone()
            edged[:, ::2, ::3, ::2] = -math.inf
            edged[:, :, 4, 3] = math.inf
            edged[0, -1, 5:7, 5] = math.nan
            edged[1, 0, 0, 0] = -math.nan
            yield pool_call(op, edged, *window)
    yield pool_call(op, images(1, 9, 4, 4) * 0 - math.inf, (3, 3), ONE, (1, 1, 1, 1), ONE)
    for channels in range(1, 41):
        yield pool_call(op, images(1, channels, 5, 7), (3, 3), (2, 2), (1, 1, 1, 1), ONE)
    for shape in ((1, 1), (1, 4), (2, 1)):
        yield pool_call(op, images(1, 9, *shape), (3, 3), (2, 2), (5, 4, 6, 3), ONE)
    yield pool_call(op, images(0, 9, 4, 4), (2, 2), ONE, NO_PADDING, ONE)
    yield pool_call(op, images(1, 5, 20, 17), (20, 17), ONE, NO_PADDING, ONE)  # 340 points


PACKED = {
    "tenon::linear.out": linear_calls,
    "tenon::linear_groups.out": groups_calls,
    "tenon::convolution.out": convolution_calls,
    "tenon::convolution_depthwise.out": depthwise_calls,
    "tenon::convolution_then_depthwise.out": both_calls,
    "tenon::convolution_winograd.out": winograd_calls,
    "tenon::convolution_into.out": into_calls(convolution_calls),
    "tenon::convolution_winograd_into.out": into_calls(winograd_calls),
    "tenon::max_pool.out": pool_calls,
}
# Winograd's algorithm adds and subtracts numbers that are larger than its results.
PACKED_ROUGH = {
    (f"tenon::convolution_winograd{end}.out", torch.float32): {"rtol": 1e-4, "atol": 1e-4} for end in ("", "_into")
}

# --- refusals ---------------------------------------------------------------------------------------------------


def _linear(**changed):
    given = {"input": torch.ones(2, 3), "weight": torch.ones(1, 3, 16), "outputs": 4}
    return given | tail(None, None) | changed


def _groups(**changed):
    given = {"input": torch.ones(2, 16), "weight": torch.ones(1, 16, 16).char(), "scales": torch.ones(1, 2, 16)}
    return given | {"zeros": None, "outputs": 4, "group": 8} | tail(None, None) | changed


def _window(**changed):
    """Of 3x3 points, over an image of one channel: it lies in all orders at once."""
    given = {"input": torch.ones(1, 1, 4, 4), "kernel": [3, 3], "stride": [1, 1], "padding": [0] * 4}
    return given | {"dilation": [1, 1]} | changed


def _convolution(**changed):
    return _window(weight=torch.ones(1, 9, 16), outputs=4) | tail(None, None) | changed


def _depthwise(**changed):
    return _window(weight=torch.ones(9, 1)) | tail(None, None) | changed


def _both(**changed):
    """3x3 and 1x1, of an image of one channel."""
    given = _convolution() | {f"depthwise_{name}": value for name, value in _depthwise(weight=torch.ones(1, 4)).items()}
    given |= {"depthwise_kernel": [1, 1]} | changed
    return {name: value for name, value in given.items() if name not in ("other", "depthwise_input", "depthwise_other")}


def _winograd(**changed):
    given = {"input": torch.ones(1, 1, 4, 4), "weight": torch.ones(36, 1, 1, 16), "outputs": 4, "padding": [0] * 4}
    return given | tail(None, None) | changed


def _into(plain, **changed):
    given = {"wide": None, "channels": 6, "first": 1} | plain() | changed
    del given["other"]
    return given


_SIX = torch.ones(1, 6, 2, 2).contiguous(**LAST)
_FOUR, _SINGLE, _PLAIN = torch.ones(1, 4, 2, 2).contiguous(**LAST), torch.ones(1, 1, 2, 2), torch.ones(1, 9, 4, 4)
_IN_ORDER = "and should be float32 with its dimensions in order in memory"
_LAST = "and should be float32 with its channels last in memory"
_NOT_FIT = "a kernel of 5 points at stride 1, padding 0 and 0, and dilation 1 does not fit dim 2 of size 4"
_NO_IMAGES = "numbers for kernel, stride, padding and dilation are no convolution of images"
_REFUSED = [
    ("linear.out", _linear(input=torch.ones(())), torch.ones(4), "an input of shape [] has no 4 outputs"),
    ("linear.out", _linear(outputs=-1), torch.ones(2, 4), "an input of shape [2, 3] has no -1 outputs"),
    ("linear.out", _linear(weight=torch.ones(1, 4, 16)), torch.ones(2, 4),
     "the weight has shape [1, 4, 16], and should have [1, 3, 16]"),
    ("linear.out", _linear(outputs=17), torch.ones(2, 17),
     "the weight has shape [1, 3, 16], and should have [2, 3, 16]"),
    ("linear.out", _linear(bias=torch.ones(5)), torch.ones(2, 4), "the bias has shape [5], and should have [4]"),
    ("linear.out", _linear(other=torch.ones(4)), torch.ones(2, 4),
     "what is added has shape [4], and the result has [2, 4]"),
    ("linear.out", _linear(activation="sine"), torch.ones(2, 4), "there is no activation sine"),
    ("linear.out", _linear(activation=""), torch.ones(2, 4), "there is no activation "),
    ("linear.out", _linear(input=torch.ones(2, 3).double()), torch.ones(2, 4), "there is no kernel for float64"),
    ("linear.out", _linear(weight=torch.ones(1, 3, 16).double()), torch.ones(2, 4), "there is no kernel for float64"),
    ("linear.out", _linear(bias=torch.ones(4).half()), torch.ones(2, 4),
     f"the bias is float16 of shape [4], {_IN_ORDER}"),
    ("linear.out", _linear(input=torch.ones(2, 3).half(), bias=torch.ones(4).bfloat16()), torch.ones(2, 4).half(),
     f"the bias is bfloat16 of shape [4], {_IN_ORDER}"),
    ("linear.out", _linear(input=torch.ones(2, 3).half(), other=torch.ones(2, 4)), torch.ones(2, 4).half(),
     "what is added is float32 of shape [2, 4], and should be float16 with its dimensions in order in memory"),
    ("linear.out", _linear(input=torch.ones(2, 3).half()), torch.ones(2, 4),
     "the result is float32 of shape [2, 4], and should be float16 with its dimensions in order in memory"),
    ("linear.out", _linear(bias=torch.ones(4).long()), torch.ones(2, 4),
     f"the bias is int64 of shape [4], {_IN_ORDER}"),
    ("linear.out", _linear(other=torch.ones(2, 4).double()), torch.ones(2, 4),
     f"what is added is float64 of shape [2, 4], {_IN_ORDER}"),
    ("linear.out", _linear(), torch.ones(2, 4).double(), f"the result is float64 of shape [2, 4], {_IN_ORDER}"),
    ("linear.out", _linear(), torch.ones(4, 2).t(), f"the result is float32 of shape [2, 4], {_IN_ORDER}"),
    ("linear.out", _linear(), torch.ones(2, 5), "the result has shape [2, 4], and its place is for [2, 5]"),
    ("linear_groups.out", _groups(input=torch.ones(())), torch.ones(4), "an input of shape [] has no 4 outputs"),
    ("linear_groups.out", _groups(weight=torch.ones(1, 16, 16).short()), torch.ones(2, 4),
     "the weight is int16, and should be int8, or int32 of eight numbers each"),
    ("linear_groups.out", _groups(group=3), torch.ones(2, 4), "groups of 3 do not divide 16 inputs"),
    ("linear_groups.out", _groups(group=0), torch.ones(2, 4), "groups of 0 do not divide 16 inputs"),
    ("linear_groups.out", _groups(group=4, weight=torch.ones(1, 2, 16).int()), torch.ones(2, 4),
     "groups of 4 do not divide 16 inputs of 4 bits, eight of which are one number"),
    ("linear_groups.out", _groups(weight=torch.ones(1, 16, 16).int()), torch.ones(2, 4),
     "the weight has shape [1, 16, 16], and should have [1, 2, 16]"),
    ("linear_groups.out", _groups(weight=torch.ones(1, 2, 16).char()), torch.ones(2, 4),
     "the weight has shape [1, 2, 16], and should have [1, 16, 16]"),
    ("linear_groups.out", _groups(scales=torch.ones(1, 1, 16)), torch.ones(2, 4),
     "the scale has shape [1, 1, 16], and should have [1, 2, 16]"),
    ("linear_groups.out", _groups(scales=torch.ones(1, 2, 16).half()), torch.ones(2, 4),
     f"the scale is float16 of shape [1, 2, 16], {_IN_ORDER}"),
    ("linear_groups.out", _groups(zeros=torch.ones(1, 2, 16).char()), torch.ones(2, 4),
     f"the zero point is int8 of shape [1, 2, 16], {_IN_ORDER}"),
    ("linear_groups.out", _groups(input=torch.ones(2, 16).double()), torch.ones(2, 4),
     "there is no kernel for float64"),
    ("linear_groups.out", _groups(bias=torch.ones(16)), torch.ones(2, 4),
     "the bias has shape [16], and should have [4]"),
    ("linear_groups.out", _groups(activation="sine"), torch.ones(2, 4), "there is no activation sine"),
    ("linear_groups.out", _groups(), torch.ones(2, 5), "the result has shape [2, 4], and its place is for [2, 5]"),
    ("convolution.out", _convolution(input=torch.ones(1, 4, 4)), _FOUR,
     f"an input of shape [1, 4, 4], 4 outputs, and 2, 2, 4 and 2 {_NO_IMAGES}"),
    ("convolution.out", _convolution(padding=[0, 0]), _FOUR,
     f"an input of shape [1, 1, 4, 4], 4 outputs, and 2, 2, 2 and 2 {_NO_IMAGES}"),
    ("convolution.out", _convolution(outputs=-1), _FOUR,
     f"an input of shape [1, 1, 4, 4], -1 outputs, and 2, 2, 4 and 2 {_NO_IMAGES}"),
    ("convolution.out", _convolution(kernel=[5, 3]), _FOUR, _NOT_FIT),
    ("convolution.out", _convolution(stride=[1, 0]), _FOUR,
     "a kernel of 3 points at stride 0, padding 0 and 0, and dilation 1 does not fit dim 3 of size 4"),
    ("convolution.out", _convolution(padding=[0, 0, -1, 2]), _FOUR,
     "a kernel of 3 points at stride 1, padding -1 and 2, and dilation 1 does not fit dim 3 of size 4"),
    ("convolution.out", _convolution(dilation=[2, 1]), _FOUR,
     "a kernel of 3 points at stride 1, padding 0 and 0, and dilation 2 does not fit dim 2 of size 4"),
    ("convolution.out", _convolution(weight=torch.ones(9, 16)), _FOUR,
     "the weight has shape [9, 16], and should have [1, 9, 16]"),
    ("convolution.out", _convolution(bias=torch.ones(16)), _FOUR, "the bias has shape [16], and should have [4]"),
    ("convolution.out", _convolution(other=torch.ones(1, 4, 1, 1)), _FOUR,
     "what is added has shape [1, 4, 1, 1], and the result has [1, 4, 2, 2]"),
    ("convolution.out", _convolution(other=torch.ones(1, 4, 2, 2)), _FOUR,
     f"what is added is float32 of shape [1, 4, 2, 2], {_LAST}"),
    ("convolution.out", _convolution(activation="sine"), _FOUR, "there is no activation sine"),
    ("convolution.out", _convolution(), _FOUR.contiguous(), f"the result is float32 of shape [1, 4, 2, 2], {_LAST}"),
    ("convolution.out", _convolution(input=_PLAIN, weight=torch.ones(1, 81, 16)), _FOUR,
     f"the input is float32 of shape [1, 9, 4, 4], {_LAST}"),
    ("convolution.out", _convolution(input=torch.ones(1, 1, 4, 4).double()), _FOUR,
     "dtypes float64 and float32 should be the same"),
    ("convolution.out", _convolution(input=torch.ones(1, 1, 19, 37), weight=torch.ones(1, 361, 16), kernel=[19, 19],
     dilation=[1, 2]), torch.ones(1, 4, 1, 1), "a kernel of 361 taps is too large"),
    ("convolution_depthwise.out", _depthwise(weight=torch.ones(1, 9)), _SINGLE,
     "the weight has shape [1, 9], and should have [9, 1]"),
    ("convolution_depthwise.out", _depthwise(bias=torch.ones(2)), _SINGLE,
     "the bias has shape [2], and should have [1]"),
    ("convolution_depthwise.out", _depthwise(other=torch.ones(1, 1, 2, 3)), _SINGLE,
     "what is added has shape [1, 1, 2, 3], and the result has [1, 1, 2, 2]"),
    ("convolution_depthwise.out", _depthwise(input=_PLAIN, weight=torch.ones(9, 9)), torch.ones(1, 9, 2, 2),
     f"the input is float32 of shape [1, 9, 4, 4], {_LAST}"),
    ("convolution_depthwise.out", _depthwise(input=torch.ones(1, 1, 4, 4).half()), _SINGLE,
     f"the input is float16 of shape [1, 1, 4, 4], {_LAST}"),
    ("convolution_depthwise.out", _depthwise(kernel=[5, 3]), _SINGLE, _NOT_FIT),
    ("convolution_depthwise.out", _depthwise(activation="sine"), _SINGLE, "there is no activation sine"),
    ("convolution_depthwise.out", _depthwise(input=torch.ones(4, 4)), _SINGLE,
     f"an input of shape [4, 4], 0 outputs, and 2, 2, 4 and 2 {_NO_IMAGES}"),
    ("convolution_then_depthwise.out", _both(kernel=[5, 3]), _FOUR, _NOT_FIT),
    ("convolution_then_depthwise.out", _both(depthwise_kernel=[5, 3]), _FOUR,
     "a kernel of 5 points at stride 1, padding 0 and 0, and dilation 1 does not fit dim 2 of size 2"),
    ("convolution_then_depthwise.out", _both(weight=torch.ones(9, 16)), _FOUR,
     "the weight has shape [9, 16], and should have [1, 9, 16]"),
    ("convolution_then_depthwise.out", _both(bias=torch.ones(16)), _FOUR,
     "the bias has shape [16], and should have [4]"),
    ("convolution_then_depthwise.out", _both(activation="sine"), _FOUR, "there is no activation sine"),
    ("convolution_then_depthwise.out", _both(input=_PLAIN, weight=torch.ones(1, 81, 16)), _FOUR,
     f"the input is float32 of shape [1, 9, 4, 4], {_LAST}"),
    ("convolution_then_depthwise.out", _both(input=torch.ones(1, 1, 4, 4).double()), _FOUR,
     "dtypes float64 and float32 should be the same"),
    ("convolution_then_depthwise.out", _both(depthwise_weight=torch.ones(4, 1)), _FOUR,
     "the depthwise weight has shape [4, 1], and should have [1, 4]"),
    ("convolution_then_depthwise.out", _both(depthwise_bias=torch.ones(5)), _FOUR,
     "the depthwise bias has shape [5], and should have [4]"),
    ("convolution_then_depthwise.out", _both(depthwise_activation="sine"), _FOUR, "there is no activation sine"),
    ("convolution_then_depthwise.out", _both(), _FOUR.contiguous(),
     f"the result is float32 of shape [1, 4, 2, 2], {_LAST}"),
    ("convolution_then_depthwise.out", _both(), torch.ones(1, 4, 3, 3).contiguous(**LAST),
     "the result has shape [1, 4, 2, 2], and its place is for [1, 4, 3, 3]"),
    ("convolution_then_depthwise.out", _both(input=torch.ones(1, 1, 19, 37), weight=torch.ones(1, 361, 16),
     kernel=[19, 19], dilation=[1, 2]), torch.ones(1, 4, 1, 1), "a kernel of 361 taps is too large"),
    ("convolution_winograd.out", _winograd(weight=torch.ones(1, 9, 16)), _FOUR,
     "the weight has shape [1, 9, 16], and should have [36, 1, 1, 16]"),
    ("convolution_winograd.out", _winograd(bias=torch.ones(3)), _FOUR, "the bias has shape [3], and should have [4]"),
    ("convolution_winograd.out", _winograd(other=torch.ones(4, 2, 2)), _FOUR,
     "what is added has shape [4, 2, 2], and the result has [1, 4, 2, 2]"),
    ("convolution_winograd.out", _winograd(input=_PLAIN, weight=torch.ones(36, 1, 9, 16)), _FOUR,
     f"the input is float32 of shape [1, 9, 4, 4], {_LAST}"),
    ("convolution_winograd.out", _winograd(input=torch.ones(1, 1, 4, 2)), _FOUR,
     "a kernel of 3 points at stride 1, padding 0 and 0, and dilation 1 does not fit dim 3 of size 2"),
    ("convolution_winograd.out", _winograd(activation="sine"), _FOUR, "there is no activation sine"),
    ("convolution_into.out", _into(_convolution, first=3), _SIX,
     "channels from 3 on, 4 of them, are not inside of 6"),
    ("convolution_into.out", _into(_convolution, first=-1), _SIX,
     "channels from -1 on, 4 of them, are not inside of 6"),
    ("convolution_into.out", _into(_convolution, wide=_FOUR), _SIX,
     "what the other channels are of has shape [1, 4, 2, 2], and the result has [1, 6, 2, 2]"),
    ("convolution_into.out", _into(_convolution, wide=_SIX.contiguous()), _SIX,
     f"what the other channels are of is float32 of shape [1, 6, 2, 2], {_LAST}"),
    ("convolution_into.out", _into(_convolution), _SIX.contiguous(),
     f"the result is float32 of shape [1, 6, 2, 2], {_LAST}"),
    ("convolution_into.out", _into(_convolution, kernel=[5, 3]), _SIX, _NOT_FIT),
    ("convolution_winograd_into.out", _into(_winograd, channels=3, first=0), _SIX,
     "channels from 0 on, 4 of them, are not inside of 3"),
    ("convolution_winograd_into.out", _into(_winograd, activation="sine"), _SIX, "there is no activation sine"),
    ("max_pool.out", _window(input=_PLAIN), torch.ones(1, 9, 2, 2),
     f"the input is float32 of shape [1, 9, 4, 4], {_LAST}"),
    ("max_pool.out", _window(input=torch.ones(1, 1, 4, 4).long()), _SINGLE,
     f"the input is int64 of shape [1, 1, 4, 4], {_LAST}"),
    ("max_pool.out", _window(kernel=[5, 3]), _SINGLE, _NOT_FIT),
    ("max_pool.out", _window(), torch.ones(1, 1, 3, 3),
     "the result has shape [1, 1, 2, 2], and its place is for [1, 1, 3, 3]"),
    ("max_pool.out", _window(input=torch.ones(1, 1, 20, 20), kernel=[20, 20]), torch.ones(1, 1, 1, 1),
     "a window of 400 points is too large"),
]  # fmt: skip
PACKED_REFUSED = [(f"tenon::{op}", *rest) for op, *rest in _REFUSED]
