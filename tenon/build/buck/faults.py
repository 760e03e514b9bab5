"""What the Starlark interpreter says, as a sentence with file and line."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tenon.errors import near
from tenon.ops.table import Place

_FRAME = re.compile(r"^  \* (.*):(\d+), in (.*)$", re.MULTILINE)
_AT = re.compile(r"^\s*--> (.*):(\d+):(\d+)$", re.MULTILINE)
_SAID = re.compile(r"^error: (.*?)^\s*-->", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Frame:
    """A call: where it stands, and in which function."""

    place: Place
    function: str


def frames(stack: str, hidden: str) -> list[Frame]:
    """The calls of a stack, outermost first, without those in the file `hidden`."""
    found = [Frame(Place(file, int(line)), function) for file, line, function in _FRAME.findall(stack)]
    return [frame for frame in found if frame.place.file != hidden]


def in_words(text: str, names: Sequence[str], source: Callable[[str, int], str], said: str = "") -> str:
    """An interpreter's report in our words; `said` replaces its message, and its place is kept."""
    at = _AT.search(text)
    message = _SAID.search(text)
    calls = frames(text, "prelude.bzl")
    place = Place(at[1], int(at[2])) if at else None
    if place and place.file == "prelude.bzl":
        place = calls[-1].place if calls else None
    words = said or _reworded(message[1].strip() if message else text.strip(), place, names, source)
    outer = [frame.place for frame in calls if frame.place != place]
    called = f" (called at {outer[0]})" if outer and not said else ""
    return f"{place}{called}: {words}" if place else words


def _reworded(message: str, place: Place | None, names: Sequence[str], source: Callable[[str, int], str]) -> str:
    if match := re.match(r"Variable `(\w+)` not found", message):
        return f"there is no rule or name {match[1]}.{near(match[1], names)}"
    if match := re.match(r"Object of type `struct` has no attribute `(\w+)`(, did you mean `(\w+)`)?", message):
        line = source(place.file, place.line) if place else ""
        owner = re.search(rf"(\w+)\.{match[1]}\b", line)
        hint = f" Did you mean {match[3]}?" if match[3] else near(match[1], names)
        return f"{owner[1] if owner else 'a struct'} has no {match[1]}.{hint}"
    if match := re.match(r"Module has no symbol `(\w+)`(, did you mean `(\w+)`)?", message):
        return f"the loaded file has no {match[1]}.{near(match[1], names)}"
    if match := re.match(r"Parse error: (.*)", message, re.DOTALL):
        return f"this is not Starlark: {match[1].split(', expected one of')[0]}."
    return f"{message.removeprefix('fail: ').rstrip('.')}."
