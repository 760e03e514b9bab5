"""A program file, ready to be called, in one of the ways to run it."""

import os
from typing import Any

from tenon.errors import Unsupported, near

MODES = ("lean", "aten")


def load(path: str | os.PathLike[str], mode: str = "lean", *, mapped: bool | None = None) -> Any:
    """A .pte file as a module to call: `m(x)`, `m["decode"](x)`.

    mode="lean" runs it in the native runtime on Tenon's own kernels, and needs no torch. mode="aten" runs it in Python
    on torch's out variants: slow, and what the other is compared with.

    In lean mode the file is read into memory of its own, where weights are read up to a third faster than from a
    mapped file, and where nobody can change them. mapped=True leaves them in the file instead: it loads at once, needs
    memory only for what is used, and processes share it. That is also what happens to files of over half of the
    machine's memory, unless mapped=False.
    """
    if mode not in MODES:
        raise Unsupported(f"{mode!r} is no mode.{near(mode, MODES)} There are: {', '.join(MODES)}.")
    if mode == "lean":
        from tenon.run.lean import LeanModule

        return LeanModule(path, mapped)
    from tenon.pte.external import read_external
    from tenon.pte.program import read_program, sidecar
    from tenon.run.oracle import Module

    beside = sidecar(path)
    return Module(read_program(path), read_external(beside) if beside.is_file() else {})
