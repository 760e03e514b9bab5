"""The package as users meet it: what is public, what it needs, and the README's own words."""

import re
import subprocess
import sys
from pathlib import Path

import tenon

ROOT = Path(__file__).parents[1]


def run(*args, cwd):
    return subprocess.run([sys.executable, *args], cwd=cwd, capture_output=True, text=True, timeout=300, check=False)


def test_every_public_name_is_there():
    for name in tenon.__all__:
        assert getattr(tenon, name) is not None
    assert callable(tenon.capture), "the function, not the folder of the same name"


def test_an_unknown_name_is_an_attribute_error():
    try:
        tenon.no_such_name  # noqa: B018
    except AttributeError as error:
        assert "no_such_name" in str(error)
    else:
        raise AssertionError("an unknown name was found")


def test_the_native_module_is_built():
    from tenon import _native

    assert _native.version == tenon.__version__
    assert _native.compiler()


def test_graphs_are_read_without_torch(tmp_path):
    import torch

    tenon.extract_ir(torch.nn.Linear(2, 2), (torch.ones(1, 2),)).save(tmp_path / "ir.json")
    script = f"""
import sys
sys.modules["torch"] = None  # importing it fails
import tenon
ir = tenon.load_ir({str(tmp_path / "ir.json")!r})
assert tenon.parse_ir(str(ir)) == ir
print(ir.nodes[0].op, tenon.ir_to_mermaid(ir).splitlines()[0])
"""
    done = run("-c", script, cwd=tmp_path)
    assert done.stdout == "aten::linear flowchart TD\n", done.stderr


def test_the_readme_shows_real_output(tmp_path):
    text = (ROOT / "README.md").read_text()
    code, shown = re.search(r"```python\n(.*?)```\n+It prints\n+```\n(.*?)```", text, re.DOTALL).groups()
    (tmp_path / "example.py").write_text(code)
    done = run("-W", "ignore", "example.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip() == shown.rstrip()


def test_stages_do_not_import_each_other():
    stages = {"capture", "dialect", "lower", "plan", "emit", "build", "run"}
    shared = {"dialect"}  # a list that every stage may check against
    for stage in stages:
        for file in (ROOT / "tenon" / stage).rglob("*.py"):
            imported = set(re.findall(r"from tenon\.(\w+)", file.read_text())) & stages
            assert imported <= {stage} | shared, f"{file} imports {imported}"


def test_the_map_names_every_folder_and_file():
    text = (ROOT / "docs" / "map.md").read_text()
    for folder in sorted(path for path in (ROOT / "tenon").iterdir() if path.is_dir() and path.name != "__pycache__"):
        assert f"`{folder.name}/`" in text
        for file in folder.rglob("*.py"):
            assert file.name == "__init__.py" or f"`{file.name}`" in text, (
                f"docs/map.md does not name {folder.name}/{file.name}"
            )
