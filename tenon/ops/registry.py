"""What users add: executors for operators outside torch, and conversions of calls that capture does not know.

An operator of torch needs neither: it is captured and run by its schema.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from tenon.errors import Invalid
from tenon.ir.graph import Arg, OpNode, Value
from tenon.ops.higher_order import HIGHER_ORDER
from tenon.ops.schema import normal_name
from tenon.ops.symbolic import SYMBOLIC

ExecutorFunction = Callable[[list[Any], dict[str, Any]], list[Any]]
Conversion = Callable[[Any, list[Arg], list[Value]], OpNode]
F = TypeVar("F", bound=Callable[..., Any])

_executors: dict[str, ExecutorFunction] = {}
_conversions: dict[str, Conversion] = {}


def register_executor(op: str) -> Callable[[F], F]:
    """Give an operator a Python executor: `fn(inputs, attrs) -> [results]`.

    `inputs` are the tensors among the arguments in the order of the node, `attrs` the other arguments by name.
    It is used before torch's own operator of that name.

    >>> from tenon.ops import register_executor
    >>> @register_executor("my_custom_op")
    ... def execute_my_op(inputs, attrs):
    ...     return [inputs[0] * attrs.get("scale", 1)]
    """
    return _register(_executors, op, "executor")


def register_op(op: str) -> Callable[[F], F]:
    """Say how a captured call becomes a node: `fn(fx_node, inputs, outputs) -> OpNode`.

    `inputs` are the call's arguments in IR form, `outputs` the values it defines. Needed only for calls that are not
    operators, or to change how one is written.
    """
    return _register(_conversions, op, "conversion")


def _register(table: dict[str, Any], op: str, what: str) -> Callable[[F], F]:
    if not isinstance(op, str) or not op:
        raise Invalid(f"an operator's name is a string such as 'my_ops::mul3', not {op!r}.")
    name = normal_name(op)

    def add(function: F) -> F:
        if not callable(function):
            raise Invalid(f"the {what} of {name} must be a function, not {type(function).__name__}.")
        table[name] = function
        return function

    return add


def list_registered_ops() -> dict[str, list[str]]:
    """Names with a conversion of their own, and names with an executor of their own (Tenon's and the user's)."""
    return {"conversion": sorted(_conversions), "execution": sorted({*SYMBOLIC, *HIGHER_ORDER, *_executors})}


def find_executor(op: str) -> ExecutorFunction | None:
    return _executors.get(op)


def find_conversion(op: str) -> Conversion | None:
    return _conversions.get(op)
