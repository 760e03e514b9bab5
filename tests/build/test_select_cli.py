"""`tenon select` and `tenon check`: what they write, ExecuTorch's names for their flags, and words for mistakes."""

import json
import subprocess
import sys

import pytest
import torch

import tenon
from tenon.build.select import of_list, of_model, read_selection, union
from tenon.cli import main

CUSTOM = """\
- func: my_ops::mul3.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)
  kernels:
    - arg_meta: null
      kernel_name: custom::mul3_out
"""


class Net(torch.nn.Module):
    def forward(self, x):
        return x / x, torch.special.i0(x)


class Half(torch.nn.Module):
    def forward(self, x):
        return x * x


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("a folder with spaces")
    tenon.export(Half(), (torch.ones(2, 3),)).save(path / "half.pte")
    tenon.export(Net(), (torch.ones(2, 3),), keep=["aten::special_i0"], source_lines=True).save(path / "net.pte")
    (path / "custom_ops.yaml").write_text(CUSTOM)
    (path / "broken.pte").write_bytes(b"nothing")
    return path


@pytest.fixture
def run(folder, tmp_path, monkeypatch, capsys):
    """A command in the folder, without the seconds that a process of its own needs for torch."""

    def run(*args):
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["tenon", *map(str, args)])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, said.out, said.err

    return run


def names(path):
    return sorted(str(each.relative_to(path)) for each in path.rglob("*") if each.is_file())


def test_models_lists_and_yaml_are_one_selection(run, tmp_path):
    code, said, _ = run("select", "half.pte", "net.pte", "--ops", "aten::add,div.out", "--yaml", "custom_ops.yaml",
                        "--dict", '{"aten::sub.out": ["Float"]}', "-o", tmp_path / "out")  # fmt: skip
    assert (code, said) == (0, f"{tmp_path / 'out'}: 6 operators\n")
    assert names(tmp_path / "out") == [
        "half/model_operators.yaml",
        "net/model_operators.yaml",
        "selected_operators.yaml",
        "selective_operators.yaml",
    ]
    both = read_selection(tmp_path / "out" / "selective_operators.yaml")
    assert list(both.operators) == [
        "aten::add",
        "aten::div.out",
        "aten::mul.out",
        "aten::special_i0.out",
        "aten::sub.out",
        "my_ops::mul3.out",
    ]
    assert both.operators["aten::div.out"].origins == ("net.pte", "--ops")
    assert both.operators["aten::mul.out"].origins == ("half.pte",)
    assert both.operators["my_ops::mul3.out"].origins == ("custom_ops.yaml",)
    assert both.operators["aten::sub.out"].keys == {"v1/6;"}
    assert list(read_selection(tmp_path / "out" / "half" / "model_operators.yaml").operators) == ["aten::mul.out"]


def test_their_flags_are_taken(run, tmp_path):
    made = tmp_path / "selected_operators.yaml"
    assert run("select", "--model_file_path", "half.pte", "--root_ops", "aten::add mul.out", "--ops_dict", "{}",
               "--ops_schema_yaml_path", "custom_ops.yaml", "--output_path", made)[0] == 0  # fmt: skip
    assert set(read_selection(made).operators) == {"aten::add", "aten::mul.out", "my_ops::mul3.out"}
    assert names(tmp_path) == ["selected_operators.yaml"]
    (tmp_path / "list").write_text(f"{made}\n{tmp_path}\n")
    assert run("select", "--model-file-list-path", f"@{tmp_path / 'list'}", "--include_all_operators",
               "--allow-include-all-overloads", "--output-dir", tmp_path / "all")[0] == 0  # fmt: skip
    again = read_selection(tmp_path / "all" / "selected_operators.yaml")
    assert again.everything
    assert again.operators == read_selection(made).operators


def test_a_flag_that_a_build_system_leaves_empty_is_none(run, tmp_path):
    empty = ["--ops_schema_yaml_path=", "--root_ops=", "--ops_dict=", "--model-file-list-path="]
    code, said, _ = run("select", "half.pte", *empty, "-o", tmp_path / "a.yaml")
    assert (code, said) == (0, f"{tmp_path / 'a.yaml'}: 1 operator\n")


def test_headers_are_written_by_their_names(run, tmp_path):
    folder = tmp_path / "include" / "executorch" / "kernels"
    wanted = [
        folder / "selected_op_variants.h",
        tmp_path / "selected_max_kernel_num.h",
        tmp_path / "selected_prim_ops.h",
    ]
    code, _, told = run("select", "half.pte", *(part for path in wanted for part in ("-o", path)))
    assert code == 0, told
    assert '{"mul_out", 0x40 /* Float */}' in wanted[0].read_text()
    assert "EXECUTORCH_SELECTED_MAX_KERNEL_NUM 1\n" in wanted[1].read_text()
    assert "EXECUTORCH_ENABLE_PRIM_OPS_SELECTIVE_BUILD" in wanted[2].read_text()


def test_rows_of_a_user_have_dtypes_too(run, tmp_path):
    header = tmp_path / "selected_op_variants.h"
    wanted = json.dumps({"my_ops::mul3.out": ["Half"]})
    assert run("select", "--dict", wanted, "--custom-ops", "custom_ops.yaml", "-o", header)[0] == 0
    assert '{"my_ops::mul3.out", 0x60 /* Half Float */}' in header.read_text()


def test_rows_are_merged(run, folder, tmp_path):
    (tmp_path / "functions.yaml").write_text("- op: mul.out\n  kernels: [{kernel_name: my::mul_out}]\n")
    rows = ["--functions-yaml-path", tmp_path / "functions.yaml", "--fallback-yaml-path", "custom_ops.yaml"]
    assert run("select", *rows, "-o", tmp_path / "merged.yaml")[0] == 0
    text = (tmp_path / "merged.yaml").read_text()
    assert text.index("op: mul.out") < text.index("func: my_ops::mul3.out")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["half.pte"], "Say where to write: -o FOLDER for the selection's files."),
        (["half.pte", "-o", "prim_ops.h"], "what is written is told by its name. Did you mean selected_prim_ops.h?"),
        (["--ops", "aten::ad,aten::mull", "-o", "no"], "2 names cannot be selected."),
        (["--dict", "[1]", "-o", "no"], "--dict must be a JSON object of lists of texts"),
        (["--dict", "{", "-o", "no"], "--dict is not JSON"),
        (["none.pte", "-o", "no"], "none.pte: cannot be read: No such file or directory."),
        (["broken.pte", "-o", "no"], "broken.pte: "),
        (["--yaml", "broken.pte", "--check-ops-not-overlapping", "-o", "no"], "broken.pte: "),
        (["custom_ops.yaml", "custom_ops.yaml", "--check-ops-not-overlapping", "-o", "no"], "my_ops::mul3.out is in"),
        (["-o", "merged.yaml"], "merged.yaml: name the rows that are merged: --functions"),
        (["--model-file-list-path", "@none", "-o", "no"], "none: cannot be read"),
        (["--model-file-list-path", ".", "-o", "no"], ". holds no selection: none of selected_operators.yaml, "),
    ],
)  # fmt: skip
def test_a_mistake_is_told_and_nothing_is_written(run, folder, args, words):
    before = names(folder)
    code, _, told = run("select", *args)
    assert code == 1
    assert words in told
    assert names(folder) == before


def test_what_is_fused_has_a_kernel_in_lean_mode_alone(run, tmp_path):
    program = tenon.export(torch.nn.Linear(3, 2), (torch.ones(4, 3),), optimize=True)
    program.save(tmp_path / "fast.pte")
    assert run("check", tmp_path / "fast.pte")[0] == 0
    code, _, told = run("check", tmp_path / "fast.pte", "--mode", "aten")
    assert code == 1 and "1 operator of this model has no kernel" in told and "tenon::linear.out" in told


def test_programs_are_checked_for_kernels(run):
    code, said, _ = run("check", "half.pte")
    assert (code, said) == (0, "half.pte: 1 operator in 1 call, each with a kernel\n")
    code, said, told = run("check", "half.pte", "net.pte")
    assert code == 1
    assert said == "half.pte: 1 operator in 1 call, each with a kernel\n"
    first, row, remedy = told.splitlines()
    assert first == "Unsupported: net.pte: 1 operator of this model has no kernel."
    assert row.startswith("  aten::special_i0.out  instruction 1, ")
    assert "test_select_cli.py" in row
    assert remedy == "  Add a row to a functions.yaml or custom_ops.yaml, or build with --mode aten."


def test_rows_of_a_user_and_torch_serve_a_program(run, tmp_path):
    (tmp_path / "mine.yaml").write_text(
        "- op: special_i0.out\n  kernels: [{arg_meta: null, kernel_name: my::i0_out}]\n"
    )
    assert run("check", "net.pte", "--yaml", tmp_path / "mine.yaml")[0] == 0
    assert run("check", "net.pte", "--mode", "aten")[0] == 0
    assert "'atn' is no mode. Did you mean aten?" in run("check", "net.pte", "--mode", "atn")[2]


def test_it_runs_as_a_process(folder, tmp_path):
    command = [sys.executable, "-m", "tenon.cli", "select", "half.pte", "--ops", "aten::add", "-o", tmp_path / "out"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    wanted = union([of_model(folder / "half.pte", "half.pte"), of_list(["aten::add"], "--ops")])
    assert read_selection(tmp_path / "out" / "selected_operators.yaml") == wanted
    assert names(tmp_path / "out") == ["model_operators.yaml", "selected_operators.yaml", "selective_operators.yaml"]
