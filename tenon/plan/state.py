"""State that several methods use lies in a bank of its own, at the same offsets for all of them."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from tenon.ir.graph import Graph
from tenon.ir.memory import Place
from tenon.ir.types import TensorMeta
from tenon.plan.offsets import rounded


@dataclass(frozen=True, slots=True)
class SharedState:
    """The graphs of the methods with what they share marked as state, where it lies, and how much there is."""

    graphs: dict[str, Graph]
    places: dict[str, dict[str, Place]]  # method -> weight -> place
    bytes: int


def share_state(graphs: Mapping[str, Graph], memory: Mapping[str, Mapping[str, Hashable]], bank: int) -> SharedState:
    """`memory` says of each weight of each method which memory of the model it is.

    What one method writes to, all others read: also those that only read it. With several methods all state lies
    here, also what one of them has for itself: a runtime may give all methods the same banks.
    """
    written = {memory[name][w.name] for name, graph in graphs.items() for w in graph.weights if w.mutated}
    offsets: dict[Hashable, int] = {}
    total = 0
    for name, graph in graphs.items():
        for weight in graph.weights:
            key = memory[name][weight.name]
            if len(graphs) > 1 and key in written and key not in offsets:
                offsets[key] = total
                total += rounded(_bytes(weight.type))
    marked, places = {}, {}
    for name, graph in graphs.items():
        places[name] = {w: Place(bank, offsets[key]) for w, key in memory[name].items() if key in offsets}
        weights = tuple(replace(w, mutated=w.mutated or w.name in places[name]) for w in graph.weights)
        marked[name] = replace(graph, weights=weights)
    return SharedState(marked, places, total)


def _bytes(type_: TensorMeta) -> int:
    assert isinstance(type_.bytes, int), "a weight has a fixed size"
    return type_.bytes
