"""The table of contents: the stages, called in order."""

import inspect
import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch.utils import _pytree as pytree

from tenon.capture import convert_exported_program, decompose, dim_names, export_module, region_sources, to_aten
from tenon.dialect import verify
from tenon.emit import Constants, constant_method, emit_method
from tenon.errors import Invalid
from tenon.ir.graph import Graph
from tenon.lower import (
    FUSED_ONLY,
    WHOLE,
    changes_nothing,
    drop_needless,
    fuse,
    lay_out,
    optional_of,
    separate_constants,
    to_edge,
    to_exec,
    unfused,
)
from tenon.ops.values import view_of
from tenon.plan import ONE_BANK, plan_memory, share_state
from tenon.pte import Program
from tenon.pte.check import check_program
from tenon.run.compare import Comparison, compare
from tenon.run.executor import Executor
from tenon.run.weights import bind_weights, in_plain_tensors

Model = torch.nn.Module | torch.export.ExportedProgram
_STAGES = (("capture", "lower"), ("plan", "emit"))  # of each method, as progress is told


def extract_ir(
    model: Model,
    args: tuple[Any, ...] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    model_name: str | None = None,
) -> Graph:
    """The graph of a model as torch.export captures it, any ATen operator in it.

    The model may be on the meta device: nothing is allocated then. An ExportedProgram needs no `args`.
    """
    program, names = _exported(model, args, kwargs, dynamic_shapes)
    return convert_exported_program(program, model_name=model_name or _name(model), dim_names=names)


def capture(
    model: Model,
    args: tuple[Any, ...] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    model_name: str | None = None,
    keep: Collection[str] = (),
) -> Graph:
    """The graph of a model in the ATen dialect, verified.

    `keep` names operators that stay as they were called although they are not core ATen, such as
    `["aten::linalg_cholesky_ex"]`.
    """
    program, names = _exported(model, args, kwargs, dynamic_shapes)
    regions = region_sources(program.graph_module)
    graph = convert_exported_program(
        decompose(program, keep), model_name=model_name or _name(model), dim_names=names, regions=regions
    )
    return verify(to_aten(graph), "aten", keep=keep)


def export(
    model: Model | Mapping[str, tuple[Any, ...]],
    args: tuple[Any, ...] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    keep: Collection[str] = (),
    constant_methods: Mapping[str, Any] | None = None,
    external_weights: bool = False,
    memory: Mapping[str, int | None] | None = None,
    optimize: bool = False,
    source_lines: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
) -> Program:
    """A model as a program: captured, lowered, its memory planned, ready to save as a .pte file.

    For several methods pass a mapping, `{"prefill": (model, args), "decode": (model, args, kwargs, dynamic_shapes)}`:
    equal weights are stored once. `constant_methods` gives plain values under names of their own. With
    `external_weights`, weights are saved beside the program, in a .ptd file of its name. State that several methods
    use is one state for all of them.

    `memory` names the target's memory banks with the bytes each has, fastest first: `{"sram": 65536, "dram": None}`,
    None for no limit. What does not fit fails here, and says by how many bytes. Without it there is one bank.

    `optimize` computes what depends on weights alone, packs weights, and makes one operator of several where Tenon has
    it (`docs/optimizing.md`). The program is faster and gives the same results but for rounding. It calls operators of
    the namespace `tenon`, and so runs in lean mode and on torch in Python (`tenon.load(path, mode="aten")`), but not in
    ExecuTorch. `optimize=False` writes a plain program, which runs in all of them.

    `source_lines` keeps the model's file and line of every instruction in the program, for profiles.

    Weights are not copied: the program refers to the model's own memory, and they are read when it is saved. Save it
    before the model's weights are trained on or moved to shared memory, or export it again. State, which running the
    model changes, is copied.

    `progress` is told what is done next, how many steps were done, and how many there are.
    """
    methods = model if isinstance(model, Mapping) else {"forward": (model, args, kwargs, dynamic_shapes)}
    steps = [f"{stage} {name}" for stages in _STAGES for name in sorted(methods) for stage in stages] + ["check"]
    done = itertools.count()

    def advance() -> None:
        number = next(done)
        if progress is not None:
            progress(steps[number], number, len(steps))

    graphs, weights = {}, {}
    for name in sorted(methods):
        each, *rest = methods[name]
        inputs, named, shapes = (*rest, None, None, None)[:3]
        advance()
        whole = [*keep, *WHOLE, *FUSED_ONLY] if optimize else keep
        graph = capture(each, inputs, named, dynamic_shapes=shapes, keep=whole)
        left = unfused(graph) - {*keep} if optimize else ()
        if left:
            whole = [name for name in whole if name not in left]
            graph = capture(each, inputs, named, dynamic_shapes=shapes, keep=whole)
        advance()
        held = _state(each)
        if optimize:
            graph, held = optimized(graph, held)
            verify(graph, "aten", keep=keep)
        edge = lay_out(to_edge(graph)) if optimize else to_edge(graph)
        graphs[name] = verify(to_exec(verify(edge, "edge", keep=keep)), "exec", keep=keep)
        weights[name] = bind_weights(graphs[name], _used(graphs[name], held))
    banks = ONE_BANK if memory is None else _checked_banks(memory)
    state = share_state(graphs, {name: _addresses(held) for name, held in weights.items()}, len(banks) + 1)
    pool, plans, least = Constants(external_weights), [], {}
    for name, graph in state.graphs.items():
        advance()
        outside = [w.name for w in graph.weights if external_weights and w.data is None]
        plan = plan_memory(graph, banks, state.places[name], outside, state_in_place=optimize)
        if state.bytes:
            plan = replace(plan, sizes=[*plan.sizes, state.bytes])
        advance()
        data = {key: view_of(tensor) for key, tensor in weights[name].items()}
        plans.append(emit_method(graph, name, plan, data, pool, source_lines))
        least[name] = plan.lower_bound
    plans += [constant_method(name, value) for name, value in (constant_methods or {}).items()]
    # A vector that lies across two lines of a cache is read twice.
    alignment = 64 if optimize else 16
    program = Program(
        plans, pool.constants, pool.state, alignment=alignment, external=pool.external, lower_bounds=least
    )
    advance()
    check_program(program)
    return program


def optimized(graph: Graph, weights: Mapping[str, torch.Tensor]) -> tuple[Graph, dict[str, torch.Tensor]]:
    """The same computation in fewer operators, and its weights: those it had, and those that are made of them."""
    constants, graph = separate_constants(fuse(graph))
    values = Executor(constants.graph, _used(constants.graph, weights))()
    made = dict(zip(constants.names, values, strict=True))
    needless = {name for name in optional_of(graph) & made.keys() if changes_nothing(made[name])}
    return drop_needless(graph, needless), {**weights, **made}


def _used(graph: Graph, weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    names = {alias for weight in graph.weights for alias in (weight.name, *weight.aliases)}
    return {name: tensor for name, tensor in weights.items() if name in names}


def _checked_banks(memory: Any) -> Mapping[str, int | None]:
    good = isinstance(memory, Mapping) and len(memory) > 0
    for name, room in memory.items() if good else ():
        good &= isinstance(name, str) and (room is None or (type(room) is int and room >= 0))
    if not good:
        raise Invalid(
            f"memory={memory!r} gives no banks. Give each a name and its bytes, or None for no limit: "
            '{"sram": 65536, "dram": None}.'
        )
    return memory  # type: ignore[no-any-return]


def _addresses(weights: Mapping[str, torch.Tensor]) -> dict[str, Any]:
    """Which memory each weight is: two methods of one model have the same."""
    return {
        name: (tensor.data_ptr(), tensor.dtype, tensor.shape, tensor.stride()) if tensor.numel() else name
        for name, tensor in weights.items()
    }


def _state(model: Model) -> Mapping[str, torch.Tensor]:
    """Parameters and buffers, also those that a state dict leaves out."""
    if isinstance(model, torch.nn.Module):
        return in_plain_tensors({**dict(model.named_buffers(remove_duplicate=False)), **model.state_dict()})
    constants = {name: held for name, held in model.constants.items() if isinstance(held, torch.Tensor)}
    return in_plain_tensors({**constants, **model.state_dict})


def verify_ir(
    ir: Graph,
    model: torch.nn.Module,
    inputs: Sequence[Any] | torch.Tensor,
    kwargs: Mapping[str, Any] | None = None,
    *,
    state_dict: Mapping[str, torch.Tensor] | None = None,
    rtol: float = 1e-5,
    atol: float = 1e-5,
) -> Comparison:
    """Run graph and model on the same inputs and compare every output. The result is true if all match.

    On a mismatch it names the first node whose value differs from a fresh capture of the model.
    """
    if not isinstance(model, torch.nn.Module):
        raise Invalid(f"verify_ir compares with a torch.nn.Module, not a {type(model).__name__}.")
    args = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    again = capture if ir.dialect == "aten" else extract_ir
    weights = model.state_dict() if state_dict is None else state_dict
    return compare(ir, model, args, kwargs or {}, weights, lambda: again(model, args, kwargs), rtol, atol)


def _exported(
    model: Model, args: tuple[Any, ...] | None, kwargs: Mapping[str, Any] | None, dynamic_shapes: Any
) -> tuple[torch.export.ExportedProgram, dict[str, str]]:
    """The exported program, and what its symbols are to be called."""
    if isinstance(model, torch.export.ExportedProgram):
        if args is not None or kwargs is not None or dynamic_shapes is not None:
            raise Invalid("an ExportedProgram holds its inputs and shapes already: pass it alone.")
        return model, {}
    given = () if args is None else args
    program = export_module(model, given, kwargs, dynamic_shapes)
    bound = inspect.signature(model.forward).bind(*given, **(kwargs or {}))
    named = dim_names(bound.arguments, dynamic_shapes)
    return program, _symbol_names(program, pytree.tree_leaves((given, dict(kwargs or {}))), named)


def _symbol_names(
    program: torch.export.ExportedProgram, leaves: list[Any], named: dict[int, dict[int, str]]
) -> dict[str, str]:
    """torch's symbol -> the name of the user's Dim that it stands for."""
    inputs = [node for node in program.graph.nodes if node.name in program.graph_signature.user_inputs]
    found: dict[str, str] = {}
    for node, leaf in zip(inputs, leaves, strict=False):
        for dim, name in named.get(id(leaf), {}).items():
            size = node.meta["val"].shape[dim]
            if isinstance(size, torch.SymInt) and len(size.node.expr.free_symbols) == 1:
                found.setdefault(str(*size.node.expr.free_symbols), name)
    return found


def _name(model: Model) -> str | None:
    return type(model).__name__ if isinstance(model, torch.nn.Module) else None
