"""Every pass on a small graph: `name.ir` beside this file holds what goes in and what comes out."""

from pathlib import Path

import pytest

from tenon.ir import parse_ir, to_text
from tenon.lower.cast_promotions import cast_promotions
from tenon.lower.drop_dead import drop_dead
from tenon.lower.drop_noops import drop_noops
from tenon.lower.explicit_dim_order import explicit_dim_order
from tenon.lower.out_variants import out_variants
from tenon.lower.passes import TO_EDGE, TO_EXEC
from tenon.lower.prim_arithmetic import prim_arithmetic
from tenon.lower.separate_loop_results import separate_loop_results
from tenon.lower.type_scalars import type_scalars
from tenon.lower.views_for_reshapes import views_for_reshapes

PASSES = {
    each.__name__: each
    for each in (
        views_for_reshapes,
        drop_noops,
        separate_loop_results,
        type_scalars,
        cast_promotions,
        prim_arithmetic,
        drop_dead,
        explicit_dim_order,
        out_variants,
    )
}
RULE = "=" * 20 + "\n"


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_does_what_its_file_shows(name, request):
    path = Path(__file__).parent / f"{name}.ir"
    before, _, after = path.read_text().partition(RULE)
    found = to_text(PASSES[name](parse_ir(before)))
    if request.config.getoption("--bless"):
        path.write_text(before + RULE + found)
    else:
        assert found == after


def test_every_pass_has_its_test():
    assert {each.__name__ for each in (*TO_EDGE, *TO_EXEC)} == set(PASSES)
