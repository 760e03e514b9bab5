"""When each value of a graph is needed, and how many bytes it takes at most."""

from dataclasses import dataclass, replace

from tenon.errors import Unsupported, listing
from tenon.ir.dims import Range, bounds
from tenon.ir.graph import Graph, GraphRef, OpNode, Ref, refs
from tenon.ir.types import TensorMeta
from tenon.ops.higher_order import row_name

ALIGNMENT = 16
VIEW = "aten::view_copy.out"


@dataclass(frozen=True, slots=True)
class Buffer:
    """A piece of memory, called by the value it holds first and needed from `start` to `end`, both included."""

    name: str
    bytes: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """The buffers of a graph, and for every value the buffer it lies in."""

    buffers: tuple[Buffer, ...]
    home: dict[str, str]


def upper_bound(meta: TensorMeta, ranges: dict[str, Range]) -> int:
    """A tensor's bytes with every size at its largest."""
    size = bounds(meta.bytes, ranges)[1]
    return int(size) if size != float("inf") else -1


def lifetimes(graph: Graph) -> Lifetimes:
    """One buffer per value that needs memory of its own. A value inside a branch is called `branch/value`."""
    ranges = {symbol.name: symbol.range for symbol in graph.symbols}
    collector = _Collector(ranges)
    for value in graph.inputs:
        collector.define(value.name, value.type, 0)
    for weight in graph.weights:
        if weight.mutated:
            collector.define(weight.name, weight.type, 0)
    collector.walk(graph, "", {})
    end = collector.time + 1
    kept = {ref.name for arg in graph.outputs for ref in refs(arg)} | {m.value.name for m in graph.mutations}
    kept |= {weight.name for weight in graph.weights if weight.mutated}
    for name in kept:
        collector.use(name, end)
    if collector.unbounded:
        raise Unsupported(
            listing(
                f"the memory of {graph.name} has no upper bound.",
                [f"%{name}: {shape}" for name, shape in collector.unbounded],
                "Give every dynamic dimension a largest size: Dim('batch', max=...).",
            )
        )
    return Lifetimes(tuple(collector.buffers.values()), collector.home)


# Of a loop: its first values, what it takes row by row, what else it is given, and its bodies in order.
_LOOPS = {
    "while_loop": ("carried_inputs", "", "additional_inputs", "cond_fn", "body_fn"),
    "map_impl": ("", "xs", "pos_args", "f"),
    "scan": ("init", "xs", "additional_inputs", "combine_fn"),
}


class _Collector:
    """Walks nodes in the order in which they run, branches one after the other, and notes first and last uses."""

    def __init__(self, ranges: dict[str, Range]) -> None:
        self.ranges = ranges
        self.time = 0
        self.buffers: dict[str, Buffer] = {}
        self.home: dict[str, str] = {}
        self.unbounded: list[tuple[str, str]] = []

    def define(self, name: str, type_: object, time: int) -> None:
        if not isinstance(type_, TensorMeta):
            return
        size = upper_bound(type_, self.ranges)
        if size < 0:
            self.unbounded.append((name, f"[{', '.join(map(str, type_.shape))}]"))
        self.home[name] = name
        self.buffers[name] = Buffer(name, max(size, 0), time, time)

    def use(self, name: str, time: int) -> None:
        home = self.home.get(name)
        if home is not None and time > self.buffers[home].end:
            self.buffers[home] = replace(self.buffers[home], end=time)

    def walk(self, graph: Graph, prefix: str, known: dict[str, str]) -> None:
        """`known` says what a subgraph's inputs are called outside."""
        returned = {ref.name for arg in graph.outputs for ref in refs(arg)} | {m.value.name for m in graph.mutations}
        for node in graph.nodes:
            self.time += 1
            for name in dict.fromkeys(ref.name for arg in node.args.values() for ref in refs(arg)):
                self.use(known.get(name, prefix + name), self.time)
            if any(isinstance(arg, GraphRef) for arg in node.args.values()):
                self.branches(graph, node, prefix, known)
            elif not self.is_view(node, prefix, known, returned):
                for value in node.outputs:
                    self.define(prefix + value.name, value.type, self.time)

    def is_view(self, node: OpNode, prefix: str, known: dict[str, str], returned: set[str]) -> bool:
        """A view of planned memory, of a shape that does not vary, lies where what it shows lies."""
        source = node.args.get("self")
        if node.op != VIEW or not isinstance(source, Ref) or node.outputs[0].name in returned:
            return False
        home = self.home.get(known.get(source.name, prefix + source.name))
        meta = node.outputs[0].type
        if home is None or not isinstance(meta, TensorMeta) or any(not isinstance(size, int) for size in meta.shape):
            return False
        self.home[prefix + node.outputs[0].name] = home
        return True

    def branches(self, graph: Graph, node: OpNode, prefix: str, known: dict[str, str]) -> None:
        """The bodies of a branch or a loop."""
        kind = node.op.removeprefix("higher_order::")
        if kind == "cond":
            self.cond(graph, node, prefix, known)
        elif kind in _LOOPS:
            self.loop(graph, node, prefix, known, *_LOOPS[kind])
        else:
            raise Unsupported(f"{node.label}: a program cannot hold {node.op}.")

    def operands(self, node: OpNode, argument: str, prefix: str, known: dict[str, str]) -> list[str]:
        """What the operands of a call are called outside; a plain number has no name."""
        listed = node.args.get(argument, ())
        assert isinstance(listed, tuple)
        return [known.get(arg.name, prefix + arg.name) if isinstance(arg, Ref) else "" for arg in listed]

    def enter(self, graph: Graph, node: OpNode, which: str, prefix: str, operands: list[str]) -> list[str]:
        """Walk a body that is called with these values; what its results are called."""
        reference = node.args[which]
        assert isinstance(reference, GraphRef)
        body = graph.subgraphs[reference.name]
        inside = f"{prefix}{body.name}/"
        outer = {value.name: name for value, name in zip(body.inputs, operands, strict=True) if name}
        self.walk(body, inside, outer)
        return [outer.get(arg.name, inside + arg.name) if isinstance(arg, Ref) else "" for arg in body.outputs]

    def cond(self, graph: Graph, node: OpNode, prefix: str, known: dict[str, str]) -> None:
        """What a body returns is handed over as it is, so it lives as long as the result."""
        operands = self.operands(node, "operands", prefix, known)
        for which in ("true_fn", "false_fn"):
            results = self.enter(graph, node, which, prefix, operands)
            for value, result in zip(node.outputs, results, strict=True):
                self.handed_over(result, prefix + value.name, value.type)

    def loop(
        self,
        graph: Graph,
        node: OpNode,
        prefix: str,
        known: dict[str, str],
        first: str,
        xs: str,
        more: str,
        *bodies: str,
    ) -> None:
        """Results are where the loop keeps its values; all it is given lives until it ends, turn after turn."""
        init, rows = (self.operands(node, name, prefix, known) for name in (first, xs))
        given = self.operands(node, more, prefix, known)
        for value in node.outputs:
            self.define(prefix + value.name, value.type, self.time)
        places = [prefix + value.name for value in node.outputs]
        names = [row_name(prefix, node, number) for number in range(len(rows))]
        body_ref = node.args[bodies[-1]]
        assert isinstance(body_ref, GraphRef)
        for name, value in zip(names, graph.subgraphs[body_ref.name].inputs[len(init) :], strict=False):
            self.define(name, value.type, self.time)
        for which in bodies:
            results = self.enter(graph, node, which, prefix, [*places[: len(init)], *names, *given])
            self.time += 1
            for result in results:
                self.use(result, self.time)
        for name in (*init, *rows, *given, *places, *names):
            self.use(name, self.time)

    def handed_over(self, result: str, name: str, type_: object) -> None:
        """The result of a body and the result of the call: one lifetime, told by never freeing the former."""
        if name not in self.home:
            self.define(name, type_, self.time)
        self.use(result, 2**31)
