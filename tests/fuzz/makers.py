"""What arguments are drawn by: tensors that go together, places that are in them, numbers that make sense for them."""

import math
import re
from collections.abc import Callable
from typing import Any

import torch

from .draw import Draw
from .numbers import DTYPES, FLOATS

Maker = Callable[[Draw], Any]
_STORED = (torch.int8, torch.uint8, torch.int16, torch.int32)


# --- tensors ------------------------------------------------------------------------------------------------------


def first_or_beside(d: Draw) -> Any:
    return d.beside(d.first) if d.first_name in d.args else d.tensor(ranks=ranks(d.operator.base))


def is_tensor(d: Draw, value: Any) -> bool:
    return isinstance(d.of(value), torch.Tensor)


def ranks(base: str) -> tuple[int, ...] | None:
    """Of an operator that is named after its dimensions: those and the channels, with or without a batch."""
    if found := re.search(r"(\d)d", base):
        n = int(found[1])
        return (n + 1, n + 2, n + 2)
    return next((ranks for pattern, ranks in _RANKS.items() if re.fullmatch(pattern, base)), None)


_RANKS = {
    "mm|_pdist_forward|embedding|t_copy|_weight_norm_interface": (2,),
    "bmm|baddbmm": (3,),
    "_cdist_forward": (2, 3),
    "convolution": (3, 4, 4, 5),
    ".*batch_norm.*|.*group_norm.*|channel_shuffle": (2, 3, 4, 4),
    "pixel_.*": (3, 4, 5),
    "embedding_dense_backward": (2, 3),
    "_softmax|_log_softmax|cumsum|topk|sort|gather|scatter.*|index.*|.*_scatter|native_layer_norm.*": (1, 2, 3, 4),
    "diagonal.*|tril|triu": (2, 3, 4),
}


def same_shape(d: Draw) -> Any:
    """Of the first's shape and dtype."""
    return d.tensor(d.first.shape, d.first.dtype)


def mask(d: Draw) -> Any:
    return d.tensor(d.source.part_of(d.first.shape), torch.bool)


def joined(d: Draw) -> Any:
    """Several of one shape, but for the size of one dimension."""
    one = d.of(d.tensor(ranks=(1, 2, 2, 3, 4) if d.operator.base == "cat" else None))
    dim = d.source.whole(0, max(one.dim() - 1, 0))
    d.args["dim"] = d.source.pick((dim, dim - one.dim()))
    d.makers.pop("dim", None)
    found = []
    for _ in range(d.source.whole(1, 4)):
        shape = list(one.shape)
        if d.operator.base == "cat" and shape and d.source.chance(0.5):
            shape[dim] = d.source.size()
        found.append(d.tensor(shape, one.dtype if d.source.chance(0.9) else None))
    return found


def channels(d: Draw) -> Any:
    size = d.first.shape[1] if d.first.dim() > 1 else 1
    return d.tensor((size,), d.first.dtype)


def mean(d: Draw) -> Any:
    """Of each channel; a new one, as a call may write to it."""
    return d.new(d.source.tensor((d.first.shape[1] if d.first.dim() > 1 else 1,), d.first.dtype))


def variance(d: Draw) -> Any:
    size = d.first.shape[1] if d.first.dim() > 1 else 1
    return d.new(d.source.tensor((size,), torch.float32).abs().nan_to_num(1, 2, 2).add(0.1).to(d.first.dtype))


def product(d: Draw) -> Any:
    """The second factor: as many rows as the first one has columns."""
    left = d.tensor_of("mat1" if "mat1" in {a.name for a in d.operator.arguments} else "self")
    shape = (*left.shape[:-2], left.shape[-1] if left.dim() else 1, d.source.size())
    return d.tensor(shape, left.dtype)


def bias_of_product(d: Draw) -> Any:
    left, right = d.tensor_of("mat1"), d.tensor_of("mat2")
    return d.tensor(d.source.part_of((*left.shape[:-1], right.shape[-1])), left.dtype)


def linear_weight(d: Draw) -> Any:
    return d.tensor((d.source.size(), d.first.shape[-1] if d.first.dim() else 1), d.first.dtype)


def linear_bias(d: Draw) -> Any:
    return d.tensor(d.tensor_of("weight").shape[:1], d.first.dtype)


def kernel(d: Draw) -> Any:
    """The weight of a convolution."""
    channels, groups = d.first.shape[1], d.need("groups")
    sizes = [d.source.whole(1, 3) for _ in d.first.shape[2:]]
    each = d.source.whole(1, 3)
    shape = (channels, each) if d.need("transposed") else (each * groups, channels // groups)
    return d.tensor((*shape, *sizes), d.first.dtype)


def groups(d: Draw) -> int:
    channels = d.first.shape[1] if d.first.dim() > 1 else 1
    fitting = [n for n in range(1, channels + 1) if channels % n == 0]
    return d.source.pick(fitting) if fitting and d.source.chance(0.4) else 1


def kernel_bias(d: Draw) -> Any:
    weight = d.tensor_of("weight")
    return d.tensor((weight.shape[1] * d.need("groups") if d.need("transposed") else weight.shape[0],), d.first.dtype)


def grid(d: Draw) -> Any:
    dims = d.first.dim() - 2
    shape = (d.first.shape[0], *(d.source.size() for _ in range(dims)), dims)
    return d.new((torch.rand(shape, generator=d.source.bulk) * 3 - 1.5).to(d.first.dtype))


def pairs(d: Draw) -> Any:
    shape = (*d.source.part_of(d.first.shape[:-2]), d.source.size(), d.first.shape[-1])
    return d.tensor(shape, d.first.dtype)


# --- places in tensors ----------------------------------------------------------------------------------------------


def places(d: Draw) -> Any:
    """For gather and scatter: along a dimension each place once, so that no two elements go to one."""
    shape = [d.source.whole(0, size) if d.source.chance(0.3) else size for size in d.first.shape]
    if d.operator.base in ("gather", "scatter_add", "scatter_reduce"):
        if shape and d.operator.base == "gather" and d.source.chance(0.4):
            shape[d.dim] = d.source.size()
        return d.new(d.source.within(shape, 0, d.along))
    order = torch.rand([*shape[: d.dim], d.along, *shape[d.dim + 1 :]] if shape else [], generator=d.source.bulk)
    return d.new(order.argsort(d.dim).narrow(d.dim, 0, shape[d.dim]).contiguous() if shape else order.long())


def from_places(d: Draw) -> Any:
    """What is scattered: at least as large as the places."""
    index = d.tensor_of("index")
    return d.tensor([size + int(d.source.chance(0.1)) for size in index.shape], d.first.dtype)


def row_numbers(d: Draw) -> Any:
    shape = (d.source.size(),) if d.source.chance(0.9) else ()
    return d.new(d.source.within(shape, 0, d.along, d.source.pick((torch.int64, torch.int64, torch.int32))))


def table_rows(d: Draw) -> Any:
    """Of an embedding."""
    rows = d.tensor_of("weight").shape[0]
    return d.new(d.source.within(d.source.shape(d.source.pick((0, 1, 2))), 0, rows, index_dtype(d)))


def index_dtype(d: Draw) -> torch.dtype:
    return d.source.pick((torch.int64, torch.int64, torch.int32))


def gradient_rows(d: Draw) -> Any:
    shape = d.first.shape[:-1]
    return d.new(d.source.within(shape, 0, d.need("num_weights"), index_dtype(d)))


def index_list(d: Draw) -> Any:
    """Numbers, masks or nothing for some of the dimensions."""
    shared, found, sizes = d.source.shape(d.source.pick((0, 1, 1, 2))), [], list(d.first.shape)
    while sizes and len(found) < 3 and (not found or d.source.chance(0.4)):
        if d.source.chance(0.2):
            found.append(None)
        elif d.source.chance(0.15):
            found.append(d.new(d.source.tensor((sizes[0],), torch.bool)))
        else:
            shape = d.source.part_of(shared)
            found.append(d.new(d.source.within(shape, -sizes[0], sizes[0])))
        sizes.pop(0)
    return found


def put(d: Draw) -> Any:
    """What is put at those places."""
    indices = [slice(None) if each is None else each for each in d.of(d.need("indices"))]
    try:
        shape = d.first[tuple(indices)].shape if indices else d.first.shape
    except (IndexError, RuntimeError):
        shape = ()
    return d.tensor(d.source.part_of(shape), d.first.dtype)


def sliced(d: Draw) -> Any:
    """Of the shape that is taken out there."""
    given = {a.name: d.need(a.name) for a in d.operator.arguments if a.name not in ("src", "self")}
    op = _TAKEN[d.operator.base.partition("_")[0]]
    try:
        shape = op(d.first, **{name: value for name, value in given.items() if name in d.args}).shape
    except (RuntimeError, IndexError):
        shape = ()
    return d.tensor(shape, d.first.dtype)


_TAKEN = {
    "slice": torch.ops.aten.slice.Tensor,
    "select": torch.ops.aten.select.int,
    "diagonal": torch.ops.aten.diagonal,
}


# --- gradients: what the operator itself gave is part of the call ---------------------------------------------------


def forward(d: Draw) -> list[torch.Tensor]:
    """What the operator that this is the gradient of gives for the same arguments."""
    name = d.operator.base.removesuffix("_backward")
    op = getattr(torch.ops.aten, name).default
    given = {"self": "self", "input": "input", "kernel_size": "", "stride": "", "padding": "", "dilation": "",
             "ceil_mode": "", "count_include_pad": "", "divisor_override": ""}  # fmt: skip
    wanted = [argument.name for argument in op._schema.arguments if argument.name in given]
    arguments = {each: d.of(d.need(each)) for each in wanted}
    try:
        found = op(**arguments)
    except (RuntimeError, IndexError):
        return [d.first, d.first]
    return list(found) if isinstance(found, (tuple, list)) else [found]


def gradient(d: Draw) -> Any:
    name = "input" if "norm" in d.operator.base else "self"
    like = d.tensor_of(name)
    if "adaptive" in d.operator.base:
        return d.tensor((*like.shape[:-2], d.source.whole(1, 5), d.source.whole(1, 5)), like.dtype)
    shape = like.shape if "norm" in d.operator.base else forward(d)[0].shape
    return d.tensor(shape, like.dtype)


def pooled_from(d: Draw) -> Any:
    return d.new(forward(d)[1])


def normalized(d: Draw) -> Any:
    like = d.tensor_of("input")
    return list(like.shape[d.source.whole(0, max(like.dim() - 1, 0)) :])


def statistics(power: float) -> Maker:
    def make(d: Draw) -> Any:
        x = d.tensor_of("input").double()
        if "layer" in d.operator.base:
            dims = list(range(x.dim() - len(d.need("normalized_shape")), x.dim()))
        else:
            n, group = x.shape[0], d.need("group")
            x, dims = x.reshape(n, group, -1) if x.numel() else x.new_zeros(n, group, 1), [2]
        found = x.mean(dims, keepdim=True) if power == 1 else (x.var(dims, correction=0, keepdim=True) + 1e-5).rsqrt()
        found = found.squeeze(2) if "group" in d.operator.base else found
        return d.new(found.to(d.tensor_of("input").dtype))

    return make


def normalized_weight(d: Draw) -> Any:
    return d.tensor(d.need("normalized_shape"), d.tensor_of("input").dtype)


# --- numbers --------------------------------------------------------------------------------------------------------


def number(d: Draw) -> Any:
    kind = d.source.random.random()
    if kind < 0.1 and d.first_name in d.args and d.first.numel() and not d.first.is_complex():
        return d.first.flatten()[-1].item()  # where a comparison turns
    whole = not d.args or not any(is_tensor(d, v) for v in d.args.values()) or not d.first.is_floating_point()
    if kind < (0.6 if whole else 0.25):
        return d.source.pick((0, 1, 1, 2, 2, 3, -1, -2, 5, 7, 100, -129, 300, 70000, 2**33))
    if kind < 0.9:
        return d.source.pick((0.5, 1.0, 2.0, -0.5, 1.5, 0.1, -3.25, 7.75, 0.0))
    return d.source.pick((True, False, math.inf, -math.inf, math.nan, 1e10, -0.0))


def dim(d: Draw) -> int:
    rank = d.first.dim()
    return d.source.whole(-max(rank, 1), max(rank, 1) - 1)


def dims(d: Draw) -> list[int]:
    rank = d.first.dim()
    chosen = [i for i in range(rank) if d.source.chance(0.5)]
    return [i - rank if d.source.chance(0.3) else i for i in chosen]


def permutation(d: Draw) -> list[int]:
    dims = list(range(d.first.dim()))
    d.source.random.shuffle(dims)
    return dims


def windows(low: int, high: int) -> Maker:
    """A number for each of the dimensions that the operator is named after, or one for all."""

    def make(d: Draw) -> list[int]:
        found = re.search(r"(\d)(d|im)", d.operator.base)
        n = int(found[1]) if found else max(d.first.dim() - 2, 1)
        return [d.source.whole(low, high) for _ in range(n)]

    return make


def reshaped(d: Draw) -> list[int]:
    left, sizes = d.first.numel(), []
    while left > 1 and len(sizes) < 4:
        factors = [n for n in (2, 3, 4, 5, 7, 8, left) if left % n == 0]
        sizes.append(d.source.pick(factors))
        left //= sizes[-1]
    sizes = [*sizes, left] if left != 1 or d.source.chance(0.2) else sizes
    d.source.random.shuffle(sizes)
    if sizes and d.first.numel() and d.source.chance(0.3):
        sizes[d.source.whole(0, len(sizes) - 1)] = -1
    return sizes


def expanded(d: Draw) -> list[int]:
    sizes = [-1 if d.source.chance(0.1) else d.source.whole(0, 4) if size == 1 else size for size in d.first.shape]
    return [*(d.source.whole(1, 3) for _ in range(d.source.whole(0, 1))), *sizes]


def parts(d: Draw) -> list[int]:
    left, found = d.along, []
    while left > 0 and len(found) < 4:
        found.append(d.source.whole(0, left))
        left -= found[-1]
    return [*found, left] if left or not found else found


def padding(d: Draw) -> list[int]:
    found = re.search(r"(\d)d", d.operator.base)
    n = int(found[1]) if found else d.source.whole(0, d.first.dim())
    return [d.source.pick((0, 0, 1, 1, 2, 3, -1)) for _ in range(2 * n)]


def shifts(d: Draw) -> list[int]:
    dims = d.need("dims") or []
    return [d.source.whole(-9, 9) for _ in range(len(dims) or 1)]


def repeats(d: Draw) -> list[int]:
    return [d.source.pick((1, 1, 2, 3, 0)) for _ in range(d.first.dim() + d.source.whole(0, 1))]


def strides_within(d: Draw) -> list[int]:
    return [d.source.whole(0, 3) for _ in d.need("size")]


def dtype(d: Draw) -> torch.dtype:
    return d.source.pick(DTYPES)


def float_dtype(d: Draw) -> torch.dtype:
    return d.source.pick(FLOATS)


def stored_dtype(d: Draw) -> torch.dtype:
    """Of quantised numbers; where there are some already, theirs."""
    return d.first.dtype if d.operator.base.startswith("dequantize") else d.source.pick(_STORED)


def stored(d: Draw) -> Any:
    return d.tensor(None, d.source.pick(_STORED)) if d.operator.base.startswith("dequantize") else d.tensor()


def stored_numbers(d: Draw) -> Any:
    return d.tensor(None, d.source.pick(_STORED[:3]))


def beside_exactly(d: Draw) -> Any:
    """Of the same dtype."""
    return d.tensor(d.source.part_of(d.first.shape), d.first.dtype)


def limit(which: str) -> Maker:
    def make(d: Draw) -> int:
        dtype = d.need("dtype")
        return getattr(torch.iinfo(dtype), which) if dtype in _STORED else 0

    return make


def table_scales(d: Draw) -> Any:
    """One for each row of the table, or for each of its groups."""
    rows = d.tensor_of("weight").shape[0]
    shape = (rows, d.source.pick((1, 2))) if d.source.chance(0.4) else (rows,)
    kind = d.tensor_of("input").dtype if "mixed" in d.operator.base else d.source.pick(FLOATS[:3])
    return d.new((torch.rand(shape, generator=d.source.bulk) + 0.1).to(kind))


def table_zero_points(d: Draw) -> Any:
    scales = d.tensor_of("weight_scales")
    return d.new(d.source.within(scales.shape, -3, 4).to(scales.dtype))


def table(d: Draw) -> Any:
    """Numbers of a quantised table; for a product, with as many rows or columns as go with the input."""
    rows, columns = d.source.whole(1, 9), 2 * d.source.whole(1, 9)
    if "mixed" in d.operator.base:
        inner = d.tensor_of("input").shape[-1]
        rows, columns = (rows, inner) if "linear" in d.operator.base else (inner, columns)
    kind = torch.uint8 if "bit" in d.operator.base else torch.int8
    return d.new(d.source.tensor((rows, columns), kind))


def table_limit(sign: int) -> Maker:
    def make(d: Draw) -> int:
        found = re.search(r"(\d)bit", d.operator.base)
        half = 2 ** (int(found[1]) if found else 8) // 2
        return -half if sign < 0 else half - 1

    return make


def stored_limit(which: str) -> Maker:
    """The least or largest number of the dtype that the call is about."""
    return lambda d: getattr(torch.iinfo(d.first.dtype), which)


def per_place(d: Draw) -> tuple[int, ...]:
    if d.operator.base.endswith("per_token"):
        return (*d.first.shape[:-1], 1)
    return (d.first.shape[(d.need("axis") or 0) % max(d.first.dim(), 1)] if d.first.dim() else 1,)


def scales(d: Draw) -> Any:
    shape = () if d.operator.base.endswith("per_tensor") else per_place(d)
    return d.new(torch.rand(shape, generator=d.source.bulk, dtype=d.source.pick(FLOATS[2:])) + 0.1)


def zero_points(d: Draw) -> Any:
    shape = () if d.operator.base.endswith("per_tensor") else per_place(d)
    return d.new(d.source.within(shape, 0, 9))
