"""How arguments are drawn: by operator and name where that says most, else by the name of the argument, else by kind.

What is drawn need not be valid, only often: torch decides.
"""

import math
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import torch

from . import families as family
from . import makers as make
from .draw import Draw
from .makers import Maker
from .numbers import FLOATS
from .operators import Argument


def maker(draw: Draw, argument: Argument) -> Callable[[], Any]:
    """What makes this argument of the call; its value is None where that may be and is drawn."""
    chosen = _chosen(draw.operator.base, argument.name, argument.kind)
    return lambda: None if argument.optional and draw.source.chance(0.25) else chosen(draw)


@cache
def _chosen(base: str, name: str, kind: str) -> Maker:
    """Of a kind that nothing is known of, None is tried."""
    rules = [*_BY_OPERATOR.get(f"{name}: {kind}", ()), *_BY_OPERATOR.get(name, ())]
    special = next((found for pattern, found in rules if re.search(pattern, base)), None)
    named = _BY_NAME.get(f"{name}: {kind}") or _BY_NAME.get(name)
    return special or named or _BY_KIND.get(kind) or (lambda d: None)


def _one_of(*options: Any) -> Maker:
    return lambda d: d.source.pick(options)


def _between(low: int, high: int) -> Maker:
    return lambda d: d.source.whole(low, high)


_BY_KIND: dict[str, Maker] = {
    "Tensor": make.first_or_beside,
    "List[Tensor]": make.joined,
    "List[Optional[Tensor]]": make.index_list,
    "int": _between(0, 4),
    "SymInt": _between(0, 4),
    "float": _one_of(0.5, 1.0, 0.1, 2.0, 1.5, 0.0),
    "bool": _one_of(True, False),
    "str": _one_of("none"),
    "number": make.number,
    "ScalarType": make.dtype,
    "List[int]": make.windows(1, 3),
    "List[float]": lambda d: [d.source.pick((0.5, 1.0, 1.5, 2.0, 3.0)) for _ in range(2)],
    "List[bool]": lambda d: [True, True, True],
    "List[number]": lambda d: [make.number(d) for _ in range(2)],
}
_BY_NAME: dict[str, Maker] = {
    "mask": make.mask,
    "condition": lambda d: d.tensor(None, torch.bool),
    "mat2": make.product,
    "dim: int": make.dim,
    "dim0": make.dim,
    "dim1": make.dim,
    "dim2": make.dim,
    "dimension": make.dim,
    "axis": make.dim,
    "dim: List[int]": make.dims,
    "dims": make.dims,
    "index: int": lambda d: d.source.whole(-d.along, max(d.along - 1, 0)),
    "start": lambda d: d.source.whole(-d.along, d.along),
    "length": lambda d: d.source.whole(0, d.along),
    "end": lambda d: d.source.whole(-d.along - 1, d.along + 2),
    "step": _between(1, 3),
    "k": lambda d: d.source.whole(0, d.along),
    "offset": _between(-2, 2),
    "diagonal": _between(-3, 3),
    "upscale_factor": _between(1, 2),
    "downscale_factor": _between(1, 2),
    "rounding_mode": _one_of("floor", "trunc"),
    "approximate": _one_of("none", "tanh"),
    "reduce": _one_of("sum", "prod", "mean", "amax", "amin"),
    "correction": _one_of(0, 1, 1, 2, 0.5),
    "eps": _one_of(1e-5, 1e-6, 1e-3, 0.1),
    "kernel_size": make.windows(1, 3),
    "stride": make.windows(1, 3),
    "padding": make.windows(0, 1),
    "output_padding": make.windows(0, 1),
    "dilation": make.windows(1, 2),
    "output_size": make.windows(1, 5),
    "groups": make.groups,
    "shifts": make.shifts,
    "repeats": make.repeats,
    "split_sizes": make.parts,
    "split_size": _between(1, 4),
    "size": lambda d: list(d.source.shape()),
    "normalized_shape": make.normalized,
    "grid": make.grid,
    "interpolation_mode": _between(0, 2),
    "padding_mode": _between(0, 2),
    "half_to_float": lambda d: False,
    "scales_h": _one_of(None, 2.0, 1.5),
    "scales_w": _one_of(None, 2.0, 1.5),
    "padding_idx": _one_of(-1, 0, 1),
    "num_weights": _between(1, 9),
    "momentum": _one_of(0.1, 0.0, 1.0),
    "running_mean": make.mean,
    "running_var": make.variance,
    "zero_point: int": _one_of(0, 0, 3, -5, 100),
    "zero_point: Tensor": make.zero_points,
    "zero_points": make.zero_points,
    "scale: float": _one_of(0.5, 1.0, 0.037, 3.3),
    "scale: Tensor": make.scales,
    "scales": make.scales,
    "quant_min": make.limit("min"),
    "quant_max": make.limit("max"),
    "out_dtype": make.float_dtype,
    "output_dtype": make.float_dtype,
    "weight_scales": make.table_scales,
    "weight_zero_points": make.table_zero_points,
    "weight_quant_min": make.table_limit(-1),
    "weight_quant_max": make.table_limit(1),
    "a": make.stored_numbers,
    "b": make.beside_exactly,
    **{f"{each}_quant_{which}": make.stored_limit(which) for each in ("a", "b", "out") for which in ("min", "max")},
    **{f"{each}_scale": _one_of(0.3, 0.7, 1.0) for each in ("a", "b", "out")},
    **{f"{each}_zero_point": _one_of(0, 1, 4) for each in ("a", "b", "out")},
    "p": _one_of(0.0, 0.5, 1.0, 1.5, 2.0, 3.0, math.inf),
    "compute_mode": _one_of(None, 1, 2),
    "output_mask": lambda d: [True, True, True],
    "N": lambda d: d.tensor_of("input").shape[0],
    "C": lambda d: d.tensor_of("input").shape[1] if d.tensor_of("input").dim() > 1 else 1,
    "HxW": lambda d: math.prod(d.tensor_of("input").shape[2:]),
    "group": lambda d: d.source.pick([n for n in range(1, max(d.need("C"), 1) + 1) if d.need("C") % n == 0] or [1]),
    "value: Tensor": lambda d: d.tensor((), d.first.dtype if d.source.chance(0.7) else None),
}
_BY_OPERATOR: dict[str, list[tuple[str, Maker]]] = {
    "self: number": [("searchsorted", make.number)],
    "p: float": [("bernoulli|geometric|dropout", _one_of(0.1, 0.5, 0.9))],
    "p: Tensor": [("bernoulli", family.chances)],
    "quant_min: Tensor": [("", family.limit_tensor("min"))],
    "quant_max: Tensor": [("", family.limit_tensor("max"))],
    "high: Tensor": [("rand", lambda d: d.new(torch.tensor(d.source.whole(5, 9))))],
    "n": [("polynomial", family.degrees)],
    "real": [("", lambda d: d.tensor(None, torch.float32))],
    "abs": [("", lambda d: d.tensor(None, torch.float32))],
    "imag": [("", make.beside_exactly)],
    "angle": [("", make.beside_exactly)],
    "count": [("binomial", family.trials)],
    "prob": [("binomial", family.chances)],
    "bins": [("histc", _between(1, 9))],
    "weights": [("bincount", lambda d: d.tensor(d.first.shape))],
    "sorted_sequence": [("", family.ascending)],
    "sorter": [("", family.order_of)],
    "side": [("", family.side)],
    "offsets": [("bag", family.bag_starts), ("segment", family.segment_starts)],
    "mode": [("bag", _between(0, 2))],
    "per_sample_weights": [("", family.row_factors)],
    "data": [("segment", lambda d: d.tensor(ranks=(1, 2, 3)))],
    "axis": [("segment", lambda d: d.source.pick((0, 0, d.source.whole(0, d.tensor_of("data").dim() - 1))))],
    "lengths": [("", family.lengths)],
    "group_size": [("", _between(1, 4))],
    "scales": [("channel_group", family.group_scales)],
    "zero_points": [("channel_group", family.group_zero_points)],
    "normalization": [("fft", _between(0, 2))],
    "last_dim_size": [("fft", family.last_size)],
    "bias_sizes": [("", family.bias_sizes)],
    "k": [("kthvalue", lambda d: d.source.whole(1, max(d.along, 1)))],
    "high": [("rand", _between(5, 9))],
    "mean": [("norm_backward", make.statistics(1))],
    "rstd": [("norm_backward", make.statistics(2))],
    "self": [
        ("^addmm$|^baddbmm$", make.bias_of_product),
        ("^where$", lambda d: d.tensor(d.source.part_of(d.first.shape))),
        ("pool.*backward$", lambda d: d.tensor(ranks=(3, 4, 4))),
        ("view_as_real|conj|fft_c2", family.complex_numbers),
        ("view_as_complex", family.parts_of_complex),
        ("fft_r2c", lambda d: d.tensor(None, torch.float32, ranks=(1, 2, 3, 4))),
        ("bincount", family.counted),
        ("col2im", family.columns),
        ("searchsorted", family.sought),
        ("bernoulli|multinomial", family.chances),
        ("_standard_gamma|dirichlet", family.shapes_of_gamma),
        ("repeat_interleave", lambda d: d.new(d.source.within((d.source.size(),), 0, 4))),
    ],
    "repeats": [("repeat_interleave", lambda d: d.new(d.source.within((d.source.size(),), 0, 4, make.index_dtype(d))))],
    "mat1": [("^addmm$", lambda d: d.tensor(ranks=(2,)))],
    "input": [
        ("convolution_backward", lambda d: d.tensor(ranks=(3, 4, 4, 5))),
        ("channel_group", family.grouped),
        ("quantize", make.stored),
        ("^mixed_", lambda d: d.tensor((d.source.size(), 2 * d.source.whole(1, 9)), d.source.pick(FLOATS[:3]))),
        ("choose_qparams", lambda d: d.tensor(None, torch.float32)),
        ("norm_backward$", lambda d: d.tensor(ranks=(2, 3, 4))),
    ],
    "input1": [("", lambda d: d.tensor(ranks=(2, 3)))],
    "x1": [("cdist", lambda d: d.tensor(ranks=(2, 3)))],
    "x2": [("cdist", make.pairs)],
    "weight": [
        ("convolution", make.kernel),
        ("^linear$", make.linear_weight),
        ("embedding_.*(byte|bit)|^mixed_", make.table),
        ("embedding", lambda d: d.tensor(ranks=(2,))),
        ("layer_norm", make.normalized_weight),
        ("norm", make.channels),
    ],
    "bias": [
        ("convolution", make.kernel_bias),
        ("^linear$", make.linear_bias),
        ("layer_norm", make.normalized_weight),
        ("norm", make.channels),
    ],
    "index": [("index_select|index_add|index_fill|index_copy", make.row_numbers), ("^gather$|^scatter", make.places)],
    "other": [("^where$", lambda d: d.beside(d.tensor_of("self")))],
    "src": [
        ("^scatter|^scatter_", make.from_places),
        ("slice_scatter|select_scatter|diagonal_scatter", make.sliced),
        ("masked_scatter", make.same_shape),
    ],
    "source": [("masked_scatter", make.same_shape)],
    "indices": [
        ("index", make.index_list),
        ("embedding_dense_backward", make.gradient_rows),
        ("bag", family.bagged_rows),
        ("segment", lambda d: None),
        ("pool.*backward", make.pooled_from),
        ("embedding", make.table_rows),
    ],
    "values": [("index_put", make.put)],
    "grad_output": [
        ("convolution", family.convolution_gradient),
        ("embedding", lambda d: d.tensor(ranks=(2, 3))),
        ("pool", make.gradient),
    ],
    "grad_out": [("norm", make.gradient)],
    "size": [
        ("^(view|reshape)", make.reshaped),
        ("^expand", make.expanded),
        ("unfold", lambda d: d.source.whole(0, d.along)),
        ("nonzero_static", _between(0, 9)),
        ("resize", family.smaller_shape),
        ("as_strided", lambda d: [d.source.whole(0, 3) for _ in range(d.source.whole(0, 3))]),
    ],
    "stride": [("as_strided|empty_strided", make.strides_within)],
    "storage_offset": [("", _between(0, 2))],
    "step": [("unfold", _between(1, 3)), ("arange", _one_of(1, 2, -1, 0.5))],
    "start": [("arange", _one_of(0, 1, -3, 2.5, 7))],
    "end": [("arange", _one_of(0, 1, 7, 10.5, -3, 40))],
    "dims": [("permute", make.permutation)],
    "pad": [("", make.padding)],
    "padding": [("_pad\\dd$", make.padding)],
    "dim": [("glu|softmax", make.dim), ("fft", family.transformed)],
    "dtype": [
        ("choose_qparams_per_token", lambda d: torch.int8),
        ("quantize|choose_qparams", make.stored_dtype),
        ("embedding_|^mixed_", lambda d: d.source.pick(FLOATS[:3])),
        ("mean|softmax|norm|var", make.float_dtype),
    ],
    "output_size": [
        ("col2im", family.image_sizes),
        ("repeat_interleave", lambda d: int(d.tensor_of("repeats").sum())),
        ("upsample", make.windows(1, 7)),
    ],
    "reduce": [("^scatter$", _one_of("add", "multiply")), ("segment", _one_of("sum", "prod", "mean", "max", "min"))],
    "training": [("_native_batch_norm_legit", lambda d: True)],  # without statistics torch reads those it has not
}
