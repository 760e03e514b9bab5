"""What depends on constants alone is computed once, ahead of time: the part of a graph that can be, and the rest."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

import torch

from tenon.ir.graph import Arg, Graph, OpNode, Ref, Weight, refs
from tenon.ir.rewrite import substituted
from tenon.ir.text import arg_text
from tenon.ir.tree import LEAF, Tree
from tenon.ir.types import TensorMeta
from tenon.lower.writer import OWN
from tenon.ops.schema import find_op

SMALL = 65536  # bytes that are worth keeping whatever they are made of
GROWTH = 16  # how much more data a result may be than what it is made of: a panel of one output is 16 of it


@dataclass(frozen=True, slots=True)
class Constants:
    """`graph` computes them, without inputs; they are weights of the rest under the names of `names`, in order."""

    graph: Graph
    names: tuple[str, ...]


def constants(graph: Graph) -> dict[str, frozenset[str]]:
    """Every value that depends on constants alone, with the weights that it is made of.

    Weights that are written to are state. A result that is far more data than it is made of is no constant: computing
    it is cheaper than keeping it.
    """
    written = {mutation.target for mutation in graph.mutations}
    sizes = {weight.name: int(weight.type.bytes) for weight in graph.weights}  # type: ignore[arg-type]
    found = {w.name: frozenset({w.name}) for w in graph.weights if not w.mutated and w.name not in written}
    for node in graph.nodes:
        used = [ref.name for arg in node.args.values() for ref in refs(arg)]
        if not all(name in found for name in used) or not _is_function(node.op):
            continue
        made_of = frozenset[str]().union(*(found[name] for name in used))
        limit = max(SMALL, GROWTH * sum(sizes[name] for name in made_of))
        if all(_fits(value.type, limit) for value in node.outputs):
            found.update((value.name, made_of) for value in node.outputs)
    return found


def _is_function(name: str) -> bool:
    """Whether an operator gives the same for the same arguments, and does nothing else."""
    op = find_op(name)
    return (
        op is not None
        and not op._schema.is_mutable
        and len(op._schema.returns) > 0
        and torch.Tag.nondeterministic_seeded not in op.tags
        and "empty" not in op._schema.name
    )


def _fits(type_: object, limit: int) -> bool:
    return isinstance(type_, TensorMeta) and type_.is_static and int(type_.bytes) <= limit  # type: ignore[arg-type]


def separate_constants(graph: Graph) -> tuple[Constants, Graph]:
    """relu(x) + mul(w, 2) becomes relu(x) + %w.1a2b3c4d, and a graph that computes that.  aten -> aten

    What the graph returns or writes stays a node of its own: an output is no weight. BERT takes 0.63 of the time on one
    thread that it takes if its weights are packed in every call.
    """
    known = constants(graph)
    kept = {ref.name for arg in graph.outputs for ref in refs(arg)} | {m.value.name for m in graph.mutations}
    folded = {
        value.name: node
        for node in graph.nodes
        if all(value.name in known and value.name not in kept for value in node.outputs)
        for value in node.outputs
    }
    rest = [node for node in graph.nodes if not any(value.name in folded for value in node.outputs)]
    used = dict.fromkeys(ref.name for node in rest for arg in node.args.values() for ref in refs(arg))
    wanted = [name for name in used if name in folded]
    texts = _texts(graph, folded)
    names = {name: f"{_root(name, folded)}.{texts[name]}" for name in wanted}
    types = graph.types
    made = dict[str, Weight]()  # two values that are computed alike are one
    for name in wanted:
        type_ = types[name]
        assert isinstance(type_, TensorMeta)
        made.setdefault(names[name], Weight(names[name], "constant", type_))
    instead = {name: Ref(names[name]) for name in wanted}
    nodes = [replace(n, args={k: substituted(arg, instead) for k, arg in n.args.items()}) for n in rest]
    left = {name for name in used if name not in folded} | kept | {m.target for m in graph.mutations}
    weights = tuple(weight for weight in graph.weights if weight.name in left)
    first = {names[name]: name for name in reversed(wanted)}
    return (
        Constants(_computed(graph, folded, [first[name] for name in made]), tuple(made)),
        replace(graph, nodes=tuple(nodes), weights=(*weights, *made.values())),
    )


def _computed(graph: Graph, folded: Mapping[str, OpNode], wanted: list[str]) -> Graph:
    """A graph without inputs that returns these values."""
    needed, nodes = set(wanted), list[OpNode]()
    for node in reversed(graph.nodes):
        if any(value.name in needed for value in node.outputs) and node.outputs[0].name in folded:
            nodes.append(node)
            needed.update(ref.name for arg in node.args.values() for ref in refs(arg))
    return Graph(
        f"{graph.name}_constants",
        graph.dialect,
        weights=tuple(weight for weight in graph.weights if weight.name in needed),
        nodes=tuple(reversed(nodes)),
        outputs=tuple(map(Ref, wanted)),
        in_tree=Tree("tuple", (Tree("tuple"), Tree("dict"))),
        out_tree=Tree("tuple", (LEAF,) * len(wanted)),
    )


def _root(name: str, folded: Mapping[str, OpNode]) -> str:
    """The model's weight that a value is made of first of all, by which it is called."""
    if name not in folded:
        return name
    roots = [_root(ref.name, folded) for arg in folded[name].args.values() for ref in refs(arg)]
    return next((root for root in roots if not root.startswith(OWN)), "constant")


def _texts(graph: Graph, folded: Mapping[str, OpNode]) -> dict[str, str]:
    """A short text per value that says how it is computed: methods that share weights share what is made of them."""
    texts = {w.name: w.name if w.data is None else sha256(w.data).hexdigest() for w in graph.weights}

    def told(arg: Arg) -> str:
        return arg_text(substituted(arg, {ref.name: Ref(texts[ref.name]) for ref in refs(arg)}))

    for node in graph.nodes:
        if node.outputs and node.outputs[0].name in folded:
            call = f"{node.op}({', '.join(f'{name}={told(arg)}' for name, arg in node.args.items())})"
            for number, value in enumerate(node.outputs):
                texts[value.name] = sha256(f"{call}[{number}]".encode()).hexdigest()[:8]
    return texts
