"""What capture keeps of a model: structure, sizes, state, constants, control flow, places; and what it refuses."""

import collections
import dataclasses
import inspect

import pytest
import torch
from torch.export import Dim

import tenon
from tenon.ir import GraphRef, Ref, from_json, to_json
from tenon.ir.graph import walk
from tenon.ops.schema import find_op

BOTH = pytest.mark.parametrize("way", [tenon.extract_ir, tenon.capture])


def module(forward, **members):
    """A module from its forward, with tensors as buffers and parameters as they are."""

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for name, member in members.items():
                if isinstance(member, (torch.nn.Parameter, torch.nn.Module)):
                    setattr(self, name, member)
                else:
                    self.register_buffer(name, member)

    Net.forward = forward
    return Net().eval()


def operators(graph):
    return [node.op for _, node in walk(graph)]


def assert_runs_like(model, ir, *args, **kwargs):
    with torch.no_grad():
        expected = model(*args, **kwargs)
    actual = tenon.execute_ir(from_json(to_json(ir)), args, model.state_dict(), kwargs=kwargs)
    for mine, other in zip(*map(torch.utils._pytree.tree_leaves, (actual, expected)), strict=True):
        torch.testing.assert_close(mine, other)
    return actual


# --- the two levels ---------------------------------------------------------------------------------------


def test_extract_keeps_any_operator_and_capture_decomposes_it():
    model, x = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.SiLU()), torch.randn(2, 4)
    assert operators(tenon.extract_ir(model, (x,))) == ["aten::linear", "aten::silu"]
    captured = operators(tenon.capture(model, (x,)))
    assert "aten::addmm" in captured and "aten::linear" not in captured


def test_capture_is_functional_and_makes_views_copies():
    def forward(self, x):
        y = x.t().reshape(-1)
        y.add_(1)
        return y[2:]

    model, x = module(forward), torch.randn(3, 4)
    ir = tenon.capture(model, (x,))
    assert "aten::permute_copy" in operators(ir) and "aten::slice_copy.Tensor" in operators(ir)
    assert not any(op.endswith(("_", "_.Tensor")) for op in operators(ir))
    assert all(value.type.contiguous for node in ir.nodes for value in node.outputs)
    assert_runs_like(model, ir, x)


def test_capture_makes_a_channels_last_model_contiguous():
    model = torch.nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last).eval()
    x = torch.randn(1, 3, 8, 8).to(memory_format=torch.channels_last)
    extracted = tenon.extract_ir(model, (x,))
    assert extracted.inputs[0].type.dim_order == (0, 2, 3, 1)
    captured = tenon.capture(model, (x,))
    assert captured.inputs[0].type.contiguous
    for ir in (extracted, captured):
        assert_runs_like(model, ir, x)
        assert_runs_like(model, ir, x.contiguous())


def test_keep_leaves_an_operator_as_it_was_called():
    model, x = torch.nn.Linear(4, 4), torch.randn(2, 4)
    ir = tenon.capture(model, (x,), keep=["aten::linear"])
    assert operators(ir) == ["aten::linear"]
    tenon.verify(ir, keep=["aten.linear.default"])


@BOTH
def test_an_exported_program_is_taken_as_it_is(way):
    model, x = torch.nn.Linear(4, 4), torch.randn(2, 4)
    program = torch.export.export(model, (x,))
    before = str(program.graph)
    assert to_json(way(program)) == to_json(way(model, (x,)))
    assert str(program.graph) == before
    assert tenon.convert_exported_program(program, model_name="mine").name == "mine"


@BOTH
def test_a_custom_operator_stays_as_the_user_called_it(way):
    with torch.library._scoped_library("tenon_kept", "DEF") as library:
        library.define("triple(Tensor x, float by=3.0) -> Tensor")
        library.impl("triple", lambda x, by=3.0: x * by, "CompositeImplicitAutograd")
        model, x = module(lambda self, x: torch.ops.tenon_kept.triple(x) + 1), torch.randn(3)
        ir = way(model, (x,))
        assert "tenon_kept::triple" in operators(ir)
        assert_runs_like(model, ir, x)


def test_an_operator_is_that_of_the_library_there_is_now_and_not_of_one_that_ended():
    for factor in (3.0, 5.0):
        with torch.library._scoped_library("tenon_again", "DEF") as library:
            library.define("scaled(Tensor x) -> Tensor")
            library.impl("scaled", lambda x, by=factor: x * by, "CompositeImplicitAutograd")
            assert find_op("tenon_again::scaled")(torch.ones(1)).item() == factor
    assert find_op("tenon_again::scaled") is None


def test_a_custom_operator_that_writes_is_made_functional():
    with torch.library._scoped_library("tenon_writes", "DEF") as library:
        library.define("double_(Tensor(a!) x) -> ()")
        library.impl("double_", lambda x: [x.mul_(2)][1:] or None, "CPU")
        library.impl("double_", lambda x: None, "Meta")

        def forward(self, x):
            y = x + 1
            torch.ops.tenon_writes.double_(y)
            return y

        model, x = module(forward), torch.randn(3)
        ir = tenon.capture(model, (x,))
        assert "higher_order::auto_functionalized_v2" in operators(ir)
        assert_runs_like(model, ir, x)


# --- arguments, dtypes, sizes ------------------------------------------------------------------------------


def test_arguments_have_the_names_of_the_schema_and_defaults_are_absent():
    ir = tenon.extract_ir(
        module(lambda self, x, i: torch.ops.aten.index(x, [None, i]) + 1), (torch.ones(2, 3), torch.tensor([0]))
    )
    assert ir.nodes[0].args == {"self": Ref("x"), "indices": (None, Ref("i"))}
    assert ir.nodes[1].args == {"self": Ref("0"), "other": 1}


def test_results_are_one_per_tensor_and_lists_are_flat():
    ir = tenon.extract_ir(module(lambda self, x: (*x.max(dim=1), *x.split(1))), (torch.ones(2, 3),))
    assert [len(node.outputs) for node in ir.nodes] == [2, 2]
    assert "sym::getitem" not in operators(ir)


@BOTH
def test_named_dimensions_keep_their_names_and_ranges(way):
    def forward(self, x, y):
        return torch.cat([x, y]).flatten(), x.shape[0] * 2

    model, args = module(forward), (torch.randn(3, 4), torch.randn(5, 4))
    shapes = ({0: Dim("rows", min=2, max=9)}, {0: Dim("more", max=100)})
    ir = way(model, args, dynamic_shapes=shapes)
    found = {symbol.name: (symbol.low, symbol.high) for symbol in ir.symbols}
    assert found["rows"] == (2, 9) and found["more"][1] == 100
    assert str(ir.types[ir.outputs[0].name].shape[0]) == "4*more + 4*rows"
    assert_runs_like(model, ir, torch.randn(9, 4), torch.randn(2, 4))


@BOTH
@pytest.mark.parametrize(
    ("name", "forward"),
    [
        ("nonzero", lambda self, x: torch.nonzero(x > 0)),
        ("masked_select", lambda self, x: torch.masked_select(x, x > 0)),
        ("unique", lambda self, x: torch.unique(x > 0)),
    ],
)
def test_data_dependent_sizes_are_symbols_with_bounds(way, name, forward):
    model, x = module(forward), torch.randn(4, 5)
    options = {"keep": ["aten::_unique2"]} if way is tenon.capture else {}
    ir = way(model, (x,), **options)
    symbols = {symbol.name: symbol for symbol in ir.symbols}
    (unbacked,) = (symbol for key, symbol in symbols.items() if key.startswith("u"))
    assert unbacked.low == 0
    if name != "unique":  # torch bounds the others by the number of elements
        assert unbacked.high == 20
    for _ in range(3):
        assert_runs_like(model, ir, torch.randn(4, 5))


@pytest.mark.parametrize("dtype", [torch.uint16, torch.bfloat16, torch.complex64, torch.float8_e4m3fn, torch.bool])
def test_unusual_dtypes_are_captured(dtype):
    model, x = module(lambda self, x: x.clone()), torch.zeros(3, dtype=dtype)
    ir = tenon.extract_ir(model, (x,))
    assert ir.inputs[0].type.dtype.name == str(dtype).removeprefix("torch.")
    assert tenon.execute_ir(ir, (x,)).dtype is dtype


# --- mixed precision ----------------------------------------------------------------------------------------


@BOTH
def test_mixed_precision_runs(way):
    def forward(self, x):
        half = x.half() * 2
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.linear(x)
        return half.float() + 1, y

    model, x = module(forward, linear=torch.nn.Linear(4, 4)), torch.randn(2, 4)
    ir = way(model, (x,))
    outputs = assert_runs_like(model, ir, x)
    assert outputs[1].dtype is torch.bfloat16


# --- state and constants ------------------------------------------------------------------------------------


def counting(self, x):
    self.count += 1
    self.window[:, 1:] = self.window[:, :-1].clone()
    self.window[:, 0] = x
    return self.window.sum() * self.count


@BOTH
def test_mutated_buffers_keep_their_value_from_call_to_call(way):
    model = module(counting, count=torch.zeros(()), window=torch.zeros(2, 3), fixed=torch.ones(2))
    ir = way(model, (torch.ones(2),))
    assert {weight.name: weight.mutated for weight in ir.weights} == {"count": True, "window": True, "fixed": False}
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    run = tenon.Executor(ir, before)
    for i in range(4):
        x = torch.full((2,), float(i))
        torch.testing.assert_close(run(x), model(x))
    torch.testing.assert_close(run.state, {name: model.state_dict()[name] for name in ("count", "window")})
    assert before["count"] == 0, "the caller's tensors are not written to"
    run.reset()
    assert run.state["count"] == 0


@BOTH
def test_shared_weights_are_one_weight_with_aliases(way):
    linear = torch.nn.Linear(4, 4, bias=False)
    model = module(lambda self, x: self.a(x) @ self.b, a=linear, b=linear.weight)
    ir = way(model, (torch.randn(2, 4),))
    (weight,) = ir.weights
    assert {weight.name, *weight.aliases} == {"a.weight", "b"}
    assert_runs_like(model, ir, torch.randn(2, 4))


@BOTH
def test_constants_and_transient_buffers_bring_their_data(way):
    def forward(self, x):
        return x * torch.tensor([1.0, 2.0, 3.0]) + self.table

    model = module(forward)
    model.register_buffer("table", torch.arange(3.0), persistent=False)
    ir = way(model, (torch.ones(3),))
    assert model.state_dict() == {}
    assert_runs_like(model, ir, torch.randn(3))


@pytest.mark.parametrize("device", [None, "the input's"])
def test_a_tensor_made_in_forward_of_a_meta_model_keeps_its_data(device):
    def forward(self, x):
        return self.linear(x) * torch.tensor([1.0, 2.0, 3.0, 4.0], device=x.device if device else None)

    with torch.device("meta"):
        model, x = module(forward, linear=torch.nn.Linear(4, 4)), torch.empty(2, 4)
    ir = tenon.extract_ir(model, (x,))
    assert all(parameter.device.type == "meta" for parameter in model.parameters()), "the model is left as it was"
    real = module(forward, linear=torch.nn.Linear(4, 4))
    y = torch.randn(2, 4)
    torch.testing.assert_close(tenon.execute_ir(ir, (y,), real.state_dict()), real(y))


# --- structure of inputs and outputs -----------------------------------------------------------------------


Pair = collections.namedtuple("Pair", "left right")


@dataclasses.dataclass
class Boxed:
    first: torch.Tensor
    second: torch.Tensor | None = None


@BOTH
def test_inputs_and_outputs_are_built_as_the_model_had_them(way):
    def forward(self, pair, box, *, extra, scale=2):
        nested = {"sum": pair.left + pair.right, "list": [box.first, (extra["x"],)]}
        return Boxed(box.first * scale), Pair(nested, None), collections.OrderedDict(z=extra["x"])

    model = module(forward)
    args, kwargs = (Pair(torch.ones(2), torch.ones(2)), Boxed(torch.ones(3))), {"extra": {"x": torch.ones(1)}}
    ir = from_json(to_json(way(model, args, kwargs)))
    box, pair, ordered = tenon.execute_ir(ir, args, kwargs=kwargs)
    assert isinstance(box, Boxed) and box.second is None and torch.equal(box.first, torch.full((3,), 2.0))
    assert isinstance(pair, Pair) and pair.right is None and list(pair.left) == ["sum", "list"]
    assert isinstance(ordered, collections.OrderedDict)


def test_an_input_and_a_weight_of_the_same_name_are_told_apart():
    model = module(lambda self, b: b + self.b, b=torch.ones(2))
    ir = tenon.extract_ir(model, (torch.zeros(2),))
    assert torch.equal(tenon.execute_ir(ir, (torch.zeros(2),), model.state_dict()), torch.ones(2))


# --- control flow ---------------------------------------------------------------------------------------------


@BOTH
def test_cond_is_a_node_with_two_subgraphs(way):
    model = module(
        lambda self, x: torch.cond(x.sum() > 0, lambda a: a + self.b, lambda a: a * 2, (x,)), b=torch.ones(2)
    )
    ir = way(model, (torch.ones(2),))
    (node,) = (node for node in ir.nodes if node.op == "higher_order::cond")
    assert isinstance(node.args["true_fn"], GraphRef) and len(ir.subgraphs) == 2
    for x in (torch.ones(2), -torch.ones(2)):
        assert_runs_like(model, ir, x)


@BOTH
def test_while_loop_runs_until_its_condition_fails(way):
    from torch._higher_order_ops.while_loop import while_loop

    def forward(self, n, x):
        return while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, y * self.by), (n, x))

    model = module(forward, by=torch.full((2,), 3.0))
    ir = way(model, (torch.tensor(0), torch.ones(2)))
    for start in (0, 3, 9):
        assert_runs_like(model, ir, torch.tensor(start), torch.ones(2))


@BOTH
def test_map_and_scan_run_over_rows(way):
    from functorch.experimental.control_flow import map as torch_map
    from torch._higher_order_ops.scan import scan

    def forward(self, x):
        mapped = torch_map(lambda row, by: row * by, x, self.by)
        total, products = scan(lambda carry, row: (carry + row, carry * row), torch.zeros(2), x)
        return mapped, total, products

    model = module(forward, by=torch.full((2,), 3.0))
    ir = way(model, (torch.randn(4, 2),))
    assert {"higher_order::map_impl", "higher_order::scan"} <= set(operators(ir))
    assert_runs_like(model, ir, torch.randn(4, 2))


def test_map_over_no_rows_gives_no_rows():
    from functorch.experimental.control_flow import map as torch_map

    model = module(lambda self, x: torch_map(lambda row, by: row @ by, x, self.by), by=torch.ones(2, 3))
    ir = tenon.extract_ir(model, (torch.randn(4, 2),), dynamic_shapes=({0: Dim("rows", min=0)},))
    assert tenon.execute_ir(ir, (torch.randn(0, 2),), model.state_dict()).shape == (0, 3)


def test_nested_control_flow_runs():
    def inner(a):
        return torch.cond(a.max() > 2, lambda b: b - 1, lambda b: b + 1, (a,))

    model = module(lambda self, x: torch.cond(x.sum() > 0, inner, lambda a: a * 2, (x,)))
    ir = tenon.capture(model, (torch.ones(2),))
    for x in (torch.ones(2), 3 * torch.ones(2), -torch.ones(2)):
        assert_runs_like(model, ir, x)


# --- places -------------------------------------------------------------------------------------------------


class Placed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Sequential(torch.nn.Linear(2, 2))

    def forward(self, x):
        y = self.inner(x)
        with torch.no_grad():
            z = y.exp()
        return torch.cond(z.sum() > 0, lambda a: a.sin(), lambda a: a.cos(), (z,))


@BOTH
def test_every_node_knows_its_line_of_the_model(way):
    ir = way(Placed(), (torch.ones(1, 2),))
    first = inspect.getsourcelines(Placed.forward)[1]
    lines = {node.op: node.source.line - first for _, node in walk(ir)}
    assert {node.source.function for _, node in walk(ir)} == {"Placed.forward"}
    assert {node.source.file for _, node in walk(ir)} == {"test_capture.py"}
    assert lines["aten::linear" if way is tenon.extract_ir else "aten::addmm"] == 1
    assert lines["aten::exp"] == 3
    assert lines["higher_order::cond"] == lines["aten::sin"] == 4
    assert next(node.source.module for node in ir.nodes) == "inner.0"


# --- bad input -------------------------------------------------------------------------------------------------


def says(error, *parts):
    for part in parts:
        assert part in str(error.value), str(error.value)


@BOTH
def test_what_is_not_a_module_is_refused(way):
    with pytest.raises(tenon.Invalid) as error:
        way("model", ())
    says(error, "a torch.nn.Module or an ExportedProgram is needed, not a str.")
    with pytest.raises(tenon.Invalid) as error:
        way(Placed, (torch.ones(1),))
    says(error, "not the class Placed. Pass an instance, not the class.")


@BOTH
def test_wrong_inputs_are_told(way):
    model = torch.nn.Linear(4, 3)
    with pytest.raises(tenon.Invalid) as error:
        way(model, torch.ones(1, 4))
    says(error, "args is the tuple of the model's inputs, not a Tensor. Write (x,) for a single one.")
    with pytest.raises(tenon.Invalid) as error:
        way(model, ())
    says(error, "Linear.forward", "does not take these inputs: missing a required argument: 'input'.")
    with pytest.raises(tenon.Invalid) as error:
        way(model, (torch.ones(2, 5),))
    says(error, "Linear.forward raised RuntimeError with these inputs", "[2, 5]")


def test_a_failing_forward_is_placed():
    class Broken(torch.nn.Module):
        def forward(self, x):
            return x.no_such_method()

    with pytest.raises(tenon.Invalid) as error:
        tenon.extract_ir(Broken(), (torch.ones(2),))
    says(error, "Broken.forward raised AttributeError at test_capture.py:", "no_such_method")


def test_a_model_that_torch_cannot_export_is_told_with_its_line(capfd):
    class Branches(torch.nn.Module):
        def forward(self, x):
            return x + 1 if x.sum() > 0 else x - 1

    with pytest.raises(tenon.Unsupported) as error:
        tenon.extract_ir(Branches(), (torch.ones(2),))
    says(error, "torch.export cannot capture Branches at test_capture.py:", "only when it runs (Eq(u0, 1)).")
    says(error, "Use torch.cond or torch.where")
    assert capfd.readouterr().err == ""


def test_a_dimension_that_cannot_vary_is_told_with_torchs_advice():
    model = module(lambda self, x: x.reshape(2, 3))
    with pytest.raises(tenon.Unsupported) as error:
        tenon.extract_ir(model, (torch.ones(6),), dynamic_shapes=({0: Dim("rows", min=4, max=20)},))
    says(error, "torch.export cannot capture Net: Constraints violated (rows)!", "rows = 6")
    assert "draft_export" not in str(error.value) and "TORCH_LOGS" not in str(error.value)


@pytest.mark.parametrize("decorated", [True, False])
def test_a_custom_operator_without_a_meta_kernel_is_told_how_to_add_one(decorated):
    with torch.library._scoped_library("tenon_bare", "DEF") as library:
        if decorated:
            call = torch.library.custom_op(
                "tenon_bare2::f", lambda x: x * 2, mutates_args=(), schema="(Tensor x) -> Tensor"
            )
            name = "tenon_bare2::f"
        else:
            library.define("f(Tensor x) -> Tensor")
            library.impl("f", lambda x: x * 2, "CPU")
            call, name = torch.ops.tenon_bare.f, "tenon_bare::f"
        with pytest.raises(tenon.Unsupported) as error:
            tenon.extract_ir(module(lambda self, x: call(x)), (torch.ones(2),))
        says(error, f"{name} at test_capture.py:", "has no meta kernel", f'@torch.library.register_fake("{name}")')


def test_an_exported_program_takes_no_inputs():
    program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
    with pytest.raises(tenon.Invalid) as error:
        tenon.extract_ir(program, (torch.ones(2),))
    says(error, "an ExportedProgram holds its inputs and shapes already: pass it alone.")


def test_what_is_not_core_is_listed_with_its_line_and_what_to_do():
    def forward(self, x):
        return torch.linalg.eigvalsh(x) + torch.linalg.qr(x)[1].sum()

    with pytest.raises(tenon.Unsupported) as error:
        tenon.capture(module(forward), (torch.eye(3),))
    says(error, "2 violations", "aten::_linalg_eigh   [core] it is not core ATen   test_capture.py:", "keep=[...]")
    ir = tenon.capture(module(forward), (torch.eye(3),), keep=["aten::_linalg_eigh", "aten::linalg_qr"])
    assert_runs_like(module(forward), ir, torch.eye(3))


def test_reading_strides_of_a_view_is_refused_by_capture():
    model = module(lambda self, x: x.t().as_strided((2,), (1,)))
    with pytest.raises(tenon.Unsupported) as error:
        tenon.capture(model, (torch.randn(3, 4),))
    says(error, "aten::as_strided", "reads the strides of %", "Call .contiguous() on the tensor first.")


# --- cases that once went wrong ----------------------------------------------------------------------------------


@BOTH
def test_a_written_buffer_is_told_from_an_input_of_its_name(way):
    def forward(self, calls):
        self.calls.add_(1)
        return self.calls + calls

    model = module(forward, calls=torch.zeros(2))
    run, x = tenon.Executor(way(model, (torch.ones(2),)), model.state_dict()), torch.ones(2)
    assert torch.equal(run(x), torch.full((2,), 2.0)) and torch.equal(run(x), torch.full((2,), 3.0))
    assert torch.equal(x, torch.ones(2)) and torch.equal(model.calls, torch.zeros(2))


def test_a_write_inside_an_autocast_region_is_noted():
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.calls.add_(1)
            return (x @ x).float() + self.calls

    model = module(forward, calls=torch.zeros(2))
    run = tenon.Executor(tenon.extract_ir(model, (torch.eye(2),)), model.state_dict())
    run(torch.eye(2))
    assert torch.equal(run.state["calls"], torch.ones(2)) and torch.equal(model.calls, torch.zeros(2))


def test_a_custom_operator_that_writes_to_a_view_of_another_layout_is_refused():
    with torch.library._scoped_library("tenon_view_writes", "DEF") as library:
        library.define("double_(Tensor(a!) x) -> ()")
        library.impl("double_", lambda x: [x.mul_(2)][1:] or None, "CPU")
        library.impl("double_", lambda x: None, "Meta")

        def forward(self, x):
            y = x.clone()
            torch.ops.tenon_view_writes.double_(y[:, :, 0])
            return y

        x = torch.randn(1, 2, 3, 4).to(memory_format=torch.channels_last)
        with pytest.raises(tenon.Unsupported) as error:
            tenon.capture(module(forward), (x,))
        says(error, "higher_order::auto_functionalized_v2 reads the strides of %")


@BOTH
def test_a_number_read_from_a_tensor_may_be_negative(way):
    model = module(lambda self, x: torch.full((2,), x.item()) * 2)
    ir = way(model, (torch.tensor(3),))
    assert all(symbol.low is None for symbol in ir.symbols)
    assert_runs_like(model, ir, torch.tensor(-5))


@BOTH
@pytest.mark.parametrize(
    "forward",
    [
        lambda self, x: torch.nn.functional.interpolate(x[None, None], scale_factor=1.5),
        lambda self, x: x.new_zeros(round(x.shape[0] * 1.5)),
        lambda self, x: x.new_zeros(torch.sym_int(x.shape[0] / 2)),
        lambda self, x: x.new_zeros(torch.sym_max(x.shape[0] - 3, 4) // 2),
        lambda self, x: x.new_zeros(x.shape[0] % 3 + 2),
    ],
    ids=["interpolate", "round", "trunc", "max", "mod"],
)
def test_sizes_computed_in_many_ways_run_at_other_sizes(way, forward):
    model = module(forward)
    ir = way(
        model, (torch.ones(6, 6),), dynamic_shapes=({0: Dim("rows", min=4, max=20), 1: Dim("columns", min=4, max=20)},)
    )
    for rows, columns in ((4, 20), (7, 5), (13, 4)):
        assert_runs_like(model, ir, torch.randn(rows, columns))


def test_one_tensor_passed_twice_is_two_inputs():
    model, x = module(lambda self, a, b: a - b), torch.ones(2)
    ir = tenon.extract_ir(model, (x, x))
    assert_runs_like(model, ir, torch.full((2,), 5.0), torch.ones(2))


def test_dims_keep_their_names_under_a_factor_and_in_varargs():
    model = module(lambda self, *xs: xs[0] + xs[1][:3])
    ir = tenon.extract_ir(
        model, (torch.ones(3), torch.ones(6)), dynamic_shapes=((None, {0: 2 * Dim("pairs", min=2, max=9)}),)
    )
    assert [symbol.name for symbol in ir.symbols] == ["pairs"]
    with pytest.raises(tenon.Invalid, match=r"is 7, but must be 2\*pairs for some whole pairs."):
        tenon.execute_ir(ir, (torch.ones(3), torch.ones(7)))
    with pytest.raises(tenon.Invalid, match="is 20, so pairs is 10, but pairs must be from 2 to 9."):
        tenon.execute_ir(ir, (torch.ones(3), torch.ones(20)))


def test_an_int_input_is_checked_against_its_range():
    model = module(lambda self, x, n: x * n)
    ir = tenon.extract_ir(model, (torch.ones(2), 3), dynamic_shapes=(None, Dim.DYNAMIC(min=2, max=5)))
    assert torch.equal(tenon.execute_ir(ir, (torch.ones(2), 5)), torch.full((2,), 5.0))
    with pytest.raises(tenon.Invalid, match="the input n is 9, but s0 must be from 2 to 5."):
        tenon.execute_ir(ir, (torch.ones(2), 9))
    with pytest.raises(tenon.Invalid, match="the input n must be int, not 'x'."):
        tenon.execute_ir(ir, (torch.ones(2), "x"))


def test_an_operator_with_effects_keeps_its_place():
    model = module(lambda self, x: torch.linalg.cholesky(x))
    ir = tenon.capture(model, (torch.eye(2),), keep=["aten::linalg_cholesky_ex", "aten::_linalg_check_errors"])
    assert operators(ir).index("aten::_linalg_check_errors") > operators(ir).index("aten::linalg_cholesky_ex")
    assert_runs_like(model, ir, torch.eye(2) * 4)
    with pytest.raises(
        tenon.Invalid, match="aten::_linalg_check_errors.*: linalg.cholesky: The factorization could not"
    ):
        tenon.execute_ir(ir, -torch.eye(2))
