"""A permutation that only attention reads moves nothing: its kernel takes any order."""

from dataclasses import replace

from tenon.ir.graph import Graph, OpNode, Value, refs
from tenon.ir.types import TensorMeta
from tenon.lower.writer import Writer

_READS = ("query", "key", "value")
_HEADS_FIRST = (0, 2, 1, 3)


def permute_without_moving(graph: Graph) -> Graph:
    """attention(permute_copy(x)) has a permuted x that lies in memory as x does: head by head.  edge -> edge

    So that nothing is copied, which for keys and values that are kept from call to call would be all of them: a step of
    a language model takes 0.95 of its time without it on one thread.
    """
    write = Writer(graph)
    read = dict[str, int]()
    for node in graph.nodes:
        for name in _READS if node.op == "tenon::attention" else ():
            for ref in refs(node.args[name]):
                read[ref.name] = read.get(ref.name, 0) + 1
    for node in graph.nodes:
        is_read = node.op == "aten::permute_copy" and read.get(node.outputs[0].name) == write.uses[node.outputs[0].name]
        write.keep(_in_place(node, write) if is_read else node)
    return write.finish()


def _in_place(node: OpNode, write: Writer) -> OpNode:
    before, after, dims = write.tensor(node.args["self"]), node.outputs[0].type, node.args["dims"]
    assert before is not None and isinstance(after, TensorMeta) and isinstance(dims, tuple)
    if not after.is_static or dims != _HEADS_FIRST or not before.in_order:
        return node
    return replace(node, outputs=(Value(node.outputs[0].name, replace(after, dim_order=_HEADS_FIRST)),))
