"""What was measured as tables and plots: `python -m bench.report` writes docs/benchmarks/ from build/bench/results/."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from bench.measure import ROOT, STORE, Row
from bench.models import MODELS
from bench.systems import PEERS, SYSTEMS

RESULTS, DOCS = STORE / "results", ROOT / "docs" / "benchmarks"
_BESIDE = (
    ("load_ms", "load, ms", 1, "{:.1f}"),
    ("first_ms", "first inference, ms", 1, "{:.1f}"),
    ("memory", "peak memory, MB", 1e-6, "{:.1f}"),
    ("size", "file, MB", 1e-6, "{:.1f}"),
    ("difference", "largest difference from eager, of its largest value", 1, "{:.0e}"),
)


def keep(name: str, found: dict[str, Any]) -> None:
    """Results under a name, in place of those from before."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(found, indent=1))


def kept(name: str) -> dict[str, Any] | None:
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return None
    found: dict[str, Any] = json.loads(path.read_text())
    found["rows"] = [Row(**{**row, "rounds": tuple(row["rounds"])}) for row in found["rows"]]
    return found


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [head, ["---"] + ["---:"] * (len(head) - 1), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def ran(rows: Sequence[Row], spec: str, threads: int) -> dict[str, Row]:
    return {row.system: row for row in rows if row.spec == spec and row.threads == threads and not row.problem}


def in_order(values: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


def latencies(rows: Sequence[Row], threads: int) -> str:
    """Milliseconds with quartiles; Tenon's ratio to the best of the others."""
    systems = in_order(row.system for row in rows)
    lines = []
    for spec in in_order(row.spec for row in rows):
        found = ran(rows, spec, threads)
        best = min((row.ms for name, row in found.items() if name != "tenon"), default=None)
        ratio = f"{found['tenon'].ms / best:.2f}" if best and "tenon" in found else "-"
        lines.append([MODELS.get(spec, spec), *(_cell(found.get(name)) for name in systems), ratio])
    return table(["model", *(SYSTEMS[name].label for name in systems), "Tenon / best peer"], lines)


def _cell(row: Row | None) -> str:
    if row is None:
        return "-"
    low, high = row.quartiles
    digits = 3 if row.ms < 1 else 2 if row.ms < 100 else 0
    return f"**{row.ms:.{digits}f}** ({low:.{digits}f}-{high:.{digits}f})"


def beside_latency(rows: Sequence[Row], threads: int) -> str:
    systems = in_order(row.system for row in rows)
    parts = []
    for field, title, scale, form in _BESIDE:
        lines = []
        for spec in in_order(row.spec for row in rows):
            found = ran(rows, spec, threads)
            cells = [form.format(getattr(found[name], field) * scale) if name in found else "-" for name in systems]
            lines.append([MODELS.get(spec, spec), *cells])
        parts.append(table([title, *(SYSTEMS[name].label for name in systems)], lines))
    return "\n".join(parts)


def not_run(rows: Sequence[Row]) -> str:
    """Each problem once, with where it was met."""
    problems: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.problem:
            met = f"{MODELS.get(row.spec, row.spec)} ({row.threads})"
            problems.setdefault((SYSTEMS[row.system].label, row.problem), []).append(met)
    lines = [f"- {label}: {', '.join(where)}: {problem}" for (label, problem), where in problems.items()]
    return "Could not be run (threads in brackets):\n\n" + "\n".join(lines) + "\n" if lines else ""


def models_part(found: dict[str, Any]) -> list[str]:
    rows = found["rows"]
    about = "Milliseconds of one call at batch 1, median of the rounds' medians (quartiles in brackets).\n"
    parts = ["## Models\n", about]
    for threads in in_order(row.threads for row in rows):
        parts += [f"### {counted(threads)}\n", latencies(rows, threads), plotted(f"models-{threads}")]
    threads = max(row.threads for row in rows)
    about = "Loading without imports; memory is how far the peak is above what there was before loading.\n"
    beside = [f"### Beside latency, {counted(threads)}\n", about, beside_latency(rows, threads)]
    return [*parts, *beside, not_run(rows), left_out(rows)]


def left_out(rows: Sequence[Row]) -> str:
    """Peers that were not asked for."""
    labels = [SYSTEMS[name].label for name in PEERS if name not in {row.system for row in rows}]
    return f"Left out of this run: {', '.join(labels)}.\n" if labels else ""


def language_part(found: dict[str, Any]) -> list[str]:
    rows, lines = found["rows"], []
    for spec, kind in found["names"].items():
        for threads in in_order(row.threads for row in rows if row.spec == spec):
            there = ran(rows, spec, threads)
            memory = there.pop("memory", None)
            limit = 1e3 / memory.ms if memory else None
            for name, row in there.items():
                share = f"{1e3 / row.ms / limit:.0%}" if limit else "-"
                told = [f"{1e3 / row.ms:.1f}", f"{limit:.1f}" if limit else "-", share]
                lines.append([SYSTEMS[name].label, kind, str(threads), *told])
    about = (
        "Llama-style, 100 million parameters, keys and values of 256 tokens as state, one token more at each call. "
        "The limit is what a process takes that reads as many bytes as there are weights, others each time so that no "
        "cache holds them, in the same rounds. int8 has a scale per output, int4 one per 32 inputs. torch has its own "
        "product for int4; XNNPACK and ONNX Runtime make int8 of what is multiplied, too.\n"
    )
    head = ["system", "weights", "threads", "tokens per second", "limit", "of the limit"]
    return ["## A language model\n", about, table(head, lines), not_run(rows), left_out(rows)]


def kernels_part(found: dict[str, Any]) -> list[str]:
    rows, peak, read = found["rows"], found["machine"]["peak"], found["machine"]["read"]
    systems = in_order(row.system for row in rows)
    lines = []
    for spec, work in found["work"].items():
        for threads in in_order(row.threads for row in rows):
            times = ran(rows, spec, threads)
            bound, most = work["flops"], peak.get(str(threads))
            unit = "GFLOP/s"
            if most and read.get(str(threads)) and work["moved"] / read[str(threads)] > bound / most:
                bound, most, unit = work["moved"], read[str(threads)], "GB/s"
            cells = [f"{bound / times[name].ms / 1e6:.1f}" if name in times else "-" for name in systems]
            share = f"{bound / times['tenon'].ms / 1e6 / most:.0%}" if "tenon" in times and most else "-"
            lines.append([work["name"], str(threads), unit, *cells, f"{most:.1f}" if most else "-", share])
    about = "By which of the two binds: multiply-adds, or bytes from memory (what fits into a cache is read faster).\n"
    head = ["kernel", "threads", "", *(SYSTEMS[name].label for name in systems), "limit", "Tenon of the limit"]
    return ["## Single kernels\n", about, table(head, lines), not_run(rows)]


def scaling_part(found: dict[str, Any]) -> list[str]:
    parts = ["## Cost as the work grows\n", plotted("scaling")]
    for name, (spec, sizes) in found["series"].items():
        for threads in in_order(row.threads for row in found["rows"]):
            lines = []
            for system in in_order(row.system for row in found["rows"]):
                times = [ran(found["rows"], f"{spec}={size}", threads).get(system) for size in sizes]
                lines.append([SYSTEMS[system].label, *(f"{row.ms:.3f}" if row else "-" for row in times)])
            parts.append(table([f"{name}, ms, {counted(threads)}", *map(str, sizes)], lines))
    return [*parts, not_run(found["rows"])]


def overhead_part(found: dict[str, Any]) -> list[str]:
    count, lines = found["count"], []
    for system in in_order(row.system for row in found["rows"]):
        few, many = (ran(found["rows"], f"overhead:adds,count={each}", 1).get(system) for each in (1, count))
        if few and many:
            lines.append([SYSTEMS[system].label, f"{(many.ms - few.ms) * 1e6 / (count - 1):.0f}"])
    about = f"A program of {count:,} additions of one number, the same file in both.\n"
    return ["## The cost of an instruction\n", about, table(["system", "ns"], lines), not_run(found["rows"])]


def machine_part(facts: dict[str, Any]) -> list[str]:
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    lines = [
        f"- processor: {facts['processor']}, {facts['cores']} cores; {facts['caches']}; {facts['memory']}",
        *(
            f"- {counted(int(threads))}: {peak:.0f} GFLOP/s float32, {facts['read'][threads]:.1f} GB/s read, measured"
            for threads, peak in facts["peak"].items()
            if peak
        ),
        f"- {facts['system']}",
        f"- {versions}",
    ]
    return ["## Machine and versions\n", "\n".join(lines) + "\n"]


def counted(threads: int) -> str:
    return "1 thread" if threads == 1 else f"{threads} threads"


def plotted(name: str) -> str:
    return f"![{name}]({name}.png)\n" if (DOCS / f"{name}.png").exists() else ""


PARTS = {
    "models": models_part,
    "language": language_part,
    "kernels": kernels_part,
    "scaling": scaling_part,
    "overhead": overhead_part,
}


def main() -> None:
    DOCS.mkdir(parents=True, exist_ok=True)
    results = {name: found for name in PARTS if (found := kept(name)) is not None}
    if not results:
        print("Nothing was measured yet: run `make bench`.")
        return
    try:
        from bench.plots import draw
    except ImportError as problem:
        print(f"without plots: {problem.name} is not installed (extra `bench`)")
    else:
        draw(results, DOCS)
    parts = [
        "# Benchmarks\n",
        "Written by `make bench`. A part by itself: `python -m bench`, `bench.language`, `bench.kernels`, "
        "`bench.scaling` or `bench.overhead`, then `python -m bench.report`. Each system is in a process of its own; "
        "rounds are interleaved, and one process runs at a time.\n",
        *machine_part(next(iter(results.values()))["machine"]),
    ]
    for name, found in results.items():
        parts += PARTS[name](found)
    missing = [name for name in PARTS if name not in results]
    parts += [f"Not measured: {', '.join(missing)}.\n"] if missing else []
    (DOCS / "README.md").write_text("\n".join(part for part in parts if part))
    print(f"wrote {(DOCS / 'README.md').relative_to(ROOT)}")


if __name__ == "__main__":
    main()
