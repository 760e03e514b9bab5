"""The command `tenon`: words around the pipeline. Exit code 1 for a mistake in the input, 2 for one in the command."""

import sys
import warnings

from tenon.cli import build, gen, graphs, ops, programs, select  # noqa: F401 (each adds its commands)
from tenon.cli.terminal import app, err
from tenon.errors import Invalid, TenonError, Unsupported


def main() -> None:
    """Run a command; a mistake in its input is one message and exit code 1."""
    warnings.filterwarnings("ignore", category=FutureWarning)
    try:
        app()
    except TenonError as error:
        kind = Unsupported if isinstance(error, Unsupported) else Invalid
        err.print(f"{kind.__name__}: {error}", style="red", soft_wrap=True)
        sys.exit(1)
