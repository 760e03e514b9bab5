"""What torch's default table leaves that core operators can say: torch's own rules for some, ours for the rest."""

from collections.abc import Callable
from typing import Any

import torch
from torch._decomp import decomposition_table
from torch._export.utils import _get_decomp_for_cia

from tenon.capture.orders import ORDERS_AND_BINS
from tenon.ops.schema import find_op

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
    aten.tril_indices.default,
    aten.triu_indices.default,
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


def _addbmm(self: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    if not self.is_floating_point() and not self.is_complex():
        beta, alpha = int(beta), int(alpha)
    wide = torch.float32 if self.dtype in (torch.float16, torch.bfloat16) else self.dtype
    product = aten.bmm.default(batch1.to(wide), batch2.to(wide)).sum(0, dtype=wide) * alpha
    result = product if beta == 0 else self.to(wide) * beta + product  # what is taken 0 times may be NaN
    return result.to(self.dtype)


def _trilinear(i1: Any, i2: Any, i3: Any, expand1: Any, expand2: Any, expand3: Any, sumdim: Any, _: int = 1) -> Any:
    product: Any = 1
    for factor, dims in ((i1, expand1), (i2, expand2), (i3, expand3)):
        for dim in dims:
            factor = factor.unsqueeze(dim)
        product = factor * product
    return product.sum(sumdim)


def _rrelu(x: Any, noise: Any, lower: float = 0.125, upper: float = 1 / 3, training: bool = False, *_: Any) -> Any:
    if not training:
        return aten.leaky_relu.default(x, (lower + upper) / 2), noise
    slope = torch.where(x <= 0, aten.rand_like.default(x) * (upper - lower) + lower, torch.ones_like(x))
    return x * slope, slope


def _new_empty(x: Any, size: Any, dtype: Any = None, **_: Any) -> Any:
    return aten.empty.memory_format(size, dtype=dtype or x.dtype)


def _linalg_matrix_exp(self: torch.Tensor) -> torch.Tensor:
    """Halved until it is small, as a Taylor polynomial, and squared as often; how often is told for each matrix."""
    wide = self.float() if self.dtype in (torch.float16, torch.bfloat16) else self
    norm = wide.abs().sum(-1, keepdim=True).amax(-2, keepdim=True)
    halvings = (norm.log2() - 1).ceil().clamp(0, _MOST_HALVINGS) if self.numel() else norm
    small = wide * (-halvings).exp2()
    result = term = torch.eye(self.shape[-1], dtype=wide.dtype).expand(self.shape)
    for n in range(1, 19):
        term = term @ small / n
        result = result + term
    for n in range(_MOST_HALVINGS):
        result = torch.where(halvings > n, result @ result, result)
    return result.to(self.dtype)


_MOST_HALVINGS = 12


def _round_decimals(x: torch.Tensor, *, decimals: int) -> torch.Tensor:
    wide = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x  # rounded once, as torch does
    scale = float(f"1e{abs(decimals)}")
    return (torch.round(wide * scale) / scale if decimals > 0 else torch.round(wide / scale) * scale).to(x.dtype)


def _number_as_tensor(op: Any, number: int, whole: bool = False) -> Callable[..., Any]:
    """An operator's form for tensors, of the number at a place among its arguments."""

    def rule(*given: Any) -> Any:
        dtype = torch.result_type(*given)
        dtype = dtype if whole or dtype.is_floating_point else torch.float32
        return op(*(aten.scalar_tensor.default(a, dtype=dtype) if i == number else a for i, a in enumerate(given)))

    return rule


_POLYNOMIALS = [
    *(f"{shifted}chebyshev_polynomial_{kind}" for shifted in ("", "shifted_") for kind in "tuvw"),
    *("hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"),
]
_OF_NUMBERS = {
    aten.copysign.Scalar: _number_as_tensor(aten.copysign.Tensor, 1),
    aten.remainder.Scalar_Tensor: _number_as_tensor(aten.remainder.Tensor, 0, whole=True),
    aten.special_zeta.self_scalar: _number_as_tensor(aten.special_zeta.default, 0),
    aten.special_zeta.other_scalar: _number_as_tensor(aten.special_zeta.default, 1),
    **{
        getattr(op, form): _number_as_tensor(op.default, place)
        for op in (getattr(aten, f"special_{name}") for name in _POLYNOMIALS)
        for place, form in enumerate(("x_scalar", "n_scalar"))
    },
}

_OURS: dict[Any, Callable[..., Any]] = {
    **_OF_NUMBERS,
    **ORDERS_AND_BINS,
    aten.round.decimals: _round_decimals,
    aten.max.default: lambda x: aten.amax.default(x, []),
    aten.min.default: lambda x: aten.amin.default(x, []),
    aten.var_mean.correction: _var_mean,
    aten.exp2.default: lambda x: aten.pow.Scalar(2.0, x),
    aten.fmax.default: _fmax,
    aten.fmin.default: _fmin,
    aten.native_batch_norm.default: _native_batch_norm,
    aten.addbmm.default: _addbmm,
    aten.linalg_matrix_exp.default: _linalg_matrix_exp,
    aten._trilinear.default: _trilinear,
    aten.rrelu_with_noise_functional.default: _rrelu,
    aten.new_empty.default: _new_empty,
    aten.new_empty_strided.default: lambda x, size, stride, **options: _new_empty(x, size, **options),
    aten.empty_permuted.default: lambda size, order, dtype=None, **_: aten.empty.memory_format(size, dtype=dtype),
    aten.normal_functional.default: lambda x, mean=0.0, std=1.0, **_: aten.randn_like.default(x) * std + mean,
    torch.ops.prims.convert_element_type.default: lambda x, dtype: aten._to_copy.default(x, dtype=dtype),
    aten._int_mm.default: lambda a, b: aten.mm.default(a.to(torch.int32), b.to(torch.int32)),
}

# Kernels that are better than torch's rule, which rounds a whole range to its dtype before it is counted out.
NO_RULE = (aten.linspace.default,)

EXTRA_DECOMPOSITIONS: dict[Any, Callable[..., Any]] = {op: decomposition_table[op] for op in _FROM_TORCH} | _OURS


def torchao_rules() -> dict[Any, tuple[str, Any]]:
    """By operator, its name and rule: torchao's own, which say these in core operators. None without torchao."""
    names = [f"torchao::{name}" for name in ("choose_qparams_affine", "quantize_affine", "dequantize_affine")]
    return {op: (name, _get_decomp_for_cia(op)) for name in names if (op := find_op(name)) is not None}
