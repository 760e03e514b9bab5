"""The order of the passes: ATen -> Edge -> Exec."""

from collections.abc import Callable, Iterator

from tenon.ir.graph import Graph
from tenon.ir.verify import check
from tenon.lower.assign_channels_last import assign_channels_last
from tenon.lower.cast_promotions import cast_promotions
from tenon.lower.channels_behind_places import channels_behind_places
from tenon.lower.drop_dead import drop_dead
from tenon.lower.drop_noops import drop_noops
from tenon.lower.explicit_dim_order import explicit_dim_order
from tenon.lower.fold_batch_norm import fold_batch_norm
from tenon.lower.fold_padding import fold_padding
from tenon.lower.fold_scales import fold_scales
from tenon.lower.fuse_attention import fuse_attention
from tenon.lower.fuse_depthwise import fuse_depthwise
from tenon.lower.fuse_epilogues import fuse_epilogues
from tenon.lower.fuse_int8 import fuse_int8
from tenon.lower.fuse_pointwise import fuse_pointwise
from tenon.lower.fuse_rms_norm import fuse_rms_norm
from tenon.lower.fuse_rotary import fuse_rotary
from tenon.lower.join_convolutions import join_convolutions
from tenon.lower.join_linear import join_linear
from tenon.lower.join_views import join_views
from tenon.lower.keep_rank_of_linear import keep_rank_of_linear
from tenon.lower.linear_for_mm import linear_for_mm
from tenon.lower.narrow_tables import narrow_tables
from tenon.lower.out_variants import out_variants
from tenon.lower.pack_convolution import pack_convolution
from tenon.lower.pack_int8 import pack_int8
from tenon.lower.pack_linear import pack_linear
from tenon.lower.permute_without_moving import permute_without_moving
from tenon.lower.pool_without_places import pool_without_places
from tenon.lower.prim_arithmetic import prim_arithmetic
from tenon.lower.quantize_early import quantize_early
from tenon.lower.rows_as_images import rows_as_images
from tenon.lower.separate_loop_results import separate_loop_results
from tenon.lower.spell_out_affine import AFFINE, spell_out_affine
from tenon.lower.type_scalars import type_scalars
from tenon.lower.views_for_reshapes import views_for_reshapes
from tenon.lower.whole_activations import whole_activations

# With optimize=True, before the others. The passes find these operators whole: capture does not take them apart.
WHOLE = ["aten::linear", "aten::hardswish", "aten::hardsigmoid", "aten::silu"]
# And these, which have no kernel but the fused one: a model with one that stays is captured again, with that in pieces.
FUSED_ONLY = ["aten::scaled_dot_product_attention", "aten::rms_norm", AFFINE]
OPTIMIZE: list[Callable[[Graph], Graph]] = [
    views_for_reshapes,
    join_views,
    drop_noops,
    whole_activations,
    linear_for_mm,
    quantize_early,
    fuse_int8,
    pack_int8,
    fold_batch_norm,
    fold_scales,
    rows_as_images,
    drop_dead,
    narrow_tables,
    pack_linear,
    spell_out_affine,
    keep_rank_of_linear,
    join_linear,
    pack_convolution,
    fold_padding,
    fuse_rms_norm,
    fuse_rotary,
    drop_dead,
    fuse_attention,
    drop_dead,
    fuse_epilogues,
    fuse_depthwise,
    pool_without_places,
    channels_behind_places,
    fuse_pointwise,
    drop_dead,
]
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
# With optimize=True, in the Edge dialect.
LAY_OUT: list[Callable[[Graph], Graph]] = [assign_channels_last, join_convolutions, permute_without_moving]
TO_EXEC: list[Callable[[Graph], Graph]] = [out_variants]


def fuse(graph: Graph) -> Graph:
    """A graph of the ATen dialect with fused operators in it; what is made of weights is nodes like all others."""
    return _run(graph, OPTIMIZE)


def unfused(graph: Graph) -> set[str]:
    """Operators of FUSED_ONLY that this graph has in a form that no pass fuses: another dtype, or in a branch."""
    tried = fuse_attention(fuse_rms_norm(spell_out_affine(graph)))
    return {node.op for each in _with_subgraphs(tried) for node in each.nodes} & {*FUSED_ONLY}


def _with_subgraphs(graph: Graph) -> Iterator[Graph]:
    yield graph
    for each in graph.subgraphs.values():
        yield from _with_subgraphs(each)


def to_edge(graph: Graph) -> Graph:
    """A graph of the ATen dialect in the Edge dialect."""
    return _run(graph, TO_EDGE)


def lay_out(graph: Graph) -> Graph:
    """A graph of the Edge dialect with its values in the orders that fused operators want."""
    return _run(graph, LAY_OUT)


def to_exec(graph: Graph) -> Graph:
    """A graph of the Edge dialect in the Exec dialect."""
    return _run(graph, TO_EXEC)


def _run(graph: Graph, passes: list[Callable[[Graph], Graph]]) -> Graph:
    for rewrite in passes:
        graph = check(rewrite(graph))
    return graph
