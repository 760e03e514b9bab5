"""Every operator becomes the variant that writes its results to memory it is given; sizes become prim operators."""

from collections.abc import Collection
from dataclasses import replace
from functools import cache

from tenon.errors import Unsupported, listing, plural
from tenon.ir.graph import Graph, OpNode, at, walk
from tenon.ir.rewrite import everywhere
from tenon.ops.own import own_out, schema_of
from tenon.ops.schema import TENSOR_OPTIONS, find_op, is_custom, op_name, out_overload
from tenon.ops.symbolic import READS_A_NUMBER

_PRIM = {
    **{
        f"sym::{name}": f"executorch_prim::{name}.Scalar"
        for name in "add sub mul truediv floordiv mod eq gt lt ge le neg ceil trunc round".split()
    },
    **{f"sym::{name}": f"executorch_prim::sym_{name}.Scalar" for name in "max min float int not ite".split()},
}


def out_variants(graph: Graph) -> Graph:
    """add.Tensor becomes add.out, whose outs are the node's results.  edge -> exec"""
    missing = [node for _, node in walk(graph) if out_name(node.op) is None]
    if missing:
        rows = [f"{node.label}{at(node.source)}" for node in missing]
        raise Unsupported(
            listing(
                f"{plural(len(rows), 'operator')} of {graph.name} have no out variant: their memory cannot be planned.",
                rows,
            )
        )

    def rewrite(node: OpNode) -> OpNode:
        name = out_name(node.op)
        assert name is not None
        dropped: Collection[str] = () if name == node.op else _options_dropped(node.op, name)
        return replace(node, op=name, args={key: arg for key, arg in node.args.items() if key not in dropped})

    return everywhere(graph, lambda g: replace(g, dialect="exec", nodes=tuple(map(rewrite, g.nodes))))


def out_name(name: str) -> str | None:
    """The out variant of an operator, by name; None if there is none. A library's may be defined late."""
    return _out_name_of_aten(name) if name.startswith("aten::") else _out_name(name)


def _out_name(name: str) -> str | None:
    if name in READS_A_NUMBER or name.startswith("higher_order::"):
        return name
    if name in _PRIM:
        return _PRIM[name]
    if name.startswith("dim_order_ops::"):
        return f"{name}.out"
    op = find_op(name)
    if op is None:
        return None
    if is_custom(op) and (own := own_out(op)) is not None:
        return own
    found = out_overload(op)
    if found is not None:
        return op_name(found)
    # One is made for a custom operator: it computes the result, and copies it where it belongs.
    return (
        f"{op._schema.name}.{op._schema.overload_name + '_' if op._schema.overload_name else ''}out"
        if is_custom(op)
        else None
    )


_out_name_of_aten = cache(_out_name)


def _options_dropped(functional: str, out: str) -> Collection[str]:
    """What describes a new tensor, which an out is already. A variant that is made up takes all that is positional."""
    schema, op = schema_of(out), find_op(functional)
    if schema is not None:
        kept = {argument.name for argument in schema.arguments}
    else:
        kept = {argument.name for argument in op._schema.arguments if not argument.kwarg_only} if op else set()
    return [name for name in TENSOR_OPTIONS if name not in kept]
