"""The fuzzer: a short run of it, and that it finds, shrinks, explains and keeps what it should."""

import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from fuzz import check as checking
from fuzz import fleet
from fuzz.check import check
from fuzz.graphs import LONGEST, draw_program
from fuzz.operators import operators
from fuzz.program import graph_of, restored, save, used
from fuzz.report import report
from fuzz.worker import blamed, smallest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.filterwarnings("ignore")


def test_a_short_run_finds_no_difference_and_no_crash():
    command = [sys.executable, "-m", "tests.fuzz", "--programs", "400", "--jobs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "programs    400" in done.stdout


def test_degrees_are_low_and_what_a_call_writes_to_is_its_own():
    """torch takes n steps for a degree n; and what a call wrote to is not what the program was drawn with."""
    drawn = [draw_program(seed, "polynomial|^aten::_native_batch_norm_legit$") for seed in range(30)]
    calls = [(each, node) for each in drawn for node in each.nodes]
    assert all(int(e.values[n.args["n"].name].abs().max()) <= 30 for e, n in calls if _has_elements(e, n, "n"))
    norms = [(each, node) for each, node in calls if "norm" in node.op]
    assert norms and not any(n.args["running_mean"].name in e.constants for e, n in norms)
    assert all(sum(used(other).count(n.args["running_mean"].name) for other in e.nodes) == 1 for e, n in norms)


def _has_elements(drawn, node, name):
    return name in node.args and drawn.values[node.args[name].name].numel()


def test_the_same_seed_gives_the_same_program():
    for seed in range(20):
        one, other = draw_program(seed), draw_program(seed)
        assert str(graph_of(one, one.outputs)) == str(graph_of(other, other.outputs))
        assert all(torch.equal(one.values[name].nan_to_num(), other.values[name].nan_to_num()) for name in one.inputs)


def test_programs_have_up_to_30_calls_and_feed_one_into_the_other():
    drawn = [draw_program(seed) for seed in range(60)]
    lengths = {len(each.nodes) for each in drawn}
    assert min(lengths) == 1 and max(lengths) <= LONGEST and len(lengths) > 10
    assert any(set(used(node)) & set(each.results) for each in drawn for node in each.nodes)
    assert any(each.bounds for each in drawn) and any(each.constants for each in drawn)


@pytest.fixture
def broken(monkeypatch):
    """torch's tanh is told to be something else: every kernel of it is then wrong."""
    known = operators()["aten::tanh"]
    monkeypatch.setitem(operators(), "aten::tanh", replace(known, function=lambda x: torch.tanh(x) + 3))


def failing():
    """A program of several calls in which tanh is used of something, and nothing is refused."""
    for seed in range(10_000):
        drawn = draw_program(seed, "^aten::(tanh|relu|neg|add.Tensor)$")
        verdict = check(drawn)
        if verdict.differs and len(drawn.nodes) > 5 and not verdict.program.nodes[verdict.blame].op.endswith("add"):
            return verdict
    raise AssertionError("no program fails")


def test_a_difference_is_shrunk_to_one_call_of_one_element(broken):
    verdict = failing()
    assert blamed(verdict) == "aten::tanh.out"
    small = smallest(verdict)
    (node,) = small.nodes
    assert node.op == "aten::tanh"
    assert all(tensor.numel() == 1 for tensor in small.values.values())
    words = report(small, check(small).actual)
    assert "aten::tanh" in words and "in torch:" in words and "1 of 1 elements differ" in words


def test_a_saved_program_is_seen_again(broken, tmp_path):
    small = smallest(failing())
    save(small, tmp_path / "small.program")
    again = restored(tmp_path / "small.program")
    assert str(graph_of(again, again.outputs)) == str(graph_of(small, small.outputs))
    assert check(again).differs


def test_what_shared_memory_changes_is_no_rounding(monkeypatch):
    """Every call is right, and yet the program is not: only the plan can be to blame."""
    real = checking.run_lean

    def planned_badly(drawn, outputs, announce):
        found = real(drawn, outputs, announce)
        return found if outputs == tuple(drawn.results) else [each + 1 for each in found]

    seed = next(s for s in range(1000) if len(draw_program(s, "^aten::(neg|relu)$").nodes) > 4)
    drawn = draw_program(seed, "^aten::(neg|relu)$")
    assert len(drawn.outputs) < len(drawn.results)
    assert not check(drawn).differs
    monkeypatch.setattr(checking, "run_lean", planned_badly)
    verdict = check(drawn)
    assert verdict.differs and blamed(verdict) == "memory"


def test_rounding_that_adds_up_is_explained(monkeypatch):
    """Each call is given what the one before gave in lean mode, and is right for that."""
    seed = next(s for s in range(1000) if len(draw_program(s, "^aten::neg$").nodes) > 4)
    drawn = draw_program(seed, "^aten::neg$")
    other = {name: tensor + 1 for name, tensor in drawn.values.items() if name in drawn.results}
    verdict = check(replace(drawn, values={**drawn.values, **other}))
    assert verdict.explained and not verdict.differs


def test_a_process_that_dies_is_told_with_its_seed_and_the_next_goes_on(monkeypatch, tmp_path):
    script = """if 1:
        import os, sys
        given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
        with open(given["--folder"] + "/note0", "w") as note:
            note.write("lean 12")
        if int(given["--first"]) <= 12:
            os.abort()
    """
    monkeypatch.setattr(fleet, "command", lambda *args: [sys.executable, "-c", script, *map(str, args)])
    told = []
    totals = fleet.Fleet(20, 10, math.inf, 1, tmp_path, "", told.append).run()
    assert totals.crashes == told == [{"seed": 12, "phase": "lean", "words": "SIGABRT"}]
    assert totals.counts["programs"] == 3  # 10, 11 and the one that ended it


def test_what_ends_a_process_is_shrunk_in_others(monkeypatch, tmp_path):
    """The process would die of every relu that has an element."""

    def dies(path):
        drawn = restored(path)
        return any(node.op == "aten::relu" and drawn.values[used(node)[0]].numel() for node in drawn.nodes)

    drawn = draw_program(3, "^aten::(neg|relu|tanh|exp)$")
    assert any(node.op == "aten::relu" for node in drawn.nodes) and len(drawn.nodes) > 3
    save(drawn, tmp_path / "3.program")
    monkeypatch.setattr(fleet, "command", lambda *args: ["true"])
    monkeypatch.setattr(fleet, "dies", dies)
    words = fleet.crash_shrunk(3, tmp_path, "")
    small = restored(tmp_path / "3.program")
    assert [node.op for node in small.nodes] == ["aten::relu"] and "aten::relu" in words
    assert all(tensor.numel() == 1 for tensor in small.values.values())
