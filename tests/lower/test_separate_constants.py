"""The part of a graph that depends on constants alone: `separate_constants.ir` holds a graph, and both parts of it."""

from pathlib import Path

from tenon.ir import parse_ir, to_text
from tenon.ir.verify import check
from tenon.lower import separate_constants

RULE = "=" * 20 + "\n"


def test_what_depends_on_constants_alone_is_a_graph_of_its_own(request):
    path = Path(__file__).parent / "separate_constants.ir"
    before, *after = path.read_text().split(RULE)
    constants, rest = separate_constants(parse_ir(before))
    found = [to_text(check(constants.graph)), to_text(check(rest))]
    assert constants.names == tuple(weight.name for weight in rest.weights[-len(constants.names) :])
    if request.config.getoption("--bless"):
        path.write_text(RULE.join([before, *found]))
    else:
        assert found == after
