"""Where torch would promote dtypes by itself, the cast is written out."""

from collections.abc import Iterator
from dataclasses import replace

import torch

from tenon.ir.graph import Arg, Graph, OpNode, Ref, Value
from tenon.ir.rewrite import everywhere, fresh_names
from tenon.ir.types import DType, ScalarMeta, TensorMeta, Type
from tenon.ops.promotion import promoted_arguments, promoting_numbers
from tenon.ops.values import DTYPE_OF, TORCH_DTYPE


def cast_promotions(graph: Graph) -> Graph:
    """add(x: int64, y: float32) becomes add(_to_copy(x, float32), y).  aten -> aten

    A number counts as well: mul.Scalar(x: int64, 0.5) is computed on x as float32.
    """
    return everywhere(graph, _cast)


def _cast(graph: Graph) -> Graph:
    types, names = graph.types, fresh_names(graph)
    nodes: list[OpNode] = []
    for node in graph.nodes:
        common = _common_dtype(node, types)
        args = dict(node.args)
        for name in promoted_arguments(node.op) if common else ():
            assert common is not None
            if name in args:
                args[name] = _each_cast(args[name], common, node, types, names, nodes)
        nodes.append(replace(node, args=args))
    return replace(graph, nodes=tuple(nodes))


def _promoted(node: OpNode, types: dict[str, Type]) -> list[TensorMeta]:
    """The tensors that torch brings to one dtype."""
    metas: list[TensorMeta] = []
    for name in promoted_arguments(node.op):
        arg = node.args.get(name)
        metas += [m for part in (arg if isinstance(arg, tuple) else (arg,)) if (m := _meta(part, types)) is not None]
    return metas


def _meta(arg: Arg, types: dict[str, Type]) -> TensorMeta | None:
    type_ = types.get(arg.name) if isinstance(arg, Ref) else None
    return type_ if isinstance(type_, TensorMeta) else None


def _numbers(node: OpNode, types: dict[str, Type]) -> list[bool | int | float | complex]:
    """Numbers beside them that may widen it, each as one of its kind."""
    numbers: list[bool | int | float | complex] = []
    for name in promoting_numbers(node.op):
        arg = node.args.get(name)
        if isinstance(arg, (bool, int, float, complex)):
            numbers.append(arg)
        elif isinstance(arg, Ref) and isinstance(type_ := types[arg.name], ScalarMeta):
            numbers.append(_OF_KIND[type_.kind])
    return numbers


_OF_KIND: dict[str, bool | int | float] = {"bool": False, "int": 0, "float": 0.0}


def _common_dtype(node: OpNode, types: dict[str, Type]) -> DType | None:
    """The dtype the arguments meet in; None if they are in it already."""
    metas, numbers = _promoted(node, types), _numbers(node, types)
    if not metas or (len({meta.dtype for meta in metas}) == 1 and not numbers):
        return None
    # A tensor of no dimensions gives way to one that has some, if both are of one kind: torch's rule, asked of torch.
    tensors = [torch.empty((1,) * len(meta.shape), dtype=TORCH_DTYPE[meta.dtype], device="meta") for meta in metas]
    common = tensors[0]
    for other in (*tensors[1:], *numbers):
        dims = max(common.dim(), other.dim()) if isinstance(other, torch.Tensor) else common.dim()
        common = torch.empty((1,) * dims, dtype=torch.result_type(common, other), device="meta")
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
