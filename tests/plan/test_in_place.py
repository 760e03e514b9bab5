"""Joins whose pieces are made where they are to lie, and parts that are read where they lie: nothing is copied."""

import pytest
import torch

import tenon
from tenon.errors import Invalid
from tenon.ir.parse import parse_ir
from tenon.lower import to_edge, to_exec
from tenon.plan import plan_memory
from tenon.plan.check import check_plan
from tenon.run import Module

LINEAR = "aten::mm.out"


class Model(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def exported(function, *args):
    """The program, which gives what the function gives."""
    program = tenon.export(Model(function), args)
    expected = torch.utils._pytree.tree_leaves(function(*args))
    for mine, theirs in zip(torch.utils._pytree.tree_leaves(Module(program)(*args)), expected, strict=True):
        torch.testing.assert_close(mine, theirs)
    return program


def copies(function, *args):
    """How many instructions join and split."""
    kinds = ("cat", "split", "slice", "select", "unbind")
    called = exported(function, *args).operators()
    return sum(count for name, count in called.items() if any(kind in name for kind in kinds))


SQUARE = torch.randn(8, 8, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.cat([x @ x, x @ x.relu()]).neg(),
        lambda x: torch.cat([x @ x, x[:4] @ x, x @ x], 0).neg(),
        lambda x: torch.cat([(x @ x).view(1, 64), (x @ x).view(1, 64)], 1).exp(),
        lambda x: torch.cat([torch.cat([x @ x, x @ x.relu()]), x @ x.sin()]).neg(),
        lambda x: torch.cat([(x @ x).relu(), (x @ x).sin()]).neg(),
    ],
    ids=["rows", "three", "columns of one row", "a join of a join", "behind others"],
)
def test_what_is_joined_is_made_where_it_is_to_lie(function):
    assert copies(function, SQUARE) == 0


def test_channels_of_one_image_are_runs_and_those_of_two_are_not():
    conv = torch.nn.functional.conv2d
    weights = torch.randn(4, 3, 3, 3), torch.randn(8, 3, 3, 3)

    def function(x):
        return torch.cat([conv(x, weights[0]), conv(x, weights[1])], 1).relu()

    assert copies(function, torch.randn(1, 3, 8, 8)) == 0
    assert copies(function, torch.randn(2, 3, 8, 8)) == 1


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.cat([x, x @ x]).neg(),
        lambda x: torch.cat([x @ x, x @ x.relu()]),
        lambda x: (y := x @ x, torch.cat([y, x @ x.relu()]).neg()),
        lambda x: torch.cat([x @ x, x @ x.relu()], 1).neg(),
        lambda x: (y := x @ x, torch.cat([y, y]).neg())[1],
        lambda x: torch.cat([x.sum().view(1), x.sum(0)]).neg(),
    ],
    ids=[
        "an input",
        "a result",
        "a piece that is a result",
        "columns",
        "twice",
        "between two multiples of 16",
    ],
)
def test_what_cannot_be_made_there_is_copied(function):
    assert copies(function, SQUARE) == 1


def test_a_join_is_copied_if_it_would_take_more_memory_in_place():
    """A piece that is made early would hold the place of the whole for long."""

    def skip(x):
        early = x @ x
        wide = torch.cat([x] * 16).relu().neg().exp()
        return torch.cat([early, (wide @ x)[:8].sin()]).neg()

    assert exported(skip, SQUARE).operators()["aten::cat.out"] == 2


@pytest.mark.parametrize(
    "function",
    [
        lambda x: [part.relu() for part in (x @ x).split([2, 6])],
        lambda x: (x @ x)[2:5].relu(),
        lambda x: (x @ x)[-3].relu(),
        lambda x: [part.relu() for part in (x @ x).unbind()],
        lambda x: (x @ x)[2:][1:4].view(-1).relu(),
        lambda x: x[4:].relu(),
        lambda x: torch.cat([x @ x, x @ x.relu()])[6:10].neg(),
        lambda x: [part.relu() for part in (x @ x).view(1, 8, 8)[:, 2:4].unbind(1)],
    ],
    ids=[
        "split",
        "slice",
        "select",
        "unbind",
        "a part of a part",
        "of an input",
        "across a join",
        "behind single ones",
    ],
)
def test_parts_that_are_runs_are_read_where_they_lie(function):
    assert copies(function, SQUARE) == 0


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x @ x)[:, :4].relu(),
        lambda x: (x @ x)[::2].relu(),
        lambda x: (x @ x)[2:4],
        lambda x: (x @ x).view(64)[1:5].relu(),
    ],
    ids=["columns", "every second", "a result", "between two multiples of 16"],
)
def test_parts_that_are_not_runs_are_copied(function):
    assert copies(function, SQUARE) == 1


def test_a_part_is_not_overwritten_while_another_is_needed():
    """exp takes the place of its argument only if nobody needs the rest of what that lies in."""

    def function(x):
        first, second = (x @ x).split([4, 4])
        whole = torch.cat([first.exp() @ x, second @ x])
        return first.neg() @ x, whole.relu(), whole[2:6].abs()

    exported(function, SQUARE)


def test_the_plan_says_which_nodes_have_nothing_to_do():
    model = Model(lambda x: torch.cat([x @ x, x @ x.relu()])[4:12].neg())
    graph = to_exec(to_edge(tenon.capture(model, (SQUARE,))))
    plan = plan_memory(graph)
    named = {node.outputs[0].name: node.op for node in graph.nodes}
    assert sorted(named[name] for name in plan.there) == ["aten::cat.out", "aten::slice_copy.Tensor_out"]
    joined = next(name for name in plan.there if named[name] == "aten::cat.out")
    pieces = [node.outputs[0].name for node in graph.nodes if node.op == LINEAR]
    assert [plan.places[name].offset - plan.places[joined].offset for name in pieces] == [0, 256]


# --- the proof ----------------------------------------------------------------------------------------------------

PARTS = """
graph net exec {
  input %x: f32[4, 4]
  takes ((%x,), {})
  %0: f32[4, 4] = aten::mm.out(self=%x, mat2=%x)
  %1: f32[4, 4] = aten::neg.out(self=%x)
  %2: f32[8, 4] = aten::cat.out(tensors=[%0, %1])
  %3: f32[2, 4] = aten::slice_copy.Tensor_out(self=%2, dim=0, start=3, end=5)
  %4: f32[2, 4] = aten::exp.out(self=%3)
  %5: f32[8, 4] = aten::relu.out(self=%2)
  return (%4, %5)
}
"""
RIGHT = {"x": 0, "0": 64, "1": 128, "2": 64, "3": 112, "4": 192, "5": 64}


def checked(places):
    return check_plan(parse_ir(PARTS), {name: (1, place) for name, place in places.items()}, [320])


def test_what_lies_there_already_is_found_by_its_place():
    assert checked(RIGHT) == {"2", "3"}
    assert checked(RIGHT | {"3": 224}) == {"2"}
    assert checked(RIGHT | {"2": 192, "3": 0, "4": 32, "5": 192}) == set()
    assert checked(RIGHT | {"2": 192, "3": 240, "4": 0, "5": 192}) == {"3"}


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"3": 96}, "%3 aten::slice_copy.Tensor_out writes its result over its argument 2."),
        ({"0": 128, "1": 64}, "%2 aten::cat.out writes its result over its argument 0."),
        ({"1": 144}, "%2 aten::cat.out writes its result over its argument 0."),
        ({"4": 112}, "2 is overwritten before %5 aten::relu.out reads it at byte 64 of bank 1."),
        ({"4": 128}, "%4 aten::exp.out writes its result over its argument 3."),
    ],
    ids=["a part elsewhere", "pieces in another order", "a gap", "a part overwritten", "a part overwritten by half"],
)
def test_the_checker_says_what_is_wrong_with_parts(changes, text):
    with pytest.raises(Invalid) as error:
        checked(RIGHT | changes)
    assert str(error.value).startswith(text[: text.index(" reads")] if " reads" in text else text)


def test_what_shows_state_is_not_read_when_that_is_written():
    graph = parse_ir("""
graph net exec {
  input %x: f32[4]
  buffer %s: f32[4] mutated
  takes ((%x,), {})
  %0: f32[2, 2] = aten::view_copy.out(self=%s, size=[2, 2])
  write %s = %x
  return %0
}
""")
    check_plan(graph, {"x": (1, 0), "s": (1, 16), "0": (1, 32)}, [48])
    with pytest.raises(Invalid, match="0 is overwritten before the end reads it"):
        check_plan(graph, {"x": (1, 0), "s": (1, 16), "0": (1, 16)}, [48])
