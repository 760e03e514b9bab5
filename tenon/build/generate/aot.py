"""Custom operators for torch: their schemas, and wrappers of their C++ kernels that the dispatcher calls.

What is made is compiled with libtorch into a shared library that torch.ops.load_library takes. The kernels are built in
ATen mode for it, so that they take at::Tensor.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby

from torchgen.model import ListType  # type: ignore[import-untyped]

from tenon.build.generate.bind import Bound
from tenon.build.generate.signature import Parameter, Signature
from tenon.build.generate.text import in_namespaces, made_from, quoted

HEADER = "CustomOpsNativeFunctions.h"
CONTEXT = "::executorch::runtime::KernelRuntimeContext"


def generate_aot(
    rows: Sequence[Bound], *, stubs: bool = False, with_context: AbstractSet[str] = frozenset()
) -> dict[str, str]:
    """Files by name, of the rows that have schemas of their own.

    Kernels whose names are in `with_context` are given a context, and what they fail with is thrown. `stubs` give their
    out as it is: enough for an export, which only wants shapes of what it is given.
    """
    own = [bound for bound in rows if bound.row.schema is not None]
    first = [next(group) for _, group in groupby(own, key=lambda bound: bound.row.op)]  # the fallback, if there is one
    kernels = "RegisterCPUStub.cpp" if stubs else "RegisterCPUCustomOps.cpp"
    return {
        HEADER: _header(first, with_context),
        "RegisterSchema.cpp": _schemas(first),
        kernels: _kernels(first, stubs, with_context),
    }


def _header(rows: Sequence[Bound], with_context: AbstractSet[str]) -> str:
    lines = [
        f"// Made from {made_from(rows)} by tenon.build.generate: kernels of custom operators, over tensors of ATen.",
        "#pragma once",
        "",
        "#include <ATen/core/Tensor.h>",
        *(["#include <executorch/runtime/kernel/kernel_includes.h>"] if _any(rows, with_context) else []),
    ]
    lines += in_namespaces(
        rows, lambda _, group: ["", *dict.fromkeys(_declared(bound, with_context) for bound in group)]
    )
    return "\n".join(lines) + "\n"


def _any(rows: Sequence[Bound], names: AbstractSet[str]) -> bool:
    return any(str(bound.row.kernel) in names for bound in rows)


def _declared(bound: Bound, with_context: AbstractSet[str]) -> str:
    context = CONTEXT if str(bound.row.kernel) in with_context else None
    return bound.signature.in_namespace("::at").prototype(bound.row.kernel.function, context)


def _schemas(rows: Sequence[Bound]) -> str:
    lines = [
        f"// Made from {made_from(rows)} by tenon.build.generate: custom operators, made known to torch.",
        "#include <ATen/core/enum_tag.h>",
        "#include <torch/library.h>",
    ]
    for namespace, group in _by_namespace(rows):
        # A fragment, so that other sources may define operators in this namespace too.
        lines += ["", f"TORCH_LIBRARY_FRAGMENT({namespace}, library) {{"]
        lines += [f'  library.def("{quoted(_schema(bound))}", {{at::Tag::out}});' for bound in group]
        lines += ["}"]
    return "\n".join(lines) + "\n"


def _schema(bound: Bound) -> str:
    """As it was written: torchgen has no schema with an out that is not returned."""
    text = " ".join((bound.row.schema or str(bound.schema)).split())
    return text.removeprefix(f"{bound.row.op.partition('::')[0]}::")


def _kernels(rows: Sequence[Bound], stubs: bool, with_context: AbstractSet[str]) -> str:
    what = "stubs for the dispatcher, which leave their out as it is" if stubs else "kernels for the dispatcher"
    lines = [
        f"// Made from {made_from(rows)} by tenon.build.generate: {what}.",
        "#include <ATen/core/Tensor.h>",
        "#include <torch/library.h>",
        *([] if stubs else ["", f'#include "{HEADER}"']),
    ]
    for namespace, group in _by_namespace(rows):
        listed = list(group)
        lines += ["", "namespace {", f"namespace {namespace} {{"]
        for bound in listed:
            lines += ["", f"{_dispatched(bound).declared(_wrapper(bound), None)} {{"]
            lines += [*_body(bound, stubs, str(bound.row.kernel) in with_context), "}"]
        lines += ["", f"}}  // namespace {namespace}", "}  // namespace", ""]
        lines += [f"TORCH_LIBRARY_IMPL({namespace}, CPU, library) {{"]
        for bound in listed:
            lines += [f'  library.impl("{bound.schema.name}", TORCH_FN({namespace}::{_wrapper(bound)}));']
        lines += ["}"]
    return "\n".join(lines) + "\n"


def _by_namespace(rows: Sequence[Bound]) -> Iterator[tuple[str, Iterator[Bound]]]:
    return groupby(rows, key=lambda bound: bound.row.op.partition("::")[0])


def _wrapper(bound: Bound) -> str:
    name = bound.schema.name
    return f"wrapper_CPU_{name.overload_name or 'default'}_{name.name}"


_BOOLS = "const c10::List<bool>&"
_OPTIONALS = "const c10::List<::std::optional<at::Tensor>>&"


def _dispatched(bound: Bound) -> Signature:
    """As the dispatcher calls it. Some lists have types of their own there."""
    own = bound.signature.in_namespace("::at")
    parameters = []
    for argument, parameter in zip(bound.schema.arguments.flat_all, own.parameters, strict=True):
        type = parameter.type
        if type == "::at::ArrayRef<std::optional<::at::Tensor>>":
            type = _OPTIONALS
        elif type == "::at::ArrayRef<bool>" and isinstance(argument.type, ListType):
            type = f"::std::array<bool, {argument.type.size}>" if argument.type.size is not None else _BOOLS
        parameters.append(Parameter(type, parameter.name))
    return Signature(own.returns, tuple(parameters))


def _body(bound: Bound, stubs: bool, takes_context: bool) -> Iterator[str]:
    """Torch's types become the kernel's by themselves, but for lists that torch keeps in its own way."""
    names = [p.name for p in bound.signature.parameters]
    if stubs or bound.keys:
        yield f"  {'(void)' + ', (void)'.join(names)};"
        if bound.keys and not stubs:
            words = quoted(f"{bound.row.op} has kernels for some dtypes and dim orders only, and torch asks for all.")
            yield f'  TORCH_CHECK(false, "{words}");'
    else:
        given = ["context"] if takes_context else []
        for name, type in ((p.name, p.type) for p in _dispatched(bound).parameters):
            given.append(f"{name}_list" if type in (_BOOLS, _OPTIONALS) else name)
            if type == _OPTIONALS:
                yield f"  const ::std::vector<::std::optional<at::Tensor>> {name}_list = {name}.vec();"
            elif type == _BOOLS:
                yield f"  c10::SmallVector<bool, 8> {name}_list;"
                yield f"  for (const bool each : {name}) {name}_list.push_back(each);"
        if takes_context:
            yield f"  {CONTEXT} context;"
        yield f"  ::{bound.row.kernel}({', '.join(given)});"
        if takes_context:
            yield f'  TORCH_CHECK(!context.failed(), "{bound.row.op}: ", context.message());'
    if bound.signature.returns != "void":
        outs = bound.signature.written
        yield f"  return {outs[0] if len(outs) == 1 else '{' + ', '.join(outs) + '}'};"
