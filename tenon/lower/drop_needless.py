"""Constants that change nothing are left out: zero points that are all 0, and masks that hide no key."""

from collections.abc import Collection
from dataclasses import replace

import torch

from tenon.ir.graph import Graph, OpNode, Ref, refs

_OPTIONAL = {"tenon::linear_groups": "zeros", "tenon::attention": "mask"}


def optional_of(graph: Graph) -> set[str]:
    """The names of what operators can do without, if it changes nothing."""
    named = [node.args[_OPTIONAL[node.op]] for node in graph.nodes if node.op in _OPTIONAL]
    return {arg.name for arg in named if isinstance(arg, Ref)}


def changes_nothing(value: torch.Tensor) -> bool:
    """Of a mask of bool, that all is seen; of what is added or subtracted, that it is 0."""
    return bool(value.all()) if value.dtype == torch.bool else not value.any()


def drop_needless(graph: Graph, needless: Collection[str]) -> Graph:
    """attention(mask=%m) becomes attention(mask=None), where %m is one of the weights that change nothing.

    Their values are known only when they are computed. Symmetric quantisers give zero points too, and the models of
    transformers a mask where nothing is padded: without it ViT takes 0.97 of its time.  aten -> aten
    """
    nodes = tuple(_without(node, needless) for node in graph.nodes)
    used = {ref.name for node in nodes for arg in node.args.values() for ref in refs(arg)}
    used |= {ref.name for arg in graph.outputs for ref in refs(arg)}
    weights = tuple(weight for weight in graph.weights if weight.name in used or weight.name not in needless)
    return replace(graph, nodes=nodes, weights=weights)


def _without(node: OpNode, needless: Collection[str]) -> OpNode:
    name = _OPTIONAL.get(node.op, "")
    given = node.args.get(name)
    return replace(node, args={**node.args, name: None}) if isinstance(given, Ref) and given.name in needless else node
