"""A planned graph as a method of a program: its values numbered, its nodes as instructions."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from tenon.emit.control_flow import emit_control_flow
from tenon.errors import Unsupported
from tenon.files import Data
from tenon.ir.dims import Range, bounds
from tenon.ir.graph import Arg, Device, Graph, Layout, MemoryFormat, OpNode, Ref, Source, Weight, at
from tenon.ir.memory import PERMUTE, VIEW, MemoryPlan, Place
from tenon.ir.tree import Tree
from tenon.ir.types import ConstMeta, DType, TensorMeta, Type
from tenon.ops.own import schema_of
from tenon.ops.schema import find_op, functional_name
from tenon.ops.symbolic import READS_A_NUMBER
from tenon.pte.container import Distinct
from tenon.pte.external import External
from tenon.pte.schema import (
    AllocationDetails,
    Bool,
    BoolList,
    Chain,
    ContainerMetadata,
    Double,
    DoubleList,
    Dynamism,
    EValue,
    ExecutionPlan,
    ExtraTensorInfo,
    Frame,
    FrameList,
    Instruction,
    Int,
    IntList,
    JumpFalseCall,
    KernelCall,
    MoveCall,
    Null,
    Operator,
    OptionalTensorList,
    String,
    Tensor,
    TensorDataLocation,
    TensorList,
)
from tenon.pte.structure import encode

ET_VIEW = "executorch_prim::et_view.default"


class Constants:
    """The constants and initial values of a program, equal ones kept once. Data is looked at, and not copied."""

    def __init__(self, external: bool = False) -> None:
        self.state: list[Data] = []
        self.external: dict[str, External] = {}
        self.keeps_weights_outside = external
        self._distinct = Distinct()
        self._shared: dict[Place | None, int] = {}

    @property
    def constants(self) -> list[Data]:
        return self._distinct.items

    def add(self, data: Data) -> int:
        """The index that a tensor refers to this data by, from 1 on."""
        return self._distinct.place(data) + 1

    def add_state(self, data: Data, shared: Place | None) -> int:
        """Copied, unlike weights: running the model changes it. State that methods share has one initial value."""
        if shared in self._shared:
            return self._shared[shared]
        self.state.append(bytes(data))
        if shared is not None:
            self._shared[shared] = len(self.state)
        return len(self.state)

    def add_external(self, name: str, tensor: Tensor, data: Data) -> None:
        """Weights of one name are one weight, in every method."""
        made = External(tensor.scalar_type, tuple(tensor.sizes or ()), tuple(tensor.dim_order or ()), data)
        if self.external.setdefault(name, made) != made:
            raise Unsupported(
                f"two methods have different weights of the name {name}, which external data cannot hold."
            )


def emit_method(
    graph: Graph,
    name: str,
    plan: MemoryPlan,
    weights: Mapping[str, Data],
    pool: Constants,
    source_lines: bool = False,
) -> ExecutionPlan:
    """The method of a graph in the Exec dialect, whose values lie where the plan says."""
    return Emitter(graph, plan, pool, source_lines).method(name, weights)


def constant_method(name: str, value: Any) -> ExecutionPlan:
    """A method without inputs that gives a plain value, or a tuple of them."""
    parts = value if isinstance(value, (tuple, list)) else (value,)
    leaf = Tree()
    tree = Tree("tuple", (leaf,) * len(parts)) if isinstance(value, (tuple, list)) else leaf
    return ExecutionPlan(
        name=name,
        container_meta_type=ContainerMetadata("", encode(tree)),
        values=[EValue(_plain(part)) for part in parts],
        inputs=[],
        outputs=list(range(len(parts))),
        chains=[Chain([], [], [])],
        operators=[],
        delegates=[],
        non_const_buffer_sizes=[0],
    )


class Emitter:
    def __init__(self, graph: Graph, plan: MemoryPlan, pool: Constants, keeps_sources: bool) -> None:
        self.graph = graph
        self.plan = plan
        self.pool = pool
        self.keeps_sources = keeps_sources
        self.ranges: dict[str, Range] = {symbol.name: symbol.range for symbol in graph.symbols}
        self.values: list[EValue] = []
        self.index: dict[str, int] = {}
        self.operators: dict[str, int] = {}
        self.instructions: list[Instruction] = []
        self.source: Source | None = None  # of the node that instructions are made for
        self.sources: list[Source | None] = []  # of each instruction

    def method(self, name: str, weights: Mapping[str, Data]) -> ExecutionPlan:
        for weight in self.graph.weights:
            self.index[weight.name] = self.add(self.weight(weight, weights[weight.name]))
        for value in self.graph.inputs:
            self.index[value.name] = self.add(self.input(value.name, value.type))
        self.body(self.graph, "", {})
        for mutation in self.graph.mutations:
            if self.plan.homes.get(mutation.value.name) == mutation.target:
                continue  # it was written where it belongs
            target, source = self.index[mutation.target], self.index[mutation.value.name]
            self.call("aten::copy_", [target, source, self.add(Bool(False)), target])
        outputs = [
            self.index[arg.name] if isinstance(arg, Ref) else self.add(_plain(arg)) for arg in self.graph.outputs
        ]
        names = [full.rpartition(".") if "." in full else (full, "", "") for full in self.operators]
        return ExecutionPlan(
            name=name,
            container_meta_type=ContainerMetadata(encode(self.graph.in_tree), encode(self.graph.out_tree)),
            values=self.values,
            inputs=[self.index[value.name] for value in self.graph.inputs],
            outputs=outputs,
            chains=[Chain([], [], self.instructions, self.frames() if self.keeps_sources else None)],
            operators=[Operator(base, overload) for base, _, overload in names],
            delegates=[],
            non_const_buffer_sizes=[0, *self.plan.sizes],
        )

    # --- values -------------------------------------------------------------------------------------------

    def add(self, value: Any) -> int:
        self.values.append(EValue(value))
        return len(self.values) - 1

    def plain(self, arg: Arg) -> int:
        return self.add(_plain(arg))

    def weight(self, weight: Weight, data: Data) -> Tensor:
        tensor = self.tensor(weight.name if weight.mutated else None, weight.type)
        if weight.mutated:
            tensor.extra_tensor_info = ExtraTensorInfo(fully_qualified_name=weight.name)
            shared = weight.name not in self.plan.homes
            tensor.data_buffer_idx = self.pool.add_state(data, self.plan.places[weight.name] if shared else None)
        elif self.pool.keeps_weights_outside and weight.data is None:
            tensor.extra_tensor_info = ExtraTensorInfo(
                fully_qualified_name=weight.name, location=TensorDataLocation.EXTERNAL
            )
            self.pool.add_external(weight.name, tensor, data)
        else:
            tensor.data_buffer_idx = self.pool.add(data)
        return tensor

    def input(self, name: str, type_: Type) -> Any:
        if isinstance(type_, ConstMeta):
            return _plain(type_.value)
        return self.tensor(name, type_) if isinstance(type_, TensorMeta) else Int(0)

    def tensor(self, name: str | None, meta: TensorMeta) -> Tensor:
        if meta.dtype.code is None or not meta.dense:
            raise Unsupported(f"%{name}: a program cannot hold a tensor of {meta.dtype} with this layout.")
        sizes = [int(bounds(size, self.ranges)[1]) for size in meta.shape]
        dynamic = any(not isinstance(size, int) for size in meta.shape)
        place = None
        if name is not None:
            where = self.plan.places[name]
            place = AllocationDetails(where.bank, where.offset & 0xFFFFFFFF, where.offset >> 32)
        return Tensor(
            scalar_type=meta.dtype.code,
            sizes=sizes,
            dim_order=list(meta.dim_order),
            allocation_info=place,
            shape_dynamism=Dynamism.DYNAMIC_BOUND if dynamic else Dynamism.STATIC,
        )

    def result(self, name: str, type_: Type) -> int:
        if isinstance(type_, ConstMeta):
            return self.add(_plain(type_.value))
        return self.add(self.tensor(name, type_) if isinstance(type_, TensorMeta) else Int(0))

    # --- nodes ----------------------------------------------------------------------------------------------

    def body(self, graph: Graph, prefix: str, known: Mapping[str, str]) -> None:
        """The nodes of a graph in order; `known` says what a subgraph's inputs are called outside."""
        for node in graph.nodes:
            self.source = node.source
            if node.op.startswith("higher_order::"):
                emit_control_flow(self, graph, node, prefix, known)
            else:
                self.node(node, prefix, known)

    def node(self, node: OpNode, prefix: str, known: Mapping[str, str]) -> None:
        def of(name: str) -> int:
            return self.index[known.get(name, prefix + name)]

        if node.op in (VIEW, PERMUTE) and self.view(node, prefix, known, of):
            return
        if node.outputs and prefix + node.outputs[0].name in self.plan.there:
            for value in node.outputs:
                self.index[prefix + value.name] = self.result(prefix + value.name, value.type)
            return
        results = [self.result(prefix + value.name, value.type) for value in node.outputs]
        for value, index in zip(node.outputs, results, strict=True):
            self.index[prefix + value.name] = index
        schema = _schema(node)
        if schema is None:  # prim operators: arguments as they stand, then the result
            self.call(node.op, [self.encoded(arg, "number", of) for arg in node.args.values()] + results)
            return
        args, outs = [], list(results)
        trailing = list(results)
        for argument in schema.arguments:
            kind = str(argument.real_type)
            if argument.is_out and kind.startswith("List"):
                trailing = [self.add(TensorList(list(results)))]
                args.append(trailing[0])
            elif argument.is_out:
                args.append(outs.pop(0))
            elif argument.name in node.args:
                args.append(self.encoded(node.args[argument.name], kind, of))
            else:
                args.append(self.encoded(_default(argument, node), kind, of))
        if len(trailing) > 1:
            trailing = [self.add(TensorList(trailing))]
        self.call(node.op, args + trailing)

    def view(self, node: OpNode, prefix: str, known: Mapping[str, str], of: Callable[[str], int]) -> bool:
        """A view that lies where what it shows lies costs nothing; if its shape varies, a call that copies nothing."""
        name, source, meta = prefix + node.outputs[0].name, node.args["self"], node.outputs[0].type
        assert isinstance(source, Ref) and isinstance(meta, TensorMeta)
        shown = self.values[of(source.name)].val
        assert isinstance(shown, Tensor)
        if name in self.plan.of_constant:
            made = self.tensor(None, meta)
            made.data_buffer_idx = shown.data_buffer_idx
            self.index[name] = self.add(made)
            return True
        place, homes = self.tensor(name, meta), self.plan.homes
        is_shown = name in homes and homes[name] == homes.get(known.get(source.name, prefix + source.name))
        if not is_shown or place.allocation_info != shown.allocation_info:  # what has no elements may lie anywhere
            return False
        self.index[name] = self.add(place)
        if not meta.is_static:
            self.call(ET_VIEW, [of(source.name), self.encoded(node.args["size"], "List[int]", of), self.index[name]])
        return True

    def append(self, instruction: KernelCall | MoveCall | JumpFalseCall) -> None:
        self.instructions.append(Instruction(instruction))
        self.sources.append(self.source)

    def frames(self) -> list[FrameList]:
        """The place in the model of each instruction."""
        return [
            FrameList([Frame(at.file, at.line, at.function, at.module)] if at is not None else [])
            for at in self.sources
        ]

    def call(self, name: str, args: list[int]) -> None:
        number = self.operators.setdefault(name, len(self.operators))
        self.append(KernelCall(number, args))

    def encoded(self, arg: Arg, kind: str, of: Any) -> int:
        """The index of a value that stands for an argument of this kind."""
        kind = kind.removeprefix("Optional[").removesuffix("]") if kind.startswith("Optional[") else kind
        if isinstance(arg, Ref):
            return int(of(arg.name))
        if arg is None or isinstance(arg, Device):
            return self.add(Null())
        if isinstance(arg, tuple):
            return self.encoded_list(arg, kind, of)
        if kind == "float" and isinstance(arg, (int, float)):
            return self.add(Double(float(arg)))
        return self.add(_plain(arg))

    def encoded_list(self, arg: tuple[Arg, ...], kind: str, of: Any) -> int:
        if kind == "List[Tensor]":
            return self.add(TensorList([self.encoded(part, "Tensor", of) for part in arg]))
        if kind == "List[Optional[Tensor]]":
            return self.add(
                OptionalTensorList([-1 if part is None else self.encoded(part, "Tensor", of) for part in arg])
            )
        if kind == "List[float]":
            return self.add(DoubleList([float(part) for part in arg]))  # type: ignore[arg-type]
        if kind == "List[bool]":
            return self.add(BoolList([bool(part) for part in arg]))
        items = [self.encoded(part, "int", of) for part in arg]
        return self.add(IntList(items))


def _plain(arg: Any) -> Any:
    if isinstance(arg, bool):
        return Bool(arg)
    if isinstance(arg, int):
        return Int(arg)
    if isinstance(arg, float):
        return Double(arg)
    if isinstance(arg, str):
        return String(arg)
    if isinstance(arg, DType) and arg.code is not None:
        return Int(arg.code)
    if isinstance(arg, Layout) and arg.name == "strided":
        return Int(0)
    if isinstance(arg, MemoryFormat) and arg.name in ("contiguous_format", "preserve_format"):
        return Int(int(arg.name == "preserve_format"))
    if arg is None:
        return Null()
    raise Unsupported(f"a program cannot hold the argument {arg!r}.")


def _schema(node: OpNode) -> Any:
    """What an operator takes, in order; None for a prim operator, which takes what it is given."""
    if node.op.startswith("executorch_prim::") or node.op in READS_A_NUMBER:
        return None
    schema = schema_of(node.op)
    if schema is not None:
        return schema
    functional = find_op(functional_name(node.op))
    if functional is None:
        raise Unsupported(f"{node.label}{at(node.source)} is not an operator of this process.")
    return made_out_schema(functional)


def made_out_schema(functional: torch._ops.OpOverload) -> Any:
    """The schema of the out form that is made for a custom operator which has none."""
    schema = functional._schema
    text = str(schema)
    head, _, _ = text.rpartition("->")
    count = len(schema.returns)
    outs = ", ".join(f"Tensor({chr(97 + i)}!) out{i if count > 1 else ''}" for i in range(count))
    name, _, rest = head.strip().partition("(")
    arguments = rest.rstrip(") ")
    star = "" if any(a.kwarg_only for a in schema.arguments) else "*, "
    overload = f"{schema.overload_name}_out" if schema.overload_name else "out"
    listed = f"{arguments}, {star}{outs}" if arguments else f"{star}{outs}"
    results = ", ".join(f"Tensor({chr(97 + i)}!)" for i in range(count))
    return torch._C.parse_schema(
        f"{name.partition('.')[0]}.{overload}({listed}) -> {f'({results})' if count > 1 else results}"
    )


def _default(argument: Any, node: OpNode) -> Any:
    if not argument.has_default_value():
        raise Unsupported(
            f"{node.label}{at(node.source)}: the argument {argument.name} of its out variant has no value."
        )
    value = argument.default_value
    return tuple(value) if isinstance(value, list) else value
