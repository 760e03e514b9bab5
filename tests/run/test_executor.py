"""The Python executor: by schema, freeing as it goes, and in words when something does not fit."""

import gc
import weakref
from dataclasses import replace

import pytest
import torch
from torch.export import Dim

import tenon
from tenon.ir import OpNode, Ref, TensorMeta, Value
from tenon.ir.types import DTYPE


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x, scale=1.0):
        return self.linear(x) * scale


def extract(model, *args, **options):
    return tenon.extract_ir(model, args, **options)


def test_weights_come_from_a_state_dict_or_a_file(tmp_path):
    from safetensors.torch import save_file

    model, x = Net(), torch.randn(2, 4)
    ir = extract(model, x)
    expected = model(x)
    torch.save(model.state_dict(), tmp_path / "net.pt")
    save_file(model.state_dict(), tmp_path / "net.safetensors")
    assert torch.equal(tenon.execute_ir(ir, (x,), model.state_dict()), expected)
    assert torch.equal(tenon.execute_ir(ir, x, weights_path=tmp_path / "net.pt"), expected)
    assert torch.equal(tenon.execute_ir(ir, {"x": x}, weights_path=tmp_path / "net.safetensors"), expected)


def test_inputs_may_be_passed_by_position_or_by_name():
    model, x = Net(), torch.randn(2, 4)
    by_position, by_name = extract(model, x), tenon.extract_ir(model, (), {"x": x})
    for ir in (by_position, by_name):
        run = tenon.Executor(ir, model.state_dict())
        assert torch.equal(run(x), run(x=x))


def test_a_value_is_freed_at_its_last_use():
    with torch.library._scoped_library("tenon_freed", "DEF") as library:
        seen = []

        def watch(x):
            gc.collect()
            seen.append(sum(reference() is not None for reference in watched))
            result = x + 1
            watched.append(weakref.ref(result))
            return result

        watched = []
        library.define("watch(Tensor x) -> Tensor")
        library.impl("watch", watch, "CPU")
        library.impl("watch", lambda x: torch.empty_like(x), "Meta")

        class Chain(torch.nn.Module):
            def forward(self, x):
                for _ in range(6):
                    x = torch.ops.tenon_freed.watch(x)
                return x

        ir = extract(Chain(), torch.ones(3))
        tenon.execute_ir(ir, torch.ones(3))
        assert max(seen) == 1, "only the value that is read is alive"


def test_gradients_are_not_recorded():
    model = Net()
    assert not tenon.execute_ir(
        extract(model, torch.ones(1, 4)), torch.ones(1, 4), dict(model.named_parameters())
    ).requires_grad


def test_an_input_that_the_model_writes_to_is_written_to():
    class Writes(torch.nn.Module):
        def forward(self, x):
            x.add_(1)
            return x * 2

    for way in (tenon.extract_ir, tenon.capture):
        x = torch.zeros(2)
        assert torch.equal(tenon.execute_ir(way(Writes(), (torch.zeros(2),)), x), torch.full((2,), 2.0))
        assert torch.equal(x, torch.ones(2))


def test_random_operators_follow_the_seed():
    class Noise(torch.nn.Module):
        def forward(self, x):
            return x + torch.rand(3) * torch.nn.functional.dropout(x, 0.5)

    model, ir = Noise(), extract(Noise(), torch.ones(3))
    torch.manual_seed(7)
    expected = model(torch.ones(3))
    torch.manual_seed(7)
    assert torch.equal(tenon.execute_ir(ir, torch.ones(3)), expected)


# --- what does not fit ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dynamic():
    class Two(torch.nn.Module):
        def forward(self, x, y, n=3):
            return torch.cat([x, x]) + y * n

    rows = Dim("rows", min=2, max=8)
    return tenon.extract_ir(Two(), (torch.ones(3, 4), torch.ones(6, 4)), dynamic_shapes=({0: rows}, {0: 2 * rows}))


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ((torch.ones(9, 4), torch.ones(18, 4)), "Two: dimension 0 of the input x is 9, but rows must be from 2 to 8."),
        (
            (torch.ones(3, 4), torch.ones(5, 4)),
            "Two: dimension 0 of the input y is 5, but must be 2*rows = 6 (rows=3).",
        ),
        ((torch.ones(3, 5), torch.ones(6, 4)), "Two: dimension 1 of the input x is 5, but must be 4 ([rows, 4])."),
        ((torch.ones(3), torch.ones(6, 4)), "Two: the input x has shape [3], but must have [rows, 4]."),
        ((torch.ones(3, 4).int(), torch.ones(6, 4)), "Two: the input x is int32, but must be float32."),
        ((torch.ones(3, 4), 2), "Two: the input y must be a tensor, not a int."),
        ((torch.ones(3, 4),), "Two takes 2 positional inputs, and was given 1."),
        ((torch.ones(3, 4), torch.ones(6, 4), 1, 2), "Two takes 2 positional inputs, and was given 4."),
    ],
)
def test_inputs_that_do_not_fit_are_named(dynamic, inputs, text):
    with pytest.raises(tenon.Invalid) as error:
        tenon.execute_ir(dynamic, inputs)
    assert str(error.value) == text


def test_an_input_that_was_fixed_at_capture_cannot_change():
    model, x = Net(), torch.ones(1, 4)
    ir = tenon.extract_ir(model, (x,), {"scale": 2.0})
    with pytest.raises(tenon.Invalid, match=r"the input scale was captured as 2.0 and is fixed; it cannot be 3.0"):
        tenon.execute_ir(ir, x, model.state_dict(), kwargs={"scale": 3.0})


def test_the_structure_of_inputs_is_checked():
    class Keyed(torch.nn.Module):
        def forward(self, d):
            return d["a"] + d["b"]

    ir = extract(Keyed(), {"a": torch.ones(1), "b": torch.ones(1)})
    with pytest.raises(tenon.Invalid) as error:
        tenon.execute_ir(ir, ({"a": torch.ones(1)},))
    assert str(error.value) == "inputs[0]: the graph takes a dict with keys 'a', 'b', and this is a dict with keys 'a'."


def test_an_unknown_operator_is_named_with_near_names():
    ir = extract(torch.nn.ReLU(), torch.ones(2))
    broken = replace(ir, nodes=(replace(ir.nodes[0], op="aten::reluu"),))
    with pytest.raises(tenon.Unsupported) as error:
        tenon.execute_ir(broken, torch.ones(2))
    assert "aten::reluu (%0" in str(error.value) and "Did you mean aten::relu" in str(error.value)


def test_arguments_that_the_schema_does_not_have_are_named():
    ir = extract(torch.nn.ReLU(), torch.ones(2))
    broken = replace(ir, nodes=(replace(ir.nodes[0], args={"slef": Ref("input")}),))
    with pytest.raises(tenon.Invalid) as error:
        tenon.execute_ir(broken, torch.ones(2))
    assert "%0 aten::relu: it has no argument slef and self is missing. The schema is aten::relu(Tensor self)" in str(
        error.value
    )


def test_a_kernel_that_fails_is_placed():
    ir = extract(Net(), torch.ones(1, 4))
    wrong = replace(
        ir,
        nodes=(
            replace(ir.nodes[0], op="aten::mm", args={"self": Ref("x"), "mat2": Ref("linear.weight")}),
            *ir.nodes[1:],
        ),
    )
    with pytest.raises(tenon.Invalid) as error:
        tenon.execute_ir(wrong, torch.ones(1, 4), Net().state_dict())
    assert "%0 aten::mm at test_executor.py:" in str(error.value) and "in Net.forward: mat1 and mat2 shapes" in str(
        error.value
    )


def test_weights_from_two_places_are_refused(tmp_path):
    with pytest.raises(tenon.Invalid, match="weights come from state_dict or from weights_path, not from both."):
        tenon.execute_ir(extract(Net(), torch.ones(1, 4)), torch.ones(1, 4), Net().state_dict(), tmp_path / "a.pt")


def test_results_fewer_than_the_graph_says_are_refused():
    ir = extract(torch.nn.ReLU(), torch.ones(2))
    more = (*ir.nodes[0].outputs, Value("9", TensorMeta(DTYPE["float32"], (2,))))
    broken = replace(ir, nodes=(OpNode("aten::relu", ir.nodes[0].args, more),))
    with pytest.raises(tenon.Invalid, match="2 results are expected, and 1 came"):
        tenon.execute_ir(broken, torch.ones(2))
