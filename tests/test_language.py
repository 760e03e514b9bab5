"""A language model, token by token, with its keys and values as state: the same tokens as eager PyTorch."""

import pytest
import torch
from torch import nn

import tenon
from bench.models import make
from tenon.run import Module

pytestmark = pytest.mark.filterwarnings("ignore")
TINY = "language:llama,layers=2,width=192,room=16,position=0"


def tokens(step, count):
    """What it says after token 7, always the likeliest, and the scores of it."""
    token, said, scores = torch.tensor([[7]]), [], []
    with torch.no_grad():
        for place in range(count):
            scores.append(step(token, torch.tensor([place])).clone())
            token = scores[-1].argmax(-1, keepdim=True)
            said.append(int(token))
    return said, torch.stack(scores)


@pytest.mark.parametrize("bits", [32, 8, 4])
@pytest.mark.parametrize("mode", ["lean", "aten"])
def test_tokens_are_those_of_eager_pytorch(bits, mode, tmp_path):
    case = make(f"{TINY},bits={bits}")
    program = tenon.export(case.module, case.args, optimize=True)
    program.save(tmp_path / "model.pte")
    said, scores = tokens(tenon.load(tmp_path / "model.pte", mode), 12)
    wanted, wanted_scores = tokens(case.module, 12)
    assert said == wanted
    torch.testing.assert_close(scores, wanted_scores, rtol=1e-4, atol=1e-4 * float(wanted_scores.abs().max()))


@pytest.mark.parametrize("bits", [32, 8, 4])
def test_a_step_copies_no_cache_and_widens_no_weight(bits):
    case = make(f"{TINY},bits={bits}")
    program = tenon.export(case.module, case.args, optimize=True)
    called = program.operators()
    product = "tenon::linear.out" if bits == 32 else "tenon::linear_groups.out"
    joined = 4  # queries, keys and values; what attention gives; the gate and what goes through it; what comes out
    assert called[product] == 2 * joined + 1 and called["tenon::attention.out"] == 2
    moves = {"aten::copy_", "aten::permute_copy.out", "aten::clone.out", "aten::split_with_sizes_copy.out"}
    assert not moves & called.keys()
    packed = sum(m.weight.numel() for m in (case.full or case.module).modules() if isinstance(m, nn.Linear)) * bits // 8
    table = 32000 * 192 * 4
    assert packed < program.memory().constant - table < packed * 1.3


# --- state, written where it lies ---------------------------------------------------------------------------------


class Rows(nn.Module):
    """A table of which each call replaces a row."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        self.register_buffer("table", torch.arange(12.0).view(4, 3))

    def forward(self, row, place):
        before = self.table.clone()
        self.table.index_copy_(0, place, row)
        if self.kind == "the old one is read afterwards":
            return self.table.sum() + (before * 2).sum()
        if self.kind == "it is returned":
            return self.table
        if self.kind == "a view of it is returned":
            return self.table.view(2, 6)
        return self.table.sum(0)


@pytest.mark.parametrize("mode", ["lean", "aten"])
@pytest.mark.parametrize(
    ("kind", "copies"),
    [("sum", 0), ("the old one is read afterwards", 1), ("it is returned", 1), ("a view of it is returned", 0)],
)
def test_state_is_written_in_place_where_nobody_sees_the_difference(kind, copies, mode, tmp_path):
    model = Rows(kind)
    args = torch.randn(1, 3), torch.tensor([2])
    program = tenon.export(model, args, optimize=True)
    program.save(tmp_path / "model.pte")
    assert program.operators().get("aten::copy_", 0) == copies
    loaded, kept = tenon.load(tmp_path / "model.pte", mode), []
    for place in (2, 0, 2, 3):
        row = torch.randn(1, 3)
        found, wanted = loaded(row, torch.tensor([place])), model(row, torch.tensor([place])).clone()
        kept.append((found, wanted))
    for found, wanted in kept:  # an output is not changed by later calls
        torch.testing.assert_close(found, wanted)


def test_a_plain_program_copies_its_state():
    program = tenon.export(Rows("sum"), (torch.randn(1, 3), torch.tensor([2])))
    assert program.operators()["aten::copy_"] == 1


class Adds(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.table = table

    def forward(self, x):
        self.table.table.add_(x)
        return self.table.table.sum()


def test_state_that_two_methods_share_is_written_in_place_too():
    rows = Rows("sum")
    adds = Adds(rows)
    put = torch.randn(1, 3), torch.tensor([1])
    program = tenon.export({"put": (rows, put), "add": (adds, (torch.ones(4, 3),))}, optimize=True)
    assert all("copy_" not in operator.name for plan in program.plans for operator in plan.operators)
    module = Module(program)
    for _ in range(2):
        torch.testing.assert_close(module["put"](*put), rows(*put))
        torch.testing.assert_close(module["add"](torch.ones(4, 3)), adds(torch.ones(4, 3)))
