"""What the arguments of a few families are drawn by, each of which is about the others of its call: polynomials,
searches, bags of rows, segments, Fourier transforms, groups of quantised numbers, the gradient of a convolution."""

from typing import Any

import torch

from .draw import Draw
from .makers import Maker, index_dtype, limit
from .numbers import FLOATS, WHOLES

_HIGHEST = 30  # degree: torch computes a polynomial of degree n in n steps


# --- numbers that make sense for a function ---------------------------------------------------------------------------


def degrees(d: Draw) -> Any:
    dtype = d.first.dtype if d.first.dtype.is_floating_point and d.source.chance(0.7) else d.source.pick(WHOLES[3:])
    return d.new(d.source.within(d.source.part_of(d.first.shape), -1, _HIGHEST + 1, dtype))


def counted(d: Draw) -> Any:
    """Small whole numbers in a row, as bincount takes them."""
    return d.new(d.source.within((d.source.size(),), 0, d.source.pick((2, 9, 40)), d.source.pick(WHOLES)))


def chances(d: Draw) -> Any:
    """From 0 to 1; the first one as many as there are places."""
    shape = d.first.shape if d.first_name in d.args else d.source.shape()
    dtype = d.first.dtype if d.first_name in d.args else d.source.pick(FLOATS)
    return d.new(torch.rand(shape, generator=d.source.bulk).to(dtype))


def shapes_of_gamma(d: Draw) -> Any:
    """Positive numbers; of one dimension at least."""
    made = torch.rand(d.source.shape(d.source.whole(1, 3)), generator=d.source.bulk) * 5 + 0.1
    return d.new(made.to(d.source.pick(FLOATS[2:])))


def trials(d: Draw) -> Any:
    return d.new(d.source.within(d.source.shape(), 0, 20, d.source.pick(FLOATS[2:])))


def smaller_shape(d: Draw) -> list[int]:
    """For resize: of no more elements than there are, as torch leaves the others as memory held them."""
    left, sizes = d.first.numel(), []
    if not left:
        return [d.source.whole(0, 2), 0]
    for _ in range(d.source.whole(0, 4)):
        sizes.append(d.source.whole(0, min(left, 6)) or 1)
        left //= sizes[-1]
    return sizes


# --- complex numbers and Fourier transforms ---------------------------------------------------------------------------


def complex_numbers(d: Draw) -> Any:
    shape = d.source.shape(d.source.whole(1, 4)) if "fft" in d.operator.base else d.source.shape()
    return d.tensor(shape, torch.complex64) if d.source.chance(0.5) else d.new(d.source.tensor(shape, torch.complex64))


def parts_of_complex(d: Draw) -> Any:
    """Their real and imaginary parts lie beside each other."""
    return d.new(d.source.tensor((*d.source.shape(d.source.whole(0, 3)), 2), torch.float32))


def transformed(d: Draw) -> list[int]:
    """At least one dimension, each once."""
    dims = list(range(d.first.dim()))
    d.source.random.shuffle(dims)
    return dims[: d.source.whole(1, max(len(dims), 1))]


def last_size(d: Draw) -> int:
    """Of the real numbers that half of a spectrum stands for."""
    dims = d.need("dim")
    return max(2 * (d.first.shape[dims[-1]] - 1) + d.source.whole(0, 1), 1) if dims and d.first.dim() else 1


# --- searches ---------------------------------------------------------------------------------------------------------


def ascending(d: Draw) -> Any:
    """In order; and with a sorter, which then says the same order."""
    return d.new(d.source.tensor(d.source.shape(d.source.pick((1, 1, 2, 3))), d.some_dtype()).sort(-1).values)


def order_of(d: Draw) -> Any:
    return d.new(d.tensor_of("sorted_sequence").argsort(-1, stable=True))


def sought(d: Draw) -> Any:
    sequence = d.tensor_of("sorted_sequence")
    shape = d.source.shape() if sequence.dim() == 1 else (*sequence.shape[:-1], d.source.size())
    return d.tensor(shape, sequence.dtype)


def side(d: Draw) -> str:
    """Which must not be told twice and differently."""
    return "right" if d.need("right") else "left"


# --- bags of rows, and segments ---------------------------------------------------------------------------------------


def bagged_rows(d: Draw) -> Any:
    return d.new(d.source.within((d.source.size(),), 0, d.tensor_of("weight").shape[0], index_dtype(d)))


def bag_starts(d: Draw) -> Any:
    """The first bag starts with the first row; where the last number is an end, it is that of all rows."""
    rows = d.tensor_of("indices")
    found = d.source.within((d.source.whole(1, 5),), 0, rows.shape[0] + 1, rows.dtype).sort().values
    found[0] = 0
    if d.need("include_last_offset"):
        found = torch.cat([found, torch.tensor([rows.shape[0]], dtype=rows.dtype)])
    return d.new(found)


def row_factors(d: Draw) -> Any:
    """Of sums alone."""
    return None if d.need("mode") else d.tensor(d.tensor_of("indices").shape, d.tensor_of("weight").dtype)


def lengths(d: Draw) -> Any:
    """Of the segments of each row: all of it together."""
    data = d.tensor_of("data")
    axis = d.need("axis") or 0
    ends = _ends(d, data.shape[: axis + 1])
    return d.new(ends.diff(dim=-1, prepend=torch.zeros_like(ends[..., :1])))


def segment_starts(d: Draw) -> Any:
    if d.need("lengths") is not None:
        return None
    data = d.tensor_of("data")
    ends = _ends(d, data.shape[: (d.need("axis") or 0) + 1])
    return d.new(torch.cat([torch.zeros_like(ends[..., :1]), ends], -1))


def _ends(d: Draw, shape: Any) -> torch.Tensor:
    ends = d.source.within((*shape[:-1], d.source.whole(1, 4)), 0, shape[-1] + 1).sort(-1).values
    ends[..., -1] = shape[-1]
    return ends


# --- groups of quantised numbers --------------------------------------------------------------------------------------


def grouped(d: Draw) -> Any:
    """Rows of whole groups."""
    kinds = (torch.int8, torch.uint8) if d.operator.base.startswith("dequantize") else FLOATS[:3]
    return d.tensor((d.source.whole(1, 5), d.need("group_size") * d.source.whole(1, 3)), d.source.pick(kinds))


def group_scales(d: Draw) -> Any:
    return d.new(torch.rand(_groups(d), generator=d.source.bulk) + 0.1)


def group_zero_points(d: Draw) -> Any:
    return d.new(d.source.within(_groups(d), 0, 9, torch.int32))


def _groups(d: Draw) -> tuple[int, int]:
    rows, columns = d.first.shape
    return rows, columns // d.need("group_size")


def limit_tensor(which: str) -> Maker:
    return lambda d: d.new(torch.tensor(limit(which)(d)))


# --- images, and the gradient of a convolution ------------------------------------------------------------------------


def convolution_gradient(d: Draw) -> Any:
    """Of the shape that the convolution itself gives."""
    names = ("input", "weight", "stride", "padding", "dilation", "transposed", "output_padding", "groups")
    given = {name: d.of(d.need(name)) for name in names}
    found = torch.ops.aten.convolution(bias=None, **given)
    return d.tensor(found.shape, found.dtype)


def bias_sizes(d: Draw) -> list[int]:
    weight = d.tensor_of("weight")
    return [weight.shape[1] * d.need("groups") if d.need("transposed") else weight.shape[0]]


def image_sizes(d: Draw) -> list[int]:
    return [d.source.whole(1, 6), d.source.whole(1, 6)]


def columns(d: Draw) -> Any:
    """As many as there are windows in the image, each of all channels."""
    image = torch.zeros(d.source.whole(1, 2), d.source.whole(1, 3), *d.need("output_size"))
    windows = {name: d.need(name) for name in ("kernel_size", "dilation", "padding", "stride")}
    shape = torch.ops.aten.im2col(image, **windows).shape
    return d.tensor(shape if d.source.chance(0.7) else shape[1:])
