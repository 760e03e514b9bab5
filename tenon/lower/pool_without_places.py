"""A largest number's place is told only to who asks."""

from tenon.ir.graph import Arg, Graph, OpNode
from tenon.ir.types import TensorMeta
from tenon.lower.writer import Writer, is_float


def pool_without_places(graph: Graph) -> Graph:
    """max_pool2d_with_indices whose indices nobody uses becomes tenon::max_pool, beside packed convolutions.

    Half of what it wrote were indices, of twice the bytes; and an image that lies channels last need not be copied for
    it: SqueezeNet takes 0.50 of its time without it on one thread.  aten -> aten
    """
    write = Writer(graph)
    packed = any(node.op.startswith("tenon::convolution") for node in graph.nodes)
    for node in graph.nodes:
        args = _pooled(node, write) if packed and node.op == "aten::max_pool2d_with_indices" else None
        if args is None:
            write.keep(node)
        else:
            write.nodes.append(OpNode("tenon::max_pool", args, node.outputs[:1], node.source))
    return write.finish()


def _pooled(node: OpNode, write: Writer) -> dict[str, Arg] | None:
    image, result = write.tensor(node.args["self"]), node.outputs[0].type
    if image is None or len(image.shape) != 4 or not is_float(image) or write.uses[node.outputs[1].name]:
        return None
    assert isinstance(result, TensorMeta)
    kernel = _pair(node.args["kernel_size"])
    stride, dilation = _pair(node.args.get("stride") or kernel), _pair(node.args.get("dilation", 1))
    padding: list[int] = []
    for d, before in enumerate(_pair(node.args.get("padding", 0))):
        size, given = result.shape[2 + d], image.shape[2 + d]
        if not isinstance(size, int) or not isinstance(given, int):
            return None
        # As much behind as its result needs: with ceil_mode that is not what is before.
        reach = (size - 1) * stride[d] + dilation[d] * (kernel[d] - 1) + 1
        padding += [before, max(0, reach - given - before)]
    return {
        "input": node.args["self"],
        "kernel": kernel,
        "stride": stride,
        "padding": tuple(padding),
        "dilation": dilation,
    }


def _pair(arg: Arg) -> tuple[int, int]:
    numbers = arg if isinstance(arg, tuple) else (arg,)
    first, last = numbers[0], numbers[-1]
    assert isinstance(first, int) and isinstance(last, int)
    return first, last
