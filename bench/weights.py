"""Linear layers with weights of each dtype: bytes of weights read in a second by one row, beside what the machine can
read, and multiply-adds of many rows. All of 100 MB, more than caches hold; in turns, so that all have the same machine.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

import tenon
from bench.machine import measured_peak
from bench.report import table
from tenon.ops import fused

INPUTS, GROUP, BYTES = 2048, 32, 100e6
KINDS = {"float32": 4.0, "float16": 2.0, "bfloat16": 2.0, "int8": 1 + 4 / GROUP, "int4": 0.5 + 4 / GROUP}  # bytes each


class Layer(nn.Module):
    """A fused operator by itself, its weights packed."""

    def __init__(self, kind: str, outputs: int) -> None:
        super().__init__()
        self.outputs, count = outputs, outputs // fused.PANEL
        if kind == "int4":
            words = torch.randint(-(2**31), 2**31 - 1, (count, INPUTS // 8, fused.PANEL), dtype=torch.int32)
            self.register_buffer("weight", words)
        elif kind == "int8":
            self.register_buffer("weight", torch.randint(-128, 128, (count, INPUTS, fused.PANEL), dtype=torch.int8))
        else:
            numbers = torch.randn(count, INPUTS, fused.PANEL) / 50
            self.register_buffer("weight", numbers.to(getattr(torch, kind)))
        self.register_buffer("scales", torch.rand(count, INPUTS // GROUP, fused.PANEL) if "int" in kind else None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.scales is None:
            return torch.ops.tenon.linear(x, self.weight, None, None, self.outputs, "none", 0.0, 0.0)
        return torch.ops.tenon.linear_groups(
            x, self.weight, self.scales, None, None, None, self.outputs, GROUP, "none", 0.0, 0.0
        )


@dataclass
class Layers:
    kind: str
    outputs: int
    run: Callable[[torch.Tensor], torch.Tensor]

    @property
    def stored(self) -> float:
        return KINDS[self.kind] * INPUTS * self.outputs


def made(kind: str, rows: int, folder: Path) -> Layers:
    outputs = int(BYTES / KINDS[kind] / INPUTS) // fused.PANEL * fused.PANEL
    path = folder / f"{kind}.pte"
    tenon.export(Layer(kind, outputs), (torch.randn(rows, INPUTS),)).save(path)
    return Layers(kind, outputs, tenon.load(path))


def seconds(run: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> float:
    start = time.perf_counter()
    run(x)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--rows", type=int, default=1)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    options = parser.parse_args()
    x, lines = torch.randn(options.rows, INPUTS), []
    with tempfile.TemporaryDirectory() as folder:
        layers = [made(kind, options.rows, Path(folder)) for kind in KINDS]
        for threads in options.threads:
            tenon.set_num_threads(threads)
            peak = measured_peak(threads) or (float("nan"), float("nan"))
            times = [[seconds(layer.run, x) for layer in layers] for _ in range(options.rounds)]
            for layer, taken in zip(layers, zip(*times, strict=True), strict=True):
                median = statistics.median(taken)
                read, flops = layer.stored / median / 1e9, 2 * options.rows * INPUTS * layer.outputs / median / 1e9
                ratios = (f"{read:.1f}", f"{read / peak[1]:.2f}", f"{flops:.1f}", f"{flops / peak[0]:.2f}")
                lines.append((f"{layer.kind}, {threads} threads", f"{median * 1e3:.2f}", *ratios))
    print(table(["weights", "ms", "GB/s", "of what is read", "GFLOP/s", "of the peak"], lines))


if __name__ == "__main__":
    main()
