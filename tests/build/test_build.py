"""`tenon build`: runners and libraries that hold what their models need, and sentences about what cannot be built."""

import ctypes
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest
import torch

import tenon
from models import make
from pte.programs import plan, tensor
from tenon.build import installed
from tenon.build.drive.build import BuildRequest, build
from tenon.build.drive.symbols import defined_functions
from tenon.build.select import read_selection
from tenon.errors import Invalid, TenonError, Unsupported
from tenon.pte.program import Program
from tenon.pte.schema import Int, KernelCall

MUL3 = """
- func: my_ops::mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)
  kernels:
    - arg_meta: null
      kernel_name: custom::mul3_out_impl
"""
TIMES = """
#include <executorch/runtime/kernel/kernel_includes.h>

namespace custom {{
namespace native {{
using executorch::aten::Tensor;

Tensor& {name}({parameters}Tensor& out) {{
  (void)executorch::runtime::resize_tensor(out, a.sizes());
  for (int64_t i = 0; i < a.numel(); ++i)
    out.mutable_data_ptr<float>()[i] = {by} * a.const_data_ptr<float>()[i];
  return out;
}}

}}  // namespace native
}}  // namespace custom
"""


def times(by, name="mul3_out_impl", parameters="const Tensor& a, "):
    return TIMES.format(by=by, name=name, parameters=parameters)


@pytest.fixture(autouse=True)
def cache(pytestconfig, monkeypatch):
    """What is compiled is kept from run to run."""
    monkeypatch.setenv("TENON_CACHE", str(pytestconfig.cache.mkdir("native-builds")))


@pytest.fixture
def exported(tmp_path):
    def export(name, function, *args):
        class Model(torch.nn.Module):
            def forward(self, *args):
                return function(*args)

        tenon.export(Model(), args).save(tmp_path / f"{name}.pte")
        return tmp_path / f"{name}.pte"

    return export


@pytest.fixture
def added(exported):
    return exported("added", lambda x, y: x + y, torch.ones(2, 3), torch.ones(2, 3))


@pytest.fixture
def multiplied(exported):
    return exported("multiplied", lambda x: (x * x).relu(), torch.ones(3))


@pytest.fixture
def mul3(tmp_path):
    """A program that calls my_ops::mul3.out on three numbers."""
    values = [tensor([3], 1, 0), tensor([3], 1, 16)]
    path = tmp_path / "mul3.pte"
    Program([plan(values, [KernelCall(0, [0, 1, 1])], [0], [1], [0, 32], [("my_ops::mul3", "out")])]).save(path)
    (tmp_path / "custom_ops.yaml").write_text(MUL3)
    return path


def run(runner, program, folder, *inputs):
    """What a runner makes of these inputs, bit for bit."""
    folder.mkdir(exist_ok=True)
    results = folder / "results"  # which the runner makes
    words = [runner, program, "--output", results]
    for i, each in enumerate(inputs):
        numpy.save(folder / f"input_{i}.npy", each.numpy() if isinstance(each, torch.Tensor) else each)
        words += ["--input", folder / f"input_{i}.npy"]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return [numpy.load(results / f"output_{i}.npy") for i in range(len(list(results.glob("output_*.npy"))))]


def command(*words, **more):
    return subprocess.run(
        [sys.executable, "-m", "tenon.cli", *map(str, words)], capture_output=True, text=True, check=False, **more
    )


# --- what a build gives -------------------------------------------------------------------------------------------


def test_the_command_gives_a_runner_two_libraries_headers_selections_and_a_table_of_sizes(added, tmp_path):
    out = tmp_path / "a folder"
    done = command("build", added, "-o", out, env={"PATH": "/usr/bin:/bin", "COLUMNS": "30", "HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    found = {str(path.relative_to(out)) for path in out.iterdir()}
    assert found == {
        "added_runner", "libadded.a", "libadded.so", "include",
        "model_operators.yaml", "selective_operators.yaml", "selected_operators.yaml",
    }  # fmt: skip
    assert (out / "include" / "executorch" / "runtime" / "kernel" / "kernel_includes.h").is_file()
    assert (out / "include" / "added" / "NativeFunctions.h").is_file()
    assert set(read_selection(out / "selected_operators.yaml").operators) == {"aten::add.out"}
    assert "aten::add.out" in done.stdout and "core: runtime and runner" in done.stdout
    assert run(out / "added_runner", added, tmp_path / "run", *torch.ones(2, 2, 3))[0].tolist() == [[2.0] * 3] * 2


def test_an_operator_that_was_not_selected_is_not_in_the_binary(added, multiplied, tmp_path):
    built = build(BuildRequest(tmp_path / "out", (added,)))
    names = {function.name for function in defined_functions(built.archive)}
    assert "tenon::native::add_out" in names
    assert not {"tenon::native::mul_out", "tenon::native::relu_out", "tenon::native::sub_out"} & names
    with pytest.raises(RuntimeError, match=r"Missing operator: \[0\] aten::mul.out"):
        run(built.runner, multiplied, tmp_path / "run", torch.ones(3))


def test_two_models_and_one_operator_more_share_a_build(added, multiplied, exported, tmp_path):
    more = exported("subtracted", lambda x: x - x, torch.ones(3))
    built = build(BuildRequest(tmp_path / "out", (added, multiplied), ops=("aten::sub.out",), name="both"))
    assert {each.op for each in built.sizes.operators} == {
        "aten::add.out", "aten::mul.out", "aten::relu.out", "aten::sub.out",
    }  # fmt: skip
    assert run(built.runner, added, tmp_path / "a", *torch.ones(2, 2, 3))[0].sum() == 12
    assert run(built.runner, multiplied, tmp_path / "b", torch.tensor([-2.0, 0, 3]))[0].tolist() == [4, 0, 9]
    assert run(built.runner, more, tmp_path / "c", torch.ones(3))[0].tolist() == [0, 0, 0]
    origins = read_selection(tmp_path / "out" / "selective_operators.yaml").operators
    assert origins["aten::add.out"].origins == (str(added),)
    assert set(read_selection(tmp_path / "out" / "multiplied" / "model_operators.yaml").operators) == {
        "aten::mul.out", "aten::relu.out",
    }  # fmt: skip


def test_prim_operators_are_selected_too(added, tmp_path):
    built = build(BuildRequest(tmp_path / "out", (added,)))
    path = tmp_path / "prim.pte"
    values = [Int(1), Int(2), Int(0)]
    call = KernelCall(0, [0, 1, 2])
    Program([plan(values, [call], [], [2], [0], [("executorch_prim::add", "Scalar")])]).save(path)
    run(build(BuildRequest(tmp_path / "with", (path,))).runner, path, tmp_path / "run")
    with pytest.raises(RuntimeError, match="Missing operator.*executorch_prim::add.Scalar"):
        run(built.runner, path, tmp_path / "run")


PROGRAM = """
#include <tenon/exec/method.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace tenon;

int main(int, char** words) {
  std::FILE* file = std::fopen(words[1], "rb");
  static uint8_t data alignas(16)[1 << 16];
  const size_t size = std::fread(data, 1, sizeof data, file);
  Message why;
  Program program;
  if (Program::load(data, size, program, why) != Error::Ok) return std::puts(why.text), 1;
  MemoryNeeded needed;
  if (Method::memory_needed(program, "forward", needed, why) != Error::Ok) return std::puts(why.text), 1;
  static uint8_t room alignas(64)[1 << 16], bank alignas(64)[1 << 16];
  MemoryAllocator allocator(sizeof room, room);
  Span<uint8_t> spans[] = {{bank, sizeof bank}};
  HierarchicalAllocator banks({spans, 1});
  Method method;
  const MemoryManager memory(&allocator, &banks);
  if (Method::load(program, "forward", memory, global_registry(), method, why) != Error::Ok)
    return std::puts(why.text), 1;
  float values[6] = {1, 2, 3, 4, 5, 6};
  SizesType sizes[] = {2, 3};
  TensorImpl impl(ScalarType::Float, 2, sizes, values);
  for (size_t i = 0; i < 2; ++i) method.set_input(EValue(Tensor(&impl)), i);
  if (method.execute() != Error::Ok) return std::puts(method.why().text), 1;
  std::printf("%g\\n", static_cast<double>(method.output(0).toTensor().const_data_ptr<float>()[5]));
}
"""


def test_a_program_links_either_library_as_any_other_and_has_the_kernels(added, tmp_path):
    built = build(BuildRequest(tmp_path / "out", (added,)))
    (tmp_path / "main.cpp").write_text(PROGRAM)
    for library in (built.archive, built.shared):
        words = ["c++", "-std=c++17", "-Wall", "-Werror", "-I", built.include, tmp_path / "main.cpp", library]
        words += [f"-Wl,-rpath,{library.parent}", "-o", tmp_path / "main"]
        subprocess.run(list(map(str, words)), check=True)
        assert subprocess.check_output([tmp_path / "main", added], text=True) == "12\n"
    assert ctypes.CDLL(str(built.shared)).tenon_kernel_table is not None


def test_a_build_in_a_folder_with_other_files_leaves_them(added, tmp_path):
    (tmp_path / "out" / "include").mkdir(parents=True)
    (tmp_path / "out" / "include" / "mine.h").write_text("mine")
    build(BuildRequest(tmp_path / "out", (added,)))
    build(BuildRequest(tmp_path / "out", (added,)))
    assert (tmp_path / "out" / "include" / "mine.h").read_text() == "mine"


def test_two_builds_at_once_share_a_cache(added, multiplied, tmp_path, monkeypatch):
    monkeypatch.setenv("TENON_CACHE", str(tmp_path / "a cache"))
    requests = [BuildRequest(tmp_path / str(i), (model,)) for i, model in enumerate([added, multiplied, added])]
    with ThreadPoolExecutor(3) as pool:
        built = list(pool.map(build, requests))
    assert built[0].runner.read_bytes() == built[2].runner.read_bytes()
    assert not list((tmp_path / "a cache").glob("work-*"))


def test_a_changed_header_is_compiled_again(mul3, tmp_path):
    header, source = tmp_path / "by.h", tmp_path / "kernels.cpp"
    header.write_text("#define BY 3")
    source.write_text('#include "by.h"\n' + times("BY"))
    request = BuildRequest(tmp_path / "out", (mul3,), custom_ops=(tmp_path / "custom_ops.yaml",), kernels=(source,))
    values = numpy.array([1, 2, 3], numpy.float32)
    assert run(build(request).runner, mul3, tmp_path / "run", values)[0].tolist() == [3, 6, 9]
    header.write_text("#define BY 5")
    assert run(build(request).runner, mul3, tmp_path / "run", values)[0].tolist() == [5, 10, 15]


# --- kernels of the user's own --------------------------------------------------------------------------------------


WITH_CONTEXT = "executorch::runtime::KernelRuntimeContext&, "


@pytest.mark.parametrize(
    ("kind", "context"),
    [
        ("source", ""),
        ("source", WITH_CONTEXT),
        ("object", ""),
        ("archive", ""),
        ("archive", WITH_CONTEXT),
        ("shared", ""),
    ],
)
def test_a_kernel_of_ones_own_comes_as_a_source_or_compiled(kind, context, mul3, tmp_path):
    source = tmp_path / "my kernels.cpp"
    source.write_text(times(3, parameters=f"{context}const Tensor& a, "))
    built = build(
        BuildRequest(
            tmp_path / "out",
            (mul3,),
            custom_ops=(tmp_path / "custom_ops.yaml",),
            kernels=(compiled(source, kind),),
        )
    )
    values = numpy.array([1, 2, 3], numpy.float32)
    assert run(built.runner, mul3, tmp_path / "run", values)[0].tolist() == [3, 6, 9]


def compiled(source, kind):
    if kind == "source":
        return source
    words = ["c++", "-std=c++17", "-fPIC", "-I", installed.include(), "-c", source, "-o", source.with_suffix(".o")]
    subprocess.run(list(map(str, words)), check=True)
    if kind == "archive":
        subprocess.run(["ar", "rcs", source.with_suffix(".a"), source.with_suffix(".o")], check=True)
    if kind == "shared":
        subprocess.run(["c++", "-shared", source.with_suffix(".o"), "-o", source.with_suffix(".so")], check=True)
    return source.with_suffix({"object": ".o", "archive": ".a", "shared": ".so"}[kind])


def test_a_row_of_ones_own_goes_before_tenons(added, tmp_path):
    (tmp_path / "functions.yaml").write_text(
        "- op: add.out\n  kernels:\n    - arg_meta: null\n      kernel_name: custom::add_out\n"
    )
    source = tmp_path / "add.cpp"
    source.write_text(times(7, "add_out", "const Tensor& a, const Tensor&, const executorch::aten::Scalar&, "))
    request = BuildRequest(
        tmp_path / "out", (added,), functions=(tmp_path / "functions.yaml",), kernels=(source,), optimize="speed"
    )
    built = build(request)
    assert run(built.runner, added, tmp_path / "run", *torch.ones(2, 2, 3))[0].tolist() == [[7.0] * 3] * 2


SPECIALISED = """
- op: add.out
  kernels:
    - arg_meta: null
      kernel_name: tenon::add_out
    - arg_meta:
        self: [T0, D0]
        other: [T0, D0]
        out: [T0, D0]
      kernel_name: custom::add_out
  type_alias:
    T0: [Float]
  dim_order_alias:
    D0: [[0, 1]]
"""


def test_a_specialised_kernel_takes_its_calls_and_the_fallback_all_others(added, exported, tmp_path):
    whole = exported("whole", lambda x, y: x + y, *torch.ones(2, 2, 3, dtype=torch.int64))
    (tmp_path / "functions.yaml").write_text(SPECIALISED)
    source = tmp_path / "add.cpp"
    source.write_text(times(7, "add_out", "const Tensor& a, const Tensor&, const executorch::aten::Scalar&, "))
    functions = (tmp_path / "functions.yaml",)
    built = build(BuildRequest(tmp_path / "out", (added, whole), functions=functions, kernels=(source,)))
    assert run(built.runner, added, tmp_path / "a", *torch.ones(2, 2, 3))[0].tolist() == [[7.0] * 3] * 2
    ones = torch.ones(2, 2, 3, dtype=torch.int64)
    assert run(built.runner, whole, tmp_path / "b", *ones)[0].tolist() == [[2] * 3] * 2


def test_a_yaml_of_operators_is_rows_or_a_selection_that_was_written_before(added, mul3, tmp_path):
    source = tmp_path / "mul3.cpp"
    source.write_text(times(3))
    first = build(BuildRequest(tmp_path / "rows", yamls=(tmp_path / "custom_ops.yaml",), kernels=(source,)))
    values = numpy.array([1, 2, 3], numpy.float32)
    assert run(first.runner, mul3, tmp_path / "a", values)[0].tolist() == [3, 6, 9]
    build(BuildRequest(tmp_path / "out", (added,)))
    again = build(BuildRequest(tmp_path / "again", yamls=(tmp_path / "out" / "selective_operators.yaml",)))
    assert run(again.runner, added, tmp_path / "b", *torch.ones(2, 2, 3))[0].sum() == 12


# --- ATen mode ------------------------------------------------------------------------------------------------------


def test_in_aten_mode_atens_kernels_run_what_is_selected_beside_those_of_ones_own(added, multiplied, mul3, tmp_path):
    source = tmp_path / "mul3.cpp"
    source.write_text(times(3))
    built = build(
        BuildRequest(
            tmp_path / "out",
            (added, mul3),
            mode="aten",
            custom_ops=(tmp_path / "custom_ops.yaml",),
            kernels=(source,),
            name="both",
        )
    )
    assert run(built.runner, added, tmp_path / "a", *torch.ones(2, 2, 3))[0].sum() == 12
    values = numpy.array([1, 2, 3], numpy.float32)
    assert run(built.runner, mul3, tmp_path / "b", values)[0].tolist() == [3, 6, 9]
    with pytest.raises(RuntimeError, match=r"Missing operator: \[0\] aten::mul.out"):
        run(built.runner, multiplied, tmp_path / "c", torch.ones(3))


# --- what cannot be built ---------------------------------------------------------------------------------------------


def refused(request, kind=Invalid):
    """The words of a build that fails; it leaves nothing behind."""
    before = sorted(request.out.parent.rglob("*"))
    with pytest.raises(kind) as fault:
        build(request)
    assert sorted(request.out.parent.rglob("*")) == before
    assert isinstance(fault.value, TenonError)
    return str(fault.value)


def test_nothing_selected_is_told(tmp_path):
    assert refused(BuildRequest(tmp_path / "out")).startswith("Nothing is selected. Name a model")


def test_a_file_that_is_no_program_is_told(tmp_path):
    (tmp_path / "model.pte").write_text("no")
    assert "model.pte" in refused(BuildRequest(tmp_path / "out", (tmp_path / "model.pte",)))
    assert "cannot be read" in refused(BuildRequest(tmp_path / "out", (tmp_path / "none.pte",)))


def test_an_output_folder_that_is_a_file_or_cannot_be_written_is_told(added, tmp_path):
    (tmp_path / "out").write_text("mine")
    assert refused(BuildRequest(tmp_path / "out", (added,))).endswith("is a file. Name a folder to write to.")
    assert "cannot be written" in refused(BuildRequest(tmp_path / "out" / "in", (added,)))
    (tmp_path / "full" / "libadded.a").mkdir(parents=True)
    assert "libadded.a: is a folder" in refused(BuildRequest(tmp_path / "full", (added,)))


def test_an_operator_without_a_kernel_is_told_with_who_asked(mul3, tmp_path):
    words = refused(BuildRequest(tmp_path / "out", (mul3,)), Unsupported)
    assert "my_ops::mul3.out" in words and "mul3.pte" in words


def test_a_name_that_no_operator_has_is_told_with_near_ones(tmp_path):
    words = refused(BuildRequest(tmp_path / "out", ops=("aten::ad.out",)))
    assert "aten::ad.out" in words and "aten::add.out" in words


def test_no_compiler_is_told(added, tmp_path, monkeypatch):
    words = refused(BuildRequest(tmp_path / "out", (added,), cxx="no-such-compiler"))
    assert words.startswith("no-such-compiler: there is no such compiler, and --cxx names it.")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    words = refused(BuildRequest(tmp_path / "out", (added,)))
    assert words.startswith("There is no C++ compiler: none of c++, g++, clang++ is on the PATH.")


def test_dtypes_are_not_chosen_in_aten_mode(added, tmp_path):
    assert refused(BuildRequest(tmp_path / "out", (added,), mode="aten", dtype=True)).startswith("--dtype chooses")


def test_a_cache_that_cannot_be_written_is_told(added, tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("")
    monkeypatch.setenv("TENON_CACHE", str(tmp_path / "cache"))
    assert "TENON_CACHE" in refused(BuildRequest(tmp_path / "out", (added,)))


def test_a_kernel_that_nobody_defines_is_told_with_its_row_and_what_is_near(mul3, tmp_path):
    source = tmp_path / "kernels.cpp"
    source.write_text(times(3).replace("namespace native {", "").replace("}  // namespace native", ""))
    request = BuildRequest(tmp_path / "out", (mul3,), custom_ops=(tmp_path / "custom_ops.yaml",), kernels=(source,))
    words = refused(request)
    assert "custom_ops.yaml:4: my_ops::mul3.out is bound to custom::native::mul3_out_impl" in words
    assert f"{source} defines custom::mul3_out_impl(const Tensor&, Tensor&) without `native`." in words


def test_a_row_that_has_native_itself_is_told_what_to_write(mul3, tmp_path):
    source, rows = tmp_path / "kernels.cpp", tmp_path / "custom_ops.yaml"
    source.write_text(times(3))
    rows.write_text(MUL3.replace("custom::", "custom::native::"))
    words = refused(BuildRequest(tmp_path / "out", (mul3,), custom_ops=(rows,), kernels=(source,)))
    assert f"{source} defines custom::native::mul3_out_impl(const Tensor&, Tensor&). The row has `native`" in words
    assert words.endswith("Write `kernel_name: custom::mul3_out_impl`.")


def test_what_a_kernel_calls_and_nobody_defines_is_told_with_a_remedy(mul3, tmp_path):
    source = tmp_path / "kernels.cpp"
    source.write_text("int nobody(int);\n" + times("nobody(3)"))
    request = BuildRequest(tmp_path / "out", (mul3,), custom_ops=(tmp_path / "custom_ops.yaml",), kernels=(source,))
    told = refused(request).splitlines()
    assert told[0].endswith(": 1 function that it calls nobody defines.")
    assert told[1:] == ["  nobody(int)", "  Give the source or library that defines it (--lib)."]


@pytest.mark.parametrize(
    ("mode", "type", "remedy"),
    [
        ("lean", "std::vector<int>", ""),
        (
            "aten",
            "const tenon::Tensor&",
            "In ATen mode a tensor is at::Tensor: write executorch::aten::Tensor.",
        ),
    ],
)
def test_a_type_that_no_kernel_has_is_told_as_it_is_written(mul3, tmp_path, mode, type, remedy):
    source = tmp_path / "kernels.cpp"
    head = "#include <tenon/kernel.h>\n#include <executorch/runtime/kernel/kernel_includes.h>\n#include <vector>\n"
    kernel = f"executorch::aten::Tensor& mul3_out_impl({type} a, executorch::aten::Tensor& out) {{ return out; }}"
    source.write_text(f"{head}namespace custom::native {{\n{kernel}\n}}\n")
    rows = (tmp_path / "custom_ops.yaml",)
    words = refused(BuildRequest(tmp_path / "out", (mul3,), custom_ops=rows, kernels=(source,), mode=mode))
    assert f"whose argument 1 is `{type}`, but the schema says `Tensor input`, which is `const Tensor&`" in words
    assert words.endswith(remedy) and words.count("\n") == bool(remedy)


def test_an_error_of_the_compiler_is_told_with_its_line(mul3, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "kernels.cpp"
    source.write_text(times(3).replace("resize_tensor", "resise_tensor"))
    request = BuildRequest(tmp_path / "out", (mul3,), custom_ops=(tmp_path / "custom_ops.yaml",), kernels=(source,))
    words = refused(request)
    assert words.startswith("kernels.cpp does not compile.\n  kernels.cpp:9: 'resise_tensor' is not a member of")


def test_a_kernel_whose_type_differs_from_its_schema_is_told_in_words(mul3, tmp_path):
    source = tmp_path / "kernels.cpp"
    source.write_text(times(3, parameters="Tensor a, "))
    request = BuildRequest(tmp_path / "out", (mul3,), custom_ops=(tmp_path / "custom_ops.yaml",), kernels=(source,))
    assert refused(request) == (
        "custom_ops.yaml:4: my_ops::mul3.out is bound to custom::native::mul3_out_impl, whose argument 1 is `Tensor`, "
        "but the schema says `Tensor input`, which is `const Tensor&`"
    )


def test_a_name_that_c_plus_plus_cannot_have_is_told_and_that_of_a_file_is_made_one(added, tmp_path):
    assert "--name a-b:" in refused(BuildRequest(tmp_path / "out", (added,), name="a-b"))
    odd = added.rename(tmp_path / "3 odd-names.pte")
    assert build(BuildRequest(tmp_path / "out", (odd,))).runner.name == "_3_odd_names_runner"


# --- sizes and values over models -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mobilenet_v2", "llama"])  # bench/size.py has all of them
def test_what_is_selected_is_smaller_and_runs_bit_identically(name, tmp_path, everything):
    case = make(name)
    tenon.export(case.model, (), case.kwargs).save(tmp_path / "model.pte")
    inputs = list(case.kwargs.values())
    expected = run(everything, tmp_path / "model.pte", tmp_path / "all", *inputs)
    sizes = [everything.stat().st_size]
    for dtype in (False, True):
        built = build(BuildRequest(tmp_path / f"out{dtype}", (tmp_path / "model.pte",), dtype=dtype))
        found = run(built.runner, tmp_path / "model.pte", tmp_path / f"run{dtype}", *inputs)
        assert [each.tobytes() for each in found] == [each.tobytes() for each in expected]
        sizes.append(built.sizes.whole)
    assert sizes == sorted(sizes, reverse=True)


@pytest.fixture
def everything(tmp_path):
    return build(BuildRequest(tmp_path / "everything", everything=True, name="every")).runner


def test_a_dtype_that_was_not_selected_fails_in_words(added, exported, tmp_path):
    other = exported("whole", lambda x, y: x + y, torch.ones(3, dtype=torch.int64), torch.ones(3, dtype=torch.int64))
    built = build(BuildRequest(tmp_path / "out", (added,), dtype=True))
    assert run(built.runner, added, tmp_path / "a", *torch.ones(2, 2, 3))[0].sum() == 12
    with pytest.raises(RuntimeError, match="aten::add.out.*int64 in this build, which has the dtypes that were"):
        run(built.runner, other, tmp_path / "b", *torch.ones(2, 3, dtype=torch.int64))
