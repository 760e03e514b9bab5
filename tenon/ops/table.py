"""Rows of functions.yaml and custom_ops.yaml: which C++ function is an operator's kernel, and where that was said."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

import yaml  # type: ignore[import-untyped]

from tenon.errors import Invalid, listing, near, plural
from tenon.files import read_whole

# How C++ writes the dtypes, in order of their codes: what stands in `type_alias`.
SCALAR_TYPES = (
    *"Byte Char Short Int Long Half Float Double ComplexHalf ComplexFloat ComplexDouble Bool".split(),
    *"QInt8 QUInt8 QInt32 BFloat16 QUInt4x2 QUInt2x4 Bits1x8 Bits2x4 Bits4x2 Bits8 Bits16".split(),
    *"Float8_e5m2 Float8_e4m3fn Float8_e5m2fnuz Float8_e4m3fnuz UInt16 UInt32 UInt64".split(),
)
MOST_DIMS = 16  # of a tensor in the runtime
DimOrder = tuple[int, ...]
T = TypeVar("T")


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
class Alias(Generic[T]):
    """A name for any one of some dtypes or dim orders: the same one wherever it stands in one `arg_meta`."""

    name: str
    options: tuple[T, ...]


@dataclass(frozen=True)
class ArgMeta:
    """What a specialised kernel takes as one of its tensors."""

    argument: str
    dtype: Alias[int]  # codes
    dim_order: Alias[DimOrder]


@dataclass(frozen=True)
class Row:
    """One operator and one kernel of it. `schema` is the text behind `func:`, None for an operator that torch knows.

    `metas` are None for the kernel of all calls that no other is for. `named` is where the operator is, above the
    kernels of it.
    """

    op: str
    schema: str | None
    kernel: KernelName
    place: Place
    metas: tuple[ArgMeta, ...] | None = None
    named: Place | None = field(default=None, compare=False)


# Fields of torch's native_functions.yaml that say nothing about kernels here.
_IDLE = {
    *"variants tags device_check device_guard python_module autogen category_override manual_cpp_binding".split(),
    *"manual_kernel_registration cpp_no_default_args structured structured_delegate structured_inherits".split(),
    *"precomputed ufunc_inner_loop".split(),
}
_FIELDS = {"op", "func", "kernels", "dispatch", "type_alias", "dim_order_alias", *_IDLE}
_KERNEL_FIELDS = {"arg_meta", "kernel_name"}


def read_table(path: Path, *, optional: bool = False) -> list[Row]:
    """The rows of a file, in its order. All that is wrong with it is told at once. An optional file may be missing."""
    if optional and not path.is_file():
        return []
    try:
        root = yaml.compose(read_whole(path).decode(), Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as fault:
        line = f":{fault.problem_mark.line + 1}" if fault.problem_mark else ""
        raise Invalid(f"{path}{line}: this is not YAML: {fault.problem}.") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as fault:
        raise Invalid(f"{path} is not YAML: {fault}") from None
    if root is None or _is_null(root):
        return []
    reader = _Reader(path.name)
    if not isinstance(root, yaml.SequenceNode):
        raise Invalid(f"{reader.place(root)}: a list of operators is expected.")
    rows = [row for node in root.value for row in reader.rows(node)]
    if reader.faults:
        faults = list(dict.fromkeys(reader.faults))  # an alias that is used thrice in a line is one fault of it
        raise Invalid(listing(f"{plural(len(faults), 'fault')} in {path}.", faults))
    return rows


def read_tables(paths: Sequence[Path]) -> list[Row]:
    """The rows of several files, one after the other."""
    return [row for path in paths for row in read_table(path)]


def merged(rows: Sequence[Row], fallback: Sequence[Row]) -> list[Row]:
    """All rows, then those of `fallback` whose operator is new: a user's over ours, custom operators over functions."""
    known = {row.op for row in rows}
    return [*rows, *(row for row in fallback if row.op not in known)]


@dataclass(frozen=True)
class _Aliases:
    dtypes: Mapping[str, Alias[int]]
    dim_orders: Mapping[str, Alias[DimOrder]]


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
        name = text.partition("(")[0].strip()
        if name.count("::") > 1:
            self.fault(fields[named[0]], f"`{name}` has more than one namespace. An operator has one, as my_ops::mul3.")
        schema = text if named == ["func"] else None
        for kernel, metas, place in self.kernels(node, fields):
            if text:
                named_at = self.place(fields[named[0]])
                yield Row(name if "::" in name else f"aten::{name}", schema, kernel, place, metas, named_at)

    def kernels(
        self, node: yaml.Node, fields: Mapping[str, yaml.Node]
    ) -> Iterator[tuple[KernelName, tuple[ArgMeta, ...] | None, Place]]:
        """Of one row: a list behind `kernels`, or one behind `dispatch`, whose backend means nothing here."""
        aliases = _Aliases(
            self.aliases(fields.get("type_alias"), "type_alias", self.dtypes),
            self.aliases(fields.get("dim_order_alias"), "dim_order_alias", self.dim_orders),
        )
        kernels, dispatch = fields.get("kernels"), fields.get("dispatch")
        if kernels is not None and dispatch is not None:
            self.fault(dispatch, "a row has either `kernels` or `dispatch`, which is its older form.")
        elif dispatch is not None:
            if not isinstance(dispatch, yaml.MappingNode) or len(dispatch.value) != 1:
                self.fault(dispatch, "`dispatch` names one kernel, as in `CPU: custom::add_out`.")
                return
            ((_, value),) = dispatch.value
            if kernel := self.kernel_name(value, "dispatch"):
                yield kernel, None, self.place(value)
        elif not isinstance(kernels, yaml.SequenceNode) or not kernels.value:
            self.fault(kernels or node, "`kernels` is a list of kernels, each with `arg_meta` and `kernel_name`.")
        else:
            for item in kernels.value:
                yield from self.kernel(item, aliases)

    def kernel(
        self, node: yaml.Node, aliases: _Aliases
    ) -> Iterator[tuple[KernelName, tuple[ArgMeta, ...] | None, Place]]:
        fields = self.mapping(node, "a kernel", _KERNEL_FIELDS)
        if fields is None:
            return
        if "kernel_name" not in fields:
            self.fault(node, "`kernel_name` is missing.")
            return
        kernel = self.kernel_name(fields["kernel_name"], "kernel_name")
        meta = fields.get("arg_meta")
        metas = None if meta is None or _is_null(meta) else self.metas(meta, aliases)
        if kernel:
            yield kernel, metas, self.place(node)

    def kernel_name(self, node: yaml.Node, what: str) -> KernelName | None:
        name = self.text(node, what)
        if not name:
            return None
        *namespaces, function = name.removeprefix("::").split("::")
        if not all(part.isascii() and part.isidentifier() for part in (*namespaces, function)):
            self.fault(node, f"`{name}` is not the name of a C++ function.")
            return None
        if len(namespaces) > 3:
            depth = f"in {len(namespaces)} namespaces, and at most three are allowed"
            self.fault(node, f"`{name}` is {depth}. `native` is appended, and need not be written.")
            return None
        return KernelName("::".join([*(namespaces or ["at"]), "native"]), function)

    # --- what a specialised kernel is for -------------------------------------------------------------------------

    def metas(self, node: yaml.Node, aliases: _Aliases) -> tuple[ArgMeta, ...]:
        if not isinstance(node, yaml.MappingNode):
            self.fault(node, "`arg_meta` is null, or maps each tensor argument to [type alias, dim order alias].")
            return ()
        found: dict[str, ArgMeta] = {}
        for key, value in node.value:
            pair = value.value if isinstance(value, yaml.SequenceNode) else []
            if len(pair) != 2 or not all(isinstance(each, yaml.ScalarNode) for each in pair):
                self.fault(value, f"`{key.value}` is [type alias, dim order alias], as in `[T0, D0]`.")
                continue
            dtype = self.alias(pair[0], aliases.dtypes, "type_alias")
            order = self.alias(pair[1], aliases.dim_orders, "dim_order_alias")
            if key.value in found:
                self.fault(key, f"`{key.value}` is there twice.")
            elif dtype and order:
                found[key.value] = ArgMeta(str(key.value), dtype, order)
        return tuple(found.values())

    def alias(self, node: yaml.Node, known: Mapping[str, Alias[T]], field: str) -> Alias[T] | None:
        if node.value not in known:
            hint = near(node.value, known) or (f" There are: {', '.join(known)}." if known else "")
            self.fault(node, f"`{node.value}` is used, but `{field}` does not define it.{hint}")
        return known.get(node.value)

    def aliases(
        self, node: yaml.Node | None, field: str, options: Callable[[yaml.Node], tuple[T, ...]]
    ) -> dict[str, Alias[T]]:
        if node is None or _is_null(node):
            return {}
        if not isinstance(node, yaml.MappingNode):
            self.fault(node, f"`{field}` maps names to lists.")
            return {}
        return {key.value: Alias(key.value, options(value)) for key, value in node.value}

    def dtypes(self, node: yaml.Node) -> tuple[int, ...]:
        """Codes. One that is there twice is there once."""
        names = node.value if isinstance(node, yaml.SequenceNode) else [node]
        codes: dict[int, None] = {}
        for each in names:
            if each.value in SCALAR_TYPES:
                codes[SCALAR_TYPES.index(each.value)] = None
            else:
                self.fault(each, f"`{each.value}` is not a dtype.{near(str(each.value), SCALAR_TYPES)}")
        if not names:
            self.fault(node, "an alias of no dtype is never met. Name one, as in `[Float]`.")
        return tuple(codes)

    def dim_orders(self, node: yaml.Node) -> tuple[DimOrder, ...]:
        """One order, flat, or a list of several."""
        if not isinstance(node, yaml.SequenceNode):
            self.fault(node, "a dim order is a list such as [0, 1, 2, 3], or there is a list of such lists.")
            return ()
        nested = any(isinstance(each, yaml.SequenceNode) for each in node.value)
        orders = dict.fromkeys(self.dim_order(each) for each in (node.value if nested else [node]))
        return tuple(order for order in orders if order is not None)

    def dim_order(self, node: yaml.Node) -> DimOrder | None:
        texts = [each.value for each in node.value] if isinstance(node, yaml.SequenceNode) else [node.value]
        dims = tuple(int(text) if isinstance(text, str) and text.isdigit() else -1 for text in texts)
        if sorted(dims) == list(range(len(dims))) and len(dims) <= MOST_DIMS:
            return dims
        shown = ", ".join(str(text) if isinstance(text, str) else "[...]" for text in texts)
        self.fault(node, f"[{shown}] is not a dim order: it names each of at most {MOST_DIMS} dimensions once, from 0.")
        return None

    # --- nodes ----------------------------------------------------------------------------------------------------

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
        if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:str" and node.value.strip():
            return str(node.value).strip()
        self.fault(node, f"`{what}` is a text.")
        return ""


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"
