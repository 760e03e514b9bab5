"""Calls to test kernels with: what torch's OpInfo samples call, recorded below the level of Python functions."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from tenon.lower.out_variants import out_name
from tenon.ops.schema import find_op, named_arguments, op_name
from tenon.ops.table import read_tables

KERNELS = Path(__file__).parents[2] / "native" / "kernels"
ROWS = read_tables([KERNELS / "functions.yaml", KERNELS / "custom_ops.yaml"])
DTYPES = [
    *(torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    *(torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.bool),
]
# Samples of one OpInfo and dtype. `make ops` takes all.
MOST = 10**9 if "TENON_ALL_SAMPLES" in os.environ else 2 if "TENON_SANITIZED" in os.environ else 6

# Where the database knows an operator by another name, or reaches it only through others.
REACHED_BY = {
    "convolution": "conv1d conv2d conv3d conv_transpose1d conv_transpose2d",
    "native_group_norm": "group_norm",
    "mm": "mm matmul linear",
    "bmm": "bmm matmul",
    "mean": "mean",
    "where": "where masked_fill",
    "constant_pad_nd": "pad constant_pad_nd",
    "max": "max",
    "var": "var std",
    "embedding": "embedding",
    "clone": "clone contiguous",
    "_to_copy": "to float double half bfloat16 int long short char byte bool _to_copy",
    "detach_copy": "detach_copy clone",
    "split_with_sizes_copy": "split_with_sizes split_with_sizes_copy tensor_split",
    "slice_copy": "slice chunk narrow __getitem__ unbind",
    "index": "__getitem__",
    "full": "full new_full zeros ones",
    "scalar_tensor": "scalar_tensor where",
    "max_pool2d_with_indices": "max_pool2d",
    "max_pool3d_with_indices": "max_pool3d",
    "grid_sampler_2d": "grid_sampler_2d grid_sample",
    "col2im": "fold col2im",
    "_embedding_bag": "embedding_bag",
    "_cdist_forward": "cdist",
    "_pdist_forward": "pdist",
    "copy_": "copysign copy_ slice_scatter select_scatter diagonal_scatter index_put __setitem__",
    "_fft_c2c": "fft ifft fft2 ifft2 fftn ifftn",
    "_fft_r2c": "fft rfft rfft2 rfftn ihfft ihfftn",
    "_fft_c2r": "irfft irfft2 irfftn hfft hfftn",
    "any": "any",
    "all": "all",
}


@dataclass(frozen=True)
class Call:
    """One call of a functional operator, and what torch gave."""

    op: str  # the row's operator
    arguments: dict[str, object]
    results: tuple[torch.Tensor, ...]
    functional: torch._ops.OpOverload | None = None

    @property
    def truth(self):
        """What it is in double precision, if torch can tell."""
        if self.functional is None:
            return None
        wide = pytree.tree_map_only((torch.Tensor, torch.dtype), _widened, self.arguments)
        positional = [a.name for a in self.functional._schema.arguments if not a.kwarg_only and a.name in wide]
        named = {name: value for name, value in wide.items() if name not in positional}
        result = self.functional(*(wide[name] for name in positional), **named)
        return [*(wide[name] for name in state_of(self.functional)), *pytree.tree_leaves(result)]


def is_written(argument):
    """Whether it is state, which is read before it is written."""
    return argument.alias_info is not None and argument.alias_info.is_write and not argument.is_out


def state_of(functional):
    """What it writes without giving it back: results that come before the others."""
    is_in_place = functional._schema.name.endswith("_")
    return [] if is_in_place else [a.name for a in functional._schema.arguments if is_written(a)]


def _widened(given):
    dtype = given if isinstance(given, torch.dtype) else given.dtype
    wide = torch.double if dtype.is_floating_point else torch.complex128 if dtype.is_complex else dtype
    return wide if given is dtype else given.to(wide)


class _Recorder(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = row_of(op_name(func))
        given = named_arguments(func, args, kwargs or {})
        if name == "aten::as_strided_copy.out" and given["self"].untyped_storage().nbytes() != given["self"].nbytes:
            name = None  # it reads what a copy of the tensor has not
        if name == "aten::resize_":
            name = None  # the place of its result has no room for what was there before
        if any(isinstance(value, complex) for value in given.values()):
            name = None  # programs have no such number
        kept = pytree.tree_map_only(torch.Tensor, torch.clone, given) if name else {}
        result = func(*args, **(kwargs or {}))
        leaves = pytree.tree_leaves(result)
        if name and all(isinstance(leaf, torch.Tensor) for leaf in leaves):
            found = tuple(leaf.detach().clone() for leaf in [*(given[each] for each in state_of(func)), *leaves])
            self.calls.append(Call(name, kept, found, func))
        return result


_OPS = {row.op for row in ROWS}
# What they give is drawn: test_random.py looks at it.
RANDOM = sorted(op for op in _OPS if (found := find_op(op)) and torch.Tag.nondeterministic_seeded in found.tags)


@cache
def row_of(functional):
    """The row that serves an operator; a view is served by the copy that stands for it."""
    base, _, overload = functional.partition(".")
    for name in (functional, f"{base}_copy.{overload}".removesuffix(".")):
        if name in _OPS:
            return name
        if (find_op(name) is not None and (out := out_name(name)) in _OPS) and out != name:
            return out
    return None


@cache
def _database():
    found: dict[str, list] = {}
    for info in op_db:
        for name in {info.name.rpartition(".")[2], info.name.replace(".", "_"), info.aten_name or ""}:
            found.setdefault(name, []).append(info)
    return found


@cache
def _recorded(position, dtype) -> Sequence[Call]:
    info = op_db[position]
    calls = []
    torch.manual_seed(0)
    for _, sample in zip(range(MOST), info.sample_inputs("cpu", dtype), strict=False):
        with torch.no_grad(), _Recorder() as recorder:
            try:
                info.op(sample.input, *sample.args, **sample.kwargs)
            except (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError):
                continue  # torch does not take its own sample
        calls += recorder.calls
    return calls


def calls(op, dtype):
    """What the database's samples of a dtype call, as far as the row serves it."""
    base = op.partition("::")[2].partition(".")[0]
    plain = base.removesuffix("_copy").strip("_")
    names = [*REACHED_BY.get(base, "").split(), base, plain]
    infos = {id(info): info for name in dict.fromkeys(names) for info in _database().get(name, [])}
    found = []
    for info in infos.values():
        if dtype in info.supported_dtypes("cpu"):
            found += [call for call in _recorded(op_db.index(info), dtype) if call.op == op]
    return found
