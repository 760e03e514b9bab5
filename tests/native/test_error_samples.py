"""What torch's operator database says is wrong: a kernel that is given it fails in words, and never crashes."""

import pytest
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from native.library import Out, Refused
from native.samples import Call, row_of
from native.test_kernels import SCHEMAS, describe, library, run  # noqa: F401 (a fixture)
from tenon.ops.schema import named_arguments, op_name

pytestmark = pytest.mark.filterwarnings("ignore")
INFOS = [info for info in op_db if info.error_inputs_func is not None]


class _Last(TorchDispatchMode):
    """The call of a row's operator that torch did not take."""

    def __init__(self):
        super().__init__()
        self.refused = None

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = row_of(op_name(func))
        given = named_arguments(func, args, kwargs or {})
        try:
            return func(*args, **(kwargs or {}))
        except Exception:
            if name is not None and not func._schema.is_mutable:  # how outs overlap is no matter of kernels
                self.refused = Call(name, given, ())
            raise


def refused_calls(info):
    for sample in info.error_inputs("cpu"):
        given = sample.sample_input
        with torch.no_grad(), _Last() as last:
            try:
                info.op(given.input, *given.args, **given.kwargs)
            except Exception:  # of every kind, and the sample's own kind need not be torch's in this mode
                if last.refused is not None and can_be_told(last.refused):
                    yield last.refused, str(sample.error_regex)


def can_be_told(call):
    """A program has no complex number, and no tensor of more than 16 dimensions."""
    leaves = pytree.tree_leaves(call.arguments)
    return not any(isinstance(x, complex) or (isinstance(x, torch.Tensor) and x.dim() > 16) for x in leaves)


def places(call):
    """Where results could go: like the first tensor, and with room to be something else."""
    tensors = [leaf for leaf in pytree.tree_leaves(call.arguments) if isinstance(leaf, torch.Tensor)]
    like = tensors[0].contiguous() if tensors else torch.zeros(3)
    count = sum(argument.is_out for argument in SCHEMAS[call.op].arguments)
    return [Out(like.clone(), 4) for _ in range(max(1, count))]


@pytest.mark.parametrize("info", INFOS, ids=lambda info: info.formatted_name)
def test_what_torch_says_is_wrong_is_refused_in_words(library, info):  # noqa: F811
    taken = []
    for call, words in refused_calls(info):
        try:
            run(library, call, places(call))
        except Refused as fault:
            assert len(str(fault)) > 10
            continue
        taken.append(f"{describe(call)}: torch says {words}")
    assert not taken, "\n".join(taken)
