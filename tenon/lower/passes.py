"""The order of the passes: ATen -> Edge -> Exec."""

from collections.abc import Callable

from tenon.ir.graph import Graph
from tenon.ir.verify import check
from tenon.lower.cast_promotions import cast_promotions
from tenon.lower.drop_dead import drop_dead
from tenon.lower.drop_noops import drop_noops
from tenon.lower.explicit_dim_order import explicit_dim_order
from tenon.lower.out_variants import out_variants
from tenon.lower.prim_arithmetic import prim_arithmetic
from tenon.lower.separate_loop_results import separate_loop_results
from tenon.lower.type_scalars import type_scalars
from tenon.lower.views_for_reshapes import views_for_reshapes

TO_EDGE: list[Callable[[Graph], Graph]] = [
    views_for_reshapes,
    drop_noops,
    separate_loop_results,
    type_scalars,
    cast_promotions,
    prim_arithmetic,
    drop_dead,
    explicit_dim_order,
]
TO_EXEC: list[Callable[[Graph], Graph]] = [out_variants]


def to_edge(graph: Graph) -> Graph:
    """A graph of the ATen dialect in the Edge dialect."""
    return _run(graph, TO_EDGE)


def to_exec(graph: Graph) -> Graph:
    """A graph of the Edge dialect in the Exec dialect."""
    return _run(graph, TO_EXEC)


def _run(graph: Graph, passes: list[Callable[[Graph], Graph]]) -> Graph:
    for rewrite in passes:
        graph = check(rewrite(graph))
    return graph
