"""Where the values of a graph lie: what planning gives to emission."""

from dataclasses import dataclass

VIEW = "aten::view_copy.out"  # the operator whose result may lie where its argument lies


@dataclass(frozen=True, slots=True)
class Place:
    """A memory bank, counted from 1, and an offset in it."""

    bank: int
    offset: int


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """Where every value lies that needs memory, the bytes used of each bank, and the least that could do."""

    places: dict[str, Place]
    sizes: list[int]
    lower_bound: int
    homes: dict[str, str]  # value -> the value whose memory it shares
    of_constant: dict[str, str]  # view of a constant -> the weight it shows
