"""A program of gigabytes, weights inside it and beside it: seconds, and memory above what is there anyway.

`python bench/large_program.py 4` makes a model of 4 GB. Each measurement runs in a process of its own.
"""

import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import torch

import tenon

warnings.filterwarnings("ignore", category=FutureWarning)
WIDTH = 4096


class Stack(torch.nn.Module):
    """Linear layers without bias, by turns in bf16 and f32."""

    def __init__(self, size: float) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList()
        total = 0
        while total < size:
            dtype = torch.float32 if len(self.layers) % 2 else torch.bfloat16
            self.layers.append(torch.nn.Linear(WIDTH, WIDTH, bias=False, dtype=dtype))
            total += WIDTH * WIDTH * dtype.itemsize

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x.to(layer.weight.dtype))
        return x


def memory(field: str) -> int:
    """VmRSS, what is resident now, or VmHWM, the most it ever was, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


class Step:
    """One line of the table: seconds, and the peak above what was resident before."""

    def __init__(self, name: str, of: int) -> None:
        self.name, self.of = name, of

    def __enter__(self) -> None:
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        self.before, self.start = memory("VmRSS"), time.perf_counter()

    def __exit__(self, *_: object) -> None:
        seconds, above = time.perf_counter() - self.start, memory("VmHWM") - self.before
        share = above / self.of
        print(f"  {self.name:7} {seconds:6.1f} s   peak + {above / 1e6:6.0f} MB, {share:.2f} of it", flush=True)


def write(path: Path, size: float, external: bool) -> None:
    torch.manual_seed(0)
    inputs = (torch.ones(1, WIDTH),)
    tenon.export(Stack(1), inputs)  # what torch loads at the first export is not what is measured
    model = Stack(size)
    held = sum(weight.nbytes for weight in model.parameters())
    with Step("export", held):
        program = tenon.export(model, inputs, external_weights=external)
    with Step("save", held):
        program.save(path)
    files = [each.stat().st_size for each in (path, path.with_suffix(".ptd")) if each.exists()]
    print(f"  model {held / 1e9:.2f} GB, files {' and '.join(f'{each:,}' for each in files)} bytes", flush=True)


def read(path: Path) -> None:
    from tenon.pte.external import read_external
    from tenon.run import Module

    size = sum(each.stat().st_size for each in path.parent.iterdir())
    with Step("read", size):
        program = tenon.read_program(path)
        external = read_external(path.with_suffix(".ptd")) if path.with_suffix(".ptd").exists() else {}
    with Step("load", size):
        module = Module(program, external)
    with Step("run", size):
        module(torch.ones(1, WIDTH))


def main() -> None:
    if len(sys.argv) > 2:
        step, path, size, external = sys.argv[1:]
        if step == "write":
            write(Path(path), float(size), external == "beside")
        else:
            read(Path(path))
        return
    size = float(sys.argv[1]) * 1e9 if len(sys.argv) > 1 else 2e9
    for where in ("inside", "beside"):
        print(f"weights {where} the program", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for step in ("write", "read"):
                command = [sys.executable, __file__, step, f"{folder}/model.pte", str(size), where]
                subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
