"""Graphs to test with: random sound ones, and one small graph that has something of everything."""

import math
from dataclasses import replace
from functools import cache

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from tenon.ir.dims import Symbol, call, symbol, symbols_of
from tenon.ir.graph import (
    WEIGHT_KINDS,
    Device,
    Graph,
    GraphRef,
    Layout,
    MemoryFormat,
    Mutation,
    OpNode,
    OpRef,
    Ref,
    Source,
    Value,
    Weight,
)
from tenon.ir.tree import LEAF, Tree, flat_tree
from tenon.ir.types import DTYPE, DTYPES, LAYOUTS, MEMORY_FORMATS, SCALAR_KINDS, ConstMeta, ScalarMeta, TensorMeta
from tenon.ir.verify import dims_of

bounded = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# For graphs: to shrink one that fails takes minutes, and the message says enough.
quick = settings(bounded, phases=[Phase.explicit, Phase.generate], report_multiple_bugs=False)

ODD_NAMES = ["x", "0", "1e5", "layers.0.weight", "two words", 'quo"te', "back\\slash", "naïve", "数", "new\nline", ""]
ODD_NAMES += ["%", "//", "// a:1 in b", "tab\t", "inf", "nan", "inf.x", "nan.0", "None", "return", "graph", "{", "#;"]
SYMBOL_NAMES = ["batch", "s0", "u1", "_", "T", "in", "int", "infinity", "e5"]
FIELD_NAMES = ("logits", "hidden_states", "x", "y", "self")
OPS = ["aten::add.Tensor", "aten::relu", "higher_order::cond", "sym::floordiv", "my_ops::mul3.out", "aten::__or__.int"]
ARG_NAMES = ["self", "other", "dim", "from", "in", "graph", "return", "write", "mat1"]
FILES = ["model.py", "dir with space/m.py", "C:\\x\\y.py", "数.py", "a [b].py", "a:1 in b.py"]
FUNCTIONS = ["forward", "Model.forward", "<lambda>", "f.<locals>.g", "[f]", "ü"]
MODULES = ["", "encoder.layers.0", "odd [name]", 'q"', "two words", "L['self'].x", "数"]

names = st.sampled_from(ODD_NAMES) | st.text(max_size=6)
floats = st.floats().map(lambda f: math.nan if math.isnan(f) else f)  # one nan, so that graphs with it compare equal
integers = st.integers(-(2**63), 2**63 - 1)
plain = st.none() | st.booleans() | integers | floats | st.text(max_size=6)
tree_keys = st.none() | st.booleans() | integers | st.floats(allow_nan=False, allow_infinity=False) | names


def dims(symbols, leaves=4):
    """Expressions over these symbols; a divisor is never zero."""
    atoms = st.integers(-3, 9) | st.sampled_from([symbol(name) for name in symbols] or [2])

    def bigger(inner):
        two = st.tuples(inner, inner)
        return (
            two.map(lambda p: p[0] + p[1])
            | two.map(lambda p: p[0] - p[1])
            | two.map(lambda p: p[0] * p[1])
            | st.tuples(st.sampled_from(["max", "min", "eq", "lt"]), two).map(lambda p: call(p[0], *p[1]))
            | st.tuples(st.sampled_from(["floordiv", "ceildiv", "mod"]), inner, st.integers(1, 7)).map(
                lambda p: call(*p)
            )
            | st.tuples(inner, st.integers(1, 7)).map(lambda p: call("floor", call("truediv", *p)))
            | st.tuples(two, inner).map(lambda p: call("where", *p[0], p[1]))
        )

    return st.recursive(atoms, bigger, max_leaves=leaves)


DIMS = dims(SYMBOL_NAMES)
SIZES = DIMS.map(lambda dim: abs(dim) if isinstance(dim, int) else dim)


@st.composite
def _tensors(draw):
    shape = tuple(draw(st.lists(SIZES, max_size=3)))
    order = tuple(draw(st.permutations(range(len(shape)))))
    strides = draw(st.none() | st.tuples(*[DIMS] * len(shape)))
    device = draw(st.sampled_from(["cpu", "cpu", "cuda:0", "", 'odd "device"']))
    return TensorMeta(draw(st.sampled_from(DTYPES)), shape, order, strides, device, draw(st.sampled_from(LAYOUTS)))


TENSORS = _tensors()
TYPES = TENSORS | st.builds(ScalarMeta, st.sampled_from(SCALAR_KINDS), st.none() | DIMS) | st.builds(ConstMeta, plain)

# A use is drawn as a number; `resolved` makes it a use of what is there.
USES = st.integers(0, 9).map(Ref)
OUTPUTS = USES | plain
ARGS = st.recursive(
    st.one_of(
        USES,
        plain,
        st.complex_numbers(allow_nan=False),
        st.sampled_from(DTYPES),
        st.builds(Device, names),
        st.sampled_from(LAYOUTS).map(Layout),
        st.sampled_from(MEMORY_FORMATS).map(MemoryFormat),
        st.sampled_from(OPS).map(OpRef),
        st.integers(0, 9).map(GraphRef),
    ),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(names, inner, max_size=2),
    max_leaves=4,
)


def resolved(arg, values, subgraphs=()):
    """The argument with names for the numbers drawn, and None where nothing can be named."""
    if isinstance(arg, tuple):
        return tuple(resolved(part, values, subgraphs) for part in arg)
    if isinstance(arg, dict):
        return {key: resolved(part, values, subgraphs) for key, part in arg.items()}
    if not isinstance(arg, (Ref, GraphRef)):
        return arg
    known = values if isinstance(arg, Ref) else subgraphs
    return type(arg)(known[arg.name % len(known)]) if known else None


ALL_KINDS = ("tuple", "list", "dict", "ordered_dict", "namedtuple", "dataclass", "custom")


@cache
def trees(leaves, kinds=ALL_KINDS, depth=2):
    """Structures with so many leaves, empty containers among them."""
    containers = st.sampled_from(kinds).flatmap(lambda kind: _containers(kind, leaves, kinds, depth))
    return st.just(LEAF) | containers if leaves == 1 else containers


@st.composite
def _containers(draw, kind, leaves, kinds=ALL_KINDS, depth=2):
    children = (LEAF,) * leaves
    if depth:
        cuts = sorted(draw(st.lists(st.integers(0, leaves), max_size=2)))
        sizes = [b - a for a, b in zip([0, *cuts], [*cuts, leaves], strict=True)]
        children = tuple(draw(trees(size, kinds, depth - 1)) for size in sizes)
    if kind in ("tuple", "list"):
        return Tree(kind, children)
    if kind in ("dict", "ordered_dict"):
        keys = st.lists(tree_keys, min_size=len(children), max_size=len(children), unique=True)
        return Tree(kind, children, tuple(draw(keys)))
    type_ = draw(st.sampled_from(["models.output:Output", "a.b:Outer.Inner", "数:Ü"]))
    if kind == "custom":
        return Tree(kind, children, (), type_, draw(st.sampled_from(["null", '{"a": [1, "b"]}', '"数"'])))
    return Tree(kind, children, FIELD_NAMES[: len(children)], type_, draw(st.sampled_from(["", "loss", "loss state"])))


@st.composite
def _calls(draw, leaves):
    """The structure of a model's inputs: positional ones, and those by name."""
    positional = draw(st.integers(0, leaves))
    return Tree("tuple", (draw(_containers("tuple", positional)), draw(_containers("dict", leaves - positional))))


@st.composite
def _weights(draw, name, aliases):
    kind, persistent, mutated = draw(st.sampled_from(WEIGHT_KINDS)), draw(st.booleans()), draw(st.booleans())
    if draw(st.booleans()):
        return Weight(name, kind, draw(TENSORS), aliases, persistent, mutated)
    type_ = TensorMeta(draw(st.sampled_from(DTYPES)), tuple(draw(st.lists(st.integers(0, 3), max_size=2))))
    data = draw(st.binary(min_size=type_.bytes, max_size=type_.bytes))
    return Weight(name, kind, type_, aliases, persistent, mutated, data)


SOURCES = st.none() | st.builds(
    Source, st.sampled_from(FILES), st.integers(1, 999), st.sampled_from(FUNCTIONS), st.sampled_from(MODULES)
)
NAME_LISTS = st.lists(names, min_size=12, max_size=12, unique=True)
UP_TO_2 = st.integers(0, 2)


@st.composite
def _bodies(draw, name, dialect, depth, weights=(), free=None):
    """A graph of these weights, or of none, that writes nothing."""
    inner = sorted(draw(st.lists(names, max_size=depth, unique=True))) if depth else []
    free = draw(NAME_LISTS) if free is None else free
    inputs = tuple(Value(free.pop(), draw(TYPES)) for _ in range(draw(UP_TO_2)))
    known, nodes = [value.name for value in (*inputs, *weights)], []
    for _ in range(draw(UP_TO_2)):
        arguments = draw(st.dictionaries(st.sampled_from(ARG_NAMES), ARGS, max_size=3))
        outputs = tuple(Value(free.pop(), draw(TYPES)) for _ in range(draw(UP_TO_2)))
        nodes.append(OpNode(draw(st.sampled_from(OPS)), resolved(arguments, known, inner), outputs, draw(SOURCES)))
        known += [value.name for value in outputs]
    outputs = tuple(resolved(arg, known) for arg in draw(st.lists(OUTPUTS, max_size=3)))
    return Graph(
        name,
        dialect,
        inputs=inputs,
        weights=weights,
        nodes=tuple(nodes),
        outputs=outputs,
        in_tree=draw(trees(len(inputs))),
        out_tree=draw(trees(len(outputs))),
        subgraphs={key: draw(_bodies(key, dialect, depth - 1)) for key in inner},
    )


def _symbols_in(graph):
    found = {name for type_ in graph.types.values() for dim in dims_of(type_) for name in symbols_of(dim)}
    return found.union(*map(_symbols_in, graph.subgraphs.values()))


@st.composite
def _symbols(draw, name):
    low = draw(st.none() | st.integers(-2, 4))
    return Symbol(name, low, draw(st.none() | st.integers(low or 0, 99)))


@st.composite
def graphs(draw):
    """Any graph that `check` lets pass: subgraphs, weights and arguments of every kind, odd names."""
    free, weights = draw(NAME_LISTS), []
    for _ in range(draw(UP_TO_2)):
        aliases = tuple(free.pop() for _ in range(draw(UP_TO_2)))
        weights.append(draw(_weights(free.pop(), aliases)))
    graph = draw(_bodies(draw(names), draw(st.sampled_from(["captured", "aten", "edge"])), 2, tuple(weights), free))
    targets = [value.name for value in (*graph.inputs, *(w for w in graph.weights if w.mutated))]
    writes = draw(st.lists(st.tuples(USES, USES), max_size=2)) if targets else []
    named = {*_symbols_in(graph), *draw(st.lists(st.sampled_from(SYMBOL_NAMES), max_size=2))}
    return replace(
        graph,
        symbols=tuple(draw(_symbols(name)) for name in sorted(named)),
        mutations=tuple(Mutation(resolved(to, targets).name, resolved(of, list(graph.types))) for to, of in writes),
        in_tree=draw(_calls(len(graph.inputs))),
    )


def call_tree(inputs):
    """The structure of a call with so many positional inputs."""
    return Tree("tuple", (flat_tree(inputs), Tree("dict")))


def small_graph():
    """Something of everything, short enough to damage at every place."""
    batch, f32 = symbol("batch"), DTYPE["float32"]
    wide = TensorMeta(f32, (batch, 4))
    body = Graph(
        "body",
        inputs=(Value("a", wide),),
        nodes=(OpNode("aten::neg", {"self": Ref("a")}, (Value("0", wide),)),),
        outputs=(Ref("0"),),
        in_tree=Tree("tuple", (LEAF,)),
        out_tree=Tree("tuple", (LEAF,)),
    )
    every_kind = (None, True, -1, 0.5, -math.inf, 1 - 2j, 'q"', f32, Device("cpu"), Layout("strided"))
    cond = {"f": GraphRef("body"), "xs": (Ref("0"), Ref("a b")), "op": OpRef("aten::add.Tensor"), "options": {"k": 1}}
    return Graph(
        "small",
        symbols=(Symbol("batch", 1, 8), Symbol("s0", 0, None)),
        inputs=(
            Value("x", TensorMeta(f32, (call("floordiv", batch, 2), 2 * batch + 1), (1, 0))),
            Value("n", ScalarMeta("int", batch)),
            Value("k", ConstMeta("k")),
        ),
        weights=(
            Weight("a b", "parameter", TensorMeta(f32, (2,), strides=(2,)), aliases=("tied",), mutated=True),
            Weight("c", "constant", TensorMeta(DTYPE["int8"], (3,)), persistent=False, data=b"abc"),
        ),
        nodes=(
            OpNode(
                "aten::op.out", {"self": Ref("x"), "all": every_kind}, (Value("0", wide),), Source("m.py", 7, "f", "m")
            ),
            OpNode("higher_order::go", cond, (Value("1", wide), Value("2", ScalarMeta("bool")))),
            OpNode("aten::check", {"format": MemoryFormat("channels_last")}),
        ),
        outputs=(Ref("1"), None, Ref("2")),
        mutations=(Mutation("a b", Ref("0")),),
        in_tree=Tree("tuple", (Tree("tuple", (LEAF,)), Tree("dict", (LEAF, LEAF), ("n", 1)))),
        out_tree=Tree("dataclass", (LEAF, Tree("list", (LEAF, LEAF))), ("y", "z"), "m:Out", "loss"),
        subgraphs={"body": body},
    )
