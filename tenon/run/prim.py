"""The prim operators of a program: arithmetic on numbers, sizes of tensors, views, and a store into a row."""

import math
import operator
from collections.abc import Callable
from typing import Any

import torch

from tenon.errors import Invalid


def _floordiv(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return a // b
    return math.floor(a / b) if b else math.copysign(math.inf, a)


def _truncated(a: int, b: int) -> int:
    return int(a / b) if abs(a) < 2**52 else (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int:
    return a - b * _truncated(a, b)


def _size(tensor: torch.Tensor, dim: int) -> int:
    if not 0 <= dim < tensor.dim():
        raise Invalid(f"there is no dimension {dim} in a tensor of {tensor.dim()}")
    return tensor.shape[dim]


# By name: the function of its arguments, whose value becomes the result.
PRIM: dict[str, Callable[..., Any]] = {
    "aten::sym_size.int": _size,
    "aten::sym_numel": lambda tensor: tensor.numel(),
    "aten::_local_scalar_dense": lambda tensor: tensor.reshape(-1)[0].item(),
    **{f"executorch_prim::{name}.Scalar": getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "neg")},
    **{f"executorch_prim::{name}.Scalar": getattr(operator, name) for name in ("eq", "gt", "lt", "ge", "le")},
    "executorch_prim::floordiv.Scalar": _floordiv,
    "executorch_prim::floordiv.int": _truncated,
    "executorch_prim::mod.int": _remainder,
    "executorch_prim::mod.Scalar": _remainder,
    "executorch_prim::sym_max.Scalar": max,
    "executorch_prim::sym_min.Scalar": min,
    "executorch_prim::sym_float.Scalar": float,
    "executorch_prim::sym_int.Scalar": int,
    "executorch_prim::sym_not.Scalar": operator.not_,
    "executorch_prim::sym_ite.Scalar": lambda condition, then, otherwise: then if condition else otherwise,
    "executorch_prim::ceil.Scalar": math.ceil,
    "executorch_prim::trunc.Scalar": math.trunc,
    "executorch_prim::round.Scalar": round,
}
