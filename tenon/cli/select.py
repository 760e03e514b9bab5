"""`tenon select` and `tenon check`: which operators a build holds, and whether it has a kernel for all that are called.

ExecuTorch has a tool for each file that is written here. Their flags are taken too, in both spellings.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tenon.cli.terminal import app, out, working
from tenon.errors import Invalid, Unsupported, near, plural
from tenon.files import write_together

if TYPE_CHECKING:
    from tenon.build.generate import Bound

Paths = list[Path] | None
CustomOps = Annotated[
    Paths,
    typer.Option("--custom-ops", "--custom-ops-yaml-path", "--custom_ops_yaml_path", help="The same, with schemas."),
]


@app.command()
def select(
    inputs: Annotated[
        Paths, typer.Argument(metavar="MODEL.pte|FILE.yaml", help="Programs, and YAML of selections or of rows.")
    ] = None,
    ops: Annotated[
        list[str] | None,
        typer.Option("--ops", "--root_ops", "--root-ops", "--prim-op-names", "--prim_op_names", help="Operators: a,b."),
    ] = None,
    yaml: Annotated[
        Paths,
        typer.Option(
            "--yaml",
            *("--ops_schema_yaml_path", "--ops-schema-yaml-path", "--oplist-yaml", "--oplist_yaml"),
            *("--yaml-file-path", "--yaml_file_path", "--yaml-file", "--yaml_file"),
            *("--op-selection-yaml-path", "--op_selection_yaml_path"),
            help="All operators of a functions.yaml or custom_ops.yaml; or a selection that was written here.",
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", "--include-all-operators", "--include_all_operators", help="All operators.")
    ] = False,
    ops_dict: Annotated[
        list[str] | None,
        typer.Option("--dict", "--ops_dict", "--ops-dict", help='With dtypes or keys: {"aten::add.out": ["Float"]}.'),
    ] = None,
    models: Annotated[
        Paths, typer.Option("--model_file_path", "--model-file-path", help="A program, as the arguments.")
    ] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--model-file-list-path",
            "--model_file_list_path",
            help="A selection, or @FILE with a line for each selection, or folder that holds one.",
        ),
    ] = None,
    output: Annotated[
        Paths,
        typer.Option(
            *("-o", "--output", "--output-dir", "--output_dir", "--output-path", "--output_path"),
            help="A folder for the selection's files; or a file, whose name says what it is: NAME.yaml the selection, "
            "selected_op_variants.h, selected_max_kernel_num.h, selected_prim_ops.h, merged.yaml.",
        ),
    ] = None,
    functions: Annotated[
        Paths,
        typer.Option(
            "--functions", "--functions-yaml-path", "--functions_yaml_path", help="Rows that go before Tenon's own."
        ),
    ] = None,
    custom_ops: CustomOps = None,
    fallback: Annotated[
        Path | None,
        typer.Option("--fallback-yaml-path", "--fallback_yaml_path", help="Rows behind --functions in merged.yaml."),
    ] = None,
    apart: Annotated[
        bool,
        typer.Option(
            "--check-ops-not-overlapping", "--check_ops_not_overlapping", help="No operator in two of the inputs."
        ),
    ] = False,
    overloads: Annotated[
        bool, typer.Option("--allow-include-all-overloads", "--allow_include_all_overloads", hidden=True)
    ] = True,
    prim_source: Annotated[str, typer.Option("--prim-ops-source", "--prim_ops_source", hidden=True)] = "",
) -> None:
    """Select operators: the union of programs, lists, YAML files, or all. Written as ExecuTorch's tools write it."""
    from tenon.build.select import inputs as files
    from tenon.build.select.choose import check_names
    from tenon.build.select.outputs import Sources, check_outputs, texts
    from tenon.build.select.selection import of_everything, of_json, of_list, split_names, union

    check_outputs(outputs := output or [])
    with working() as bar:
        bar.step("read the inputs", 0, 2)
        listed = [path for text in lists or [] if text for path in files.of_file_list(text)]
        # A build system has one flag for all cases, and leaves it empty in some.
        paths = [path for path in (*(inputs or []), *(models or []), *(yaml or []), *listed) if path != Path()]
        read = [(str(path), files.of_file(path)) for path in paths]
        given = [selection for _, selection in read]
        given += [of_list(split_names(text), "--ops") for text in ops or []]
        given += [of_json(text, "--dict") for text in ops_dict or [] if text.strip()]
        given += [of_everything()] if everything else []
        if apart:
            files.check_apart(read)
        bar.step("look for kernels", 1, 2)
        bound = _bound([*(custom_ops or []), *(functions or []), *filter(files.holds_rows, paths)])
        selection = union(given)
        check_names(selection, bound)
        programs = [(name, each) for name, each in read if name.endswith(".pte")]
        made = texts(outputs, Sources(programs, given, bound, next(iter(functions or []), None), fallback))
    for path in made:
        path.parent.mkdir(parents=True, exist_ok=True)
    write_together([(path, [text.encode()]) for path, text in made.items()])
    held = "all operators" if selection.everything else plural(len(selection.operators), "operator")
    out.print(f"{', '.join(map(str, outputs))}: {held}", soft_wrap=True)


def _bound(tables: Sequence[Path], aten: bool = False) -> list["Bound"]:
    """The rows of these files, and Tenon's own behind them, which ATen mode has none of."""
    from tenon.build.generate import bind
    from tenon.build.installed import own_rows
    from tenon.ops.table import Row, merged, read_table

    rows: list[Row] = []
    for path in {path.resolve(): path for path in tables if path != Path()}.values():
        rows = merged(rows, read_table(path))
    return bind(rows if aten else merged(rows, own_rows()))


@app.command()
def check(
    models: Annotated[list[Path], typer.Argument(metavar="MODEL.pte...")],
    yaml: Annotated[
        Paths,
        typer.Option(
            *("--yaml", "--functions", "--functions-yaml-path", "--functions_yaml_path"),
            help="Rows that go before Tenon's own.",
        ),
    ] = None,
    custom_ops: CustomOps = None,
    mode: Annotated[str, typer.Option(help="lean: kernels of rows. aten: torch's kernels, too.")] = "lean",
) -> None:
    """Say which operators of programs have no kernel, and where they are called."""
    from tenon.build.select.missing import check_model

    if mode not in ("lean", "aten"):
        raise Invalid(f"{mode!r} is no mode.{near(mode, ('lean', 'aten'))} There are: lean, aten.")
    faults: list[str] = []
    with working() as bar:
        bar.step("read the rows", 0, len(models) + 1)
        bound = _bound([*(custom_ops or []), *(yaml or [])], aten=mode == "aten")
        for number, path in enumerate(models, 1):
            bar.step(f"check {path}", number, len(models) + 1)
            try:
                found = check_model(path, bound, aten=mode == "aten")
            except Unsupported as fault:
                faults.append(str(fault))
            else:
                operators, calls = plural(found.operators, "operator"), plural(found.calls, "call")
                out.print(f"{path}: {operators} in {calls}, each with a kernel", soft_wrap=True)
    if faults:
        raise Unsupported("\n".join(faults))
