"""The files that a selection is written as. The name of each says what is in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tenon.build.generate import Bound
from tenon.build.select.dtypes import DTYPE_HEADER, dtype_header
from tenon.build.select.files import selection_files, selection_text
from tenon.build.select.merge import merge_yaml
from tenon.build.select.prim import prim_ops_header
from tenon.build.select.registry import max_kernel_header
from tenon.build.select.selection import Selection, union
from tenon.errors import Invalid, near

DTYPES, REGISTRY, PRIM, MERGED = (
    Path(DTYPE_HEADER).name,
    "selected_max_kernel_num.h",
    "selected_prim_ops.h",
    "merged.yaml",
)


@dataclass(frozen=True)
class Sources:
    """What files are made from."""

    programs: Sequence[tuple[str, Selection]]
    given: Sequence[Selection]
    bound: Sequence[Bound]
    functions: Path | None = None
    fallback: Path | None = None


def texts(outputs: Sequence[Path], sources: Sources) -> dict[Path, str]:
    """The text of each file. A folder gets the selection's files."""
    found: dict[Path, str] = {}
    together = union(sources.given)
    for path in outputs:
        if is_folder(path):
            made = selection_files(sources.programs, together)
            found |= {path / name: text for name, text in made.items()}
        else:
            found[path] = _text(path, together, sources)
    return found


def is_folder(path: Path) -> bool:
    return path.is_dir() or not path.suffix


def _text(path: Path, together: Selection, sources: Sources) -> str:
    match path.name:
        case name if name == DTYPES:
            return dtype_header(together, sources.bound)
        case name if name == REGISTRY:
            return max_kernel_header(sources.given, sources.bound)
        case name if name == PRIM:
            return prim_ops_header(together)
        case name if name == MERGED:
            if sources.functions is None:
                raise Invalid(f"{path}: name the rows that are merged: --functions, and --fallback-yaml-path.")
            return merge_yaml(sources.functions, sources.fallback)
    return selection_text(together)


def check_outputs(outputs: Sequence[Path]) -> None:
    """Each is a folder, or a file with a name that is known."""
    names = (DTYPES, REGISTRY, PRIM, MERGED)
    if not outputs:
        raise Invalid("Say where to write: -o FOLDER for the selection's files.")
    for path in outputs:
        if not is_folder(path) and path.name not in names and path.suffix not in (".yaml", ".yml"):
            known = f"It is a folder, NAME.yaml, {', '.join(names)}."
            raise Invalid(f"{path}: what is written is told by its name.{near(path.name, names)} {known}")
