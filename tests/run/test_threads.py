"""Threads that share the work of kernels: the same results for any number of them, and for several callers at once."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import tenon

COUNTS = (1, 2, 3, 5)
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def count():
    before = tenon.get_num_threads()
    yield
    tenon.set_num_threads(before)


class Images(nn.Module):
    """A residual block of each form of convolution, with a pool and a head."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 24, 7, 2, 3), nn.BatchNorm2d(24), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        self.rows = nn.Sequential(nn.Conv2d(24, 600, 1), nn.ReLU6(), nn.Conv2d(600, 600, 3, padding=1, groups=600))
        self.few = nn.Conv2d(600, 24, 1)
        self.wide = nn.Sequential(nn.Conv2d(24, 40, 3, padding=1), nn.BatchNorm2d(40), nn.Hardswish())
        self.apart = nn.Sequential(nn.Conv2d(40, 40, 3, padding=1, groups=40), nn.ReLU6(), nn.Conv2d(40, 40, 1))
        self.small = nn.Conv2d(40, 33, 3, 2, 1)
        self.head = nn.Linear(33, 10)

    def forward(self, x):
        x = self.wide(self.few(self.rows(self.first(x))))
        return self.head(nn.functional.silu(self.small(x + self.apart(x))).mean((2, 3)))


class Words(nn.Module):
    """A block of a transformer."""

    def __init__(self):
        super().__init__()
        self.norm, self.after = nn.RMSNorm(96), nn.LayerNorm(96)
        self.taken, self.back = nn.Linear(96, 288), nn.Linear(96, 96)
        self.up, self.gate, self.down = nn.Linear(96, 200), nn.Linear(96, 200), nn.Linear(200, 96)

    def forward(self, x):
        heads = self.taken(self.norm(x)).unflatten(-1, (3, 6, 16)).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(*heads.unbind(), is_causal=True)
        x = x + self.back(seen.transpose(1, 2).flatten(2))
        y = self.after(x)
        return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y))


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The path of each, with an input and what eager makes of it."""
    found = {}
    for kind, shape in ((Images, (2, 3, 64, 60)), (Words, (2, 109, 96))):
        model, x = kind().eval(), torch.randn(shape)
        path = tmp_path_factory.mktemp("threads") / "model.pte"
        tenon.export(model, (x,), optimize=True).save(path)
        with torch.no_grad():
            found[kind] = path, x, model(x)
    return found


def test_the_programs_have_kernels_that_share_work(programs):
    used = {name for path, *_ in programs.values() for name in tenon.read_program(path).operators()}
    forms = ("convolution", "convolution_depthwise", "convolution_winograd", "convolution_then_depthwise", "max_pool")
    forms += ("linear", "attention")
    assert {f"tenon::{name}.out" for name in forms} <= used


@pytest.mark.parametrize("kind", [Images, Words])
def test_results_are_the_same_bits_for_any_number_of_threads(programs, kind):
    path, x, expected = programs[kind]
    results = []
    for count in COUNTS:
        tenon.set_num_threads(count)
        assert tenon.get_num_threads() == count
        results.append(tenon.load(path)(x))
    torch.testing.assert_close(results[0], expected, rtol=1e-4, atol=1e-4)
    for result in results[1:]:
        assert torch.equal(result, results[0])


def test_a_loaded_module_goes_on_with_another_number(programs):
    path, x, _ = programs[Images]
    module = tenon.load(path)
    first = module(x).clone()
    for count in (5, 1, 3, 2):
        tenon.set_num_threads(count)
        assert torch.equal(module(x), first)


def test_two_modules_run_at_once(programs):
    """One has the pool; the other does its work alone meanwhile."""
    tenon.set_num_threads(3)
    modules = {kind: tenon.load(path) for kind, (path, _, _) in programs.items()}
    expected = {kind: modules[kind](x).clone() for kind, (_, x, _) in programs.items()}
    start, same = threading.Barrier(2), dict.fromkeys(modules, 0)

    def run(kind):
        start.wait()
        for _ in range(20):
            same[kind] += torch.equal(modules[kind](programs[kind][1]), expected[kind])

    threads = [threading.Thread(target=run, args=(kind,)) for kind in modules]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(same.values()) == {20}


FORKED = """
import os, signal, sys
import numpy as np
import tenon

module, x = tenon.load(sys.argv[1]), np.load(sys.argv[2])
tenon.set_num_threads(3)
first = np.array(module(x))  # the pool has its threads, which a child has not
child = os.fork()
if child == 0:
    signal.alarm(60)  # rather than wait for them
    os._exit(0 if all(np.array_equal(module(x), first) for _ in range(3)) else 1)
_, status = os.waitpid(child, 0)
assert np.array_equal(module(x), first)
assert status == 0, f"the child ended with {os.waitstatus_to_exitcode(status)}"
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.parametrize("kind", [Images, Words])
def test_a_forked_child_starts_threads_of_its_own(programs, kind, tmp_path):
    """In a process without torch, which has threads that a fork is bad for."""
    path, x, _ = programs[kind]
    np.save(tmp_path / "x.npy", x.numpy())
    command = [sys.executable, "-c", FORKED, str(path), str(tmp_path / "x.npy")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("count", [0, 65, -1])
def test_other_numbers_are_refused(count):
    before = tenon.get_num_threads()
    with pytest.raises(tenon.Invalid) as told:
        tenon.set_num_threads(count)
    assert str(told.value) == f"there can be 1 to 64 threads, and not {count}."
    assert tenon.get_num_threads() == before


def test_all_is_done_once_and_nobody_waits_for_a_thread_that_is_held_up(tmp_path):
    sources = [ROOT / "tests" / "native" / "pool.cpp", ROOT / "native" / "core" / "threads.cpp"]
    program = tmp_path / "pool"
    flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", ROOT / "native" / "include"]
    subprocess.run(["g++", *flags, *sources, "-o", program], check=True, timeout=120)
    assert subprocess.run([program], capture_output=True, text=True, check=True, timeout=120).stdout == "done\n"
