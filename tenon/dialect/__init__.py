"""Stage 2 of 7. In: a graph. Out: the same graph, shown to be legal in a dialect, or every violation in words."""

from collections.abc import Callable, Collection, Iterator

from tenon.dialect import aten, edge, exec
from tenon.dialect.violation import Violation
from tenon.errors import Invalid, Unsupported, listing, near, plural
from tenon.ir.graph import Graph
from tenon.ir.verify import check

DIALECTS: dict[str, Callable[[Graph, Collection[str]], Iterator[Violation]]] = {
    "aten": aten.violations,
    "edge": edge.violations,
    "exec": exec.violations,
}


def verify(graph: Graph, dialect: str = "aten", *, keep: Collection[str] = ()) -> Graph:
    """The graph, if it is legal in the dialect; otherwise `Unsupported` with every violation.

    `keep` names operators that may stand in it although the dialect does not have them.
    """
    if not isinstance(graph, Graph):
        raise Invalid(f"verify takes a graph, not a {type(graph).__name__}. Capture the model first.")
    if dialect not in DIALECTS:
        raise Invalid(f"{dialect!r} is not a dialect.{near(dialect, DIALECTS)} There are: {', '.join(DIALECTS)}.")
    found = list(DIALECTS[dialect](check(graph), keep))
    if not found:
        return graph
    remedies = dict.fromkeys(violation.remedy for violation in found if violation.remedy)
    rows = [*map(str, found), *remedies]
    raise Unsupported(
        listing(f"{graph.name} is not in the {dialect} dialect: {plural(len(found), 'violation')}.", rows)
    )


__all__ = ["DIALECTS", "Violation", "verify"]
