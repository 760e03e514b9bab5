"""What passes share: a walk over a graph and its subgraphs, new names, and one value put in place of another."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from tenon.ir.graph import Arg, Graph, OpNode, Ref


def everywhere(graph: Graph, rewrite: Callable[[Graph], Graph]) -> Graph:
    """The rewrite on a graph and every subgraph in it, innermost first."""
    subgraphs = {name: everywhere(sub, rewrite) for name, sub in graph.subgraphs.items()}
    return rewrite(replace(graph, subgraphs=subgraphs))


def fresh_names(graph: Graph) -> Iterator[str]:
    """Numbers that no value of the graph is called by."""
    taken = {name for name in graph.types if name.isdigit()}
    number = max(map(int, taken), default=-1)
    while True:
        number += 1
        yield str(number)


def substituted(arg: Arg, instead: Mapping[str, Ref]) -> Arg:
    if isinstance(arg, Ref):
        return instead.get(arg.name, arg)
    if isinstance(arg, tuple):
        return tuple(substituted(part, instead) for part in arg)
    if isinstance(arg, dict):
        return {key: substituted(part, instead) for key, part in arg.items()}
    return arg


def with_values(graph: Graph, nodes: list[OpNode], instead: Mapping[str, Ref]) -> Graph:
    """The graph with these nodes, in which every use of a replaced value is a use of what stands for it."""
    if not instead:
        return replace(graph, nodes=tuple(nodes))
    rewired = [
        replace(node, args={name: substituted(arg, instead) for name, arg in node.args.items()}) for node in nodes
    ]
    mutations = tuple(replace(m, value=instead.get(m.value.name, m.value)) for m in graph.mutations)
    outputs = tuple(substituted(arg, instead) for arg in graph.outputs)
    return replace(graph, nodes=tuple(rewired), outputs=outputs, mutations=mutations)
