"""Selections: what programs, lists and files ask for, the kernels that are taken, and the headers made of it."""

import subprocess
import sys
from itertools import product

import pytest
import torch
import yaml

import tenon
from tenon.build.generate import bind
from tenon.build.installed import include, own_rows
from tenon.build.select import (
    Selected,
    Selection,
    check_model,
    chosen,
    dtype_header,
    max_kernel_header,
    merge_yaml,
    of_dict,
    of_everything,
    of_list,
    of_model,
    of_program,
    of_yaml,
    prim_operators,
    prim_ops_header,
    prim_table,
    read_selection,
    selection_files,
    selection_text,
    union,
    write_selection,
)
from tenon.build.select.choose import no_kernel
from tenon.build.select.dtypes import dtypes_of
from tenon.build.select.missing import check_calls
from tenon.build.select.prim import prim_names
from tenon.errors import Invalid, Unsupported
from tenon.ir.types import DTYPE
from tenon.ops.table import SCALAR_TYPES, read_table
from tenon.pte.schema import BackendDelegate, TensorList

SPECIAL = """\
- op: add.out
  type_alias: {T0: [Float, Double]}
  dim_order_alias: {D0: [[0, 1], [1, 0]]}
  kernels:
    - arg_meta: null
      kernel_name: my::add_any
    - arg_meta: {self: [T0, D0], other: [T0, D0], out: [T0, D0]}
      kernel_name: my::add_floats
- func: my_ops::mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)
  type_alias: {T0: [Float]}
  dim_order_alias: {D0: [0, 1]}
  kernels:
    - arg_meta: {input: [T0, D0], output: [T0, D0]}
      kernel_name: my::mul3_floats
"""
ADD = "v1/6;0,1|6;0,1|6;0,1|6;0,1"


class Net(torch.nn.Module):
    def forward(self, x, i):
        values, _ = x.topk(2)
        return x + 1.5, i + i, torch.cat([x, values], 1), i == 2, x[:, i]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "net.pte"
    tenon.export(Net(), (torch.ones(3, 4), torch.tensor([1, 2])), source_lines=True).save(path)
    return path


@pytest.fixture(scope="module")
def ours():
    return bind(own_rows())


@pytest.fixture
def special(tmp_path):
    (tmp_path / "functions.yaml").write_text(SPECIAL)
    return bind(read_table(tmp_path / "functions.yaml"))


def ops(bound):
    return [each.row.op for each in bound]


def functions(bound):
    return [each.row.kernel.function for each in bound]


# --- what asks ------------------------------------------------------------------------------------------------------


def test_a_program_asks_for_what_it_calls_with_a_key_for_each_kind_of_call(model):
    assert {name: set(selected.keys) for name, selected in of_model(model).operators.items()} == {
        "aten::add.out": {"v1/6;0,1|6;|6;0,1|6;0,1", "v1/4;0|4;0|4;0|4;0"},
        "aten::cat.out": {"v1/6;0,1|6;0,1|6;0,1"},
        "aten::eq.Scalar_out": {"v1/4;0|11;0|11;0"},
        "aten::index.Tensor_out": {"v1/6;0,1|4;0|6;0,1|6;0,1"},
        "aten::topk.values": {"v1/6;0,1|6;0,1|4;0,1|6;0,1"},
    }
    assert {selected.origins for selected in of_model(model).operators.values()} == {(str(model),)}


def test_all_methods_of_a_program_are_read(tmp_path):
    class Halves(torch.nn.Module):
        def forward(self, x):
            return x * x

    program = tenon.export({"a": (Halves(), (torch.ones(2),)), "b": (Halves(), (torch.ones(2).double(),))})
    assert of_program(program, "two").operators["aten::mul.out"].keys == {
        "v1/6;0|6;0|6;0|6;0",
        "v1/7;0|7;0|7;0|7;0",
    }


def test_a_dtype_that_is_only_further_on_in_a_list_is_not_lost():
    class Joined(torch.nn.Module):
        def forward(self, x, y):
            return torch.cat([x, y])

    program = tenon.export(Joined(), (torch.ones(2), torch.ones(3)))
    values = program.plans[0].values
    (last,) = [value.val.items[-1] for value in values if isinstance(value.val, TensorList)]
    values[last].val.scalar_type = 7
    assert of_program(program, "x").operators["aten::cat.out"].keys == {"v1/6;0|6;0|6;0", "v1/7;"}


def test_a_name_without_overload_takes_all_overloads_that_there_are(ours):
    assert ops(chosen(of_list(["aten::add", "mul.out"]), ours)) == [
        "aten::add.Scalar_out",
        "aten::add.out",
        "aten::mul.out",
    ]


def test_a_dict_names_dtypes_or_keys():
    found = of_dict({"add.out": ["Half", "float32", ADD], "aten::mul": [], "my::f.out": ["UInt64"]}).operators
    assert found["aten::add.out"].keys == {"v1/5;", "v1/6;", ADD}
    assert found["aten::mul"] == Selected(frozenset({"default"}), ("a list of operators",), True)
    assert found["my::f.out"].keys == {"v1/29;"}


def test_what_is_wrong_with_a_dict_is_told_at_once():
    with pytest.raises(Invalid) as told:
        of_dict({"add.out": ["Floaty", "v1/30;0"], "aten::add(": []}, "--dict")
    assert str(told.value).splitlines()[0] == "3 faults in --dict."
    assert "`Floaty` is neither a dtype nor a key" in str(told.value)
    assert "Did you mean Float" in str(told.value)
    assert "the key `v1/30;0` has the dtype 30, and the last one is 29." in str(told.value)
    assert "`aten::add(` is not a name. Write it as namespace::operator.overload." in str(told.value)


def test_the_operators_of_a_yaml_are_selected(tmp_path):
    (tmp_path / "custom_ops.yaml").write_text(SPECIAL)
    found = of_yaml(tmp_path / "custom_ops.yaml")
    assert list(found.operators) == ["aten::add.out", "my_ops::mul3.out"]
    assert found.operators["my_ops::mul3.out"].origins == (str(tmp_path / "custom_ops.yaml"),)


def test_a_union_holds_the_keys_and_the_origins_of_all(model):
    both = union([of_model(model, "a.pte"), of_list(["aten::eq.Scalar_out"], "list"), of_model(model, "b.pte")])
    assert both.operators["aten::eq.Scalar_out"] == Selected(
        frozenset({"default", "v1/4;0|11;0|11;0"}), ("a.pte", "list", "b.pte")
    )
    assert not both.everything
    assert union([both, of_everything()]).everything


# --- files ----------------------------------------------------------------------------------------------------------


def test_a_selection_comes_back_from_its_file(model, tmp_path):
    selection = union([of_model(model), of_list(["aten::add", "my_ops::f.out"]), of_everything()])
    write_selection(tmp_path / "a.yaml", selection)
    assert read_selection(tmp_path / "a.yaml") == selection
    write_selection(tmp_path / "b.yaml", Selection())
    assert "et_kernel_metadata: {}" in (tmp_path / "b.yaml").read_text()
    assert read_selection(tmp_path / "b.yaml") == Selection()


def test_a_file_is_a_block_of_sorted_keys(model):
    text = selection_text(of_model(model, "net.pte"))
    assert text.startswith(
        "build_features: []\ncustom_classes: []\net_kernel_metadata:\n  aten::add.out:\n  - v1/4;0|4;0"
    )
    assert "  aten::cat.out:\n    debug_info:\n    - net.pte\n    include_all_overloads: false\n" in text


def test_each_model_has_a_file_and_all_together_have_two(model):
    selection = of_model(model)
    assert list(selection_files([("a/net.pte", selection)], selection)) == [
        "selective_operators.yaml",
        "selected_operators.yaml",
        "model_operators.yaml",
    ]
    several = selection_files([("a/net.pte", selection), ("b/net.pte", selection), ("b/x.pte", selection)], selection)
    assert [name for name in several if "/" in name] == [
        "net/model_operators.yaml",
        "net-2/model_operators.yaml",
        "x/model_operators.yaml",
    ]
    assert several["selective_operators.yaml"] == several["selected_operators.yaml"]


def test_torchgen_reads_our_files(model):
    from torchgen.selective_build.selector import SelectiveBuilder

    theirs = SelectiveBuilder.from_yaml_str(selection_text(union([of_model(model), of_list(["aten::sub"])])))
    assert theirs.is_operator_selected("aten::cat.out")
    assert theirs.is_operator_selected("aten::sub.out")
    assert not theirs.is_operator_selected("aten::div.out")
    assert theirs.et_get_selected_kernels("aten::cat.out", ["default"]) == ["default"]
    assert not theirs.include_all_operators


def test_null_is_nothing_and_what_has_no_keys_is_for_any_call(tmp_path):
    path = tmp_path / "selected_operators.yaml"
    path.write_text("operators:\n  aten::add.out: {debug_info: null}\n  aten::b.out: {is_root_operator: false}\n"
                    "et_kernel_metadata: null\nbuild_features: null\n")  # fmt: skip
    assert read_selection(path) == Selection({"aten::add.out": Selected(frozenset({"default"}), (str(path),))})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("operatos: {}", "selected_operators.yaml:1: a selection has no field `operatos`. Did you mean operators?"),
        ("operators:\n  a::b:\n    root: true", ":3: a::b has no field `root`."),
        ("operators: {}\noperators: {}", ":2: `operators` is there twice."),
        ("operators:\n  a::b: {}\n  a::b: {}", ":3: `a::b` is there twice."),
        ("operators:\n  a::b: {name: c}", ":2: the name of a::b is given as 'c' once more."),
        ("operators: [a]", ":1: operators must be a mapping."),
        ("operators: {}\ninclude_all_operators: 1", ":2: `include_all_operators` must be true or false."),
        ("operators: {a::b.c: {}}\net_kernel_metadata:\n  a::b.c: [v2/x]", ":3: a::b.c: `v2/x` is neither a dtype nor"),
        ("operators: {}\net_kernel_metadata: {a::b: [default]}", ":2: it has keys for a::b, which `operators` does"),
        ("operators:\n  a::b: {debug_info: [[a]]}", ":2: debug_info must be a list of texts."),
        ("operators: {tenon::pointwise.out: {}}\nkernel_metadata:\n  tenon::pointwise.out: [0 0 1]",
         ":3: tenon::pointwise.out: `0 0 1` is no program. It is written as `2 inputs, 1 constants: 0 0 2`."),
        ("- op: add.out", "is not a selection: a mapping with `operators` is expected."),
        ("", "is not a selection"),
        ("operators: [", "is not YAML"),
        ("[" * 5000, "is not YAML"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_told_with_its_line(tmp_path, text, words):
    (tmp_path / "selected_operators.yaml").write_text(text)
    with pytest.raises(Invalid) as told:
        read_selection(tmp_path / "selected_operators.yaml")
    assert words in str(told.value)


def test_a_few_lines_of_aliases_do_not_unfold_into_millions(tmp_path):
    lines = ["operators:", "  a::b0: &entry", "    debug_info:", *(["    - x"] * 2000)]
    (tmp_path / "bomb.yaml").write_text("\n".join([*lines, *(f"  a::b{i}: *entry" for i in range(1, 2000))]))
    with pytest.raises(Invalid, match="its aliases stand for more than 1000000 entries."):
        read_selection(tmp_path / "bomb.yaml")


def test_the_list_of_their_tool_is_ours(model, tmp_path):
    pytest.importorskip("executorch.codegen.tools.gen_oplist", reason="the extra `peers` is not installed")
    tool = [sys.executable, "-m", "executorch.codegen.tools.gen_oplist", "--output_path"]
    listed, made = tmp_path / "selected_operators.yaml", tmp_path / "made.yaml"
    subprocess.run([*tool, tmp_path, "--root_ops", "aten::add,aten::mul.out"], check=True, capture_output=True)
    subprocess.run([*tool, made, "--model_file_path", model], check=True, capture_output=True)
    theirs, mine = yaml.safe_load(made.read_text()), yaml.safe_load(selection_text(of_model(model)))
    for keys in theirs["et_kernel_metadata"].values():
        keys.sort()  # they are in the order of a set
    assert mine == theirs
    assert read_selection(made) == of_model(model)
    assert read_selection(listed) == of_list(["aten::add", "aten::mul.out"], str(listed))


@pytest.mark.filterwarnings("ignore")
def test_a_program_that_they_wrote_asks_as_their_tool_says(tmp_path):
    exir = pytest.importorskip("executorch.exir", reason="the extra `peers` is not installed")
    pytest.importorskip("executorch.codegen.tools.gen_oplist")

    class Several(torch.nn.Module):
        def forward(self, x, i):
            return tuple(x.topk(2)), torch.cat([x, x]), x.split(1, 1), x[:, i], torch.nn.functional.layer_norm(x, (4,))

    exported = torch.export.export(Several(), (torch.ones(3, 4), torch.tensor([1, 2])))
    (tmp_path / "theirs.pte").write_bytes(bytes(exir.to_edge(exported).to_executorch().buffer))
    tool = [sys.executable, "-m", "executorch.codegen.tools.gen_oplist", "--output_path", tmp_path / "made.yaml"]
    subprocess.run([*tool, "--model_file_path", tmp_path / "theirs.pte"], check=True, capture_output=True)
    assert read_selection(tmp_path / "made.yaml") == of_model(tmp_path / "theirs.pte")


# --- kernels --------------------------------------------------------------------------------------------------------


def test_a_selection_takes_kernels_of_rows(model, ours):
    assert ops(chosen(of_model(model), ours)) == sorted(of_model(model).operators, key=str.encode)
    assert chosen(of_everything(), ours) == ours


@pytest.mark.parametrize(
    ("keys", "taken"),
    [
        ([], {"add_any": (), "add_floats": 4}),
        ([ADD], {"add_floats": 1}),
        ([ADD, "v1/4;0|4;0|4;0|4;0"], {"add_any": (), "add_floats": 1}),
        (["v1/4;0|4;0|4;0|4;0"], {"add_any": ()}),
        (["Double"], {"add_any": (), "add_floats": 2}),
        (["v1"], {"add_any": ()}),
    ],
)  # fmt: skip
def test_specialised_kernels_are_there_for_the_keys_that_are_needed(special, keys, taken):
    found = chosen(of_dict({"add.out": keys}), special)
    assert {each.row.kernel.function: len(each.keys) or () for each in found} == taken


def test_a_list_counts_in_the_key_of_a_program_and_not_in_that_of_a_kernel(tmp_path, model):
    orders = "dim_order_alias: {D0: [0, 1]}\n  type_alias: {F: [Float], L: [Long]}"
    topk = "{self: [F, D0], values: [F, D0], indices: [L, D0]}"
    (tmp_path / "f.yaml").write_text(
        f"- op: topk.values\n  {orders}\n  kernels:\n    - {{arg_meta: {topk}, kernel_name: my::f}}"
    )
    (bound,) = bind(read_table(tmp_path / "f.yaml"))
    called = Selection({"aten::topk.values": of_model(model).operators["aten::topk.values"]})
    assert chosen(called, [bound]) == [bound]


def test_a_tensor_that_is_left_out_has_no_part_in_a_key(tmp_path):
    text = """
- op: native_layer_norm.out
  type_alias: {F: [Float]}
  dim_order_alias: {D: [0, 1]}
  kernels:
    - {arg_meta: {input: [F, D], out0: [F, D], out1: [F, D], out2: [F, D]}, kernel_name: my::plain}
    - {arg_meta: {input: [F, D], weight: [F, D], out0: [F, D], out1: [F, D], out2: [F, D]}, kernel_name: my::scaled}
"""
    (tmp_path / "f.yaml").write_text(text)
    bound = bind(read_table(tmp_path / "f.yaml"))
    called = of_dict({"native_layer_norm.out": ["v1/" + "|".join(["6;0,1"] * 5)]})  # the last is a list of results
    assert functions(chosen(called, bound)) == ["plain"]


def test_a_call_that_no_kernel_is_for_is_told(special):
    with pytest.raises(Unsupported) as told:
        chosen(of_dict({"my_ops::mul3.out": ["v1/7;0,1|7;0,1|7;0,1"]}, "a.pte"), special)
    assert (
        "my_ops::mul3.out  a.pte  no kernel for float64[0, 1], float64[0, 1], float64[0, 1], nor one for any call"
        in (str(told.value))
    )
    assert "(functions.yaml:13)" in str(told.value)


def test_unknown_names_are_told_at_once_with_near_ones(ours):
    with pytest.raises(Invalid) as told:
        chosen(of_list(["aten::ad", "aten::mull.out", "aten::add.Tensor", "aten::mul.out", "zz::nothing"], "ops"), ours)
    first, *rest = str(told.value).splitlines()
    assert first == "4 names cannot be selected."
    places = {each.row.op: each.row.place for each in ours}
    assert f"aten::ad (ops) is no operator. Did you mean aten::add ({places['aten::add.out']})" in rest[0]
    assert "aten::add.Tensor (ops) gives a new tensor, and kernels write to one that they are given." in rest[1]
    assert rest[1].endswith("Write aten::add.out.")
    assert f"aten::mull.out (ops) is no operator. Did you mean aten::mul.out ({places['aten::mul.out']})" in rest[2]
    assert rest[3].strip() == "zz::nothing (ops) is no operator."


def test_what_has_no_kernel_is_told_unless_torch_runs_it(ours):
    wanted = union([of_list(["aten::fft_rfft", "aten::special_i0.out", "aten::add.out"], "ops"), of_everything()])
    with pytest.raises(Unsupported) as told:
        chosen(wanted, ours)
    first, *rows, _ = str(told.value).splitlines()
    assert first == "2 operators have no kernel."
    assert rows == ["  aten::fft_rfft        ops", "  aten::special_i0.out  ops"]
    assert "Add a row to a functions.yaml or custom_ops.yaml, or build with --mode aten." in str(told.value)
    assert chosen(wanted, ours, aten=True) == ours


def test_prim_operators_need_no_rows(ours):
    assert chosen(of_list(["aten::sym_size.int", "executorch_prim::add", "aten::_local_scalar_dense"]), ours) == []
    with pytest.raises(Invalid, match=r"Did you mean executorch_prim::add.Scalar"):
        chosen(of_list(["executorch_prim::ad.Scalar"]), ours)


# --- dtypes -----------------------------------------------------------------------------------------------------------


def needed(ours, op, *keys):
    (schema,) = {each.schema for each in ours if each.row.op == op}
    return {SCALAR_TYPES[code] for code in dtypes_of(keys, schema)}


@pytest.mark.parametrize(
    ("op", "key", "dtypes"),
    [
        ("aten::add.out", ADD, "Float"),
        ("aten::maximum.out", "v1/2;0|3;0|7;0|7;0", "Short Int Float Double"),
        ("aten::maximum.out", "v1/0;0|1;0|6;0|6;0", "Byte Char Short Float"),
        ("aten::eq.Tensor_out", "v1/4;0|6;0|11;0|11;0", "Long Float Bool"),
        ("aten::eq.Scalar_out", "v1/4;0|11;0|11;0", "Long Float Bool"),
        ("aten::eq.Scalar_out", "v1/11;0|11;0|11;0", "Long Float Bool"),
        ("aten::eq.Scalar_out", "v1/6;0|11;0|11;0", "Float Bool"),
        ("aten::exp.out", "v1/4;0|7;0|7;0", "Long Double Float"),
        ("aten::exp.out", "v1/5;0|5;0|5;0", "Half Float"),
        ("aten::exp.out", "default", " ".join(SCALAR_TYPES)),
        ("aten::exp.out", "v1/15;", "BFloat16 Float"),
    ],
)  # fmt: skip
def test_a_kernel_is_compiled_for_what_its_calls_compute_in(ours, op, key, dtypes):
    assert needed(ours, op, key) == set(dtypes.split())


NUMBERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool, torch.float16, torch.bfloat16,
           torch.float32, torch.float64)  # fmt: skip
CODES = {dtype: DTYPE[str(dtype).removeprefix("torch.")].code for dtype in NUMBERS}


def computed_as(dtype):
    return SCALAR_TYPES[CODES[torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype]]


def tensors(dtype):
    """Of rank 1 and 0, with the parts of a key."""
    return [(torch.ones([2] * rank).to(dtype), f"{CODES[dtype]};{'0' * rank}") for rank in (1, 0)]


def test_what_two_tensors_promote_to_is_among_the_dtypes_of_a_comparison(ours):
    for a, b in product(NUMBERS, NUMBERS):
        for (one, first), (other, second) in product(tensors(a), tensors(b)):
            found = needed(ours, "aten::lt.Tensor_out", f"v1/{first}|{second}|11;0|11;0")
            assert computed_as(torch.result_type(one, other)) in found, (a, b)


def test_what_a_tensor_and_a_number_promote_to_is_among_the_dtypes_of_a_comparison(ours):
    for a, number in product(NUMBERS, (True, 1, 1.5)):
        for tensor, key in tensors(a):
            found = needed(ours, "aten::lt.Scalar_out", f"v1/{key}|11;0|11;0")
            assert computed_as(torch.result_type(tensor, number)) in found, (a, number)


def test_what_has_no_row_here_keeps_its_dtypes_in_the_header(ours):
    text = dtype_header(of_dict({"my_ops::mul3.out": ["v1/7;0|7;0|7;0"], "aten::add.out": ["Float"]}), ours)
    assert '{"mul3.out", 0x890 /* Long Double Bool */}' in text
    assert "{nullptr, 0xc0 /* Float Double */}" in text


def test_a_header_may_have_the_rows_of_some_names_only(ours):
    selection = of_dict({"aten::mul.out": ["Double"], "aten::add.out": ["Float"]})
    whole, part = dtype_header(selection, ours), dtype_header(selection, ours, only={"add_out"})
    kept = [line for line in whole.splitlines() if not any(f'"{name}"' in line for name in OTHER_NAMES)]
    assert part.splitlines() == kept and '{"add_out", ' in part


OTHER_NAMES = ("aten::add.out", "add.out", "aten::mul.out", "mul.out", "mul_out")


def test_a_function_of_a_user_is_not_ours_of_that_name(tmp_path, ours):
    text = "- op: mul.out\n  kernels: [{kernel_name: custom::add_out}]"
    (tmp_path / "mine.yaml").write_text(text)
    rows = [*bind(read_table(tmp_path / "mine.yaml")), *(each for each in ours if each.row.op == "aten::add.out")]
    header = dtype_header(of_dict({"mul.out": ["Double"], "add.out": ["Float"]}), rows)
    assert '{"add_out", 0x40 /* Float */}' in header
    assert '{"mul.out", 0x80 /* Double */}' in header
    assert "{nullptr, 0xc0 /* Float Double */}" in header


def compiled(tmp_path, source, name="test.cpp", *flags):
    (tmp_path / name).write_text(source)
    command = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *flags]
    done = subprocess.run(
        [*command, f"-I{tmp_path}", f"-I{include()}", tmp_path / name], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


USE = """
#include <executorch/kernels/portable/cpu/selected_op_variants.h>
using tenon::ScalarType;
template <ScalarType type> constexpr bool has(const char* name) {
  return tenon::selected_dtypes(name) >> static_cast<int>(type) & 1;
}
static_assert(should_include_kernel_dtype("eq.Scalar_out", ScalarType::Float));
static_assert(should_include_kernel_dtype("aten::eq.Scalar_out", ScalarType::Long));
static_assert(!should_include_kernel_dtype("eq.Scalar_out", ScalarType::Half));
static_assert(should_include_kernel_dtype("eq.Scalar_out", ScalarType::Double));  // what a number is held as
static_assert(!should_include_kernel_dtype("cat.out", ScalarType::Double));
static_assert(should_include_kernel_dtype("a helper", ScalarType::Long));
static_assert(!should_include_kernel_dtype("a helper", ScalarType::Half));
static_assert(!should_include_kernel_dtype("eq.Scalar_out", ScalarType::Undefined));
static_assert(should_include_kernel_dtype("mul.out", ScalarType::UInt64));
static_assert(has<ScalarType::Float>("cat_out") && !has<ScalarType::Long>("cat_out"));
static_assert(has<ScalarType::Float>("a_helper") && !has<ScalarType::Half>("a_helper_of_") == ALONE);
constexpr uint64_t cat_out() { return tenon::selected_dtypes(__func__); }
static_assert(cat_out() == 1 << 6);
int use(ScalarType) {
  if constexpr (should_include_kernel_dtype("cat.out", ScalarType::Double)) return 1;
  else return 0;
}
"""


def test_the_header_of_dtypes_compiles_and_tells(model, ours, tmp_path):
    header = tmp_path / "executorch" / "kernels" / "portable" / "cpu" / "selected_op_variants.h"
    header.parent.mkdir(parents=True)
    alone = of_model(model)
    header.write_text(dtype_header(alone, ours))
    compiled(tmp_path, USE.replace('static_assert(should_include_kernel_dtype("mul.out", ScalarType::UInt64));', ""),
             "alone.cpp", "-DALONE=true")  # fmt: skip
    everything = union([alone, of_list(["mul.out"])])
    header.write_text(dtype_header(everything, ours))
    text = USE.replace('static_assert(!should_include_kernel_dtype("a helper", ScalarType::Half));', "")
    compiled(tmp_path, text, "more.cpp", "-DALONE=false")
    header.write_text(dtype_header(Selection(), ours))
    compiled(tmp_path, '#include <executorch/kernels/portable/cpu/selected_op_variants.h>\n'
             'static_assert(tenon::selected_dtypes("f") == 0);')  # fmt: skip


def test_switches_of_users_kernels_take_the_header(model, ours, tmp_path):
    header = tmp_path / "executorch" / "kernels" / "portable" / "cpu" / "selected_op_variants.h"
    header.parent.mkdir(parents=True)
    header.write_text(dtype_header(of_model(model), ours))
    source = """
#include <executorch/runtime/kernel/kernel_includes.h>
template <class T> void work();
void f(tenon::Context& ctx, tenon::ScalarType type) {
  ET_SWITCH_REALHBBF16_TYPES(type, ctx, "index.Tensor_out", T, [&] { work<T>(); });
}
"""
    (tmp_path / "kernel.cpp").write_text(source)
    command = ["g++", "-std=c++17", "-c", "-DEXECUTORCH_SELECTIVE_BUILD_DTYPE", "-I.", f"-I{include()}", "kernel.cpp"]
    subprocess.run(command, cwd=tmp_path, check=True)
    names = subprocess.run(["nm", "-uC", "kernel.o"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert [line.split("work")[1] for line in names.splitlines() if "work" in line] == ["<float>()", "<long>()"]


# --- the registry, and prim operators ---------------------------------------------------------------------------------


def number(header):
    return int(header.split("EXECUTORCH_SELECTED_MAX_KERNEL_NUM")[1])


def test_a_registry_has_room_for_the_kernels_and_the_prim_operators(special, ours):
    prims = len(prim_names())
    assert prims == 28
    assert number(max_kernel_header([of_list(["aten::add.out"])], special)) == 5 + prims
    assert number(max_kernel_header([of_dict({"aten::add.out": [ADD]})], special)) == 1
    assert number(max_kernel_header([of_list(["aten::add"]), of_list(["mul.out", "my::f.out"])], ours)) == 4 + prims
    for open_end in (of_everything(), of_list(["my::f"])):
        assert "#define" not in max_kernel_header([of_list(["aten::add.out"]), open_end], ours)


def test_prim_operators_are_selected_by_programs(tmp_path, ours):
    class Sized(torch.nn.Module):
        def forward(self, x):
            return torch.ones(x.shape[0] * 2 + 1)

    rows = torch.export.Dim("rows", min=1, max=8)
    tenon.export(Sized(), (torch.ones(3),), dynamic_shapes=({0: rows},)).save(tmp_path / "a.pte")
    program = of_model(tmp_path / "a.pte")
    names = prim_operators(program)
    assert "aten::sym_size.int" in names
    assert set(names) < set(prim_names())
    header = prim_ops_header(program)
    assert "#define EXECUTORCH_ENABLE_PRIM_OPS_SELECTIVE_BUILD\n" in header
    assert "#define INCLUDE_ATEN_SYM_SIZE_INT\n" in header
    assert "#define INCLUDE_EXECUTORCH_PRIM_ADD_SCALAR\n" in header
    compiled(tmp_path, prim_table(program))
    assert check_model(tmp_path / "a.pte", ours).operators == len(program.operators)


def test_who_lists_kernels_alone_keeps_all_prim_operators(model, tmp_path):
    assert prim_operators(of_model(model)) == []
    compiled(tmp_path, prim_table(of_model(model)))
    listed = union([of_model(model), of_list(["aten::add"])])
    assert prim_operators(listed) is prim_operators(of_everything()) is prim_operators(Selection()) is None
    assert prim_table(listed) is None
    assert "EXECUTORCH_ENABLE_PRIM_OPS_SELECTIVE_BUILD" not in prim_ops_header(listed)
    said = union([listed, of_list(["executorch_prim::add", "aten::_local_scalar_dense"])])
    assert prim_operators(said) == ["aten::_local_scalar_dense", "executorch_prim::add.Scalar"]
    assert "#define INCLUDE_ATEN_LOCAL_SCALAR_DENSE\n" in prim_ops_header(said)


# --- rows of two files ------------------------------------------------------------------------------------------------


def test_rows_are_merged_behind_those_of_the_user(tmp_path):
    def row(op, kernel):
        return f"- {op}\n  kernels:\n  - arg_meta: null\n    kernel_name: {kernel}\n"

    long = "my::f.out(Tensor a_long_name_of_an_argument, Tensor another_one, *, Tensor(a!) out) -> Tensor(a!)"
    (tmp_path / "mine.yaml").write_text("# mine\n" + row("op: add.out", "a::f") + row(f"func: {long}", "a::g"))
    (tmp_path / "other.yaml").write_text(
        row("op: aten::add.out", "b::f") + row("op: mul.out", "b::g") + row(f"func: {long}", "b::h")
    )
    merged = merge_yaml(tmp_path / "mine.yaml", tmp_path / "other.yaml")
    assert merged == f"{row('op: add.out', 'a::f')}\n{row(f'func: {long}', 'a::g')}\n{row('op: mul.out', 'b::g')}"
    assert merge_yaml(tmp_path / "mine.yaml").count("kernel_name") == 2
    (tmp_path / "other.yaml").write_text("- op: 3")
    with pytest.raises(Invalid, match="other.yaml:1: `op` is a text."):
        merge_yaml(tmp_path / "mine.yaml", tmp_path / "other.yaml")


def test_aten_mode_is_no_remedy_for_what_torch_does_not_have():
    told = str(no_kernel([("nobodys::f.out", ["a.pte"], "")], aten=False))
    assert told.splitlines()[-1].strip().startswith("Add a row to a functions.yaml or custom_ops.yaml. `tenon check`")


# --- programs that cannot run -----------------------------------------------------------------------------------------


class Spectrum(torch.nn.Module):
    def forward(self, x):
        return torch.special.i0(x + x), torch.special.i0(x)


def test_what_has_no_kernel_is_told_with_its_instruction_and_line(tmp_path, ours, model):
    tenon.export(Spectrum(), (torch.ones(3),), source_lines=True, keep=["aten::special_i0"]).save(tmp_path / "a.pte")
    with pytest.raises(Unsupported) as told:
        check_model(tmp_path / "a.pte", ours)
    first, row, remedy = str(told.value).splitlines()
    assert first == f"{tmp_path / 'a.pte'}: 1 operator of this model has no kernel."
    assert row.startswith("  aten::special_i0.out  instruction 1, ")
    assert "test_select.py" in row
    assert row.endswith(" and 1 more")
    assert remedy == "  Add a row to a functions.yaml or custom_ops.yaml, or build with --mode aten."
    assert check_model(tmp_path / "a.pte", ours, aten=True).operators == 2
    assert check_model(model, ours) == (5, 6)


def test_a_delegate_is_told(model, ours):
    program = tenon.read_program(model)
    program.plans[0].delegates = [BackendDelegate("XnnpackBackend")]
    with pytest.raises(
        Unsupported, match=r"net calls a delegate \(XnnpackBackend\), which only its own runtime can run"
    ):
        check_calls(program, "net", ours)


def test_a_near_name_is_told_with_the_line_of_its_row(tmp_path, special, ours):
    program = tenon.export(Spectrum(), (torch.ones(3),), keep=["aten::special_i0"])
    (plan,) = program.plans
    for operator in plan.operators:
        if operator.name == "aten::special_i0":
            operator.name = "my_ops::mul5"
    program.save(tmp_path / "a.pte")
    with pytest.raises(Unsupported, match=r"did you mean my_ops::mul3.out \(functions.yaml:13\)\?"):
        check_model(tmp_path / "a.pte", special)
    with pytest.raises(Unsupported, match="1 operator of this model has no kernel"):
        check_model(tmp_path / "a.pte", ours, aten=True)


def test_a_call_that_only_other_keys_have_kernels_for_is_told(tmp_path, special):
    program = tenon.export(Spectrum(), (torch.ones(3),), keep=["aten::special_i0"])
    (plan,) = program.plans
    for operator in plan.operators:
        if operator.name == "aten::special_i0":
            operator.name = "my_ops::mul3"
    program.save(tmp_path / "a.pte")
    with pytest.raises(Unsupported, match=r"no kernel is for float32\[0\], .* \(functions.yaml:13\)"):
        check_model(tmp_path / "a.pte", special)
