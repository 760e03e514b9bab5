"""The keys of a specialised kernel: which dtypes and dim orders of a call's tensors it is for, as the runtime asks.

A key has a part per tensor that a call gives, in the schema's order, the returned one again at its end:
`v1/6;0,1|6;0,1|6;0,1` is two float matrices, and one that is returned.
"""

import warnings
from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

from torchgen.model import Argument, BaseTy, BaseType, FunctionSchema, ListType, OptionalType  # type: ignore[import-untyped]

from tenon.errors import Invalid, near
from tenon.ops.table import Alias, ArgMeta, Row

MOST_KEYS = 4096  # of one kernel: more is a mistake in its aliases, and each is a row that is searched
LONGEST_KEY = 658  # what the runtime has room for


def keys(row: Row, schema: FunctionSchema) -> tuple[str, ...]:
    """All keys that a row's metas stand for, each once, in order of the aliases' options."""
    op, metas = row.op, row.metas or ()
    arguments = {a.name: a for a in schema.arguments.flat_all}
    _check_kinds(op, arguments, metas)
    by_name = {meta.argument: meta for meta in metas}
    parts = [by_name[name] for name in arguments if name in by_name]
    written = [meta for meta in parts if _is_written(arguments[meta.argument])]
    returned = written if len(written) == 1 else []  # several are returned as a list, which adds nothing
    for meta in _surplus(op, arguments, metas, returned):
        warnings.warn(
            f"{row.place}: `{meta.argument}` is no argument of {op}. It is taken for what is returned, which is "
            f"`{returned[0].argument}` again and need not be written.",
            stacklevel=3,
        )
    return tuple(dict.fromkeys(_expanded(op, [*parts, *returned])))


def _check_kinds(op: str, arguments: dict[str, Argument], metas: Sequence[ArgMeta]) -> None:
    for meta in metas:
        argument = arguments.get(meta.argument)
        if argument is None or _is_tensor(argument) or _is_optional(argument):
            continue
        if _is_list(argument):
            raise Invalid(f"`{meta.argument}` of {op} is a list, which no key mentions. Leave it out of `arg_meta`.")
        raise Invalid(f"`{meta.argument}` of {op} is no tensor but {argument.type}. {_tensors(arguments)}")


def _surplus(
    op: str, arguments: dict[str, Argument], metas: Sequence[ArgMeta], returned: Sequence[ArgMeta]
) -> list[ArgMeta]:
    """Every tensor that a call always gives is named. One name more may be there, for what is returned."""
    named = {meta.argument for meta in metas}
    missing = [name for name, a in arguments.items() if _is_tensor(a) and name not in named]
    surplus = [meta for meta in metas if meta.argument not in arguments]
    said = [(meta.dtype, meta.dim_order) for meta in surplus]
    if surplus and (missing or said != [(meta.dtype, meta.dim_order) for meta in returned]):
        wrong = surplus[0].argument
        raise Invalid(f"{op} has no argument `{wrong}`.{near(wrong, missing or arguments)} {_tensors(arguments)}")
    if missing:
        told = ", ".join(f"`{name}`" for name in missing)
        raise Invalid(f"`arg_meta` says nothing of {told}, which every call of {op} gives. {_tensors(arguments)}")
    return surplus


def _tensors(arguments: dict[str, Argument]) -> str:
    named = [name for name, a in arguments.items() if _is_tensor(a) or _is_optional(a)]
    return f"Its tensors are {', '.join(named)}."


def _expanded(op: str, parts: Sequence[ArgMeta]) -> list[str]:
    """An alias has one value throughout a key; different aliases go through theirs independently."""
    aliases: dict[Alias[Any], None] = {}
    for part in parts:
        aliases |= {part.dtype: None, part.dim_order: None}
    count = prod(len(alias.options) for alias in aliases)
    if count > MOST_KEYS:
        raise Invalid(f"the aliases of this kernel of {op} stand for {count} keys, and {MOST_KEYS} are the most.")
    found = []
    for options in product(*(alias.options for alias in aliases)):
        value = dict(zip(aliases, options, strict=True))
        found.append("v1/" + "|".join(f"{value[p.dtype]};{','.join(map(str, value[p.dim_order]))}" for p in parts))
    if found and len(found[0]) > LONGEST_KEY:
        raise Invalid(f"a key of {op} has {len(found[0])} letters, and the runtime has room for {LONGEST_KEY}.")
    return found


def _is_tensor(argument: Argument) -> bool:
    return bool(argument.type == BaseType(BaseTy.Tensor))


def _is_optional(argument: Argument) -> bool:
    return isinstance(argument.type, OptionalType) and bool(argument.type.elem == BaseType(BaseTy.Tensor))


def _is_list(argument: Argument) -> bool:
    return isinstance(argument.type, ListType) and bool(argument.type.is_tensor_like())


def _is_written(argument: Argument) -> bool:
    return argument.annotation is not None and bool(argument.annotation.is_write)
