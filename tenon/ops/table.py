"""Rows of functions.yaml and custom_ops.yaml: which C++ function is an operator's kernel, and where that was said."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from tenon.errors import Invalid, listing, near, plural
from tenon.files import read_whole


@dataclass(frozen=True)
class Place:
    """A line of a YAML file, by the file's name: what is generated is the same wherever the file lies."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class KernelName:
    """A C++ function. `::native` is part of every kernel's namespace, and is not written in YAML."""

    namespace: str
    function: str

    def __str__(self) -> str:
        return f"{self.namespace}::{self.function}"


@dataclass(frozen=True)
class Row:
    """One operator and its kernel. `schema` is the text behind `func:`, None for an operator that torch knows."""

    op: str
    schema: str | None
    kernel: KernelName
    place: Place


# Fields of torch's native_functions.yaml that say nothing about kernels here.
_IDLE = {
    *"variants tags device_check device_guard python_module autogen category_override manual_cpp_binding".split(),
    *"manual_kernel_registration cpp_no_default_args structured structured_delegate structured_inherits".split(),
}
_FIELDS = {"op", "func", "kernels", *_IDLE}
_KERNEL_FIELDS = {"arg_meta", "kernel_name"}


def read_table(path: Path) -> list[Row]:
    """The rows of a file, in its order. All that is wrong with it is told at once."""
    try:
        root = yaml.compose(read_whole(path).decode(), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as fault:
        raise Invalid(f"{path} is not YAML: {fault}") from None
    if root is None:
        return []
    reader = _Reader(path.name)
    if not isinstance(root, yaml.SequenceNode):
        raise Invalid(f"{reader.place(root)}: a list of operators is expected.")
    rows = [row for node in root.value for row in reader.rows(node)]
    if reader.faults:
        raise Invalid(listing(f"{plural(len(reader.faults), 'fault')} in {path}.", reader.faults))
    return rows


class _Reader:
    """YAML nodes, which know their lines, to rows. A fault is kept, and reading goes on."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[str] = []

    def place(self, node: yaml.Node) -> Place:
        return Place(self.file, node.start_mark.line + 1)

    def fault(self, node: yaml.Node, words: str) -> None:
        self.faults.append(f"{self.place(node)}: {words}")

    def rows(self, node: yaml.Node) -> Iterator[Row]:
        fields = self.mapping(node, "a row", _FIELDS)
        if fields is None:
            return
        named = [key for key in ("op", "func") if key in fields]
        if len(named) != 1:
            self.fault(node, "a row has either `op` or `func`.")
            return
        text = self.text(fields[named[0]], named[0])
        kernels = fields.get("kernels")
        if not isinstance(kernels, yaml.SequenceNode) or not kernels.value:
            self.fault(kernels or node, "`kernels` is a list of kernels, each with `arg_meta` and `kernel_name`.")
            return
        for item in kernels.value:
            kernel = self.kernel(item)
            if kernel and text:
                schema = text if named == ["func"] else None
                yield Row(_qualified(text.partition("(")[0]), schema, kernel, self.place(item))

    def kernel(self, node: yaml.Node) -> KernelName | None:
        fields = self.mapping(node, "a kernel", _KERNEL_FIELDS)
        if fields is None:
            return None
        meta = fields.get("arg_meta")
        if meta is not None and meta.tag != "tag:yaml.org,2002:null":
            self.fault(meta, "`arg_meta` is null: a kernel is for all dtypes and dim orders.")
            return None
        if "kernel_name" not in fields:
            self.fault(node, "`kernel_name` is missing.")
            return None
        name = self.text(fields["kernel_name"], "kernel_name")
        *namespaces, function = name.split("::")
        if len(namespaces) > 3 or not all(part.isidentifier() for part in (*namespaces, function)):
            self.fault(node, f"`{name}` is not the name of a C++ function in at most three namespaces.")
            return None
        return KernelName("::".join([*(namespaces or ["at"]), "native"]), function)

    def mapping(self, node: yaml.Node, what: str, known: set[str]) -> dict[str, yaml.Node] | None:
        if not isinstance(node, yaml.MappingNode):
            self.fault(node, f"{what} is a mapping of {', '.join(sorted(known - _IDLE))}.")
            return None
        fields: dict[str, yaml.Node] = {}
        for key, value in node.value:
            if key.value not in known:
                self.fault(key, f"{what} has no field `{key.value}`.{near(str(key.value), known)}")
            if key.value in fields:
                self.fault(key, f"`{key.value}` is there twice.")
            fields[key.value] = value
        return fields

    def text(self, node: yaml.Node, what: str) -> str:
        if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:str":
            return str(node.value).strip()
        self.fault(node, f"`{what}` is a text.")
        return ""


def _qualified(name: str) -> str:
    return name if "::" in name else f"aten::{name}"


def read_tables(paths: Sequence[Path]) -> list[Row]:
    """The rows of several files, one after the other."""
    return [row for path in paths for row in read_table(path)]
