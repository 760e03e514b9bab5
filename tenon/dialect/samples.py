"""Calls to probe operators with: recorded while torch's OpInfo samples run, or written here. For the generator only."""

import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from tenon.errors import TenonError
from tenon.ops.promotion import tensor_arguments
from tenon.ops.schema import find_op, named_arguments, op_name

SAMPLES_PER_OPINFO = 8
SAMPLES_PER_SET = 6
LARGEST = 3000  # elements of all tensors of a call
_OPTIONS = ("dtype", "layout", "device", "pin_memory", "memory_format")


@dataclass(frozen=True)
class Sample:
    """One call by named arguments, its tensors contiguous, its options left out where they have a default."""

    op: torch._ops.OpOverload
    args: Mapping[str, Any]

    @property
    def tensors(self) -> dict[str, Any]:
        """The arguments that are tensors or lists of them."""
        return {name: arg for name, arg in self.args.items() if _tensors(arg)}


def collect(wanted: set[str]) -> dict[str, list[Sample]]:
    """A few samples of different kinds for each operator that is wanted and can be reached."""
    from torch.testing._internal.common_methods_invocations import op_db  # slow to import, and big

    recorder = _Recorder(wanted)
    for name, args in written():
        recorder.note(name, args)
    with torch.random.fork_rng(devices=[]):
        for info in op_db:
            torch.default_generator.manual_seed(0)
            with suppress(AssertionError, RuntimeError):  # a sample for another device; those before it are recorded
                _run(info, recorder)
    return {name: _few([sample for _, sample in kinds.values()]) for name, kinds in sorted(recorder.found.items())}


def _few(samples: list[Sample]) -> list[Sample]:
    """So many for each set of tensors that are given; those that give the most come first."""
    groups: dict[tuple[str, ...], list[Sample]] = {}
    for sample in samples:
        groups.setdefault(tuple(sample.tensors), []).append(sample)
    ordered = sorted(groups, key=lambda names: (-len(names), names))
    return [sample for names in ordered for sample in groups[names][:SAMPLES_PER_SET]]


def _run(info: Any, recorder: "_Recorder") -> None:
    supported = info.supported_dtypes("cpu")
    dtype = next((d for d in (torch.float32, torch.int64, torch.bool, torch.complex64) if d in supported), None)
    if dtype is None:
        return
    grad = dtype == torch.float32 and info.supports_autograd
    # Not info.sample_inputs: at every call it searches the stack for a test, ten times as long as all the rest.
    for call in islice(info.sample_inputs_func(info, "cpu", dtype, grad), SAMPLES_PER_OPINFO):
        with recorder, warnings.catch_warnings(action="ignore"):
            results = pytree.tree_leaves(info.op(call.input, *call.args, **call.kwargs))
            ends = [r for r in results if isinstance(r, torch.Tensor) and r.requires_grad]
            if ends:  # the operators of the backward pass are core too
                torch.autograd.backward([(r.abs() if r.is_complex() else r).sum() for r in ends])


class _Recorder(TorchDispatchMode):
    """Notes the wanted calls below it; a view is noted as the copy that stands for it in a functional graph."""

    def __init__(self, wanted: set[str]) -> None:
        super().__init__()
        self.found: dict[str, dict[Any, tuple[Any, Sample]]] = {name: {} for name in wanted}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        results = func(*args, **(kwargs or {}))
        if isinstance(results, tuple) and None in results:  # it computed only a part
            return results
        name = op_name(func)
        base, dot, overload = name.partition(".")
        for each in (name, f"{base}_copy{dot}{overload}"):
            # An empty tensor is no sample: a kernel that has nothing to do refuses nothing.
            if each in self.found and all(tensor.numel() for tensor in _tensors(results)):
                self.note(each, named_arguments(func, args, kwargs or {}))
        return results

    def note(self, name: str, args: Mapping[str, Any]) -> None:
        """Keep the call if it is the first of its kind, or a better one."""
        tensors = [tensor for arg in args.values() for tensor in _tensors(arg)]
        sizes = [tensor.numel() for tensor in tensors]
        if name not in self.found or 0 in sizes or sum(sizes) > LARGEST:
            return
        if any(tensor.layout != torch.strided for tensor in tensors):
            return
        if any(isinstance(args.get(each), (bool, int, float, complex)) for each in tensor_arguments(name)):
            return  # a number in a tensor's place: the dialect has none
        # Kernels take short cuts around dtypes for one element, so that two are better; then the fewer the better.
        awkward = (1 in sizes, sum(sizes))
        kinds, kind = self.found[name], _kind(args)
        if kind not in kinds or awkward < kinds[kind][0]:
            kinds[kind] = awkward, _sample(name, args)


def _kind(args: Mapping[str, Any]) -> tuple[Any, ...]:
    """Calls of one kind take the same way through a kernel: dtypes, flags and words are the same."""
    dtypes = [(name, tensors[0].dtype) for name, arg in args.items() if (tensors := _tensors(arg))]
    flags = [(name, arg) for name, arg in args.items() if arg is None or isinstance(arg, (bool, str))]
    return *dtypes, *(flag for flag in flags if flag[0] not in _OPTIONS)


def _sample(name: str, args: Mapping[str, Any]) -> Sample:
    op = find_op(name)
    if op is None:
        raise TenonError(f"torch has no operator {name} to probe")
    required = {argument.name for argument in op._schema.arguments if not argument.has_default_value()}
    kept = {key: arg for key, arg in args.items() if key not in _OPTIONS or key in required}
    return Sample(op, {key: on_tensors(_plain, arg) for key, arg in kept.items()})


def _plain(tensor: torch.Tensor) -> torch.Tensor:
    """The same shape with values that any dtype holds and no kernel refuses; integers may be indices and stay."""
    if tensor.is_floating_point() or tensor.is_complex():
        numbers = torch.arange(tensor.numel()).reshape(tensor.shape) % 3 + 1  # none is zero: it may be a divisor
        return numbers.to(tensor.dtype)
    return tensor.detach().clone(memory_format=torch.contiguous_format)


def _tensors(arg: Any) -> list[torch.Tensor]:
    parts = arg if isinstance(arg, (list, tuple)) else [arg]
    return [part for part in parts if isinstance(part, torch.Tensor)]


def on_tensors(function: Callable[[torch.Tensor], Any], arg: Any) -> Any:
    """The argument with the function applied to it, or to each of its list."""
    if isinstance(arg, (list, tuple)):
        return [on_tensors(function, part) for part in arg]
    return function(arg) if isinstance(arg, torch.Tensor) else arg


def written() -> list[tuple[str, dict[str, Any]]]:
    """Calls of the operators that OpInfo does not reach: it runs what decomposes to others before they are seen."""
    row, square, images, volumes = (torch.ones(*shape) for shape in ((4,), (2, 3), (1, 2, 4, 4), (1, 2, 4, 4, 4)))
    integers, channels = torch.ones(4, dtype=torch.int64), torch.ones(2)
    norm = {"input": images, "weight": channels, "bias": channels, "momentum": 0.1, "eps": 1e-5}
    pooled = {"kernel_size": [2], "stride": [2], "padding": [0]}
    windows = {"kernel_size": [2, 2], "dilation": [1, 1], "padding": [0, 0], "stride": [2, 2]}
    resized = {"input": images, "output_size": [8, 8], "scale_factors": None}
    return [
        ("aten::_assert_async.msg", {"self": torch.ones(1, dtype=torch.bool), "assert_msg": ""}),
        ("aten::_native_batch_norm_legit.no_stats", {**norm, "training": True}),
        ("aten::_native_batch_norm_legit_no_training", {**norm, "running_mean": channels, "running_var": channels}),
        ("aten::_neg_view_copy", {"self": row}),
        ("aten::_reshape_alias_copy", {"self": row, "size": [2, 2], "stride": [2, 1]}),
        ("aten::adaptive_avg_pool1d", {"self": square, "output_size": [2]}),
        ("aten::avg_pool1d", {"self": square, **pooled}),
        *((f"aten::bitwise_{word}.Scalar", {"self": integers, "other": 1}) for word in ("and", "or", "xor")),
        ("aten::col2im", {"self": square.new_ones(1, 8, 4), "output_size": [4, 4], **windows}),
        ("aten::copy", {"self": row, "src": row}),
        ("aten::div.Scalar_mode", {"self": row, "other": 2, "rounding_mode": "floor"}),
        ("aten::div.Scalar_mode", {"self": row, "other": 2, "rounding_mode": None}),
        ("aten::div.Tensor_mode", {"self": row, "other": row, "rounding_mode": None}),
        ("aten::fmod.Scalar", {"self": row, "other": 2}),
        ("aten::native_dropout", {"input": row, "p": 0.5, "train": True}),
        ("aten::reflection_pad3d", {"self": volumes, "padding": [1] * 6}),
        ("aten::replication_pad3d", {"self": volumes, "padding": [1] * 6}),
        ("aten::slice_scatter", {"self": row, "src": row[:2], "end": 2}),
        ("aten::sym_numel", {"self": row}),
        ("aten::sym_size.int", {"self": row, "dim": 0}),
        ("aten::upsample_bilinear2d.vec", {**resized, "align_corners": False}),
        ("aten::upsample_nearest2d.vec", resized),
        ("aten::var.dim", {"self": square, "dim": [1]}),
        ("aten::view_copy.dtype", {"self": row, "dtype": torch.int8}),
    ]
