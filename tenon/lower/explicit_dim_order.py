"""Copies say in which order of dimensions their result lies."""

from dataclasses import replace

from tenon.dialect.edge import DIM_ORDER_FORM
from tenon.ir.graph import Graph, OpNode
from tenon.ir.rewrite import everywhere
from tenon.ir.types import TensorMeta


def explicit_dim_order(graph: Graph) -> Graph:
    """_to_copy(x) becomes dim_order_ops::_to_dim_order_copy(x, dim_order=[0, 1, ...]).  aten -> edge"""

    def rewrite(node: OpNode) -> OpNode:
        meta = node.outputs[0].type if node.outputs else None
        if node.op not in DIM_ORDER_FORM or not isinstance(meta, TensorMeta):
            return node
        return replace(node, op=DIM_ORDER_FORM[node.op], args={**node.args, "dim_order": meta.dim_order})

    return everywhere(graph, lambda g: replace(g, dialect="edge", nodes=tuple(map(rewrite, g.nodes))))
