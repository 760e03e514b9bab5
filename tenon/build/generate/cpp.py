"""Bound rows as C++: declarations of the kernels, and a table that registers them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from tenon.build.generate.bind import Bound
from tenon.build.generate.chains import NO_PROGRAMS, Programs, chains_source
from tenon.build.generate.functions import declarations, functions
from tenon.build.generate.text import in_namespaces, library_symbol, made_from, quoted

HEADER = "kernels.h"
SOURCE = "register_kernels.cpp"
REGISTERED_AT_START = "RegisterCodegenUnboxedKernelsEverything.cpp"
REGISTERED_BY_CALL = "RegisterKernelsEverything.cpp"
Registration = Literal["table", "static", "manual"]


def generate(
    rows: Sequence[Bound],
    library: str,
    *,
    registration: Registration = "table",
    aten: bool = False,
    plain: AbstractSet[str] = frozenset(),
    exceptions: bool = False,
    programs: Programs = NO_PROGRAMS,
) -> dict[str, str]:
    """Files by name. The same rows give the same text.

    `table`: kernels.h and a KernelTable, which somebody adds to a registry. `static` and `manual`: files with the names
    that they have in ExecuTorch, whose table is in the registry of the process before main(), or after a call of
    register_all_kernels(). Kernels whose names are in `plain` take no context. In ATen mode they take ATen's types.
    With `exceptions`, what a kernel throws fails its call. Pointwise programs become loops.
    """
    if registration == "table":
        return {HEADER: _header(rows, library, plain), SOURCE: _table_source(rows, library, plain)}
    files = {
        "NativeFunctions.h": declarations(rows, aten=aten),
        "Functions.h": functions(rows, plain=plain),
    }
    table = _executorch_table(rows, library, plain, exceptions) + chains_source(programs, rows)
    if registration == "static":
        files[REGISTERED_AT_START] = _text(table, _at_start(library))
    else:
        files["RegisterKernels.h"] = _text(_REGISTER_HEADER)
        files[REGISTERED_BY_CALL] = _text(['#include "RegisterKernels.h"', *table], _by_call(library))
    return files


def _text(*parts: Sequence[str]) -> str:
    return "\n".join(line for part in parts for line in part) + "\n"


# --- Tenon's own form ---------------------------------------------------------------------------------------------


def _header(rows: Sequence[Bound], library: str, plain: AbstractSet[str]) -> str:
    """A kernel's definition that differs from its schema is another function, and this one is missed by the linker."""
    lines = [
        f"// Made from {made_from(rows)} by tenon.build.generate: prototypes, as the schemas have them.",
        "#pragma once",
        "",
        "#include <tenon/kernel.h>",
    ]
    lines += in_namespaces(
        rows,
        lambda namespace, group: [
            *_own_names(namespace, group),
            "",
            *sorted({_prototype(bound, plain) for bound in group}),
        ],
    )
    lines += [
        "",
        "namespace tenon {",
        f"extern KernelTable {library_symbol(library)}_kernels;",
        "}  // namespace tenon",
    ]
    return "\n".join(lines) + "\n"


def _prototype(bound: Bound, plain: AbstractSet[str]) -> str:
    kernel = bound.row.kernel
    return bound.signature.prototype(kernel.function, None if str(kernel) in plain else "Context")


def _own_names(namespace: str, rows: Sequence[Bound]) -> list[str]:
    """The names of argument types, in a namespace where they are not already known."""
    if namespace.split("::")[0] == "tenon":
        return []
    names = "ArrayRef Context Layout MemoryFormat Scalar ScalarType Tensor TensorList".split()
    names += ["Generator"] if any("Generator" in bound.signature.type for bound in rows) else []
    return [f"using ::tenon::{name};" for name in names]


def _table_source(rows: Sequence[Bound], library: str, plain: AbstractSet[str]) -> str:
    types = defaultdict(set)
    for bound in rows:
        types[str(bound.row.kernel)].add(bound.signature.type)
    overloaded = {kernel for kernel, found in types.items() if len(found) > 1}
    lines = [
        f"// Made from {made_from(rows)} by tenon.build.generate: the kernels by name, for a registry.",
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
        *(_assertion(bound) for bound in rows if str(bound.row.kernel) not in overloaded),
        "",
        "constexpr Kernel rows[] = {",
        *(line for bound in rows for line in _entries(bound, f"&boxed<{_address(bound, overloaded, plain)}>")),
        "};",
        "",
        "}  // namespace",
        "",
        f'KernelTable {library_symbol(library)}_kernels{{"{quoted(library)}", rows, /*in_order=*/true}};',
        "",
        "}  // namespace tenon",
    ]
    return "\n".join(lines) + "\n"


def _address(bound: Bound, overloaded: AbstractSet[str], plain: AbstractSet[str]) -> str:
    name = str(bound.row.kernel)
    if name not in overloaded:
        return f"&::{name}"
    type = bound.signature.type if name in plain else bound.signature.with_context("Context")
    return f"static_cast<{type.replace('(', '(*)(', 1)}>(&::{name})"


def _assertion(bound: Bound) -> str:
    row = bound.row
    words = f"{row.place}: {row.op} is bound to {row.kernel}, whose type differs from its schema {bound.schema}"
    return f'static_assert(is_kernel<&::{row.kernel}, {bound.signature.type}>,\n              "{quoted(words)}");'


def _entries(bound: Bound, function: str) -> Iterator[str]:
    """A line of the table per key, or the one for all calls."""
    if not bound.keys:
        yield f'    {{"{bound.row.op}", {function}}},'
    for key in bound.keys:
        yield f'    {{"{bound.row.op}", "{key}", {function}}},'


# --- with ExecuTorch's names --------------------------------------------------------------------------------------


def _executorch_table(rows: Sequence[Bound], library: str, plain: AbstractSet[str], exceptions: bool) -> list[str]:
    guard = _GUARDED if exceptions else []
    boxed = "guarded" if exceptions else "boxed"
    entries = [line for bound in rows for line in _entries(bound, _boxed(bound, plain))]
    listed = ["constexpr Kernel rows[] = {", *entries, "};", "constexpr Span<const Kernel> all(rows);"]
    return [
        f"// Made from {made_from(rows)} by tenon.build.generate: the kernels by name, registered.",
        '#include "NativeFunctions.h"',
        "",
        "#include <executorch/runtime/kernel/operator_registry.h>",
        *(["", "#include <exception>"] if exceptions else []),
        "",
        "namespace tenon {",
        "namespace {",
        "",
        *guard,
        "// A kernel may have overloads: which of them is meant, its type says.",
        "template <class Type, Type* kernel>",
        f"constexpr OpFunction boxed_as = &{boxed}<kernel>;",
        "",
        *(listed if rows else ["constexpr Span<const Kernel> all;"]),
        "",
        "}  // namespace",
        "",
        f"extern KernelTable {library_symbol(library)}_kernels;",
        f'KernelTable {library_symbol(library)}_kernels{{"{quoted(library)}", all, /*in_order=*/true}};',
        "",
        "}  // namespace tenon",
        "",
    ]


_GUARDED = [
    "// What a kernel throws fails its call.",
    "template <auto kernel>",
    "void guarded(KernelRuntimeContext& context, Span<EValue*> values) {",
    "  try {",
    "    boxed<kernel>(context, values);",
    "  } catch (const std::exception& thrown) {",
    '    context.fail(Error::Internal, "%s", thrown.what());',
    "  } catch (...) {",
    '    context.fail(Error::Internal, "the kernel threw something that is no std::exception");',
    "  }",
    "}",
    "",
]


def _boxed(bound: Bound, plain: AbstractSet[str]) -> str:
    own = bound.signature.in_namespace("::torch::executor")
    type = own.type if str(bound.row.kernel) in plain else own.with_context("KernelRuntimeContext")
    return f"boxed_as<{type}, &::{bound.row.kernel}>"


def _at_start(library: str) -> list[str]:
    """One symbol for a linker to ask for, as nothing else refers to this source."""
    name = library_symbol(library)
    return [
        "// Runs before main(). A linker that is asked for it (-u) takes this source from an archive.",
        f'extern "C" int tenon_register_{name};',
        f"int tenon_register_{name} = static_cast<int>(::tenon::register_library(::tenon::{name}_kernels));",
        "",
        "#ifdef TENON_LOADABLE",
        "// Weak, as two libraries may be in one program, where nobody asks for it.",
        'extern "C" __attribute__((visibility("default"), weak)) ::tenon::KernelTable* tenon_kernel_table();',
        f"::tenon::KernelTable* tenon_kernel_table() {{ return &::tenon::{name}_kernels; }}",
        "#endif",
    ]


def _by_call(library: str) -> list[str]:
    name = library_symbol(library)
    return [
        "namespace torch {",
        "namespace executor {",
        "",
        f"Error register_all_kernels() {{ return ::tenon::register_library(::tenon::{name}_kernels); }}",
        "",
        "}  // namespace executor",
        "}  // namespace torch",
    ]


_REGISTER_HEADER = [
    "// Made by tenon.build.generate: adds the kernels to the registry of the process. A second call adds nothing.",
    "#pragma once",
    "",
    "#include <executorch/runtime/core/error.h>",
    "",
    "namespace torch {",
    "namespace executor {",
    "",
    "Error register_all_kernels();",
    "",
    "}  // namespace executor",
    "}  // namespace torch",
]
