"""`tenon build` for another machine: everything is compiled from sources, with a compiler that is named in any way."""

import shlex
import shutil
import subprocess
from pathlib import Path

import numpy
import pytest
import torch

import tenon
from tenon.build import installed
from tenon.build.buck.build import build_targets
from tenon.build.drive.build import BuildRequest, build
from tenon.build.drive.compiler import Compiler
from tenon.build.drive.symbols import members
from tenon.build.drive.toolchain import Toolchain, Unit
from tenon.errors import Invalid

# It says that it is for another machine, and what it makes runs here. What it is called with is written down.
OTHER = """#!/bin/sh
[ "$TENON_TEST_LOG" ] && (IFS=$(printf '\\t'); printf '%s\\n' "$*") >> "$TENON_TEST_LOG"
case "$*" in *-dumpmachine*) echo riscv64-unknown-linux-gnu; exit;; esac
exec {cxx} "$@"
"""
CXX = shutil.which("g++") or shutil.which("c++")


@pytest.fixture
def kept(pytestconfig, monkeypatch):
    """A folder that is the same from run to run, so that what is compiled is found again."""
    folder = pytestconfig.cache.mkdir("native-builds")
    monkeypatch.setenv("TENON_CACHE", str(folder))
    return folder


@pytest.fixture
def other(kept):
    return script(kept / "riscv64-unknown-linux-gnu-g++", OTHER.format(cxx=CXX))


@pytest.fixture
def log(tmp_path, monkeypatch):
    """The commands that the other compiler was called with."""
    path = tmp_path / "log"
    path.touch()
    monkeypatch.setenv("TENON_TEST_LOG", str(path))
    return lambda: [line.split("\t") for line in path.read_text().splitlines()]


@pytest.fixture
def model(tmp_path):
    class Model(torch.nn.Module):
        def forward(self, x, y):
            return (x + y).relu()

    tenon.export(Model(), (torch.ones(2, 3), torch.ones(2, 3))).save(tmp_path / "model.pte")
    return tmp_path / "model.pte"


def script(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    path.chmod(0o755)
    return path


def values(runner, model, folder):
    """What a runner makes of two tensors."""
    folder.mkdir()
    x, y = torch.tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.5]]), torch.full((2, 3), 0.25)
    words = [runner, model, "--output", folder]
    for name, each in (("x", x), ("y", y)):
        numpy.save(folder / f"{name}.npy", each.numpy())
        words += ["--input", folder / f"{name}.npy"]
    subprocess.run(list(map(str, words)), check=True, capture_output=True, timeout=60)
    numpy.testing.assert_array_equal(numpy.load(folder / "output_0.npy"), (x + y).relu().numpy())


def refused(*arguments, **more):
    with pytest.raises(Invalid) as fault:
        build(BuildRequest(*arguments, **more))
    return str(fault.value)


# --- another machine --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [False, True])
def test_for_another_machine_all_is_compiled_from_sources_and_runs_as_it_does_here(dtype, model, other, log, tmp_path):
    built = build(BuildRequest(tmp_path / "out", (model,), cxx=str(other), dtype=dtype))
    values(built.runner, model, tmp_path / "run")
    words = [word for command in log() for word in command]
    assert any(word.endswith("model_runner") for word in words)
    assert not [word for word in words if word.startswith(str(installed.root() / "lib"))]
    assert {each.op for each in built.sizes.operators} == {"aten::add.out", "aten::relu.out"}


def test_only_the_sources_that_are_needed_are_compiled_and_are_kept(model, other, log, tmp_path, kept):
    build(BuildRequest(tmp_path / "out", (model,), cxx=str(other)))
    before = len(log())
    archives = {word for command in log() for word in command if "libtenon_kernels-" in word}
    assert len(archives) == 1 and archives.pop().startswith(str(kept))
    build(BuildRequest(tmp_path / "again", (model,), cxx=str(other)))
    again = log()[before:]
    assert not [command for command in again if "-c" in command]
    (archive,) = {word for command in again for word in command if "libtenon_kernels-" in word}
    every = {f"{source.name}.o" for source in installed.own_sources()}
    found = set(members(Path(archive)))
    assert {"binary.cpp.o", "unary.cpp.o"} <= found < every and "pool.cpp.o" not in found


def test_a_target_of_a_buck_file_is_built_for_another_machine_too(model, other, tmp_path):
    (tmp_path / ".buckconfig").touch()
    (tmp_path / "BUCK").write_text(
        'load("//executorch/codegen:codegen.bzl", "et_operator_library", "executorch_generated_lib")\n'
        'et_operator_library(name = "ops", model = "model.pte")\n'
        'executorch_generated_lib(name = "lib", deps = [":ops"])\n'
        'cxx_binary(name = "runner", deps = [":lib"])\n'
    )
    build_targets([":runner"], tmp_path, tmp_path / "out", cxx=str(other))
    values(tmp_path / "out" / "runner", model, tmp_path / "run")


def test_aten_mode_is_for_the_machine_of_torch(model, other, tmp_path):
    words = refused(tmp_path / "out", (model,), mode="aten", cxx=str(other))
    assert words.startswith("ATen mode is on the torch that is installed, on ")
    assert "compiles for riscv64-unknown-linux-gnu. Take a compiler for this machine." in words


def test_what_python_is_to_load_is_for_this_machine(other):
    with pytest.raises(Invalid, match="What is built here runs here.*riscv64-unknown-linux-gnu"):
        Toolchain(str(other))


@pytest.mark.parametrize(
    ("target", "is_for_here"),
    [("x86_64-linux-gnu", True), ("x86_64-unknown-linux-musl", False), ("aarch64-linux-gnu", False),
     ("x86_64-w64-mingw32", False), ("arm-none-eabi", False), ("", True)],
)  # fmt: skip
def test_which_compiler_is_for_this_machine(target, is_for_here, tmp_path, monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr("platform.libc_ver", lambda: ("glibc", "2.36"))
    compiler = script(tmp_path / "c++", f"#!/bin/sh\necho {target}\n")
    assert Compiler(str(compiler)).is_for_here == is_for_here


# --- how a compiler is named ------------------------------------------------------------------------------------------


def test_a_compiler_may_have_several_words(tmp_path, monkeypatch):
    source = tmp_path / "main.cpp"
    source.write_text("#include <cstdio>\nint main() { std::puts(WORD); }\n")
    toolchain = Toolchain(f"env UNUSED=1 {CXX} '-DWORD=\"two words\"'", folder=tmp_path / "cache")
    assert toolchain.has_libraries
    toolchain.link(tmp_path / "main", toolchain.compile([Unit(source)]))
    assert subprocess.check_output([tmp_path / "main"], text=True) == "two words\n"
    folder = tmp_path / "a folder"
    folder.mkdir()
    named = script(folder / "c++", f'#!/bin/sh\nexec {CXX} "$@"\n')
    assert Compiler(str(named)).command == [str(named)]
    monkeypatch.setenv("CXX", f"{shlex.quote(str(named))} -v")
    assert Compiler().command == [str(named), "-v"]


def test_flags_go_with_every_command_and_nothing_prebuilt_is_then_linked(tmp_path, kept, log):
    compiler = script(tmp_path / "c++", OTHER.format(cxx=CXX))
    toolchain = Toolchain(str(compiler), folder=tmp_path / "cache", cxx_flags='-DA="1 + 2" -O1', other_machine=True)
    source = tmp_path / "main.cpp"
    source.write_text('static_assert(A == 3, "");\nint main() {}\n')
    objects = toolchain.compile([Unit(source)])
    toolchain.merge(tmp_path / "whole.o", objects, ["main"])
    toolchain.link(tmp_path / "main", [tmp_path / "whole.o"])
    assert not toolchain.has_libraries
    commands = [each for each in log() if "-o" in each]
    assert len(commands) >= 3 and all(each[-1] == "-O1" for each in commands)


@pytest.mark.parametrize("option", ["cxx", "cxx_flags"])
def test_words_that_cannot_be_split_are_told(option, model, tmp_path):
    words = refused(tmp_path / "out", (model,), **{option: "c++ 'open"})
    assert words == f"--{option.replace('_', '-')} c++ 'open: cannot be split into words: No closing quotation."


# --- tools of a compiler ----------------------------------------------------------------------------------------------


def test_tools_are_those_that_the_compiler_names_or_that_have_its_prefix(tmp_path):
    mine = script(tmp_path / "mine-nm", "#!/bin/sh\n")
    tells = script(tmp_path / "tells", f"#!/bin/sh\necho {mine}\n")
    assert Compiler(str(tells)).tool("nm") == str(mine)
    for name in ("some-machine-g++-12", "some-machine-clang++"):
        prefixed = script(tmp_path / name, '#!/bin/sh\necho "${1#-print-prog-name=}"\n')
        beside = script(tmp_path / "some-machine-nm", "#!/bin/sh\n")
        assert Compiler(str(prefixed)).tool("nm") == str(beside)


def test_a_missing_tool_is_told(model, tmp_path, monkeypatch, kept):
    compiler = script(tmp_path / "c++", OTHER.format(cxx=CXX))
    monkeypatch.setenv("PATH", str(tmp_path))
    words = refused(tmp_path / "out", (model,), cxx=str(compiler))
    assert words.startswith(f"nm is missing: {compiler} names none, and there is none on the PATH.")


def test_a_linker_that_cannot_leave_out_what_is_not_used_is_told(tmp_path):
    text = f'#!/bin/sh\ncase "$*" in *--gc-sections*) echo "ld: unknown option" >&2; exit 1;; esac\nexec {CXX} "$@"\n'
    toolchain = Toolchain(str(script(tmp_path / "c++", text)), folder=tmp_path / "cache")
    with pytest.raises(Invalid) as fault:
        toolchain.merge(tmp_path / "whole.o", [], ["main"])
    assert str(fault.value).startswith("whole.o cannot be linked. That needs a linker with -r and --gc-sections")
    assert str(fault.value).endswith("ld: unknown option")


def test_flags_that_only_lay_out_a_file_are_left_out_where_the_linker_does_not_know_them(tmp_path):
    text = '#!/bin/sh\ncase "$*" in *noseparate-code*) exit 1;; esac\n' + OTHER.format(cxx=CXX).partition("\n")[2]
    toolchain = Toolchain(str(script(tmp_path / "c++", text)), folder=tmp_path / "cache", other_machine=True)
    left = set(installed.link_flags("size")) - set(toolchain.link_flags)
    assert left == {"-Wl,-z,noseparate-code"}


def test_a_compiler_that_writes_nothing_is_told(model, tmp_path, kept):
    compiler = script(tmp_path / "c++", "#!/bin/sh\necho riscv64-linux-gnu\n")
    assert "cannot be compiled." in refused(tmp_path / "out", (model,), cxx=str(compiler))
