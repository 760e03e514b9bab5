"""A drawn program in lean mode: planned, emitted, written to bytes, loaded and run."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import torch

from tenon import _native
from tenon.emit.method import Constants, Emitter
from tenon.errors import TenonError
from tenon.ir.graph import Graph, OpNode
from tenon.ir.memory import MemoryPlan
from tenon.ir.types import TensorMeta
from tenon.lower.out_variants import out_variants
from tenon.ops.values import view_of
from tenon.plan import ONE_BANK, plan_memory
from tenon.pte.program import Program, to_bytes
from tenon.pte.schema import Tensor

from .program import Drawn, graph_of

_BANKS = {"small": 512, "large": None}  # of some programs


class Refused(Exception):
    """A kernel's words, or those of a stage before it. `node` is its number, None where no call is to blame."""

    def __init__(self, words: str, node: int | None) -> None:
        super().__init__(words)
        self.words = words
        self.node = node

    @property
    def kind(self) -> str:
        """The words without the values."""
        return re.sub(r"(?<![a-z0-9])-?\d+(\.\d+)?(e[+-]\d+)?", "N", re.sub(r"\[[^\]]*\]", "[...]", self.words))


class _Emitter(Emitter):
    """Tensors also in other orders, which programs of other writers have."""

    def __init__(self, graph: Graph, plan: MemoryPlan, pool: Constants) -> None:
        super().__init__(graph, plan, pool, False)
        self.owner: list[int] = []  # the node of each instruction

    def tensor(self, name: str | None, meta: TensorMeta) -> Tensor:
        made = super().tensor(name, replace(meta, dim_order=()))
        made.dim_order = list(meta.dim_order)
        return made

    def node(self, node: OpNode, prefix: str, known: Mapping[str, str]) -> None:
        super().node(node, prefix, known)
        number = next(i for i, each in enumerate(self.graph.nodes) if each is node)
        self.owner += [number] * (len(self.instructions) - len(self.owner))


def run_lean(drawn: Drawn, outputs: tuple[str, ...], announce: Callable[[], None] = lambda: None) -> list[torch.Tensor]:
    """What lean mode gives for these values of the program. `announce` is called before any native code."""
    graph = out_variants(graph_of(drawn, outputs))
    banks = _BANKS if len(drawn.nodes) % 4 == 3 else ONE_BANK
    emitter = _Emitter(graph, plan_memory(graph, banks), Constants())
    data = {name: view_of(drawn.values[name]) for name in drawn.constants}
    method = emitter.method("forward", data)
    written = b"".join(map(bytes, to_bytes(Program([method], emitter.pool.constants, emitter.pool.state))))
    announce()
    try:
        loaded = _native.Method(_native.Program(written, None), "forward", {})
        inputs = [drawn.values[name] for name in drawn.inputs]
        loaded(inputs, True, {})
        found: list[torch.Tensor] = loaded(inputs, True, {})  # a second run must not see what the first one left
    except TenonError as error:
        instruction = re.search(r"\(instruction (\d+)[^)]*\): (.*)", str(error), re.DOTALL)
        if instruction is None:
            raise Refused(str(error), None) from None
        raise Refused(instruction[2], emitter.owner[int(instruction[1])]) from None
    return found
