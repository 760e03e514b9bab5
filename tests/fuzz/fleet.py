"""Several workers at once: what they find, and what becomes of those that die or hang."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .program import Drawn, restored, save
from .report import report
from .shrink import shrunk
from .worker import read_note

ROOT = Path(__file__).parents[2]
_PATIENCE = 120.0  # seconds for one program
_TRIALS = 80  # processes that are started to shrink a crash


@dataclass
class Totals:
    """What all workers found together."""

    counts: Counter = field(default_factory=Counter)
    rows: Counter = field(default_factory=Counter)
    refusals: Counter = field(default_factory=Counter)
    examples: dict[str, int] = field(default_factory=dict)  # of each refusal, a seed
    findings: list[dict[str, Any]] = field(default_factory=list)
    crashes: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0


def command(*args: object) -> list[str]:
    return [sys.executable, "-m", "tests.fuzz", *map(str, args)]


class Fleet:
    def __init__(self, programs: int, seed: int, seconds: float, jobs: int, folder: Path, only: str,
                 tell: Callable[[dict[str, Any]], None]) -> None:  # fmt: skip
        self.first, self.last, self.jobs, self.folder = seed, seed + programs, jobs, folder
        self.until = time.time() + seconds
        self.only = only
        self.tell = tell
        self.totals = Totals()
        self.lock = threading.Lock()

    def run(self) -> Totals:
        start = time.time()
        threads = [threading.Thread(target=self.lane, args=(number,)) for number in range(self.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.totals.seconds = time.time() - start
        return self.totals

    def lane(self, number: int) -> None:
        """One worker after the other, the next one behind the program that ended the last."""
        at: int | None = self.first + number
        while at is not None and at < self.last and time.time() < self.until:
            at = self.one_worker(number, at)

    def one_worker(self, number: int, at: int) -> int | None:
        given = ("--worker", number, "--first", at, "--step", self.jobs, "--last", self.last, "--until", self.until)
        note, log = self.folder / f"note{number}", self.folder / f"errors{number}"
        note.unlink(missing_ok=True)
        with log.open("a") as errors:
            process = subprocess.Popen(
                command(*given, "--only", self.only, "--folder", self.folder),
                cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
        hung = threading.Event()
        watch = threading.Thread(target=_watch, args=(process, note, hung), daemon=True)
        watch.start()
        assert process.stdout is not None
        for text in process.stdout:
            line = json.loads(text)
            at = line.get("next", at)
            self.take(line)
        code = process.wait()
        if code == 0:
            return None
        started = note.exists()
        phase, seed = read_note(note) if started else ("", at)
        words = "hangs" if hung.is_set() else signal.Signals(-code).name if code < 0 else f"exit code {code}"
        crash = {"seed": seed, "phase": phase if code < 0 else f"the fuzzer ({log})", "words": words}
        with self.lock:
            self.totals.crashes.append(crash)
            self.totals.counts["programs"] += (seed - at) // self.jobs + 1  # those that it had not told yet
        self.tell(crash)
        return seed + self.jobs if started else None

    def take(self, line: dict[str, Any]) -> None:
        with self.lock:
            if "counts" not in line:
                self.totals.findings.append(line)
                self.tell(line)
                return
            kept = {key: value for key, value in line["counts"].items() if not key.startswith("shrunk ")}
            self.totals.counts.update(kept)
            self.totals.rows.update(line["rows"])
            self.totals.refusals.update(line["refusals"])
            self.totals.examples = line["examples"] | self.totals.examples


def _watch(process: subprocess.Popen[str], note: Path, hung: threading.Event) -> None:
    """Ends a worker that is at one program for too long."""
    last, since = "", time.time()
    while process.poll() is None:
        time.sleep(1)
        now = note.read_text() if note.exists() else ""
        if now != last:
            last, since = now, time.time()
        elif time.time() - since > _PATIENCE:
            hung.set()
            process.kill()
            return


# --- a program that ends the process it runs in -----------------------------------------------------------------------


def crash_shrunk(seed: int, folder: Path, only: str) -> str:
    """The smallest program found that still does, in words: each is tried in a process of its own."""
    path = folder / f"{seed}.program"
    subprocess.run(command("--dissect", seed, "--only", only, "--folder", folder), cwd=ROOT, capture_output=True)
    drawn, trial, left = restored(path), folder / f"{seed}.trial", iter(range(_TRIALS))

    def fails(candidate: Drawn) -> bool:
        save(candidate, trial)
        return next(left, None) is not None and dies(trial)

    if not fails(drawn):
        return f"It does not happen again: something before it was to blame. The program is in {path}."
    drawn = shrunk(drawn, fails)
    save(drawn, path)
    return f"{report(drawn, {})}\nto see it again: python -m tests.fuzz {path}"


def dies(path: Path) -> bool:
    """Whether a process that runs this program is ended by a signal, or does not end."""
    try:
        return subprocess.run(command(path), cwd=ROOT, capture_output=True, timeout=_PATIENCE).returncode < 0
    except subprocess.TimeoutExpired:
        return True
