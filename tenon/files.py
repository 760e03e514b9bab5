"""Files are read in one piece, and written whole or not at all."""

import mmap
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tenon.errors import Invalid

# What a file holds; a view may be of memory that belongs to someone else, such as a model's weights.
Data = bytes | memoryview
CHUNK = 2**24  # bytes between two reports of progress
PAGE = 2**21  # bytes of a large one
_OWN = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}


def write_whole(path: str | os.PathLike[str], data: Data | Iterable[Data]) -> None:
    """Write data, or pieces of it one after the other, so that no reader ever sees half a file."""
    write_together([(path, [data] if isinstance(data, (bytes, memoryview)) else data)])


def write_together(
    files: Sequence[tuple[str | os.PathLike[str], Iterable[Data]]], wrote: Callable[[int], None] | None = None
) -> None:
    """Write several files: all of them, or, whatever fails, none. `wrote` is told the bytes so far.

    Each is written beside its target. Only when all are complete are they renamed, in this order; if a rename fails,
    those before it are undone. Only a process killed between two renames leaves the first new and the second old, and
    even then none is half.
    """
    with ExitStack() as partials, ExitStack() as undo:
        count = _Count(wrote)
        complete = []
        for path, pieces in files:
            with _told(Path(path)):
                target = _target(Path(path))
                complete.append((target, _write_beside(target, count.over(pieces), partials)))
        replaced = []
        for number, (target, partial) in enumerate(complete, 1):
            with _told(target):
                if number < len(complete):  # what may have to be undone
                    replaced += _set_aside(target, undo)
                os.replace(partial, target)
        undo.pop_all()
        for kept in replaced:
            with suppress(OSError):  # all is written, and that counts
                kept.unlink()


class _Count:
    """Counts pieces as they pass, and hands them on in chunks."""

    def __init__(self, wrote: Callable[[int], None] | None) -> None:
        self.wrote = wrote
        self.bytes = 0

    def over(self, pieces: Iterable[Data]) -> Iterator[Data]:
        for piece in pieces:
            view = memoryview(piece)
            for start in range(0, len(view), CHUNK):
                chunk = view[start : start + CHUNK]
                yield chunk
                self.bytes += len(chunk)
                if self.wrote is not None:
                    self.wrote(self.bytes)


@contextmanager
def _told(target: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise Invalid(f"{target}: cannot be written: {_reason(error)}. Nothing was changed.") from error


def _target(path: Path) -> Path:
    target = path.resolve() if path.is_symlink() else path
    if target.is_dir():
        raise Invalid(f"{target}: is a folder. Name the file to write.")
    if target.exists() and not target.is_file():
        raise Invalid(f"{target}: is not an ordinary file. Name one to write.")
    if not target.parent.is_dir():
        raise Invalid(f"{target}: the folder {target.parent} does not exist. Make it first.")
    return target


def _write_beside(target: Path, pieces: Iterable[Data], partials: ExitStack) -> Path:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".tenon-")
    partials.callback(Path(name).unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as stream:
        for piece in pieces:
            stream.write(piece)
    umask = os.umask(0)
    os.umask(umask)
    os.chmod(name, 0o666 & ~umask)
    return Path(name)


def _set_aside(target: Path, undo: ExitStack) -> list[Path]:
    """Keep what a rename will replace, until nothing can fail any more."""
    if not target.exists():
        undo.callback(target.unlink, missing_ok=True)
        return []
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".tenon-")
    os.close(handle)
    try:
        os.replace(target, name)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    undo.callback(os.replace, name, target)
    return [Path(name)]


def read_whole(path: str | os.PathLike[str], progress: Callable[[int, int], None] | None = None) -> bytearray:
    """A file's bytes, or a sentence about why they cannot be had. `progress` is told the bytes read, and all."""
    try:
        with open(path, "rb", buffering=0) as stream:
            total, done = os.fstat(stream.fileno()).st_size, 0
            data = bytearray(total)
            with memoryview(data) as view:
                while done < total and (count := stream.readinto(view[done : done + CHUNK])):
                    done += count
                    if progress is not None:
                        progress(done, total)
            del data[done:]
            data += stream.read()  # of a pipe, which does not tell its size
            return data
    except (OSError, ValueError) as error:
        raise Invalid(f"{os.fspath(path)}: cannot be read: {_reason(error)}.") from error


def hold_whole(path: str | os.PathLike[str]) -> memoryview:
    """A file's bytes in memory of their own, in large pages where the system has them.

    Weights are read from end to end at every call, and in pages of 4 KiB a processor spends up to a third of that time
    on finding the pages.
    """
    try:
        with open(path, "rb", buffering=0) as stream:
            size, done = os.fstat(stream.fileno()).st_size, 0
            if not size:  # or of a pipe, which does not tell it
                return memoryview(stream.read())
            memory = mmap.mmap(-1, -(-size // PAGE) * PAGE, **_OWN)
            if size >= PAGE and hasattr(mmap, "MADV_HUGEPAGE"):  # less would take all of one
                with suppress(OSError):  # of a system that was built without
                    memory.madvise(mmap.MADV_HUGEPAGE)
            held = memoryview(memory)
            while done < size and (count := stream.readinto(held[done:size])):
                done += count
            return held[:done].toreadonly()
    except (OSError, ValueError) as error:
        raise Invalid(f"{os.fspath(path)}: cannot be read: {_reason(error)}.") from error


def map_whole(path: str | os.PathLike[str]) -> memoryview:
    """A file's bytes where they are, to be read as they are needed."""
    try:
        with Path(path).open("rb") as stream:
            if not os.fstat(stream.fileno()).st_size:  # which cannot be mapped
                return memoryview(b"")
            return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise Invalid(f"{os.fspath(path)}: cannot be read: {_reason(error)}.") from error


def _reason(error: OSError | ValueError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
