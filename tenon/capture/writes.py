"""Which writes of a captured graph are seen by nobody but the tensor that is written to."""

from math import inf
from typing import Any

import torch


class NeedsWholeGraph(Exception):
    """What a call means depends on other calls, so that the graph cannot be decomposed call by call."""


class Writes:
    """While a graph is written anew: which values may share memory, and when each old node is used last."""

    def __init__(self, graph: torch.fx.Graph) -> None:
        self._roots: dict[torch.fx.Node, frozenset[torch.fx.Node]] = {}  # new node -> whose memory it may lie in
        self._holders: dict[torch.fx.Node, list[torch.fx.Node]] = {}  # root -> old nodes that lie there
        self._position: dict[torch.fx.Node, int] = {}
        self._last_use: dict[torch.fx.Node, float] = {}
        self.possible = any(is_write(node) for node in graph.nodes)
        for i, node in enumerate(graph.nodes if self.possible else ()):
            self._position[node] = i
            for used in node.all_input_nodes:
                self._last_use[used] = inf if node.op == "output" else i

    def note(self, old: torch.fx.Node, made: Any) -> None:
        """`made`, a new node or a tuple of them, stands for the old one."""
        if not self.possible:
            return
        for new in made if isinstance(made, tuple) else (made,):
            if isinstance(new, torch.fx.Node):
                for root in self._rooted(new):
                    self._holders.setdefault(root, []).append(old)

    def _rooted(self, new: torch.fx.Node) -> frozenset[torch.fx.Node]:
        found = self._roots.get(new)
        if found is None:
            shared = [root for each in new.all_input_nodes for root in self._rooted(each)] if _is_view(new) else [new]
            found = self._roots[new] = frozenset(shared)
        return found

    def twins(self, write: torch.fx.Node, made: dict[torch.fx.Node, Any]) -> list[torch.fx.Node]:
        """The old nodes that are the very tensor this call writes to.

        Another tensor that shares its memory and is looked at later would have to see the write: NeedsWholeGraph.
        """
        target = write.args[0] if write.args else None
        if len(_written(write)) != 1 or not isinstance(target, torch.fx.Node) or write not in self._position:
            raise NeedsWholeGraph
        found = []
        for other in {each for root in self._rooted(made[target]) for each in self._holders[root]}:
            if made[other] is made[target]:
                found.append(other)
            elif other.op == "placeholder" or self._last_use.get(other, -1) > self._position[write]:
                raise NeedsWholeGraph
        return found


def is_write(node: torch.fx.Node) -> bool:
    """A call that changes one of its arguments."""
    return isinstance(node.target, torch._ops.OpOverload) and node.target._schema.is_mutable


def _written(node: torch.fx.Node) -> list[int]:
    schema = node.target._schema  # type: ignore[union-attr]
    return [i for i, a in enumerate(schema.arguments) if a.alias_info is not None and a.alias_info.is_write]


def _is_view(node: torch.fx.Node) -> bool:
    op = node.target
    if isinstance(op, torch._ops.OpOverload):
        return any(result.alias_info is not None for result in op._schema.returns)
    return node.op == "call_function"  # getitem
