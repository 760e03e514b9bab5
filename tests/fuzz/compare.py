"""Whether two results of one call are the same: in torch's tolerance, or as near to the truth as its inputs tell it."""

import math
import re
from typing import Any

import torch

from .operators import Operator
from .undefined import gives_either_zero, is_move, is_noise, known_error

# Relative and absolute, as torch.testing has them.
TOLERANCE = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
    torch.complex64: (1.3e-6, 1e-5),
}
_NUDGES = 16


def is_close(mine: torch.Tensor, theirs: torch.Tensor, at_least: tuple[float, float] = (0.0, 0.0)) -> bool:
    """In the tolerance of their dtype, or in the one given if that is wider."""
    if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
        return False
    if mine.dtype not in TOLERANCE:
        return torch.equal(mine, theirs)
    relative, absolute = map(max, TOLERANCE[mine.dtype], at_least)
    return torch.allclose(mine, theirs, rtol=relative, atol=absolute, equal_nan=True)


def has_same_zeros(mine: torch.Tensor, theirs: torch.Tensor) -> bool:
    """Where both are zero, with one sign."""
    if not mine.dtype.is_floating_point or mine.shape != theirs.shape:
        return True
    return not bool(((mine == 0) & (theirs == 0) & (mine.signbit() != theirs.signbit())).any())


def same_call(
    operator: Operator, args: dict[str, Any], mine: list[torch.Tensor], theirs: list[torch.Tensor]
) -> list[bool]:
    """For each result of one call, whether a kernel that gave `mine` for the arguments is right."""
    if is_noise(operator):
        return [(a.shape, a.dtype) == (b.shape, b.dtype) for a, b in zip(mine, theirs, strict=True)]
    found = [is_close(a, b, known_error(operator, a.dtype)) for a, b in zip(mine, theirs, strict=True)]
    if all(found):
        exact = (operator.pointwise or is_move(operator)) and not gives_either_zero(operator)
        return [has_same_zeros(a, b) or not exact for a, b in zip(mine, theirs, strict=True)]
    truth = _Truth(operator, args)
    return [ok or truth.allows(i, a, b) for i, (ok, a, b) in enumerate(zip(found, mine, theirs, strict=True))]


def _wide(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.to(torch.complex128 if tensor.is_complex() else torch.float64)


def _parts(tensor: torch.Tensor) -> torch.Tensor:
    """As doubles, complex numbers as two each."""
    return torch.view_as_real(_wide(tensor).resolve_conj()) if tensor.is_complex() else tensor.double()


class _Truth:
    """The call in double precision, and how far its results move when its inputs are nudged by their precision.

    Two sums in different orders, or a function where it is steep, differ by so much and are both right.
    """

    def __init__(self, operator: Operator, args: dict[str, Any]) -> None:
        self.operator = operator
        self.args = args
        self.exact = self.doubled(_wide)
        self.nudged: list[list[torch.Tensor]] = []
        if self.exact is not None:
            generator = torch.Generator().manual_seed(0)
            for _ in range(_NUDGES):
                self.nudged.append(self.doubled(lambda tensor: self.nudge(tensor, generator)) or self.exact)

    def nudge(self, tensor: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
        """By about the precision of each element; where elements come together, by that of the others too."""
        if tensor.is_complex():
            return torch.view_as_complex(self.nudge(torch.view_as_real(tensor.resolve_conj()), generator))
        wide, eps = tensor.double(), torch.finfo(tensor.dtype).eps
        by = torch.rand(tensor.shape, generator=generator, dtype=torch.float64) * 2 - 1
        others = 0 if self.operator.pointwise or not tensor.numel() else wide[wide.isfinite()].abs().mean().nan_to_num()
        return wide + by * eps * (2 * wide.abs().nan_to_num(0, 0, 0) + others)

    def doubled(self, change: Any) -> list[torch.Tensor] | None:
        def of(value: Any) -> Any:
            if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex()):
                return change(value)
            if value in (torch.float16, torch.bfloat16, torch.float32):
                return torch.float64
            return [of(part) for part in value] if isinstance(value, list) else value

        try:
            return self.operator({name: of(value) for name, value in self.args.items()})
        except (RuntimeError, IndexError, ValueError, NotImplementedError, AssertionError):
            return None

    def allows(self, number: int, mine: torch.Tensor, theirs: torch.Tensor) -> bool:
        if mine.shape != theirs.shape or mine.dtype != theirs.dtype or self.exact is None:
            return False
        if mine.is_complex():
            mine, theirs = torch.view_as_real(mine), torch.view_as_real(theirs)
        if not mine.dtype.is_floating_point:
            return False
        exact = _parts(self.exact[number])
        if exact.shape != mine.shape:
            return False
        moved = torch.stack([(_parts(each[number]) - exact).abs() for each in self.nudged]).amax(0)
        relative, absolute = TOLERANCE[mine.dtype]
        rounded = exact.to(mine.dtype).double()
        gap = (mine.double() - exact).abs()
        near = exact.isfinite() & (gap <= 4 * moved.nan_to_num(math.inf) + 2 * relative * exact.abs() + absolute)
        equal = (mine.double() == rounded) | (mine.isnan() & exact.isnan())
        like_torch = torch.isclose(mine, theirs, rtol=relative, atol=absolute, equal_nan=True)
        # Of infinities, inf - inf is computed here or there, or not at all: whether it is inf or nan is open.
        none = ~mine.isfinite() & ~theirs.isfinite() & bool(re.search("norm|dist", self.operator.base))
        return bool((near | equal | like_torch | none).all())
