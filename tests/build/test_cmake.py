"""CMake: what find_package(Tenon) gives, what its functions refuse and in which words, and what they build."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CMAKE = shutil.which("cmake", path=Path(sys.executable).parent) or "cmake"  # the tests' own, if it is installed
HERE = Path(__file__).parents[2] / "cmake"
HEAD = "cmake_minimum_required(VERSION 3.18)\nproject(test LANGUAGES CXX)\n"
FIND = f"{HEAD}find_package(Tenon REQUIRED)\n"


class Project:
    """One folder whose CMakeLists.txt is written again and again: the compiler is looked for only once."""

    def __init__(self, folder):
        self.folder, self.build = folder / "a project", folder / "build"
        self.folder.mkdir()

    def write(self, text, head=FIND, **files):
        (self.folder / "CMakeLists.txt").write_text(head + text)
        for name, content in files.items():
            (self.folder / name.replace("__", ".")).write_text(content)

    def configure(self, *options):
        given = [f"-DTenon_DIR={HERE}", f"-DPYTHON_EXECUTABLE={sys.executable}", "-DCMAKE_BUILD_TYPE=MinSizeRel"]
        return call(CMAKE, "-S", self.folder, "-B", self.build, *given, *options)

    def refused(self, text, *options, head=FIND, **files):
        """What CMake says when it is configured, in one line."""
        self.write(text, head, **files)
        done = self.configure(*options)
        assert done.returncode, done.stdout
        return " ".join(done.stderr.split())

    def built(self, *targets):
        return call(CMAKE, "--build", self.build, "--target", *targets)

    def make(self, text, *targets, **files):
        self.write(text, **files)
        done = self.configure()
        assert not done.returncode, done.stderr
        done = self.built(*targets)
        assert not done.returncode, (done.stdout + done.stderr)[-4000:]

    def not_built(self, text, *targets, **files):
        """What the build says when it stops, in one line."""
        self.write(text, **files)
        done = self.configure()
        assert not done.returncode, done.stderr
        done = self.built(*targets)
        assert done.returncode, done.stdout
        return " ".join((done.stdout + done.stderr).split())


def call(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("cmake"))


YAML = """\
- func: my_ops::mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)
  kernels:
    - arg_meta: null
      kernel_name: custom::mul3_out
"""
KERNEL = """\
#include <executorch/runtime/kernel/kernel_includes.h>
namespace custom::native {
executorch::aten::Tensor& mul3_out(const executorch::aten::Tensor& input, executorch::aten::Tensor& output) {
  for (auto i = input.numel(); i-- > 0;) output.mutable_data_ptr<float>()[i] = 3 * input.const_data_ptr<float>()[i];
  return output;
}
}
"""
KERNELS = "add_library(kernels STATIC kernel.cpp)\ntarget_link_libraries(kernels PRIVATE executorch)\n"
SELECT = "gen_selected_ops(LIB_NAME ops ROOT_OPS my_ops::mul3.out)\n"
BIND = "generate_bindings_for_kernels(LIB_NAME ops CUSTOM_OPS_YAML ops.yaml)\n"


# --- what is found --------------------------------------------------------------------------------------------------


def test_the_package_has_the_targets_that_a_project_links(project):
    targets = "tenon::runtime tenon::kernels tenon::runner executorch executorch_core portable_kernels portable_ops_lib"
    extensions = "data_loader flat_tensor evalue_util runner_util module tensor".split()
    names = targets.split() + [f"extension_{each}" for each in extensions]
    lines = [f"if(NOT TARGET {each})\n  message(FATAL_ERROR {each})\nendif()\n" for each in names]
    project.write("find_package(executorch CONFIG REQUIRED)\n" + "".join(lines))  # both may be asked for
    done = project.configure(f"-Dexecutorch_DIR={HERE}")
    assert not done.returncode, done.stderr


def test_a_version_that_is_not_there_is_refused(project):
    assert "99.0" in project.refused("", head=f"{HEAD}find_package(Tenon 99.0 REQUIRED)\n")
    project.write("", head=f"{HEAD}find_package(Tenon 0.1 REQUIRED)\n")
    assert not project.configure().returncode


def test_a_python_without_tenon_is_refused(project, tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    words = project.refused("", f"-DPYTHON_EXECUTABLE={python}")
    assert f"Tenon: {python} has no Tenon in it. Set PYTHON_EXECUTABLE to a Python that has." in words


def test_a_kind_of_optimization_that_there_is_not_is_refused(project):
    words = project.refused("find_package(Tenon REQUIRED)\n", head=f"{HEAD}set(TENON_OPTIMIZE fast)\n")
    assert "TENON_OPTIMIZE is fast; there is size and speed." in words


# --- what is refused ------------------------------------------------------------------------------------------------

REFUSALS = {
    "a call by position": (
        'gen_selected_ops("" "my_ops::mul3.out" "")',
        'gen_selected_ops: "my_ops::mul3.out" has no name in front of it. Arguments have names: '
        "gen_selected_ops(LIB_NAME name",
    ),
    "a library by position": (
        "gen_operators_lib(ops KERNEL_LIBS kernels)",
        'gen_operators_lib: "ops" has no name in front of it.',
    ),
    "no name": (
        "gen_selected_ops(ROOT_OPS aten::add.out)",
        "gen_selected_ops: LIB_NAME is missing: gen_selected_ops(LIB_NAME name",
    ),
    "nothing selected": (
        "gen_selected_ops(LIB_NAME ops)",
        "gen_selected_ops(LIB_NAME ops): no operator is selected, so that none would be registered. Give a list of "
        "operators, a model, a YAML of operators, or INCLUDE_ALL_OPS.",
    ),
    "a rule that selects nothing": ("et_operator_library(NAME ops)", "et_operator_library(NAME ops): no operator is"),
    "a model that is not there": (
        "et_operator_library(NAME ops MODEL none.pte)",
        "et_operator_library(NAME ops): MODEL is {folder}/none.pte, and there is no such file.",
    ),
    "dtypes without a model": (
        "gen_selected_ops(LIB_NAME ops ROOT_OPS aten::add.out DTYPE_SELECTIVE_BUILD ON)",
        "DTYPE_SELECTIVE_BUILD takes dtypes from models, and OPS_FROM_MODEL names none.",
    ),
    "no YAML": (
        SELECT + "generate_bindings_for_kernels(LIB_NAME ops)",
        "there are no rows. Give FUNCTIONS_YAML, CUSTOM_OPS_YAML or both.",
    ),
    "a YAML that is not there": (
        SELECT + "generate_bindings_for_kernels(LIB_NAME ops CUSTOM_OPS_YAML none.yaml)",
        "CUSTOM_OPS_YAML is {folder}/none.yaml, and there is no such file.",
    ),
    "rows without a selection": (
        "generate_bindings_for_kernels(LIB_NAME other CUSTOM_OPS_YAML ops.yaml)",
        "no operator is selected. Call gen_selected_ops(LIB_NAME other ...) before.",
    ),
    "a library without rows": (
        "gen_operators_lib(LIB_NAME ops)",
        "there are no rows. Call generate_bindings_for_kernels(LIB_NAME ops ...) before, in this folder.",
    ),
    "dtypes of kernels of others": (
        SELECT + BIND + "gen_operators_lib(LIB_NAME ops DTYPE_SELECTIVE_BUILD ON)",
        "portable_kernels is not among KERNEL_LIBS.",
    ),
    "a library for torch without sources": ("gen_custom_ops_aot_lib(LIB_NAME aot)", "KERNEL_SOURCES is missing."),
    "a rule without a selection": (
        "executorch_generated_lib(NAME lib DEPS executorch)",
        "executorch_generated_lib(NAME lib): no et_operator_library is among DEPS, so that nothing would be "
        "registered. For all operators, add et_operator_library(NAME all_ops INCLUDE_ALL_OPS) and DEPS all_ops.",
    ),
    "kernels of torch and others": (
        "et_operator_library(NAME ops OPS aten::add.out)\n"
        "executorch_generated_lib(NAME lib DEPS ops ATEN_MODE FUNCTIONS_YAML ops.yaml)",
        "ATEN_MODE takes the kernels of torch, and FUNCTIONS_YAML names others. Leave one of them out.",
    ),
    "half a merge": ("merge_yaml(FUNCTIONS_YAML ops.yaml OUTPUT_DIR out)", "merge_yaml: FALLBACK_YAML is missing."),
    "kernels of nothing": ("gen_selected_max_kernel_num(LIB_NAME ops)", "OPLIST_YAMLS is missing"),
    "prim operators of nothing": ("gen_selected_prim_ops_lib(LIB_NAME prim)", "SELECTED_OPS_YAML is missing."),
    "two selections by option": (
        "set(EXECUTORCH_SELECT_OPS_LIST aten::add.out)\nset(EXECUTORCH_SELECT_OPS_YAML ops.yaml)\nfind_package(Tenon)",
        "EXECUTORCH_SELECT_OPS_LIST and EXECUTORCH_SELECT_OPS_YAML are both set",
    ),
    "dtypes of no model": (
        "set(EXECUTORCH_ENABLE_DTYPE_SELECTIVE_BUILD ON)\nfind_package(Tenon)",
        "EXECUTORCH_ENABLE_DTYPE_SELECTIVE_BUILD takes dtypes from a model. Set EXECUTORCH_SELECT_OPS_MODEL.",
    ),
    "a list of sources that there is not": (
        "executorch_append_filelist(VULKAN_SCHEMA_SRCS found)",
        "there is no list VULKAN_SCHEMA_SRCS here; there are EXECUTOR_RUNNER_SRCS,",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_is_wrong_is_told_before_anything_is_built(project, name):
    text, sentence = REFUSALS[name]
    words = project.refused(text, head=HEAD if "find_package" in text else FIND, ops__yaml=YAML)
    assert sentence.format(folder=project.folder) in words


def test_an_operator_that_there_is_not_stops_the_build(project):
    words = project.not_built("et_operator_library(NAME ops OPS aten::addd)\n", "ops")
    assert "aten::addd (--ops) is no operator. Did you mean aten::add" in words


ALL = "et_operator_library(NAME all_ops INCLUDE_ALL_OPS)\n"


def test_a_row_that_is_wrong_stops_the_build_with_its_line(project):
    rules = ALL + "executorch_generated_lib(NAME ops DEPS all_ops FUNCTIONS_YAML f.yaml)\n"
    words = project.not_built(rules, "ops", f__yaml="- op: addd.out\n  dispatch:\n    CPU: custom::add_out\n")
    assert "f.yaml:1: torch has no operator aten::addd.out. Did you mean aten::add.out" in words


def test_a_kernel_of_another_type_stops_the_build_in_words(project):
    wrong = KERNEL.replace("const executorch::aten::Tensor& input", "int input").replace("input.numel()", "0")
    wrong = wrong.replace("input.const_data_ptr<float>()[i]", "input")
    rules = KERNELS + SELECT + BIND + "gen_operators_lib(LIB_NAME ops KERNEL_LIBS kernels)\n"
    words = project.not_built(rules, "ops", ops__yaml=YAML, kernel__cpp=wrong)
    assert "ops.yaml:3: my_ops::mul3.out is bound to custom::native::mul3_out, whose argument 1 is `int`" in words
    assert "but the schema says `Tensor input`" in words


def test_a_kernel_that_nobody_defines_is_told_before_the_linker_misses_it(project):
    rules = KERNELS + SELECT + BIND + "gen_operators_lib(LIB_NAME ops KERNEL_LIBS kernels)\n"
    run = "add_executable(run)\ntarget_link_libraries(run PRIVATE ops tenon::runner)\n"
    outside = KERNEL.replace("custom::native", "custom")
    words = project.not_built(rules + run, "run", ops__yaml=YAML, kernel__cpp=outside)
    assert "ops.yaml:3: my_ops::mul3.out is bound to custom::native::mul3_out" in words
    assert "libkernels.a defines custom::mul3_out(const Tensor&, Tensor&) without `native`." in words


# --- what is built --------------------------------------------------------------------------------------------------


def test_files_are_made_where_executorch_makes_them(project):
    told = """
message(STATUS "yaml ${gen_selected_ops_output_yaml}")
message(STATUS "sources ${gen_command_sources}")
gen_selected_max_kernel_num(LIB_NAME ops OPLIST_YAMLS ${gen_selected_ops_output_yaml})
message(STATUS "include ${ops_max_kernel_num_include_dir}")
merge_yaml(FUNCTIONS_YAML ops.yaml FALLBACK_YAML ${TENON_FUNCTIONS_YAML} OUTPUT_DIR merged)
add_custom_target(merged DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/merged/merged.yaml)
"""
    project.write(SELECT + BIND + told, ops__yaml=YAML)
    done = project.configure()
    assert not done.returncode, done.stderr
    made = project.build / "ops"
    assert f"-- yaml {made}/selected_operators.yaml" in done.stdout
    assert f"-- include {made}\n" in done.stdout
    names = "RegisterCodegenUnboxedKernelsEverything.cpp Functions.h NativeFunctions.h RegisterCPUCustomOps.cpp"
    listed = done.stdout.partition("-- sources ")[2].splitlines()[0].split(";")
    assert [Path(each).name for each in listed][:4] == names.split()
    done = project.built("ops_max_kernel_num_header", "merged")
    assert not done.returncode, done.stdout + done.stderr
    assert "my_ops::mul3.out" in (made / "selected_operators.yaml").read_text()
    assert (
        "EXECUTORCH_SELECTED_MAX_KERNEL_NUM"
        in (made / "executorch" / "runtime" / "kernel" / "selected_max_kernel_num.h").read_text()
    )
    merged = (project.build / "merged" / "merged.yaml").read_text()
    assert merged.startswith("- func: my_ops::mul3.out") and "add.out" in merged


RUNNER = """
et_operator_library(NAME some OPS my_ops::mul3.out)
executorch_generated_lib(NAME ops DEPS some kernels CUSTOM_OPS_YAML ops.yaml INCLUDE_ALL_PRIM_OPS OFF)
add_executable(run)
target_link_libraries(run PRIVATE ops tenon::runner)
"""


def test_what_changes_is_built_again(project):
    project.make(KERNELS + RUNNER, "run", ops__yaml=YAML, kernel__cpp=KERNEL)
    assert "my_ops::mul3.out" in symbols(project.build / "run", "strings")
    time = (project.build / "run").stat().st_mtime_ns
    project.make(KERNELS + RUNNER, "run")
    assert (project.build / "run").stat().st_mtime_ns == time
    changed = KERNELS + RUNNER.replace("mul3.out)", "mul4.out)")
    project.make(changed, "run", ops__yaml=YAML.replace("mul3.out", "mul4.out"))
    found = symbols(project.build / "run", "strings")
    assert "my_ops::mul4.out" in found and "my_ops::mul3.out" not in found


def symbols(path, tool, *options):
    done = call(tool, *options, path)
    assert not done.returncode, done.stderr
    return done.stdout


OTHERS = """
cmake_minimum_required(VERSION 3.19)
project(others)
include(${EXECUTORCH_ROOT}/tools/cmake/Utils.cmake)
include(${EXECUTORCH_ROOT}/tools/cmake/Codegen.cmake)
if(NOT PYTHON_EXECUTABLE)
  resolve_python_executable()
endif()
find_package(executorch CONFIG REQUIRED)
target_include_directories(executorch INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
executorch_load_build_variables()
gen_selected_ops(LIB_NAME "ops" ROOT_OPS "my_ops::mul3.out")
generate_bindings_for_kernels(LIB_NAME "ops" CUSTOM_OPS_YAML ${CMAKE_CURRENT_LIST_DIR}/ops.yaml)
add_library(kernels kernel.cpp)
target_link_libraries(kernels PRIVATE executorch)
target_compile_options(kernels PUBLIC -Wno-deprecated-declarations -fPIC)
gen_operators_lib(LIB_NAME "ops" KERNEL_LIBS kernels DEPS executorch)
executorch_target_link_options_shared_lib(ops)
list(TRANSFORM _executor_runner__srcs PREPEND "${EXECUTORCH_ROOT}/")
add_executable(run ${_executor_runner__srcs})
target_link_libraries(run ops executorch extension_data_loader)
target_link_options_gc_sections(run)
"""


def test_a_project_for_executorch_is_built_as_it_is(project):
    project.write(OTHERS, head="", ops__yaml=YAML, kernel__cpp=KERNEL)
    done = project.configure(f"-DEXECUTORCH_ROOT={HERE}", f"-Dexecutorch_DIR={HERE}")
    assert not done.returncode, done.stderr
    done = project.built("run")
    assert not done.returncode, (done.stdout + done.stderr)[-4000:]
    assert "my_ops::mul3.out" in symbols(project.build / "run", "strings")
