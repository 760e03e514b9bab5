"""Graphs as JSON: stable (one graph, one text), versioned, checked on the way in. docs/ir.md describes it."""

import base64
import binascii
import json
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from tenon.errors import Invalid
from tenon.files import read_whole, write_whole
from tenon.ir.dims import Dim, Symbol, is_symbol_name, parse_dim
from tenon.ir.graph import (
    WEIGHT_KINDS,
    Arg,
    Device,
    Graph,
    GraphRef,
    Layout,
    MemoryFormat,
    Mutation,
    OpNode,
    OpRef,
    Ref,
    Source,
    Value,
    Weight,
)
from tenon.ir.tree import KINDS, LEAF, Tree, fault_of
from tenon.ir.types import (
    DTYPE,
    LAYOUTS,
    MEMORY_FORMATS,
    SCALAR_KINDS,
    ConstMeta,
    DType,
    ScalarMeta,
    TensorMeta,
    Type,
    layout_fault,
)
from tenon.ir.verify import check

VERSION = 1
MAX_DEPTH = 50  # of nested lists and objects
# What an argument that is an object in JSON stands for: its one key, the class, and how its name is read back.
_NAMED: dict[str, type] = {
    "ref": Ref,
    "graph": GraphRef,
    "op": OpRef,
    "dtype": DType,
    "device": Device,
    "layout": Layout,
    "memory_format": MemoryFormat,
}
_KEY_OF = {cls: key for key, cls in _NAMED.items()}
_FLOATS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}

T = TypeVar("T")


def save_ir(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write a graph to a file, whole or not at all."""
    write_whole(path, to_json(graph).encode())


def load_ir(path: str | os.PathLike[str]) -> Graph:
    """Read a graph from a file, and check that it is sound."""
    try:
        text = read_whole(path).decode()
    except UnicodeDecodeError as error:
        raise Invalid(f"{os.fspath(path)}: is not a Tenon IR file: byte {error.start} is not UTF-8.") from error
    try:
        return from_json(text)
    except Invalid as error:
        raise Invalid(f"{os.fspath(path)}: {error}") from error


def to_json(graph: Graph) -> str:
    """The graph as text, an element a line, the same for the same graph."""
    return _lay_out({"tenon_ir": VERSION, **_encode_graph(graph)}) + "\n"


def from_json(text: str) -> Graph:
    """The graph that `to_json` wrote. Anything else gets a sentence with its place."""
    try:
        data = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)
        _check_depth(data)
        version = data.get("tenon_ir") if isinstance(data, dict) else None
        if type(version) is not int:
            raise Invalid('this is JSON, but not a Tenon IR: it has no "tenon_ir" version.')
        if version != VERSION:
            raise Invalid(
                f"this IR has version {version}, and this Tenon reads version {VERSION}. "
                "Capture the model again, or update Tenon."
            )
        graph = _decode_graph({key: value for key, value in data.items() if key != "tenon_ir"}, "graph")
    except json.JSONDecodeError as error:
        raise Invalid(
            f"the JSON breaks off or is damaged at line {error.lineno}, column {error.colno}: {error.msg}."
        ) from error
    except RecursionError as error:
        raise Invalid(_TOO_DEEP) from error
    except ValueError as error:  # a number of thousands of digits
        raise Invalid(f"the JSON holds a number that is none of an IR: {error}.") from error
    return check(graph)


_TOO_DEEP = "the JSON is nested too deeply to be an IR."


def _check_depth(data: Any) -> None:
    """What is read can be written again, however small the stack is then."""
    level, depth = [data], 0
    while level:
        level = [part for item in level if isinstance(item, (dict, list)) for part in _inside(item)]
        depth += 1
        if depth > MAX_DEPTH:
            raise Invalid(_TOO_DEEP)


def _inside(item: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return item.values() if isinstance(item, dict) else item


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise Invalid(f"the JSON has an object in which {twice!r} stands twice.")
    return found


def _no_constant(name: str) -> Any:
    spelling = name.lower().replace("infinity", "inf")
    raise Invalid(f'{name} is not JSON. Write {{"float": "{spelling}"}} for such a number.')


def _lay_out(data: dict[str, Any], indent: str = "") -> str:
    """Top-level lists an element a line, so that a diff of two files shows nodes; everything below is compact."""
    inner = indent + "  "
    fields = []
    for key, value in data.items():
        if key == "subgraphs":
            rows = [f"{inner}{json.dumps(name)}: {_lay_out(sub, inner)}" for name, sub in value.items()]
            text = "{\n" + ",\n".join(rows) + "\n" + indent + "}"
        elif isinstance(value, list) and value:
            text = "[\n" + ",\n".join(inner + _compact(item) for item in value) + "\n" + indent + "]"
        else:
            text = _compact(value)
        fields.append(f"{indent}{json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(fields) + "\n" + indent + "}"


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(", ", ": "), allow_nan=False)


# --- writing ---------------------------------------------------------------------------------------------


def _sparse(**fields: Any) -> dict[str, Any]:
    """Fields that say nothing (empty, absent) are left out."""
    return {key: value for key, value in fields.items() if value not in (None, (), [], {}, "", False)}


def _encode_graph(graph: Graph) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": graph.name,
        "dialect": graph.dialect,
        "symbols": [{"name": s.name, "low": s.low, "high": s.high} for s in graph.symbols],
        "inputs": [_encode_value(value) for value in graph.inputs],
        "weights": [_encode_weight(weight) for weight in graph.weights],
        "nodes": [_encode_node(node) for node in graph.nodes],
        "outputs": [_encode_arg(arg) for arg in graph.outputs],
        "mutations": [{"target": m.target, "value": m.value.name} for m in graph.mutations],
        "in_tree": _encode_tree(graph.in_tree),
        "out_tree": _encode_tree(graph.out_tree),
        "subgraphs": {name: _encode_graph(graph.subgraphs[name]) for name in sorted(graph.subgraphs)},
    }
    return {key: value for key, value in data.items() if value not in ([], {})}


def _encode_node(node: OpNode) -> dict[str, Any]:
    data: dict[str, Any] = {"op": node.op, "args": {name: _encode_arg(arg) for name, arg in node.args.items()}}
    data["outputs"] = [_encode_value(value) for value in node.outputs]
    if node.source:
        source = node.source
        data["source"] = {"file": source.file, "line": source.line, "function": source.function}
        data["source"] |= _sparse(module=source.module)
    return data


def _encode_value(value: Value) -> dict[str, Any]:
    return {"name": value.name, **_encode_type(value.type)}


def _encode_weight(weight: Weight) -> dict[str, Any]:
    data = {"name": weight.name, "kind": weight.kind, **_encode_type(weight.type)}
    data.update(_sparse(aliases=list(weight.aliases), mutated=weight.mutated))
    if not weight.persistent:
        data["persistent"] = False
    if weight.data is not None:
        data["data"] = base64.b64encode(weight.data).decode()
    return data


def _encode_type(type_: Type) -> dict[str, Any]:
    if isinstance(type_, ConstMeta):
        return {"const": _encode_arg(type_.value)}
    if isinstance(type_, ScalarMeta):
        return {"scalar": type_.kind} | ({} if type_.expr is None else {"expr": _encode_dim(type_.expr)})
    data: dict[str, Any] = {"dtype": type_.dtype.name, "shape": [_encode_dim(dim) for dim in type_.shape]}
    if type_.dim_order != tuple(range(len(type_.shape))):
        data["dim_order"] = list(type_.dim_order)
    if type_.strides is not None:
        data["strides"] = [_encode_dim(dim) for dim in type_.strides]
    if type_.device != "cpu":
        data["device"] = type_.device
    if type_.layout != "strided":
        data["layout"] = type_.layout
    return data


def _encode_dim(dim: Dim) -> int | str:
    return dim if isinstance(dim, int) else str(dim)


def _encode_arg(arg: Arg) -> Any:
    if isinstance(arg, float) and not math.isfinite(arg):
        return {"float": str(arg)}
    if isinstance(arg, complex):
        return {"complex": [_encode_arg(arg.real), _encode_arg(arg.imag)]}
    if isinstance(arg, tuple):
        return [_encode_arg(part) for part in arg]
    if isinstance(arg, dict):
        return {"dict": {key: _encode_arg(part) for key, part in arg.items()}}
    key = _KEY_OF.get(type(arg))
    return {key: arg.name} if key else arg  # type: ignore[union-attr]


def _encode_tree(tree: Tree) -> Any:
    if tree.kind == "leaf":
        return "leaf"
    data = {"kind": tree.kind, "children": [_encode_tree(child) for child in tree.children]}
    return data | _sparse(keys=list(tree.keys), type=tree.type, context=tree.context)


# --- reading: every decoder takes the place it reads from, so that an error can say it ---------------------------


def _take(data: Any, kind: type[T] | tuple[type[T], ...], where: str) -> T:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if not isinstance(data, kinds) or (isinstance(data, bool) and bool not in kinds):
        names = {
            dict: "an object",
            list: "a list",
            str: "a string",
            int: "an integer",
            bool: "true or false",
            float: "a number",
        }
        expected = " or ".join(names[k] for k in kinds)
        raise Invalid(f"{where}: {expected} should stand here, not {_shorten(data)}.")
    return data  # type: ignore[return-value]


def _shorten(data: Any) -> str:
    text = json.dumps(data)
    return text if len(text) <= 60 else text[:57] + "..."


def _fields(data: Any, where: str, required: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
    """An object that has the required fields and no unknown ones."""
    found = _take(data, dict, where)
    missing = [name for name in required if name not in found]
    if missing:
        raise Invalid(f"{where}: {', '.join(missing)} is missing.")
    unknown = sorted(set(found) - set(required) - set(optional))
    if unknown:
        raise Invalid(
            f"{where}: {', '.join(unknown)} is not a field of it. There are: {', '.join([*required, *optional])}."
        )
    return found


def _one_of(data: Any, choices: Iterable[str], where: str) -> str:
    name = _take(data, str, where)
    if name not in choices:
        raise Invalid(f"{where}: {name!r} is not one of {', '.join(choices)}.")
    return name


def _each(data: Any, decode: Callable[[Any, str], T], where: str) -> tuple[T, ...]:
    return tuple(decode(item, f"{where}[{i}]") for i, item in enumerate(_take(data, list, where)))


_GRAPH_LISTS = ("symbols", "inputs", "weights", "nodes", "outputs", "mutations")


def _decode_graph(data: Any, where: str) -> Graph:
    fields = _fields(data, where, ("name", "dialect"), (*_GRAPH_LISTS, "in_tree", "out_tree", "subgraphs"))
    decoders = (_decode_symbol, _decode_value, _decode_weight, _decode_node, _decode_arg, _decode_mutation)
    prefix = "" if where == "graph" else f"{where}."
    lists: dict[str, Any] = {
        name: _each(fields.get(name, []), decode, prefix + name)
        for name, decode in zip(_GRAPH_LISTS, decoders, strict=True)
    }
    subgraphs = _take(fields.get("subgraphs", {}), dict, f"{prefix}subgraphs")
    return Graph(
        name=_take(fields["name"], str, f"{prefix}name"),
        dialect=_take(fields["dialect"], str, f"{prefix}dialect"),
        in_tree=_decode_tree(fields.get("in_tree", "leaf"), f"{prefix}in_tree"),
        out_tree=_decode_tree(fields.get("out_tree", "leaf"), f"{prefix}out_tree"),
        subgraphs={name: _decode_graph(sub, f"{prefix}subgraphs.{name}") for name, sub in subgraphs.items()},
        **lists,
    )


def _decode_symbol(data: Any, where: str) -> Symbol:
    fields = _fields(data, where, ("name", "low", "high"))
    name = _take(fields["name"], str, f"{where}.name")
    if not is_symbol_name(name):
        raise Invalid(f"{where}.name: {name!r} is not a name for a symbol.")
    low, high = (None if fields[end] is None else _take(fields[end], int, f"{where}.{end}") for end in ("low", "high"))
    return Symbol(name, low, high)


_FIELDS_OF = {
    "dtype": ("dtype", "shape", "dim_order", "strides", "device", "layout"),
    "scalar": ("scalar", "expr"),
    "const": ("const",),
}
_TYPE_FIELDS = tuple(field for fields in _FIELDS_OF.values() for field in fields)


def _decode_value(data: Any, where: str) -> Value:
    fields = _fields(data, where, ("name",), _TYPE_FIELDS)
    return Value(_take(fields["name"], str, f"{where}.name"), _decode_type(fields, where))


def _decode_type(fields: dict[str, Any], where: str) -> Type:
    kinds = [key for key in ("const", "scalar", "dtype") if key in fields]
    if len(kinds) > 1:
        raise Invalid(f"{where}: it has {' and '.join(kinds)}, and a value is of one type.")
    if not kinds or (kinds == ["dtype"] and "shape" not in fields):
        raise Invalid(f"{where}: it has neither dtype and shape, nor scalar, nor const.")
    stray = [key for key in _TYPE_FIELDS if key in fields and key not in _FIELDS_OF[kinds[0]]]
    if stray:
        raise Invalid(f"{where}: {', '.join(stray)} says nothing of a value with {kinds[0]}.")
    if "const" in fields:
        value = _decode_arg(fields["const"], f"{where}.const")
        if value is not None and not isinstance(value, (bool, int, float, str)):
            raise Invalid(f"{where}.const: a plain value should stand here, not {_shorten(fields['const'])}.")
        return ConstMeta(value)
    if "scalar" in fields:
        expr = _decode_dim(fields["expr"], f"{where}.expr") if "expr" in fields else None
        return ScalarMeta(_one_of(fields["scalar"], SCALAR_KINDS, f"{where}.scalar"), expr)
    return _decode_tensor(fields, where)


def _decode_tensor(fields: dict[str, Any], where: str) -> TensorMeta:
    shape = _each(fields["shape"], _decode_dim, f"{where}.shape")
    meta = TensorMeta(
        DTYPE[_one_of(fields["dtype"], DTYPE, f"{where}.dtype")],
        shape,
        _each(fields.get("dim_order", []), lambda dim, place: _take(dim, int, place), f"{where}.dim_order"),
        _each(fields["strides"], _decode_dim, f"{where}.strides") if "strides" in fields else None,
        _take(fields.get("device", "cpu"), str, f"{where}.device"),
        _one_of(fields.get("layout", "strided"), LAYOUTS, f"{where}.layout"),
    )
    fault = layout_fault(meta)
    if fault:
        raise Invalid(f"{where}: {fault}.")
    return meta


def _decode_dim(data: Any, where: str) -> Dim:
    dim: Any = _take(data, (int, str), where)
    try:
        return dim if isinstance(dim, int) else parse_dim(dim)
    except Invalid as error:
        raise Invalid(f"{where}: {error}") from error


def _decode_weight(data: Any, where: str) -> Weight:
    fields = _fields(
        data,
        where,
        ("name", "kind", "dtype", "shape"),
        (*_FIELDS_OF["dtype"], "aliases", "persistent", "mutated", "data"),
    )
    encoded = fields.get("data")
    try:
        raw = None if encoded is None else base64.b64decode(_take(encoded, str, f"{where}.data"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Invalid(f"{where}.data: this is not base64: {error}.") from error
    return Weight(
        _take(fields["name"], str, f"{where}.name"),
        _one_of(fields["kind"], WEIGHT_KINDS, f"{where}.kind"),
        _decode_tensor(fields, where),
        _each(fields.get("aliases", []), lambda name, place: _take(name, str, place), f"{where}.aliases"),
        _take(fields.get("persistent", True), bool, f"{where}.persistent"),
        _take(fields.get("mutated", False), bool, f"{where}.mutated"),
        raw,
    )


def _decode_node(data: Any, where: str) -> OpNode:
    fields = _fields(data, where, ("op", "args", "outputs"), ("source",))
    args = _take(fields["args"], dict, f"{where}.args")
    return OpNode(
        _take(fields["op"], str, f"{where}.op"),
        {name: _decode_arg(arg, f"{where}.args.{name}") for name, arg in args.items()},
        _each(fields["outputs"], _decode_value, f"{where}.outputs"),
        _decode_source(fields["source"], f"{where}.source") if "source" in fields else None,
    )


def _decode_source(data: Any, where: str) -> Source:
    fields = _fields(data, where, ("file", "line", "function"), ("module",))
    texts = [_take(fields.get(name, ""), str, f"{where}.{name}") for name in ("file", "function", "module")]
    return Source(texts[0], _take(fields["line"], int, f"{where}.line"), texts[1], texts[2])


def _decode_mutation(data: Any, where: str) -> Mutation:
    fields = _fields(data, where, ("target", "value"))
    return Mutation(_take(fields["target"], str, f"{where}.target"), Ref(_take(fields["value"], str, f"{where}.value")))


def _decode_arg(data: Any, where: str) -> Arg:
    if isinstance(data, list):
        return _each(data, _decode_arg, where)
    if isinstance(data, int) and abs(data) >= 2**64:
        raise Invalid(f"{where}: {data} does not fit 64 bits.")
    if not isinstance(data, dict):
        return data  # type: ignore[no-any-return]
    if len(data) != 1:
        raise Invalid(f"{where}: an object here has one key that says what it is, not {_shorten(data)}.")
    ((key, value),) = data.items()
    where = f"{where}.{key}"
    if key == "float":
        return _FLOATS[_one_of(value, _FLOATS, where)]
    if key == "complex":
        parts = _each(value, _decode_arg, where)
        if len(parts) != 2 or not all(isinstance(part, (int, float)) for part in parts):
            raise Invalid(f"{where}: two numbers should stand here, not {_shorten(value)}.")
        return complex(*parts)  # type: ignore[arg-type]
    if key == "dict":
        return {name: _decode_arg(part, f"{where}.{name}") for name, part in _take(value, dict, where).items()}
    if key == "dtype":
        return DTYPE[_one_of(value, DTYPE, where)]
    if key in ("layout", "memory_format"):
        _one_of(value, LAYOUTS if key == "layout" else MEMORY_FORMATS, where)
    name = _take(value, str, where)
    return _NAMED[_one_of(key, _NAMED, where)](name)  # type: ignore[no-any-return]


def _decode_tree(data: Any, where: str) -> Tree:
    if data == "leaf":
        return LEAF
    fields = _fields(data, where, ("kind", "children"), ("keys", "type", "context"))
    tree = Tree(
        _one_of(fields["kind"], KINDS, f"{where}.kind"),
        _each(fields["children"], _decode_tree, f"{where}.children"),
        tuple(_take(fields.get("keys", []), list, f"{where}.keys")),
        _take(fields.get("type", ""), str, f"{where}.type"),
        _take(fields.get("context", ""), str, f"{where}.context"),
    )
    fault = fault_of(tree)
    if fault:
        raise Invalid(f"{where}: {fault}.")
    return tree
