"""Which inputs and weights a captured graph writes to: by the alias annotations of the schemas."""

from collections.abc import Iterable

import torch

from tenon.ir.graph import Arg, OpNode, refs


class Aliases:
    """Follows, call by call, which values may share memory with which inputs and weights."""

    def __init__(self) -> None:
        self.written: set[str] = set()  # inputs and weights that some call writes to
        self._roots: dict[str, set[str]] = {}  # value -> the inputs and weights it may share memory with

    def note_call(self, op: torch._ops.OpOverload, node: OpNode) -> None:
        touched: set[str] = set()
        for argument in op._schema.arguments:
            if argument.alias_info is None or argument.name not in node.args:
                continue
            roots = self._of(node.args[argument.name])
            touched |= roots
            if argument.alias_info.is_write:
                self.written |= roots
        if touched and any(result.alias_info is not None for result in op._schema.returns):
            self._roots.update((value.name, touched) for value in node.outputs)

    def note_body(self, operands: Iterable[Arg], written: Iterable[bool]) -> None:
        """A call of a subgraph that writes to some of its operands."""
        for operand, is_written in zip(operands, written, strict=False):
            if is_written:
                self.written |= self._of(operand)

    def _of(self, arg: Arg) -> set[str]:
        return {root for ref in refs(arg) for root in self._roots.get(ref.name, {ref.name})}
