"""BUCK files are read by a Starlark interpreter, and what is wrong with one is a sentence with its file and line."""

import pytest

from tenon.build.buck.evaluate import Evaluator
from tenon.build.buck.external import Stands, external
from tenon.build.buck.graph import closure
from tenon.build.buck.labels import Label, Workspace
from tenon.build.buck.rules import RULES
from tenon.errors import Invalid

CODEGEN = '"@fbsource//xplat/executorch/codegen:codegen.bzl"'


def workspace(folder, files) -> Workspace:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Workspace.at(folder)


def targets(folder, text, package="lib", **files):
    named = {f"{package}/{name.replace('__', '.')}": content for name, content in files.items()}
    return Evaluator(workspace(folder, {f"{package}/BUCK": text, **named})).package(package)


def fault(folder, text, **files) -> str:
    with pytest.raises(Invalid) as caught:
        targets(folder, text, **files)
    return str(caught.value)


def closing_fault(folder, files, *asked) -> str:
    with pytest.raises(Invalid) as caught:
        closure(workspace(folder, files), asked or ["//lib:a"])
    return str(caught.value)


# --- labels


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("//a/b:c", Label("a/b", "c")),
        ("//a/b", Label("a/b", "b")),
        ("//:c", Label("", "c")),
        (":c", Label("here", "c")),
        (":c[part.h]", Label("here", "c", "part.h")),
        ("@cell//a:b", Label("a", "b", cell="cell")),
        ("cell//a:b", Label("a", "b", cell="cell")),
        ("@root//a:b", Label("a", "b")),
        ("deep//a:b", Label("third/deep/a", "b")),
        (":functions.yaml", Label("here", "functions.yaml")),
    ],
)
def test_a_label_is_a_folder_and_a_name(tmp_path, text, label):
    space = workspace(tmp_path, {".buckconfig": "[cells]\n  root = .\n  deep = third/deep\n"})
    assert space.label(text, "here") == label


@pytest.mark.parametrize("text", ["", "c", "a/b", "//a:b:c", "//../a:b", "///a:b", ":", "//"])
def test_what_is_no_label_is_refused_with_what_one_looks_like(tmp_path, text):
    with pytest.raises(Invalid, match="is not a label"):
        Workspace.at(tmp_path).label(text, "here")


@pytest.mark.parametrize("mark", [".buckconfig", ".buckroot", ".git"])
def test_the_root_is_the_nearest_folder_upwards_that_is_marked(tmp_path, mark):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / mark).touch()
    assert Workspace.around(tmp_path / "a" / "b").root == (tmp_path / "a").resolve()


# --- targets


def test_a_target_has_its_label_its_rule_its_line_and_its_arguments(tmp_path):
    (found,) = targets(tmp_path, '# kernels\n\ncxx_library(\n    name = "add",\n    srcs = ["add.cpp"],\n)\n').values()
    assert (found.label, found.rule, str(found.place)) == (Label("lib", "add"), "cxx_library", "lib/BUCK:3")
    assert found.attributes == {"name": "add", "srcs": ["add.cpp"]}


def test_starlark_is_evaluated(tmp_path):
    text = """
def kernels(names):
    for name in names:
        cxx_library(name = "op_%s" % name, srcs = [name + ".cpp"])

kernels([n for n in ["add", "mul"] if n != "mul"])
"""
    (found,) = targets(tmp_path, text).values()
    assert found.attributes == {"name": "op_add", "srcs": ["add.cpp"]}
    assert found.where == "lib/BUCK:6 (through lib/BUCK:4)"


@pytest.mark.parametrize(
    "module",
    [
        "@fbsource//xplat/executorch/codegen:codegen.bzl",
        "//executorch/codegen:codegen.bzl",
        "@fbcode//executorch/codegen:codegen.bzl",
        "@executorch//codegen:codegen.bzl",
        "//codegen:codegen.bzl",
    ],
)
def test_the_rules_of_executorch_are_loaded_from_any_cell(tmp_path, module):
    text = f'load("{module}", "et_operator_library")\net_operator_library(name = "a", ops = ["aten::add.out"])\n'
    assert targets(tmp_path, text)["a"].rule == "et_operator_library"


def test_the_other_bzl_files_of_executorch_have_their_names(tmp_path):
    text = """
load("@fbsource//xplat/executorch/build:runtime_wrapper.bzl", "get_aten_mode_options", "is_xplat", "runtime",
     "get_default_executorch_platforms")
load("@fbsource//xplat/executorch/build:selects.bzl", "selects")
load("@fbsource//xplat/executorch/kernels/portable:op_registration_util.bzl", "define_op_target", "op_target")
load("@fbsource//tools/build_defs:fb_native_wrapper.bzl", "fb_native")
load("@fbsource//xplat/executorch/codegen:codegen.bzl", "ScalarType", "et_operator_library")

for aten in get_aten_mode_options():
    runtime.cxx_library(
        name = "lib" + ("_aten" if aten else ""),
        srcs = selects.apply(["a"], lambda names: [name + ".cpp" for name in names]),
        platforms = get_default_executorch_platforms(),
        define_static_target = not is_xplat(),
    )
define_op_target(is_aten_op = False, **op_target(name = "op_add"))
fb_native.export_file(name = "model_1", src = "model_1.pte")
native.filegroup(name = "all", srcs = native.glob(["*.txt"]))
et_operator_library(name = "selected", ops_dict = {"aten::add.out": [ScalarType("Float"), ScalarType("BFloat16")]})
"""
    found = targets(tmp_path, text, b__txt="", a__txt="")
    assert list(found) == "lib_aten lib_aten_static lib lib_static op_add model_1 all selected".split()
    assert found["lib"].attributes["srcs"] == ["a.cpp"]
    assert found["op_add"].attributes["srcs"] == ["op_add.cpp"]
    assert found["all"].attributes["srcs"] == ["a.txt", "b.txt"]
    assert found["selected"].attributes["ops_dict"] == {"aten::add.out": ["Float", "BFloat16"]}


def test_a_bzl_file_of_the_users_own_is_evaluated_once_and_its_macros_make_targets(tmp_path):
    text = 'load(":defs.bzl", "two")\nload("//lib:defs.bzl", "SUFFIX")\n\ntwo("x" + SUFFIX)\n'
    defs = (
        'SUFFIX = "_lib"\n\ndef two(name):\n    cxx_library(name = name)\n    native.cxx_library(name = name + "_2")\n'
    )
    found = targets(tmp_path, text, defs__bzl=defs)
    assert {name: target.where for name, target in found.items()} == {
        "x_lib": "lib/BUCK:4 (through lib/defs.bzl:4)",
        "x_lib_2": "lib/BUCK:4 (through lib/defs.bzl:5)",
    }


def test_a_choice_by_platform_is_the_one_of_this_host_or_the_default(tmp_path):
    text = """
cxx_library(
    name = "a",
    srcs = ["a.cpp"] + select({"DEFAULT": ["other.cpp"], "ovr_config//os:linux": ["linux.cpp"]}),
    compiler_flags = select({"DEFAULT": ["-O2"], "ovr_config//os:windows": ["/O2"]}),
)
"""
    found = targets(tmp_path, text)["a"].attributes
    assert (found["srcs"], found["compiler_flags"]) == (["a.cpp", "linux.cpp"], ["-O2"])


def test_a_generated_library_makes_its_headers_its_static_form_and_its_library_for_torch(tmp_path):
    text = f"""
load({CODEGEN}, "executorch_generated_lib")
executorch_generated_lib(name = "a", functions_yaml_target = ":f.yaml", define_static_targets = True)
executorch_generated_lib(name = "b", custom_ops_yaml_target = ":c.yaml")
executorch_generated_lib(
    name = "c",
    custom_ops_yaml_target = ":c.yaml",
    custom_ops_requires_runtime_registration = False,
)
executorch_generated_lib(name = "d", custom_ops_yaml_target = ":c.yaml", custom_ops_requires_aot_registration = False)
"""
    found = {name: target.part for name, target in targets(tmp_path, text).items()}
    a = {"a": "", "a_headers": "headers", "a_static": "static"}
    b = {"b": "", "b_headers": "headers", "custom_ops_b": "aot"}
    assert found == {**a, **b, "c_headers": "headers", "custom_ops_c": "aot", "d": "", "d_headers": "headers"}


def test_every_argument_of_the_rules_of_executorch_is_taken(tmp_path):
    lists = "deps kernel_deps xplat_deps fbcode_deps custom_ops_aten_kernel_deps compiler_flags visibility".split()
    flags = """aten_mode manual_registration use_default_aten_ops_lib dtype_selective_build support_exceptions
        define_static_targets custom_ops_requires_runtime_registration custom_ops_requires_aot_registration
        expose_operator_symbols include_all_prim_ops""".split()
    rest = "functions_yaml_target custom_ops_yaml_target fallback_yaml_target feature compatible_with".split()
    values = dict.fromkeys(lists, "[]") | dict.fromkeys(flags, "False") | dict.fromkeys(rest, "None")
    given = [f"{name} = {value}" for name, value in values.items()]
    text = f'load({CODEGEN}, "executorch_generated_lib")\nexecutorch_generated_lib(name = "a", {", ".join(given)})\n'
    assert "a" in targets(tmp_path, text)


def test_arguments_that_mean_nothing_here_are_taken(tmp_path):
    text = 'cxx_library(name = "a", visibility = ["PUBLIC"], labels = ["x"], fbobjc_frameworks = [], apple_sdks = 3)'
    assert targets(tmp_path, text)["a"].attributes == {"name": "a"}


# --- what is wrong in a file


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            'cxx_library(\n  name = "custom_generated_lib`,\n)',
            "lib/BUCK:2: this is not Starlark: unfinished string literal.",
        ),
        ("x = [1, 2\n", "lib/BUCK:1: this is not Starlark: unexpected new line here."),
        ('\ncxx_libary(name = "a")', "lib/BUCK:2: there is no rule or name cxx_libary. Did you mean cxx_library or "),
        ('runtime.cxx_libary(name = "a")', "lib/BUCK:1: runtime has no cxx_libary. Did you mean cxx_library?"),
        (
            'cxx_library(\n  name = "a",\n  sorces = ["a.cpp"],\n)',
            "lib/BUCK:1: cxx_library a has no argument sorces. Did you mean srcs or resources?",
        ),
        ("cxx_library(srcs = [])", "lib/BUCK:1: cxx_library needs the argument name."),
        ('executorch_ops_check(name = "a")', "lib/BUCK:1: executorch_ops_check a needs the argument deps."),
        (
            'cxx_library(name = "a", srcs = "a.cpp")',
            'lib/BUCK:1: cxx_library a: srcs is "a.cpp", and must be a list of paths or labels. Write ["a.cpp"].',
        ),
        (
            'et_operator_library(name = "a", include_all_operators = "yes")',
            'lib/BUCK:1: et_operator_library a: include_all_operators is "yes", and must be True or False.',
        ),
        (
            'et_operator_library(name = "a", ops_dict = {"aten::add.out": "Float"})',
            "lib/BUCK:1: et_operator_library a: ops_dict is {'aten::add.out': 'Float'}, and must be a dict from "
            "operators to lists of dtypes.",
        ),
        ("cxx_library(name = 3)", "lib/BUCK:1: cxx_library: name is 3, and must be a text."),
        ('cxx_library(name = "a:b")', "lib/BUCK:1: cxx_library: 'a:b' cannot name a target."),
        (
            'cxx_library(name = "a")\n\nexport_file(name = "a")',
            "lib/BUCK:3: export_file a is the second target of that name; the first is cxx_library at lib/BUCK:1. "
            "Rename one of them.",
        ),
        (
            'load("//my:defs.bzl", "x")',
            "lib/BUCK:1: load of //my:defs.bzl: there is no file my/defs.bzl, and it is not one of the .bzl files that "
            "Tenon stands in for.",
        ),
        (
            'load("@fbsource//xplat/executorch/codegen:codgen.bzl", "x")',
            "there is no file xplat/executorch/codegen/codgen.bzl, and it is not one of the .bzl files that Tenon "
            "stands in for. Did you mean @fbsource//xplat/executorch/codegen:codegen.bzl",
        ),
        (
            f'load({CODEGEN},\n     "et_operator_libary")',
            "lib/BUCK:2: the loaded file has no et_operator_libary. Did you mean et_operator_library",
        ),
        ('load("defs.bzl", "x")', "lib/BUCK:1: 'defs.bzl' is not a label."),
        ('cxx_library(name = "a" + 1)', "lib/BUCK:1: Operation `+` not supported for types `string` and `int`."),
        ('fail("not here")', "lib/BUCK:1: not here."),
        ('ScalarType("Flaot")', "lib/BUCK:1: Unknown enum element `Flaot`"),
        ('select({"x//os:windows": 1})', "lib/BUCK:1: select() has no DEFAULT and no choice for linux on "),
        ('glob("*.cpp")', 'lib/BUCK:1: glob takes lists of patterns: glob(["*.cpp"]).'),
    ],
)
def test_a_mistake_is_a_sentence_with_file_and_line(tmp_path, text, words):
    assert words in fault(tmp_path, text)


def test_a_mistake_in_a_macro_is_told_with_both_lines(tmp_path):
    words = fault(
        tmp_path, 'load(":d.bzl", "m")\n\nm("a")\n', d__bzl="def m(name):\n    cxx_library(name = name, sorces = [])\n"
    )
    assert words.startswith("lib/BUCK:3 (through lib/d.bzl:2): cxx_library a has no argument sorces.")


def test_a_mistake_in_a_loaded_file_is_told_with_its_own_line(tmp_path):
    words = fault(tmp_path, 'load(":d.bzl", "m")\n', d__bzl="\n\nx = nosuch\n")
    assert words == "lib/d.bzl:3: there is no rule or name nosuch."


def test_bzl_files_that_load_each_other_are_told_in_their_order(tmp_path):
    words = fault(tmp_path, 'load(":c.bzl", "m")', c__bzl='load(":d.bzl", "m")', d__bzl='load(":c.bzl", "m")')
    assert words == "lib/d.bzl:1: a .bzl file cannot load itself: lib/c.bzl -> lib/d.bzl -> lib/c.bzl."


def test_a_bzl_file_makes_no_targets_when_it_is_loaded(tmp_path):
    words = fault(tmp_path, 'load(":c.bzl", "m")', c__bzl='cxx_library(name = "a")')
    assert words.startswith("lib/c.bzl:1: a .bzl file has no targets of its own. Call cxx_library in a function")


def test_each_file_that_is_wrong_is_told_as_it_is_read(tmp_path):
    evaluator = Evaluator(workspace(tmp_path, {"a/BUCK": "x = nosuch\n", "b/BUCK": "x = neither\n", "c/BUCK": ""}))
    for package, words in (("a", "nosuch"), ("b", "neither"), ("a", "nosuch")):
        with pytest.raises(Invalid, match=words):
            evaluator.package(package)
    assert evaluator.package("c") == {}


# --- what targets need


def test_what_a_target_needs_is_built_before_it(tmp_path):
    files = {
        "lib/BUCK": 'cxx_binary(name = "a", deps = [":b", "//executorch/runtime/executor:program"])\n'
        'cxx_library(name = "b", srcs = ["b.cpp"], deps = ["//other"])\n'
        'cxx_library(name = "unused", srcs = ["no.cpp"])\n',
        "lib/b.cpp": "",
        "other/TARGETS": 'cxx_library(name = "other")',
    }
    order = [str(label) for label in closure(workspace(tmp_path, files), ["//lib:a"]).order]
    assert order == ["//other:other", "//lib:b", "//executorch/runtime/executor:program", "//lib:a"]


def test_a_cycle_names_its_chain(tmp_path):
    files = {
        "lib/BUCK": 'cxx_library(name = "a", deps = [":b"])\ncxx_library(name = "b", deps = ["//other:c"])\n',
        "other/BUCK": 'cxx_library(name = "c", deps = ["//lib:b"])\n',
    }
    assert closing_fault(tmp_path, files) == (
        "lib/BUCK:2: cxx_library //lib:b depends on itself: //lib:b (lib/BUCK:2) -> //other:c (other/BUCK:1) -> "
        "//lib:b (lib/BUCK:2)."
    )


def test_the_headers_of_a_generated_library_may_be_needed_by_its_kernels(tmp_path):
    text = f"""
load({CODEGEN}, "executorch_generated_lib")
cxx_library(name = "k", deps = [":a_headers"])
executorch_generated_lib(name = "a", kernel_deps = [":k"])
"""
    assert closure(workspace(tmp_path, {"lib/BUCK": text}), ["//lib:a"]).order


def test_a_missing_target_is_told_with_the_line_of_its_name_and_near_names(tmp_path):
    text = 'cxx_library(\n  name = "a",\n  deps = [\n    ":kernel",\n  ],\n)\ncxx_library(name = "kernels")\n'
    assert closing_fault(tmp_path, {"lib/BUCK": text}) == (
        "lib/BUCK:4: cxx_library //lib:a needs :kernel, and there is no target kernel in lib/BUCK. "
        "Did you mean kernels?"
    )


def test_all_that_is_missing_is_told_at_once(tmp_path):
    files = {
        "lib/BUCK": 'cxx_library(name = "a", srcs = ["ad.cpp"], deps = [":b"])\n'
        'cxx_library(name = "b", deps = ["//oter:c", "//empty:c", "//executorch/runtime/executor:progam"])\n',
        "lib/add.cpp": "",
        "other/BUCK": "",
        "empty/nothing": "",
    }
    assert closing_fault(tmp_path, files).splitlines() == [
        "4 things are missing.",
        "  lib/BUCK:1: cxx_library //lib:a needs the file lib/ad.cpp, which is not there. Did you mean add.cpp?",
        f"  lib/BUCK:2: cxx_library //lib:b needs //oter:c, and there is no folder oter in {tmp_path}. "
        "Did you mean other?",
        "  lib/BUCK:2: cxx_library //lib:b needs //empty:c, and there is no BUCK or TARGETS file in empty.",
        "  lib/BUCK:2: cxx_library //lib:b needs //executorch/runtime/executor:progam, and Tenon has nothing that "
        "stands for //executorch/runtime/executor:progam. Did you mean //executorch/runtime/executor:program or "
        "//executorch/runtime/executor:program_no_prim_ops?",
    ]


def test_a_target_that_is_asked_for_and_missing_is_told_with_near_names(tmp_path):
    files = {"lib/BUCK": 'cxx_library(name = "kernels")'}
    words = closing_fault(tmp_path, files, "//lib:kernel")
    assert words == "//lib:kernel: there is no target kernel in lib/BUCK. Did you mean kernels?"
    assert closing_fault(tmp_path, files, "//lob:a").startswith("//lob:a: there is no folder lob in ")


def test_a_mistake_in_another_package_is_laid_to_that_package(tmp_path):
    files = {"lib/BUCK": 'cxx_library(name = "a", deps = ["//other:b"])', "other/BUCK": "\ncxx_library(nam = 1)"}
    assert closing_fault(tmp_path, files) == "other/BUCK:2: cxx_library needs the argument name."


# --- labels of ExecuTorch and torch


@pytest.mark.parametrize(
    ("package", "name", "stands", "aten"),
    [
        ("executorch/runtime/executor", "program", Stands.RUNTIME, False),
        ("executorch/runtime/executor", "program_aten", Stands.RUNTIME, True),
        ("xplat/executorch/kernels/portable", "operators", Stands.KERNELS, False),
        ("executorch/kernels/portable", "operators_aten", Stands.KERNELS, True),
        ("executorch/kernels/portable/cpu", "op_add", Stands.KERNELS, False),
        ("executorch/kernels/portable", "generated_lib_static", Stands.OPERATORS, False),
        ("executorch/kernels/portable", "functions.yaml", Stands.FUNCTIONS_YAML, False),
        ("executorch/examples/portable/executor_runner", "executor_runner_lib", Stands.RUNNER, False),
        ("caffe2", "torch-cpp", Stands.TORCH, True),
    ],
)
def test_labels_of_other_projects_stand_for_ours(package, name, stands, aten):
    found = external(Label(package, name))
    assert found is not None and (found.stands, found.aten) == (stands, aten)


def test_a_label_of_nobody_we_know_stands_for_nothing():
    assert external(Label("my/folder", "program")) is None


def test_every_rule_needs_a_name_first():
    assert all(next(iter(rule.arguments)) == "name" for rule in RULES.values())
