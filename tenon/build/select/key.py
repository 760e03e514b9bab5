"""Keys of calls: the dtype and the order of the dimensions of every tensor, `v1/6;0,1|6;0,1|...`."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from torchgen.model import BaseTy, BaseType, FunctionSchema, ListType, OptionalType, Type  # type: ignore[import-untyped]

from tenon.errors import Invalid, near
from tenon.ir.types import DTYPE, DTYPE_BY_CODE
from tenon.ops.table import SCALAR_TYPES

DEFAULT = "default"  # a call with any tensors
BARE = "v1"  # a call without tensors

# The spellings of others: torchgen's, and the Starlark enumeration's.
_CODES = {name: code for code, name in enumerate(SCALAR_TYPES)} | {"Uint64": 29, "QUInt4X2": 16, "QUInt2X4": 17}


class Meta(NamedTuple):
    """A tensor of a call: its dtype's code, and its dimensions from outermost to innermost."""

    dtype: int
    order: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.dtype};{','.join(map(str, self.order))}"


_META = r"\d{1,2};(?:\d{1,2}(?:,\d{1,2})*)?"
_KEY = re.compile(rf"v\d(?:/{_META}(?:\|{_META})*)?", re.ASCII)


def key_text(metas: Sequence[Meta]) -> str:
    return f"{BARE}/{'|'.join(map(str, metas))}" if metas else BARE


def metas_of(key: str) -> tuple[Meta, ...]:
    """The tensors of a key; of `default` none are known."""
    tensors = key.partition("/")[2]
    return tuple(_meta(text) for text in tensors.split("|")) if tensors else ()


def _meta(text: str) -> Meta:
    dtype, _, order = text.partition(";")
    return Meta(int(dtype), tuple(int(dim) for dim in order.split(",")) if order else ())


def key_of(text: str) -> str:
    """A key as it is, or of a dtype `v1/6;`: any call that has it. `default` is for any call at all."""
    text = text.strip()
    if text == DEFAULT:
        return text
    if _KEY.fullmatch(text):
        unknown = sorted({meta.dtype for meta in metas_of(text)} - set(DTYPE_BY_CODE))
        if unknown:
            raise Invalid(f"the key `{text}` has the dtype {unknown[0]}, and the last one is {max(DTYPE_BY_CODE)}.")
        return text
    code = DTYPE[text].code if text in DTYPE else _CODES.get(text)
    if code is None:
        known = "a dtype is written as Float or float32, a key as v1/6;0,1|6;0,1"
        raise Invalid(f"`{text}` is neither a dtype nor a key: {known}.{near(text, [*_CODES, *DTYPE])}")
    return key_text([Meta(code)])


def is_dtype_alone(key: str) -> bool:
    """A dtype and nothing more. No call has one tensor: what it writes to counts twice."""
    metas = metas_of(key)
    return len(metas) == 1 and not metas[0].order


def key_words(key: str) -> str:
    """For people: `float32[0, 1], int64[]`."""
    metas = metas_of(key)
    return ", ".join(f"{DTYPE_BY_CODE[meta.dtype]}{list(meta.order)}" for meta in metas) or "no tensors"


class Reading(NamedTuple):
    """A key of a program, told apart by the schema."""

    runtime: tuple[Meta, ...]  # as the runtime makes the key of a call: without lists
    inputs: tuple[Meta, ...]  # what is read, lists included


def readings(key: str, schema: FunctionSchema) -> list[Reading]:
    """What a key may mean. A list is one tensor in it, the first; optional tensors and empty lists are not there."""
    given = schema.arguments.flat_all
    outs = {argument.name for argument in schema.arguments.out}
    slots = [(kind, argument.name not in outs) for argument in given if (kind := _kind(argument.type))]
    returned = {0: "list", 1: "tensor"}.get(len(schema.returns), "results")  # what is returned comes once more
    slots.append((returned, False))
    return list(dict.fromkeys(_align(metas_of(key), slots)))


def _kind(type: Type) -> str:
    match type:
        case BaseType(BaseTy.Tensor):
            return "tensor"
        case OptionalType(BaseType(BaseTy.Tensor)):
            return "optional"
        case ListType(BaseType(BaseTy.Tensor) | OptionalType(BaseType(BaseTy.Tensor)), _):
            return "list"
        case OptionalType(element):
            return "list" if _kind(element) == "list" else ""
    return ""


def _align(metas: tuple[Meta, ...], slots: list[tuple[str, bool]]) -> Iterator[Reading]:
    if not slots:
        if not metas:
            yield Reading((), ())
        return
    (kind, is_input), rest = slots[0], slots[1:]
    if kind in ("optional", "list"):
        yield from _align(metas, rest)
    if metas:
        in_runtime = () if kind in ("list", "results") else metas[:1]
        for after in _align(metas[1:], rest):
            yield Reading((*in_runtime, *after.runtime), (*(metas[:1] if is_input else ()), *after.inputs))
