"""A folder of results: made elsewhere, and moved to its place when all of it is there."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tenon.errors import Invalid


@contextmanager
def written_whole(out: Path) -> Iterator[Path]:
    """A folder to write in. When all is well its files move to `out`, beside others there; else nothing changes."""
    if out.exists() and not out.is_dir():
        raise Invalid(f"{out}: is a file. Name a folder to write to.")
    try:
        beside = next(each for each in (out.absolute(), *out.absolute().parents) if each.is_dir())
        with tempfile.TemporaryDirectory(dir=beside, prefix=".tenon-") as name:
            folder = Path(name) / "new"
            folder.mkdir()
            yield folder
            _move(folder, out, Path(name))
    except OSError as error:
        raise Invalid(f"{out}: cannot be written: {error.strerror or error}. Nothing was changed.") from error


def _move(folder: Path, out: Path, scratch: Path) -> None:
    with ExitStack() as undo:
        for number, source in enumerate(sorted(each for each in folder.rglob("*") if not each.is_dir())):
            target = out / source.relative_to(folder)
            _make_folder(target.parent, undo)
            if target.is_dir():
                raise Invalid(f"{target}: is a folder, and a file is to be written there. Nothing was changed.")
            if target.exists() or target.is_symlink():
                kept = scratch / f"old-{number}"
                os.replace(target, kept)
                undo.callback(os.replace, kept, target)
            else:
                undo.callback(target.unlink, missing_ok=True)
            os.replace(source, target)
        undo.pop_all()


def _make_folder(folder: Path, undo: ExitStack) -> None:
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir()
        undo.callback(each.rmdir)
