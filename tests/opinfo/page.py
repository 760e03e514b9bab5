"""Writes docs/ops.md: each kernel by dtype as the table test found it, and torch's operators as programs.

    make ops

It reads what two runs left in build/: kernels.xml of tests/native/test_kernels.py, and opinfo.jsonl of opinfo/sweep.py.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from pathlib import Path

from tenon.ops.table import read_tables

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "ops.md"
SHORT = "u8 i8 i16 i32 i64 f16 bf16 f32 f64 b8 c64".split()
COLUMNS = ("float32", "int64", "bool", "float16")
FACTORISATIONS = re.compile(
    r"cholesky|linalg_(eig|eigh|eigvals|qr|lu|ldl|svd|inv|solve|det|slogdet|pinv|lstsq|householder|check)|_linalg_|"
    r"\blu_|aten::(geqrf|ormqr|orgqr|triangular_solve|lu_unpack|lu_solve|linalg_inv_ex)"
)


def rows():
    return read_tables([ROOT / "native" / "kernels" / name for name in ("functions.yaml", "custom_ops.yaml")])


def main():
    kernels, programs = ROOT / "build" / "kernels.xml", ROOT / "build" / "opinfo.jsonl"
    swept = [json.loads(line) for line in programs.read_text().splitlines()]
    PAGE.write_text(page(tested(kernels), swept))
    print(f"{PAGE.relative_to(ROOT)}: {len(rows())} kernels, {len({each['op'] for each in swept})} operators of torch")


def tested(path):
    """operator, dtype -> how many calls were compared, and how many of what torch takes were refused."""
    found = {}
    for case in ElementTree.parse(path).iter("testcase"):
        match = re.fullmatch(r"test_op\[(.+)-(\w+)\]", case.get("name", ""))
        if match is None:
            continue
        told = {each.get("name"): int(each.get("value")) for each in case.iter("property")}
        failed = case.find("failure") is not None or case.find("error") is not None
        found[match[1], match[2]] = (told.get("cases", 0), told.get("refusals", 0), failed)
    return found


def page(kernels, swept):
    return "\n".join([*_head(swept), *_kernel_table(kernels), *_program_table(swept), *_refused(swept)]) + "\n"


# --- the parts ----------------------------------------------------------------------------------------------------


def _head(swept):
    total = Counter()
    for each in swept:
        total.update(each["counts"])
    aside = sum(_is_factorisation(row) for each in swept for row in each["rows"])
    good = total["equal"] + total["shape"]
    tried = sum(total[kind] for kind in ("equal", "shape", "refused", "wrong", "crashed")) - aside
    yield "# Operators"
    yield ""
    yield "Made by `make ops`; do not edit. `tenon ops NAME` tells of one operator."
    yield ""
    most = max(each["most"] for each in swept)
    which = "all" if most >= 10**6 else f"the first {most} of each operator and dtype"
    yield (
        f"Lean mode has {len(rows())} kernels. Of torch's operator database, {tried:,} samples ({which}) that torch "
        f"can export (float32, int64, bool, float16; {aside:,} that need a matrix factorisation aside) were exported "
        f"as programs of their own and run in lean mode: {good:,} ({good / max(1, tried):.2%}) equal eager, "
        f"{total['refused'] - aside:,} are refused with a sentence, {total['wrong']} are wrong, {total['crashed']} "
        "crashed. Equal means torch's tolerance for the dtype, or about as near as torch to what float64 gives; of "
        f"random numbers and uninitialised memory only dtype and shape are compared ({total['shape']:,} samples)."
    )
    yield ""


def _kernel_table(kernels):
    yield "## Kernels"
    yield ""
    yield (
        "Calls compared with torch, by dtype of the sample: contiguous, and in place and channels last where the "
        "operator keeps the order. Empty where torch takes no such dtype. `n-k`: of n calls that torch takes, the "
        "kernel refuses k."
    )
    yield ""
    yield f"| operator | {' | '.join(SHORT)} |"
    yield f"|---|{'---|' * len(SHORT)}"
    for op in sorted(row.op for row in rows()):
        yield f"| `{op}` | {' | '.join(_cell(kernels.get((op, dtype))) for dtype in SHORT)} |"
    yield ""


def _cell(found):
    if found is None or not found[0]:
        return ""
    cases, refusals, failed = found
    return "FAILS" if failed and not refusals else f"{cases}-{refusals}" if refusals else str(cases)


def _program_table(swept):
    by_name = defaultdict(dict)
    for each in swept:
        by_name[each["op"]][each["dtype"]] = each
    yield "## torch's operators as programs"
    yield ""
    yield (
        "Samples that equal eager, of those that torch can export. *kernel*: the operator has a row; *decomposed*: "
        "others say it; *ATen only*: lean mode refuses it by name."
    )
    yield ""
    yield f"| operator | lean mode | {' | '.join(COLUMNS)} |"
    yield f"|---|---|{'---|' * len(COLUMNS)}"
    bases = {re.sub(r"_copy$", "", row.op.partition("::")[2].partition(".")[0]) for row in rows()}
    for name, found in sorted(by_name.items()):
        yield f"| `{name}` | {_way(name, found, bases)} | {' | '.join(_score(found.get(dtype)) for dtype in COLUMNS)} |"
    yield ""


def _way(name, found, bases):
    counts = Counter()
    for each in found.values():
        counts.update(each["counts"])
    if not counts["equal"] + counts["shape"]:
        return "torch cannot export it" if not counts["refused"] else "ATen only"
    is_inside = name.startswith(("nn.", "special.", "linalg.", "fft."))
    short = name.rpartition(".")[2] if is_inside else name.partition(".")[0]
    return "kernel" if {short, f"special_{short}", f"linalg_{short}"} & bases else "decomposed"


def _score(each):
    if each is None:
        return ""
    counts = each["counts"]
    good = counts.get("equal", 0) + counts.get("shape", 0)
    tried = good + sum(counts.get(kind, 0) for kind in ("refused", "wrong", "crashed"))
    return f"{good}/{tried}" if tried else "-"


def _refused(swept):
    reasons, who = Counter(), defaultdict(set)
    for each in swept:
        for row in each["rows"]:
            if row["kind"] in ("refused", "wrong", "crashed"):
                reason = _reason(row)
                reasons[reason] += 1
                who[reason].add(each["op"])
    yield "## What lean mode refuses"
    yield ""
    yield "| reason | samples | operators |"
    yield "|---|---|---|"
    for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        names = sorted(who[reason])
        more = f" and {len(names) - 6} more" if len(names) > 6 else ""
        yield f"| {reason} | {count} | {', '.join(f'`{name}`' for name in names[:6])}{more} |"


def _reason(row):
    """The operator that is missing, or the sentence without its numbers."""
    words = row["words"]
    if row["kind"] != "refused":
        return f"**{row['kind']}**: {words.splitlines()[0] if words else ''}"
    missing = sorted(set(re.findall(r"\w+::\w+(?:\.\w+)?", words))) if "[core]" in words or "kernel" in words else []
    factor = "matrix factorisation: " if FACTORISATIONS.search(" ".join(missing)) else ""
    if missing:
        return factor + "no kernel for " + ", ".join(f"`{name}`" for name in missing)
    return re.sub(r"\d+", "n", re.sub(r"\[[\d, ]*\]", "[...]", words.splitlines()[0])).replace("|", "\\|")


def _is_factorisation(row):
    return row["kind"] == "refused" and _reason(row).startswith("matrix factorisation")


if __name__ == "__main__":
    sys.exit(main())
