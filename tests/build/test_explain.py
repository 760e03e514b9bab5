"""A kernel that no library defines: the row that asks for it, its declaration, and what is near."""

from pathlib import Path

import pytest

from tenon.build.drive.explain import explained
from tenon.build.drive.symbols import Function, parsed, readable
from tenon.build.generate import bind
from tenon.ops.table import read_table

CONTEXT, TENSOR, OUT = "tenon::KernelRuntimeContext&", "tenon::Tensor const&", "tenon::Tensor&"
MISSING = f"custom::native::mul3_out_impl({CONTEXT}, {TENSOR}, {OUT})"
HEAD = """\
1 kernel is bound to operators and defined nowhere.
  custom_ops.yaml:3: my_ops::mul3.out is bound to custom::native::mul3_out_impl, which is declared as
      Tensor& custom::native::mul3_out_impl(Context& context, const Tensor& input, Tensor& output);
    where the context may be left out.
    """


@pytest.fixture
def bound(tmp_path):
    (tmp_path / "custom_ops.yaml").write_text(
        "- func: my_ops::mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)\n"
        "  kernels:\n"
        "    - arg_meta: null\n"
        "      kernel_name: custom::mul3_out_impl\n"
    )
    return bind(read_table(tmp_path / "custom_ops.yaml"))


@pytest.mark.parametrize(
    ("defined", "words"),
    [
        pytest.param(
            [f"custom::mul3_out_impl({TENSOR}, {OUT})"],
            "my.cpp defines custom::mul3_out_impl(const Tensor&, Tensor&) without `native`. "
            "Put it in namespace custom::native: every kernel's namespace ends in `native`.",
            id="without native",
        ),
        pytest.param(
            [f"custom::native::mul3_out_imp({TENSOR}, {OUT})", "other::native::far_away()"],
            "my.cpp defines custom::native::mul3_out_imp(const Tensor&, Tensor&). Is that it?",
            id="a typo",
        ),
        pytest.param(
            [f"custom::native::mul3_out_impl({TENSOR}, int)"],
            "my.cpp defines it with other arguments: argument 2 is `int`, and the schema says `Tensor&`.",
            id="another argument",
        ),
        pytest.param(
            [f"custom::native::mul3_out_impl({CONTEXT}, {TENSOR}, {OUT}, tenon::ArrayRef<long>)"],
            "my.cpp defines it with other arguments: it has 3 arguments, and the schema has 2.",
            id="one argument more",
        ),
        pytest.param(
            [f"mine::native::mul3_out_impl({TENSOR}, {OUT})"],
            "my.cpp defines mine::native::mul3_out_impl(const Tensor&, Tensor&), "
            "which is another namespace than the row's.",
            id="another namespace",
        ),
        pytest.param(
            [f"custom::native::(anonymous namespace)::mul3_out_impl({TENSOR}, {OUT})"],
            "my.cpp defines it where no other file can call it: "
            "custom::native::mul3_out_impl(const Tensor&, Tensor&) is static, or in a namespace without a name.",
            id="a function of its file alone",
        ),
        pytest.param(
            ["other::native::far_away()"],
            "Nothing of that name is in my.cpp. Give the source or library that defines it (--lib).",
            id="nothing near",
        ),
    ],
)
def test_a_missing_kernel_is_explained_by_what_the_libraries_define(defined, words, bound):
    functions = [parsed(text) for text in defined]
    assert explained([MISSING], bound, {Path("my.cpp"): functions}) == HEAD + words


def test_a_row_that_means_a_kernel_of_tenon_is_told_its_name(bound):
    own = [parsed(f"tenon::native::mul3_out_impl({TENSOR}, {OUT})")]
    words = (
        "Nothing of that name is in my.cpp. Give the source or library that defines it (--lib).\n"
        "    Tenon's own kernel is meant by `kernel_name: tenon::mul3_out_impl`."
    )
    assert explained([MISSING], bound, {Path("my.cpp"): []}, own) == HEAD + words


def test_without_any_library_the_remedy_is_to_give_one(bound):
    words = "No library of kernels was given. Give the source or library that defines it (--lib)."
    assert explained([MISSING], bound, {}) == HEAD + words


def test_who_asks_says_what_to_do(bound):
    words = "No library of kernels was given. Add it to deps."
    assert explained([MISSING], bound, {}, remedy="Add it to deps.") == HEAD + words


def test_other_functions_that_are_missing_are_named_beside_a_kernel_and_left_alone_without_one(bound):
    assert explained([MISSING, "helper(int)"], bound, {}).endswith("Beside them, 1 other function: helper(int)")
    assert explained(["helper(int)"], bound, {}) is None


def test_functions_are_read_from_their_demangled_names():
    assert parsed("a::f(int, b<c, d>)") == Function("a::f", ("int", "b<c, d>"))
    assert parsed("f()") == Function("f", ())
    assert parsed("c_function") == Function("c_function", None)
    assert parsed("void a::b<&c::d>(int)") is None
    assert readable("std::optional<tenon::ArrayRef<long> > const&") == "const std::optional<ArrayRef<int64_t>>&"
