"""Masks that a model spells out and that say no more than that a query sees no key behind it."""

from collections.abc import Iterator

from tenon.ir.graph import Arg, OpNode, Ref
from tenon.lower.writer import Writer

_AND = ("aten::bitwise_and.Tensor", "aten::logical_and")
_SAME = ("aten::view_copy", "aten::unsqueeze_copy", "aten::squeeze_copy.dim", "aten::add.Tensor", "aten::add.Scalar")


def without_causal(mask: Arg, write: Writer) -> Arg | None:
    """What is left of a mask of rank 4 besides `key <= query`: None if nothing is.

    The mask itself if it does not say that, or if what is left would have to be joined again.
    """
    meta = write.tensor(mask)
    if meta is None or len(meta.shape) != 4:
        return mask
    terms = [term for term in _terms(mask, write) if not _is_true(term, write)]
    rest = [term for term in terms if not _is_causal(term, write)]
    if len(rest) == len(terms) or len(rest) > 1:
        return mask
    left = write.tensor(rest[0]) if rest else None
    return mask if left is not None and len(left.shape) != 4 else next(iter(rest), None)


def _terms(arg: Arg, write: Writer) -> Iterator[Arg]:
    node = write.made_by(arg, *_AND)
    if node is None:
        yield arg
    else:
        yield from _terms(node.args["self"], write)
        yield from _terms(node.args["other"], write)


def _is_true(arg: Arg, write: Writer) -> bool:
    node = write.made_by(arg, "aten::full")
    return node is not None and node.args["fill_value"] is True and node.args["size"] == ()


def _is_causal(arg: Arg, write: Writer) -> bool:
    """arange(keys) <= arange(queries), the one along the last dimension and the other along the one before."""
    node = write.made_by(arg, "aten::le.Tensor", "aten::ge.Tensor")
    if node is None:
        return False
    sides = [node.args["self"], node.args["other"]]
    keys, queries = sides if node.op == "aten::le.Tensor" else sides[::-1]
    return _counts(keys, write) == 3 and _counts(queries, write) == 2


def _counts(arg: Arg, write: Writer) -> int | None:
    """The dimension of rank 4 along which a value is 0, 1, 2 and so on, and the same along all others."""
    meta, node = write.tensor(arg), write.made_by(arg, *_SAME)
    if meta is None or len(meta.shape) != 4:
        return None
    while node is not None and _changes_nothing(node):
        arg = node.args["self"]
        node = write.made_by(arg, *_SAME)
    start = write.made_by(arg, "aten::arange.start_step", "aten::arange.start", "aten::arange")
    if start is None or start.args.get("start", 0) != 0 or start.args.get("step", 1) != 1:
        return None
    long = [dim for dim, size in enumerate(meta.shape) if size != 1]
    return long[0] if len(long) == 1 else None


def _changes_nothing(node: OpNode) -> bool:
    return not node.op.startswith("aten::add") or (node.args["other"] == 0 and not isinstance(node.args["other"], Ref))
