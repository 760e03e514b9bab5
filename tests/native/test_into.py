"""Convolutions into a wider image write their channels, and leave the others as they lie."""

import pytest
import torch

from native.library import Library, Out, build_library, built_in
from native.packed_samples import PACKED
from native.samples import Call
from native.test_kernels import FLAGS, assert_same, run


@pytest.fixture(scope="module")
def library(pytestconfig):
    return Library(build_library(built_in(pytestconfig, FLAGS), FLAGS))


@pytest.mark.parametrize("op", ["tenon::convolution_into.out", "tenon::convolution_winograd_into.out"])
def test_the_result_may_take_the_place_of_the_wider_image(library, op):
    for call in PACKED[op](op, torch.float32):
        if call.arguments["wide"] is not None:
            out = Out(call.results[0], room=0)
            out.buffer.copy_(call.arguments["wide"])
            given = call.arguments | {"wide": out.buffer}
            assert_same(call, run(library, Call(op, given, call.results), [out], lambda tensor: tensor), "in place")
