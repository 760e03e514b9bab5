"""Stage 3 of 7. In: a graph of the ATen dialect. Out: the same in the Edge dialect, then in the Exec dialect."""

from tenon.lower.drop_needless import changes_nothing, drop_needless, optional_of
from tenon.lower.passes import FUSED_ONLY, WHOLE, fuse, lay_out, to_edge, to_exec, unfused
from tenon.lower.separate_constants import separate_constants

__all__ = [
    "FUSED_ONLY",
    "WHOLE",
    "changes_nothing",
    "drop_needless",
    "fuse",
    "lay_out",
    "optional_of",
    "separate_constants",
    "to_edge",
    "to_exec",
    "unfused",
]
