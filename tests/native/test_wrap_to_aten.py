"""WRAP_TO_ATEN: kernels of the runtime as operators of torch, from one source, over the types of either."""

import hashlib
import subprocess
from pathlib import Path

import pytest
import torch
from torch.export import Dim

import tenon
import tenon.ops
from native.compiled import NATIVE, SHARED, TORCH, made
from tenon.build import installed

pytestmark = pytest.mark.filterwarnings("ignore")
HERE = Path(__file__).parent
ROW = """
- func: {}::{}
  kernels:
    - arg_meta: null
      kernel_name: wrapped::{}
"""


@pytest.fixture(scope="session")
def folder(pytestconfig):
    return pytestconfig.cache.mkdir("wrapped")


@pytest.fixture(scope="session", params=["lean", "aten"])
def namespace(request, folder):
    """Where the operators are, once they are loaded."""
    name = f"wrapped_{request.param}"
    sources = [HERE / "wrapped_ops.cpp"]
    options = [f"-DTENON_NAMESPACE={name}", "-I", NATIVE / "include", *SHARED, "-Wl,-z,defs", "-O0"]
    if request.param == "aten":
        sources.append(NATIVE / "aten" / "tensors.cpp")
        options.insert(0, "-DUSE_ATEN_LIB")
    sources.append(installed.library("speed", "runtime"))
    digest = hashlib.sha256((HERE / "wrapped_kernels.cpp").read_bytes())  # which is included
    options.append(f"-DKERNELS={digest.hexdigest()}")
    torch.ops.load_library(made(folder, f"{name}.so", sources, *options))
    return name


@pytest.fixture
def ops(namespace):
    return getattr(torch.ops, namespace)


def test_a_kernel_without_a_context_serves_torch(ops):
    x = torch.randn(3, 4)
    for given in (x, x.t(), x[:, ::2], x[:0], x[0, 0], x.expand(2, 3, 4)):
        torch.testing.assert_close(ops.mul4(given), given * 4, check_stride=False)
    image = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    assert ops.mul4(image).is_contiguous(memory_format=torch.channels_last)
    torch.testing.assert_close(ops.mul4(image), image * 4)


def test_an_out_is_written_where_it_lies(ops):
    x = torch.randn(3, 4)
    whole = torch.zeros(4, 6)
    for out in (torch.empty(3, 4), torch.empty(0), whole.t()[:3, :], torch.empty(3, 8)[:, ::2]):
        assert ops.mul4.out(x, output=out) is out
        torch.testing.assert_close(out, x * 4, check_stride=False)
    assert torch.equal(whole.t()[:3], x * 4) and not whole.t()[3:].any()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64, torch.uint8, torch.bfloat16, torch.half])
def test_an_out_takes_on_the_size_that_the_kernel_gives_it(ops, dtype):
    x = torch.arange(12).view(4, 3).to(dtype)
    room = torch.empty(4, 3, dtype=dtype)
    for rows in (2, 4, 0):
        assert ops.head.out(x, rows, 2, out=room) is room
        assert torch.equal(room, x[:rows] * 2)
    strided = torch.empty(3, 4, dtype=dtype).t()
    assert torch.equal(ops.head.out(x.t().contiguous().t(), 2, 2, out=strided), x[:2] * 2)


def test_a_part_of_a_tensor_has_no_more_room_than_it_shows(ops):
    whole = torch.zeros(4, 3)
    with pytest.raises(RuntimeError, match="the out has no room for the result"):
        ops.head.out(torch.ones(4, 3), 3, 1, out=whole[:2])
    assert not whole.any()


def test_arguments_of_every_kind_reach_the_kernel(ops):
    one, out = torch.ones(1), torch.empty(1)
    ops.kinds.out(one, [one, one + 1], [None, one], [1, 2], [0.5], [True, False], [3], None, 2.5, torch.int32, "abc",
                  True, 0.25, torch.float32, out=out)  # fmt: skip
    assert out.item() == 1 + 1 + 2 + 1000 + 1 + 3 + 0.5 + 1 + 3 + 7 + 2.5 + 3 + 3 + 100 + 0.25 + 6
    ops.kinds.out(None, [], [one], [], [], [], None, 1, None, None, "", False, 0.0, torch.int8, out=out)
    assert out.item() == 1 + 1 + 1


def test_outs_may_be_several_or_a_list(ops):
    x = torch.randn(2, 3)
    twice, thrice = torch.empty(0), torch.empty(3, 2).t()
    given = ops.both.out(x, twice=twice, thrice=thrice)
    assert given[0] is twice and given[1] is thrice
    torch.testing.assert_close((twice, thrice), (x * 2, x * 3), check_stride=False)
    halves = [torch.empty(3), torch.empty(6)[::2]]
    ops.halves.out(x, out=halves)
    torch.testing.assert_close(halves, list(x.flatten().chunk(2)), check_stride=False)


def test_a_kernel_that_fails_throws_what_it_said(ops):
    x, out = torch.ones(3, 4), torch.empty(3, 4)
    for call, words in (
        (lambda: ops.head.out(x, 9, 1, out=out), "rows=9 exceeds size 3 of dim 0"),
        (lambda: ops.head.out(x, 2, 1, out=torch.empty(2)), "the out has no room for the result"),
        (lambda: ops.head.out(x.cfloat(), 2, 1, out=out.cfloat()), "there is no kernel for complex64"),
        (lambda: ops.careless(x.to("meta")), "argument 0 is on meta, and the kernel is for the CPU."),
    ):
        with pytest.raises(RuntimeError) as error:
            call()
        assert str(error.value).splitlines()[0] == words


def test_a_capture_of_an_operator_without_a_meta_kernel_says_what_to_do(ops):
    class Net(torch.nn.Module):
        def forward(self, x):
            return ops.careless(x)

    with pytest.raises(tenon.Invalid, match="argument 0 has no elements, as when a model is captured. Register the"):
        tenon.export(Net(), (torch.ones(2),))


def test_one_kernel_gives_the_same_in_torch_and_in_a_program(ops, namespace, folder, tmp_path):
    class Net(torch.nn.Module):
        def forward(self, x):
            return ops.mul4(x + 1), ops.mul4(x.transpose(0, 1))

    row = ROW.format(namespace, "mul4.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)", "mul4_out")
    tenon.ops.load_inline(HERE / "wrapped_kernels.cpp", row, build_folder=folder / "runtime")
    program = tenon.export(Net(), (torch.randn(2, 4),), dynamic_shapes=({0: Dim("rows", min=1, max=8)},))
    assert program.operators()[f"{namespace}::mul4.out"] == 2
    program.save(tmp_path / "model.pte")
    for mode in ("lean", "aten"):
        module = tenon.load(tmp_path / "model.pte", mode=mode)
        for rows in (1, 8):
            x = torch.randn(rows, 4)
            torch.testing.assert_close(module(x), Net()(x), rtol=0, atol=0)


def test_an_index_at_which_nothing_is_written_does_not_compile(tmp_path):
    (tmp_path / "wrong.cpp").write_text(
        "#include <executorch/extension/aten_util/make_aten_functor_from_et_functor.h>\n"
        "tenon::Tensor& f(const tenon::Tensor&, tenon::Tensor& out) { return out; }\n"
        "auto wrapped = &WRAP_TO_ATEN(f, 0);\n"
    )
    command = ["g++", "-std=c++20", "-fsyntax-only", "-I", NATIVE / "include", "-isystem", TORCH / "include"]
    done = subprocess.run([*command, tmp_path / "wrong.cpp"], capture_output=True, text=True, check=False)
    words = "static assertion failed: WRAP_TO_ATEN(kernel, out_index): there is no `Tensor&` at out_index."
    assert done.returncode and words in done.stderr
