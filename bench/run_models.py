"""The model suite, and ResNet-18 at its real size: Tenon's lean mode beside eager PyTorch, ExecuTorch and ONNX Runtime.

Each system runs in a process of its own with one thread; rounds are interleaved, and medians are given with their ratio
to Tenon's. A system that is not installed (extras `bench` and `peers`) or cannot take a model is left out.
"""

import argparse
import contextlib
import io
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
warnings.filterwarnings("ignore")

SYSTEMS = ("tenon", "eager", "executorch", "xnnpack", "onnxruntime")
MODELS = ("bert", "gpt2", "llama", "vit", "resnet", "mobilenet_v2", "whisper", "t5", "resnet18")


def case_of(name: str) -> Any:
    import torch
    import transformers

    from models import Case, make

    torch.manual_seed(0)
    if name != "resnet18":
        return make(name)
    config = transformers.ResNetConfig(
        embedding_size=64, hidden_sizes=[64, 128, 256, 512], depths=[2, 2, 2, 2], layer_type="basic"
    )
    model = transformers.ResNetForImageClassification(config).eval()
    return Case(model, {"pixel_values": torch.randn(1, 3, 224, 224)})


def tenon_call(case: Any, folder: Path) -> Callable[[], Any]:
    import tenon

    tenon.export(case.model, (), case.kwargs).save(folder / "model.pte")
    module = tenon.load(folder / "model.pte")
    return lambda: module(**case.kwargs)


def eager_call(case: Any, folder: Path) -> Callable[[], Any]:
    return lambda: case.model(**case.kwargs)


def flat(model: Any) -> Any:
    """A model whose outputs are a tuple, which every system takes."""
    import torch
    from torch.utils import _pytree as pytree

    class Flat(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model
            if "GPT2" in type(model).__name__:
                model.set_attn_implementation("eager")

        def forward(self, **kwargs: Any) -> Any:
            return tuple(pytree.tree_leaves(self.model(**kwargs)))

    return Flat().eval()


def executorch_call(case: Any, folder: Path, partitioners: list[Any] | None = None) -> Callable[[], Any]:
    import torch
    from executorch.exir import to_edge_transform_and_lower
    from executorch.runtime import Runtime

    exported = torch.export.export(flat(case.model), (), case.kwargs)
    lowered = to_edge_transform_and_lower(exported, partitioner=partitioners or None)
    (folder / "model.pte").write_bytes(lowered.to_executorch().buffer)
    method = Runtime.get().load_program(str(folder / "model.pte")).load_method("forward")
    inputs = list(case.kwargs.values())
    return lambda: method.execute(inputs)


def xnnpack_call(case: Any, folder: Path) -> Callable[[], Any]:
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    return executorch_call(case, folder, [XnnpackPartitioner()])


def onnxruntime_call(case: Any, folder: Path) -> Callable[[], Any]:
    import onnxruntime
    import torch

    torch.onnx.export(flat(case.model), (), str(folder / "model.onnx"), kwargs=case.kwargs, dynamo=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    inputs = {name: case.kwargs[name].numpy() for name in names}
    return lambda: session.run(None, inputs)


def child(system: str, model: str) -> None:
    """Prints the milliseconds of one call, the median of as many as fit into a second."""
    import torch

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()), torch.no_grad():
        call = globals()[f"{system}_call"](case_of(model), Path(folder))
        call()
        times: list[float] = []
        end = time.perf_counter() + 1
        while time.perf_counter() < end or len(times) < 3:
            start = time.perf_counter()
            call()
            times.append((time.perf_counter() - start) * 1e3)
    print("milliseconds", statistics.median(times))


def measured(system: str, model: str, limit: float) -> float | None:
    command = [sys.executable, __file__, "--child", system, model]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    found = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("milliseconds")]
    return float(found[0]) if found else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--models", nargs="*", default=MODELS)
    parser.add_argument("--systems", nargs="*", default=SYSTEMS)
    parser.add_argument("--limit", type=float, default=300, help="seconds for one system and model")
    parser.add_argument("--child", nargs=2)
    options = parser.parse_args()
    if options.child:
        child(*options.child)
        return
    print("milliseconds of one call, one thread; in brackets how many times Tenon's")
    print("model".ljust(14) + "".join(system.rjust(22) for system in options.systems))
    for model in options.models:
        times: dict[str, list[float]] = {system: [] for system in options.systems}
        for _ in range(options.rounds):
            for system, found in times.items():
                one = measured(system, model, options.limit)
                found += [] if one is None else [one]
        middle = {system: statistics.median(found) for system, found in times.items() if found}
        row = model.ljust(14)
        for system in options.systems:
            ratio = middle[system] / middle["tenon"] if system in middle and "tenon" in middle else None
            row += (f"{middle[system]:.3f} ({ratio:.2f})" if ratio else "-").rjust(22)
        print(row, flush=True)


if __name__ == "__main__":
    main()
