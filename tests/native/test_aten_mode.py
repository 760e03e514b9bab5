"""ATen mode: the native runtime on the kernels of torch, beside eager and the Python oracle, from the same files."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy
import pytest
import torch
from torch.export import Dim
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

import tenon
from models import SUITE, make
from native.compiled import NATIVE, SHARED, TORCH, alone, call, made
from native.library import CODE, Library, Out
from native.test_kernels import kind_of, plain
from pte.programs import plan, tensor
from tenon.lower.out_variants import out_name
from tenon.ops.schema import find_op, named_arguments, op_name
from tenon.pte.program import Program, to_bytes
from tenon.pte.schema import Bool, Dynamism, Int, KernelCall, Null, TensorList

pytestmark = pytest.mark.filterwarnings("ignore")
ROOT = Path(__file__).parents[2]
HERE = ROOT / "tests" / "native"
ROWS = {0: Dim("rows", min=1, max=8)}


# --- what is built, once for a state of the sources -------------------------------------------------------------

CMAKE = shutil.which("cmake", path=Path(sys.executable).parent) or "cmake"  # the tests' own, if it is installed


@pytest.fixture(scope="session")
def folder(pytestconfig):
    return pytestconfig.cache.mkdir("native-aten")


@pytest.fixture(scope="session")
def runner(folder):
    build = folder / "build"
    options = ["-DTENON_ATEN=ON", "-DTENON_PYTHON=OFF", f"-DPython_EXECUTABLE={sys.executable}", f"-DTORCH_DIR={TORCH}"]
    with alone(folder):
        call(CMAKE, "-S", ROOT, "-B", build, *options)
        call(CMAKE, "--build", build, "--target", "tenon_run_aten", "--parallel", 2)
    return build / "tenon_run_aten"


OURS = ["-DUSE_ATEN_LIB", "-I", NATIVE / "include"]


@pytest.fixture(scope="session")
def torch_ops(folder):
    library = made(folder, "torch_ops.so", [HERE / "torch_ops.cpp"], *SHARED)
    torch.ops.load_library(library)
    return library


@pytest.fixture(scope="session")
def user_kernels(folder):
    return made(folder, "user_kernels.so", [HERE / "user_kernels.cpp"], *OURS, *SHARED)


@pytest.fixture(scope="session")
def user_runner(folder):
    """The same kernels in lean mode, linked into a runner that has no others."""
    sources = [HERE / "user_kernels.cpp", HERE / "user_runner.cpp", NATIVE / "runner" / "main.cpp"]
    sources += [NATIVE / "runner" / "npy.cpp"]
    for part in ("core", "load", "exec"):
        sources += sorted((NATIVE / part).glob("*.cpp"))
    return made(folder, "user_runner", sources, "-std=c++17", "-fno-exceptions", "-fno-rtti", "-I", NATIVE / "include")


@pytest.fixture(scope="session")
def operators(folder, runner):
    """All out variants of torch in this process, as the runtime calls them."""
    sources = [HERE / "kernels.cpp", HERE / "aten_table.cpp"]
    sources += [folder / "build" / name for name in ("libtenon_aten.a", "lib/speed/libtenon_runtime.a")]
    return Library(made(folder, "operators.so", sources, *OURS, *SHARED))


# --- running ----------------------------------------------------------------------------------------------------


def started(runner, program, folder, inputs, *options):
    path = folder / "model.pte"
    if isinstance(program, Program):
        path.write_bytes(b"".join(to_bytes(program)))
    else:
        program.save(path)
    words = [runner, path, "--output", folder, *options]
    for i, each in enumerate(inputs):
        numpy.save(folder / f"input_{i}.npy", each.numpy())
        words += ["--input", folder / f"input_{i}.npy"]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}  # threads of small models only wait for each other
    return subprocess.run(
        list(map(str, words)), env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def run(runner, program, folder, inputs, *options):
    """The tensors that come out."""
    done = started(runner, program, folder, inputs, *options)
    assert done.returncode == 0 and "was resized" not in done.stderr, done.stdout + done.stderr
    count = sum(line.startswith("output ") for line in done.stdout.splitlines())
    return [torch.from_numpy(numpy.load(folder / f"output_{i}.npy")) for i in range(count)]


def refusal(runner, program, folder, inputs, *options):
    """What it says when it does not."""
    done = started(runner, program, folder, inputs, *options)
    assert done.returncode == 1, done.stdout + done.stderr
    return "".join(line for line in done.stderr.splitlines(keepends=True) if not line.startswith("[W"))  # of torch


def assert_same(actual, expected):
    others = pytree.tree_leaves(expected)
    assert len(actual) == len(others)
    for mine, other in zip(actual, others, strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-4, atol=1e-5)


def check(runner, model, inputs, folder, *options, shapes=None, keep=(), more=()):
    """The same from the runner, the oracle and eager, for each of the inputs."""
    program = tenon.export(model, inputs, dynamic_shapes=shapes, keep=keep)
    for each in (inputs, *more):
        with torch.no_grad():
            expected = model(*each)
        found = run(runner, program, folder, each, *options)
        assert_same(found, expected)
        assert_same(found, tenon.load(folder / "model.pte", mode="aten")(*each))


# --- programs ---------------------------------------------------------------------------------------------------


class Kinds(torch.nn.Module):
    """An argument of every kind there is, and results of every kind."""

    def forward(self, x, i):
        h = torch.nn.functional.gelu(x, approximate="tanh")
        numbers = torch.div(x, 0.5, rounding_mode="floor"), x.sum(dim=[0, 1], dtype=torch.float64), x.clamp(min=-1)
        lists = torch.cat([x, h], 1), x.split([1, 2], 0), x[i, :, None], torch.stack([x, x]).unbind(0)
        several = torch.topk(x, 2), x.max(1), torch.nn.functional.layer_norm(x, (4,)), torch.var_mean(x)
        made = torch.full((2, 2), 7, dtype=torch.int32), torch.arange(5), torch.zeros_like(x, dtype=torch.bool)
        image = x.view(1, 1, 3, 4)
        sized = torch.nn.functional.interpolate(image, scale_factor=[2.0, 3.0], mode="bilinear")
        return h, numbers, lists, several, made, sized, torch.where(x > 0, x, -x), x.flip([0, 1])


def test_arguments_and_results_of_every_kind(runner, tmp_path):
    check(runner, Kinds(), (torch.randn(3, 4), torch.tensor([2, 0, 2])), tmp_path)


class Rare(torch.nn.Module):
    """Operators for which Tenon has no kernels."""

    def forward(self, x):
        return (
            torch.linalg.inv_ex(x).inverse,
            torch.special.i0(x),
            torch.searchsorted(x[0].sort().values, x),
            x.cummax(0),
        )


def test_operators_without_a_row_are_reached_through_the_dispatcher(runner, tmp_path):
    keep = "aten::linalg_inv_ex aten::i0 aten::searchsorted.Tensor aten::cummax".split()
    check(runner, Rare(), (torch.randn(4, 4),), tmp_path, keep=keep)


class Dynamic(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x):
        y = torch.relu(self.linear(x))
        return y, torch.cat([x, x]), y.sum(0), y.transpose(0, 1).reshape(-1), x.split(2, 1), x.size(0) * y.mean()


def test_sizes_may_vary(runner, tmp_path):
    more = [(torch.randn(rows, 4),) for rows in (1, 8)]
    check(runner, Dynamic(), (torch.randn(2, 4),), tmp_path, shapes=(ROWS,), more=more)


class Image(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 5, 3).to(memory_format=torch.channels_last)
        self.norm = torch.nn.BatchNorm2d(5)

    def forward(self, x):
        y = self.norm(self.conv(x.to(memory_format=torch.channels_last)))
        return torch.nn.functional.max_pool2d(y, 2).to(torch.float64).contiguous()


@pytest.mark.parametrize("shapes", [None, (ROWS,)], ids=["static", "dynamic"])
def test_tensors_may_lie_in_another_order(runner, tmp_path, shapes):
    check(runner, Image().eval(), (torch.randn(2, 3, 8, 8),), tmp_path, shapes=shapes)


class Flow(torch.nn.Module):
    def forward(self, n, x):
        from torch._higher_order_ops.scan import scan
        from torch._higher_order_ops.while_loop import while_loop

        chosen = torch.cond(x.sum() > 0, lambda a: a + 1, lambda a: a * 2, (x,))
        count, doubled = while_loop(lambda i, a: i < 4, lambda i, a: (i + 1, a * 2), (n, x[0].clone()))
        total, products = scan(lambda carry, row: (carry + row, carry * row), x[0].clone(), x)
        return chosen, count, doubled, total, products


def test_branches_and_loops(runner, tmp_path):
    x = torch.randn(3, 2)
    check(runner, Flow(), (torch.tensor(1), x), tmp_path, more=[(torch.tensor(9), -x)])


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(3))

    def forward(self, x):
        self.calls.add_(1)
        return x + self.calls


def test_state_is_kept_from_run_to_run(runner, tmp_path):
    found = run(runner, tenon.export(Counter(), (torch.ones(3),)), tmp_path, [torch.ones(3)], "--repeat", 3)
    assert_same(found, [torch.full((3,), 4.0)])


@pytest.mark.parametrize("name", SUITE)
def test_the_model_suite(runner, name, tmp_path):
    case = make(name)
    program = tenon.export(case.model, (), case.kwargs)
    found = run(runner, program, tmp_path, case.kwargs.values())
    with torch.no_grad():
        assert_same(found, case.model(**case.kwargs))
    assert_same(found, tenon.load(tmp_path / "model.pte", mode="aten")(**case.kwargs))


@pytest.mark.parametrize("name", ["bert", "gpt2", "llama"])
def test_the_model_suite_at_other_sizes(runner, name, tmp_path):
    case = make(name)
    program = tenon.export(case.model, (), case.kwargs, dynamic_shapes=case.shapes)
    for batch, length in ((1, 2), (8, 32)):
        inputs = case.resized(batch, length)
        with torch.no_grad():
            assert_same(run(runner, program, tmp_path, inputs.values()), case.model(**inputs))


def test_an_operator_without_an_out_gives_its_result_where_the_program_wants_it(runner, tmp_path):
    values = [tensor([4], 1, 0), tensor([4], 1, 16)]
    program = Program([plan(values, [KernelCall(0, [0, 1])], [0], [1], [0, 32], [("aten::relu", "")])])
    x = torch.tensor([-1.0, 2.0, -3.0, 4.0])
    assert_same(run(runner, program, tmp_path, [x]), [x.relu()])


# --- torch's database of operators ----------------------------------------------------------------------------------


class Recorder(TorchDispatchMode):
    """Calls of functional operators that have an out variant, and what they gave."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = find_op(out_of(func))
        given = (
            pytree.tree_map_only(torch.Tensor, torch.clone, named_arguments(func, args, kwargs or {})) if out else {}
        )
        result = func(*args, **(kwargs or {}))
        leaves = pytree.tree_leaves(result)
        if out and all(map(is_dense, leaves)) and all(is_plain(a, given.get(a.name)) for a in out._schema.arguments):
            self.calls.append((out, given, [leaf.detach().contiguous().clone() for leaf in leaves]))
        return result


def is_dense(value):
    return isinstance(value, torch.Tensor) and value.layout == torch.strided and value.dtype in CODE


def is_plain(argument, value):
    """Whether a program can hold it. A number in the place of a tensor is for torch to make a tensor of."""
    if str(argument.type) == "Tensor" and not argument.is_out:
        return is_dense(value) and not value.is_conj() and not value.is_neg()
    return value is None or (str(argument.real_type) != "Optional[Generator]" and not isinstance(value, complex))


@cache
def out_of(func):
    try:
        return out_name(op_name(func)) or ""
    except tenon.Unsupported:
        return ""


# What torch's own out variants leave open or get wrong, and what it calls with less than all arguments.
LEFT_OUT = ("aten::_ctc_loss", "aten::binary_cross_entropy", "aten::norm.dtype_out")


def is_determined(name):
    random = torch.Tag.nondeterministic_seeded in find_op(name).tags
    return not random and "empty" not in name and not name.startswith(LEFT_OUT)


@pytest.fixture(scope="session")
def recorded():
    """(operator, arguments, results) of what the first sample of each entry calls."""
    calls = []
    for info in op_db:
        if torch.float32 not in info.supported_dtypes("cpu"):
            continue
        torch.manual_seed(0)
        sample = next(iter(info.sample_inputs("cpu", torch.float32)))
        # torch refuses some of its own samples
        with torch.no_grad(), Recorder() as recorder, suppress(RuntimeError, ValueError, TypeError, AssertionError):
            info.op(sample.input, *sample.args, **sample.kwargs)
        calls += recorder.calls
    return [each for each in calls if is_determined(op_name(each[0]))]


def stack_of(schema, given, outs):
    """The values of a call, as the runtime has them."""
    places = iter(outs)
    for argument in schema.arguments:
        value = given.get(argument.name, argument.default_value if argument.has_default_value() else None)
        if argument.is_out:
            value = list(places) if "List" in str(argument.type) else next(places)
        if argument.N and isinstance(value, (int, float)):
            value = [value]
        kind = "int" if value is None else kind_of(argument, value)
        yield kind, plain(kind, value)
    yield "int", None


@pytest.mark.parametrize("room", [0, 1], ids=["static", "dynamic"])
def test_operators_by_the_hundred_give_what_torch_gives(operators, recorded, room):
    for out, given, expected in recorded:
        outs = [Out(each, room) for each in expected]
        found = operators.call(op_name(out), list(stack_of(out._schema, given, outs)))
        said = f"{op_name(out)}: {{}}".format
        for mine, other in zip(found, expected, strict=True):
            torch.testing.assert_close(mine, other, equal_nan=True, check_stride=False, msg=said)
    assert len({op_name(out) for out, _, _ in recorded}) > 300


# --- operators and kernels of others ------------------------------------------------------------------------------


class Custom(torch.nn.Module):
    def forward(self, x):
        ops = torch.ops.tenon_test
        return ops.mul3(x + 1), ops.ends(x, 2), ops.mul4(x)


def test_a_library_brings_operators_with_and_without_out_variants(runner, torch_ops, tmp_path):
    more = [(torch.randn(rows, 3),) for rows in (2, 8)]
    shapes = ({0: Dim("rows", min=2, max=8)},)
    check(runner, Custom(), (torch.randn(4, 3),), tmp_path, "--library", torch_ops, shapes=shapes, more=more)


_USER = torch.library.Library("user", "DEF")
_USER.define("scaled(Tensor self, Scalar by) -> Tensor")
_USER.define("weighted(Tensor[] pieces, int[] weights, Tensor? start, float? bias) -> Tensor")
_USER.impl("scaled", lambda self, by: self * by, "CompositeExplicitAutograd")


def weighted(pieces, weights, start, bias):
    total = (bias or 0) + (0 if start is None else start)
    return sum((piece * weight for piece, weight in zip(pieces, weights, strict=True)), total)


_USER.impl("weighted", weighted, "CompositeExplicitAutograd")


class User(torch.nn.Module):
    def __init__(self, by=2.5):
        super().__init__()
        self.by = by

    def forward(self, x):
        user = torch.ops.user
        y = user.scaled(x, self.by)
        return y, user.weighted([x, y], [2, -3], None, 0.5), user.weighted([y], [1], x, None)


@pytest.fixture(params=["lean", "aten"])
def user(request):
    """A runner with the kernels of a user, and the options that it takes for them."""
    if request.param == "lean":
        return request.getfixturevalue("user_runner"), []
    return request.getfixturevalue("runner"), ["--library", request.getfixturevalue("user_kernels")]


def test_kernels_of_a_user_run_in_both_modes_from_one_source(user, tmp_path):
    runner, options = user
    model = User()
    program = tenon.export(model, (torch.randn(2, 4),), dynamic_shapes=(ROWS,))
    for rows in (1, 8):
        x = torch.randn(rows, 4)
        assert_same(run(runner, program, tmp_path, [x], *options), model(x))


def test_a_kernel_of_a_user_fails_with_its_words_in_both_modes(user, tmp_path):
    runner, options = user
    words = refusal(runner, tenon.export(User(0), (torch.ones(2, 4),)), tmp_path, [torch.ones(2, 4)], *options)
    assert words == "tenon_run: user::scaled.out (instruction 0 of forward): by is 0, and nothing would be left.\n"


def test_a_kernel_of_a_user_writes_a_list_of_tensors_in_both_modes(user, tmp_path):
    runner, options = user
    values = [tensor([4], 1, 0), tensor([2], 1, 16), tensor([2], 1, 32), TensorList([1, 2])]
    calls = [KernelCall(0, [0, 3, 3])]
    program = Program([plan(values, calls, [0], [1, 2], [0, 48], [("user::halves", "out")])])
    x = torch.arange(4.0)
    assert_same(run(runner, program, tmp_path, [x], *options), x.chunk(2))


@pytest.mark.parametrize("op", ["_clone_dim_order", "_to_dim_order_copy"])
def test_dim_orders_change_though_torch_has_no_operator_for_it(op, runner, tmp_path):
    x = torch.arange(16.0).reshape(1, 4, 2, 2)
    out = tensor([1, 4, 2, 2], 1, 64)
    out.dim_order = [0, 2, 3, 1]
    values = [tensor([1, 4, 2, 2], 1, 0), Bool(False), Null(), out]
    calls = [KernelCall(0, [0, 1, 2, 3, 3])]
    program = Program([plan(values, calls, [0], [3], [0, 128], [(f"dim_order_ops::{op}", "out")])])
    assert_same(run(runner, program, tmp_path, [x]), [x])


# --- what cannot be -----------------------------------------------------------------------------------------------


def sum_of(a, b, out, bound=None, **fields):
    """A program by hand: a + b, in a place of its own."""
    dynamism = Dynamism.STATIC if bound is None else Dynamism.DYNAMIC_BOUND
    place = tensor(out if bound is None else bound, 1, 256, shape_dynamism=dynamism)
    values = [tensor(a, 1, 0), tensor(b, 1, 128), Int(1), place]
    calls = [KernelCall(0, [0, 1, 2, 3, 3])]
    return Program([plan(values, calls, [0, 1], [3], [0, 512], [fields.get("op", ("aten::add", "out"))])])


REFUSALS = {
    "shapes do not fit": (
        sum_of([2, 3], [2, 5], [2, 3]),
        "aten::add.out (instruction 0 of forward): The size of tensor a (3) must match the size of tensor b (5) at "
        "non-singleton dimension 1.",
    ),
    "a result with less room": (
        sum_of([2, 3], [2, 3], None, bound=[2, 2]),
        "aten::add.out (instruction 0 of forward): dimension 1 of the result is 3, and at most 2.",
    ),
    "a result of another shape": (
        sum_of([2, 3], [2, 3], [3, 2]),
        "aten::add.out (instruction 0 of forward): the result has shape [2, 3], and its place is for [3, 2].",
    ),
    "too few values": (
        sum_of([2, 3], [2, 3], [2, 3], op=("aten::addmm", "out")),
        "aten::addmm.out (instruction 0 of forward): it takes 7 values, and was given 5.",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_aten_refuses_is_told_in_one_sentence(runner, name, tmp_path):
    program, sentence = REFUSALS[name]
    shapes = [program.plans[0].values[i].val.sizes for i in (0, 1)]
    assert refusal(runner, program, tmp_path, map(torch.ones, shapes)) == f"tenon_run: {sentence}\n"


def test_an_index_out_of_range_is_told(runner, tmp_path):
    program = tenon.export(torch.nn.Embedding(5, 3), (torch.tensor([1, 2]),))
    words = refusal(runner, program, tmp_path, [torch.tensor([1, 7])])
    assert words == "tenon_run: aten::embedding.out (instruction 0 of forward): index out of range in self.\n"


def test_operators_that_torch_has_not_are_named_when_the_program_is_loaded(runner, tmp_path):
    words = refusal(runner, sum_of([2], [2], [2], op=("nowhere::nothing", "out")), tmp_path, [])
    assert "Missing operator: [0] nowhere::nothing.out\n" in words


def test_a_constant_is_not_written_to(runner, tmp_path):
    program = sum_of([2, 3], [2, 3], [2, 3])
    program.plans[0].values[3].val = tensor([2, 3], data_buffer_idx=1)
    program = Program(program.plans, constants=[bytes(24)])
    words = refusal(runner, program, tmp_path, [torch.ones(2, 3)] * 2)
    assert words.endswith("it would write to argument 3, which is a constant.\n")


def test_a_library_that_there_is_not_is_told(runner, tmp_path):
    words = refusal(runner, sum_of([2], [2], [2]), tmp_path, [], "--library", tmp_path / "none.so")
    assert words.startswith(f"tenon_run: {tmp_path / 'none.so'}: cannot open") and words.count("\n") == 1
