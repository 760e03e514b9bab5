"""Quantised models, as torchao makes them, beside themselves in torch: exported, saved, loaded and run here.

Needs torchao, which is in the extra `test`. The quantiser is a small one of our own, for any scheme of PT2E.
"""

import subprocess
import sys

import pytest
import torch
from torch import nn
from torchao.quantization import (
    Int8DynamicActivationInt8WeightConfig,
    Int8DynamicActivationIntxWeightConfig,
    Int8WeightOnlyConfig,
    IntxWeightOnlyConfig,
    quantize_,
)
from torchao.quantization.granularity import PerAxis, PerGroup, PerToken
from torchao.quantization.pt2e import (
    MinMaxObserver,
    PerChannelMinMaxObserver,
    PlaceholderObserver,
)
from torchao.quantization.pt2e._affine_quantization import (
    AffineQuantizedMinMaxObserver,
    AffineQuantizedPlaceholderObserver,
)
from torchao.quantization.pt2e.observer import MappingType
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
from torchao.quantization.pt2e.quantizer import (
    QuantizationAnnotation,
    QuantizationSpec,
    Quantizer,
)
from torchao.quantization.pt2e.quantizer.embedding_quantizer import EmbeddingQuantizer

import tenon
from tenon.lower import FUSED_ONLY, WHOLE
from tenon.pipeline import optimized
from tenon.run.weights import in_plain_tensors

pytestmark = pytest.mark.filterwarnings("ignore")
aten = torch.ops.aten


# --- models -------------------------------------------------------------------------------------------------------


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.each, self.last = nn.Conv2d(8, 8, 3, padding=1, groups=8), nn.Linear(8 * 16, 5)

    def forward(self, x):
        y = torch.relu(self.norm(self.first(x)))
        return self.last(torch.max_pool2d(y + self.each(y), 2).flatten(1))


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(32, 64), nn.Linear(64, 32)

    def forward(self, x):
        return self.down(torch.relu(self.up(x)))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.mixed, self.out = nn.Linear(32, 96), nn.Linear(32, 32)

    def forward(self, x):
        query, key, value = self.mixed(x).chunk(3, -1)
        return x + self.out(torch.matmul(torch.softmax(torch.matmul(query, key.mT) / 6, -1), value))


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.head = nn.Embedding(20, 32), nn.Linear(32, 20)

    def forward(self, words):
        return self.head(self.table(words))


MODELS = {
    Convolutions: lambda: (torch.randn(2, 3, 8, 8),),
    Mlp: lambda: (torch.randn(2, 5, 32),),
    Attention: lambda: (torch.randn(2, 5, 32),),
    Words: lambda: (torch.randint(20, (2, 5)),),
}


# --- schemes ------------------------------------------------------------------------------------------------------


def spec(dtype=torch.int8, low=None, high=None, scheme=torch.per_tensor_symmetric, dynamic=False):
    observer = PlaceholderObserver if dynamic else MinMaxObserver
    bounds = torch.iinfo(dtype)
    return QuantizationSpec(
        dtype=dtype, quant_min=bounds.min if low is None else low, quant_max=bounds.max if high is None else high,
        qscheme=scheme, is_dynamic=dynamic, ch_axis=0,
        observer_or_fake_quant_ctr=(PerChannelMinMaxObserver if "channel" in str(scheme) else observer).with_args(
            eps=2**-12
        ),
    )  # fmt: skip


def affine(observer, granularity, mapping, low=-128, high=127, dynamic=False):
    made = observer.with_args(
        mapping_type=mapping, target_dtype=torch.int8, quant_min=low, quant_max=high, granularity=granularity,
        eps=2**-12, scale_dtype=torch.float32, zero_point_dtype=torch.int32,
    )  # fmt: skip
    return QuantizationSpec(
        dtype=torch.int8, quant_min=low, quant_max=high, is_dynamic=dynamic, observer_or_fake_quant_ctr=made
    )


CHANNELS = spec(low=-127, scheme=torch.per_channel_symmetric)
TOKENS = affine(AffineQuantizedPlaceholderObserver, PerToken(), MappingType.ASYMMETRIC, dynamic=True)
GROUPS = affine(AffineQuantizedMinMaxObserver, PerGroup(8), MappingType.SYMMETRIC, -8, 7)
HALVES = QuantizationSpec(torch.float16, PlaceholderObserver.with_args(dtype=torch.float16))
SCHEMES = {  # of what is computed, and of weights
    "int8": (spec(), spec(low=-127)),
    "int8 per channel": (spec(scheme=torch.per_tensor_affine), CHANNELS),
    "uint8 per channel": (spec(torch.uint8, scheme=torch.per_tensor_affine), CHANNELS),
    "int16": (spec(torch.int16), spec(low=-127)),
    "dynamic": (spec(scheme=torch.per_tensor_affine, dynamic=True), CHANNELS),
    "dynamic symmetric": (spec(dynamic=True), CHANNELS),
    "dynamic per token": (TOKENS, CHANNELS),
    "int4 per channel": (None, spec(low=-8, high=7, scheme=torch.per_channel_symmetric)),
    "float16 weights": (None, HALVES),
    "int4 in groups": (None, GROUPS),
    "int4 in groups, dynamic per token": (TOKENS, GROUPS),
}


class Symmetric(Quantizer):
    """The inputs of products, and of sums unless their scale is chosen when they run."""

    def __init__(self, computed, weight):
        super().__init__()
        self.computed, self.weight = computed, weight

    def annotate(self, model):
        static = self.computed is not None and not self.computed.is_dynamic
        for node in model.graph.nodes:
            inputs = {}
            if node.target in (aten.conv2d.default, aten.linear.default):
                inputs = {node.args[0]: self.computed, node.args[1]: self.weight}
            elif node.target is aten.embedding.default:
                inputs = {node.args[0]: self.weight}
            elif node.target in (aten.add.Tensor, aten.matmul.default) and static:
                inputs = dict.fromkeys(node.args[:2], self.computed)
            inputs = {each: wanted for each, wanted in inputs.items() if wanted is not None}
            if inputs:
                result = self.computed if static and node.target is not aten.embedding.default else None
                node.meta["quantization_annotation"] = QuantizationAnnotation(inputs, result, _annotated=True)
        return model

    def validate(self, model):
        pass


def quantized(make, quantizer):
    """A model in quantised numbers, and what to call it with."""
    torch.manual_seed(0)
    inputs = MODELS[make]()
    prepared = prepare_pt2e(torch.export.export(make().eval(), inputs).module(), quantizer)
    prepared(*inputs)
    return convert_pt2e(prepared), inputs


def operators(program):
    return {operator.full_name for plan in program.plans for operator in plan.operators}


def assert_runs_as(model, inputs, path):
    program = tenon.export(model, inputs)
    program.save(path)
    wanted = model(*inputs)
    for mode in ("lean", "aten"):
        found = tenon.load(path, mode)(*inputs)
        assert found.dtype == wanted.dtype
        # A sum that is nearly a tie may be rounded up here and down there: seldom, and then by a step of int8.
        torch.testing.assert_close(found, wanted, rtol=0, atol=float(wanted.abs().max()) / 64)
        assert torch.isclose(found, wanted, rtol=1e-4, atol=1e-5).float().mean() > 0.9
    return operators(program)


# --- PT2E ---------------------------------------------------------------------------------------------------------

CASES = [(Convolutions, name) for name in SCHEMES if "groups" not in name and "token" not in name] + [
    (Mlp, "int8"), (Mlp, "dynamic symmetric"), (Mlp, "dynamic per token"), (Mlp, "int4 in groups, dynamic per token"),
    (Attention, "int8 per channel"), (Attention, "int16"), (Attention, "dynamic per token"),
    (Words, "uint8 per channel"), (Words, "int4 per channel"), (Words, "int4 in groups"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "scheme"), CASES, ids=[f"{make.__name__}-{scheme}" for make, scheme in CASES])
def test_a_quantised_model_runs_here_as_in_torch(make, scheme, tmp_path):
    model, inputs = quantized(make, Symmetric(*SCHEMES[scheme]))
    assert_runs_as(model, inputs, tmp_path / "model.pte")


def test_a_table_of_torchaos_own_quantiser_has_zero_points_that_are_no_whole_numbers(tmp_path):
    model, inputs = quantized(Words, EmbeddingQuantizer())
    assert "quantized_decomposed::dequantize_per_channel.out" in assert_runs_as(model, inputs, tmp_path / "model.pte")


def test_programs_call_quantised_operators_by_the_names_that_executorch_has(tmp_path):
    model, inputs = quantized(Mlp, Symmetric(*SCHEMES["dynamic"]))
    called = {name for name in operators(tenon.export(model, inputs)) if name.startswith("quantized_decomposed::")}
    assert called == {
        "quantized_decomposed::choose_qparams.Tensor_out",
        "quantized_decomposed::quantize_per_tensor.Tensor_out",
        "quantized_decomposed::dequantize_per_tensor.Tensor_out",
        "quantized_decomposed::dequantize_per_channel.out",
    }


@pytest.mark.parametrize("mode", ["lean", "aten"])
def test_a_quantised_program_runs_where_only_tenon_is_imported(mode, tmp_path):
    model, inputs = quantized(Mlp, Symmetric(*SCHEMES["dynamic"]))
    tenon.export(model, inputs).save(tmp_path / "model.pte")
    torch.save((inputs, model(*inputs)), tmp_path / "calls.pt")
    code = (
        "import sys, torch, tenon; (inputs, wanted) = torch.load('calls.pt')\n"
        f"torch.testing.assert_close(tenon.load('model.pte', {mode!r})(*inputs), wanted, rtol=1e-4, atol=1e-2)\n"
        "assert not {'torchao', 'executorch'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=tmp_path, check=True)


# --- operators by themselves --------------------------------------------------------------------------------------


class Called(nn.Module):
    """Calls what no quantiser of torchao leaves in a graph, and older ones do."""

    def __init__(self):
        super().__init__()
        numbers = torch.arange(96).view(3, 32) % 15 - 7
        self.register_buffer("weight", numbers.to(torch.int8))
        self.register_buffer("scales", torch.arange(1, 13).view(3, 4) / 16)
        self.register_buffer("zero_points", torch.arange(12).view(3, 4) % 3 - 1)

    def forward(self, x):
        ops, low, high = torch.ops.quantized_decomposed, torch.tensor(-128), torch.tensor(127)
        scale, zero_point = ops.choose_qparams_symmetric.tensor(x, -128, 127, 2**-12, torch.int8)
        x = ops.quantize_per_tensor.tensor2(x, scale, zero_point, low, high, torch.int8)
        x = ops.dequantize_per_tensor.tensor2(x, scale, zero_point, low, high, torch.int8)
        scale, zero_point = ops.choose_qparams_per_token_asymmetric(x, torch.int8)
        x = ops.quantize_per_token(x, scale, zero_point, -128, 127, torch.int8)
        x = ops.dequantize_per_token(x, scale, zero_point, -128, 127, torch.int8, torch.float32)
        groups = self.scales, self.zero_points, -8, 7, torch.int8, 8
        weight = ops.dequantize_per_channel_group(self.weight, *groups, torch.float32)
        return torch.nn.functional.linear(x, weight), ops.quantize_per_channel_group(weight, *groups)


def test_operators_of_older_quantisers_run_too(tmp_path):
    model, inputs = Called(), (torch.randn(4, 32),)
    tenon.export(model, inputs).save(tmp_path / "model.pte")
    for mode in ("lean", "aten"):
        torch.testing.assert_close(tenon.load(tmp_path / "model.pte", mode)(*inputs), model(*inputs))


# --- weights that are tensors of torchao's own --------------------------------------------------------------------

CONFIGS = {
    "int8 weights": Int8WeightOnlyConfig(),
    "int8": Int8DynamicActivationInt8WeightConfig(),
    "int4 weights in groups": IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=PerGroup(8)),
    "int4 weights in groups, dynamic per token": Int8DynamicActivationIntxWeightConfig(
        weight_dtype=torch.int4, weight_granularity=PerGroup(8)
    ),
    "int8 weights per channel, dynamic per token": Int8DynamicActivationIntxWeightConfig(
        weight_dtype=torch.int8, weight_granularity=PerAxis(0)
    ),
}


@pytest.mark.parametrize("config", CONFIGS)
def test_a_model_whose_weights_are_torchaos_own_tensors_needs_no_operator_of_torchao(config, tmp_path):
    torch.manual_seed(0)
    model, inputs = Mlp().eval(), MODELS[Mlp]()
    quantize_(model, CONFIGS[config])
    called = assert_runs_as(model, inputs, tmp_path / "model.pte")
    assert not [name for name in called if name.startswith("torchao::")]


def test_a_table_whose_weight_is_torchaos_own_tensor_runs_here(tmp_path):
    torch.manual_seed(0)
    model, inputs = Words().eval(), MODELS[Words]()
    config = IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=PerGroup(8))
    quantize_(model, config, lambda module, name: isinstance(module, nn.Embedding))
    assert_runs_as(model, inputs, tmp_path / "model.pte")
    ir = tenon.capture(model, inputs)
    torch.testing.assert_close(tenon.execute_ir(ir, inputs, model.state_dict()), model(*inputs))


# --- optimize=True: weights stay as narrow as they are --------------------------------------------------------------

NARROW = {
    "int8 weights": 8,
    "int4 weights in groups": 4,
    "int4 weights in groups, dynamic per token": 4,
    "int8 weights per channel, dynamic per token": 8,
}


def assert_optimized_runs_as(model, inputs, path):
    program = tenon.export(model, inputs, optimize=True)
    program.save(path)
    with torch.no_grad():
        wanted = model(*inputs)
    for mode in ("lean", "aten"):
        torch.testing.assert_close(tenon.load(path, mode)(*inputs), wanted, rtol=1e-4, atol=1e-5)
    return program


@pytest.mark.parametrize("config", NARROW)
def test_a_product_with_quantised_weights_reads_them_as_they_are(config, tmp_path):
    torch.manual_seed(0)
    model, inputs = Mlp().eval(), MODELS[Mlp]()
    quantize_(model, CONFIGS[config])
    program = assert_optimized_runs_as(model, inputs, tmp_path / "model.pte")
    assert program.operators()["tenon::linear_groups.out"] == 2
    numbers, scales = 2 * 32 * 64 * NARROW[config] // 8, 4 * (64 + 32) * (8 if NARROW[config] == 4 else 1)
    assert program.memory().constant <= numbers + scales + 2 * 4 * 96 + 1024


@pytest.mark.parametrize("scheme", ["int4 per channel", "int4 in groups", "float16 weights"])
def test_a_table_and_a_product_of_pt2e_stay_narrow(scheme, tmp_path):
    model, inputs = quantized(Words, Symmetric(*SCHEMES[scheme]))
    program = assert_optimized_runs_as(model, inputs, tmp_path / "model.pte")
    product = "tenon::linear.out" if "float16" in scheme else "tenon::linear_groups.out"
    assert program.operators()[product] == 1
    assert not any("dequantize_per_channel.out" in name for name in program.operators())


@pytest.mark.parametrize("scheme", ["int8", "int8 per channel", "dynamic", "dynamic per token"])
def test_products_of_quantised_activations_have_narrow_weights_too(scheme, tmp_path):
    model, inputs = quantized(Mlp, Symmetric(*SCHEMES[scheme]))
    tenon.export(model, inputs, optimize=True).save(tmp_path / "model.pte")
    found, wanted = tenon.load(tmp_path / "model.pte")(*inputs), model(*inputs)
    torch.testing.assert_close(found, wanted, rtol=0, atol=float(wanted.abs().max()) / 64)


def test_zero_points_that_are_zero_are_left_out():
    model, inputs = Mlp().eval(), MODELS[Mlp]()
    quantize_(model, CONFIGS["int4 weights in groups"])
    graph, _ = optimized(tenon.capture(model, inputs, keep=[*WHOLE, *FUSED_ONLY]), in_plain_tensors(model.state_dict()))
    assert [node.args["zeros"] for node in graph.nodes if node.op == "tenon::linear_groups"] == [None, None]
    assert len(graph.weights) == 2 * 3
