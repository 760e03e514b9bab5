"""Kernels from Python, in one call: built, and known to eager, to export and to the runtime."""

import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenon.build.eager import Meta, register
from tenon.build.inline import Source, build_inline
from tenon.run.kernels import KernelCall, kernels

_ranks = itertools.count(1)  # of two libraries with a kernel, the one that was loaded last is taken


@dataclass(frozen=True)
class Loaded:
    """What was built, and the operators that it has kernels for."""

    library: Path
    operators: tuple[str, ...]


def load_inline(
    sources: Source | Iterable[Source],
    custom_ops_yaml: Source | None = None,
    *,
    functions_yaml: Source | None = None,
    meta: Mapping[str, Meta] | None = None,
    name: str | None = None,
    extra_flags: Sequence[str] = (),
    build_folder: str | os.PathLike[str] | None = None,
) -> Loaded:
    """Build kernels, and make their operators known to torch and to the runtime.

    `sources` are C++, `custom_ops_yaml` and `functions_yaml` rows that bind their functions: texts or paths of files.
    For a row `my_ops::mul3.out` there are then `torch.ops.my_ops.mul3` and `torch.ops.my_ops.mul3.out`, which export
    takes, and `tenon.load` finds the kernel.

    A result has the shape and dtype of the first tensor among the arguments, unless `meta` has a function for its
    operator, as torch.library.register_fake takes it. `extra_flags` are for the compiler and the linker. What was built
    is kept in `build_folder`, or where TENON_CACHE says, or in the user's cache; a second call with the same texts
    builds nothing, and one with others replaces the kernels for what is loaded from then on.
    """
    folder = None if build_folder is None else Path(build_folder)
    made = build_inline(
        sources, custom_ops_yaml, functions_yaml, meta or {}, name=name, extra_flags=extra_flags, folder=folder
    )
    operators = kernels.load_library(made.path, precedence=next(_ranks))
    register(made.operators, made.meta, KernelCall)
    return Loaded(made.path, tuple(operators))
