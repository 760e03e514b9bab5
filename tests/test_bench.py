"""The benchmark's own machinery; nothing is timed here."""

import pytest

from bench import measure, report
from bench.measure import Row, measured
from bench.models import make


@pytest.mark.parametrize("name, count", [("mobilenet_v3_small", 2_542_856), ("squeezenet", 1_235_496)])
def test_networks_written_here_have_as_many_parameters_as_the_published_ones(name, count):
    assert sum(weight.numel() for weight in make(name).module.parameters()) == count


def test_a_model_is_the_same_at_every_call():
    first, second = (make("mlp,width=32,batch=2") for _ in range(2))
    assert first.module(*first.args).equal(second.module(*second.args))


def test_a_language_model_gives_the_same_with_its_state_inside_and_outside():
    case = make("language:llama,layers=1,width=192,room=8,position=3")
    inside = case.module(*case.args)
    module, args = case.stateless
    logits, key, _ = module(*args)
    assert logits.equal(inside)
    assert key.equal(case.module.key_0) and key[:, :, 3].any() and not key[:, :, 4:].any()


def test_what_cannot_run_is_a_row_that_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "STORE", tmp_path)
    unknown, known = measured(["absent", "mlp,width=16"], ["tenon"], rounds=1, seconds=0.01)
    assert unknown.problem == "AttributeError: module 'bench.models' has no attribute 'absent'"
    assert not known.problem and known.ms > 0 and known.difference < 1e-5
    assert "AttributeError" in report.not_run([unknown, known])


def test_a_process_that_dies_is_told_by_its_signal(tmp_path):
    child = measure.Child(tmp_path / "log", "run", "tenon", "mlp", str(tmp_path), "1")
    child.process.kill()
    with pytest.raises(measure.Failed, match="signal 9"):
        child.answer()
    child.close()


def test_the_ratio_is_to_the_best_of_the_others():
    rows = [Row("mlp", name, 1, (time,)) for name, time in (("tenon", 0.5), ("eager", 4.0), ("xnnpack", 2.0))]
    last = report.latencies(rows, 1).splitlines()[-1]
    assert last.startswith("| MLP 256-1024-1024-10 | **0.500** (0.500-0.500) |") and last.endswith("| 0.25 |")
