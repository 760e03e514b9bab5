"""Samples for special functions and the parts of numbers, where the database has none or torch has no answer."""

import math

import mpmath
import torch

from native.samples import DTYPES, Call

aten = torch.ops.aten
EDGES = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, -2.0, -2.5, -0.5, 0.5, 0.25, 1e-8, 3.0, 10.0, 50.0, 1e20]


def polygamma_calls(op, dtype):
    edges = torch.tensor(EDGES).to(dtype) if dtype.is_floating_point else torch.arange(6).to(dtype)
    for tensor in (edges, edges[:0], edges[5], edges[: len(edges) // 2 * 2].view(1, 2, -1, 1)):
        for n in (0, 1, 2, 3, 4, 9):
            yield Call(op, {"n": n, "self": tensor}, (aten.polygamma.default(n, tensor),), aten.polygamma.default)


def lcm_calls(op, dtype):
    """The smallest number divided by -1 ends torch with a signal; it is not among these."""
    if dtype.is_floating_point or dtype == torch.bool:
        return
    numbers = torch.tensor([0, 1, 2, 3, 4, 6, 12, 15, 100, torch.iinfo(dtype).max], dtype=dtype)
    both = numbers if dtype == torch.uint8 else torch.cat([numbers, -numbers])
    pairs = [(both[:, None], both), (both, both[3]), (both[:0], both[0]), (both.view(1, 2, -1, 1), both[:5])]
    others = [numbers[:9].to(other) for other in DTYPES if not other.is_floating_point and other != torch.bool]
    for a, b in [*pairs, *((both[:9], other) for other in others)]:
        yield Call(op, {"self": a, "other": b}, (aten.lcm.default(a, b),), aten.lcm.default)


def polynomial_calls(op, dtype):
    """Degrees that are not too large: torch takes as many steps."""
    functional = getattr(aten, op[6:-4]).default
    degrees = torch.tensor([0, 1, 2, 3, 5, 6, 7, 8, 9, 12, 30, 64]).to(dtype)
    # Where x is not a number, torch gives what its memory holds.
    edges = torch.tensor([*EDGES[1:], 0.9, -0.75]).to(dtype) if dtype.is_floating_point else torch.arange(3).to(dtype)
    odd = torch.tensor([-1.0, 2.5, -0.5, math.nan, math.inf, 200.0, 1e20])
    pairs = [(edges[:, None], degrees), (edges, degrees[3]), (edges[:0], degrees[0]), (edges[0], odd)]
    pairs += [(edges[:3], degrees[:3].to(other)) for other in DTYPES]
    if dtype in (torch.float16, torch.bfloat16):
        return  # torch has none of 16 bits
    for x, n in pairs:
        if torch.promote_types(x.dtype, n.dtype) not in (torch.float16, torch.bfloat16):
            yield Call(op, {"x": x, "n": n}, (functional(x, n),), functional)


def zeta_calls(op, dtype):
    """Without exponents that torch's sums of products overflow at."""
    if dtype in (torch.float16, torch.bfloat16):
        return
    edges = (
        torch.tensor([*EDGES[:-1], 1.5, 2.0, 33.0]).to(dtype) if dtype.is_floating_point else torch.arange(9).to(dtype)
    )
    whole = (edges[:, None], edges), (edges, edges[2]), (edges[:0], edges[0]), (edges[:6].view(1, 2, 3, 1), edges[:4])
    mixed = ((edges[:3], torch.arange(2, 5).to(other)) for other in DTYPES if not other.is_floating_point)
    for s, q in (*whole, *mixed):
        yield Call(op, {"self": s, "other": q}, (aten.special_zeta.default(s, q),), aten.special_zeta.default)


def wave_calls(op, dtype):
    """Not far out, where torch has no digits of where in a wave it is."""
    if dtype in (torch.float16, torch.bfloat16):
        return
    functional = getattr(aten, op[6:-4]).default
    numbers = torch.linspace(-60, 60, 400) if dtype.is_floating_point else torch.arange(0, 100)
    edges = [*EDGES, 100.0, 500.0] if dtype.is_floating_point else [0, 1]
    tensor = torch.cat([torch.tensor(edges), numbers]).to(dtype)
    for given in (tensor, tensor[:0], tensor[5], tensor[:40].view(2, 2, 2, 5)):
        yield Call(op, {functional._schema.arguments[0].name: given}, (functional(given),), functional)


POLYNOMIALS = [
    *(f"{shifted}chebyshev_polynomial_{kind}" for shifted in ("", "shifted_") for kind in "tuvw"),
    *("hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"),
]
SPECIAL = {
    "aten::polygamma.out": polygamma_calls,
    "aten::lcm.out": lcm_calls,
    "aten::special_zeta.out": zeta_calls,
    **{
        f"aten::special_{name}.out": wave_calls
        for name in ("airy_ai", *(f"bessel_{kind}" for kind in ("j0", "j1", "y0", "y1")))
    },
    **{f"aten::special_{name}.out": polynomial_calls for name in POLYNOMIALS},
}

# Where torch's own are not as exact as their dtype (of doubles between 5 and 7, or Airy's below -2): what is true, and
# how close they are to it.
TRUE = {
    "aten::special_bessel_j0.out": mpmath.j0,
    "aten::special_bessel_j1.out": mpmath.j1,
    "aten::special_bessel_y0.out": lambda x: mpmath.bessely(0, x) if x > 0 else mpmath.nan,
    "aten::special_bessel_y1.out": lambda x: mpmath.bessely(1, x) if x > 0 else mpmath.nan,
    "aten::special_airy_ai.out": mpmath.airyai,
    "aten::special_erfcx.out": lambda x: mpmath.exp(x * x) * mpmath.erfc(x),
}
ROUGH = {(op, torch.float64): {"rtol": 5e-6, "atol": 5e-6} for op in TRUE if "erfcx" not in op}
ROUGH["aten::special_erfcx.out", torch.float32] = {"rtol": 2e-5, "atol": 1e-5}


def true_call(op):
    """What is true, and not what torch has of it."""
    tensor = torch.linspace(-20, 20, 401, dtype=torch.float64)[1:] + 0.003
    with mpmath.workdps(30):
        result = torch.tensor([float(TRUE[op](mpmath.mpf(x))) for x in tensor.tolist()], dtype=torch.float64)
    (name,) = (a.name for a in getattr(aten, op[6:-4]).default._schema.arguments)
    return Call(op, {name: tensor}, (result,))


def ones(*shape, dtype=torch.float32):
    return torch.ones(shape, dtype=dtype)


SPECIAL_REFUSED = [
    ("polygamma.out", {"n": -1, "self": ones(3)}, ones(3), "n is -1, and at least 0"),
    ("igamma.out", {"self": ones(3).long(), "other": ones(3).long()}, ones(3), "it does not compute with int64"),
    ("hypot.out", {"self": ones(3) > 0, "other": ones(3) > 0}, ones(3), "it does not compute with bool"),
    ("gcd.out", {"self": ones(3), "other": ones(3)}, ones(3), "it does not compute with float32"),
    ("frexp.Tensor_out", {"self": ones(3).long()}, ones(3).int(), "it does not compute with int64"),
]  # fmt: skip
