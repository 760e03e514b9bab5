"""Where torch would promote dtypes by itself, the cast is written out."""

from collections.abc import Iterator
from dataclasses import replace

import torch

from tenon.ir.graph import Arg, Graph, OpNode, Ref, Value
from tenon.ir.rewrite import everywhere, fresh_names
from tenon.ir.types import DType, TensorMeta, Type
from tenon.ops.schema import find_op
from tenon.ops.values import DTYPE_OF, TORCH_DTYPE

_NOT_PROMOTED = ("condition",)  # where's condition stays bool


def cast_promotions(graph: Graph) -> Graph:
    """add(x: int64, y: float32) becomes add(_to_copy(x, float32), y).  aten -> aten"""
    return everywhere(graph, _cast)


def _cast(graph: Graph) -> Graph:
    types, names = graph.types, fresh_names(graph)
    nodes: list[OpNode] = []
    for node in graph.nodes:
        common = _common_dtype(node, types)
        args = dict(node.args)
        for name in _promoted(node, types) if common else ():
            assert common is not None
            args[name] = _each_cast(args[name], common, node, types, names, nodes)
        nodes.append(replace(node, args=args))
    return replace(graph, nodes=tuple(nodes))


def _promoted(node: OpNode, types: dict[str, Type]) -> list[str]:
    """The arguments that torch brings to one dtype: those of a pointwise operator, and the list of cat."""
    op = find_op(node.op)
    if node.op == "aten::cat":
        return ["tensors"]
    if op is None or torch.Tag.pointwise not in op.tags:
        return []
    return [n for n, arg in node.args.items() if n not in _NOT_PROMOTED and _meta(arg, types) is not None]


def _meta(arg: Arg, types: dict[str, Type]) -> TensorMeta | None:
    type_ = types.get(arg.name) if isinstance(arg, Ref) else None
    return type_ if isinstance(type_, TensorMeta) else None


def _common_dtype(node: OpNode, types: dict[str, Type]) -> DType | None:
    """The dtype the arguments meet in, if they have different ones."""
    metas: list[TensorMeta] = []
    for name in _promoted(node, types):
        arg = node.args[name]
        metas += [m for part in (arg if isinstance(arg, tuple) else (arg,)) if (m := _meta(part, types)) is not None]
    if len({meta.dtype for meta in metas}) < 2:
        return None
    # A tensor of no dimensions gives way to one that has some, if both are of one kind: torch's rule, asked of torch.
    tensors = [torch.empty((1,) * len(meta.shape), dtype=TORCH_DTYPE[meta.dtype], device="meta") for meta in metas]
    common = tensors[0]
    for tensor in tensors[1:]:
        dims = max(common.dim(), tensor.dim())
        common = torch.empty((1,) * dims, dtype=torch.result_type(common, tensor), device="meta")
    return DTYPE_OF[common.dtype]


def _each_cast(
    arg: Arg, common: DType, node: OpNode, types: dict[str, Type], names: Iterator[str], nodes: list[OpNode]
) -> Arg:
    if isinstance(arg, tuple):
        return tuple(_each_cast(part, common, node, types, names, nodes) for part in arg)
    meta = _meta(arg, types)
    if meta is None or meta.dtype == common:
        return arg
    result = Value(next(names), replace(meta, dtype=common))
    nodes.append(OpNode("aten::_to_copy", {"self": arg, "dtype": common}, (result,), node.source))
    return Ref(result.name)
