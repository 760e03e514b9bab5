"""Reads a flatbuffer into the dataclasses of the schema, checking every offset and length before it is used.

Nothing is trusted: an offset must stay inside the bytes, and all that is read together may not be more than the bytes
there are, so that a small file cannot unfold into a large one.
"""

import struct
from typing import Any

from tenon.errors import Invalid
from tenon.pte.schema import SCALARS, Field, Kind, layout, table


class FlatReader:
    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.size = len(data)
        self.budget = 2 * self.size  # shared vtables are read again for every table

    def root(self, cls: type) -> Any:
        """The root table."""
        return self.table(cls, self.offset(0, "the root"), "the root")

    # --- bytes --------------------------------------------------------------------------------------------

    def take(self, code: str, at: int, where: str) -> Any:
        width = SCALARS[code]
        if at < 0 or at + width > self.size:
            raise Invalid(f"{where}: byte {at} lies outside the {self.size} bytes there are.")
        return struct.unpack_from("<" + code, self.data, at)[0]

    def offset(self, at: int, where: str) -> int:
        """Where a forward offset leads."""
        distance: int = self.take("I", at, where)
        if distance < 4 or at + distance + 4 > self.size:
            raise Invalid(f"{where}: the offset {distance} at byte {at} leads outside the {self.size} bytes there are.")
        return at + distance

    def spend(self, count: int, where: str) -> None:
        self.budget -= count
        if self.budget < 0:
            raise Invalid(
                f"{where}: more is read than the file's {self.size} bytes can hold: "
                "it refers to the same bytes again and again."
            )

    # --- tables -------------------------------------------------------------------------------------------

    def table(self, cls: type, at: int, where: str) -> Any:
        vtable = at - self.take("i", at, where)
        length = self.take("H", vtable, where)
        size = self.take("H", vtable + 2, where)
        if length < 4 or length % 2 or vtable + length > self.size:
            raise Invalid(f"{where}: its table of fields has the length {length}.")
        if at + size > self.size:
            raise Invalid(
                f"{where}: it is {size} bytes long and leads past the end of the {self.size} bytes there are."
            )
        self.spend(size + 4, where)
        made = cls()
        for field in layout(cls):
            entry = self.slot(field.slot, vtable, length, where)
            if field.kind.form == "union":
                member = self.slot(field.slot + 1, vtable, length, where)
                setattr(made, field.name, self.union(field, at, entry, member, size, where))
            elif entry:
                self.inside(entry, field.kind, size, f"{where}.{field.name}")
                setattr(made, field.name, self.value(field.kind, at + entry, f"{where}.{field.name}"))
        return made

    def slot(self, index: int, vtable: int, length: int, where: str) -> int:
        position = 4 + 2 * index
        return self.take("H", vtable + position, where) if position + 2 <= length else 0

    def inside(self, entry: int, kind: Kind, size: int, where: str) -> None:
        width = SCALARS[kind.code] if kind.form == "scalar" else 4
        if entry < 4 or entry + width > size:
            raise Invalid(f"{where}: it lies at byte {entry} of a table of {size} bytes.")

    def union(self, field: Field, at: int, type_entry: int, entry: int, size: int, where: str) -> Any:
        where = f"{where}.{field.name}"
        if type_entry:
            self.inside(type_entry, Kind("scalar", "B"), size, where)
        kind = self.take("B", at + type_entry, where) if type_entry else 0
        if not 1 <= kind <= len(field.kind.members):
            raise Invalid(f"{where}: {kind} is none of its {len(field.kind.members)} kinds.")
        if not entry:
            raise Invalid(f"{where}: it is a {field.kind.members[kind - 1]}, but that is absent.")
        self.inside(entry, field.kind, size, where)
        return self.table(table(field.kind.members[kind - 1]), self.offset(at + entry, where), where)

    # --- values -------------------------------------------------------------------------------------------

    def value(self, kind: Kind, at: int, where: str) -> Any:
        if kind.form == "scalar":
            return self.take(kind.code, at, where)
        target = self.offset(at, where)
        if kind.form == "string":
            return self.string(target, where)
        if kind.form == "table":
            return self.table(table(kind.table), target, where)
        return self.vector(kind, target, where)

    def string(self, at: int, where: str) -> str:
        length = self.length(at, 1, where)
        try:
            return bytes(self.data[at + 4 : at + 4 + length]).decode()
        except UnicodeDecodeError as error:
            raise Invalid(f"{where}: the string is not UTF-8.") from error

    def vector(self, kind: Kind, at: int, where: str) -> Any:
        if kind.table:
            count = self.length(at, 4, where)
            cls, start = table(kind.table), at + 4
            return [self.table(cls, self.offset(start + 4 * i, where), f"{where}[{i}]") for i in range(count)]
        count = self.length(at, SCALARS[kind.code], where)
        if kind.code == "B":
            content = bytes(self.data[at + 4 : at + 4 + count])
            return content if kind.align or where.endswith(".value") else list(content)
        return list(struct.unpack_from(f"<{count}{kind.code}", self.data, at + 4))

    def length(self, at: int, width: int, where: str) -> int:
        count: int = self.take("I", at, where)
        if at + 4 + count * width > self.size:
            raise Invalid(
                f"{where}: {count} elements of {width} bytes lead past the end of the {self.size} bytes there are."
            )
        self.spend(4 + count * width, where)
        return count
