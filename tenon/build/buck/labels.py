"""Labels, and the workspace in which they stand: `//a/b:c`, `//a/b`, `:c`, `cell//a:b`, `@cell//a:b`, `:c[part]`."""

import configparser
import re
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from tenon.errors import Invalid

BUILD_FILES = ("BUCK", "TARGETS", "BUCK.v2")
_MARKS = (".buckconfig", ".buckroot", ".git")
_LABEL = re.compile(
    r"(?:@?(?P<cell>[\w.+-]*)//(?P<package>[^:\[\]]*))?(?::(?P<name>[^:\[\]]+))?(?:\[(?P<part>[^\[\]]+)\])?"
)


@dataclass(frozen=True)
class Label:
    """A target: its package is a folder, seen from the root of the workspace. `part` is one of its files."""

    package: str
    name: str
    part: str = ""
    cell: str = ""

    def __str__(self) -> str:
        cell = f"@{self.cell}" if self.cell else ""
        return f"{cell}//{self.package}:{self.name}" + (f"[{self.part}]" if self.part else "")

    @property
    def whole(self) -> "Label":
        return replace(self, part="")


@dataclass(frozen=True)
class Workspace:
    """A root folder, and the folders that .buckconfig calls cells. Any other cell is another name for the root."""

    root: Path
    cells: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def around(folder: Path) -> "Workspace":
        """The nearest folder upwards that is marked as a root; without a mark, the folder itself."""
        start = folder.resolve()
        marked = (up for up in (start, *start.parents) if any((up / mark).exists() for mark in _MARKS))
        return Workspace.at(next(marked, start))

    @staticmethod
    def at(root: Path) -> "Workspace":
        root = root.resolve()
        return Workspace(root, _cells(root))

    def label(self, text: str, package: str) -> Label:
        """The label that `text` is in a file of `package`."""
        match = _LABEL.fullmatch(text)
        if not match or not text or (match["package"] is None and match["name"] is None):
            raise Invalid(
                f"{text!r} is not a label. A label is //folder:target, //folder, or :target in its own folder."
            )
        folder, cell = match["package"], match["cell"] or ""
        if folder is None:
            return Label(package, match["name"], match["part"] or "")
        path = PurePosixPath(folder)
        if folder.startswith("/") or ".." in path.parts:
            raise Invalid(f"{text!r} is not a label: a folder is named from the root of the workspace, without `..`.")
        inside = self.cells.get(cell)
        here = "" if str(path) == "." else str(path)
        if inside is not None:
            here, cell = (PurePosixPath(inside) / path).as_posix().removeprefix("./"), ""
        name = match["name"] or path.name
        if not name:
            raise Invalid(f"{text!r} is not a label: it names no target. Write //:target.")
        return Label("" if here == "." else here, name, match["part"] or "", cell)

    def build_file(self, package: str) -> Path | None:
        """The file that defines the targets of a package."""
        found = (self.root / package / name for name in BUILD_FILES)
        return next((path for path in found if path.is_file()), None)

    def shown(self, path: Path) -> str:
        """A path as errors have it: from the root."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)


def _cells(root: Path) -> dict[str, str]:
    """Cells that lie in the workspace, from .buckconfig; Buck's older word for them is repositories."""
    config = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    path = root / ".buckconfig"
    if not path.is_file():
        return {}
    try:
        config.read(path)
    except configparser.Error as fault:
        raise Invalid(f"{path}: {fault}") from None
    cells: dict[str, str] = {}
    for section in ("repositories", "cells"):
        for name, folder in config.items(section) if config.has_section(section) else ():
            at = (root / (folder or ".")).resolve()
            if at.is_relative_to(root):
                cells[name] = at.relative_to(root).as_posix()
    return cells
