"""Memory banks: the first takes what it has room for, the next the rest, and what fits nowhere fails at export."""

import re

import pytest
import torch
from torch.export import Dim

import tenon
from tenon.pte.program import from_bytes, to_bytes
from tenon.pte.schema import Tensor
from tenon.run import Module

X = torch.randn(4, 8)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.wide, self.narrow = torch.nn.Linear(8, 16), torch.nn.Linear(16, 8)
        self.register_buffer("total", torch.zeros(8))

    def forward(self, x):
        y = self.narrow(torch.relu(self.wide(x)))
        self.total.add_(y.sum(0))
        return torch.cond(y.sum() > 0, lambda a: a @ a.t(), lambda a: a.tanh() @ a.t(), (y,)), self.total * 2


def sizes(program):
    """The bytes of each bank; the one the format reserves is empty."""
    reserved, *banks = program.plans[0].non_const_buffer_sizes
    assert reserved == 0
    return banks


def banks_used(program):
    values = [value.val for value in program.plans[0].values]
    return {v.allocation_info.memory_id for v in values if isinstance(v, Tensor) and v.allocation_info}


def assert_runs_right(program, model):
    torch.manual_seed(0)
    module = Module(from_bytes(b"".join(to_bytes(program))))
    model.total.zero_()
    for _ in range(3):
        x = torch.randn(4, 8)
        for found, expected in zip(module(x), model(x), strict=True):
            torch.testing.assert_close(found, expected)
    model.total.zero_()


NET = Net().requires_grad_(False)
NEEDED = sum(sizes(tenon.export(NET, (X,))))


@pytest.mark.parametrize("room", [None, NEEDED, 10 * NEEDED])
def test_all_that_fits_lies_in_the_first_bank(room):
    program = tenon.export(NET, (X,), memory={"sram": room, "dram": None})
    assert sizes(program) == [NEEDED, 0] and banks_used(program) == {1}
    assert_runs_right(program, NET)


@pytest.mark.parametrize("room", [16, 100, NEEDED // 2, NEEDED - 1])
def test_a_small_first_bank_takes_some_values_and_the_second_the_rest(room):
    program = tenon.export(NET, (X,), memory={"sram": room, "dram": None})
    first, second = sizes(program)
    assert 0 < first <= room and second > 0 and banks_used(program) == {1, 2}
    assert program.memory().planned == first + second
    assert program.memory().lower_bound == tenon.export(NET, (X,)).memory().lower_bound
    assert_runs_right(program, NET)


def test_three_banks_are_filled_in_order():
    program = tenon.export(NET, (X,), memory={"a": 64, "b": 256, "c": None})
    first, second, third = sizes(program)
    assert 0 < first <= 64 and 0 < second <= 256 and third > 0
    assert_runs_right(program, NET)


@pytest.mark.parametrize(
    "memory", [{"none": 0, "dram": None}, {"dram": None, "none": 0}, {"a": 0, "b": 0, "c": NEEDED}]
)
def test_a_bank_of_no_bytes_holds_nothing(memory):
    program = tenon.export(NET, (X,), memory=memory)
    assert sorted(sizes(program)) == [0] * (len(memory) - 1) + [NEEDED] and len(banks_used(program)) == 1
    assert_runs_right(program, NET)


@pytest.mark.parametrize("missing", [1, 15, 16, 17, NEEDED])
def test_one_bank_that_is_too_small_fails_and_says_by_how_many_bytes(missing):
    with pytest.raises(tenon.Unsupported) as error:
        tenon.export(NET, (X,), memory={"sram": NEEDED - missing})
    unit = f"{missing} bytes?" if missing == 1 else f"{missing} bytes"
    assert re.fullmatch(
        rf"the memory of Net does not fit: it takes {NEEDED} bytes, and sram is {unit} too small for that "
        rf"\(sram {NEEDED - missing} bytes\)\. Give it more, or make the largest sizes of the model smaller\.",
        str(error.value),
    )


@pytest.mark.parametrize("first", [0, 64, 200])
def test_the_bytes_that_the_last_bank_is_said_to_need_are_enough_and_one_fewer_is_not(first):
    with pytest.raises(tenon.Unsupported) as error:
        tenon.export(NET, (X,), memory={"sram": first, "dram": 16})
    said = re.fullmatch(
        r"the memory of Net does not fit: what does not fit into the others takes (\d+) bytes, and dram is (\d+) bytes "
        rf"too small for that \(sram {first} bytes, dram 16 bytes\)\. Give it more, or .*",
        str(error.value),
    )
    needed = int(said[1])
    assert needed % 16 == 0 and int(said[2]) == needed - 16
    program = tenon.export(NET, (X,), memory={"sram": first, "dram": needed})
    assert sizes(program)[1] == needed
    assert_runs_right(program, NET)
    with pytest.raises(tenon.Unsupported, match=f"takes {needed} bytes, and dram is 1 bytes? too small"):
        tenon.export(NET, (X,), memory={"sram": first, "dram": needed - 1})


def test_a_bank_without_a_limit_is_named_without_one():
    with pytest.raises(tenon.Unsupported, match=r"and last is \d+ bytes too small for that \(last 0 bytes\)"):
        tenon.export(NET, (X,), memory={"last": 0})


def test_varying_sizes_take_their_largest():
    rows = {0: Dim("rows", min=1, max=8)}
    program = tenon.export(torch.nn.ReLU(), (X,), dynamic_shapes=(rows,), memory={"sram": 256})
    assert sizes(program) == [256]
    with pytest.raises(tenon.Unsupported, match="it takes 256 bytes, and sram is 1 bytes? too small"):
        tenon.export(torch.nn.ReLU(), (X,), dynamic_shapes=(rows,), memory={"sram": 255})
    module = Module(tenon.export(torch.nn.ReLU(), (X,), dynamic_shapes=(rows,), memory={"sram": 255, "dram": None}))
    for count in (1, 5, 8):
        x = torch.randn(count, 8)
        assert torch.equal(module(x), x.relu())


def test_every_method_has_each_bank_for_itself():
    methods = {"a": (torch.nn.ReLU(), (torch.ones(16),)), "b": (torch.nn.Tanh(), (torch.ones(64),))}
    program = tenon.export(methods, memory={"sram": 64, "dram": None})
    assert [plan.non_const_buffer_sizes for plan in program.plans] == [[0, 64, 0], [0, 0, 256]]
    assert program.memory().planned == 64 + 256
