"""Runs a program in the native runtime. Needs no torch: arrays of numpy, torch or anything with DLPack go in."""

import os
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy

from tenon import _native
from tenon.errors import Invalid, near
from tenon.files import hold_whole, map_whole
from tenon.ir.tree import Tree, unflatten
from tenon.ir.types import DTYPE_BY_CODE
from tenon.pte.program import Program, from_bytes, shared_banks, sidecar
from tenon.pte.schema import Tensor
from tenon.pte.structure import decode
from tenon.run.arguments import leaves_of


@dataclass(frozen=True, slots=True)
class Timed:
    """One instruction of a run: its number, what it called, where that is in the model, and how long it took."""

    instruction: int
    operator: str
    source: str
    nanoseconds: int


class LeanModule:
    """A program in the native runtime: called like the model for `forward`, `module["name"]` for another method.

    Each thread that calls it has memory and state of its own; what is state of several methods they share.
    """

    def __init__(self, path: str | os.PathLike[str], mapped: bool | None = None) -> None:
        beside = sidecar(path)
        data, external = _bytes_of(path, mapped), _bytes_of(beside, mapped) if beside.is_file() else None
        try:
            self._program: Program = from_bytes(data)
            self._native = _native.Program(data, external)
        except Invalid as error:
            raise Invalid(f"{os.fspath(path)}: {error}") from error
        self._own = threading.local()

    @property
    def methods(self) -> list[str]:
        return sorted(self._native.methods)

    def memory_needed(self, method: str = "forward") -> tuple[int, list[int]]:
        """The bytes that a method needs here, exactly: for its values and instructions, and of each memory bank."""
        found: tuple[int, list[int]] = self._native.memory_needed(method)
        return found

    def __getitem__(self, name: str) -> "LeanMethod":
        made: dict[str, LeanMethod] = self._own.__dict__.setdefault("methods", {})
        if name in made:
            return made[name]
        if name not in self._native.methods:
            raise Invalid(f"there is no method {name}.{near(name, self.methods)} There are: {', '.join(self.methods)}.")
        made[name] = LeanMethod(self._native, self._program, name, self._shared())
        return made[name]

    def _shared(self) -> dict[int, Any]:
        if not hasattr(self._own, "banks"):
            sizes = [plan.non_const_buffer_sizes or [] for plan in self._program.plans]
            self._own.banks = {
                bank: _native.Memory(max(each[bank] for each in sizes if bank < len(each)))
                for bank in shared_banks(self._program.plans)
            }
        banks: dict[int, Any] = self._own.banks
        return banks

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self["forward"](*args, **kwargs)

    def profile(self, *args: Any, **kwargs: Any) -> list[Timed]:
        return self["forward"].profile(*args, **kwargs)

    def set_output(self, array: Any, index: int = 0) -> None:
        self["forward"].set_output(array, index)

    def state(self) -> dict[str, Any]:
        return self["forward"].state()

    def set_state(self, name: str, array: Any) -> None:
        self["forward"].set_state(name, array)

    def reset_state(self) -> None:
        self["forward"].reset_state()


def _bytes_of(path: str | os.PathLike[str], mapped: bool | None) -> memoryview:
    if mapped is None:
        mapped = os.path.isfile(path) and os.path.getsize(path) > _memory_of_machine() // 2
    return map_whole(path) if mapped else hold_whole(path)


def _memory_of_machine() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


class LeanMethod:
    """One method in memory of its own. It is used by one thread at a time."""

    def __init__(self, native: Any, program: Program, name: str, shared: dict[int, Any]) -> None:
        self._method = _native.Method(native, name, shared)
        self._plan = next(plan for plan in program.plans if plan.name == name)
        self._takes, self._gives = decode(self._method.takes), decode(self._method.gives)
        self._positional = _plain_arguments(self._takes)
        self._shares = all(_is_shared(value.val) for value in self._plan.values or [])
        self._into: dict[int, Any] = {}
        self._torch = False  # what came in last, and so goes out

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        inputs = self._inputs(args, kwargs)
        if self._torch and self._shares and all(map(_lies_as_numpy, inputs)):
            outputs = self._through_numpy(inputs)
        else:
            outputs = self._method(inputs, self._torch, self._into)
        if self._gives is None or self._gives.leaves != len(outputs):
            return outputs
        return unflatten(self._gives, iter(outputs))

    def profile(self, *args: Any, **kwargs: Any) -> list[Timed]:
        """Run once; the time of each instruction, in the order in which they ran."""
        rows = self._method.profile(self._inputs(args, kwargs))
        return [Timed(number, name, self._source(number), time) for number, name, time in rows]

    def set_output(self, array: Any, index: int = 0) -> None:
        """From now on, write this output into `array` and give that back, instead of a new array."""
        if not 0 <= index < len(self._plan.outputs or []):
            raise Invalid(
                f"method {self._plan.name} has {len(self._plan.outputs or [])} outputs, and no output {index}."
            )
        self._into[index] = array

    def state(self) -> dict[str, Any]:
        """A copy of the state, by name; by number, where the file has no names."""
        found: dict[str, Any] = self._method.state(self._torch)
        return found

    def set_state(self, name: str, array: Any) -> None:
        self._method.set_state(name, plain(array))

    def reset_state(self) -> None:
        """The state as it was when the program was loaded."""
        self._method.reset_state()

    def _through_numpy(self, inputs: list[Any]) -> list[Any]:
        """Tensors as arrays over the same memory, and back: that takes half the time of DLPack's protocol."""
        import torch

        arrays = [leaf.numpy() if isinstance(leaf, torch.Tensor) else leaf for leaf in inputs]
        made = self._method(arrays, False, self._into)
        return [
            torch.from_numpy(each) if isinstance(each, numpy.ndarray) and number not in self._into else each
            for number, each in enumerate(made)
        ]

    def _inputs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        if not kwargs and len(args) == self._positional:  # a structure of no depth
            if all(isinstance(arg, numpy.ndarray) for arg in args):
                self._torch = False
                return list(args)
            if all(map(_is_torch, args)):
                self._torch = True
                return list(map(plain, args))
        leaves = leaves_of(self._takes, args, kwargs)
        self._torch = any(_is_torch(leaf) for leaf in leaves) if leaves else self._torch
        return list(map(plain, leaves))

    def _source(self, instruction: int) -> str:
        traces = next(iter(self._plan.chains or []), None)
        frames = (traces.stacktrace or []) if traces else []
        items: Iterable[Any] = (frames[instruction].items or []) if instruction < len(frames) else []
        return next((f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in items), "")


def _is_torch(leaf: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(leaf, torch.Tensor)


def plain(leaf: Any) -> Any:
    """A tensor without its history."""
    return leaf.detach() if _is_torch(leaf) and leaf.requires_grad else leaf


def _plain_arguments(takes: Tree | None) -> int:
    """How many arguments there are, if each is a leaf and none has a name; else -1."""
    if takes is None or len(takes.children) != 2 or takes.children[1].children:
        return -1
    args = takes.children[0].children
    return len(args) if all(child.kind == "leaf" for child in args) else -1


def _is_shared(value: Any) -> bool:
    """Whether numpy and torch have it alike: numpy has no bfloat16, and torch's complex numbers may be conjugates."""
    return not isinstance(value, Tensor) or DTYPE_BY_CODE[value.scalar_type].name in _SHARED


_SHARED = ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool")


def _lies_as_numpy(leaf: Any) -> bool:
    """Whether a tensor has an array over its memory; its dtype may be another than the program wants."""
    import torch

    if not isinstance(leaf, torch.Tensor):
        return True
    return leaf.is_cpu and leaf.layout is torch.strided and leaf.dtype in _shared_by_torch()


@cache
def _shared_by_torch() -> frozenset[Any]:
    import torch

    return frozenset(getattr(torch, name) for name in _SHARED)
