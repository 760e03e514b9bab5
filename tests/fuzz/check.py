"""Runs a drawn program in lean mode and compares every output with torch's; says what a difference comes from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import torch

from .compare import has_same_zeros, is_close, same_call
from .lean import Refused, run_lean
from .operators import operators
from .program import Drawn, evaluated, torch_args, torch_results, trimmed, used
from .undefined import is_noise, undefined

Announce = Callable[[str], None]


@dataclass
class Verdict:
    """What became of one program.

    `refusals` are (row, words). `blame` is the number of the call that is wrong, None if the whole program is and no
    call of it. `explained` says that results differ, and yet every call is right for the inputs that it got. `failed`
    has the words of a stage that did not get as far as to run it.
    """

    program: Drawn
    refusals: list[tuple[str, str]] = field(default_factory=list)
    differs: bool = False
    blame: int | None = None
    explained: bool = False
    failed: str = ""
    actual: Mapping[str, torch.Tensor] = field(default_factory=dict)


def check(drawn: Drawn, announce: Announce = lambda phase: None) -> Verdict:
    """Calls that are refused are left out, and what is left is run."""
    verdict = Verdict(drawn)
    while verdict.program.outputs:
        try:
            found = run_lean(verdict.program, verdict.program.outputs, lambda: announce("lean"))
        except Refused as refused:
            announce("torch")
            if refused.node is None:
                verdict.failed = refused.words
                return verdict
            verdict.refusals.append((operators()[verdict.program.nodes[refused.node].op].row, refused.kind))
            verdict.program = without(verdict.program, refused.node)
            continue
        announce("torch")
        program = verdict.program
        verdict.actual = dict(zip(program.outputs, found, strict=True))
        pairs = [(verdict.actual[name], program.values[name]) for name in _told(program)]
        if not all(is_close(*pair) and has_same_zeros(*pair) for pair in pairs):
            _explain(verdict, announce)
        return verdict
    return verdict


def _told(drawn: Drawn) -> list[str]:
    """The outputs that hold what a call computed, and not what memory held."""
    noise = {value.name for node in drawn.nodes if is_noise(operators()[node.op]) for value in node.outputs}
    return [name for name in drawn.outputs if name not in noise]


def without(drawn: Drawn, number: int) -> Drawn:
    """The program without a call, and without what needs it."""
    gone = {value.name for value in drawn.nodes[number].outputs}
    for node in drawn.nodes[number + 1 :]:
        if gone & set(used(node)):
            gone |= {value.name for value in node.outputs}
    nodes = tuple(node for node in drawn.nodes if not gone & {value.name for value in node.outputs})
    still = {name for node in nodes for name in used(node)}
    left = replace(drawn, nodes=nodes)
    ends = [name for name in left.results if name in drawn.outputs or name not in still]
    return trimmed(left, ends)


def _explain(verdict: Verdict, announce: Announce) -> None:
    """Every value of the program is kept, and each call is compared with torch's for the very inputs that it got."""
    program = verdict.program
    names = tuple(program.results)
    held = replace(program, outputs=names)
    everything = dict(zip(names, run_lean(held, names, lambda: announce("lean")), strict=True))
    announce("torch")
    values = {name: program.values[name] for name in (*program.inputs, *program.constants)} | everything
    for number, node in enumerate(program.nodes):
        operator, args = operators()[node.op], torch_args(node, values)
        mine = [everything[value.name] for value in node.outputs]
        try:
            theirs = torch_results(node, values)
            right = [True] if undefined(operator, args, theirs) else same_call(operator, args, mine, theirs)
        except (RuntimeError, IndexError):
            right = [True]  # torch refuses what came of rounding
        if not all(right):
            verdict.differs, verdict.blame, verdict.actual = True, number, everything
            return
    # Memory that is shared must change nothing: with all values kept, the bits are the same.
    for name in _told(program):
        if not _same_bits(verdict.actual[name], everything[name]):
            verdict.differs = True
            return
    verdict.explained = True


def _same_bits(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return torch.equal(_bits(one), _bits(other))


def _bits(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.contiguous().view(-1).view(torch.uint8) if tensor.numel() else tensor.view(-1)


def alone(drawn: Drawn, number: int, values: Mapping[str, torch.Tensor]) -> Drawn:
    """One call of a program as a program of its own, on the values that it got."""
    node = drawn.nodes[number]
    names = used(node)
    given = {name: values[name] if name in values else drawn.values[name] for name in names}
    made = Drawn(given, tuple(names), (), (node,), tuple(value.name for value in node.outputs), drawn.bounds)
    return evaluated(made, {})
