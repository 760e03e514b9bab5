"""What each pass of optimize=True gains: a model exported with it and without, both run in turn; printed only."""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import nn

import tenon
from bench.int8 import layers_in_int8, quantized
from bench.models import Case, make
from tenon.lower import passes

# The model on which a pass has most to do; those that begin with `int8` are quantised. Some passes are not here, since
# kernels ask for them: what capture keeps whole must be fused (fuse_attention, fuse_rms_norm, spell_out_affine), and
# images lie channels last (assign_channels_last).
CASES = {
    "join_views": "bert",
    "whole_activations": "gpt2",
    "linear_for_mm": "gpt2",
    "quantize_early": "int8 mobilenet_v2",
    "fuse_int8": "int8 mobilenet_v2",
    "pack_int8": "int8 mobilenet_v2",
    "fold_batch_norm": "resnet18",
    "fold_scales": "language:llama",
    "rows_as_images": "passes:rows",
    "narrow_tables": "passes:tables",
    "pack_linear": "bert",
    "keep_rank_of_linear": "bert",
    "join_linear": "language:llama,bits=4",
    "pack_convolution": "mobilenet_v2",
    "fold_padding": "mobilenet_v2",
    "fuse_rotary": "language:llama",
    "fuse_epilogues": "mobilenet_v3_small",
    "fuse_depthwise": "mobilenet_v2",
    "pool_without_places": "squeezenet",
    "channels_behind_places": "vit",
    "fuse_pointwise": "mobilenet_v3_small",
    "join_convolutions": "squeezenet",
    "permute_without_moving": "language:llama",
}


def rows() -> Case:
    """What a model of speech does to its input first."""
    layers = (nn.Conv1d(80, 384, 3, padding=1), nn.GELU(), nn.Conv1d(384, 384, 3, stride=2, padding=1), nn.GELU())
    return Case(nn.Sequential(*layers), (torch.randn(1, 80, 1000),))


class Table(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(32000, 768, dtype=torch.bfloat16)

    def forward(self, token: torch.Tensor) -> torch.Tensor:
        return nn.functional.embedding(token, self.words.weight.float())


def tables() -> Case:
    """Words in 16 bits, for a model in 32."""
    return Case(Table(), (torch.randint(0, 32000, (1, 64)),))


def case_of(spec: str) -> Case:
    case = make(spec.removeprefix("int8 "))
    return replace(case, module=quantized(case, layers_in_int8())) if spec.startswith("int8 ") else case


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
            case = case_of(CASES[name])
            calls: list[Callable[[], Any]] = []
            sizes: list[int] = []
            for number in range(2):
                with without(name) if number else without(""):
                    program = tenon.export(case.module, case.args, optimize=True)
                sizes.append(program.memory().constant)
                path = Path(folder) / f"{name}{number}.pte"
                program.save(path)
                module = tenon.load(path)
                calls.append(partial(module, *case.args))
            with torch.no_grad():
                own, other = compared(calls, options.rounds, options.seconds)
            told = f"{own:9.3f} ms, {other:9.3f} without it: {own / other:.2f}"
            told += f"; {sizes[0] / 1e6:.1f} MB of weights, {sizes[1] / 1e6:.1f}"
            print(f"{name:24} {CASES[name]:20} {told}", flush=True)


if __name__ == "__main__":
    main()
