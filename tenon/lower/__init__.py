"""Stage 3 of 7. In: a graph of the ATen dialect. Out: the same in the Edge dialect, then in the Exec dialect."""

from tenon.lower.passes import to_edge, to_exec

__all__ = ["to_edge", "to_exec"]
