"""Lifetimes to offsets: each buffer at the lowest place that is free while it lives, in the best order found."""

import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tenon.plan.lifetimes import ALIGNMENT, Buffer


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each buffer lies, how much memory that takes, and the least it could take: the peak of what is live."""

    offsets: dict[str, int]
    total: int
    lower_bound: int


@dataclass(frozen=True, slots=True)
class _Box:
    """A buffer in steps of time that are counted without gaps."""

    name: str
    size: int
    start: int
    end: int


# No order is best for every graph; these are tried first (measured on the model suite, each wins somewhere).
_ORDERS: list[Callable[[_Box, list[int]], tuple[int, ...]]] = [
    lambda box, live: (-box.size, box.start),
    lambda box, live: (-box.size * (box.end - box.start + 1), box.start),
    lambda box, live: (box.start - box.end, -box.size),
    lambda box, live: (box.start, -box.size),
    lambda box, live: (-max(live[box.start : box.end + 1]), box.start - box.end, -box.size),
]
# How long a better order is searched for: planning stays short for small graphs and linear for large ones.
_TRIES = 600
_MOMENTS = 2_000_000  # looked at


def rounded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def peak(buffers: Iterable[Buffer]) -> int:
    """The most bytes that are alive at one time: no layout takes less."""
    return lay_out(buffers, in_order=True).lower_bound


def lay_out(buffers: Iterable[Buffer], in_order: bool = False) -> Layout:
    """The smallest layout found, or the one of the order given. The same buffers always give the same one."""
    known = list(buffers)
    moments = {moment: i for i, moment in enumerate(sorted({m for b in known for m in (b.start, b.end)}))}
    boxes = [_Box(b.name, rounded(b.bytes), moments[b.start], moments[b.end]) for b in known]
    live = _live(boxes, len(moments))
    lower_bound = max(live, default=0)
    if in_order:
        total, offsets = _placed(boxes)
    else:
        orders = [sorted(boxes, key=lambda b, order=order: (*order(b, live), b.name)) for order in _ORDERS]  # type: ignore[misc]
        starts = sorted(map(_placed, orders), key=lambda placed: placed[0])
        total, offsets = starts[0]
        for start in starts[:3]:
            if total > lower_bound:
                total, offsets = min((total, offsets), _searched(*start, lower_bound), key=lambda placed: placed[0])
    return Layout({box.name: offset for box, offset in offsets}, total, lower_bound)


Placed = list[tuple[_Box, int]]


def _live(boxes: list[_Box], moments: int) -> list[int]:
    """How many bytes are alive at each moment."""
    change = [0] * (moments + 1)
    for box in boxes:
        change[box.start] += box.size
        change[box.end + 1] -= box.size
    return list(itertools.accumulate(change[:-1]))


class Placing:
    """What lies where, moment by moment."""

    def __init__(self) -> None:
        self._taken: dict[int, list[tuple[int, int]]] = defaultdict(list)  # moment -> (offset, end) of what lies there

    def lowest(self, size: int, start: int, end: int) -> int:
        """The lowest offset where nothing lies from start to end."""
        offset = 0
        for low, high in sorted({place for moment in range(start, end + 1) for place in self._taken[moment]}):
            if low - offset >= size:
                break
            offset = max(offset, high)
        return offset

    def put(self, offset: int, size: int, start: int, end: int) -> None:
        for moment in range(start, end + 1):
            self._taken[moment].append((offset, offset + size))


def _placed(boxes: list[_Box]) -> tuple[int, Placed]:
    """Each box in turn at the lowest offset where nothing lies while it lives; and the memory that takes."""
    placing, placed, total = Placing(), list[tuple[_Box, int]](), 0
    for box in boxes:
        offset = placing.lowest(box.size, box.start, box.end) if box.size else 0
        if box.size:
            placing.put(offset, box.size, box.start, box.end)
        placed.append((box, offset))
        total = max(total, offset + box.size)
    return total, placed


def _searched(total: int, placed: Placed, lower_bound: int) -> tuple[int, Placed]:
    """Try other orders, mostly such that what lies highest comes earlier, until the search is spent."""
    chance = random.Random(0)
    work = sum(box.end - box.start + 1 for box, _ in placed) or 1
    for _ in range(min(_TRIES, _MOMENTS // work)):
        if total <= lower_bound:
            break
        boxes = [box for box, _ in placed]
        highest = [i for i, (box, offset) in enumerate(placed) if offset + box.size >= 0.97 * total]
        position = chance.choice(highest) if chance.random() < 0.6 else chance.randrange(len(boxes))
        box = boxes.pop(position)
        earlier = chance.random() < 0.7
        boxes.insert(chance.randrange(position + 1 if earlier else len(boxes) + 1), box)
        found, again = _placed(boxes)
        if found <= total:
            total, placed = found, again
    return total, placed
