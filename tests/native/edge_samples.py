"""Calls at the edges of what torch takes, each of which a kernel once got wrong: found by random programs."""

import math

import torch

NAN, INF = math.nan, math.inf
aten = torch.ops.aten


def zeros(*shape):
    return lambda dtype: torch.zeros(shape, dtype=dtype)


def tensor(values):
    return lambda dtype: torch.tensor(values, dtype=torch.float64).to(dtype)


def of(function, *arguments, **named):
    """A call whose functions of a dtype are called with it."""

    def call(dtype):
        given = [value(dtype) if callable(value) else value for value in arguments]
        return function, given, {k: value(dtype) if callable(value) else value for k, value in named.items()}

    return call


def of_floats(function, *arguments, **named):
    call = of(function, *arguments, **named)
    return lambda dtype: call(dtype) if dtype.is_floating_point else None


def counted(start, *shape):
    return lambda dtype: (torch.arange(math.prod(shape)).reshape(shape) * 7 % 11 + start).to(dtype)


def parts(values):
    return lambda dtype: torch.tensor([complex(a, b) for a in values for b in values], dtype=dtype)


def of_complex(function, *arguments):
    call = of(function, *arguments)
    return lambda dtype: call(dtype) if dtype.is_complex else None


# Those whose samples are also tried in other orders of memory.
IN_ORDERS = ["aten::native_group_norm_backward.out", "aten::native_layer_norm_backward.out"]

CONV = ([1, 1], [0, 1], [1, 1], False, [0, 0], 1)

EDGE_SAMPLES = {
    "aten::sum.IntList_out": [
        of(aten.sum.dim_IntList, tensor([[0.66, 0.5], [0.0, -0.0], [NAN, 0.0]]), dims, dtype=torch.bool)
        for dims in ([0], [1], [0, 1])
    ],
    "aten::prod.out": [
        of(aten.prod.default, tensor(values), dtype=torch.bool) for values in ([0.97], [INF, INF], [2, 0], [128, 2])
    ],
    "aten::prod.int_out": [of(aten.prod.dim_int, tensor([[0.5, 2], [0, 3]]), dim, dtype=torch.bool) for dim in (0, 1)],
    "aten::native_layer_norm.out": [of(aten.native_layer_norm.default, zeros(2, 0), [0], None, None, 1e-5)],
    "aten::native_group_norm.out": [
        of(aten.native_group_norm.default, zeros(1, 0), None, None, 1, 0, 1, 1, 1e-5),
        of(aten.native_group_norm.default, zeros(1, 2, 0), None, None, 1, 2, 0, 2, 1e-5),
    ],
    "aten::_upsample_bilinear2d_aa.out": [
        of(aten._upsample_bilinear2d_aa.default, tensor([[[[-1, -0.0, 1], [2, 5, 9]]]]), size, align, 2.0, 2.0)
        for size in ([2, 3], [1, 3], [4, 3], [2, 5])
        for align in (False, True)
    ]
    + [of(aten._upsample_bilinear2d_aa.default, tensor([[[[1, 2, NAN, 4]]]]), [3, 4], False, None, None)],
    "aten::upsample_bilinear2d.vec_out": [
        of(aten.upsample_bilinear2d.vec, tensor([[[[1, 2], [NAN, 3]]]]), size, align, scales)
        for size, scales in (([2, 4], None), ([2, 2], None), ([4, 2], None), (None, [1.2, 2.0]))
        for align in (False, True)
    ]
    + [of(aten.upsample_bilinear2d.vec, tensor([[[[INF]]]]), [5, 3], False, None)]
    + [of(aten.upsample_bilinear2d.vec, tensor([[[[1, 2, 3, -INF, 4, 5]]]]), None, False, [2.0, 3.0])],
    "aten::elu.out": [
        of(aten.elu.default, tensor([0.0, -0.0, 1, -1, NAN, INF, -INF]), -3.25, 1, scale) for scale in (NAN, INF, 2)
    ],
    "aten::_cdist_forward.out": [
        of(aten._cdist_forward.default, tensor([[4, INF], [4, 1]]), tensor([[NAN, 1], [4, INF]]), p, None)
        for p in (0.0, 1.0, 3.0, INF)
    ],
    "aten::_pdist_forward.out": [
        *(of(aten._pdist_forward.default, tensor([[4, NAN], [3, 2], [4, 2]]), p) for p in (0.0, INF)),
        of(aten._pdist_forward.default, zeros(1, 2)),
        of(aten._pdist_forward.default, zeros(3, 0)),
    ],
    "aten::pow.Tensor_Scalar_out": [
        of_complex(aten.pow.Tensor_Scalar, parts([-3.5, -0.0, 0.0, 2, INF, -INF, NAN]), power)
        for power in (0.5, -0.5, -1, 2, 3, -2)
    ]
    + [of_floats(aten.pow.Tensor_Scalar, tensor([-0.0, -INF, INF, -2]), power) for power in (0.5, -0.5, -2)],
    "aten::max_pool3d_with_indices.out": [
        of(aten.max_pool3d_with_indices.default, tensor([[[[80]]]]), [2, 1, 2], [1, 1, 1], [1, 0, 1], [2, 1, 1])
    ],
    "aten::max_pool2d_with_indices.out": [
        of(aten.max_pool2d_with_indices.default, tensor([[[80]]]), [2, 2], [1, 1], [1, 1], [2, 1])
    ],
    **{
        f"aten::{kind}_pad{n}d.out": [
            of(getattr(aten, f"{kind}_pad{n}d").default, zeros(1, 1, *[2] * n), [0, -2, *[-1, 0] * (n - 1)])
        ]
        for kind in ("reflection", "replication")
        for n in (2, 3)
    },
    "aten::_adaptive_avg_pool2d.out": [
        of(aten._adaptive_avg_pool2d.default, zeros(*shape), size)
        for shape in ((1, 0, 3, 7), (0, 3, 7))
        for size in ([4, 4], [0, 4])
    ],
    "aten::adaptive_avg_pool1d.out": [
        of(aten.adaptive_avg_pool1d.default, zeros(*shape), [size])
        for shape in ((0, 3), (2, 0, 3), (3, 6, 0))
        for size in (1, 2)
    ],
    "aten::convolution.out": [
        of(aten.convolution.default, zeros(3, 0, 3, 1), zeros(3, 0, 1, 3), None, *CONV),
        of(aten.convolution.default, zeros(0, 2, 3, 1), zeros(3, 2, 1, 3), zeros(3), *CONV),
    ],
    "aten::native_group_norm_backward.out": [
        of(aten.native_group_norm_backward.default, zeros(*shape), zeros(*shape), zeros(1, 1), zeros(1, 1),
           zeros(shape[1]), 1, shape[1], math.prod(shape[2:]), 1, [True] * 3)
        for shape in ((1, 0), (1, 0, 3), (1, 2, 0))
    ] + [
        of(aten.native_group_norm_backward.default, counted(0, 2, 2, 3, 2), counted(5, 2, 2, 3, 2), tensor([[1], [2]]),
           tensor([[0.5], [2]]), tensor([1, 3]), 2, 2, 6, 1, [True] * 3)
    ],
    "aten::native_layer_norm_backward.out": [
        of(aten.native_layer_norm_backward.default, counted(0, 2, 2, 3, 2), counted(5, 2, 2, 3, 2), shape,
           counted(1, 2, *[1] * 3), counted(2, 2, *[1] * 3), counted(1, *shape), counted(1, *shape), [True] * 3)
        for shape in ([2, 3, 2],)
    ],
    "aten::avg_pool2d_backward.grad_input": [
        of(aten.avg_pool2d_backward.default, tensor([[[7, -7], [5, 9]]]), zeros(1, 3, 3), [2, 2], [1, 1], [0, 0],
           False, True, divisor)
        for divisor in (None, 3, -2)
    ],
    "aten::embedding_dense_backward.out": [
        of(aten.embedding_dense_backward.default, tensor([[100, 1], [100, 2], [60, 0], [3, 0]]),
           torch.tensor([0, 0, 0, 1]), 3, -1, by_frequency)
        for by_frequency in (False, True)
    ],
    **{
        f"aten::{name}.out": [of(getattr(aten, name).default, zeros(*shape), 1, False) for shape in ((0, 2), (2, 0))]
        for name in ("_softmax", "_log_softmax")
    },
    "aten::grid_sampler_2d.out": [
        of(aten.grid_sampler_2d.default, zeros(0, 2, 3, 3), zeros(0, 2, 2, 2), 0, 0, False),
        of(aten.grid_sampler_2d.default, zeros(1, 2, 3, 3), zeros(1, 0, 2, 2), 0, 0, False),
    ],
    "aten::constant_pad_nd.out": [of(aten.constant_pad_nd.default, zeros(2, 3), [-1, 0], 7000)],
    "aten::scatter.value_out": [
        of(aten.scatter.value, zeros(3), 0, torch.zeros(0, dtype=torch.int64), 7000)
    ],
    "aten::mm.out": [of(aten.mm.default, zeros(m, k), zeros(k, 2)) for m, k in ((1, 0), (0, 1))],
    "aten::bmm.out": [of(aten.bmm.default, zeros(2, m, k), zeros(2, k, 2)) for m, k in ((1, 0), (0, 1))],
    "aten::addmm.out": [of(aten.addmm.default, zeros(2), zeros(m, k), zeros(k, 2)) for m, k in ((1, 0), (0, 1))],
    "aten::linear.out": [
        of(aten.linear.default, zeros(m, k), zeros(n, k)) for m, k, n in ((1, 0, 2), (0, 1, 2), (2, 1, 0))
    ],
    "aten::arange.start_out": [
        of(aten.arange.start_step, 3, 10.5, step, dtype=lambda dtype: dtype)
        for step in (lambda dtype: 1 if dtype == torch.int64 else 0.5, 1.5)
    ],
    **{
        f"aten::{name}.out": [
            of(getattr(aten, name).default, *first, value, **({"dtype": as_dtype} if as_dtype else {}))
            for value in (127, -1, -128, 100.7, -0.5, 1.5, True, NAN, INF, 0.1)
        ]
        for name, first, as_dtype in (
            ("full", ([2],), lambda dtype: dtype),
            ("full_like", (zeros(2),), None),
            ("scalar_tensor", (), lambda dtype: dtype),
        )
    },
}  # fmt: skip


# Where rounding leaves torch a few places only, and a kernel more: these are compared with doubles.
INEXACT = {
    "aten::_pdist_forward.out": of(aten._pdist_forward.default, tensor([[0.1] * 9999, [0] * 9999]), 0.5),
    "aten::grid_sampler_2d.out": of(
        aten.grid_sampler_2d.default, tensor([[[[0, 22026]]]]), tensor([[[[-0.975, 1], [0.0625, 1]]]]), 2, 2, True
    ),
    "aten::native_group_norm.out": of(
        aten.native_group_norm.default, tensor([[77.741722, 77.723968, 93.3977, 93.4142]]), None, None, 1, 4, 1, 2, 1e-6
    ),
    "aten::native_layer_norm.out": of(
        aten.native_layer_norm.default, tensor([[77.741722, 77.723968]]), [2], None, None, 1e-6
    ),
}


BYTE, WHOLE, TRUTH = torch.ones(1, dtype=torch.int8), torch.ones(1, dtype=torch.int64), torch.ones(1, dtype=torch.bool)
NO_BOOL = "it does not compute with bool"
EDGE_REFUSED = [
    ("full.out", {"size": [1], "fill_value": 300}, BYTE, "the value 300 is none of int8"),
    ("full.out", {"size": [1], "fill_value": NAN}, BYTE, "the value nan is none of int8"),
    ("full.out", {"size": [1], "fill_value": 1e19}, WHOLE, "the value 1e+19 is none of int64"),
    ("full.out", {"size": [1], "fill_value": -1e39}, torch.ones(1), "the value -1e+39 is none of float32"),
    ("full_like.out", {"self": BYTE, "fill_value": -129}, BYTE, "the value -129 is none of int8"),
    ("fill.Scalar_out", {"self": BYTE, "value": 128}, BYTE, "the value 128 is none of int8"),
    ("scalar_tensor.out", {"s": -256}, BYTE.byte()[0], "the value -256 is none of uint8"),
    ("scatter.value_out", {"self": BYTE, "dim": 0, "index": WHOLE * 0, "value": 300}, BYTE,
     "the value 300 is none of int8"),
    ("constant_pad_nd.out", {"self": BYTE, "pad": [1, -1], "value": 300}, BYTE, "the value 300 is none of int8"),
    ("sub.Scalar_out", {"self": TRUTH, "other": 2}, WHOLE, NO_BOOL),
    ("rsub.Scalar_out", {"self": TRUTH, "other": 2.5}, torch.ones(1), NO_BOOL),
    ("sub.Scalar_out", {"self": WHOLE, "other": True}, WHOLE, NO_BOOL),
    ("sub.out", {"self": torch.ones(1), "other": TRUTH}, torch.ones(1), NO_BOOL),
]  # fmt: skip
