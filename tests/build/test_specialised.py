"""Kernels for some dtypes and dim orders, from YAML to a program that runs: the one that fits is chosen at load."""

import subprocess

import numpy
import pytest

from pte.programs import plan, tensor
from tenon.build import installed
from tenon.build.generate import bind, generate
from tenon.ops.table import read_table
from tenon.pte.program import Program
from tenon.pte.schema import KernelCall, Null

ROWS = """
- func: my_ops::mark.out(Tensor x, Tensor? scale=None, *, Tensor(a!) out) -> Tensor(a!)
  type_alias:
    T0: [Float]
    T1: [Float, Double]
  dim_order_alias:
    D0: [0, 1, 2, 3]
    D1: [[0, 2, 3, 1]]
  kernels:
    - arg_meta: null
      kernel_name: custom::mark_any
    - arg_meta:
        out: [T0, D0]
        x: [T0, D0]
      kernel_name: custom::mark_float
    - arg_meta:
        x: [T1, D1]
        out: [T1, D1]
      kernel_name: custom::mark_channels_last
    - arg_meta:
        x: [T0, D0]
        scale: [T0, D0]
        out: [T0, D0]
      kernel_name: custom::mark_scaled
- func: my_ops::floats.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
  type_alias:
    T0: [Float]
  dim_order_alias:
    D0: [0, 1, 2, 3]
  kernels:
    - arg_meta: {x: [T0, D0], out: [T0, D0]}
      kernel_name: custom::floats_out
"""
KERNELS = """
#include <executorch/runtime/kernel/kernel_includes.h>
namespace custom::native {
using torch::executor::KernelRuntimeContext;
using torch::executor::Tensor;
using OptionalTensor = std::optional<Tensor>;
Tensor& mark(Tensor& out, int value) {
  for (ssize_t i = 0; i < out.numel(); ++i) {
    if (out.scalar_type() == torch::executor::ScalarType::Float) out.mutable_data_ptr<float>()[i] = value;
    if (out.scalar_type() == torch::executor::ScalarType::Double) out.mutable_data_ptr<double>()[i] = value;
    if (out.scalar_type() == torch::executor::ScalarType::Int) out.mutable_data_ptr<int32_t>()[i] = value;
  }
  return out;
}
Tensor& mark_any(KernelRuntimeContext&, const Tensor&, const OptionalTensor&, Tensor& out) { return mark(out, 1); }
Tensor& mark_float(KernelRuntimeContext&, const Tensor&, const OptionalTensor&, Tensor& out) { return mark(out, 2); }
Tensor& mark_channels_last(KernelRuntimeContext&, const Tensor&, const OptionalTensor&, Tensor& out) {
  return mark(out, 3);
}
Tensor& mark_scaled(const Tensor&, const OptionalTensor&, Tensor& out) { return mark(out, 4); }
Tensor& floats_out(KernelRuntimeContext&, const Tensor&, Tensor& out) { return mark(out, 5); }
}  // namespace custom::native
"""
FLOAT, DOUBLE, INT = 6, 7, 3
PLAIN, LAST = [0, 1, 2, 3], [0, 2, 3, 1]


def call(*command, fails=False):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    folder = tmp_path_factory.mktemp("specialised")
    (folder / "custom_ops.yaml").write_text(ROWS)
    (folder / "kernels.cpp").write_text(KERNELS)
    bound = bind(read_table(folder / "custom_ops.yaml"))
    made = generate(bound, "mine", registration="static", plain={"custom::native::mark_scaled"})
    for name, text in made.items():
        (folder / name).write_text(text)
    sources = [folder / "kernels.cpp", folder / "RegisterCodegenUnboxedKernelsEverything.cpp"]
    for source in sources:
        call("g++", *installed.flags("size"), "-Wall", "-Wextra", "-Werror", "-I", installed.include(), "-c", source,
             "-o", source.with_suffix(".o"))  # fmt: skip
    # In an archive, from which the linker takes only what is asked for.
    call("ar", "rcs", folder / "libmine.a", *(source.with_suffix(".o") for source in sources))
    call("g++", "-Wl,-u,tenon_register_mine", folder / "libmine.a", *installed.libraries("size"), "-o", folder / "run")
    return folder / "run"


def tensors(dtype, order, count=2):
    """Inputs and outs of 2 x 3 x 4 x 5 in memory of their own."""
    made = [tensor([2, 3, 4, 5], 1, 1024 * i, dtype=dtype) for i in range(count)]
    for each in made:
        each.dim_order = order
    return made


def ran(runner, folder, values, args, operator="mark", fails=False):
    out = args[-1]
    program = Program([plan(values, [KernelCall(0, args)], [], [out], [0, 4096], [(f"my_ops::{operator}", "out")])])
    program.save(folder / "model.pte")
    words = call(runner, folder / "model.pte", "--output", folder, fails=fails)
    return words if fails else set(numpy.load(folder / "output_0.npy").ravel())


@pytest.mark.parametrize(
    ("dtype", "order", "kernel"),
    [
        (FLOAT, PLAIN, 2),
        (FLOAT, LAST, 3),
        (DOUBLE, LAST, 3),
        (DOUBLE, PLAIN, 1),
        (INT, PLAIN, 1),
        (INT, LAST, 1),
        (FLOAT, [0, 1, 3, 2], 1),
    ],
)
def test_the_kernel_of_this_dtype_and_dim_order_is_called_or_the_fallback(runner, tmp_path, dtype, order, kernel):
    values = [*tensors(dtype, order), Null()]
    assert ran(runner, tmp_path, values, [0, 2, 1, 1]) == {kernel}


def test_a_call_that_mixes_what_two_kernels_are_for_is_for_the_fallback(runner, tmp_path):
    values = [*tensors(FLOAT, PLAIN, 1), *tensors(DOUBLE, LAST, 2)[1:], Null()]
    assert ran(runner, tmp_path, values, [0, 2, 1, 1]) == {1}


def test_a_kernel_that_names_an_optional_tensor_is_for_calls_that_give_it(runner, tmp_path):
    values = tensors(FLOAT, PLAIN, 3)
    assert ran(runner, tmp_path, values, [0, 1, 2, 2]) == {4}


def test_without_a_fallback_a_call_that_no_kernel_is_for_misses_its_operator(runner, tmp_path):
    assert ran(runner, tmp_path, tensors(FLOAT, PLAIN), [0, 1, 1], "floats") == {5}
    words = ran(runner, tmp_path, tensors(DOUBLE, PLAIN), [0, 1, 1], "floats", fails=True)
    assert "Missing operator: [0] my_ops::floats.out, whose kernels are for other dtypes and dim orders\n" in words
