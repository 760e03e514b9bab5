"""The container of a .pte file: a flatbuffer, an extended header inside it, and segments of raw bytes behind it."""

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from tenon.errors import Invalid
from tenon.files import Data
from tenon.pte.read_flat import FlatReader
from tenon.pte.schema import DataSegment, FlatProgram
from tenon.pte.write_flat import write_flat

IDENTIFIER = b"ET12"
MAGIC = b"eh00"
SEGMENT_ALIGNMENT = 128
_HEADER = struct.Struct("<4sIQQQ")  # magic, length, program size, segment base, segment data size
_OLDEST_HEADER = 24  # it had no segment data size


@dataclass(slots=True)
class Container:
    """A flat program and the bytes of its segments."""

    flat: FlatProgram
    segments: list[memoryview]


def round_up(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


class Distinct:
    """Data in the order it was first seen, equal data once."""

    def __init__(self) -> None:
        self.items: list[Data] = []
        self._places: dict[bytes, list[int]] = {}

    def place(self, data: Data) -> int:
        """Where the data is among the items; it is added if it is new."""
        places = self._places.setdefault(digest(data), [])
        for place in places:
            if self.items[place] == data:
                return place
        places.append(len(self.items))
        self.items.append(data)
        return places[-1]


def digest(data: Data) -> bytes:
    return hashlib.blake2b(data, digest_size=32).digest()


def read_container(data: bytes | bytearray | memoryview) -> Container:
    """Take a file apart, in place; every size in it is checked against the bytes there are."""
    view = memoryview(data).toreadonly()
    if len(view) < 8:
        raise Invalid(f"this is no program: it has {len(view)} bytes, and even an empty one has more.")
    found = bytes(view[4:8])
    if found != IDENTIFIER:
        if found[:2] == b"ET":
            raise Invalid(f"this program has the format {_shown(found)}, and Tenon reads {_shown(IDENTIFIER)}.")
        raise Invalid(f"this is no program: bytes 4 to 7 are {_shown(found)}, and should be {_shown(IDENTIFIER)}.")
    program_size, base, end = _extent(view)
    flat = FlatReader(view[:program_size]).root(FlatProgram)
    if flat.version > 0:
        raise Invalid(f"this program has the schema version {flat.version}, and Tenon reads version 0.")
    segments = [_segment(view, segment, i, base, end) for i, segment in enumerate(flat.segments or [])]
    return Container(flat, segments)


def _shown(identifier: bytes) -> str:
    return repr(identifier)[1:]


def _extent(view: memoryview) -> tuple[int, int, int]:
    """The flatbuffer's size, where segments begin, and where they end."""
    magic = bytes(view[8:12])
    if len(view) < 8 + _OLDEST_HEADER or magic != MAGIC:
        if magic[:2] == MAGIC[:2] and magic[2:].isdigit():
            raise Invalid(f"this program has the header {_shown(magic)}, and Tenon reads {_shown(MAGIC)}.")
        return len(view), len(view), len(view)
    length = struct.unpack_from("<I", view, 12)[0]
    if length < _OLDEST_HEADER:
        raise Invalid(f"the header says it is {length} bytes long, and the shortest there is has {_OLDEST_HEADER}.")
    program_size, base = struct.unpack_from("<QQ", view, 16)
    known = length >= _HEADER.size and len(view) >= 8 + _HEADER.size
    data_size = struct.unpack_from("<Q", view, 32)[0] if known else 0
    if not 8 + length <= program_size <= len(view):
        raise Invalid(f"the header says the program has {program_size} bytes, and the file has {len(view)}.")
    if base and base < program_size:
        raise Invalid(f"the header says segments begin at byte {base}, inside the program of {program_size} bytes.")
    if base + data_size > len(view):
        raise Invalid(f"the header says segments end at byte {base + data_size}, and the file has {len(view)}.")
    if not base:
        return program_size, len(view), len(view)
    return program_size, base, base + data_size if data_size else len(view)


def _segment(view: memoryview, segment: DataSegment, index: int, base: int, end: int) -> memoryview:
    start = base + segment.offset
    if segment.size and start + segment.size > end:
        raise Invalid(
            f"segment {index} of {segment.size} bytes at offset {segment.offset} leads past byte {end}, "
            "where segments end."
        )
    return view[start : start + segment.size] if segment.size else view[:0]


def write_container(flat: FlatProgram, segments: Sequence[Sequence[Data]], alignment: int = 16) -> list[Data]:
    """The file in pieces, to be written one after the other, from segments in pieces. Sets `flat.segments`."""
    flat.segments, pieces, position = [], list[Data](), 0
    for contents in segments:
        size = sum(map(len, contents))
        start = round_up(position, SEGMENT_ALIGNMENT) if size else position
        pieces += [bytes(start - position), *contents]
        flat.segments.append(DataSegment(start if size else 0, size))
        position = start + size
    program = write_flat(flat, IDENTIFIER, alignment)
    if not position:
        return [program]
    block = round_up(_HEADER.size, alignment)
    size = len(program) + block
    base = round_up(size, SEGMENT_ALIGNMENT)
    root = struct.pack("<I", struct.unpack_from("<I", program)[0] + block)
    header = _HEADER.pack(MAGIC, _HEADER.size, size, base, position).ljust(block, b"\0")
    return [root, program[4:8], header, program[8:], bytes(base - size), *pieces]
