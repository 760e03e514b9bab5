"""Inputs against the graph: their structure, dtypes and sizes, told by name where they do not fit."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from tenon.errors import Invalid
from tenon.ir.dims import Expr, evaluate, solve, symbols_of
from tenon.ir.graph import Graph, Value
from tenon.ir.tree import flatten
from tenon.ir.types import ConstMeta, ScalarMeta, TensorMeta
from tenon.ops.values import DTYPE_OF, TORCH_DTYPE


def flat_inputs(graph: Graph, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """The leaves of a call's arguments in the order of the graph's inputs."""
    takes_args, takes_kwargs = graph.in_tree.children
    args, kwargs = list(args), dict(kwargs)
    # Arguments may be passed either way, whichever way they were captured.
    if len(args) > len(takes_args.children):
        spare = args[len(takes_args.children) :]
        names = [str(key) for key in takes_kwargs.keys if key not in kwargs]
        kwargs |= dict(zip(names, spare, strict=False))
        args = args[: len(takes_args.children)] + spare[len(names) :]
    for name in _positional_names(graph)[len(args) :]:
        if name not in kwargs:
            break
        args.append(kwargs.pop(name))
    if len(args) != len(takes_args.children):
        raise Invalid(f"{graph.name} takes {_counted(takes_args.children)}, and was given {len(args)}.")
    return flatten(takes_args, args, "inputs") + flatten(takes_kwargs, kwargs, "inputs")


def _positional_names(graph: Graph) -> list[str]:
    """The names of positional inputs, up to the first that is a container: that has none."""
    children = graph.in_tree.children[0].children
    plain = itertools.takewhile(lambda pair: pair[0].kind == "leaf", zip(children, graph.inputs, strict=False))
    return [value.name for _, value in plain]


def _counted(children: Sequence[Any]) -> str:
    return f"{len(children)} positional input{'' if len(children) == 1 else 's'}"


def check_inputs(graph: Graph, leaves: list[Any]) -> dict[str, int]:
    """What each symbol stands for in this call; `Invalid`, with input and dimension, where something does not fit."""
    sizes: dict[str, int] = {}
    derived: list[tuple[str, Expr, int]] = []
    for value, leaf in zip(graph.inputs, leaves, strict=True):
        if isinstance(value.type, TensorMeta):
            _check_tensor(graph, value, value.type, leaf, derived)
        elif isinstance(value.type, ConstMeta):
            _check_constant(graph, value.name, value.type.value, leaf)
        elif isinstance(value.type, ScalarMeta):
            _check_scalar(graph, value.name, value.type, leaf)
            if isinstance(value.type.expr, Expr):
                derived.append((f"the input {value.name}", value.type.expr, int(leaf)))
    for where, expr, found in derived:
        _bind(graph, where, expr, found, sizes)
    for where, expr, found in derived:
        if symbols_of(expr) <= sizes.keys() and (expected := evaluate(expr, sizes)) != found:
            given = ", ".join(f"{name}={sizes[name]}" for name in sorted(symbols_of(expr)))
            raise Invalid(f"{graph.name}: {where} is {found}, but must be {expr} = {expected} ({given}).")
    for symbol in graph.symbols:
        size = sizes.get(symbol.name)
        if size is not None and not symbol.range[0] <= size <= symbol.range[1]:
            place, expr, found = next(row for row in derived if symbol.name in symbols_of(row[1]))
            limit = f"at least {symbol.low}" if symbol.high is None else f"from {symbol.low} to {symbol.high}"
            stands = "" if str(expr) == symbol.name else f", so {symbol.name} is {size}"
            raise Invalid(f"{graph.name}: {place} is {found}{stands}, but {symbol.name} must be {limit}.")
    return sizes


def _bind(graph: Graph, where: str, expr: Expr, found: int, sizes: dict[str, int]) -> None:
    """Let a size decide the symbol it stands for, if nothing has yet."""
    solved = solve(expr, found)
    if solved is None or solved[0] in sizes:
        return
    if solved[1] is None:
        raise Invalid(f"{graph.name}: {where} is {found}, but must be {expr} for some whole {solved[0]}.")
    sizes[solved[0]] = solved[1]


def _check_tensor(
    graph: Graph, value: Value, meta: TensorMeta, leaf: Any, derived: list[tuple[str, Expr, int]]
) -> None:
    if not isinstance(leaf, torch.Tensor):
        raise Invalid(f"{graph.name}: the input {value.name} must be a tensor, not a {type(leaf).__name__}.")
    if leaf.dtype is not TORCH_DTYPE[meta.dtype]:
        raise Invalid(f"{graph.name}: the input {value.name} is {DTYPE_OF[leaf.dtype]}, but must be {meta.dtype}.")
    if leaf.dim() != len(meta.shape):
        raise Invalid(
            f"{graph.name}: the input {value.name} has shape {list(leaf.shape)}, but must have {_shape(meta)}."
        )
    for i, (found, expected) in enumerate(zip(leaf.shape, meta.shape, strict=True)):
        if isinstance(expected, int):
            if found != expected:
                raise Invalid(
                    f"{graph.name}: dimension {i} of the input {value.name} is {found}, but must be {expected} "
                    f"({_shape(meta)})."
                )
            continue
        derived.append((f"dimension {i} of the input {value.name}", expected, found))


def _shape(meta: TensorMeta) -> str:
    return f"[{', '.join(map(str, meta.shape))}]"


def _check_constant(graph: Graph, name: str, expected: Any, found: Any) -> None:
    if type(found) is not type(expected) or (found != expected and found == found):
        raise Invalid(
            f"{graph.name}: the input {name} was captured as {expected!r} and is fixed; it cannot be {found!r}. "
            "Capture again with it."
        )


def _check_scalar(graph: Graph, name: str, meta: ScalarMeta, found: Any) -> None:
    allowed = {"int": int, "float": (int, float), "bool": bool}[meta.kind]
    if not isinstance(found, allowed):  # type: ignore[arg-type]
        raise Invalid(f"{graph.name}: the input {name} must be {meta.kind}, not {found!r}.")
