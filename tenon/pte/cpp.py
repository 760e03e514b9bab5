"""Makes the C++ side of the format from the schema: `python -m tenon.pte.cpp` writes native/load/format.h.

A table becomes a struct of getters over its bytes, and a row of forms by which native/load/flat.cpp verifies it.
"""

import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from tenon.files import write_whole
from tenon.ir.types import DTYPE_BY_CODE
from tenon.pte import container, external, schema
from tenon.pte.schema import SCALARS, Field, Kind, layout

HEADER = Path(__file__).parents[2] / "native" / "load" / "format.h"
_TYPES = {
    "b": "int8_t",
    "B": "uint8_t",
    "?": "bool",
    "h": "int16_t",
    "H": "uint16_t",
    "i": "int32_t",
    "I": "uint32_t",
    "q": "int64_t",
    "Q": "uint64_t",
    "f": "float",
    "d": "double",
}


def tables() -> dict[str, Any]:
    """The tables by name, each after those it leads to: what C++ needs to declare them, and what ends every walk."""
    found: dict[str, Any] = {}
    for name, each in vars(schema).items():
        if _is_table(each):
            later = {target for field in layout(each) for target in _targets(field.kind)} - found.keys()
            assert not later, f"{name} leads to {', '.join(sorted(later))}, which must come before it in the schema"
            found[name] = each
    return found


def format_header() -> str:
    """The text of native/load/format.h."""
    return "\n".join(
        [
            "// The tables of the file format, made from tenon/pte/schema.py by `python -m tenon.pte.cpp`.",
            "#pragma once",
            "",
            '#include "flat.h"',
            "",
            "namespace tenon::format {",
            "",
            *_constants(),
            *(line for each in vars(schema).values() if _is_enum(each) for line in _enum(each)),
            "// --- tables: an absent field has its default, or is a view or table that is false ---",
            "",
            *(line for number, name in enumerate(tables()) for line in _struct(name, number)),
            "// --- their forms, for verification ---",
            "",
            *_forms(),
            "// --- their names, for faults in words: without a use they take no room ---",
            "",
            *_names(),
            "}  // namespace tenon::format",
            "",
        ]
    )


def _is_table(each: Any) -> bool:
    return is_dataclass(each)


def _is_enum(each: Any) -> bool:
    return isinstance(each, type) and issubclass(each, IntEnum) and each is not IntEnum


def _targets(kind: Kind) -> tuple[str, ...]:
    return kind.members or ((kind.table,) if kind.table else ())


# --- structs --------------------------------------------------------------------------------------------------


def _constants() -> Iterator[str]:
    for name, mark in (
        ("program_identifier", container.IDENTIFIER),
        ("program_magic", container.MAGIC),
        ("external_identifier", external.IDENTIFIER),
        ("external_magic", external._MAGIC),
    ):
        yield f'inline constexpr char {name}[] = "{mark.decode()}";'
    for name, size in (
        ("program_header", container._HEADER.size),
        ("oldest_program_header", container._OLDEST_HEADER),
        ("external_header", external._HEADER.size),
        ("external_block", external._BLOCK),
    ):
        yield f"inline constexpr size_t {name} = {size};"
    codes = sorted(DTYPE_BY_CODE)
    assert codes == list(range(len(codes))), "the sizes of scalar types are a list by code"
    yield ""
    yield "// By code."
    yield from _array("scalar_type_bytes", "uint8_t", [str(DTYPE_BY_CODE[code].bytes) for code in codes])


def _enum(each: type[IntEnum]) -> Iterator[str]:
    # In capitals some of these names are macros of other people's headers, in small letters words of the language.
    members = ", ".join(f"{_camel(member.name)} = {member.value}" for member in each)
    yield f"enum class {each.__name__} : int8_t {{ {members} }};"
    yield ""


def _struct(name: str, number: int) -> Iterator[str]:
    yield f"struct {name} : Table {{"
    yield f"  static constexpr uint8_t number = {number};"
    for field in layout(tables()[name]):
        yield ""
        yield from (f"  {line}" for line in _getters(field))
    yield "};"
    yield ""


def _getters(field: Field) -> Iterator[str]:
    name, kind, slot = field.name, field.kind, field.slot
    if kind.form == "union":
        enum = _camel(name)
        yield f"enum class {enum} : uint8_t {{"
        rows = _rows([f"{member} = {i}" for i, member in enumerate(("none", *kind.members))], ", ", ",")
        yield from (row[2:] for row in rows)
        yield "};"
        yield f"bool has_{name}() const {{ return has({slot + 1}); }}"
        yield f"{enum} {name}_kind() const {{ return static_cast<{enum}>(scalar<uint8_t>({slot}, 0)); }}"
        for i, member in enumerate(kind.members, 1):
            yield f"{member} {name}_{snake(member)}() const {{ return {{{{member({slot}, {i})}}}}; }}"
        return
    yield f"bool has_{name}() const {{ return has({slot}); }}"
    if kind.form == "scalar":
        made = _TYPES[kind.code]
        default = str(field.default).lower() if kind.code == "?" else str(field.default)
        yield f"{made} {name}() const {{ return scalar<{made}>({slot}, {default}); }}"
    elif kind.form == "string":
        yield f"Text {name}() const {{ return text({slot}); }}"
    elif kind.form == "table":
        yield f"{kind.table} {name}() const {{ return {{{{target({slot})}}}}; }}"
    else:
        made = f"Tables<{kind.table}>" if kind.table else f"Numbers<{_TYPES[kind.code]}>"
        yield f"{made} {name}() const {{ return list<{made}>({slot}); }}"


# --- forms and names ------------------------------------------------------------------------------------------


def _forms() -> Iterator[str]:
    number = {name: i for i, name in enumerate(tables())}
    rows: list[str] = []
    first, kinds = [0], list[str]()
    for name, each in tables().items():
        for field in layout(each):
            kind = field.kind
            if kind.form == "union":
                row = f"Form::choice, {len(kind.members)}, {len(kinds)}"
                kinds += [str(number[member]) for member in kind.members]
            elif kind.form == "vector":
                row = f"Form::tables, 2, {number[kind.table]}" if kind.table else f"Form::scalars, {_power(kind)}, 0"
            elif kind.form == "table":
                row = f"Form::table, 2, {number[kind.table]}"
            else:
                row = f"Form::{kind.form}, {_power(kind) if kind.form == 'scalar' else 0}, 0"
            rows.append(f"    {{{field.slot}, {row}}},  // {name}.{field.name}")
        first.append(len(rows))
    assert first[-1] < 256, "field numbers are bytes"
    yield "inline constexpr FieldForm fields[] = {"
    yield from rows
    yield "};"
    yield ""
    yield from _array("first_field", "uint8_t", [str(i) for i in first])
    yield from _array("kinds", "uint8_t", kinds)
    yield "inline constexpr Schema schema = {fields, first_field, kinds};"
    yield ""


def _power(kind: Kind) -> int:
    return SCALARS[kind.code].bit_length() - 1


def _names() -> Iterator[str]:
    yield from _words("table_names", list(tables()))
    yield from _words("field_names", [field.name for each in tables().values() for field in layout(each)])


def _array(name: str, made: str, items: list[str]) -> Iterator[str]:
    yield f"inline constexpr {made} {name}[] = {{"
    yield from _rows(items, ", ", ",")
    yield "};"
    yield ""


def _words(name: str, words: list[str]) -> Iterator[str]:
    """Strings that follow each other, each ended by a zero: no pointers, so that nothing is relocated at load."""
    yield f"inline constexpr char {name}[] ="
    lines = list(_rows([f'"{word}\\0"' for word in words], " ", ""))
    yield from lines[:-1]
    yield lines[-1] + ";"
    yield ""


def _rows(items: list[str], between: str, end: str) -> Iterator[str]:
    row: list[str] = []
    for item in items:
        if row and len(between.join([*row, item])) > 100:
            yield f"    {between.join(row)}{end}"
            row = []
        row.append(item)
    yield f"    {between.join(row)}{end}"


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


if __name__ == "__main__":
    write_whole(HEADER, format_header().encode())
