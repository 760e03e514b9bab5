"""Where the values of a graph lie: what planning gives to emission."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod

from tenon.ir.graph import OpNode
from tenon.ir.types import TensorMeta

VIEW = "aten::view_copy.out"  # the operator whose result may lie where its argument lies
PERMUTE = "aten::permute_copy.out"  # its result may too, if the permutation moves nothing
# Operators whose result is their argument with some elements replaced: where both are one memory, nothing is copied.
REPLACES_PARTS = {
    "aten::index_put.out": "self",
    "aten::index_copy.out": "self",
    "aten::scatter.src_out": "self",
    "aten::scatter.value_out": "self",
    "aten::select_scatter.out": "self",
    "aten::slice_scatter.out": "self",
    "tenon::convolution_into.out": "wide",
    "tenon::convolution_winograd_into.out": "wide",
}


def shows(node: OpNode, before: TensorMeta) -> bool:
    """Whether a node's result has its argument's bytes: a view of what is in order, or a permutation that only gives
    dimensions another place, such as [0, 2, 3, 1] of an image with its channels last."""
    after = node.outputs[0].type if node.outputs else None
    if not isinstance(after, TensorMeta):
        return False
    if node.op == VIEW:
        return before.in_order and after.in_order
    dims = node.args.get("dims")
    if node.op != PERMUTE or not after.is_static or not isinstance(dims, tuple):
        return False
    order = [dims[dim] % len(dims) for dim in after.dim_order if after.shape[dim] != 1]  # type: ignore[operator]
    return order == [dim for dim in before.dim_order if before.shape[dim] != 1]


CAT = "aten::cat.out"  # what it joins may be made where it is to lie
PARTS = (  # their results may lie where their argument lies
    "aten::slice_copy.Tensor_out",
    "aten::select_copy.int_out",
    "aten::split_with_sizes_copy.out",
    "aten::split_copy.Tensor_out",
    "aten::unbind_copy.int_out",
)


def part_offsets(node: OpNode, whole: TensorMeta) -> list[int] | None:
    """At which byte of its argument each result of a node begins, if each is one run of it; None if one is not."""
    types = [value.type for value in node.outputs]
    parts = [each for each in types if isinstance(each, TensorMeta)]
    dim = node.args.get("dim", 0)
    if node.op not in PARTS or not isinstance(dim, int) or not parts or len(parts) != len(types) or not whole.shape:
        return None
    dim %= len(whole.shape)
    goes = "slice" not in node.op or node.args.get("step", 1) == 1
    if not goes or not all(_is_run(each, whole, dim, "split" in node.op or "slice" in node.op) for each in parts):
        return None
    if "select" in node.op or "slice" in node.op:
        first = node.args.get("index" if "select" in node.op else "start", 0)
        size = _sizes(whole)[dim]
        if not isinstance(first, int | None):
            return None
        starts = [min(max((first or 0) + (size if (first or 0) < 0 else 0), 0), size)]
    else:
        starts = [0, *accumulate(_along(each, whole, dim) for each in parts)][:-1]
    return [start * _step(whole, dim) for start in starts]


def joined_offsets(node: OpNode, parts: Sequence[TensorMeta]) -> list[int] | None:
    """At which byte of the result each tensor that is joined begins, if each is one run of it; None if one is not."""
    whole, dim = node.outputs[0].type if node.outputs else None, node.args.get("dim", 0)
    if node.op != CAT or not isinstance(whole, TensorMeta) or not isinstance(dim, int) or not whole.shape:
        return None
    dim %= len(whole.shape)
    if not all(len(each.shape) == len(whole.shape) and _is_run(each, whole, dim, True) for each in parts):
        return None
    starts = [0, *accumulate(_along(each, whole, dim) for each in parts)][:-1]
    return [start * _step(whole, dim) for start in starts]


def _sizes(meta: TensorMeta) -> list[int]:
    """Of a tensor whose shape is known."""
    return [size for size in meta.shape if isinstance(size, int)]


def _step(whole: TensorMeta, dim: int) -> int:
    """The bytes from one place along a dimension to the next."""
    inside = whole.dim_order[whole.dim_order.index(dim) + 1 :]
    return prod([_sizes(whole)[each] for each in inside]) * whole.dtype.bytes


def _along(part: TensorMeta, whole: TensorMeta, dim: int) -> int:
    return _sizes(part)[dim] if len(part.shape) == len(whole.shape) else 1


def _is_run(part: TensorMeta, whole: TensorMeta, dim: int, has_dim: bool) -> bool:
    """Whether neighbours along a dimension lie in one run, in the same order in the part and in the whole."""
    if not (part.is_static and whole.is_static and part.dense and whole.dense and part.dtype == whole.dtype):
        return False
    place = whole.dim_order.index(dim)
    if 0 in part.shape or any(whole.shape[each] != 1 for each in whole.dim_order[:place]):
        return False
    left = [each if has_dim or each < dim else each - 1 for each in whole.dim_order if has_dim or each != dim]
    rest = [size for each, size in enumerate(whole.shape) if each != dim]
    if rest != [size for each, size in enumerate(part.shape) if not has_dim or each != dim]:
        return False
    return [each for each in left if part.shape[each] != 1] == [d for d in part.dim_order if part.shape[d] != 1]


@dataclass(frozen=True, slots=True)
class Place:
    """A memory bank, counted from 1, and an offset in it."""

    bank: int
    offset: int


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """Where every value lies that needs memory, the bytes used of each bank, and the least that could do."""

    places: dict[str, Place]
    sizes: list[int]
    lower_bound: int
    homes: dict[str, str]  # value -> the value whose memory it shares
    of_constant: dict[str, str]  # view of a constant -> the weight it shows
    there: frozenset[str] = frozenset()  # results of nodes that have nothing to do, as all of it lies there already
