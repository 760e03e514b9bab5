"""Makes a program that fails smaller, as long as it fails: fewer calls, then smaller tensors, then plainer numbers."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import torch

from .operators import operators
from .program import Drawn, evaluated, torch_args, trimmed, used
from .undefined import undefined

Fails = Callable[[Drawn], bool]
_MOST_STEPS = 400


def shrunk(drawn: Drawn, fails: Fails) -> Drawn:
    """The smallest program found that still fails. `drawn` does."""
    for candidates in (_fewer_outputs, _fewer_calls, _no_bounds, _smaller, _plainer):
        drawn = _greedy(drawn, fails, candidates)
    return drawn


def _greedy(drawn: Drawn, fails: Fails, candidates: Callable[[Drawn], Iterator[Drawn | None]]) -> Drawn:
    """Take the first candidate that fails, and begin anew with it."""
    for _ in range(_MOST_STEPS):
        found = next((each for each in _made(candidates(drawn)) if fails(each)), None)
        if found is None:
            break
        drawn = found
    return drawn


def _made(candidates: Iterator[Drawn | None]) -> Iterator[Drawn]:
    return (each for each in candidates if each is not None)


def _evaluated(drawn: Drawn, changed: dict[str, torch.Tensor]) -> Drawn | None:
    """None where torch refuses it, or leaves open what it is."""
    try:
        made = evaluated(drawn, changed)
    except (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError):
        return None
    for node in made.nodes:
        operator, args = operators()[node.op], torch_args(node, made.values)
        if undefined(operator, args, [made.values[value.name] for value in node.outputs]):
            return None
    return made


def _fewer_outputs(drawn: Drawn) -> Iterator[Drawn]:
    if len(drawn.outputs) > 1:
        yield from (trimmed(drawn, [name]) for name in drawn.outputs)
        yield from (trimmed(drawn, [each for each in drawn.outputs if each != name]) for name in drawn.outputs)


def _fewer_calls(drawn: Drawn) -> Iterator[Drawn]:
    """A call's results become inputs, of the values that torch gave: the latest first, which frees the most."""
    for number in reversed(range(len(drawn.nodes))):
        node = drawn.nodes[number]
        names = {value.name for value in node.outputs}
        needed = {name for other in drawn.nodes for name in used(other)} & names
        outputs = [name for name in drawn.outputs if name not in names]
        if not outputs:
            continue
        nodes = drawn.nodes[:number] + drawn.nodes[number + 1 :]
        inputs = (*drawn.inputs, *(value.name for value in node.outputs if value.name in needed))
        yield trimmed(replace(drawn, nodes=nodes, inputs=inputs), outputs)


def _no_bounds(drawn: Drawn) -> Iterator[Drawn]:
    if drawn.bounds:
        yield replace(drawn, bounds={})
    if drawn.constants:
        yield replace(drawn, inputs=(*drawn.inputs, *drawn.constants), constants=())


def _smaller(drawn: Drawn) -> Iterator[Drawn | None]:
    """Dimensions of one size become smaller together, in all inputs; then those of one input alone."""
    given = {name: drawn.values[name] for name in (*drawn.inputs, *drawn.constants)}
    sizes = sorted({size for tensor in given.values() for size in tensor.shape if size > 1}, reverse=True)
    for size in sizes:
        for less in dict.fromkeys((1, size // 2, size - 1)):
            yield _evaluated(drawn, {n: _cut(t, size, less) for n, t in given.items() if size in t.shape})
    for name, tensor in given.items():
        for dim, size in enumerate(tensor.shape):
            for less in dict.fromkeys((1, size // 2, size - 1)) if size > 1 else ():
                yield _evaluated(drawn, {name: tensor.narrow(dim, 0, less).clone()})
                yield _evaluated(drawn, {name: tensor.narrow(dim, size - less, less).clone()})


def _cut(tensor: torch.Tensor, size: int, less: int) -> torch.Tensor:
    for dim in range(tensor.dim()):
        if tensor.shape[dim] == size:
            tensor = tensor.narrow(dim, 0, less)
    return tensor.clone()


def _plainer(drawn: Drawn) -> Iterator[Drawn | None]:
    """In the layout of its dimensions, and of round numbers."""
    for name in drawn.inputs:
        tensor = drawn.values[name]
        if not tensor.is_contiguous():
            yield _evaluated(drawn, {name: tensor.contiguous()})
        if tensor.dtype.is_floating_point and not torch.equal(tensor.nan_to_num(), tensor.nan_to_num().round()):
            yield _evaluated(drawn, {name: tensor.round()})
