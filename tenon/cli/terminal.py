"""What all commands share: the application, its two consoles, and a bar for long work."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console

# What is printed has names and paths of users in it, where `:b:` and `[/b]` mean nothing else.
out = Console(highlight=False, markup=False, emoji=False)
err = Console(stderr=True, highlight=False, markup=False, emoji=False)

app = typer.Typer(
    help="Takes a PyTorch model and cuts a native runtime to fit it.", no_args_is_help=True, add_completion=False
)


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
