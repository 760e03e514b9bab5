"""The structure of a method's inputs and outputs, as the format writes it: JSON text around a tree.

A container that the format does not know is a dict of its fields to other readers; what it was is told in a key of our
own, which they pass over.
"""

import json
from typing import Any

from tenon.errors import Invalid
from tenon.ir.tree import LEAF, Tree, check_buildable, fault_of

_KINDS = {"builtins.tuple": "tuple", "builtins.list": "list", "builtins.dict": "dict"}


def encode(tree: Tree) -> str:
    return json.dumps([1, _node(tree)])


def _node(tree: Tree) -> dict[str, Any]:
    if tree.kind == "leaf":
        return {"type": None, "context": None, "children_spec": []}
    children = [_node(child) for child in tree.children]
    if tree.kind in ("tuple", "list"):
        return {"type": f"builtins.{tree.kind}", "context": "null", "children_spec": children}
    keys = list(tree.keys) if tree.keys or tree.kind == "dict" else [str(i) for i in range(len(children))]
    node = {"type": "builtins.dict", "context": json.dumps(keys), "children_spec": children}
    return node if tree.kind == "dict" else {**node, "tenon": [tree.kind, tree.type, tree.context, bool(tree.keys)]}


def decode(text: str | None) -> Tree | None:
    """The tree, as far as its classes are known here; None for a text that is none of ours, such as an older form."""
    if not text or not text.startswith("["):
        return None
    try:
        _, node = json.loads(text)
        return _tree(node)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _tree(node: dict[str, Any]) -> Tree:
    if node["type"] is None:
        return LEAF
    children = tuple(map(_tree, node["children_spec"]))
    kind = _KINDS[node["type"]]
    keys = tuple(json.loads(node["context"])) if kind == "dict" else ()
    plain = Tree(kind, children, keys)
    if "tenon" in node:
        own, type_, context, has_keys = node["tenon"]
        made = Tree(str(own), children, keys if has_keys else (), str(type_), str(context))
        if fault_of(made) is None and _known(made):
            return made
    if fault_of(plain) is not None:
        raise ValueError
    return plain


def _known(tree: Tree) -> bool:
    try:
        check_buildable(tree)
    except Invalid:
        return False
    return True
