"""The structure of a model's inputs and outputs: nested containers around a flat list of leaves.

A `Tree` is plain data and names classes as text, so that a file can be read where they do not exist. They are
looked up only to flatten or build values, and only among classes the process already has: reading a file
imports nothing.
"""

import dataclasses
import json
import math
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tenon.errors import Invalid

KINDS = ("leaf", "tuple", "list", "dict", "ordered_dict", "namedtuple", "dataclass", "custom")
Key = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Tree:
    """One container, or a leaf.

    `keys` are dict keys or field names. `type` names a class as 'module:qualified.name'. `context` is what a
    custom container needs besides its children, as JSON text; for a dataclass, the fields that were None.
    """

    kind: str = "leaf"
    children: tuple["Tree", ...] = ()
    keys: tuple[Key, ...] = ()
    type: str = ""
    context: str = ""

    @property
    def leaves(self) -> int:
        return 1 if self.kind == "leaf" else sum(child.leaves for child in self.children)

    def paths(self, prefix: str = "") -> Iterator[str]:
        """Where each leaf stands, as one would write it: `[0]["mask"]`, `.logits`."""
        if self.kind == "leaf":
            yield prefix
        for child, step in zip(self.children, self.steps(), strict=True):
            yield from child.paths(prefix + step)

    def steps(self) -> list[str]:
        if self.kind in _RECORDS:
            return [f".{key}" for key in self.keys]
        if self.kind in ("dict", "ordered_dict"):
            return [f"[{key!r}]" for key in self.keys]
        return [f"[{i}]" for i in range(len(self.children))]


LEAF = Tree()
_RECORDS = ("namedtuple", "dataclass")
_KEYED = ("dict", "ordered_dict", *_RECORDS)


def fault_of(tree: Tree) -> str | None:
    """What no value can have, about this container alone; None if there is nothing."""
    if tree.kind == "leaf" and tree != Tree():
        return "a leaf has no children, keys, type or context"
    if len(tree.keys) != (len(tree.children) if tree.kind in _KEYED else 0):
        return f"a {tree.kind} of {len(tree.children)} has {len(tree.keys)} keys"
    if not all(_plain(key) for key in tree.keys):
        return f"its keys {list(tree.keys)!r} are not all plain values"
    if len(set(tree.keys)) != len(tree.keys):
        return f"its keys {list(tree.keys)!r} are not all different"
    if tree.kind in _RECORDS and not all(isinstance(key, str) for key in tree.keys):
        return f"its fields {list(tree.keys)!r} are not all names"
    return None


def _plain(key: object) -> bool:
    return key is None or isinstance(key, (str, bool, int)) or (isinstance(key, float) and math.isfinite(key))


def flat_tree(leaves: int) -> Tree:
    """A tuple of so many values: the inputs or outputs of a subgraph."""
    return Tree("tuple", (LEAF,) * leaves)


def class_name(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


def find_class(name: str) -> type:
    """The class of that name, if this process has it."""
    module_name, _, path = name.partition(":")
    found: Any = sys.modules.get(module_name)
    for part in path.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type):
        raise Invalid(
            f"the class {name} of this graph's inputs or outputs is not known here. Import {module_name} first."
        )
    return found


def flatten(tree: Tree, value: Any, where: str = "") -> list[Any]:
    """The leaves of a value that has this structure."""
    if tree.kind == "leaf":
        return [value]
    leaves: list[Any] = []
    for child, part, step in zip(tree.children, _parts(tree, value, where), tree.steps(), strict=True):
        leaves.extend(flatten(child, part, where + step))
    return leaves


def _parts(tree: Tree, value: Any, where: str) -> list[Any]:
    if tree.kind in ("tuple", "list"):
        if not isinstance(value, (tuple, list)) or len(value) != len(tree.children):
            raise _mismatch(tree, value, where)
        return list(value)
    if tree.kind in ("dict", "ordered_dict"):
        if not isinstance(value, dict) or set(value) != set(tree.keys):
            raise _mismatch(tree, value, where)
        return [value[key] for key in tree.keys]
    if tree.kind in _RECORDS:
        if not all(hasattr(value, str(key)) for key in tree.keys):
            raise _mismatch(tree, value, where)
        return [getattr(value, str(key)) for key in tree.keys]
    take_apart, _, _ = _registered(tree)
    if not isinstance(value, find_class(tree.type)):
        raise _mismatch(tree, value, where)
    parts, _ = take_apart(value)
    if len(parts) != len(tree.children):
        raise _mismatch(tree, value, where)
    return list(parts)


def _mismatch(tree: Tree, value: Any, where: str) -> Invalid:
    found = type(value).__name__
    if isinstance(value, dict):
        found += f" with keys {', '.join(map(repr, value))}" if value else " that is empty"
    elif isinstance(value, (tuple, list)):
        found += f" of {len(value)}"
    return Invalid(f"{where or 'the inputs'}: the graph takes {describe(tree)}, and this is a {found}.")


def describe(tree: Tree) -> str:
    """A container in words."""
    names = ", ".join(map(repr, tree.keys))
    return {
        "leaf": "one value",
        "tuple": f"a tuple of {len(tree.children)}",
        "list": f"a list of {len(tree.children)}",
        "dict": f"a dict with keys {names}" if names else "an empty dict",
        "ordered_dict": f"an ordered dict with keys {names}",
        "custom": f"a {tree.type}",
    }.get(tree.kind, f"a {tree.type} with fields {names}")


def unflatten(tree: Tree, leaves: Iterator[Any]) -> Any:
    """Build the value of this structure from its leaves."""
    if tree.kind == "leaf":
        return next(leaves)
    children = [unflatten(child, leaves) for child in tree.children]
    if tree.kind == "tuple":
        return tuple(children)
    if tree.kind == "list":
        return children
    if tree.kind == "dict":
        return dict(zip(tree.keys, children, strict=True))
    if tree.kind == "ordered_dict":
        return OrderedDict(zip(tree.keys, children, strict=True))
    if tree.kind == "custom":
        _, build, load_context = _registered(tree)
        return build(children, load_context(tree.context))
    fields: dict[str, Any] = {str(key): child for key, child in zip(tree.keys, children, strict=True)}
    try:
        return _record_class(tree)(**fields, **dict.fromkeys(tree.context.split()))
    except TypeError as error:
        raise Invalid(f"{tree.type} has other fields here than when the graph was captured: {error}.") from error


def check_buildable(tree: Tree) -> None:
    """Raises Invalid if the class of this container (its children aside) cannot be built here."""
    if tree.kind in _RECORDS:
        _record_class(tree)
    elif tree.kind == "custom":
        _registered(tree)


def _record_class(tree: Tree) -> type:
    cls = find_class(tree.type)
    if not (dataclasses.is_dataclass(cls) or hasattr(cls, "_fields")):
        raise Invalid(
            f"{tree.type} is neither a dataclass nor a named tuple here, but it was when the graph was captured."
        )
    return cls


def _registered(tree: Tree) -> tuple[Callable[[Any], tuple[Any, Any]], Callable[[Any, Any], Any], Callable[[str], Any]]:
    """How torch's pytree takes a custom container apart, builds it, and reads its context.

    A class can only be registered if torch is imported already: this file needs no torch of its own.
    """
    cls = find_class(tree.type)
    pytree = sys.modules.get("torch.utils._pytree")
    if pytree is None or cls not in pytree.SUPPORTED_NODES:
        raise Invalid(
            f"{tree.type} is not registered as a pytree here. "
            "Register it with torch.utils._pytree.register_pytree_node."
        )
    node, saved = pytree.SUPPORTED_NODES[cls], pytree.SUPPORTED_SERIALIZED_TYPES.get(cls)
    from_dumpable = saved.from_dumpable_context if saved else None

    def load_context(text: str) -> Any:
        try:
            loaded = json.loads(text)
            return from_dumpable(loaded) if from_dumpable else loaded
        except (ValueError, TypeError, KeyError) as error:
            raise Invalid(f"the context {text!r} of {tree.type} cannot be read: {error}.") from error

    return node.flatten_fn, node.unflatten_fn, load_context
