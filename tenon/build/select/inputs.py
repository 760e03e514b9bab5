"""Files that operators are selected from, told apart by what is in them."""

from collections.abc import Sequence
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from tenon.build.select.files import OF_ALL, OF_MODEL, read_selection
from tenon.build.select.model import of_model
from tenon.build.select.selection import Selection, of_yaml
from tenon.errors import Invalid, listing, plural
from tenon.files import read_whole


def of_file(path: Path) -> Selection:
    """Of a program, of a selection that was written before, or of rows: all operators in it."""
    if path.suffix == ".pte":
        return of_model(path)
    return of_yaml(path) if holds_rows(path) else read_selection(path)


def holds_rows(path: Path) -> bool:
    """Whether a file is a list of rows, rather than a program or a selection, which is a mapping."""
    if path.suffix == ".pte":
        return False
    try:
        for event in yaml.parse(read_whole(path).decode(), Loader=yaml.SafeLoader):
            if isinstance(event, yaml.NodeEvent):
                return not isinstance(event, yaml.MappingStartEvent)
    except (yaml.YAMLError, UnicodeDecodeError) as fault:
        raise Invalid(f"{path} is neither a program (.pte) nor YAML: {fault}") from None
    return True


def of_file_list(text: str) -> list[Path]:
    """A selection's path, or `@FILE`, whose lines are selections or folders that hold one."""
    if not text.startswith("@"):
        return [_in_folder(Path(text))]
    return [_in_folder(Path(line)) for line in read_whole(text[1:]).decode(errors="replace").split()]


def _in_folder(path: Path) -> Path:
    if not path.is_dir():
        return path
    names = [*reversed(OF_ALL), OF_MODEL]
    found = next((path / name for name in names if (path / name).is_file()), None)
    if found is None:
        raise Invalid(f"{path} holds no selection: none of {', '.join(names)} is in it.")
    return found


def check_apart(read: Sequence[tuple[str, Selection]]) -> None:
    """No operator is in two of them."""
    holders: dict[str, list[str]] = {}
    for path, selection in read:
        for op in selection.operators:
            holders.setdefault(op, []).append(path)
    faults = [f"{op} is in {' and in '.join(paths)}" for op, paths in sorted(holders.items()) if len(paths) > 1]
    if faults:
        raise Invalid(listing(f"{plural(len(faults), 'operator')} would be registered twice.", faults))
