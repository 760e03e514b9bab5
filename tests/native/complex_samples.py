"""Samples of complex numbers, and of transforms of any length."""

import math
from dataclasses import replace

import torch

from native.samples import Call

aten = torch.ops.aten
LENGTHS = [*range(1, 201), 1009, 2 * 1009, 4096, 6000]
SHAPES = [(), (0,), (5,), (2, 3), (300,), (2, 3, 4, 5)]


def call(op, functional, *arguments, **named):
    names = [argument.name for argument in functional._schema.arguments]
    result = functional(*arguments, **named)
    return Call(op, dict(zip(names, arguments, strict=False)) | named, (result,), functional)


def transformed(op, functional, tensor, *rest):
    """What torch gives in double: of thousands of points its own float32 is farther from that than its tolerance."""
    made = call(op, functional, tensor.to(torch.complex128 if tensor.is_complex() else torch.float64), *rest)
    result = made.results[0]
    kept = tensor.dtype.to_complex() if result.is_complex() else tensor.dtype.to_real()
    return Call(op, made.arguments | {"self": tensor}, (result.to(kept),))


def random(shape, dtype, seed=0):
    generator = torch.Generator().manual_seed(seed + math.prod(shape))
    return torch.randn(shape, generator=generator, dtype=dtype)


def _is_float(dtype):
    return dtype in (torch.float32, torch.float64)


def _is_complex(dtype):
    return dtype in (torch.complex64, torch.complex128)


def _along(op, functional, tensor, *rest):
    """Transforms along several dims in any order; torch's kernel does not take those that are counted from the end."""
    for dims in ([0], [-1], [1, 0], [0, 2, 1], [2, -3]):
        for normalization in (0, 1, 2):
            made = transformed(op, functional, tensor, [dim % tensor.dim() for dim in dims], normalization, *rest)
            yield replace(made, arguments=made.arguments | {"dim": dims})


def _of_nothing(op, shape, dtype, result, **named):
    """No line at all, of which torch's kernel makes an error."""
    arguments = {"self": torch.ones(0, 5, dtype=dtype), "dim": [1], "normalization": 1}
    yield Call(op, arguments | named, (torch.ones(shape, dtype=result),))


def c2c_calls(op, dtype):
    functional = aten._fft_c2c.default
    if not _is_complex(dtype):
        return
    for n in LENGTHS:
        yield transformed(op, functional, random((2, n), dtype), [1], n % 3, n % 2 == 0)
    for forward in (True, False):
        yield from _along(op, functional, random((4, 5, 6), dtype), forward)
    yield from _of_nothing(op, (0, 5), dtype, dtype, forward=True)
    for shape, dims in [((2, 3), []), ((), []), ((2, 3, 4, 5), [1, 3])]:
        yield call(op, functional, random(shape, dtype), dims, 1, True)


def r2c_calls(op, dtype):
    functional = aten._fft_r2c.default
    if not _is_float(dtype):
        return
    for n in LENGTHS:
        yield transformed(op, functional, random((2, n), dtype), [1], n % 3, n % 2 == 0)
    for onesided in (True, False):
        yield from _along(op, functional, random((4, 5, 6), dtype), onesided)
    yield from _of_nothing(op, (0, 3), dtype, dtype.to_complex(), onesided=True)


def c2r_calls(op, dtype):
    functional = aten._fft_c2r.default
    if not _is_complex(dtype):
        return
    for n in LENGTHS:
        yield transformed(op, functional, _half(n, (2, n // 2 + 1), dtype), [1], n % 3, n)
    for size in (10, 11):
        yield from _along(op, functional, _half(size, (6, 6, 6), dtype), size)
    yield from _of_nothing(op, (0, 8), dtype, dtype.to_real(), last_dim_size=8)
    # Less than half of a line is completed by zeros, and of more the rest is left out.
    whole = random((2, 9), dtype)
    for held, n in ((3, 8), (9, 8), (9, 1)):
        half = torch.nn.functional.pad(whole[:, :held], (0, n))[:, : n // 2 + 1]
        result = torch.fft.irfft(half, n=n, norm="forward")
        yield Call(op, {"self": whole[:, :held].clone(), "dim": [1], "normalization": 0, "last_dim_size": n}, (result,))


def _half(n, shape, dtype):
    """Numbers whose first is real, as the line is that they are half of; so is the one in the middle."""
    tensor = random(shape, dtype)
    if len(shape) == 2:
        tensor[:, 0].imag.zero_()
        if n % 2 == 0:
            tensor[:, -1].imag.zero_()
    return tensor


def parts_calls(op, dtype):
    functional = getattr(aten, op[6:-4]).default
    for shape in SHAPES if _is_float(dtype) else ():
        yield call(op, functional, random(shape, dtype), random(shape, dtype, 1))
    if _is_float(dtype):
        yield call(op, functional, random((2, 1, 3), dtype), random((4, 1), dtype, 1))


def conj_calls(op, dtype):
    for shape in SHAPES:
        tensor = random(shape, dtype) if _is_complex(dtype) else (random(shape, torch.float32) * 4).abs().to(dtype)
        yield Call(op, {"self": tensor}, (tensor.conj().resolve_conj(),))


def as_real_calls(op, dtype):
    for shape in SHAPES if _is_complex(dtype) else ():
        yield call(op, aten.view_as_real_copy.default, random(shape, dtype))


def as_complex_calls(op, dtype):
    for shape in SHAPES if _is_float(dtype) else ():
        yield call(op, aten.view_as_complex_copy.default, random((*shape, 2), dtype))


COMPLEX = {
    f"aten::{name}": samples
    for names, samples in {
        "_fft_c2c.out": c2c_calls,
        "_fft_r2c.out": r2c_calls,
        "_fft_c2r.out": c2r_calls,
        "complex.out polar.out": parts_calls,
        "_conj_physical.out conj_physical.out _conj_copy.out": conj_calls,
        "view_as_real_copy.out": as_real_calls,
        "view_as_complex_copy.out": as_complex_calls,
    }.items()
    for name in names.split()
}


# What takes complex numbers: these rows have a column for complex64.
COMPLEX_ROWS = {
    f"aten::{name}"
    for name in """
    _conj_copy.out _conj_physical.out _fft_c2c.out _fft_c2r.out _to_copy.out abs.out acos.out acosh.out
    add.Scalar_out add.out addmm.out alias_copy.out all.all_out all.dims_out all.out angle.out any.all_out
    any.dims_out any.out as_strided_copy.out asin.out asinh.out atan.out atanh.out bmm.out cat.out clone.out
    conj_physical.out constant_pad_nd.out copy.out copy_ cos.out cosh.out detach_copy.out
    diagonal_copy.out div.Scalar_out div.out embedding.out empty.out empty_strided.out eq.Scalar_out eq.Tensor_out
    exp.out exp2.out expand_copy.out expm1.out fill.Scalar_out fill.Tensor_out flip.out full.out full_like.out
    gather.out index.Tensor_out index_put.out index_put_ index_select.out isinf.out isnan.out lift_fresh_copy.out
    linear.out log.out log10.out log1p.out log2.out logical_and.out logical_not.out logical_or.out logical_xor.out
    masked_fill.Scalar_out masked_scatter.out masked_select.out mean.dtype_out mean.out mm.out mul.Scalar_out
    mul.out narrow_copy.out ne.Scalar_out ne.Tensor_out neg.out nonzero.out ones.out permute_copy.out
    pixel_shuffle.out pixel_unshuffle.out pow.Scalar_out pow.Tensor_Scalar_out pow.Tensor_Tensor_out prod.int_out
    prod.out reciprocal.out repeat.out roll.out rsqrt.out rsub.Scalar_out scalar_tensor.out scatter.src_out
    scatter.value_out scatter_add.out select_copy.int_out select_scatter.out sgn.out sigmoid.out silu.out sin.out
    sinh.out slice_copy.Tensor_out slice_scatter.out split_copy.Tensor_out split_with_sizes_copy.out sqrt.out
    square.out squeeze_copy.dim_out squeeze_copy.dims_out stack.out sub.Scalar_out sub.out sum.IntList_out
    t_copy.out tan.out tanh.out transpose_copy.int_out tril.out triu.out unbind_copy.int_out unfold_copy.out
    unsqueeze_copy.out view_as_real_copy.out view_copy.out where.self_out zeros.out
    """.split()
}


def ones(*shape, dtype=torch.float32):
    return torch.ones(shape, dtype=dtype)


c64 = torch.complex64
REFUSED_COMPLEX = [
    ("complex.out", {"real": ones(3), "imag": ones(3).double()}, ones(3, dtype=c64),
     "there is no complex number with parts of float32 and float64"),
    ("complex.out", {"real": ones(3), "imag": ones(3)}, ones(3), "the result is complex64, and its place is float32"),
    ("view_as_real_copy.out", {"self": ones(3)}, ones(3, 2), "a complex number has parts, and float32 has not"),
    ("view_as_complex_copy.out", {"self": ones(2, 3)}, ones(2, dtype=c64),
     "the parts of complex64 numbers are not float32 of shape [2, 3]"),
    ("abs.out", {"self": ones(3, dtype=c64)}, ones(3, dtype=torch.int64),
     "the result is float32, and its place is int64"),
    ("add.out", {"self": ones(3, dtype=c64), "other": ones(3)}, ones(3),
     "the result is complex64, and its place is float32"),
    ("lt.Tensor_out", {"self": ones(3, dtype=c64), "other": ones(3)}, ones(3) > 0,
     "it does not compute with complex64"),
    ("_fft_c2c.out", {"self": ones(3), "dim": [0], "normalization": 0, "forward": True}, ones(3, dtype=c64),
     "there is no kernel for float32"),
    ("_fft_r2c.out", {"self": ones(3), "dim": [], "normalization": 0, "onesided": True}, ones(2, dtype=c64),
     "there is no dimension to transform"),
    ("_fft_r2c.out", {"self": ones(3), "dim": [1], "normalization": 0, "onesided": True}, ones(2, dtype=c64),
     "there is no dimension 1 in a tensor of rank 1"),
    ("_fft_r2c.out", {"self": ones(3, 4), "dim": [1, -1], "normalization": 0, "onesided": True}, ones(3, 3, dtype=c64),
     "dimension 1 is named twice"),
    ("_fft_r2c.out", {"self": ones(3), "dim": [0], "normalization": 3, "onesided": True}, ones(2, dtype=c64),
     "there is no normalization 3"),
    ("_fft_r2c.out", {"self": ones(0), "dim": [0], "normalization": 0, "onesided": True}, ones(1, dtype=c64),
     "dimension 0 has 0 points, and at least 1"),
    ("_fft_c2r.out", {"self": ones(3, dtype=c64), "dim": [0], "normalization": 0, "last_dim_size": 0}, ones(1),
     "dimension 0 has 0 points, and at least 1"),
]  # fmt: skip
