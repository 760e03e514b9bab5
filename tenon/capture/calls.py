"""Decomposes a captured graph call by call: each different call is traced once, however often it occurs.

torch traces the whole graph again to decompose it, which costs twice what capturing it did. A graph without views
that are written through and without control flow does not need that: what an operator decomposes to depends on its
arguments alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch._guards import detect_fake_mode
from torch.export.graph_signature import ExportGraphSignature, InputKind, OutputKind, OutputSpec, TensorArgument
from torch.func import functionalize
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.node import map_arg
from torch.utils import _pytree as pytree

from tenon.capture.writes import NeedsWholeGraph, Writes, is_write
from tenon.dialect.aten import stays
from tenon.ops.schema import find_op, is_custom, op_name
from tenon.ops.symbolic import READS_A_NUMBER

_PART_OF_A_WEIGHT = "export::access_subclass_inner_tensor"  # of one that is several tensors: torch makes several of it
GRAD_REGION = "wrap_with_set_grad_enabled"  # gradients do not exist here: such a region is just its body
_KEPT_META = ("stack_trace", "nn_module_stack", "from_node")
MUTATION = {
    InputKind.BUFFER: OutputKind.BUFFER_MUTATION,
    InputKind.PARAMETER: OutputKind.PARAMETER_MUTATION,
    InputKind.USER_INPUT: OutputKind.USER_INPUT_MUTATION,
}

Table = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class Body:
    """A graph, and the modules its nodes refer to."""

    graph: torch.fx.Graph
    origin: torch.fx.GraphModule

    def get_submodule(self, name: str) -> torch.nn.Module:
        return self.origin.get_submodule(name)


@dataclass(frozen=True, slots=True)
class Decomposed:
    """What an ExportedProgram says, about another graph than its own."""

    program: torch.export.ExportedProgram
    graph_module: Body
    graph_signature: ExportGraphSignature

    @property
    def graph(self) -> torch.fx.Graph:
        return self.graph_module.graph

    def __getattr__(self, name: str) -> Any:
        return getattr(self.program, name)


Exported = torch.export.ExportedProgram | Decomposed


def decompose_calls(program: torch.export.ExportedProgram, table: Table, keep: Iterable[str]) -> Decomposed:
    """Every call that the table decomposes as its pieces, every write as a new value; or NeedsWholeGraph."""
    return _Walk(program, table, frozenset(keep)).walk()


class _Walk:
    """Writes a new graph. `made` says what stands for each node of the old one: a node, or a tuple of results."""

    def __init__(self, program: torch.export.ExportedProgram, table: Table, keep: frozenset[str]) -> None:
        self.program = program
        self.table = table
        self.keep = keep
        self.graph = torch.fx.Graph()
        self.made: dict[torch.fx.Node, Any] = {}
        self.writes = Writes(program.graph)
        self.written: list[torch.fx.Node] = []  # inputs
        self.traces: dict[Any, torch.fx.GraphModule] = {}
        self.sizes: dict[str, torch.fx.Node] = {}  # a symbolic size -> the node that computes it
        self.expands: dict[torch._ops.OpOverload, bool] = {}
        self.mode = detect_fake_mode([node.meta.get("val") for node in program.graph.nodes])

    def walk(self) -> Decomposed:
        results = self.body(self.program.graph_module)
        signature = self.program.graph_signature
        mutations = list(self.mutations())
        if mutations and any(spec.kind in MUTATION.values() for spec in signature.output_specs):
            raise NeedsWholeGraph
        outputs = [spec for spec, _ in mutations] + signature.output_specs
        self.graph.output((*(self.made[node] for _, node in mutations), *results))
        self.graph.eliminate_dead_code()
        signature = ExportGraphSignature(signature.input_specs, outputs)
        return Decomposed(self.program, Body(self.graph, self.program.graph_module), signature)

    def mutations(self) -> Iterable[tuple[OutputSpec, torch.fx.Node]]:
        """The inputs that were written to."""
        placeholders = [node for node in self.program.graph.nodes if node.op == "placeholder"]
        held = {**self.program.state_dict, **self.program.constants}
        for spec, node in zip(self.program.graph_signature.input_specs, placeholders, strict=True):
            if node in self.written:
                shared = [1 for name in held if spec.target and held[name] is held.get(spec.target)]
                if spec.kind not in MUTATION or len(shared) > 1:
                    raise NeedsWholeGraph
                target = spec.arg.name if spec.kind is InputKind.USER_INPUT else spec.target
                yield OutputSpec(MUTATION[spec.kind], TensorArgument(self.made[node].name), target), node

    def body(self, module: Any) -> tuple[Any, ...]:
        """The nodes of a graph or of a region in it; its results."""
        for node in module.graph.nodes:
            if node.op == "output":
                results = node.args[0]
                return tuple(map_arg(results if isinstance(results, (tuple, list)) else (results,), self.of))
            if node.op == "placeholder":
                if node not in self.made:
                    self.copy(node)
            elif node.op == "call_function":
                self.call(node, module)
            elif node.op != "get_attr":
                raise NeedsWholeGraph
        raise NeedsWholeGraph

    # --- calls --------------------------------------------------------------------------------------------

    def call(self, node: torch.fx.Node, module: Any) -> None:
        target: Any = node.target
        if isinstance(target, torch._ops.HigherOrderOperator):
            self.region(node, target, module)
        elif isinstance(target, torch._ops.OpOverload):
            self.operator(node, target)
        elif getattr(target, "__name__", "") == "getitem" and isinstance(results := self.of(node.args[0]), tuple):
            self.stand(node, results[node.args[1]])  # type: ignore[index]
        else:
            self.copy(node)

    def region(self, node: torch.fx.Node, target: Any, module: Any) -> None:
        if target.name() != GRAD_REGION:
            raise NeedsWholeGraph
        body = module.get_submodule(str(node.args[1].target))  # type: ignore[union-attr]
        inputs = [each for each in body.graph.nodes if each.op == "placeholder"]
        for each, operand in zip(inputs, node.args[2:], strict=True):
            self.stand(each, self.of(operand))
        self.stand(node, self.body(body))

    def operator(self, node: torch.fx.Node, op: torch._ops.OpOverload) -> None:
        if op in _CHECKED_BY_TYPES:
            return
        if op_name(op) == _PART_OF_A_WEIGHT:
            raise NeedsWholeGraph
        if op._schema.is_mutable:
            self.write(node, op)
        elif op in _RENAMED:
            self.copy(node, _RENAMED[op])
        elif self.decomposes(op):
            self.expand(node, op)
        else:
            self.copy(node)

    def write(self, node: torch.fx.Node, op: torch._ops.OpOverload) -> None:
        """A new value, under every name of what was written to."""
        twins = self.writes.twins(node, self.made)
        if op is _DETACH:
            self.stand(node, self.made[twins[0]])
            return
        functional = _functional(op)
        self.expand(node, functional) if self.decomposes(functional) else self.copy(node, functional)
        for twin in twins:
            self.stand(twin, self.made[node])
            if twin.op == "placeholder":
                self.written.append(twin)

    def decomposes(self, op: torch._ops.OpOverload) -> bool:
        found = self.expands.get(op)
        if found is None:
            name = op_name(op)
            kept = (is_custom(op) and op not in self.table) or name in self.keep or name in READS_A_NUMBER
            found = self.expands[op] = not kept and (op in self.table or not stays(op))
        return found

    # --- one call -----------------------------------------------------------------------------------------

    def of(self, node: Any) -> Any:
        return self.made[node] if isinstance(node, torch.fx.Node) else node

    def copy(self, node: torch.fx.Node, target: Any = None) -> None:
        made = self.graph.create_node(
            node.op, target or node.target, map_arg(node.args, self.of), map_arg(node.kwargs, self.of), node.name
        )
        made.meta = node.meta
        self.note(made)
        self.stand(node, made)

    def stand(self, node: torch.fx.Node, made: Any) -> None:
        self.made[node] = made
        self.writes.note(node, made)

    def note(self, made: torch.fx.Node) -> None:
        value = made.meta.get("val")
        if isinstance(value, torch.SymInt):
            self.sizes.setdefault(str(value.node.expr), made)

    def expand(self, node: torch.fx.Node, op: torch._ops.OpOverload) -> None:
        """The pieces of a call in place of it."""
        leaves, form = pytree.tree_flatten((node.args, node.kwargs))
        values = [leaf.meta["val"] if isinstance(leaf, torch.fx.Node) else leaf for leaf in leaves]
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.fx.Node)]
        key = (op, form, tuple(map(_described, values)), _twins(leaves, values, places))
        trace = self.traces.get(key)
        if trace is None:
            try:
                trace = self.traces[key] = self.trace(op, values, places, form)
            except Exception as error:  # a rule may raise anything; with the values of constants it may not
                raise NeedsWholeGraph from error
            _check_results(trace, node.meta.get("val"))
            if any(self.decomposes(each.target) for each in trace.graph.nodes if _is_operator(each)):
                raise NeedsWholeGraph  # torch's tables know more about it in its context
        inputs = [self.of(leaves[i]) for i in places]
        self.stand(node, self.splice(trace, inputs, {k: node.meta[k] for k in _KEPT_META if k in node.meta}))

    def trace(self, op: torch._ops.OpOverload, values: list[Any], places: list[int], form: Any) -> torch.fx.GraphModule:
        def call(*inputs: Any) -> Any:
            filled = list(values)
            for i, value in zip(places, inputs, strict=True):
                filled[i] = value
            args, kwargs = pytree.tree_unflatten(filled, form)
            return op(*args, **kwargs)

        def traced(function: Any) -> torch.fx.GraphModule:
            made: torch.fx.GraphModule = make_fx(function, self.table, _allow_non_fake_inputs=True)(  # type: ignore[arg-type]
                *(values[i] for i in places)
            )
            return made

        if self.mode is None:
            raise NeedsWholeGraph
        with self.mode, torch.no_grad():
            plain = traced(call)
            # torch's functionalization fixes symbolic sizes (of linear, for one): only where a rule writes to its own.
            writes = any(is_write(node) for node in plain.graph.nodes)
            return traced(functionalize(call, remove="mutations")) if writes else plain

    def splice(self, trace: torch.fx.GraphModule, inputs: list[Any], meta: dict[str, Any]) -> Any:
        inside: dict[torch.fx.Node, Any] = {}
        given = iter(inputs)
        for node in trace.graph.nodes:
            if node.op == "placeholder":
                inside[node] = next(given)
            elif node.op == "call_function":
                value = node.meta.get("val")
                known = self.sizes.get(str(value.node.expr)) if isinstance(value, torch.SymInt) else None
                if known is None:
                    args, kwargs = (map_arg(each, inside.__getitem__) for each in (node.args, node.kwargs))
                    known = self.graph.create_node("call_function", node.target, args, kwargs, node.name)
                    known.meta = {**meta, "val": value}
                    self.note(known)
                inside[node] = known
            elif node.op == "output":
                return _tuples(map_arg(node.args[0], inside.__getitem__))
            else:
                raise NeedsWholeGraph
        raise NeedsWholeGraph


_CHECKED_BY_TYPES = {torch.ops.aten._assert_tensor_metadata.default}
# Tracing it would make a new symbol for the number.
_RENAMED = {torch.ops.aten.item.default: torch.ops.aten._local_scalar_dense.default}
_DETACH = torch.ops.aten.detach_.default  # writes nothing


def _functional(op: torch._ops.OpOverload) -> torch._ops.OpOverload:
    """add.Tensor for add_.Tensor."""
    base, _, overload = op_name(op).partition(".")
    found = find_op(base.removesuffix("_") + (f".{overload}" if overload else "")) if base.endswith("_") else None
    if found is None or len(found._schema.arguments) != len(op._schema.arguments):
        raise NeedsWholeGraph
    return found


def _is_operator(node: torch.fx.Node) -> bool:
    return isinstance(node.target, torch._ops.OpOverload)


def _described(value: Any) -> Any:
    """What of a value decides how a call decomposes."""
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided or type(value).__name__ not in ("FakeTensor", "Parameter"):
            raise NeedsWholeGraph
        sizes, strides = (tuple(_size(size) for size in each) for each in (value.shape, value.stride()))
        return value.dtype, sizes, strides, value.device, value.is_conj(), value.is_neg()
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return _size(value)
    return type(value), str(value)


def _twins(leaves: list[Any], values: list[Any], places: list[int]) -> tuple[int, ...]:
    """Which operands are one: in a trace of x @ x it is not said which x is which."""
    tensors = [i for i in places if isinstance(values[i], torch.Tensor)]
    nodes = [next(j for j in tensors if leaves[j] is leaves[i]) for i in tensors]
    if nodes != [next(j for j in tensors if values[j] is values[i]) for i in tensors]:
        raise NeedsWholeGraph  # two operands of one value, which a trace would take for one
    return tuple(nodes)


def _size(value: Any) -> Any:
    return value if isinstance(value, int) else str(value.node.expr)


def _check_results(trace: torch.fx.GraphModule, expected: Any) -> None:
    """The pieces give what the call gave; what a new symbol stands for is known to the whole graph only."""
    result = next(node for node in trace.graph.nodes if node.op == "output").args[0]
    found = [leaf.meta.get("val") if isinstance(leaf, torch.fx.Node) else leaf for leaf in pytree.tree_leaves(result)]
    wanted = pytree.tree_leaves(expected)
    if len(found) != len(wanted):
        raise NeedsWholeGraph
    for mine, other in zip(found, wanted, strict=True):
        if _shown(mine) != _shown(other):
            raise NeedsWholeGraph


def _shown(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.dtype, [_size(size) for size in value.shape]
    return _size(value) if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)) else value


def _tuples(result: Any) -> Any:
    return tuple(map(_tuples, result)) if isinstance(result, (tuple, list)) else result
