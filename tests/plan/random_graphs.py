"""Random graphs to plan: pointwise chains, views, products, branches and loops, over fixed and varying sizes."""

from functools import reduce
from operator import mul

from hypothesis import strategies as st

from tenon.ir.dims import Symbol, symbol
from tenon.ir.graph import Graph, GraphRef, Mutation, OpNode, Ref, Value, Weight
from tenon.ir.tree import Tree, flat_tree
from tenon.ir.types import DTYPE, ScalarMeta, TensorMeta

ROWS, LARGEST = symbol("rows"), 5
UNARY = ["aten::neg", "aten::tanh", "aten::sigmoid", "aten::relu", "aten::abs"]
BINARY = ["aten::add.Tensor", "aten::maximum", "aten::sub.Tensor"]
COUNT = TensorMeta(DTYPE["int64"], ())


def f32(*shape):
    return TensorMeta(DTYPE["float32"], shape)


class Body:
    """The nodes of one graph, drawn one by one; `values` are the tensors it may use."""

    def __init__(self, draw, name, inputs, weights=(), depth=2):
        self.draw = draw
        self.name = name
        self.inputs = inputs
        self.weights = weights
        self.depth = depth
        self.nodes = []
        self.subgraphs = {}
        self.values = {
            v.name: v.type for v in (*inputs, *weights) if isinstance(v.type, TensorMeta) and v.type != COUNT
        }
        self.rows = next((v.name for v in inputs if isinstance(v.type, ScalarMeta)), None)
        self.made = []

    def one_of(self, options):
        return self.draw(st.sampled_from(list(options)))

    def add(self, op, type_, /, **args):
        name = f"v{len(self.nodes)}"
        self.nodes.append(OpNode(op, args, (Value(name, type_),)))
        if isinstance(type_, TensorMeta) and type_.dtype is DTYPE["float32"]:
            self.values[name] = type_
            self.made.append(name)
        return name

    def of_type(self, type_, fresh=True, but=()):
        """A value of this type, made if there is none."""
        names = [name for name in (self.made if fresh else self.values) if self.values[name] == type_]
        names = [name for name in names if name not in but]
        if names:
            return self.one_of(names)
        known = next(name for name, held in self.values.items() if held == type_)
        return self.add(self.one_of(UNARY), type_, self=Ref(known))

    def grow(self, most):
        kinds = [self.unary, self.unary, self.binary, self.binary, self.view, self.view, self.permute, self.cat]
        kinds += [self.sum, self.mm, self.split, self.part, self.cat]
        if self.depth:
            kinds += [self.cond, self.while_loop, self.scan, self.map]
        for _ in range(self.draw(st.integers(1, most))):
            self.one_of(kinds)()
        return self

    def graph(self, outputs, dialect="aten", **more):
        return Graph(
            self.name,
            dialect,
            inputs=tuple(self.inputs),
            weights=tuple(self.weights),
            nodes=tuple(self.nodes),
            outputs=tuple(map(Ref, outputs)),
            out_tree=flat_tree(len(outputs)),
            subgraphs=self.subgraphs,
            **({"in_tree": flat_tree(len(self.inputs))} | more),
        )

    # --- operators ------------------------------------------------------------------------------------------

    def unary(self):
        name = self.one_of(self.values)
        self.add(self.one_of(UNARY), self.values[name], self=Ref(name))

    def binary(self):
        name = self.one_of(self.values)
        type_ = self.values[name]
        smaller = [other for other, held in self.values.items() if held.shape in (type_.shape, type_.shape[-1:], ())]
        self.add(self.one_of(BINARY), type_, self=Ref(name), other=Ref(self.one_of(smaller)))

    def size(self, dim):
        """A size as an argument: a number, or rows times one."""
        if isinstance(dim, int):
            return dim
        if self.rows is None:
            held = next(name for name, type_ in self.values.items() if type_.shape[:1] == (ROWS,))
            self.rows = self.add("aten::sym_size.int", ScalarMeta("int", ROWS), self=Ref(held), dim=0)
        if dim == ROWS:
            return Ref(self.rows)
        times = next(k for k in range(2, 999) if k * ROWS == dim)
        return Ref(self.add("sym::mul", ScalarMeta("int", dim), a=Ref(self.rows), b=times))

    def view(self):
        name = self.one_of(self.values)
        shape = self.values[name].shape
        options = [(reduce(mul, shape, 1),), (1, *shape)]
        if len(shape) > 1:
            options.append((shape[0] * shape[1], *shape[2:]))
        if shape and shape[-1] in (4, 6):
            options += [(*shape[:-1], shape[-1] // 2, 2), (*shape[:-1], 2, shape[-1] // 2)]
        varies = any(not isinstance(dim, int) for dim in shape)
        if varies and self.rows is None and not any(t.shape[:1] == (ROWS,) for t in self.values.values()):
            return
        after = self.one_of(options)
        self.add("aten::view_copy", f32(*after), self=Ref(name), size=tuple(self.size(dim) for dim in after))

    def permute(self):
        name = self.one_of(self.values)
        shape = self.values[name].shape
        dims = self.draw(st.permutations(range(len(shape))))
        self.add("aten::permute_copy", f32(*(shape[dim] for dim in dims)), self=Ref(name), dims=tuple(dims))

    def cat(self):
        name = self.one_of(self.values)
        shape = self.values[name].shape
        if shape:
            other = self.one_of(other for other, held in self.values.items() if held.shape == shape)
            dim = self.one_of([0, len(shape) - 1])
            joined = (*shape[:dim], 2 * shape[dim], *shape[dim + 1 :])
            self.add("aten::cat", f32(*joined), tensors=(Ref(name), Ref(other)), dim=dim)

    def sum(self):
        name = self.one_of(self.values)
        shape = self.values[name].shape
        if shape:
            self.add("aten::sum.dim_IntList", f32(*shape[:-1], 1), self=Ref(name), dim=(len(shape) - 1,), keepdim=True)

    def mm(self):
        pairs = [
            (a, b)
            for a, left in self.values.items()
            for b, right in self.values.items()
            if len(left.shape) == len(right.shape) == 2 and left.shape[1] == right.shape[0]
        ]
        if pairs:
            a, b = self.one_of(pairs)
            shape = self.values[a].shape[0], self.values[b].shape[1]
            self.add("aten::mm", f32(*shape), self=Ref(a), mat2=Ref(b))

    def split(self):
        """Two results of one operator."""
        dim = self.one_of([0, -1])
        names = [name for name, held in self.values.items() if held.shape and held.shape[dim] in (2, 4, 6)]
        if not names:
            return
        name = self.one_of(names)
        shape = self.values[name].shape
        dim %= len(shape)
        values = tuple(
            Value(f"v{len(self.nodes)}{end}", f32(*shape[:dim], size, *shape[dim + 1 :]))
            for end, size in (("a", 1), ("b", shape[dim] - 1))
        )
        args = {"self": Ref(name), "split_sizes": (1, shape[dim] - 1), "dim": dim}
        self.nodes.append(OpNode("aten::split_with_sizes_copy", args, values))
        self.note(values)

    def part(self):
        """Some rows, or one."""
        names = [name for name, held in self.values.items() if held.shape and held.shape[0] in (2, 3, 4, 6)]
        if not names:
            return
        name = self.one_of(names)
        first, *inner = self.values[name].shape
        start = self.draw(st.integers(0, first - 1))
        if self.draw(st.booleans()):
            self.add("aten::select_copy.int", f32(*inner), self=Ref(name), dim=0, index=start - first)
        else:
            end = self.draw(st.integers(start + 1, first))
            self.add("aten::slice_copy.Tensor", f32(end - start, *inner), self=Ref(name), dim=0, start=start, end=end)

    def note(self, values):
        for value in values:
            if value.type != COUNT:
                self.values[value.name] = value.type
                self.made.append(value.name)

    # --- branches and loops ---------------------------------------------------------------------------------

    def some(self, most=3):
        """A few values to hand to a body."""
        return self.draw(st.lists(st.sampled_from(list(self.values)), min_size=1, max_size=most, unique=True))

    def body(self, kind, types, numbers=()):
        """A body with these inputs, grown; behind its name is how many there are."""
        inputs = [Value(f"a{i}", type_) for i, type_ in enumerate((*types, *numbers))]
        body = Body(self.draw, f"{kind}{len(self.subgraphs)}", inputs, depth=self.depth - 1)
        self.subgraphs[body.name] = None  # takes the name
        return body

    def call(self, op, types, /, **args):
        values = tuple(Value(f"v{len(self.nodes)}{chr(97 + i)}", type_) for i, type_ in enumerate(types))
        self.nodes.append(OpNode(op, args, values))
        self.note(values)

    def finish(self, body, types):
        """The reference to a grown body that gives results of these types."""
        outputs = []
        for type_ in types:  # torch lets no two of them be the same
            outputs.append(body.of_type(type_, but=outputs))
        self.subgraphs[body.name] = body.graph(outputs)
        return GraphRef(body.name)

    def cond(self):
        names = self.some()
        types = [self.values[name] for name in names]
        given = (*map(Ref, names), *([Ref(self.rows)] if self.rows else []))
        numbers = [ScalarMeta("int", ROWS)] if self.rows else []
        results = [self.one_of(types) for _ in range(self.draw(st.integers(1, 2)))]
        total = self.add("aten::sum", f32(), self=Ref(names[0]))
        test = self.add("aten::gt.Scalar", TensorMeta(DTYPE["bool"], ()), self=Ref(total), other=0)
        yes, no = (self.finish(self.body(which, types, numbers).grow(4), results) for which in ("yes", "no"))
        self.call("higher_order::cond", results, pred=Ref(test), true_fn=yes, false_fn=no, operands=given)

    def while_loop(self):
        carried, given = self.some(2), self.some(1)
        types = [self.values[name] for name in carried]
        inputs = (COUNT, *types, self.values[given[0]])
        zero = self.add("aten::full", COUNT, size=(), fill_value=0, dtype=DTYPE["int64"])
        test = self.body("test", inputs)
        more = test.add(
            "aten::lt.Scalar", TensorMeta(DTYPE["bool"], ()), self=Ref("a0"), other=self.draw(st.integers(0, 3))
        )
        self.subgraphs[test.name] = test.graph([more])
        turn = self.body("turn", inputs).grow(4)
        count = turn.add("aten::add.Scalar", COUNT, self=Ref("a0"), other=1)
        outputs = [count, *(turn.of_type(type_, fresh=self.draw(st.booleans())) for type_ in types)]
        self.subgraphs[turn.name] = turn.graph(outputs)
        self.call(
            "higher_order::while_loop",
            [COUNT, *types],
            cond_fn=GraphRef(test.name),
            body_fn=GraphRef(turn.name),
            carried_inputs=(Ref(zero), *map(Ref, carried)),
            additional_inputs=(Ref(given[0]),),
        )

    def scan(self):
        rows = self.stacked()
        if rows is None:
            return
        (first,), (more,), count, row = self.some(1), self.some(1), self.values[rows].shape[0], self.row(rows)
        types = [self.values[first], row, self.values[more]]
        body = self.finish(self.body("combine", types).grow(4), [types[0], row])
        parts = {"init": (Ref(first),), "xs": (Ref(rows),), "additional_inputs": (Ref(more),)}
        self.call("higher_order::scan", [types[0], f32(count, *row.shape)], combine_fn=body, **parts)

    def map(self):
        rows = self.stacked()
        if rows is None:
            return
        (more,), count, row = self.some(1), self.values[rows].shape[0], self.row(rows)
        body = self.finish(self.body("each", [row, self.values[more]]).grow(4), [row])
        self.call("higher_order::map_impl", [f32(count, *row.shape)], f=body, xs=(Ref(rows),), pos_args=(Ref(more),))

    def stacked(self):
        names = [name for name, held in self.values.items() if held.shape]
        return self.one_of(names) if names else None

    def row(self, name):
        return f32(*self.values[name].shape[1:])


@st.composite
def planned_graphs(draw, varying):
    """A graph of the ATen dialect; with `varying` sizes, its first input has so many rows."""
    first = ROWS if varying else draw(st.integers(0, 3))
    inputs = [Value("x", f32(first, 4)), Value("y", f32(4, 4)), Value("z", f32(draw(st.sampled_from([1, 4, 6]))))]
    weights = [
        Weight("w", "parameter", f32(4, 6)),
        Weight("s", "buffer", f32(4, 4), mutated=True),
        Weight("t", "buffer", f32(6), mutated=True),
    ]
    body = Body(draw, "net", inputs, weights).grow(14)
    writes = [Mutation(w.name, Ref(body.of_type(w.type))) for w in weights[1:] if draw(st.booleans())]
    if not body.made:
        body.unary()
    outputs = draw(st.lists(st.sampled_from(body.made), min_size=1, max_size=3))
    return body.graph(
        outputs,
        symbols=(Symbol("rows", 1, LARGEST),) if varying else (),
        mutations=tuple(writes),
        in_tree=Tree("tuple", (flat_tree(len(inputs)), Tree("dict"))),
    )
