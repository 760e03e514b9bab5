"""Orders, bins and places said by other operators: medians, searches, histograms, what is put or joined at an index."""

import math
from collections.abc import Callable
from typing import Any

import torch

aten = torch.ops.aten


def _bucketize(x: Any, boundaries: torch.Tensor, *, out_int32: bool = False, right: bool = False) -> Any:
    search = aten.searchsorted.Tensor if isinstance(x, torch.Tensor) else aten.searchsorted.Scalar
    return search(boundaries, x, out_int32=out_int32, right=right)


def _put(x: torch.Tensor, index: torch.Tensor, source: torch.Tensor, accumulate: bool = False) -> Any:
    flat, at, values = (aten.reshape.default(t, [-1]) for t in (x, index, source))
    return aten.view.default(aten.index_put.default(flat, [at], values, accumulate), x.shape)


def _index_reduce(
    x: torch.Tensor, dim: int, index: torch.Tensor, source: torch.Tensor, reduce: str, *, include_self: bool = True
) -> Any:
    shape = [1] * x.dim()
    if shape:
        shape[dim] = index.numel()
    at = aten.expand.default(aten.reshape.default(index, shape), source.shape if shape else [])
    source = source if shape else aten.reshape.default(source, [])
    return aten.scatter_reduce.two(x, dim, at, source, reduce, include_self=include_self)


def _middle(x: torch.Tensor, dim: int, keepdim: bool, skips_nan: bool) -> Any:
    """The element in the middle of each row, and its place: the first of equals, as torch takes it."""
    if x.dim() == 0:
        return aten.clone.default(x), aten.full.default([], 0, dtype=torch.int64)
    values, places = aten.sort.stable(x, stable=True, dim=dim)
    size = x.shape[dim]
    if not x.is_floating_point():
        at = (size - 1) // 2
        both = [aten.slice.Tensor(t, dim, at, at + 1) for t in (values, places)]
    else:  # what is not a number comes last
        count = aten.sum.dim_IntList(aten.eq.Tensor(x, x), [dim], True)
        if skips_nan:
            where = aten.bitwise_right_shift.Tensor_Scalar(aten.clamp.default(aten.sub.Tensor(count, 1), 0), 1)
        else:
            middle = aten.full.default([], (size - 1) // 2, dtype=torch.int64)
            where = aten.where.self(aten.lt.Scalar(count, size), count, middle)
        both = [aten.gather.default(t, dim, where) for t in (values, places)]
    return tuple(both if keepdim else [aten.squeeze.dim(t, dim) for t in both])


def _median(x: torch.Tensor, skips_nan: bool) -> Any:
    if x.numel() == 0:  # torch's is no number, or the smallest of wholes
        least = float("nan") if x.is_floating_point() else torch.iinfo(x.dtype).min
        return aten.full.default([], least, dtype=x.dtype)
    return _middle(aten.reshape.default(x, [-1]), 0, False, skips_nan)[0]


def _bin_edges(
    x: torch.Tensor, bins: list[int], *, range: Any = None, weight: Any = None, density: bool = False
) -> Any:
    dims = len(bins)
    flat = aten.reshape.default(x, [-1, dims])
    made = []
    for d, count in enumerate(bins):
        if range is not None or flat.numel() == 0:
            ends = (range[2 * d], range[2 * d + 1]) if range is not None else (0.0, 1.0)
            low, high = (aten.full.default([], end, dtype=x.dtype) for end in ends)
        else:
            column = aten.select.int(flat, 1, d)
            low, high = aten.amin.default(column, []), aten.amax.default(column, [])
        margin = aten.mul.Scalar(aten._to_copy.default(aten.eq.Tensor(low, high), dtype=x.dtype), 0.5)
        low, high = aten.sub.Tensor(low, margin), aten.add.Tensor(high, margin)
        step = aten.div.Scalar(aten.sub.Tensor(high, low), count)
        at = aten.arange.default(count + 1, dtype=x.dtype)
        up = aten.add.Tensor(low, aten.mul.Tensor(step, at))
        down = aten.sub.Tensor(high, aten.mul.Tensor(step, aten.rsub.Scalar(at, count)))
        made.append(aten.where.self(aten.lt.Scalar(at, (count + 1) // 2), up, down))
    return made


def _from_edges(x: torch.Tensor, bins: list[torch.Tensor], *, weight: Any = None, density: bool = False) -> Any:
    counts = [edges.numel() - 1 for edges in bins]
    flat = aten.reshape.default(x, [-1, len(bins)])
    index = aten.full.default([flat.shape[0]], 0, dtype=torch.int64)
    inside = aten.full.default([flat.shape[0]], True, dtype=torch.bool)
    for d, (edges, count) in enumerate(zip(bins, counts, strict=True)):
        column = aten.select.int(flat, 1, d)
        at = aten.sub.Tensor(aten.searchsorted.Tensor(edges, column, right=True), 1)
        index = aten.add.Tensor(aten.mul.Scalar(index, count), aten.clamp.default(at, 0, count - 1))
        ends = (
            aten.ge.Tensor(column, aten.select.int(edges, 0, 0)),
            aten.le.Tensor(column, aten.select.int(edges, 0, count)),
        )
        inside = aten.logical_and.default(inside, aten.logical_and.default(*ends))
    one = aten.full.default([flat.shape[0]], 1, dtype=x.dtype) if weight is None else aten.reshape.default(weight, [-1])
    one = aten.where.self(inside, one, aten.full.default([], 0, dtype=one.dtype))
    sums = aten.scatter_add.default(aten.full.default([math.prod(counts)], 0, dtype=x.dtype), 0, index, one)
    sums = aten.view.default(sums, counts)
    if density:
        sums = aten.div.Tensor(sums, aten.sum.default(sums))
        for d, edges in enumerate(bins):
            widths = aten.sub.Tensor(aten.slice.Tensor(edges, 0, 1), aten.slice.Tensor(edges, 0, 0, counts[d]))
            sums = aten.div.Tensor(sums, aten.view.default(widths, [-1] + [1] * (len(bins) - 1 - d)))
    return sums


def _from_counts(
    x: torch.Tensor, bins: list[int], *, range: Any = None, weight: Any = None, density: bool = False
) -> Any:
    return _from_edges(x, _bin_edges(x, bins, range=range), weight=weight, density=density)


def _histogram(
    x: torch.Tensor, bins: int = 100, *, range: Any = None, weight: Any = None, density: bool = False
) -> Any:
    column = aten.reshape.default(x, [-1, 1])
    (edges,) = _bin_edges(column, [bins], range=range)
    return _from_edges(column, [edges], weight=weight, density=density), edges


def _histogram_between(x: torch.Tensor, bins: torch.Tensor, *, weight: Any = None, density: bool = False) -> Any:
    column = aten.reshape.default(x, [-1, 1])
    return _from_edges(column, [bins], weight=weight, density=density), aten.clone.default(bins)


ORDERS_AND_BINS: dict[Any, Callable[..., Any]] = {
    aten.bucketize.Tensor: _bucketize,
    aten.bucketize.Scalar: _bucketize,
    aten.put.default: _put,
    aten.index_reduce.default: _index_reduce,
    aten.median.dim: lambda x, dim, keepdim=False: _middle(x, dim, keepdim, False),
    aten.nanmedian.dim: lambda x, dim, keepdim=False: _middle(x, dim, keepdim, True),
    aten.median.default: lambda x: _median(x, False),
    aten.nanmedian.default: lambda x: _median(x, True),
    aten._histogramdd_bin_edges.default: _bin_edges,
    aten._histogramdd_from_bin_tensors.default: _from_edges,
    aten._histogramdd_from_bin_cts.default: _from_counts,
    aten.histogram.bin_ct: _histogram,
    aten.histogram.bins_tensor: _histogram_between,
}
