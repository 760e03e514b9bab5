"""Quantised models beside themselves in float32: milliseconds of each as Tenon runs it, optimised and as it is.

Quantised by PT2E as XNNPACK wants it: int8, weights per channel. Needs torchao, which is in the extra `test`.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torchao.quantization.pt2e import MinMaxObserver, PerChannelMinMaxObserver
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
from torchao.quantization.pt2e.quantizer import QuantizationAnnotation, QuantizationSpec, Quantizer

import tenon
from bench.models import Case, make
from bench.report import table

aten = torch.ops.aten
SUMS = (aten.add.Tensor, aten.add_.Tensor)
LAYERS = (aten.conv2d.default, aten.linear.default)
CLAMPS = (aten.relu.default, aten.relu_.default, aten.hardtanh.default, aten.hardtanh_.default, aten.relu6.default)


class Layers(Quantizer):
    """Quantises what layers and sums take and give; what is between one of them and its clamp stays as it is."""

    def __init__(self, computed: QuantizationSpec, weight: QuantizationSpec) -> None:
        super().__init__()
        self.computed, self.weight = computed, weight

    def annotate(self, model: torch.fx.GraphModule) -> torch.fx.GraphModule:
        for node in model.graph.nodes:
            tensors = [arg for arg in node.args[:2] if isinstance(arg, torch.fx.Node)]
            is_sum = node.target in SUMS
            if not (is_sum or node.target in LAYERS) or len(tensors) != 2 or not node.meta["val"].is_floating_point():
                continue
            specs = dict(zip(tensors, (self.computed, self.computed if is_sum else self.weight), strict=True))
            users = list(node.users)
            is_clamped = len(users) == 1 and users[0].target in CLAMPS
            _annotate(node, specs, None if is_clamped else self.computed)
            if is_clamped:
                _annotate(users[0], {}, self.computed)
        return model

    def validate(self, model: torch.fx.GraphModule) -> None:
        pass


def _annotate(node: torch.fx.Node, inputs: dict[torch.fx.Node, Any], result: QuantizationSpec | None) -> None:
    node.meta["quantization_annotation"] = QuantizationAnnotation(inputs, result, _annotated=True)


def int8(low: int, scheme: torch.qscheme) -> QuantizationSpec:
    observer = PerChannelMinMaxObserver if scheme == torch.per_channel_symmetric else MinMaxObserver
    made = observer.with_args(eps=2**-12)
    return QuantizationSpec(torch.int8, made, quant_min=low, quant_max=127, qscheme=scheme, ch_axis=0)


def layers_in_int8() -> Layers:
    """As XNNPACK wants it."""
    return Layers(int8(-128, torch.per_tensor_affine), int8(-127, torch.per_channel_symmetric))


def quantized(case: Case, quantizer: Quantizer) -> torch.fx.GraphModule:
    prepared = prepare_pt2e(torch.export.export(case.module, case.args).module(), quantizer)
    prepared(*case.args)
    return convert_pt2e(prepared)


def programs(case: Case, folder: Path) -> dict[str, tuple[Callable[..., Any], int]]:
    """Each as it is called, and the bytes of its weights."""
    narrow, found = quantized(case, layers_in_int8()), {}
    for name, model, optimize in (
        ("float32", case.module, True),
        ("int8", narrow, True),
        ("int8, plain", narrow, False),
    ):
        program = tenon.export(model, case.args, optimize=optimize)
        program.save(folder / "model.pte")
        found[name] = tenon.load(folder / "model.pte"), program.memory().constant
    return found


def milliseconds(run: Callable[..., Any], args: tuple[torch.Tensor, ...]) -> float:
    start = time.perf_counter()
    run(*args)
    return 1e3 * (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="*", default=["mobilenet_v2", "resnet18", "bert"])
    parser.add_argument("--rounds", type=int, default=51)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    options = parser.parse_args()
    lines = []
    for name in options.models:
        case = make(name)
        with tempfile.TemporaryDirectory() as folder:
            found = programs(case, Path(folder))
        for threads in options.threads:
            tenon.set_num_threads(threads)
            times = [[milliseconds(run, case.args) for run, _ in found.values()] for _ in range(options.rounds)]
            medians = [f"{statistics.median(taken):.2f}" for taken in zip(*times, strict=True)]
            lines.append((f"{name}, {threads} threads", *medians))
        lines.append((f"{name}, MB of weights", *(f"{size / 1e6:.1f}" for _, size in found.values())))
    print(table(["model", "float32, ms", "int8, ms", "int8 not optimised, ms"], lines))


if __name__ == "__main__":
    main()
