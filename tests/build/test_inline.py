"""tenon.ops.load_inline: kernels of C++ text in eager, export and the runtime; and what is said if they cannot be."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import torch
from torch.export import Dim

import tenon
import tenon.ops
from tenon.build import installed
from tenon.build.drive.build import BuildRequest, build

# What most kernels here begin with.
HEAD = """
#include <executorch/runtime/kernel/kernel_includes.h>

namespace inline_test::native {
using namespace executorch::aten;
using executorch::runtime::Error;
using executorch::runtime::KernelRuntimeContext;
"""
TAIL = "}  // namespace inline_test::native\n"
ROW = """
- func: {schema}
  kernels:
    - arg_meta: null
      kernel_name: inline_test::{kernel}
"""
MUL = """
Tensor& mul_out(KernelRuntimeContext& context, const Tensor& input, Tensor& output) {
  const Error error = executorch::runtime::resize_tensor(output, input.sizes());
  ET_KERNEL_CHECK(context, error == Error::Ok, InvalidArgument, output);
  ET_SWITCH_REALHBF16_TYPES(input.scalar_type(), context, "mul.out", CTYPE, [&] {
    for (ssize_t i = 0; i < input.numel(); ++i) {
      output.mutable_data_ptr<CTYPE>()[i] = static_cast<CTYPE>(input.const_data_ptr<CTYPE>()[i] * CTYPE(FACTOR));
    }
  });
  return output;
}
"""


def source(*kernels):
    return "".join([HEAD, *kernels, TAIL])


def rows(**schemas):
    """YAML that binds functions to schemas."""
    return "".join(ROW.format(schema=schema, kernel=kernel) for kernel, schema in schemas.items())


def multiplies(name, factor):
    """An operator that multiplies by a number."""
    yaml = rows(mul_out=f"inline_test::{name}.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)")
    return source(MUL.replace("FACTOR", str(factor))), yaml


@pytest.fixture(scope="session")
def folder(pytestconfig):
    """Objects are kept from run to run, in a folder whose name has spaces."""
    return pytestconfig.cache.mkdir("inline") / "kept from run to run"


@pytest.fixture
def load(folder):
    return lambda *args, **kwargs: tenon.ops.load_inline(*args, build_folder=folder, **kwargs)


def says(call, *texts):
    with pytest.raises(tenon.TenonError) as error:
        call()
    for text in texts:
        assert text in str(error.value), str(error.value)
    return str(error.value)


# --- one operator, everywhere -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mul3(folder):
    made = tenon.ops.load_inline(*multiplies("mul3", 3), build_folder=folder)
    assert made.operators == ("inline_test::mul3.out",) and made.library.is_file()
    return torch.ops.inline_test.mul3


class Mul3(torch.nn.Module):
    def forward(self, x):
        op = torch.ops.inline_test.mul3
        return op(x + 1), op(x.transpose(0, 1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64, torch.bfloat16])
def test_eager_calls_the_kernel(mul3, dtype):
    x = torch.arange(12).view(3, 4).to(dtype)
    for given in (x, x.t(), x[:, ::2], x[:0], x[0, 0], x.expand(2, 3, 4), x[None, :, None]):
        torch.testing.assert_close(mul3(given), given * 3, check_stride=False)


def test_an_out_is_resized_and_written_where_it_lies(mul3):
    x = torch.randn(3, 4)
    whole = torch.zeros(4, 6)
    for out in (torch.empty(3, 4), torch.empty(0), torch.empty(7), whole.t()[:3, :], torch.empty(3, 8)[:, ::2]):
        assert mul3.out(x, output=out) is out
        torch.testing.assert_close(out, x * 3, check_stride=False)
    assert torch.equal(whole.t()[:3], x * 3) and not whole.t()[3:].any()


def test_an_image_with_channels_last_stays_so(mul3):
    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    assert mul3(x).is_contiguous(memory_format=torch.channels_last)
    torch.testing.assert_close(mul3(x), x * 3)


def test_a_program_calls_the_kernel_in_both_modes(mul3, tmp_path):
    shapes = ({0: Dim("rows", min=1, max=8)},)
    program = tenon.export(Mul3(), (torch.randn(2, 4),), dynamic_shapes=shapes)
    assert program.operators()["inline_test::mul3.out"] == 2
    program.save(tmp_path / "model.pte")
    for mode in ("lean", "aten"):
        module = tenon.load(tmp_path / "model.pte", mode=mode)
        for count in (1, 8):
            x = torch.randn(count, 4)
            torch.testing.assert_close(module(x), Mul3()(x))


def test_a_kernel_is_called_by_itself(mul3):
    out = torch.empty(2)
    assert tenon.kernels["inline_test::mul3.out"](torch.ones(2), output=out) is out
    assert out.tolist() == [3, 3]


def test_a_runner_has_the_same_kernel(mul3, folder, tmp_path, monkeypatch):
    monkeypatch.setenv("TENON_CACHE", str(folder))
    text, yaml = multiplies("mul3", 3)
    (tmp_path / "mul3.cpp").write_text(text)
    (tmp_path / "custom_ops.yaml").write_text(yaml)
    x = torch.randn(2, 4)
    tenon.export(Mul3(), (x,)).save(tmp_path / "model.pte")
    request = BuildRequest(
        tmp_path / "out",
        models=(tmp_path / "model.pte",),
        custom_ops=(tmp_path / "custom_ops.yaml",),
        kernels=(tmp_path / "mul3.cpp",),
    )
    numpy.save(tmp_path / "x.npy", x.numpy())
    built = build(request)
    command = [built.runner, tmp_path / "model.pte", "--input", tmp_path / "x.npy", "--output", tmp_path]
    subprocess.run(command, check=True, capture_output=True)
    for i, expected in enumerate(Mul3()(x)):
        torch.testing.assert_close(torch.from_numpy(numpy.load(tmp_path / f"output_{i}.npy")), expected)
    # The shared library beside it is one that Python loads: here behind Tenon's own kernels, of which it has some too.
    assert {"aten::add.out", "inline_test::mul3.out"} <= {*tenon.kernels.load_library(built.shared, precedence=-1)}


# --- again, and otherwise ---------------------------------------------------------------------------------------------


def test_a_second_call_builds_nothing_and_a_changed_text_is_what_counts_from_then_on(load, tmp_path):
    first = load(*multiplies("changed", 5))
    again = load(*multiplies("changed", 5))
    op = torch.ops.inline_test.changed
    assert again == first and op(torch.ones(1)).item() == 5

    class Net(torch.nn.Module):
        def forward(self, x):
            return op(x)

    tenon.export(Net(), (torch.ones(1),)).save(tmp_path / "model.pte")
    before = tenon.load(tmp_path / "model.pte")
    assert before(torch.ones(1)).item() == 5
    other = load(*multiplies("changed", 7))
    assert other.library != first.library and op(torch.ones(1)).item() == 7
    # A method that is loaded stays as it is; one that is loaded now has the new kernel.
    assert before(torch.ones(1)).item() == 5 and tenon.load(tmp_path / "model.pte")(torch.ones(1)).item() == 7
    assert load(*multiplies("changed", 5)) == first and op(torch.ones(1)).item() == 5


def test_a_header_beside_a_source_is_found_and_a_change_of_it_is_noticed(load, tmp_path):
    folder = tmp_path / "with spaces"
    folder.mkdir()
    text, yaml = multiplies("headed", "headed_factor")
    (folder / "kernel.cpp").write_text('#include "factor.h"\n' + text)
    (folder / "rows.yaml").write_text(yaml)
    for factor in (2, 4):
        (folder / "factor.h").write_text(f"constexpr int headed_factor = {factor};\n")
        load([folder / "kernel.cpp"], folder / "rows.yaml")
        assert torch.ops.inline_test.headed(torch.ones(1)).item() == factor


def test_kernels_may_be_compiled_already(load, tmp_path):
    text, yaml = multiplies("compiled", 6)
    (tmp_path / "kernel.cpp").write_text(text)
    include = installed.include()
    command = ["g++", "-std=c++17", "-fPIC", "-I", include, "-c", tmp_path / "kernel.cpp", "-o", tmp_path / "kernel.o"]
    subprocess.run(command, check=True)
    load(tmp_path / "kernel.o", yaml)
    assert torch.ops.inline_test.compiled(torch.ones(1)).item() == 6


def test_flags_reach_the_compiler(load):
    text, yaml = multiplies("flagged", "FROM_A_FLAG")
    load(text, yaml, extra_flags=["-DFROM_A_FLAG=9"])
    assert torch.ops.inline_test.flagged(torch.ones(1)).item() == 9


def test_another_schema_for_an_operator_that_is_there_is_refused(load, mul3):
    text, _ = multiplies("mul3", 3)
    yaml = rows(mul_out="inline_test::mul3.out(Tensor input, int by, *, Tensor(a!) output) -> Tensor(a!)")
    words = says(lambda: load(text, yaml), "2 operators of torch would change.", "custom_ops.yaml:4: inline_test::mul3")
    assert "(Tensor input, int by) -> Tensor, which torch has as inline_test::mul3(Tensor input) -> Tensor" in words
    assert words.endswith("start it again, or take another name.")


def test_an_operator_that_torch_has_already_keeps_what_it_does_there(load):
    with torch.library._scoped_library("inline_test", "FRAGMENT") as library:
        library.define("theirs(Tensor input) -> Tensor")
        library.impl("theirs", lambda x: x * 100, "CompositeExplicitAutograd")
        load(*multiplies("theirs", 3))
        assert torch.ops.inline_test.theirs(torch.ones(1)).item() == 100
        assert torch.ops.inline_test.theirs.out(torch.ones(1), output=torch.empty(1)).item() == 3


def test_a_kernel_for_an_operator_of_torch_goes_before_tenons_own(load, tmp_path):
    kernel = """
    Tensor& relu_out(KernelRuntimeContext&, const Tensor& self, Tensor& out) {
      for (ssize_t i = 0; i < self.numel(); ++i) out.mutable_data_ptr<float>()[i] = 42;
      return out;
    }
    """
    functions = "- op: relu.out\n  kernels:\n    - arg_meta: null\n      kernel_name: inline_test::relu_out\n"
    tenon.export(torch.nn.ReLU(), (torch.ones(2),)).save(tmp_path / "model.pte")
    made = load(source(kernel), functions_yaml=functions)
    assert tenon.load(tmp_path / "model.pte")(torch.ones(2)).tolist() == [42, 42]
    assert torch.relu(torch.ones(2)).tolist() == [1, 1]
    tenon.kernels.load_library(made.library, precedence=-1)  # behind Tenon's own
    assert tenon.load(tmp_path / "model.pte")(torch.ones(2)).tolist() == [1, 1]


# --- arguments and results of all kinds -------------------------------------------------------------------------------

KINDS = """
Tensor& kinds_out(const optional<Tensor>& base, TensorList pieces, ArrayRef<optional<Tensor>> maybe,
                  IntArrayRef weights, ArrayRef<double> reals, ArrayRef<bool> truths, optional<IntArrayRef> more,
                  optional<int64_t> whole, const Scalar& number, ScalarType kind, string_view text, bool flag,
                  double real, Tensor& out) {
  double sum = real + (flag ? 100 : 0) + static_cast<double>(text.size()) + static_cast<double>(kind);
  if (base.has_value()) sum += base->const_data_ptr<float>()[0];
  for (const Tensor& each : pieces) sum += each.const_data_ptr<float>()[0];
  for (const auto& each : maybe) sum += each.has_value() ? each->const_data_ptr<float>()[0] : 1000;
  for (const int64_t each : weights) sum += static_cast<double>(each);
  for (const double each : reals) sum += each;
  for (const bool each : truths) sum += each;
  if (more.has_value()) sum += static_cast<double>((*more)[0]);
  sum += static_cast<double>(whole.value_or(7)) + number.to<double>();
  out.mutable_data_ptr<double>()[0] = sum;
  return out;
}
"""
KINDS_SCHEMA = (
    "inline_test::kinds.out(Tensor? base, Tensor[] pieces, Tensor?[] maybe, int[] weights, float[] reals, "
    'bool[2] truths, int[]? more, int? whole, Scalar number=2.5, *, ScalarType kind, str text="abc", bool flag=True, '
    "float real=0.25, Tensor(a!) out) -> Tensor(a!)"
)


def test_arguments_of_every_kind_reach_the_kernel(load, tmp_path):
    load(
        source(KINDS),
        rows(kinds_out=KINDS_SCHEMA),
        meta={"inline_test::kinds": lambda *args, **kwargs: args[1][0].new_empty(1, dtype=torch.float64)},
    )

    class Net(torch.nn.Module):
        def forward(self, x):
            kinds = torch.ops.inline_test.kinds
            first = kinds(x, [x, x + 1], [None, x], [1, 2], [0.5], [True, False], [3], None, kind=torch.float32)
            second = kinds(None, [x], [x], [], [], [True, True], None, 1, True, kind=torch.int8, text="", flag=False)
            return first, second

    x = torch.ones(1)
    expected = [1 + 1 + 2 + 1000 + 1 + 3 + 0.5 + 1 + 3 + 7 + 2.5 + 6 + 3 + 100 + 0.25, 1 + 1 + 2 + 1 + 1 + 1 + 0.25]
    assert [each.item() for each in Net()(x)] == expected
    tenon.export(Net(), (x,)).save(tmp_path / "model.pte")
    for mode in ("lean", "aten"):
        assert [each.item() for each in tenon.load(tmp_path / "model.pte", mode=mode)(x)] == expected


SEVERAL = """
std::tuple<Tensor&, Tensor&> ends_out(KernelRuntimeContext& context, const Tensor& x, int64_t n, Tensor& low,
                                      Tensor& high) {
  const auto size = static_cast<SizesType>(n);
  ET_KERNEL_CHECK_MSG(context, n <= x.size(0), InvalidArgument, (std::tuple<Tensor&, Tensor&>(low, high)),
                      "n=%d exceeds size %d of dim 0", static_cast<int>(n), static_cast<int>(x.size(0)));
  (void)executorch::runtime::resize_tensor(low, {&size, 1});
  (void)executorch::runtime::resize_tensor(high, {&size, 1});
  for (ssize_t i = 0; i < n; ++i) {
    low.mutable_data_ptr<float>()[i] = x.const_data_ptr<float>()[i];
    high.mutable_data_ptr<float>()[i] = x.const_data_ptr<float>()[x.numel() - n + i];
  }
  return {low, high};
}
void halves_out(const Tensor& x, TensorList out) {
  for (size_t k = 0; k < 2; ++k) {
    for (ssize_t i = 0; i < x.numel() / 2; ++i) {
      out[k].mutable_data_ptr<float>()[i] = x.const_data_ptr<float>()[static_cast<ssize_t>(k) * x.numel() / 2 + i];
    }
  }
}
"""


def test_results_may_be_several_and_of_other_sizes(load, tmp_path):
    load(
        source(SEVERAL),
        rows(
            ends_out="inline_test::ends.low(Tensor x, int n, *, Tensor(a!) low, Tensor(b!) high)"
            " -> (Tensor(a!), Tensor(b!))",
            halves_out="inline_test::halves.out(Tensor x, *, Tensor(a!)[] out) -> ()",
        ),
        meta={
            "inline_test::ends": lambda x, n: (x.new_empty(n), x.new_empty(n)),
            "inline_test::halves.out": lambda x: [x.new_empty(x.shape[0] // 2) for _ in range(2)],
        },
    )

    class Net(torch.nn.Module):
        def forward(self, x):
            return *torch.ops.inline_test.ends(x, 2), *torch.ops.inline_test.halves(x)

    x = torch.arange(6.0)
    expected = [x[:2], x[-2:], x[:3], x[3:]]
    torch.testing.assert_close(list(Net()(x)), expected)
    outs = torch.empty(0), torch.empty(5)
    assert torch.ops.inline_test.ends.low(x, 2, low=outs[0], high=outs[1])[1] is outs[1]
    torch.testing.assert_close(outs, (x[:2], x[-2:]))
    tenon.export(Net(), (x,)).save(tmp_path / "model.pte")
    for mode in ("lean", "aten"):
        torch.testing.assert_close(list(tenon.load(tmp_path / "model.pte", mode=mode)(x)), expected)
    says(lambda: torch.ops.inline_test.ends(x, 9), "inline_test::ends.low: n=9 exceeds size 6 of dim 0.")


FIRST = """
Tensor& first_out(KernelRuntimeContext& context, const Tensor& x, Tensor& out) {
  const SizesType one = 1;
  if (tenon::resize(context, out, {&one, 1})) out.mutable_data_ptr<float>()[0] = x.const_data_ptr<float>()[0];
  return out;
}
"""


def test_a_result_that_is_not_like_the_first_tensor_must_be_told(load, tmp_path):
    yaml = rows(first_out="inline_test::first.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)")
    load(source(FIRST), yaml)
    says(
        lambda: torch.ops.inline_test.first(torch.ones(3)),
        "inline_test::first.out: the result has shape [1], and its place is for [3]. It was taken to be like `x`. "
        'Say what it is like: load_inline(..., meta={"inline_test::first": function}).',
    )

    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.ops.inline_test.first(x)

    tenon.export(Net(), (torch.ones(3),)).save(tmp_path / "model.pte")
    module = tenon.load(tmp_path / "model.pte")
    says(lambda: module(torch.ones(3)), "the result has shape [1], and its place is for [3]")
    load(source(FIRST), yaml, meta={"inline_test::first": lambda x: x.new_empty(1)})
    assert torch.ops.inline_test.first(torch.ones(3)).tolist() == [1]
    tenon.export(Net(), (torch.ones(3),)).save(tmp_path / "model.pte")
    assert tenon.load(tmp_path / "model.pte")(torch.ones(3)).tolist() == [1]
    load(source(FIRST), yaml, meta={"inline_test::first": lambda x: 1})
    says(
        lambda: torch.ops.inline_test.first(torch.ones(3)),
        "meta of inline_test::first gives a int, and an empty tensor",
    )


def test_kernels_for_some_dtypes_are_chosen_by_what_they_are_called_with(load):
    kernels = """
    Tensor& one_out(KernelRuntimeContext&, const Tensor& x, Tensor& out) {
      return out.mutable_data_ptr<float>()[0] = x.numel(), out;
    }
    Tensor& any_out(KernelRuntimeContext& context, const Tensor& x, Tensor& out) {
      return context.fail(Error::NotSupported, "there is only a kernel for float"), out;
    }
    """
    yaml = """
- func: inline_test::chosen.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
  type_alias: {T: [Float]}
  dim_order_alias: {D: [[0, 1, 2]]}
  kernels:
    - arg_meta: {x: [T, D], out: [T, D]}
      kernel_name: inline_test::one_out
    - arg_meta: null
      kernel_name: inline_test::any_out
"""
    load(source(kernels), yaml)
    x = torch.ones(2, 3).unsqueeze(2).permute(2, 0, 1)  # dense, though the step along its first dimension is the least
    for given in (x, x.contiguous()):
        assert torch.ops.inline_test.chosen(given)[0, 0, 0].item() == 6
    says(lambda: torch.ops.inline_test.chosen(x.int()), "there is only a kernel for float.")


# --- what cannot be built -------------------------------------------------------------------------------------------


def test_results_that_follow_from_nothing_must_be_told_before_anything_is_built(load):
    yaml = rows(f="inline_test::made.out(int n, *, Tensor(a!) out) -> Tensor(a!)")
    words = says(lambda: load("\n", yaml), "custom_ops.yaml:4: made(int n) -> Tensor")
    assert words.endswith(
        'Say it with meta={"inline_test::made": function}, which gives empty tensors for the arguments.'
    )
    says(
        lambda: load(*multiplies("mul3", 3), meta={"inline_test::mul": None}),
        "inline_test::mul. Did you mean inline_test::mul3",
    )


def test_an_out_variant_is_an_overload(load):
    yaml = rows(f="inline_test::mul6(Tensor x, *, Tensor(a!) out) -> Tensor(a!)")
    says(lambda: load("\n", yaml), "inline_test::mul6 has no overload. Name it inline_test::mul6.out, as an out")
    yaml = rows(f="inline_test::mul6_out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)")
    says(lambda: load("\n", yaml), "custom_ops.yaml:2: ", "did you mean to specify an out overload name instead?")
    schema = "inline_test::twin.{}(Tensor x, *, Tensor(a!) {}) -> Tensor(a!)"
    yaml = rows(f=schema.format("out", "out"), g=schema.format("second", "second"))
    says(lambda: load("\n", yaml), "inline_test::twin.second and inline_test::twin.out are both out variants of")


def test_a_kernel_of_another_type_is_told_by_the_row(load):
    text = source(
        "Tensor& mul_out(KernelRuntimeContext&, const Tensor& x, int64_t by) { (void)by; return *(Tensor*)&x; }"
    )
    yaml = rows(mul_out="inline_test::typed.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)")
    says(
        lambda: load(text, yaml),
        "custom_ops.yaml:4: inline_test::typed.out is bound to inline_test::native::mul_out",
        "argument 2 is `int64_t`, but the schema says `Tensor(a!) out`",
    )


def test_a_kernel_that_nobody_defines_is_explained(load):
    text, yaml = multiplies("undefined", 2)
    says(
        lambda: load(text, yaml.replace("inline_test::mul_out", "inline_test::mull_out")),
        "custom_ops.yaml:4: inline_test::undefined.out is bound to inline_test::native::mull_out",
        "inline_test::native::mul_out(",
    )


def test_an_error_of_the_compiler_is_told_by_its_line(load):
    text, yaml = multiplies("broken", "no_such_name")
    says(lambda: load(text, yaml), "inline_test.cpp:", "'no_such_name' was not declared in this scope")


def test_yaml_is_told_by_its_line(load):
    text, yaml = multiplies("mul3", 3)
    says(lambda: load(text, yaml.replace("kernel_name", "kernel_nam")), "custom_ops.yaml:5: ", "`kernel_nam`")
    says(lambda: load(text, "\n"), "There are no rows, and so there is nothing to build. Give custom_ops_yaml or")
    says(lambda: load(text), "There are no rows")
    says(lambda: load(text, yaml, extra_flags="-O3 -g"), "extra_flags is a text, and is a list of them: ['-O3', '-g'].")
    says(
        lambda: load(text, "rows.yaml"), "rows.yaml: there is no such file. Give the path of one, or YAML of more than"
    )
    says(
        lambda: load("kernel.cpp", yaml), "kernel.cpp: there is no such file. Give the path of one, or C++ of more than"
    )


# --- libraries ------------------------------------------------------------------------------------------------------


def test_a_library_of_kernels_is_loaded_from_a_file(load, tmp_path):
    made = load(*multiplies("loaded", 2))
    copy = tmp_path / "copy of it.so"
    shutil.copy(made.library, copy)
    assert tenon.kernels.load_library(copy, precedence=100) == ["inline_test::loaded.out"]
    assert tenon.kernels.load_library(copy, precedence=100) == ["inline_test::loaded.out"]
    another = tmp_path / "another.so"
    shutil.copy(made.library, another)
    says(
        lambda: tenon.kernels.load_library(another, precedence=100),
        f"{another}: inline_test::loaded.out has a kernel in the library inline_test, and another in inline_test.",
    )
    assert torch.ops.inline_test.loaded(torch.ones(1)).item() == 2


def test_what_is_no_library_of_kernels_is_told(tmp_path):
    says(lambda: tenon.kernels.load_library(tmp_path / "none.so"), f"{tmp_path / 'none.so'}: there is no such library.")
    (tmp_path / "text.so").write_text("no library")
    words = says(lambda: tenon.kernels.load_library(tmp_path / "text.so"), f"{tmp_path / 'text.so'}: ")
    assert words.count(str(tmp_path)) == 1
    plain = tmp_path / "plain.so"
    (tmp_path / "plain.c").write_text("int nothing;\n")
    subprocess.run(["cc", "-shared", "-fPIC", tmp_path / "plain.c", "-o", plain], check=True)
    says(
        lambda: tenon.kernels.load_library(plain), f"{plain} is a library, but none of kernels: it has no table of them"
    )


# --- operators by torch.library -------------------------------------------------------------------------------------


@pytest.mark.parametrize("out", ["mul5.out", "mul5.other", "mul5_out"])
def test_an_operator_of_torch_library_is_lowered_to_its_out_variant(out):
    namespace = f"inline_torch_{out.replace('.', '_')}"
    with torch.library._scoped_library(namespace, "DEF") as library:
        library.define("mul5(Tensor input) -> Tensor")
        library.define(f"{out}(Tensor input, *, Tensor(a!) output) -> Tensor(a!)")
        library.impl("mul5", lambda x: x * 5, "CPU")
        library.impl(out, lambda x, *, output: output.copy_(x * 5), "CPU")
        library.impl("mul5", torch.empty_like, "Meta")

        class Net(torch.nn.Module):
            def forward(self, x):
                return getattr(torch.ops, namespace).mul5(x)

        # An out variant is an overload. What has a name of its own is another operator, which no program calls.
        name = "mul5.out" if out == "mul5_out" else out
        assert tenon.export(Net(), (torch.ones(2),)).operators() == {f"{namespace}::{name}": 1}


# --- the page that shows it -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page():
    """The example's code, what it prints, and what is said of a kernel with another type."""
    text = (Path(__file__).parents[2] / "docs" / "add_an_op.md").read_text()
    return re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)[:3]


def test_the_page_about_adding_an_operator_prints_what_it_says(page, folder, tmp_path):
    (tmp_path / "example.py").write_text(page[0])
    command = [sys.executable, "-W", "ignore", "example.py"]
    environment = os.environ | {"TENON_CACHE": str(folder)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == page[1], done.stderr


def test_the_page_about_adding_an_operator_shows_what_is_said_of_another_type(page, load):
    scope = {}
    exec(page[0].partition("tenon.ops.load_inline")[0], scope)
    wrong = scope["kernel"].replace("double by", "int64_t by")
    says(lambda: load(wrong, scope["rows"]), " ".join(page[2].split()))
