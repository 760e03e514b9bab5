"""Calls torch.export: on a module as it is, or on one without data; and tells its failures in words."""

import inspect
import io
import logging
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.utils import _pytree as pytree

from tenon.capture.source import source_of_error
from tenon.capture.structure import register_dataclasses
from tenon.errors import Invalid, TenonError, Unsupported
from tenon.ir.graph import at

_ABOUT_TORCH = re.compile(
    r"\n\s*(The error above occurred|While executing|Original traceback|The following call raised)"
)
_ABOUT_LOGS = ' For more information, run with TORCH_LOGS="+dynamic".'
_OUTPUT = re.compile(r"Found <class '(?P<type>[^']*)'> in output")
_ON_DATA = re.compile(r"data-dependent expression (?P<what>.*?) \(unhinted")
_TORCH_EXPORT = ("torch._dynamo", "torch._export", "torch.fx", "torch._subclasses", "torch.export")
_NO_FAKE = re.compile(r"There was no fake impl registered for <CustomOpDef\((?P<name>[^)]+)\)>")


def export_module(
    model: torch.nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None
) -> torch.export.ExportedProgram:
    """torch.export of a module; nothing is allocated for one on the meta device."""
    if not isinstance(model, torch.nn.Module):
        hint = (
            " Pass an instance, not the class."
            if isinstance(model, type) and issubclass(model, torch.nn.Module)
            else ""
        )
        raise Invalid(f"a torch.nn.Module or an ExportedProgram is needed, not {_named(model)}.{hint}")
    if not isinstance(args, tuple):
        raise Invalid(f"args is the tuple of the model's inputs, not {_named(args)}. Write (x,) for a single one.")
    keywords = dict(kwargs or {})
    _check_call(model, args, keywords)
    register_dataclasses([args, keywords])
    args, keywords = _each_tensor_once(args, keywords)
    hook = model.register_forward_hook(lambda _module, _args, outputs: register_dataclasses([outputs]))
    try:
        with _quiet(), _without_meta(model, args, keywords) as (args, keywords):
            return torch.export.export(model, args, keywords, dynamic_shapes=dynamic_shapes)
    except TenonError:
        raise
    except Exception as error:  # whatever the user's forward or torch.export raises, told in words
        raise explain(model, error) from error
    finally:
        hook.remove()


_CHATTY = ("torch._subclasses.fake_tensor", "torch.fx.experimental.symbolic_shapes")


@contextmanager
def _quiet() -> Iterator[None]:
    """Inside, torch neither logs the traceback nor prints the graph of an error that it also raises."""
    loggers = [logging.getLogger(name) for name in _CHATTY]
    before = [logger.disabled for logger in loggers]
    printed, unwanted = io.StringIO(), ""
    try:
        for logger in loggers:
            logger.disabled = True
        with redirect_stderr(printed):
            yield
    except Exception as error:
        unwanted = f"{getattr(error, 'partial_fx_graph', '')}\n"
        raise
    finally:
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled
        sys.stderr.write(printed.getvalue().replace(unwanted, "") if unwanted.strip() else printed.getvalue())


def _named(value: Any) -> str:
    return f"the class {value.__name__}" if isinstance(value, type) else f"a {type(value).__name__}"


def _check_call(model: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    try:
        inspect.signature(model.forward).bind(*args, **kwargs)
    except TypeError as error:
        signature = inspect.signature(model.forward)
        raise Invalid(f"{type(model).__name__}.forward{signature} does not take these inputs: {error}.") from error


def _each_tensor_once(args: Any, kwargs: Any) -> tuple[Any, Any]:
    """A tensor that is passed twice becomes two: torch.export would take all its uses for uses of the last."""
    seen: set[int] = set()

    def fresh(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or id(leaf) not in seen:
            seen.add(id(leaf))
            return leaf
        return leaf.detach().clone()

    once: tuple[Any, Any] = pytree.tree_map(fresh, (args, kwargs))
    return once


@contextmanager
def _without_meta(model: torch.nn.Module, args: Any, kwargs: Any) -> Iterator[tuple[Any, Any]]:
    """Inside, meta tensors of the model and its inputs are fake tensors on the CPU.

    torch.export of a module on the meta device loses the data of every torch.tensor(...) in forward. A fake tensor
    costs as little as a meta one, and `device=x.device` then makes a real constant.
    """
    tensors = [*model.parameters(), *model.buffers(), *pytree.tree_leaves((args, kwargs))]
    if not any(isinstance(tensor, torch.Tensor) and tensor.device.type == "meta" for tensor in tensors):
        yield args, kwargs
        return
    mode = FakeTensorMode(shape_env=ShapeEnv(), allow_non_fake_inputs=True)
    made: dict[int, torch.Tensor] = {}  # a tensor that is shared stays shared

    def fake(tensor: Any) -> Any:
        if not isinstance(tensor, torch.Tensor):
            return tensor
        if id(tensor) not in made:
            with mode:
                device = "cpu" if tensor.device.type == "meta" else tensor.device
                blank = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=device)
            is_parameter = isinstance(tensor, torch.nn.Parameter)
            made[id(tensor)] = torch.nn.Parameter(blank, requires_grad=False) if is_parameter else blank
        return made[id(tensor)]

    tables: list[Any] = [table for module in model.modules() for table in (module._parameters, module._buffers)]
    before = [dict(table) for table in tables]
    try:
        for table in tables:
            table.update({name: fake(tensor) for name, tensor in table.items()})
        yield pytree.tree_map(fake, (args, kwargs))
    finally:
        for table, tensors_before in zip(tables, before, strict=True):
            table.update(tensors_before)


def explain(model: object, error: Exception) -> TenonError:
    """A failure of torch.export as a sentence: what, where in the model, and what to do."""
    place = at(source_of_error(error.__traceback__))
    who = type(model).__name__
    message = _essence(str(error))
    missing = _op_without_meta_kernel(error)
    if missing:
        return Unsupported(
            f"{missing}{place} has no meta kernel, so its result's shape is unknown. Add one:\n"
            f'  @torch.library.register_fake("{missing}")\n'
            "  def _(...):  # the operator's arguments\n"
            "      return torch.empty(...)  # a tensor of the result's shape and dtype"
        )
    output = _OUTPUT.search(message)
    if output:
        return Unsupported(
            f"{who}.forward returns a {output['type']}, which a graph cannot hold. "
            "Return tensors and numbers, in tuples, lists, dicts or dataclasses."
        )
    guard = _ON_DATA.search(message)
    if guard:
        return Unsupported(
            f"torch.export cannot capture {who}{place}: what the model does there depends on a value that is known "
            f"only when it runs ({guard['what']}). Use torch.cond or torch.where, or bound it with torch._check."
        )
    if type(error).__module__.startswith(_TORCH_EXPORT):
        return Unsupported(f"torch.export cannot capture {who}{place}: {message}")
    return Invalid(f"{who}.forward raised {type(error).__name__}{place} with these inputs: {message}")


def _essence(message: str) -> str:
    """What torch says about this model, without what it says about itself."""
    told = _ABOUT_TORCH.split(message)[0].replace(_ABOUT_LOGS, "")
    lines = [line.rstrip() for line in told.strip().splitlines() if line.strip()] or [""]
    first = lines[0] if lines[0].endswith((".", "!", "?", ":")) else lines[0] + "."
    return "\n  ".join([first, *(line.strip() for line in lines[1:8])])


def _op_without_meta_kernel(error: BaseException | None) -> str | None:
    """The operator of which torch said that it has no fake implementation."""
    while error is not None:
        func = getattr(error, "func", None)
        if isinstance(func, torch._ops.OpOverload):
            return func._schema.name
        found = _NO_FAKE.match(str(error))
        if found:
            return found["name"]
        error = error.__cause__
    return None
