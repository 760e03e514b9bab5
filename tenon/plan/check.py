"""Proves a layout: shares no code with what made it."""

from tenon.errors import Invalid
from tenon.plan.lifetimes import Buffer

_STEP = 16


def check_layout(buffers: list[Buffer], offsets: dict[str, int], total: int) -> None:
    """No two buffers that live at one time overlap, each is aligned, and all lie inside the memory."""
    events = []
    for buffer in buffers:
        offset = offsets[buffer.name]
        if offset % _STEP:
            raise Invalid(f"the buffer {buffer.name} lies at byte {offset}, which is not a multiple of {_STEP}.")
        if offset < 0 or offset + buffer.bytes > total:
            raise Invalid(f"the buffer {buffer.name} ends at byte {offset + buffer.bytes} of {total}.")
        if buffer.bytes:
            events.append((buffer.start, 0, buffer.name, buffer))
            events.append((buffer.end, 1, buffer.name, buffer))
    live: dict[str, tuple[int, int]] = {}
    for _, leaves, name, buffer in sorted(events, key=lambda event: event[:3]):
        if leaves:
            live.pop(name)
            continue
        begin, end = offsets[name], offsets[name] + buffer.bytes
        for other, (low, high) in live.items():
            if begin < high and low < end:
                raise Invalid(f"the buffers {name} and {other} are alive together and overlap.")
        live[name] = (begin, end)
