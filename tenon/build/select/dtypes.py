"""The dtypes that each kernel is compiled for, as a header: selected_op_variants.h."""

from collections.abc import Container, Iterable, Sequence
from functools import cache
from itertools import product

import torch
from torchgen.model import BaseTy, BaseType, FunctionSchema, OptionalType  # type: ignore[import-untyped]

from tenon.build.generate import Bound
from tenon.build.select.choose import by_operator, resolve
from tenon.build.select.key import DEFAULT, metas_of, readings
from tenon.build.select.selection import Selection
from tenon.ir.types import DTYPE_BY_CODE
from tenon.ops.table import SCALAR_TYPES

# Where sources look for it.
DTYPE_HEADER = "executorch/kernels/portable/cpu/selected_op_variants.h"

_OWN = "tenon::native"
_CODE = {name: code for code, name in enumerate(SCALAR_TYPES)}
_LONG, _FLOAT, _DOUBLE, _BOOL = (_CODE[name] for name in ("Long", "Float", "Double", "Bool"))
_EVERY = frozenset(_CODE.values())
_COMPUTED_AS = {_CODE["Half"]: _FLOAT, _CODE["BFloat16"]: _FLOAT, _CODE["ComplexHalf"]: _CODE["ComplexFloat"]}


# A kernel may compute in a dtype that no tensor of its call has, so a call needs: the dtypes of its tensors; what those
# it reads promote to; what numbers beside them make of whole ones and bools (int64, float32); float32 for whole
# numbers whose result is a float; float32 for 16-bit floats.
def dtypes_of(keys: Iterable[str], schema: FunctionSchema | None) -> frozenset[int]:
    """The codes of all dtypes that calls with these keys may compute in; without a schema, all that is possible."""
    needed: set[int] = set()
    for key in keys:
        metas = metas_of(key)
        if key == DEFAULT or not metas:
            return _EVERY
        held = {meta.dtype for meta in metas}
        meanings = {reading.inputs for reading in readings(key, schema)} if schema else set()
        for inputs in meanings or {metas}:
            needed |= held | _computed({meta.dtype for meta in inputs}, held, _takes_numbers(schema))
    return frozenset(needed)


def _computed(inputs: set[int], held: set[int], takes_numbers: bool) -> set[int]:
    found = _promoted(inputs)
    whole = {code for code in found if not _is_real(code)}
    if whole and takes_numbers:
        found = _promoted(found | {_FLOAT} | ({_LONG} if _BOOL in whole else set()))
    if whole and any(map(_is_real, held - found)):
        found.add(_FLOAT)
    return found | {_COMPUTED_AS[code] for code in found | held if code in _COMPUTED_AS}


def _promoted(codes: set[int]) -> set[int]:
    """With all that two of them promote to, and two of those."""
    found = set(codes)
    while more := {_promote(a, b) for a, b in product(found, found)} - found:
        found |= more
    return found


@cache
def _promote(a: int, b: int) -> int:
    try:
        common = torch.promote_types(_torch(a), _torch(b))
    except (AttributeError, RuntimeError):  # some have nothing in common
        return a
    return next((code for code in _EVERY if _torch_or_none(code) == common), a)


def _torch(code: int) -> torch.dtype:
    found: torch.dtype = getattr(torch, DTYPE_BY_CODE[code].name)
    return found


def _torch_or_none(code: int) -> torch.dtype | None:
    return getattr(torch, DTYPE_BY_CODE[code].name, None)


def _is_real(code: int) -> bool:
    """A float or complex."""
    dtype = _torch_or_none(code)
    return dtype is not None and (dtype.is_floating_point or dtype.is_complex)


def _takes_numbers(schema: FunctionSchema | None) -> bool:
    if schema is None:
        return True
    numbers = (BaseType(BaseTy.Scalar), OptionalType(BaseType(BaseTy.Scalar)))
    return any(argument.type in numbers for argument in schema.arguments.flat_all)


def dtype_header(selection: Selection, bound: Sequence[Bound], only: Container[str] | None = None) -> str:
    """The text of selected_op_variants.h: which dtypes an operator, and a kernel by its C++ name, is needed for.

    With `only`, it has the rows of these names and no others; what has no row is compiled for the dtypes of all.
    """
    groups = by_operator(bound)
    wanted = resolve(selection, groups)
    operators: dict[str, frozenset[int]] = {}
    kernels: dict[str, frozenset[int]] = {}
    rest: frozenset[int] = frozenset()  # what kernels share is for all of them
    for op, keys in wanted.keys.items():
        schema = groups[op][0].schema
        needed = dtypes_of(keys, schema)
        _join(operators, {op, op.partition("::")[2]}, needed | _held(schema))
        # Ours ask by the name of their function, and a user's function of that name is another one.
        _join(kernels, {each.row.kernel.function for each in groups[op] if each.row.kernel.namespace == _OWN}, needed)
        rest |= needed
    for op, selected in wanted.unmatched:  # its rows are elsewhere, and the switches of its kernels ask all the same
        needed = dtypes_of(selected.keys, None)
        _join(operators, {op, op.partition("::")[2]}, needed | _held(None))
        rest |= needed
    named = frozenset[int]().union(*operators.values())
    if only is not None:
        operators, kernels = _kept(operators, only), _kept(kernels, only)
    return _HEADER.format(operators=_table(operators, named), kernels=_table(kernels, rest))


def _join(into: dict[str, frozenset[int]], names: set[str], codes: frozenset[int]) -> None:
    for name in names:
        into[name] = into.get(name, frozenset()) | codes


def _kept(named: dict[str, frozenset[int]], only: Container[str]) -> dict[str, frozenset[int]]:
    return {name: codes for name, codes in named.items() if name in only}


def _held(schema: FunctionSchema | None) -> frozenset[int]:
    """What numbers are held as: ET_SWITCH_SCALAR_OBJ_TYPES asks for these."""
    return frozenset({_BOOL, _LONG, _DOUBLE} if _takes_numbers(schema) else ())


def _table(named: dict[str, frozenset[int]], everything: frozenset[int]) -> str:
    rows = [f'    {{"{name}", {_mask(codes)}}},' for name, codes in sorted(named.items())]
    return "\n".join([*rows, f"    {{nullptr, {_mask(everything)}}},"])


def _mask(codes: frozenset[int]) -> str:
    names = "all" if codes == _EVERY else " ".join(SCALAR_TYPES[code] for code in sorted(codes))
    return f"{sum(1 << code for code in codes):#x} /* {names} */"


_HEADER = """\
// Made by tenon select: the dtypes that kernels are compiled for.
#pragma once

#include <cstdint>

#include <tenon/dtype.h>

namespace tenon {{
namespace selected {{

// Bit k is the dtype of code k. The last row, without a name, is the union: for what kernels share.
struct Row {{
  const char* name;
  uint64_t dtypes;
}};

inline constexpr Row operators[] = {{
{operators}
}};

inline constexpr Row kernels[] = {{
{kernels}
}};

constexpr bool is_same(const char* a, const char* b) {{
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}}

constexpr uint64_t dtypes_of(const Row* row, const char* name) {{
  while (row->name != nullptr && !is_same(row->name, name)) ++row;
  return row->dtypes;
}}

}}  // namespace selected

// For a kernel by the name of its function.
constexpr uint64_t selected_dtypes(const char* kernel) {{ return selected::dtypes_of(selected::kernels, kernel); }}

}}  // namespace tenon

// For ET_SWITCH_*, which name operators. ATen's enumeration has the same codes.
template <class ScalarType>
constexpr bool should_include_kernel_dtype(const char* operator_name, ScalarType scalar_type) {{
  const int code = static_cast<int>(scalar_type);
  return code >= 0 && code < 64 && (tenon::selected::dtypes_of(tenon::selected::operators, operator_name) >> code & 1);
}}
"""
