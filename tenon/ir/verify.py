"""What every graph must satisfy, in any dialect: names defined once and before use, structures that fit."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from tenon.errors import Invalid, listing, plural
from tenon.ir.dims import Dim, is_symbol_name, symbols_of
from tenon.ir.graph import Arg, Graph, GraphRef, Ref, refs
from tenon.ir.tree import Tree, fault_of
from tenon.ir.types import ScalarMeta, TensorMeta, Type, layout_fault

_OP = re.compile(r"[\w.]+(::[\w.]+)?", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def check(graph: Graph) -> Graph:
    """The graph itself, if it is sound; otherwise every fault at once."""
    symbols = Counter(symbol.name for symbol in graph.symbols)
    faults = [f"symbol {name}: declared {count} times" for name, count in symbols.items() if count > 1]
    if [graph.in_tree.kind, *(child.kind for child in graph.in_tree.children)] != ["tuple", "tuple", "dict"]:
        faults.append("the input structure is not (a tuple of positional inputs, a dict of inputs by name)")
    faults.extend(_faults(graph, set(symbols), ""))
    for name, subgraph in graph.subgraphs.items():
        faults.extend(_body_faults(name, subgraph, graph.dialect, set(symbols), ""))
    if faults:
        raise Invalid(listing(f"the graph {graph.name} is not sound: {plural(len(faults), 'fault')}.", faults))
    return graph


def _body_faults(name: str, body: Graph, dialect: str, symbols: set[str], where: str) -> Iterator[str]:
    """A subgraph gets everything by its inputs: it has no weights, symbols or writes of its own."""
    if body.name != name:
        yield f"{where}the subgraph {name} calls itself {body.name}"
    if body.dialect != dialect:
        yield f"{where}{name}: it is in the dialect {body.dialect}, and the graph around it in {dialect}"
    for what in ("weights", "mutations", "symbols"):
        if getattr(body, what):
            yield f"{where}{name}: a subgraph has no {what} of its own"
    yield from _faults(body, symbols, f"{where}{name}: ")
    for inner, subgraph in body.subgraphs.items():
        yield from _body_faults(inner, subgraph, dialect, symbols, f"{where}{name}: ")


def _faults(graph: Graph, symbols: set[str], where: str) -> Iterator[str]:
    if not _WORD.fullmatch(graph.dialect):
        yield f"{where}{graph.dialect!r} is not the name of a dialect"
    for symbol in graph.symbols:
        if not is_symbol_name(symbol.name):
            yield f"{where}symbol {symbol.name}: this is not a name for a symbol"
        if symbol.range[1] < symbol.range[0]:
            yield f"{where}symbol {symbol.name}: its range [{symbol.low}, {symbol.high}] is empty"
    yield from _name_faults(graph, where)
    yield from _type_faults(graph, symbols, where)
    for tree, leaves, side in ((graph.in_tree, graph.inputs, "input"), (graph.out_tree, graph.outputs, "output")):
        if tree.leaves != len(leaves):
            found = plural(tree.leaves, "leaf", "leaves")
            yield f"{where}the {side} structure has {found} for {plural(len(leaves), side)}"
        yield from _tree_faults(tree, f"{where}the {side} structure")
    for arg in graph.outputs:
        if not isinstance(arg, (Ref, bool, int, float, str, type(None))):
            yield f"{where}return: an output is a value or a plain number, not {arg!r}"


def _type_faults(graph: Graph, symbols: set[str], where: str) -> Iterator[str]:
    for name, type_ in graph.types.items():
        unknown = sorted(set().union(*map(symbols_of, dims_of(type_))) - symbols)
        if unknown:
            yield f"{where}%{name}: the symbol {', '.join(unknown)} is not declared"
        fault = layout_fault(type_) if isinstance(type_, TensorMeta) else None
        if fault:
            yield f"{where}%{name}: {fault}"
        if isinstance(type_, TensorMeta) and any(isinstance(size, int) and size < 0 for size in type_.shape):
            yield f"{where}%{name}: its shape {list(type_.shape)} has a negative size"
    for weight in graph.weights:
        if weight.data is not None and len(weight.data) != weight.type.bytes:
            yield f"{where}%{weight.name}: {len(weight.data)} bytes of data for a tensor of {weight.type.bytes} bytes"


def _tree_faults(tree: Tree, where: str) -> Iterator[str]:
    fault = fault_of(tree)
    if fault:
        yield f"{where}: {fault}"
    for child in tree.children:
        yield from _tree_faults(child, where)


def _name_faults(graph: Graph, where: str) -> Iterator[str]:
    named = [*(v.name for v in graph.inputs), *(name for w in graph.weights for name in (w.name, *w.aliases))]
    known = {v.name for v in graph.inputs} | {w.name for w in graph.weights}
    for node in graph.nodes:
        if not _OP.fullmatch(node.op):
            yield f"{where}{node.label}: this is not an operator's name"
        for name in node.args:
            if not _WORD.fullmatch(name):
                yield f"{where}{node.label}: {name!r} is not an argument's name"
        for ref in (ref for arg in node.args.values() for ref in refs(arg)):
            if ref.name not in known:
                yield f"{where}{node.label}: uses %{ref.name}, which is not defined before it"
        for name in graph_refs(node.args.values()):
            if name not in graph.subgraphs:
                yield f"{where}{node.label}: there is no subgraph {name}"
        named.extend(value.name for value in node.outputs)
        known.update(value.name for value in node.outputs)
    for name, count in Counter(named).items():
        if count > 1:
            yield f"{where}%{name}: defined {count} times"
    for ref in (ref for arg in graph.outputs for ref in refs(arg)):
        if ref.name not in known:
            yield f"{where}return: %{ref.name} is not defined"
    yield from _mutation_faults(graph, known, where)


def _mutation_faults(graph: Graph, known: set[str], where: str) -> Iterator[str]:
    inputs, mutated = {v.name for v in graph.inputs}, {w.name: w.mutated for w in graph.weights}
    for mutation in graph.mutations:
        if mutation.target not in inputs and mutation.target not in mutated:
            yield f"{where}write %{mutation.target}: there is no input or weight of that name"
        elif not mutated.get(mutation.target, True):
            yield f"{where}write %{mutation.target}: the weight is not marked as mutated"
        if mutation.value.name not in known:
            yield f"{where}write %{mutation.target}: %{mutation.value.name} is not defined"


def dims_of(type_: Type) -> tuple[Dim, ...]:
    """Every dimension that stands in a type."""
    if isinstance(type_, TensorMeta):
        return (*type_.shape, *(type_.strides or ()))
    if isinstance(type_, ScalarMeta) and type_.expr is not None:
        return (type_.expr,)
    return ()


def graph_refs(args: Iterable[Arg]) -> Iterator[str]:
    """The names of the subgraphs among arguments."""
    for arg in args:
        if isinstance(arg, GraphRef):
            yield arg.name
        elif isinstance(arg, tuple):
            yield from graph_refs(arg)
        elif isinstance(arg, dict):
            yield from graph_refs(arg.values())
