"""Random torch modules, exported and run on planned memory, give what eager gives, call after call."""

import copy

import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from torch._higher_order_ops.while_loop import while_loop

import tenon
from tenon.pte.program import from_bytes, to_bytes
from tenon.run import Module


def branch(a, b):
    return torch.cond(a.sum() > 0, lambda a, b: (a + b).relu(), lambda a, b: (a * b).tanh(), (a, b))


def loop(a, b):
    zero = torch.zeros((), dtype=torch.int64)
    return while_loop(lambda i, c: i < 3, lambda i, c: (i + 1, (c * b).sigmoid()), (zero, a.clone()))[1]


# Each makes a 4 by 4 matrix of two, so that any may follow any.
STEPS = {
    "relu": lambda a, b, net: a.relu(),
    "tanh": lambda a, b, net: a.tanh(),
    "add_": lambda a, b, net: a.clone().add_(b),
    "add": lambda a, b, net: a + b,
    "sub row": lambda a, b, net: a - b[0],
    "where": lambda a, b, net: torch.where(a > b, a, b),
    "clamp": lambda a, b, net: a.clamp(-1, 1),
    "flat": lambda a, b, net: a.reshape(16).neg().view(4, 4),
    "view": lambda a, b, net: a.reshape(2, 8).sin().view(4, 4),
    "transpose": lambda a, b, net: a.t(),
    "product": lambda a, b, net: (a @ b).tanh(),
    "cat": lambda a, b, net: torch.cat([a[:2], b[2:]]),
    "split": lambda a, b, net: a.split(2, 1)[1].repeat(1, 2),
    "sum": lambda a, b, net: a.sum(1, keepdim=True) - b,
    "mean": lambda a, b, net: a + b.mean(),
    "softmax": lambda a, b, net: a.softmax(-1),
    "norm": lambda a, b, net: torch.nn.functional.layer_norm(a, (4,)),
    "linear": lambda a, b, net: net.linear(a),
    "weight": lambda a, b, net: a + net.linear.weight.view(16).view(4, 4),
    "write": lambda a, b, net: net.write(a),
    "read": lambda a, b, net: a - net.state,
    "slice write": lambda a, b, net: net.write_row(a),
    "cond": lambda a, b, net: branch(a, b),
    "loop": lambda a, b, net: loop(a, b),
}
RECIPES = st.lists(
    st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=25
)


class Net(torch.nn.Module):
    """Each step takes two of the values so far; some of them are the outputs."""

    def __init__(self, recipe, outputs):
        super().__init__()
        self.recipe = recipe
        self.outputs = outputs
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("state", torch.full((4, 4), 0.5))

    def write(self, a):
        self.state.mul_(0.5).add_(a)
        return self.state * 1

    def write_row(self, a):
        self.state[1] = a[0]
        return a + self.state[1]

    def forward(self, x, y):
        values = [x, y]
        for name, a, b in self.recipe:
            values.append(STEPS[name](values[a % len(values)], values[b % len(values)], self))
        made = values[2:]
        return [made[i % len(made)].clone() for i in self.outputs]


# To shrink one that fails takes minutes, and the recipe says enough.
@settings(
    max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)
@given(
    RECIPES,
    st.lists(st.integers(0, 99), min_size=1, max_size=3),
    st.sampled_from([None, {"sram": 200, "dram": None}]),
    st.booleans(),
    st.booleans(),
)
def test_a_random_model_gives_what_eager_gives(recipe, outputs, memory, external, optimize):
    model = Net(recipe, outputs).requires_grad_(False)
    eager = copy.deepcopy(model)
    program = tenon.export(
        model, (torch.ones(4, 4), torch.ones(4, 4)), memory=memory, external_weights=external, optimize=optimize
    )
    module = Module(from_bytes(b"".join(to_bytes(program))), program.external)
    for _ in range(3):
        x, y = torch.randn(4, 4), torch.randn(4, 4)
        for found, expected in zip(module(x, y), eager(x, y), strict=True):
            torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)
