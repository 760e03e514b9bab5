"""Which memory bank each buffer lies in, and where: the first bank takes what is used most, as far as it has room."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tenon.errors import Unsupported, plural
from tenon.ir.memory import Place
from tenon.plan.lifetimes import Buffer
from tenon.plan.offsets import Placing, lay_out, peak, rounded


@dataclass(frozen=True, slots=True)
class Placed:
    """Where each buffer lies, the bytes used of each bank, and the least that one bank for all would take."""

    places: dict[str, Place]
    sizes: list[int]
    lower_bound: int


def place(buffers: Sequence[Buffer], banks: Mapping[str, int | None], who: str) -> Placed:
    """Every buffer in one of the banks, which are given by name with the bytes they have; None is no limit."""
    left, places, sizes = list(buffers), dict[str, Place](), list[int]()
    for number, room in enumerate(banks.values(), 1):
        last = number == len(banks)
        taken = left if last or room is None else _that_fit(left, room)
        layout = lay_out(taken)
        if room is not None and layout.total > room:
            if last:
                raise Unsupported(_too_small(who, banks, layout.total, layout.total - room))
            layout = lay_out(taken, in_order=True)
        places.update((name, Place(number, offset)) for name, offset in layout.offsets.items())
        sizes.append(layout.total)
        left = [buffer for buffer in left if buffer.name not in layout.offsets]
    return Placed(places, sizes, peak(buffers))


def _that_fit(buffers: Sequence[Buffer], room: int) -> list[Buffer]:
    """As many as fit when each lies as low as it can, those first that are used often for the time they take room."""
    placing, found = Placing(), []
    for buffer in sorted(buffers, key=lambda b: (-b.uses / (b.end - b.start + 1), -b.bytes, b.name)):
        offset = placing.lowest(rounded(buffer.bytes), buffer.start, buffer.end)
        if offset + rounded(buffer.bytes) <= room:
            placing.put(offset, rounded(buffer.bytes), buffer.start, buffer.end)
            found.append(buffer)
    return found


def _too_small(who: str, banks: Mapping[str, int | None], needed: int, missing: int) -> str:
    given = ", ".join(f"{name} {plural(room, 'byte')}" if room is not None else name for name, room in banks.items())
    last = list(banks)[-1]
    bytes_ = plural(needed, "byte")
    rest = f"what does not fit into the others takes {bytes_}" if len(banks) > 1 else f"it takes {bytes_}"
    return (
        f"the memory of {who} does not fit: {rest}, and {last} is {plural(missing, 'byte')} too small for that "
        f"({given}). Give it more, or make the largest sizes of the model smaller."
    )
