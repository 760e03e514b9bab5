"""The documents tell the truth: their examples are run, and their tables compared with the lists they copy."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tenon.build.installed import own_rows
from tenon.ir.dims import FUNCTIONS
from tenon.ir.types import DTYPES
from tenon.ops.symbolic import SYMBOLIC

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def page():
    return (DOCS / "ir.md").read_text()


@pytest.fixture(scope="module")
def blocks(page):
    """The worked example's blocks: model, capture, JSON, text, reader, what it prints."""
    example = page[page.index("## A worked example") :]
    return [code for _, code in re.findall(r"```(\w*)\n(.*?)```", example, re.DOTALL)]


def run(folder, *args):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *args], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_worked_example_gives_these_bytes_and_the_reader_reads_them(tmp_path, blocks):
    model, capture, json_text, text, reader, printed = blocks[:6]
    (tmp_path / "gate.py").write_text(model)
    (tmp_path / "capture.py").write_text(capture + "print(tenon.ir.to_text(ir), end='')\n")
    (tmp_path / "list_ops.py").write_text(reader)
    assert run(tmp_path, "capture.py") == text
    assert (tmp_path / "gate.json").read_text() == json_text
    assert run(tmp_path, "list_ops.py", "gate.json") == printed


def test_the_tables_are_those_of_the_code(page):
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (\d+) \| (\w+) \|$", page, re.MULTILINE)
    found = [(name, short, int(size), None if code == "none" else int(code)) for name, short, size, code in rows]
    assert found == [(dtype.name, dtype.short, dtype.bytes, dtype.code) for dtype in DTYPES]
    expressions = page[page.index("## Dimension expressions") : page.index("## Values and types")]
    assert set(FUNCTIONS) <= set(re.findall(r"`(\w+)[(`]", expressions))
    symbolic = page[page.index("### Symbolic operators") : page.index("### Higher-order operators")]
    assert {name.removeprefix("sym::") for name in SYMBOLIC} <= set(re.findall(r"`(\w+)`", symbolic))


def test_the_example_of_a_program_prints_what_the_page_says(tmp_path):
    text = (DOCS / "programs.md").read_text()
    code, printed = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)[:2]
    (tmp_path / "example.py").write_text(code)
    assert run(tmp_path, "example.py") == printed


def test_the_page_of_operators_has_a_line_for_each_row():
    lines = (DOCS / "ops.md").read_text().splitlines()
    table = lines[lines.index("## Kernels") : lines.index("## torch's operators as programs")]
    assert [line.split("`")[1] for line in table if line.startswith("| `")] == sorted(row.op for row in own_rows()), (
        "docs/ops.md is of other rows: make ops"
    )
