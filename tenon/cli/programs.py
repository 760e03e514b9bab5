"""`tenon export` and `tenon show`: a model as a program, and what is in one."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from tenon.cli.factory import load_factory
from tenon.cli.terminal import app, out, size, working
from tenon.errors import Invalid, TenonError, plural
from tenon.files import map_whole
from tenon.ir.types import DTYPE_BY_CODE
from tenon.pte import read_program
from tenon.pte.schema import ExecutionPlan, Tensor


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
    optimize: Annotated[
        bool,
        typer.Option(
            help="Fold and pack weights, fuse operators: for lean mode. Without, ATen mode and ExecuTorch run it too."
        ),
    ] = True,
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
            optimize=optimize,
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
