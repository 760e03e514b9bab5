"""One call being drawn: the arguments chosen so far, the values that there are, and those that it brings along."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from tenon.ir.graph import Ref

from .numbers import FLOATS, Source
from .operators import Operator

# Operators that most dtypes are no use to.
_OF_FLOATS = re.compile(
    r"pool|norm|conv|softmax|upsample|grid|dist|elu|silu|hard|backward|fft|mm|linear|var|mean|erfinv"
)

# And those that complex numbers are of use to; of the others, a few calls get some too.
_OF_COMPLEX = re.compile(r"fft|conj|real|imag|complex|^(add|sub|mul|div|neg|abs)$")


class Draw:
    """`values` are those of the program so far; `fresh` gets what this call brings along."""

    def __init__(self, source: Source, operator: Operator, values: Mapping[str, torch.Tensor], usable: Sequence[str],
                 shapes: Sequence[tuple[int, ...]], dtypes: Sequence[torch.dtype]) -> None:  # fmt: skip
        self.source = source
        self.operator = operator
        self.values = values
        self.usable = usable
        self.shapes = shapes
        self.dtypes = dtypes
        self.fresh: dict[str, torch.Tensor] = {}
        self.args: dict[str, Any] = {}
        self.makers: dict[str, Callable[[], Any]] = {}

    # --- arguments of this call ---------------------------------------------------------------------------------

    def need(self, name: str) -> Any:
        """An argument, made now if it is not yet."""
        if name not in self.args and name in self.makers:
            self.args[name] = self.makers.pop(name)()
        return self.args.get(name)

    def tensor_of(self, name: str) -> torch.Tensor:
        """The value of a tensor argument."""
        return self.of(self.need(name))

    def of(self, value: Any) -> Any:
        if isinstance(value, Ref):
            return self.fresh[value.name] if value.name in self.fresh else self.values[value.name]
        return [self.of(part) for part in value] if isinstance(value, (list, tuple)) else value

    @property
    def first_name(self) -> str | None:
        if self.operator.base == "convolution_backward":
            return "input"  # the gradient goes by its shape
        return next((a.name for a in self.operator.arguments if a.kind in ("Tensor", "List[Tensor]")), None)

    @property
    def first(self) -> torch.Tensor:
        """The first tensor, which most other arguments are about."""
        name = self.first_name
        value = self.of(self.need(name)) if name else None
        if value is None:
            return torch.zeros(3, 4)  # an operator without tensors: anything to take sizes from
        return value[0] if isinstance(value, list) else value

    @property
    def dim(self) -> int:
        """The dimension that the call is about."""
        dim = self.need("dim") or 0
        return (dim if isinstance(dim, int) else 0) % max(self.first.dim(), 1)

    @property
    def along(self) -> int:
        """The size of that dimension."""
        return self.first.shape[self.dim] if self.first.dim() else 1

    # --- tensors ------------------------------------------------------------------------------------------------

    def tensor(self, shape: Sequence[int] | None = None, dtype: torch.dtype | None = None,
               ranks: Sequence[int] | None = None) -> Ref:  # fmt: skip
        """One that there is, or else a new one."""
        if self.source.chance(0.8):
            any_dtype = dtype is not None or bool(_OF_COMPLEX.search(self.operator.base)) or self.source.chance(0.1)
            fitting = [
                name for name in self.usable
                if (any_dtype or not self.values[name].dtype.is_complex)
                and (shape is None or self.values[name].shape == torch.Size(shape))
                and (dtype is None or self.values[name].dtype == dtype)
                and (ranks is None or self.values[name].dim() in ranks)
            ]  # fmt: skip
            if fitting:
                last = fitting[-6:]
                return Ref(self.source.pick(last if self.source.chance(0.7) else fitting))
        if shape is None:
            known = [each for each in self.shapes if ranks is None or len(each) in ranks]
            drawn = self.source.shape(None if ranks is None else self.source.pick(ranks))
            shape = self.source.pick(known) if known and self.source.chance(0.7) else drawn
        if dtype is None:
            dtype = self.some_dtype()
        return self.new(self.source.tensor(shape, dtype))

    def some_dtype(self) -> torch.dtype:
        floats = [dtype for dtype in self.dtypes if dtype.is_floating_point]
        if _OF_FLOATS.search(self.operator.base) and self.source.chance(0.85):
            return self.source.pick(floats or FLOATS)
        return self.source.pick(self.dtypes) if self.source.chance(0.8) else self.source.dtype()

    def new(self, tensor: torch.Tensor) -> Ref:
        name = f"t{len(self.values) + len(self.fresh)}"
        self.fresh[name] = tensor
        return Ref(name)

    def beside(self, tensor: torch.Tensor, shape: Sequence[int] | None = None) -> Ref:
        """One to go with this one: for the most part of its dtype, and of a shape that broadcasts with its own."""
        dtype = tensor.dtype if self.source.chance(0.8) else None
        if shape is None and self.source.chance(0.1):
            return self.tensor(None, dtype)
        wanted = tensor.shape if shape is None else shape
        return self.tensor(self.source.part_of(wanted) if self.source.chance(0.5) else wanted, dtype)
