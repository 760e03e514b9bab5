"""`tenon ir`: a model's graph, extracted and shown."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tenon.cli.factory import load_factory
from tenon.cli.terminal import app, number, out, size, working
from tenon.errors import Invalid, near
from tenon.files import write_whole
from tenon.ir.cost import Cost, cost
from tenon.ir.graph import Graph
from tenon.ir.json import load_ir
from tenon.ir.mermaid import ir_to_mermaid
from tenon.ir.text import to_text


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
        out.print(shown, soft_wrap=True)
    else:
        _show_table(graph, shown)


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
