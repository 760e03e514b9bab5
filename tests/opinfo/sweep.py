"""Every sample of torch's operator database as a program of its own: exported, run in lean mode, compared with torch.

    python -m opinfo.sweep --samples 1 --out build/opinfo.jsonl

A line of the result is one operator with one dtype: how many samples were equal, and each other one with its reason.
"""

import argparse
import copy
import json
import multiprocessing
import os
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from torch.utils import _pytree as pytree

import tenon
from opinfo.calls import INFOS, Call, assert_equal, eager

DTYPES = {"float32": torch.float32, "int64": torch.int64, "bool": torch.bool, "float16": torch.float16}
LIMIT = 120  # seconds of one sample: torch.export loops for ever on some


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="operators of the database; all of them if none is given")
    parser.add_argument("--samples", type=int, default=10**9, help="most samples of one operator and dtype")
    parser.add_argument("--dtypes", nargs="*", default=list(DTYPES))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("build/opinfo.jsonl"))
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in INFOS]:
        parser.error(f"the database has no {', '.join(unknown)}")
    tasks = [
        (name, dtype, given.samples)
        for name in given.names or INFOS
        for dtype in given.dtypes
        if DTYPES[dtype] in INFOS[name].supported_dtypes("cpu")
    ]
    given.out.parent.mkdir(parents=True, exist_ok=True)
    _warm_up()
    total, start = Counter(), time.time()
    with given.out.open("w") as file:
        for number, found in enumerate(_run(tasks, given.jobs), 1):
            print(json.dumps(found), file=file, flush=True)
            total.update(found["counts"])
            if number % 50 == 0 or number == len(tasks):
                print(f"{number}/{len(tasks)} {dict(total)} {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    tried = sum(total[kind] for kind in ("equal", "shape", "refused", "wrong", "crashed"))
    print(f"{(total['equal'] + total['shape']) / max(1, tried):.2%} of {tried} equal; {dict(total)}")


# --- processes: a crash costs one sample ------------------------------------------------------------------------


def _warm_up():
    """What torch imports at its first export is imported once, before the processes part."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        sample = next(INFOS["add"].sample_inputs("cpu", torch.float32))
        assert outcome(Call(torch.add, sample), Path(folder) / "op.pte")[0] == "equal"


def _run(tasks, jobs):
    """The result of each task as it comes."""
    context = multiprocessing.get_context("fork")
    waiting, running = list(reversed(tasks)), {}
    while waiting or running:
        while waiting and len(running) < jobs:
            ours, theirs = context.Pipe()
            task = waiting.pop()
            process = context.Process(target=_work, args=(task, theirs), daemon=True)
            process.start()
            theirs.close()
            running[ours] = (process, task, [])
        for ours in multiprocessing.connection.wait(list(running), timeout=1):
            process, task, rows = running[ours]
            try:
                rows.append(ours.recv())
            except EOFError:
                process.join()
                del running[ours]
                yield _result(task, rows, process.exitcode)


def _result(task, rows, code):
    """A sample that began and did not end took the process with it; it is the last, since none was tried after it."""
    ended = {number for kind, number, *_ in rows if kind == "ended"}
    found = [
        {"sample": number, "kind": kind, "words": words}
        for step, number, kind, words in (row for row in rows if row[0] == "ended")
    ]
    begun = [number for kind, number, *_ in rows if kind == "begun" and number not in ended]
    found += [{"sample": number, "kind": "crashed", "words": f"exit code {code}"} for number in begun]
    counts = Counter(each["kind"] for each in found)
    return {
        "op": task[0],
        "dtype": task[1],
        "most": task[2],
        "counts": counts,
        "rows": [r for r in found if r["kind"] != "equal"],
    }


def _work(task, pipe):
    name, dtype, most = task
    warnings.simplefilter("ignore")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True, warn_only=True)  # torch.empty gives NaN, so that even it can be compared
    signal.signal(signal.SIGALRM, _too_long)
    info = INFOS[name]
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        for number, sample in zip(range(most), info.sample_inputs("cpu", DTYPES[dtype]), strict=False):
            pipe.send(("begun", number))
            signal.alarm(LIMIT)
            try:
                kind, words = outcome(Call(info.op, sample), Path(folder) / "op.pte")
            except TimeoutError:
                kind, words = "torch refuses", f"not done in {LIMIT} s"
            signal.alarm(0)
            pipe.send(("ended", number, kind, words[:600]))
    pipe.close()


def _too_long(*_):
    raise TimeoutError


# --- one sample ---------------------------------------------------------------------------------------------------

RANDOM = torch.Tag.nondeterministic_seeded


def outcome(call, path):
    """What became of a sample, and why."""
    try:
        expected = eager(call)
        exported = torch.export.export(call, call.inputs())
    except TimeoutError:
        raise
    except Exception as error:  # torch refuses in many ways
        return "torch refuses", _first_line(error)
    try:
        program = tenon.export(exported)
        program.save(path)
        module = tenon.load(path)
    except tenon.TenonError as error:
        return "refused", str(error)
    except Exception as error:
        return "crashed", f"{type(error).__name__}: {_first_line(error)}"
    try:
        actual = module(*call.inputs())
    except tenon.TenonError as error:
        return "refused", str(error)
    except Exception as error:
        return "crashed", f"{type(error).__name__}: {_first_line(error)}"
    actual = pytree.tree_map_only(np.ndarray, torch.from_numpy, actual)  # without torch's inputs, no torch's outputs
    if any(_is_undefined(name) for name in program.operators()):
        try:
            assert _shapes(actual) == _shapes(expected)
        except AssertionError:
            return "wrong", f"{_shapes(actual)} != {_shapes(expected)}"
        return "shape", ""
    try:
        assert_equal(actual, expected)
    except AssertionError as error:
        if _are_other_equals(call, program.operators(), actual, expected):
            return "equal", ""
        return ("equal", "") if _is_nearer(call, actual, expected) else ("wrong", str(error))
    return "equal", ""


def _is_undefined(name):
    """Random numbers, and what uninitialised memory holds, are not torch's: only their shape is compared."""
    from tenon.ops.schema import find_op

    op = find_op(name)
    return "empty" in name or (op is not None and RANDOM in op.tags)


def _shapes(values):
    return [(tuple(v.shape), v.dtype) if isinstance(v, torch.Tensor) else type(v) for v in pytree.tree_leaves(values)]


def _are_other_equals(call, operators, actual, expected):
    """Which of equal elements is found first is left open: an index need only lead to its value."""
    if not any(name.partition(".")[0] in FINDS_AN_INDEX for name in operators):
        return False
    (values, places), (theirs, _) = pytree.tree_leaves(actual), pytree.tree_leaves(expected)
    source, values = call.inputs()[0], values.reshape(theirs.shape)
    if not torch.equal(values.nan_to_num(), theirs.nan_to_num()):
        return False
    dims = [d for d in range(source.dim()) if places.dim() == source.dim() and _others_equal(source, places, d)]
    return any(torch.equal(source.gather(d, places).nan_to_num(), values.nan_to_num()) for d in dims)


FINDS_AN_INDEX = ("aten::topk", "aten::kthvalue", "aten::median", "aten::nanmedian", "aten::mode")


def _others_equal(source, places, dim):
    return all(a == b for d, (a, b) in enumerate(zip(source.shape, places.shape, strict=True)) if d != dim)


def _is_nearer(call, actual, expected):
    """Sums in another order, and without torch's rounding to 16 bits in their middle, differ: to be about as near to
    what double precision gives is to be right."""
    try:
        wide = [t.double() if t.is_floating_point() else t for t in call.inputs()]
        with torch.no_grad():
            truths = pytree.tree_leaves(_in_double(call)(*wide))
        for mine, theirs, truth in zip(*map(pytree.tree_leaves, (actual, expected)), truths, strict=True):
            assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype)
            if (
                not mine.is_floating_point()
                or (mine.double() - truth).abs().max() > 4 * (theirs.double() - truth).abs().max()
            ):
                assert_equal(mine, truth.to(mine.dtype))
    except Exception:  # no truth to be had
        return False
    return True


def _in_double(call):
    """The call with float64 where it asks for another float. Of ranges also where it asks for whole numbers: those of
    torch's kernel depend on how many numbers its vectors have (issue 81996 of PyTorch)."""
    other = copy.copy(call)
    others = (torch.float16, torch.bfloat16, torch.float32, *((torch.int64,) if call.op in RANGES else ()))
    other.plain = [(is_tensor, torch.float64 if leaf in others else leaf) for is_tensor, leaf in call.plain]
    return other


RANGES = [INFOS[name].op for name in ("linspace", "linspace.tensor_overload", "logspace", "logspace.tensor_overload")]


def _first_line(error):
    return next(iter(str(error).strip().split("\n")), "")[:300]


if __name__ == "__main__":
    main()
