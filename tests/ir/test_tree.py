"""Structures: taken apart and built again, and told apart in words when a value does not fit."""

import json
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from graphs import bounded, trees
from hypothesis import given
from hypothesis import strategies as st
from torch.utils import _pytree as pytree

from tenon.capture.structure import register_dataclasses, tree_of
from tenon.errors import Invalid
from tenon.ir.tree import LEAF, Tree, class_name, describe, find_class, flat_tree, flatten, unflatten

Pair = namedtuple("Pair", ["first", "second"])


@dataclass
class Output:
    logits: Any
    loss: Any = None
    state: Any = None


class Box:
    """A container of its own, with a label as its context."""

    def __init__(self, items, label):
        self.items, self.label = items, label

    def __eq__(self, other):
        return (self.items, self.label) == (other.items, other.label)


pytree.register_pytree_node(
    Box,
    lambda box: (list(box.items), box.label),
    lambda items, label: Box(list(items), label),
    serialized_type_name="test_tree.Box",
    to_dumpable_context=lambda label: [label],
    from_dumpable_context=lambda saved: saved[0],
)

PAIR, OUTPUT, BOX = f"{__name__}:Pair", f"{__name__}:Output", f"{__name__}:Box"
CASES = {
    "leaf": (LEAF, 1),
    "tuple": (Tree("tuple", (LEAF, LEAF)), (1, 2)),
    "empty": (Tree("tuple"), ()),
    "list": (Tree("list", (LEAF, LEAF)), [1, 2]),
    "dict": (Tree("dict", (LEAF, LEAF), ("b", "a")), {"b": 1, "a": 2}),
    "dict_of_numbers": (Tree("dict", (LEAF,) * 3, (1, None, 2.5)), {1: 1, None: 2, 2.5: 3}),
    "ordered_dict": (Tree("ordered_dict", (LEAF, LEAF), ("b", "a")), OrderedDict(b=1, a=2)),
    "namedtuple": (Tree("namedtuple", (LEAF, LEAF), ("first", "second"), PAIR), Pair(1, 2)),
    "dataclass": (Tree("dataclass", (LEAF, LEAF), ("logits", "state"), OUTPUT, "loss"), Output(1, None, 2)),
    "custom": (Tree("custom", (LEAF, LEAF), (), BOX, '["blue"]'), Box([1, 2], "blue")),
    "nested": (
        Tree("tuple", (Tree("list", (LEAF,)), Tree("dict", (Tree("tuple", (LEAF, LEAF)),), ("k",)))),
        ([1], {"k": (2, 3)}),
    ),
}


@pytest.mark.parametrize(("tree", "value"), CASES.values(), ids=CASES)
def test_a_value_comes_apart_into_its_leaves_and_together_again(tree, value):
    leaves = flatten(tree, value)
    assert leaves == list(range(1, tree.leaves + 1))
    built = unflatten(tree, iter(leaves))
    assert built == value
    assert type(built) is type(value)


@pytest.mark.parametrize(("tree", "value"), CASES.values(), ids=CASES)
def test_the_leaves_are_those_of_torch(tree, value):
    register_dataclasses([value])
    leaves, spec = pytree.tree_flatten(value)
    assert flatten(tree, value) == leaves
    assert tree_of(spec) == tree


@bounded
@given(st.data(), st.integers(0, 5))
def test_any_nesting_of_plain_containers_round_trips(data, leaves):
    tree = data.draw(trees(leaves, ("tuple", "list", "dict", "ordered_dict"), depth=3))
    values = list(range(leaves))
    assert tree.leaves == leaves
    assert flatten(tree, unflatten(tree, iter(values))) == values


@bounded
@given(st.data(), st.integers(0, 5))
def test_every_leaf_has_a_path_of_its_own(data, leaves):
    paths = list(data.draw(trees(leaves, depth=3)).paths())
    assert len(paths) == len(set(paths)) == leaves


def test_paths_are_written_as_one_would_write_them():
    tree = Tree(
        "tuple",
        (
            LEAF,
            Tree("dict", (LEAF, LEAF), ("mask", 1)),
            Tree("namedtuple", (LEAF, flat_tree(1)), ("first", "second"), PAIR),
        ),
    )
    assert list(tree.paths("args")) == [
        "args[0]",
        "args[1]['mask']",
        "args[1][1]",
        "args[2].first",
        "args[2].second[0]",
    ]


def test_a_list_may_stand_for_a_tuple():
    assert flatten(flat_tree(2), [1, 2]) == [1, 2]


def test_the_order_of_keys_in_a_dict_decides_nothing():
    assert flatten(CASES["dict"][0], {"a": 2, "b": 1}) == [1, 2]


@pytest.mark.parametrize(
    ("tree", "value", "message"),
    [
        (flat_tree(2), (1,), "the inputs: the graph takes a tuple of 2, and this is a tuple of 1."),
        (flat_tree(2), 7, "the inputs: the graph takes a tuple of 2, and this is a int."),
        (CASES["list"][0], [1, 2, 3], "the inputs: the graph takes a list of 2, and this is a list of 3."),
        (
            CASES["dict"][0],
            {"a": 1, "c": 2},
            "the inputs: the graph takes a dict with keys 'b', 'a', and this is a dict with keys 'a', 'c'.",
        ),
        (
            CASES["dict"][0],
            {},
            "the inputs: the graph takes a dict with keys 'b', 'a', and this is a dict that is empty.",
        ),
        (Tree("dict"), {"a": 1}, "the inputs: the graph takes an empty dict, and this is a dict with keys 'a'."),
        (
            CASES["ordered_dict"][0],
            None,
            "the inputs: the graph takes an ordered dict with keys 'b', 'a', and this is a NoneType.",
        ),
        (
            CASES["namedtuple"][0],
            (1, 2),
            f"the inputs: the graph takes a {PAIR} with fields 'first', 'second', and this is a tuple of 2.",
        ),
        (
            CASES["dataclass"][0],
            3,
            f"the inputs: the graph takes a {OUTPUT} with fields 'logits', 'state', and this is a int.",
        ),
        (CASES["nested"][0], ([1], {"k": (2,)}), "[1]['k']: the graph takes a tuple of 2, and this is a tuple of 1."),
        (CASES["nested"][0], ([], {"k": (2, 3)}), "[0]: the graph takes a list of 1, and this is a list of 0."),
        (
            Tree("dataclass", (LEAF, flat_tree(1)), ("logits", "state"), OUTPUT),
            Output(1, state=()),
            ".state: the graph takes a tuple of 1, and this is a tuple of 0.",
        ),
        (CASES["custom"][0], Box([1], "blue"), f"the inputs: the graph takes a {BOX}, and this is a Box."),
        (CASES["custom"][0], 5, f"the inputs: the graph takes a {BOX}, and this is a int."),
    ],
)
def test_a_value_that_does_not_fit_is_told_where_and_why(tree, value, message):
    with pytest.raises(Invalid) as error:
        flatten(tree, value)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("name", "module"),
    [("not_imported_here:Thing", "not_imported_here"), (f"{__name__}:Missing", __name__), ("json:loads", "json")],
)
def test_a_class_that_is_not_here_is_named(name, module):
    tree = Tree("dataclass", (LEAF,), ("x",), name)
    with pytest.raises(Invalid) as error:
        unflatten(tree, iter([1]))
    assert str(error.value) == (
        f"the class {name} of this graph's inputs or outputs is not known here. Import {module} first."
    )


def test_reading_a_structure_imports_nothing(monkeypatch, tmp_path):
    (tmp_path / "never_imported.py").write_text("raise SystemExit('imported')\nclass Thing: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Invalid, match="the class never_imported:Thing"):
        find_class("never_imported:Thing")


def test_a_class_that_has_become_something_else_is_named():
    with pytest.raises(Invalid) as error:
        unflatten(Tree("dataclass", (LEAF,), ("x",), "builtins:int"), iter([1]))
    assert str(error.value) == (
        "builtins:int is neither a dataclass nor a named tuple here, but it was when the graph was captured."
    )


@pytest.mark.parametrize(
    "tree",
    [
        Tree("dataclass", (LEAF, LEAF), ("logits", "old_field"), OUTPUT),
        Tree("namedtuple", (LEAF,), ("first",), PAIR),
        Tree("dataclass", (LEAF,), ("logits",), OUTPUT, "old_field"),
    ],
    ids=["renamed", "added", "none"],
)
def test_a_class_whose_fields_have_changed_is_named(tree):
    with pytest.raises(Invalid) as error:
        unflatten(tree, iter([1, 2]))
    assert tree.type in str(error.value)


def test_a_container_that_is_not_registered_is_named():
    with pytest.raises(Invalid) as error:
        unflatten(Tree("custom", (), (), "builtins:int", "null"), iter([]))
    assert str(error.value) == (
        "builtins:int is not registered as a pytree here. Register it with torch.utils._pytree.register_pytree_node."
    )


def test_a_damaged_context_of_a_container_is_refused():
    with pytest.raises(Invalid) as error:
        unflatten(Tree("custom", (), (), BOX, '["blu'), iter([]))
    assert BOX in str(error.value)


def test_class_names_lead_back_to_the_class():
    assert find_class(class_name(Output)) is Output
    assert find_class(class_name(torch.nn.Module)) is torch.nn.Module
    assert class_name(json.JSONDecoder) == "json.decoder:JSONDecoder"


def test_a_leaf_is_described_as_one_value():
    assert describe(LEAF) == "one value"
