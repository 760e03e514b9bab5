"""Runs a graph in Python on torch's own kernels: the oracle that everything native is compared with."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from tenon.errors import Invalid, TenonError, Unsupported
from tenon.ir.dims import evaluate, product
from tenon.ir.graph import Arg, Graph, GraphRef, OpNode, OpRef, Ref, at, refs
from tenon.ir.tree import unflatten
from tenon.ir.types import TensorMeta
from tenon.ops import higher_order
from tenon.ops.registry import find_executor
from tenon.ops.schema import call_arguments, find_op, unknown_op
from tenon.ops.symbolic import SYMBOLIC
from tenon.ops.values import to_torch
from tenon.run.inputs import check_inputs, flat_inputs
from tenon.run.weights import bind_weights, load_weights

Build = Callable[[list[Any]], Any]  # an argument's value, from the values of the graph


class Step(NamedTuple):
    """One node, ready to run: where its arguments come from, where its results go, what dies after it."""

    call: Callable[..., Any]
    slots: tuple[int, ...]  # plain arguments, by position
    nested: tuple[tuple[int, Build], ...]  # positional arguments with values inside lists
    keywords: tuple[tuple[str, Build], ...]
    results: tuple[int, ...]
    dead: tuple[int, ...]
    node: OpNode


class Executor:
    """A graph with its weights, called like the model it was captured from.

    Weights are taken from a state dict and not copied, but for those that the graph changes: these are the
    executor's own, and keep their value from call to call. Every value is freed after its last use.

    >>> executor = Executor(ir, model.state_dict())
    >>> executor(x)
    """

    def __init__(self, graph: Graph, weights: Mapping[str, torch.Tensor] | None = None) -> None:
        if not isinstance(graph, Graph):
            raise Invalid(f"an Executor runs a graph, not a {type(graph).__name__}. Capture the model first.")
        self.graph = graph
        self._initial = bind_weights(graph, weights or {})
        self._weights: dict[str, torch.Tensor] = {}
        self._program = Program(graph)
        self.reset()

    def reset(self) -> None:
        """Give every weight that the graph changes its first value again."""
        for weight in self.graph.weights:
            tensor = laid_out(self._initial[weight.name], weight.type, {})
            self._weights[weight.name] = tensor.detach().clone() if weight.mutated else tensor

    @property
    def state(self) -> dict[str, torch.Tensor]:
        """The weights that the graph changes, as they are now."""
        return {weight.name: self._weights[weight.name] for weight in self.graph.weights if weight.mutated}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves = flat_inputs(self.graph, args, kwargs)
        with torch.no_grad():
            outputs, written = self._program.run(self._prepared(leaves))
        self._write_back(written, leaves)
        return unflatten(self.graph.out_tree, iter(outputs))

    def steps(self, *args: Any, **kwargs: Any) -> Iterator[tuple[OpNode, list[Any]]]:
        """Run node by node: each with its results, before the next is run."""
        leaves = flat_inputs(self.graph, args, kwargs)
        yield from self._program.steps(self._prepared(leaves))

    def _prepared(self, leaves: list[Any]) -> list[Any]:
        """Inputs and weights, in the layout that the graph was captured with."""
        sizes = check_inputs(self.graph, leaves)
        inputs = [
            laid_out(leaf, value.type, sizes) if isinstance(value.type, TensorMeta) else leaf
            for value, leaf in zip(self.graph.inputs, leaves, strict=True)
        ]
        return [*inputs, *self._weights.values()]

    def _write_back(self, written: list[Any], leaves: list[Any]) -> None:
        inputs = {value.name: leaf for value, leaf in zip(self.graph.inputs, leaves, strict=True)}
        for mutation, value in zip(self.graph.mutations, written, strict=True):
            if mutation.target in inputs:
                inputs[mutation.target].copy_(value)
            else:
                self._weights[mutation.target] = value


def execute_ir(
    ir: Graph,
    inputs: Any,
    state_dict: Mapping[str, torch.Tensor] | None = None,
    weights_path: str | os.PathLike[str] | None = None,
    kwargs: Mapping[str, Any] | None = None,
) -> Any:
    """Run a graph once. `inputs` is the tuple of positional inputs (or one tensor), or a dict of inputs by name.

    Weights come from `state_dict` or from the file `weights_path` (.pt or .safetensors).
    """
    if state_dict is not None and weights_path is not None:
        raise Invalid("weights come from state_dict or from weights_path, not from both.")
    weights = load_weights(weights_path) if weights_path is not None else state_dict
    executor = Executor(ir, weights)
    if isinstance(inputs, Mapping):
        return executor(**inputs, **(kwargs or {}))
    positional: Sequence[Any] = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    return executor(*positional, **(kwargs or {}))


def laid_out(tensor: torch.Tensor, meta: TensorMeta, sizes: Mapping[str, int]) -> torch.Tensor:
    """The tensor with the strides its description gives: itself, or a copy that has them."""
    if meta.contiguous:
        return tensor.contiguous() if tensor.layout == torch.strided else tensor
    if meta.layout != "strided" or tensor.layout != torch.strided:
        return tensor
    strides = (
        [evaluate(stride, sizes) for stride in meta.strides]
        if meta.strides is not None
        else _dense_strides(tensor, meta)
    )
    shape = tensor.shape
    if all(have == want or size <= 1 for have, want, size in zip(tensor.stride(), strides, shape, strict=True)):
        return tensor
    return torch.empty_strided(shape, strides, dtype=tensor.dtype, device=tensor.device).copy_(tensor)


def _dense_strides(tensor: torch.Tensor, meta: TensorMeta) -> list[int]:
    order, strides = meta.dim_order, [0] * tensor.dim()
    for i, dim in enumerate(order):
        strides[dim] = int(product(max(tensor.shape[inner], 1) for inner in order[i + 1 :]))  # type: ignore[arg-type]
    return strides


class Program:
    """A graph compiled to steps over numbered slots: inputs and weights first, then constants, then results."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.slot: dict[str, int] = {}
        for value in (*graph.inputs, *graph.weights):
            self.slot[value.name] = len(self.slot)
        self.parameters = len(self.slot)
        self.template: list[Any] = [None] * self.parameters
        self.bodies = {name: Program(subgraph) for name, subgraph in graph.subgraphs.items()}
        last_use = self._last_uses()
        self.compiled = [self._compile(node, last_use.get(i, ())) for i, node in enumerate(graph.nodes)]
        self.outputs = [self._builder(arg) for arg in graph.outputs]
        self.written = [self._builder(mutation.value) for mutation in graph.mutations]

    def run(self, parameters: list[Any]) -> tuple[list[Any], list[Any]]:
        """The outputs, and what is to be written back, from the values of inputs and weights."""
        values = parameters + self.template[self.parameters :]
        step = None
        try:
            for step in self.compiled:
                args = [values[i] for i in step.slots]
                for position, build in step.nested:
                    args[position] = build(values)
                result = (
                    step.call(*args, **{name: build(values) for name, build in step.keywords})
                    if step.keywords
                    else step.call(*args)
                )
                if len(step.results) == 1 and not isinstance(result, (tuple, list)):
                    values[step.results[0]] = result
                elif step.results:
                    _store(values, step, result)
                for i in step.dead:
                    values[i] = None
        except TenonError:
            raise
        except Exception as error:  # whatever a kernel raises, with the node it happened in
            raise _failed(step, error) from error
        return [build(values) for build in self.outputs], [build(values) for build in self.written]

    def steps(self, parameters: list[Any]) -> Iterator[tuple[OpNode, list[Any]]]:
        """The same, a step at a time and without freeing."""
        values = parameters + self.template[self.parameters :]
        for step in self.compiled:
            with torch.no_grad():
                args = [values[i] for i in step.slots]
                for position, build in step.nested:
                    args[position] = build(values)
                _store(values, step, step.call(*args, **{name: build(values) for name, build in step.keywords}))
            yield step.node, [values[i] for i in step.results]

    def __call__(self, *operands: Any) -> list[Any]:
        """As the body of a higher-order operator."""
        return self.run(list(operands))[0]

    # --- compiling ----------------------------------------------------------------------------------------

    def _last_uses(self) -> dict[int, list[str]]:
        """For each node, the results that nothing after it uses."""
        last: dict[str, int] = {}
        for i, node in enumerate(self.graph.nodes):
            last.update((value.name, i) for value in node.outputs)
            last.update((ref.name, i) for arg in node.args.values() for ref in refs(arg))
        kept = {ref.name for arg in self.graph.outputs for ref in refs(arg)} | {
            m.value.name for m in self.graph.mutations
        }
        kept |= {weight.name for weight in self.graph.weights}
        dead: dict[int, list[str]] = {}
        for name, i in last.items():
            if name not in kept:
                dead.setdefault(i, []).append(name)
        return dead

    def _compile(self, node: OpNode, dead: Sequence[str]) -> Step:
        call, positional, keywords = self._call(node)
        slots, nested = [], []
        for position, arg in enumerate(positional):
            slots.append(self._slot_of(arg))
            if _has_refs(arg) and not isinstance(arg, Ref):
                nested.append((position, self._builder(arg)))
        for value in node.outputs:
            self.slot[value.name] = len(self.template)
            self.template.append(None)
        results = tuple(self.slot[value.name] for value in node.outputs)
        named = tuple((name, self._builder(arg)) for name, arg in keywords.items())
        return Step(call, tuple(slots), tuple(nested), named, results, tuple(self.slot[name] for name in dead), node)

    def _call(self, node: OpNode) -> tuple[Callable[..., Any], Sequence[Arg], Mapping[str, Arg]]:
        """The function that runs a node, and how it takes the node's arguments."""
        executor = find_executor(node.op)
        if executor is not None:
            return _by_inputs_and_attributes(executor, list(node.args)), list(node.args.values()), {}
        if node.op in SYMBOLIC:
            return SYMBOLIC[node.op], list(node.args.values()), {}
        if node.op.startswith("higher_order::"):
            return higher_order.runner(node.op), [], node.args
        op = find_op(node.op)
        if op is None:
            raise unknown_op(node)
        positional, keywords = call_arguments(node, op)
        return op, positional, keywords

    def _slot_of(self, arg: Arg) -> int:
        """The slot of a value, or a new one that holds a constant."""
        if isinstance(arg, Ref):
            return self.slot[arg.name]
        self.template.append(None if _has_refs(arg) else self._builder(arg)([]))
        return len(self.template) - 1

    def _builder(self, arg: Arg) -> Build:
        if isinstance(arg, Ref):
            slot = self.slot[arg.name]
            return lambda values: values[slot]
        if isinstance(arg, GraphRef):
            body = self.bodies[arg.name]
            return lambda _: body
        if isinstance(arg, tuple):
            parts = [self._builder(part) for part in arg]
            return lambda values: [part(values) for part in parts]
        if isinstance(arg, dict):
            entries = {key: self._builder(part) for key, part in arg.items()}
            return lambda values: {key: part(values) for key, part in entries.items()}
        constant = _operator(arg) if isinstance(arg, OpRef) else to_torch(arg)
        return lambda _: constant


def _operator(ref: OpRef) -> Any:
    found = higher_order.find_higher_order(ref.name) if ref.name.startswith("higher_order::") else find_op(ref.name)
    if found is None:
        raise Unsupported(f"{ref.name}, an argument of a higher-order operator, is not an operator of this process.")
    return found


def _has_refs(arg: Arg) -> bool:
    return next(refs(arg), None) is not None


def _by_inputs_and_attributes(executor: Callable[..., Any], names: list[str]) -> Callable[..., Any]:
    """A registered executor takes the tensors in a list, and everything else by name."""

    def call(*args: Any) -> Any:
        inputs: list[Any] = []
        attributes = {}
        for name, arg in zip(names, args, strict=True):
            parts = (
                arg if isinstance(arg, list) and arg and all(isinstance(part, torch.Tensor) for part in arg) else [arg]
            )
            if isinstance(parts[0], torch.Tensor):
                inputs.extend(parts)
            else:
                attributes[name] = arg
        return executor(inputs, attributes)

    return call


def _store(values: list[Any], step: Step, result: Any) -> None:
    leaves = _leaves(result)
    if len(leaves) < len(step.results):
        raise Invalid(f"{step.node.label}: {len(step.results)} results are expected, and {len(leaves)} came.")
    for slot, leaf in zip(step.results, leaves, strict=False):
        values[slot] = leaf


def _leaves(result: Any) -> list[Any]:
    if isinstance(result, (tuple, list)):
        return [leaf for part in result for leaf in _leaves(part)]
    return [result]


def _failed(step: Step | None, error: Exception) -> Invalid:
    who = f"{step.node.label}{at(step.node.source)}" if step else "the graph"
    reason = str(error).strip().splitlines() or [type(error).__name__]
    return Invalid(f"{who}: {reason[0]}")
