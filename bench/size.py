"""Bytes of runners at -Os, stripped: without kernels, for each model of the suite by operator and dtype, and with all.

By dtype, kernels are compiled again; what is compiled is kept, and models that use a source alike share it. Each runner
gives its model's outputs, which must be those of the runner with all kernels, bit for bit.
"""

import argparse
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
warnings.filterwarnings("ignore")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", help="names of the suite; all, if none is given")
    parser.add_argument("--optimize", choices=["size", "speed"], default="size")
    given = parser.parse_args()
    from rich.console import Console
    from rich.table import Table

    from models import SUITE, make
    from tenon.build.drive.build import BuildRequest, Built, build

    table = Table(title=f"bytes of runners, optimized for {given.optimize}", title_justify="left")
    for column in ("model", "operators", "by operator", "and by dtype"):
        table.add_column(column, justify="left" if column == "model" else "right")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def built(kind: str, *models: Path, **options: Any) -> Built:
            return build(BuildRequest(folder / kind, models, optimize=given.optimize, **options))

        every = built("every", everything=True)
        core = built("core", ops=("executorch_prim::add.Scalar",))  # the smallest that can be asked for
        table.add_row("core", "0", f"{core.sizes.whole:,}")
        for model in given.models or SUITE:
            case = make(model)
            path = exported(model, case.model, case.kwargs, folder)
            runners = [built("whole", path), built("narrow", path, dtype=True)]
            check(path, [every, *runners])
            whole, narrow = (each.sizes.whole for each in runners)
            table.add_row(model, str(len(runners[0].sizes.operators)), f"{whole:,}", f"{narrow:,}")
        table.add_row("all kernels", str(len(every.sizes.operators)), f"{every.sizes.whole:,}")
    Console(highlight=False).print(table)


def check(path: Path, built: Any) -> None:
    sizes = [each.sizes.whole for each in built]
    assert sizes == sorted(sizes, reverse=True), f"{path.stem}: {sizes} do not fall"
    outputs = {outputs_of(each.runner, path) for each in built}
    assert len(outputs) == 1, f"{path.stem}: its runners differ in their outputs"


def outputs_of(runner: Path, path: Path) -> tuple[bytes, ...]:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([runner, path, "--output", folder], check=True, stdout=subprocess.DEVNULL)
        return tuple(each.read_bytes() for each in sorted(Path(folder).iterdir()))


def exported(name: str, model: Any, kwargs: dict[str, Any], folder: Path) -> Path:
    import tenon

    tenon.export(model, (), kwargs).save(folder / f"{name}.pte")
    return folder / f"{name}.pte"


if __name__ == "__main__":
    main()
