"""Branches and loops as jumps. A body's inputs are the values it is called with; its results are moved or copied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tenon.errors import Unsupported
from tenon.ir.graph import Arg, Graph, GraphRef, OpNode, Ref
from tenon.ir.types import TensorMeta, Type
from tenon.ops.higher_order import row_name
from tenon.pte.schema import Bool, Dynamism, Int, IntList, JumpFalseCall, MoveCall, Tensor

if TYPE_CHECKING:
    from tenon.emit.method import Emitter


def emit_control_flow(emitter: Emitter, graph: Graph, node: OpNode, prefix: str, known: Mapping[str, str]) -> None:
    """The instructions of a cond, a while loop, a map or a scan."""
    flow = _Flow(emitter, graph, node, prefix, known)
    kinds = {"cond": flow.cond, "while_loop": flow.while_loop, "map_impl": flow.rows, "scan": flow.rows}
    name = node.op.removeprefix("higher_order::")
    if name not in kinds:
        raise Unsupported(f"{node.label}: a program cannot hold {node.op}.")
    for value in node.outputs:
        emitter.index[prefix + value.name] = emitter.result(prefix + value.name, value.type)
    kinds[name]()


class _Flow:
    """One call of a higher-order operator."""

    def __init__(self, emitter: Emitter, graph: Graph, node: OpNode, prefix: str, known: Mapping[str, str]) -> None:
        self.emitter = emitter
        self.graph = graph
        self.node = node
        self.prefix = prefix
        self.known = known
        self.never = emitter.add(Bool(False))

    def cond(self) -> None:
        """Jump over the first body if the condition fails, and over the second if it held."""
        jump = self.jump_unless(self.of(self.node.args["pred"]))
        for which in ("true_fn", "false_fn"):
            results = self.body(which, self.operands("operands"))
            for value, result in zip(self.node.outputs, results, strict=True):
                self.move(result, self.emitter.index[self.prefix + value.name])
            if which == "true_fn":
                over = self.jump_unless(self.never)
                jump.destination_instruction = self.here
        over.destination_instruction = self.here

    def while_loop(self) -> None:
        """The carried values lie where the results are; the test stands before the body."""
        carried, more = self.operands("carried_inputs"), self.operands("additional_inputs")
        places = self.places()
        for place, first, value in zip(places, carried, self.node.outputs, strict=True):
            self.take(first, place, value.type)
        start = self.here
        (holds,) = self.body("cond_fn", [*places, *more])
        end = self.jump_unless(holds)
        results = self.body("body_fn", [*places, *more])
        for place, result, value in zip(places, results, self.node.outputs, strict=True):
            self.take(result, place, value.type)
        self.jump_unless(self.never).destination_instruction = start
        end.destination_instruction = self.here

    def rows(self) -> None:
        """map and scan: a counted loop over the rows of `xs`, whose results are stored row by row."""
        scan = self.node.op.endswith("scan")
        xs, more = self.operands("xs"), self.operands("additional_inputs" if scan else "pos_args")
        init = self.operands("init") if scan else []
        places = self.places()
        carried, stacked = places[: len(init)], places[len(init) :]
        for place, first, value in zip(carried, init, self.node.outputs, strict=False):
            self.take(first, place, value.type)
        for place in stacked:
            tensor = self.emitter.values[place].val
            assert isinstance(tensor, Tensor)
            tensor.shape_dynamism = Dynamism.DYNAMIC_BOUND
        add = self.emitter.add
        count, index, more_rows, zero, one = (add(value) for value in (Int(0), Int(0), Bool(False), Int(0), Int(1)))
        self.emitter.call("aten::sym_size.int", [xs[0], zero, count])
        self.move(zero, index)
        start = self.here
        self.emitter.call("executorch_prim::lt.Scalar", [index, count, more_rows])
        end = self.jump_unless(more_rows)
        rows = [self.row(k, x, zero, index) for k, x in enumerate(xs)]
        results = self.body("combine_fn" if scan else "f", [*carried, *rows, *more])
        for place, result, value in zip(carried, results, self.node.outputs, strict=False):
            self.take(result, place, value.type)
        for place, result in zip(stacked, results[len(init) :], strict=True):
            self.emitter.call("executorch_prim::et_copy_index.tensor", [place, result, index])
        self.emitter.call("executorch_prim::add.Scalar", [index, one, index])
        self.jump_unless(self.never).destination_instruction = start
        end.destination_instruction = self.here

    # --- pieces -------------------------------------------------------------------------------------------

    @property
    def here(self) -> int:
        return len(self.emitter.instructions)

    def places(self) -> list[int]:
        return [self.emitter.index[self.prefix + value.name] for value in self.node.outputs]

    def of(self, arg: Arg) -> int:
        if isinstance(arg, Ref):
            return self.emitter.index[self.known.get(arg.name, self.prefix + arg.name)]
        return self.emitter.plain(arg)

    def operands(self, name: str) -> list[int]:
        listed = self.node.args.get(name, ())
        return [self.of(arg) for arg in listed] if isinstance(listed, tuple) else []

    def body(self, which: str, operands: list[int]) -> list[int]:
        """Run a body on these values; the values of its results."""
        reference = self.node.args[which]
        assert isinstance(reference, GraphRef)
        body = self.graph.subgraphs[reference.name]
        inside = f"{self.prefix}{body.name}/"
        for value, operand in zip(body.inputs, operands, strict=True):
            self.emitter.index[inside + value.name] = operand
        self.emitter.body(body, inside, {})
        found = []
        for result in body.outputs:
            found.append(
                self.emitter.index[inside + result.name] if isinstance(result, Ref) else self.emitter.plain(result)
            )
        return found

    def row(self, number: int, x: int, dim: int, index: int) -> int:
        """Row `index` of a tensor, copied to where the plan put it."""
        name = row_name(self.prefix, self.node, number)
        meta = self.row_meta(number)
        row = self.emitter.add(self.emitter.tensor(name, meta))
        self.emitter.call("aten::select_copy.int_out", [x, dim, index, row, row])
        return row

    def row_meta(self, number: int) -> TensorMeta:
        which = "combine_fn" if self.node.op.endswith("scan") else "f"
        reference = self.node.args[which]
        assert isinstance(reference, GraphRef)
        skipped = self.node.args.get("init", ())
        first = len(skipped) if isinstance(skipped, tuple) else 0
        type_ = self.graph.subgraphs[reference.name].inputs[first + number].type
        assert isinstance(type_, TensorMeta)
        return type_

    def take(self, source: int, place: int, type_: Type) -> None:
        """A carried value takes a new one: tensors by their bytes, numbers as they are."""
        if source == place:
            return
        if not isinstance(type_, TensorMeta):
            self.move(source, place)
            return
        add = self.emitter.add
        order = add(IntList([add(Int(dim)) for dim in type_.dim_order]))
        self.emitter.call("dim_order_ops::_clone_dim_order.out", [source, add(Bool(False)), order, place, place])

    def move(self, source: int, place: int) -> None:
        self.emitter.append(MoveCall(source, place))

    def jump_unless(self, condition: int) -> JumpFalseCall:
        jump = JumpFalseCall(condition, 0)
        self.emitter.append(jump)
        return jump
