"""`python -m tenon.build.generate --yaml FILE... --out DIR`: C++ from rows. Without arguments, Tenon's own."""

import argparse
import sys
from pathlib import Path

from tenon.build.generate import bind, generate
from tenon.errors import TenonError
from tenon.files import write_together
from tenon.ops.table import read_tables

KERNELS = Path(__file__).parents[3] / "native" / "kernels"
OWN = [KERNELS / "functions.yaml", KERNELS / "custom_ops.yaml"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tenon.build.generate", description=__doc__)
    parser.add_argument("--yaml", type=Path, nargs="+", default=OWN, help="rows, in one file or several")
    parser.add_argument("--out", type=Path, default=KERNELS / "generated", help="the folder for the C++")
    parser.add_argument("--library", default="tenon", help="the table is named <library>_kernels")
    given = parser.parse_args()
    try:
        made = generate(bind(read_tables(given.yaml)), given.library)
    except TenonError as fault:
        print(fault, file=sys.stderr)
        return 1
    given.out.mkdir(parents=True, exist_ok=True)
    write_together([(given.out / name, [text.encode()]) for name, text in made.items()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
