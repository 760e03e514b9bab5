"""Plots of what was measured, as PNG and SVG."""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt

from bench.models import MODELS
from bench.report import counted, in_order, ran
from bench.systems import SYSTEMS

COLOURS = {
    "tenon": "#c8553d",
    "xnnpack": "#2f6690",
    "onnxruntime": "#7a9e7e",
    "compile": "#b8a04a",
    "eager": "#8d8d8d",
    "executorch": "#9cc4e4",
}


def draw(results: dict[str, dict[str, Any]], folder: Path) -> None:
    matplotlib.rcParams["svg.hashsalt"] = "tenon"  # the same numbers make the same file
    if "models" in results:
        for threads in in_order(row.threads for row in results["models"]["rows"]):
            _models(results["models"]["rows"], threads, folder)
    if "scaling" in results:
        _scaling(results["scaling"], folder)


def _models(rows: Any, threads: int, folder: Path) -> None:
    """Each system's time over that of the best peer, so that what is under 1 is ahead."""
    specs = in_order(row.spec for row in rows)
    systems = [name for name in COLOURS if any(row.system == name for row in rows)]
    figure, axes = plt.subplots(figsize=(11, 4.5), layout="constrained")
    width = 0.8 / len(systems)
    for place, spec in enumerate(specs):
        found = ran(rows, spec, threads)
        best = min((row.ms for name, row in found.items() if name != "tenon"), default=None)
        for number, name in enumerate(systems):
            if best and name in found:
                row, x = found[name], place - 0.4 + (number + 0.5) * width
                low, high = (abs(row.ms - each) / best for each in row.quartiles)
                axes.bar(x, row.ms / best, width, color=COLOURS[name], yerr=[[low], [high]])
    for name in systems:
        axes.bar(0, 0, color=COLOURS[name], label=SYSTEMS[name].label)  # in the legend, whatever could run
    axes.axhline(1, color="black", linewidth=0.8)
    axes.axhline(0.9, color="black", linewidth=0.6, linestyle=":")
    axes.set(yscale="log", xlim=(-0.6, len(specs) - 0.4))
    axes.set_ylim(bottom=0.3)
    axes.set_xticks(range(len(specs)), [MODELS.get(spec, spec).replace(", ", "\n") for spec in specs], fontsize=8)
    axes.set_ylabel("time over the best peer's")
    axes.set_title(f"Latency, batch 1, {counted(threads)} (lower is better; dotted: 0.9)")
    axes.legend(fontsize=8, ncols=3)
    _save(figure, folder / f"models-{threads}")


def _scaling(found: dict[str, Any], folder: Path) -> None:
    threads = found["rows"][0].threads
    figure, plots = plt.subplots(
        1, len(found["series"]), figsize=(4 * len(found["series"]), 3.6), layout="constrained", squeeze=False
    )
    for axes, (name, (spec, sizes)) in zip(plots[0], found["series"].items(), strict=True):
        for system in in_order(row.system for row in found["rows"]):
            times = {size: ran(found["rows"], f"{spec}={size}", threads).get(system) for size in sizes}
            points = [(size, row.ms) for size, row in times.items() if row]
            if points:
                label, colour = SYSTEMS[system].label, COLOURS.get(system)
                axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=label, color=colour)
        axes.set(xscale="log", yscale="log", xlabel=name, ylabel=f"ms, {counted(threads)}")
        axes.set_xticks(sizes, map(str, sizes), fontsize=8)
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    plots[0][0].legend(fontsize=8)
    _save(figure, folder / "scaling")


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path.with_suffix(".png"), dpi=130)
    figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
    plt.close(figure)
