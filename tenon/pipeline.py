"""The table of contents: the stages, called in order."""

import inspect
import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from tenon.capture import convert_exported_program, decompose, dim_names, export_module, region_sources, to_aten
from tenon.dialect import verify
from tenon.emit import Constants, constant_method, emit_method
from tenon.errors import Invalid, Unsupported
from tenon.ir.graph import Graph
from tenon.lower import to_edge, to_exec
from tenon.ops.values import bytes_of
from tenon.plan import plan_memory
from tenon.pte import Program, read_program
from tenon.pte.check import check_program
from tenon.pte.external import read_external
from tenon.pte.program import sidecar
from tenon.pte.schema import ExecutionPlan
from tenon.run import Comparison, Module, bind_weights, compare

Model = torch.nn.Module | torch.export.ExportedProgram


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
) -> Program:
    """A model as a program: captured, lowered, its memory planned, ready to save as a .pte file.

    For several methods pass a mapping, `{"prefill": (model, args), "decode": (model, args, kwargs, dynamic_shapes)}`:
    equal weights are stored once. `constant_methods` gives plain values under names of their own. With
    `external_weights`, weights are saved beside the program, in a .ptd file of its name.
    """
    methods = model if isinstance(model, Mapping) else {"forward": (model, args, kwargs, dynamic_shapes)}
    pool, plans, least = Constants(external_weights), [], {}
    for name in sorted(methods):
        each, *rest = methods[name]
        inputs, named, shapes = (*rest, None, None, None)[:3]
        method, least[name] = _method(name, each, inputs, named, shapes, keep, pool)
        plans.append(method)
    plans += [constant_method(name, value) for name, value in (constant_methods or {}).items()]
    program = Program(plans, pool.constants, pool.state, external=pool.external, lower_bounds=least)
    check_program(program)
    return program


def _method(
    name: str, model: Model, args: Any, kwargs: Any, dynamic_shapes: Any, keep: Collection[str], pool: Constants
) -> tuple[ExecutionPlan, int]:
    """The method, and the least memory that any plan for it could do with."""
    graph = capture(model, args, kwargs, dynamic_shapes=dynamic_shapes, keep=keep)
    lowered = to_exec(to_edge(graph))
    plan = plan_memory(lowered)
    weights = {key: bytes_of(tensor) for key, tensor in bind_weights(lowered, _state(model)).items()}
    return emit_method(lowered, name, plan.offsets, plan.total, plan.homes, weights, pool), plan.lower_bound


def _state(model: Model) -> Mapping[str, torch.Tensor]:
    return model.state_dict() if isinstance(model, torch.nn.Module) else model.state_dict


def load(path: str | os.PathLike[str], mode: str = "aten") -> Module:
    """A .pte file, ready to be called. In mode 'aten' it runs in Python on torch's out variants."""
    if mode != "aten":
        raise Unsupported(f"the mode {mode!r} is not here yet: there is 'aten'.")
    program = read_program(path)
    beside = sidecar(path)
    return Module(program, read_external(beside) if beside.is_file() else {})


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
