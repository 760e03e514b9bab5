"""`python export.py FOLDER`: a model that calls aten::add.out, its inputs, and what torch gives for them."""

import sys
from pathlib import Path

import numpy
import torch

import tenon


class Add(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.add(x, y, alpha=2)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    inputs = torch.randn(2, 3), torch.randn(2, 3)
    tenon.export(Add(), inputs).save(folder / "add.pte")
    for name, tensor in zip(("x", "y", "expected"), (*inputs, Add()(*inputs)), strict=True):
        numpy.save(folder / f"{name}.npy", tensor.numpy())


if __name__ == "__main__":
    main()
