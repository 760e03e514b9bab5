"""What torch's default table leaves that core operators can say: torch's own rules for some, ours for the rest."""

from collections.abc import Callable
from typing import Any

import torch
from torch._decomp import decomposition_table

aten = torch.ops.aten

# torch has these rules but does not use them by default.
_FROM_TORCH = (
    aten._batch_norm_with_update_functional.default,
    aten._native_batch_norm_legit_functional.default,
    aten.adaptive_max_pool3d.default,
    aten.addmv.default,
    aten.dist.default,
    aten.ldexp.Tensor,
    aten.linalg_vector_norm.default,
)


def _var_mean(
    x: torch.Tensor, dim: Any = None, *, correction: Any = None, keepdim: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    dims = list(range(x.dim())) if dim is None else dim
    return aten.var.correction(x, dims, correction=correction, keepdim=keepdim), aten.mean.dim(x, dims, keepdim)


def _fmax(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.where(torch.isnan(b) | (a >= b), a, b)


def _fmin(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.where(torch.isnan(b) | (a <= b), a, b)


def _native_batch_norm(
    x: Any, weight: Any, bias: Any, mean: Any, var: Any, training: bool, momentum: float, eps: float
) -> Any:
    if training or mean is None or var is None:
        return NotImplemented  # it would write to mean and var
    return aten._native_batch_norm_legit_no_training.default(x, weight, bias, mean, var, momentum, eps)


_OURS: dict[Any, Callable[..., Any]] = {
    aten.max.default: lambda x: aten.amax.default(x, []),
    aten.min.default: lambda x: aten.amin.default(x, []),
    aten.var_mean.correction: _var_mean,
    aten.exp2.default: lambda x: aten.pow.Scalar(2.0, x),
    aten.fmax.default: _fmax,
    aten.fmin.default: _fmin,
    aten.native_batch_norm.default: _native_batch_norm,
}

EXTRA_DECOMPOSITIONS: dict[Any, Callable[..., Any]] = {op: decomposition_table[op] for op in _FROM_TORCH} | _OURS
