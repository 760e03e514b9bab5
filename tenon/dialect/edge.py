"""The Edge dialect: the ATen dialect with every dtype and every order of dimensions written out.

Its rules, by the names that violations carry: those of the ATen dialect (core, functional, meta-kernel, pytree,
contiguous, where a result may have its channels last, or its heads first), and
  typed-scalars  where an operator takes a tensor it gets a tensor, not a number
  no-promotion   arguments that are brought to one dtype have one: casts are nodes
  dtypes         an operator takes and gives dtypes that torch's kernel does; `edge_types.txt` lists them
  dim-order      a copy says in which order of dimensions its result lies
Operators that the user keeps, and custom operators, are not in that list: they take any dtype.
"""

from collections.abc import Collection, Iterator, Mapping

from tenon.dialect.aten import graph_faults, operator_faults, result_faults
from tenon.dialect.edge_types import fault
from tenon.dialect.violation import Violation
from tenon.ir.graph import Arg, Graph, OpNode, Ref, walk
from tenon.ir.types import ScalarMeta, TensorMeta, Type
from tenon.ops.promotion import tensor_arguments
from tenon.ops.schema import normal_name


def violations(graph: Graph, keep: Collection[str] = ()) -> Iterator[Violation]:
    """Every place where the graph leaves the dialect, in order."""
    kept = {normal_name(name) for name in keep}
    yield from graph_faults(graph)
    owner, types = None, dict[str, Type]()
    for each, node in walk(graph):
        if each is not owner:
            owner, types = each, each.types
        yield from _operator(node, types, kept)
        yield from result_faults(node, ORDERS)


def _operator(node: OpNode, types: Mapping[str, Type], kept: Collection[str]) -> Iterator[Violation]:
    if node.op in DIM_ORDER_FORM:
        what = f"it does not say its dim order: {DIM_ORDER_FORM[node.op]} does"
        yield Violation(node.label, "dim-order", what, node.source)
        return
    if node.op in DIM_ORDER_OPERATORS:
        yield from _dim_order(node)
    else:
        yield from operator_faults(node, kept)
    yield from _typed_scalars(node, types)
    yield from _dtypes(node, types)


def _dim_order(node: OpNode) -> Iterator[Violation]:
    result = node.outputs[0].type
    wanted = result.dim_order if isinstance(result, TensorMeta) else ()
    given = node.args.get("dim_order")
    if given is None:
        yield Violation(node.label, "dim-order", f"its dim_order is missing: [{_listed(wanted)}]", node.source)
    elif given != wanted:
        what = f"its dim_order is [{_listed(given)}], and its result's is [{_listed(wanted)}]"
        yield Violation(node.label, "dim-order", what, node.source)


def _listed(order: Arg) -> str:
    return ", ".join(map(str, order)) if isinstance(order, tuple) else str(order)


def _typed_scalars(node: OpNode, types: Mapping[str, Type]) -> Iterator[Violation]:
    for name in tensor_arguments(node.op):
        arg = node.args.get(name)
        number = isinstance(arg, (bool, int, float, complex))
        if number or (isinstance(arg, Ref) and isinstance(types[arg.name], ScalarMeta)):
            shown = f"%{arg.name}" if isinstance(arg, Ref) else repr(arg)
            what = f"{name}={shown} is a number, where it takes a tensor"
            yield Violation(node.label, "typed-scalars", what, node.source, _MAKE_TENSOR)


_MAKE_TENSOR = "A number becomes a tensor by a constant, or by aten::full of no dimensions."


def _dtypes(node: OpNode, types: Mapping[str, Type]) -> Iterator[Violation]:
    given = tuple((name, dtypes) for name, arg in node.args.items() if (dtypes := _of(arg, types)))
    # An operator that is told its result's dtype gives that; otherwise the dtypes of its arguments settle it.
    asked = node.args.get("dtype") is not None
    results = () if asked else tuple(_short(value.type) for value in node.outputs)
    found = fault(node.op, given, results)
    if found:
        rule, what = found
        yield Violation(node.label, rule, what, node.source, _CAST if rule == "no-promotion" else "")


_CAST = "Casts are written out: dim_order_ops::_to_dim_order_copy."


def _of(arg: Arg, types: Mapping[str, Type]) -> tuple[str, ...]:
    """The dtypes of the tensors in an argument, each once."""
    parts = arg if isinstance(arg, tuple) else (arg,)
    shorts = [_short(types[part.name]) for part in parts if isinstance(part, Ref)]
    return tuple(dict.fromkeys(filter(None, shorts)))


def _short(type_: Type) -> str:
    return type_.dtype.short if isinstance(type_, TensorMeta) else ""


CHANNELS_LAST = (0, 2, 3, 1)
HEADS_FIRST = (0, 2, 1, 3)  # of [batch, place, head, size], where attention's keys are kept head by head
ORDERS = {CHANNELS_LAST, HEADS_FIRST}  # of dimensions, besides the plain one
# What stands for the copies of the ATen dialect, and is legal besides the rest of it.
DIM_ORDER_FORM = {
    "aten::_to_copy": "dim_order_ops::_to_dim_order_copy",
    "aten::clone": "dim_order_ops::_clone_dim_order",
    "aten::empty.memory_format": "dim_order_ops::_empty_dim_order",
}
DIM_ORDER_OPERATORS = set(DIM_ORDER_FORM.values())
