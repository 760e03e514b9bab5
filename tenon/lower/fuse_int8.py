"""What is done to quantised numbers one by one, and quantised again, needs no floats."""

from collections.abc import Container

import torch

from tenon.ir.graph import Arg, Graph, OpNode, Ref
from tenon.lower.programs import expression
from tenon.lower.quantized import ALL, BYTES, PER_TENSOR, clamped, is_known, makes_bytes, rounded, type_of
from tenon.lower.separate_constants import constants
from tenon.lower.writer import Writer, is_float


def fuse_int8(graph: Graph) -> Graph:
    """quantize(relu(dequantize(x) + dequantize(y))) becomes tenon::add_int8(x, y), and quantize(gelu(dequantize(x)))
    becomes tenon::table_int8(x, table): a function of a number of 8 bits has 256 results.

    The table is written as the same nodes on all of these numbers, which are computed ahead of time. MobileNetV2 in
    int8 takes 0.43 of its time without it on one thread.  aten -> aten
    """
    return _Bytes(graph).fused()


class _Bytes:
    def __init__(self, graph: Graph) -> None:
        self.write = Writer(graph)
        self.known: Container[str] = constants(graph)

    def fused(self) -> Graph:
        for node in self.write.graph.nodes:
            self.write.at = node.source
            if not makes_bytes(node) or not (self.sum(node) or self.table(node)):
                self.write.keep(node)
        return self.write.finish()

    def sum(self, node: OpNode) -> bool:
        """If both are of one shape; with a clamp behind or without."""
        limits, total = ALL, node.args["input"]
        clamp = self.only(total, "aten::relu", "aten::clamp", "aten::hardtanh")
        if clamp is not None and (ends := clamped(clamp)) is not None:
            limits, total = ends, clamp.args["self"]
        add = self.only(total, "aten::add.Tensor")
        if add is None or add.args.get("alpha", 1) != 1:
            return False
        args: dict[str, Arg] = {}
        for name, arg in (("input", add.args["self"]), ("other", add.args["other"])):
            term = self.bytes(arg)
            if term is None or type_of(term).shape != type_of(add).shape:
                return False
            args |= {name: term.args["input"], f"{name}_zero": term.args["zero_point"]}
            args[f"{name}_scale"] = term.args["scale"] / node.args["scale"]  # type: ignore[operator]
        low, high = rounded(node, limits)
        args |= {"dtype": node.args["dtype"], "zero": node.args["zero_point"], "low": low, "high": high}
        self.write.replace(node, "tenon::add_int8", args)
        return True

    def table(self, node: OpNode) -> bool:
        """If all between is computed of one tensor, number by number."""
        chain, value = [node], node.args["input"]
        while (function := self.only(value)) is not None and _is_function(function):
            chain.append(function)
            value = function.args["self"]
        start = self.bytes(value)
        if start is None:
            return False
        given = start.args["input"]
        assert isinstance(given, Ref)
        if len(chain) == 1 and _are_same(start, node):
            self.write.stand_for(node.outputs[0].name, given)
            return True
        made = self.numbers(start)
        for each in (start, *reversed(chain)):
            made = self.write.make(each.op, **{**each.args, "self" if "self" in each.args else "input": made})
        self.write.replace(node, "tenon::table_int8", {"input": given, "table": made})
        return True

    def numbers(self, start: OpNode) -> Ref:
        """All that there are of a dtype."""
        if start.args["dtype"] == BYTES[0]:
            return self.write.constant("numbers.int8", torch.arange(-128, 128).to(torch.int8))
        return self.write.constant("numbers.uint8", torch.arange(256).to(torch.uint8))

    def bytes(self, arg: Arg) -> OpNode | None:
        """The node that makes floats of 8-bit numbers that are no constants."""
        node = self.write.made_by(arg, PER_TENSOR)
        if node is None or not is_known(node) or node.args["dtype"] not in BYTES:
            return None
        given = node.args["input"]
        return node if isinstance(given, Ref) and given.name not in self.known else None

    def only(self, arg: Arg, *ops: str) -> OpNode | None:
        """The node that makes a value, if it is one of these or any, and nobody else uses the value."""
        found = self.write.producer.get(arg.name) if isinstance(arg, Ref) else None
        if found is None or (ops and found.op not in ops) or self.write.uses[arg.name] != 1:  # type: ignore[union-attr]
            return None
        return found


def _is_function(node: OpNode) -> bool:
    """Of one tensor, float32 to float32."""
    tensors = [name for name, arg in node.args.items() if isinstance(arg, Ref)]
    is_one = tensors == ["self"] and len(node.outputs) == 1
    return is_one and expression(node) is not None and is_float(type_of(node))


def _are_same(start: OpNode, end: OpNode) -> bool:
    return all(
        start.args[name] == end.args[name] for name in ("scale", "zero_point", "quant_min", "quant_max", "dtype")
    )
