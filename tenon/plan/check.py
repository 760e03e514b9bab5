"""Proves a plan: follows the graph as it runs, with what every byte holds. Shares no code with what made the plan."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from tenon.errors import Invalid
from tenon.ir.dims import bounds
from tenon.ir.graph import Arg, Graph, GraphRef, OpNode, Ref, refs
from tenon.ir.memory import CAT, PARTS, PERMUTE, REPLACES_PARTS, VIEW
from tenon.ir.types import TensorMeta, Type
from tenon.ops.higher_order import row_name
from tenon.ops.schema import is_pointwise

_STEP = 16
Span = tuple[int, int, int]  # bank, first byte, end


def check_plan(graph: Graph, places: Mapping[str, tuple[int, int]], sizes: Sequence[int]) -> frozenset[str]:
    """Whatever is read still holds what was written to it, on every way through branches and loops.

    `places` gives bank and offset of a value; those of banks beyond `sizes` belong to others, and are only watched.
    Gives the results of joins and splits that have nothing to copy.
    """
    run = _Run(graph, places, sizes)
    run.run()
    return frozenset(run.there)


class Memory:
    """Which value each stretch of memory holds. A write takes from all others what it overlaps."""

    def __init__(self, held: Mapping[int, list[tuple[int, int, str]]] | None = None) -> None:
        self._held = {bank: list(spans) for bank, spans in (held or {}).items()}  # by bank: (start, end, owner), sorted

    def write(self, owner: str, span: Span) -> None:
        bank, start, end = span
        spans = self._held.setdefault(bank, [])
        first = last = bisect_left(spans, start, key=lambda s: s[1] - 1) if start < end else len(spans)
        while last < len(spans) and spans[last][0] < end:
            last += 1
        spans[first:last] = [(start, end, owner)] if start < end else []

    def holds(self, owner: str, span: Span) -> bool:
        bank, start, end = span
        spans = self._held.get(bank, [])
        i = bisect_left(spans, start + 1, key=lambda s: s[1])  # the first that ends behind the start
        return start == end or (i < len(spans) and spans[i][2] == owner and spans[i][0] <= start and end <= spans[i][1])

    def copy(self) -> Memory:
        return Memory(self._held)

    def common(self, other: Memory) -> Memory:
        """What is held on both ways."""
        theirs = {bank: set(spans) for bank, spans in other._held.items()}
        return Memory({bank: [s for s in spans if s in theirs.get(bank, ())] for bank, spans in self._held.items()})


class _Run:
    def __init__(self, graph: Graph, places: Mapping[str, tuple[int, int]], sizes: Sequence[int]) -> None:
        self.graph = graph
        self.places = places
        self.sizes = sizes
        self.ranges = {symbol.name: symbol.range for symbol in graph.symbols}
        self.memory = Memory()
        self.shown: dict[str, list[tuple[str, Span]]] = {}  # value -> what must be held where, on every way here
        self.types: dict[str, Type] = {}
        self.there: set[str] = set()

    def run(self) -> None:
        state = [weight for weight in self.graph.weights if weight.mutated]
        for value in (*state, *self.graph.inputs):  # in this order they get their values
            self.define(value.name, value.type)
        for weight in state:
            self.read(weight.name, "the first call")
        self.body(self.graph, "", {})
        for mutation in self.graph.mutations:
            self.copy(mutation.value.name, mutation.target, f"the write to {mutation.target}")
            self.renew(mutation.target)
        for name in (ref.name for arg in self.graph.outputs for ref in refs(arg)):
            self.read(name, "the end")
        for weight in state:
            self.read(weight.name, "the next call")

    # --- memory -------------------------------------------------------------------------------------------

    def span(self, name: str, type_: TensorMeta) -> Span:
        if name not in self.places:
            raise Invalid(f"the plan has no place for {name}.")
        bank, offset = self.places[name]
        if bank < 1:
            raise Invalid(f"{name} lies in bank {bank}, and banks are counted from 1.")
        end = offset + int(bounds(type_.bytes, self.ranges)[1])
        if offset % _STEP:
            raise Invalid(f"{name} lies at byte {offset}, which is not a multiple of {_STEP}.")
        if offset < 0 or (bank <= len(self.sizes) and end > self.sizes[bank - 1]):
            raise Invalid(f"{name} ends at byte {end} of the {self.sizes[bank - 1]} of bank {bank}.")
        return bank, offset, end

    def define(self, name: str, type_: Type) -> None:
        if isinstance(type_, TensorMeta):
            self.shown[name], self.types[name] = [(name, self.span(name, type_))], type_
            self.write(name)

    def write(self, name: str) -> None:
        for owner, span in self.shown.get(name, ()):
            self.memory.write(owner, span)

    def read(self, name: str, who: str) -> None:
        for owner, span in self.shown.get(name, ()):
            if not self.memory.holds(owner, span):
                raise Invalid(f"{name} is overwritten before {who} reads it at byte {span[1]} of bank {span[0]}.")

    def copy(self, source: str, place: str, who: str) -> None:
        """The bytes of one value to another, front to back: they may be the same, but not overlap."""
        self.read(source, who)
        self.apart(source, place, who)
        self.write(place)

    def renew(self, name: str) -> None:
        """From here on it is another value: who shows the one before must not be read any more."""
        self.shown[name] = [(f"{owner}, written", span) for owner, span in self.shown.get(name, ())]
        self.write(name)

    def apart(self, source: str, place: str, who: str) -> None:
        for _, span in self.shown.get(source, ()):
            for _, other in self.shown.get(place, ()):
                if span != other and _overlap(span, other):
                    raise Invalid(f"{who} copies {source} to {place}, which overlaps it.")

    # --- nodes --------------------------------------------------------------------------------------------

    def body(self, graph: Graph, prefix: str, known: Mapping[str, str]) -> None:
        for node in graph.nodes:
            names = [known.get(ref.name, prefix + ref.name) for arg in node.args.values() for ref in refs(arg)]
            for name in names:
                self.read(name, prefix + node.label)
            if any(isinstance(arg, GraphRef) for arg in node.args.values()):
                _Flow(self, graph, node, prefix, known).run()
            elif self.are_parts(node, prefix, names) or self.is_joined(node, prefix, names):
                self.there.add(prefix + node.outputs[0].name)
            elif not self.is_view(node, prefix, names):
                self.call(node, prefix, names)

    def is_view(self, node: OpNode, prefix: str, names: list[str]) -> bool:
        """A view of planned memory lies where it lies; one of a constant lies nowhere."""
        if node.op not in (VIEW, PERMUTE):
            return False
        result, source, type_ = prefix + node.outputs[0].name, names[0], node.outputs[0].type
        if not _same_bytes(node, self.types.get(source)):
            return False
        if result not in self.places and source not in self.shown:
            return True
        whole = self.one_span(source)
        if whole is None or self.places.get(result) != whole[:2]:
            return False
        self.shown[result], self.types[result] = self.shown[source], type_
        return True

    def one_span(self, name: str) -> Span | None:
        """Where all of a value lies, piece after piece; None if that is known only at run time."""
        spans, type_ = [span for _, span in self.shown.get(name, ())], self.types.get(name)
        if not spans or not isinstance(type_, TensorMeta) or any(a[::2] != b[:2] for a, b in pairwise(spans)):
            return None
        bank, start, end = (*spans[0][:2], spans[-1][2])
        return (bank, start, end) if end - start == int(bounds(type_.bytes, self.ranges)[1]) else None

    def are_parts(self, node: OpNode, prefix: str, names: list[str]) -> bool:
        """Parts of planned memory may lie where they are in the whole."""
        source = names[0] if names else ""
        whole, before = self.one_span(source), self.types.get(source)
        starts = _starts(node, before) if whole is not None else None
        if whole is None or starts is None:
            return False
        bank, first, _ = whole
        for value, start in zip(node.outputs, starts, strict=True):
            type_ = value.type
            if self.places.get(prefix + value.name) != (bank, first + start) or not isinstance(type_, TensorMeta):
                return False
            _, begin, end = self.span(prefix + value.name, type_)
            pieces = [(owner, (bank, max(a, begin), min(b, end))) for owner, (_, a, b) in self.shown[source]]
            self.shown[prefix + value.name] = [piece for piece in pieces if piece[1][1] < piece[1][2]]
            self.types[prefix + value.name] = type_
        return True

    def is_joined(self, node: OpNode, prefix: str, names: list[str]) -> bool:
        """Whether what a node joins lies there already, piece after piece."""
        result, type_ = prefix + node.outputs[0].name if node.outputs else "", node.outputs and node.outputs[0].type
        spans = [self.one_span(name) for name in names]
        if node.op != CAT or not isinstance(type_, TensorMeta) or None in spans or result not in self.places:
            return False
        bank, place, end = self.span(result, type_)
        for name, span in zip(names, spans, strict=True):
            part = self.types[name]
            assert span is not None and isinstance(part, TensorMeta)
            if span[:2] != (bank, place) or not _lies_in(part, type_, None) or part.dtype != type_.dtype:
                return False
            place = span[2]
        if place != end:
            return False
        self.shown[result] = [piece for name in names for piece in self.shown[name]]
        self.types[result] = type_
        return True

    def call(self, node: OpNode, prefix: str, names: list[str]) -> None:
        read = list[tuple[str, Span]]()
        for name in dict.fromkeys(names):
            whole = self.one_span(name)
            read += [(name, span) for span in ([whole] if whole else [each for _, each in self.shown.get(name, ())])]
        for value in node.outputs:
            self.define(prefix + value.name, value.type)
            if isinstance(value.type, TensorMeta):
                self.may_overwrite(node, prefix, value.type, self.shown[prefix + value.name][0][1], read)
        for value in node.outputs:
            self.read(prefix + value.name, f"the other results of {node.op} are written, and whoever")

    def may_overwrite(
        self, node: OpNode, prefix: str, type_: TensorMeta, span: Span, read: list[tuple[str, Span]]
    ) -> None:
        """A result may lie on an argument only if both are the same elements, taken one at a time or left alone."""
        kept = node.args.get(REPLACES_PARTS.get(node.op, ""))
        for name, other in read:
            is_kept = isinstance(kept, Ref) and name == prefix + kept.name
            same = span == other and self.types[name] == type_ and (is_kept or is_pointwise(node.op))
            if _overlap(span, other) and not same:
                raise Invalid(f"{prefix}{node.label} writes its result over its argument {name}.")


def _same_bytes(node: OpNode, before: Type | None) -> bool:
    """Whether element after element in memory is the same in a result and in its argument; a constant is in order."""
    after = node.outputs[0].type
    assert isinstance(after, TensorMeta)
    source = before if isinstance(before, TensorMeta) else None
    rows = [dim for dim in after.dim_order if after.shape[dim] != 1]
    if node.op == PERMUTE:
        dims = node.args["dims"]
        assert isinstance(dims, tuple)
        columns = source is not None and [dim for dim in source.dim_order if source.shape[dim] != 1]
        return after.is_static and columns == [int(dims[row]) % len(dims) for row in rows]  # type: ignore[arg-type]
    moved = [] if source is None else [dim for dim in source.dim_order if source.shape[dim] != 1]
    return all(a < b for order in (rows, moved) for a, b in pairwise(order))


def _starts(node: OpNode, before: Type | None) -> list[int] | None:
    """The byte of its argument that each result of a node would begin at; None if one has another layout there."""
    dim = node.args.get("dim", 0)
    if node.op not in PARTS or not isinstance(before, TensorMeta) or not isinstance(dim, int) or not before.is_static:
        return None
    dim, at, found = dim % len(before.shape), 0, list[int]()
    drops = dim if "select" in node.op or "unbind" in node.op else None
    size, first = _sizes(before)[dim], node.args.get("index", node.args.get("start"))
    if isinstance(first, int):
        at = max(first + size, 0) if first < 0 else min(first, size)
    if not isinstance(first, int | None) or node.args.get("step", 1) != 1:
        return None
    for value in node.outputs:
        part = value.type
        if not isinstance(part, TensorMeta) or not _lies_in(part, before, drops) or part.dtype != before.dtype:
            return None
        found.append(at * _steps(before)[dim] * before.dtype.bytes)
        at += 1 if drops is not None else _sizes(part)[dim]
    return found


def _sizes(meta: TensorMeta) -> list[int]:
    return [size for size in meta.shape if isinstance(size, int)]


def _steps(meta: TensorMeta) -> list[int]:
    """From one element to the next along each dimension, in elements."""
    steps, step = [0] * len(meta.shape), 1
    for dim in reversed(meta.dim_order):
        steps[dim] = step
        step *= _sizes(meta)[dim]
    return steps


def _lies_in(part: TensorMeta, whole: TensorMeta, drops: int | None) -> bool:
    """Whether a part has the steps of the whole, which may have a dimension more."""
    if not (part.is_static and whole.is_static and part.dense and whole.dense) or 0 in part.shape:
        return False
    steps = _steps(whole)
    if drops is not None:
        del steps[drops]
    rows = zip(part.shape, _steps(part), steps, strict=False)
    return len(steps) == len(part.shape) and all(size == 1 or a == b for size, a, b in rows)


def _overlap(a: Span, b: Span) -> bool:
    return a[0] == b[0] and a[1] < b[2] and b[1] < a[2]


class _Flow:
    """A call of a branch or a loop. A loop is followed for two turns: the second begins as all later ones do."""

    def __init__(self, run: _Run, graph: Graph, node: OpNode, prefix: str, known: Mapping[str, str]) -> None:
        self.all = run
        self.graph = graph
        self.node = node
        self.prefix = prefix
        self.known = known

    def run(self) -> None:
        kind = self.node.op.removeprefix("higher_order::")
        if kind == "cond":
            self.cond()
        elif kind == "while_loop":
            self.loop("carried_inputs", "", "additional_inputs", "body_fn", "cond_fn")
        else:
            scan = kind == "scan"
            self.loop("init", "xs", "additional_inputs" if scan else "pos_args", "combine_fn" if scan else "f")

    def names(self, argument: str) -> list[str]:
        listed = self.node.args.get(argument, ())
        return [self.name(arg) for arg in listed] if isinstance(listed, tuple) else []

    def name(self, arg: Arg) -> str:
        return self.known.get(arg.name, self.prefix + arg.name) if isinstance(arg, Ref) else ""

    def enter(self, which: str, operands: Iterable[str]) -> list[str]:
        """Follow a body; what its results are called."""
        reference = self.node.args[which]
        assert isinstance(reference, GraphRef)
        body = self.graph.subgraphs[reference.name]
        inside = f"{self.prefix}{body.name}/"
        outer = {value.name: name for value, name in zip(body.inputs, operands, strict=True) if name}
        self.all.body(body, inside, outer)
        results = [outer.get(arg.name, inside + arg.name) if isinstance(arg, Ref) else "" for arg in body.outputs]
        for result in results:
            self.all.read(result, f"the end of {body.name}")
        return results

    def cond(self) -> None:
        before, ways = self.all.memory, list[Memory]()
        held = list[list[list[tuple[str, Span]]]]()
        for which in ("true_fn", "false_fn"):
            self.all.memory = before.copy()
            results = self.enter(which, self.names("operands"))
            held.append([self.all.shown.get(result, []) for result in results])
            ways.append(self.all.memory)
        self.all.memory = ways[0].common(ways[1])
        owners: dict[Span, str] = {}  # results that are one value have one place
        for i, value in enumerate(self.node.outputs):
            name = self.prefix + value.name
            spans = dict.fromkeys(span for results in held for _, span in results[i])
            self.all.shown[name] = [(owners.setdefault(span, name), span) for span in spans]
            self.all.types[name] = value.type
            self.all.write(name)

    def loop(self, first: str, xs: str, more: str, body: str, test: str = "") -> None:
        init, rows, given = self.names(first), self.names(xs), self.names(more)
        results = [self.prefix + value.name for value in self.node.outputs]
        carried, stacked = results[: len(init)], results[len(init) :]
        for name, value in zip(init, self.node.outputs, strict=False):
            self.all.read(name, "the first turn")
            self.all.define(self.prefix + value.name, value.type)
            self.all.apart(name, self.prefix + value.name, "the first turn")
        for value in self.node.outputs[len(init) :]:
            self.all.define(self.prefix + value.name, value.type)
        ends = [self.all.memory.copy()]
        for _ in range(2):
            if test:
                self.enter(test, [*carried, *given])
                ends.append(self.all.memory.copy())
            taken = self.rows(body, len(init), rows)
            found = self.enter(body, [*carried, *taken, *given])
            for place, result in zip(carried, found, strict=False):
                self.all.copy(result, place, "the next turn")
            for place, result in zip(stacked, found[len(init) :], strict=True):
                self.all.read(result, "its row")
                self.all.read(place, "the next row")
            ends.append(self.all.memory.copy())
        for end in ends:
            self.all.memory = self.all.memory.common(end)
        for name in results:
            self.all.read(name, "the end of the loop")

    def rows(self, which: str, skipped: int, xs: list[str]) -> list[str]:
        reference = self.node.args[which]
        assert isinstance(reference, GraphRef)
        inputs = self.graph.subgraphs[reference.name].inputs[skipped:]
        names = [row_name(self.prefix, self.node, number) for number in range(len(xs))]
        for name, x, value in zip(names, xs, inputs, strict=False):
            self.all.read(x, "the next turn")
            self.all.define(name, value.type)
        return names
