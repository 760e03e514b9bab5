"""C++ from rows: what is checked in is what the rows give, and each fault of a row is told with its line."""

import subprocess
import sys

import pytest

from tenon.build.generate import bind, generate
from tenon.build.generate.__main__ import KERNELS, OWN
from tenon.errors import Invalid
from tenon.ops.table import KernelName, Place, Row, read_table, read_tables

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


def test_a_kernel_is_named_as_its_operator():
    for found in read_tables(OWN):
        base, _, overload = found.op.partition("::")[2].partition(".")
        assert found.kernel.function == (f"{base}_{overload}" if overload else base).lower()


def test_a_row_knows_its_file_and_line(tmp_path):
    text = "# a comment\n" + row("op: add.out") + row("op: my::mul3.out", "custom::mul3_out")
    assert table(tmp_path, text) == [
        Row("aten::add.out", None, KernelName("tenon::native", "f"), Place("functions.yaml", 4)),
        Row("my::mul3.out", None, KernelName("custom::native", "mul3_out"), Place("functions.yaml", 8)),
    ]


def test_a_kernel_without_a_namespace_is_in_at_native(tmp_path):
    (found,) = table(tmp_path, row("op: add.out", "plain"))
    assert str(found.kernel) == "at::native::plain"


def test_an_empty_file_has_no_rows(tmp_path):
    assert table(tmp_path, "") == table(tmp_path, "# nothing\n") == table(tmp_path, "[]") == []


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
        (
            "mean.out",
            "Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, std::optional<ScalarType>, Tensor&)",
        ),
    ],
)
def test_signatures_follow_the_schema(tmp_path, op, type):
    (bound,) = bind(table(tmp_path, row(f"op: {op}")))
    assert bound.signature.type == type


# --- what is wrong is told --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("op: add.out", "functions.yaml:1: a list of operators is expected."),
        ("- add.out", "functions.yaml:1: a row is a mapping of func, kernels, op."),
        (row("name: add.out"), "functions.yaml:1: a row has no field `name`."),
        (row("name: add.out"), "functions.yaml:1: a row has either `op` or `func`."),
        ("- op: add.out\n", "functions.yaml:1: `kernels` is a list of kernels, each with `arg_meta` and"),
        ("- op: add.out\n  kernels: []\n", "functions.yaml:2: `kernels` is a list of kernels"),
        ("- op: 3\n  kernels: [{kernel_name: f}]\n", "functions.yaml:1: `op` is a text."),
        ("- op: a.out\n  kernels: [{arg_meta: null}]\n", "functions.yaml:2: `kernel_name` is missing."),
        ("- op: a\n  kernels:\n    - kernal_name: f\n", "3: a kernel has no field `kernal_name`. Did you mean kernel"),
        (row("op: a.out", "a::b::c::d::f"), "functions.yaml:3: `a::b::c::d::f` is not the name of a C++ function in"),
        ("- op: a.out\n  op: b.out\n", "functions.yaml:2: `op` is there twice."),
        ("- op: [", "functions.yaml is not YAML: "),
    ],
)  # fmt: skip
def test_a_fault_of_form_is_told_with_its_line(tmp_path, text, words):
    with pytest.raises(Invalid) as told:
        table(tmp_path, text)
    assert words in str(told.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (row("op: ad.out"), "functions.yaml:3: torch has no operator aten::ad.out. Did you mean aten::add.out"),
        (row("op: add.Tensor"), "functions.yaml:3: aten::add.Tensor gives a new tensor, and a kernel writes to one"),
        (row("op: add.out") * 2, "functions.yaml:7: aten::add.out has a kernel already, at functions.yaml:3. Keep"),
        (row("func: my::f.out(Tensor a -> b"), "functions.yaml:3: `my::f.out(Tensor a -> b` is not a schema"),
        (row("func: my::f.out(Device d, *, Tensor(a!) out) -> Tensor(a!)"), "has an argument of type Device"),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_bound_is_told_with_its_line(tmp_path, text, words):
    with pytest.raises(Invalid) as told:
        bind(table(tmp_path, text))
    assert words in str(told.value)


def test_all_faults_are_told_at_once(tmp_path):
    with pytest.raises(Invalid, match="2 rows cannot be bound.") as told:
        bind(table(tmp_path, row("op: ad.out") + row("op: mull.out")))
    assert len(str(told.value).splitlines()) == 3


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
