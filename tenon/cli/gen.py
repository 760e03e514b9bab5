"""`tenon gen`: C++ from rows of YAML. The flags of ExecuTorch's generator are taken, in both spellings."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tenon.cli.terminal import app, err, out, working
from tenon.errors import Invalid, near, plural
from tenon.files import write_together
from tenon.ops.table import Row, merged, read_table

if TYPE_CHECKING:
    from tenon.build.generate import Bound
    from tenon.build.select import Selection

_KINDS = {"headers": ".h", "sources": ".cpp"}
_FOR_ATEN = "aten-operators"
_REMEDY = "Name the library that defines it too (--kernel-library)."
_LISTS = ("--generate", "--op-registration-whitelist", "--op_registration_whitelist", "--static-dispatch-backend")
Paths = list[Path] | None
Words = list[str] | None


class ListsOfWords(typer.core.TyperCommand):
    """`--generate headers sources` is `--generate headers --generate sources`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        spread: list[str] = []
        option = None
        for word in args:
            if word.startswith("-"):
                option = word if word in _LISTS else None
                spread += [] if option else [word]
            else:
                spread += [option, word] if option else [word]
        return super().parse_args(ctx, spread)


def both(name: str, *more: str) -> Any:
    """An option with dashes, and the same with underscores; `more` is its help."""
    return typer.Option(f"--{name}", f"--{name.replace('-', '_')}", help=" ".join(more))


def idle(*names: str) -> Any:
    return typer.Option(*names, hidden=True)


@app.command(cls=ListsOfWords)
def gen(
    functions: Annotated[Path | None, both("functions-yaml-path", "Rows of operators that torch has.")] = None,
    custom_ops: Annotated[Path | None, both("custom-ops-yaml-path", "Rows with schemas; they win.")] = None,
    fallback: Annotated[Path | None, both("fallback-yaml-path", "Rows for what the others have no row for.")] = None,
    folder: Annotated[
        Path, typer.Option("-d", "--install-dir", "--install_dir", help="The folder to write to.")
    ] = Path("build/generated"),
    selection: Annotated[Path | None, both("op-selection-yaml-path", "Which of them; all, if not said.")] = None,
    whitelist: Annotated[Words, both("op-registration-whitelist", "Which of them, without overloads.")] = None,
    library: Annotated[str, typer.Option(help="The table is tenon::<library>_kernels.")] = "generated",
    kernel_libraries: Annotated[
        Paths, both("kernel-library", "Kernels, compiled (.o, .a, .so): tells which take no context.")
    ] = None,
    sources: Annotated[
        Paths, typer.Option("--checks", help="A source of kernels: writes check_<source>, to be compiled instead.")
    ] = None,
    manual: Annotated[bool, both("manual-registration", "register_all_kernels() instead of before main().")] = False,
    aten: Annotated[bool, both("use-aten-lib", "Kernels take tensors of ATen.")] = False,
    exceptions: Annotated[bool, both("add-exception-boundary", "What a kernel throws fails its call.")] = False,
    kinds: Annotated[
        Words, typer.Option("--generate", help="headers, sources, or both; or aten-operators, without rows.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", "--dry_run", help="Say what would be written.")] = False,
    dependencies: Annotated[
        Path | None, typer.Option("-o", "--output-dependencies", help="Write a CMake list of the files here.")
    ] = None,
    aten_yaml: Annotated[Path | None, idle("--aten-yaml-path", "--aten_yaml_path")] = None,
    tags: Annotated[Path | None, idle("--tags-path", "--tags_path")] = None,
    templates: Annotated[Path | None, idle("-s", "--source-path", "--source_path")] = None,
    backend: Annotated[Words, idle("--static-dispatch-backend", "--static_dispatch_backend")] = None,
    rocm: Annotated[bool, idle("--rocm")] = False,
) -> None:
    """Write the C++ that declares, registers and calls the kernels of functions.yaml and custom_ops.yaml.

    Schemas of operators that torch has come from torch, so that native_functions.yaml and tags.yaml are not read.
    """
    wanted = kinds or list(_KINDS)
    for word in wanted:
        if word not in (*_KINDS, _FOR_ATEN):
            raise Invalid(f"--generate {word}: there are headers, sources and {_FOR_ATEN}.{near(word, _KINDS)}")
    if _FOR_ATEN in wanted:
        _aten_operators(_rows(custom_ops), selection, library, folder)
        return
    if functions is None and custom_ops is None and fallback is None:
        raise Invalid("There are no rows. Give --functions-yaml-path, --custom-ops-yaml-path or both.")
    with working() as bar, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", UserWarning)
        bar.step("read rows", 0, 2)
        own, others = _rows(custom_ops), merged(_rows(functions), _rows(fallback))
        from tenon.build.generate import NO_PROGRAMS, bind, checks, generate, generate_aot
        from tenon.build.select import programs_of

        asked = _selection(selection)
        bound = _selected(bind(merged(own, others)), asked, whitelist, aten)
        bar.step("generate", 1, 2)
        names = _Names(kernel_libraries or [], bound)
        registration: Literal["manual", "static"] = "manual" if manual else "static"
        files = generate(
            bound,
            library,
            registration=registration,
            aten=aten,
            plain=names.plain,
            exceptions=exceptions,
            programs=programs_of(asked) if asked else NO_PROGRAMS,
        )
        if custom_ops is not None:
            theirs = [each for each in bound if each.row in own]
            for stubs in (True, False):
                files |= generate_aot(theirs, stubs=stubs, with_context=names.with_context)
        files = {name: text for name, text in files.items() if any(name.endswith(_KINDS[kind]) for kind in wanted)}
        files |= {f"check_{source.name}": checks(bound, source) for source in sources or []}
    for each in [*(str(warning.message) for warning in told), *names.missing]:
        err.print(each, style="yellow", soft_wrap=True)
    _write(folder, files, dependencies, dry_run)
    out.print(f"{folder}: {plural(len(bound), 'kernel')}, {plural(len(files), 'file')}", soft_wrap=True)


def _aten_operators(rows: list[Row], path: Path | None, library: str, folder: Path) -> None:
    """What is selected and has no row is asked of torch."""
    from tenon.build.generate import bind
    from tenon.build.generate.aten import ATEN_OPERATORS, aten_names, aten_table
    from tenon.build.select import chosen, read_selection

    if path is None:
        raise Invalid(f"--generate {_FOR_ATEN} needs to know which: give --op-selection-yaml-path.")
    selection = read_selection(path)
    names = aten_names(selection, {each.row.op for each in chosen(selection, bind(rows), aten=True)})
    _write(folder, {ATEN_OPERATORS: aten_table(names, library)}, None, dry_run=False)


def _rows(path: Path | None) -> list[Row]:
    """A path may be empty, or lead to nothing: a build system has one flag for all cases. The latter is told."""
    if path is None or str(path) in ("", "."):
        return []
    if not path.exists():
        err.print(f"{path}: there is no such file, and no rows are taken from it.", style="yellow", soft_wrap=True)
    return read_table(path, optional=True)


def _selection(path: Path | None) -> "Selection | None":
    """A path may be empty, as above."""
    from tenon.build.select import read_selection

    return None if path is None or str(path) in ("", ".") else read_selection(path)


def _selected(
    bound: "Sequence[Bound]", selection: "Selection | None", whitelist: Sequence[str] | None, aten: bool
) -> "list[Bound]":
    """What a selection names of these rows. Others may have rows for the rest of it."""
    found = list(bound)
    if selection is not None:
        from tenon.build.select import Selection, chosen

        known = {each.row.op for each in found}
        bases = {op.partition(".")[0] for op in known}
        here = {
            name: selected
            for name, selected in selection.operators.items()
            if name in known or (selected.every_overload and name in bases)
        }
        found = chosen(Selection(here, selection.everything), found, aten=aten)
    if whitelist:
        found = [each for each in found if each.row.op.partition(".")[0] in whitelist]
    return found


class _Names:
    """What compiled kernels tell of their arguments, and which of the rows' kernels are in none of them."""

    def __init__(self, libraries: Sequence[Path], bound: "Sequence[Bound]") -> None:
        from tenon.build.drive.explain import explained
        from tenon.build.drive.symbols import CONTEXT, defined_functions

        given = {path: defined_functions(path) for path in libraries}
        functions = [each for defined in given.values() for each in defined if each.arguments is not None]
        self.with_context = frozenset(each.name for each in functions if each.has_context)
        self.plain = frozenset(each.name for each in functions) - self.with_context
        known = self.with_context | self.plain
        wanted = [str(each.row.kernel) for each in bound if str(each.row.kernel) not in known]
        words = (
            explained([f"{name}({CONTEXT})" for name in wanted], bound, given, remedy=_REMEDY)
            if libraries and wanted
            else None
        )
        self.missing = [words] if words else []


def _write(folder: Path, files: dict[str, str], dependencies: Path | None, dry_run: bool) -> None:
    """All of them, or none."""
    placed = [(folder / name, [text.encode()]) for name, text in files.items()]
    if dependencies is not None:
        listed = "".join(f'\n    "{path.resolve()}"' for path, _ in placed)
        placed.append((dependencies, [f"set({dependencies.stem}{listed})\n".encode()]))
    if dry_run:
        for path, _ in placed:
            out.print(f"would write {path}", soft_wrap=True)
        return
    for path, _ in placed:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Invalid(f"{path.parent}: cannot be made: {error.strerror}.") from None
    write_together(placed)
