"""Kernels built for chosen dtypes, and conversions that go by way of another dtype."""

import subprocess

import pytest
import torch

from native.library import NATIVE, ROOT, Library, Out, Refused, build, in_folder

HERE = ROOT / "tests" / "native"
SELECTED = """
#pragma once
#include <tenon/dtype.h>
namespace tenon {
constexpr bool is_name(const char* a, const char* b) {
  for (; *a && *a == *b; ++a, ++b) {}
  return *a == *b;
}
constexpr uint64_t selected_dtypes(const char* kernel) {
  if (is_name(kernel, "lt_scalar_out")) return 1 << 4 | 1 << 11;
  if (is_name(kernel, "relu_out")) return 1 << 5;
  return 1 << 4 | 1 << 5 | 1 << 11;
}
}
constexpr bool should_include_kernel_dtype(const char*, tenon::ScalarType) { return true; }
"""


def test_a_conversion_in_two_steps_gives_the_bits_of_one(tmp_path):
    sources = [HERE / "converts.cpp", NATIVE / "kernels" / "convert.cpp", *in_folder("core")]
    made = build(tmp_path, ["-O1", "-fsanitize=undefined"], sources, "converts", [])
    done = subprocess.run([made], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert int(done.stdout.split()[0]) > 40_000


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("selected")
    header = folder / "executorch" / "kernels" / "portable" / "cpu" / "selected_op_variants.h"
    header.parent.mkdir(parents=True)
    header.write_text(SELECTED)
    flags = ["-O0", "-DEXECUTORCH_SELECTIVE_BUILD_DTYPE", f"-I{folder}", "-ffunction-sections", "-Wl,--gc-sections"]
    names = "binary copy convert index loops unary fast/wide".split()
    kernels = [NATIVE / "kernels" / f"{name}.cpp" for name in names]
    sources = [HERE / "kernels.cpp", HERE / "selected.cpp", *kernels, *in_folder("core")]
    return build(folder / "made", flags, sources, "selected.so", ["-shared"])


def relu(library, x):
    return Library(library).call("aten::relu.out", [("tensor", x), ("tensor", Out(x)), ("none", None)])[0]


def test_a_kernel_computes_with_the_dtypes_that_were_selected(library):
    x = torch.tensor([-1.0, 2.0], dtype=torch.float16)
    assert torch.equal(relu(library, x), x.relu())


@pytest.mark.parametrize(("dtype", "name"), [(torch.float64, "float64"), (torch.int64, "int64")])
def test_a_dtype_that_was_not_selected_is_refused_in_words(dtype, name, library):
    with pytest.raises(Refused, match=f"it does not compute with {name}"):
        relu(library, torch.ones(2, dtype=dtype))


def test_a_comparison_computes_in_a_dtype_that_none_of_its_tensors_has(library):
    x = torch.tensor([0, 1, 2])
    values = [("tensor", x), ("double", 1.5), ("tensor", Out(x < 1.5)), ("none", None)]
    assert torch.equal(Library(library).call("aten::lt.Scalar_out", values)[0], x < 1.5)


def test_what_was_not_selected_is_not_in_the_library(library):
    symbols = subprocess.run(["nm", "-C", library], capture_output=True, text=True, check=True).stdout
    relus = {line.split(None, 2)[2] for line in symbols.splitlines() if "loops::run<" in line and "::relu_out(" in line}
    assert len(relus) == 1 and ", float, float>" in next(iter(relus))
