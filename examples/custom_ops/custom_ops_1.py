"""my_ops::mul3 in torch by torch.library, and a model that uses it, as custom_ops_1.pte."""

import argparse
from pathlib import Path

import numpy
import torch

import tenon

my_ops = torch.library.Library("my_ops", "FRAGMENT")
my_ops.define("mul3(Tensor input) -> Tensor")
# The program calls this one: it writes where memory was planned for.
my_ops.define("mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)")


@torch.library.impl(my_ops, "mul3", "CompositeExplicitAutograd")
def mul3(input: torch.Tensor) -> torch.Tensor:
    return input * 3


@torch.library.impl(my_ops, "mul3.out", "CompositeExplicitAutograd")
def mul3_out(input: torch.Tensor, *, output: torch.Tensor) -> torch.Tensor:
    return torch.mul(input, 3, out=output)


@torch.library.impl(my_ops, "mul3", "Meta")
def mul3_meta(input: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(input)


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.ops.my_ops.mul3(x)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(), help="where custom_ops_1.pte and its input are written")
    folder = parser.parse_args().folder
    x = torch.randn(2, 3)
    tenon.export(Model(), (x,)).save(folder / "custom_ops_1.pte")
    numpy.save(folder / "custom_ops_1.npy", x.numpy())


if __name__ == "__main__":
    main()
