"""The sidecar of a program, a .ptd file: tensors by name, outside the program that uses them."""

import os
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from tenon.errors import Invalid
from tenon.files import Data, read_whole
from tenon.ir.types import DTYPE_BY_CODE
from tenon.pte.container import SEGMENT_ALIGNMENT, Distinct, round_up
from tenon.pte.read_flat import FlatReader
from tenon.pte.schema import DataSegment, ExternalData, FlatTensor, TensorLayout
from tenon.pte.write_flat import write_flat

IDENTIFIER = b"FT01"
_HEADER = struct.Struct("<4sIQQQQ")  # magic, length, flatbuffer offset and size, segment base and data size
_MAGIC = b"FH01"
_BLOCK = 48  # the header, padded


@dataclass(frozen=True, slots=True)
class External:
    """One tensor of a sidecar."""

    scalar_type: int
    sizes: tuple[int, ...]
    dim_order: tuple[int, ...]
    data: Data

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied with data of its own, as a view cannot be."""
        return External, (self.scalar_type, self.sizes, self.dim_order, bytes(self.data))


def write_external(tensors: Mapping[str, External]) -> list[Data]:
    """A .ptd file in pieces; equal data is stored once."""
    stored = Distinct()
    entries = []
    for key, each in tensors.items():
        layout = TensorLayout(each.scalar_type, list(each.sizes), list(each.dim_order))
        entries.append(ExternalData(key, stored.place(each.data), layout))
    segments, pieces, position = [], list[Data](), 0
    for data in stored.items:
        start = round_up(position, SEGMENT_ALIGNMENT)
        pieces += [bytes(start - position), data]
        segments.append(DataSegment(start, len(data)))
        position = start + len(data)
    flat = write_flat(FlatTensor(segments=segments, named_data=entries), IDENTIFIER)
    base = round_up(_BLOCK + len(flat), SEGMENT_ALIGNMENT)
    header = _HEADER.pack(_MAGIC, _HEADER.size, _BLOCK, len(flat), base, position).ljust(_BLOCK, b"\0")
    root = struct.pack("<I", struct.unpack_from("<I", flat)[0] + _BLOCK)
    return [root, flat[4:8], header, flat[8:], bytes(base - _BLOCK - len(flat)), *pieces]


def read_external(
    path: str | os.PathLike[str], progress: Callable[[int, int], None] | None = None
) -> dict[str, External]:
    """The tensors of a .ptd file by name, checked. `progress` is told the bytes read, and all."""
    data = read_whole(path, progress)
    try:
        return from_bytes(data)
    except Invalid as error:
        raise Invalid(f"{os.fspath(path)}: {error}") from error


def from_bytes(data: bytes | bytearray | memoryview) -> dict[str, External]:
    """The tensors of a .ptd file's bytes, which they share."""
    view = memoryview(data).toreadonly()
    if len(view) < 8 + _BLOCK or view[4:8] != IDENTIFIER or view[8:12] != _MAGIC:
        raise Invalid(
            f"this is no file of external data: bytes 4 to 7 are {bytes(view[4:8])!r}, and should be {IDENTIFIER!r}."
        )
    _, length, offset, size, base, data_size = _HEADER.unpack_from(view, 8)
    if length < _HEADER.size or offset + size > len(view) or base + data_size > len(view):
        raise Invalid(f"its header says it has {max(offset + size, base + data_size)} bytes, and it has {len(view)}.")
    flat = FlatReader(view[: offset + size]).root(FlatTensor)
    if flat.version > 0:
        raise Invalid(f"this external data has the schema version {flat.version}, and Tenon reads version 0.")
    found: dict[str, External] = {}
    for entry in flat.named_data or []:
        found[_key(entry, found)] = _entry(entry, flat.segments or [], view, base, base + data_size)
    return found


def _key(entry: ExternalData, found: Mapping[str, External]) -> str:
    if entry.key is None:
        raise Invalid("an entry of it has no name.")
    if entry.key in found:
        raise Invalid(f"it has the name {entry.key} twice.")
    return entry.key


def _entry(entry: ExternalData, segments: list[DataSegment], view: memoryview, base: int, end: int) -> External:
    if entry.segment_index >= len(segments):
        raise Invalid(f"{entry.key} is in segment {entry.segment_index}, and there are {len(segments)}.")
    segment, layout = segments[entry.segment_index], entry.tensor_layout
    start = base + segment.offset
    if start + segment.size > end:
        raise Invalid(f"{entry.key} ends at byte {start + segment.size}, and its data at {end}.")
    if layout is None or layout.sizes is None or layout.dim_order is None or layout.scalar_type not in DTYPE_BY_CODE:
        raise Invalid(f"{entry.key} has no layout that is known.")
    sizes, order = layout.sizes, layout.dim_order
    if any(size < 0 for size in sizes) or sorted(order) != list(range(len(sizes))):
        raise Invalid(f"{entry.key} has the shape {sizes} in the order {list(order)}.")
    if prod(sizes) * DTYPE_BY_CODE[layout.scalar_type].bytes > segment.size:
        raise Invalid(f"{entry.key} of shape {sizes} needs more than its {segment.size} bytes.")
    return External(layout.scalar_type, tuple(sizes), tuple(order), view[start : start + segment.size])
