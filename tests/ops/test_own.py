"""Operators that torch does not have, by the rows that define them."""

from types import SimpleNamespace

import pytest
import torch

import tenon
from tenon.ops.own import functional_of, own_out, schema_of
from tenon.ops.schema import find_op, op_name

PAIRS = {
    "quantize_per_tensor": "quantize_per_tensor.out",
    "quantize_per_tensor.tensor": "quantize_per_tensor.Tensor_out",
    "dequantize_per_tensor.tensor": "dequantize_per_tensor.Tensor_out",
    "dequantize_per_channel": "dequantize_per_channel.out",
    "choose_qparams.tensor": "choose_qparams.Tensor_out",
}


@pytest.mark.parametrize("functional", PAIRS)
def test_an_operator_and_what_writes_its_result_are_found_by_what_both_take(functional):
    op, out = find_op(f"quantized_decomposed::{functional}"), f"quantized_decomposed::{PAIRS[functional]}"
    assert own_out(op) == out
    assert op_name(functional_of(out)) == f"quantized_decomposed::{functional}"
    assert schema_of(out).overload_name == PAIRS[functional].partition(".")[2]


def test_the_dtype_that_a_table_gives_is_no_option_of_a_tensor():
    """Two operators differ in it alone. ExecuTorch defines them; here they are schemas."""
    name = "quantized_decomposed::embedding_2bit"
    takes = "Tensor weight, Tensor weight_scales, Tensor? weight_zero_points, int weight_quant_min"
    takes += ", int weight_quant_max, Tensor indices"
    for given, out in ((f"({takes})", "out"), (f".dtype({takes}, *, ScalarType? dtype=None)", "dtype_out")):
        op = SimpleNamespace(_schema=torch._C.parse_schema(f"{name}{given} -> Tensor"))
        assert own_out(op) == f"{name}.{out}"


def test_an_operator_of_nobody_has_no_schema():
    assert schema_of("my_ops::mul3.out") is None
    assert functional_of("my_ops::mul3.out") is None


def test_a_kernel_is_called_by_a_schema_of_our_own():
    a, out = torch.tensor([10, 20], dtype=torch.int8), torch.empty(2, dtype=torch.int8)
    limits = -128, 127
    add = tenon.kernels["quantized_decomposed::add.out"]
    add(a, 0.5, 0, *limits, a, 0.5, 0, *limits, 1.0, 1, *limits, out=out)
    assert out.tolist() == [11, 21]
