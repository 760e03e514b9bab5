"""What each pass of optimize=True gains: a model exported with it and without, both run in turn; printed only."""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import torch

import tenon
from bench.models import make
from tenon.lower import passes

# The model on which a pass has most to do. Some are not here, since kernels ask for them: what capture keeps whole must
# be fused (fuse_attention, fuse_rms_norm), and images lie channels last (assign_channels_last).
CASES = {
    "whole_activations": "gpt2",
    "fold_batch_norm": "resnet18",
    "fold_scales": "language:llama",
    "linear_for_mm": "gpt2",
    "pack_linear": "bert",
    "keep_rank_of_linear": "bert",
    "pack_convolution": "mobilenet_v2",
    "fuse_rotary": "language:llama",
    "fuse_epilogues": "mobilenet_v3_small",
    "pool_without_places": "squeezenet",
    "channels_behind_places": "vit",
    "fuse_pointwise": "mobilenet_v3_small",
    "join_convolutions": "squeezenet",
    "permute_without_moving": "language:llama",
}


@contextmanager
def without(name: str) -> Any:
    """The lists of passes, for a while without one."""
    before = [(each, list(each)) for each in (passes.OPTIMIZE, passes.LAY_OUT)]
    for each, _ in before:
        each[:] = [rewrite for rewrite in each if rewrite.__name__ != name]
    try:
        yield
    finally:
        for each, kept in before:
            each[:] = kept


def compared(calls: list[Callable[[], Any]], rounds: int, seconds: float) -> list[float]:
    """Milliseconds of each, median of the rounds."""
    found: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, times in zip(calls, found, strict=True):
            call()
            start, count = time.perf_counter(), 0
            while time.perf_counter() - start < seconds:
                call()
                count += 1
            times.append((time.perf_counter() - start) / count * 1e3)
    return [statistics.median(times) for times in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", nargs="*", default=list(CASES))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.1)
    options = parser.parse_args()
    tenon.set_num_threads(options.threads)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.passes:
            case = make(CASES[name])
            calls: list[Callable[[], Any]] = []
            for number in range(2):
                with without(name) if number else without(""):
                    program = tenon.export(case.module, case.args, optimize=True)
                path = Path(folder) / f"{name}{number}.pte"
                program.save(path)
                module = tenon.load(path)
                calls.append(partial(module, *case.args))
            with torch.no_grad():
                own, other = compared(calls, options.rounds, options.seconds)
            print(f"{name:24} {CASES[name]:20} {own:9.3f} ms, {other:9.3f} without it: {own / other:.2f}", flush=True)


if __name__ == "__main__":
    main()
