"""A source of kernels with what its rows expect of it: the compiler tells where they differ, in words.

The source is compiled through this text. For each row whose kernel it declares, assertions hold if the kernel, or one
of its overloads, has the type of the schema, with or without a context first.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from tenon.build.generate.bind import Bound
from tenon.build.generate.text import made_from, quoted
from tenon.files import read_whole

_SHARED = Path(__file__).with_name("checks.h")
_INCLUDES = ["executorch/runtime/kernel/kernel_includes.h", "optional", "string", "string_view", "tuple", "type_traits"]


def checks(bound: Sequence[Bound], source: Path) -> str:
    """The text to compile instead of `source`. Kernels that it does not declare are not asked for."""
    text = read_whole(source).decode(errors="replace")
    by_kernel = sorted(bound, key=lambda each: (str(each.row.kernel), each.row.op))
    groups = [list(group) for _, group in groupby(by_kernel, key=lambda each: str(each.row.kernel))]
    lines = [
        f"// Made from {made_from(bound)} by tenon.build.generate: a source, and checks of its kernels' types.",
        f'#include "{quoted(str(source.absolute()))}"',
        "",
        *(f"#include <{name}>" for name in _INCLUDES),
        "",
        read_whole(_SHARED).decode(),
        # A namespace that the source does not open is empty.
        *(f"namespace {name} {{}}" for name in sorted({each.row.kernel.namespace for each in bound})),
    ]
    for number, group in enumerate(groups):
        lines += _kernel(number, group, in_words=group[0].row.kernel.function in text)
    return "\n".join(lines) + "\n"


def _kernel(number: int, group: Sequence[Bound], in_words: bool) -> Iterator[str]:
    """The rows of one kernel. Where it fits one of them, the others mean overloads in other sources."""
    kernel = group[0].row.kernel
    space = f"tenon_checks::kernel_{number}"
    address = f"&::{space}::{kernel.function}"
    own = [bound.signature.in_namespace("::torch::executor") for bound in group]
    types = dict.fromkeys(type for each in own for type in (each.type, each.with_context("Context")))
    fits = [f"decltype(is_alone({address}))::yes", *(f"decltype(has<{type}>({address}))::yes" for type in types)]
    yield from ["", f"namespace tenon_checks::absent_{number} {{", f"Absent {kernel.function}(...);", "}"]
    yield from [f"namespace {space} {{"]
    yield from [f"using namespace absent_{number};", f"using namespace ::{kernel.namespace};"]
    yield f"constexpr bool tenon_fits = {' || '.join(fits)};"
    for i, bound in enumerate(group):
        if in_words:
            yield from _row(bound, f"tenon_row_{i}", address)
        else:  # it is not written in this source: if anything, a file has it that is included
            yield _assertion("tenon_fits", f"{_who(bound)} whose type differs from its schema {bound.schema}")
    yield f"}}  // namespace {space}"


def _row(bound: Bound, name: str, address: str) -> Iterator[str]:
    """A kernel that fits is not compared."""
    expected = bound.signature.in_namespace("::torch::executor").type
    yield f"using {name} = Compared<std::conditional_t<tenon_fits, Several, decltype(only({address}))>, {expected}>;"
    several = f"{_who(bound)} which has overloads, and none of them is `{bound.signature.type}`"
    yield _assertion(f"tenon_fits || {name}::is_one", several)
    yield from _counts(bound, name)
    arguments = bound.schema.arguments.flat_all
    for i, (argument, parameter) in enumerate(zip(arguments, bound.signature.parameters, strict=True)):
        before = f"{_who(bound)} whose argument {i + 1} is `"
        after = f"`, but the schema says `{_written(argument)}`, which is `{parameter.type}`"
        type = f"{name}::type<{i}>"
        yield _macro("TYPE", f"{name}::argument<{i}>", f"{name}_argument_{i}", type, _string(before), _string(after))
    before, after = f"{_who(bound)} which returns `", f"`, but the schema says `{bound.signature.returns}`"
    returned = (f"{name}::returned", f"{name}_returned", f"{name}::type_returned")
    yield _macro("TYPE", *returned, _string(before), _string(after))


def _counts(bound: Bound, name: str) -> Iterator[str]:
    arguments = bound.schema.arguments.flat_all
    for i, argument in enumerate([*arguments, None]):
        if argument is None:
            wrong = f"argument {i + 1} is one too many"
        else:
            wrong = f"argument {i + 1} is not `{_written(argument)}`, which is `{bound.signature.parameters[i].type}`"
        after = f", but the schema has {len(arguments)}: {wrong}"
        before = f"{_who(bound)} whose number of arguments is "
        yield _macro("COUNT", name, str(i), _string(before), _string(after))


def _who(bound: Bound) -> str:
    return f"{bound.row.place}: {bound.row.op} is bound to {bound.row.kernel},"


def _written(argument: object) -> str:
    """Without its default, which is the exporter's."""
    return str(argument).partition("=")[0]


def _assertion(condition: str, words: str) -> str:
    return f"static_assert({condition}, {_string(words)});"


def _macro(name: str, *arguments: str) -> str:
    return f"TENON_CHECKS_{name}({', '.join(arguments)})"


def _string(words: str) -> str:
    return f'"{quoted(words)}"'
