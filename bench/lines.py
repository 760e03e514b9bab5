"""Lines by folder: all, and those of code, which are neither blank nor only a comment."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOT_CODE = re.compile(r"\s*(//.*|# .*)?$")


def folders() -> dict[Path, list[Path]]:
    """Their files. What `native/kernels/` holds is told apart: the kernels, their fast paths, and what is generated."""
    kernels = ROOT / "native" / "kernels"
    whole = [
        *(ROOT / "tenon").iterdir(),
        *(ROOT / "native").iterdir(),
        ROOT / "tests",
        ROOT / "bench",
        ROOT / "examples",
    ]
    found = {folder: files(folder, "**/*") for folder in sorted(whole) if folder != kernels}
    return found | {folder: files(folder, "*") for folder in (kernels, kernels / "fast", kernels / "generated")}


def files(folder: Path, pattern: str) -> list[Path]:
    return [each for each in folder.glob(pattern) if each.suffix in (".py", ".cpp", ".h")]


def main() -> None:
    for folder, inside in folders().items():
        lines = [line for file in inside for line in file.read_text().splitlines()]
        code = sum(NOT_CODE.match(line) is None for line in lines)
        if lines:
            print(f"{len(lines):6} lines, {code:6} of code  {folder.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
