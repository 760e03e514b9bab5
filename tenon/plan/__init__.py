"""Stage 4 of 7. In: a graph of the Exec dialect. Out: where every value of it lies in memory, proven."""

from dataclasses import dataclass

from tenon.ir.graph import Graph
from tenon.plan.check import check_layout
from tenon.plan.lifetimes import lifetimes
from tenon.plan.offsets import lay_out


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """The offset of every value that needs memory, the size of the bank they lie in, and the least that could do."""

    offsets: dict[str, int]
    total: int
    lower_bound: int
    homes: dict[str, str]  # value -> the value whose memory it shares


def plan_memory(graph: Graph) -> MemoryPlan:
    """Lifetimes, then offsets, then the proof."""
    found = lifetimes(graph)
    layout = lay_out(found.buffers)
    check_layout(list(found.buffers), layout.offsets, layout.total)
    offsets = {name: layout.offsets[home] for name, home in found.home.items()}
    return MemoryPlan(offsets, layout.total, layout.lower_bound, found.home)


__all__ = ["MemoryPlan", "plan_memory"]
