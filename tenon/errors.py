"""The two things that can go wrong, told apart by what the caller can do about them."""

import difflib
from collections.abc import Iterable


class TenonError(Exception):
    """The base of both: whatever Tenon raises about its input is one of these."""


class Unsupported(TenonError):
    """The input is sound, but Tenon cannot take it: change the model or extend Tenon."""


class Invalid(TenonError):
    """The input is broken: it says what is wrong, where, and what to do."""


def near(name: str, known: Iterable[str]) -> str:
    """' Did you mean a or b?', or nothing when no known name is close."""
    matches = difflib.get_close_matches(name, list(known), n=2, cutoff=0.6)
    return f" Did you mean {' or '.join(matches)}?" if matches else ""


def listing(headline: str, rows: Iterable[str], remedy: str = "") -> str:
    """All problems of one kind in one message: a headline, a row each, what to do."""
    return "\n".join([headline, *(f"  {row}" for row in rows), *([f"  {remedy}"] if remedy else [])])


def plural(count: int, noun: str, many: str = "") -> str:
    """'1 node', '2 nodes'."""
    return f"{count} {noun if count == 1 else many or noun + 's'}"
