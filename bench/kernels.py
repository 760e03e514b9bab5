"""Single kernels: Tenon's beside torch's and the machine's limit, each as a model of one operator.

A call through Python costs microseconds on either side, so that the sizes are such that a kernel takes longer.
"""

import argparse
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional

from bench.models import Case


class Attention(nn.Module):
    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        return functional.scaled_dot_product_attention(query, key, value, is_causal=True)


class MatMul(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return a @ b


def linear(m: int, k: int, n: int) -> Case:
    return Case(nn.Linear(k, n), (torch.randn(m, k),))


def matmul(m: int, k: int, n: int) -> Case:
    return Case(MatMul(), (torch.randn(m, k), torch.randn(k, n)))


def convolution(inputs: int, outputs: int, size: int, kernel: int, stride: int = 1, groups: int = 1) -> Case:
    module = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups)
    return Case(module, (torch.randn(1, inputs, size, size),))


def attention(heads: int, length: int, size: int) -> Case:
    return Case(Attention(), tuple(torch.randn(1, heads, length, size) for _ in range(3)))


def softmax(rows: int, size: int) -> Case:
    return Case(nn.Softmax(-1), (torch.randn(rows, size),))


def layer_norm(rows: int, size: int) -> Case:
    return Case(nn.LayerNorm(size), (torch.randn(rows, size),))


def gelu(rows: int, size: int) -> Case:
    return Case(nn.GELU(), (torch.randn(rows, size),))


@dataclass(frozen=True)
class Work:
    """A kernel by name, its case, and what it must do at least: floating-point operations, or bytes moved."""

    name: str
    spec: str
    flops: float = 0
    moved: float = 0


def _linear(m: int, k: int, n: int, kind: str = "linear") -> Work:
    name = f"gemv {k}x{n}" if m == 1 else f"{kind} {m}x{k}x{n}"
    return Work(name, f"kernels:{kind},m={m},k={k},n={n}", 2.0 * m * k * n, 4.0 * (k * n + m * (k + n)))


def _convolution(
    name: str, inputs: int, outputs: int, size: int, kernel: int, stride: int = 1, groups: int = 1
) -> Work:
    spec = f"kernels:convolution,inputs={inputs},outputs={outputs},size={size},kernel={kernel},stride={stride}"
    flops = 2.0 * kernel**2 * inputs // groups * outputs * (size // stride) ** 2
    moved = 4.0 * (inputs * size**2 + outputs * (size // stride) ** 2 + outputs * inputs // groups * kernel**2)
    return Work(f"{name} {inputs}-{outputs}, {size}", f"{spec},groups={groups}", flops, moved)


def _rows(kind: str, rows: int, size: int) -> Work:
    name = f"{kind.replace('_', ' ')} {rows}x{size}"
    return Work(name, f"kernels:{kind},rows={rows},size={size}", moved=8.0 * rows * size)


def _attention(heads: int, length: int, size: int) -> Work:
    flops = 2.0 * heads * length**2 * size  # two products of which the causal half counts
    moved = 16.0 * heads * length * size
    spec = f"kernels:attention,heads={heads},length={length},size={size}"
    return Work(f"attention {heads} heads, {length} tokens, {size}", spec, flops, moved)


KERNELS = (
    *(_linear(m, k, n) for m, k, n in ((64, 256, 1024), (256, 1024, 1024), (512, 4096, 1024))),
    _linear(512, 512, 512, "matmul"),
    *(_linear(1, k, n) for k, n in ((1024, 1024), (768, 32000))),
    _convolution("convolution 3x3", 64, 64, 56, 3),
    _convolution("convolution 3x3", 256, 256, 14, 3),
    _convolution("convolution 3x3 by 2", 64, 128, 56, 3, 2),
    _convolution("convolution 1x1", 96, 24, 56, 1),
    _convolution("convolution 1x1", 160, 960, 7, 1),
    _convolution("depthwise 3x3", 144, 144, 56, 3, 1, 144),
    _convolution("depthwise 5x5", 240, 240, 14, 5, 1, 240),
    _attention(4, 64, 64),
    _attention(12, 512, 64),
    *(_rows(kind, 512, 1024) for kind in ("softmax", "layer_norm", "gelu")),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--systems", nargs="*", default=["tenon", "eager"])
    parser.add_argument("--threads", type=int, nargs="*", default=[1])
    parser.add_argument("--only", default="", help="kernels with this in their name")
    options = parser.parse_args()
    from bench.machine import machine
    from bench.measure import measured
    from bench.report import keep

    works = [work for work in KERNELS if options.only in work.name]
    rows = measured([work.spec for work in works], options.systems, options.threads, rounds=options.rounds, seconds=0.1)
    plain = {work.spec: {"name": work.name, "flops": work.flops, "moved": work.moved} for work in works}
    keep("kernels", {"rows": [row.plain() for row in rows], "work": plain, "machine": machine()})


if __name__ == "__main__":
    main()
