"""Programs in the native runtime give what eager gives, from numpy or torch, with state, from several threads."""

import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.utils import _pytree as pytree

import tenon
from models import SUITE, make
from tenon import _native
from tenon.run import lean

RUNNER = Path(_native.__file__).parent / "bin" / "tenon_run"


def assert_same(actual, expected):
    ours, theirs = pytree.tree_leaves(actual), pytree.tree_leaves(expected)
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-4, atol=1e-4)


@pytest.fixture
def saved(tmp_path):
    def save(model, args=(), kwargs=None, **options):
        tenon.export(model, args, kwargs, **options).save(tmp_path / "model.pte")
        return tmp_path / "model.pte"

    return save


@pytest.mark.parametrize("name", SUITE)
def test_a_model_runs_as_eager_does(name, saved):
    case = make(name)
    module = tenon.load(saved(case.model, (), case.kwargs))
    with torch.no_grad():
        assert_same(module(**case.kwargs), case.model(**case.kwargs))


@pytest.mark.parametrize("name", [name for name in SUITE if make(name).shapes])
def test_a_model_runs_at_the_smallest_a_middle_and_the_largest_size(name, saved):
    case = make(name)
    module = tenon.load(saved(case.model, (), case.kwargs, dynamic_shapes=case.shapes))
    for size in ((1, 2), (3, 5), (8, 32)):
        inputs = case.resized(*size)
        with torch.no_grad():
            assert_same(module(**inputs), case.model(**inputs))


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.full((2,), 5.0))

    def forward(self, x):
        self.calls.add_(1)
        return {"sum": x + self.calls, "twice": [x * 2]}


def test_what_came_in_goes_out(saved):
    module = tenon.load(saved(Counter(), (torch.ones(2),)))
    from_numpy, from_torch = module(np.ones(2, np.float32)), module(torch.ones(2))
    assert type(from_numpy["sum"]) is np.ndarray and type(from_torch["twice"][0]) is torch.Tensor
    assert from_numpy["sum"].tolist() == [7.0, 7.0] and from_torch["sum"].tolist() == [8.0, 8.0]
    assert from_numpy["sum"].tolist() == [7.0, 7.0], "an output stays as it was when the method runs again"


def test_state_is_read_set_and_reset(saved):
    module = tenon.load(saved(Counter(), (torch.ones(2),)))
    x = torch.zeros(2)
    module(x)
    name = "calls"
    assert module.state()[name].tolist() == [6.0, 6.0]
    module.set_state(name, torch.tensor([1.0, 2.0]))
    assert module(x)["sum"].tolist() == [2.0, 3.0]
    module.reset_state()
    assert module(x)["sum"].tolist() == [6.0, 6.0]
    with pytest.raises(tenon.Invalid, match="method forward has no state none."):
        module.set_state("none", x)


def test_each_thread_has_state_of_its_own(saved):
    module = tenon.load(saved(Counter(), (torch.ones(2),)))
    start = threading.Barrier(4)

    def count(_):
        start.wait()
        return [module(torch.zeros(2))["sum"][0].item() for _ in range(20)]

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(count, range(4)):
            assert found == [6.0 + i for i in range(20)]


class Writer(torch.nn.Module):
    def __init__(self, counter):
        super().__init__()
        self.counter = counter

    def forward(self, x):
        return self.counter.calls * x


def test_methods_share_state(tmp_path):
    counter = Counter()
    methods = {"count": (counter, (torch.ones(2),)), "read": (Writer(counter), (torch.ones(2),))}
    tenon.export(methods).save(tmp_path / "model.pte")
    module = tenon.load(tmp_path / "model.pte")
    assert module.methods == ["count", "read"]
    module["count"](torch.ones(2))
    module["count"](torch.ones(2))
    assert module["read"](torch.ones(2)).tolist() == [7.0, 7.0]
    with pytest.raises(tenon.Invalid, match="there is no method forward. There are: count, read."):
        module(torch.ones(2))


def test_an_output_goes_where_it_is_asked_to(saved):
    module = tenon.load(saved(torch.nn.ReLU(), (torch.ones(2, 3),)))
    place = np.empty((2, 3), np.float32)
    module.set_output(place)
    assert module(-np.ones((2, 3), np.float32)) is place and not place.any()
    module.set_output(np.empty((3, 2), np.float32))
    with pytest.raises(tenon.Invalid, match=r"the array for output 0 of method forward is .*\[3, 2\]"):
        module(np.ones((2, 3), np.float32))
    with pytest.raises(tenon.Invalid, match="method forward has 1 outputs, and no output 1."):
        module.set_output(place, 1)


class Dtypes(torch.nn.Module):
    def forward(self, x):
        return x + x


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64, torch.int8, torch.uint8, torch.int64])
def test_every_dtype_crosses(dtype, saved):
    x = torch.tensor([1, 2, 3], dtype=dtype)
    module = tenon.load(saved(Dtypes(), (x,)))
    assert_same(module(x), x + x)
    if dtype is not torch.bfloat16:
        assert module(x.numpy()).tolist() == [2, 4, 6]


def test_arrays_that_are_strided_empty_or_without_dimensions(saved):
    module = tenon.load(saved(Dtypes(), (torch.ones(2, 3),)))
    assert_same(module(torch.arange(6.0).reshape(3, 2).t()), torch.arange(6.0).reshape(3, 2).t() * 2)
    assert tenon.load(saved(Dtypes(), (torch.ones(0, 3),)))(torch.ones(0, 3)).shape == (0, 3)
    assert tenon.load(saved(Dtypes(), (torch.tensor(2.0),)))(torch.tensor(2.0)).item() == 4.0


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ((), "method forward takes 1 input, and was given 0."),
        ((np.ones((2, 3)),), "float64"),
        ((np.ones((9, 3), np.float32),), "dimension 0"),
        ((np.ones(3, np.float32),), "method forward: input 0 has shape [3], but must have [8, 3]."),
        ((object(),), "method forward: input 0 must be an array, not a object."),
        ((np.array(["a"]),), "method forward: input 0 must be an array, not a ndarray."),
    ],
    ids=["too few", "dtype", "too large", "rank", "no array", "no numbers"],
)
def test_inputs_that_do_not_fit_are_told(inputs, text, saved):
    rows = torch.export.Dim("rows", min=1, max=8)
    module = tenon.load(saved(Dtypes(), (torch.ones(2, 3),), dynamic_shapes=({0: rows},)))
    with pytest.raises(tenon.Invalid) as error:
        module(*inputs)
    assert text in str(error.value), str(error.value)
    assert_same(module(torch.ones(8, 3)), torch.full((8, 3), 2.0))


def test_operators_without_a_kernel_are_all_told_at_load(saved):
    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.linalg.cholesky_ex(x)[0], torch.special.i0(x)

    keep = ["aten::linalg_cholesky_ex", "aten::special_i0", "aten::i0"]
    module = tenon.load(saved(Net(), (torch.eye(2),), keep=keep))
    with pytest.raises(tenon.Unsupported) as error:
        module(torch.eye(2))
    first, second, remedy = str(error.value).splitlines()
    assert first.startswith("Missing operator: [1] aten::") and second.startswith("Missing operator: [2] aten::")
    assert remedy == 'Add kernels for them, or run the program with mode="aten".'


def test_a_profile_has_operator_line_and_time(saved):
    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.relu(x @ x)

    module = tenon.load(saved(Net(), (torch.eye(2),), source_lines=True))
    rows = module.profile(torch.eye(2))
    assert [row.operator for row in rows] == ["aten::mm.out", "aten::relu.out"]
    assert all("Net.forward" in row.source and row.nanoseconds >= 0 for row in rows)


def test_a_kernel_is_called_by_itself():
    a, b, out = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), torch.empty(2)
    assert tenon.kernels["aten::add.out"](a, b, alpha=2, out=out) is out
    assert out.tolist() == [7.0, 10.0]
    assert len(tenon.kernels) > 100 and "aten::mm.out" in tenon.kernels
    with pytest.raises(KeyError, match="there is no kernel for aten::ad.out"):
        tenon.kernels["aten::ad.out"]
    with pytest.raises(tenon.Invalid, match="aten::add.out: "):
        tenon.kernels["aten::add.out"](a, torch.ones(3), out=out)


WITHOUT_TORCH = """
import sys
import numpy as np


class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name == "torch" or name.startswith("torch."):
            raise ModuleNotFoundError("there is no torch here")


sys.meta_path.insert(0, Refuse())
import tenon
print(tenon.load("model.pte")(np.arange(6, dtype=np.float32).reshape(2, 3)).tolist())
assert "torch" not in sys.modules
"""


def test_a_program_runs_without_torch(saved):
    folder = saved(Dtypes(), (torch.ones(2, 3),)).parent
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stdout.strip() == "[[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]", done.stderr


def test_weights_beside_a_program_are_found(saved):
    model = torch.nn.Linear(3, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path = saved(model, (torch.ones(1, 3),), external_weights=True)
        assert_same(tenon.load(path)(torch.ones(1, 3)), model(torch.ones(1, 3)).detach())


@pytest.mark.parametrize("beside", [False, True])
def test_a_program_runs_from_memory_or_from_its_file(saved, monkeypatch, beside):
    model, x = torch.nn.Linear(300, 200), torch.ones(1, 300)
    path = saved(model, (x,), external_weights=beside)
    ways = []
    for name in ("hold_whole", "map_whole"):
        real = getattr(lean, name)
        monkeypatch.setattr(lean, name, lambda path, name=name, real=real: ways.append(name) or real(path))
    for mapped in (None, False, True):
        assert_same(tenon.load(path, mapped=mapped)(x), model(x).detach())
    monkeypatch.setattr(lean, "_memory_of_machine", lambda: 2)  # so that it is more than half of that
    assert_same(tenon.load(path)(x), model(x).detach())
    assert ways == [way for way in ("hold_whole", "hold_whole", "map_whole", "map_whole") for _ in range(1 + beside)]


# --- the runner -------------------------------------------------------------------------------------------------


def run(*args):
    return subprocess.run([RUNNER, *map(str, args)], capture_output=True, text=True, check=False, timeout=120)


def test_the_runner_runs_a_program(saved):
    path = saved(torch.nn.ReLU(), (torch.ones(2, 3),))
    x = np.array([[1, -1, 2], [-2, 3, -3]], np.float32)
    np.save(path.parent / "x.npy", x)
    (path.parent / "x.bin").write_bytes(x.tobytes())
    for given in ("x.npy", "x.bin"):
        done = run(
            path, "--input", path.parent / given, "--output", path.parent, "--repeat", 5, "--profile", "--memory"
        )
        assert done.returncode == 0, done.stderr
        assert np.array_equal(np.load(path.parent / "output_0.npy"), np.maximum(x, 0))
        for words in ("output 0: Float[2, 3] 1 0 2", "time: 5 runs, median ", "5 calls  aten::relu.out", "in bank 1"):
            assert words in done.stdout
    assert "output 0: Float[2, 3] 1 1 1" in run(path).stdout


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["none.pte"], "none.pte: cannot be read."),
        (["model.pte", "--input", "none.npy"], "none.npy: cannot be read."),
        (["model.pte", "--input", "model.pte"], "input 0 takes 24."),
        (["model.pte", "--method", "decode"], "there is no method decode. There are: forward."),
        (["model.pte", "--input", "ones", "--input", "ones"], "takes 1 inputs, and was given 2."),
    ],
)
def test_the_runner_tells_mistakes(args, text, saved, monkeypatch):
    monkeypatch.chdir(saved(torch.nn.ReLU(), (torch.ones(2, 3),)).parent)
    done = run(*args)
    assert done.returncode == 1 and text in done.stderr
    assert run("--nonsense").returncode == 2


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, "model.pte: cannot be read: No such file or directory."),
        (b"", "model.pte: this is no program: it has 0 bytes, and even an empty one has more."),
        (b"PK\x03\x04" * 9, "model.pte: this is no program: bytes 4 to 7 are"),
    ],
)
def test_a_file_that_is_no_program_is_told(content, text, tmp_path):
    if content is not None:
        (tmp_path / "model.pte").write_bytes(content)
    with pytest.raises(tenon.Invalid) as error:
        tenon.load(tmp_path / "model.pte")
    assert text in str(error.value)


def test_the_memory_a_method_needs_is_what_was_planned(saved):
    model = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.ReLU())
    program = tenon.export(model, (torch.ones(2, 3),))
    own, banks = tenon.load(saved(model, (torch.ones(2, 3),))).memory_needed()
    assert sum(banks) == program.memory().planned and own > 0


def test_a_method_that_is_loaded_late_has_its_own_state_and_leaves_that_of_others(tmp_path):
    counter = Counter()
    methods = {
        "count": (counter, (torch.ones(2),)),
        "other": (Counter(), (torch.ones(2),)),
        "read": (Writer(counter), (torch.ones(2),)),
    }
    tenon.export(methods).save(tmp_path / "model.pte")
    module = tenon.load(tmp_path / "model.pte")
    for _ in range(3):
        module["count"](torch.zeros(2))
    assert module["other"](torch.zeros(2))["sum"].tolist() == [6.0, 6.0]
    assert module["read"](torch.ones(2)).tolist() == [8.0, 8.0]
    assert module["count"](torch.zeros(2))["sum"].tolist() == [9.0, 9.0]
