"""A program as it was drawn: inputs and constants with their values, calls of functional operators, and outputs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import torch

from tenon.ir.dims import Dim, Symbol, symbol
from tenon.ir.graph import Arg, Graph, OpNode, Ref, Value, Weight, refs
from tenon.ir.tree import LEAF, Tree, flat_tree
from tenon.ir.types import TensorMeta
from tenon.ops.values import DTYPE_OF, from_torch, to_torch

from .operators import operators
from .undefined import forbidden

CHANNELS_LAST = (0, 2, 3, 1)


@dataclass(frozen=True)
class Drawn:
    """`values` holds inputs, constants and what torch gives for every result.

    `bounds` are sizes that tensors may have at most, of those that may be smaller: their memory is planned for that.
    """

    values: Mapping[str, torch.Tensor]
    inputs: tuple[str, ...]
    constants: tuple[str, ...]
    nodes: tuple[OpNode, ...]
    outputs: tuple[str, ...]
    bounds: Mapping[str, tuple[int, ...]]

    @property
    def results(self) -> list[str]:
        return [value.name for node in self.nodes for value in node.outputs]


def meta_of(tensor: torch.Tensor, shape: tuple[Dim, ...] | None = None) -> TensorMeta:
    order = CHANNELS_LAST if lies_last(tensor) else ()
    return TensorMeta(DTYPE_OF[tensor.dtype], tuple(tensor.shape) if shape is None else shape, order)


def lies_last(tensor: torch.Tensor) -> bool:
    """Whether its channels lie innermost, and not also in the order of its dimensions."""
    return tensor.dim() == 4 and not tensor.is_contiguous() and tensor.is_contiguous(memory_format=torch.channels_last)


def dense(tensor: torch.Tensor) -> torch.Tensor:
    """With a layout that a program has."""
    return tensor if lies_last(tensor) else tensor.contiguous()


def node_of(op: str, args: Mapping[str, Any], names: Iterable[str], results: Iterable[torch.Tensor]) -> OpNode:
    pairs = zip(names, results, strict=True)
    return OpNode(op, {k: ir_of(v) for k, v in args.items()}, tuple(Value(name, meta_of(t)) for name, t in pairs))


def ir_of(value: Any) -> Arg:
    if isinstance(value, (list, tuple)):
        return tuple(ir_of(part) for part in value)
    return value if isinstance(value, Ref) else from_torch(value)


def torch_args(node: OpNode, values: Mapping[str, Any]) -> dict[str, Any]:
    """A call's arguments, as torch takes them."""

    def of(arg: Arg) -> Any:
        if isinstance(arg, Ref):
            return values[arg.name]
        return [of(part) for part in arg] if isinstance(arg, tuple) else to_torch(arg)

    return {name: of(arg) for name, arg in node.args.items()}


def torch_results(node: OpNode, values: Mapping[str, torch.Tensor]) -> list[torch.Tensor]:
    """What torch gives. A call that would end the process is refused as if by torch."""
    operator, args = operators()[node.op], torch_args(node, values)
    if forbidden(operator, args):
        raise RuntimeError(f"{node.op} is not called with these arguments")
    return [dense(result) for result in operator(args)]


def used(node: OpNode) -> list[str]:
    return list(dict.fromkeys(ref.name for arg in node.args.values() for ref in refs(arg)))


def graph_of(drawn: Drawn, outputs: Iterable[str]) -> Graph:
    """In the Edge dialect, as far as a program made without lowering is in one."""
    shapes, symbols = _named(drawn)
    typed = {name: meta_of(tensor, shapes.get(name)) for name, tensor in drawn.values.items()}
    results = tuple(outputs)
    inputs = Tree("tuple", (flat_tree(len(drawn.inputs)), Tree("dict")))
    return Graph(
        "fuzz",
        inputs=tuple(Value(name, typed[name]) for name in drawn.inputs),
        weights=tuple(Weight(name, "constant", typed[name]) for name in drawn.constants),
        nodes=tuple(replace(n, outputs=tuple(Value(v.name, typed[v.name]) for v in n.outputs)) for n in drawn.nodes),
        outputs=tuple(Ref(name) for name in results),
        in_tree=inputs,
        out_tree=flat_tree(len(results)) if results else LEAF,
        symbols=symbols,
    )


def _named(drawn: Drawn) -> tuple[dict[str, tuple[Dim, ...]], tuple[Symbol, ...]]:
    """Shapes of sizes with names: one name for those that are equal, and have one bound."""
    pairs = {name: tuple(zip(drawn.values[name].shape, bound, strict=True)) for name, bound in drawn.bounds.items()}
    symbols = tuple(Symbol(f"s{size}_{most}", 0, most) for size, most in sorted({*chain(*pairs.values())}))
    return {name: tuple(symbol(f"s{size}_{most}") for size, most in each) for name, each in pairs.items()}, symbols


def evaluated(drawn: Drawn, changed: Mapping[str, torch.Tensor]) -> Drawn:
    """The same program on other inputs, with what torch gives for them."""
    values = {name: drawn.values[name] for name in (*drawn.inputs, *drawn.constants)} | dict(changed)
    for node in drawn.nodes:
        values |= zip((value.name for value in node.outputs), torch_results(node, values), strict=True)
    bounds = {n: b for n, b in drawn.bounds.items() if n in values and len(b) == values[n].dim()}
    bounds = {n: tuple(map(max, b, values[n].shape)) for n, b in bounds.items()}
    nodes = tuple(
        replace(node, outputs=tuple(Value(v.name, meta_of(values[v.name])) for v in node.outputs))
        for node in drawn.nodes
    )
    return replace(drawn, values=values, nodes=nodes, bounds=bounds)


def trimmed(drawn: Drawn, outputs: Iterable[str]) -> Drawn:
    """What these outputs need, and nothing else."""
    outputs = tuple(outputs)
    needed, kept = set(outputs), []
    for node in reversed(drawn.nodes):
        names = {value.name for value in node.outputs}
        if names & needed:
            kept.append(node)
            needed |= {*used(node), *names}
    return Drawn(
        {name: tensor for name, tensor in drawn.values.items() if name in needed},
        tuple(name for name in drawn.inputs if name in needed),
        tuple(name for name in drawn.constants if name in needed),
        tuple(reversed(kept)),
        outputs,
        {name: bound for name, bound in drawn.bounds.items() if name in needed},
    )


def save(drawn: Drawn, path: Path) -> None:
    nodes = [(n.op, dict(n.args), [value.name for value in n.outputs]) for n in drawn.nodes]
    given = {name: drawn.values[name] for name in (*drawn.inputs, *drawn.constants)}
    torch.save((given, drawn.inputs, drawn.constants, nodes, drawn.outputs, dict(drawn.bounds)), path)


def restored(path: Path) -> Drawn:
    given, inputs, constants, nodes, outputs, bounds = torch.load(path, weights_only=False)
    values, made = dict(given), []
    for op, args, names in nodes:
        node = OpNode(op, args)
        results = torch_results(node, values)
        values |= zip(names, results, strict=True)
        made.append(replace(node, outputs=tuple(Value(n, meta_of(t)) for n, t in zip(names, results, strict=True))))
    return Drawn(values, inputs, constants, tuple(made), outputs, bounds)
