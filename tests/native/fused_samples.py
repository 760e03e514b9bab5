"""Calls of the fused operators that transformers and pointwise chains become, beside torch's own parts of them."""

import math

import torch
from torch.nn import functional

from native.samples import Call
from tenon.ops.fused import POINTWISE

EDGES = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 3.0, -3.0, 1e-8, 50.0, -50.0, 0.999, 1e20, -1e20, 88.8]


def reals(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed + math.prod(shape)))


# --- attention --------------------------------------------------------------------------------------------------


def attended(query, key, value, mask, causal, scale):
    """In double precision, with all scores there are. Who sees nothing gets 0, as torch has it."""
    q, k, v = (x.double().transpose(1, 2) for x in (query, key, value))
    shared = query.shape[2] // max(key.shape[2], 1)
    k, v = (x.repeat_interleave(shared, 1) for x in (k, v))
    scores = q @ k.transpose(-1, -2) * scale
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf) if mask.dtype == torch.bool else scores + mask
    if causal:
        scores = scores.masked_fill(~torch.ones(scores.shape[-2:], dtype=torch.bool).tril(), -math.inf)
    weights = torch.softmax(scores, -1).masked_fill((scores == -math.inf).all(-1, keepdim=True), 0)
    return (weights @ v).transpose(1, 2).float().contiguous()


def attention_call(op, query, key, value, mask=None, causal=False, scale=None):
    scale = 1 / math.sqrt(max(query.shape[3], 1)) if scale is None else scale
    given = {"query": query, "key": key, "value": value, "mask": mask, "causal": causal, "scale": scale}
    return Call(op, given, (attended(*given.values()),))


# batch, queries, keys, heads, heads of keys, size of a head, of a value
_ATTENTION = [
    (1, 16, 64, 1, 1, 8, 8), (2, 5, 7, 4, 2, 16, 3), (1, 1, 1030, 2, 1, 64, 64), (1, 4, 513, 3, 3, 40, 8),
    (1, 130, 130, 2, 2, 64, 64), (2, 17, 65, 6, 2, 33, 17), (1, 40, 200, 1, 1, 1, 1), (1, 33, 100, 1, 1, 256, 128),
    (1, 200, 30, 2, 1, 128, 128), (1, 20, 70, 2, 2, 600, 520), (0, 5, 5, 2, 2, 8, 8), (1, 0, 5, 2, 2, 8, 8),
    (1, 5, 0, 2, 2, 8, 8), (2, 1, 0, 2, 2, 8, 8), (1, 20, 20, 2, 2, 0, 8), (1, 3, 9, 0, 0, 8, 8),
    (1, 20, 20, 2, 2, 8, 0), (1, 1, 257, 6, 2, 48, 80), (2, 3, 40, 4, 2, 16, 32), (1, 1, 20, 2, 2, 528, 16),
]  # fmt: skip


def attention_calls(op, dtype):
    if dtype != torch.float32:
        return
    for b, t, s, h, g, d, e in _ATTENTION:
        query, key, value = reals(b, t, h, d), reals(b, s, g, d, seed=1), reals(b, s, g, e, seed=2)
        yield attention_call(op, query, key, value)
        yield attention_call(op, query, key, value, causal=True, scale=0.5 / math.sqrt(d + 1))
        for shape in ((b, h, t, s), (1, 1, t, s), (b, 1, 1, s), (1, h, t, 1)):
            mask = reals(*shape, seed=3)
            yield attention_call(op, query, key, value, mask)
            hides = mask > 0
            hides[..., :1, :] = False  # one query sees nothing
            yield attention_call(op, query, key, value, hides)
            yield attention_call(op, query, key, value, mask.masked_fill(hides, -math.inf), causal=True)
    for t in (2, 40):
        query, key, value = reals(1, t, 2, 16), reals(1, 90, 2, 16, seed=1), reals(1, 90, 2, 16, seed=2)
        yield attention_call(op, query.round() * 1e3, key.round(), value)  # the largest score has all the weight
        yield attention_call(op, query * 0, key, value)
        late = torch.full((1, 1, 1, 90), -math.inf)
        late[..., 80] = 0  # whole blocks of keys are seen by none
        yield attention_call(op, query, key, value, late)
        yield attention_call(op, query, key, value, late.nan_to_num())  # the least float is not infinite
        yield attention_call(op, query, key, value, torch.full((1, 1, 1, 90), torch.finfo(torch.float32).min))
        for odd in (math.inf, math.nan):
            other = query.clone()
            other[0, 1, 0, 3] = odd  # only this query is not a number
            yield attention_call(op, other, key, value)


# --- rows -------------------------------------------------------------------------------------------------------


def rms_norm_calls(op, dtype):
    if dtype != torch.float32:
        return
    for shape in ((1,), (7,), (3, 64), (2, 3, 100), (2, 2, 3, 33), (40, 768), (0, 4), (3, 0)):
        for weight in (None, reals(shape[-1], seed=1)):
            for eps in (1e-6, 0.5):
                given = {"input": reals(*shape) * 3, "weight": weight, "eps": eps}
                wide = weight if weight is None else weight.double()
                result = functional.rms_norm(given["input"].double(), shape[-1:], wide, eps).float()
                yield Call(op, given, (result,))


def turned(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), -1)


def rotary_calls(op, dtype):
    if dtype != torch.float32:
        return
    for shape, angles in [
        ((2, 5, 3, 8), (2, 5, 1, 8)), ((1, 4, 2, 64), (4, 1, 64)), ((2, 3, 4, 6), (2, 1, 4, 6)), ((3, 7), (7,)),
        ((2, 3, 4, 6), (1,)), ((1,), (1,)), ((0, 4), (4,)), ((2, 40, 12, 80), (1, 40, 1, 80)),
    ]:  # fmt: skip
        x, cos, sin = reals(*shape), reals(*angles, seed=1), reals(*angles, seed=2)
        yield Call(op, {"input": x, "cos": cos, "sin": sin}, (x * cos + turned(x) * sin,))


# --- programs ---------------------------------------------------------------------------------------------------

CODE = {name: code for code, name in enumerate(POINTWISE)}


def program_call(op, inputs, steps, constants=()):
    """Steps are a name and registers."""
    registers = [*inputs, *map(torch.tensor, constants)]
    for name, *taken in steps:
        registers.append(POINTWISE[name](*(registers[k] for k in taken)))
    shape = torch.broadcast_shapes(*(x.shape for x in inputs))
    program = [number for name, *taken in steps for number in (CODE[name], *taken)]
    given = {"inputs": list(inputs), "program": program, "constants": list(map(float, constants))}
    return Call(op, given, (registers[-1].expand(shape).contiguous(),))


_SHAPES = [
    [(), ()], [(0,), (0,)], [(3,), ()], [(), (3,)], [(2, 3), (3,)], [(2, 3), (2, 1)], [(0, 3), (1, 3)],
    [(3000,), (3000,)],
    [(2, 3, 4, 5), (2, 3, 4, 5)], [(2, 3, 4, 5), (3, 1, 1)], [(5, 1, 4), (1, 6, 1)], [(2, 700), (2, 1)],
    [(40, 77), (77,)],
    [(3, 600), (3, 600)], [(2, 9, 16, 10), (2, 9, 1, 10)],
]  # fmt: skip


def pointwise_calls(op, dtype):
    if dtype != torch.float32:
        return
    edges = torch.tensor([*EDGES, *reals(20).tolist()])
    for name, function in POINTWISE.items():
        taken = function.__code__.co_argcount
        if taken == 1:
            tensors = [edges if "gelu" not in name else reals(40) * 4]  # torch's gelu of infinity is not a number
        elif taken == 2:
            tensors = [edges[:, None], edges]
        else:
            tensors = [edges[:, None], reals(36).clamp(max=0), reals(36, seed=1).clamp(min=0)]
        yield program_call(op, tensors, [(name, *range(taken))])
    for first, second in _SHAPES:
        x, y = reals(*first), reals(*second, seed=1)
        yield program_call(
            op, [x, y], [("mul", 0, 1), ("sigmoid", 3), ("sub", 4, 2), ("add", 5, 0), ("gelu", 6)], [2.5]
        )
        yield program_call(op, [x, y], [("lt", 0, 1), ("neg", 1), ("where", 2, 0, 3), ("exp", 4)])
        yield program_call(op, [y], [("maximum", 0, 1), ("minimum", 2, 2)], [0.25])
    x = reals(900)
    tree = [("mul", 0, i) for i in (1, 2, 3, 4, 1, 2, 3, 4)]  # 8 results at a time
    tree += [("add", 5 + i, 6 + i) for i in (0, 2, 4, 6)] + [("add", 13, 14), ("add", 15, 16), ("add", 17, 18)]
    yield program_call(op, [x], tree, [1.0, 2.0, -3.0, 0.5])
    yield program_call(op, [x] * 16, [("add", 0, 1)] + [("add", 14 + i, i) for i in range(2, 16)])


FUSED = {
    "tenon::attention.out": attention_calls,
    "tenon::rms_norm.out": rms_norm_calls,
    "tenon::rotary.out": rotary_calls,
    "tenon::pointwise.out": pointwise_calls,
}

# --- refusals ---------------------------------------------------------------------------------------------------


def _attention(**changed):
    x = torch.ones(1, 3, 4, 8)
    return {"query": x, "key": x, "value": x, "mask": None, "causal": False, "scale": 1.0} | changed


def _program(*program, inputs=1, constants=0):
    return {"inputs": [torch.ones(3)] * inputs, "program": list(program), "constants": [1.0] * constants}


_PLACE = torch.ones(1, 3, 4, 8)
_KEEPS = [number for _ in range(13) for number in (CODE["neg"], 0)]
_KEEPS += [number for i in range(12) for number in (CODE["add"], 1 + i, 13 + i)]
_REFUSED = [
    ("attention.out", _attention(query=_PLACE.double()), _PLACE, "there is no kernel for float64"),
    ("attention.out", _attention(mask=torch.ones(1, 1, 3, 3).long()), _PLACE,
     "the mask is int64, and should be bool or float32"),
    ("attention.out", _attention(mask=torch.ones(1, 1, 3, 4)), _PLACE,
     "a mask of shape [1, 1, 3, 4] is not for [1, 4, 3, 3]"),
    ("attention.out", _attention(mask=torch.ones(3, 3)), _PLACE, "a mask of shape [3, 3] is not for [1, 4, 3, 3]"),
    ("attention.out", _attention(key=torch.ones(1, 3, 3, 8), value=torch.ones(1, 3, 3, 8)), _PLACE,
     "queries of shape [1, 3, 4, 8], keys of [1, 3, 3, 8] and values of [1, 3, 3, 8] do not go together"),
    ("attention.out", _attention(query=torch.ones(3, 4, 8)), _PLACE,
     "queries of shape [3, 4, 8], keys of [1, 3, 4, 8] and values of [1, 3, 4, 8] do not go together"),
    ("attention.out", _attention(), torch.ones(1, 3, 4, 9),
     "the result has shape [1, 3, 4, 8], and its place is for [1, 3, 4, 9]"),
    ("rms_norm.out", {"input": torch.ones(2, 3), "weight": torch.ones(2), "eps": 0.0}, torch.ones(2, 3),
     "a weight of shape [2] is not for rows of an input of shape [2, 3]"),
    ("rms_norm.out", {"input": torch.ones(()), "weight": None, "eps": 0.0}, torch.ones(()),
     "a number alone has no rows to normalize"),
    ("rotary.out", {"input": torch.ones(()), "cos": torch.ones(1), "sin": torch.ones(1)}, torch.ones(()),
     "a number alone cannot be turned"),
    ("rotary.out", {"input": torch.ones(2, 4), "cos": torch.ones(3), "sin": torch.ones(4)}, torch.ones(2, 4),
     "angles of shape [3] are not for an input of shape [2, 4]"),
    ("rotary.out", {"input": torch.ones(4), "cos": torch.ones(4), "sin": torch.ones(2, 4)}, torch.ones(4),
     "angles of shape [2, 4] are not for an input of shape [4]"),
    ("pointwise.out", _program(), torch.ones(3), "the program is empty"),
    ("pointwise.out", _program(0, 0, 0, inputs=0), torch.ones(3), "0 inputs, and a program has 1 to 16"),
    ("pointwise.out", _program(0, 0, 0, inputs=17), torch.ones(3), "17 inputs, and a program has 1 to 16"),
    ("pointwise.out", _program(0, 0, 0, constants=17), torch.ones(3), "17 constants, and a program has at most 16"),
    ("pointwise.out", _program(0, 0, 0, 99), torch.ones(3), "99 at position 3 of the program is no function"),
    ("pointwise.out", _program(-1), torch.ones(3), "-1 at position 0 of the program is no function"),
    ("pointwise.out", _program(0, 0), torch.ones(3), "the program ends inside the function at position 0"),
    ("pointwise.out", _program(0, 0, 1), torch.ones(3),
     "register 1 at position 2 of the program is not one of the 1 that are known there"),
    ("pointwise.out", _program(0, 0, -1), torch.ones(3),
     "register -1 at position 2 of the program is not one of the 1 that are known there"),
    ("pointwise.out", _program(*[CODE["neg"], 0] * 33), torch.ones(3), "the program has more than 32 functions"),
    ("pointwise.out", _program(*_KEEPS), torch.ones(3), "the program keeps more than 12 results at a time"),
    ("pointwise.out", {"inputs": [torch.ones(3), torch.ones(2)], "program": [0, 0, 1], "constants": []}, torch.ones(3),
     "the shape [2] does not go with [3]"),
]  # fmt: skip
FUSED_REFUSED = [(f"tenon::{op}", *rest) for op, *rest in _REFUSED]
