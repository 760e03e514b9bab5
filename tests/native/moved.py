"""Samples for kernels that move or make elements, where the database has none: each element tells where it was."""

import math

import torch

from native.samples import DTYPES, Call

aten = torch.ops.aten


def counted(shape, dtype):
    made = torch.arange(1, 1 + math.prod(shape)).reshape(shape)
    return made % 3 == 0 if dtype == torch.bool else made.to(dtype)


def call(op, functional, *arguments, **named):
    names = [argument.name for argument in functional._schema.arguments]
    result = functional(*arguments, **named)
    results = tuple(result) if isinstance(result, (list, tuple)) else (result,)
    return Call(op, dict(zip(names, arguments, strict=False)) | named, results)


def pad_calls(op, dtype):
    dims = int(op[-6])
    functional = getattr(aten, op[6:-4]).default
    before, after = [3, 2, 0, 1, 1, 2], [-1, 2, 1, -2, 0, 0]
    for front in ((2,), (1, 3), (0, 2)):
        tensor = counted((*front, *(4, 5, 6)[:dims]), dtype)
        for padding in (before, after, [0] * 6, [-2, 3] * 3):
            given = padding[: 2 * dims]
            yield Call(op, {"self": tensor, "padding": given}, (functional(tensor.double(), given).to(dtype),))
    if "replication" in op:
        tensor = counted((2, *(1, 2, 1)[:dims]), dtype)
        for padding in ([5, -3] * 3, [-4, 9] * 3):
            given = padding[: 2 * dims]
            index = [(torch.arange(-low, size + high)).clamp(0, size - 1)
                     for size, low, high in zip(tensor.shape[:0:-1], given[::2], given[1::2], strict=True)]  # fmt: skip
            result = tensor
            for i, places in enumerate(index):
                result = result.index_select(-1 - i, places)
            yield Call(op, {"self": tensor, "padding": given}, (result,))


def copy_calls(op, dtype):
    for to, source in [((2, 3), (3,)), ((0, 3), (1,)), ((), ()), ((2, 3, 4, 5), (3, 1, 5))]:
        for other in DTYPES:
            yield call(op, aten.copy.default, counted(to, other), counted(source, dtype))


def fill_calls(op, dtype):
    for shape in ((), (0, 2), (2, 3), (2, 3, 4, 5)):
        for other in DTYPES:
            yield call(op, aten.fill.Tensor, counted(shape, other), counted((), dtype))


def fresh_calls(op, dtype):
    for shape in ((), (0,), (2, 3), (2, 3, 4, 5)):
        yield Call(op, {"self": counted(shape, dtype)}, (counted(shape, dtype),))


def arange_calls(op, dtype):
    for end in (0, 1, 7, 2.5, 100) if dtype != torch.bool else ():
        yield Call(op, {"end": end}, (torch.arange(end, dtype=dtype),))


def put_calls(op, dtype):
    numbers, mask = torch.tensor([[0, -1], [2, 0]]), counted((3, 4), torch.bool)
    cases = [([numbers], (2, 2, 4)), ([None, numbers], ()), ([mask], (4,)), ([torch.tensor([0, 0]), numbers[0]], (2,))]
    for indices, values in cases:
        for accumulate in (False, True):
            place = counted((3, 4), dtype)
            arguments = {"indices": indices, "values": counted(values, dtype), "accumulate": accumulate}
            result = aten.index_put_.default(place.clone(), *arguments.values())
            yield Call(op, {"self": place, **arguments}, (result,))


def interleave_calls(op, dtype):
    for repeats in ([], [0], [2, 0, 1], [0, 300]) if dtype in (torch.int32, torch.int64) else ():
        yield call(op, aten.repeat_interleave.Tensor, torch.tensor(repeats, dtype=dtype))
        yield call(op, aten.repeat_interleave.Tensor, torch.tensor(repeats, dtype=dtype), output_size=sum(repeats))


def roll_calls(op, dtype):
    for shape in ((0,), (5,), (2, 3, 4, 5)):
        for shifts, dims in [([1], []), ([-7], []), ([2**40 + 1], [-1]), ([1, 1], [0, 0]), ([-1, 2], [0, -1])]:
            yield call(op, aten.roll.default, counted(shape, dtype), shifts, dims)
    yield call(op, aten.roll.default, counted((), dtype), [3], [])


def split_calls(op, dtype):
    for shape, size, dim in [((5, 3), 2, 0), ((5, 3), 7, -2), ((0, 3), 0, 0), ((0, 3), 2, 0), ((2, 6), 2, 1)]:
        yield call(op, aten.split_copy.Tensor, counted(shape, dtype), size, dim)


def select_calls(op, dtype):
    for shape, masked in [((2, 3, 4, 5), (2, 3, 4, 5)), ((4, 1), (5,)), ((), (4,)), ((3,), ()), ((0, 3), (1, 3))]:
        yield call(op, aten.masked_select.default, counted(shape, dtype), counted(masked, torch.bool))


def scatter_calls(op, dtype):
    for shape, masked in [((2, 3, 4, 5), (2, 3, 4, 5)), ((4, 1), (5,)), ((), (4,)), ((3,), ()), ((0, 3), (1, 3))]:
        given = counted(shape, dtype), counted(masked, torch.bool), counted((2, 3, 4, 5), dtype)
        yield call(op, aten.masked_scatter.default, *given)


def nonzero_calls(op, dtype):
    for shape in ((), (0,), (2, 0), (7,), (2, 3, 4, 5), (2, 700)):
        tensor = counted(shape, dtype) * counted(shape, torch.bool)
        for given in (tensor, tensor * -0.5 if dtype.is_floating_point else tensor * 0):
            yield call(op, aten.nonzero.default, given.to(dtype))


def pixel_calls(op, dtype):
    functional = getattr(aten, op[6:-4]).default
    for shape in ((8, 4, 6), (3, 4, 2, 2), (2, 1, 4, 2, 2)):
        for factor in (1, 2):
            yield call(op, functional, counted(shape, dtype), factor)
    # Where there are no pixels, torch's kernel tells another shape than torch's export; ours is that of the export.
    empty, factor = counted((0, 4, 2, 2), dtype), functional._schema.arguments[1].name
    yield Call(op, {"self": empty, factor: 2}, (counted(functional(empty.to("meta"), 2).shape, dtype),))


def flip_calls(op, dtype):
    for shape, dims in [((), []), ((), [0]), ((0, 3), [0, 1]), ((2, 3, 4, 5), [-1, 1]), ((4,), [0])]:
        yield call(op, aten.flip.default, counted(shape, dtype), dims)


def diagonal_calls(op, dtype):
    for offset in (0, 1, -2, 9, -9, 2**62, -(2**62)):
        yield call(op, aten.diagonal_copy.default, counted((2, 3, 4, 5), dtype), offset, -1, 1)


def unfold_calls(op, dtype):
    for shape, arguments in [((), (0, 1, 1)), ((), (-1, 0, 2)), ((7,), (0, 3, 2)), ((2, 3, 4, 5), (1, 2, 1)),
                             ((2, 5), (1, 0, 2))]:  # fmt: skip
        yield call(op, aten.unfold_copy.default, counted(shape, dtype), *arguments)


MOVED = {
    f"aten::{name}": samples
    for names, samples in {
        "reflection_pad1d.out reflection_pad2d.out reflection_pad3d.out": pad_calls,
        "replication_pad1d.out replication_pad2d.out replication_pad3d.out": pad_calls,
        "copy.out": copy_calls,
        "fill.Tensor_out": fill_calls,
        "lift_fresh_copy.out": fresh_calls,
        "arange.out": arange_calls,
        "index_put_": put_calls,
        "repeat_interleave.Tensor_out": interleave_calls,
        "roll.out": roll_calls,
        "split_copy.Tensor_out": split_calls,
        "masked_select.out": select_calls,
        "masked_scatter.out": scatter_calls,
        "nonzero.out": nonzero_calls,
        "pixel_shuffle.out pixel_unshuffle.out": pixel_calls,
        "flip.out": flip_calls,
        "diagonal_copy.out": diagonal_calls,
        "unfold_copy.out": unfold_calls,
    }.items()
    for name in names.split()
}
# Whose tensors may lie in any order.
IN_ANY_ORDER = sorted(MOVED.keys() - {"aten::arange.out", "aten::repeat_interleave.Tensor_out", "aten::index_put_"})


def ones(*shape, dtype=torch.float32):
    return torch.ones(shape, dtype=dtype)


REFUSED_MOVES = [
    ("narrow_copy.out", {"self": ones(3), "dim": 0, "start": 2, "length": 2}, ones(2),
     "dimension 0 of size 3 has not 2 elements from 2 on"),
    ("select_scatter.out", {"self": ones(2, 3), "src": ones(2), "dim": 0, "index": 1}, ones(2, 3),
     "[2] does not take the place of [3]"),
    ("slice_scatter.out", {"self": ones(4), "src": ones(4), "step": 2}, ones(4), "[4] does not take the place of [2]"),
    ("diagonal_copy.out", {"self": ones(2, 2), "dim1": 1, "dim2": -1}, ones(2),
     "dimension 1 has no diagonal with itself"),
    ("unfold_copy.out", {"self": ones(3), "dimension": 0, "size": 4, "step": 1}, ones(1, 4),
     "dimension 0 of size 3 has no windows of 4 every 1"),
    ("as_strided_copy.out", {"self": ones(6), "size": [2, 2], "stride": [3, 2], "storage_offset": 1}, ones(2, 2),
     "sizes, strides and an offset of 1 lead out of 6 elements"),
    ("as_strided_copy.out", {"self": ones(6), "size": [2**62, 2], "stride": [4, 2]}, ones(2, 2),
     "sizes, strides and an offset of 0 lead out of 6 elements"),
    ("flip.out", {"self": ones(2, 3), "dims": [0, -2]}, ones(2, 3), "dimension 0 is named twice"),
    ("roll.out", {"self": ones(2, 3), "shifts": [1, 2], "dims": [0]}, ones(2, 3), "2 shifts are not for 1 dimensions"),
    ("pixel_shuffle.out", {"self": ones(3, 2, 2), "upscale_factor": 2}, ones(1, 4, 4),
     "the pixels of [3, 2, 2] are not shuffled by 2"),
    ("pixel_unshuffle.out", {"self": ones(1, 3, 2), "downscale_factor": 2}, ones(4, 1, 1),
     "the pixels of [1, 3, 2] are not shuffled by 2"),
    ("reflection_pad1d.out", {"self": ones(1, 3), "padding": [3, 0]}, ones(1, 6),
     "dimension 1 of size 3 is not padded by 3 and 0"),
    ("replication_pad1d.out", {"self": ones(1, 3), "padding": [-3, 0]}, ones(1, 1),
     "dimension 1 of size 3 is not padded by -3 and 0"),
    ("replication_pad2d.out", {"self": ones(3, 3), "padding": [1, 1, 1, 1]}, ones(5, 5),
     "4 numbers of padding are not for 2 dimensions behind the 1 or 2 first of [3, 3]"),
    ("fill.Tensor_out", {"self": ones(3), "value": ones(1)}, ones(3),
     "it is filled with a number, and not with a tensor of shape [1]"),
    ("repeat_interleave.Tensor_out", {"repeats": torch.tensor([1, -1])}, torch.tensor([0]),
     "number 1 is not repeated -1 times"),
    ("repeat_interleave.Tensor_out", {"repeats": torch.tensor([1, 1]), "output_size": 3}, torch.tensor([0]),
     "there are 2 repetitions, and not 3"),
    ("masked_select.out", {"self": ones(3), "mask": ones(3)}, ones(3), "the mask is float32, and should be bool"),
    ("masked_select.out", {"self": ones(3), "mask": ones(4) > 0}, ones(4), "the shape [4] does not go with [3]"),
    ("masked_scatter.out", {"self": ones(3), "mask": ones(3) > 0, "source": ones(2)}, ones(3),
     "the mask asks for 3 elements, and the source has 2"),
    ("nonzero.out", {"self": ones(3)}, ones(3, 1), "the result is int64, and its place is float32"),
    ("index_put_", {"self": ones(3), "indices": [torch.tensor([0, 5])], "values": ones(2)}, ones(3),
     "index 5 at position 1 is outside of dim 0, which has size 3"),
]  # fmt: skip
