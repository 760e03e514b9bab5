"""my_ops::mul4 in torch by a library in C++, and a model that uses it, as custom_ops_2.pte."""

import argparse
from pathlib import Path

import numpy
import torch

import tenon


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.ops.my_ops.mul4(x)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--so_library", type=Path, required=True, help="what the operator is in")
    parser.add_argument("--folder", type=Path, default=Path(), help="where custom_ops_2.pte and its input are written")
    given = parser.parse_args()
    torch.ops.load_library(given.so_library.absolute())
    x = torch.randn(2, 3)
    assert torch.equal(Model()(x), 4 * x), "mul4 is not four times its input in torch"
    tenon.export(Model(), (x,)).save(given.folder / "custom_ops_2.pte")
    numpy.save(given.folder / "custom_ops_2.npy", x.numpy())


if __name__ == "__main__":
    main()
