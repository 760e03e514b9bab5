"""The command line, in processes of their own: results, words, exit codes, and no half-written files."""

import io
import re
import subprocess
import sys
import threading
import time
from typing import ClassVar

import pytest
from rich.console import Console

import tenon
from tenon.cli import programs
from tenon.cli import terminal as cli

MODEL = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(16, 32)
    def forward(self, x, scale=1.0):
        return torch.nn.functional.silu(self.linear(x)) * scale

def net():
    batch = torch.export.Dim("batch", min=1, max=8)
    return Net(), (torch.ones(2, 16),), {"scale": 2.0}, {"x": {0: batch}, "scale": None}

def branches():
    class Branches(torch.nn.Module):
        def forward(self, x):
            return x + 1 if x.sum() > 0 else x - 1
    return Branches(), (torch.ones(2),)

def wrong_inputs():
    return Net(), (torch.ones(2, 5),)

def broken():
    raise KeyError("weights")

def nothing():
    return Net()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("a folder with spaces")
    (path / "my model.py").write_text(MODEL)
    return path


def run(folder, *args):
    return subprocess.run(
        [sys.executable, "-m", "tenon.cli", *args], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


def test_a_graph_is_extracted_and_shown(folder):
    done = run(folder, "ir", "my model.py:net", "-o", "net.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "net.json: Net, 3 nodes, 2 weights\n"
    ir = tenon.load_ir(folder / "net.json")
    assert [node.op for node in ir.nodes] == ["aten::linear", "aten::silu", "aten::mul.Tensor"]
    shown = run(folder, "ir", "show", "net.json")
    assert shown.returncode == 0
    for part in ("aten::linear", "parameters   544", "8.19 k", "counted at   batch=8", "2.12 KiB"):
        assert part in shown.stdout, shown.stdout
    assert "counted at   batch=1" in run(folder, "ir", "show", "net.json", "--at", "batch=1").stdout
    assert tenon.parse_ir(run(folder, "ir", "show", "net.json", "--text").stdout) == ir


def test_a_graph_is_written_in_the_aten_dialect_as_text_and_as_mermaid(folder):
    assert run(folder, "ir", "my model.py:net", "-o", "net.txt", "--dialect", "aten").returncode == 0
    assert tenon.parse_ir((folder / "net.txt").read_text()).dialect == "aten"
    assert run(folder, "ir", "my model.py:net", "-o", "net.mmd").returncode == 0
    assert (folder / "net.mmd").read_text().startswith("flowchart TD\n")


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (("my model.py:branches", "-o", "x.json"), "Unsupported: torch.export cannot capture Branches at my model.py:"),
        (
            ("my model.py:wrong_inputs", "-o", "x.json"),
            "Invalid: Net.forward raised RuntimeError at my model.py:9 in Net.forward",
        ),
        (("my model.py:broken", "-o", "x.json"), "Invalid: broken() in my model.py raised KeyError at my model.py:"),
        (("my model.py:nothing", "-o", "x.json"), "must give (model, args[, kwargs[, dynamic_shapes]]), not a Net."),
        (("my model.py:nett", "-o", "x.json"), "Invalid: my model.py has no function nett. Did you mean net?"),
        (("my model.py", "-o", "x.json"), "a model is named as MODEL.py:FACTORY"),
        (("none.py:net", "-o", "x.json"), "Invalid: none.py: there is no such file."),
        (("my model.py:net", "-o", "x.onnx"), "a graph is written as .json, .txt, .mmd, not as .onnx."),
        (("my model.py:net", "-o", "nowhere/x.json"), "the folder nowhere does not exist. Make it first."),
        (("my model.py:net", "-o", "x.json", "--dialect", "edg"), "'edg' is not a dialect to extract."),
        (("show", "none.json"), "Invalid: none.json: cannot be read: No such file or directory."),
    ],
)
def test_a_mistake_is_one_message_and_exit_code_1(folder, args, text):
    done = run(folder, "ir", *args)
    assert done.returncode == 1
    assert text in done.stderr and "Traceback" not in done.stderr + done.stdout
    assert not (folder / "x.json").exists()
    assert {path.suffix for path in folder.iterdir()} <= {".py", ".json", ".txt", ".mmd", ""}


def test_damaged_files_are_told_with_their_place(folder):
    whole = tenon.ir.to_json(tenon.extract_ir(__import__("torch").nn.ReLU(), (__import__("torch").ones(2),)))
    (folder / "half.json").write_text(whole[: len(whole) // 2])
    done = run(folder, "ir", "show", "half.json")
    assert done.returncode == 1 and "half.json: the JSON breaks off or is damaged at line" in done.stderr
    (folder / "edited.json").write_text(whole.replace('"ref": "input"', '"ref": "inptu"'))
    done = run(folder, "ir", "show", "edited.json")
    assert done.returncode == 1 and "%0 aten::relu: uses %inptu, which is not defined before it" in done.stderr


def test_an_unknown_symbol_is_told(folder):
    run(folder, "ir", "my model.py:net", "-o", "net.json")
    done = run(folder, "ir", "show", "net.json", "--at", "bach=2")
    assert done.returncode == 1 and "Net has no symbol 'bach'. Did you mean batch? There are: batch." in done.stderr


def test_a_wrong_command_line_is_exit_code_2(folder):
    assert run(folder, "ir", "my model.py:net").returncode == 2
    assert run(folder, "nonsense").returncode == 2
    assert run(folder, "--help").returncode == 0


@pytest.mark.parametrize(
    ("flags", "operator"), [((), "tenon::linear.out"), (("--no-optimize",), "aten::addmm.out")], ids=["fast", "plain"]
)
def test_a_program_is_exported_and_shown(folder, flags, operator):
    done = run(folder, "export", "my model.py:net", "-o", "net.pte", *flags)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("net.pte: ") and " planned\n" in done.stdout
    shown = run(folder, "show", "net.pte")
    assert shown.returncode == 0
    for part in ("forward", operator, "planned ", "constants "):
        assert part in shown.stdout, shown.stdout
    (folder / "net.pte").unlink()


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (
            ("export", "my model.py:net", "-o", "net.pte", "--memory", "sram=lots"),
            "Invalid: --memory sram=lots: a bank is given as NAME=BYTES, such as sram=65536, or as NAME alone.",
        ),
        (
            ("export", "my model.py:net", "-o", "net.onnx"),
            "Invalid: net.onnx: a program is written as .pte, not as .onnx.",
        ),
        (("show", "my model.py"), "Invalid: my model.py: this is no program: bytes 4 to 7 are"),
        (("show", "none.pte"), "Invalid: none.pte: cannot be read: No such file or directory."),
        (("show", "[red]:b:[/x].pte"), "Invalid: [red]:b:[/x].pte: cannot be read: No such file or directory."),
        (("build", "//a:b"), "Invalid: //a:b: there is no folder a in "),
        (
            ("build", "//a:b", "--ops", "add.out", "--dtype"),
            "Invalid: --ops, --dtype: a target takes it from its BUCK file. Write it there.",
        ),
    ],
)
def test_a_mistake_with_a_program_is_one_message(folder, args, text):
    done = run(folder, *args)
    assert done.returncode == 1 and text in done.stderr and "Traceback" not in done.stderr


# --- the bar ------------------------------------------------------------------------------------------------


class Timer:
    """A timer that runs out when the test says so."""

    made: ClassVar = []

    def __init__(self, seconds, start):
        self.seconds, self.start_bar, self.cancelled = seconds, start, False
        Timer.made.append(self)

    def start(self):
        pass

    def cancel(self):
        self.cancelled = True

    def join(self):
        assert self.cancelled


@pytest.fixture
def terminal(monkeypatch):
    """What is drawn on a terminal of 100 columns."""
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, force_interactive=True, width=100, color_system=None)
    monkeypatch.setattr(cli, "err", console)
    monkeypatch.setattr(Timer, "made", [])
    return screen


def test_nothing_is_drawn_in_the_first_second(terminal):
    with cli.working(Timer) as bar:
        bar.step("load net.py:net", 0, 1)
        bar.bytes("write net.pte")(5, 10)
        assert Timer.made[0].seconds == 1.0
    assert terminal.getvalue() == ""


def test_after_a_second_steps_and_bytes_are_drawn_with_their_measure_and_then_wiped(terminal):
    with cli.working(Timer) as bar:
        bar.step("capture forward", 0, 5)
        Timer.made[0].start_bar()
        assert "capture forward" in terminal.getvalue() and "step 1 of 5" in terminal.getvalue()
        bar.step("plan [red]forward[/red]", 2, 5)
        bar.progress.refresh()
        assert "plan [red]forward[/red]" in terminal.getvalue() and "step 3 of 5" in terminal.getvalue()
        tell = bar.bytes("write net.pte")
        bar.progress.refresh()
        assert "write net.pte" in terminal.getvalue() and "GiB" not in terminal.getvalue()
        tell(3 * 2**29, 2**31)
        bar.progress.refresh()
        assert "1.50 GiB of 2.00 GiB" in terminal.getvalue()
    erase, show_cursor = "\x1b[2K", "\x1b[?25h"
    assert terminal.getvalue().endswith(erase) and show_cursor in terminal.getvalue()


def test_the_bar_is_wiped_when_a_command_fails(terminal):
    with pytest.raises(tenon.Invalid), cli.working(Timer) as bar:
        bar.step("capture forward", 0, 5)
        Timer.made[0].start_bar()
        raise tenon.Invalid("no")
    assert not bar.progress.live.is_started and Timer.made[0].cancelled


def test_nothing_is_drawn_where_there_is_no_terminal(monkeypatch):
    screen = io.StringIO()
    monkeypatch.setattr(cli, "err", Console(file=screen))
    monkeypatch.setattr(Timer, "made", [])
    with cli.working(Timer) as bar:
        bar.step("capture forward", 0, 5)
        bar.progress.start()
    assert screen.getvalue() == "" and Timer.made == []


def test_a_real_timer_starts_the_bar_by_itself(terminal):
    with cli.working(lambda seconds, start: threading.Timer(seconds / 1000, start)) as bar:
        bar.step("capture forward", 0, 5)
        for _ in range(1000):
            if "step 1 of 5" in terminal.getvalue():
                break
            time.sleep(0.01)
    assert "step 1 of 5" in terminal.getvalue()


def test_commands_tell_the_bar_what_they_do(folder, terminal, monkeypatch):
    told = []
    monkeypatch.setattr(cli.Bar, "_set", lambda self, *told_now: told.append(told_now))
    monkeypatch.chdir(folder)
    programs.export("my model.py:net", folder / "told.pte")
    programs.show_program(folder / "told.pte")
    (folder / "told.pte").unlink()
    done = list(dict.fromkeys(what for what, *_ in told))
    stages = [f"{stage} forward" for stage in ("capture", "lower", "plan", "emit")]
    program = folder / "told.pte"
    assert done == ["load my model.py:net", *stages, "check", f"write {program}", f"read {program}"]
    assert [(number, total) for what, number, total, _ in told if what.startswith("read")][-1][0] > 0


def test_memory_banks_and_weights_beside_are_options(folder):
    done = run(folder, "export", "my model.py:net", "-o", "n.pte", "--memory", "sram=64", "--memory", "dram")
    assert done.returncode == 0, done.stderr
    done = run(folder, "export", "my model.py:net", "-o", "beside.pte", "--external-weights")
    assert done.returncode == 0 and (folder / "beside.ptd").is_file()
    done = run(folder, "export", "my model.py:net", "-o", "small.pte", "--memory", "sram=16")
    assert done.returncode == 1 and "bytes too small" in done.stderr and not (folder / "small.pte").exists()


def test_the_bytes_that_a_method_needs_are_told_exactly(folder):
    told = run(folder, "export", "my model.py:net", "-o", "bytes.pte").stdout
    own, banks = tenon.load(folder / "bytes.pte").memory_needed()
    line = f"method forward needs {own} bytes for values and instructions, {banks[0]} in bank 1"
    assert line in told and line in run(folder, "show", "bytes.pte").stdout


def test_an_operator_is_told_with_its_schema_row_kernel_and_lowering(folder):
    done = run(folder, "ops", "softplus.out", "add.Tensor", "mul")
    assert (done.returncode, done.stderr) == (0, "")
    for part in (
        "aten::softplus.out\n  schema    aten::softplus.out(Tensor self, Scalar beta=1, ",
        "  lowering  it becomes aten::add.out\n",
        "aten::mul.Scalar_out\n",
        "  lowering  aten::mul.Tensor becomes this\n  tests     pytest tests/native/test_kernels.py -k mul.out\n",
    ):
        assert part in done.stdout, done.stdout
    assert re.search(
        r"  row       functions.yaml:\d+\n  kernel    tenon::native::mul_out, kernels/binary.cpp:\d+\n", done.stdout
    )
    assert "quantized_decomposed::quantize_per_token.out" in run(folder, "ops", "quantize_per_token.out").stdout
    assert len(run(folder, "ops").stdout.splitlines()) > 250


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("linalg_qr", "it is not core ATen, and has no kernel in lean mode; ATen mode runs it, with keep=[...]"),
        ("selu", "it is taken apart when a model is captured, unless keep=[...] names it"),
        ("silu", "aten::silu becomes this, if keep=[...] names it; otherwise it is taken apart"),
        ("dim_order_ops::_clone_dim_order.out", "programs call it by this name"),
        ("sofplus", "Invalid: sofplus is no operator of torch, and no row of Tenon's has it. Did you mean "),
    ],
)
def test_what_becomes_of_an_operator_is_told(folder, name, text):
    done = run(folder, "ops", name)
    assert text in done.stdout + done.stderr
    assert done.returncode == (1 if text.startswith("Invalid") else 0)
