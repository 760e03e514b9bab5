"""From a schema to the C++ type of its kernels."""

from dataclasses import dataclass

from torchgen.model import Argument, BaseTy, BaseType, FunctionSchema, ListType, OptionalType, Type  # type: ignore[import-untyped]

from tenon.errors import Unsupported

_BASE = {
    BaseTy.int: "int64_t",
    BaseTy.SymInt: "int64_t",
    BaseTy.float: "double",
    BaseTy.bool: "bool",
    BaseTy.str: "std::string_view",
    BaseTy.ScalarType: "ScalarType",
    BaseTy.MemoryFormat: "MemoryFormat",
    BaseTy.Layout: "Layout",
    BaseTy.Tensor: "Tensor",
    BaseTy.Scalar: "Scalar",
}
_BY_REFERENCE = ("Tensor", "Scalar", "std::optional<Tensor>", "std::optional<Scalar>")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kernel."""

    type: str
    name: str


@dataclass(frozen=True)
class Signature:
    """A kernel's C++ type: what follows a leading context, if it has one."""

    returns: str
    parameters: tuple[Parameter, ...]

    def prototype(self, function: str) -> str:
        """As a declaration, with the context."""
        parameters = ", ".join(["Context& context", *(f"{p.type} {p.name}" for p in self.parameters)])
        return f"{self.returns} {function}({parameters});"

    @property
    def type(self) -> str:
        """As a function type, without the context."""
        return f"{self.returns}({', '.join(p.type for p in self.parameters)})"


def signature(schema: FunctionSchema) -> Signature:
    """Arguments in the schema's order, outs at the end and by reference."""
    parameters = tuple(Parameter(_parameter(a, schema), a.name) for a in schema.arguments.flat_all)
    written = [p.type for p in parameters if p.type == "Tensor&"]
    if not schema.returns:
        return Signature("void", parameters)
    returns = "Tensor&" if len(written) == 1 else f"std::tuple<{', '.join(written)}>"
    return Signature(returns, parameters)


def _parameter(argument: Argument, schema: FunctionSchema) -> str:
    plain = _plain(argument.type, schema)
    if plain == "Tensor" and argument.annotation is not None and argument.annotation.is_write:
        return "Tensor&"
    return f"const {plain}&" if plain in _BY_REFERENCE else plain


def _plain(type: Type, schema: FunctionSchema) -> str:
    match type:
        case BaseType(name) if name in _BASE:
            return _BASE[name]
        case OptionalType(element):
            return f"std::optional<{_plain(element, schema)}>"
        case ListType(BaseType(BaseTy.Tensor), _):
            return "TensorList"
        case ListType(element, _):
            return f"ArrayRef<{_plain(element, schema)}>"
    raise Unsupported(f"{schema.name} has an argument of type {type}, which no kernel can take.")
