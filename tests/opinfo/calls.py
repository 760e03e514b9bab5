"""A sample of torch's operator database as a model, and what torch gives for it."""

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

SEED = 42  # OpInfo's own wrappers of random operators use this one
INFOS = {f"{op.name}{'.' + op.variant_test_name if op.variant_test_name else ''}": op for op in op_db}


class Call(torch.nn.Module):
    """An operator on one sample, with the sample's tensors as inputs and the rest built in."""

    def __init__(self, op, sample):
        super().__init__()
        self.op = op
        leaves, self.structure = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
        self.tensors = tuple(leaf.detach() for leaf in leaves if isinstance(leaf, torch.Tensor))
        self.plain = [(isinstance(leaf, torch.Tensor), leaf) for leaf in leaves]

    def forward(self, *tensors):
        given = iter(tensors)
        leaves = [next(given) if is_tensor else leaf for is_tensor, leaf in self.plain]
        first, args, kwargs = pytree.tree_unflatten(leaves, self.structure)
        return self.op(first, *args, **kwargs)

    def inputs(self):
        return tuple(tensor.clone() for tensor in self.tensors)


def eager(call):
    torch.manual_seed(SEED)
    with torch.no_grad():
        return call(*call.inputs())


def assert_equal(actual, expected, **tolerance):
    ours, theirs = pytree.tree_leaves(actual), pytree.tree_leaves(expected)
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        if isinstance(other, torch.Tensor):
            torch.testing.assert_close(mine, other, equal_nan=True, **tolerance)
        else:
            assert mine == other or mine != mine
