"""Arithmetic on sizes, as nodes: one table from the operator's name to the function that computes it."""

import math
import operator
from collections.abc import Callable
from typing import Any

import torch


def _ite(condition: Any, then: Any, otherwise: Any) -> Any:
    return then if condition else otherwise


_BY_NAME = """add sub mul truediv floordiv mod pow neg pos abs lshift rshift and_ or_ xor not_ invert
    eq ne lt le gt ge getitem""".split()

# On the device these are prim operators; here they are Python's own.
SYMBOLIC: dict[str, Callable[..., Any]] = {
    **{f"sym::{name.rstrip('_')}": getattr(operator, name) for name in _BY_NAME},
    **{f"sym::{name}": getattr(math, name) for name in ("ceil", "floor", "trunc", "sqrt")},
    "sym::round": round,
    "sym::max": max,
    "sym::min": min,
    "sym::int": int,
    "sym::float": float,
    "sym::bool": bool,
    "sym::ite": _ite,
    "sym::sum": lambda args: sum(args),
    **{
        f"sym::{name}": getattr(math, name)
        for name in "cos cosh sin sinh tan tanh acos asin atan asinh exp log log2".split()
    },
}

# torch spells some of them by functions of its own.
_SPELLINGS: dict[str, str] = {
    "sym_max": "max",
    "sym_min": "min",
    "sym_int": "int",
    "sym_float": "float",
    "sym_not": "not",
    "sym_ite": "ite",
    "sym_sum": "sum",
    **{f"_sym_{name}": name for name in "sqrt cos cosh sin sinh tan tanh acos asin atan asinh exp log log2".split()},
}
_NAME_OF: dict[Any, str] = {function: name for name, function in SYMBOLIC.items()} | {
    getattr(torch, spelling): f"sym::{name}" for spelling, name in _SPELLINGS.items() if hasattr(torch, spelling)
}
ARGUMENT_NAMES = "abcd"

# What reads a number off a tensor: prim operators of a program, without an out variant.
READS_A_NUMBER = ("aten::sym_size.int", "aten::sym_numel", "aten::_local_scalar_dense")


def symbolic_name(function: Any) -> str | None:
    """The operator that a function of a captured graph is, if it is arithmetic on sizes."""
    try:
        return _NAME_OF.get(function)
    except TypeError:  # unhashable: not a function of ours
        return None
