"""Stage 4 of 7. In: a graph of the Exec dialect. Out: where every value of it lies in memory, proven."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from tenon.ir.graph import Graph
from tenon.ir.memory import MemoryPlan, Place
from tenon.plan.banks import place
from tenon.plan.check import check_plan
from tenon.plan.lifetimes import lifetimes
from tenon.plan.state import share_state

ONE_BANK: Mapping[str, int | None] = {"memory": None}


def plan_memory(
    graph: Graph,
    banks: Mapping[str, int | None] = ONE_BANK,
    elsewhere: Mapping[str, Place] | None = None,
    outside: Collection[str] = (),
    state_in_place: bool = False,
) -> MemoryPlan:
    """Lifetimes, then places, then the proof.

    `elsewhere` says where weights lie that are not this graph's to place; `outside` names those beside the program.
    With `state_in_place`, state is changed where it lies instead of copied, if nobody reads it afterwards.
    """
    found = lifetimes(graph, elsewhere or (), outside, state_in_place)
    placed = place(found.buffers, banks, graph.name)
    known = placed.places | dict(elsewhere or {})
    places = {
        name: replace(at := known[home], offset=at.offset + found.within[name]) for name, home in found.home.items()
    } | dict(elsewhere or {})
    there = check_plan(graph, {name: (at.bank, at.offset) for name, at in places.items()}, placed.sizes)
    return MemoryPlan(places, placed.sizes, placed.lower_bound, found.home, found.of_constant, there)


__all__ = ["ONE_BANK", "plan_memory", "share_state"]
