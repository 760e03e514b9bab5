"""The tensors a captured graph needs besides its inputs: named once each, with data only where nothing else has it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor

from tenon.capture.calls import Exported
from tenon.errors import Unsupported
from tenon.ir.graph import Weight
from tenon.ir.types import TensorMeta
from tenon.ops.values import bytes_of


class WeightTable:
    """Collects weights in the order of the signature; a tensor that has several names is one weight."""

    def __init__(self, program: Exported, describe: Callable[[torch.Tensor], TensorMeta]) -> None:
        self._program = program
        self._describe = describe
        self._weights: dict[str, Weight] = {}
        self._first_name: dict[int, str] = {}
        self.names: dict[str, str] = {}  # each name -> the one used in the graph

    def add(self, spec: Any, kind: str) -> str:
        """The name under which this weight is used in the graph."""
        target: str = spec.target
        tensor = self._tensor(target)
        first = self._first_name.setdefault(id(tensor), target)
        self.names[target] = first
        if first != target:
            weight = self._weights[first]
            self._weights[first] = replace(
                weight, aliases=(*weight.aliases, target), persistent=weight.persistent or spec.persistent is not False
            )
            return first
        persistent = spec.persistent is not False  # told of buffers only
        data = _bytes_of(tensor) if kind == "constant" or not persistent else None
        self._weights[target] = Weight(target, kind, self._describe(tensor), persistent=persistent, data=data)
        return target

    def _tensor(self, target: str) -> torch.Tensor:
        held = self._program.state_dict.get(target)
        tensor = self._program.constants.get(target) if held is None else held
        if not isinstance(tensor, torch.Tensor):
            raise Unsupported(
                f"{target} of the model is a {type(tensor).__name__}, not a tensor: the IR cannot hold it."
            )
        return tensor

    def finish(self, mutated: set[str]) -> tuple[Weight, ...]:
        """All of them, those in `mutated` marked as such."""
        return tuple(replace(weight, mutated=name in mutated) for name, weight in self._weights.items())


def _bytes_of(tensor: torch.Tensor) -> bytes | None:
    """A tensor's elements in order; None for one that has no data (meta or fake)."""
    if (
        tensor.device.type == "meta"
        or isinstance(tensor, FakeTensor)
        or tensor.layout != torch.strided
        or tensor.is_quantized
    ):
        return None
    return bytes_of(tensor)
