"""What the rules of BUCK files build, and what is said of what cannot be built."""

import subprocess
import sys

import pytest
import torch
from buck_space import BINARY, INCLUDES, INPUTS, LOAD, Space

FUNCTIONS_YAML = """
- op: add.out
  dispatch:
    CPU: custom::add_out
"""
CUSTOM_YAML = """
- func: my_ops::mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)
  kernels:
    - arg_meta: null
      kernel_name: custom::mul3_out_impl
"""
MUL3 = """
#include "{header}"
namespace custom::native {{
Tensor& mul3_out_impl(const Tensor& input, Tensor& output) {{
  (void)executorch::runtime::resize_tensor(output, input.sizes());
  for (int64_t i = 0; i < input.numel(); ++i)
    output.mutable_data_ptr<float>()[i] = BY * input.const_data_ptr<float>()[i];
  return output;
}}
}}
"""
CUSTOM = """
genrule(name = "custom.yaml", srcs = ["half.yaml"], cmd = "cat $SRCS > $OUT", out = "custom.yaml")
cxx_library(
    name = "types",
    exported_headers = ["types.h"],
    header_namespace = "my",
    exported_preprocessor_flags = ["-DBY=3"],
)
cxx_library(name = "kernel", srcs = ["mul3.cpp"], deps = [":types"], visibility = ["PUBLIC"])
et_operator_library(name = "all", include_all_operators = True)
executorch_generated_lib(
    name = "custom-lib",
    custom_ops_yaml_target = ":custom.yaml",
    kernel_deps = [":kernel"],
    custom_ops_aten_kernel_deps = [":kernel"],
    deps = [":all"],
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


@pytest.fixture
def mul3(space):
    """A workspace with a custom operator whose YAML a command writes, and whose kernel has a header elsewhere."""
    space.write({"half.yaml": CUSTOM_YAML, "types.h": INCLUDES, "mul3.cpp": MUL3.format(header="my/types.h")})
    return space


def export_mul3(space):
    with torch.library._scoped_library("my_ops", "FRAGMENT") as library:
        library.define("mul3(Tensor input) -> Tensor")
        library.define("mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)")
        library.impl("mul3", lambda input: input * 3, "CompositeExplicitAutograd")
        return space.export("mul3.pte", lambda x: torch.ops.my_ops.mul3(x), INPUTS[0])


def test_a_program_has_several_operator_libraries_headers_flags_and_files_that_commands_write(mul3):
    other = 'et_operator_library(name = "add", ops = ["aten::add.out"])\n'
    other += 'executorch_generated_lib(name = "adds", deps = [":add"])\n'
    binary = 'cxx_binary(name = "runner", deps = [":custom-lib", ":adds", ":kernel"])\n'
    mul3.write({"BUCK": LOAD + CUSTOM + other + binary})
    assert mul3.build(":runner") == ["runner"]
    model = export_mul3(mul3)
    torch.testing.assert_close(mul3.run("runner", model, INPUTS[0]), INPUTS[0] * 3)
    model = mul3.export("add.pte", torch.add, *INPUTS)
    torch.testing.assert_close(mul3.run("runner", model, *INPUTS), INPUTS[0] + INPUTS[1])


def test_torch_loads_a_library_of_custom_operators(mul3):
    mul3.write({"BUCK": LOAD + CUSTOM})
    assert mul3.build(":custom_ops_custom-lib") == ["libcustom_ops_custom-lib.so"]
    script = """
import sys, torch
torch.ops.load_library(sys.argv[1])
out = torch.empty(2)
torch.ops.my_ops.mul3.out(torch.tensor([1.0, 2.0]), output=out)
assert out.tolist() == [3.0, 6.0], out
"""
    subprocess.run([sys.executable, "-c", script, mul3.out / "libcustom_ops_custom-lib.so"], check=True)


def test_a_row_of_executorchs_portable_library_is_bound_to_our_kernel(space):
    yaml = "- op: add.out\n  kernels:\n    - arg_meta: null\n      kernel_name: torch::executor::add_out\n"
    lib = """
et_operator_library(name = "all", include_all_operators = True)
executorch_generated_lib(
    name = "lib",
    functions_yaml_target = "functions.yaml",
    kernel_deps = ["//executorch/kernels/portable:operators"],
    deps = [":all"],
    dtype_selective_build = True,
)
"""
    space.write({"BUCK": LOAD + lib + BINARY.format("lib"), "functions.yaml": yaml})
    space.build(":runner")
    model = space.export("add.pte", torch.add, *INPUTS)
    torch.testing.assert_close(space.run("runner", model, *INPUTS), INPUTS[0] + INPUTS[1])


def test_a_label_of_executorchs_operators_brings_all_of_ours(space):
    space.write({"BUCK": 'cxx_binary(name = "runner", deps = ["//executorch/kernels/portable:generated_lib"])'})
    space.build(":runner")
    model = space.export("mixed.pte", lambda x, y: torch.softmax(x, 1) @ y.T, *INPUTS)
    wanted = torch.softmax(INPUTS[0], 1) @ INPUTS[1].T
    torch.testing.assert_close(space.run("runner", model, *INPUTS), wanted)


def test_kernels_are_registered_by_hand_where_that_is_asked_for(space):
    text = """
et_operator_library(name = "s", ops = ["aten::add.out"])
executorch_generated_lib(name = "lib", deps = [":s"], manual_registration = True, define_static_targets = True)
cxx_binary(name = "program", srcs = ["main.cpp"], deps = [":lib_static"])
executorch_generated_lib(name = "other", deps = [":s"])
"""
    main = """
#include "RegisterKernels.h"
#include <tenon/registry.h>
int main() {
  if (tenon::global_registry().has("aten::add.out")) return 1;
  if (torch::executor::register_all_kernels() != tenon::Error::Ok) return 2;
  return tenon::global_registry().has("aten::add.out") ? 0 : 3;
}
"""
    space.write({"BUCK": LOAD + text, "main.cpp": main})
    built = space.build(":program", ":lib_static", ":lib_headers", ":other")
    assert {"program", "liblib_static.a", "libother.a", "libother.so", "include"} <= set(built)
    for header in ("lib/RegisterKernels.h", "other/NativeFunctions.h", "tenon/registry.h"):
        assert (space.out / "include" / header).is_file()
    subprocess.run([space.out / "program"], check=True)


def test_a_program_may_have_a_main_of_its_own_and_a_library_may_be_built_before(space):
    lib = """
cxx_library(name = "lib", srcs = [("lib.cpp", ["-DANSWER=42"])], public_include_directories = ["inc"])
prebuilt_cxx_library(name = "prebuilt", static_lib = "liblib.a", header_dirs = ["inc"])
cxx_test(name = "test", srcs = ["main.cpp"], deps = [":lib"])
alias(name = "other", actual = ":again")
cxx_binary(name = "again", srcs = ["main.cpp"], deps = [":prebuilt"])
"""
    main = '#include "lib.h"\nint main() { return answer() - 42; }\n'
    space.write(
        {"BUCK": lib, "main.cpp": main, "inc/lib.h": "int answer();", "lib.cpp": "int answer() { return ANSWER; }"}
    )
    (space.root / "liblib.a").touch()
    assert space.build(":lib", ":test") == ["liblib.a", "test"]
    subprocess.run([space.out / "test"], check=True)
    (space.out / "liblib.a").rename(space.root / "liblib.a")
    assert space.build(":other") == ["again"]
    subprocess.run([space.out / "again"], check=True)


ADD = 'et_operator_library(name = "s", ops = ["aten::add.out"])\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            'executorch_generated_lib(name = "lib")',
            "BUCK:2: executorch_generated_lib //:lib has no et_operator_library among its deps, so that nothing would "
            "be registered.",
        ),
        (
            'et_operator_library(name = "s")\nexecutorch_generated_lib(name = "lib", deps = [":s"])',
            "BUCK:2: et_operator_library //:s selects nothing. Give it ops, ops_dict, model",
        ),
        (
            'et_operator_library(name = "s", ops = ["aten::ad.out"])\n'
            'executorch_generated_lib(name = "lib", deps = [":s"])',
            "aten::ad.out (//:s at BUCK:2) is no operator. Did you mean aten::add.out",
        ),
        (
            'et_operator_library(name = "s", ops_dict = {"aten::add.out": ["Flot"]})\n'
            'executorch_generated_lib(name = "lib", deps = [":s"])',
            "1 fault in //:s at BUCK:2.",
        ),
        (
            f'{ADD}executorch_generated_lib(name = "lib", deps = [":s"], aten_mode = True,\n'
            '  functions_yaml_target = "functions.yaml")',
            "has aten_mode, where the kernels are torch's, and functions_yaml_target, which names others.",
        ),
        (
            'cxx_library(name = "k", deps = ["//executorch/runtime/kernel:kernel_includes_aten"])\n'
            f'{ADD}executorch_generated_lib(name = "lib", deps = [":s", ":k"])',
            "is for lean mode, and depends on //executorch/runtime/kernel:kernel_includes_aten, which is for ATen",
        ),
        (
            f'{ADD}executorch_generated_lib(name = "a", deps = [":s"])\n'
            'executorch_generated_lib(name = "b", deps = [":s"], aten_mode = True)\n'
            'cxx_binary(name = "lib", deps = [":a", ":b"])',
            "BUCK:5: cxx_binary //:lib mixes modes: //:a is for lean mode, and //:b is for ATen mode.",
        ),
        (
            f'{ADD}executorch_generated_lib(name = "lib", deps = [":s"], dtype_selective_build = True,\n'
            '  functions_yaml_target = "functions.yaml")',
            "dtype_selective_build compiles //executorch/kernels/portable:operators for the selected dtypes, and "
            "kernel_deps does not have it.",
        ),
        (
            'genrule(name = "g", cmd = "echo no >&2; exit 3", out = "x")\nalias(name = "lib", actual = ":g")',
            "BUCK:2: the command of genrule //:g failed (3).\n  no",
        ),
        (
            'genrule(name = "lib", cmd = "true", out = "x")',
            "BUCK:2: the command of genrule //:lib did not write x.",
        ),
        (
            'cxx_library(name = "lib", deps = [":functions.yaml"])\nexport_file(name = "functions.yaml")',
            "BUCK:2: cxx_library //:lib depends on //:functions.yaml, which is no library (export_file).",
        ),
        (
            'cxx_library(name = "lib", srcs = ["functions.yaml"])',
            "BUCK:2: cxx_library //:lib: functions.yaml is no C++ source",
        ),
        (
            f'{ADD}executorch_generated_lib(name = "a", deps = [":s"], functions_yaml_target = "functions.yaml")\n'
            'cxx_binary(name = "lib", deps = [":a"])',
            "No library of kernels was given. Add the library that defines it to kernel_deps or deps.",
        ),
        (
            'cxx_binary(name = "lib", srcs = ["empty.cpp"])',
            "BUCK:2: none of the srcs of cxx_binary //:lib defines main().",
        ),
        (
            'cxx_python_extension(name = "lib", srcs = ["empty.cpp"])',
            "BUCK:2: cxx_python_extension //:lib: an extension of Python is not built here.",
        ),
        (
            'executorch_generated_lib(name = "lib", functions_yaml_target = ":functions.yaml[x]", deps = [":s"])\n'
            'export_file(name = "functions.yaml")\net_operator_library(name = "s", include_all_ops = True)',
            "BUCK:2: :functions.yaml[x]: there is no x in it.",
        ),
    ],
)
def test_what_cannot_be_built_is_a_sentence_with_file_and_line(space, text, words):
    space.write({"BUCK": LOAD + text, "functions.yaml": FUNCTIONS_YAML, "empty.cpp": ""})
    assert words in space.fault(":lib")
    assert not space.out.exists()


def test_two_targets_of_one_name_are_not_written_over_each_other(space):
    text = 'genrule(name = "x", cmd = "echo > $OUT", out = "x")\nfilegroup(name = "y", srcs = ["//:x"])'
    space.write({"BUCK": text, "a/BUCK": text})
    assert space.fault(":x", "//a:x") == "//:x and //a:x would both be written to x. Build them into two folders."
    assert space.build(":y") == ["x"]


def test_a_target_is_not_written_outside_of_the_folder(space):
    space.write({"BUCK": 'export_file(name = "x", src = "BUCK", out = "../x")'})
    assert space.fault(":x") == "BUCK:1: export_file //:x would be written to ../x, outside of the folder."


def test_a_kernel_that_no_library_defines_is_explained(mul3):
    mul3.write({"BUCK": LOAD + CUSTOM + BINARY.format("custom-lib"), "mul3.cpp": ""})
    words = mul3.fault(":runner")
    assert "custom.yaml:4: my_ops::mul3.out is bound to custom::native::mul3_out_impl" in words


def test_two_libraries_with_one_operator_are_told_apart_by_a_check(space):
    text = """
et_operator_library(name = "s", ops = ["aten::add.out"])
executorch_generated_lib(name = "a", deps = [":s"])
executorch_generated_lib(name = "b", deps = [":s"])
executorch_ops_check(name = "check", deps = [":a", ":b"])
"""
    space.write({"BUCK": LOAD + text})
    assert space.fault(":check") == ("BUCK:6: 1 operator in more than one library.\n  aten::add.out  in //:a and //:b")
