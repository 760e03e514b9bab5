"""Output files are written whole or not at all, and what stands in the way is said in a sentence."""

import errno
import os
import stat
import tempfile
import threading

import pytest

from tenon.errors import Invalid
from tenon.files import PAGE, hold_whole, map_whole, read_whole, write_together, write_whole


def refusal(function, *args):
    with pytest.raises(Invalid) as error:
        function(*args)
    return str(error.value)


def failing(code):
    def fail(*_, **__):
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize("data", [b"", b"text\n", bytes(range(256)) * 1000], ids=["nothing", "text", "bytes"])
def test_what_is_written_is_read(tmp_path, data):
    path = tmp_path / "out.bin"
    write_whole(path, data)
    for read in (read_whole, hold_whole, map_whole):
        assert read(path) == data
        assert read(os.fspath(path)) == data
    assert os.listdir(tmp_path) == ["out.bin"]


@pytest.mark.parametrize("size", [PAGE - 1, PAGE, 2 * PAGE + 5])
def test_what_is_held_is_whole_and_stays_when_the_file_changes(tmp_path, size):
    path, data = tmp_path / "weights.bin", os.urandom(size)
    path.write_bytes(data)
    held = hold_whole(path)
    path.write_bytes(b"other")
    assert held == data and held.readonly


def test_a_file_is_replaced(tmp_path):
    path = tmp_path / "out.bin"
    write_whole(path, b"a longer text")
    write_whole(str(path), b"short")
    assert path.read_bytes() == b"short"
    assert os.listdir(tmp_path) == ["out.bin"]


def test_a_path_may_be_relative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_whole("out.bin", b"x")
    assert read_whole("out.bin") == b"x"


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_a_new_file_may_be_read_by_whom_the_umask_lets(tmp_path, umask):
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "out.bin", b"x")
        after = os.umask(umask)
    finally:
        os.umask(before)
    assert after == umask
    assert stat.S_IMODE((tmp_path / "out.bin").stat().st_mode) == 0o666 & ~umask


def test_a_name_may_be_as_long_as_the_file_system_lets_it(tmp_path):
    path = tmp_path / ("x" * 250)
    path.write_bytes(b"it can be")
    write_whole(path, b"x")
    assert path.read_bytes() == b"x"


def test_a_missing_folder_is_named(tmp_path):
    path = tmp_path / "none" / "out.bin"
    assert refusal(write_whole, path, b"x") == f"{path}: the folder {path.parent} does not exist. Make it first."
    assert os.listdir(tmp_path) == []


def test_a_folder_is_not_written_over(tmp_path):
    assert refusal(write_whole, tmp_path, b"x") == f"{tmp_path}: is a folder. Name the file to write."


def test_a_folder_that_cannot_be_written_to_is_said_to_be_so(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "mkstemp", failing(errno.EACCES))
    path = tmp_path / "out.bin"
    assert refusal(write_whole, path, b"x") == f"{path}: cannot be written: Permission denied. Nothing was changed."


@pytest.mark.parametrize("step", ["replace", "chmod"])
@pytest.mark.parametrize("existing", [True, False], ids=["over a file", "anew"])
def test_a_failure_leaves_everything_as_it_was(tmp_path, monkeypatch, step, existing):
    path = tmp_path / "out.bin"
    if existing:
        path.write_bytes(b"old")
    monkeypatch.setattr(os, step, failing(errno.ENOSPC))
    message = refusal(write_whole, path, b"new")
    assert message == f"{path}: cannot be written: No space left on device. Nothing was changed."
    assert os.listdir(tmp_path) == (["out.bin"] if existing else [])
    assert not existing or path.read_bytes() == b"old"


def test_a_full_disk_leaves_everything_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "out.bin"
    path.write_bytes(b"old")
    real = os.fdopen

    class Full:
        """A stream that takes nothing."""

        def __init__(self, handle, mode):
            self.stream = real(handle, mode)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.stream.close()

        write = staticmethod(failing(errno.ENOSPC))

    monkeypatch.setattr(os, "fdopen", Full)
    assert "No space left on device" in refusal(write_whole, path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.bin"]


def test_an_interrupt_leaves_everything_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "out.bin"
    path.write_bytes(b"old")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.bin"]


@pytest.mark.parametrize("read", [read_whole, hold_whole, map_whole])
def test_a_file_that_cannot_be_read_is_named(tmp_path, read):
    missing = tmp_path / "none.bin"
    assert refusal(read, missing) == f"{missing}: cannot be read: No such file or directory."
    assert refusal(read, tmp_path) == f"{tmp_path}: cannot be read: Is a directory."
    (tmp_path / "file").write_bytes(b"")
    under = tmp_path / "file" / "x"
    assert refusal(read, under) == f"{under}: cannot be read: Not a directory."


@pytest.mark.parametrize("name", ["a\0b", "x" * 300], ids=["with a null", "too long"])
@pytest.mark.parametrize("use", [read_whole, lambda path: write_whole(path, b"x")], ids=["read", "write"])
def test_a_path_that_no_file_can_have_is_refused(tmp_path, use, name):
    assert refusal(use, tmp_path / name)


def test_a_link_is_followed_and_a_device_is_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "file").read_bytes() == b"new" and (tmp_path / "link").is_symlink()
    assert refusal(lambda: write_whole("/dev/null", b"")) == "/dev/null: is not an ordinary file. Name one to write."


# --- in pieces ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pieces",
    [[b"one", b"", b"two"], (each for each in (b"onet", memoryview(b"wo"))), memoryview(b"onetwo"), [b"onetwo"]],
    ids=["list", "iterator", "view", "one"],
)
def test_pieces_are_written_one_after_the_other(tmp_path, pieces):
    write_whole(tmp_path / "out.bin", pieces)
    assert (tmp_path / "out.bin").read_bytes() == b"onetwo"


@pytest.mark.parametrize("existing", [True, False], ids=["over a file", "anew"])
@pytest.mark.parametrize("error", [RuntimeError("no more"), KeyboardInterrupt()], ids=["error", "interrupt"])
def test_pieces_that_break_off_leave_everything_as_it_was(tmp_path, existing, error):
    path = tmp_path / "out.bin"
    if existing:
        path.write_bytes(b"old")

    def pieces():
        yield b"new"
        raise error

    with pytest.raises(type(error)):
        write_whole(path, pieces())
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("out.bin", b"old")] * existing


def test_bytes_written_and_read_are_told_as_they_go(tmp_path, monkeypatch):
    monkeypatch.setattr("tenon.files.CHUNK", 4)
    told = []
    write_together([(tmp_path / "a", [b"123456", b"7"]), (tmp_path / "b", [b"", b"89"])], told.append)
    assert told == [4, 6, 7, 9]
    told = []
    assert read_whole(tmp_path / "a", lambda done, total: told.append((done, total))) == b"1234567"
    assert told == [(4, 7), (7, 7)]


@pytest.mark.parametrize("read", [read_whole, hold_whole])
def test_a_pipe_is_read_to_its_end(tmp_path, read):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(b"text" * 50000))
    writer.start()
    assert read(tmp_path / "pipe") == b"text" * 50000
    writer.join()


# --- together -----------------------------------------------------------------------------------------------


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("existing", [{}, {"a": b"old a"}, {"a": b"old a", "b": b"old b"}])
def test_files_are_written_together(tmp_path, existing):
    for name, data in existing.items():
        (tmp_path / name).write_bytes(data)
    write_together([(tmp_path / name, [name.encode()]) for name in "abc"])
    assert contents(tmp_path) == {"a": b"a", "b": b"b", "c": b"c"}


@pytest.mark.parametrize("existing", [{}, {"a": b"old a"}, {"a": b"old a", "b": b"old b"}])
@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("which", ["a", "b", "c"])
def test_a_rename_that_fails_undoes_those_before_it(tmp_path, monkeypatch, existing, failure, which):
    for name, data in existing.items():
        (tmp_path / name).write_bytes(data)
    real, tried = os.replace, []

    def replace(source, target):
        if os.path.basename(target) == which and not tried:
            tried.append(target)
            raise failure
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises((Invalid, KeyboardInterrupt)):
        write_together([(tmp_path / name, [b"new"]) for name in "abc"])
    assert tried and contents(tmp_path) == existing


def test_a_later_file_that_cannot_be_written_leaves_the_earlier_as_it_was(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    files = [(tmp_path / "a", [b"new"]), (tmp_path / "none" / "b", [b"new"])]
    assert f"the folder {tmp_path / 'none'} does not exist" in refusal(write_together, files)
    assert contents(tmp_path) == {"a": b"old"}
