"""Attention, norms, rotary positions and pointwise chains of optimize=True, in whole programs."""

import pytest
import torch
from torch import nn
from torch.export import Dim
from torch.utils import _pytree as pytree

import tenon
from models import make
from tenon.pte.schema import Tensor
from tenon.run.oracle import Module


def optimized(model, *args, **options):
    return tenon.export(model.eval(), args, optimize=True, **options)


def assert_same(program, model, *args):
    with torch.no_grad():
        torch.testing.assert_close(Module(program)(*args), model(*args), rtol=1e-4, atol=1e-5)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = nn.Linear(32, 32), nn.Linear(32, 16), nn.Linear(32, 16)
        self.norm = nn.RMSNorm(32)

    def forward(self, x, mask=None):
        x = self.norm(x)
        heads = [part(x).unflatten(-1, (-1, 8)).transpose(1, 2) for part in (self.query, self.key, self.value)]
        mixed = nn.functional.scaled_dot_product_attention(*heads, mask, is_causal=mask is None, enable_gqa=True)
        return mixed.transpose(1, 2)


def test_attention_is_one_operator_without_permutes():
    model, x = Attention(), torch.randn(2, 7, 32)
    program = optimized(model, x)
    assert program.operators() == {"tenon::linear.out": 3, "tenon::attention.out": 1, "tenon::rms_norm.out": 1}
    assert_same(program, model, x)
    for mask in (torch.randn(7, 7), torch.rand(2, 1, 7, 7) > 0.3, torch.randn(4, 1, 7)):
        assert_same(optimized(model, x, mask), model, x, mask)


@pytest.mark.parametrize(
    ("seen", "is_needed"),
    [
        (lambda: torch.arange(7) >= 0, False),
        (lambda: torch.arange(7) >= 3, True),
        (lambda: torch.arange(7) * 0.0, False),
        (lambda: torch.arange(7) * -0.5, True),
    ],
)
def test_a_mask_that_hides_nothing_is_left_out(seen, is_needed):
    class Masked(Attention):
        def forward(self, x):
            return super().forward(x, seen().expand(7, 7))

    model, x = Masked(), torch.randn(2, 7, 32)
    program = optimized(model, x)
    kernel = next(call for call in instructions(program) if call[0].startswith("tenon::attention"))
    assert isinstance(kernel[1][3], Tensor) == is_needed
    assert_same(program, model, x)


def instructions(program):
    """Each call of the first method: the operator, and what it is given."""
    plan = program.plans[0]
    for each in plan.chains[0].instructions:
        call, values = each.instr_args, plan.values
        yield plan.operators[call.op_index].name, [values[index].val for index in call.args]


def test_attention_of_sizes_that_vary():
    model = Attention()
    program = optimized(model, torch.randn(2, 7, 32), dynamic_shapes=({0: Dim("b", max=4), 1: Dim("t", min=2, max=9)},))
    assert program.operators()["tenon::attention.out"] == 1
    for shape in ((1, 9, 32), (4, 2, 32)):
        assert_same(program, model, torch.randn(shape))


def test_attention_of_another_dtype_is_taken_apart():
    model, x = Attention().double(), torch.randn(2, 7, 32).double()
    program = optimized(model, x)
    assert not [name for name in program.operators() if name.startswith("tenon::")]
    assert_same(program, model, x)


def test_attention_in_a_branch_is_taken_apart():
    class Branch(nn.Module):
        def forward(self, x):
            attend = nn.functional.scaled_dot_product_attention
            return torch.cond(x.sum() > 0, lambda x: attend(x, x, x).sum(), lambda x: x.mean(), (x,))

    x = torch.rand(1, 2, 3, 4)
    for each in (x, -x):
        assert_same(optimized(Branch(), x), Branch(), each)


def test_pointwise_operators_in_a_row_are_one_program():
    class Chain(nn.Module):
        def forward(self, x, y):
            z = torch.where(x > y, x * 2 + y, x.neg().exp())
            return (z.clamp(-1, 1) ** 3 - y).sigmoid() * z

    x, y = torch.randn(5, 6), torch.randn(6)
    program = optimized(Chain(), x, y)
    assert program.operators() == {"tenon::pointwise.out": 1}
    assert_same(program, Chain(), x, y)


@pytest.mark.parametrize("name", ["bert", "gpt2", "llama", "vit"])
def test_transformers_have_no_attention_in_pieces_and_give_what_they_gave(name, tmp_path):
    case = make(name)
    program = tenon.export(case.model, (), case.kwargs, optimize=True)
    found = program.operators()
    assert found["tenon::attention.out"] == 2 and "aten::bmm.out" not in found and "aten::_softmax.out" not in found
    assert (found.get("tenon::rotary.out", 0), found.get("tenon::rms_norm.out", 0)) == (
        (4, 5) if name == "llama" else (0, 0)
    )
    program.save(tmp_path / "model.pte")
    with torch.no_grad():
        expected = pytree.tree_leaves(case.model(**case.kwargs).to_tuple())
    for mine, theirs in zip(
        pytree.tree_leaves(tenon.load(tmp_path / "model.pte")(**case.kwargs)), expected, strict=True
    ):
        torch.testing.assert_close(mine, theirs, rtol=1e-4, atol=1e-5)
