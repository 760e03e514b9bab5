"""`tenon build`: a runtime cut to fit models, as a runner and as libraries."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

from tenon.cli.terminal import app, out, working
from tenon.errors import Invalid, plural

if TYPE_CHECKING:
    from tenon.build.drive.build import Built
    from tenon.build.drive.sizes import Sizes

_NO_WIDTH = 10_000


@app.command()
def build(
    items: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MODEL.pte | //path:target]...", help="Programs, or targets of BUCK files."),
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write to.")] = Path("out"),
    ops: Annotated[
        list[str] | None,
        typer.Option(help="Operators: aten::add.out, or aten::add for all its overloads; a,b or again."),
    ] = None,
    yaml: Annotated[list[Path] | None, typer.Option(help="A YAML of operators, all of which are selected.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All operators that have kernels.")] = False,
    mode: Annotated[
        Literal["lean", "aten"], typer.Option(help="Tenon's kernels, or those of the torch here.")
    ] = "lean",
    dtype: Annotated[bool, typer.Option("--dtype", help="Only the dtypes that the models use, too.")] = False,
    lib: Annotated[
        list[Path] | None, typer.Option(help="Kernels: a C++ source, an object, an archive or a shared library.")
    ] = None,
    custom_ops: Annotated[list[Path] | None, typer.Option(help="Rows of operators that torch does not have.")] = None,
    functions: Annotated[list[Path] | None, typer.Option(help="Rows of operators of torch.")] = None,
    name: Annotated[
        str | None, typer.Option(help="Of runner and libraries; that of the first model, if not said.")
    ] = None,
    optimize: Annotated[Literal["size", "speed"], typer.Option(help="Small or fast.")] = "size",
    cxx: Annotated[
        str | None, typer.Option(help="The C++ compiler, for this machine or another: one word, or several in quotes.")
    ] = None,
    cxx_flags: Annotated[
        str | None, typer.Option(help="Flags of every compilation and link. All is then compiled from sources.")
    ] = None,
) -> None:
    """Build a runner and libraries with the operators that models need, and no others."""
    targets = [each for each in items or [] if _is_target(each)]
    models = [Path(each) for each in items or [] if each not in targets]
    if targets and models:
        raise Invalid("Build models or targets, not both at once: a target names its models in its BUCK file.")
    if targets:
        _check_idle(
            ("--ops", ops), ("--yaml", yaml), ("--all", everything), ("--mode", mode != "lean"), ("--dtype", dtype),
            ("--lib", lib), ("--custom-ops", custom_ops), ("--functions", functions), ("--name", name),
        )  # fmt: skip
        _build_targets(targets, output, optimize, cxx, cxx_flags)
        return

    from tenon.build.drive.build import BuildRequest
    from tenon.build.drive.build import build as build_all
    from tenon.build.select import split_names

    request = BuildRequest(
        out=output,
        models=tuple(models),
        ops=tuple(each for text in ops or [] for each in split_names(text)),
        yamls=tuple(yaml or []),
        everything=everything,
        functions=tuple(functions or []),
        custom_ops=tuple(custom_ops or []),
        kernels=tuple(lib or []),
        mode=mode,
        dtype=dtype,
        optimize=optimize,
        name=name,
        cxx=cxx,
        cxx_flags=cxx_flags,
    )
    with working() as bar:
        built = build_all(request, progress=bar.step)
    _show(built)


def _is_target(text: str) -> bool:
    return text.startswith(":") or ("//" in text and not text.endswith(".pte"))


def _check_idle(*options: tuple[str, object]) -> None:
    """What a BUCK file says is not said again beside a target of it."""
    given = [option for option, value in options if value]
    if given:
        raise Invalid(f"{', '.join(given)}: a target takes it from its BUCK file. Write it there.")


def _build_targets(targets: list[str], output: Path, optimize: str, cxx: str | None, cxx_flags: str | None) -> None:
    from tenon.build.buck import build_targets

    with working():
        made = build_targets(targets, Path.cwd(), output, optimize=optimize, cxx=cxx, cxx_flags=cxx_flags)
        for path in made:
            out.print(str(path), soft_wrap=True)


def _show(built: "Built") -> None:
    sizes = built.sizes
    out.print(f"{built.runner}: {sizes.whole:,} bytes", soft_wrap=True)
    if sizes.operators:
        # A file or another program that reads it has no width, and names that are whole.
        console = out if out.is_terminal else _wide()
        console.print(_table(sizes))
    for path in (built.archive, built.shared, built.include):
        out.print(str(path), soft_wrap=True)


def _wide() -> Console:
    return Console(file=out.file, width=_NO_WIDTH, highlight=False, markup=False, emoji=False)


def _table(sizes: "Sizes") -> Table:
    table = Table()
    table.add_column("operator", overflow="fold")
    for column in ("its own", "shared with others"):
        table.add_column(column, justify="right")
    for each in sorted(sizes.operators, key=lambda each: (-each.own, each.op)):
        table.add_row(each.op, f"{each.own:,}", f"{each.shared:,}")
    table.add_section()
    parts = {
        plural(len(sizes.operators), "operator"): sum(each.own for each in sizes.operators),
        "shared by several": sizes.shared,
        "core: runtime and runner": sizes.core,
        "what a file adds": sizes.rest,
        "all": sizes.whole,
    }
    for part, count in parts.items():
        table.add_row(part, f"{count:,}")
    return table
