"""The one IR from capture to emit: a Graph of OpNodes over named, typed values. Weight-free and immutable."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Union

from tenon.ir.dims import Symbol
from tenon.ir.tree import LEAF, Tree
from tenon.ir.types import DType, TensorMeta, Type


@dataclass(frozen=True, slots=True)
class Ref:
    """A use of a value."""

    name: str


@dataclass(frozen=True, slots=True)
class GraphRef:
    """A use of a subgraph, as an argument of a higher-order operator."""

    name: str


@dataclass(frozen=True, slots=True)
class OpRef:
    """An operator as an argument of a higher-order operator."""

    name: str


@dataclass(frozen=True, slots=True)
class Device:
    name: str


@dataclass(frozen=True, slots=True)
class Layout:
    name: str


@dataclass(frozen=True, slots=True)
class MemoryFormat:
    name: str


# Lists are tuples; a dict occurs only as an option of a higher-order operator.
Arg = Union[
    None,
    bool,
    int,
    float,
    complex,
    str,
    Ref,
    GraphRef,
    OpRef,
    DType,
    Device,
    Layout,
    MemoryFormat,
    tuple["Arg", ...],
    dict[str, "Arg"],
]


@dataclass(frozen=True, slots=True)
class Value:
    """A name and what it stands for."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Source:
    """Where in the user's model a node comes from: file, line, function, and the path of the module."""

    file: str
    line: int
    function: str
    module: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line} in {self.function}"


def at(source: Source | None) -> str:
    """' at model.py:48 in Net.forward', or nothing where the place is not known."""
    return f" at {source}" if source else ""


@dataclass(frozen=True, slots=True)
class OpNode:
    """One call: an operator, its arguments by the schema's names, and its results (one per tensor it returns).

    Arguments that the call left out are absent. `op` is the schema's name, `aten::add.Tensor`.
    """

    op: str
    args: Mapping[str, Arg]
    outputs: tuple[Value, ...] = ()
    source: Source | None = None

    @property
    def label(self) -> str:
        """How errors call it: by its first result and its operator."""
        return f"%{self.outputs[0].name} {self.op}" if self.outputs else self.op


@dataclass(frozen=True, slots=True)
class Weight:
    """A tensor that the graph needs besides its inputs: a name, a shape and a dtype.

    `data` (dense bytes, little-endian, in the order of the dimensions) is there for what no state dict holds:
    lifted constants and buffers that are not persistent. `aliases` are further names of the same tensor.
    """

    name: str
    kind: str  # one of WEIGHT_KINDS
    type: TensorMeta
    aliases: tuple[str, ...] = ()
    persistent: bool = True
    mutated: bool = False
    data: bytes | None = None


WEIGHT_KINDS = ("parameter", "buffer", "constant")


@dataclass(frozen=True, slots=True)
class Mutation:
    """After the graph has run, `target` (a weight or an input) takes the value `value`."""

    target: str
    value: Ref


@dataclass(frozen=True)
class Graph:
    """What a model computes, from inputs and weights to outputs."""

    name: str
    dialect: str = "captured"
    symbols: tuple[Symbol, ...] = ()
    inputs: tuple[Value, ...] = ()
    weights: tuple[Weight, ...] = ()
    nodes: tuple[OpNode, ...] = ()
    outputs: tuple[Arg, ...] = ()
    mutations: tuple[Mutation, ...] = ()
    in_tree: Tree = LEAF  # of (args, kwargs)
    out_tree: Tree = LEAF
    subgraphs: Mapping[str, "Graph"] = field(default_factory=dict)

    def __str__(self) -> str:
        from tenon.ir.text import to_text

        return to_text(self, elide=64)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the graph as JSON; `tenon.load_ir` reads it back."""
        from tenon.ir.json import save_ir

        save_ir(self, path)

    @property
    def types(self) -> dict[str, Type]:
        """Every value's type by its name."""
        named: list[Value | Weight] = [*self.inputs, *self.weights]
        named.extend(value for node in self.nodes for value in node.outputs)
        return {value.name: value.type for value in named}


def refs(arg: Arg) -> Iterator[Ref]:
    """Every use of a value inside an argument."""
    if isinstance(arg, Ref):
        yield arg
    elif isinstance(arg, tuple):
        for part in arg:
            yield from refs(part)
    elif isinstance(arg, dict):
        for part in arg.values():
            yield from refs(part)


def walk(graph: Graph) -> Iterator[tuple[Graph, OpNode]]:
    """Every node with the graph it stands in: subgraphs included, in order of their names."""
    for node in graph.nodes:
        yield graph, node
    for name in sorted(graph.subgraphs):
        yield from walk(graph.subgraphs[name])
