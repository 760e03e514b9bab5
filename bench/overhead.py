"""What an instruction costs beside its kernel: ten thousand additions of one number, in Tenon and in ExecuTorch.

Both run the same file, Tenon's plain program: ExecuTorch takes minutes to export as many nodes.
"""

import argparse

import torch
from torch import nn

from bench.models import Case


class Adds(nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        for _ in range(self.count):
            x = x + y
        return x


def adds(count: int) -> Case:
    return Case(Adds(count), (torch.zeros(1), torch.ones(1)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--count", type=int, default=10_000)
    options = parser.parse_args()
    from bench.machine import machine
    from bench.measure import measured
    from bench.report import keep

    specs = [f"overhead:adds,count={count}" for count in (1, options.count)]
    rows = measured(specs, ["tenon_plain", "executorch_of_tenon"], rounds=options.rounds)
    ran = {(row.spec, row.system): row for row in rows if not row.problem}
    for system in ("tenon_plain", "executorch_of_tenon"):
        few, many = (ran.get((spec, system)) for spec in specs)
        if few and many:
            print(f"{system:20} {(many.ms - few.ms) * 1e6 / (options.count - 1):8.1f} ns for an instruction")
    keep("overhead", {"rows": [row.plain() for row in rows], "count": options.count, "machine": machine()})


if __name__ == "__main__":
    main()
