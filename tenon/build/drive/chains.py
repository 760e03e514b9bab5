"""The pointwise programs of models as a source of their own: what the kernel runs in place of interpreting them."""

from collections.abc import Sequence

from tenon.build import installed
from tenon.build.drive.toolchain import Toolchain, Unit
from tenon.build.generate import Chain, chains_source, is_compiled
from tenon.build.select import Selection, is_listed
from tenon.build.select.chains import POINTWISE

_SOURCE = "pointwise_chains.cpp"


def chain_units(chains: Sequence[Chain], selection: Selection, exact: bool, toolchain: Toolchain) -> list[Unit]:
    """None if there are none. A build that has exactly what its models call has no interpreter for other programs."""
    compiled = [each for each in chains if is_compiled(each)]
    if not compiled:
        return []
    is_known = POINTWISE in selection.operators and not is_listed(selection.operators[POINTWISE])
    interprets = not (exact and is_known and not selection.everything and len(compiled) == len(chains))
    folder = toolchain.store.texts({_SOURCE: chains_source(compiled, interprets)})
    return [Unit(folder / _SOURCE, (installed.root() / "kernels" / "fast", installed.include()))]
