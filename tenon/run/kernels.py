"""Every registered kernel, to be called by itself: `kernels["aten::add.out"](a, b, alpha=1, out=out)`."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from tenon import _native
from tenon.errors import Invalid, Unsupported, near
from tenon.run.lean import plain

_KINDS = {
    "Tensor": "tensor",
    "List[Tensor]": "tensors",
    "List[Optional[Tensor]]": "optional_tensors",
    "List[int]": "ints",
    "List[float]": "floats",
    "List[bool]": "bools",
    "number": "number",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
}


class Kernels(Mapping[str, "KernelCall"]):
    """Kernels by the full name of their operator."""

    def __getitem__(self, name: str) -> "KernelCall":
        if name not in self._names():
            raise KeyError(f"there is no kernel for {name}.{near(name, self._names())}")
        return KernelCall(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def load_library(self, path: str | os.PathLike[str], *, precedence: int = 0) -> list[str]:
        """Add the kernels of a shared library to those that `tenon.load` finds; the operators that it has kernels for.

        It is one that `tenon build` made, or what `tenon gen` makes, compiled with -DTENON_LOADABLE. With a precedence
        above 0, its kernels go before Tenon's own; below 0, behind them. To load it again changes nothing but that.
        """
        whole = os.path.abspath(path)  # a bare name would be looked for elsewhere
        if not os.path.isfile(whole):
            raise Invalid(f"{os.fspath(path)}: there is no such library.")
        return list(dict.fromkeys(_native.load_kernels(whole, precedence)))

    @staticmethod
    def _names() -> list[str]:
        return list(dict.fromkeys(_native.kernel_names()))  # one for all dtypes and others for some have one name


class KernelCall:
    """One kernel. It takes what its schema says, positional or by name, and gives back what it wrote to.

    Names and defaults come from torch's schema of the operator.
    """

    def __init__(self, name: str) -> None:
        from tenon.ops.own import schema_of

        self.name, self.schema = name, schema_of(name)
        if self.schema is None:
            raise Unsupported(f"{name} has no schema in torch, by which its arguments would be known.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        names = [argument.name for argument in self.schema.arguments]
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        unknown = [name for name in given if name not in names]
        if unknown or len(args) > len(names):
            raise TypeError(f"{self.name} takes {', '.join(names)}; it was given {', '.join(unknown) or len(args)}.")
        values, outs = [], []
        for argument in self.schema.arguments:
            if argument.name not in given and not argument.has_default_value():
                raise TypeError(f"{self.name}: {argument.name} is missing.")
            value = given.get(argument.name, argument.default_value)
            if argument.is_out or (argument.alias_info is not None and argument.alias_info.is_write):
                outs.append(value)
            values.append((self._kind(argument), _plain(value)))
        _native.call_kernel(self.name, values, len(outs))
        return outs[0] if len(outs) == 1 else tuple(outs)

    def _kind(self, argument: Any) -> str:
        kind = str(argument.real_type)
        kind = kind[len("Optional[") : -1] if kind.startswith("Optional[") else kind
        return _KINDS.get(kind, "int")  # a dtype, layout or memory format is its number


def _plain(value: Any) -> Any:
    from tenon.ops.values import DTYPE_OF

    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    kind = type(value).__name__
    if kind == "dtype":
        return DTYPE_OF[value].code
    if kind in ("layout", "memory_format"):
        if str(value) not in _CODES:
            raise Unsupported(f"no kernel takes {value}: a program has {', '.join(_CODES)}.")
        return _CODES[str(value)]
    return plain(value)


_CODES = {"torch.strided": 0, "torch.contiguous_format": 0, "torch.preserve_format": 1}


kernels = Kernels()


def manual_seed(seed: int) -> None:
    """Begin the random numbers of lean mode anew: the same seed gives the same. ATen mode has `torch.manual_seed`."""
    if not -(2**63) <= seed < 2**64:
        raise Invalid(f"a seed has 64 bits, and {seed} has not.")
    _native.seed_random(seed % 2**64)


def set_num_threads(count: int) -> None:
    """How many threads share the work of a kernel in lean mode, the caller's among them; as many as there are
    processors if it was never set. Results do not depend on it."""
    if not 1 <= count <= 64:
        raise Invalid(f"there can be 1 to 64 threads, and not {count}.")
    _native.set_thread_count(count)


def get_num_threads() -> int:
    """How many threads share the work of a kernel in lean mode."""
    return int(_native.thread_count())
