"""The checker fails for plans that are wrong, and says what is wrong with them."""

import pytest

from tenon.errors import Invalid
from tenon.ir.parse import parse_ir
from tenon.plan.check import check_plan

PLAIN = """graph net exec {
  input %x: f32[4, 4]
  input %y: f32[4, 4]
  takes ((%x, %y), {})
  %0: f32[4, 4] = aten::neg.out(self=%x)
  %1: f32[4, 4] = aten::mm.out(self=%0, mat2=%y)
  %2: f32[4, 4] = aten::add.out(self=%1, other=%0)
  return (%2, %1)
}"""
BROADCAST = """graph net exec {
  input %x: f32[1, 4]
  input %y: f32[4, 1]
  takes ((%x, %y), {})
  %0: f32[4, 4] = aten::add.out(self=%x, other=%y)
  %1: f32[4, 8] = aten::cat.out(tensors=[%0, %0], dim=1)
  %2: f32[4, 3], %3: f32[4, 5] = aten::split_with_sizes_copy.out(self=%1, split_sizes=[3, 5], dim=1)
  return (%2, %3)
}"""
VIEWS = """graph net exec {
  input %x: f32[4, 4]
  takes ((%x,), {})
  %0: f32[4, 4] = aten::neg.out(self=%x)
  %1: f32[16] = aten::view_copy.out(self=%0, size=[16])
  %2: f32[16] = aten::tanh.out(self=%1)
  %3: f32[4, 4] = aten::mm.out(self=%0, mat2=%0)
  return (%2, %3)
}"""
STATE = """graph net exec {
  input %x: f32[4]
  buffer %s: f32[4] mutated
  buffer %t: f32[4] mutated
  takes ((%x,), {})
  %0: f32[4] = aten::neg.out(self=%x)
  %1: f32[4] = aten::add.out(self=%0, other=%s)
  %2: f32[4] = aten::tanh.out(self=%1)
  write %s = %1
  return (%2,)
}"""
BRANCHES = """graph net exec {
  input %x: f32[4, 4]
  input %p: b8[]
  takes ((%x, %p), {})
  %0: f32[4, 4] = aten::neg.out(self=%x)
  %1: f32[4, 4] = higher_order::cond(pred=%p, true_fn=graph "yes", false_fn=graph "no", operands=[%x])
  %2: f32[4, 4] = aten::add.out(self=%1, other=%0)
  %3: f32[4, 4] = aten::mm.out(self=%2, mat2=%1)
  return (%3,)
  subgraph no exec {
    input %a: f32[4, 4]
    takes (%a,)
    %0: f32[4, 4] = aten::mm.out(self=%a, mat2=%a)
    return (%0,)
  }
  subgraph yes exec {
    input %a: f32[4, 4]
    takes (%a,)
    %0: f32[4, 4] = aten::mm.out(self=%a, mat2=%a)
    %1: f32[4, 4] = aten::tanh.out(self=%0)
    return (%1,)
  }
}"""
LOOP = """graph net exec {
  input %n: i64[]
  input %x: f32[4]
  input %y: f32[4]
  takes ((%n, %x, %y), {})
  %0: i64[], %1: f32[4] = higher_order::while_loop(WHILE)
  return (%0, %1)
  subgraph test exec {
    input %a: i64[]
    input %b: f32[4]
    input %c: f32[4]
    takes (%a, %b, %c)
    %0: b8[] = aten::lt.Scalar_out(self=%a, other=3)
    return (%0,)
  }
  subgraph turn exec {
    input %a: i64[]
    input %b: f32[4]
    input %c: f32[4]
    takes (%a, %b, %c)
    %0: i64[] = aten::add.Scalar_out(self=%a, other=1)
    %1: f32[4] = aten::mul.out(self=%b, other=%c)
    %2: f32[4] = aten::neg.out(self=%1)
    return (%0, %2)
  }
}""".replace("WHILE", 'cond_fn=graph "test", body_fn=graph "turn", carried_inputs=[%n, %x], additional_inputs=[%y]')
ROWS = """graph net exec {
  input %x: f32[3, 4]
  input %y: f32[4]
  takes ((%x, %y), {})
  %0: f32[4], %1: f32[3, 4] = higher_order::scan(combine_fn=graph "each", init=[%y], xs=[%x], additional_inputs=[])
  return (%0, %1)
  subgraph each exec {
    input %a: f32[4]
    input %b: f32[4]
    takes (%a, %b)
    %0: f32[4] = aten::add.out(self=%a, other=%b)
    %1: f32[4] = aten::mul.out(self=%a, other=%b)
    return (%0, %1)
  }
}"""  # fmt: skip

# By name: the graph, a right plan in one bank with room to spare, and the room.
RIGHT = {
    "plain": (PLAIN, {"x": 0, "y": 64, "0": 128, "1": 192, "2": 0}, 320),
    "broadcast": (BROADCAST, {"x": 0, "y": 16, "0": 32, "1": 96, "2": 224, "3": 272}, 400),
    "views": (VIEWS, {"x": 0, "0": 64, "1": 64, "2": 128, "3": 192}, 256),
    "state": (STATE, {"x": 0, "s": 16, "t": 32, "0": 0, "1": 48, "2": 64}, 80),
    "branches": (
        BRANCHES,
        {"x": 0, "p": 64, "0": 80, "yes/0": 144, "yes/1": 208, "no/0": 272, "1": 208, "2": 336, "3": 400},
        464,
    ),
    "loop": (
        LOOP,
        {"n": 0, "x": 16, "y": 32, "0": 48, "1": 64, "test/0": 80, "turn/0": 96, "turn/1": 112, "turn/2": 128},
        144,
    ),
    "rows": (ROWS, {"x": 0, "y": 48, "0": 64, "1": 80, "0/row0": 128, "each/0": 144, "each/1": 160}, 176),
}


def check(name, changes):
    text, offsets, room = RIGHT[name]
    places = {value: (1, offset) for value, offset in (offsets | changes).items() if offset is not None}
    check_plan(parse_ir(text), places, [room])


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_plan_is_proven(name):
    check(name, {})


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("plain", {"0": 0, "2": 128}),  # a pointwise result on its argument, whose last use it is
        ("views", {"2": 0}),
        ("branches", {"no/0": 208}),  # the bodies may use the same memory
        ("branches", {"no/0": 144, "yes/0": 144}),
        ("branches", {"yes/0": 208, "yes/1": 208}),
        ("branches", {"2": 80}),
        ("loop", {"turn/1": 64, "turn/2": 64}),  # the carried value is needed no more, and written anew
        ("loop", {"test/0": 128, "turn/0": 48}),
        ("loop", {"turn/0": 0, "turn/1": 16}),  # the first values are taken over
    ],
)
def test_memory_may_be_used_again(name, changes):
    check(name, changes)


@pytest.mark.parametrize(
    ("name", "changes", "text"),
    [
        ("plain", {"0": 64}, "y is overwritten before %1 aten::mm.out reads it at byte 64 of bank 1."),
        ("plain", {"0": 136}, "0 lies at byte 136, which is not a multiple of 16."),
        ("plain", {"1": 272}, "1 ends at byte 336 of the 320 of bank 1."),
        ("plain", {"1": None}, "the plan has no place for 1."),
        ("plain", {"y": 0, "2": 64}, "x is overwritten before %0 aten::neg.out reads it at byte 0 of bank 1."),
        ("plain", {"1": 128}, "%1 aten::mm.out writes its result over its argument 0."),
        ("plain", {"2": 208}, "%2 aten::add.out writes its result over its argument 1."),
        ("plain", {"2": 192}, "1 is overwritten before the end reads it at byte 192 of bank 1."),
        ("broadcast", {"0": 0}, "%0 aten::add.out writes its result over its argument x."),
        ("broadcast", {"0": 16, "1": 96}, "%0 aten::add.out writes its result over its argument y."),
        (
            "broadcast",
            {"3": 256},
            "2 is overwritten before the other results of aten::split_with_sizes_copy.out are written, and whoever "
            "reads it at byte 224 of bank 1.",
        ),
        ("broadcast", {"2": 96}, "%2 aten::split_with_sizes_copy.out writes its result over its argument 1."),
        ("views", {"2": 64}, "0 is overwritten before %3 aten::mm.out reads it at byte 64 of bank 1."),
        ("views", {"1": 80}, "%1 aten::view_copy.out writes its result over its argument 0."),
        ("views", {"1": None}, "the plan has no place for 1."),
        ("state", {"0": 16}, "s is overwritten before %1 aten::add.out reads it at byte 16 of bank 1."),
        ("state", {"2": 32}, "t is overwritten before the next call reads it at byte 32 of bank 1."),
        ("state", {"2": 48}, "1 is overwritten before the write to s reads it at byte 48 of bank 1."),
        ("state", {"t": 16}, "s is overwritten before the first call reads it at byte 16 of bank 1."),
        ("state", {"2": 16}, "2 is overwritten before the end reads it at byte 16 of bank 1."),
        ("branches", {"yes/0": 80}, "0 is overwritten before %2 aten::add.out reads it at byte 80 of bank 1."),
        ("branches", {"no/0": 80}, "0 is overwritten before %2 aten::add.out reads it at byte 80 of bank 1."),
        ("branches", {"no/0": None}, "the plan has no place for no/0."),
        ("branches", {"yes/1": None}, "the plan has no place for yes/1."),
        ("branches", {"no/0": 0}, "no/%0 aten::mm.out writes its result over its argument x."),
        ("branches", {"2": 208}, "1 is overwritten before %3 aten::mm.out reads it at byte 208 of bank 1."),
        ("branches", {"2": 272}, "1 is overwritten before %3 aten::mm.out reads it at byte 272 of bank 1."),
        ("branches", {"3": 272}, "%3 aten::mm.out writes its result over its argument 1."),
        ("loop", {"turn/1": 32}, "y is overwritten before turn/%1 aten::mul.out reads it at byte 32 of bank 1."),
        ("loop", {"test/0": 64}, "1 is overwritten before turn/%1 aten::mul.out reads it at byte 64 of bank 1."),
        ("loop", {"turn/2": 32}, "y is overwritten before turn/%1 aten::mul.out reads it at byte 32 of bank 1."),
        ("loop", {"1": 32}, "y is overwritten before turn/%1 aten::mul.out reads it at byte 32 of bank 1."),
        ("loop", {"turn/2": 96}, "turn/0 is overwritten before the end of turn reads it at byte 96 of bank 1."),
        ("rows", {"0/row0": 0}, "x is overwritten before the next turn reads it at byte 0 of bank 1."),
        ("rows", {"each/0": 112}, "1 is overwritten before the next row reads it at byte 80 of bank 1."),
        ("rows", {"each/1": 144}, "each/0 is overwritten before the end of each reads it at byte 144 of bank 1."),
        ("rows", {"0/row0": None}, "the plan has no place for 0/row0."),
        ("rows", {"each/0": 64}, "0 is overwritten before each/%1 aten::mul.out reads it at byte 64 of bank 1."),
    ],
)
def test_the_checker_says_what_is_wrong_with_a_plan(name, changes, text):
    with pytest.raises(Invalid) as error:
        check(name, changes)
    assert str(error.value) == text


def test_places_in_other_banks_do_not_meet():
    places = {"x": (1, 0), "y": (2, 0), "0": (1, 64), "1": (2, 64), "2": (1, 0)}
    check_plan(parse_ir(PLAIN), places, [128, 128])
    with pytest.raises(Invalid) as error:
        check_plan(parse_ir(PLAIN), places, [128, 127])
    assert str(error.value) == "1 ends at byte 128 of the 127 of bank 2."


def test_a_bank_of_others_is_only_watched():
    places = {"x": (1, 0), "s": (2, 992), "t": (2, 0), "0": (1, 0), "1": (1, 16), "2": (1, 32)}
    check_plan(parse_ir(STATE), places, [48])
    with pytest.raises(Invalid) as error:
        check_plan(parse_ir(STATE), places | {"2": (2, 0)}, [48])
    assert str(error.value) == "t is overwritten before the next call reads it at byte 0 of bank 2."


OVERWRITTEN = """graph net exec {
  input %x: f32[8]
  buffer %s: f32[8] mutated
  takes ((%x,), {})
  %0: f32[8] = aten::neg.out(self=%x)
  write %s = %0
  return (%x,)
}"""


def small(node, inputs="input %x: i64[1]\n  input %y: i64[8]\n  takes ((%x, %y), {})"):
    outputs = ", ".join(part.split(":")[0].strip() for part in node.split(" = ")[0].split(", %"))
    outputs = ", ".join(name if name.startswith("%") else f"%{name}" for name in outputs.split(", "))
    return parse_ir(f"graph net exec {{\n  {inputs}\n  {node}\n  return ({outputs},)\n}}")


@pytest.mark.parametrize(
    ("graph", "places", "text"),
    [
        (
            small("%0: b8[8] = aten::lt.Tensor_out(self=%y, other=%x)"),
            {"x": 0, "y": 16, "0": 0},
            "%0 aten::lt.Tensor_out writes its result over its argument x.",
        ),
        (
            small(
                "%0: f32[4], %1: i64[4] = aten::max.dim_max(self=%x, dim=1)",
                "input %x: f32[4, 2]\n  takes ((%x,), {})",
            ),
            {"x": 0, "0": 64, "1": 0},
            "%0 aten::max.dim_max writes its result over its argument x.",
        ),
        (
            parse_ir(OVERWRITTEN),
            {"x": 0, "s": 64, "0": 80},
            "the write to s copies 0 to s, which overlaps it.",
        ),
    ],
    ids=["the same bytes in another shape", "not by element", "a copy onto a part of itself"],
)
def test_a_result_lies_on_an_argument_only_element_by_element(graph, places, text):
    with pytest.raises(Invalid) as error:
        check_plan(graph, {name: (1, offset) for name, offset in places.items()}, [512])
    assert str(error.value) == text


def test_bank_0_is_no_bank():
    with pytest.raises(Invalid, match="x lies in bank 0, and banks are counted from 1."):
        check_plan(parse_ir(PLAIN), dict.fromkeys(("x", "y", "0", "1", "2"), (0, 0)), [512])
