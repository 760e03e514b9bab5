"""The Exec dialect: calls of a program. Every operator writes to memory that it is given, or computes a number.

Its rules, by the names that violations carry:
  out-variant   an operator has an out for each of its results, computes on numbers, or is control flow
  pytree        inputs and outputs are containers of tensors and plain values that can be taken apart and built
  contiguous    every tensor is dense, in the order of its dimensions; a result may have channels last or heads first
"""

from collections.abc import Collection, Iterator

from tenon.dialect.aten import graph_faults, result_faults
from tenon.dialect.edge import ORDERS
from tenon.dialect.violation import Violation
from tenon.ir.graph import Graph, walk
from tenon.ops.own import schema_of
from tenon.ops.schema import find_op, functional_name, is_custom, near_ops
from tenon.ops.symbolic import READS_A_NUMBER


def violations(graph: Graph, keep: Collection[str] = ()) -> Iterator[Violation]:
    """Every place where the graph leaves the dialect, in order. What was kept has an out variant too."""
    yield from graph_faults(graph)
    for _, node in walk(graph):
        if what := _fault(node.op):
            yield Violation(node.label, "out-variant", what, node.source)
        yield from result_faults(node, ORDERS)


def _fault(name: str) -> str:
    """Why a program cannot call it; nothing if it can."""
    if name in READS_A_NUMBER or name in CONTROL_FLOW or name.startswith(PRIM):
        return ""
    if name.startswith("higher_order::"):
        return f"a program has no instruction for it. There are: {', '.join(sorted(CONTROL_FLOW))}."
    schema = schema_of(name)
    if schema is None:
        # For a custom operator that has none, an out variant is made.
        functional = find_op(functional_name(name))
        made = functional is not None and is_custom(functional)
        return "" if made else f"torch has no operator of that name.{near_ops(name)}"
    if any(argument.is_out for argument in schema.arguments):
        return ""
    return "it is not an out variant: nothing says where its result lies"


# What is legal besides out variants.
CONTROL_FLOW = {f"higher_order::{name}" for name in ("cond", "while_loop", "map_impl", "scan")}
PRIM = "executorch_prim::"
