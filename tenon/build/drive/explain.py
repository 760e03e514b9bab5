"""A kernel that no library defines, after the link: which row asked for it, and what they define that is near."""

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenon.build.drive.symbols import CONTEXT, Function, parsed, readable
from tenon.build.generate import Bound
from tenon.errors import listing, plural

REMEDY = "Give the source or library that defines it (--lib)."


def explained(
    undefined: Sequence[str],
    bound: Sequence[Bound],
    given: Mapping[Path, Sequence[Function]],
    own: Sequence[Function] = (),
    remedy: str = REMEDY,
) -> str | None:
    """What to say of functions that a link missed; None if none of them is a kernel.

    `given` is what the user's files define, `own` what Tenon's do. The remedy is for a kernel that nothing is near to.
    """
    missing = {function.name: function for function in map(parsed, undefined) if function is not None}
    rows = [row for row in bound if str(row.row.kernel) in missing]
    if not rows:
        return None
    blocks = []
    for row in rows:
        wanted = missing[str(row.row.kernel)]
        blocks += _block(row, _near(wanted, given) or [_nothing(given, remedy), *_of_tenon(wanted, own)])
    kernels = {str(row.row.kernel) for row in rows}
    others = [text for text in undefined if (function := parsed(text)) is None or function.name not in kernels]
    if others:
        blocks.append(f"Beside them, {plural(len(others), 'other function')}: {', '.join(others[:3])}")
    headline = f"{plural(len(kernels), 'kernel is', 'kernels are')} bound to operators and defined nowhere."
    return listing(headline, blocks)


def _block(bound: Bound, hints: Sequence[str]) -> list[str]:
    row = bound.row
    declared = f"{bound.signature.returns} {row.kernel}(Context& context, {_parameters(bound)})"
    return [
        f"{row.place}: {row.op} is bound to {row.kernel}, which is declared as",
        f"    {declared};",
        "  where the context may be left out.",
        *(f"  {line}" for line in hints),
    ]


def _parameters(bound: Bound) -> str:
    return ", ".join(f"{each.type} {each.name}" for each in bound.signature.parameters)


def _near(wanted: Function, given: Mapping[Path, Sequence[Function]]) -> list[str]:
    """From what is surely meant to what only looks like it."""
    functions = [(path, each) for path, defined in given.items() for each in defined]
    same = [(path, each) for path, each in functions if each.name == wanted.name]
    if same:
        return [f"{path} defines it {_difference(each, wanted)}" for path, each in same]
    *namespaces, function = wanted.name.split("::")
    outside = "::".join([*namespaces[:-1], function])
    if found := [(path, each) for path, each in functions if each.name == outside]:
        if namespaces[-2:-1] == ["native"]:
            meant = "::".join([*namespaces[:-2], function])
            remedy = f"The row has `native`, which every kernel's namespace is given. Write `kernel_name: {meant}`."
            return [f"{path} defines {each}. {remedy}" for path, each in found]
        remedy = f"Put it in namespace {'::'.join(namespaces)}: every kernel's namespace ends in `native`."
        return [f"{path} defines {each} without `native`. {remedy}" for path, each in found]
    if found := [(path, each) for path, each in functions if each.name.split("::")[-1] == function]:
        return [f"{path} defines {each}, which is another namespace than the row's." for path, each in found]
    names = difflib.get_close_matches(wanted.name, {each.name for _, each in functions}, n=2, cutoff=0.75)
    return [f"{path} defines {each}. Is that it?" for path, each in functions if each.name in names]


def _of_tenon(wanted: Function, own: Sequence[Function]) -> list[str]:
    """Rows that were written for another library of kernels may mean those that are here under other names."""
    function = wanted.name.split("::")[-1]
    namespaces = [each.name.split("::")[:-2] for each in own if each.name.split("::")[-2:] == ["native", function]]
    return [f"Tenon's own kernel is meant by `kernel_name: {'::'.join(each)}::{function}`." for each in namespaces[:1]]


def _nothing(given: Mapping[Path, Sequence[Function]], remedy: str) -> str:
    listed = ", ".join(map(str, given))
    searched = f"Nothing of that name is in {listed}." if listed else "No library of kernels was given."
    return f"{searched} {remedy}"


def _difference(found: Function, wanted: Function) -> str:
    if found.is_local:
        return f"where no other file can call it: {found} is static, or in a namespace without a name."
    return f"with other arguments: {_first_difference(found, wanted)}"


def _first_difference(found: Function, wanted: Function) -> str:
    mine, other = _without_context(found), _without_context(wanted)
    for number, (a, b) in enumerate(zip(mine, other, strict=False), 1):
        if a != b:
            return f"argument {number} is `{readable(a)}`, and the schema says `{readable(b)}`."
    if len(mine) != len(other):
        return f"it has {plural(len(mine), 'argument')}, and the schema has {len(other)}."
    return f"{found} and {wanted} differ in what stands before the arguments."


def _without_context(function: Function) -> tuple[str, ...]:
    arguments = function.arguments or ()
    return arguments[1:] if arguments and arguments[0] == CONTEXT else arguments
