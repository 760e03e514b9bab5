"""A process with one system and one model in it: exports it, or loads it and runs it when it is told to.

`python -m bench.child export SYSTEM SPEC FOLDER`, or `run SYSTEM SPEC FOLDER THREADS`. It answers in lines of JSON on
its standard output, and waits for lines on its standard input: seconds to run for. What libraries print goes to a log.
"""

import json
import os
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Any, TextIO

import numpy

from bench.systems import SYSTEMS, System


def export(system: System, spec: str, folder: Path) -> dict[str, Any]:
    """The artefact, the inputs it is run on and the outputs that eager PyTorch gives for them."""
    import torch

    from bench.models import make

    case = make(spec)
    start = time.perf_counter()
    system.export(case, folder / system.file)
    seconds = time.perf_counter() - start
    args = case.stateless[1] if system.stateless and case.stateless else case.args
    with torch.no_grad():
        outputs = make(spec).module(*case.args)  # made anew: an export may have changed it
    expected = outputs if torch.is_tensor(outputs) else outputs[0]
    numpy.savez(folder / "inputs.npz", *(each.numpy() for each in args))
    numpy.save(folder / "expected.npy", expected.numpy())
    return {"export_s": seconds}


def memory(field: str) -> int:
    """VmRSS, what is resident now, or VmHWM, the most it ever was, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


def run(system: System, folder: Path, threads: int, answers: TextIO) -> None:
    with numpy.load(folder / "inputs.npz") as held:
        inputs = [held[f"arr_{number}"] for number in range(len(held.files))]
    expected = numpy.load(folder / "expected.npy")
    system.ready()
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before, start = memory("VmRSS"), time.perf_counter()
    call = system.load(folder / system.file, inputs, threads)
    loaded = time.perf_counter()
    first = numpy.asarray(call()[0])
    done = time.perf_counter()
    scale = max(float(numpy.abs(expected).max()), 1e-30)
    facts = {
        "load_ms": (loaded - start) * 1e3,
        "first_ms": (done - loaded) * 1e3,
        "memory": memory("VmHWM") - before,
        "size": sum(each.stat().st_size for each in folder.glob("model.*")),
        "difference": float(numpy.abs(first - expected).max()) / scale,
    }
    call()
    say(answers, facts)
    for line in sys.stdin:
        times: list[float] = []
        end = time.perf_counter() + float(line)
        while not times or time.perf_counter() < end:
            begin = time.perf_counter_ns()
            call()
            times.append((time.perf_counter_ns() - begin) / 1e6)
        say(answers, {"ms": times})


def say(answers: TextIO, what: dict[str, Any]) -> None:
    answers.write(json.dumps(what) + "\n")
    answers.flush()


def main() -> None:
    warnings.filterwarnings("ignore")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    what, name, spec, folder, *threads = sys.argv[1:]
    system = SYSTEMS[name]
    try:
        if what == "export":
            say(answers, export(system, spec, Path(folder)))
        else:
            run(system, Path(folder), int(threads[0]), answers)
    except Exception as problem:
        traceback.print_exc()
        lines = [line for line in str(problem).splitlines() if line.strip()]
        say(answers, {"problem": f"{type(problem).__name__}: {(lines or [''])[0]}"})
        sys.exit(1)


if __name__ == "__main__":
    main()
