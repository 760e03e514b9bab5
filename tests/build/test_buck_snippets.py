"""The BUCK snippets of ExecuTorch's documents build as they are written there, with the pieces that they leave out."""

import pytest
import torch
from buck_space import BINARY, INCLUDES, INPUTS, LOAD, SOMETHING, Space

# --- "ATen-compliant Operator Registration & ATen mode"

ATEN_MODE = """
et_operator_library(
  name = "selected_ops",
  ops = [
    "aten::add.out",
  ],
)

executorch_generated_lib(
  name = "add_lib",
  deps = [
    ":selected_ops",
  ],
  aten_mode = True,
)
"""
LEAN_MODE = """
export_file(
  name = "functions.yaml"
)

cxx_library(
  name = "add_kernel",
  srcs = ["add.cpp"],
)

et_operator_library(
  name = "all_ops",
  include_all_ops = True, # Select all ops in functions.yaml
)

executorch_generated_lib(
  name = "add_lib",
  functions_yaml_target = ":functions.yaml",
  deps = [
    ":all_ops",
    ":add_kernel",
  ],
)
"""
USAGE = """
cxx_binary(
  name = "executorch_bin",
  deps = [
    "//executorch/runtime/executor:program", # Program and Method
    "//path/to:add_lib", # operator library
  ],
)
"""
FUNCTIONS_YAML = """
- op: add.out
  dispatch:
    CPU: custom::add_out
"""
ADD_CPP = """
namespace custom {
namespace native {

Tensor& add_out(const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
  // do something
  return out;
}

} // namespace native
} // namespace custom
"""

# --- "Custom Operator Registration Examples"

CUSTOM_OPS = """
et_operator_library(
    name = "select_custom_ops_2",
    ops = [
        "my_ops::mul4.out",
    ],
...
)
"""

# --- "Selective Build"

OF_MODEL = """
load("@fbsource//xplat/executorch/codegen:codegen.bzl", "et_operator_library")

fb_native.export_file(
  name = "model_1",
  src = "model_1.pte", # checked in model
)

et_operator_library(
  name = "selective_ops",
  model = [
    "//custom/models:model_1",
  ],
)
"""
OF_LIST = """
load("@fbsource//xplat/executorch/codegen:codegen.bzl", "et_operator_library")

et_operator_library(
  name = "selective_ops",
  ops = [
    "aten::add",
    "aten::mul",
  ],
)
"""
OF_YAML = """
load("@fbsource//xplat/executorch/codegen:codegen.bzl", "et_operator_library")

export_file(
  name = "functions.yaml"
)

et_operator_library(
  name = "selective_ops",
  ops_schema_yaml_path = ":functions.yaml",
)
"""
OF_ALL = """
load("@fbsource//xplat/executorch/codegen:codegen.bzl", "et_operator_library")

et_operator_library(
  name = "selective_ops",
  include_all_ops = True,
)
"""
TWO_LIBRARIES = """
load("@fbsource//xplat/executorch/codegen:codegen.bzl", "et_operator_library")

et_operator_library(
  name = "selective_ops_list",
  ops = [
    "aten::add",
    "aten::mul",
  ],
)

et_operator_library(
  name = "selective_ops_model",
  model = [
    "//custom/models:model_1", # say it contains "aten::div"
  ],
)
"""
THEIR_UNION = """
load("@fbsource//xplat/executorch/codegen:codegen.bzl", "executorch_generated_lib")

executorch_generated_lib(
  name = "custom_generated_lib`,
  deps = [
    ":selective_ops_list",
    ":selective_ops_model",
  ],
)
"""


@pytest.fixture(autouse=True)
def cache(pytestconfig, monkeypatch):
    """What is compiled is kept from run to run."""
    monkeypatch.setenv("TENON_CACHE", str(pytestconfig.cache.mkdir("native-builds")))


@pytest.fixture
def space(tmp_path):
    """A workspace, to write files into and to build in."""
    return Space(tmp_path)


def alpha(x, y):
    return torch.add(x, y, alpha=2)


def test_a_kernel_of_our_own_runs_in_lean_mode(space):
    kernel = INCLUDES + ADD_CPP.replace("  // do something\n", SOMETHING)
    space.write({"path/to/BUCK": LOAD + LEAN_MODE, "BUCK": USAGE})
    space.write({"path/to/functions.yaml": FUNCTIONS_YAML, "path/to/add.cpp": kernel})
    assert space.build("//:executorch_bin") == ["executorch_bin"]
    model = space.export("add.pte", alpha, *INPUTS)
    torch.testing.assert_close(space.run("executorch_bin", model, *INPUTS), alpha(*INPUTS))
    assert "custom::native::add_out" in space.functions("executorch_bin")
    assert "tenon::native::add_out" not in space.functions("executorch_bin")


def test_torch_has_the_kernel_in_aten_mode(space):
    space.write({"path/to/BUCK": LOAD + ATEN_MODE, "BUCK": USAGE})
    assert space.build(":executorch_bin") == ["executorch_bin"]
    model = space.export("add.pte", alpha, *INPUTS)
    torch.testing.assert_close(space.run("executorch_bin", model, *INPUTS), alpha(*INPUTS), rtol=0, atol=0)


def test_a_list_selects_a_custom_operator(space):
    space.write({"BUCK": LOAD + CUSTOM_OPS.replace("...\n", "")})
    assert "select_custom_ops_2/selected_operators.yaml" in space.build(":select_custom_ops_2")
    assert list(space.selected("select_custom_ops_2/selected_operators.yaml").operators) == ["my_ops::mul4.out"]


def test_a_model_selects_its_operators(space):
    space.write({"custom/models/BUCK": OF_MODEL})
    space.export("custom/models/model_1.pte", torch.div, *INPUTS)
    built = space.build(":selective_ops", folder="custom/models")
    assert built == [f"selective_ops/{kind}_operators.yaml" for kind in ("selective", "selected", "model")]
    assert list(space.selected("selective_ops/model_operators.yaml").operators) == ["aten::div.out"]


@pytest.mark.parametrize(
    ("snippet", "operators", "everything"),
    [(OF_LIST, ["aten::add", "aten::mul"], False), (OF_YAML, ["aten::add.out"], False), (OF_ALL, [], True)],
)
def test_a_list_a_yaml_and_a_flag_select(space, snippet, operators, everything):
    space.write({"BUCK": snippet, "functions.yaml": FUNCTIONS_YAML})
    space.build("//:selective_ops")
    found = space.selected("selective_ops/selected_operators.yaml")
    assert (list(found.operators), found.everything) == (operators, everything)


def test_the_union_of_a_list_and_a_model_is_in_the_library_and_nothing_else(space):
    mended = THEIR_UNION.replace("custom_generated_lib`", 'custom_generated_lib"')
    runner = BINARY.format("custom_generated_lib")
    space.write({"BUCK": TWO_LIBRARIES + mended + runner, "custom/models/BUCK": OF_MODEL})
    space.export("custom/models/model_1.pte", torch.div, *INPUTS)
    built = space.build("//:custom_generated_lib", "//:runner")
    assert {"libcustom_generated_lib.a", "libcustom_generated_lib.so", "include", "runner"} <= set(built)
    of_model, *of_all = (f"custom_generated_lib/{kind}_operators.yaml" for kind in ("model", "selective", "selected"))
    assert {of_model, *of_all} <= set(built)
    assert list(space.selected(of_model).operators) == ["aten::div.out"]

    found = space.selected(of_all[0]).operators
    assert list(found) == ["aten::add", "aten::div.out", "aten::mul"]
    assert found["aten::add"].origins == ("//:selective_ops_list at BUCK:4",)
    functions = space.functions("runner")
    assert {f"tenon::native::{name}_out" for name in ("add", "mul", "div")} <= functions
    assert not {f"tenon::native::{name}_out" for name in ("sub", "abs", "mm")} & functions

    model = space.export("three.pte", lambda x, y: (x + y) * x / y, *INPUTS)
    torch.testing.assert_close(space.run("runner", model, *INPUTS), (INPUTS[0] + INPUTS[1]) * INPUTS[0] / INPUTS[1])
