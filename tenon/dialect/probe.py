"""Asks torch which dtypes each operator of the ATen dialect takes and gives, and writes `edge_types.txt`.

    python -m tenon.dialect.probe            writes it
    python -m tenon.dialect.probe --check    says whether it is stale
Every operator runs on small tensors, on torch's CPU kernels, with every combination of dtypes: some they refuse.
"""

import argparse
import math
import os
import sys
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from itertools import combinations, groupby, product
from string import ascii_uppercase
from typing import Any

import torch

from tenon.dialect import samples
from tenon.dialect.aten import is_core
from tenon.dialect.cover import Box, Row, cover
from tenon.dialect.edge import DIM_ORDER_FORM
from tenon.dialect.edge_types import ANY, FILE, PROBED, Alternative
from tenon.dialect.samples import Sample, on_tensors
from tenon.errors import plural
from tenon.files import write_whole
from tenon.ir.types import DTYPE_BY_SHORT
from tenon.ops.promotion import promoted_arguments
from tenon.ops.schema import find_op, op_name
from tenon.ops.values import DTYPE_OF, TORCH_DTYPE

# They take sparse, nested or dual tensors, which no graph of the dialect holds, or ask for a layout; and the copies
# that have another form in the dialect.
NOT_PROBED = set(DIM_ORDER_FORM) | {
    f"aten::{name}"
    for name in """_fw_primal_copy _make_dual_copy _indices_copy indices_copy _values_copy values_copy
    crow_indices_copy col_indices_copy ccol_indices_copy row_indices_copy _sparse_broadcast_to_copy
    _nested_get_values_copy _nested_view_from_buffer_copy _nested_view_from_jagged_copy
    _test_autograd_multiple_dispatch_view_copy sym_is_contiguous sym_storage_offset sym_stride.int""".split()
}
# Those forms are no operators of torch: there is no kernel to ask.
DIM_ORDER_OPS = [
    f"dim_order_ops::_to_dim_order_copy(self: {ANY}) -> {ANY}",
    f"dim_order_ops::_clone_dim_order(self: A) -> A   A: {' '.join(PROBED)}",
]
# The plain kernel copies a bias of any dtype into its result, which is a cast that nothing in the graph shows.
ONE_DTYPE = {"aten::convolution": ("input", "weight", "bias")}
ALL_COMBINATIONS = 3  # up to so many tensors; of more, only combinations of two dtypes


def wanted() -> list[str]:
    """The operators to probe: those of the ATen dialect that take tensors and change none."""
    names = sorted(name for name in torch._C._dispatch_get_all_op_names() if name.startswith("aten::"))
    found = [(name, find_op(name)) for name in names if name not in NOT_PROBED]
    return [name for name, op in found if op is not None and is_core(op) and _functional(op) and _takes_tensors(op)]


def _functional(op: torch._ops.OpOverload) -> bool:
    return not op._schema.is_mutable and not any(result.alias_info for result in op._schema.returns)


def _takes_tensors(op: torch._ops.OpOverload) -> bool:
    return any("Tensor" in str(argument.type) for argument in op._schema.arguments)


def lines(names: Collection[str]) -> dict[str, list[str]]:
    """For each operator its alternatives as the file has them; none for one that no sample reaches."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # tiny tensors
    try:
        with warnings.catch_warnings(action="ignore"):
            collected = samples.collect(set(names))
            with torch.backends.mkldnn.flags(enabled=False):  # what it takes depends on the machine
                return {name: _lines(name, calls) for name, calls in collected.items()}
    finally:
        torch.set_num_threads(threads)


def _lines(name: str, calls: list[Sample]) -> list[str]:
    found: list[Alternative] = []
    for names, same in groupby(calls, key=lambda call: list(call.tensors)):
        rows = {row for call in same for row in accepted(call)}
        # What a call that gives more tensors may have, one that leaves out some of them may have too.
        new = frozenset(row for row in rows if not any(_holds(each, names, row) for each in found))
        found += [_alternative(box, names) for box in cover(new, (*PROBED, ANY))]
    return [name + str(each) for each in found]


def _holds(alternative: Alternative, names: list[str], row: Row) -> bool:
    return alternative.accepts(dict(zip(names, row, strict=False)), row[len(names) :])


def accepted(call: Sample) -> Iterator[Row]:
    """The dtypes of arguments and results of every combination that the kernel takes."""
    cast = {name: {dtype: _cast(arg, dtype) for dtype in PROBED} for name, arg in call.tensors.items()}
    for dtypes in _combinations(call):
        given = dict(zip(cast, dtypes, strict=True))
        args = {name: cast[name][given[name]] if name in cast else arg for name, arg in call.args.items()}
        try:
            results = call.op(**_numbers(call, args, dtypes))
        except (RuntimeError, IndexError, ValueError, TypeError):  # how kernels refuse
            continue
        yield (*dtypes, *_result_dtypes(call, results))


def _cast(arg: Any, short: str) -> Any:
    return on_tensors(lambda tensor: tensor.to(TORCH_DTYPE[DTYPE_BY_SHORT[short]]), arg)


def _combinations(call: Sample) -> Iterator[Row]:
    """A dtype for each tensor; those that torch would promote have one, as the dialect wants it."""
    names = list(call.tensors)
    together = promoted_arguments(op_name(call.op)) or ONE_DTYPE.get(op_name(call.op), ())
    free = [name for name in names if name not in together]
    slots = [*free, "together"] if len(free) < len(names) else free
    for choice in _choices(len(slots)):
        by_slot = dict(zip(slots, choice, strict=True))
        yield tuple(by_slot[name if name in free else "together"] for name in names)


def _choices(count: int) -> Iterator[Row]:
    if count <= ALL_COMBINATIONS:
        yield from product(PROBED, repeat=count)
        return
    yield from ((dtype,) * count for dtype in PROBED)
    for pair in combinations(PROBED, 2):
        yield from (row for row in product(pair, repeat=count) if len(set(row)) == 2)


def _numbers(call: Sample, args: Mapping[str, Any], dtypes: Row) -> dict[str, Any]:
    """With numbers that widen no dtype: a small integer, or True beside a bool."""
    scalars = {a.name for a in call.op._schema.arguments if str(a.type) in ("number", "Optional[number]")}
    small = {
        name: True if "b8" in dtypes else _small(complex(arg).real)
        for name, arg in args.items()
        if name in scalars and arg is not None
    }
    return {**args, **small}


def _small(number: float) -> int:
    return max(1, abs(int(number))) if math.isfinite(number) else 1


def _result_dtypes(call: Sample, results: Any) -> Row:
    if "dtype" in call.args or not call.op._schema.returns:
        return (ANY,) * len(call.op._schema.returns)
    flat = results if isinstance(results, tuple) else (results,)
    first = [part[0] if isinstance(part, list) else part for part in flat]
    shorts = [DTYPE_OF[part.dtype].short if isinstance(part, torch.Tensor) else ANY for part in first]
    return tuple(short if short in PROBED else ANY for short in shorts)


def _alternative(box: Box, arguments: list[str]) -> Alternative:
    positions, choices = box
    fresh = iter(ascii_uppercase)
    # A letter that can be one dtype only is written as that dtype.
    letters = [choice[0] if len(choice) == 1 else next(fresh) for choice in choices]
    named = [letters[position] for position in positions]
    sets = {letter: choice for letter, choice in zip(letters, choices, strict=True) if len(choice) > 1}
    return Alternative(dict(zip(arguments, named, strict=False)), tuple(named[len(arguments) :]), sets)


def text(found: Mapping[str, list[str]]) -> str:
    """The file: what it is, then the alternatives of every operator."""
    head = [
        f"# Which dtypes operators take and give in the Edge dialect, probed from torch {torch_version()}.",
        "# Made by python -m tenon.dialect.probe; edge_types.py says how a line reads. Do not edit.",
    ]
    return "\n".join([*head, *DIM_ORDER_OPS, *(line for name in sorted(found) for line in found[name]), ""])


def torch_version() -> str:
    """Without the build: the CPU and CUDA builds of a version agree."""
    return str(torch.__version__).partition("+")[0]


@contextmanager
def _without_torchs_warnings() -> Iterator[None]:
    """Kernels that are called below Python's bindings print their warnings themselves, thousands of them."""
    kept = os.dup(sys.stderr.fileno())
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stderr.fileno())
    try:
        yield
    finally:
        os.dup2(kept, sys.stderr.fileno())
        os.close(kept)


def main() -> int:
    parser = argparse.ArgumentParser(description="Probe torch for the dtypes that operators take.")
    parser.add_argument("--check", action="store_true", help="only say whether the file is stale")
    check = parser.parse_args().check
    with _without_torchs_warnings():
        found = lines(wanted())
    missed = sorted(name for name, alternatives in found.items() if not alternatives)
    count = sum(map(len, found.values()))
    print(f"{plural(len(found) - len(missed), 'operator')}, {plural(count, 'alternative')}")
    if missed:
        print(f"not reached, and so without a constraint: {', '.join(missed)}")
    if check:
        stale = not FILE.exists() or FILE.read_text() != text(found)
        print(f"{FILE.name} is stale. Run python -m tenon.dialect.probe." if stale else f"{FILE.name} is up to date.")
        return int(stale)
    write_whole(FILE, text(found).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
