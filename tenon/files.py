"""Output files are written whole or not at all."""

import os
import tempfile
from pathlib import Path

from tenon.errors import Invalid


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write beside the target and rename, so that no reader ever sees half a file."""
    target = Path(path)
    try:
        target = target.resolve() if target.is_symlink() else target
        if target.is_dir():
            raise Invalid(f"{target}: is a folder. Name the file to write.")
        if target.exists() and not target.is_file():
            raise Invalid(f"{target}: is not an ordinary file. Name one to write.")
        if not target.parent.is_dir():
            raise Invalid(f"{target}: the folder {target.parent} does not exist. Make it first.")
        _replace(target, data)
    except (OSError, ValueError) as error:
        raise Invalid(f"{target}: cannot be written: {_reason(error)}. Nothing was changed.") from error


def _replace(target: Path, data: bytes) -> None:
    handle, partial = tempfile.mkstemp(dir=target.parent, prefix=".tenon-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(partial, 0o666 & ~umask)
        os.replace(partial, target)
    finally:
        Path(partial).unlink(missing_ok=True)


def read_whole(path: str | os.PathLike[str]) -> bytes:
    """A file's bytes, or a sentence about why they cannot be had."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise Invalid(f"{os.fspath(path)}: cannot be read: {_reason(error)}.") from error


def _reason(error: OSError | ValueError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
