"""The size of a registry of kernels, as a header."""

from collections.abc import Iterable, Sequence

from tenon.build.generate import Bound
from tenon.build.select.choose import kernel_count
from tenon.build.select.prim import prim_names, prim_operators
from tenon.build.select.selection import Selection, union


def max_kernel_header(selections: Iterable[Selection], bound: Sequence[Bound]) -> str:
    """selected_max_kernel_num.h for the libraries of these selections together; no number if one takes all there is."""
    given = list(selections)
    counts = [kernel_count(selection, bound) for selection in given]
    lines = ["// Made by tenon select: how many kernels are registered.", "#pragma once", ""]
    if None in counts:
        lines.append("// All operators are selected: the registry keeps its usual size.")
    else:
        prims = prim_operators(union(given))
        number = sum(filter(None, counts)) + len(prim_names() if prims is None else prims)
        lines.append(f"#define EXECUTORCH_SELECTED_MAX_KERNEL_NUM {number}")
    return "\n".join(lines) + "\n"
