"""What passes that make new nodes share: who makes a value, who uses it, and nodes written one after the other."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import torch

from tenon.ir.dims import Dim
from tenon.ir.graph import Arg, Graph, OpNode, Ref, Source, Value, Weight, refs
from tenon.ir.rewrite import fresh_names, substituted, with_values
from tenon.ir.types import DTYPE, TensorMeta, Type
from tenon.ops.schema import call_arguments, find_op
from tenon.ops.values import DTYPE_OF, TORCH_DTYPE, bytes_of, to_torch

FLOAT = DTYPE["float32"]
HALVES = (DTYPE["float16"], DTYPE["bfloat16"])
OWN = "tenon."  # what constants are called that no model has


class Writer:
    """The nodes of a graph, written anew: most as they are, some instead of others.

    `at` is the place in the model that new nodes are for.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.types: dict[str, Type] = graph.types
        self.uses = uses(graph)
        self.producer = {value.name: node for node in graph.nodes for value in node.outputs}
        self.nodes: list[OpNode] = []
        self.instead: dict[str, Ref] = {}
        self.at: Source | None = None
        self._constants: dict[str, Weight] = {}
        self._names: Iterator[str] = fresh_names(graph)

    def keep(self, node: OpNode) -> None:
        self.nodes.append(node)

    def replace(self, node: OpNode, op: str, args: Mapping[str, Arg]) -> None:
        """Another operator in the place of a node, with the node's results."""
        self.nodes.append(OpNode(op, dict(args), node.outputs, node.source))

    def stand_for(self, name: str, value: Ref) -> None:
        """From now on, uses of a value are uses of another."""
        self.instead[name] = value

    def make(self, op: str, type_: TensorMeta | None = None, /, **args: Arg) -> Ref:
        """A new node of one result. Without a type, torch is asked for it: all sizes are known then."""
        node = OpNode(op, args, (), self.at)
        value = Value(next(self._names), self._type(node) if type_ is None else type_)
        self.types[value.name] = value.type
        self.nodes.append(OpNode(op, args, (value,), self.at))
        return Ref(value.name)

    def as_float(self, arg: Ref) -> Ref:
        """A tensor in float32."""
        meta = self.tensor(arg)
        assert meta is not None
        if is_float(meta):
            return arg
        return self.make("aten::_to_copy", TensorMeta(FLOAT, meta.shape), self=arg, dtype=FLOAT)

    def viewed(self, arg: Arg, shape: tuple[Dim, ...]) -> Ref:
        """A tensor in another shape; sizes may be unknown where they are the same, or a 1 is put behind them."""
        meta = self.tensor(arg)
        assert isinstance(arg, Ref) and meta is not None
        if meta.shape == shape:
            return arg
        type_ = TensorMeta(meta.dtype, shape)
        if shape == (*meta.shape, 1):
            return self.make("aten::unsqueeze_copy", type_, self=arg, dim=-1)
        return self.make("aten::view_copy", type_, self=arg, size=shape)  # type: ignore[arg-type]

    def constant(self, name: str, tensor: torch.Tensor) -> Ref:
        """A weight of our own, whose data is known."""
        name = f"{OWN}{name}"
        type_ = TensorMeta(DTYPE_OF[tensor.dtype], tuple(tensor.shape))
        if name not in self.types:
            self._constants[name] = Weight(name, "constant", type_, data=bytes_of(tensor))
            self.types[name] = type_
        return Ref(name)

    def _type(self, node: OpNode) -> TensorMeta:
        op = find_op(node.op)
        assert op is not None, node.op
        positional, keywords = call_arguments(node, op)
        with torch.no_grad():
            result = op(*map(self._empty, positional), **{name: self._empty(arg) for name, arg in keywords.items()})
        return TensorMeta(DTYPE_OF[result.dtype], tuple(result.shape))

    def _empty(self, arg: Arg) -> Any:
        """A tensor without data for a value, and what torch takes for anything else."""
        if isinstance(arg, tuple):
            return [self._empty(part) for part in arg]
        if not isinstance(arg, Ref):
            return to_torch(arg)
        meta = self.tensor(arg)
        assert meta is not None and meta.is_static
        return torch.empty(meta.shape, dtype=TORCH_DTYPE[meta.dtype], device="meta")  # type: ignore[arg-type]

    def tensor(self, arg: Arg) -> TensorMeta | None:
        """What an argument is, if it is a tensor."""
        found = self.types.get(arg.name) if isinstance(arg, Ref) else None
        return found if isinstance(found, TensorMeta) else None

    def made_by(self, arg: Arg, *ops: str) -> OpNode | None:
        """The node that makes a value, if its operator is one of these."""
        node = self.producer.get(arg.name) if isinstance(arg, Ref) else None
        return node if node is not None and node.op in ops else None

    def of_now(self, arg: Arg) -> Arg:
        """What stands for an argument by now."""
        return substituted(arg, self.instead)

    def finish(self) -> Graph:
        graph = with_values(self.graph, self.nodes, self.instead)
        return replace(graph, weights=(*graph.weights, *self._constants.values()))


def uses(graph: Graph) -> Counter[str]:
    """How often each value is used; to be returned or written counts as well."""
    counted = Counter(ref.name for node in graph.nodes for arg in node.args.values() for ref in refs(arg))
    counted.update(ref.name for arg in graph.outputs for ref in refs(arg))
    counted.update(mutation.value.name for mutation in graph.mutations)
    return counted


def is_float(meta: Type | None) -> bool:
    return isinstance(meta, TensorMeta) and meta.dtype == FLOAT
