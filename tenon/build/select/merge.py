"""Two files of rows as one: a user's over another's."""

from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from tenon.build.select.selection import qualified
from tenon.files import read_whole
from tenon.ops.table import read_table


def merge_yaml(functions: str | Path, fallback: str | Path | None = None) -> str:
    """merged.yaml: all rows of `functions`, then those of `fallback` whose operator is new."""
    entries = _entries(functions)
    known = {_operator(entry) for entry in entries}
    if fallback is not None:
        entries += [entry for entry in _entries(fallback) if _operator(entry) not in known]
    return "\n".join(str(yaml.safe_dump([each], sort_keys=False, width=2**16, allow_unicode=True)) for each in entries)


def _entries(path: str | Path) -> list[dict[str, Any]]:
    read_table(Path(path))  # what is wrong with it is told here
    return yaml.safe_load(read_whole(path).decode()) or []


def _operator(entry: dict[str, Any]) -> str:
    text = str(entry.get("op") or entry.get("func"))
    return qualified(text.partition("(")[0].strip())
