"""From the graph as captured to the ATen dialect: functional, decomposed, every value a contiguous copy of its own."""

from dataclasses import replace

from tenon.capture.bounds import bound_picks
from tenon.errors import Unsupported, listing, plural
from tenon.ir.graph import Graph, MemoryFormat, OpNode, Weight, at, refs
from tenon.ir.rewrite import everywhere
from tenon.ir.types import TensorMeta, Type
from tenon.ops.schema import find_op, op_name


def to_aten(graph: Graph) -> Graph:
    """The passes that follow torch's decomposition, in order.  captured -> aten"""
    for rewrite in (drop_metadata_asserts, refuse_layout_reads, copy_views, drop_memory_formats, bound_picks):
        graph = rewrite(graph)
    return everywhere(graph, lambda g: replace(g, dialect="aten"))


def drop_metadata_asserts(graph: Graph) -> Graph:
    """_assert_tensor_metadata checks at run time what the graph's types already say."""
    return everywhere(
        graph, lambda g: replace(g, nodes=tuple(n for n in g.nodes if n.op != "aten::_assert_tensor_metadata"))
    )


def refuse_layout_reads(graph: Graph) -> Graph:
    """An operator that reads strides means something else once its input is contiguous: say so, all at once."""
    rows = [
        f"{node.label} reads the strides of %{name}, which is not contiguous{at(node.source)}"
        for name, type_, node in _layout_reads(graph)
        if isinstance(type_, TensorMeta) and not type_.contiguous
    ]
    if rows:
        raise Unsupported(
            listing(
                f"{plural(len(rows), 'operator')} of {graph.name} read a memory layout; the ATen dialect has only one.",
                rows,
                "Call .contiguous() on the tensor first.",
            )
        )
    return graph


_READS_STRIDES = (
    "aten::as_strided",
    "aten::as_strided_copy",
    "aten::as_strided_scatter",
    "aten::sym_stride.int",
    "aten::sym_storage_offset",
)


def _layout_reads(graph: Graph) -> list[tuple[str, Type, OpNode]]:
    types = graph.types
    readers = [node for node in graph.nodes if node.op in _READS_STRIDES]
    found = [(ref.name, types[ref.name], node) for node in readers for ref in refs(node.args.get("self"))]
    for node in graph.nodes:  # an in-place custom operator on a view: torch notes the view's strides in its base
        if node.op == "higher_order::auto_functionalized_v2" and any(name.endswith("_stride") for name in node.args):
            found.extend((ref.name, types[ref.name], node) for ref in refs(node.args["_all_bases"]))
    return found + [row for sub in graph.subgraphs.values() for row in _layout_reads(sub)]


def copy_views(graph: Graph) -> Graph:
    """permute -> permute_copy and so on: in a functional graph no value shares memory with another."""

    def rewrite(node: OpNode) -> OpNode:
        copy = _copy_of(node.op)
        return replace(node, op=copy) if copy else node

    return everywhere(graph, lambda g: replace(g, nodes=tuple(map(rewrite, g.nodes))))


def _copy_of(name: str) -> str | None:
    """The operator that computes what a view shows, under the same arguments."""
    op = find_op(name)
    if (
        op is None
        or op.namespace != "aten"
        or not any(result.alias_info for result in op._schema.returns)
        or op._schema.is_mutable
    ):
        return None
    base, dot, overload = name.partition(".")
    copy = find_op(f"{base}_copy{dot}{overload}")
    return op_name(copy) if copy else None


def drop_memory_formats(graph: Graph) -> Graph:
    """Every tensor is contiguous: arguments that ask for another layout go, and every type says so."""

    def rewrite(node: OpNode) -> OpNode:
        args = {name: arg for name, arg in node.args.items() if not isinstance(arg, MemoryFormat)}
        if node.op == "aten::empty_strided":
            args.pop("stride")
            node = replace(node, op="aten::empty.memory_format")
        return replace(node, args=args, outputs=tuple(replace(v, type=_contiguous(v.type)) for v in node.outputs))

    def flatten(g: Graph) -> Graph:
        inputs = tuple(replace(value, type=_contiguous(value.type)) for value in g.inputs)
        weights = tuple(_contiguous_weight(weight) for weight in g.weights)
        return replace(g, inputs=inputs, weights=weights, nodes=tuple(map(rewrite, g.nodes)))

    return everywhere(graph, flatten)


def _contiguous(type_: Type) -> Type:
    return (
        replace(type_, dim_order=(), strides=None) if isinstance(type_, TensorMeta) and not type_.contiguous else type_
    )


def _contiguous_weight(weight: Weight) -> Weight:
    type_ = _contiguous(weight.type)
    return replace(weight, type=type_) if isinstance(type_, TensorMeta) else weight
