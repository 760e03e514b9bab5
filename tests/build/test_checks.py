"""Kernels whose C++ type differs from their schemas: the compiler says which row, which argument, and what is wrong."""

import re
import subprocess

import pytest

from native.driver import NATIVE
from tenon.build.generate import bind, checks
from tenon.ops.table import read_table

ROWS = """
- func: my_ops::mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)
  kernels:
    - arg_meta: null
      kernel_name: custom::mul3_out
- op: add.out
  dispatch:
    CPU: custom::add_out
- op: topk.values
  dispatch:
    CPU: custom::topk_out
- op: mean.out
  dispatch:
    CPU: other::lib::mean_out
"""
HEAD = """
#include <executorch/runtime/kernel/kernel_includes.h>
#include <vector>
namespace custom {
namespace native {
using exec_aten::Scalar;
using exec_aten::Tensor;
using torch::executor::KernelRuntimeContext;
"""
TAIL = """
}  // namespace native
}  // namespace custom
"""
GOOD = "Tensor& mul3_out(const Tensor& in, Tensor& out) { (void)in; return out; }"
FLAGS = "-std=c++17 -Wall -Wextra -Werror -fno-exceptions -fno-rtti -fsyntax-only".split()


def compiled(folder, kernels, rows=ROWS):
    """What the compiler says of a source, as the words of the assertions that failed; all of it if others did."""
    (folder / "custom_ops.yaml").write_text(rows)
    (folder / "kernels.cpp").write_text(HEAD + kernels + TAIL)
    bound = bind(read_table(folder / "custom_ops.yaml"))
    (folder / "checked.cpp").write_text(checks(bound, folder / "kernels.cpp"))
    command = ["g++", *FLAGS, f"-I{NATIVE / 'include'}", str(folder / "checked.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    told = re.findall(r"error: static assertion failed: (.*)", done.stderr)
    assert done.returncode == bool(told) and done.stderr.count("error: ") == len(told), done.stderr
    return told


# --- good ones are silent -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kernels",
    [
        "",
        GOOD,
        GOOD.replace("(const", "(KernelRuntimeContext& context, const").replace("(void)in", "(void)context; (void)in"),
        GOOD + "Tensor& mul3_out(torch::executor::RuntimeContext&, const Tensor&, Tensor& out) { return out; }",
        GOOD + "Tensor mul3_out(const Tensor& in) { return in; }",
        GOOD.replace("{ (", "noexcept { ("),
        "Tensor& mul3_out(const Tensor& in, Tensor& out);",
        "static int helper(int x) { return x; }\nint used = helper(1);\n" + GOOD,
        "std::tuple<Tensor&, Tensor&> topk_out(const Tensor&, int64_t, int64_t, bool, bool, Tensor& a, Tensor& b) "
        "{ return {a, b}; }",
        "Tensor& add_out(const executorch::aten::Tensor&, const torch::executor::Tensor&, const Scalar&, Tensor& out) "
        "{ return out; }",
        "}} namespace other::lib { namespace native { exec_aten::Tensor& mean_out(const exec_aten::Tensor&, "
        "exec_aten::OptionalArrayRef<int64_t>, bool, exec_aten::optional<exec_aten::ScalarType>, "
        "exec_aten::Tensor& out) { return out; }",
    ],
)  # fmt: skip
def test_a_kernel_of_the_right_type_compiles_without_a_word(tmp_path, kernels):
    assert compiled(tmp_path, kernels) == []


def test_kernels_of_one_name_may_be_in_several_sources(tmp_path):
    rows = ROWS + "- op: add.Scalar_out\n  dispatch:\n    CPU: custom::add_out\n"
    first = "Tensor& add_out(const Tensor&, const Tensor&, const Scalar&, Tensor& out) { return out; }\n"
    second = "Tensor& add_out(const Tensor&, const Scalar&, const Scalar&, Tensor& out) { return out; }\n"
    for kernels in (first, second, first + second):
        assert compiled(tmp_path, kernels, rows) == []


# --- bad ones are told ------------------------------------------------------------------------------------------------

WHO = "custom_ops.yaml:4: my_ops::mul3.out is bound to custom::native::mul3_out, "
ADD = "custom_ops.yaml:8: aten::add.out is bound to custom::native::add_out, "


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (
            "Tensor& mul3_out(const Tensor&, int) { static Tensor none(nullptr); return none; }",
            WHO + "whose argument 2 is `int`, but the schema says `Tensor(a!) output`, which is `Tensor&`",
        ),
        (
            "Tensor& mul3_out(Tensor, Tensor& out) { return out; }",
            WHO + "whose argument 1 is `Tensor`, but the schema says `Tensor input`, which is `const Tensor&`",
        ),
        (
            "Tensor& mul3_out(KernelRuntimeContext&, Tensor& in, Tensor& out) { (void)in; return out; }",
            WHO + "whose argument 1 is `Tensor&`, but the schema says `Tensor input`, which is `const Tensor&`",
        ),
        (
            "Tensor& add_out(const Tensor&, const Tensor&, double, Tensor& out) { return out; }",
            ADD + "whose argument 3 is `double`, but the schema says `Scalar alpha`, which is `const Scalar&`",
        ),
        (
            "Tensor& add_out(const Tensor&, const Tensor&, Tensor& out) { return out; }",
            ADD + "whose number of arguments is 3, but the schema has 4: argument 3 is not `Scalar alpha`, which is "
            "`const Scalar&`",
        ),
        (
            "Tensor& mul3_out(const Tensor&, Tensor& out, int64_t) { return out; }",
            WHO + "whose number of arguments is 3, but the schema has 2: argument 3 is one too many",
        ),
        (
            "Tensor mul3_out(const Tensor&, Tensor& out) { return out; }",
            WHO + "which returns `Tensor`, but the schema says `Tensor&`",
        ),
        (
            "void mul3_out(const Tensor&, Tensor&) {}",
            WHO + "which returns `void`, but the schema says `Tensor&`",
        ),
        (
            "Tensor& mul3_out(const std::vector<Tensor>&, Tensor& out) { return out; }",
            WHO + "whose argument 1 is `Found`, but the schema says `Tensor input`, which is `const Tensor&`",
        ),
        (
            "Tensor& mul3_out(int, Tensor& out) { return out; }\nTensor& mul3_out(float, Tensor& out) { return out; }",
            WHO + "which has overloads, and none of them is `Tensor&(const Tensor&, Tensor&)`",
        ),
    ],
)
def test_a_kernel_of_another_type_is_told_in_words(tmp_path, kernel, words):
    assert compiled(tmp_path, kernel) == [words]


def test_each_argument_that_is_wrong_is_told(tmp_path):
    told = compiled(tmp_path, "Tensor& add_out(int, const Tensor&, int64_t, Tensor& out) { return out; }")
    assert [re.search(r"whose argument (\d)", words)[1] for words in told] == ["1", "3"]


def test_a_type_without_a_name_here_is_named_by_the_compiler(tmp_path):
    (tmp_path / "kernels.cpp").write_text(
        HEAD + "Tensor& mul3_out(const std::vector<Tensor>&, Tensor& out) { return out; }" + TAIL
    )
    (tmp_path / "custom_ops.yaml").write_text(ROWS)
    (tmp_path / "checked.cpp").write_text(
        checks(bind(read_table(tmp_path / "custom_ops.yaml")), tmp_path / "kernels.cpp")
    )
    command = ["g++", *FLAGS, f"-I{NATIVE / 'include'}", str(tmp_path / "checked.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert re.search(r"In instantiation of .*<const std::vector<tenon::Tensor>&, false>", done.stderr)


def test_a_kernel_that_comes_from_a_file_that_is_included_is_checked_too(tmp_path):
    (tmp_path / "more.inc").write_text("Tensor& mul3_out(int, Tensor& out) { return out; }")
    (told,) = compiled(tmp_path, '#include "more.inc"\n')
    assert told.startswith(WHO + "whose type differs from its schema mul3.out(Tensor input, *, Tensor(a!) output)")
