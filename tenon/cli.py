"""The command `tenon`: words around the pipeline. Exit code 1 for a mistake in the input, 2 for one in the command."""

import importlib.util
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from tenon.errors import Invalid, TenonError, near, plural
from tenon.files import map_whole, write_whole
from tenon.ir.cost import Cost, cost
from tenon.ir.graph import Graph, at
from tenon.ir.json import load_ir
from tenon.ir.mermaid import ir_to_mermaid
from tenon.ir.text import to_text
from tenon.ir.types import DTYPE_BY_CODE
from tenon.pte import read_program
from tenon.pte.schema import ExecutionPlan, Tensor

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

app = typer.Typer(
    help="Takes a PyTorch model and cuts a native runtime to fit it.", no_args_is_help=True, add_completion=False
)


class ExtractByDefault(typer.core.TyperGroup):
    """`tenon ir MODEL.py:FACTORY` is `tenon ir extract MODEL.py:FACTORY`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = ["extract", *args]
        return super().parse_args(ctx, args)


ir = typer.Typer(
    help="A model's graph: extract it from MODEL.py:FACTORY, or show one.", cls=ExtractByDefault, no_args_is_help=True
)
app.add_typer(ir, name="ir")


@ir.command()
def extract(
    model: Annotated[
        str,
        typer.Argument(metavar="MODEL.py:FACTORY", help="FACTORY() gives (model, args[, kwargs[, dynamic_shapes]])"),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The file to write: .json, .txt (text) or .mmd (Mermaid).")
    ],
    dialect: Annotated[
        str, typer.Option(help="captured: any ATen operator, as torch.export gives it. aten: the ATen dialect.")
    ] = "captured",
) -> None:
    """Extract the graph of the model that FACTORY in MODEL.py makes."""
    formats = {".json": None, ".txt": to_text, ".mmd": ir_to_mermaid}
    if output.suffix not in formats:
        raise Invalid(
            f"{output}: a graph is written as {', '.join(formats)}, not as {output.suffix or 'a file without suffix'}."
        )
    if dialect not in ("captured", "aten"):
        raise Invalid(
            f"{dialect!r} is not a dialect to extract.{near(dialect, ('captured', 'aten'))} There are: captured, aten."
        )
    with working() as bar:
        bar.step(f"load {model}", 0, 2)
        args, kwargs = load_factory(model)
        from tenon.pipeline import capture, extract_ir

        bar.step(f"capture {model}", 1, 2)
        graph = (capture if dialect == "aten" else extract_ir)(*args, **kwargs)
    write = formats[output.suffix]
    if write is None:
        graph.save(output)
    else:
        write_whole(output, write(graph).encode())
    out.print(f"{output}: {graph.name}, {len(graph.nodes)} nodes, {len(graph.weights)} weights", soft_wrap=True)


@ir.command()
def show(
    path: Annotated[Path, typer.Argument(metavar="IR.json")],
    at: Annotated[
        list[str] | None,
        typer.Option(help="A symbol's size to count with, such as batch=8; its upper bound if not given."),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print the graph itself instead.")] = False,
) -> None:
    """Show a graph: its operators, parameters, arithmetic and memory."""
    with working() as bar:
        bar.step(f"read {path}", 0, 2)
        graph = load_ir(path)
        bar.step(f"count {path}", 1, 2)
        shown = str(graph) if text else cost(graph, _sizes(graph, at or []))
    if isinstance(shown, str):
        out.print(shown, markup=False, soft_wrap=True)
    else:
        _show_table(graph, shown)


@app.command()
def export(
    model: Annotated[
        str,
        typer.Argument(metavar="MODEL.py:FACTORY", help="FACTORY() gives (model, args[, kwargs[, dynamic_shapes]])"),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The program to write, a .pte file.")],
    memory: Annotated[
        list[str] | None,
        typer.Option(help="A memory bank with its bytes, sram=65536, or without a limit, dram; the fastest first."),
    ] = None,
    external_weights: Annotated[bool, typer.Option(help="Weights in a .ptd file beside the program.")] = False,
    source_lines: Annotated[
        bool, typer.Option(help="Keep the model's line of every instruction, for profiles.")
    ] = False,
) -> None:
    """Export the model that FACTORY in MODEL.py makes as a program."""
    banks = dict(map(_bank, memory)) if memory else None
    if output.suffix != ".pte":
        raise Invalid(f"{output}: a program is written as .pte, not as {output.suffix or 'a file without suffix'}.")
    with working() as bar:
        bar.step(f"load {model}", 0, 1)
        args, kwargs = load_factory(model)
        from tenon.pipeline import export as export_program

        program = export_program(
            *args,
            **kwargs,
            memory=banks,
            external_weights=external_weights,
            source_lines=source_lines,
            progress=bar.step,
        )
        program.save(output, progress=bar.bytes(f"write {output}"))
    operators = program.operators()
    out.print(
        f"{output}: {plural(len(operators), 'operator')}, {size(program.memory().planned)} planned", soft_wrap=True
    )
    for line in _needs(output):
        out.print(line, soft_wrap=True)


def _bank(text: str) -> tuple[str, int | None]:
    name, given, room = text.partition("=")
    if not name or (given and not room.isdigit()):
        raise Invalid(f"--memory {text}: a bank is given as NAME=BYTES, such as sram=65536, or as NAME alone.")
    return name, int(room) if given else None


def _needs(path: Path) -> Iterator[str]:
    """What each method needs in the native runtime, exactly."""
    from tenon import _native

    program = _native.Program(map_whole(path), None)
    for name in program.methods:
        try:
            own, banks = program.memory_needed(name)
        except TenonError as error:  # a delegate, for one
            yield str(error)
            continue
        listed = [f"{room} in bank {i}" for i, room in enumerate(banks, 1)]
        yield f"method {name} needs {', '.join([f'{own} bytes for values and instructions', *listed])}"


@app.command("show")
def show_program(path: Annotated[Path, typer.Argument(metavar="MODEL.pte")]) -> None:
    """Show a program: its methods, operators, memory, constants and delegates."""
    with working() as bar:
        program = read_program(path, progress=bar.bytes(f"read {path}"))
    table = Table(title=f"{path}, {path.stat().st_size} bytes", title_justify="left")
    for column in ("method", "inputs", "outputs", "instructions", "planned", "delegates"):
        table.add_column(column, justify="left" if column in ("method", "inputs", "outputs", "delegates") else "right")
    for plan in program.plans:
        count = sum(len(chain.instructions or []) for chain in plan.chains or [])
        delegates = ", ".join(str(delegate.id) for delegate in plan.delegates or [])
        sides = (describe_values(plan, indices or []) for indices in (plan.inputs, plan.outputs))
        table.add_row(str(plan.name), *sides, str(count), size(sum(plan.non_const_buffer_sizes or [])), delegates)
    out.print(table)
    for name, calls in sorted(program.operators().items()):
        out.print(f"{calls:6}  {name}", soft_wrap=True)
    memory = program.memory()
    out.print(
        f"planned {size(memory.planned)}, constants {size(memory.constant)}, initial state {size(memory.state)}, "
        f"temporary {size(memory.temporary)}"
    )
    for line in _needs(path):
        out.print(line, soft_wrap=True)


def describe_values(plan: ExecutionPlan, indices: Sequence[int]) -> str:
    """`float32[2, 4], int`: the kinds of some values of a method."""
    texts = []
    for index in indices:
        value = (plan.values or [])[index].val
        if isinstance(value, Tensor):
            bound = "<=" if value.shape_dynamism else ""
            texts.append(f"{DTYPE_BY_CODE[value.scalar_type]}{bound}{value.sizes}")
        else:
            texts.append(type(value).__name__.lower())
    return ", ".join(texts)


def _sizes(graph: Graph, texts: Sequence[str]) -> dict[str, int]:
    names = [symbol.name for symbol in graph.symbols]
    sizes: dict[str, int] = {}
    for text in texts:
        name, equals, size = text.partition("=")
        if name not in names:
            known = f"There are: {', '.join(names)}." if names else "It has none."
            raise Invalid(f"{graph.name} has no symbol {name!r}.{near(name, names)} {known}")
        if not equals or not size.isdigit():
            raise Invalid(f"--at {text}: a size is given as {name}=8.")
        sizes[name] = int(size)
    return sizes


def _show_table(graph: Graph, total: Cost) -> None:
    table = Table(title=f"{graph.name} ({graph.dialect}), {len(graph.nodes)} nodes", title_justify="left")
    table.add_column("operator", overflow="fold")
    for column in ("calls", "FLOPs", "results"):
        table.add_column(column, justify="right")
    for operator in total.operators:
        table.add_row(
            operator.op, str(operator.calls), number(operator.flops) if operator.flops else "", size(operator.bytes)
        )
    out.print(table)
    weights = ", ".join(f"{kind}s {size(count)}" for kind, count in total.weight_bytes.items()) or "none"
    out.print(f"parameters   {total.parameters:,}")
    out.print(f"weights      {weights}")
    out.print(f"activations  {size(total.peak_bytes)} at the peak")
    out.print(f"FLOPs        {number(total.flops)} (matrix products, convolutions, attention; a multiply-add is two)")
    if total.sizes:
        out.print(f"counted at   {', '.join(f'{name}={value}' for name, value in total.sizes.items())}")


def number(count: int) -> str:
    for unit, scale in (("T", 10**12), ("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if count >= scale:
            return f"{count / scale:.2f} {unit}"
    return str(count)


def size(count: int) -> str:
    for unit, scale in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= scale:
            return f"{count / scale:.2f} {unit}"
    return f"{count} B"


def load_factory(text: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of capture from MODEL.py:FACTORY: (model, args, kwargs) and dynamic_shapes."""
    file, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier():
        raise Invalid(f"{text!r}: a model is named as MODEL.py:FACTORY, where FACTORY() gives (model, args).")
    module = _load_module(Path(file))
    factory = getattr(module, name, None)
    if not callable(factory):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise Invalid(f"{file} has no function {name}.{near(name, known)}")
    made = _run_user_code(factory, f"{name}() in {file}")
    if not isinstance(made, tuple) or not 2 <= len(made) <= 4:
        raise Invalid(
            f"{name}() in {file} must give (model, args[, kwargs[, dynamic_shapes]]), not a {type(made).__name__}."
        )
    model, args, kwargs, dynamic_shapes = (*made, None, None)[:4]
    return (model, args, kwargs), {"dynamic_shapes": dynamic_shapes}


def _load_module(file: Path) -> ModuleType:
    if not file.is_file():
        raise Invalid(f"{file}: there is no such file.")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise Invalid(f"{file}: is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module  # dataclasses and pytrees look their classes up here
    sys.path.insert(0, str(file.parent.resolve()))
    loader = spec.loader
    _run_user_code(lambda: loader.exec_module(module), str(file))
    return module


def _run_user_code(run: Any, who: str) -> Any:
    try:
        return run()
    except TenonError:
        raise
    except Exception as error:  # the user's file may raise anything
        from tenon.capture.source import source_of_error

        place = at(source_of_error(error.__traceback__))
        raise Invalid(f"{who} raised {type(error).__name__}{place}: {error}") from error


class Bar:
    """What a command is at, as a bar with a measure: steps or bytes, and the time gone by."""

    def __init__(self, console: Console) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self.progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[measure]}", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_interactive,
        )
        self.task = self.progress.add_task("", total=None, measure="")

    def step(self, what: str, done: int, total: int) -> None:
        self._set(what, done, total, f"step {done + 1} of {total}")

    def bytes(self, what: str) -> Callable[[int, int], None]:
        """What to tell of the bytes done, and of all. Until it is told, the bar has no measure."""
        self._set(what, 0, None, "")
        return lambda done, total: self._set(what, done, total, f"{size(done)} of {size(total)}")

    def _set(self, what: str, done: int, total: int | None, measure: str) -> None:
        self.progress.update(self.task, description=what, completed=done, total=total, measure=measure)


@contextmanager
def working(timer: Callable[[float, Callable[[], None]], threading.Timer] = threading.Timer) -> Iterator[Bar]:
    """A bar for what takes longer than a second, on a terminal; nothing elsewhere."""
    bar = Bar(err)
    if bar.progress.disable:
        yield bar
        return
    late = timer(1.0, bar.progress.start)
    late.daemon = True
    late.start()
    try:
        yield bar
    finally:
        late.cancel()
        late.join()  # it may be starting the bar just now
        if bar.progress.live.is_started:
            bar.progress.stop()


def main() -> None:
    """Run a command; a mistake in its input is one message and exit code 1."""
    warnings.filterwarnings("ignore", category=FutureWarning)
    try:
        app()
    except TenonError as error:
        err.print(f"{type(error).__name__}: {error}", style="red", markup=False, soft_wrap=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
