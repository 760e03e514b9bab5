"""Every system, model and count of threads in a process of its own; rounds interleaved, one process running at a time.

Exports are kept in build/bench/, by model, system and version. A process that waits is blocked on a pipe.
"""

import contextlib
import hashlib
import json
import select
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from bench.systems import SYSTEMS, System

ROOT = Path(__file__).parents[1]
STORE = ROOT / "build" / "bench"
LIMIT = 1800.0  # seconds for an export, a load or a round


@dataclass(frozen=True)
class Row:
    """One system on one model: the median of each round, and what there is beside latency; or why there is nothing."""

    spec: str
    system: str
    threads: int
    rounds: tuple[float, ...] = ()
    load_ms: float = 0
    first_ms: float = 0
    memory: int = 0
    size: int = 0
    difference: float = 0
    problem: str = ""

    @property
    def ms(self) -> float:
        return statistics.median(self.rounds)

    @property
    def quartiles(self) -> tuple[float, float]:
        if len(self.rounds) < 2:
            return self.ms, self.ms
        low, _, high = statistics.quantiles(self.rounds, n=4, method="inclusive")
        return low, high

    def plain(self) -> dict[str, Any]:
        return asdict(self)


class Failed(Exception):
    """A process that ended, took too long or told a problem."""


class Child:
    """A process that answers in lines of JSON."""

    def __init__(self, log: Path, *arguments: str) -> None:
        with log.open("a") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bench.child", *arguments],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self.log = log

    def answer(self, limit: float = LIMIT) -> dict[str, Any]:
        assert self.process.stdout is not None
        if not select.select([self.process.stdout], [], [], limit)[0]:
            self.close()
            raise Failed(f"nothing came for {limit:.0f} s")
        line = self.process.stdout.readline()
        if not line:
            code = self.process.wait()
            raise Failed(f"the process ended with {'signal' if code < 0 else 'code'} {abs(code)}, see {self.log.name}")
        found: dict[str, Any] = json.loads(line)
        if "problem" in found:
            raise Failed(found["problem"])
        return found

    def run(self, seconds: float) -> list[float]:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # the answer says what happened
            self.process.stdin.write(f"{seconds}\n")
            self.process.stdin.flush()
        found: list[float] = self.answer()["ms"]
        return found

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe.close() if pipe else None


@cache
def version(system: System, file: str) -> str:
    """Of what made an artefact: the packages, the models and, for Tenon, what it exports by."""
    sources = [ROOT / "bench" / f"{name}.py" for name in sorted({"models", "narrow_weights", "vision", file})]
    if "tenon" in system.name:
        sources += sorted((ROOT / "tenon").rglob("*.py")) + sorted((ROOT / "native" / "kernels").glob("*.yaml"))
    digest = hashlib.sha256(system.version().encode())
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def exported(system: System, spec: str) -> Path:
    """The folder of a model's artefact, made if it is not there."""
    home = STORE / spec.replace(":", "-")
    folder = home / f"{system.name}-{version(system, spec.rpartition(':')[0] or 'models')}"
    if folder.is_dir():
        return folder
    home.mkdir(parents=True, exist_ok=True)
    for old in home.glob(f"{system.name}-*"):
        shutil.rmtree(old)
    log = home / f"{system.name}.log"
    log.write_text("")
    making = home / f".{system.name}"
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    child = Child(log, "export", system.name, spec, str(making))
    try:
        child.answer()
    finally:
        child.close()
    making.rename(folder)
    return folder


def measured(
    specs: Sequence[str],
    systems: Sequence[str],
    threads: Sequence[int] = (1,),
    *,
    rounds: int = 15,
    seconds: float = 0.3,
    together: bool = False,
) -> list[Row]:
    """A row for each; a round is `seconds` long, or one call. Systems that take long get fewer rounds.

    With `together` they load at the same time, which is faster, and the time to load is then not theirs alone.
    """
    rows = []
    for spec in specs:
        for count in threads:
            found = _side_by_side(spec, systems, count, rounds, seconds, together)
            rows += found
            for row in found:
                print(f"  {told(row)}", flush=True)
    return rows


def told(row: Row) -> str:
    head = f"{row.spec:24} {row.threads} thread{'s' if row.threads > 1 else ' '} {row.system:20}"
    if row.problem:
        return f"{head} could not run: {row.problem}"
    low, high = row.quartiles
    return f"{head} {row.ms:10.4f} ms ({low:.4f} to {high:.4f}), differs by {row.difference:.1e}"


def _side_by_side(
    spec: str, systems: Sequence[str], threads: int, rounds: int, seconds: float, together: bool
) -> list[Row]:
    rows = {name: Row(spec, name, threads) for name in systems}
    children: dict[str, Child] = {}

    def facts(name: str) -> None:
        try:
            rows[name] = replace(rows[name], **children[name].answer())
        except Failed as problem:
            rows[name] = replace(rows[name], problem=_sentence(problem))

    for name in systems:
        if sys.stdout.isatty():
            print(f"  {spec}, {threads}: {name}\033[K\r", end="", flush=True)
        try:
            folder = exported(SYSTEMS[name], spec)
        except (Failed, metadata.PackageNotFoundError) as problem:
            rows[name] = replace(rows[name], problem=_sentence(problem))
            continue
        children[name] = Child(folder.parent / f"{name}.log", "run", name, spec, str(folder), str(threads))
        if not together:
            facts(name)
    for name in children if together else ():
        facts(name)
    times: dict[str, list[float]] = {name: [] for name in systems}
    for number in range(rounds):
        for name, child in children.items():
            if rows[name].problem or (number >= 3 and sum(times[name]) > 10_000):
                continue
            try:
                times[name].append(statistics.median(child.run(seconds)))
                time.sleep(0.02)  # thread pools spin for a moment after their last work
            except Failed as problem:
                rows[name] = replace(rows[name], problem=_sentence(problem))
    for child in children.values():
        child.close()
    return [replace(row, rounds=tuple(times[name])) for name, row in rows.items()]


def _sentence(problem: Exception) -> str:
    if isinstance(problem, metadata.PackageNotFoundError):
        return f"{problem.name} is not installed"
    return str(problem)[:200]
