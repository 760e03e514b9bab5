"""Operators by name, as torch knows them: `aten::add.Tensor` <-> `torch.ops.aten.add.Tensor` and its schema."""

import importlib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import torch

from tenon.errors import Invalid, Unsupported, near, plural
from tenon.ir.graph import Arg, OpNode


def op_name(op: torch._ops.OpOverload) -> str:
    """The schema's name; the default overload has no suffix."""
    return op._schema.name + (f".{op._schema.overload_name}" if op._schema.overload_name else "")


def normal_name(name: str) -> str:
    """One spelling for `aten.add.Tensor`, `aten::relu.default` and `aten::relu`. Other names stay as they are."""
    if "::" not in name and name.count(".") in (1, 2):
        name = name.replace(".", "::", 1)
    return name.removesuffix(".default") if "::" in name else name


def functional_name(out: str) -> str:
    """The operator that a made out variant stands for: `my_ops::mul3.out` is `my_ops::mul3`."""
    return out.removesuffix("out").removesuffix("_").removesuffix(".")


# Where the operators of a namespace are defined that torch or Tenon has, but not before that module is imported.
_DEFINED_BY = {
    "quantized_decomposed": "torch.ao.quantization.fx._decomposed",
    "tenon": "tenon.ops.fused",
}


def _packet(name: str) -> Any:
    """torch's operator with all its overloads, or None."""
    namespace, _, rest = name.partition("::")
    base = rest.partition(".")[0]
    if not namespace.isidentifier() or not base.isidentifier():
        return None
    if namespace in _DEFINED_BY:
        with suppress(ImportError):  # it is to move to torchao, whose users have it imported
            importlib.import_module(_DEFINED_BY[namespace])
    return getattr(getattr(torch.ops, namespace), base, None)


def overloads(name: str) -> list[torch._ops.OpOverload]:
    """All that the operator of an overload has, by name."""
    packet = _packet(name)
    return [] if packet is None else [getattr(packet, overload) for overload in sorted(packet.overloads())]


def _lookup(name: str) -> torch._ops.OpOverload | None:
    found = getattr(_packet(name), name.partition("::")[2].partition(".")[2] or "default", None)
    return found if isinstance(found, torch._ops.OpOverload) else None


_lookup_of_aten = cache(_lookup)


def find_op(name: str) -> torch._ops.OpOverload | None:
    """torch's operator of that name, or None. Only those of ATen are remembered: libraries load late, and end, and an
    operator of one that has ended must not be called."""
    if not name.startswith("aten::"):
        return _lookup(name)
    found = _lookup_of_aten(name)
    if found is None:
        _lookup_of_aten.cache_clear()
    return found


def near_ops(name: str) -> str:
    """' Did you mean ...?' among the operators of the same namespace."""
    namespace = name.partition("::")[0]
    return near(name, [known for known in torch._C._dispatch_get_all_op_names() if known.startswith(f"{namespace}::")])


def unknown_op(node: OpNode) -> Unsupported:
    """The error for an operator that nothing here can run."""
    place = f", {node.source}" if node.source else ""
    remedy = near_ops(node.op)
    return Unsupported(
        f"{node.op} ({node.label.partition(' ')[0]}{place}) is not an operator of torch or of this process.{remedy} "
        "Load the library that defines it, or give it an executor with tenon.ops.register_executor."
    )


def call_arguments(node: OpNode, op: torch._ops.OpOverload) -> tuple[list[Arg], dict[str, Arg]]:
    """A node's arguments as a call takes them: positional as far as none is left out, then by keyword."""
    check_arguments(node, op)
    positional: list[Arg] = []
    keywords: dict[str, Arg] = {}
    gap = False
    for argument in op._schema.arguments:
        if argument.name not in node.args:
            gap = True
        elif gap or argument.kwarg_only:
            keywords[argument.name] = node.args[argument.name]
        else:
            positional.append(node.args[argument.name])
    return positional, keywords


def check_arguments(node: OpNode, op: torch._ops.OpOverload) -> None:
    """The names a node gives are the schema's, and none that has no default is missing."""
    arguments = {argument.name: argument for argument in op._schema.arguments}
    unknown = [name for name in node.args if name not in arguments]
    missing = [a.name for a in arguments.values() if a.name not in node.args and not a.has_default_value()]
    if unknown or missing:
        faults = [f"it has no argument {', '.join(unknown)}"] if unknown else []
        faults += [f"{', '.join(missing)} is missing"] if missing else []
        raise Invalid(f"{node.label}: {' and '.join(faults)}. The schema is {op._schema}.")


def named_arguments(op: torch._ops.OpOverload, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """A call's arguments by the schema's names, in the schema's order."""
    arguments = op._schema.arguments
    if len(args) > len(arguments):
        raise Invalid(f"{op_name(op)} takes {plural(len(arguments), 'argument')}, and was given {len(args)}.")
    given = {argument.name: value for argument, value in zip(arguments, args, strict=False)} | dict(kwargs)
    return {argument.name: given[argument.name] for argument in arguments if argument.name in given}


def is_custom(op: torch._ops.OpOverload) -> bool:
    """Registered by a user or a library, rather than torch's own."""
    return op.namespace not in ("aten", "prim", "prims", "higher_order")


@cache
def is_pointwise(name: str) -> bool:
    """Each element of the result depends on the arguments' elements of the same place; of out variants too."""
    op = find_op(name)
    if op is None or torch.Tag.pointwise in op.tags:
        return op is not None
    return any(torch.Tag.pointwise in each.tags and signature(each) == signature(op) for each in overloads(name))


# How a tensor is made, which its memory says already: no part of what an out variant takes.
TENSOR_OPTIONS = ("dtype", "layout", "device", "pin_memory")


def signature(op: torch._ops.OpOverload) -> list[tuple[str, str]]:
    """What a functional operator and its out variant both take."""
    given = [a for a in op._schema.arguments if not a.is_out and not (a.kwarg_only and a.name in TENSOR_OPTIONS)]
    return [(a.name, str(a.type)) for a in given]


def has_meta_kernel(op: torch._ops.OpOverload) -> bool:
    """Whether torch can tell the shape of its result from the shapes of its inputs."""
    from torch._library.custom_ops import OPDEFS
    from torch._subclasses.fake_impls import op_implementations_dict

    if op._schema.name in OPDEFS:  # torch registers a kernel for these that only complains
        return OPDEFS[op._schema.name]._abstract_fn is not None
    if any(torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key) for key in _SHAPE_KEYS):
        return True
    fake = torch._library.simple_registry.singleton.find(op._schema.name).fake_impl.kernel
    return fake is not None or op in op_implementations_dict or op in torch._decomp.meta_table


_SHAPE_KEYS = (
    "Meta",
    "CompositeImplicitAutograd",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
)


def out_overload(op: torch._ops.OpOverload) -> torch._ops.OpOverload | None:
    """The overload with the same arguments and an out for each result."""
    wanted = signature(op)
    for candidate in overloads(op._schema.name):
        outs = [argument for argument in candidate._schema.arguments if argument.is_out]
        if outs and signature(candidate) == wanted:
            return candidate
    return None
