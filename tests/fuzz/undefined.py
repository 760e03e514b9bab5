"""What torch leaves open, so that no result of it is right or wrong: what is not drawn, and what is not compared."""

import math
import re
from collections.abc import Callable
from typing import Any

import torch

from .operators import Operator

Args = dict[str, Any]


def tensors(args: Args) -> list[torch.Tensor]:
    parts = [part for value in args.values() for part in (value if isinstance(value, list) else [value])]
    return [part for part in parts if isinstance(part, torch.Tensor)]


# --- calls that are not made ----------------------------------------------------------------------------------


def _divides_least_by_minus_one(operator: Operator, args: Args) -> bool:
    one, other = args.get("self"), args.get("other")
    if not isinstance(one, torch.Tensor) or one.dtype.is_floating_point or one.dtype in (torch.bool, torch.uint8):
        return False
    by = other if isinstance(other, torch.Tensor) else torch.tensor(other)
    return bool((by == -1).any()) and any(bool((one == torch.iinfo(d).min).any()) for d in _SIGNED)


_SIGNED = (torch.int8, torch.int16, torch.int32, torch.int64)


def _names_no_place(operator: Operator, args: Args) -> bool:
    """Where a window lies in the padding alone, torch's pooling names a place that is none."""
    sizes = args["self"].shape[-2:]
    if bool(((args["indices"] < 0) | (args["indices"] >= math.prod(sizes))).any()):
        return True
    window = _pair(args["kernel_size"])
    step = _pair(args.get("stride")) or window
    low, apart = _pair(args.get("padding")) or [0, 0], _pair(args.get("dilation")) or [1, 1]
    for dim, (size, count) in enumerate(zip(sizes, args["grad_output"].shape[-2:], strict=True)):
        for i in range(count):
            if not any(0 <= i * step[dim] - low[dim] + k * apart[dim] < size for k in range(window[dim])):
                return True
    return False


def _pair(numbers: list[int] | None) -> list[int]:
    return list(numbers or ()) * (2 // max(len(numbers or ()), 1))


# Calls that would end the process, torch's own included, or take it a long time.
FORBIDDEN: list[tuple[str, Callable[[Operator, Args], bool]]] = [
    ("^(div|floor_divide|remainder|fmod)$", _divides_least_by_minus_one),  # a trap of the processor, in torch too
    ("^_adaptive_avg_pool2d_backward$", lambda op, args: args["self"].numel() == 0),  # torch writes outside of it
    ("^max_pool2d_with_indices_backward$", _names_no_place),  # torch writes there
    ("^_fft", lambda op, args: not args["dim"] or args["self"].numel() == 0),  # torch transforms what it has not
    ("^bincount$", lambda op, args: bool((args["self"].abs() > 1000).any())),  # as many results
    ("^convolution_backward$", lambda op, args: not all(t.numel() for t in tensors(args))),  # bad optional access
    # A function of the degree n takes n steps, and zeta of -n too.
    ("polynomial", lambda op, args: bool((args["n"].abs() > 100).any())),
    ("^special_zeta$", lambda op, args: bool((args["other"] < -1000).any())),
    ("^(polygamma|digamma)$", lambda op, args: bool((args["self"] < -1000).any())),
]


def forbidden(operator: Operator, args: Args) -> bool:
    return any(re.search(pattern, operator.base) and rule(operator, args) for pattern, rule in FORBIDDEN)


# --- calls whose result is not defined --------------------------------------------------------------------------


def _converts_out_of_range(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
    """A float that no number of a whole dtype is near: the processor decides."""
    for result in results:
        if result.dtype.is_floating_point or result.dtype.is_complex or result.dtype == torch.bool:
            continue
        info = torch.iinfo(result.dtype)
        low, high = float(info.min) - 1, float(info.max) + (result.dtype != torch.int64)
        given = [t.double() for t in tensors(args) if t.dtype.is_floating_point]
        given += [torch.tensor(value).double() for value in args.values() if isinstance(value, float)]
        if any(not bool(((t > low) & (t < high)).all()) for t in given):
            return True
    return False


def _powers_out_of_range(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
    """As _converts_out_of_range, for powers between two exponents of the result's own dtype."""
    (result,) = results
    if result.dtype.is_floating_point or result.dtype.is_complex or result.dtype == torch.bool:
        return False
    start, end = (float(torch.tensor(int(args[name])).to(result.dtype)) for name in ("start", "end"))
    exponents = torch.linspace(start, end, result.numel(), dtype=torch.float64)
    powers, info = (
        torch.tensor(float(args.get("base", 10.0)), dtype=torch.float64) ** exponents,
        torch.iinfo(result.dtype),
    )
    return not bool(((powers > float(info.min) - 1) & (powers < float(info.max))).all())


def _sums_huge(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
    """Numbers near the largest: their sum overflows in one order, and not in another."""
    if operator.pointwise or is_move(operator) or operator.base in _COMPARES:
        return False
    for tensor in tensors(args):
        if tensor.dtype.is_floating_point:
            most = {torch.float64: 1e100, torch.float16: 6e3}.get(tensor.dtype, 1e12)
            if bool(((tensor.abs() > most) & tensor.isfinite()).any()):
                return True
    return False


_MOVES = set("cat stack flip roll repeat gather index index_select clone tril triu constant_pad_nd".split())
_COMPARES = set("sort topk amax amin argmax argmin max min".split())


def is_move(operator: Operator) -> bool:
    """Whether it takes elements from one place to another as they are."""
    return operator.base.endswith("_copy") or operator.base in _MOVES


def _puts_twice(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
    """Two different values for one place."""
    if args.get("accumulate") or args["values"].numel() == 1:
        return False
    counts = torch.zeros(args["self"].shape)
    ones = torch.ones(args["values"].shape)
    return bool((torch.ops.aten.index_put(counts, args["indices"], ones, True) > 1).any())


def _has_nan(args: Args) -> bool:
    return any(bool(tensor.isnan().any()) for tensor in tensors(args))


def _quotient_overflows(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
    """torch has two ways for it, by the place of the element, of which one gives NaN."""
    one, other = args["self"], args["other"]
    if not results[0].dtype.is_floating_point or not isinstance(one, torch.Tensor):
        return False
    quotient = one.to(results[0].dtype) / other
    return bool((quotient.isinf() & one.isfinite() & (torch.as_tensor(other) != 0)).any())


def _multiple_overflows(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
    """A multiple that is too large by itself, and not where it is added in the same step."""
    alpha, by = args.get("alpha", 1), args.get("self" if operator.base == "rsub" else "other")
    if alpha in (0, 1) or not results[0].dtype.is_floating_point or not isinstance(by, torch.Tensor):
        return False
    return bool(((by * alpha).to(results[0].dtype).isinf() & by.isfinite()).any())


def _part_overflows(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
    """Its large numbers by themselves are inf: with small ones, or 0, their product is any number, by the order."""
    if args["self"].numel() <= 8 or not (results[0].is_floating_point() or results[0].is_complex()):
        return False
    large = args["self"].to(torch.complex128).abs().clamp(min=1).log()
    large = large.sum() if args.get("dim") is None else large.sum(args["dim"])
    return bool((large > math.log(torch.finfo(results[0].dtype).max)).any())


def _leaves_image(args: Args, result: torch.Tensor) -> bool:
    """A scale brings the last window behind the image: torch takes the number that lies there, 0 times."""
    if args.get("align_corners"):
        return False  # and no scale counts
    for dim, scale in ((-2, args.get("scales_h")), (-1, args.get("scales_w"))):
        step, size, count = 1 / (scale or math.inf), args["self"].shape[dim], result.shape[dim]
        if size != count and int(step * (count - 0.5) - max(step, 1) + 0.5) >= size:
            return True
    return False


def _is_padded(args: Args) -> bool:
    return any(args["padding"]) or args["transposed"]


def _is_finite(tensor: torch.Tensor) -> bool:
    return bool(tensor.isfinite().all())


def _has_least(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
    """The least of a whole dtype, which has no absolute value in it."""
    whole = [t for t in tensors(args) if t.dtype in _SIGNED]
    return any(bool((t == torch.iinfo(d).min).any()) for t in whole for d in _SIGNED)


def _is_between(low: float, high: float) -> Callable[[Operator, Args, list[torch.Tensor]], bool]:
    """Whether any number of the first tensor is so far from 0."""

    def rule(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
        far = tensors(args)[0].double().abs()
        return bool(((far > low) & (far < high)).any())

    return rule


def _quantises_out_of_range(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
    """As a float the quotient is rounded to one beyond the largest of the dtype, and then converted."""
    scale = args.get("scale", args.get("scales"))
    least = float(scale.min()) if isinstance(scale, torch.Tensor) and scale.numel() else 1.0
    least = scale if isinstance(scale, float) else least
    return results[0].dtype == torch.int32 and bool((args["input"].double().abs() > least * 2**30).any())


def _mixes_orders(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
    """torch reads the gradient as if it lay as the input does, and the statistics as if they lay in order."""
    if not (args["mean"].is_contiguous() and args["rstd"].is_contiguous()):
        return True
    return args["grad_out"].is_contiguous() != args["input"].is_contiguous()


def _size(tensor: torch.Tensor) -> torch.Tensor:
    """How far from 1, as a factor."""
    size = tensor.double().abs()
    return torch.maximum(size, 1 / size).where(size != 0, 1.0)


OPEN: list[tuple[str, Callable[[Operator, Args, list[torch.Tensor]], bool]]] = [
    ("copy|fill|full|scalar_tensor|sum|prod|arange|scatter|quantize|round|cumsum|convert", _converts_out_of_range),
    # where torch overflows on its way: igammac(1e308, 9) is 1, and not NaN; igamma(5e-324, 0.5) is 1, and not 0
    ("^igammac?$", lambda op, args, out: any(bool((_size(t) > 1e100).any()) for t in tensors(args))),
    # infinities times zeros, in an order of its own
    ("^_fft", lambda op, args, out: not bool(args["self"].isfinite().all())),
    ("^logspace$", _powers_out_of_range),
    # torch's depends on how many numbers its vectors have: issue 81996 of PyTorch
    ("^linspace$", lambda op, args, out: not (out[0].dtype.is_floating_point or out[0].dtype.is_complex)),
    ("", _sums_huge),
    ("^index_put$", _puts_twice),
    ("^(remainder|fmod)$", _quotient_overflows),
    ("^(add|sub|rsub)$", _multiple_overflows),
    ("^r?sub$", lambda op, args, out: args.get("alpha", 1) == 0),  # torch adds -alpha: 0 for 0, and -0.0 for 0.0
    ("^_cdist_forward$", lambda op, args, out: args["p"] == math.inf and _has_nan(args)),  # torch loses the NaN
    ("_aa$", lambda op, args, out: 1 in (args["self"].shape[-1], out[0].shape[-1])),  # torch takes rows for channels
    ("^upsample_bilinear2d$", lambda op, args, out: out[0].dtype == torch.uint8 and out[0].shape[-1] == 1),  # so here
    ("_aa$", lambda op, args, out: _leaves_image(args, out[0]) and not _is_finite(out[0])),
    # Whether each term of a sum has the factor, or the sum, is open.
    ("^addmm$", lambda op, args, out: args.get("alpha", 1) in (0, math.inf, -math.inf)),
    # What lies in the padding is 0 * inf, or is left out.
    ("^convolution$", lambda op, args, out: _is_padded(args) and not _is_finite(args["weight"])),
    ("^convolution_backward$", lambda op, args, out: not all(map(_is_finite, tensors(args)))),
    ("^quantize", _quantises_out_of_range),
    ("^pixel_unshuffle$", lambda op, args, out: args["self"].numel() == 0),  # torch gives it as it is, of its shape
    ("^resize$", lambda op, args, out: out[0].numel() > args["self"].numel()),  # what memory held
    ("polynomial", lambda op, args, out: _has_nan(args)),  # torch never sets what it returns
    ("^(gcd|lcm)$", _has_least),
    ("(^|_)(i0|i1|k0|k1)$", _is_between(80, 100)),  # torch's overflow before they do
    ("^(sinh|cosh)$", _is_between(88, 90)),  # so do they
    ("bessel_[jy]", _is_between(1000, math.inf)),  # torch's are inexact there
    ("airy", _is_between(100, math.inf)),  # and these, of x^(3/2): that of -599 is right to two digits
    ("^special_zeta$", _is_between(1000, math.inf)),  # NaN in torch
    ("^(unique|mode)", lambda op, args, out: _has_nan(args)),  # their order is that of a sort that NaN is not made for
    ("^_fft", lambda op, args, out: not _is_finite(args["self"])),  # inf - inf, or inf: by the order of the sums
    ("_norm_backward$", _mixes_orders),
    ("^prod$", _part_overflows),
]


def undefined(operator: Operator, args: Args, results: list[torch.Tensor]) -> bool:
    return any(re.search(pattern, operator.base) and rule(operator, args, results) for pattern, rule in OPEN)


# --- results that are not compared as they are ------------------------------------------------------------------


def is_noise(operator: Operator) -> bool:
    """What memory held before, or random numbers: only the shape is told, and no other call uses it."""
    return operator.is_random or "empty" in operator.base


def gives_either_zero(operator: Operator) -> bool:
    """Of 0.0 and -0.0 torch takes the one or the other as the larger, by the place of the element."""
    return bool(re.search("max|min|clamp|relu", operator.base))


# Functions that torch computes with a formula that is right to so many places: relative and absolute.
INEXACT: list[tuple[str, torch.dtype, tuple[float, float]]] = [
    ("bessel|airy", torch.float32, (1e-4, 1e-6)),
    ("bessel|airy", torch.float64, (1e-4, 1e-6)),
    ("chebyshev_polynomial_[uvw]", torch.float32, (3e-3, 1e-3)),  # a quotient of two that are nearly 0
]


def known_error(operator: Operator, dtype: torch.dtype) -> tuple[float, float]:
    return next((by for base, kind, by in INEXACT if kind == dtype and re.search(base, operator.base)), (0.0, 0.0))
