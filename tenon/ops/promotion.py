"""Which arguments of an operator are tensors, and which of them torch brings to one dtype by itself."""

from functools import cache

import torch

from tenon.ops.schema import find_op

_NOT_PROMOTED = ("condition", "mask")  # they stay bool
_NUMBERS = ("self", "other", "exponent", "min", "max")  # not alpha or a slope: those take the tensor's dtype


def tensor_arguments(name: str) -> tuple[str, ...]:
    """Where an operator takes one tensor, optional or not."""
    op = find_op(name)
    return _of_type(op, "Tensor") if op else ()


def promoted_arguments(name: str) -> tuple[str, ...]:
    """The tensors that meet in one dtype: those of a pointwise operator, and the list of cat."""
    if name == "aten::cat":
        return ("tensors",)
    op = find_op(name)
    if op is None or torch.Tag.pointwise not in op.tags:
        return ()
    return tuple(argument for argument in _of_type(op, "Tensor") if argument not in _NOT_PROMOTED)


def promoting_numbers(name: str) -> tuple[str, ...]:
    """The numbers that have a say in it: add.Scalar(int64, 0.5) computes in float32."""
    op = find_op(name)
    if op is None or torch.Tag.pointwise not in op.tags:
        return ()
    return tuple(argument for argument in _of_type(op, "number") if argument in _NUMBERS)


@cache
def _of_type(op: torch._ops.OpOverload, type_: str) -> tuple[str, ...]:
    return tuple(a.name for a in op._schema.arguments if str(a.type) in (type_, f"Optional[{type_}]"))
