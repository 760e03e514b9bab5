"""The ATen dialect: core ATen or registered custom operators, functional, with meta kernels, contiguous.

Its rules, by the names that violations carry:
  core         an operator is core ATen, a copy that stands for a core view, one that has a kernel of Tenon's, or a
               registered custom operator
  functional   an operator changes none of its arguments
  meta-kernel  the shape of its results can be told from its arguments
  pytree       inputs and outputs are containers of tensors and plain values that can be taken apart and built
  contiguous   every tensor is dense, in the order of its dimensions
Dtypes, their promotion and broadcasting may be implicit: there is no rule about them.
"""

from collections.abc import Collection, Iterator

import torch

from tenon.dialect.violation import Violation
from tenon.errors import Invalid
from tenon.ir.graph import Graph, OpNode, walk
from tenon.ir.tree import Tree, check_buildable
from tenon.ir.types import TensorMeta
from tenon.ops.own import has_kernel
from tenon.ops.registry import find_executor
from tenon.ops.schema import find_op, has_meta_kernel, is_custom, near_ops, normal_name, op_name
from tenon.ops.symbolic import SYMBOLIC


def violations(graph: Graph, keep: Collection[str] = ()) -> Iterator[Violation]:
    """Every place where the graph leaves the dialect, in order."""
    kept = {normal_name(name) for name in keep}
    yield from graph_faults(graph)
    for _, node in walk(graph):
        yield from operator_faults(node, kept)
        yield from result_faults(node)


def graph_faults(graph: Graph) -> Iterator[Violation]:
    """What goes in and what comes out: pytree, contiguous."""
    for side, tree in (("inputs", graph.in_tree), ("outputs", graph.out_tree)):
        yield from _pytree(side, tree)
    for weight in graph.weights:
        yield from _contiguous(f"%{weight.name}", weight.type, None)
    yield from _inputs(graph)


def result_faults(node: OpNode, orders: Collection[tuple[int, ...]] = ()) -> Iterator[Violation]:
    """What a node computes: contiguous, or dense in one of these orders of dimensions."""
    for value in node.outputs:
        if isinstance(value.type, TensorMeta) and value.type.dense and value.type.dim_order in orders:
            continue
        yield from _contiguous(f"%{value.name} {node.op}", value.type, node)


def _inputs(graph: Graph) -> Iterator[Violation]:
    for value in graph.inputs:
        yield from _contiguous(f"%{value.name}", value.type, None)
    for subgraph in graph.subgraphs.values():
        yield from _inputs(subgraph)


def _pytree(side: str, tree: Tree) -> Iterator[Violation]:
    try:
        check_buildable(tree)
    except Invalid as error:
        yield Violation(f"the {side}", "pytree", str(error))
    for child in tree.children:
        yield from _pytree(side, child)


def _contiguous(where: str, type_: object, node: OpNode | None) -> Iterator[Violation]:
    if isinstance(type_, TensorMeta) and not type_.contiguous:
        layout = (
            type_.layout
            if type_.layout != "strided"
            else f"strides {list(map(str, type_.strides))}"
            if type_.strides
            else ""
        )
        what = layout or f"dim order {list(type_.dim_order)}"
        yield Violation(where, "contiguous", f"{what} is not contiguous", node.source if node else None)


def operator_faults(node: OpNode, kept: Collection[str]) -> Iterator[Violation]:
    """What a node calls: core, functional, meta-kernel."""
    if node.op in SYMBOLIC or node.op in HIGHER_ORDER_OPERATORS or node.op in kept:
        return
    op = find_op(node.op)
    if op is None:
        yield from _not_torchs(node)
        return
    if op._schema.is_mutable:
        yield Violation(node.label, "functional", f"it changes {', '.join(_changed(op))}", node.source)
    if not has_meta_kernel(op):
        yield Violation(node.label, "meta-kernel", "it has no meta kernel", node.source, _add_fake(op._schema.name))
    if not is_custom(op) and not stays(op):
        yield Violation(node.label, "core", "it is not core ATen", node.source, _KEEP)


def _not_torchs(node: OpNode) -> Iterator[Violation]:
    if find_executor(node.op):
        what = "it has an executor, but is not registered with torch"
        yield Violation(
            node.label, "core", what, node.source, "Register it with torch.library, and give it a meta kernel."
        )
        return
    yield Violation(node.label, "core", f"torch has no operator of that name.{near_ops(node.op)}", node.source)


def _changed(op: torch._ops.OpOverload) -> list[str]:
    return [a.name for a in op._schema.arguments if a.alias_info is not None and a.alias_info.is_write]


def _add_fake(name: str) -> str:
    decorator = f'@torch.library.register_fake("{name}")'
    return f"Give {name} a meta kernel: {decorator} on a function that returns an empty tensor of the right shape."


_KEEP = "An operator that torch cannot decompose may stay (ATen mode runs it): name it in keep=[...]."


def is_core(op: torch._ops.OpOverload) -> bool:
    """Tagged core by torch, a copy of a core view, or one of the few that decomposition leaves on purpose."""
    return torch.Tag.core in op.tags or op_name(op) in EXTRA_OPERATORS or _copies_view(op)


def stays(op: torch._ops.OpOverload) -> bool:
    """Whether the dialect has it: what is core, and what lean mode runs besides."""
    return is_core(op) or has_kernel(op)


def _copies_view(op: torch._ops.OpOverload) -> bool:
    base, overload = op._schema.name, op._schema.overload_name
    if not base.endswith("_copy"):
        return False
    view = find_op(base.removesuffix("_copy") + (f".{overload}" if overload else ""))
    return view is not None and view._schema.is_mutable is False and any(r.alias_info for r in view._schema.returns)


# What is legal besides core: control flow, in-place custom operators made functional, and checks on sizes.
HIGHER_ORDER_OPERATORS = {
    f"higher_order::{name}"
    for name in (
        "cond",
        "while_loop",
        "map_impl",
        "scan",
        "associative_scan",
        "auto_functionalized",
        "auto_functionalized_v2",
    )
}
EXTRA_OPERATORS = {
    "aten::_assert_scalar",
    "aten::_assert_async.msg",
    "aten::sym_constrain_range",
    "aten::sym_constrain_range_for_size",
    "aten::masked_select",  # torch cannot bound the size of its core form, index by a mask
}
