"""Plans of random lifetimes are proven right, and the proof fails for plans that are wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenon.errors import Invalid
from tenon.plan.check import check_layout
from tenon.plan.lifetimes import Buffer
from tenon.plan.offsets import lay_out

BUFFERS = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 30), st.integers(0, 12)), max_size=25).map(
    lambda rows: [Buffer(str(i), size, start, start + length) for i, (size, start, length) in enumerate(rows)]
)


@settings(max_examples=150, deadline=None)
@given(BUFFERS)
def test_a_layout_of_any_lifetimes_is_proven(buffers):
    layout = lay_out(buffers)
    check_layout(buffers, layout.offsets, layout.total)
    assert layout.lower_bound <= layout.total <= sum(-(-b.bytes // 16) * 16 for b in buffers)
    assert lay_out(buffers) == layout, "the same lifetimes give the same layout"


def test_what_does_not_live_together_shares_memory():
    layout = lay_out([Buffer("a", 100, 0, 1), Buffer("b", 100, 2, 3), Buffer("c", 50, 1, 2)])
    assert layout.offsets["a"] == layout.offsets["b"] and layout.total == layout.lower_bound == 112 + 64


@pytest.mark.parametrize(
    ("offsets", "total", "text"),
    [
        ({"a": 0, "b": 16}, 200, "the buffers b and a are alive together and overlap."),
        ({"a": 0, "b": 40}, 200, "the buffer b lies at byte 40, which is not a multiple of 16."),
        ({"a": 0, "b": 48}, 60, "the buffer b ends at byte 80 of 60."),
    ],
)
def test_the_proof_names_what_is_wrong(offsets, total, text):
    with pytest.raises(Invalid) as error:
        check_layout([Buffer("a", 32, 0, 2), Buffer("b", 32, 2, 3)], offsets, total)
    assert str(error.value) == text
