"""Layers between quantised numbers compute with these, not with the floats that they stand for."""

from collections.abc import Container
from dataclasses import dataclass

from tenon.ir.graph import Arg, Graph, OpNode, Ref
from tenon.ir.types import DTYPE, TensorMeta
from tenon.lower.panels import quads
from tenon.lower.quantized import (
    ALL,
    BYTES,
    PER_CHANNEL,
    PER_TENSOR,
    clamped,
    is_known,
    is_narrow,
    makes_bytes,
    rounded,
    type_of,
)
from tenon.lower.separate_constants import constants
from tenon.lower.writer import Writer, is_float

_MOST_TAPS = 257  # as in native/kernels/fast/depthwise_int8.cpp


def pack_int8(graph: Graph) -> Graph:
    """quantize(relu(linear(dequantize(x), dequantize(w), b))) becomes tenon::linear_int8(x, panels of w, ...).

    So do convolutions of images, in one group or one for each channel. A layer behind which nothing is quantised gives
    float32. Only where numbers are int8 or uint8 of known scales, and weights are constant int8, scaled by output or as
    one. MobileNetV2 in int8 takes 0.33 of its time without it on one thread, and 3.6 MB of weights instead of 10.1.
    aten -> aten
    """
    write, known, users = Writer(graph), constants(graph), dict[str, OpNode]()
    for node in graph.nodes:
        users.update((arg.name, node) for arg in node.args.values() if isinstance(arg, Ref))
    taken = dict[int, tuple[_Layer, _Results]]()  # by the last node of each
    inside = set[int]()
    for node in graph.nodes:
        layer = _layer(node, write, known)
        if layer is not None:
            chain, results = _results(node, write, users)
            taken[id(chain[-1])] = layer, results
            inside.update(map(id, chain[:-1]))
    for node in graph.nodes:
        write.at = node.source
        if id(node) in taken:
            _pack(node, *taken[id(node)], write)
        elif id(node) not in inside:
            write.keep(node)
    return write.finish()


@dataclass(frozen=True, slots=True)
class _Layer:
    """A layer, what makes a float of its input, and what makes floats of its weights."""

    node: OpNode
    input: OpNode
    weight: OpNode


@dataclass(frozen=True, slots=True)
class _Results:
    """How results are told: in which dtype, of which scale and zero point, and within which limits."""

    dtype: Arg
    scale: float
    zero: int
    low: float
    high: float


def _layer(node: OpNode, write: Writer, known: Container[str]) -> _Layer | None:
    if node.op not in ("aten::linear", "aten::convolution") or not is_float(type_of(node)):
        return None
    x = write.made_by(node.args["input"], PER_TENSOR)
    weight = write.made_by(node.args["weight"], PER_TENSOR, PER_CHANNEL)
    if x is None or weight is None or not is_known(x) or _stored(x, write).dtype not in BYTES:
        return None
    filters, bias = _stored(weight, write), write.tensor(node.args.get("bias"))
    if filters.dtype != DTYPE["int8"] or not _are_constant(weight, known) or 0 in filters.shape:
        return None
    if bias is not None and (not is_float(bias) or bias.shape != filters.shape[:1]):
        return None
    if not (is_known(weight) if weight.op == PER_TENSOR else _is_by_output(weight, write)):
        return None
    if node.op == "aten::linear":
        return _Layer(node, x, weight) if len(filters.shape) == 2 else None
    if len(filters.shape) != 4 or len(type_of(node).shape) != 4 or node.args["transposed"]:
        return None
    return _Layer(node, x, weight) if node.args["groups"] == 1 or _is_depthwise(node, filters) else None


def _is_depthwise(node: OpNode, filters: TensorMeta) -> bool:
    outputs, inputs, *kernel = filters.shape
    return node.args["groups"] == outputs and inputs == 1 and int(kernel[0] * kernel[1]) <= _MOST_TAPS  # type: ignore


def _stored(node: OpNode, write: Writer) -> TensorMeta:
    """The numbers that a node makes floats of."""
    meta = write.tensor(node.args["input"])
    assert meta is not None
    return meta


def _are_constant(node: OpNode, known: Container[str]) -> bool:
    return all(arg.name in known for arg in node.args.values() if isinstance(arg, Ref))


def _is_by_output(node: OpNode, write: Writer) -> bool:
    scales, zeros = write.tensor(node.args["scales"]), write.tensor(node.args["zero_points"])
    is_whole = zeros is None or zeros.dtype in (DTYPE["int32"], DTYPE["int64"], *BYTES)
    return is_float(scales) and is_whole and node.args["axis"] == 0 and is_narrow(node)


def _results(node: OpNode, write: Writer, users: dict[str, OpNode]) -> tuple[list[OpNode], _Results]:
    """The layer and what follows it and is part of it: a clamp, and what makes quantised numbers of its result."""
    chain, limits, following = [node], ALL, _next(node, write, users)
    ends = clamped(following)
    if following is not None and ends is not None:
        chain.append(following)
        limits, following = ends, _next(following, write, users)
    if following is None or not makes_bytes(following):
        return chain, _Results(DTYPE["float32"], 1.0, 0, *limits)
    scale, zero = following.args["scale"], following.args["zero_point"]
    assert isinstance(scale, float) and isinstance(zero, int)
    return [*chain, following], _Results(following.args["dtype"], scale, zero, *rounded(following, limits))


def _next(node: OpNode, write: Writer, users: dict[str, OpNode]) -> OpNode | None:
    """The only one that uses what a node makes."""
    name = node.outputs[0].name
    return users.get(name) if write.uses[name] == 1 else None


def _pack(last: OpNode, layer: _Layer, results: _Results, write: Writer) -> None:
    """In the place of the last of its nodes."""
    node, x, weight = layer.node, layer.input, layer.weight
    scale = x.args["scale"]
    assert isinstance(scale, float)
    outputs, *sizes = (int(size) for size in _stored(weight, write).shape)  # type: ignore[arg-type]
    args = {"input": x.args["input"], "input_zero": x.args["zero_point"]}
    args |= {"weight": None, **_scales(weight, scale / results.scale, outputs, write)}
    args["bias"] = _divided(node.args.get("bias"), results.scale, write)
    end = {"dtype": results.dtype, "zero": results.zero, "low": results.low, "high": results.high}
    numbers = weight.args["input"]
    assert isinstance(numbers, Ref)
    if node.op == "aten::linear":
        args["weight"] = quads(write, write.make("aten::unsqueeze_copy", self=numbers, dim=1))
        write.replace(last, "tenon::linear_int8", {**args, "outputs": outputs, **end})
        return
    inputs, *kernel = sizes
    stride, (down, across), dilation = (_pair(node.args[name]) for name in ("stride", "padding", "dilation"))
    steps: dict[str, Arg] = {"kernel": tuple(kernel), "stride": stride}
    steps |= {"padding": (down, down, across, across), "dilation": dilation}
    if node.args["groups"] != 1:
        rows = write.make("aten::view_copy", self=numbers, size=(outputs, kernel[0] * kernel[1]))
        args["weight"] = write.make("aten::permute_copy", self=rows, dims=(1, 0))
        write.replace(last, "tenon::convolution_depthwise_int8", {**args, **steps, **end})
        return
    places = write.make("aten::permute_copy", self=numbers, dims=(0, 2, 3, 1))
    runs = kernel[0] if dilation[1] == 1 else kernel[0] * kernel[1]
    length = kernel[0] * kernel[1] * inputs // runs
    args["weight"] = quads(write, write.make("aten::view_copy", self=places, size=(outputs, runs, length)))
    write.replace(last, "tenon::convolution_int8", {**args, "outputs": outputs, **steps, **end})


def _scales(weight: OpNode, factor: float, outputs: int, write: Writer) -> dict[str, Arg]:
    """What sums are multiplied by, and the zero points of weights, of each output."""
    if weight.op == PER_CHANNEL:
        zeros = weight.args["zero_points"]
        if isinstance(zeros, Ref):
            zeros = write.make("aten::_to_copy", self=zeros, dtype=DTYPE["int32"])
        return {"scales": write.make("aten::mul.Scalar", self=weight.args["scales"], other=factor), "zeros": zeros}
    scale, zero = weight.args["scale"], weight.args["zero_point"]
    assert isinstance(scale, float)
    return {
        "scales": _full(outputs, scale * factor, "float32", write),
        "zeros": None if zero == 0 else _full(outputs, zero, "int32", write),
    }


def _full(count: int, number: Arg, dtype: str, write: Writer) -> Ref:
    return write.make("aten::full", size=(count,), fill_value=number, dtype=DTYPE[dtype])


def _divided(bias: Arg, scale: float, write: Writer) -> Arg:
    return bias if bias is None or scale == 1.0 else write.make("aten::mul.Scalar", self=bias, other=1.0 / scale)


def _pair(arg: Arg) -> tuple[Arg, ...]:
    assert isinstance(arg, tuple)
    return arg * 2 if len(arg) == 1 else arg
