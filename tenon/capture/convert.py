"""torch.export's graph as a graph of the IR: one node per call, every argument under its schema's name."""

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch.export.graph_signature import ConstantArgument, CustomObjArgument, InputKind, OutputKind, TokenArgument

from tenon.capture.aliases import Aliases
from tenon.capture.calls import GRAD_REGION, MUTATION, Body, Decomposed, Exported
from tenon.capture.source import NO_MODULE, source_of
from tenon.capture.structure import tree_of
from tenon.capture.symbols import Symbols
from tenon.capture.tensors import tensor_meta
from tenon.capture.weights import WeightTable
from tenon.errors import Unsupported
from tenon.ir.graph import Arg, Graph, GraphRef, Mutation, OpNode, OpRef, Ref, Source, Value, at
from tenon.ir.tree import flat_tree
from tenon.ir.types import ConstMeta, ScalarMeta, Type
from tenon.ir.verify import check
from tenon.ops import higher_order
from tenon.ops.registry import find_conversion
from tenon.ops.schema import named_arguments, op_name
from tenon.ops.symbolic import ARGUMENT_NAMES, symbolic_name
from tenon.ops.values import from_torch

_WEIGHT_KINDS = {InputKind.PARAMETER: "parameter", InputKind.BUFFER: "buffer", InputKind.CONSTANT_TENSOR: "constant"}


def convert_exported_program(
    program: Exported,
    *,
    model_name: str | None = None,
    dim_names: Mapping[str, str] | None = None,
    regions: Mapping[tuple[str, str], Source] | None = None,
) -> Graph:
    """The graph of an ExportedProgram as it stands, any operator in it.

    `dim_names` says what to call torch's symbols (`{'s77': 'batch'}`); without it they are numbered. `regions` are
    the places that decomposition lost.
    """
    if not isinstance(program, (torch.export.ExportedProgram, Decomposed)):
        raise Unsupported(
            f"convert_exported_program takes a torch.export.ExportedProgram, not a {type(program).__name__}."
        )
    symbols = Symbols(program.range_constraints, dim_names)
    weights = WeightTable(program, lambda tensor: tensor_meta(tensor, symbols))
    converter = _Converter(
        program.graph_module,
        symbols,
        regions or {},
        {spec.target for spec in program.graph_signature.input_specs if spec.target},
    )
    for spec, node in zip(program.graph_signature.input_specs, _placeholders(program.graph_module), strict=True):
        if spec.kind in _WEIGHT_KINDS:
            converter.values[node] = Ref(weights.add(spec, _WEIGHT_KINDS[spec.kind]))
        elif isinstance(spec.arg, CustomObjArgument):
            raise Unsupported(f"the input {node.name} is a {spec.arg.class_fqn} object, which the IR cannot hold.")
        elif isinstance(spec.arg, TokenArgument):
            converter.values[node] = None  # the order of nodes is the order of effects
        else:
            converter.add_input(
                node, spec.arg.name, spec.arg.value if isinstance(spec.arg, ConstantArgument) else node.meta.get("val")
            )
    results = converter.convert()
    outputs, mutations = _outputs(program, results, weights.names, converter.input_names)
    graph = Graph(
        name=model_name or _default_name(program),
        symbols=symbols.declared(),
        inputs=tuple(converter.inputs),
        weights=weights.finish(converter.aliases.written | {mutation.target for mutation in mutations}),
        nodes=tuple(converter.nodes),
        outputs=outputs,
        mutations=mutations,
        in_tree=tree_of(program.call_spec.in_spec),
        out_tree=tree_of(program.call_spec.out_spec),
        subgraphs=converter.subgraphs,
    )
    return check(graph)


def _outputs(
    program: Exported,
    results: tuple[Arg, ...],
    weight_names: Mapping[str, str],
    input_names: Mapping[str, str],
) -> tuple[tuple[Arg, ...], tuple[Mutation, ...]]:
    """What the user gets, and what is written back."""
    outputs, mutations = [], []
    for spec, result in zip(program.graph_signature.output_specs, results, strict=True):
        if spec.kind in MUTATION.values() and isinstance(result, Ref):
            names = input_names if spec.kind is OutputKind.USER_INPUT_MUTATION else weight_names
            mutations.append(Mutation(names[spec.target or ""], result))
        elif spec.kind is OutputKind.USER_OUTPUT:
            outputs.append(result)
        elif spec.kind is not OutputKind.TOKEN:
            raise Unsupported(
                f"an output of kind {spec.kind.name} has no meaning at inference. Export the model without it."
            )
    return tuple(outputs), tuple(mutations)


def _default_name(program: Exported) -> str:
    """The class of the module that was exported, where torch noted it."""
    stacks = (node.meta.get("nn_module_stack") or {} for node in program.graph.nodes)
    classes = (str(next(iter(stack.values()))[1]) for stack in stacks if stack)
    return next((name.rsplit(".", 1)[-1] for name in classes if name != NO_MODULE), "model")


def _placeholders(module: Any) -> list[torch.fx.Node]:
    return [node for node in module.graph.nodes if node.op == "placeholder"]


_AS_TRACED = object()


def _without_token(node: torch.fx.Node) -> Any:
    """The results of an operator with effects, without the token that torch puts first."""
    results = (node.meta.get("val") or (None,))[1:]
    return None if all(result is None for result in results) else tuple(results)


class _Converter:
    """Walks one fx graph in order; `values` maps each fx node to what stands for it in the IR."""

    def __init__(
        self,
        module: torch.fx.GraphModule | Body,
        symbols: Symbols,
        regions: Mapping[tuple[str, str], Source],
        taken: Iterable[str] = (),
        enclosing: Source | None = None,
    ) -> None:
        self.module = module
        self.symbols = symbols
        self.regions = regions
        self.taken = set(taken)
        self.enclosing = enclosing  # of the call that a subgraph belongs to: its nodes often have no place of their own
        self.values: dict[torch.fx.Node, Arg] = {}
        self.inputs: list[Value] = []
        self.input_names: dict[str, str] = {}  # torch's name -> ours
        self.nodes: list[OpNode] = []
        self.subgraphs: dict[str, Graph] = {}
        self.next_number = 0
        self.aliases = Aliases()
        self.body_writes: dict[str, list[bool]] = {}  # subgraph -> which of its inputs it writes to

    def add_input(self, node: torch.fx.Node, name: str, value: Any) -> None:
        torchs = name
        while name in self.taken:
            name += "_in"
        self.taken.add(name)
        self.input_names[torchs] = name
        self.inputs.append(Value(name, self.type_of(value)))
        self.values[node] = Ref(name)

    def convert(self) -> tuple[Arg, ...]:
        """Convert every call; the graph's results."""
        for node in self.module.graph.nodes:
            if node.op == "call_function":
                self.values[node] = self.call(node)
            elif node.op == "get_attr" and not _is_inlined(node):
                self.values[node] = self.subgraph(node)
            elif node.op == "output":
                result = node.args[0]
                return tuple(map(self.arg, result)) if isinstance(result, (tuple, list)) else (self.arg(result),)
        raise Unsupported("the captured graph has no output.")

    # --- calls --------------------------------------------------------------------------------------------

    def call(self, node: torch.fx.Node) -> Arg:
        target: Any = node.target
        source = source_of(node.meta, self.regions) or self.enclosing
        if isinstance(target, torch._ops.HigherOrderOperator):
            return self.higher_order(node, target, source)
        if isinstance(target, torch._ops.OpOverload):
            args = named_arguments(target, node.args, node.kwargs)
            result = self.emit(node, op_name(target), args, source)
            self.aliases.note_call(target, self.nodes[-1])
            return result
        name = symbolic_name(target)
        if name == "sym::getitem":
            container = self.arg(node.args[0])
            if isinstance(container, tuple):
                return container[node.args[1]]  # type: ignore[index, return-value]
        if name is not None and not node.kwargs and len(node.args) <= len(ARGUMENT_NAMES):
            return self.emit(node, name, dict(zip(ARGUMENT_NAMES, node.args, strict=False)), source)
        function = getattr(target, "__name__", str(target))
        if find_conversion(function):
            return self.emit(
                node, function, {f"arg{i}": arg for i, arg in enumerate(node.args)} | dict(node.kwargs), source
            )
        raise Unsupported(
            f"the call of {target}{at(source)} is not an operator. "
            "Make it one with torch.library, or say how it is written with tenon.ops.register_op."
        )

    def higher_order(self, node: torch.fx.Node, target: Any, source: Source | None) -> Arg:
        if target.name() == GRAD_REGION:
            return self.inline(node.args[1], node.args[2:], source)
        if target.name() == "with_effects":  # (token, operator, its arguments...) -> (token, its results...)
            operator: Any = node.args[1]
            args = named_arguments(operator, node.args[2:], node.kwargs)
            result = self.emit(node, op_name(operator), args, source, _without_token(node))
            self.aliases.note_call(operator, self.nodes[-1])
            return (None, *(result if isinstance(result, tuple) else (result,)))
        args = higher_order.named_arguments(target, node.args, node.kwargs)
        result = self.emit(node, f"higher_order::{target.name()}", args, source)
        body, operands = self.nodes[-1].args.get("wrapped_func"), self.nodes[-1].args.get("args")
        if isinstance(body, GraphRef) and isinstance(operands, tuple):
            self.aliases.note_body(operands, self.body_writes[body.name])
        return result

    def inline(self, body: Any, operands: Iterable[Any], source: Source | None) -> Arg:
        outer = self.module, self.enclosing
        module = self.module.get_submodule(str(body.target))
        self.values.update(zip(_placeholders(module), map(self.arg, operands), strict=True))
        self.module, self.enclosing = module, source  # type: ignore[assignment]
        results = self.convert()
        self.module, self.enclosing = outer
        return results

    def emit(
        self, node: torch.fx.Node, op: str, args: Mapping[str, Any], source: Source | None, result: Any = _AS_TRACED
    ) -> Arg:
        """Append a node; what stands for its result: a reference, or a tuple of them."""
        converted = {name: self.arg(arg, source) for name, arg in args.items()}
        if result is _AS_TRACED:
            result = node.meta.get("val")
        if result is None and op.startswith("higher_order::"):
            result = self.results_by_use(node)
        single = not isinstance(result, (tuple, list))
        leaves = [] if result is None else [result] if single else _leaves(result)
        outputs = [Value(self.fresh(), self.type_of(leaf)) for leaf in leaves]
        convert = find_conversion(op)
        made = OpNode(op, converted, tuple(outputs), source)
        self.nodes.append(convert(node, list(converted.values()), outputs) if convert else made)
        produced = iter(outputs)
        if result is None:
            return None
        return Ref(outputs[0].name) if single else _shaped_like(result, produced)

    def results_by_use(self, node: torch.fx.Node) -> tuple[Any, ...] | None:
        """The results of a call that torch did not describe, from the getitems that use them."""
        uses: dict[Any, Any] = {
            user.args[1]: user.meta.get("val") for user in node.users if symbolic_name(user.target) == "sym::getitem"
        }
        return tuple(uses.get(i) for i in range(max(uses) + 1)) if uses else None

    def fresh(self) -> str:
        while (name := str(self.next_number)) in self.taken:
            self.next_number += 1
        self.next_number += 1
        return name

    # --- arguments ----------------------------------------------------------------------------------------

    def arg(self, value: Any, source: Source | None = None) -> Arg:
        if isinstance(value, torch.fx.Node):
            return self.values[value]
        if isinstance(value, (tuple, list)):
            return tuple(self.arg(part, source) for part in value)
        if isinstance(value, dict):
            return {str(key): self.arg(part, source) for key, part in value.items()}
        if isinstance(value, torch._ops.HigherOrderOperator):
            return OpRef(f"higher_order::{value.name()}")
        try:
            return from_torch(value)
        except TypeError as error:
            raise Unsupported(f"an argument of a call{at(source)} cannot be held by the IR: {error}.") from error

    def subgraph(self, node: torch.fx.Node) -> Arg:
        module = self.module.get_submodule(str(node.target))
        if not isinstance(module, torch.fx.GraphModule):
            raise Unsupported(
                f"the captured graph holds {node.target}, a {type(module).__name__}, which the IR cannot."
            )
        name = str(node.target)
        while name in self.subgraphs:  # a body that was inlined may bring a name that is taken
            name += "_in"
        places = (source_of(user.meta) for user in node.users)
        inner = _Converter(module, self.symbols, self.regions, enclosing=next(filter(None, places), self.enclosing))
        for i, placeholder in enumerate(_placeholders(module)):
            inner.add_input(placeholder, f"arg{i}", placeholder.meta.get("val"))
        results = inner.convert()
        self.subgraphs[name] = Graph(
            name,
            inputs=tuple(inner.inputs),
            nodes=tuple(inner.nodes),
            outputs=results,
            in_tree=flat_tree(len(inner.inputs)),
            out_tree=flat_tree(len(results)),
            subgraphs=inner.subgraphs,
        )
        self.body_writes[name] = [value.name in inner.aliases.written for value in inner.inputs]
        return GraphRef(name)

    # --- types --------------------------------------------------------------------------------------------

    def type_of(self, value: Any) -> Type:
        if isinstance(value, torch.Tensor):
            return tensor_meta(value, self.symbols)
        for kind, classes in (("int", torch.SymInt), ("float", torch.SymFloat), ("bool", torch.SymBool)):
            if isinstance(value, classes):
                return ScalarMeta(kind, self.symbols.scalar(value))
        plain = from_torch(value)
        if plain is None or isinstance(plain, (bool, int, float, str)):
            return ConstMeta(plain)
        raise Unsupported(f"a value of the captured graph is a {type(value).__name__}, which the IR cannot hold.")


def _is_inlined(body: torch.fx.Node) -> bool:
    return all(
        isinstance(user.target, torch._ops.HigherOrderOperator) and user.target.name() == GRAD_REGION
        for user in body.users
    )


def _leaves(result: Iterable[Any]) -> list[Any]:
    return [leaf for part in result for leaf in (_leaves(part) if isinstance(part, (tuple, list)) else [part])]


def _shaped_like(result: Any, produced: Any) -> Arg:
    if isinstance(result, (tuple, list)):
        return tuple(_shaped_like(part, produced) for part in result)
    return Ref(next(produced).name)
