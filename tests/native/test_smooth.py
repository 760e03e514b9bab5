"""Smooth functions of floats are at most 2 units in the last place from the truth, which is torch's in double."""

import subprocess

import pytest
import torch

from native.library import ROOT, Library, Out, build, build_library, built_in
from native.samples import Call
from native.test_kernels import FLAGS, run
from tenon.ops.fused import POINTWISE

MOST = 2
FUNCTIONS = {"exp": torch.exp, "tanh": torch.tanh, "erf": torch.erf, "sigmoid": torch.sigmoid}


@pytest.fixture(scope="module")
def library(pytestconfig):
    return Library(build_library(built_in(pytestconfig, FLAGS), FLAGS))


def test_each_is_near_the_truth_in_vectors_of_every_length(pytestconfig):
    sources = [ROOT / "tests" / "native" / "smooth.cpp", ROOT / "native" / "kernels" / "fast" / "wide.cpp"]
    program = build(built_in(pytestconfig, FLAGS), FLAGS, sources, "smooth", [])
    lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines
    assert [line for line in lines if int(line.split()[2]) > MOST] == []


def every_exponent():
    """8192 numbers of each sign and exponent, with zeros, infinities and what is no number."""
    return torch.arange(-(2**31), 2**31, 2**10 - 3, dtype=torch.int64).to(torch.int32).view(torch.float32)


def units_off(mine, theirs):
    places = [
        torch.where(bits < 0, -(bits & 0x7FFFFFFF), bits)
        for bits in (t.view(torch.int32).long() for t in (mine, theirs))
    ]
    return (places[0] - places[1]).abs().masked_fill(mine.isnan() & theirs.isnan(), 0)


def assert_near(x, mine, function):
    theirs = function(x.double()).float()
    off = units_off(mine, theirs)
    worst = off.argmax()
    assert off[worst] <= MOST, f"{off[worst]} units off at {x[worst].item()!r}: {mine[worst].item()!r}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_operators_of_one_function_are_near_the_truth(library, name):
    x = every_exponent()
    (mine,) = run(library, Call(f"aten::{name}.out", {"self": x}, (x,)), [Out(x)])
    assert_near(x, mine, FUNCTIONS[name])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_programs_of_pointwise_functions_are_near_the_truth(library, name):
    x = every_exponent()
    given = {"inputs": [x], "program": [list(POINTWISE).index(name), 0], "constants": []}
    (mine,) = run(library, Call("tenon::pointwise.out", given, (x,)), [Out(x)])
    assert_near(x, mine, FUNCTIONS[name])


@pytest.mark.parametrize("name", ["tanh", "sigmoid"])
def test_activations_behind_a_product_are_near_the_truth(library, name):
    x = every_exponent()
    x = x[x.isfinite()].reshape(-1, 1)
    weight = torch.zeros(1, 1, 16)
    weight[0, 0, 0] = 1
    given = {
        "input": x,
        "weight": weight,
        "bias": None,
        "other": None,
        "outputs": 1,
        "activation": name,
        "low": 0.0,
        "high": 0.0,
    }
    (mine,) = run(library, Call("tenon::linear.out", given, (x,)), [Out(x)])
    assert_near(x.flatten(), mine.flatten(), FUNCTIONS[name])
