"""What flows: the graph, its types, its two file forms, and what every graph must satisfy. Needs no torch."""

from tenon.ir.dims import Dim, Expr, Symbol
from tenon.ir.graph import Arg, Graph, GraphRef, Mutation, OpNode, Ref, Source, Value, Weight
from tenon.ir.json import from_json, load_ir, save_ir, to_json
from tenon.ir.parse import parse_ir
from tenon.ir.text import to_text
from tenon.ir.tree import Tree
from tenon.ir.types import DTYPES, ConstMeta, DType, ScalarMeta, TensorMeta
from tenon.ir.verify import check

__all__ = [
    "DTYPES",
    "Arg",
    "ConstMeta",
    "DType",
    "Dim",
    "Expr",
    "Graph",
    "GraphRef",
    "Mutation",
    "OpNode",
    "Ref",
    "ScalarMeta",
    "Source",
    "Symbol",
    "TensorMeta",
    "Tree",
    "Value",
    "Weight",
    "check",
    "from_json",
    "load_ir",
    "parse_ir",
    "save_ir",
    "to_json",
    "to_text",
]
