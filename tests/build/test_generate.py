"""C++ from rows: what is checked in is what the rows give, and what is generated compiles, links and registers."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tenon.build import installed
from tenon.build.generate import bind, generate, generate_aot
from tenon.build.generate.__main__ import KERNELS, OWN
from tenon.ops.table import read_table, read_tables

INCLUDE = KERNELS.parent / "include"


def table(tmp_path, text, name="functions.yaml"):
    path = tmp_path / name
    path.write_text(text)
    return read_table(path)


def row(op, kernel="tenon::f"):
    return f"- {op}\n  kernels:\n    - arg_meta: null\n      kernel_name: {kernel}\n"


def test_the_cpp_of_our_library_is_what_its_rows_give():
    made = generate(bind(read_tables(OWN)), "tenon")
    kept = {path.name: path.read_text() for path in (KERNELS / "generated").iterdir()}
    assert kept == made, "python -m tenon.build.generate makes it anew"


def test_rows_are_registered_in_the_order_in_which_they_are_looked_up():
    ops = [bound.row.op for bound in bind(read_tables(OWN))]
    assert ops == sorted(ops, key=str.encode)


# ATen's kernel has the name, and a build by dtype narrows a kernel by its name alone.
# The plain name is that of ATen's kernel.
NAMED_OTHERWISE = {
    "quantized_decomposed::add.out": "quantized_add_out",
    "tenon::linear.out": "linear_packed_out",
    "tenon::convolution.out": "convolution_packed_out",
}


def test_a_kernel_is_named_as_its_operator():
    for found in read_tables(OWN):
        base, _, overload = found.op.partition("::")[2].partition(".")
        named = (f"{base}_{overload}" if overload else base).lower()
        assert found.kernel.function == NAMED_OTHERWISE.get(found.op, named)


def test_a_schema_of_our_own_makes_a_signature(tmp_path):
    arguments = "Tensor? a, int[] b, float c, Scalar? d, str e, bool[2] f, Tensor?[] g, *, Tensor(a!) out"
    (bound,) = bind(table(tmp_path, row(f"func: my::op.out({arguments}) -> Tensor(a!)")))
    assert bound.signature.prototype("f") == (
        "Tensor& f(Context& context, const std::optional<Tensor>& a, ArrayRef<int64_t> b, double c, "
        "const std::optional<Scalar>& d, std::string_view e, ArrayRef<bool> f, ArrayRef<std::optional<Tensor>> g, "
        "Tensor& out);"
    )


@pytest.mark.parametrize(
    ("op", "type"),
    [
        ("topk.values", "std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, int64_t, bool, bool, Tensor&, Tensor&)"),
        ("split_with_sizes_copy.out", "void(const Tensor&, ArrayRef<int64_t>, int64_t, TensorList)"),
        ("copy_", "Tensor&(Tensor&, const Tensor&, bool)"),
        ("bernoulli.out", "Tensor&(const Tensor&, std::optional<Generator>, Tensor&)"),
        (
            "_native_batch_norm_legit.out",  # whose statistics are written too, and not returned
            "std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const std::optional<Tensor>&, "
            "const std::optional<Tensor>&, Tensor&, Tensor&, bool, double, double, Tensor&, Tensor&, Tensor&)",
        ),
        (
            "mean.out",
            "Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, std::optional<ScalarType>, Tensor&)",
        ),
    ],
)
def test_signatures_follow_the_schema(tmp_path, op, type):
    (bound,) = bind(table(tmp_path, row(f"op: {op}")))
    assert bound.signature.type == type


def test_what_is_returned_are_the_outs_and_no_state_that_is_written(tmp_path):
    (bound,) = bind(table(tmp_path, row("op: _native_batch_norm_legit.out")))
    assert bound.signature.written == ("out", "save_mean", "save_invstd")


# --- the C++ ------------------------------------------------------------------------------------------------------


def compiled(folder):
    command = ["g++", "-std=c++17", "-fsyntax-only", f"-I{INCLUDE}", str(folder / "register_kernels.cpp")]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_kernel_that_differs_from_its_schema_does_not_compile(tmp_path):
    schema = "my_ops::mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)"
    made = generate(bind(table(tmp_path, row(f"func: {schema}", "custom::mul3_out"), "custom_ops.yaml")), "mine")
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    done = compiled(tmp_path)
    assert done.returncode == 0, done.stderr
    header = made["kernels.h"].replace("const Tensor& input", "int64_t input")
    assert header != made["kernels.h"]
    (tmp_path / "kernels.h").write_text(header)
    done = compiled(tmp_path)
    words = (
        "custom_ops.yaml:3: my_ops::mul3.out is bound to custom::native::mul3_out, whose type differs from its schema"
    )
    assert words in done.stderr


def test_the_command_writes_both_files_or_tells_why_not(tmp_path):
    (tmp_path / "functions.yaml").write_text(row("op: ad.out"))
    command = [sys.executable, "-m", "tenon.build.generate", "--out", str(tmp_path / "out"), "--yaml"]
    done = subprocess.run([*command, str(tmp_path / "functions.yaml")], capture_output=True, text=True)
    assert done.returncode == 1
    assert "Did you mean aten::add.out" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
    done = subprocess.run([*command, *map(str, OWN)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["kernels.h", "register_kernels.cpp"]


# --- with the names of ExecuTorch -----------------------------------------------------------------------------------

ROWS = """
- func: my_ops::mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)
  kernels:
    - arg_meta: null
      kernel_name: custom::mul3_out
- func: my_ops::pair.out(Tensor x, int context, *, Tensor(a!) class, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))
  kernels:
    - kernel_name: custom::pair_out
- func: my_ops::pair.again(Tensor x, int n, *, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))
  kernels:
    - kernel_name: custom::pair_out
- func: my_ops::floats.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
  type_alias:
    T0: [Float]
  dim_order_alias:
    D0: [0]
  kernels:
    - arg_meta: {x: [T0, D0], out: [T0, D0]}
      kernel_name: custom::floats_out
- op: add.Scalar_out
  dispatch:
    CPU: add_scalar_out
- op: copy_
  dispatch:
    CPU: custom::copy_
"""
PROGRAM = """
#include "Functions.h"
#include <cstdio>
#include <executorch/runtime/kernel/operator_registry.h>
#if MANUAL
#include "RegisterKernels.h"
#endif
using namespace torch::executor;
namespace custom::native {
Tensor& mul3_out(const Tensor& input, Tensor& output) {
  output.mutable_data_ptr<float>()[0] = 3 * input.const_data_ptr<float>()[0];
  return output;
}
std::tuple<Tensor&, Tensor&> pair_out(KernelRuntimeContext&, const Tensor&, int64_t, Tensor& a, Tensor& b) {
  return {a, b};
}
Tensor& floats_out(KernelRuntimeContext&, const Tensor&, Tensor& out) { return out; }
Tensor& copy_(KernelRuntimeContext& context, Tensor& self, const Tensor&, bool) {
#if THROWS
  throw std::runtime_error("as it likes");
#endif
  context.fail(Error::InvalidArgument, "called");
  return self;
}
}  // namespace custom::native
namespace at::native {
Tensor& add_scalar_out(KernelRuntimeContext&, const Tensor&, const Scalar&, const Scalar&, Tensor& out) { return out; }
}  // namespace at::native
int main() {
  std::printf("%d", registry_has_op_function("my_ops::mul3.out"));
#if MANUAL
  std::printf(" %d %d", static_cast<int>(register_all_kernels()), static_cast<int>(register_all_kernels()));
  std::printf(" %d", registry_has_op_function("my_ops::mul3.out"));
#endif
  float from[1] = {2}, to[1] = {0};
  SizesType sizes[1] = {1};
  TensorImpl a(ScalarType::Float, 1, sizes, from), b(ScalarType::Float, 1, sizes, to);
  Tensor x(&a), y(&b);
  KernelRuntimeContext context;
  my_ops::mul3_outf(context, x, y);
  std::printf(" %g", to[0]);
  my_ops::pair_outf(context, x, 1, x, y);
  aten::add_outf(context, x, 1, 1, y);
  my_ops::floats_outf(context, x, y);
  std::printf(" %s", tenon::to_string(context.failure_state()));
  context.clear();
  const Result<OpFunction> copy = get_op_function_from_registry("aten::copy_");
  EValue self(x), other(y), flag(false);
  EValue* stack[] = {&self, &other, &flag, &self};
  copy.get()(context, {stack, 4});
  std::printf(" %s %s", tenon::to_string(context.failure_state()), context.message());
}
"""


def linked(folder, registration, **options):
    """The program above with what is generated for it, and what it prints."""
    bound = bind(table(folder, ROWS))
    made = generate(bound, "my-ops", registration=registration, plain={"custom::native::mul3_out"}, **options)
    for name, text in {**made, "main.cpp": PROGRAM}.items():
        (folder / name).write_text(text)
    flags = [
        "-std=c++17",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fno-rtti",
        f"-DMANUAL={int(registration == 'manual')}",
    ]
    flags += ["-DTHROWS"] if options.get("exceptions") else ["-fno-exceptions"]
    sources = [folder / "main.cpp", *(folder / name for name in made if name.endswith(".cpp"))]
    core = installed.library("size", "runtime")
    run(["g++", *flags, f"-I{INCLUDE}", *sources, core, "-o", folder / "main"])
    return run([folder / "main"])


def run(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_kernels_are_registered_before_main_and_called_by_the_names_of_their_operators(tmp_path):
    assert linked(tmp_path, "static") == "1 6 NotSupported InvalidArgument called"


def test_kernels_are_registered_by_a_call(tmp_path):
    assert linked(tmp_path, "manual") == "0 0 0 1 6 NotSupported InvalidArgument called"


def test_what_a_kernel_throws_fails_its_call_if_that_is_asked_for(tmp_path):
    assert linked(tmp_path, "static", exceptions=True) == "1 6 NotSupported Internal as it likes"


def test_a_library_that_python_loads_gives_its_table(tmp_path):
    bound = bind(table(tmp_path, row("op: add.out", "custom::f")))
    for name, text in generate(bound, "mine", registration="static").items():
        (tmp_path / name).write_text(text)
    source = tmp_path / "RegisterCodegenUnboxedKernelsEverything.cpp"
    for define, expected in (("-DTENON_LOADABLE", True), ("-DOTHER", False)):
        run(["g++", "-std=c++17", "-fvisibility=hidden", define, f"-I{INCLUDE}", "-c", source, "-o", tmp_path / "o.o"])
        names = {line.split()[-1] for line in run(["nm", tmp_path / "o.o"]).splitlines()}
        assert "tenon_register_mine" in names and ("tenon_kernel_table" in names) == expected


def test_no_rows_make_a_table_without_any(tmp_path):
    for registration in ("static", "manual"):
        for name, text in generate([], "none", registration=registration).items():
            (tmp_path / name).write_text(text)
            if name.endswith(".cpp"):
                run(
                    [
                        "g++",
                        "-std=c++17",
                        "-fsyntax-only",
                        "-Wall",
                        "-Wextra",
                        "-Werror",
                        f"-I{INCLUDE}",
                        tmp_path / name,
                    ]
                )


def test_our_own_rows_have_functions_too(tmp_path):
    for name, text in generate(bind(read_tables(OWN)), "ours", registration="static").items():
        (tmp_path / name).write_text(text)
    (tmp_path / "all.cpp").write_text('#include "Functions.h"\n')
    run(["g++", "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}", tmp_path / "all.cpp"])


# --- for torch ------------------------------------------------------------------------------------------------------

CUSTOM = """
- func: tenon_gen_test::mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)
  kernels:
    - kernel_name: custom::mul3_out
- func: tenon_gen_test::all.out(Tensor?[] a, bool[2] b, bool[] c, int[]? d, Scalar e, str f, float[]? g, SymInt h,
    ScalarType? i, *, Tensor(a!) out) -> Tensor(a!)
  kernels:
    - kernel_name: custom::all_out
- op: add.out
  kernels:
    - kernel_name: custom::add_out
"""
ATEN_KERNELS = """
#include <executorch/runtime/kernel/kernel_includes.h>
#include "NativeFunctions.h"
namespace custom::native {
using namespace executorch::aten;
Tensor& mul3_out(executorch::runtime::KernelRuntimeContext& context, const Tensor& input, Tensor& output) {
  if (input.dim() != 1) return context.fail(executorch::runtime::Error::InvalidArgument, "one dimension"), output;
  return output.copy_(input.mul(3));
}
Tensor& all_out(ArrayRef<optional<Tensor>> a, ArrayRef<bool> b, ArrayRef<bool> c, OptionalArrayRef<int64_t> d,
                const Scalar& e, string_view f, optional<ArrayRef<double>> g, int64_t h, optional<ScalarType> i,
                Tensor& out) {
  const double sum = a[1]->item<double>() + b[1] + c[2] + (*d)[0] + e.toDouble() + f.size() + (*g)[0] + h + int(*i);
  return out.fill_(sum);
}
}  // namespace custom::native
"""


def test_a_custom_operator_of_a_cpp_kernel_is_called_by_torch(tmp_path):
    bound = bind(table(tmp_path, CUSTOM, "custom_ops.yaml"))
    made = generate(bound, "mine", registration="static", aten=True)
    made |= generate_aot(bound, with_context={"custom::native::mul3_out"})
    for name, text in {**made, "kernels.cpp": ATEN_KERNELS}.items():
        (tmp_path / name).write_text(text)
    assert "add" not in made["RegisterSchema.cpp"]
    names = ["kernels.cpp", "RegisterSchema.cpp", "RegisterCPUCustomOps.cpp"]
    (tmp_path / "all.cpp").write_text("".join(f'#include "{name}"\n' for name in names))
    torch_folder = Path(torch.__file__).parent
    flags = ["-std=c++20", "-O0", "-fPIC", "-shared", "-DUSE_ATEN_LIB", "-isystem", torch_folder / "include"]
    libraries = ["-L", torch_folder / "lib", "-ltorch_cpu", "-lc10", installed.library("size", "runtime")]
    run(["g++", *flags, f"-I{INCLUDE}", tmp_path / "all.cpp", *libraries, "-o", tmp_path / "lib.so"])
    torch.ops.load_library(tmp_path / "lib.so")
    ops = torch.ops.tenon_gen_test
    out = torch.empty(2)
    assert ops.mul3.out(torch.tensor([1.0, 2.0]), output=out) is out
    assert out.tolist() == [3.0, 6.0]
    with pytest.raises(RuntimeError, match="tenon_gen_test::mul3.out: one dimension"):
        ops.mul3.out(torch.ones(2, 2), output=out)
    one = torch.ones(())
    flags = [False, False, True]
    summed = ops.all.out([None, one], [False, True], flags, [1], 1, "s", [1.0], 1, torch.int8, out=torch.empty(()))
    assert summed.item() == 9


def test_stubs_call_nothing(tmp_path):
    made = generate_aot(bind(table(tmp_path, CUSTOM, "custom_ops.yaml")), stubs=True)
    assert "custom::native" not in made["RegisterCPUStub.cpp"]
    assert sorted(made) == ["CustomOpsNativeFunctions.h", "RegisterCPUStub.cpp", "RegisterSchema.cpp"]
