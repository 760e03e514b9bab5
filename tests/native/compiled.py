"""Files that a compiler makes of sources over libtorch, once for a state of the sources."""

import fcntl
import hashlib
import subprocess
from contextlib import contextmanager
from pathlib import Path

import torch

NATIVE = Path(__file__).parents[2] / "native"
TORCH = Path(torch.__file__).parent
SHARED = ["-std=c++20", "-fPIC", "-shared", "-isystem", TORCH / "include", "-L", TORCH / "lib", "-ltorch_cpu", "-lc10"]


def call(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-8000:]


@contextmanager
def alone(folder):
    """One process at a time builds."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def made(folder, name, sources, *options):
    """A file that the compiler makes of these sources, from an earlier run if they and all headers are the same."""
    digest = hashlib.sha256(repr((torch.__version__, options)).encode())
    for source in [*sources, *sorted(NATIVE.rglob("*.h"))]:
        digest.update(source.read_bytes())
    target = folder / f"{digest.hexdigest()[:16]}-{name}"
    with alone(folder):
        if not target.exists():
            for old in folder.glob(f"*-{name}"):
                old.unlink()
            partial = target.with_suffix(".partial")
            call("g++", "-O1", "-Wall", "-Wextra", "-Werror", *sources, *options, "-o", partial)
            partial.rename(target)
    return target
