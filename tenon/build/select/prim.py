"""Prim operators: arithmetic on numbers and sizes, which a runtime has unless it was built without."""

import re
from functools import cache

from tenon.build.installed import include
from tenon.build.select.key import DEFAULT, is_dtype_alone
from tenon.build.select.selection import Selected, Selection


@cache
def prim_names() -> tuple[str, ...]:
    """All of them, from the list that the runtime is compiled with."""
    return tuple(re.findall(r'^ *X\("([^"]+)"', (include() / "tenon" / "prim.h").read_text(), re.MULTILINE))


def prim_operators(selection: Selection) -> list[str] | None:
    """Those that a build needs, None for all.

    Programs say exactly which they call. Who lists kernels does not think of the numbers around them: then all of them
    are kept, unless the list has prim operators too.
    """
    known = prim_names()
    listed = {
        name: [each for each in known if each == name or (selected.every_overload and each.startswith(f"{name}."))]
        for name, selected in selection.operators.items()
    }
    is_said = any(names and is_listed(selection.operators[name]) for name, names in listed.items())
    kernels = [selected for name, selected in selection.operators.items() if not listed[name]]
    if selection.everything or (not is_said and (any(map(is_listed, kernels)) or not selection.operators)):
        return None
    return sorted({each for names in listed.values() for each in names})


def is_listed(selected: Selected) -> bool:
    """Whether it was asked for by name, and not by the calls of a program."""
    return DEFAULT in selected.keys or all(map(is_dtype_alone, selected.keys))


def macro(name: str) -> str:
    """`executorch_prim::add.Scalar` is INCLUDE_EXECUTORCH_PRIM_ADD_SCALAR."""
    return f"INCLUDE_{re.sub('[^A-Za-z0-9]+', '_', name).upper()}"


def prim_ops_header(selection: Selection) -> str:
    """selected_prim_ops.h, as ExecuTorch's registry of prim operators reads it."""
    names = prim_operators(selection)
    lines = ["// Made by tenon select: the prim operators of a build.", "#pragma once"]
    if names is None:
        lines += ["", "// All of them."]
    else:
        lines += [
            "",
            "#define EXECUTORCH_ENABLE_PRIM_OPS_SELECTIVE_BUILD",
            *(f"#define {macro(name)}" for name in names),
        ]
    return "\n".join(lines) + "\n"


def prim_table(selection: Selection) -> str | None:
    """The source of a table with these alone, which replaces the library's; None if it has to have all."""
    names = prim_operators(selection)
    if names is None:
        return None
    rows = [f'    TENON_PRIM("{name}"),' for name in names]
    # An array has at least one element: a table of none begins at null.
    table = ["constexpr Kernel rows[] = {", *rows, "};"] if rows else ["constexpr Span<const Kernel> rows{};"]
    lines = [
        "// Made by tenon select: the prim operators of a build.",
        "#include <tenon/prim.h>",
        "",
        "namespace tenon {",
        "namespace {",
        "",
        *table,
        "",
        "}  // namespace",
        "",
        'const KernelTable prim_kernels{"prim", rows, /*in_order=*/true};',
        "",
        "}  // namespace tenon",
    ]
    return "\n".join(lines) + "\n"
