"""Files of selections, in the form that ExecuTorch's tools read and write: one for each model, one for all together."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import yaml  # type: ignore[import-untyped]

from tenon.build.select.chains import POINTWISE, chain_of, chain_text
from tenon.build.select.key import DEFAULT, key_of
from tenon.build.select.selection import Selected, Selection
from tenon.errors import Invalid, listing, near, plural
from tenon.files import read_whole, write_whole

T = TypeVar("T")
OF_MODEL = "model_operators.yaml"
OF_ALL = ("selective_operators.yaml", "selected_operators.yaml")  # the older and the newer name of one file


def selection_text(selection: Selection) -> str:
    """A selection as YAML. The same selection gives the same text."""
    held = {
        "include_all_operators": selection.everything,
        "include_all_non_op_selectives": False,
        "operators": {name: _entry(selected) for name, selected in selection.operators.items()},
        "et_kernel_metadata": {name: sorted(selected.keys) for name, selected in selection.operators.items()},
        "kernel_metadata": {
            name: [chain_text(chain) for chain in sorted(selected.chains)]
            for name, selected in selection.operators.items()
            if selected.chains
        },
        "custom_classes": [],
        "build_features": [],
    }
    return str(yaml.safe_dump(held, default_flow_style=False, sort_keys=True, width=2**16, allow_unicode=True))


def _entry(selected: Selected) -> dict[str, Any]:
    return {
        "is_root_operator": True,
        "is_used_for_training": True,
        "include_all_overloads": selected.every_overload,
        "debug_info": list(selected.origins),
    }


def write_selection(path: str | Path, selection: Selection) -> None:
    write_whole(path, selection_text(selection).encode())


def selection_files(models: Sequence[tuple[str, Selection]], together: Selection) -> dict[str, str]:
    """Texts by file name: one for each model, in a folder of its name if there are several, and the union, twice."""
    files = {name: selection_text(together) for name in OF_ALL}
    for path, selection in models:
        folder = stem = PurePosixPath(Path(path).stem)
        number = 1
        while (name := str(folder / OF_MODEL) if len(models) > 1 else OF_MODEL) in files:
            number += 1
            folder = PurePosixPath(f"{stem}-{number}")
        files[name] = selection_text(selection)
    return files


def read_selection(path: str | Path) -> Selection:
    """A selection from any of these files. All that is wrong with one is told at once."""
    try:
        root = yaml.compose(read_whole(path).decode(), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as fault:
        raise Invalid(f"{path} is not YAML: {fault}") from None
    reader = _Reader(Path(path))
    selection = reader.selection(root)
    if reader.faults:
        raise Invalid(listing(f"{plural(len(reader.faults), 'fault')} in {path}.", reader.faults))
    return selection


_FIELDS = {
    *"include_all_operators include_all_non_op_selectives operators kernel_metadata et_kernel_metadata".split(),
    *"custom_classes build_features debug_info".split(),
}
_ENTRY_FIELDS = {"name", "is_root_operator", "is_used_for_training", "include_all_overloads", "debug_info"}
_MOST_NODES = 1_000_000  # a few lines of aliases may stand for more


class _Reader:
    """YAML nodes, which know their lines, to a selection. A fault is kept, and reading goes on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults: list[str] = []
        self.nodes = 0

    def fault(self, node: yaml.Node, words: str) -> None:
        self.faults.append(f"{self.path.name}:{node.start_mark.line + 1}: {words}")

    def selection(self, root: yaml.Node | None) -> Selection:
        if root is None or not isinstance(root, yaml.MappingNode):
            raise Invalid(f"{self.path} is not a selection: a mapping with `operators` is expected.")
        fields = self.mapping(root, "a selection", _FIELDS)
        everything = self.flag(fields, "include_all_operators", False)
        origins = self.texts(fields.get("debug_info"), "debug_info") or [str(self.path)]
        found: dict[str, Selected] = {}
        entries = self.mapping(fields.get("operators"), "operators")
        keys = {
            name: self.each(name, node, "the keys", key_of)
            for name, node in self.mapping(fields.get("et_kernel_metadata"), "et_kernel_metadata").items()
        }
        for name, node in entries.items():
            selected = self.operator(name, node, keys.get(name) or frozenset({DEFAULT}), origins)
            if selected:
                found[name] = selected
        variants = self.mapping(fields.get("kernel_metadata"), "kernel_metadata")
        if POINTWISE in variants and POINTWISE in found:
            programs = self.each(POINTWISE, variants[POINTWISE], "the programs", chain_of)
            found[POINTWISE] = replace(found[POINTWISE], chains=programs)
        for name, held in keys.items():
            if name in entries or everything:
                continue
            base = found.get(name.partition(".")[0])
            if base is None or not base.every_overload:
                self.fault(fields["et_kernel_metadata"], f"it has keys for {name}, which `operators` does not name.")
            else:
                found[name] = Selected(held, base.origins)
        return Selection(dict(sorted(found.items())), everything)

    def operator(self, name: str, node: yaml.Node, keys: frozenset[str], origins: list[str]) -> Selected | None:
        """None for what only other operators need, which gets no code."""
        fields = self.mapping(node, name, _ENTRY_FIELDS)
        if "name" in fields and fields["name"].value != name:
            self.fault(fields["name"], f"the name of {name} is given as {fields['name'].value!r} once more.")
        every = self.flag(fields, "include_all_overloads", True) and "." not in name
        # Theirs says "None" for a list. What it named without overload is meant for all of them, as documented.
        by = [text for text in self.texts(fields.get("debug_info"), "debug_info") if text != "None"]
        every |= "." not in name and DEFAULT in keys
        self.flag(fields, "is_used_for_training", True)
        return Selected(keys, tuple(by or origins), every) if self.flag(fields, "is_root_operator", True) else None

    def each(self, name: str, node: yaml.Node, what: str, read: Callable[[str], T]) -> frozenset[T]:
        """A list of an operator, of which each text says one thing."""
        found = set()
        for text in self.texts(node, f"{what} of {name}"):
            try:
                found.add(read(text))
            except Invalid as fault:
                self.fault(node, f"{name}: {fault}")
        return frozenset(found)

    def mapping(self, node: yaml.Node | None, what: str, known: set[str] | None = None) -> dict[str, yaml.Node]:
        """Fields by name; a missing or null one has none."""
        fields: dict[str, yaml.Node] = {}
        if node is None or _is_null(node):
            return fields
        if not isinstance(node, yaml.MappingNode):
            self.fault(node, f"{what} must be a mapping.")
            return fields
        self.count(node, len(node.value))
        for key, value in node.value:
            name = str(key.value)
            if not isinstance(key, yaml.ScalarNode):
                self.fault(key, f"{what} has a key that is no text.")
            elif known is not None and name not in known:
                self.fault(key, f"{what} has no field `{name}`.{near(name, known)}")
            elif name in fields:
                self.fault(key, f"`{name}` is there twice.")
            else:
                fields[name] = value
        return fields

    def texts(self, node: yaml.Node | None, what: str) -> list[str]:
        if node is None or _is_null(node):
            return []
        if not isinstance(node, yaml.SequenceNode) or not all(isinstance(each, yaml.ScalarNode) for each in node.value):
            self.fault(node, f"{what} must be a list of texts.")
            return []
        self.count(node, len(node.value))
        return [str(each.value) for each in node.value]

    def flag(self, fields: dict[str, yaml.Node], name: str, default: bool) -> bool:
        node = fields.get(name)
        if node is None:
            return default
        if node.tag != "tag:yaml.org,2002:bool":
            self.fault(node, f"`{name}` must be true or false.")
            return default
        return str(node.value).lower() in ("true", "yes", "on")

    def count(self, node: yaml.Node, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > _MOST_NODES:
            self.fault(node, f"its aliases stand for more than {_MOST_NODES} entries.")
            raise Invalid(self.faults[-1])


def _is_null(node: yaml.Node) -> bool:
    return bool(node.tag == "tag:yaml.org,2002:null")
