"""Graphs as text: read back as they were, and for anything else a sentence with its line."""

import math
import re
from dataclasses import replace

import pytest
from damage import breaking, shallow_stack
from graphs import call_tree, graphs, quick, small_graph
from hypothesis import given

from tenon.errors import Invalid
from tenon.ir.dims import Symbol, call, symbol
from tenon.ir.graph import (
    Device,
    Graph,
    GraphRef,
    Layout,
    MemoryFormat,
    OpNode,
    OpRef,
    Ref,
    Source,
    Value,
    Weight,
)
from tenon.ir.parse import parse_ir
from tenon.ir.text import arg_text, node_text, to_text, type_text
from tenon.ir.tree import LEAF, Tree, flat_tree
from tenon.ir.types import DTYPE, ConstMeta, ScalarMeta, TensorMeta

F32 = DTYPE["float32"]
VECTOR = TensorMeta(F32, (2,))
SMALL = small_graph()
TEXT = to_text(SMALL)
ONE = Graph("one", inputs=(Value("x", VECTOR),), outputs=(Ref("x"),), in_tree=call_tree(1))
ONE_TEXT = "graph one captured {\n  input %x: f32[2]\n  takes ((%x,), {})\n  return %x\n}\n"


def refusal(text):
    with pytest.raises(Invalid) as error:
        parse_ir(text)
    return str(error.value)


def one(old, new):
    """The text of a graph of four lines with this instead of that."""
    assert old in ONE_TEXT
    return ONE_TEXT.replace(old, new)


# --- there and back --------------------------------------------------------------------------------------


@quick
@given(graphs())
def test_a_graph_comes_back_as_it_was(graph):
    again = parse_ir(to_text(graph))
    assert again == graph
    assert repr(again) == repr(graph)  # 1, 1.0 and True are equal, but not the same


def test_a_graph_reads_as_one_would_write_it():
    assert to_text(ONE) == ONE_TEXT
    assert TEXT == (
        "graph small captured {\n"
        "  symbol batch in [1, 8]\n"
        "  symbol s0 in [0, inf]\n"
        "  input %x: f32[floordiv(batch, 2), 2*batch + 1]{order=[1, 0]}\n"
        "  input %n: int(batch)\n"
        '  input %k: const "k"\n'
        '  parameter %"a b": f32[2]{strides=[2]} aliases %tied mutated\n'
        '  constant %c: i8[3] transient = "YWJj"\n'
        '  takes ((%x,), {"n": %n, 1: %k})\n'
        "  %0: f32[batch, 4] = aten::op.out(self=%x, all=[None, True, -1, 0.5, -inf, complex(1.0, -2.0), "
        '"q\\"", float32, device "cpu", layout "strided"])  // m.py:7 in f [m]\n'
        '  %1: f32[batch, 4], %2: bool = higher_order::go(f=graph "body", xs=[%0, %"a b"], '
        'op=op "aten::add.Tensor", options={"k": 1})\n'
        '  aten::check(format=memory_format "channels_last")\n'
        '  write %"a b" = %0\n'
        '  return dataclass "m:Out" "loss" {"y": %1, "z": [None, %2]}\n'
        "  subgraph body captured {\n"
        "    input %a: f32[batch, 4]\n"
        "    takes (%a,)\n"
        "    %0: f32[batch, 4] = aten::neg(self=%a)\n"
        "    return (%0,)\n"
        "  }\n"
        "}\n"
    )
    assert parse_ir(TEXT) == SMALL


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (TensorMeta(F32, ()), "f32[]"),
        (TensorMeta(DTYPE["bool"], (symbol("batch"), 0)), "b8[batch, 0]"),
        (TensorMeta(F32, (2, 3), (1, 0), (0, 1), "cuda:0", "jagged"), None),
        (ScalarMeta("float"), "float"),
        (ScalarMeta("int", call("floordiv", symbol("s"), 2) - 1), "int(floordiv(s, 2) - 1)"),
        (ConstMeta(None), "const None"),
        (ConstMeta(-math.inf), "const -inf"),
    ],
)
def test_a_type_reads_as_one_would_write_it(type_, text):
    full = 'f32[2, 3]{order=[1, 0], strides=[0, 1], device="cuda:0", layout="jagged"}'
    assert type_text(type_) == (text or full)


@pytest.mark.parametrize(
    ("arg", "text"),
    [
        (Ref("a.b"), "%a.b"),
        (Ref("a b"), '%"a b"'),
        (1e16, "1e+16"),
        (math.nan, "nan"),
        (complex(math.nan, -0.0), "complex(nan, -0.0)"),
        (((), (None,)), "[[], [None]]"),
        ({"a": {}}, '{"a": {}}'),
        ("é\n", '"\\u00e9\\n"'),
        (DTYPE["bfloat16"], "bfloat16"),
        (GraphRef("g"), 'graph "g"'),
        (OpRef("aten::relu"), 'op "aten::relu"'),
        (Device("cuda:0"), 'device "cuda:0"'),
        (Layout("strided"), 'layout "strided"'),
        (MemoryFormat("channels_last"), 'memory_format "channels_last"'),
    ],
)
def test_an_argument_reads_as_one_would_write_it(arg, text):
    assert arg_text(arg) == text


def test_a_node_without_results_is_its_call():
    assert node_text(OpNode("aten::f", {"a": 1}, (), Source("m.py", 3, "g"))) == "aten::f(a=1)  // m.py:3 in g"


@pytest.mark.parametrize("part", [math.nan, math.inf, -math.inf, -0.0, 1e300, 5e-324])
def test_every_float_and_complex_number_comes_back(part):
    number = OpNode("aten::f", {"a": part, "b": complex(part, 1), "c": complex(-0.0, part), "d": (part, (None, part))})
    graph = replace(ONE, nodes=(number,), inputs=(Value("x", ConstMeta(part)),))
    assert repr(parse_ir(to_text(graph))) == repr(graph)


@pytest.mark.parametrize(
    "name", ["inf", "nan", "inf.x", "nan.0", "1.2.3", "1e5", "", " ", "é", '"', "\\", "a\tb\nc", "-1"]
)
def test_a_graph_may_have_any_name(name):
    body = Graph(name, in_tree=flat_tree(0), out_tree=flat_tree(0))
    graph = replace(
        ONE,
        name=name,
        inputs=(Value(name, VECTOR),),
        nodes=(OpNode("higher_order::f", {"f": GraphRef(name), "x": Ref(name)}),),
        outputs=(Ref(name),),
        subgraphs={name: body},
    )
    assert parse_ir(to_text(graph)) == graph


def test_a_symbol_may_be_unbounded_on_either_side():
    graph = replace(ONE, symbols=(Symbol("a", None, 3), Symbol("b", -2, None), Symbol("c", None, None)))
    assert "  symbol a in [-inf, 3]\n  symbol b in [-2, inf]\n  symbol c in [-inf, inf]\n" in to_text(graph)
    assert parse_ir(to_text(graph)) == graph


@pytest.mark.parametrize(
    "source",
    [
        Source("a file.py", 3, "Model.forward", "layers.0"),
        Source("a:1 in b.py", 3, "f"),
        Source("m.py", 0, "<lambda>"),
        Source("", 3, "f"),
        Source("m.py", 3, ""),
        Source("m.py", 3, "f", "] ["),
        Source("m.py", 3, "f", "a\nb"),
        Source("m.py", 3, "f", "x:5 in y"),
    ],
    ids=repr,
)
def test_any_source_comes_back(source):
    graph = replace(ONE, nodes=(OpNode("aten::f", {}, (), source), OpNode("aten::g", {})))
    assert parse_ir(to_text(graph)) == graph


@pytest.mark.parametrize("key", [-1, 1e22, -0.5, True, None, "a b", "", "null"])
def test_a_dict_may_have_any_key(key):
    graph = replace(ONE, out_tree=Tree("dict", (LEAF,), (key,)))
    assert parse_ir(to_text(graph)) == graph


def test_data_is_left_out_only_where_that_is_asked_for():
    def constant(size):
        return Weight("c", "constant", TensorMeta(DTYPE["uint8"], (size,)), data=bytes(size))

    short, long = replace(ONE, weights=(constant(64),)), replace(ONE, weights=(constant(65),))
    assert parse_ir(str(short)) == short
    assert parse_ir(to_text(long)) == long
    assert "  constant %c: u8[65] = <65 bytes>\n" in str(long)
    assert refusal(str(long)) == (
        "line 3: the data of this constant was left out (<65 bytes>). Write the text with tenon.ir.to_text."
    )


# --- damage ----------------------------------------------------------------------------------------------


def test_every_truncation_is_refused():
    whole = TEXT.rstrip()
    for end in range(len(whole)):
        assert refusal(whole[:end])


@pytest.mark.parametrize("character", ['"', "}", ",", "0", "\\", "\n", "x", "\t"])
def test_a_wrong_character_anywhere_gives_a_graph_or_a_refusal(character):
    damaged = ((i, TEXT[:i] + character + TEXT[i + 1 :]) for i in range(len(TEXT)))
    assert breaking(damaged, parse_ir, to_text) == []


PIECES = re.findall(r'"(?:[^"\\]|\\.)*"|[\w.:%]+|\s+|.', TEXT)


@pytest.mark.parametrize(
    "piece",
    ["", "%x", "-inf", "nan", "word", '"text"', '"\\q"', "1.5", "(", "{", "]", "// a:1 in b\n"],
)
def test_another_piece_anywhere_gives_a_graph_or_a_refusal(piece):
    damaged = ((i, "".join([*PIECES[:i], piece, *PIECES[i + 1 :]])) for i in range(len(PIECES)))
    assert breaking(damaged, parse_ir, to_text) == []


REFUSED = {
    "nothing": ("", "line 1: 'graph' was expected, but the text ends."),
    "another text": ("def f():\n  pass\n", "line 1: 'graph' was expected, but 'def' stands here."),
    "more after the end": (ONE_TEXT + "graph", "line 6: the end of the text was expected, but 'graph' stands here."),
    "no dialect": (one("captured ", ""), "line 1: a dialect was expected, but '{' stands here."),
    "no structure": (one("takes ((%x,), {})", ""), "line 4: 'takes' was expected, but 'return' stands here."),
    "no return": (one("return %x", ""), "line 5: an operator was expected, but '}' stands here."),
    "an unknown type": (
        one("f32[2]", "f33[2]"),
        "line 2: a type such as f32[2, 3] was expected, but 'f33' stands here.",
    ),
    "a size that is no expression": (
        one("f32[2]", "f32[2*]"),
        "line 2: '2*' is not a dimension: a number or a name should stand before 'its end'.",
    ),
    "a shape that does not end": (
        one("f32[2]", "f32[2"),
        "line 6: ',' or ']' was expected, but the text ends.",
    ),
    "an unknown fact": (
        one("f32[2]", 'f32[2]{colour="red"}'),
        "line 2: colour='red' is not a fact about a tensor's layout.",
    ),
    "an unknown layout": (
        one("f32[2]", 'f32[2]{layout="round"}'),
        "line 2: layout='round' is not a fact about a tensor's layout.",
    ),
    "a weight that is no tensor": (
        one("takes", "buffer %b: int\n  takes"),
        "line 3: the buffer %b must be a tensor.",
    ),
    "data that is no base64": (
        one("takes", 'constant %b: u8[3] = "YW?j"\n  takes'),
        re.compile(r"line 3: this is not base64: .*\."),
    ),
    "data of the wrong size": (
        one("takes", 'constant %b: u8[2] = "YWJj"\n  takes'),
        "the graph one is not sound: 1 fault.\n  %b: 3 bytes of data for a tensor of 2 bytes",
    ),
    "a bound that is a fraction": (
        one("input", "symbol s in [1.5, 2]\n  input"),
        "line 2: an integer was expected, but '1.5' stands here.",
    ),
    "a symbol that is no name": (
        one("input", "symbol max in [0, 2]\n  input"),
        "line 2: 'max' is not a name for a symbol.",
    ),
    "an argument without a name": (
        one("return", "aten::f(%x)\n  return"),
        "line 4: an argument's name was expected, but '%x' stands here.",
    ),
    "an argument that is no value": (
        one("return", "aten::f(a=float33)\n  return"),
        "line 4: an argument was expected, but 'float33' stands here.",
    ),
    "an unknown memory format": (
        one("return", 'aten::f(a=memory_format "x")\n  return'),
        "line 4: 'x' is not a memory_format.",
    ),
    "a complex number of one part": (
        one("return", "aten::f(a=complex(1))\n  return"),
        "line 4: a complex number has two parts.",
    ),
    "a constant that is a list": (
        one("f32[2]", "const [1]"),
        re.compile("line 2: a plain value was expected, but .* stands here."),
    ),
    "a source that is none": (
        one("return", "aten::f()  // somewhere\n  return"),
        "line 4: // file:line in function was expected, but '// somewhere' stands here.",
    ),
    "an unknown character": (one("return %x", "return $x"), "line 4: '$x' cannot be read."),
    "an undefined reference": (
        one("return %x", "return %y"),
        "the graph one is not sound: 1 fault.\n  return: %y is not defined",
    ),
    "a name defined twice": (
        one("return", "%x: int = aten::f()\n  return"),
        "the graph one is not sound: 1 fault.\n  %x: defined 2 times",
    ),
    "a missing subgraph": (
        one("return", 'aten::f(a=graph "g")\n  return'),
        "the graph one is not sound: 1 fault.\n  aten::f: there is no subgraph g",
    ),
    "a structure of too many leaves": (
        one("takes ((%x,)", "takes ((%x, %x)"),
        "line 3: the inputs do not stand here one by one, in their order.",
    ),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_a_fault_is_refused_with_its_line(text, message):
    found = refusal(text)
    if isinstance(message, str):
        assert found == message
    else:
        assert message.fullmatch(found)


ALSO_REFUSED = {
    "an escape that is none": one("graph one", 'graph "\\q"'),
    "a tab in a string": one("graph one", 'graph "a\tb"'),
    "a key that is a word": one("return %x", "return {abc: %x}"),
    "a key twice": one("return %x", 'return {"a": %x, "a": %x}'),
    "two sizes without a comma": one("f32[2]", "f32[1 2]"),
    "an order of other dimensions": one("f32[2]", "f32[2]{order=[7]}"),
    "an order of another rank": one("f32[2]", "f32[2]{order=[0, 1]}"),
    "strides of another rank": one("f32[2]", "f32[2]{strides=[1, 2]}"),
    "a structure of other names": one("takes ((%x,)", "takes ((%y,)"),
    "a structure of numbers": one("takes ((%x,)", "takes ((5,)"),
    "two subgraphs of one name": one("return %x", "return %x" + 2 * "\n subgraph a captured { takes () return () }"),
    "an argument twice": one("return", "aten::f(a=1, a=2)\n  return"),
    "a number beyond all measure": one("return %x", "return " + "9" * 5000),
    "a size beyond all measure": one("f32[2]", f"f32[{'9' * 5000}]"),
    "a bound beyond all measure": one("input", f"symbol s in [0, {'9' * 5000}]\n  input"),
    "a complex number beyond all measure": one("return %x", f"return complex(1{'0' * 400}, 0)"),
}


@pytest.mark.parametrize("text", ALSO_REFUSED.values(), ids=ALSO_REFUSED)
def test_a_text_that_no_graph_has_is_refused(text):
    assert refusal(text).startswith(("line ", "the graph one is not sound: "))


def test_inputs_in_another_order_are_not_taken_for_the_first():
    two = to_text(replace(ONE, inputs=(Value("x", VECTOR), Value("y", VECTOR)), in_tree=call_tree(2)))
    assert "takes ((%x, %y), {})" in two
    assert refusal(two.replace("takes ((%x, %y), {})", "takes ((%y, %x), {})"))


@pytest.mark.parametrize(
    "text",
    [
        one("takes ((%x,), {})", "takes " + "(" * 5000),
        one("takes ((%x,), {})", "takes " + '{"a": ' * 5000),
        one("return", "aten::f(a=" + "[" * 5000),
        one("f32[2]", "f32[" + "max(1, " * 5000 + "2" + ")" * 5000 + "]"),
        one("\n}", "\nsubgraph a captured { takes () return () " * 5000),
    ],
    ids=["tuples", "dicts", "lists", "dimension", "subgraphs"],
)
def test_bottomless_nesting_is_refused(text):
    assert "nested too deeply" in refusal(text)


@pytest.mark.parametrize(
    "nested",
    [
        lambda depth: one("return %x", "return " + "(" * depth + "%x" + ",)" * depth),
        lambda depth: one("return", "aten::f(a=" + "[" * depth + "]" * depth + ")\n  return"),
        lambda depth: one("f32[2]", "f32[" + "max(1, " * depth + "2" + ")" * depth + "]"),
        lambda depth: one("\n}", "\nsubgraph a captured { takes () return () " * depth + "}" * (depth + 1)),
    ],
    ids=["tuples", "lists", "dimension", "subgraphs"],
)
def test_nesting_of_any_depth_gives_a_graph_or_a_refusal(nested):
    parse_ir(nested(3))
    with shallow_stack():
        found = breaking(((depth, nested(depth)) for depth in range(4, 160)), parse_ir)
    assert found == []


def test_lines_may_end_as_on_windows():
    graph = small_graph()
    assert parse_ir(to_text(graph).replace("\n", "\r\n")) == graph
