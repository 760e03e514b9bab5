"""A graph as a Mermaid flowchart, for documents and reviews."""

from tenon.ir.graph import Graph, OpNode, refs
from tenon.ir.text import type_text
from tenon.ir.verify import graph_refs


def ir_to_mermaid(graph: Graph, *, weights: bool = False) -> str:
    """The flowchart's text: inputs, one box per node with its operator, types on the arrows.

    Weights are left out unless asked for: a transformer has hundreds.
    """
    lines = ["flowchart TD"]
    _draw(graph, "n", "  ", weights, lines)
    return "\n".join(lines) + "\n"


def _draw(graph: Graph, prefix: str, indent: str, weights: bool, lines: list[str]) -> None:
    maker: dict[str, str] = {}  # value -> the box it comes from
    for i, value in enumerate(graph.inputs):
        maker[value.name] = f"{prefix}_in{i}"
        lines.append(f"{indent}{maker[value.name]}([{_label(value.name)}])")
    for i, weight in enumerate(graph.weights if weights else ()):
        maker[weight.name] = f"{prefix}_w{i}"
        lines.append(f"{indent}{maker[weight.name]}[({_label(weight.name)})]")
    types = graph.types
    for i, node in enumerate(graph.nodes):
        box = f"{prefix}{i}"
        lines.append(f"{indent}{box}[{_label(node.op)}]")
        for name in _uses(node):
            if name in maker:
                lines.append(f"{indent}{maker[name]} -->|{_label(type_text(types[name]))}| {box}")
        for j, name in enumerate(graph_refs(node.args.values())):
            body = f"{box}_body{j}"
            lines.append(f"{indent}subgraph {body} [{_label(name)}]")
            _draw(graph.subgraphs[name], f"{body}_", indent + "  ", weights, lines)
            lines.append(f"{indent}end")
            lines.append(f"{indent}{box} -.-> {body}")
        maker.update((value.name, box) for value in node.outputs)
    for i, ref in ((i, ref) for i, arg in enumerate(graph.outputs) for ref in refs(arg)):
        lines.append(f"{indent}{prefix}_out{i}([{_label(f'output {i}')}])")
        if ref.name in maker:
            lines.append(f"{indent}{maker[ref.name]} -->|{_label(type_text(types[ref.name]))}| {prefix}_out{i}")


def _uses(node: OpNode) -> list[str]:
    return list(dict.fromkeys(ref.name for arg in node.args.values() for ref in refs(arg)))


def _label(text: str) -> str:
    return '"' + " ".join(text.replace('"', "#quot;").split("\n")) + '"'
