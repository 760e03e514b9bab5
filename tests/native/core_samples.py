"""Samples for core operators that the database reaches only by way of gradients, or not at all."""

import math

import torch

from native.samples import Call

aten = torch.ops.aten


def numbers(shape, dtype, seed=0):
    made = torch.randn(shape, generator=torch.Generator().manual_seed(seed + math.prod(shape))) * 3
    return made > 0 if dtype == torch.bool else made.to(dtype)


def steps(shape, dtype, seed=0):
    """Numbers whose sums of products are exact in 32 bits, so that the order of summing does not count."""
    return (numbers(shape, torch.float32, seed).round() / 4).to(dtype)


def call(op, functional, *arguments, results=None):
    names = [argument.name for argument in functional._schema.arguments]
    found = functional(*arguments) if results is None else results
    found = tuple(found) if isinstance(found, (list, tuple)) else (found,)
    return Call(op, dict(zip(names, arguments, strict=False)), found, functional)


def batch_norm_calls(op, dtype):
    for shape in ((4, 3), (2, 3, 4, 5), (2, 3, 300)) if dtype.is_floating_point else ():
        for kept in {dtype, torch.float32 if dtype.itemsize == 2 else dtype}:
            for is_scaled in (True, False):
                for training in (True, False):
                    affine = [numbers((3,), kept, seed) for seed in (1, 2)] if is_scaled else [None, None]
                    state = numbers((3,), kept, 3), numbers((3,), kept, 4).abs() + 1
                    moved = [each.clone() for each in state]
                    rest = training, 0.1, 1e-5
                    functional, tensor = aten._native_batch_norm_legit.default, numbers(shape, dtype)
                    found = functional(tensor, *affine, *moved, *rest)
                    yield call(op, functional, tensor, *affine, *state, *rest, results=(*moved, *found))


def convolution_gradient_calls(op, dtype):
    if not dtype.is_floating_point:
        return
    for space in (1, 2, 3):
        for transposed in (False, True):
            for groups, stride, padding, dilation, more in (
                (1, 1, 0, 1, 0),
                (2, 2, 1, 1, 1),
                (2, 3, 2, 2, 2),
                (4, 1, 1, 2, 0),
            ):
                if more and not transposed:
                    more = 0
                kernel = (3, 2, 2)[:space]
                tensor = steps((2, 4, *(7, 6, 5)[:space]), dtype)
                weight = steps((4, 8 // groups, *kernel) if transposed else (8, 4 // groups, *kernel), dtype, 1)
                places = [stride] * space, [padding] * space, [dilation] * space, transposed, [more] * space, groups
                grad = steps(aten.convolution(tensor, weight, None, *places).shape, dtype, 2)
                yield call(op, aten.convolution_backward.default, grad, tensor, weight, [8], *places, [True] * 3)
    grad, tensor, weight = (steps(shape, dtype) for shape in ((0, 2, 5), (0, 3, 6), (2, 3, 2)))
    rest = [2], [1], [0], [1], False, [0], 1, [True] * 3
    zeros = [torch.zeros(shape, dtype=dtype) for shape in ((0, 3, 6), (2, 3, 2), (2,))]
    yield call(op, aten.convolution_backward.default, grad, tensor, weight, *rest, results=zeros)
    long, kernel = steps((1, 1, 700), dtype), steps((1, 1, 300), dtype, 1)
    places = [1], [0], [1], False, [0], 1
    grad = steps((1, 1, 401), dtype, 2)
    yield call(op, aten.convolution_backward.default, grad, long, kernel, None, *places, [True] * 3)


def fold_calls(op, dtype):
    if not (dtype.is_floating_point or dtype == torch.bool):
        return
    for front in ((), (2,), (0,)):
        for size, kernel, dilation, padding, stride in (
            ([4, 5], [2, 2], [1, 1], [0, 0], [1, 1]),
            ([6, 7], [3, 2], [2, 1], [1, 2], [2, 3]),
            ([3, 3], [1, 3], [1, 1], [0, 1], [1, 1]),
        ):
            blocks = [
                (s + 2 * p - d * (k - 1) - 1) // by + 1
                for s, k, d, p, by in zip(size, kernel, dilation, padding, stride, strict=True)
            ]
            columns = numbers((*front, 3 * math.prod(kernel), math.prod(blocks)), dtype)
            yield call(op, aten.col2im.default, columns, size, kernel, dilation, padding, stride)


def bag_calls(op, dtype):
    functional = getattr(aten, op[6:-4]).default
    for width in (3, 300) if dtype.is_floating_point else ():
        table = numbers((5, width), dtype)
        for indices, offsets in (
            ([0, 1, 1, 4, 3], [0, 2, 2]),
            ([2], [0]),
            ([], [0, 0]),
            ([], []),
            ([1, 1, 0], [0, 0, 3]),
        ):
            at = torch.tensor(indices, dtype=torch.int64 if width == 3 else torch.int32)
            starts = torch.tensor(offsets, dtype=at.dtype)
            for mode in range(3):
                for padding in (-1, 1):
                    yield call(op, functional, table, at, starts, False, mode, False, None, False, padding)
                ends = torch.cat([starts, torch.tensor([len(at)], dtype=at.dtype)])
                yield call(op, functional, table, at, ends, False, mode, False, None, True, -1)
            factors = numbers((len(at),), dtype, 1)
            for padding in (-1, 1):
                yield call(op, functional, table, at, starts, False, 0, False, factors, False, padding)


def resize_calls(op, dtype):
    for shape, size in (
        ((2, 3), [6]),
        ((2, 3), [2, 2]),
        ((3, 4, 5), [5, 2, 6]),
        ((), []),
        ((2, 0), [0]),
        ((4,), [1, 3]),
    ):
        tensor = numbers(shape, dtype)
        yield Call(op, {"self": tensor, "size": size}, (tensor.flatten()[: math.prod(size)].reshape(size),))


def near_calls(op, dtype):
    tensor = numbers((2, 3), dtype)
    off = tensor.clone()
    off[1, 2] = not off[1, 2] if dtype == torch.bool else off[1, 2] + 5
    pairs = [
        (tensor, tensor),
        (tensor, off),
        (tensor, tensor[:1]),
        (tensor[:1, :1], tensor[0, 0]),
        (tensor[:0], tensor[:0]),
    ]
    if dtype.is_floating_point:
        strange = torch.tensor([1.0, math.nan, math.inf, -math.inf, 0.0]).to(dtype)
        near = torch.tensor([1.01, math.nan, math.inf, -math.inf, -0.0]).to(dtype)
        pairs += [(strange, strange), (strange, near), (strange[2:], -strange[2:]), (strange[:1], near[:1])]
    for one, other in pairs:
        for rtol, atol in ((1e-5, 1e-8), (0.1, 0.0), (0.0, 6.0)):
            for equal_nan in (False, True):
                arguments = {"self": one, "other": other, "rtol": rtol, "atol": atol, "equal_nan": equal_nan}
                yield Call(op, arguments, (torch.tensor(torch.allclose(one, other, rtol, atol, equal_nan)),))


def device_calls(op, dtype):
    for shape in ((), (0,), (2, 3), (2, 3, 4, 5)):
        yield Call(op, {"self": numbers(shape, dtype)}, (numbers(shape, dtype),))


def bilinear_calls(op, dtype):
    if not (dtype.is_floating_point or dtype == torch.uint8):
        return
    for shape in ((1, 2, 3, 4), (2, 1, 1, 5), (0, 2, 3, 3), (1, 5, 9, 7), (1, 3, 16, 11)):
        # bytes over all of their range, which weights of 15 bits are rounded for
        tensor = (numbers(shape, torch.float32) * 70).abs() if dtype == torch.uint8 else numbers(shape, torch.float32)
        tensor = tensor.clamp(max=255).to(dtype)
        for size, factors in (([6, 8], None), (None, [2.0, 1.5]), ([1, 2], None), (None, [0.6, 0.5])):
            if factors and int(shape[2] * factors[0]) == 0:
                continue
            for align in (True, False):
                yield call(op, aten.upsample_bilinear2d.vec, tensor, size, align, factors)


CORE = {
    "aten::_native_batch_norm_legit.out": batch_norm_calls,
    "aten::convolution_backward.out": convolution_gradient_calls,
    "aten::col2im.out": fold_calls,
    "aten::_embedding_bag.out": bag_calls,
    "aten::_embedding_bag_forward_only.out": bag_calls,
    "aten::resize.out": resize_calls,
    "aten::allclose.out": near_calls,
    "aten::upsample_bilinear2d.vec_out": bilinear_calls,
    "et_copy::_h2d_copy.out": device_calls,
    "et_copy::_d2h_copy.out": device_calls,
}


def ones(*shape, dtype=torch.float32):
    return torch.ones(shape, dtype=dtype)


CONVOLVED = {
    "input": ones(1, 2, 5), "weight": ones(3, 2, 2), "bias_sizes": [3], "stride": [1], "padding": [0], "dilation": [1],
    "transposed": False, "output_padding": [0], "groups": 1, "output_mask": [True, True, True],
}  # fmt: skip
FOLDED = {"output_size": [3, 3], "kernel_size": [2, 2], "dilation": [1, 1], "padding": [0, 0], "stride": [1, 1]}
BAGS = {"weight": ones(3, 2), "indices": torch.tensor([0, 2]), "offsets": torch.tensor([0, 1])}
CORE_REFUSED = [
    ("convolution_backward.out", {**CONVOLVED, "grad_output": ones(1, 3, 5)}, ones(1, 2, 5),
     "gradients of shape [1, 3, 5] are not those of a convolution that gives [1, 3, 4]"),
    ("convolution_backward.out", {**CONVOLVED, "grad_output": ones(1, 3, 4), "output_mask": [True]}, ones(1, 2, 5),
     "output_mask has 1 answers for 3 results"),
    ("convolution_backward.out", {**CONVOLVED, "grad_output": ones(1, 3, 4), "groups": 2}, ones(1, 2, 5),
     "weights of shape [3, 2, 2] in 2 groups are not for 2 channels"),
    ("col2im.out", {**FOLDED, "self": ones(4, 5)}, ones(1, 3, 3),
     "columns of shape [4, 5] are not 2 x 2 patches of 4 pixels"),
    ("col2im.out", {**FOLDED, "self": ones(4, 4), "stride": [1, 0]}, ones(1, 3, 3),
     "stride is not two numbers of at least 1"),
    ("_native_batch_norm_legit.out", {"input": ones(2), "training": True, "momentum": 0.1, "eps": 0.0}, ones(2),
     "an input of shape [2] has no channels"),
    ("_native_batch_norm_legit.out", {"input": ones(2, 3), "training": False, "momentum": 0.1, "eps": 0.0}, ones(2),
     "means of shape [2] and variances of shape [2] are not for 3 channels"),
    ("_embedding_bag.out", {**BAGS, "mode": 3}, ones(2, 2),
     "there are no bags in mode 3 of [3, 2] by indices [2] and offsets [2]"),
    ("_embedding_bag.out", {**BAGS, "offsets": torch.tensor([1, 2])}, torch.tensor([0]),
     "dtypes float32 and int64 should be the same"),
    ("_embedding_bag.out", {**BAGS, "offsets": torch.tensor([], dtype=torch.int64), "include_last_offset": True},
     ones(2, 2), "the last offset is missing"),
    ("_embedding_bag.out", {**BAGS, "mode": 1, "per_sample_weights": ones(2)}, ones(2, 2),
     "weights of shape [2] are not those of a sum over indices of shape [2]"),
    ("_native_batch_norm_legit.out", {"input": ones(0, 3), "training": True, "momentum": 0.1, "eps": 0.0}, ones(3),
     "an input of shape [0, 3] has no channels"),
    ("allclose.out", {"self": ones(2), "other": ones(3)}, ones(1, dtype=torch.bool),
     "the shape [3] does not go with [2]"),
    ("allclose.out", {"self": ones(2), "other": ones(2), "rtol": -1.0}, ones(1, dtype=torch.bool),
     "rtol is -1 and atol is 1e-08, and both at least 0"),
    ("allclose.out", {"self": ones(2), "other": ones(2)}, ones(2, dtype=torch.bool),
     "the answer is a bool, and its place is bool of shape [2]"),
    ("resize.out", {"self": ones(2), "size": [2]}, ones(2).int(), "the result is float32, and its place is int32"),
    ("resize.out", {"self": ones(2), "size": [-1]}, ones(2), "dimension 0 of the result would be -1"),
]  # fmt: skip
