"""Calls of the quantised operators, beside torch's own definitions of them, or beside the sentence that defines one."""

import itertools
import math

import torch
import torch.ao.quantization.fx._decomposed  # defines the operators

from native.samples import Call

NAMESPACE = torch.ops.quantized_decomposed
BOUNDS = {
    torch.uint8: (0, 255), torch.int8: (-128, 127), torch.int16: (-32768, 32767), torch.int32: (-(2**31), 2**31 - 1),
}  # fmt: skip
SHORT_FLOATS = (torch.float32, torch.float16, torch.bfloat16)
FLOATS = (*SHORT_FLOATS, torch.float64)
SHAPES = ((), (0,), (300,), (2, 3), (0, 3), (2, 3, 4, 5), (3, 700))
EDGES = [0.5, 1.5, 2.5, -0.5, -1.5, 1e4, -1e4, math.inf, -math.inf, math.nan, -0.0]


def reals(shape, dtype, seed=0):
    """Numbers around 0, some of which are ties, too large, or none."""
    generator = torch.Generator().manual_seed(seed + math.prod(shape))
    made = torch.randn(shape, generator=generator) * 40
    if made.numel() > len(EDGES):
        made.view(-1)[: len(EDGES)] = torch.tensor(EDGES)
    return made.to(dtype)


def plain_reals(shape, dtype, seed=0):
    return torch.nan_to_num(reals(shape, dtype, seed), 1.0, 2.0, -2.0)


def wholes(shape, dtype, seed=0):
    generator = torch.Generator().manual_seed(seed + math.prod(shape))
    low, high = BOUNDS[dtype]
    return torch.randint(low, high + 1, shape, generator=generator).to(dtype)


def scales(shape, dtype=torch.float32):
    return (torch.arange(math.prod(shape)).view(shape) % 7 * 0.25 + 0.5).to(dtype)


def zero_points(shape, dtype=torch.int64):
    return (torch.arange(math.prod(shape)).view(shape) % 5 - 1).to(dtype)


def call(op, functional, *arguments, **more):
    given = dict(zip([argument.name for argument in functional._schema.arguments], arguments, strict=False)) | more
    results = functional(*arguments, **more)
    return Call(op, given, tuple(results) if isinstance(results, (list, tuple)) else (results,))


def limits(dtype):
    yield BOUNDS[dtype]
    yield (0, 100)


# --- to quantised numbers ---------------------------------------------------------------------------------------


def quantize_calls(op, dtype):
    functional = NAMESPACE.quantize_per_tensor.default
    if dtype not in SHORT_FLOATS:
        return
    if "Tensor" not in op:  # where a float has no number as large as the limit, torch lets it wrap around
        low, high = BOUNDS[torch.int32]
        given = {"input": torch.tensor([math.inf, -math.inf], dtype=dtype), "scale": 1.0, "zero_point": 0}
        given |= {"quant_min": low, "quant_max": high, "dtype": torch.int32}
        yield Call(op, given, (torch.tensor([high, low], dtype=torch.int32),))
    for shape, wanted in itertools.product(SHAPES, BOUNDS):
        for low, high in limits(wanted):
            # What is too large for an int32 is not defined in torch.
            numbers = plain_reals(shape, dtype) if wanted == torch.int32 else reals(shape, dtype)
            for scale, zero_point in ((1.0, 0), (0.37, 3)):
                found = call(op, functional, numbers, scale, zero_point, low, high, wanted)
                if "Tensor" not in op:
                    yield found
                    continue
                as_tensors = {
                    "scale": torch.tensor([scale], dtype=torch.float64),
                    "zero_point": torch.tensor(zero_point),
                }
                if "Tensor2" in op:
                    as_tensors |= {"quant_min": torch.tensor(low), "quant_max": torch.tensor([high])}
                yield Call(op, found.arguments | as_tensors, found.results)


def quantize_channel_calls(op, dtype):
    if dtype not in SHORT_FLOATS:
        return
    functional = NAMESPACE.quantize_per_channel.default
    places = [((5,), 0), ((2, 3), 0), ((2, 3), 1), ((2, 3), -1), ((0, 3), 1), ((2, 3, 4, 5), 1), ((4, 300), 0)]
    for (shape, axis), wanted, kind in itertools.product(places, BOUNDS, (torch.float32, torch.float64)):
        numbers = plain_reals(shape, dtype) if wanted == torch.int32 else reals(shape, dtype)
        given = scales((shape[axis],), kind), zero_points((shape[axis],))
        yield call(op, functional, numbers, *given, axis, *BOUNDS[wanted], wanted)


def quantize_token_calls(op, dtype):
    functional = NAMESPACE.quantize_per_token.default
    for shape, wanted, kind in itertools.product(SHAPES[1:], BOUNDS, (torch.float32, torch.float64)):
        if dtype in FLOATS:
            numbers = plain_reals(shape, dtype) if wanted == torch.int32 else reals(shape, dtype)
        else:  # what a negative float is as a uint8 is not defined
            numbers = plain_reals(shape, torch.float32).abs().clamp(max=100).to(dtype)
        each = (*shape[:-1], 1)
        yield call(op, functional, numbers, scales(each, kind), zero_points(each), *BOUNDS[wanted], wanted)


# Rows, columns, and the size of a group; one larger than a row is the whole row, if that has one scale.
GROUPS = [((3, 8), 4), ((2, 64), 32), ((4, 600), 300), ((0, 8), 4), ((2, 6), 6), ((3, 5), 9)]


def group_parameters(shape, size, kind):
    each = (shape[0], max(shape[1] // size, 1))
    return scales(each, kind), zero_points(each)


def quantize_group_calls(op, dtype):
    functional = NAMESPACE.quantize_per_channel_group.default
    found = itertools.product(GROUPS, BOUNDS, (torch.float32, torch.float64), (None, (-8, 7)))
    for (shape, size), wanted, kind, bounds in found:
        if bounds is None or wanted != torch.uint8:
            given = *group_parameters(shape, size, kind), *(bounds or BOUNDS[wanted]), wanted, size
            numbers = plain_reals(shape, torch.float32).abs().clamp(max=100)
            yield call(op, functional, plain_reals(shape, dtype) if dtype in FLOATS else numbers.to(dtype), *given)
            if dtype in FLOATS:  # halves, which are ties where a scale is 1
                yield call(op, functional, ((numbers * 2).round() / 2).to(dtype), *given)


# --- from quantised numbers -------------------------------------------------------------------------------------


def kinds(dtype):
    """Which are dequantised to which: of one dtype to all, and of all to one."""
    if dtype in BOUNDS:
        yield from ((dtype, result) for result in (None, *FLOATS))
    elif dtype in FLOATS:
        yield from ((each, dtype) for each in BOUNDS)


def numbers_for(shape, stored, result):
    """Such that a difference is exact in 16 bits, where torch rounds it."""
    numbers = wholes(shape, stored)
    return numbers if stored.itemsize == 1 or result in (None, torch.float32, torch.float64) else numbers % 100


def dequantize_calls(op, dtype):
    functional = NAMESPACE.dequantize_per_tensor.default
    for shape, (stored, result) in itertools.product(SHAPES, kinds(dtype)):
        given = numbers_for(shape, stored, result)
        found = call(op, functional, given, 0.37, 3, *BOUNDS[stored], stored, out_dtype=result)
        if "Tensor" not in op:
            yield found
            continue
        as_tensors = {"scale": torch.tensor(0.37, dtype=torch.float64), "zero_point": torch.tensor([3])}
        if "Tensor2" in op:
            as_tensors |= {"quant_min": torch.tensor(0), "quant_max": torch.tensor(0)}
        yield Call(op, found.arguments | as_tensors, found.results)


def dequantize_channel_calls(op, dtype):
    functional = NAMESPACE.dequantize_per_channel.default
    places = [((5,), 0), ((2, 3), 0), ((2, 3), -1), ((0, 3), 1), ((2, 3, 4, 5), 1), ((4, 300), 0)]
    for (shape, axis), (stored, result) in itertools.product(places, kinds(dtype)):
        each = (shape[axis],)
        for kind, zeros in itertools.product((torch.float32, torch.float64), (None, zero_points(each))):
            given = wholes(shape, stored), scales(each, kind), zeros, axis, *BOUNDS[stored], stored
            yield call(op, functional, *given, out_dtype=result)


def dequantize_token_calls(op, dtype):
    functional = NAMESPACE.dequantize_per_token.default
    for shape, (stored, result) in itertools.product(SHAPES[1:], kinds(dtype)):
        each = (*shape[:-1], 1)
        for kind in (torch.float32, torch.float64):
            given = wholes(shape, stored), scales(each, kind), zero_points(each), *BOUNDS[stored], stored
            yield call(op, functional, *given, result or torch.float32)


def dequantize_group_calls(op, dtype):
    functional = NAMESPACE.dequantize_per_channel_group.default
    for (shape, size), (stored, result) in itertools.product(GROUPS, kinds(dtype)):
        for kind, has_zeros in itertools.product((torch.float32, torch.float64), (False, True)):
            each, zeros = group_parameters(shape, size, kind)
            given = wholes(shape, stored), each, zeros if has_zeros else None, *BOUNDS[stored], stored, size
            yield call(op, functional, *given, result or torch.float32)


def convert_calls(op, dtype):
    for shape, wanted in itertools.product(SHAPES, FLOATS):
        numbers = reals(shape, dtype) if dtype in FLOATS else wholes(shape, dtype) if dtype in BOUNDS else None
        if numbers is not None:
            yield call(op, NAMESPACE.convert_element_type.no_fuse, numbers, wanted)


# --- the choice of scales -----------------------------------------------------------------------------------------


def choose_calls(op, dtype):
    if dtype not in SHORT_FLOATS:
        return
    functional = (NAMESPACE.choose_qparams_symmetric if "symmetric" in op else NAMESPACE.choose_qparams).tensor
    for shape, wanted in itertools.product(((), (1,), (2, 3), (2, 3, 4, 5), (700,)), list(BOUNDS)[:3]):
        for numbers in (
            plain_reals(shape, dtype),
            plain_reals(shape, dtype).abs() / 1e3,
            torch.zeros(shape, dtype=dtype),
        ):
            yield call(op, functional, numbers, *BOUNDS[wanted], 1e-5, wanted)


def choose_token_calls(op, dtype):
    if dtype not in FLOATS:
        return
    functional = getattr(NAMESPACE, op.partition("::")[2].partition(".")[0]).default
    for shape in ((1,), (300,), (5, 7), (0, 3), (2, 3, 4, 5)):
        for numbers in (plain_reals(shape, dtype), -plain_reals(shape, dtype).abs(), torch.zeros(shape, dtype=dtype)):
            yield call(op, functional, numbers, torch.int8)
            if shape == (1,):  # a number alone is a token of one
                yield Call(op, {"input": numbers[0], "dtype": torch.int8}, functional(numbers, torch.int8))


# --- tables -------------------------------------------------------------------------------------------------------


def packed(numbers, bits):
    """So many to a byte: two with the first one high, four with the first one lowest."""
    if bits == 8:
        return numbers
    count = 8 // bits
    parts = (numbers.int() + 2 ** (bits - 1)).unflatten(-1, (-1, count))
    shifts = torch.tensor([4, 0] if bits == 4 else [0, 2, 4, 6])
    return (parts << shifts).sum(-1).to(torch.uint8)


def dequantized(numbers, scale, zero_point):
    groups = scale.view(scale.shape[0], -1)
    parts = numbers.double().unflatten(-1, (groups.shape[1], -1))
    shift = 0 if zero_point is None else zero_point.double().view_as(groups)[..., None]
    return ((parts - shift) * groups.double()[..., None]).flatten(-2)


def tables(bits, dtype, stored=torch.int8):
    """Numbers, their scales and their zero points."""
    low, high = BOUNDS[stored] if bits == 8 else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for (rows, columns), groups in itertools.product(((4, 8), (3, 600)), (0, 1, 2)):
        numbers = (wholes((rows, columns), torch.int8).int() % (high - low + 1) + low).to(stored)
        shape = (rows, groups) if groups else (rows,)
        for zeros in (None, zero_points(shape, dtype)):
            yield numbers, scales(shape, dtype), zeros


def embedding_calls(op, dtype):
    bits = {"embedding_byte": 8, "embedding_4bit": 4, "embedding_2bit": 2}[op.partition("::")[2].partition(".")[0]]
    index_dtype = dtype if dtype in (torch.int32, torch.int64) else torch.int64
    if dtype not in SHORT_FLOATS and dtype != index_dtype and (bits < 8 or dtype not in (torch.uint8, torch.int8)):
        return
    stored = dtype if dtype == torch.uint8 else torch.int8
    found = itertools.product(
        tables(bits, dtype if dtype in SHORT_FLOATS else torch.float32, stored),
        ([], [0, 2, 2, 1], [[[1], [0]]], 2),
        (None, *SHORT_FLOATS) if "dtype" in op else (None,),
    )
    for (numbers, scale, zeros), indices, result in found:
        index = torch.tensor(indices, dtype=index_dtype)
        low, high = BOUNDS[stored] if bits == 8 else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        given = {
            "weight": packed(numbers, bits), "weight_scales": scale, "weight_zero_points": zeros,
            "weight_quant_min": low, "weight_quant_max": high, "indices": index, "dtype": result,
        }  # fmt: skip
        yield Call(op, given, (dequantized(numbers, scale, zeros)[index.long()].to(result or scale.dtype),))


def mixed_calls(op, dtype):
    if dtype not in SHORT_FLOATS:
        return
    for (numbers, scale, zeros), height in itertools.product(tables(8, dtype), (0, 1, 11)):
        table = dequantized(numbers, scale, zeros)
        table = table.T if "linear" in op else table
        numbers_in = plain_reals((height, table.shape[0]), dtype)
        # Of many, whole numbers: their sum is exact, in whatever order.
        numbers_in = numbers_in / 64 if table.shape[0] < 9 else (numbers_in / 64).round()
        given = {"input": numbers_in, "weight": numbers, "weight_scales": scale, "weight_zero_points": zeros}
        for result in (None, *SHORT_FLOATS) if "linear" in op else (None,):
            yield Call(op, given | {"dtype": result}, ((numbers_in.double() @ table).to(result or dtype),))


# --- a sum --------------------------------------------------------------------------------------------------------


def add_calls(op, dtype):
    """It is computed in float32, of any of the dtypes."""
    for stored in BOUNDS if dtype == torch.float32 else {dtype} & BOUNDS.keys():
        low, high = BOUNDS[stored]
        for a, b in [((), ()), ((0,), (0,)), ((300,), (300,)), ((2, 3, 4, 5), (2, 3, 4, 5)), ((2, 3), (3,))]:
            x, y = wholes(a, stored) // 2, wholes(b, stored, 1) // 3
            one = NAMESPACE.dequantize_per_tensor(x, 0.3, 2, low, high, stored)
            other = NAMESPACE.dequantize_per_tensor(y, 0.7, 1, low, high, stored)
            result = NAMESPACE.quantize_per_tensor(one + other, 0.9, 4, low, high, stored)
            values = [x, 0.3, 2, low, high, y, 0.7, 1, low, high, 0.9, 4, low, high]
            per = ("", "_scale", "_zero_point", "_quant_min", "_quant_max")
            names = [f"{name}{part}" for name in ("a", "b") for part in per] + [f"out{part}" for part in per[1:]]
            yield Call(op, dict(zip(names, values, strict=True)), (result,))


_CALLS = {
    "quantize_per_tensor.out": quantize_calls,
    "quantize_per_tensor.Tensor_out": quantize_calls,
    "quantize_per_tensor.Tensor2_out": quantize_calls,
    "quantize_per_channel.out": quantize_channel_calls,
    "quantize_per_channel_group.out": quantize_group_calls,
    "quantize_per_token.out": quantize_token_calls,
    "dequantize_per_tensor.out": dequantize_calls,
    "dequantize_per_tensor.Tensor_out": dequantize_calls,
    "dequantize_per_tensor.Tensor2_out": dequantize_calls,
    "dequantize_per_channel.out": dequantize_channel_calls,
    "dequantize_per_channel_group.out": dequantize_group_calls,
    "dequantize_per_token.out": dequantize_token_calls,
    "convert_element_type.no_fuse_out": convert_calls,
    "choose_qparams.Tensor_out": choose_calls,
    "choose_qparams_symmetric.Tensor_out": choose_calls,
    "choose_qparams_per_token.out": choose_token_calls,
    "choose_qparams_per_token_asymmetric.out": choose_token_calls,
    "mixed_mm.out": mixed_calls,
    "mixed_linear.out": mixed_calls,
    "add.out": add_calls,
} | {f"embedding_{bits}.{kind}": embedding_calls for bits in ("byte", "4bit", "2bit") for kind in ("out", "dtype_out")}
QUANTIZED = {f"quantized_decomposed::{name}": calls for name, calls in _CALLS.items()}
KEEP_ORDER = {f"quantized_decomposed::{name}" for name in _CALLS if "quantize_per" in name or name == "add.out"}


# --- refusals -----------------------------------------------------------------------------------------------------


def _quantize(low=-128, high=127, **other):
    given = {"input": torch.ones(3), "scale": 0.5, "zero_point": 0, "dtype": torch.int8}
    return given | {"quant_min": low, "quant_max": high} | other


def _embedding(index, **other):
    given = {"weight": torch.zeros(4, 2, dtype=torch.uint8), "weight_scales": torch.ones(4)}
    return given | {"weight_quant_min": -8, "weight_quant_max": 7, "indices": torch.tensor([0, index])} | other


_SMALL = torch.zeros(3, dtype=torch.int8)
_CHANNELS = {"scales": torch.ones(2), "zero_points": torch.zeros(2), "axis": 0}
_REFUSED = [
    ("quantize_per_tensor.out", _quantize(-129), _SMALL, "int8 does not reach from -129 to 127"),
    ("quantize_per_tensor.out", _quantize(0, 255), _SMALL, "int8 does not reach from 0 to 255"),
    ("quantize_per_tensor.out", _quantize(scale=0.0), _SMALL, "a scale is 0"),
    ("quantize_per_tensor.out", _quantize(), _SMALL.byte(), "the result is int8, and its place is uint8"),
    ("quantize_per_tensor.Tensor_out", _quantize(scale=torch.ones(2), zero_point=torch.zeros(1)), _SMALL,
     "a scale, a zero point or a limit has shape [2], and should be one number"),
    ("quantize_per_tensor.Tensor2_out", _quantize(
        torch.zeros(2), torch.ones(1), scale=torch.ones(1), zero_point=torch.zeros(1)), _SMALL,
     "a scale, a zero point or a limit has shape [2], and should be one number"),
    ("quantize_per_channel_group.out", _quantize(input=torch.ones(2, 6)) | _CHANNELS | {"group_size": 4},
     torch.zeros(2, 6, dtype=torch.int8), "shape [2, 6] is not one of rows in groups of 4"),
    ("quantize_per_channel_group.out", _quantize(input=torch.ones(2, 6)) | _CHANNELS | {"group_size": 3},
     torch.zeros(2, 6, dtype=torch.int8), "scales or zero points of shape [2] are not one for each of [2, 2, 1]"),
    ("dequantize_per_channel_group.out", _quantize(input=_SMALL) | _CHANNELS | {"group_size": 3,
     "output_dtype": torch.float32}, torch.ones(3), "shape [3] is not one of rows in groups of 3"),
    ("quantize_per_channel.out", _quantize() | _CHANNELS, _SMALL,
     "scales or zero points of shape [2] are not one for each of [3]"),
    ("quantize_per_channel.out", _quantize() | _CHANNELS | {"axis": 1}, _SMALL,
     "there is no dimension 1 in a tensor of rank 1"),
    ("dequantize_per_tensor.out", _quantize(input=_SMALL.byte()), torch.ones(3), "it is uint8, and said to be int8"),
    ("convert_element_type.no_fuse_out", {"input": torch.ones(3), "dtype": torch.float16}, torch.ones(3),
     "the result is float16, and its place is float32"),
    ("choose_qparams.Tensor_out", {"input": torch.ones(0, 3), "quant_min": 0, "quant_max": 9, "eps": 1e-3,
     "dtype": torch.uint8}, torch.ones(1), "in shape [0, 3] there is nothing to choose a scale by"),
    ("choose_qparams_symmetric.Tensor_out", {"input": torch.ones(3), "quant_min": 9, "quant_max": 9, "eps": 1e-3,
     "dtype": torch.uint8}, torch.ones(1), "there is no uint8 from 9 to 9"),
    ("choose_qparams_per_token.out", {"input": torch.ones(2, 3), "dtype": torch.uint8}, torch.ones(2, 1),
     "tokens become int8, and not uint8"),
    ("embedding_4bit.out", _embedding(4), torch.ones(2, 4),
     "index 4 at position 1 is outside of dim 0, which has size 4"),
    ("embedding_4bit.out", _embedding(-1), torch.ones(2, 4),
     "index -1 at position 1 is outside of dim 0, which has size 4"),
    ("embedding_4bit.out", _embedding(1, weight_quant_max=8), torch.ones(2, 4),
     "the weights reach from -8 to 7, and are said to from -8 to 8"),
    ("embedding_4bit.out", _embedding(1, weight_scales=torch.ones(4, 3)), torch.ones(2, 4),
     "scales of shape [4, 3] do not go with weights of shape [4, 2], 2 in a byte"),
    ("mixed_mm.out", {"input": torch.ones(2, 3), "weight": torch.zeros(4, 2, dtype=torch.int8),
     "weight_scales": torch.ones(4)}, torch.ones(2, 2), "there is no product of shapes [2, 3] and [4, 2]"),
]  # fmt: skip
QUANTIZED_REFUSED = [(f"quantized_decomposed::{op}", *rest) for op, *rest in _REFUSED]
