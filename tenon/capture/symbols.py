"""torch's symbolic sizes (sympy) as dimensions of the IR, under stable names."""

from collections.abc import Mapping
from typing import Any

import sympy
import torch

from tenon.errors import Unsupported
from tenon.ir.dims import Dim, Symbol, call, evaluate, is_symbol_name, product, symbol, symbols_of

# sympy's and torch's function classes, by name, as functions of the IR.
_FUNCTIONS = {
    "FloorDiv": "floordiv",
    "CleanDiv": "floordiv",
    "CeilDiv": "ceildiv",
    "Mod": "mod",
    "PythonMod": "mod",
    "Max": "max",
    "Min": "min",
    "PowByNatural": "pow",
    "Pow": "pow",
    "FloatPow": "pow",
    "LShift": "shl",
    "RShift": "shr",
    "BitwiseFn_bitwise_and": "and",
    "BitwiseFn_bitwise_or": "or",
    "BitwiseFn_bitwise_xor": "xor",
    "Where": "where",
    "Equality": "eq",
    "Unequality": "ne",
    "StrictLessThan": "lt",
    "LessThan": "le",
    "StrictGreaterThan": "gt",
    "GreaterThan": "ge",
    "IntTrueDiv": "truediv",
    "FloatTrueDiv": "truediv",
    "ToFloat": "float",
    "FloorToInt": "floor",
    "floor": "floor",
    "CeilToInt": "ceil",
    "ceiling": "ceil",
    "TruncToInt": "trunc",
    "RoundToInt": "round",
    "OpaqueUnaryFn_sqrt": "sqrt",
    "Abs": "abs",
}
_UNBOUNDED = 2**62  # torch writes several very large numbers for 'no upper bound'


class Symbols:
    """The symbols of one graph: renamed in order of appearance, or after the user's `Dim`, with their ranges."""

    def __init__(self, ranges: Mapping[Any, Any], wanted: Mapping[str, str] | None = None) -> None:
        self._ranges = {str(key): value for key, value in ranges.items()}
        self._wanted = dict(wanted or {})
        self._names: dict[str, str] = {}
        self._hints: dict[str, int] = {}

    def dim(self, size: int | torch.SymInt) -> Dim:
        """A size of a captured tensor as a dimension."""
        if not isinstance(size, torch.SymInt):
            return int(size)
        self._note_hints(size)
        return self._convert(size.node.expr)

    def scalar(self, value: torch.SymInt | torch.SymFloat | torch.SymBool) -> Dim | None:
        """What a number of the graph is in symbols, if that can be said in integers."""
        try:
            return self.dim(value) if isinstance(value, torch.SymInt) else None
        except Unsupported:
            return None

    def hint(self, dim: Dim) -> int:
        """A likely value, to compare strides by: the size seen at capture, or a large one where none was seen."""
        return evaluate(dim, {name: self._hints.get(name, 4099) for name in symbols_of(dim)})

    def declared(self) -> tuple[Symbol, ...]:
        """Every symbol met so far, with its range."""
        return tuple(self._declare(theirs, ours) for theirs, ours in self._names.items())

    def _declare(self, theirs: str, ours: str) -> Symbol:
        found = self._ranges.get(theirs)
        if found is None:
            return Symbol(ours)
        low, high = (_bound(found.lower), _bound(found.upper))
        return Symbol(ours, low, high)

    def _note_hints(self, size: torch.SymInt) -> None:
        shape_env = size.node.shape_env
        renamed = hasattr(shape_env, "backed_var_to_val")  # older torch calls it var_to_val
        values = shape_env.backed_var_to_val if renamed else shape_env.var_to_val
        for theirs in size.node.expr.free_symbols:
            if theirs in values:
                self._hints[self._name(str(theirs))] = int(values[theirs])

    def _name(self, theirs: str) -> str:
        if theirs in self._names:
            return self._names[theirs]
        taken = {*self._names.values(), *(name for key, name in self._wanted.items() if key != theirs)}
        ours = self._wanted.get(theirs)
        if ours is None or ours in taken or not is_symbol_name(ours):
            prefix = "u" if theirs.startswith(("u", "zuf")) else "s"
            ours = next(name for i in range(len(taken) + 1) if (name := f"{prefix}{i}") not in taken)
        self._names[theirs] = ours
        return ours

    def _convert(self, expr: Any) -> Dim:
        if expr.is_Integer:
            return int(expr)
        if expr.is_Symbol:
            return symbol(self._name(str(expr)))
        if expr.is_Rational or expr.is_Float:  # a float is a fraction too, exactly
            return call("truediv", *(expr.p, expr.q) if expr.is_Rational else float(expr).as_integer_ratio())
        if expr.is_Add:
            total: Dim = 0
            for part in expr.args:
                total = total + self._convert(part)
            return total
        if expr.is_Mul:
            return product(self._convert(part) for part in expr.args)
        if expr.is_Pow and expr.exp.is_Integer and 0 < int(expr.exp) < 16:
            return product([self._convert(expr.base)] * int(expr.exp))
        return self._convert_function(expr)

    def _convert_function(self, expr: Any) -> Dim:
        kind = type(expr).__name__
        if kind == "Piecewise":
            return self._piecewise(expr)
        args = [self._convert(part) for part in expr.args]
        if kind == "Identity":
            return args[0]
        if kind == "ModularIndexing":
            return call("mod", call("floordiv", args[0], args[1]), args[2])
        if kind in ("And", "Or"):
            joined = args[0]
            for arg in args[1:]:
                joined = call(kind.lower(), joined, arg)
            return joined
        if kind == "Not":
            return 1 - args[0]
        if kind not in _FUNCTIONS:
            raise Unsupported(f"a size of this model is {expr}, and the IR has no {kind} of sizes.")
        return call(_FUNCTIONS[kind], *args)

    def _piecewise(self, expr: Any) -> Dim:
        *cases, (last, _) = (pair.args for pair in expr.args)
        value = self._convert(last)
        for branch, condition in reversed(cases):
            value = call("where", self._convert(condition), self._convert(branch), value)
        return value


def _bound(limit: Any) -> int | None:
    if limit in (sympy.oo, -sympy.oo) or not getattr(limit, "is_Integer", isinstance(limit, int)):
        return None
    return int(limit) if abs(int(limit)) < _UNBOUNDED else None


def dim_names(bound: Mapping[str, Any], dynamic_shapes: Any) -> dict[int, dict[int, str]]:
    """The names the user gave to dimensions: for each input tensor (by id), dimension -> name of its `Dim`.

    `bound` are the inputs by the names of forward's parameters.
    """
    found: dict[int, dict[int, str]] = {}
    if isinstance(dynamic_shapes, Mapping):
        for name, spec in dynamic_shapes.items():
            _collect_names(bound.get(name), spec, found)
    elif isinstance(dynamic_shapes, (tuple, list)):
        for value, spec in zip(bound.values(), dynamic_shapes, strict=False):
            _collect_names(value, spec, found)
    return found


def _collect_names(value: Any, spec: Any, found: dict[int, dict[int, str]]) -> None:
    if isinstance(value, torch.Tensor):
        items = spec.items() if isinstance(spec, Mapping) else enumerate(spec or ())
        found[id(value)] = {dim: name for dim, each in items if (name := _dim_name(each))}
    elif isinstance(value, Mapping) and isinstance(spec, Mapping):
        for key, part in spec.items():
            _collect_names(value.get(key), part, found)
    elif isinstance(value, (tuple, list)) and isinstance(spec, (tuple, list)):
        for item, part in zip(value, spec, strict=False):
            _collect_names(item, part, found)


def _dim_name(dim: Any) -> str | None:
    """The name of a `Dim('batch')`, also under 2*batch; a hint such as Dim.AUTO has none."""
    root = getattr(dim, "root", dim)
    return root.__name__ if isinstance(root, torch.export.Dim) else None
