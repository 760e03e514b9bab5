"""From a schema to the C++ type of its kernels."""

import re
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
    BaseTy.Generator: "Generator",  # of which no program has one
}
# Words that no parameter can have as its name; the context is a parameter too.
_TAKEN = {
    *"alignas alignof and asm auto bool break case catch char class const constexpr continue decltype default".split(),
    *"delete do double else enum explicit export extern false float for friend goto if inline int long mutable".split(),
    *"namespace new noexcept not nullptr operator or private protected public register return short signed".split(),
    *"sizeof static struct switch template this throw true try typedef typeid typename union unsigned using".split(),
    *"virtual void volatile while xor context".split(),
}
_LISTED = ("int64_t", "double", "bool", "std::optional<Tensor>")  # of which the runtime has lists, beside tensors
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

    def declared(self, function: str, context: str | None = "Context") -> str:
        """As the head of a definition, with a context of this type."""
        own = [f"{p.type} {p.name}" for p in self.parameters]
        return f"{self.returns} {function}({', '.join([f'{context}& context', *own] if context else own)})"

    def prototype(self, function: str, context: str | None = "Context") -> str:
        """As a declaration."""
        return f"{self.declared(function, context)};"

    def with_context(self, context: str) -> str:
        """As a function type with a context of this type first."""
        return f"{self.returns}({', '.join([f'{context}&', *(p.type for p in self.parameters)])})"

    @property
    def type(self) -> str:
        """As a function type, without the context."""
        return f"{self.returns}({', '.join(p.type for p in self.parameters)})"

    @property
    def written(self) -> tuple[str, ...]:
        """The names of what it returns."""
        written = [p.name for p in self.parameters if p.type.endswith("Tensor&") and not p.type.startswith("const")]
        return tuple(written[-self.returns.count("Tensor&") :])  # state that is written comes before the outs

    def in_namespace(self, namespace: str) -> "Signature":
        """With its types by their names in a namespace, from any other: `::torch::executor`, or `::at` in ATen mode."""
        parameters = tuple(Parameter(_named(p.type, namespace), p.name) for p in self.parameters)
        return Signature(_named(self.returns, namespace), parameters)


_NAMES = re.compile(r"\b(Tensor|TensorList|Scalar|ScalarType|MemoryFormat|Layout|Generator|ArrayRef)\b")


def _named(type: str, namespace: str) -> str:
    # An optional list of ints has a type of its own in ATen mode; elsewhere both names are for one type.
    listed = type.replace("std::optional<ArrayRef<int64_t>>", f"{namespace}::OptionalArrayRef<int64_t>")
    return _NAMES.sub(rf"{namespace}::\1", listed)


def signature(schema: FunctionSchema, gives_nothing: bool = False) -> Signature:
    """Arguments in the schema's order, outs at the end and by reference."""
    parameters = tuple(Parameter(_parameter(a, schema), _name(a.name)) for a in schema.arguments.flat_all)
    written = [p.type for p in parameters if p.type == "Tensor&"]
    written = written[-len(schema.arguments.out) :] if schema.arguments.out else written
    if gives_nothing or not schema.returns:
        return Signature("void", parameters)
    returns = "Tensor&" if len(written) == 1 else f"std::tuple<{', '.join(written)}>"
    return Signature(returns, parameters)


def _name(argument: str) -> str:
    return f"{argument}_" if argument in _TAKEN else argument


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
        case ListType(element, _) if (plain := _plain(element, schema)) in _LISTED:
            return f"ArrayRef<{plain}>"
    raise Unsupported(f"{schema.name} has an argument of type {type}, which no kernel can take.")
