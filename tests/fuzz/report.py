"""A failing program in words: its IR, its inputs, what torch gives and what lean mode gave."""

from collections.abc import Mapping

import torch

from .program import Drawn, graph_of

_SHOWN = 40  # elements


def report(drawn: Drawn, actual: Mapping[str, torch.Tensor]) -> str:
    lines = [str(graph_of(drawn, drawn.outputs))]
    for name in (*drawn.inputs, *drawn.constants):
        lines.append(f"%{name} = {shown(drawn.values[name])}")
    for name in drawn.outputs:
        lines.append(f"%{name} in torch: {shown(drawn.values[name])}")
        if name in actual:
            lines.append(f"%{name} in lean:  {shown(actual[name])}")
            lines += _differences(actual[name], drawn.values[name])
    if drawn.bounds:
        lines.append(f"sizes at most: {dict(drawn.bounds)}")
    return "\n".join(lines)


def shown(tensor: torch.Tensor) -> str:
    layout = "" if tensor.is_contiguous() else f", strides {tuple(tensor.stride())}"
    what = f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}{layout}"
    if tensor.numel() > _SHOWN:
        return f"{what} {tensor.flatten()[:_SHOWN].tolist()}..."
    return f"{what} {tensor.tolist()}"


def _differences(mine: torch.Tensor, theirs: torch.Tensor) -> list[str]:
    if mine.shape != theirs.shape or mine.dtype != theirs.dtype:
        return ["  they are of another shape or dtype"]
    apart = ~torch.isclose(mine, theirs, rtol=1e-6, atol=0, equal_nan=True) if mine.numel() else mine.bool()
    places = apart.nonzero()[:5].tolist()
    at = [f"{place}: {mine[tuple(place)].item()!r}, not {theirs[tuple(place)].item()!r}" for place in places]
    return [f"  {int(apart.sum())} of {mine.numel()} elements differ: {'; '.join(at)}"] if at else []
