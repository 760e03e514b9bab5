"""Native kernels as operators of torch: the out variant of a row, its functional form, and what export asks of them.

torch calls a kernel where a program calls it, through the table in which the runtime finds it. So no source is compiled
with torch's headers, which takes many times as long as the kernels do, and there is no second kernel to differ.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch._prims_common import suggest_memory_format
from torch.utils import _pytree as pytree

from tenon.build.generate import Bound
from tenon.errors import Invalid, listing, near, plural
from tenon.ops.schema import find_op, named_arguments, normal_name
from tenon.ops.table import Place

# What the results of an operator are like, of what its arguments are like: empty tensors, as for torch's register_fake.
Meta = Callable[..., Any]
# The kernel of an out variant that torch knows, to be called with arguments and outs.
KernelOf = Callable[[str], Callable[..., Any]]

_libraries: list[torch.library.Library] = []  # an operator is there as long as its library
_operators: dict[str, "NativeOperator"] = {}  # those that torch has from here, by the names of their out variants


@dataclass(frozen=True)
class Definition:
    """An out variant that a row brings, and the functional operator that follows from it."""

    op: str  # my_ops::mul3.out
    functional: str  # my_ops::mul3
    out_text: str  # schemas, as torch parses them
    functional_text: str
    outs: tuple[str, ...]
    gives_lists: bool
    like: str | None  # the tensor that the one result is like, unless somebody says otherwise
    place: Place


def definitions(bound: Sequence[Bound]) -> list[Definition]:
    """Of the rows with schemas of their own, an operator each; what cannot be one is told, all at once."""
    found: dict[str, Definition] = {}
    faults: list[str] = []
    for each in bound:
        if each.row.schema is None or each.row.op in found:
            continue
        try:
            made = _definition(each)
        except Invalid as fault:
            faults.append(f"{each.row.place}: {fault}")
            continue
        other = next((one for one in found.values() if one.functional == made.functional), None)
        if other is not None:
            faults.append(
                f"{each.row.place}: {made.op} and {other.op} are both out variants of {made.functional}. "
                "Give them different overloads."
            )
        found[made.op] = made
    if faults:
        raise Invalid(listing(f"{plural(len(faults), 'operator')} cannot be made known to torch.", faults))
    return list(found.values())


def _definition(bound: Bound) -> Definition:
    schema, op = bound.schema, bound.row.op
    namespace, _, whole = op.partition("::")
    name, _, overload = whole.partition(".")
    if not overload:
        base = name.removesuffix("_out")
        raise Invalid(
            f"{op} has no overload. Name it {namespace}::{base}.out, as an out variant of {namespace}::{base}."
        )
    variant = overload.removesuffix("out").removesuffix("_") if overload.endswith("out") else ""
    functional = f"{namespace}::{name}" + (f".{variant}" if variant else "")
    outs = schema.arguments.out
    results = ", ".join(str(out.type) for out in outs)
    taken = replace(schema.arguments, out=())
    text = f"{functional.partition('::')[2]}({taken}) -> {results if len(outs) == 1 else f'({results})'}"
    tensors = [a.name for a in schema.arguments.flat_non_out if str(a.type) == "Tensor"]
    like = tensors[0] if len(outs) == 1 and results == "Tensor" and tensors else None
    names = tuple(a.name for a in outs)
    return Definition(op, functional, str(schema), text, names, "[" in results, like, bound.row.place)


def check(defined: Sequence[Definition], meta: Mapping[str, Meta]) -> dict[str, Meta]:
    """The functions in `meta` by out variants. What torch has under a name must be the same operator."""
    faults = [fault for each in defined for fault in _conflicts(each)]
    if faults:
        remedy = "An operator stays as it is for as long as Python runs: start it again, or take another name."
        raise Invalid(listing(f"{plural(len(faults), 'operator')} of torch would change.", faults, remedy))
    names = {name: each.op for each in defined for name in (each.functional, each.op)}
    unknown = [name for name in meta if normal_name(name) not in names]
    if unknown:
        told = [f"{name}.{near(name, names)}" for name in unknown]
        raise Invalid(listing("`meta` has functions for operators that the YAML does not have.", told))
    chosen = {names[normal_name(name)]: function for name, function in meta.items()}
    vague = [each for each in defined if each.like is None and each.op not in chosen and not _is_foreign(each)]
    if vague:
        rows = [f"{each.place}: {each.functional_text}" for each in vague]
        remedy = f'Say it with meta={{"{vague[0].functional}": function}}, which gives empty tensors for the arguments.'
        raise Invalid(listing("What the results are like does not follow from the arguments.", rows, remedy))
    return chosen


def _conflicts(each: Definition) -> list[str]:
    found = []
    for name, text in ((each.op, each.out_text), (each.functional, each.functional_text)):
        known = find_op(name)
        wanted = torch._C.parse_schema(f"{name.partition('::')[0]}::{text}")
        if known is not None and str(known._schema) != str(wanted):
            found.append(f"{each.place}: {wanted}, which torch has as {known._schema}")
    return found


def _is_foreign(each: Definition) -> bool:
    return each.op not in _operators and find_op(each.functional) is not None


def register(defined: Sequence[Definition], meta: Mapping[str, Meta], kernel_of: KernelOf) -> None:
    """Make operators known to torch. Those that it has are left as they are, but for what their results are like."""
    for each in defined:
        if each.op not in _operators:
            made = NativeOperator(each, kernel_of)
            made.define()
            _operators[each.op] = made
        if each.op in meta or each.like is not None:
            _operators[each.op].meta = meta.get(each.op)


class NativeOperator:
    """An operator that torch calls through the runtime's kernel."""

    def __init__(self, definition: Definition, kernel_of: KernelOf) -> None:
        self.definition = definition
        self.kernel_of = kernel_of
        self.meta: Meta | None = None  # the result is like its tensor

    def define(self) -> None:
        each = self.definition
        namespace, _, name = each.op.partition("::")
        functional = each.functional.partition("::")[2]
        library = torch.library.Library(namespace, "FRAGMENT")
        _libraries.append(library)
        if find_op(each.op) is None:
            library.define(each.out_text, tags=() if each.gives_lists else (torch.Tag.out,))  # which is for tensors
            library.impl(name, self.run_out, "CPU")
            library.impl(name, self.resize_out, "Meta")
        if find_op(each.functional) is None:
            library.define(each.functional_text)
            library.impl(functional, self.run, "CPU")
            torch.library.register_fake(each.functional, self.results, lib=library)

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """The functional form: results in memory of their own."""
        args, kwargs = pytree.tree_map_only(torch.Tensor, _dense, (args, kwargs))
        shapes = self._shapes(args, kwargs)
        outs = pytree.tree_map_only(torch.Tensor, lambda r: _empty(r, "cpu"), shapes)
        self._call(args, kwargs, outs)
        return outs[0] if len(outs) == 1 else tuple(outs)

    def run_out(self, *args: Any, **kwargs: Any) -> Any:
        """The out variant: results in what is given for them, which is resized as torch does it."""
        given, outs = self._split(kwargs)
        args, given = pytree.tree_map_only(torch.Tensor, _dense, (args, given))
        _resize(outs, self._shapes(args, given))
        places = pytree.tree_map_only(torch.Tensor, _dense, outs)
        self._call(args, given, places)
        for out, place in zip(pytree.tree_leaves(outs), pytree.tree_leaves(places), strict=True):
            if place is not out:
                out.copy_(place)
        return self._returned(outs)

    def resize_out(self, *args: Any, **kwargs: Any) -> Any:
        """The out variant, of tensors without elements."""
        given, outs = self._split(kwargs)
        _resize(outs, self._shapes(args, given))
        return self._returned(outs)

    def results(self, *args: Any, **kwargs: Any) -> Any:
        """What the results are like, for an export."""
        shapes = self._shapes(args, kwargs)
        made = pytree.tree_map_only(torch.Tensor, lambda r: _empty(r, r.device), shapes)
        return made[0] if len(made) == 1 else tuple(made)

    def _split(self, kwargs: Mapping[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        outs = [kwargs[name] for name in self.definition.outs]
        return {name: value for name, value in kwargs.items() if name not in self.definition.outs}, outs

    def _returned(self, outs: Sequence[Any]) -> Any:
        op = find_op(self.definition.op)
        assert op is not None
        if not op._schema.returns:
            return None
        return outs[0] if len(outs) == 1 else tuple(outs)

    def _shapes(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
        """A tensor without elements per out; a list of them for an out that is one."""
        each = self.definition
        args, kwargs = pytree.tree_map_only(torch.Tensor, _without_elements, (args, dict(kwargs)))
        if self.meta is None:
            op = find_op(each.op)
            assert op is not None and each.like is not None
            return [named_arguments(op, args, kwargs)[each.like]]
        found = self.meta(*args, **kwargs)
        several = list(found) if isinstance(found, (list, tuple)) and len(each.outs) > 1 else [found]
        leaves = pytree.tree_leaves(several)
        if len(several) != len(each.outs) or not all(isinstance(leaf, torch.Tensor) for leaf in leaves):
            wanted = "an empty tensor" if len(each.outs) == 1 else f"a tuple of {len(each.outs)} empty tensors"
            raise Invalid(f"meta of {each.functional} gives {_told(found)}, and {wanted} is expected.")
        return several

    def _call(self, args: tuple[Any, ...], kwargs: Mapping[str, Any], outs: Sequence[Any]) -> None:
        each = self.definition
        try:
            self.kernel_of(each.op)(*args, **kwargs, **dict(zip(each.outs, outs, strict=True)))
        except Invalid as fault:
            if self.meta is None and "its place is for" in str(fault):
                remedy = f'Say what it is like: load_inline(..., meta={{"{each.functional}": function}}).'
                raise Invalid(f"{fault} It was taken to be like `{each.like}`. {remedy}") from None
            raise


def _without_elements(tensor: torch.Tensor) -> torch.Tensor:
    """For what only asks for sizes: nothing can be read of it or written to it. A fake tensor is that already."""
    return tensor if isinstance(tensor, torch._subclasses.FakeTensor) else tensor.to("meta")


def _empty(like: torch.Tensor, device: Any) -> torch.Tensor:
    return torch.empty_like(like, device=device, memory_format=suggest_memory_format(like), requires_grad=False)


def _dense(tensor: torch.Tensor) -> torch.Tensor:
    """As in a program: its dimensions in their order, or channels last."""
    plain = tensor.detach().resolve_conj().resolve_neg()
    dense = plain.contiguous(memory_format=suggest_memory_format(plain))
    return tensor if dense.data_ptr() == tensor.data_ptr() and dense.stride() == tensor.stride() else dense


def _resize(outs: Sequence[Any], shapes: Sequence[Any]) -> None:
    for out, shape in zip(pytree.tree_leaves(outs), pytree.tree_leaves(list(shapes)), strict=True):
        if out.shape != shape.shape:
            out.resize_(shape.shape)


def _told(value: Any) -> str:
    return f"a {type(value).__name__}" + (f" of {len(value)}" if isinstance(value, (list, tuple)) else "")
