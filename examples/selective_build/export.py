"""`python export.py FOLDER`: a model that divides, one that adds, multiplies and divides, and one that subtracts."""

import sys
from pathlib import Path

import numpy
import torch

import tenon


class Divide(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x / y


class AddMultiplyDivide(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return (x + y) * x / y


class Subtract(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x - y


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    inputs = torch.randn(2, 3), torch.rand(2, 3) + 1
    for name, model in {"model_1": Divide(), "three": AddMultiplyDivide(), "fourth": Subtract()}.items():
        tenon.export(model, inputs).save(folder / f"{name}.pte")
    for name, tensor in zip(("x", "y", "expected"), (*inputs, AddMultiplyDivide()(*inputs)), strict=True):
        numpy.save(folder / f"{name}.npy", tensor.numpy())


if __name__ == "__main__":
    main()
