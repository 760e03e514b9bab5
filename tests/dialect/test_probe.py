"""The list of dtypes says what torch's kernels do: it is probed again, and the cover it is written as is exact."""

import random
import re
from itertools import product

import pytest

from tenon.dialect.cover import cover, members
from tenon.dialect.edge_types import FILE
from tenon.dialect.probe import NOT_PROBED, lines, text, torch_version, wanted
from tenon.ops.schema import find_op


def test_the_list_is_up_to_date():
    probed_from = re.search(r"probed from torch (\S+)\.\n", FILE.read_text())[1]
    if probed_from != torch_version():
        pytest.skip(f"edge_types.txt is of torch {probed_from}, and this is {torch_version()}")
    found = lines(wanted())
    assert [name for name, alternatives in found.items() if not alternatives] == [], "no sample reaches these"
    assert text(found) == FILE.read_text(), "Run python -m tenon.dialect.probe."


def test_what_is_not_probed_exists():
    assert [name for name in NOT_PROBED if find_op(name) is None] == []


def test_positions_that_are_always_equal_share_a_letter():
    rows = frozenset((dtype, index, dtype) for dtype in "abc" for index in "xy")
    assert cover(rows, tuple("abcxy")) == [((0, 1, 0), (("a", "b", "c"), ("x", "y")))]


def test_a_promotion_is_told_by_two_alternatives():
    rows = frozenset([("int", "f32"), ("bool", "f32"), ("f32", "f32"), ("f64", "f64")])
    boxes = cover(rows, ("bool", "int", "f32", "f64"))
    assert boxes == [((0, 1), (("bool", "int", "f32"), ("f32",))), ((0, 0), (("f32", "f64"),))]


@pytest.mark.parametrize("seed", range(20))
def test_a_cover_holds_exactly_the_rows(seed):
    dice = random.Random(seed)
    every = list(product("abcd", repeat=dice.randint(1, 4)))
    rows = frozenset(dice.sample(every, dice.randint(1, len(every))))
    boxes = cover(rows, tuple("abcd"))
    assert {row for box in boxes for row in members(box)} == rows
    assert len(boxes) <= len(rows)
