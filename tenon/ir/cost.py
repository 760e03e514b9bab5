"""What a graph costs: parameters, bytes, the peak of live values, and the arithmetic of its matrix products."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tenon.ir.dims import Dim, evaluate, product
from tenon.ir.graph import Graph, OpNode, Ref, refs
from tenon.ir.types import TensorMeta, Type

Shape = tuple[Dim, ...]


@dataclass(frozen=True, slots=True)
class OpCost:
    """All calls of one operator."""

    op: str
    calls: int
    flops: int
    bytes: int  # of results


@dataclass(frozen=True, slots=True)
class Cost:
    """A graph's totals at given sizes."""

    operators: tuple[OpCost, ...]
    parameters: int
    weight_bytes: Mapping[str, int]  # by kind of weight
    peak_bytes: int  # of values that are live at once, inputs included, weights not
    sizes: Mapping[str, int]

    @property
    def flops(self) -> int:
        return sum(operator.flops for operator in self.operators)


def cost(graph: Graph, sizes: Mapping[str, int] | None = None) -> Cost:
    """Totals with each symbol at the size given, else at its upper bound, else (where it has none) at its lower."""
    known = {s.name: (s.low or 0) if s.high is None else s.high for s in graph.symbols} | dict(sizes or {})
    calls: Counter[str] = Counter()
    flops: Counter[str] = Counter()
    results: Counter[str] = Counter()
    for scope in _scopes(graph):
        types = scope.types
        for node in scope.nodes:
            calls[node.op] += 1
            flops[node.op] += evaluate(node_flops(node, types), known)
            results[node.op] += sum(_bytes(value.type, known) for value in node.outputs)
    weight_bytes: Counter[str] = Counter()
    for weight in graph.weights:
        weight_bytes[weight.kind] += _bytes(weight.type, known)
    operators = [OpCost(op, count, flops[op], results[op]) for op, count in calls.items()]
    return Cost(
        tuple(sorted(operators, key=lambda o: (-o.flops, -o.calls, o.op))),
        sum(evaluate(weight.type.numel, known) for weight in graph.weights if weight.kind == "parameter"),
        weight_bytes,
        _peak(graph, known),
        known,
    )


def _scopes(graph: Graph) -> list[Graph]:
    return [graph, *(scope for sub in graph.subgraphs.values() for scope in _scopes(sub))]


def _bytes(type_: Type, sizes: Mapping[str, int]) -> int:
    return evaluate(type_.bytes, sizes) if isinstance(type_, TensorMeta) else 0


def _peak(graph: Graph, sizes: Mapping[str, int]) -> int:
    """The largest sum of live values over the run, each freed after its last use."""
    last: dict[str, int] = {}
    for i, node in enumerate(graph.nodes):
        last.update((ref.name, i) for arg in node.args.values() for ref in refs(arg))
    for arg in (*graph.outputs, *(mutation.value for mutation in graph.mutations)):
        last.update((ref.name, len(graph.nodes)) for ref in refs(arg))
    types, weights = graph.types, {weight.name for weight in graph.weights}
    live = peak = sum(_bytes(value.type, sizes) for value in graph.inputs)
    for i, node in enumerate(graph.nodes):
        live += sum(_bytes(value.type, sizes) for value in node.outputs)
        peak = max(peak, live)
        used = {ref.name for arg in node.args.values() for ref in refs(arg)} | {value.name for value in node.outputs}
        live -= sum(_bytes(types[name], sizes) for name in used - weights if last.get(name, i) == i)
    return peak


def node_flops(node: OpNode, types: Mapping[str, Type]) -> Dim:
    """Two per multiply-add of a matrix product, convolution or attention; everything else counts as none."""
    formula = _FLOPS.get(node.op.partition(".")[0])
    return formula(node, types) if formula else 0


def _shape(node: OpNode, types: Mapping[str, Type], argument: str) -> Shape:
    arg = node.args.get(argument)
    type_ = types.get(arg.name) if isinstance(arg, Ref) else None
    return type_.shape if isinstance(type_, TensorMeta) else ()


def _result(node: OpNode) -> Shape:
    type_ = node.outputs[0].type if node.outputs else None
    return type_.shape if isinstance(type_, TensorMeta) else ()


def _product_over(argument: str) -> Callable[[OpNode, Mapping[str, Type]], Dim]:
    """A matrix product: every element of the result is a sum over the last dimension of this argument."""

    def flops(node: OpNode, types: Mapping[str, Type]) -> Dim:
        left = _shape(node, types, argument)
        return 2 * product(_result(node)) * (left[-1] if left else 1)

    return flops


def _convolution(node: OpNode, types: Mapping[str, Type]) -> Dim:
    weight = _shape(node, types, "weight")
    if not weight:
        return 0
    transposed = node.args.get("transposed") is True or "transpose" in node.op
    outer = _shape(node, types, "input") if transposed else _result(node)
    return 2 * product(outer) * product(weight[1:])


def _attention(node: OpNode, types: Mapping[str, Type]) -> Dim:
    query, key, value = (_shape(node, types, name) for name in ("query", "key", "value"))
    if not (query and key and value):
        return 0
    return 2 * product(query[:-1]) * key[-2] * (query[-1] + value[-1])


_FLOPS: dict[str, Callable[[OpNode, Mapping[str, Type]], Dim]] = {
    **{f"aten::{name}": _product_over("self") for name in ("mm", "bmm", "mv", "dot", "matmul")},
    **{f"aten::{name}": _product_over("mat1") for name in ("addmm",)},
    "aten::baddbmm": _product_over("batch1"),
    "aten::addmv": _product_over("mat"),
    "aten::linear": _product_over("input"),
    **{f"aten::{name}": _convolution for name in ("convolution", "conv1d", "conv2d", "conv3d", "_convolution")},
    **{f"aten::conv_transpose{n}d": _convolution for n in (1, 2, 3)},
    "aten::scaled_dot_product_attention": _attention,
    "aten::_scaled_dot_product_flash_attention_for_cpu": _attention,
}
