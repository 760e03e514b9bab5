"""What a build finds of the installation, and that it links."""

import subprocess
import sys
from pathlib import Path

import pytest

from tenon.build import installed
from tenon.errors import Invalid

PRIM = """
#include <tenon/prim.h>

namespace tenon {
namespace {
constexpr Kernel rows[] = {TENON_PRIM("aten::sym_size.int"), TENON_PRIM("executorch_prim::add.Scalar")};
}
const KernelTable prim_kernels{"prim", rows, /*in_order=*/true};
}  // namespace tenon
"""


def compile_prim(folder, text, optimize="size"):
    (folder / "prim.cpp").write_text(text)
    command = ["g++", *installed.flags(optimize), "-I", str(installed.include()), "-c", "prim.cpp", "-o", "prim.o"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_headers_sources_and_libraries_are_there():
    assert (installed.include() / "tenon" / "kernel.h").exists()
    assert (installed.include() / "executorch" / "runtime" / "kernel" / "kernel_includes.h").exists()
    for folder in installed.FOLDERS:
        assert installed.sources(folder), folder
    for optimize in ("size", "speed"):
        assert [path.name for path in installed.libraries(optimize) if path.exists()] == [
            "libtenon_runner.a",
            "libtenon_kernels.a",
            "libtenon_runtime.a",
        ]
    assert "main.cpp" in {path.name for path in installed.aten_sources()}


def test_the_kinds_of_library_differ_in_how_they_are_optimized():
    size, speed = (installed.flags(optimize) for optimize in ("size", "speed"))
    assert [flag for flag in size if flag not in speed] == ["-Os"]
    assert [flag for flag in speed if flag not in size] == ["-O3"]


def test_the_rows_are_those_of_tenon_itself():
    rows = {row.op: row.kernel for row in installed.own_rows()}
    assert str(rows["aten::add.out"]) == "tenon::native::add_out"
    assert any(op.startswith("dim_order_ops::") for op in rows)


@pytest.mark.parametrize("optimize", ["size", "speed"])
def test_a_runner_with_chosen_prim_operators_has_no_others(optimize, tmp_path):
    assert compile_prim(tmp_path, PRIM, optimize).stderr == ""
    runner = tmp_path / "runner"
    libraries = map(str, installed.libraries(optimize))
    command = ["g++", *installed.link_flags(optimize), "prim.o", *libraries, "-o", str(runner)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    symbols = subprocess.run(["nm", "-C", str(runner)], capture_output=True, text=True, check=True).stdout
    assert "tenon::prim::sym_size(" in symbols and "tenon::prim::add(" in symbols
    assert "tenon::prim::mul(" not in symbols and "tenon::native::" not in symbols
    assert subprocess.run([runner, "none.pte"], capture_output=True, text=True).stderr == (
        "tenon_run: none.pte: cannot be read.\n"
    )


def test_a_prim_operator_that_is_none_does_not_compile(tmp_path):
    done = compile_prim(tmp_path, PRIM.replace("sym_size.int", "sym_sizes.int"))
    assert "there is no prim operator of this name" in done.stderr


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: installed.flags("beauty"), "there is nothing optimized for beauty; there is size and speed."),
        (
            lambda: installed.library("size", "kernel"),
            "there is no library kernel; there are runner, kernels, runtime.",
        ),
        (lambda: installed.sources("python"), "there are no sources in python; there are some in core"),
    ],
)
def test_what_is_not_installed_is_told(ask, words):
    with pytest.raises(Invalid) as error:
        ask()
    assert words in str(error.value)


def test_the_module_prints_the_prefix_for_cmake():
    told = subprocess.check_output([sys.executable, "-m", "tenon.build.installed"], text=True).strip()
    assert (Path(told) / "cmake" / "TenonConfig.cmake").is_file()
