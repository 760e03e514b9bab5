"""How the time of an export grows with the graph: torch.export, what Tenon adds, and ExecuTorch's for the same graph.

ExecuTorch is measured if the extra `peers` is installed, up to --peer nodes: it takes minutes beyond that.
"""

import argparse
import gc
import importlib.util
import statistics
import time
import warnings

import torch

import tenon
from tenon.pte.program import to_bytes

warnings.filterwarnings("ignore")


class Chain(torch.nn.Module):
    """So many nodes: a linear layer now and then, pointwise operators between."""

    def __init__(self, nodes: int) -> None:
        super().__init__()
        self.nodes = nodes
        self.layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(nodes // 20))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i in range(self.nodes):
            x = (
                self.layers[i // 20](x)
                if i % 20 == 19 and i // 20 < len(self.layers)
                else torch.sin(x)
                if i % 2
                else x + 1
            )
        return x


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="*", default=[100, 1000, 4000, 10000])
    parser.add_argument("--peer", type=int, default=1000)
    options = parser.parse_args()
    peer = importlib.util.find_spec("executorch") is not None
    warm = torch.export.export(Chain(20).eval(), (torch.ones(2, 8),))  # what is imported late counts for nobody
    to_bytes(tenon.export(warm))
    if peer:
        peer_seconds(warm)
    print("nodes   torch.export   Tenon adds   ratio   ExecuTorch adds")
    for nodes in options.nodes:
        model, x = Chain(nodes).eval(), (torch.ones(2, 8),)
        rounds = []
        for _ in range(5 if nodes <= 1000 else 1):
            gc.collect()  # what one round leaves is not the next one's
            start = time.perf_counter()
            program = torch.export.export(model, x)
            middle = time.perf_counter()
            to_bytes(tenon.export(program))
            rounds.append((middle - start, time.perf_counter() - middle))
        exported, ours = (statistics.median(times) for times in zip(*rounds, strict=True))
        theirs = f"{peer_seconds(program):12.2f} s" if peer and nodes <= options.peer else "           -"
        print(f"{nodes:6} {exported:12.2f} s {ours:10.2f} s {ours / exported:7.2f} {theirs}", flush=True)


def peer_seconds(program: torch.export.ExportedProgram) -> float:
    from executorch.exir import to_edge

    start = time.perf_counter()
    bytes(to_edge(program).to_executorch().buffer)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
