"""Arithmetic on numbers that a program has no operator for is said by those it has."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from tenon.ir.dims import Range, bounds
from tenon.ir.graph import Arg, Graph, OpNode, Ref, Value
from tenon.ir.rewrite import everywhere, fresh_names
from tenon.ir.types import ScalarMeta, Type

Step = Callable[..., Ref]


def prim_arithmetic(graph: Graph) -> Graph:
    """ne(a, b) becomes not(eq(a, b)), mod(a, b) with a < 0 becomes a - floordiv(a, b) * b, and so on.  aten -> aten

    The format's own remainder has the sign of a, as in C; Python's has the sign of b.
    """
    ranges = {symbol.name: symbol.range for symbol in graph.symbols}
    return everywhere(graph, lambda each: _in(each, ranges))


def _in(graph: Graph, ranges: dict[str, Range]) -> Graph:
    types, names, nodes = graph.types, fresh_names(graph), list[OpNode]()
    for node in graph.nodes:
        form = _FORMS.get(node.op)
        if form is None or (node.op == "sym::mod" and not _may_be_negative(node, types, ranges)):
            nodes.append(node)
            continue
        kind = node.outputs[0].type
        assert isinstance(kind, ScalarMeta)
        made = _Steps(node, kind.kind, names)
        form(made, *node.args.values())
        nodes += made.finish()
    return replace(graph, nodes=tuple(nodes))


class _Steps:
    """The nodes that stand for one; the last of them has its result."""

    def __init__(self, node: OpNode, kind: str, names: Iterator[str]) -> None:
        self.node = node
        self.kind = kind
        self.names = names
        self.nodes: list[OpNode] = []

    def step(self, op: str, *args: Arg, kind: str = "") -> Ref:
        result = Value(next(self.names), ScalarMeta(kind or self.kind))
        self.nodes.append(OpNode(f"sym::{op}", dict(zip("abc", args, strict=False)), (result,), self.node.source))
        return Ref(result.name)

    def finish(self) -> list[OpNode]:
        return [*self.nodes[:-1], replace(self.nodes[-1], outputs=self.node.outputs)]


def _may_be_negative(node: OpNode, types: dict[str, Type], ranges: dict[str, Range]) -> bool:
    for arg in node.args.values():
        type_ = types.get(arg.name) if isinstance(arg, Ref) else None
        known = type_.expr if isinstance(type_, ScalarMeta) else arg
        if known is None or isinstance(known, (Ref, float)) or bounds(known, ranges)[0] < 0:  # type: ignore[arg-type]
            return True
    return False


def _mod(at: _Steps, a: Arg, b: Arg) -> None:
    at.step("sub", a, at.step("mul", at.step("floordiv", a, b), b))


def _ne(at: _Steps, a: Arg, b: Arg) -> None:
    at.step("not", at.step("eq", a, b))


def _abs(at: _Steps, a: Arg) -> None:
    at.step("max", a, at.step("neg", a))


def _and(at: _Steps, a: Arg, b: Arg) -> None:
    at.step("ite", a, b, a)


def _or(at: _Steps, a: Arg, b: Arg) -> None:
    at.step("ite", a, a, b)


_FORMS: dict[str, Callable[..., None]] = {
    "sym::mod": _mod,
    "sym::ne": _ne,
    "sym::abs": _abs,
    "sym::and": _and,
    "sym::or": _or,
}
