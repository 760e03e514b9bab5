"""Samples of scans, and of what orders, picks or counts elements: many are equal, and some are no number."""

import math

import torch

from native.samples import Call

aten = torch.ops.aten
SHORT = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)


def few(shape, dtype, seed=0, nan=True):
    """Numbers of which many are equal."""
    generator = torch.Generator().manual_seed(seed + math.prod(shape))
    made = torch.randint(0, 7, shape, generator=generator)
    if dtype == torch.bool:
        return made > 3
    made = made.to(dtype) if dtype == torch.uint8 else (made - 3).to(dtype)
    return torch.where(made == 3, math.nan, made / 2).to(dtype) if dtype.is_floating_point and nan else made


def spread(shape, dtype, seed=0):
    generator = torch.Generator().manual_seed(seed + math.prod(shape))
    return (torch.randn(shape, generator=generator) * 4).to(dtype)


def called(op, functional, *arguments, **named):
    """What torch gives, if it takes these arguments."""
    try:
        result = functional(*arguments, **named)
    except (RuntimeError, NotImplementedError, IndexError):
        return
    names = [argument.name for argument in functional._schema.arguments]
    results = tuple(result) if isinstance(result, (list, tuple)) else (result,)
    yield Call(op, dict(zip(names, arguments, strict=False)) | named, results, functional)


ROWS = [((), 0), ((), -1), ((0,), 0), ((1,), 0), ((3, 0), 0), ((0, 3), 1), ((5, 4), 0), ((5, 4), -1), ((2, 3, 4, 5), 1),
        ((300,), 0), ((2, 700), 1)]  # fmt: skip


def scan_calls(op, dtype):
    functional = getattr(aten, op[6:-4]).default
    for shape, dim in ROWS:
        yield from called(op, functional, few(shape, dtype), dim)
        yield from called(op, functional, few(shape, dtype, nan=False), dim)
    if "cumsum." in op or "cumprod" in op:
        for other in (torch.int32, torch.float32, torch.float64):
            yield from called(op, functional, few((3, 5), dtype, nan=False), 1, dtype=other)
    if dtype.is_floating_point:
        for values in ([math.inf, -math.inf, 1], [-math.inf, -math.inf, 2], [math.inf, math.inf], [-0.0, 0.0, -0.0]):
            yield from called(op, functional, torch.tensor(values, dtype=dtype), 0)
        if "log" in op:
            yield from called(op, functional, spread((2, 300), dtype), 1)
            yield from called(op, functional, torch.tensor([-200.0, 80, 80.5, 90], dtype=dtype), 0)


def sort_calls(op, dtype):
    for shape, dim in ROWS:
        for descending in (False, True):
            given = few(shape, dtype)
            if op == "aten::sort.values":
                yield from called(op, aten.sort.default, given, dim, descending)
            else:
                yield from called(op, aten.sort.stable, given, stable=True, dim=dim, descending=descending)


def topk_calls(op, dtype):
    for shape, dim in ROWS:
        size = shape[dim] if shape else 1
        for k in sorted({0, 1, size // 100, size // 2, size} - ({0} if not shape else set())):
            for largest in (True, False):
                yield from called(op, aten.topk.default, few(shape, dtype), k, dim, largest)


def pick_calls(op, dtype):
    functional = getattr(aten, op[6:].partition(".")[0]).default
    for shape, dim in [*ROWS, ((4, 17), 1), ((3, 40, 2), 1)]:
        for keepdim in (False, True):
            given = few(shape, dtype, nan="mode" not in op)  # where torch's mode has an order of no numbers is not told
            if "kthvalue" in op:
                size = shape[dim] if shape else 1
                for k in sorted({1, size // 3, size}):
                    yield from called(op, functional, given, k, dim, keepdim)
            else:
                yield from called(op, functional, given, dim, keepdim)


def search_calls(op, dtype):
    if dtype == torch.bool:
        return
    flat, rows = few((9,), dtype, nan=False), few((2, 3, 7), dtype, nan=False)
    scalar = "Scalar" in op
    functional = aten.searchsorted.Scalar if scalar else aten.searchsorted.Tensor
    for other in (dtype, torch.float16, torch.float32, torch.float64, torch.int64, torch.uint8):
        for named in ({}, {"right": True}, {"side": "right"}, {"side": "left", "out_int32": True}):
            if scalar:
                for value in (2, -1, 1.5, math.nan, 300):
                    yield from called(op, functional, flat.sort()[0], value, **named)
                continue
            for shape in ((), (0,), (4, 5)):
                yield from called(op, functional, flat.sort()[0], few(shape, other), **named)
            yield from called(op, functional, rows.sort()[0], few((2, 3, 4), other), **named)
            yield from called(op, functional, rows, few((2, 3, 4), other), sorter=rows.argsort(), **named)
            yield from called(op, functional, flat[:0], few((3,), other), **named)


def unique_calls(op, dtype):
    for shape in ((), (0,), (0, 2), (1,), (30,), (4, 2, 3), (300,)):
        given = few(shape, dtype)
        for wanted in ([False, False], [True, True], [True, False], [False, True]):
            if "_unique2" in op:
                yield from called(op, aten._unique2.default, given, True, *wanted)
            elif "consecutive" in op:
                yield from called(op, aten.unique_consecutive.default, given, *wanted)
    for shape, dim in (((9,), 0), ((8, 2), 0), ((2, 9, 1), 1), ((2, 9), -1), ((3, 0), 1), ((0, 3), 0)):
        given = few(shape, dtype, nan=False)
        for wanted in ([True, True], [False, False]):
            if "consecutive" in op:
                yield from called(op, aten.unique_consecutive.default, given, *wanted, dim)
            elif "dim" in op:
                yield from called(op, aten.unique_dim.default, given, dim, True, *wanted)


def nonzero_calls(op, dtype):
    for shape in ((), (0,), (2, 0), (7,), (2, 3, 4, 5)):
        for size in (0, 2, 200):
            for fill in (-1, 5):
                yield from called(op, aten.nonzero_static.default, few(shape, dtype), size=size, fill_value=fill)


def scatter_calls(op, dtype):
    index = torch.tensor([[0, 1, 2, 1], [2, 0, 1, 1]])
    for reduce in ("add", "multiply"):
        for dim in (0, -1):
            tensors = few((3, 4), dtype), dim, index
            if "value" in op:
                for value in (2, 0.75, True):
                    yield from called(op, aten.scatter.value_reduce, *tensors, value, reduce=reduce)
            else:
                yield from called(op, aten.scatter.reduce, *tensors, few((2, 4), dtype, 1), reduce=reduce)
        if "value" not in op:
            yield from called(op, aten.scatter.reduce, few((), dtype), 0, index[0, 0], few((), dtype, 1), reduce=reduce)


def segment_calls(op, dtype):
    for reduce in ("sum", "mean", "prod", "max", "min"):
        for initial in (None, 2):
            for nan in (False, True):
                named = {"initial": initial, "unsafe": False}
                data = few((6, 3), dtype, nan=nan)
                for lengths in ([2, 0, 3, 1], [6], [0, 0, 6]):
                    for type in (torch.int64, torch.int32):
                        given = torch.tensor(lengths, dtype=type)
                        yield from called(op, aten.segment_reduce.default, data, reduce, lengths=given, **named)
                ends = torch.tensor([0, 2, 2, 6])
                yield from called(op, aten.segment_reduce.default, data, reduce, offsets=ends, **named)
                rows = torch.tensor([[1, 2, 2], [0, 5, 0]])
                given = few((2, 5, 2), dtype, nan=nan)
                yield from called(op, aten.segment_reduce.default, given, reduce, lengths=rows, axis=1, **named)


def bincount_calls(op, dtype):
    for values in ([], [3], [0, 5, 5, 2]) if dtype in SHORT else ():
        for least in (0, 3, 9):
            given = torch.tensor(values, dtype=dtype)
            yield from called(op, aten.bincount.default, given, None, least)
            for type in (torch.float32, torch.float64, torch.int32, torch.float16):
                yield from called(op, aten.bincount.default, given, few((len(values),), type, nan=False), least)


def histogram_calls(op, dtype):
    for shape in ((), (0,), (40,), (3, 50)) if dtype.is_floating_point else ():
        for bins, low, high in ((4, 0, 0), (1, -1, 1), (7, -2.5, 3), (100, 2, 2)):
            yield from called(op, aten.histc.default, spread(shape, dtype), bins, low, high)
    if dtype.is_floating_point:
        edges = torch.tensor([math.nan, 0.0, 1.0, 0.25, 0.5, -0.0], dtype=dtype)
        yield from called(op, aten.histc.default, edges, 4, 0, 1)
        large = torch.tensor(1e4 if dtype == torch.float16 else 2.0**40, dtype=dtype)
        yield from called(op, aten.histc.default, large, 3)
        # Whose bin depends on whether the ends are rounded to bfloat16.
        yield from called(op, aten.histc.default, torch.tensor([0.05517578125], dtype=dtype), 100, -0.1162109375, 0.1)


def part_calls(op, dtype):
    for shape in ((3, 4), (2, 3, 4, 5)):
        if "strided" in op:
            given = few(shape, dtype)
            for size, stride, offset in (([2, 2], [3, 1], 1), ([3], [2], None), ([], [], 4), ([0, 2], [1, 1], 0)):
                src = few(size, dtype, 1)
                yield from called(op, aten.as_strided_scatter.default, given, src, size, stride, offset)
            continue
        for offset, dim1, dim2 in ((0, 0, 1), (1, 0, 1), (-2, -1, 0), (9, 0, 1)):
            given = few(shape, dtype)
            src = few(given.diagonal(offset, dim1, dim2).shape, dtype, 1)
            yield from called(op, aten.diagonal_scatter.default, given, src, offset, dim1, dim2)


def pool_calls(op, dtype):
    for shape in ((2, 5, 6), (2, 3, 7, 5), (0, 2, 4, 4)) if dtype.is_floating_point else ():
        for size in ([1, 1], [3, 2], [9, 4], [0, 2]):
            yield from called(op, aten.adaptive_max_pool2d.default, few(shape, dtype), size)


def grid_calls(op, dtype):
    if not dtype.is_floating_point:
        return
    image, grid = spread((2, 3, 4, 5, 3), dtype), spread((2, 3, 2, 4, 3), dtype) / 3
    for mode in range(2):
        for padding in range(3):
            for align in (True, False):
                yield from called(op, aten.grid_sampler_3d.default, image, grid, mode, padding, align)


ORDERED = {
    "aten::cumsum.out": scan_calls,
    "aten::cumprod.out": scan_calls,
    "aten::logcumsumexp.out": scan_calls,
    "aten::cummax.out": scan_calls,
    "aten::cummin.out": scan_calls,
    "aten::sort.values": sort_calls,
    "aten::sort.values_stable": sort_calls,
    "aten::topk.values": topk_calls,
    "aten::kthvalue.values": pick_calls,
    "aten::mode.values": pick_calls,
    "aten::searchsorted.Tensor_out": search_calls,
    "aten::searchsorted.Scalar_out": search_calls,
    "aten::_unique2.out": unique_calls,
    "aten::unique_dim.out": unique_calls,
    "aten::unique_consecutive.out": unique_calls,
    "aten::nonzero_static.out": nonzero_calls,
    "aten::scatter.reduce_out": scatter_calls,
    "aten::scatter.value_reduce_out": scatter_calls,
    "aten::segment_reduce.out": segment_calls,
    "aten::bincount.out": bincount_calls,
    "aten::histc.out": histogram_calls,
    "aten::diagonal_scatter.out": part_calls,
    "aten::as_strided_scatter.out": part_calls,
    "aten::adaptive_max_pool2d.out": pool_calls,
    "aten::grid_sampler_3d.out": grid_calls,
}


def ones(*shape):
    return torch.ones(shape)


def whole(*values):
    return torch.tensor(values)


ORDERED_REFUSED = [
    ("cumprod.out", {"self": ones(3), "dim": 0, "dtype": torch.float64}, ones(3),
     "dtype is float64, but the result has float32"),
    ("logcumsumexp.out", {"self": ones(3), "dim": 0}, ones(3).double(),
     "dtypes float32 and float64 should be the same"),
    ("cummax.out", {"self": ones(3), "dim": 0}, ones(3), "there is no kernel for float32"),  # the places
    ("topk.values", {"self": whole(1, 2, 3), "k": 4}, whole(1, 2, 3), "k=4 exceeds size 3 of dim 0"),
    ("kthvalue.values", {"self": whole(1, 2, 3), "k": 0}, whole(1), "k=0 is not from 1 to size 3 of dim 0"),
    ("mode.values", {"self": whole(1, 2)[:0]}, whole(1)[0], "dim 0 of shape [0] is empty"),
    ("searchsorted.Tensor_out", {"sorted_sequence": ones(2, 3), "self": ones(3, 2)}, whole([1, 1], [1, 1], [1, 1]),
     "rows of shape [2, 3] are not for numbers of shape [3, 2]"),
    ("searchsorted.Scalar_out", {"sorted_sequence": ones(2, 3), "self": 1.0}, whole(1)[0],
     "rows of shape [2, 3] are not for numbers of shape []"),
    ("searchsorted.Tensor_out", {"sorted_sequence": ones(3), "self": ones(2), "sorter": whole(0, 1)}, whole(1, 1),
     "a sorter of int64 and shape [2] is not int64 of shape [3]"),
    ("searchsorted.Tensor_out", {"sorted_sequence": ones(3), "self": ones(2), "sorter": whole(0, 7, 1)}, whole(1, 1),
     "index 7 at position 1 is outside of dim 0, which has size 3"),
    ("searchsorted.Tensor_out", {"sorted_sequence": ones(3), "self": ones(2), "right": True, "side": "left"},
     whole(1, 1), 'side is "left", and right is true'),
    ("unique_dim.out", {"self": whole(1)[0], "dim": 0}, whole(1), "there is no dimension 0 in a tensor of rank 0"),
    ("nonzero_static.out", {"self": ones(3), "size": -1}, whole([1]), "the size is -1, and at least 0"),
    ("nonzero_static.out", {"self": ones(3), "size": 1}, ones(1, 1), "the result is int64, and its place is float32"),
    ("scatter.reduce_out", {"self": ones(3), "dim": 0, "index": whole(1), "src": ones(1), "reduce": "mean"}, ones(3),
     'there is no reduction "mean"'),
    ("scatter.value_reduce_out", {"self": ones(3), "dim": 0, "index": whole(1, 3), "value": 2, "reduce": "add"},
     ones(3), "index 3 at position 1 is outside of dim 0, which has size 3"),
    ("segment_reduce.out", {"data": ones(3), "reduce": "median", "lengths": whole(3)}, ones(1),
     'there is no reduction "median"'),
    ("segment_reduce.out", {"data": ones(3), "reduce": "sum"}, ones(1),
     "parts are told by their lengths or by their offsets"),
    ("segment_reduce.out", {"data": ones(3), "reduce": "sum", "lengths": whole([3])}, ones(1),
     "parts of shape [1, 1] are not those of dim 0 of shape [3]"),
    ("segment_reduce.out", {"data": ones(3), "reduce": "sum", "lengths": whole(2, 2)}, ones(2),
     "part 1 from 2 to 4 is not in size 3 of dim 0"),
    ("segment_reduce.out", {"data": ones(3), "reduce": "sum", "offsets": whole(0, 2, 1)}, ones(2),
     "part 1 from 2 to 1 is not in size 3 of dim 0"),
    ("segment_reduce.out", {"data": ones(3), "reduce": "sum", "lengths": whole(2)}, ones(1),
     "the lengths are 2 together, and size 3 of dim 0"),
    ("bincount.out", {"self": whole(1, -2)}, whole(1, 1), "-2 at position 1 is no bin"),
    ("bincount.out", {"self": whole(1, 2**40)}, whole(1, 1), "there would be 1099511627777 counts"),
    ("bincount.out", {"self": whole([1], [2])}, whole(1, 1), "numbers of shape [2, 1] do not have 1 dimension"),
    ("bincount.out", {"self": whole(1), "weights": ones(2)}, ones(2),
     "weights of shape [2] are not those of numbers of shape [1]"),
    ("bincount.out", {"self": whole(1), "minlength": -1}, whole(1, 1), "minlength is -1, and at least 0"),
    ("histc.out", {"self": ones(3), "bins": 0}, ones(1), "bins is 0, and at least 1"),
    ("histc.out", {"self": ones(3), "bins": 1, "min": 2, "max": 1}, ones(1), "there are no bins from 2 to 1"),
    ("histc.out", {"self": ones(3) / 0, "bins": 1}, ones(1), "there are no bins from inf to inf"),
    ("diagonal_scatter.out", {"self": ones(2, 2), "src": ones(3)}, ones(2, 2), "[3] does not take the place of [2]"),
    ("as_strided_scatter.out", {"self": ones(3), "src": ones(2), "size": [2], "stride": [3]}, ones(3),
     "sizes, strides and an offset of 0 lead out of 3 elements"),
    ("grid_sampler_3d.out", {"input": ones(1, 1, 2, 2, 2), "grid": ones(1, 1, 1, 1, 2), "interpolation_mode": 0,
     "padding_mode": 0, "align_corners": False}, ones(1, 1, 1, 1, 1),
     "a grid of shape [1, 1, 1, 1, 2] does not go with images of shape [1, 1, 2, 2, 2]"),
    ("grid_sampler_3d.out", {"input": ones(1, 1, 2, 2, 2), "grid": ones(1, 1, 1, 1, 3), "interpolation_mode": 2,
     "padding_mode": 0, "align_corners": False}, ones(1, 1, 1, 1, 1), "there is no interpolation 2 with padding 0"),
    ("upsample_nearest2d.vec_out", {"input": ones(1, 1, 0, 2), "output_size": [2, 2], "scale_factors": None},
     ones(1, 1, 2, 2), "an input of shape [1, 1, 0, 2] is not a batch of images"),
]  # fmt: skip
