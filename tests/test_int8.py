"""Quantised models with optimize=True: they compute in 8 bits, and give what torch's reference of them gives.

Needs torchao, which is in the extra `test`.
"""

import pytest
import torch
from torch import nn
from torch.nn import functional

import tenon
from bench.int8 import LAYERS, Layers
from bench.int8 import quantized as quantized_by
from bench.models import Case
from test_quantized import SCHEMES, spec

pytestmark = pytest.mark.filterwarnings("ignore")

# --- models -------------------------------------------------------------------------------------------------------


def layer(inputs, outputs, size, stride=1, groups=1, act=nn.ReLU6):
    made = [nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False), nn.BatchNorm2d(outputs)]
    return nn.Sequential(*made, *([act()] if act else []))


class Residual(nn.Module):
    """As MobileNetV2 has them."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        wide = 4 * inputs
        self.layers = nn.Sequential(
            layer(inputs, wide, 1), layer(wide, wide, 3, stride, wide), layer(wide, outputs, 1, act=None)
        )
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.layers(x) if self.adds else self.layers(x)


class Mobile(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = layer(3, 16, 3, 2)
        self.blocks = nn.Sequential(Residual(16, 24, 2), Residual(24, 24, 1), Residual(24, 40, 2), Residual(40, 40, 1))
        self.last, self.head = layer(40, 100, 1), nn.Linear(100, 30)

    def forward(self, x):
        return self.head(self.last(self.blocks(self.stem(x))).mean((2, 3)))


class Strange(nn.Module):
    """Kernels of other forms: wide, dilated, of one channel, of 5x5 points."""

    def __init__(self):
        super().__init__()
        self.wide = nn.Conv2d(3, 10, (3, 5), (2, 1), (1, 2))
        self.dilated = nn.Conv2d(10, 17, 3, padding=2, dilation=2)
        self.each = nn.Conv2d(17, 17, 5, 2, 2, groups=17)
        self.single = nn.Conv2d(17, 1, 1)

    def forward(self, x):
        return self.single(torch.relu(self.each(torch.relu(self.dilated(self.wide(x))))))


class Layer(nn.Module):
    """As BERT has them."""

    def __init__(self, width=64, heads=4):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x):
        q, k, v = (
            each(x).view(*x.shape[:2], self.heads, -1).transpose(1, 2) for each in (self.query, self.key, self.value)
        )
        mixed = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(x.shape)
        x = self.first(x + self.out(mixed))
        return self.second(x + self.down(functional.gelu(self.up(x))))


class Bert(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers, self.head = nn.Sequential(Layer(), Layer()), nn.Linear(64, 10)

    def forward(self, x):
        return self.head(self.layers(x))


INPUTS = {Mobile: (2, 3, 64, 64), Strange: (1, 3, 20, 20), Bert: (2, 24, 64)}
SCHEMES = {name: SCHEMES[name] for name in ("int8", "int8 per channel", "uint8 per channel")} | {
    "int8, weights with zero points": (spec(), spec(scheme=torch.per_channel_affine))
}
CASES = [(make, scheme) for make in INPUTS for scheme in SCHEMES]


def quantized(make, scheme):
    torch.manual_seed(0)
    model, inputs = make(), (torch.randn(INPUTS[make]),)
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):  # as if it were trained
            nn.init.uniform_(module.weight, 0.8, 1.6)
            nn.init.normal_(module.bias, 0, 0.3)
    model(*inputs)
    return quantized_by(Case(model.eval(), inputs), Layers(*SCHEMES[scheme])), inputs


def step_of(model):
    """The scale of the last numbers that are quantised."""
    (last,) = (node for node in list(model.graph.nodes)[-2:] if "dequantize" in str(node.target))
    return last.args[1]


@pytest.mark.parametrize(("make", "scheme"), CASES, ids=[f"{make.__name__}-{scheme}" for make, scheme in CASES])
def test_an_optimised_quantised_model_gives_what_torch_gives(make, scheme, tmp_path):
    model, inputs = quantized(make, scheme)
    wanted, step = model(*inputs), step_of(model)
    program = tenon.export(model, inputs, optimize=True)
    program.save(tmp_path / "model.pte")
    calls = program.operators()
    layers = [node for node in model.graph.nodes if node.target in LAYERS]
    names = [f"tenon::{name}_int8.out" for name in ("linear", "convolution", "convolution_depthwise")]
    assert sum(calls.get(name, 0) for name in names) == len(layers), calls
    assert not [name for name in calls if name.removesuffix(".out") in ("aten::convolution", "tenon::linear")]
    for mode in ("lean", "aten"):
        found = tenon.load(tmp_path / "model.pte", mode)(*inputs)
        steps = (found - wanted).abs() / step
        assert (steps < 1.01).float().mean() >= 0.999, f"{mode}: off by up to {steps.max()} steps"
        assert (steps < 0.01).float().mean() > 0.9, f"{mode}: {(steps >= 0.01).float().mean():.2%} are another number"


def test_weights_stay_in_8_bits(tmp_path):
    model, inputs = quantized(Mobile, "int8 per channel")
    plain, fast = (tenon.export(model, inputs, optimize=each).memory().constant for each in (False, True))
    assert fast < 1.5 * plain
