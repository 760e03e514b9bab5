"""torch's pytree structures as trees of the IR, and dataclasses made known to torch's pytree."""

import dataclasses
import json
import math
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from tenon.errors import Unsupported
from tenon.ir.tree import LEAF, Tree, class_name


def tree_of(spec: pytree.TreeSpec) -> Tree:
    """The same structure as plain data."""
    if spec.is_leaf():
        return LEAF
    children = tuple(tree_of(child) for child in spec.children())
    cls, context = spec.type, spec.context
    if cls in (tuple, list):
        return Tree(cls.__name__, children)
    if cls in (dict, torch.fx.immutable_collections.immutable_dict):
        return Tree("dict", children, tuple(map(_key, context)))
    if cls is torch.fx.immutable_collections.immutable_list:
        return Tree("list", children)
    if cls is OrderedDict:
        return Tree("ordered_dict", children, tuple(map(_key, context)))
    if cls is pytree.namedtuple:
        return Tree("namedtuple", children, context._fields, class_name(context))
    if isinstance(cls, type) and dataclasses.is_dataclass(cls):
        return _dataclass_tree(cls, context, children)
    return Tree("custom", children, (), class_name(cls), _dumped(cls, context))


def _key(key: Any) -> Any:
    if key is None or isinstance(key, (str, bool, int)) or (isinstance(key, float) and math.isfinite(key)):
        return key
    raise Unsupported(
        f"a dict among the inputs or outputs has the key {key!r}, a {type(key).__name__}. "
        "Use strings or numbers as keys."
    )


def _dataclass_tree(cls: type, context: Any, children: tuple[Tree, ...]) -> Tree:
    # register_dataclass keeps [names of fields, names of fields that are None]; transformers keeps the names.
    keys, empty = context if len(context) == 2 and isinstance(context[0], (list, tuple)) else (context, [])
    return Tree("dataclass", children, tuple(keys), class_name(cls), " ".join(empty))


def _dumped(cls: type, context: Any) -> str:
    saved = pytree.SUPPORTED_SERIALIZED_TYPES.get(cls)
    dump = saved.to_dumpable_context if saved else None
    try:
        return json.dumps(dump(context) if dump else context)
    except TypeError as error:
        raise Unsupported(
            f"{class_name(cls)} among the inputs or outputs is not pytree-able: its context cannot be saved ({error}). "
            "Register it with to_dumpable_context and from_dumpable_context."
        ) from error


def register_dataclasses(values: Iterable[Any]) -> None:
    """Let torch's pytree see into every dataclass among the values, however deeply nested."""
    for leaf in pytree.tree_leaves(list(values)):
        if dataclasses.is_dataclass(leaf) and not isinstance(leaf, type) and type(leaf) not in pytree.SUPPORTED_NODES:
            torch.export.register_dataclass(type(leaf))
            register_dataclasses([leaf])
