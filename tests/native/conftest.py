"""The lean runtime and its driver, compiled under the sanitizers once per session."""

import subprocess

import pytest

from native.driver import (
    NATIVE,
    ROOT,
    SANITIZED,
    SOURCES,
    STRICT,
    call,
)


@pytest.fixture(scope="session")
def objects(tmp_path_factory):
    """The runtime under the sanitizers, compiled once, two sources at a time."""
    folder = tmp_path_factory.mktemp("runtime")
    waiting, running = list(SOURCES), []
    while waiting or running:
        while waiting and len(running) < 2:
            source = waiting.pop()
            command = ["g++", *STRICT, *SANITIZED, f"-I{NATIVE / 'include'}", "-c", source]
            running.append(subprocess.Popen([*command, "-o", folder / f"{source.stem}.o"], stderr=subprocess.PIPE))
        first = running.pop(0)
        _, words = first.communicate(timeout=300)
        assert first.returncode == 0, words.decode()
    return sorted(folder.glob("*.o"))


@pytest.fixture(scope="session")
def driver(objects, tmp_path_factory):
    made = tmp_path_factory.mktemp("driver") / "run"
    source = ROOT / "tests" / "native" / "run.cpp"
    call("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", *SANITIZED, f"-I{NATIVE / 'include'}", source, *objects,
         "-o", made)  # fmt: skip
    return made
