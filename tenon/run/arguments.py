"""What a method was called with, as the list of leaves that it takes."""

from collections.abc import Mapping
from typing import Any

from tenon.errors import Invalid
from tenon.ir.tree import Tree, flatten


def leaves_of(takes: Tree | None, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
    """By the structure that the model was exported with; by position, if the call has another one."""
    if takes is not None:
        try:
            return flatten(takes, (args, dict(kwargs)))
        except Invalid:
            pass
    return _leaves((args, dict(kwargs)))


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [leaf for part in value.values() for leaf in _leaves(part)]
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in _leaves(part)]
    return [value]
