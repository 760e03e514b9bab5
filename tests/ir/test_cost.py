"""What graphs cost: flops as torch counts them, parameters and bytes as they are, live values at their peak."""

from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

import tenon
from tenon.ir.cost import OpCost, cost, node_flops
from tenon.ir.dims import Symbol, symbol
from tenon.ir.graph import Graph, Mutation, OpNode, Ref, Value, Weight
from tenon.ir.tree import flat_tree
from tenon.ir.types import DTYPE, ConstMeta, ScalarMeta, TensorMeta

F32, I64 = DTYPE["float32"], DTYPE["int64"]


class Call(torch.nn.Module):
    """A function as a module."""

    def __init__(self, function, **options):
        super().__init__()
        self.function, self.options = function, options

    def forward(self, *args):
        return self.function(*args, **self.options)


def r(*shape):
    return torch.randn(shape)


attention = F.scaled_dot_product_attention
PRODUCTS = {
    "mm": (Call(torch.mm), (r(2, 3), r(3, 4))),
    "mm of nothing": (Call(torch.mm), (r(2, 0), r(0, 4))),
    "addmm": (Call(torch.addmm, beta=0.5), (r(4), r(2, 3), r(3, 4))),
    "bmm": (Call(torch.bmm), (r(5, 2, 3), r(5, 3, 4))),
    "baddbmm": (Call(torch.baddbmm), (r(5, 2, 4), r(5, 2, 3), r(5, 3, 4))),
    "matmul that broadcasts": (Call(torch.matmul), (r(5, 1, 2, 3), r(7, 3, 4))),
    "linear": (torch.nn.Linear(3, 4), (r(2, 5, 3),)),
    "linear without bias": (torch.nn.Linear(3, 4, bias=False), (r(2, 3),)),
    "conv1d": (torch.nn.Conv1d(3, 4, 3), (r(2, 3, 8),)),
    "conv2d": (torch.nn.Conv2d(3, 4, (3, 2), stride=2, padding=1), (r(2, 3, 8, 9),)),
    "conv2d in groups": (torch.nn.Conv2d(4, 6, 3, groups=2, dilation=2), (r(1, 4, 8, 8),)),
    "conv2d padded to the same": (torch.nn.Conv2d(3, 4, 3, padding="same"), (r(1, 3, 6, 6),)),
    "conv3d": (torch.nn.Conv3d(2, 3, 2), (r(1, 2, 4, 4, 4),)),
    "conv_transpose2d": (torch.nn.ConvTranspose2d(4, 6, 3, stride=2, groups=2), (r(1, 4, 5, 5),)),
    "attention": (Call(attention), (r(2, 3, 5, 4), r(2, 3, 7, 4), r(2, 3, 7, 4))),
    "attention of other values": (Call(attention), (r(2, 3, 5, 4), r(2, 3, 7, 4), r(2, 3, 7, 6))),
    "attention in groups": (Call(attention, enable_gqa=True), (r(2, 4, 5, 4), r(2, 2, 7, 4), r(2, 2, 7, 4))),
    "nothing that counts": (Call(lambda x: x.relu().sum()), (r(2, 3),)),
}


def counted(module, args):
    """torch's own count; in plain attention the products are there to be counted."""
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        module(*args)
    return counter.get_total_flops()


@pytest.mark.parametrize(("module", "args"), PRODUCTS.values(), ids=PRODUCTS)
def test_flops_are_those_torch_counts(module, args):
    expected = counted(module, args)
    assert cost(tenon.extract_ir(module, args)).flops == expected
    assert cost(tenon.capture(module, args)).flops == expected


@pytest.mark.parametrize(
    ("function", "args", "flops"),
    [
        (torch.mv, (r(2, 3), r(3)), 12),
        (torch.dot, (r(3), r(3)), 6),
        (torch.addmv, (r(2), r(2, 3), r(3)), 12),
        (torch.matmul, (r(3), r(3, 4)), 24),
    ],
)
def test_products_with_a_vector_count_as_well(function, args, flops):
    assert cost(tenon.extract_ir(Call(function), args)).flops == flops


class Classifier(torch.nn.Module):
    """Two layers and a scale."""

    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(4, 8), torch.nn.Linear(8, 3, bias=False)
        self.register_buffer("scale", torch.ones(3, dtype=torch.float64))

    def forward(self, x):
        return self.second(self.first(x).relu()) * self.scale


def test_a_model_is_summed_up():
    module, args = Classifier(), (r(5, 4),)
    found = cost(tenon.extract_ir(module, args))
    assert found.flops == counted(module, args) == 2 * 5 * (4 * 8 + 8 * 3)
    assert found.parameters == sum(p.numel() for p in module.parameters())
    assert found.weight_bytes == {
        "parameter": sum(p.nbytes for p in module.parameters()),
        "buffer": sum(b.nbytes for b in module.buffers()),
    }
    assert found.operators == (
        OpCost("aten::linear", 2, 560, 5 * (8 + 3) * 4),
        OpCost("aten::mul.Tensor", 1, 0, 5 * 3 * 8),
        OpCost("aten::relu", 1, 0, 5 * 8 * 4),
    )
    assert found.sizes == {}


def test_a_tensor_with_two_names_counts_once():
    module = torch.nn.Sequential(torch.nn.Linear(4, 4, bias=False), torch.nn.Linear(4, 4, bias=False))
    module[1].weight = module[0].weight
    found = cost(tenon.extract_ir(module, (r(2, 4),)))
    assert found.parameters == sum(p.numel() for p in module.parameters()) == 16
    assert found.flops == 2 * 2 * 2 * 16


def test_symbols_stand_at_their_upper_bound_unless_a_size_is_given():
    batch = torch.export.Dim("batch", min=2, max=16)
    graph = tenon.extract_ir(Classifier(), (r(5, 4),), dynamic_shapes={"x": {0: batch}})
    assert cost(graph).sizes == {"batch": 16}
    for size in (16, 3):
        expected = counted(Classifier(), (r(size, 4),))
        assert cost(graph, {} if size == 16 else {"batch": size}).flops == expected


def test_a_symbol_without_upper_bound_stands_at_its_lower_one():
    x = Value("x", TensorMeta(F32, (symbol("s") * symbol("t"),)))
    graph = Graph("g", symbols=(Symbol("s", 3), Symbol("t", 0, 5)), inputs=(x,), outputs=(Ref("x"),))
    assert cost(graph).sizes == {"s": 3, "t": 5}
    assert cost(graph).peak_bytes == 3 * 5 * 4
    assert cost(graph, {"s": 10}).peak_bytes == 10 * 5 * 4


def bytes_of(size):
    return TensorMeta(DTYPE["uint8"], (size,))


def op(result, size, *uses, extra=()):
    values = (Value(result, bytes_of(size)), *extra)
    return OpNode("aten::f", {"xs": tuple(map(Ref, uses))}, values)


# x is 10 bytes. Live: x a=10+100, x a b=10+100+20 (then a goes), x b c=10+20+50, c d=50+1.
CHAIN = Graph(
    "chain",
    inputs=(Value("x", bytes_of(10)),),
    weights=(Weight("w", "parameter", bytes_of(1000)),),
    nodes=(
        op("a", 100, "x", "w"),
        op("b", 20, "a"),
        op("c", 50, "x", "b"),
        op("d", 1, "c"),
    ),
    outputs=(Ref("d"),),
)


def test_the_peak_is_the_most_that_lives_at_once():
    assert cost(CHAIN).peak_bytes == 130


@pytest.mark.parametrize(
    ("change", "peak"),
    [
        ({"nodes": ()}, 10),
        ({"outputs": (Ref("a"), Ref("d")), "out_tree": flat_tree(2)}, 180),
        ({"nodes": (*CHAIN.nodes[:3], op("d", 1, "c", "a"))}, 180),
        ({"nodes": (CHAIN.nodes[0], op("unused", 500), *CHAIN.nodes[1:])}, 610),
        ({"nodes": (op("unused", 500), *CHAIN.nodes)}, 510),
        ({"nodes": (*CHAIN.nodes, op("e", 400, "w"))}, 401),
        ({"inputs": (*CHAIN.inputs, Value("n", ScalarMeta("int")), Value("k", ConstMeta(1)))}, 130),
        ({"nodes": (op("a", 100, "x", extra=(Value("a2", bytes_of(7)),)), *CHAIN.nodes[1:])}, 130),
    ],
    ids=[
        "no nodes",
        "an output lives to the end",
        "a value lives to its last use",
        "a result without use lives for one node",
        "a result without use is gone before the next",
        "weights do not count",
        "numbers do not count",
        "a second result without use",
    ],
)
def test_a_value_lives_from_its_node_to_its_last_use(change, peak):
    graph = replace(CHAIN, **change)
    if not graph.nodes:
        graph = replace(graph, outputs=(Ref("x"),))
    assert cost(graph).peak_bytes == peak


def test_a_value_that_is_written_back_lives_to_the_end():
    assert cost(replace(CHAIN, mutations=(Mutation("w", Ref("a")),))).peak_bytes == 180


def test_nodes_of_subgraphs_count():
    body = Graph("body", nodes=(op("a", 3),), in_tree=flat_tree(0), out_tree=flat_tree(0))
    assert cost(replace(CHAIN, subgraphs={"body": body})).operators == (OpCost("aten::f", 5, 0, 174),)


def test_operators_come_by_flops_then_calls_then_name():
    matrix = TensorMeta(F32, (2, 2))
    product = OpNode("aten::mm", {"self": Ref("x"), "mat2": Ref("x")}, (Value("y", matrix),))
    others = [OpNode(f"aten::{name}", {}) for name in ("b", "c", "a", "c")]
    graph = Graph("g", inputs=(Value("x", matrix),), nodes=(*others, product), outputs=(Ref("y"),))
    assert [row.op for row in cost(graph).operators] == ["aten::mm", "aten::c", "aten::a", "aten::b"]
    assert [row.flops for row in cost(graph).operators] == [16, 0, 0, 0]


def test_flops_of_a_node_are_an_expression_in_its_sizes():
    s = symbol("s")
    node = OpNode("aten::mm", {"self": Ref("a"), "mat2": Ref("b")}, (Value("c", TensorMeta(F32, (s, 4))),))
    types = {"a": TensorMeta(F32, (s, s)), "b": TensorMeta(F32, (s, 4)), "c": TensorMeta(I64, (s, 4))}
    assert node_flops(node, types) == 8 * s * s
