"""The kernels that a selection takes of the rows there are, and words for the names that it takes none of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import torch

from tenon.build.generate import Bound
from tenon.build.select.key import DEFAULT, Meta, is_dtype_alone, key_words, metas_of, readings
from tenon.build.select.prim import prim_names
from tenon.build.select.selection import Selected, Selection
from tenon.errors import Invalid, Unsupported, listing, near, plural
from tenon.ops.schema import find_op, near_ops, signature

REMEDY = "Add a row to a functions.yaml or custom_ops.yaml"
_MOST_HINTS = 50  # near names are looked for among thousands


def by_operator(bound: Iterable[Bound]) -> dict[str, list[Bound]]:
    groups: dict[str, list[Bound]] = {}
    for each in bound:
        groups.setdefault(each.row.op, []).append(each)
    return groups


@dataclass(frozen=True)
class Wanted:
    """The keys that are needed of each operator that has rows, and the names that none has."""

    keys: Mapping[str, frozenset[str]]
    unmatched: list[tuple[str, Selected]] = field(default_factory=list)


def resolve(selection: Selection, groups: Mapping[str, list[Bound]]) -> Wanted:
    """Names to rows. A name without overload that asks for any call takes all overloads that there are."""
    keys: dict[str, frozenset[str]] = {op: frozenset({DEFAULT}) for op in groups} if selection.everything else {}
    unmatched: list[tuple[str, Selected]] = []
    overloads: dict[str, list[str]] = {}
    for op in groups:
        overloads.setdefault(op.partition(".")[0], []).append(op)
    for name, selected in selection.operators.items():
        names = overloads.get(name, []) if selected.every_overload else [name] if name in groups else []
        for op in names:
            keys[op] = keys.get(op, frozenset()) | selected.keys
        if not names and not _is_prim(name, selected):
            unmatched.append((name, selected))
    return Wanted(keys, unmatched)


def _is_prim(name: str, selected: Selected) -> bool:
    known = prim_names()
    return name in known or (selected.every_overload and any(each.partition(".")[0] == name for each in known))


def chosen(selection: Selection, bound: Sequence[Bound], *, aten: bool = False) -> list[Bound]:
    """The kernels that a build holds, in the order of the rows. In ATen mode what torch has needs no row."""
    groups = by_operator(bound)
    wanted = resolve(selection, groups)
    unmatched = [each for each in wanted.unmatched if not (aten and is_known(each[0], each[1]))]
    check_unknown(unmatched, groups)
    missing = [(name, each.origins, "" if is_known(name, each) else hint(name, groups)) for name, each in unmatched]
    found: list[Bound] = []
    for op, group in groups.items():
        if op in wanted.keys:
            kept, rest = served(group, wanted.keys[op])
            found += kept
            if rest and not (aten and find_op(op)):
                words = f"no kernel for {key_words(rest[0])}, nor one for any call ({group[0].row.place})"
                missing.append((op, selection.operators[op].origins if op in selection.operators else (), words))
    if missing:
        raise no_kernel(missing, aten)
    return found


def no_kernel(missing: Sequence[tuple[str, Sequence[str], str]], aten: bool) -> Unsupported:
    width = max(len(name) for name, _, _ in missing)
    rows = [f"{name:<{width}}  {', '.join(by)}  {words}".rstrip() for name, by, words in missing]
    has = "operator has" if len(missing) == 1 else "operators have"
    told = f"{remedy([name for name, _, _ in missing], aten)} `tenon check` shows where they are called."
    return Unsupported(listing(f"{len(missing)} {has} no kernel.", rows, told))


def remedy(missing: Iterable[str], aten: bool) -> str:
    """ATen mode is one only if torch has kernels for some of them; for it, a plain program is another."""
    missing = list(missing)
    if aten and any(name.startswith("tenon::") for name in missing):
        return f"{REMEDY}, or export the model with --no-optimize: fused operators are for lean mode."
    mode = ", or build with --mode aten" if not aten and any(map(find_op, missing)) else ""
    return f"{REMEDY}{mode}."


def served(group: Sequence[Bound], keys: frozenset[str]) -> tuple[list[Bound], list[str]]:
    """The kernels of an operator that calls with these keys need, and the keys that none of them serves.

    A specialised kernel is kept for the keys that are asked for; the fallback stands in for all others.
    """
    if DEFAULT in keys or not any(each.keys for each in group):
        return list(group), []
    used: set[str] = set()
    rest: list[str] = []
    special = {key: each for each in group for key in each.keys}
    for key in sorted(keys):
        if is_dtype_alone(key):
            dtype = metas_of(key)[0].dtype
            used |= {known for known in special if dtype in {meta.dtype for meta in metas_of(known)}}
            rest.append(key)
            continue
        matching = {known for known in special if metas_of(known) in _meanings(key, group)}
        used |= matching
        if len(matching) < len(_meanings(key, group)):  # it may be a call that none of these is for
            rest.append(key)
    has_fallback = any(not each.keys for each in group)
    kept = []
    for each in group:
        needed = tuple(key for key in each.keys if key in used)
        if needed or (rest and not each.keys):
            kept.append(replace(each, keys=needed))
    served_metas = {metas_of(known) for known in used}
    unserved = [key for key in rest if not is_dtype_alone(key) and not served_metas & _meanings(key, group)]
    return kept, [] if has_fallback else unserved


def _meanings(key: str, group: Sequence[Bound]) -> set[tuple[Meta, ...]]:
    """The keys that the runtime may make of a call which has this one in a program."""
    return {reading.runtime for reading in readings(key, group[0].schema)} or {metas_of(key)}


def kernel_count(selection: Selection, bound: Sequence[Bound]) -> int | None:
    """How many kernels a registry gets; None if that is left open. An operator without rows counts by its keys."""
    groups = by_operator(bound)
    wanted = resolve(selection, groups)
    if selection.everything or any(selected.every_overload for _, selected in wanted.unmatched):
        return None
    kept = [each for op, group in groups.items() if op in wanted.keys for each in served(group, wanted.keys[op])[0]]
    return sum(max(1, len(each.keys)) for each in kept) + sum(len(selected.keys) for _, selected in wanted.unmatched)


# --- names ----------------------------------------------------------------------------------------------------------


def check_names(selection: Selection, bound: Sequence[Bound]) -> None:
    """Listed names of namespaces that the rows or torch know must be known. Rows for others may come later."""
    groups = by_operator(bound)
    namespaces = {op.partition("::")[0] for op in (*groups, *prim_names())} | {"aten"}
    unmatched = resolve(selection, groups).unmatched
    check_unknown([each for each in unmatched if each[0].partition("::")[0] in namespaces], groups)


def check_unknown(unmatched: Sequence[tuple[str, Selected]], groups: Mapping[str, list[Bound]]) -> None:
    """Names that a person wrote, and that neither rows nor torch know; what a program calls is an operator."""
    faults: list[str] = []
    for name, selected in unmatched:
        if DEFAULT not in selected.keys and not all(map(is_dtype_alone, selected.keys)):
            continue
        outs = _out_variants(name) if not selected.every_overload else []
        words = _near_names(name, groups) if len(faults) < _MOST_HINTS else ""
        if not is_known(name, selected):
            faults.append(
                f"{name} ({', '.join(selected.origins)}) is no operator.{words and f' {words[0].upper()}{words[1:]}'}"
            )
        elif outs:
            meant = next((out for out in outs if out in groups), outs[0])
            faults.append(
                f"{name} ({', '.join(selected.origins)}) gives a new tensor, and kernels write to one that they are "
                f"given. Write {meant}."
            )
    if faults:
        raise Invalid(listing(f"{plural(len(faults), 'name')} cannot be selected.", faults))


def is_known(name: str, selected: Selected) -> bool:
    """Whether torch has an operator of that name, or, where it stands for all overloads, any of them."""
    if find_op(name):
        return True
    namespace, _, base = name.partition("::")
    if not selected.every_overload or not namespace.isidentifier():
        return False
    return hasattr(getattr(torch.ops, namespace), base)


def _out_variants(name: str) -> list[str]:
    """The operators that write what this one gives; none if it writes already."""
    op = find_op(name)
    if op is None or op._schema.is_mutable:
        return []
    namespace, _, rest = name.partition("::")
    packet = getattr(getattr(torch.ops, namespace), rest.partition(".")[0])
    others = [getattr(packet, overload) for overload in packet.overloads()]
    fitting = [other for other in others if other._schema.is_mutable and signature(other) == signature(op)]
    return [f"{namespace}::{other._schema.name.partition('::')[2]}.{other._schema.overload_name}" for other in fitting]


def _near_names(name: str, groups: Mapping[str, list[Bound]]) -> str:
    """Of the rows, else of torch and the prim operators."""
    return hint(name, groups) or _lower(near_ops(name) or near(name, prim_names()))


def hint(name: str, groups: Mapping[str, list[Bound]]) -> str:
    """'did you mean my_ops::mul3.out (custom_ops.yaml:1)?', of the rows, or nothing."""
    bases = {} if "." in name else {op.partition(".")[0]: op for op in groups}
    known = {op: op for op in groups if op.partition("::")[0] == name.partition("::")[0]} | bases
    words = near(name, known)
    if not words:
        return ""
    for candidate in words.removeprefix(" Did you mean ").removesuffix("?").split(" or "):
        place = groups[known[candidate]][0].row.place
        words = words.replace(candidate, f"{candidate} ({place})", 1)
    return _lower(words)


def _lower(words: str) -> str:
    return words.strip().replace("Did", "did", 1)
