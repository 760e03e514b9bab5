"""Capture a small model, print its graph, run it at several batch sizes, and compare with PyTorch."""

import tempfile
import warnings
from pathlib import Path

import torch

import tenon

warnings.filterwarnings("ignore", category=FutureWarning)


class Classifier(torch.nn.Module):
    """Two layers, a residual, and a buffer that counts calls."""

    def __init__(self) -> None:
        super().__init__()
        self.up = torch.nn.Linear(16, 32)
        self.down = torch.nn.Linear(32, 16)
        self.head = torch.nn.Linear(16, 4)
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
        self.calls += 1
        x = x + self.down(torch.nn.functional.gelu(self.up(x)))
        return {"scores": self.head(x).softmax(-1), "calls": self.calls.clone()}


def main() -> None:
    torch.manual_seed(0)
    model = Classifier().eval()
    example = torch.randn(8, 16)
    batch = torch.export.Dim("batch", min=1, max=64)

    ir = tenon.capture(model, (example,), dynamic_shapes={"x": {0: batch}})
    print(ir)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "classifier.json"
        ir.save(path)
        again = tenon.load_ir(path)
        print(f"saved as {path.stat().st_size} bytes of JSON, loaded back to the same graph: {again == ir}")

    run = tenon.Executor(again, model.state_dict())
    for size in (1, 8, 64):
        x = torch.randn(size, 16)
        difference = (run(x)["scores"] - model(x)["scores"]).abs().max().item()
        print(f"batch {size:2}: largest difference from PyTorch {difference:.1e}")
    print(f"calls counted by the graph's own state: {run.state['calls'].item()}")


if __name__ == "__main__":
    main()
