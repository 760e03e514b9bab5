"""Bound rows as C++: a header of prototypes, and the source of a table that registers them."""

from collections.abc import Sequence
from itertools import groupby

from tenon.build.generate.bind import Bound

HEADER = "kernels.h"
SOURCE = "register_kernels.cpp"


def generate(rows: Sequence[Bound], library: str) -> dict[str, str]:
    """Files by name. The same rows give the same text."""
    return {HEADER: _header(rows, library), SOURCE: _source(rows, library)}


def _made_from(rows: Sequence[Bound]) -> str:
    return ", ".join(sorted({bound.row.place.file for bound in rows}))


def _header(rows: Sequence[Bound], library: str) -> str:
    """A kernel's definition that differs from its schema is another function, and this one is missed by the linker."""
    lines = [
        f"// Made from {_made_from(rows)} by tenon.build.generate: prototypes, as the schemas have them.",
        "#pragma once",
        "",
        "#include <tenon/kernel.h>",
    ]
    by_namespace = sorted(rows, key=lambda bound: bound.row.kernel.namespace)
    for namespace, group in groupby(by_namespace, key=lambda bound: bound.row.kernel.namespace):
        lines += ["", f"namespace {namespace} {{", *_own_names(namespace), ""]
        prototypes = sorted({bound.signature.prototype(bound.row.kernel.function) for bound in group})
        lines += [*prototypes, "", f"}}  // namespace {namespace}"]
    lines += ["", "namespace tenon {", f"extern KernelTable {library}_kernels;", "}  // namespace tenon"]
    return "\n".join(lines) + "\n"


def _own_names(namespace: str) -> list[str]:
    """The names of argument types, in a namespace where they are not already known."""
    if namespace.split("::")[0] == "tenon":
        return []
    names = "ArrayRef Context Layout MemoryFormat Scalar ScalarType Tensor TensorList".split()
    return [f"using ::tenon::{name};" for name in names]


def _source(rows: Sequence[Bound], library: str) -> str:
    lines = [
        f"// Made from {_made_from(rows)} by tenon.build.generate: the kernels by name, for a registry.",
        f'#include "{HEADER}"',
        "",
        "namespace tenon {",
        "namespace {",
        "",
        "template <auto kernel, class Signature>",
        "constexpr bool is_kernel = false;",
        "template <class R, class... A, R (*kernel)(A...)>",
        "constexpr bool is_kernel<kernel, R(A...)> = true;",
        "template <class R, class... A, R (*kernel)(Context&, A...)>",
        "constexpr bool is_kernel<kernel, R(A...)> = true;",
        "",
        *(_assertion(bound) for bound in rows),
        "",
        "constexpr Kernel rows[] = {",
        *(f'    {{"{bound.row.op}", &boxed<&::{bound.row.kernel}>}},' for bound in rows),
        "};",
        "",
        "}  // namespace",
        "",
        f'KernelTable {library}_kernels{{"{library}", rows, /*in_order=*/true}};',
        "",
        "}  // namespace tenon",
    ]
    return "\n".join(lines) + "\n"


def _assertion(bound: Bound) -> str:
    row = bound.row
    words = f"{row.place}: {row.op} is bound to {row.kernel}, whose type differs from its schema {bound.schema}"
    quoted = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'static_assert(is_kernel<&::{row.kernel}, {bound.signature.type}>,\n              "{quoted}");'
