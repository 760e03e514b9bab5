"""NativeFunctions.h, which declares the kernels, and Functions.h, which calls them by their operators' names."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby

from tenon.build.generate.bind import Bound
from tenon.build.generate.signature import Signature
from tenon.build.generate.text import in_namespaces, made_from, quoted

CONTEXT = "::torch::executor::KernelRuntimeContext"


def declarations(rows: Sequence[Bound], *, aten: bool) -> str:
    """Each kernel twice, with and without a context: a source defines one of them."""
    lines = [
        f"// Made from {made_from(rows)} by tenon.build.generate: the kernels, as their schemas have them.",
        "#pragma once",
        "",
        *(_ATEN_ONLY if aten else []),
        "#include <executorch/codegen/macros.h>",
        "#include <executorch/runtime/kernel/kernel_includes.h>",
    ]
    lines += in_namespaces(
        rows, lambda _, group: ["", *dict.fromkeys(line for bound in group for line in _declared(bound))]
    )
    return "\n".join(lines) + "\n"


_ATEN_ONLY = [
    "#ifndef USE_ATEN_LIB",
    '#error "This header is for ATen mode: compile with -DUSE_ATEN_LIB, or generate it without --use-aten-lib."',
    "#endif",
    "",
]


def _declared(bound: Bound) -> Iterator[str]:
    own = bound.signature.in_namespace("::torch::executor")
    for context in (None, CONTEXT):
        yield f"TORCH_API {own.prototype(bound.row.kernel.function, context)}"


def functions(rows: Sequence[Bound], *, plain: AbstractSet[str]) -> str:
    """`torch::executor::<namespace>::<name>_outf(context, ...)` per operator. It calls the kernel for all calls."""
    lines = [
        f"// Made from {made_from(rows)} by tenon.build.generate: operators as functions, which call their kernels.",
        "#pragma once",
        "",
        '#include "NativeFunctions.h"',
    ]
    first = [next(group) for _, group in groupby(rows, key=lambda bound: bound.row.op)]  # the fallback, if there is one
    by_namespace = sorted(first, key=lambda bound: _namespace(bound))
    for namespace, group in groupby(by_namespace, key=lambda bound: _namespace(bound)):
        lines += ["", f"namespace torch::executor::{namespace} {{", *_calls(list(group), plain)]
        lines += ["", f"}}  // namespace torch::executor::{namespace}"]
    return "\n".join(lines) + "\n"


def _namespace(bound: Bound) -> str:
    return bound.row.op.partition("::")[0]


def _calls(rows: Sequence[Bound], plain: AbstractSet[str]) -> Iterator[str]:
    """Overloads of an operator are overloads of a function, unless C++ could not tell them apart."""
    known: dict[str, str] = {}
    for bound in rows:
        own = bound.signature.in_namespace("::torch::executor")
        name = _function(bound)
        call = f"{name}({', '.join(p.type for p in own.parameters)})"
        yield ""
        yield f"// {bound.row.op.partition('::')[0]}::{bound.schema}"
        if call in known:
            yield f"// is called as {known[call]} is, and has no function of its own."
            continue
        known[call] = bound.row.op
        yield f"inline {own.declared(name, CONTEXT)} {{"
        yield from _body(bound, own, str(bound.row.kernel) in plain)
        yield "}"


def _function(bound: Bound) -> str:
    name = str(bound.schema.name.name)
    return f"{name}_outf" if bound.schema.arguments.out else name


def _body(bound: Bound, own: Signature, is_plain: bool) -> Iterator[str]:
    names = [p.name for p in own.parameters]
    if bound.keys:
        yield f"  {'(void)' + ', (void)'.join(names)};"
        words = quoted(f"{bound.row.op} has kernels for some dtypes and dim orders only. Run it in a program.")
        yield f'  context.fail(::torch::executor::Error::NotSupported, "{words}");'
        written = own.written
        if own.returns != "void":
            yield f"  return {written[0] if len(written) == 1 else '{' + ', '.join(written) + '}'};"
        return
    if is_plain:
        yield "  (void)context;"
    given = ", ".join(names if is_plain else ["context", *names])
    yield f"  return ::{bound.row.kernel}({given});"
