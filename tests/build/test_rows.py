"""Rows of YAML: every form of them, the keys they stand for, and each fault told with its line."""

import re

import pytest

from native.driver import NATIVE
from tenon.build.generate import bind
from tenon.errors import Invalid
from tenon.ops.table import SCALAR_TYPES, KernelName, Place, Row, merged, read_table


def table(tmp_path, text, name="functions.yaml"):
    path = tmp_path / name
    path.write_text(text)
    return read_table(path)


def row(op, kernel="tenon::f"):
    return f"- {op}\n  kernels:\n    - arg_meta: null\n      kernel_name: {kernel}\n"


def legacy(op, kernel="custom::f", backend="CPU"):
    return f"- op: {op}\n  dispatch:\n    {backend}: {kernel}\n"


# --- forms --------------------------------------------------------------------------------------------------------


def test_a_row_knows_its_file_and_line(tmp_path):
    text = "# a comment\n" + row("op: add.out") + row("op: my::mul3.out", "custom::mul3_out")
    assert table(tmp_path, text) == [
        Row("aten::add.out", None, KernelName("tenon::native", "f"), Place("functions.yaml", 4)),
        Row("my::mul3.out", None, KernelName("custom::native", "mul3_out"), Place("functions.yaml", 8)),
    ]


@pytest.mark.parametrize("backend", ["CPU", "CompositeExplicitAutograd"])
def test_the_older_form_names_a_kernel_behind_any_backend(tmp_path, backend):
    assert table(tmp_path, legacy("add.out", "custom::add_out", backend)) == [
        Row("aten::add.out", None, KernelName("custom::native", "add_out"), Place("functions.yaml", 3))
    ]


def test_a_file_may_have_rows_of_both_forms(tmp_path):
    found = table(tmp_path, legacy("add.out") + row("op: mul.out"))
    assert [each.op for each in found] == ["aten::add.out", "aten::mul.out"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("plain", "at::native::plain"),
        ("custom::f", "custom::native::f"),
        ("torch::executor::add_out", "torch::executor::native::add_out"),
        ("a::b::c::f", "a::b::c::native::f"),
    ],
)
def test_native_is_appended_to_the_namespace(tmp_path, written, meant):
    (found,) = table(tmp_path, row("op: add.out", written))
    assert str(found.kernel) == meant


@pytest.mark.parametrize("text", ["", "# nothing\n", "[]", "null\n"])
def test_an_empty_file_has_no_rows(tmp_path, text):
    assert table(tmp_path, text) == []


def test_only_an_optional_file_may_be_missing(tmp_path):
    assert read_table(tmp_path / "none.yaml", optional=True) == []
    with pytest.raises(Invalid, match="none.yaml: cannot be read"):
        read_table(tmp_path / "none.yaml")


def test_fields_that_say_nothing_of_kernels_are_read_over(tmp_path):
    text = row("op: add.out") + "  variants: function\n  tags: core\n  device_check: NoCheck\n"
    assert len(table(tmp_path, text)) == 1


def test_rows_are_told_apart_by_the_namespace_of_their_operators(tmp_path):
    schema = "foo.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)"
    found = bind(table(tmp_path, row(f"func: a::{schema}", "one::f") + row(f"func: b::{schema}", "two::f")))
    assert [(each.row.op, str(each.row.kernel)) for each in found] == [
        ("a::foo.out", "one::native::f"),
        ("b::foo.out", "two::native::f"),
    ]


def test_rows_that_come_first_win_over_a_fallback(tmp_path):
    own = table(tmp_path, row("op: add.out", "mine::f"))
    others = table(tmp_path, row("op: mul.out", "tenon::g") + row("op: add.out", "tenon::f"))
    assert [str(each.kernel) for each in merged(own, others)] == ["mine::native::f", "tenon::native::g"]


def test_a_schema_that_returns_nothing_has_a_kernel_that_returns_nothing(tmp_path):
    (one,) = bind(table(tmp_path, row("func: my::f.out(Tensor x, *, Tensor(a!) out) -> ()")))
    assert one.signature.type == "void(const Tensor&, Tensor&)"
    (two,) = bind(table(tmp_path, row("func: my::f.out(Tensor x, *, Tensor(a!) p, Tensor(b!) q) -> ()")))
    assert two.signature.type == "void(const Tensor&, Tensor&, Tensor&)"


# --- kernels for some dtypes and dim orders -------------------------------------------------------------------------


def special(metas, op="op: add.out", types="T0: [Float]", orders="D0: [0, 1]", kernel="custom::f"):
    listed = "".join(f"        {name}: {alias}\n" for name, alias in metas.items())
    return (
        f"- {op}\n  type_alias:\n    {types}\n  dim_order_alias:\n    {orders}\n"
        f"  kernels:\n    - arg_meta:\n{listed}      kernel_name: {kernel}\n"
    )


SAME = {"self": "[T0, D0]", "other": "[T0, D0]", "out": "[T0, D0]"}


def keys(tmp_path, text):
    return [key for each in bind(table(tmp_path, text)) for key in each.keys]


def test_a_key_has_the_tensors_in_the_order_of_the_schema_and_the_out_again(tmp_path):
    metas = {"out": "[T2, D0]", "other": "[T1, D0]", "self": "[T0, D0]"}
    types = "T0: [Float]\n    T1: [Double]\n    T2: [Int]"
    assert keys(tmp_path, special(metas, types=types)) == ["v1/6;0,1|7;0,1|3;0,1|3;0,1"]


def test_one_alias_is_one_dtype_throughout_a_key_and_others_go_their_own_way(tmp_path):
    both = keys(tmp_path, special(SAME, types="T0: [Float, Double]"))
    assert both == ["v1/6;0,1|6;0,1|6;0,1|6;0,1", "v1/7;0,1|7;0,1|7;0,1|7;0,1"]
    metas = {**SAME, "other": "[T1, D0]"}
    four = keys(tmp_path, special(metas, types="T0: [Float, Double]\n    T1: [Double, Int]"))
    assert four == [
        "v1/6;0,1|7;0,1|6;0,1|6;0,1",
        "v1/6;0,1|3;0,1|6;0,1|6;0,1",
        "v1/7;0,1|7;0,1|7;0,1|7;0,1",
        "v1/7;0,1|3;0,1|7;0,1|7;0,1",
    ]


def test_dim_orders_are_one_or_a_list_of_them(tmp_path):
    flat = keys(tmp_path, special(SAME, orders="D0: [0, 1, 2, 3]"))
    assert flat == keys(tmp_path, special(SAME, orders="D0: [[0, 1, 2, 3]]")) == ["v1/" + "|".join(["6;0,1,2,3"] * 4)]
    two = keys(tmp_path, special(SAME, orders="D0: [[0, 1, 2, 3], [0, 2, 3, 1]]"))
    assert two == [*flat, "v1/" + "|".join(["6;0,2,3,1"] * 4)]
    assert keys(tmp_path, special(SAME, orders="D0: [[]]")) == ["v1/6;|6;|6;|6;"]


def test_every_dtype_can_be_named(tmp_path):
    listed = re.findall(r"X\((\d+), (\w+),", (NATIVE / "include" / "tenon" / "dtype.h").read_text())
    assert [(str(code), name) for code, name in enumerate(SCALAR_TYPES)] == listed
    found = keys(tmp_path, special(SAME, types=f"T0: [{', '.join(SCALAR_TYPES)}]"))
    assert [key.partition(";")[0] for key in found] == [f"v1/{code}" for code in range(30)]


def test_several_outs_are_returned_as_a_list_which_no_key_mentions(tmp_path):
    metas = {"self": "[T0, D0]", "values": "[T0, D0]", "indices": "[T1, D0]"}
    types = "T0: [Float]\n    T1: [Long]"
    assert keys(tmp_path, special(metas, "op: topk.values", types)) == ["v1/6;0,1|6;0,1|4;0,1"]


def test_a_list_of_tensors_is_in_no_key(tmp_path):
    assert keys(tmp_path, special({"out": "[T0, D0]"}, "op: cat.out")) == ["v1/6;0,1|6;0,1"]


def test_an_optional_tensor_is_in_a_key_if_it_is_named(tmp_path):
    func = "func: my::f.out(Tensor x, Tensor? bias, *, Tensor(a!) out) -> Tensor(a!)"
    without = keys(tmp_path, special({"x": "[T0, D0]", "out": "[T0, D0]"}, func))
    given = keys(tmp_path, special({"x": "[T0, D0]", "bias": "[T0, D0]", "out": "[T0, D0]"}, func))
    assert (len(without[0].split("|")), len(given[0].split("|"))) == (3, 4)


def test_a_name_for_what_is_returned_is_taken_with_a_warning(tmp_path):
    with pytest.warns(
        UserWarning, match="functions.yaml:7: `ret` is no argument of aten::add.out. It is taken for what is returned"
    ):
        found = keys(tmp_path, special({**SAME, "ret": "[T0, D0]"}))
    assert found == keys(tmp_path, special(SAME))


def test_a_fallback_and_specialised_kernels_are_kernels_of_one_operator(tmp_path):
    text = special(SAME, types="T0: [Float, Double]") + "    - arg_meta: null\n      kernel_name: custom::any\n"
    found = bind(table(tmp_path, text))
    assert [(each.row.kernel.function, len(each.keys)) for each in found] == [("any", 0), ("f", 2)]


# --- what is wrong is told ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("op: add.out", "functions.yaml:1: a list of operators is expected."),
        ("- add.out", "functions.yaml:1: a row is a mapping of dim_order_alias, dispatch, func, kernels,"),
        (row("name: add.out"), "functions.yaml:1: a row has no field `name`."),
        (row("name: add.out"), "functions.yaml:1: a row has either `op` or `func`."),
        ("- op: add.out\n", "functions.yaml:1: `kernels` is a list of kernels, each with `arg_meta` and"),
        ("- op: add.out\n  kernels: []\n", "functions.yaml:2: `kernels` is a list of kernels"),
        ("- op: 3\n  kernels: [{kernel_name: f}]\n", "functions.yaml:1: `op` is a text."),
        ("- op: a.out\n  kernels: [{arg_meta: null}]\n", "functions.yaml:2: `kernel_name` is missing."),
        ("- op: a\n  kernels:\n    - kernal_name: f\n", "3: a kernel has no field `kernal_name`. Did you mean kernel"),
        (row("op: a.out", "a::b::c::d::f"), "functions.yaml:4: `a::b::c::d::f` is in 4 namespaces, and at most three"),
        (row("op: a.out", "a-b::f"), "functions.yaml:4: `a-b::f` is not the name of a C++ function."),
        (row("op: a::b::c.out"), "functions.yaml:1: `a::b::c.out` has more than one namespace."),
        ("- op: a.out\n  op: b.out\n", "functions.yaml:2: `op` is there twice."),
        ("- op: [", "functions.yaml:1: this is not YAML: expected the node content, but found '<stream end>'."),
        ("- op: a.out\n   kernels:\n", "functions.yaml:2: this is not YAML: mapping values are not allowed here."),
        ("- op: \x07", "functions.yaml is not YAML: "),
        (row("op: a.out") + "  dispatch:\n    CPU: f\n", "functions.yaml:6: a row has either `kernels` or `dispatch`"),
        ("- op: a.out\n  dispatch:\n    CPU: f\n    CUDA: g\n", "functions.yaml:3: `dispatch` names one kernel"),
        ("- op: a.out\n  dispatch: f\n", "functions.yaml:2: `dispatch` names one kernel"),
        (special(SAME, types="S0: [Float]"), "functions.yaml:8: `T0` is used, but `type_alias` does not define it."),
        (special(SAME, orders="E: [0]"), "8: `D0` is used, but `dim_order_alias` does not define it. There are: E."),
        (special(SAME, types="T0: [Floot]"), "functions.yaml:3: `Floot` is not a dtype. Did you mean Float"),
        (special(SAME, types="T0: []"), "functions.yaml:3: an alias of no dtype is never met."),
        (special(SAME, orders="D0: [0, 2]"), "yaml:5: [0, 2] is not a dim order: it names each of at most 16"),
        (special(SAME, orders="D0: [[0], 1]"), "functions.yaml:5: [1] is not a dim order"),
        (special(SAME, orders="D0: 0"), "functions.yaml:5: a dim order is a list such as [0, 1, 2, 3], or"),
        (special({"self": "T0"}), "functions.yaml:8: `self` is [type alias, dim order alias], as in `[T0, D0]`."),
        ("- op: a.out\n  kernels: [{arg_meta: 3, kernel_name: f}]\n", "2: `arg_meta` is null, or maps each tensor"),
    ],
)  # fmt: skip
def test_a_fault_of_form_is_told_with_its_line(tmp_path, text, words):
    with pytest.raises(Invalid) as told:
        table(tmp_path, text)
    assert words in str(told.value)


def func(schema):
    return row(f"func: my::{schema}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (row("op: ad.out"), "functions.yaml:1: torch has no operator aten::ad.out. Did you mean aten::add.out"),
        (row("op: mine::f.out"), "1: torch has no operator mine::f.out. Give its schema with `func`, or load"),
        (row("op: add.Tensor"), "1: aten::add.Tensor gives a new tensor, and a kernel writes to one that it is given. "
                                "Bind aten::add.out."),
        (row("op: add_.Tensor"), "1: aten::add_.Tensor writes its input `self`, and a kernel writes only to what it is "
                                 "given as out. Bind aten::add.out."),
        (row("op: add_.Scalar"), "Bind aten::add.Scalar_out."),
        (row("op: view"), "functions.yaml:1: aten::view gives a view of its input, and a kernel writes to memory of "
                          "its own. Bind aten::view_copy.out."),
        (row("op: transpose.int"), "Bind aten::transpose_copy.int_out."),
        (row("op: reshape"), "torch has no out variant of it: give the schema of one with `func`."),
        (row("op: add.out") * 2, "functions.yaml:7: aten::add.out has a kernel already, at functions.yaml:3. Keep"),
        (special(SAME) * 2, "functions.yaml:18: aten::add.out has a kernel for v1/6;0,1|6;0,1|6;0,1|6;0,1 already, at "
                            "functions.yaml:7. Keep one of them."),
        (func("f.out(Tensor a -> b"), "functions.yaml:1: `my::f.out(Tensor a -> b` is not a schema of a kernel"),
        (func("f.out(Device d, *, Tensor(a!) out) -> Tensor(a!)"), "has an argument of type Device"),
        (func("f.out(Scalar[] s, *, Tensor(a!) out) -> Tensor(a!)"), "has an argument of type Scalar[]"),
        (func("f.out(Tensor x, Tensor(a!) out) -> Tensor(a!)"), "writes its argument `out`, which must be at the end"),
        (func("f.out(Tensor x, *, Tensor(a!) out, int n) -> Tensor(a!)"), "writes its argument `out`, which must"),
        (func("f(Tensor x) -> Tensor"), "1: my::f gives a new tensor, and a kernel writes to one that it is given. "
                                        "Give the schema of an out variant, as in `my_ops::f.out("),
        (func("f.out(Tensor(a) x, *, Tensor(a!) out) -> Tensor(a!)"),
         "1: my::f.out says of its input `x` that it shares memory with another tensor, and a kernel's out is apart "
         "from all it reads. Write `Tensor x`."),
        (func("f_(Tensor(a!) x) -> Tensor(a!)"), "writes its argument `x`, which must be at the end"),
        (func("f.out(Tensor x, *, Tensor(a!) out) -> Tensor"), "a schema of a kernel: Out arguments must"),
        (special({**SAME, "outt": "[T1, D0]"}, types="T0: [Float]\n    T1: [Int]"),
         "functions.yaml:8: aten::add.out has no argument `outt`. Did you mean out?"),
        (special({"self": "[T0, D0]", "othr": "[T0, D0]", "out": "[T0, D0]"}),
         "7: aten::add.out has no argument `othr`. Did you mean other? Its tensors are self, other, out."),
        (special({"self": "[T0, D0]"}), "7: `arg_meta` says nothing of `other`, `out`, which every call of"),
        (special({**SAME, "alpha": "[T0, D0]"}), "functions.yaml:7: `alpha` of aten::add.out is no tensor but Scalar."),
        (special({"tensors": "[T0, D0]", "out": "[T0, D0]"}, "op: cat.out"), "7: `tensors` of aten::cat.out is a list"),
        (special({"self": "[A, D0]", "other": "[B, D0]", "out": "[C, D0]"}, types="\n    ".join(
            f"{name}: [{', '.join(SCALAR_TYPES)}]" for name in "ABC")), "stand for 27000 keys, and 4096 are the most"),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_bound_is_told_with_its_line(tmp_path, text, words):
    with pytest.raises(Invalid) as told:
        bind(table(tmp_path, text))
    assert words in str(told.value)


def test_a_default_of_several_numbers_is_read(tmp_path):
    (bound,) = bind(table(tmp_path, row("op: linalg_matrix_norm.out")))
    assert len(bound.signature.parameters) == 6


def test_what_programs_write_their_state_with_has_kernels_although_it_writes_its_input(tmp_path):
    ops = ("copy_", "index_put_", "resize_", "_native_batch_norm_legit.out")
    assert len(bind(table(tmp_path, "".join(row(f"op: {op}") for op in ops)))) == 4


def test_an_operator_that_is_unknown_is_told_once_and_not_of_each_of_its_kernels(tmp_path):
    text = special(SAME, "op: ad.out") + "    - arg_meta: null\n      kernel_name: custom::any\n"
    with pytest.raises(Invalid) as told:
        bind(table(tmp_path, text))
    assert str(told.value).count("functions.yaml:1: torch has no operator aten::ad.out.") == 1


def test_all_faults_are_told_at_once(tmp_path):
    with pytest.raises(Invalid, match="2 rows cannot be bound.") as told:
        bind(table(tmp_path, row("op: ad.out") + row("op: mull.out")))
    assert len(str(told.value).splitlines()) == 3
    with pytest.raises(Invalid, match="2 faults in ") as told:
        table(tmp_path, row("op: a.out", "a::b::c::d::f") * 2)
