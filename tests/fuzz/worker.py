"""One process that draws and checks programs. It notes what it is about to do where others can read it if it dies."""

import json
import os
import resource
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import torch

from tenon.errors import TenonError
from tenon.plan import offsets

from .check import Verdict, alone, check
from .graphs import described, draw_program
from .operators import operators
from .program import Drawn, save
from .report import report
from .shrink import shrunk

_NOTE = 32  # bytes of the note: the phase and the seed
_ROOM = 16 << 30  # bytes of address space: what asks for more is refused, and takes nothing from others
_OFTEN = 50  # programs after which the counts are told
_SHRUNK = 3  # programs of one row that are shrunk; the others are counted


class Note:
    """The seed that is being run, and whether torch or lean mode is running: in a file, as it was last."""

    def __init__(self, path: Path) -> None:
        self.file = os.open(path, os.O_RDWR | os.O_CREAT)
        self.seed = 0

    def __call__(self, phase: str) -> None:
        os.pwrite(self.file, f"{phase} {self.seed}".ljust(_NOTE).encode(), 0)


def read_note(path: Path) -> tuple[str, int]:
    phase, seed = path.read_text().split()
    return phase, int(seed)


def work(first: int, step: int, last: int, until: float, folder: Path, number: int, only: str) -> None:
    """Programs first, first + step, ... before last. Each finding is a line of JSON, and so are the counts."""
    quiet()
    note, counts, rows, refusals = Note(folder / f"note{number}"), Counter(), Counter(), Counter()
    examples: dict[str, int] = {}
    for seed in range(first, last, step):
        if time.time() > until:
            break
        note.seed = seed
        note("torch")
        drawn = draw_program(seed, only)
        found = described(drawn)
        try:
            verdict = check(drawn, note)
        except (TenonError, RuntimeError) as error:  # a stage that refuses a program, or fails
            verdict = Verdict(drawn, failed=str(error))
        counts.update(programs=1, calls=len(drawn.nodes), explained=int(verdict.explained))
        rows.update(found)
        for key in map("\t".join, verdict.refusals):
            refusals[key] += 1
            examples.setdefault(key, seed)
        if verdict.differs or verdict.failed:
            row = blamed(verdict)
            counts[f"shrunk {row}"] += 1
            _say(_finding(seed, verdict, row, folder, counts[f"shrunk {row}"] <= _SHRUNK, note))
        if counts["programs"] >= _OFTEN:
            _say({"counts": counts, "rows": rows, "refusals": refusals, "examples": examples, "next": seed + step})
            counts, rows, refusals = _kept(counts), Counter(), Counter()
    _say({"counts": counts, "rows": rows, "refusals": refusals, "examples": examples, "next": last})


def quiet() -> None:
    """One thread, no warnings, no more memory than there is, and no long search for the smallest plan."""
    offsets._TRIES = 20
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (_ROOM, _ROOM))


def blamed(verdict: Verdict) -> str:
    """The row that is wrong, or what else is."""
    if verdict.failed:
        return "a stage before the run"
    return "memory" if verdict.blame is None else operators()[verdict.program.nodes[verdict.blame].op].row


def smallest(verdict: Verdict, note: Any = lambda phase: None) -> Drawn:
    """What still differs, as small as can be; from the call that is wrong, if it is so by itself."""

    def fails(drawn: Drawn) -> bool:
        try:
            return check(drawn, note).differs
        except (TenonError, RuntimeError):
            return bool(verdict.failed)

    start = verdict.program
    if verdict.blame is not None:
        single = alone(start, verdict.blame, verdict.actual)
        start = single if fails(single) else start
    return shrunk(start, fails)


def _finding(seed: int, verdict: Verdict, row: str, folder: Path, is_shrunk: bool, note: Note) -> dict[str, Any]:
    found: dict[str, Any] = {"seed": seed, "row": row, "failed": verdict.failed}
    if is_shrunk:
        small = smallest(verdict, note)
        path = folder / f"{seed}.program"
        save(small, path)
        found |= {"file": str(path), "report": shown(small)}
    return found


def shown(drawn: Drawn) -> str:
    try:
        return report(drawn, check(drawn).actual)
    except (TenonError, RuntimeError) as error:
        return f"{report(drawn, {})}\n{error}"


def _kept(counts: Counter) -> Counter:
    return Counter({key: value for key, value in counts.items() if key.startswith("shrunk ")})


def _say(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
