"""Objects kept from build to build: found again if the command, the source and every header it read are the same."""

import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TypedDict

from tenon.errors import Invalid

_KEPT_SECONDS = 30 * 24 * 3600
_TEXT_FOLDER = "text"


class _Entry(TypedDict):
    """An object of a key, and digests of what it was made of."""

    object: str
    needs: dict[str, str]


class Store:
    """A folder. Several builds may use it at once: what is there is whole, and never changes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                pass
        except OSError as error:
            raise Invalid(
                f"{folder}: what is compiled cannot be kept there: {error.strerror}. "
                "Name another folder in the variable TENON_CACHE."
            ) from None

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder for work, on the same disk as what is kept."""
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="work-") as name:
            yield Path(name)

    def key(self, *words: str, source: Path) -> str:
        return _hash("\0".join([*words, content(source)]).encode())

    def find(self, key: str) -> Path | None:
        """The object of this key for the headers as they are now."""
        for entry in self._entries(key):
            made = self.folder / entry["object"]
            if all(content(Path(path)) == digest for path, digest in entry["needs"].items()) and made.exists():
                with suppress(OSError):
                    os.utime(made)
                return made
        return None

    def keep(self, key: str, stem: str, made: Path, needs: str) -> Path:
        """Take an object in, with the files that the compiler says it read."""
        digests = {path: content(Path(path)) for path in prerequisites(needs)}
        name = f"{stem}-{_hash(key.encode() + json.dumps(digests).encode())}.o"
        os.replace(made, self.folder / name)
        entries = [each for each in self._entries(key) if each["object"] != name][-7:]
        self._write(self.folder / f"{key}.json", json.dumps([{"object": name, "needs": digests}, *entries]))
        self._drop_old()
        return self.folder / name

    def texts(self, files: Mapping[str, str]) -> Path:
        """A folder with these files in it. The same files have the same folder, so that what includes them is found."""
        folder = self.folder / _TEXT_FOLDER / _hash(json.dumps(sorted(files.items())).encode())
        for name, text in files.items():
            target = folder / name
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                self._write(target, text)
        os.utime(folder)
        return folder

    def _entries(self, key: str) -> list[_Entry]:
        try:
            return list(json.loads((self.folder / f"{key}.json").read_text()))
        except (OSError, ValueError):
            return []

    def _write(self, target: Path, text: str) -> None:
        handle, name = tempfile.mkstemp(dir=self.folder, prefix="work-")
        with os.fdopen(handle, "w") as stream:
            stream.write(text)
        os.replace(name, target)

    def _drop_old(self) -> None:
        """What nobody used for a month, and what builds left that were ended."""
        limit = time.time() - _KEPT_SECONDS
        for old in [*self.folder.iterdir(), *(self.folder / _TEXT_FOLDER).glob("*")]:
            with suppress(OSError):  # another build may be at the same
                if old.name == _TEXT_FOLDER or old.stat().st_mtime > limit:
                    continue
                shutil.rmtree(old) if old.is_dir() else old.unlink()


def content(path: Path) -> str:
    """A digest of what a file holds; nothing if it cannot be read, which is the digest of no file."""
    try:
        state = path.stat()
        return _content(path, state.st_mtime_ns, state.st_size)
    except OSError:
        return ""


@cache
def _content(path: Path, _changed: int, _size: int) -> str:
    return _hash(path.read_bytes())


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def prerequisites(rule: str) -> list[str]:
    """The files behind the colon of a rule as compilers write it for make."""
    behind = rule.replace("\\\n", " ").partition(": ")[2]
    found = re.findall(r"(?:\\.|[^\s\\])+", behind)
    return [re.sub(r"\\([ #\\:])", r"\1", each).replace("$$", "$") for each in found]
