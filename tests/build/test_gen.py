"""`tenon gen`: the flags of ExecuTorch's generator, what is written, and that it is all or nothing."""

import subprocess

import pytest
from typer.testing import CliRunner

from native.driver import NATIVE
from tenon.cli import app
from tenon.errors import Invalid

FUNCTIONS = """
- op: add.out
  dispatch:
    CPU: custom::add_out
- op: mul.out
  kernels:
    - arg_meta: null
      kernel_name: custom::mul_out
"""
CUSTOM = """
- func: my_ops::mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)
  kernels:
    - arg_meta: null
      kernel_name: custom::mul3_out
"""
KERNELS = """
#include <executorch/runtime/kernel/kernel_includes.h>
namespace custom::native {
using namespace torch::executor;
Tensor& mul3_out(const Tensor&, Tensor& output) { return output; }
Tensor& add_out(KernelRuntimeContext&, const Tensor&, const Tensor&, const Scalar&, Tensor& out) { return out; }
}  // namespace custom::native
"""
HEADERS = ["CustomOpsNativeFunctions.h", "Functions.h", "NativeFunctions.h"]
SOURCES = [
    "RegisterCPUCustomOps.cpp",
    "RegisterCPUStub.cpp",
    "RegisterCodegenUnboxedKernelsEverything.cpp",
    "RegisterSchema.cpp",
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "functions.yaml").write_text(FUNCTIONS)
    (tmp_path / "custom_ops.yaml").write_text(CUSTOM)
    (tmp_path / "kernels.cpp").write_text(KERNELS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gen(*words):
    done = CliRunner().invoke(app, ["gen", *map(str, words)])
    if isinstance(done.exception, Exception):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def written(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("dash", ["-", "_"])
def test_flags_are_taken_in_both_spellings(folder, dash):
    words = """--functions-yaml-path=functions.yaml --custom-ops-yaml-path=custom_ops.yaml --aten-yaml-path=x
        --install-dir=out --use-aten-lib --add-exception-boundary --manual-registration""".split()
    flags = [f"--{word[2:].replace('-', dash)}" for word in words]
    gen(*flags, "--tags-path", "tags.yaml", "--source-path", "codegen", "--rocm")
    manual = ["RegisterKernels.h", "RegisterKernelsEverything.cpp"]
    assert written(folder / "out") == sorted([*HEADERS, *SOURCES[:2], *manual, SOURCES[3]])


def test_all_rows_are_written_with_the_custom_ones_first(folder):
    (folder / "custom_ops.yaml").write_text(CUSTOM + FUNCTIONS.replace("custom::add_out", "mine::add_out"))
    words = gen("--functions-yaml-path", "functions.yaml", "--custom-ops-yaml-path", "custom_ops.yaml", "-d", "out")
    assert words == "out: 3 kernels, 7 files\n"
    assert written(folder / "out") == sorted([*HEADERS, *SOURCES])
    text = (folder / "out" / SOURCES[2]).read_text()
    assert "mine::native::add_out" in text and "custom::native::add_out" not in text


def test_headers_and_sources_are_written_apart(folder):
    given = ["--custom-ops-yaml-path", "custom_ops.yaml"]
    gen(*given, "--generate", "headers", "-d", "headers")
    gen(*given, "-d", "sources", "--generate", "sources")
    gen(*given, "--generate", "headers", "sources", "--install-dir", "both")
    assert [written(folder / name) for name in ("headers", "sources", "both")] == [
        HEADERS,
        sorted(SOURCES),
        sorted([*HEADERS, *SOURCES]),
    ]


def test_a_selection_takes_what_it_names_of_these_rows(folder):
    field = "{is_root_operator: true, is_used_for_training: true, include_all_overloads: false}"
    (folder / "selected.yaml").write_text(
        f"include_all_operators: false\noperators:\n  aten::add.out: {field}\n  aten::relu.out: {field}\n"
        "et_kernel_metadata:\n  aten::add.out: [default]\n  aten::relu.out: [default]\n"
    )
    given = ["--functions-yaml-path", "functions.yaml", "-d", "out"]
    assert gen(*given, "--op-selection-yaml-path", "selected.yaml").startswith("out: 1 kernel,")
    assert gen(*given, "--op-registration-whitelist", "aten::mul", "aten::relu").startswith("out: 1 kernel,")
    assert "aten::mul.out" in (folder / "out" / SOURCES[2]).read_text()


def test_rows_of_a_fallback_are_for_what_has_no_other(folder):
    (folder / "more.yaml").write_text(FUNCTIONS.replace("custom::", "more::").replace("mul.", "div."))
    gen("--functions-yaml-path", "functions.yaml", "--fallback-yaml-path", "more.yaml", "-d", "out")
    text = (folder / "out" / SOURCES[2]).read_text()
    kernels = ("custom::native::add_out", "custom::native::mul_out", "more::native::mul_out", "more::native::add_out")
    assert [name in text for name in kernels] == [True, True, True, False]


def test_compiled_kernels_tell_which_take_no_context_and_which_are_missing(folder):
    command = ["g++", "-std=c++17", f"-I{NATIVE / 'include'}", "-c", "kernels.cpp"]
    subprocess.run(command, check=True, cwd=folder)
    given = ["--functions-yaml-path", "functions.yaml", "--custom-ops-yaml-path", "custom_ops.yaml"]
    words = gen(*given, "--kernel-library", "kernels.o", "-d", "out")
    text = (folder / "out" / SOURCES[2]).read_text()
    assert (
        "::Tensor&(const ::torch::executor::Tensor&, ::torch::executor::Tensor&), &::custom::native::mul3_out" in text
    )
    assert "KernelRuntimeContext&, const ::torch::executor::Tensor&" in text
    assert "functions.yaml:7: aten::mul.out is bound to custom::native::mul_out" in words


def test_checks_and_a_list_of_the_files_are_written(folder):
    gen("--custom-ops-yaml-path", "custom_ops.yaml", "-d", "out", "--checks", "kernels.cpp", "-o", "out/deps.cmake")
    assert '/kernels.cpp"' in (folder / "out" / "check_kernels.cpp").read_text()
    listed = (folder / "out" / "deps.cmake").read_text()
    assert listed.startswith("set(deps\n") and str(folder / "out" / "Functions.h") in listed


def test_a_dry_run_writes_nothing(folder):
    words = gen("--custom-ops-yaml-path", "custom_ops.yaml", "-d", "out", "--dry-run")
    assert "would write out/Functions.h" in words
    assert not (folder / "out").exists()


def test_a_path_that_leads_nowhere_gives_no_rows(folder):
    words = gen("--functions-yaml-path", "none.yaml", "--custom-ops-yaml-path", "", "-d", "out")
    assert words.startswith("none.yaml: there is no such file, and no rows are taken from it.\n")
    assert "out: 0 kernels" in words


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "There are no rows. Give --functions-yaml-path, --custom-ops-yaml-path or both."),
        (
            ["--generate", "header"],
            "--generate header: there are headers, sources and aten-operators. Did you mean headers?",
        ),
        (["--functions-yaml-path", "bad.yaml"], "bad.yaml:1: torch has no operator aten::ad.out."),
    ],
)
def test_a_mistake_is_told_and_nothing_is_written(folder, words, told):
    (folder / "bad.yaml").write_text(FUNCTIONS.replace("add.out", "ad.out").lstrip())
    with pytest.raises(Invalid) as error:
        gen(*words, "-d", "out")
    assert told in str(error.value)
    assert not (folder / "out").exists()
