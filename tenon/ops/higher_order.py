"""The higher-order operators: what their arguments are called, and how they run on callables.

A subgraph reaches these functions as a callable from values to a list of values.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from tenon.errors import Unsupported, near
from tenon.ir.graph import OpNode

Body = Callable[..., list[Any]]


def cond(pred: Any, true_fn: Body, false_fn: Body, operands: Sequence[Any]) -> list[Any]:
    return (true_fn if pred else false_fn)(*operands)


def while_loop(
    cond_fn: Body,
    body_fn: Body,
    carried_inputs: Sequence[Any],
    additional_inputs: Sequence[Any],
    *,
    mutated_arg_indices: str = "",
) -> list[Any]:
    carried = list(carried_inputs)
    while cond_fn(*carried, *additional_inputs)[0]:
        carried = body_fn(*carried, *additional_inputs)
    return carried


def map_impl(f: Body, xs: Sequence[torch.Tensor], pos_args: Sequence[Any]) -> list[Any]:
    return _stacked([f(*row, *pos_args) for row in _rows(xs)], xs)


def scan(
    combine_fn: Body, init: Sequence[Any], xs: Sequence[torch.Tensor], additional_inputs: Sequence[Any]
) -> list[Any]:
    carry, results = list(init), []
    for row in _rows(xs):
        values = combine_fn(*carry, *row, *additional_inputs)
        carry, result = values[: len(init)], values[len(init) :]
        results.append(result)
    return [*(carry if len(xs[0]) else init), *_stacked(results, xs)]


def _rows(xs: Sequence[torch.Tensor]) -> list[tuple[torch.Tensor, ...]]:
    """One row of each; of an empty sequence a row of zeros, so that the body can tell the shape of its result."""
    if len(xs[0]) == 0:
        return [tuple(x.new_zeros(x.shape[1:]) for x in xs)]
    return list(zip(*(x.unbind(0) for x in xs), strict=True))


def _stacked(results: list[list[torch.Tensor]], xs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    return [torch.stack(column)[: len(xs[0])] for column in zip(*results, strict=True)]


def wrap_with_autocast(
    device_type: str, dtype: torch.dtype, enabled: bool, cache_enabled: bool, wrapped_func: Body, args: Sequence[Any]
) -> list[Any]:
    with torch.autocast(device_type, dtype, enabled, cache_enabled):
        return wrapped_func(*args)


HIGHER_ORDER: dict[str, Callable[..., list[Any]]] = {
    f"higher_order::{function.__name__}": function
    for function in (cond, while_loop, map_impl, scan, wrap_with_autocast)
}


def row_name(prefix: str, node: OpNode, number: int) -> str:
    """What the memory of a loop's row is called: the plan and the program must agree on it."""
    return f"{prefix}{node.outputs[0].name}/row{number}"


def find_higher_order(name: str) -> Any:
    """torch's own operator of that name, or None."""
    import torch._higher_order_ops

    found = getattr(torch.ops.higher_order, name.removeprefix("higher_order::"), None)
    return found if isinstance(found, torch._ops.HigherOrderOperator) else None


def named_arguments(operator: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """A call's arguments by name: from our function where there is one, else from torch's signature."""
    own = HIGHER_ORDER.get(f"higher_order::{operator.name()}")
    if own is None:
        bound = inspect.signature(type(operator).__call__).bind(operator, *args, **kwargs)
        return _flat(bound)
    names = list(inspect.signature(own).parameters)
    if names[-1] == "args":
        fixed = len(names) - 1
        return {**dict(zip(names, args[:fixed], strict=False)), "args": tuple(args[fixed:])} | dict(kwargs)
    return dict(zip(names, args, strict=False)) | dict(kwargs)


def _flat(bound: inspect.BoundArguments) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for name, parameter in list(bound.signature.parameters.items())[1:]:
        if name not in bound.arguments:
            continue
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            named.update(bound.arguments[name])
        else:
            named[name] = bound.arguments[name]
    return named


def runner(name: str) -> Callable[..., Any]:
    """The function that runs a higher-order operator from its named arguments."""
    if name in HIGHER_ORDER:
        return HIGHER_ORDER[name]
    operator = find_higher_order(name)
    if operator is None:
        raise Unsupported(f"{name} is not a higher-order operator of torch.{near(name, HIGHER_ORDER)}")
    parameters = list(inspect.signature(type(operator).__call__).parameters.values())[1:]
    spread = next((p.name for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL), None)
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]

    def run(**named: Any) -> Any:
        args = [named.pop(key) for key in positional if key in named]
        return operator(*args, *(named.pop(spread, ()) if spread else ()), **named)

    return run
