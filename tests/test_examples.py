"""The examples, each built in all ways from a copy whose path has a space in it. Their scripts compare the values."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
WAYS = ["cmake", "buck2", "command"]


def run_script(name, way, folder):
    """Runs an example's script in a copy of its folder; gives the folder of what was built, and what it printed."""
    copy = folder / "a copy" / name
    shutil.copytree(EXAMPLES / name, copy, ignore=shutil.ignore_patterns("build", "out", "*.pte", "*.npy"))
    build = folder / "what is built"
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # the tests' own cmake, if it is installed
    env = {**os.environ, "PATH": tools, "PYTHON_EXECUTABLE": sys.executable, "BUILD": str(build)}
    script = copy / f"test_{name}.sh"
    done = subprocess.run(["bash", script, way], capture_output=True, text=True, env=env, timeout=600, check=False)
    assert not done.returncode, (done.stdout + done.stderr)[-6000:]
    return build, done.stdout


def output_of(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("way", WAYS)
def test_custom_operators_give_three_and_four_times_their_input(way, tmp_path):
    build, said = run_script("custom_ops", way, tmp_path)
    assert f"{build}/output_1/output_0.npy is 3 times {build}/custom_ops_1.npy." in said
    assert f"{build}/output_2/output_0.npy is 4 times {build}/custom_ops_2.npy." in said


@pytest.mark.parametrize("way", WAYS)
def test_a_selective_build_has_three_operators_and_no_fourth(way, tmp_path):
    build, said = run_script("selective_build", way, tmp_path)
    assert f"{build}/output/output_0.npy is what torch gives." in said
    assert "Missing operator: [0] aten::sub.out" in said
    runner = build / way / "selective_runner"
    has = [name for name in ("add", "mul", "div", "sub") if f"aten::{name}.out".encode() in runner.read_bytes()]
    assert has == ["add", "mul", "div"]
    if way == "cmake":  # the others strip what they build
        functions = output_of("nm", "--demangle", runner)
        kernels = [name for name in ("add", "mul", "div", "sub") if f"tenon::native::{name}_out(" in functions]
        assert kernels == ["add", "mul", "div"]


@pytest.mark.parametrize("way", WAYS)
def test_aten_mode_and_lean_mode_give_what_torch_gives(way, tmp_path):
    build, said = run_script("aten_mode", way, tmp_path)
    for mode in ("lean", "aten"):
        assert f"{build}/output_{mode}/output_0.npy is what torch gives." in said
        runner = next(path for path in (build / f"{way}_{mode}").glob("*") if path.name.startswith(RUNNERS))
        assert ("libtorch_cpu" in output_of("readelf", "--dynamic", runner)) == (mode == "aten")


RUNNERS = ("executorch_bin", "add_runner")


def test_a_way_that_there_is_not_is_told(tmp_path):
    for name in ("custom_ops", "selective_build", "aten_mode"):
        done = subprocess.run(
            ["bash", EXAMPLES / name / f"test_{name}.sh", "bazel"],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHON_EXECUTABLE": sys.executable, "BUILD": str(tmp_path)},
            check=False,
        )
        assert (done.returncode, done.stderr) == (2, f"usage: test_{name}.sh [cmake|buck2|command]\n")
