"""Weights beside the IR: read safely from .pt and .safetensors, and checked against what the graph asks for."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from tenon.errors import Invalid, listing, plural
from tenon.ir.graph import Graph, Weight
from tenon.ir.types import TensorMeta
from tenon.ops.values import DTYPE_OF, TORCH_DTYPE


def load_weights(path: str | os.PathLike[str]) -> dict[str, torch.Tensor]:
    """The tensors of a .pt, .pth, .bin or .safetensors file by name. Nothing in the file is executed."""
    file = Path(path)
    if not file.is_file():
        raise Invalid(f"{file}: there is no such file of weights.")
    if file.suffix == ".safetensors":
        return _load_safetensors(file)
    if file.suffix in (".pt", ".pth", ".bin"):
        return _load_torch(file)
    raise Invalid(
        f"{file}: weights come as .pt, .pth, .bin or .safetensors, not as {file.suffix or 'a file without a suffix'}."
    )


def _load_safetensors(file: Path) -> dict[str, torch.Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(file)
    except (SafetensorError, OSError) as error:
        raise Invalid(f"{file}: cannot be read as safetensors: {error}.") from error


def _load_torch(file: Path) -> dict[str, torch.Tensor]:
    try:
        loaded = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:  # a damaged pickle raises anything
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise Invalid(
            f"{file}: cannot be read as weights only, and nothing else is loaded from it: {reason}"
        ) from error
    if isinstance(loaded, Mapping) and all(isinstance(value, torch.Tensor) for value in loaded.values()):
        return dict(loaded)
    if not isinstance(loaded, Mapping):
        raise Invalid(f"{file}: holds a {type(loaded).__name__}, not a state dict. Save model.state_dict().")
    others = [str(key) for key, value in loaded.items() if not isinstance(value, torch.Tensor)]
    raise Invalid(f"{file}: {', '.join(others[:5])} in it is not a tensor. Save model.state_dict() alone.")


def bind_weights(graph: Graph, given: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Every weight of the graph by its name there, from a state dict that must fit exactly.

    All that is missing, left over, wrongly shaped or wrongly typed is named at once.
    """
    if not isinstance(given, Mapping):
        raise Invalid(f"a state dict is a mapping from names to tensors, not a {type(given).__name__}.")
    given = in_plain_tensors(given)
    bound: dict[str, torch.Tensor] = {}
    faults: list[str] = []
    known: set[str] = set()
    for weight in graph.weights:
        names = [weight.name, *weight.aliases]
        known.update(names)
        found = [name for name in names if name in given]
        if found:
            bound[weight.name] = given[found[0]]
            faults.extend(_faults(weight, found, given))
        elif weight.data is not None:
            bound[weight.name] = tensor_from(weight.type, weight.data)
        else:
            faults.append(f"missing   {' or '.join(names)}: {_described(weight.type)}")
    for name in given:
        if name not in known:
            what = _found(given[name]) if isinstance(given[name], torch.Tensor) else f"a {type(given[name]).__name__}"
            faults.append(f"extra     {name}: {what}")
    if faults:
        raise Invalid(listing(f"these weights do not fit {graph.name}: {plural(len(faults), 'fault')}.", faults))
    return bound


def in_plain_tensors(state: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """A weight that is made of several tensors as these, by the names that torch's decomposition gives them."""
    plain: dict[str, torch.Tensor] = {}
    for name, tensor in state.items():
        if not is_traceable_wrapper_subclass(tensor):
            plain[name] = tensor
            continue
        owner, dot, last = name.rpartition(".")
        stem = f"{owner}{dot}parametrizations.{last}.original"
        plain |= {f"{stem}{i}": part for i, part in enumerate(_parts(tensor))}
    return plain


def _parts(tensor: Any) -> Iterator[Any]:
    if not is_traceable_wrapper_subclass(tensor):
        yield tensor
        return
    for name in tensor.__tensor_flatten__()[0]:
        yield from _parts(getattr(tensor, name))


def _faults(weight: Weight, found: list[str], given: Mapping[str, torch.Tensor]) -> list[str]:
    expected, faults = weight.type, []
    for name in found:
        tensor = given[name]
        if not isinstance(tensor, torch.Tensor):
            faults.append(f"not a tensor   {name}: a {type(tensor).__name__}")
        elif tuple(tensor.shape) != expected.shape:
            faults.append(f"shape     {name}: {list(tensor.shape)}, and the graph has {list(expected.shape)}")
        elif DTYPE_OF[tensor.dtype] != expected.dtype:
            faults.append(f"dtype     {name}: {DTYPE_OF[tensor.dtype]}, and the graph has {expected.dtype}")
        elif tensor.device.type == "meta":
            faults.append(f"no data   {name}: it is on the meta device")
        elif tensor is not given[found[0]] and not _same(tensor, given[found[0]]):
            faults.append(f"differs   {name} and {found[0]} are one tensor in the model, but two different ones here")
    return faults


def _same(a: torch.Tensor, b: Any) -> bool:
    return isinstance(b, torch.Tensor) and (a.data_ptr() == b.data_ptr() or torch.equal(a, b))


def _described(meta: TensorMeta) -> str:
    return f"{meta.dtype}{list(meta.shape)}"


def _found(tensor: torch.Tensor) -> str:
    return f"{DTYPE_OF[tensor.dtype]}{list(tensor.shape)}"


def tensor_from(meta: TensorMeta, data: bytes) -> torch.Tensor:
    """A tensor of its own memory from dense bytes in order."""
    shape = [int(size) for size in meta.shape]  # type: ignore[arg-type]
    raw = torch.frombuffer(bytearray(data), dtype=torch.uint8) if data else torch.empty(0, dtype=torch.uint8)
    return raw.view(TORCH_DTYPE[meta.dtype]).reshape(shape)
