"""Types: the list of dtypes is torch's, and a tensor's description says what follows from it."""

import subprocess
import sys

import pytest
import torch

from tenon.ir.dims import symbol
from tenon.ir.types import DTYPE, DTYPE_BY_SHORT, DTYPES, TensorMeta

F32 = DTYPE["float32"]


def test_dtypes_are_exactly_those_of_torch():
    found = {value for name in dir(torch) if isinstance(value := getattr(torch, name), torch.dtype)}
    assert {d.name: d.bytes for d in DTYPES} == {str(d).removeprefix("torch."): d.itemsize for d in found}


def test_every_dtype_has_a_name_a_short_name_and_a_code_of_its_own():
    assert len(DTYPE) == len(DTYPE_BY_SHORT) == len(DTYPES)
    codes = [dtype.code for dtype in DTYPES if dtype.code is not None]
    assert sorted(codes) == list(range(30))


@pytest.mark.filterwarnings("ignore:ComplexHalf")
def test_codes_are_the_numbers_of_torch():
    number_of = torch.jit.CompilationUnit("def f(x: Tensor) -> int:\n  return x.dtype\n").f
    for dtype in DTYPES:
        if dtype.code is not None and not dtype.name.startswith(("q", "bits")):
            assert number_of(torch.empty(0, dtype=getattr(torch, dtype.name))) == dtype.code, dtype.name


def test_the_ir_needs_no_torch():
    code = "import sys, tenon.ir, tenon.ir.cost, tenon.ir.mermaid; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_dtype_prints_as_its_name():
    assert repr(F32) == "float32"


@pytest.mark.parametrize("shape", [(), (3,), (2, 0, 5), (2, 3, 4)])
@pytest.mark.parametrize("dtype", ["float32", "bool", "complex128", "bfloat16"])
def test_numel_and_bytes_agree_with_torch(shape, dtype):
    meta, tensor = TensorMeta(DTYPE[dtype], shape), torch.empty(shape, dtype=getattr(torch, dtype))
    assert meta.numel == tensor.numel()
    assert meta.bytes == tensor.nbytes


def test_numel_and_bytes_of_a_symbolic_shape_are_expressions():
    batch = symbol("batch")
    meta = TensorMeta(F32, (batch, 3))
    assert meta.numel == 3 * batch
    assert meta.bytes == 12 * batch


def test_the_order_of_dimensions_is_the_usual_one_unless_given():
    assert TensorMeta(F32, (2, 3)).dim_order == (0, 1)
    assert TensorMeta(F32, (2, 3)) == TensorMeta(F32, (2, 3), (0, 1))
    assert TensorMeta(F32, (2, 3), (1, 0)).dim_order == (1, 0)


def test_a_tensor_is_contiguous_only_if_dense_strided_and_in_order():
    assert TensorMeta(F32, (2, 3)).contiguous
    assert TensorMeta(F32, ()).contiguous
    assert not TensorMeta(F32, (2, 3), (1, 0)).contiguous
    assert not TensorMeta(F32, (2, 3), strides=(0, 1)).contiguous
    assert not TensorMeta(F32, (2, 3), layout="sparse_coo").contiguous
