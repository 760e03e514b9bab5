"""The model suite through runtime and kernels under ASan and UBSan, and no heap while a method runs."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.utils import _pytree as pytree

import tenon
from models import SUITE, make
from native.library import SANITIZED, build_runner, built_in
from tenon import _native


@pytest.fixture(scope="session")
def runner(pytestconfig):
    return build_runner(built_in(pytestconfig, SANITIZED), SANITIZED)


def save(case, folder, kwargs=None, **options):
    """The program, and the words that give the runner its inputs."""
    tenon.export(case.model, (), case.kwargs, **options).save(folder / "model.pte")
    words = []
    for i, value in enumerate((kwargs or case.kwargs).values()):
        np.save(folder / f"input_{i}.npy", value.numpy())
        words += ["--input", folder / f"input_{i}.npy"]
    return words


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return done


def assert_gives(folder, expected):
    for i, each in enumerate(pytree.tree_leaves(expected)):
        found = torch.from_numpy(np.load(folder / f"output_{i}.npy"))
        torch.testing.assert_close(found, each, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", SUITE)
def test_a_model_runs_under_the_sanitizers(name, runner, tmp_path):
    case = make(name)
    inputs = save(case, tmp_path)
    run(runner, tmp_path / "model.pte", *inputs, "--output", tmp_path, "--repeat", 2, "--profile", "--memory")
    with torch.no_grad():
        assert_gives(tmp_path, case.model(**case.kwargs))


@pytest.mark.parametrize("size", [(1, 2), (3, 5), (8, 32)])
@pytest.mark.parametrize("name", ["bert", "llama"])
def test_a_dynamic_model_runs_under_the_sanitizers(name, size, runner, tmp_path):
    case = make(name)
    kwargs = case.resized(*size)
    inputs = save(case, tmp_path, kwargs, dynamic_shapes=case.shapes)
    run(runner, tmp_path / "model.pte", *inputs, "--output", tmp_path)
    with torch.no_grad():
        assert_gives(tmp_path, case.model(**kwargs))


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.parametrize("name", ["bert", "resnet"])
def test_a_run_allocates_nothing_and_reads_nothing_that_is_not_set(name, tmp_path):
    inputs = save(make(name), tmp_path)
    installed = Path(_native.__file__).parent / "bin" / "tenon_run"
    counts = []
    for repeat in (1, 20):
        command = ["valgrind", "--error-exitcode=9", installed, tmp_path / "model.pte", *inputs, "--repeat", repeat]
        told = run(*command).stderr
        counts.append(re.search(r"total heap usage: ([\d,]+) allocs", told)[1])
    assert counts[0] == counts[1], "the number of allocations does not depend on the number of runs"
