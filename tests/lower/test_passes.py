"""Every pass on a small graph: `name.ir` beside this file holds what goes in and what comes out."""

from pathlib import Path

import pytest

from tenon.ir import parse_ir, to_text
from tenon.lower.passes import LAY_OUT, OPTIMIZE, TO_EDGE, TO_EXEC

PASSES = {each.__name__: each for each in (*OPTIMIZE, *TO_EDGE, *LAY_OUT, *TO_EXEC)}
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
