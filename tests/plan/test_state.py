"""State of several methods of one model is one state; what is a method's own stays its own."""

import copy
import itertools

import pytest
import torch

import tenon
from tenon.pte.program import from_bytes, to_bytes
from tenon.pte.schema import Tensor
from tenon.run import Module


class Cache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(3), requires_grad=False)
        self.register_buffer("total", torch.full((3,), 2.0))
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))


class Method(torch.nn.Module):
    """A method of a model that is held under some name."""

    def __init__(self, model, name="model"):
        super().__init__()
        self.add_module(name, model)

    @property
    def held(self):
        return next(self.children())


class Add(Method):
    def forward(self, x):
        self.held.total.add_(x)
        return self.held.total * self.held.weight


class Scale(Method):
    def forward(self, x):
        self.held.calls.add_(1)
        self.held.total.mul_(x + self.held.calls)
        return self.held.total + 1


class Read(Method):
    def forward(self, x):
        return self.held.total + x, self.held.total.view(1, 3) @ self.held.weight.view(3, 1)


class Count(Method):
    """Uses only what `Scale` uses too."""

    def forward(self, x):
        return self.held.calls + x


class Weighted(Method):
    """Uses no state."""

    def forward(self, x):
        return self.held.weight * x


X = torch.ones(3)
CASES = {
    "one writes and one reads": {"write": Add, "read": Read},
    "both write": {"add": Add, "scale": Scale},
    "only one has it": {"add": Add, "weighted": Weighted},
    "three": {"add": Add, "scale": Scale, "read": Read},
    "parts of it": {"add": Add, "scale": Scale, "count": Count},
}


def methods(model, kinds, names=("model",) * 3):
    """The methods, each of which calls the model by another name if names are given."""
    return {key: (kind(model, name), (X,)) for (key, kind), name in zip(kinds.items(), names, strict=False)}


def saved(program):
    """The program as it comes back from a file."""
    read = from_bytes(b"".join(to_bytes(program)))
    assert read == program
    return read


def assert_every_order_equals_eager(program, model, kinds):
    for order in itertools.product(kinds, repeat=4):
        module, eager = Module(program), copy.deepcopy(model)
        for number, name in enumerate(order):
            x = torch.randn(3) + number
            torch.testing.assert_close(module[name](x), kinds[name](eager)(x), msg=lambda text, o=order: f"{o}: {text}")


def total_planned(program):
    return [plan.non_const_buffer_sizes for plan in program.plans]


def times_stored(program, tensor):
    return [bytes(data) for data in program.constants].count(tensor.numpy().tobytes())


@pytest.mark.parametrize("case", CASES)
def test_every_order_of_calls_equals_eager(case):
    model = Cache()
    program = tenon.export(methods(model, CASES[case]))
    assert_every_order_equals_eager(saved(program), model, CASES[case])


def test_what_a_model_is_called_by_does_not_matter():
    model, kinds = Cache(), CASES["three"]
    program = tenon.export(methods(model, kinds, ["first", "other_name", "z"]))
    assert_every_order_equals_eager(saved(program), model, kinds)
    assert len(program.state) == 2 and times_stored(program, model.weight) == 1


@pytest.mark.parametrize("memory", [{"sram": 16, "dram": None}, {"sram": 0, "dram": 128}])
def test_state_lies_behind_all_banks(memory):
    model, kinds = Cache(), CASES["three"]
    program = tenon.export(methods(model, kinds), memory=memory)
    assert all(len(plan.non_const_buffer_sizes) == 4 for plan in program.plans)
    assert_every_order_equals_eager(saved(program), model, kinds)


def test_exported_programs_of_one_model_share_its_state():
    model, kinds = Cache(), CASES["one writes and one reads"]
    program = tenon.export({name: (torch.export.export(kind(model), (X,)),) for name, kind in kinds.items()})
    assert_every_order_equals_eager(saved(program), model, kinds)


def test_equal_state_of_two_models_is_two_states():
    first, second = Cache(), Cache()
    second.load_state_dict(first.state_dict())
    module = Module(tenon.export({"a": (Add(first), (X,)), "b": (Add(second), (X,))}))
    module["a"](X), module["a"](X)
    torch.testing.assert_close(module["b"](X), Add(second)(X))


class Own(Method):
    """Has state of its own beside the model's."""

    def __init__(self, model, name="model"):
        super().__init__(model, name)
        self.register_buffer("own", torch.ones(3))

    def forward(self, x):
        self.own.mul_(2)
        self.held.total.add_(self.own)
        return self.own + x


def test_state_of_one_method_stays_private_to_it_beside_what_is_shared():
    model = Cache()
    own, add = {"a": Own(model), "b": Own(model)}, Add(model)
    program = saved(tenon.export({name: (each, (X,)) for name, each in {**own, "add": add}.items()}))
    assert sorted(map(len, program.state)) == [12, 12, 12]
    module = Module(program)
    for name in ("a", "add", "a", "b", "add", "b", "a", "add"):
        x = torch.randn(3)
        torch.testing.assert_close(module[name](x), {**own, "add": add}[name](x))


def test_shared_state_is_counted_and_stored_once():
    model = Cache()
    program = tenon.export(methods(model, CASES["three"]))
    private = [sizes[1:-1] for sizes in total_planned(program)]
    (shared,) = {sizes[-1] for sizes in total_planned(program)}
    assert program.memory().planned == sum(map(sum, private)) + shared
    assert program.memory().state == 12 + 8 and times_stored(program, model.weight) == 1
    assert saved(program).memory().planned == program.memory().planned
    alone = tenon.export(*methods(model, {"a": Add})["a"])
    assert program.memory().planned < 3 * (alone.memory().planned + 16)


def test_shared_state_has_one_place_and_one_first_value():
    program = tenon.export(methods(Cache(), CASES["one writes and one reads"]))
    places = [
        (value.val.allocation_info, value.val.data_buffer_idx)
        for plan in program.plans
        for value in plan.values
        if isinstance(value.val, Tensor) and value.val.allocation_info and value.val.data_buffer_idx
    ]
    assert len(places) == 2 and places[0] == places[1]


def test_a_program_loaded_again_begins_anew(tmp_path):
    model = Cache()
    tenon.export(methods(model, CASES["three"])).save(tmp_path / "model.pte")
    runs = []
    for _ in range(2):
        module = tenon.load(tmp_path / "model.pte", mode="aten")
        runs.append([module["add"](X), module["scale"](X), *module["read"](X)])
    torch.testing.assert_close(runs[0], runs[1], rtol=0, atol=0)


def test_two_modules_of_one_program_have_a_state_each():
    model = Cache()
    program = tenon.export(methods(model, CASES["one writes and one reads"]))
    one, other = Module(program), Module(program)
    one["write"](X)
    torch.testing.assert_close(other["read"](X), Read(model)(X))
    torch.testing.assert_close(one["read"](X)[0], model.total + 2 * X)


def test_weights_that_nobody_writes_to_are_no_state():
    model = Cache()
    program = tenon.export(methods(model, {"a": Weighted, "b": Weighted}))
    assert program.state == [] and times_stored(program, model.weight) == 1
    assert all(len(sizes) == 2 for sizes in total_planned(program))


def test_state_is_a_copy_of_the_models():
    model, kinds = Cache(), CASES["one writes and one reads"]
    program, before = tenon.export(methods(model, kinds)), copy.deepcopy(model)
    module = Module(program)
    module["write"](X)
    torch.testing.assert_close(model.total, before.total)
    model.total.fill_(99)
    torch.testing.assert_close(Module(program)["read"](X), Read(before)(X))
