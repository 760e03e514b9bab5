"""When each value of a graph is needed, and how many bytes it takes at most."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from tenon.errors import Unsupported, listing
from tenon.ir.dims import Range, bounds
from tenon.ir.graph import Graph, GraphRef, OpNode, Ref, refs
from tenon.ir.memory import PARTS, PERMUTE, REPLACES_PARTS, VIEW, joined_offsets, part_offsets, shows
from tenon.ir.types import TensorMeta
from tenon.ops.higher_order import row_name
from tenon.ops.schema import is_pointwise

ALIGNMENT = 16


@dataclass(frozen=True, slots=True)
class Buffer:
    """A piece of memory, called by the value it holds first and needed from `start` to `end`, both included."""

    name: str
    bytes: int
    start: int
    end: int
    uses: int = 1


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """The buffers of a graph, for every value where in which buffer it lies, and the values that are views of a
    constant."""

    buffers: tuple[Buffer, ...]
    home: dict[str, str]
    within: dict[str, int]  # the byte of its buffer that a value begins at
    of_constant: dict[str, str]  # view -> weight


def upper_bound(meta: TensorMeta, ranges: dict[str, Range]) -> int:
    """A tensor's bytes with every size at its largest."""
    size = bounds(meta.bytes, ranges)[1]
    return int(size) if size != float("inf") else -1


def lifetimes(
    graph: Graph, elsewhere: Collection[str] = (), outside: Collection[str] = (), state_in_place: bool = False
) -> Lifetimes:
    """One buffer per value that needs memory of its own. A value inside a branch is called `branch/value`.

    Weights in `elsewhere` have memory already; those in `outside` have one shape only, and no views. With
    `state_in_place`, what is written to state lies where the state lies, if that can be.
    """
    ranges = {symbol.name: symbol.range for symbol in graph.symbols}
    shared = [weight for weight in graph.weights if weight.mutated and weight.name in elsewhere and state_in_place]
    state = [weight for weight in graph.weights if weight.mutated and weight.name not in elsewhere]
    constants = {weight.name for weight in graph.weights if not weight.mutated and weight.name not in outside}
    collector = _Collector(ranges, constants)
    for value in graph.inputs:
        collector.define(value.name, value.type, 0)
    for weight in (*state, *shared):
        collector.define(weight.name, weight.type, 0)
    collector.walk(graph, "", {})
    end = collector.time + 1
    if state_in_place:
        collector.write_in_place(graph)
    kept = {ref.name for arg in graph.outputs for ref in refs(arg)}
    kept |= {name for m in graph.mutations for name in (m.value.name, m.target)}  # an input may be written to, too
    for name in kept | {weight.name for weight in (*state, *shared)}:
        collector.use(name, end)
    if collector.unbounded:
        raise Unsupported(
            listing(
                f"the memory of {graph.name} has no upper bound.",
                [f"%{name}: {shape}" for name, shape in collector.unbounded],
                "Give every dynamic dimension a largest size: Dim('batch', max=...).",
            )
        )
    collector.join_branches()
    collector.make_in_place()
    collector.reuse_in_place()
    for weight in shared:  # its memory is not ours to plan
        del collector.buffers[weight.name], collector.home[weight.name]
    return Lifetimes(tuple(collector.buffers.values()), collector.home, collector.within, collector.of_constant)


# Of a loop: its first values, what it takes row by row, what else it is given, and its bodies in order.
_LOOPS = {
    "while_loop": ("carried_inputs", "", "additional_inputs", "cond_fn", "body_fn"),
    "map_impl": ("", "xs", "pos_args", "f"),
    "scan": ("init", "xs", "additional_inputs", "combine_fn"),
}


class _Collector:
    """Walks nodes in the order in which they run, branches one after the other, and notes first and last uses."""

    def __init__(self, ranges: dict[str, Range], constants: Collection[str]) -> None:
        self.ranges = ranges
        self.of_constant: dict[str, str] = {name: name for name in constants}
        self.time = 0
        self.buffers: dict[str, Buffer] = {}
        self.home: dict[str, str] = {}
        self.within: dict[str, int] = {}
        self.types: dict[str, TensorMeta] = {}
        self.unbounded: list[tuple[str, str]] = []
        self.moved: set[str] = set()  # results of a cond: which of two places they are in is known only at run time
        self.joined: list[tuple[str, str]] = []  # two buffers of which the first must live as long as the second
        self.in_place: list[tuple[int, str, str]] = []  # when, which result could lie where which argument lies
        self.in_parts: list[tuple[int, str, str]] = []  # the same of results that are an argument with parts replaced
        self.made: dict[str, str] = {}  # what a kernel makes, and in which body
        self.returned: set[str] = set()
        self.joins: list[tuple[str, list[str], list[int]]] = []  # a result, and at which byte of it others could lie

    def define(self, name: str, type_: object, time: int) -> None:
        if not isinstance(type_, TensorMeta):
            return
        size = upper_bound(type_, self.ranges)
        if size < 0:
            self.unbounded.append((name, f"[{', '.join(map(str, type_.shape))}]"))
        self.home[name], self.within[name], self.types[name] = name, 0, type_
        self.buffers[name] = Buffer(name, max(size, 0), time, time)

    def use(self, name: str, time: int) -> None:
        home = self.home.get(name)
        if home is not None:
            known = self.buffers[home]
            self.buffers[home] = replace(known, end=max(known.end, time), uses=known.uses + 1)

    def walk(self, graph: Graph, prefix: str, known: dict[str, str]) -> None:
        """`known` says what a subgraph's inputs are called outside."""
        returned = {ref.name for arg in graph.outputs for ref in refs(arg)} | {m.value.name for m in graph.mutations}
        self.returned |= {known.get(name, prefix + name) for name in returned}
        for node in graph.nodes:
            self.time += 1
            for name in dict.fromkeys(ref.name for arg in node.args.values() for ref in refs(arg)):
                self.use(known.get(name, prefix + name), self.time)
            if any(isinstance(arg, GraphRef) for arg in node.args.values()):
                self.branches(graph, node, prefix, known)
            elif not self.is_view(node, prefix, known, returned) and not self.are_parts(node, prefix, known, returned):
                for value in node.outputs:
                    self.define(prefix + value.name, value.type, self.time)
                    self.made[prefix + value.name] = prefix
                self.note_in_place(graph, node, prefix, known)
                self.note_join(node, prefix, known)

    def note_in_place(self, graph: Graph, node: OpNode, prefix: str, known: dict[str, str]) -> None:
        """One element at a time: the result may take the place of an argument of its own type, if nobody else needs it.

        An argument that shows the same memory in another shape would be overwritten before it is read.
        """
        kept = node.args.get(REPLACES_PARTS.get(node.op, ""))
        if len(node.outputs) != 1 or not (is_pointwise(node.op) or isinstance(kept, Ref)):
            return
        result, names = node.outputs[0], [ref.name for arg in node.args.values() for ref in refs(arg)]
        is_own = node.op.startswith("tenon::")  # another runtime's kernels may read what they wrote over
        for name in dict.fromkeys(names):
            outer = known.get(name, prefix + name)
            home = self.home.get(outer)
            shown = [other for other in names if self.home.get(known.get(other, prefix + other)) == home]
            if home is None or {*shown} != {name} or self.types.get(outer) != result.type:
                continue
            is_kept = kept == Ref(name) and len(shown) == 1
            if is_pointwise(node.op) or (is_kept and is_own):
                self.in_place.append((self.time, prefix + result.name, outer))
            if is_pointwise(node.op) or is_kept:
                self.in_parts.append((self.time, prefix + result.name, outer))

    def write_in_place(self, graph: Graph) -> None:
        """What state becomes may lie where it lies, if the node that makes it is the last that reads the state.

        What is returned lies elsewhere: an output aliases no state.
        """
        changed = {(result, argument): time for time, result, argument in self.in_parts}
        weights = {weight.name for weight in graph.weights}
        returned = {ref.name for arg in graph.outputs for ref in refs(arg)}
        for mutation in graph.mutations:
            name, target = mutation.value.name, mutation.target
            time = changed.get((name, target))
            if time is None or target not in weights or name in returned or name not in self.buffers:
                continue
            if self.buffers[target].end == time:
                self.join([each for each, home in self.home.items() if home == name], name, target)

    def reuse_in_place(self) -> None:
        """Where an argument's last use makes a result that can take its place, both are one buffer."""
        members: dict[str, list[str]] = {}
        for name, home in self.home.items():
            members.setdefault(home, []).append(name)
        for time, result, argument in self.in_place:
            home, own = self.home[argument], self.buffers.get(result)
            if own is None or own.start != time or self.buffers[home].end != time or home == result:
                continue
            self.join(members[result], result, home, self.within[argument])
            members[home] += members.pop(result)

    def join(self, members: list[str], name: str, home: str, offset: int = 0) -> None:
        """A buffer, and all that lies in it, becomes part of another."""
        own, before = self.buffers.pop(name), self.buffers[home]
        for each in members:
            self.home[each] = home
            self.within[each] += offset
        self.buffers[home] = replace(before, end=max(own.end, before.end), uses=before.uses + own.uses)

    def is_view(self, node: OpNode, prefix: str, known: dict[str, str], returned: set[str]) -> bool:
        """A view lies where what it shows lies, and so does a permutation that moves nothing."""
        source = node.args.get("self")
        if node.op not in (VIEW, PERMUTE) or not isinstance(source, Ref) or node.outputs[0].name in returned:
            return False
        shown, name, meta = known.get(source.name, prefix + source.name), prefix + node.outputs[0].name, node.outputs[0]
        assert isinstance(meta.type, TensorMeta)
        if shown in self.of_constant and node.op == VIEW and meta.type.is_static and meta.type.in_order:
            self.of_constant[name] = self.of_constant[shown]
            return True
        before = self.types.get(shown)
        if shown not in self.home or before is None or not shows(node, before) or shown in self.moved:
            return False
        if not meta.type.is_static and upper_bound(meta.type, self.ranges) != upper_bound(before, self.ranges):
            return False  # as far as the ranges tell, it might be larger
        self.lie(name, meta.type, shown)
        return True

    def are_parts(self, node: OpNode, prefix: str, known: dict[str, str], returned: set[str]) -> bool:
        """Parts that are runs lie where the whole lies, if all of them can."""
        source = node.args.get("self")
        if node.op not in PARTS or not isinstance(source, Ref) or {value.name for value in node.outputs} & returned:
            return False
        whole = known.get(source.name, prefix + source.name)
        before = self.types.get(whole)
        offsets = None if before is None or whole in self.moved else part_offsets(node, before)
        if whole not in self.home or offsets is None or any(offset % ALIGNMENT for offset in offsets):
            return False
        for value, offset in zip(node.outputs, offsets, strict=True):
            assert isinstance(value.type, TensorMeta)
            self.lie(prefix + value.name, value.type, whole, offset)
        return True

    def lie(self, name: str, type_: TensorMeta, shown: str, offset: int = 0) -> None:
        """A value lies where another does, from one of its bytes on."""
        self.home[name], self.within[name] = self.home[shown], self.within[shown] + offset
        self.types[name] = type_

    def note_join(self, node: OpNode, prefix: str, known: dict[str, str]) -> None:
        listed = node.args.get("tensors")
        if not isinstance(listed, tuple) or not all(isinstance(each, Ref) for each in listed):
            return
        names = [known.get(each.name, prefix + each.name) for each in listed if isinstance(each, Ref)]
        types = [self.types[name] for name in names if name in self.types]
        offsets = joined_offsets(node, types) if len(types) == len(names) else None
        if offsets is not None and not any(offset % ALIGNMENT for offset in offsets):
            self.joins.append((prefix + node.outputs[0].name, names, offsets))

    def make_in_place(self) -> None:
        """What is joined is made where it is to lie, if that goes for all of it and takes no more memory."""
        members: dict[str, list[str]] = {}
        for name, home in self.home.items():
            members.setdefault(home, []).append(name)
        for result, names, offsets in self.joins:
            homes = [self.home[name] for name in names]
            if not self.can_join(result, names, homes, members):
                continue
            pieces = [self.buffers[home] for home in homes]
            before = self.buffers[result]
            start, end = min(each.start for each in pieces), max(before.end, *(each.end for each in pieces))
            uses = before.uses + sum(each.uses for each in pieces)
            whole = replace(before, start=start, end=end, uses=uses)
            others = [each for each in self.buffers.values() if each.name != result and each.name not in homes]
            if _most(others, [whole]) > _most(others, [before, *pieces]):
                continue
            self.buffers[result] = whole
            for home, offset in zip(homes, offsets, strict=True):
                del self.buffers[home]
                for name in members[home]:
                    self.home[name] = result
                    self.within[name] += offset
                members[result] += members.pop(home)

    def can_join(self, result: str, names: list[str], homes: list[str], members: dict[str, list[str]]) -> bool:
        """Whether each piece is all of a buffer that a kernel of the same body makes, and no result of the body."""
        body = self.made[result]
        if len({*homes}) != len(homes) or self.home[result] != result or {*members[result]} & self.returned:
            return False
        return all(
            self.made.get(home) == body
            and self.within[name] == 0
            and self.buffers[home].bytes == upper_bound(self.types[name], self.ranges)
            and not {*members[home]} & self.returned
            for name, home in zip(names, homes, strict=True)
        )

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
        self.time += 1
        for value in node.outputs:  # also those that nobody uses: a body reads them all at its end
            self.use(prefix + value.name, self.time)

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
        """The result of a body becomes the result of the call: the call's is where the first body's is."""
        if not isinstance(type_, TensorMeta):
            return
        self.moved.add(name)
        home = self.home.get(result)
        if name not in self.home:
            if home is None:  # a constant: the call's result needs no memory, but a place
                self.define(name, type_, self.time)
            else:
                self.lie(name, type_, result)
        elif home is not None:
            self.joined.append((home, self.home[name]))

    def join_branches(self) -> None:
        """What a body hands over lives as long as the result of the call, outer calls first."""
        for home, result in reversed(self.joined):
            end = max(self.buffers[home].end, self.buffers[result].end)
            self.buffers[home] = replace(self.buffers[home], end=end)


def _most(buffers: Sequence[Buffer], more: Sequence[Buffer]) -> int:
    """The most bytes that are alive at one time while any of `more` is."""
    first, last = min(each.start for each in more), max(each.end for each in more)
    change: dict[int, int] = {}
    for each in (*buffers, *more):
        if each.start <= last and each.end >= first:
            size = -(-each.bytes // ALIGNMENT) * ALIGNMENT
            change[each.start] = change.get(each.start, 0) + size
            change[each.end + 1] = change.get(each.end + 1, 0) - size
    return max(accumulate(change[moment] for moment in sorted(change)))
