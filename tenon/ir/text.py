"""Graphs as text for people: `to_text` writes it, `tenon.ir.parse` reads it back to the same graph."""

import base64
import json
import math
import re
from collections.abc import Iterator

from tenon.ir.graph import Arg, Device, Graph, GraphRef, Layout, MemoryFormat, OpNode, OpRef, Ref, Source, Weight
from tenon.ir.tree import Tree
from tenon.ir.types import ConstMeta, DType, ScalarMeta, TensorMeta, Type

SOURCE = re.compile(r"(?P<file>.*):(?P<line>\d+) in (?P<function>\S+)(?: \[(?P<module>.*)\])?")
PLAIN_NAME = re.compile(r"[A-Za-z0-9_.]+")
# Words that stand before a quoted name, by the class they make.
WORDS: dict[str, type] = {
    "graph": GraphRef,
    "op": OpRef,
    "device": Device,
    "layout": Layout,
    "memory_format": MemoryFormat,
}
_WORD_OF = {cls: word for word, cls in WORDS.items()}


def to_text(graph: Graph, elide: int | None = None) -> str:
    """The graph as text. With `elide`, constant data of more than that many bytes is shown by its size only."""
    return "\n".join(_lines(graph, elide, "graph", "")) + "\n"


def _lines(graph: Graph, elide: int | None, word: str, indent: str) -> Iterator[str]:
    yield f"{indent}{word} {_quoted(graph.name)} {graph.dialect} {{"
    inner = indent + "  "
    for symbol in graph.symbols:
        low, high = "-inf" if symbol.low is None else symbol.low, "inf" if symbol.high is None else symbol.high
        yield f"{inner}symbol {symbol.name} in [{low}, {high}]"
    for value in graph.inputs:
        yield f"{inner}input {_name(value.name)}: {type_text(value.type)}"
    for weight in graph.weights:
        yield inner + _weight(weight, elide)
    yield f"{inner}takes {tree_text(graph.in_tree, iter([Ref(v.name) for v in graph.inputs]))}"
    for node in graph.nodes:
        yield inner + node_text(node)
    for mutation in graph.mutations:
        yield f"{inner}write {_name(mutation.target)} = {_name(mutation.value.name)}"
    yield f"{inner}return {tree_text(graph.out_tree, iter(graph.outputs))}"
    for name in sorted(graph.subgraphs):
        yield from _lines(graph.subgraphs[name], elide, "subgraph", inner)
    yield f"{indent}}}"


def node_text(node: OpNode) -> str:
    """One line: results, operator, arguments by name, and the place in the model."""
    results = ", ".join(f"{_name(value.name)}: {type_text(value.type)}" for value in node.outputs)
    args = ", ".join(f"{name}={arg_text(arg)}" for name, arg in node.args.items())
    text = f"{results} = {node.op}({args})" if results else f"{node.op}({args})"
    return f"{text}  // {_source(node.source)}" if node.source else text


def _source(source: Source) -> str:
    text = f"{source} [{source.module}]" if source.module else str(source)
    match = SOURCE.fullmatch(text)
    plain = match and (match["file"], match["function"], match["module"] or "")
    fields = [source.file, source.function, source.module]
    return text if plain == tuple(fields) else json.dumps([source.file, source.line, source.function, source.module])


def _weight(weight: Weight, elide: int | None) -> str:
    text = f"{weight.kind} {_name(weight.name)}: {type_text(weight.type)}"
    if weight.aliases:
        text += f" aliases {', '.join(map(_name, weight.aliases))}"
    text += "" if weight.persistent else " transient"
    text += " mutated" if weight.mutated else ""
    if weight.data is None:
        return text
    if elide is not None and len(weight.data) > elide:
        return f"{text} = <{len(weight.data)} bytes>"
    return f'{text} = "{base64.b64encode(weight.data).decode()}"'


def _name(name: str) -> str:
    return "%" + _quoted(name)


def _quoted(name: str) -> str:
    return name if PLAIN_NAME.fullmatch(name) else json.dumps(name)


def type_text(type_: Type) -> str:
    """`f32[batch, 4]`, `int(2*batch)`, `const 2`; what is not the default stands in braces behind a tensor."""
    if isinstance(type_, ConstMeta):
        return f"const {arg_text(type_.value)}"
    if isinstance(type_, ScalarMeta):
        return type_.kind + ("" if type_.expr is None else f"({type_.expr})")
    return f"{type_.dtype.short}[{', '.join(map(str, type_.shape))}]" + _layout(type_)


def _layout(tensor: TensorMeta) -> str:
    facts = []
    if tensor.dim_order != tuple(range(len(tensor.shape))):
        facts.append(f"order=[{', '.join(map(str, tensor.dim_order))}]")
    if tensor.strides is not None:
        facts.append(f"strides=[{', '.join(map(str, tensor.strides))}]")
    if tensor.device != "cpu":
        facts.append(f"device={json.dumps(tensor.device)}")
    if tensor.layout != "strided":
        facts.append(f"layout={json.dumps(tensor.layout)}")
    return "{" + ", ".join(facts) + "}" if facts else ""


def arg_text(arg: Arg) -> str:
    if isinstance(arg, Ref):
        return _name(arg.name)
    if isinstance(arg, DType):
        return arg.name
    if isinstance(arg, tuple):
        return f"[{', '.join(map(arg_text, arg))}]"
    if isinstance(arg, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {arg_text(part)}" for key, part in arg.items()) + "}"
    if isinstance(arg, complex):
        return f"complex({arg_text(arg.real)}, {arg_text(arg.imag)})"
    if isinstance(arg, str):
        return json.dumps(arg)
    if isinstance(arg, float) and math.isnan(arg):
        return "nan"
    word = _WORD_OF.get(type(arg))
    return f"{word} {json.dumps(arg.name)}" if word else repr(arg)  # type: ignore[union-attr]


def tree_text(tree: Tree, leaves: Iterator[Arg]) -> str:
    """A structure with its leaves in place."""
    if tree.kind == "leaf":
        return arg_text(next(leaves))
    children = [tree_text(child, leaves) for child in tree.children]
    if tree.kind == "tuple":
        return f"({', '.join(children)}{',' if len(children) == 1 else ''})"
    if tree.kind == "list":
        return f"[{', '.join(children)}]"
    pairs = ", ".join(f"{json.dumps(key)}: {child}" for key, child in zip(tree.keys, children, strict=False))
    if tree.kind == "dict":
        return "{" + pairs + "}"
    head = f"{tree.kind} {json.dumps(tree.type)} {json.dumps(tree.context)}"
    return f"{head} {{{pairs}}}" if tree.keys else f"{head} ({', '.join(children)})"
