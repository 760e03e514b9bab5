"""A selection: operators by name, the keys of the calls they are needed for, and who asked for them."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tenon.build.generate import Chain
from tenon.build.select.key import DEFAULT, key_of
from tenon.errors import Invalid, listing, plural
from tenon.ops.table import read_table


@dataclass(frozen=True)
class Selected:
    """What is needed of an operator: kernels for calls with these keys, or, with the key `default`, for any call.

    Of tenon::pointwise.out also the programs that it is called with.
    """

    keys: frozenset[str]
    origins: tuple[str, ...]
    every_overload: bool = False
    chains: frozenset[Chain] = frozenset()


@dataclass(frozen=True)
class Selection:
    """Operators by their qualified names. A name without overload may stand for all overloads of it."""

    operators: Mapping[str, Selected] = field(default_factory=dict)
    everything: bool = False


def union(selections: Iterable[Selection]) -> Selection:
    """All that any of them asks for."""
    found: dict[str, Selected] = {}
    everything = False
    for selection in selections:
        everything |= selection.everything
        for name, selected in selection.operators.items():
            found[name] = _both(found[name], selected) if name in found else selected
    return Selection(dict(sorted(found.items())), everything)


def _both(a: Selected, b: Selected) -> Selected:
    origins = tuple(dict.fromkeys([*a.origins, *b.origins]))
    return Selected(a.keys | b.keys, origins, a.every_overload or b.every_overload, a.chains | b.chains)


def of_everything() -> Selection:
    """All operators that there are rows for."""
    return Selection(everything=True)


def of_list(names: Iterable[str], origin: str = "a list of operators") -> Selection:
    """Operators by name: `aten::add.out`, `add.out`, or `aten::add` for all its overloads."""
    return of_dict({name: [] for name in names}, origin)


def of_dict(wanted: Mapping[str, Iterable[str]], origin: str = "a list of operators") -> Selection:
    """Operators with the dtypes (`Float`, `float32`) or keys (`v1/6;0,1|...`) that they are needed for; none: all."""
    faults: list[str] = []
    found = []
    for name, kinds in wanted.items():
        if not _NAME.fullmatch(name.strip()):
            faults.append(f"`{name}` is not a name. Write it as namespace::operator.overload.")
            continue
        keys = set()
        for kind in kinds:
            try:
                keys.add(key_of(kind))
            except Invalid as fault:
                faults.append(f"{name}: {fault}")
        operator = qualified(name.strip())
        every = "." not in operator
        found.append(Selection({operator: Selected(frozenset(keys or {DEFAULT}), (origin,), every)}))
    if faults:
        raise Invalid(listing(f"{plural(len(faults), 'fault')} in {origin}.", faults))
    return union(found)


_NAME = re.compile(r"([A-Za-z_]\w*::)?[A-Za-z_]\w*(\.\w+)?", re.ASCII)


def qualified(name: str) -> str:
    """With its namespace, which is `aten` where none is said."""
    return name if "::" in name else f"aten::{name}"


def of_json(text: str, origin: str = "a dict of operators") -> Selection:
    """`{"aten::add.out": ["Float", "Long"]}`."""
    try:
        wanted = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Invalid(f"{origin} is not JSON: {fault}") from None
    lists = isinstance(wanted, dict) and all(
        isinstance(kinds, list) and all(isinstance(kind, str) for kind in kinds) for kinds in wanted.values()
    )
    if not lists:
        raise Invalid(f'{origin} must be a JSON object of lists of texts: {{"aten::add.out": ["Float"]}}.')
    return of_dict(wanted, origin)


def of_yaml(path: str | Path, origin: str = "") -> Selection:
    """All operators of a functions.yaml or custom_ops.yaml."""
    by = (origin or str(path),)
    rows = read_table(Path(path))
    selected = Selected(frozenset({DEFAULT}), by)
    return Selection(dict.fromkeys(sorted({row.op for row in rows}), selected))


def split_names(text: str) -> list[str]:
    """A list in one text: by commas if there is any, else by spaces."""
    parts = text.split(",") if "," in text else text.split()
    return [part.strip() for part in parts if part.strip()]
