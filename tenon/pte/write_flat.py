"""Writes the dataclasses of the schema as a flatbuffer, in the one order that makes equal programs equal bytes."""

from typing import Any

import flatbuffers
from flatbuffers import number_types

from tenon.pte.schema import SCALARS, Kind, layout

_FLAGS = {
    "b": number_types.Int8Flags,
    "B": number_types.Uint8Flags,
    "?": number_types.BoolFlags,
    "h": number_types.Int16Flags,
    "H": number_types.Uint16Flags,
    "i": number_types.Int32Flags,
    "I": number_types.Uint32Flags,
    "q": number_types.Int64Flags,
    "Q": number_types.Uint64Flags,
    "f": number_types.Float32Flags,
    "d": number_types.Float64Flags,
}


def write_flat(root: Any, identifier: bytes, alignment: int = 16) -> bytes:
    """The bytes of a root table; byte vectors that ask for an alignment get at least this one."""
    writer = _Writer(alignment)
    position = writer.table(root)
    writer.builder.Finish(position, file_identifier=identifier)
    return bytes(writer.builder.Output())


class _Writer:
    """Depth first: the children of a table by ascending id, then the table itself."""

    def __init__(self, alignment: int) -> None:
        self.builder = flatbuffers.Builder(1024)
        self.alignment = alignment

    def table(self, made: Any) -> int:
        cls: Any = type(made)
        fields = layout(cls)
        children = {
            field.slot: self.child(field.kind, value)
            for field in fields
            if field.kind.form != "scalar" and (value := getattr(made, field.name)) is not None
        }
        slots = fields[-1].slot + (2 if fields and fields[-1].kind.form == "union" else 1) if fields else 0
        self.builder.StartObject(slots)
        for field in fields:
            value = getattr(made, field.name)
            if field.kind.form == "scalar":
                # A negative zero equals the default, and is not it.
                default = None if value == 0 and str(value) == "-0.0" else field.default
                self.builder.PrependSlot(_FLAGS[field.kind.code], field.slot, value, default)
            elif field.kind.form == "union" and value is not None:
                self.builder.PrependUint8Slot(field.slot, field.kind.members.index(type(value).__name__) + 1, 0)
                self.builder.PrependUOffsetTRelativeSlot(field.slot + 1, children[field.slot], 0)
            elif value is not None:
                self.builder.PrependUOffsetTRelativeSlot(field.slot, children[field.slot], 0)
        return int(self.builder.EndObject())

    def child(self, kind: Kind, value: Any) -> int:
        if kind.form == "string":
            return int(self.builder.CreateString(value))
        if kind.form in ("table", "union"):
            return self.table(value)
        if kind.table:
            offsets = [self.table(item) for item in value]
            self.builder.StartVector(4, len(offsets), 4)
            for offset in reversed(offsets):
                self.builder.PrependUOffsetTRelative(offset)
            return int(self.builder.EndVector())
        if kind.code == "B":
            return self.bytes(bytes(value), max(kind.align and self.alignment, 1))
        width = SCALARS[kind.code]
        self.builder.StartVector(width, len(value), width)
        for item in reversed(value):
            self.builder.Prepend(_FLAGS[kind.code], item)
        return int(self.builder.EndVector())

    def bytes(self, content: bytes, alignment: int) -> int:
        self.builder.StartVector(1, len(content), alignment)
        self.builder.head = self.builder.head - len(content)
        self.builder.Bytes[self.builder.head : self.builder.head + len(content)] = content
        return int(self.builder.EndVector())
