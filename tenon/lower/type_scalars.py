"""A Python number where an operator takes a tensor becomes a constant of the dtype that torch would compute in."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import torch

from tenon.ir.graph import Graph, OpNode, Ref, Value, Weight
from tenon.ir.rewrite import everywhere, fresh_names
from tenon.ir.types import DType, ScalarMeta, TensorMeta, Type
from tenon.ops.promotion import tensor_arguments
from tenon.ops.values import DTYPE_OF, TORCH_DTYPE, bytes_of

Number = bool | int | float


def type_scalars(graph: Graph) -> Graph:
    """add.Tensor(x, 1) becomes add.Tensor(x, %scalar.0), a constant of x's dtype; equal ones are one.  aten -> aten

    A subgraph has no constants of its own: there it is a `full` of no dimensions.
    """
    made: dict[tuple[DType, str], Weight] = {}

    def constant(value: Number, dtype: DType, nodes: list[OpNode]) -> Ref:
        return Ref(_constant(value, dtype, made).name)

    subgraphs = {name: everywhere(sub, _in_subgraph) for name, sub in graph.subgraphs.items()}
    lowered = _typed(graph, constant, fresh_names(graph))
    return replace(lowered, weights=(*graph.weights, *made.values()), subgraphs=subgraphs)


def _in_subgraph(graph: Graph) -> Graph:
    names = fresh_names(graph)
    return _typed(graph, lambda value, dtype, nodes: _full(value, dtype, names, nodes), names)


def _full(value: Number | Ref, dtype: DType, names: Iterator[str], nodes: list[OpNode]) -> Ref:
    result = Value(next(names), TensorMeta(dtype, ()))
    nodes.append(OpNode("aten::full", {"size": (), "fill_value": value, "dtype": dtype}, (result,)))
    return Ref(result.name)


def _typed(graph: Graph, constant: Callable[[Number, DType, list[OpNode]], Ref], names: Iterator[str]) -> Graph:
    types, nodes = graph.types, list[OpNode]()
    for node in graph.nodes:
        args = dict(node.args)
        for name in tensor_arguments(node.op):
            arg = node.args.get(name)
            if isinstance(arg, (bool, int, float)):
                args[name] = constant(arg, _dtype(node, arg, types), nodes)
            elif isinstance(arg, Ref) and isinstance(type_ := types[arg.name], ScalarMeta):  # known when it runs
                args[name] = _full(arg, _dtype(node, _OF_KIND[type_.kind], types), names, nodes)
        nodes.append(replace(node, args=args))
    return replace(graph, nodes=tuple(nodes))


_OF_KIND: dict[str, Number] = {"bool": False, "int": 0, "float": 0.0}


def _dtype(node: OpNode, value: Number, types: dict[str, Type]) -> DType:
    """What torch computes in: the dtype of the tensors beside the number, widened by its kind."""
    beside = [
        type_
        for name, arg in node.args.items()
        if name != "condition" and isinstance(arg, Ref) and isinstance(type_ := types[arg.name], TensorMeta)
    ]
    if not beside:
        result = node.outputs[0].type
        assert isinstance(result, TensorMeta)
        return result.dtype
    tensor = torch.empty((1,) * len(beside[0].shape), dtype=TORCH_DTYPE[beside[0].dtype], device="meta")
    return DTYPE_OF[torch.result_type(tensor, value)]


def _constant(value: Number, dtype: DType, made: dict[tuple[DType, str], Weight]) -> Weight:
    key = (dtype, repr(value))
    if key not in made:
        tensor = torch.tensor(value, dtype=TORCH_DTYPE[dtype])
        made[key] = Weight(f"scalar.{len(made)}", "constant", TensorMeta(dtype, ()), data=bytes_of(tensor))
    return made[key]
