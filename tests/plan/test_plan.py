"""Plans of random lifetimes and random graphs: proven, and what runs on them equals what runs without a plan."""

from dataclasses import replace

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_graphs import LARGEST, planned_graphs

import tenon
from tenon.emit import Constants, emit_method
from tenon.errors import Invalid
from tenon.lower import to_edge, to_exec
from tenon.ops.values import view_of
from tenon.plan import plan_memory
from tenon.plan.check import check_plan
from tenon.plan.lifetimes import Buffer
from tenon.plan.offsets import lay_out
from tenon.pte import Program
from tenon.run import Executor, Module

BUFFERS = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 30), st.integers(0, 12)), max_size=25).map(
    lambda rows: [Buffer(str(i), size, start, start + length) for i, (size, start, length) in enumerate(rows)]
)
many = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
fewer = settings(many, max_examples=60, suppress_health_check=list(HealthCheck))


@many
@given(BUFFERS)
def test_nothing_that_lives_together_overlaps_in_a_layout_of_any_lifetimes(buffers):
    layout = lay_out(buffers)
    assert set(layout.offsets) == {b.name for b in buffers}
    for i, a in enumerate(buffers):
        start, end = layout.offsets[a.name], layout.offsets[a.name] + a.bytes
        assert start % 16 == 0 and start >= 0 and end <= layout.total
        for b in buffers[:i]:
            other = layout.offsets[b.name]
            apart = end <= other or other + b.bytes <= start
            assert apart or a.end < b.start or b.end < a.start or not a.bytes or not b.bytes


@many
@given(BUFFERS)
def test_a_layout_takes_at_least_the_peak_and_at_most_the_sum_and_is_always_the_same(buffers):
    layout = lay_out(buffers)
    sizes = {b.name: -(-b.bytes // 16) * 16 for b in buffers}
    live = [sum(sizes[b.name] for b in buffers if b.start <= moment <= b.end) for moment in range(45)]
    assert layout.lower_bound == max(live)
    assert layout.lower_bound <= layout.total <= sum(sizes.values())
    assert lay_out(buffers) == layout


def test_what_does_not_live_together_shares_memory():
    layout = lay_out([Buffer("a", 100, 0, 1), Buffer("b", 100, 2, 3), Buffer("c", 50, 1, 2)])
    assert layout.offsets["a"] == layout.offsets["b"] and layout.total == layout.lower_bound == 112 + 64


# --- random graphs ------------------------------------------------------------------------------------------


def weights_and_inputs(graph):
    """Random ones; with varying sizes the smallest, a middle and the largest."""
    weights = {weight.name: torch.randn(weight.type.shape) for weight in graph.weights}
    first, *others = (value.type.shape for value in graph.inputs)
    counts = (1, 3, LARGEST, 1) if graph.symbols else (first[0], first[0])
    return weights, [(torch.randn(n, *first[1:]), *(torch.randn(shape) for shape in others)) for n in counts]


def run_planned(graph, plan, weights, inputs):
    """What the graph gives on memory that is planned so."""
    pool = Constants()
    method = emit_method(graph, "forward", plan, {name: view_of(tensor) for name, tensor in weights.items()}, pool)
    module = Module(Program([method], pool.constants, pool.state))
    return [module(*each) for each in inputs]


def run_unplanned(graph, weights, inputs):
    """What it gives where every value has memory of its own."""
    executor = Executor(graph, weights)
    return [[output.clone() for output in executor(*each)] for each in inputs]


def assert_same(found, expected):
    for ours, theirs in zip(found, expected, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4, equal_nan=True)


@pytest.mark.parametrize("varying", [False, True], ids=["fixed", "varying"])
def test_a_planned_graph_gives_what_it_gives_without_a_plan(varying):
    @many
    @given(planned_graphs(varying))
    def holds(graph):
        weights, inputs = weights_and_inputs(graph)
        lowered = to_exec(to_edge(graph))
        plan = plan_memory(lowered)
        assert plan.lower_bound <= sum(plan.sizes)
        assert_same(run_planned(lowered, plan, weights, inputs), run_unplanned(graph, weights, inputs))

    holds()


@fewer
@given(planned_graphs(False), st.integers(0, 600), st.integers(0, 600))
def test_a_graph_planned_into_small_banks_gives_the_same(graph, first, second):
    weights, inputs = weights_and_inputs(graph)
    lowered = to_exec(to_edge(graph))
    plan = plan_memory(lowered, {"first": first, "second": second, "last": None})
    assert plan.sizes[0] <= first and plan.sizes[1] <= second
    assert_same(run_planned(lowered, plan, weights, inputs), run_unplanned(graph, weights, inputs))


@settings(fewer)
@given(planned_graphs(False), st.data())
def test_a_damaged_plan_that_the_checker_lets_pass_still_gives_the_same(graph, data):
    weights, inputs = weights_and_inputs(graph)
    lowered = to_exec(to_edge(graph))
    plan = plan_memory(lowered)
    for _ in range(6):
        moved, onto = (data.draw(st.sampled_from(sorted(plan.places))) for _ in range(2))
        alone = data.draw(st.booleans())
        members = [moved] if alone else [name for name, home in plan.homes.items() if home == plan.homes[moved]]
        damaged = proven(lowered, replace(plan, places=plan.places | dict.fromkeys(members, plan.places[onto])))
        if damaged is not None:
            assert_same(run_planned(lowered, damaged, weights, inputs), run_unplanned(graph, weights, inputs))


def proven(graph, plan):
    """The plan, if it passes, with what the proof found to be in its place."""
    try:
        there = check_plan(graph, {name: (at.bank, at.offset) for name, at in plan.places.items()}, plan.sizes)
    except Invalid:
        return None
    return replace(plan, there=there)


class ViewOfBranch(torch.nn.Module):
    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda a: a @ a, lambda a: a.tanh() @ a, (x,))
        return y.view(-1).neg(), y @ x


@pytest.mark.parametrize("sign", [1, -1])
def test_a_view_of_a_branchs_result_shows_the_result_of_the_branch_that_ran(sign):
    x = sign * torch.rand(3, 3)
    module = Module(tenon.export(ViewOfBranch(), (torch.ones(3, 3),)))
    assert_same([module(x)], [ViewOfBranch()(x)])


class WritesToInputs(torch.nn.Module):
    def forward(self, x, mean, var):
        return torch.nn.functional.batch_norm(x, mean, var, training=True), x.sum(0)


def test_the_place_of_an_input_that_is_written_to_at_the_end_is_nobody_elses():
    inputs = torch.randn(5, 3, 4).half(), torch.zeros(3).half(), torch.ones(3).half()
    module = Module(tenon.export(WritesToInputs(), inputs))
    expected = WritesToInputs()(*(tensor.clone() for tensor in inputs))
    torch.testing.assert_close(module(*inputs), expected, rtol=1e-2, atol=1e-2)
