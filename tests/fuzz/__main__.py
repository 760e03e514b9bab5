"""The command: `python -m tests.fuzz --programs 1000 --seed 0`, or `python -m tests.fuzz FILE` to see one again."""

import argparse
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from .check import alone, check
from .fleet import Fleet, Totals, crash_shrunk
from .graphs import draw_program
from .operators import operators, unserved
from .program import restored, save
from .references import define
from .report import report
from .worker import blamed, quiet, shown, smallest, work


def main() -> int:
    given = _arguments()
    define()
    if given.worker is not None:
        work(given.first, given.step, given.last, given.until, given.folder, given.worker, given.only)
        return 0
    if given.dissect is not None:
        return _dissect(given.dissect, given.folder, given.only)
    if given.show is not None:
        return _show(given.show, given.only)
    if given.file is not None:
        return _replay(given.file)
    folder = given.folder or Path(tempfile.mkdtemp(prefix="tenon-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    if not any(re.search(given.only, name) for name in operators()):
        sys.exit(f"there is no operator with {given.only} in its name")
    totals = Fleet(given.programs, given.seed, given.seconds, given.jobs, folder, given.only, _tell).run()
    for crash in totals.crashes:
        if crash["phase"] == "lean":
            print(f"what ends the process of seed {crash['seed']}:\n{crash_shrunk(crash['seed'], folder, given.only)}")
    return _summary(totals, given.only)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="a program that was saved: run it again")
    parser.add_argument("--programs", type=int, default=1000, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="of the first; the next one has the next")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no program after that")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--only", default="", help="operators in whose name this pattern is found, as fft or '::add'")
    parser.add_argument("--folder", type=Path, help="where failing programs are saved")
    parser.add_argument("--show", type=int, metavar="SEED", help="one program: its graph, and what became of it")
    for name in ("worker", "first", "step", "last", "dissect"):  # what a worker is told
        parser.add_argument(f"--{name}", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--until", type=float, help=argparse.SUPPRESS)
    return parser.parse_args()


def _tell(line: dict[str, Any]) -> None:
    if "words" in line:
        print(f"seed {line['seed']}: {line['words']} while {line['phase']} ran it", flush=True)
        return
    print(f"seed {line['seed']}: {line['row']} differs. {line['failed']}", flush=True)
    if "report" in line:
        print(f"{line['report']}\nto see it again: python -m tests.fuzz {line['file']}\n", flush=True)


def _summary(totals: Totals, only: str) -> int:
    known = {operator.row for operator in operators().values() if re.search(only, operator.name)}
    never = sorted(known - set(totals.rows))
    ours = [crash for crash in totals.crashes if crash["phase"] != "torch"]
    count = totals.counts["programs"]
    print(f"programs    {count}, of {totals.counts['calls']} calls; {count / max(totals.seconds, 1e-9):.1f} a second")
    print(f"operators   {len(known) - len(never)} of {len(known)} rows; never: {', '.join(never) or 'none'}")
    print(f"            without a functional operator in torch: {', '.join(unserved()) or 'none'}")
    print(f"mismatches  {len(totals.findings)}, by row: {_counted([each['row'] for each in totals.findings])}")
    print(f"explained   {totals.counts['explained']}: every call is right for the inputs that it got")
    print(f"crashes     {len(ours)}; torch's own: {len(totals.crashes) - len(ours)}")
    print(f"refusals    {sum(totals.refusals.values())} of calls that torch takes")
    for key, number in totals.refusals.most_common():
        row, _, words = key.partition("\t")
        print(f"  {number:6}  {row}: {words} (seed {totals.examples[key]})")
    return int(bool(totals.findings or ours))


def _counted(names: list[str]) -> str:
    return ", ".join(f"{name} {names.count(name)}" for name in sorted(set(names))) or "none"


def _replay(path: Path) -> int:
    drawn = restored(path)
    print(shown(drawn))
    return int(check(drawn).differs)


def _show(seed: int, only: str) -> int:
    quiet()
    drawn = draw_program(seed, only)
    print(report(drawn, {}), flush=True)
    verdict = check(drawn)
    for row, words in verdict.refusals:
        print(f"refused: {row}: {words}")
    if verdict.differs:
        print(f"{blamed(verdict)} differs. The smallest program that does:\n{shown(smallest(verdict))}")
    return int(verdict.differs)


def _dissect(seed: int, folder: Path, only: str) -> int:
    """Each call is saved before it is run by itself: what is saved at the end is the one that ended the process."""
    quiet()
    drawn = draw_program(seed, only)
    for number in range(len(drawn.nodes)):
        single = alone(drawn, number, drawn.values)
        save(single, folder / f"{seed}.program")
        check(single)
    save(drawn, folder / f"{seed}.program")  # none by itself
    return 0


if __name__ == "__main__":
    sys.exit(main())
