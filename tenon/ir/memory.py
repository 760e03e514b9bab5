"""Where the values of a graph lie: what planning gives to emission."""

from dataclasses import dataclass

from tenon.ir.graph import OpNode
from tenon.ir.types import TensorMeta

VIEW = "aten::view_copy.out"  # the operator whose result may lie where its argument lies
PERMUTE = "aten::permute_copy.out"  # its result may too, if the permutation moves nothing


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
