"""How large a result can be whose size depends on data: torch tells it for some operators only, and memory needs it."""

import math
from dataclasses import replace

from tenon.ir.dims import Symbol, bounds
from tenon.ir.graph import Graph, OpNode, refs, walk
from tenon.ir.types import TensorMeta, Type

# What picks elements out of its arguments gives at most as many as these have, broadcast.
_PICKS = {
    "aten::masked_select": ("self", "mask"),
    "aten::nonzero": ("self",),
    "aten::_unique2": ("self",),
    "aten::unique_consecutive": ("self",),
    "aten::unique_dim": ("self",),
}


def bound_picks(graph: Graph) -> Graph:
    """Symbols that count what an operator picked get an upper bound, if what it picks from has one."""
    symbols = {symbol.name: symbol for symbol in graph.symbols}
    for inside, node in walk(graph):
        if node.op in _PICKS:
            _bound(node, inside.types, symbols)
    return replace(graph, symbols=tuple(symbols.values()))


def _bound(node: OpNode, types: dict[str, Type], symbols: dict[str, Symbol]) -> None:
    sources = [types[ref.name] for name in _PICKS[node.op] for ref in refs(node.args[name])]
    most = _most([type_ for type_ in sources if isinstance(type_, TensorMeta)], symbols)
    counted = {str(dim) for value in node.outputs if isinstance(value.type, TensorMeta) for dim in value.type.shape}
    for name in counted & symbols.keys():
        known = symbols[name].high
        if most < math.inf and (known is None or (len(sources) > 1 and known < most)):  # torch forgets to broadcast
            symbols[name] = replace(symbols[name], high=int(most))


def _most(sources: list[TensorMeta], symbols: dict[str, Symbol]) -> float:
    """Elements of all these, broadcast, with every size at its largest."""
    ranges = {symbol.name: symbol.range for symbol in symbols.values()}
    rank = max(len(source.shape) for source in sources)
    shapes = [(*(1,) * (rank - len(source.shape)), *source.shape) for source in sources]
    return math.prod(max(bounds(size, ranges)[1] for size in sizes) for sizes in zip(*shapes, strict=True))
