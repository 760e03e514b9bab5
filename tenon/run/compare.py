"""Compares a graph with the model it came from, and finds the first node that differs."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from tenon.errors import Invalid
from tenon.ir.graph import Graph, OpNode
from tenon.ir.tree import flatten
from tenon.run.executor import Executor

_SEED = 0  # both sides draw the same random numbers


@dataclass(frozen=True, slots=True)
class OutputReport:
    """One output: how far it is from the model's."""

    name: str
    matches: bool
    max_difference: float
    note: str = ""

    def __str__(self) -> str:
        verdict = "equal" if self.matches else "DIFFERS"
        return f"{self.name}: {verdict}, largest difference {self.max_difference:.3g}" + (
            f" ({self.note})" if self.note else ""
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `verify_ir` found. It is true if every output matches."""

    outputs: tuple[OutputReport, ...]
    first_difference: OpNode | None = None

    @property
    def matches(self) -> bool:
        return all(output.matches for output in self.outputs)

    def __bool__(self) -> bool:
        return self.matches

    def __str__(self) -> str:
        rows = [str(output) for output in self.outputs]
        if self.first_difference is not None:
            node = self.first_difference
            rows.append(f"the first node that differs is {node.label}" + (f", {node.source}" if node.source else ""))
        return "\n".join(rows)


def compare(
    graph: Graph,
    model: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    weights: Mapping[str, torch.Tensor],
    recapture: Callable[[], Graph],
    rtol: float,
    atol: float,
) -> Comparison:
    """Each output of the graph beside the model's; on a mismatch, the first node that differs from a fresh capture."""
    expected = _model_outputs(graph, model, args, kwargs)
    torch.manual_seed(_SEED)
    actual = flatten(graph.out_tree, Executor(graph, weights)(*_copied(args), **_copied(kwargs)))
    names = [f"output{path}" for path in graph.out_tree.paths()]
    reports = tuple(_report(*row, rtol, atol) for row in zip(names, actual, expected, strict=True))
    if all(report.matches for report in reports):
        return Comparison(reports)
    return Comparison(
        reports, _first_difference(graph, recapture(), weights, dict(model.state_dict()), args, kwargs, rtol, atol)
    )


def _model_outputs(graph: Graph, model: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    torch.manual_seed(_SEED)
    try:
        with torch.no_grad():
            outputs = model(*_copied(args), **_copied(kwargs))
    finally:
        model.load_state_dict(before)  # a model that counts its calls is left as it was
    try:
        return [
            leaf.clone() if isinstance(leaf, torch.Tensor) else leaf
            for leaf in flatten(graph.out_tree, outputs, "outputs")
        ]
    except Invalid as error:
        raise Invalid(f"the model's outputs are not those of {graph.name}: {error}") from error


def _copied(inputs: Any) -> Any:
    return torch.utils._pytree.tree_map(lambda leaf: leaf.clone() if isinstance(leaf, torch.Tensor) else leaf, inputs)


def _report(name: str, actual: Any, expected: Any, rtol: float, atol: float) -> OutputReport:
    if not isinstance(expected, torch.Tensor) or not isinstance(actual, torch.Tensor):
        same = type(actual) is type(expected) and actual == expected
        return OutputReport(
            name, same, 0.0 if same else float("inf"), "" if same else f"{actual!r}, and the model gives {expected!r}"
        )
    for what in ("shape", "dtype"):
        ours, theirs = getattr(actual, what), getattr(expected, what)
        if ours != theirs:
            return OutputReport(name, False, float("inf"), f"{what} {ours}, and the model gives {theirs}")
    return OutputReport(name, close(actual, expected, rtol, atol), _distance(actual, expected))


def close(actual: torch.Tensor, expected: torch.Tensor, rtol: float, atol: float) -> bool:
    if actual.layout != torch.strided:
        actual, expected = actual.to_dense(), expected.to_dense()
    if actual.is_floating_point() or actual.is_complex():
        wide = torch.complex128 if actual.is_complex() else torch.float64
        return torch.allclose(actual.to(wide), expected.to(wide), rtol=rtol, atol=atol, equal_nan=True)
    return torch.equal(actual, expected)


def _distance(actual: torch.Tensor, expected: torch.Tensor) -> float:
    if actual.layout != torch.strided:
        actual, expected = actual.to_dense(), expected.to_dense()
    if actual.numel() == 0:
        return 0.0
    wide = torch.complex128 if actual.is_complex() else torch.float64
    gap = (actual.to(wide) - expected.to(wide)).abs()
    return float(gap.nan_to_num(nan=0.0).max())


def _first_difference(
    graph: Graph,
    reference: Graph,
    weights: Mapping[str, torch.Tensor],
    reference_weights: Mapping[str, torch.Tensor],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    rtol: float,
    atol: float,
) -> OpNode | None:
    """Run both node by node; nodes that correspond are told by operator and place in the model."""
    partner = _partners(graph, reference)
    torch.manual_seed(_SEED)
    known = [
        _kept(results) for _, results in Executor(reference, reference_weights).steps(*_copied(args), **_copied(kwargs))
    ]
    torch.manual_seed(_SEED)
    for i, (node, results) in enumerate(Executor(graph, weights).steps(*_copied(args), **_copied(kwargs))):
        other = partner.get(i)
        if other is None or len(known[other]) != len(results):
            continue
        for actual, expected in zip(results, known[other], strict=True):
            if not _report("", actual, expected, rtol, atol).matches:
                return node
    return None


def _kept(results: list[Any]) -> list[Any]:
    return [result.clone() if isinstance(result, torch.Tensor) else result for result in results]


def _partners(graph: Graph, reference: Graph) -> dict[int, int]:
    """For each node its counterpart in the reference: the same place, and so the same step of the model."""
    if len(graph.nodes) == len(reference.nodes):
        return {i: i for i in range(len(graph.nodes))}
    ours, theirs = ([(node.op, node.source) for node in g.nodes] for g in (graph, reference))
    pairs: dict[int, int] = {}
    for _, a, a_end, b, b_end in difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if a_end - a == b_end - b:  # equal, or as many nodes with other operators
            pairs.update(zip(range(a, a_end), range(b, b_end), strict=True))
        else:
            last = {graph.nodes[i].source: i for i in range(a, a_end)}  # what a line of the model ends in
            pairs.update((last[source], i) for i in range(b, b_end) if (source := reference.nodes[i].source) in last)
    return pairs
