"""Convolutions with constant filters take them packed, each in the form that is fastest for it."""

from collections.abc import Container

import torch

from tenon.ir.dims import Dim, bounds
from tenon.ir.graph import Arg, Graph, OpNode, Ref
from tenon.ir.types import DTYPE, TensorMeta
from tenon.lower.pack_linear import PLAIN
from tenon.lower.panels import panels
from tenon.lower.separate_constants import constants
from tenon.lower.writer import Writer, is_float
from tenon.ops.fused import WINOGRAD

_LEAST_CHANNELS, _LEAST_SIZE = 16, 12  # below these, transforms cost more than they save


def pack_convolution(graph: Graph) -> Graph:
    """convolution(x, w, b) becomes tenon::convolution, _depthwise or _winograd, if w is constant.  aten -> aten

    Of two dimensions, in float32, with one group or one for each channel. Others stay as they are. MobileNetV2 takes
    0.46 of its time without it on one thread.
    """
    write, known = Writer(graph), constants(graph)
    for node in graph.nodes:
        if node.op == "aten::convolution" and _packs(node, write, known):
            write.at = node.source
            _pack(node, write)
        else:
            write.keep(node)
    return write.finish()


def _packs(node: OpNode, write: Writer, known: Container[str]) -> bool:
    weight, x = node.args["weight"], write.tensor(node.args["input"])
    filters = write.tensor(weight)
    if not isinstance(weight, Ref) or filters is None or x is None or weight.name not in known or 0 in filters.shape:
        return False
    if node.args["transposed"] or len(filters.shape) != 4 or len(x.shape) != 4:
        return False
    if not all(is_float(meta) for meta in (filters, x, node.outputs[0].type)):  # type: ignore[arg-type]
        return False
    return node.args["groups"] == 1 or _is_depthwise(node, filters)


def _is_depthwise(node: OpNode, filters: TensorMeta) -> bool:
    return node.args["groups"] == filters.shape[0] and filters.shape[1] == 1 and filters.shape[0] != 1


def _pack(node: OpNode, write: Writer) -> None:
    weight, filters = node.args["weight"], write.tensor(node.args["weight"])
    assert isinstance(weight, Ref) and filters is not None
    outputs, inputs, *kernel = (int(size) for size in filters.shape)  # type: ignore[arg-type]
    args: dict[str, Arg] = {"input": node.args["input"], "weight": None, "bias": node.args.get("bias"), "other": None}
    stride, (down, across), dilation = (_pair(node.args[name]) for name in ("stride", "padding", "dilation"))
    padding = (down, down, across, across)
    steps: dict[str, Arg] = {"kernel": tuple(kernel), "stride": stride, "padding": padding, "dilation": dilation}
    if node.args["groups"] != 1:
        rows = write.make("aten::view_copy", self=weight, size=(outputs, kernel[0] * kernel[1]))
        args["weight"] = write.make("aten::permute_copy", self=rows, dims=(1, 0))
        write.replace(node, "tenon::convolution_depthwise", {**args, **steps, **PLAIN})
    elif kernel == [3, 3] and stride == dilation == (1, 1) and _is_large(node, inputs, outputs, write):
        args["weight"] = panels(write, _transformed(weight, outputs, inputs, write))
        write.replace(node, "tenon::convolution_winograd", {**args, "outputs": outputs, "padding": padding, **PLAIN})
    else:
        last = write.make("aten::permute_copy", self=weight, dims=(0, 2, 3, 1))
        rows = write.make("aten::view_copy", self=last, size=(outputs, kernel[0] * kernel[1] * inputs))
        args["weight"] = panels(write, rows)
        write.replace(node, "tenon::convolution", {**args, "outputs": outputs, **steps, **PLAIN})


def _pair(arg: Arg) -> tuple[Arg, ...]:
    assert isinstance(arg, tuple)
    return arg * 2 if len(arg) == 1 else arg


def _is_large(node: OpNode, inputs: int, outputs: int, write: Writer) -> bool:
    result = node.outputs[0].type
    assert isinstance(result, TensorMeta)
    ranges = {symbol.name: symbol.range for symbol in write.graph.symbols}

    def least(size: Dim) -> float:
        return bounds(size, ranges)[0]

    return min(inputs, outputs) >= _LEAST_CHANNELS and min(map(least, result.shape[2:])) >= _LEAST_SIZE


def _transformed(weight: Ref, outputs: int, inputs: int, write: Writer) -> Ref:
    """G w G^T of each filter, [36, outputs, inputs]; in float64, since G's thirds would be rounded twice."""
    matrix = write.constant("winograd", torch.tensor(WINOGRAD, dtype=torch.float64))
    turned = write.make("aten::permute_copy", self=matrix, dims=(1, 0))
    wide = write.make("aten::_to_copy", self=weight, dtype=DTYPE["float64"])
    rows = write.make("aten::view_copy", self=wide, size=(outputs * inputs * 3, 3))
    columns = write.make("aten::mm", self=rows, mat2=turned)
    apart = write.make("aten::view_copy", self=columns, size=(outputs * inputs, 3, 6))
    first = write.make("aten::permute_copy", self=apart, dims=(1, 0, 2))
    flat = write.make("aten::view_copy", self=first, size=(3, outputs * inputs * 6))
    both = write.make("aten::mm", self=matrix, mat2=flat)
    places = write.make("aten::view_copy", self=both, size=(6, outputs * inputs, 6))
    last = write.make("aten::permute_copy", self=places, dims=(0, 2, 1))
    narrow = write.make("aten::_to_copy", self=last, dtype=DTYPE["float32"])
    return write.make("aten::view_copy", self=narrow, size=(36, outputs, inputs))
