"""A tensor's elements as bytes: in place where they lie densely, copied where they do not."""

import pytest
import torch

import tenon
from tenon.ops.values import bytes_of, view_of

VALUES = torch.tensor([[0, 1, 2], [3, 4, 5]])


DTYPES = "bool uint8 int8 int16 int32 int64 uint32 float16 bfloat16 float32 float64 complex64 complex128 float8_e4m3fn"


@pytest.mark.parametrize("dtype", DTYPES.split())
@pytest.mark.parametrize("shape", [(2, 3), (), (0, 3)], ids=str)
def test_a_dense_tensor_is_seen_where_it_lies(dtype, shape):
    dtype = getattr(torch, dtype)
    tensor = torch.zeros(shape, dtype=dtype)
    view = view_of(tensor)
    assert view.readonly and len(view) == tensor.numel() * dtype.itemsize
    tensor.untyped_storage().fill_(1)
    assert bytes(view) == bytes([1]) * len(view)


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (VALUES.t(), [0, 3, 1, 4, 2, 5]),
        (VALUES[:, 1:], [1, 2, 4, 5]),
        (VALUES[0, 1].expand(3), [1, 1, 1]),
        (VALUES[:1, ::2][:, :1].t()[0], [0]),
    ],
    ids=["transposed", "cut", "expanded", "one with a stride"],
)
def test_another_tensor_is_copied_in_order(tensor, expected):
    assert bytes_of(tensor) == torch.tensor(expected).numpy().tobytes()


def test_a_lazy_conjugate_and_a_lazy_negative_are_resolved():
    values = torch.tensor([1 + 2j, 3 - 4j])
    assert values.conj().is_conj() and bytes_of(values.conj()) == values.numpy().conj().tobytes()
    negative = values.conj().imag
    assert negative.is_neg() and bytes_of(negative) == torch.tensor([-2.0, 4.0]).numpy().tobytes()


def test_a_part_of_a_larger_memory_is_seen_alone():
    assert bytes(view_of(VALUES[1])) == torch.tensor([3, 4, 5]).numpy().tobytes()


def test_a_view_outlives_its_tensor():
    view = view_of(torch.full((1000,), 7, dtype=torch.uint8))
    assert bytes(view) == bytes([7]) * 1000


class Plain(torch.Tensor):
    """A subclass that changes nothing."""


class Wary(torch.Tensor):
    """A subclass that hands out no memory."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        raise RuntimeError(f"not {function}")


class Wrapper(torch.Tensor):
    """A subclass without memory of its own."""

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        raise NotImplementedError


@pytest.mark.parametrize("cls", [Plain, Wary, torch.nn.Parameter])
def test_a_subclass_is_read_as_what_it_is_made_of(cls):
    tensor = torch.ones(2)
    made = cls(tensor) if cls is torch.nn.Parameter else tensor.as_subclass(cls)
    assert bytes_of(made) == tensor.numpy().tobytes()


def test_a_subclass_without_memory_is_refused():
    with pytest.raises(tenon.Unsupported, match="a weight is a Wrapper, which has no memory to read"):
        view_of(Wrapper(torch.ones(2)))
