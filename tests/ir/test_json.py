"""Graphs as JSON: the same graph and the same text again, and for anything else a sentence with its place."""

import errno
import json
import math
import os
import re
from dataclasses import replace

import pytest
from damage import breaking, shallow_stack
from graphs import call_tree, graphs, quick, small_graph
from hypothesis import given

from tenon.errors import Invalid
from tenon.ir.dims import Symbol
from tenon.ir.graph import Graph, OpNode, Ref, Source, Value
from tenon.ir.json import VERSION, from_json, load_ir, save_ir, to_json
from tenon.ir.parse import parse_ir
from tenon.ir.text import to_text
from tenon.ir.tree import LEAF, Tree
from tenon.ir.types import DTYPE, ConstMeta, TensorMeta
from tenon.ir.verify import check

SMALL = small_graph()
TEXT = to_json(SMALL)
BIG = 10**400
F32 = DTYPE["float32"]
ONE = Graph("one", inputs=(Value("x", TensorMeta(F32, (2,))),), outputs=(Ref("x"),), in_tree=call_tree(1))


def refusal(text):
    with pytest.raises(Invalid) as error:
        from_json(text)
    return str(error.value)


def changed(path, value):
    """The small graph's JSON with something else at this path."""
    data = json.loads(TEXT)
    *steps, last = path
    inner = data
    for step in steps:
        inner = inner[step]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return json.dumps(data)


# --- there and back --------------------------------------------------------------------------------------


@quick
@given(graphs())
def test_a_graph_comes_back_as_it_was(graph):
    again = from_json(to_json(graph))
    assert again == graph
    assert repr(again) == repr(graph)  # 1, 1.0 and True are equal, but not the same


@quick
@given(graphs())
def test_one_graph_has_one_text(graph):
    text = to_json(graph)
    assert to_json(from_json(text)) == text
    backwards = replace(graph, subgraphs=dict(reversed(graph.subgraphs.items())))
    assert to_json(backwards) == text


def test_the_small_graph_comes_back_as_it_was():
    assert from_json(TEXT) == SMALL
    assert to_json(from_json(TEXT)) == TEXT


def test_the_text_has_an_element_a_line():
    graph = replace(
        ONE,
        symbols=(Symbol("batch", 1, 8),),
        nodes=(OpNode("aten::add.Tensor", {"self": Ref("x"), "other": 2.0}, (Value("0", TensorMeta(F32, (2,))),)),),
        outputs=(Ref("0"),),
    )
    assert to_json(graph) == (
        "{\n"
        '"tenon_ir": 1,\n'
        '"name": "one",\n'
        '"dialect": "captured",\n'
        '"symbols": [\n'
        '  {"name": "batch", "low": 1, "high": 8}\n'
        "],\n"
        '"inputs": [\n'
        '  {"name": "x", "dtype": "float32", "shape": [2]}\n'
        "],\n"
        '"nodes": [\n'
        '  {"op": "aten::add.Tensor", "args": {"self": {"ref": "x"}, "other": 2.0}, '
        '"outputs": [{"name": "0", "dtype": "float32", "shape": [2]}]}\n'
        "],\n"
        '"outputs": [\n'
        '  {"ref": "0"}\n'
        "],\n"
        '"in_tree": {"kind": "tuple", "children": [{"kind": "tuple", "children": ["leaf"]}, '
        '{"kind": "dict", "children": []}]},\n'
        '"out_tree": "leaf"\n'
        "}\n"
    )


@pytest.mark.parametrize("part", [math.nan, math.inf, -math.inf, -0.0, 1e300, 5e-324])
def test_every_float_and_complex_number_comes_back(part):
    number = OpNode("aten::f", {"a": part, "b": complex(part, 1), "c": complex(-0.0, part), "d": (part, (None, part))})
    graph = replace(ONE, nodes=(number,), inputs=(Value("x", ConstMeta(part)),))
    assert repr(from_json(to_json(graph))) == repr(graph)


@pytest.mark.parametrize(
    "source", [Source("m.py", 0, "f"), Source("", 3, "f"), Source("m.py", 3, ""), Source("m.py", 3, "f", "a\nb")]
)
def test_a_source_with_an_empty_part_comes_back(source):
    graph = replace(ONE, nodes=(OpNode("aten::f", {}, (), source),))
    assert from_json(to_json(graph)) == graph


@pytest.mark.parametrize(("read", "write"), [(from_json, to_json), (parse_ir, to_text)], ids=["json", "text"])
@pytest.mark.parametrize("key", [math.inf, -math.inf])
def test_a_graph_with_an_infinite_key_is_not_sound_or_comes_back(key, read, write):
    graph = replace(ONE, out_tree=Tree("dict", (LEAF,), (key,)))
    try:
        check(graph)
    except Invalid:
        return
    assert read(write(graph)) == graph


# --- damage ----------------------------------------------------------------------------------------------


def test_every_truncation_is_refused():
    whole = TEXT.rstrip()
    for end in range(len(whole)):
        assert refusal(whole[:end])


@pytest.mark.parametrize("character", ['"', "}", ",", "0", "\\", "x", "\0"])
def test_a_wrong_character_anywhere_gives_a_graph_or_a_refusal(character):
    damaged = ((i, TEXT[:i] + character + TEXT[i + 1 :]) for i in range(len(TEXT)))
    assert breaking(damaged, from_json, to_json) == []


def places(data, path=()):
    """Every path into a JSON document."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, inner in items:
        yield (*path, step)
        yield from places(inner, (*path, step))


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -1,
        1.5,
        10**400,
        "",
        "x",
        "leaf",
        [],
        [[1]],
        {},
        {"a": 1},
        {"ref": "x"},
        {"complex": [10**400, 1]},
        ...,
    ],
    ids=lambda value: "removed" if value is ... else json.dumps(value)[:20],
)
def test_another_value_anywhere_gives_a_graph_or_a_refusal(value):
    damaged = ((path, changed(path, value)) for path in places(json.loads(TEXT)))
    assert breaking(damaged, from_json, to_json) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [("", "line 1, column 1"), ('{"a":\n 1 2}', "line 2, column 4"), ("{'a': 1}", "line 1, column 2")],
)
def test_text_that_is_no_json_is_refused_with_its_place(text, place):
    assert re.fullmatch(f"the JSON breaks off or is damaged at {place}: [^.]*\\.", refusal(text))


@pytest.mark.parametrize("text", ["[]", "null", "3", '"tenon_ir"', "{}", '{"tenon_ir": "1"}', '{"tenon_ir": null}'])
def test_json_that_is_no_ir_is_refused(text):
    assert refusal(text) == 'this is JSON, but not a Tenon IR: it has no "tenon_ir" version.'


def test_true_is_no_version():
    assert refusal(changed(["tenon_ir"], True)) == 'this is JSON, but not a Tenon IR: it has no "tenon_ir" version.'


@pytest.mark.parametrize("version", [VERSION + 1, 999, 0])
def test_another_version_names_both(version):
    message = refusal(json.dumps({"tenon_ir": version, "name": "x", "of the future": []}))
    assert message == (
        f"this IR has version {version}, and this Tenon reads version {VERSION}. "
        "Capture the model again, or update Tenon."
    )


NODE, INPUT, WEIGHT = ["nodes", 0], ["inputs", 0], ["weights", 1]
BODY = ["subgraphs", "body"]
REFUSED = {
    "an unknown field of the graph": (
        ["colour"],
        1,
        "graph: colour is not a field of it. There are: name, dialect, symbols, inputs, weights, nodes, outputs, "
        "mutations, in_tree, out_tree, subgraphs.",
    ),
    "an unknown field of a node": (
        [*NODE, "colour"],
        1,
        "nodes[0]: colour is not a field of it. There are: op, args, outputs, source.",
    ),
    "an unknown field of a subgraph's node": (
        [*BODY, "nodes", 0, "colour"],
        1,
        "subgraphs.body.nodes[0]: colour is not a field of it. There are: op, args, outputs, source.",
    ),
    "an unknown field of a symbol": (
        ["symbols", 0, "step"],
        1,
        "symbols[0]: step is not a field of it. There are: name, low, high.",
    ),
    "a graph without a name": (["name"], ..., "graph: name is missing."),
    "a node without arguments": ([*NODE, "args"], ..., "nodes[0]: args is missing."),
    "a value without a type": (
        ["inputs", 1, "scalar"],
        ...,
        "inputs[1]: it has neither dtype and shape, nor scalar, nor const.",
    ),
    "a weight without a shape": ([*WEIGHT, "shape"], ..., "weights[1]: shape is missing."),
    "a source without a line": ([*NODE, "source", "line"], ..., "nodes[0].source: line is missing."),
    "a graph's name that is a number": (["name"], 3, "name: a string should stand here, not 3."),
    "nodes that are an object": (["nodes"], {}, "nodes: a list should stand here, not {}."),
    "a node that is a list": (["nodes", 2], [], "nodes[2]: an object should stand here, not []."),
    "an operator that is nothing": ([*NODE, "op"], None, "nodes[0].op: a string should stand here, not null."),
    "arguments that are a list": ([*NODE, "args"], [1], "nodes[0].args: an object should stand here, not [1]."),
    "a size that is a fraction": (
        [*INPUT, "shape", 1],
        1.5,
        "inputs[0].shape[1]: an integer or a string should stand here, not 1.5.",
    ),
    "a size that is true": (
        [*INPUT, "shape", 1],
        True,
        "inputs[0].shape[1]: an integer or a string should stand here, not true.",
    ),
    "a size that is no expression": (
        [*INPUT, "shape", 0],
        "2*",
        "inputs[0].shape[0]: '2*' is not a dimension: a number or a name should stand before 'its end'.",
    ),
    "a size by an unknown function": (
        [*INPUT, "shape", 0],
        "half(batch)",
        re.compile(r"inputs\[0\]\.shape\[0\]: half is not a function of dimensions\. There are: .*"),
    ),
    "a bound that is a string": (
        ["symbols", 0, "high"],
        "8",
        'symbols[0].high: an integer should stand here, not "8".',
    ),
    "a symbol that is no name": (["symbols", 0, "name"], "2s", "symbols[0].name: '2s' is not a name for a symbol."),
    "a symbol that is not ASCII": (
        ["symbols", 0, "name"],
        "é",
        "symbols[0].name: 'é' is not a name for a symbol.",
    ),
    "a symbol that is a number": (["symbols", 0, "name"], "inf", "symbols[0].name: 'inf' is not a name for a symbol."),
    "a symbol like a function": (
        ["symbols", 0, "name"],
        "max",
        "symbols[0].name: 'max' is not a name for a symbol.",
    ),
    "a flag that is a number": (
        ["weights", 0, "mutated"],
        1,
        "weights[0].mutated: true or false should stand here, not 1.",
    ),
    "a long value in the wrong place": (
        [*NODE, "op"],
        ["long"] * 20,
        'nodes[0].op: a string should stand here, not ["long", "long", "long", "long", "long", "long", "long", ....',
    ),
    "a line that is a string": (
        [*NODE, "source", "line"],
        "7",
        'nodes[0].source.line: an integer should stand here, not "7".',
    ),
    "an unknown dtype": (
        [*INPUT, "dtype"],
        "float33",
        re.compile(r"inputs\[0\]\.dtype: 'float33' is not one of uint8, int8, .*\."),
    ),
    "an unknown dtype of an argument": (
        [*NODE, "args", "all", 7],
        {"dtype": "float33"},
        re.compile(r"nodes\[0\]\.args\.all\[7\]\.dtype: 'float33' is not one of uint8, .*\."),
    ),
    "an unknown layout": (
        [*INPUT, "layout"],
        "round",
        "inputs[0].layout: 'round' is not one of strided, sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc, "
        "mkldnn, jagged.",
    ),
    "an unknown memory format": (
        ["nodes", 2, "args", "format", "memory_format"],
        "x",
        "nodes[2].args.format.memory_format: 'x' is not one of contiguous_format, channels_last, channels_last_3d, "
        "preserve_format.",
    ),
    "an unknown kind of weight": (
        [*WEIGHT, "kind"],
        "gadget",
        "weights[1].kind: 'gadget' is not one of parameter, buffer, constant.",
    ),
    "an unknown kind of scalar": (
        ["inputs", 1, "scalar"],
        "char",
        "inputs[1].scalar: 'char' is not one of int, float, bool.",
    ),
    "an unknown kind of container": (
        ["in_tree", "kind"],
        "set",
        "in_tree.kind: 'set' is not one of leaf, tuple, list, dict, ordered_dict, namedtuple, dataclass, custom.",
    ),
    "an unknown kind of argument": (
        [*NODE, "args", "self"],
        {"pointer": "x"},
        "nodes[0].args.self.pointer: 'pointer' is not one of ref, graph, op, dtype, device, layout, memory_format.",
    ),
    "an argument of two kinds": (
        [*NODE, "args", "self"],
        {"ref": "x", "op": "y"},
        'nodes[0].args.self: an object here has one key that says what it is, not {"ref": "x", "op": "y"}.',
    ),
    "an unknown float": (
        [*NODE, "args", "all", 4],
        {"float": "infinite"},
        "nodes[0].args.all[4].float: 'infinite' is not one of inf, -inf, nan.",
    ),
    "a complex number of three parts": (
        [*NODE, "args", "all", 5],
        {"complex": [1, 2, 3]},
        "nodes[0].args.all[5].complex: two numbers should stand here, not [1, 2, 3].",
    ),
    "a constant that is a list": (
        ["inputs", 2, "const"],
        [1],
        "inputs[2].const: a plain value should stand here, not [1].",
    ),
    "an order of other dimensions": (
        [*INPUT, "dim_order"],
        [1, 2],
        "inputs[0]: [1, 2] is not an order of 2 dimensions.",
    ),
    "strides of another rank": (
        [*INPUT, "strides"],
        [1],
        "inputs[0]: 1 strides for 2 dimensions.",
    ),
    "data that is no base64": (
        [*WEIGHT, "data"],
        "YW?j",
        re.compile(r"weights\[1\]\.data: this is not base64: .*\."),
    ),
    "data that breaks off": (
        [*WEIGHT, "data"],
        "YWJ",
        re.compile(r"weights\[1\]\.data: this is not base64: .*\."),
    ),
    "data that is not ASCII": (
        [*WEIGHT, "data"],
        "YWé=",
        re.compile(r"weights\[1\]\.data: this is not base64: .*\."),
    ),
    "data that is a number": ([*WEIGHT, "data"], 5, "weights[1].data: a string should stand here, not 5."),
    "keys for other children": (
        ["in_tree", "children", 1, "keys"],
        ["n"],
        re.compile(r"in_tree\.children\[1\].*\b1 keys?\b.*"),
    ),
    "a leaf of another name": (
        ["in_tree", "children", 0],
        "branch",
        'in_tree.children[0]: an object should stand here, not "branch".',
    ),
    "a subgraph that is a list": ([*BODY], [], "subgraphs.body: an object should stand here, not []."),
    # What `check` finds.
    "data of the wrong size": (
        [*WEIGHT, "data"],
        "YWJjZA==",
        "the graph small is not sound: 1 fault.\n  %c: 4 bytes of data for a tensor of 3 bytes",
    ),
    "an undefined reference": (
        [*NODE, "args", "self", "ref"],
        "y",
        "the graph small is not sound: 1 fault.\n  %0 aten::op.out: uses %y, which is not defined before it",
    ),
    "an undefined reference in a subgraph": (
        [*BODY, "outputs", 0, "ref"],
        "x",
        "the graph small is not sound: 1 fault.\n  body: return: %x is not defined",
    ),
    "a name defined twice": (
        ["inputs", 1, "name"],
        "2",
        "the graph small is not sound: 1 fault.\n  %2: defined 2 times",
    ),
    "a missing subgraph": (
        ["nodes", 1, "args", "f", "graph"],
        "head",
        "the graph small is not sound: 1 fault.\n  %1 higher_order::go: there is no subgraph head",
    ),
    "a subgraph of another name": (
        [*BODY, "name"],
        "head",
        "the graph small is not sound: 1 fault.\n  the subgraph body calls itself head",
    ),
    "an undeclared symbol": (
        ["inputs", 1, "expr"],
        "depth",
        "the graph small is not sound: 1 fault.\n  %n: the symbol depth is not declared",
    ),
    "a number of more than 64 bits": (
        [*NODE, "args", "all", 2],
        2**64,
        "nodes[0].args.all[2]: 18446744073709551616 does not fit 64 bits.",
    ),
    "a structure with too few leaves": (
        ["out_tree", "children", 1, "children"],
        ["leaf"],
        "the graph small is not sound: 1 fault.\n  the output structure has 2 leaves for 3 outputs",
    ),
    "a structure with too many leaves": (
        ["in_tree", "children", 0, "children"],
        ["leaf", "leaf"],
        "the graph small is not sound: 1 fault.\n  the input structure has 4 leaves for 3 inputs",
    ),
}


@pytest.mark.parametrize(("path", "value", "message"), REFUSED.values(), ids=REFUSED)
def test_a_fault_is_refused_with_its_place(path, value, message):
    found = refusal(changed(path, value))
    if isinstance(message, str):
        assert found == message
    else:
        assert message.fullmatch(found)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["in_tree", "children", 1, "keys"], [["n"], 1]),
        (["in_tree", "children", 1, "keys"], [{"n": 1}, 1]),
        (["in_tree", "children", 1, "keys"], ["n", "n"]),
        (["out_tree", "keys"], [1, 2]),
        (["out_tree", "children", 0], {"kind": "leaf", "children": ["leaf", "leaf"]}),
        (["in_tree", "children", 0, "keys"], ["x"]),
    ],
    ids=[
        "a list as a key",
        "an object as a key",
        "a key twice",
        "numbers as names of fields",
        "a leaf with children",
        "a tuple with keys",
    ],
)
def test_a_structure_that_no_value_has_is_refused(path, value):
    assert re.search("in_tree|out_tree|put structure", refusal(changed(path, value)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["inputs", 1, "dtype"], "float32"),
        (["inputs", 2, "scalar"], "int"),
        (["inputs", 0, "expr"], "batch"),
        (["weights", 1, "const"], 1),
    ],
    ids=["a number with a dtype", "a constant that is a number", "a tensor with a value", "a weight that is constant"],
)
def test_a_value_of_two_types_is_refused(path, value):
    assert refusal(changed(path, value)).startswith(f"{path[0]}[{path[1]}]")


def test_a_field_that_stands_twice_is_refused():
    assert refusal(TEXT.replace('"name": "small"', '"name": "large", "name": "small"'))


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_the_remedy_for_a_bare_constant_works(constant):
    text = TEXT.replace("0.5", constant)
    message = refusal(text)
    assert message.startswith(f"{constant} is not JSON. Write ")
    remedy = re.search(r"Write (\{.*\}) for such a number\.", message)[1]
    from_json(TEXT.replace("0.5", remedy))


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        TEXT.replace('{"float": "-inf"}', "[" * 3000 + "]" * 3000),
        TEXT.replace('"2*batch + 1"', '"' + "max(1, " * 3000 + "batch" + ")" * 3000 + '"'),
    ],
    ids=["lists", "objects", "argument", "dimension"],
)
def test_bottomless_nesting_is_refused(text):
    assert "nested too deeply" in refusal(text)


EMPTY = '{"kind": "tuple", "children": []}'


def nested(depth):
    """A graph whose structure and subgraphs are so deep."""
    bodies, tree = "", '{"kind": "list", "children": [' * depth + "]}" * depth
    for _ in range(depth):
        body = f'"name": "a", "dialect": "aten", "in_tree": {EMPTY}, "out_tree": {EMPTY}{bodies}'
        bodies = f', "subgraphs": {{"a": {{{body}}}}}'
    inputs = f'{{"kind": "tuple", "children": [{EMPTY}, {{"kind": "dict", "children": []}}]}}'
    return f'{{"tenon_ir": {VERSION}, "name": "a", "dialect": "aten", "in_tree": {inputs}, "out_tree": {tree}{bodies}}}'


def test_nesting_of_any_depth_gives_a_graph_or_a_refusal():
    from_json(nested(3))
    with shallow_stack():
        found = breaking(((depth, nested(depth)) for depth in range(4, 160, 2)), from_json)
    assert found == []


@pytest.mark.parametrize(
    "text",
    [TEXT.replace("[3]", f"[{'9' * 5000}]"), TEXT.replace("floordiv(batch, 2)", "9" * 5000)],
    ids=["number", "dimension"],
)
def test_a_number_beyond_all_measure_is_refused(text):
    assert refusal(text)


# --- files -----------------------------------------------------------------------------------------------


def test_a_saved_graph_is_loaded_as_it_was(tmp_path):
    path = tmp_path / "small.json"
    save_ir(SMALL, path)
    assert load_ir(path) == SMALL
    SMALL.save(str(path))
    assert load_ir(str(path)) == SMALL
    assert path.read_text() == TEXT


def test_a_missing_file_is_named(tmp_path):
    path = tmp_path / "none.json"
    with pytest.raises(Invalid) as error:
        load_ir(path)
    assert str(error.value) == f"{path}: cannot be read: No such file or directory."


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(Invalid) as error:
        load_ir(tmp_path)
    assert str(error.value) == f"{tmp_path}: cannot be read: Is a directory."


def test_binary_rubbish_is_refused_with_the_file(tmp_path):
    path = tmp_path / "rubbish.json"
    path.write_bytes(b"PK\x03\x04\xff\xfe\x00\x01")
    with pytest.raises(Invalid) as error:
        load_ir(path)
    assert str(error.value) == f"{path}: is not a Tenon IR file: byte 4 is not UTF-8."


@pytest.mark.parametrize("data", [b"", b"\0" * 9, b"7f454c46", b"\xef\xbb\xbf{}"])
def test_other_rubbish_is_refused_with_the_file(tmp_path, data):
    path = tmp_path / "rubbish.json"
    path.write_bytes(data)
    with pytest.raises(Invalid, match=f"^{re.escape(str(path))}: "):
        load_ir(path)


def test_a_fault_in_a_file_is_told_with_the_file(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(changed(["name"], 3))
    with pytest.raises(Invalid) as error:
        load_ir(path)
    assert str(error.value) == f"{path}: name: a string should stand here, not 3."


def test_saving_into_a_missing_folder_says_so(tmp_path):
    path = tmp_path / "none" / "small.json"
    with pytest.raises(Invalid) as error:
        save_ir(SMALL, path)
    assert str(error.value) == f"{path}: the folder {path.parent} does not exist. Make it first."


def test_saving_is_whole_or_nothing(tmp_path, monkeypatch):
    path = tmp_path / "small.json"
    save_ir(ONE, path)

    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(Invalid) as error:
        save_ir(SMALL, path)
    assert str(error.value) == f"{path}: cannot be written: No space left on device. Nothing was changed."
    assert load_ir(path) == ONE
    assert os.listdir(tmp_path) == ["small.json"]
