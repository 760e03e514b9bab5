"""Dimensions: one spelling per expression, arithmetic as Python's, ranges that hold, refusals in words."""

import math
import operator
import random

import pytest
from graphs import bounded, dims
from hypothesis import assume, given
from hypothesis import strategies as st

from tenon.errors import Invalid
from tenon.ir.dims import (
    FUNCTIONS,
    Expr,
    Symbol,
    bounds,
    call,
    evaluate,
    is_symbol_name,
    parse_dim,
    product,
    solve,
    symbol,
    symbols_of,
)

NAMES = ["a", "b", "c"]
a, b, c = map(symbol, NAMES)
ranges = st.tuples(st.integers(-4, 6), st.integers(0, 6)).map(lambda pair: (pair[0], pair[0] + pair[1]))
boxes = st.fixed_dictionaries(dict.fromkeys(NAMES, ranges))
settings_of = st.fixed_dictionaries({name: st.integers(-9, 9) for name in NAMES})
terms = st.lists(st.tuples(st.integers(-3, 3), st.lists(st.sampled_from([a, b, c]), max_size=3)), max_size=4)


def summed(parts):
    return sum((product([coefficient, *factors]) for coefficient, factors in parts), 0)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (a + b, b + a),
        (a * b, b * a),
        ((a + b) * (a - b), a * a - b * b),
        ((a + 1) * (a + 1), a * a + 2 * a + 1),
        (a - a, 0),
        (a * 0, 0),
        (a + 3 - a, 3),
        (5 - a, -(a - 5)),
        (-a, 0 - a),
        (call("floordiv", a + b, 2), call("floordiv", b + a, 2)),
        (call("max", a, b) * b - b * call("max", a, b), 0),
    ],
)
def test_equal_expressions_are_equal_and_print_the_same(left, right):
    assert left == right
    assert hash(left) == hash(right)
    assert str(left) == str(right)
    assert type(left) is type(right)


@bounded
@given(terms, st.randoms(use_true_random=False))
def test_the_order_of_terms_and_factors_decides_nothing(parts, chance):
    shuffled = [(coefficient, chance.sample(factors, len(factors))) for coefficient, factors in parts]
    chance.shuffle(shuffled)
    assert summed(parts) == summed(shuffled)
    assert str(summed(parts)) == str(summed(shuffled))


@bounded
@given(dims(NAMES), dims(NAMES), dims(NAMES))
def test_sums_and_products_obey_the_laws_of_a_ring(x, y, z):
    assert (x + y) + z == x + (y + z)
    assert x * y == y * x
    assert x * (y + z) == x * y + x * z
    assert x - y == -1 * (y - x)
    assert x - x == 0


@bounded
@given(dims(NAMES, leaves=8))
def test_an_expression_without_symbols_is_a_plain_int(dim):
    zero = dim - dim
    assert type(zero) is int
    assert isinstance(dim, Expr) or type(dim) is int


@pytest.mark.parametrize(
    ("dim", "text"),
    [
        (a, "a"),
        (-a, "-a"),
        (2 * b * a - 1, "2*a*b - 1"),
        (a * a + b + 3, "a*a + b + 3"),
        (1 - a, "-a + 1"),
        (call("floordiv", a - 1, 2) * 3, "3*floordiv(a - 1, 2)"),
        (call("max", -1, call("mod", a, 4)), "max(-1, mod(a, 4))"),
    ],
)
def test_an_expression_prints_highest_degree_first(dim, text):
    assert str(dim) == text


@bounded
@given(dims([*NAMES, "_x1", "Max"], leaves=8))
def test_what_is_printed_reads_back_as_the_same_expression(dim):
    again = parse_dim(str(dim))
    assert again == dim
    assert type(again) is type(dim)
    assert str(again) == str(dim)


def test_spaces_and_parentheses_do_not_matter_to_the_reader():
    assert parse_dim("  2 *( a+ b ) -1 ") == 2 * a + 2 * b - 1


BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "max": max, "min": min}
DIVIDING = {"floordiv": operator.floordiv, "mod": operator.mod, "ceildiv": lambda x, y: math.ceil(x / y)}


def grown(rng, depth, values):
    """A random expression as a dimension, and the number Python makes of it."""
    if depth == 0 or rng.random() < 0.2:
        name = rng.choice([*NAMES, None])
        number = rng.randint(-5, 5)
        return (symbol(name), values[name]) if name else (number, number)
    left, x = grown(rng, depth - 1, values)
    right, y = grown(rng, depth - 1, values)
    fn = rng.choice([*BINARY, *DIVIDING])
    if fn in ("+", "-", "*"):
        return BINARY[fn](left, right), BINARY[fn](x, y)
    if fn in BINARY:
        return call(fn, left, right), BINARY[fn](x, y)
    if y == 0:
        return left, x
    return call(fn, left, right), DIVIDING[fn](x, y)


@bounded
@given(st.integers(0, 2**32), settings_of)
def test_evaluate_agrees_with_python(seed, values):
    dim, expected = grown(random.Random(seed), 3, values)
    assert evaluate(dim, values) == expected


@pytest.mark.parametrize(
    ("fn", "args", "expected"),
    [
        ("floordiv", (-7, 2), -4),
        ("ceildiv", (7, 2), 4),
        ("ceildiv", (-7, 2), -3),
        ("mod", (-7, 4), 1),
        ("max", (3, 9, 4), 9),
        ("min", (3, 9, 4), 3),
        ("pow", (2, 10), 1024),
        ("pow", (100_000, 2), 10**10),
        ("shl", (3, 2), 12),
        ("shr", (12, 2), 3),
        ("and", (6, 3), 2),
        ("or", (6, 3), 7),
        ("xor", (6, 3), 5),
        ("where", (1, 5, 7), 5),
        ("where", (0, 5, 7), 7),
        ("eq", (3, 3), 1),
        ("ne", (3, 3), 0),
        ("lt", (3, 4), 1),
        ("le", (4, 4), 1),
        ("gt", (3, 4), 0),
        ("ge", (4, 4), 1),
        ("truediv", (1, 4), 0.25),
        ("float", (3,), 3.0),
        ("floor", (call("truediv", 7, 2),), 3),
        ("ceil", (call("truediv", 7, 2),), 4),
        ("trunc", (call("truediv", -7, 2),), -3),
        ("round", (call("truediv", 7, 2),), 4),
        ("sqrt", (16,), 4.0),
        ("abs", (-3,), 3),
    ],
)
def test_every_function_computes_what_its_name_says(fn, args, expected):
    names = [f"x{i}" for i in range(len(args))]
    values = {name: evaluate(arg, {}) for name, arg in zip(names, args, strict=True)}
    assert evaluate(call(fn, *map(symbol, names)), values) == expected
    assert evaluate(call(fn, *args), {}) == expected


def test_every_function_is_in_the_table_above():
    (mark,) = test_every_function_computes_what_its_name_says.pytestmark
    assert {row[0] for row in mark.args[1]} == set(FUNCTIONS)


def test_a_function_of_numbers_is_computed_at_once():
    assert call("floordiv", 7, 2) == 3
    assert type(call("floordiv", 7, 2)) is int


def holds(dim, box, values):
    low, high = bounds(dim, box)
    return low <= evaluate(dim, values) <= high


@st.composite
def points(draw):
    """Ranges, some without an end, and values in them."""
    box = draw(boxes)
    values = {name: draw(st.integers(*box[name])) for name in NAMES}
    for name, (low, high) in box.items():
        box[name] = draw(st.sampled_from([(low, high), (low, high), (-math.inf, high), (low, math.inf)]))
    return box, values


@bounded
@given(dims(NAMES, leaves=8), points())
def test_bounds_contain_every_value(dim, point):
    box, values = point
    assert holds(dim, box, values), f"{dim} is {evaluate(dim, values)} at {values}, outside {bounds(dim, box)}"


@bounded
@given(st.sampled_from(["floordiv", "ceildiv", "mod", "pow"]), points(), st.integers(-3, 3), st.integers(-3, 3))
def test_bounds_contain_every_value_of_a_quotient_by_a_symbol(fn, point, scale, offset):
    box, values = point
    dim = scale * call(fn, a, b) + offset
    assume(values["b"] != 0 and (fn != "pow" or values["b"] > 0))
    assert holds(dim, box, values), f"{dim} is {evaluate(dim, values)} at {values}, outside {bounds(dim, box)}"


@bounded
@given(st.sampled_from(["abs", "floor", "ceil", "trunc", "round", "float"]), points(), st.integers(1, 4))
def test_bounds_contain_every_value_of_a_function_of_one(fn, point, divisor):
    box, values = point
    assert holds(call(fn, a - b), box, values)
    assert holds(call(fn, call("truediv", a, divisor)), box, values)


@pytest.mark.parametrize(
    ("fn", "x", "y", "value"),
    [
        ("floordiv", (-5, 3), (0, 2), -5),  # -5 // 1
        ("floordiv", (5, 5), (-3, 3), 5),  # 5 // 1
        ("floordiv", (0, math.inf), (-1, -1), -7),  # 7 // -1
        ("ceildiv", (5, 5), (-2, -2), -2),
    ],
)
def test_bounds_hold_for_divisors_that_are_not_positive(fn, x, y, value):
    low, high = bounds(call(fn, a, b), {"a": x, "b": y})
    assert low <= value <= high


@bounded
@given(st.dictionaries(st.sampled_from(NAMES), st.integers(0, 9), min_size=3), dims(NAMES, leaves=6))
def test_bounds_hold_for_symbols_without_upper_bound(values, dim):
    low, high = bounds(dim, {name: Symbol(name).range for name in NAMES})
    assert low <= evaluate(dim, values) <= high


def test_bounds_of_a_polynomial_of_sizes_are_exact():
    assert bounds(2 * a * b + 1, {"a": (1, 3), "b": (2, 5)}) == (5, 31)
    assert bounds(a - b, {"a": (1, 3), "b": (2, 5)}) == (-4, 1)
    assert bounds(call("mod", a, 4), {"a": (0, 100)}) == (0, 3)
    assert bounds(a + 1, {"a": Symbol("a", 2).range}) == (3, math.inf)
    assert bounds(1 - a, {"a": Symbol("a", None, 5).range}) == (-4, math.inf)
    assert bounds(call("abs", a), {"a": (-3, 2)}) == (0, 3)
    assert bounds(call("abs", a), {"a": (-3, -2)}) == (2, 3)
    assert bounds(7, {}) == (7, 7)


@pytest.mark.parametrize("name", ["a", "_", "s0", "Batch_2"])
def test_a_plain_word_is_a_name_for_a_symbol(name):
    assert is_symbol_name(name)
    assert parse_dim(f"2*{name}") == 2 * symbol(name)


@pytest.mark.parametrize("name", ["", "2s", "a b", "a.b", "é", "sé", "inf", "nan", "max", "floordiv", "a\n"])
def test_another_word_is_no_name_for_a_symbol(name):
    assert not is_symbol_name(name)


@bounded
@given(st.integers(-5, 5), st.integers(-5, 5), st.integers(-9, 9))
def test_solve_finds_the_size_that_evaluates_to_the_sum(slope, offset, value):
    dim = slope * a + offset
    size = evaluate(dim, {"a": value})
    assert solve(dim, size) == (("a", value) if slope else None)


@pytest.mark.parametrize(
    ("dim", "size", "expected"),
    [
        (2 * a, 5, ("a", None)),
        (2 * a + 1, 5, ("a", 2)),
        (-a, 3, ("a", -3)),
        (a * a, 4, None),
        (a + b, 4, None),
        (call("floordiv", a, 2), 4, None),
        (a + call("mod", a, 2), 4, None),
        (7, 7, None),
    ],
)
def test_solve_takes_lines_only(dim, size, expected):
    assert solve(dim, size) == expected


def test_symbols_of_finds_those_inside_functions():
    assert symbols_of(a * 2 + call("max", 1, call("mod", b, 2))) == {"a", "b"}
    assert symbols_of(3) == set()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "a number or a name should stand before 'its end'."),
        ("  ", "a number or a name should stand before 'its end'."),
        ("a +", "a number or a name should stand before 'its end'."),
        ("* a", "a number or a name should stand before '*'."),
        ("a $ b", "' $ b' cannot be read."),
        ("a / 2", "' / 2' cannot be read."),
        ("a b", "'b' was not expected."),
        ("2 3", "'3' was not expected."),
        ("(a", "')' should stand before 'its end'."),
        ("a)", "')' was not expected."),
        ("max(a, ", "a number or a name should stand before 'its end'."),
        ("max(a; b)", "'; b)' cannot be read."),
        ("1.5", "'.5' cannot be read."),
    ],
)
def test_damaged_text_is_refused_with_the_text(text, problem):
    with pytest.raises(Invalid) as error:
        parse_dim(text)
    assert str(error.value) == f"{text!r} is not a dimension: {problem}"


def test_an_unknown_function_is_named():
    with pytest.raises(Invalid, match=r"^cosine is not a function of dimensions\. There are: .*, xor\.$"):
        parse_dim("2*cosine(a)")
    with pytest.raises(Invalid, match=r"^cosine is not a function of dimensions\."):
        call("cosine", a)


@pytest.mark.parametrize("text", ["floordiv(1, 0)", "mod(3, 0)", "sqrt(-1)", "shl(1, -1)", "truediv(1, 0)"])
def test_a_size_that_cannot_be_computed_is_named(text):
    with pytest.raises(Invalid) as error:
        parse_dim(text)
    assert str(error.value).startswith(f"the size {text} cannot be computed: ")


def test_a_division_by_zero_at_run_time_is_named():
    with pytest.raises(Invalid, match=r"^the size floordiv\(4, a\) cannot be computed: "):
        evaluate(call("floordiv", 4, a), {"a": 0})


@pytest.mark.parametrize(
    ("text", "fn", "takes", "given"),
    [
        ("floordiv(a)", "floordiv", 2, 1),
        ("mod(a, 2, 3)", "mod", 2, 3),
        ("where(1, 2)", "where", 3, 2),
        ("abs(a, a)", "abs", 1, 2),
    ],
)
def test_a_function_with_the_wrong_number_of_arguments_is_refused(text, fn, takes, given):
    with pytest.raises(Invalid) as error:
        parse_dim(text)
    assert str(error.value) == f"{fn} of dimensions takes {takes}, and was given {given}."


@pytest.mark.parametrize("text", ["max(a)", "min(3)"])
def test_the_largest_of_one_is_that_one_or_refused_when_it_is_read(text):
    try:
        dim = parse_dim(text)
    except Invalid:
        return
    assert evaluate(dim, {"a": 3}) == 3


@pytest.mark.parametrize(
    "text", ["9" * 5000, f"shl(1, {2**60})", "(" * 5000, "max(1, " * 5000], ids=["digits", "shift", "nested", "calls"]
)
def test_text_beyond_all_measure_is_refused_like_any_other(text):
    with pytest.raises(Invalid):
        parse_dim(text)


@bounded
@given(st.text(alphabet="ab12 +-*(),maxmodfloordiv.$é", max_size=12))
def test_any_text_is_a_dimension_or_refused(text):
    try:
        dim = parse_dim(text)
    except Invalid as error:
        assert str(error)
    else:
        assert parse_dim(str(dim)) == dim


@bounded
@given(dims(NAMES, leaves=8), st.data())
def test_a_damaged_expression_is_a_dimension_or_refused(dim, data):
    text = str(dim)
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = data.draw(st.sampled_from([text[:at], text[:at] + text[at + 1 :], text[:at] + "(" + text[at:]]))
    try:
        parse_dim(damaged)
    except Invalid as error:
        assert str(error)
