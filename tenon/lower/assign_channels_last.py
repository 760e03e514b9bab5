"""Images lie with their channels last from the first convolution to the last: packed filters read them like that."""

from collections.abc import Iterator
from dataclasses import replace

from tenon.dialect.edge import CHANNELS_LAST
from tenon.ir.graph import Arg, Graph, OpNode, Ref, Value, refs
from tenon.ir.rewrite import fresh_names, substituted
from tenon.ir.types import TensorMeta, Type
from tenon.ops.schema import is_pointwise

PLAIN = (0, 1, 2, 3)

# These take and give images with channels last, and nothing else.
_DEMAND = (
    "tenon::convolution",
    "tenon::convolution_depthwise",
    "tenon::convolution_then_depthwise",
    "tenon::convolution_winograd",
    "tenon::convolution_int8",
    "tenon::convolution_depthwise_int8",
    "tenon::max_pool",
)
_FLOAT_COPYING = ("tenon::convolution", "tenon::convolution_then_depthwise")
_COPYING = (*_FLOAT_COPYING, "tenon::convolution_int8")
_FEW_CHANNELS = 8  # as in native/kernels/fast/patches.h
# The result of these lies as the image lies that they are given.
_FOLLOW = {
    "aten::convolution",
    "aten::max_pool2d_with_indices",
    "aten::avg_pool2d",
    "aten::_adaptive_avg_pool2d",
    "aten::upsample_nearest2d.vec",
    "aten::upsample_bilinear2d.vec",
    "aten::_native_batch_norm_legit_no_training",
    "aten::native_group_norm",
    "aten::mean.dim",
    "aten::amax",
    "aten::sum.dim_IntList",
}
# These move elements one by one from any order to any other.
_MOVE = {
    "aten::cat",
    "aten::constant_pad_nd",
    "aten::slice_copy.Tensor",
    "aten::expand_copy",
    "dim_order_ops::_to_dim_order_copy",
    "dim_order_ops::_clone_dim_order",
    "tenon::pointwise",
    "tenon::add_int8",
    "tenon::table_int8",
    "quantized_decomposed::quantize_per_tensor",
    "quantized_decomposed::dequantize_per_tensor",
    "aten::hardswish",  # pointwise, though torch does not say so
}
# And these, to another shape; or they read sizes only.
_RESHAPE = {
    "aten::view_copy",
    "aten::permute_copy",
    "aten::select_copy.int",
    "aten::unsqueeze_copy",
    "aten::squeeze_copy.dim",
    "aten::squeeze_copy.dims",
    "aten::sym_size.int",
}


def assign_channels_last(graph: Graph) -> Graph:
    """Between packed convolutions every image has the dim order [0, 2, 3, 1]; copies only before and behind.

    Inputs, outputs and state keep their order. Packed convolutions need it: MobileNetV2 takes 0.46 of its time without
    them.  edge -> edge
    """
    wanted = set[str]()
    while True:
        layout = _Layout(graph, wanted)
        laid_out = layout.assigned()
        wanted = layout.beside()
        if wanted <= layout.wanted:
            return laid_out


class _Layout:
    def __init__(self, graph: Graph, wanted: set[str]) -> None:
        self.graph = graph
        self.names: Iterator[str] = fresh_names(graph)
        self.types: dict[str, Type] = graph.types
        self.nodes: list[OpNode] = []
        self.copies: dict[tuple[str, tuple[int, ...]], Ref] = {}
        self.wanted = self._wanted(wanted)

    def assigned(self) -> Graph:
        if not any(node.op in _DEMAND for node in self.graph.nodes):
            return self.graph
        for node in self.graph.nodes:
            self.node(node)
        outputs = tuple(self.plain(arg, None) for arg in self.graph.outputs)
        mutations = []
        for mutation in self.graph.mutations:
            value = self.plain(mutation.value, None)
            assert isinstance(value, Ref)
            mutations.append(replace(mutation, value=value))
        return replace(self.graph, nodes=tuple(self.nodes), outputs=outputs, mutations=tuple(mutations))

    def _wanted(self, more: set[str]) -> set[str]:
        """What a convolution reads, as it is or after something that follows it, and so on for what else is named."""
        wanted = set(more)
        for node in reversed(self.graph.nodes):
            if node.op in _DEMAND:
                wanted.update(ref.name for name in self.demanded(node) for ref in refs(node.args.get(name)))
            elif _follows(node.op) and node.outputs[0].name in wanted:
                wanted.update(ref.name for arg in node.args.values() for ref in refs(arg))
        return wanted

    def beside(self) -> set[str]:
        """All that is wanted, and what is only used beside images with their channels last, and might lie like them."""
        fit, unfit = set[str](), {ref.name for arg in self.graph.outputs for ref in refs(arg)}
        for node in self.nodes:
            names = {ref.name for arg in node.args.values() for ref in refs(arg) if self.is_plain_image(ref)}
            result = node.outputs[0].type if node.outputs else None
            is_last = isinstance(result, TensorMeta) and result.dim_order == CHANNELS_LAST
            (fit if is_last and _follows(node.op) else unfit).update(names)
        movers = {n.outputs[0].name for n in self.graph.nodes if n.outputs and (_moves(n.op) or n.op in _RESHAPE)}
        return self.wanted | ((fit - unfit) & movers)

    def is_plain_image(self, ref: Ref) -> bool:
        meta = self.meta(ref)
        return meta is not None and meta.dim_order == PLAIN and not _is_either(meta)

    def demanded(self, node: OpNode) -> tuple[str, ...]:
        """The arguments that must have their channels last. An image of few channels is copied by the kernel anyway."""
        image = node.args["input"]
        meta = self.meta(image) if isinstance(image, Ref) else None
        channels = None if meta is None else meta.shape[1]
        is_copied = isinstance(channels, int) and channels < _FEW_CHANNELS and node.op in _COPYING
        dilation = node.args.get("dilation")
        is_dilated = isinstance(dilation, tuple) and dilation[1] != 1 and node.op in _FLOAT_COPYING
        if is_copied and not is_dilated:
            return ("other",)
        return ("input", "other")

    # --- one node -----------------------------------------------------------------------------------------

    def node(self, node: OpNode) -> None:
        if node.op in _DEMAND:
            demanded = self.demanded(node)
            args = {name: self.image(arg, node) if name in demanded else arg for name, arg in node.args.items()}
            self.add(replace(node, args=args), CHANNELS_LAST)
        elif _follows(node.op):
            is_last = self.is_last(node) or (_moves(node.op) and node.outputs[0].name in self.wanted)
            self.add(node, CHANNELS_LAST if is_last else PLAIN)
        elif node.op in _RESHAPE:
            self.add(node, CHANNELS_LAST if node.outputs[0].name in self.wanted else PLAIN)
        else:
            args = {name: self.plain(arg, node) for name, arg in node.args.items()}
            self.add(replace(node, args=args), PLAIN)

    def add(self, node: OpNode, order: tuple[int, ...]) -> None:
        """A node whose images lie in this order."""
        values = tuple(Value(value.name, _laid(value.type, order)) for value in node.outputs)
        args = dict(node.args)
        if "dim_order" in args and isinstance(meta := values[0].type, TensorMeta):
            args["dim_order"] = meta.dim_order
        self.types.update((value.name, value.type) for value in values)
        self.nodes.append(replace(node, args=args, outputs=values))

    def is_last(self, node: OpNode) -> bool:
        """Whether an image among the arguments has its channels last; one that lies alike in both ways has no say."""
        images = [meta for arg in node.args.values() for ref in refs(arg) if (meta := self.meta(ref)) is not None]
        telling = [meta for meta in images if not _is_either(meta)] or images
        return any(meta.dim_order == CHANNELS_LAST for meta in telling)

    def meta(self, ref: Ref) -> TensorMeta | None:
        found = self.types.get(ref.name)
        return found if isinstance(found, TensorMeta) and len(found.shape) == 4 else None

    # --- copies -------------------------------------------------------------------------------------------

    def image(self, arg: Arg, node: OpNode | None) -> Arg:
        return self.ordered(arg, CHANNELS_LAST, node) if isinstance(arg, Ref) else arg

    def plain(self, arg: Arg, node: OpNode | None) -> Arg:
        """An argument with every image in it in the order of its dimensions."""
        changed = {ref.name: self.ordered(ref, PLAIN, node) for ref in refs(arg) if self.meta(ref) is not None}
        return substituted(arg, changed)

    def ordered(self, ref: Ref, order: tuple[int, ...], node: OpNode | None) -> Ref:
        meta = self.meta(ref)
        if meta is None or meta.dim_order == order:
            return ref
        if (ref.name, order) not in self.copies:
            value = Value(next(self.names), replace(meta, dim_order=order))
            size = tuple(each if isinstance(each, int) else -1 for each in meta.shape)
            if _is_either(meta) and size.count(-1) <= 1 and 0 not in size:  # the same bytes
                made = OpNode("aten::view_copy", {"self": ref, "size": size}, (value,), node.source if node else None)
            else:
                args: dict[str, Arg] = {"self": ref, "dtype": meta.dtype, "dim_order": order}
                made = OpNode("dim_order_ops::_to_dim_order_copy", args, (value,), node.source if node else None)
            self.types[value.name] = value.type
            self.nodes.append(made)
            self.copies[ref.name, order] = Ref(value.name)
        return self.copies[ref.name, order]


def _follows(op: str) -> bool:
    return op in _FOLLOW or _moves(op)


def _moves(op: str) -> bool:
    return op in _MOVE or is_pointwise(op)


def _laid(type_: Type, order: tuple[int, ...]) -> Type:
    return replace(type_, dim_order=order) if isinstance(type_, TensorMeta) and len(type_.shape) == 4 else type_


def _is_either(meta: TensorMeta) -> bool:
    """Whether both orders are one: the image has a single channel, or a single place."""
    return meta.shape[1] == 1 or meta.shape[2:] == (1, 1)
