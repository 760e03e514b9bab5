"""What all generated C++ shares: names, strings, where it was made from."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from tenon.build.generate.bind import Bound


def made_from(rows: Sequence[Bound]) -> str:
    return ", ".join(sorted({bound.row.place.file for bound in rows})) or "no rows"


def quoted(words: str) -> str:
    """For a C++ string."""
    return words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def library_symbol(library: str) -> str:
    """A library's name as part of a C++ name: `my-ops` is my_ops."""
    return re.sub(r"[^A-Za-z0-9_]", "_", library)


def in_namespaces(rows: Sequence[Bound], inside: Callable[[str, list[Bound]], Iterable[str]]) -> list[str]:
    """Lines of C++ for kernels, in a block for each namespace that they are in."""
    lines: list[str] = []
    by_namespace = sorted(rows, key=lambda bound: bound.row.kernel.namespace)
    for namespace, group in groupby(by_namespace, key=lambda bound: bound.row.kernel.namespace):
        lines += ["", f"namespace {namespace} {{", *inside(namespace, list(group)), "", f"}}  // namespace {namespace}"]
    return lines
