"""Programs of optimize=True: the same results as the model, from fewer operators."""

import subprocess
import sys

import pytest
import torch
from torch import nn
from torch.export import Dim

import tenon
from tenon.run.oracle import Module

F = nn.functional
COPY = "dim_order_ops::_to_dim_order_copy.out"


def optimized(model, *args, **options):
    return tenon.export(model.eval(), args, optimize=True, **options)


def assert_same(program, model, *args):
    with torch.no_grad():
        torch.testing.assert_close(Module(program)(*args), model(*args), rtol=1e-4, atol=1e-5)


def test_a_linear_layer_is_one_operator_with_packed_weights():
    model, x = nn.Linear(10, 20), torch.randn(2, 5, 10)
    program = optimized(model, x)
    assert program.operators() == {"tenon::linear.out": 1}
    assert_same(program, model, x)


def test_sizes_may_vary():
    model = nn.Sequential(nn.Linear(10, 20), nn.Linear(20, 3))
    program = optimized(model, torch.randn(2, 5, 10), dynamic_shapes=({0: Dim("b", max=4), 1: Dim("t", max=9)},))
    for shape in ((1, 9, 10), (4, 2, 10)):
        assert_same(program, model, torch.randn(shape))


def test_other_dtypes_stay_as_they_are():
    model, x = nn.Linear(10, 20).double(), torch.randn(2, 10).double()
    program = optimized(model, x)
    assert program.operators() == {"aten::linear.out": 1}
    assert_same(program, model, x)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_types_are_packed_too_and_rounded_once(dtype, tmp_path):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(10, 20)

        def forward(self, x, y):
            return torch.relu(self.layer(x) + y)

    model, args = Net().to(dtype), (torch.randn(2, 10).to(dtype), torch.randn(2, 20).to(dtype))
    program = optimized(model, *args)
    assert program.operators() == {"tenon::linear.out": 1}
    program.save(tmp_path / "model.pte")
    wanted = model.float()(*(arg.float() for arg in args)).to(dtype)
    for mode in ("lean", "aten"):
        torch.testing.assert_close(tenon.load(tmp_path / "model.pte", mode)(*args), wanted)


class Act(nn.Module):
    """A convolution, a norm, and what follows."""

    def __init__(self, function, outputs=8):
        super().__init__()
        self.convolution = nn.Conv2d(4, outputs, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        self.function = function
        with torch.no_grad():
            self.norm.running_mean.normal_()
            self.norm.running_var.uniform_(0.5, 2)
            self.norm.weight.uniform_(0.5, 2)
            self.norm.bias.normal_()

    def forward(self, x):
        return self.function(self.norm(self.convolution(x)))


ACTIVATIONS = {
    "relu": torch.relu,
    "relu6": F.relu6,
    "clamp": lambda x: x.clamp(max=0.5),
    "hardswish": F.hardswish,
    "spelled hardswish": lambda x: x * F.relu6(x + 3) / 6,
    "gated hardswish": lambda x: x * F.hardsigmoid(x),
    "hardsigmoid": F.hardsigmoid,
    "silu": F.silu,
    "spelled silu": lambda x: x * torch.sigmoid(x),
    "gelu": F.gelu,
    "gelu by tanh": lambda x: F.gelu(x, approximate="tanh"),
    "spelled gelu": lambda x: x * 0.5 * (1.0 + torch.erf(x / 2**0.5)),
    "spelled gelu by tanh": lambda x: 0.5 * x * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (x + 0.044715 * x**3))),
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_convolution_norm_and_activation_are_one_operator(name):
    model, x = Act(ACTIVATIONS[name]), torch.randn(2, 4, 6, 6)
    program = optimized(model, x)
    assert program.operators() == {COPY: 1, "tenon::convolution.out": 1}
    assert_same(program, model, x)


CONVOLUTIONS = {
    "winograd": (nn.Conv2d(16, 20, 3, padding=1), (1, 16, 12, 13), "tenon::convolution_winograd.out"),
    "too small for winograd": (nn.Conv2d(16, 20, 3, padding=1), (1, 16, 11, 13), "tenon::convolution.out"),
    "strided": (nn.Conv2d(16, 20, (3, 5), stride=(2, 1), padding=(1, 2)), (1, 16, 14, 13), "tenon::convolution.out"),
    "dilated": (nn.Conv2d(16, 20, 3, dilation=2, bias=False), (1, 16, 14, 13), "tenon::convolution.out"),
    "depthwise": (nn.Conv2d(8, 8, 5, stride=2, padding=2, groups=8), (2, 8, 9, 7), "tenon::convolution_depthwise.out"),
    "grouped": (nn.Conv2d(8, 8, 3, groups=2), (2, 8, 9, 7), "aten::convolution.out"),
    "several outputs of a channel": (nn.Conv2d(4, 8, 3, groups=4), (2, 4, 9, 7), "aten::convolution.out"),
    "transposed": (nn.ConvTranspose2d(8, 4, 3), (2, 8, 9, 7), "aten::convolution.out"),
    "of rows": (nn.Conv1d(8, 4, 3), (2, 8, 9), "tenon::convolution.out"),
    "of volumes": (nn.Conv3d(2, 4, 3), (2, 2, 4, 4, 4), "aten::convolution.out"),
    "unbatched": (nn.Conv2d(8, 4, 3), (8, 9, 7), "tenon::convolution.out"),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_a_convolution_takes_the_form_that_is_fastest_for_it(name):
    model, shape, operator = CONVOLUTIONS[name]
    x = torch.randn(shape)
    program = optimized(model, x)
    assert operator in program.operators()
    assert_same(program, model, x)


class Block(nn.Module):
    def __init__(self, inputs=8, outputs=8, stride=1):
        super().__init__()
        self.first = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
        )
        self.second = nn.Sequential(nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs))
        is_same = stride == 1 and inputs == outputs
        self.short = (
            nn.Identity() if is_same else nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))
        )

    def forward(self, x):
        return torch.relu(self.second(self.first(x)) + self.short(x))


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(nn.MaxPool2d(2), Block(), Block(8, 12, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(12, 5)

    def forward(self, x):
        return self.head(self.blocks(x))


def test_a_residual_network_has_one_operator_per_layer_and_one_copy_at_its_edge():
    model = Residual()
    program = optimized(model, torch.randn(2, 8, 16, 16), dynamic_shapes=({0: Dim("n", max=4)},))
    assert program.operators() == {
        COPY: 1,
        "tenon::max_pool.out": 1,
        "tenon::convolution.out": 5,
        "aten::mean.out": 1,
        "aten::sym_size.int": 1,
        "executorch_prim::et_view.default": 1,
        "tenon::linear.out": 1,
    }
    for n in (1, 4):
        assert_same(program, model, torch.randn(n, 8, 16, 16))


class Named(nn.Module):
    """What a function of itself and its inputs computes."""

    def __init__(self, function, **parts):
        super().__init__()
        self.function = function
        for name, part in parts.items():
            self.register_buffer(name, part) if isinstance(part, torch.Tensor) else setattr(self, name, part)

    def forward(self, *args):
        return self.function(self, *args)


def test_a_value_that_is_also_returned_keeps_its_own_place():
    model = Named(lambda self, x: (y := self.linear(x), torch.relu(y)), linear=nn.Linear(4, 4))
    x = torch.randn(2, 4)
    program = optimized(model, x)
    assert program.operators() == {"tenon::linear.out": 1, "aten::relu.out": 1}
    assert_same(program, model, x)


def test_a_weight_may_be_used_elsewhere():
    def tied(self, ids):
        return self.linear(F.embedding(ids, self.linear.weight))

    model, ids = Named(tied, linear=nn.Linear(4, 20, bias=False)), torch.tensor([[1, 2, 19]])
    program = optimized(model, ids)
    assert_same(program, model, ids)
    twice = nn.Sequential(shared := nn.Linear(4, 4), nn.ReLU(), shared)
    program, x = optimized(twice, torch.randn(2, 4)), torch.randn(2, 4)
    assert len(program.constants) == 2, "panels and bias, once"
    assert_same(program, twice, x)


def test_state_is_no_constant():
    def step(self, x):
        self.weight.add_(1)
        return F.linear(x, self.weight)

    model, x = Named(step, weight=torch.randn(3, 4)), torch.randn(2, 4)
    module = Module(optimized(model, x))
    for _ in range(2):
        torch.testing.assert_close(module(x), model(x))


def test_what_depends_on_constants_alone_is_computed_ahead_unless_it_is_large():
    def masked(self, x):
        return x + torch.arange(64).view(8, 8).to(torch.float32) * self.scale

    model, x = Named(masked, scale=torch.ones(8)), torch.randn(8, 8)
    assert optimized(model, x).operators() == {"aten::add.out": 1}
    large = Named(lambda self, x: x + self.scale.view(-1, 1).expand(1024, 1024).relu(), scale=torch.randn(1024))
    x = torch.randn(1024, 1024)
    program = optimized(large, x)
    assert sum(map(len, program.constants)) < 2**16
    assert_same(program, large, x)


def test_random_numbers_are_drawn_each_time():
    model, x = Named(lambda self, x: x + torch.rand(4)), torch.zeros(4)
    module = Module(optimized(model, x))
    assert not torch.equal(module(x), module(x))


def test_a_model_without_layers_stays_as_it_is():
    model, x = Named(lambda self, x: x.softmax(-1)), torch.randn(2, 4)
    assert optimized(model, x).operators() == tenon.export(model, (x,)).operators()
    constant = Named(lambda self, x: (self.scale * 2, x), scale=torch.ones(3))
    assert_same(optimized(constant, x), constant, x)


def test_a_norm_in_training_is_not_folded():
    model, x = Act(torch.relu).train(), torch.randn(2, 4, 6, 6)
    program = tenon.export(model, (x,), optimize=True)
    assert any("norm" in name or "var" in name for name in program.operators())


def test_layers_in_branches_work():
    def branched(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.linear(x), lambda x: x * 2, (x,))

    model, x = Named(branched, linear=nn.Linear(4, 4)), torch.randn(2, 4)
    program = optimized(model, x)
    for each in (x.abs(), -x.abs()):
        assert_same(program, model, each)


def test_methods_share_what_is_made_of_their_weights(tmp_path):
    model, long, short = nn.Linear(40, 40), torch.randn(9, 40), torch.randn(1, 40)
    methods = {"forward": (model, (long,)), "step": (nn.Sequential(model, nn.ReLU()), (short,))}
    program = tenon.export(methods, optimize=True)
    assert len(program.constants) == 2, "panels and bias, once"
    module = Module(program)
    torch.testing.assert_close(module(long), model(long))
    torch.testing.assert_close(module["step"](short), torch.relu(model(short)))


def test_weights_may_lie_beside_the_program(tmp_path):
    model, x = Residual(), torch.randn(2, 8, 16, 16)
    program = optimized(model, x, external_weights=True)
    program.save(tmp_path / "net.pte")
    with torch.no_grad():
        found = tenon.load(tmp_path / "net.pte", mode="aten")(x)
        torch.testing.assert_close(found, model(x), rtol=1e-4, atol=1e-5)


def test_the_command_optimises_too(tmp_path):
    (tmp_path / "net.py").write_text("import torch\ndef net(): return torch.nn.Linear(3, 4), (torch.ones(2, 3),)\n")
    for flag, operator in (("--optimize", "tenon::linear.out"), ("--no-optimize", "aten::addmm.out")):
        command = [sys.executable, "-m", "tenon.cli", "export", "net.py:net", "-o", "net.pte", flag]
        subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300, check=True)
        assert operator in tenon.read_program(tmp_path / "net.pte").operators()


def test_aten_mode_refuses_a_fast_program_and_says_how_to_get_a_plain_one(tmp_path):
    program = optimized(nn.Linear(3, 4), torch.ones(2, 3))
    program.save(tmp_path / "net.pte")
    command = [sys.executable, "-m", "tenon.cli", "check", "net.pte", "--mode", "aten"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "Unsupported: net.pte: 1 operator of this model has no kernel.\n  tenon::linear.out  instruction 0\n"
        "  Add a row to a functions.yaml or custom_ops.yaml, or export the model with --no-optimize: "
        "fused operators are for lean mode.\n"
    )


def test_a_permutation_of_an_image_to_channels_last_costs_nothing():
    def block(self, x):
        y = self.convolution(x).permute(0, 2, 3, 1)
        return self.last(x + self.linear(torch.relu(self.norm(y))).permute(0, 3, 1, 2)).flatten(2).transpose(1, 2) * 2

    parts = {"convolution": nn.Conv2d(8, 8, 7, padding=3, groups=8), "last": nn.Conv2d(8, 6, 3)}
    model, x = Named(block, **parts, norm=nn.LayerNorm(8), linear=nn.Linear(8, 8)), torch.randn(2, 8, 9, 9)
    program = optimized(model, x)
    assert not any("permute" in name or "view" in name for name in program.operators())
    assert program.operators()[COPY] == 1
    assert_same(program, model, x)
