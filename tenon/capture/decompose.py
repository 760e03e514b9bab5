"""Functional, and in core operators: by torch's own tables, call by call where that can be, or else all at once."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import torch

from tenon.capture.calls import Exported, decompose_calls
from tenon.capture.decompositions import EXTRA_DECOMPOSITIONS, NO_RULE, torchao_rules
from tenon.capture.writes import NeedsWholeGraph
from tenon.errors import Unsupported
from tenon.ops.schema import is_custom, normal_name, op_name


def decompose(program: torch.export.ExportedProgram, keep: Collection[str] = ()) -> Exported:
    """The program in core operators. Custom operators and `keep` stay as they were called."""
    kept = {normal_name(name) for name in keep}
    table = rules(kept)
    try:
        try:
            return decompose_calls(program, table, kept)
        except NeedsWholeGraph:
            return _at_once(program, table)
    except Exception as error:  # torch's decompositions raise anything; the captured graph is still to be had
        reason = str(error).strip().split("\n")[0]
        raise Unsupported(
            f"torch cannot decompose this model to core ATen ({reason}). tenon.extract_ir takes it as it is."
        ) from error


def rules(kept: Collection[str]) -> dict[Any, Any]:
    """How operators are taken apart; those in `kept` are not, and of custom ones only torchao's."""
    return {op: rule for op, (name, rule) in (_named_rules() | torchao_rules()).items() if name not in kept}


@cache
def _named_rules() -> dict[Any, tuple[str, Any]]:
    """By operator, its name and torch's rule or ours. torch takes 0.1 s to list its own."""
    table: dict[Any, Any] = {**torch.export.default_decompositions().materialize(), **EXTRA_DECOMPOSITIONS}
    named = {op: op_name(op) if isinstance(op, torch._ops.OpOverload) else "" for op in table}
    taken = (op for op in table if op not in NO_RULE and not (named[op] and is_custom(op)))
    return {op: (named[op], table[op]) for op in taken}


def _at_once(program: torch.export.ExportedProgram, table: dict[Any, Any]) -> torch.export.ExportedProgram:
    with _views_as_reshapes(program.graph_module):
        decomposed: torch.export.ExportedProgram = program.run_decompositions(table)
    return decomposed


@contextmanager
def _views_as_reshapes(module: torch.fx.GraphModule) -> Iterator[None]:
    """Inside, every view of the graph is a reshape.

    A decomposition may give its result other strides than the kernel did (attention does), and torch then refuses a
    view of it. As values the two are the same.
    """
    graphs = [each.graph for each in module.modules() if isinstance(each, torch.fx.GraphModule)]
    views = [node for graph in graphs for node in graph.nodes if node.target is torch.ops.aten.view.default]
    for node in views:
        node.target = torch.ops.aten.reshape.default
    try:
        yield
    finally:
        for node in views:
            node.target = torch.ops.aten.view.default
