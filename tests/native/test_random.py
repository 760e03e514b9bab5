"""Kernels that draw: the generator beside its published numbers, and each kernel's numbers beside its distribution."""

import math
import subprocess
from functools import partial

import pytest
import torch
from torch import distributions as law

from native.library import ROOT, Library, Out, Refused, build, build_library, built_in
from native.samples import RANDOM, Call
from native.test_kernels import DTYPES, FLAGS, SHORT, run

COUNT = 20000
FLOATS = [dtype for dtype in DTYPES if dtype.is_floating_point]
WHOLE = [dtype for dtype in DTYPES if not dtype.is_floating_point and dtype != torch.bool]


@pytest.fixture(scope="module")
def library(pytestconfig):
    return Library(build_library(built_in(pytestconfig, FLAGS), FLAGS))


def test_the_generator_gives_the_published_numbers_and_threads_do_not_share_any(pytestconfig):
    sources = [ROOT / "tests" / "native" / "random.cpp", ROOT / "native" / "kernels" / "random.cpp"]
    program = build(built_in(pytestconfig, FLAGS), FLAGS, sources, "random", ["-pthread"])
    # Those of Random123: counter and key of zeros, of ones, and of the digits of pi.
    assert subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines() == [
        "6627e8d5 e169c58d bc57ac4c 9b00dbd8",
        "408f276d 41c83b0e a20bc7c6 6d5451fd",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
        "40000 of 40000",
    ]


def drawn(library, op, arguments, dtype, shape=(COUNT,), seed=1):
    if seed is not None:
        library.seed(seed)
    places = [Out(torch.ones(shape, dtype=dtype))]
    (result,) = run(library, Call(f"aten::{op}", arguments, ()), places)
    assert result.shape == torch.Size(shape)
    return result.clone()


# --- each kernel and its distribution -----------------------------------------------------------------------------

SIZE = {"size": [COUNT]}
WEIGHTS = torch.tensor([1.0, 0.0, 2.0, 5.0])


def like(**more):
    return lambda dtype: {"self": torch.ones(COUNT, dtype=dtype), **more}


def sized(**more):
    return lambda dtype: {**SIZE, **more}


def filled(**numbers):
    """Tensors of one number each; they are broadcast, and so is what has one element."""
    return lambda dtype: {
        name: torch.full((COUNT,) if i == 0 else (1,), number, dtype=dtype) if isinstance(number, float) else number
        for i, (name, number) in enumerate(numbers.items())
    }


class Whole(law.Categorical):
    """Any of [low, high], or of all that a dtype has."""

    def __init__(self, low, high):
        super().__init__(torch.ones(high - low + 1))
        self.low = low

    def log_prob(self, value):
        return super().log_prob(value - self.low)


CONTINUOUS = [
    ("rand.out", sized(), law.Uniform(0.0, 1.0)),
    ("rand_like.out", like(), law.Uniform(0.0, 1.0)),
    ("uniform.out", like(to=3.0, **{"from": -2.0}), law.Uniform(-2.0, 3.0)),
    ("randn.out", sized(), law.Normal(0.0, 1.0)),
    ("randn_like.out", like(), law.Normal(0.0, 1.0)),
    ("normal.out", like(mean=2.0, std=0.5), law.Normal(2.0, 0.5)),
    ("normal.float_float_out", sized(mean=2.0, std=0.5), law.Normal(2.0, 0.5)),
    (
        "normal.Tensor_float_out",
        lambda t: {"mean": torch.full((COUNT,), 2.0, dtype=t), "std": 0.5},
        law.Normal(2.0, 0.5),
    ),
    (
        "normal.float_Tensor_out",
        lambda t: {"std": torch.full((COUNT,), 0.5, dtype=t), "mean": 2.0},
        law.Normal(2.0, 0.5),
    ),
    ("normal.Tensor_Tensor_out", filled(mean=2.0, std=0.5), law.Normal(2.0, 0.5)),
    ("exponential.out", like(lambd=1.5), law.Exponential(1.5)),
    ("log_normal.out", like(mean=0.5, std=0.25), law.LogNormal(0.5, 0.25)),
    ("cauchy.out", like(median=1.0, sigma=2.0), law.Cauchy(1.0, 2.0)),
    ("_standard_gamma.out", filled(self=0.5), law.Gamma(0.5, 1.0)),
    ("_standard_gamma.out", filled(self=4.0), law.Gamma(4.0, 1.0)),
]
DISCRETE = [
    ("randint.out", sized(high=5), Whole(0, 4), DTYPES[:-1]),
    ("randint.out", sized(high=2), Whole(0, 1), DTYPES),
    ("randint.low_out", sized(low=-3, high=3), Whole(-3, 2), DTYPES[1:-1]),
    ("randint_like.out", like(high=5), Whole(0, 4), DTYPES[:-1]),
    ("randint_like.low_dtype_out", like(low=1, high=4), Whole(1, 3), DTYPES[:-1]),
    ("randint_like.Tensor_out", like(high=torch.tensor(5)), Whole(0, 4), DTYPES[:-1]),
    ("random.from_out", like(to=4, **{"from": 2}), Whole(2, 3), DTYPES[:-1]),
    ("random.to_out", like(to=7), Whole(0, 6), DTYPES[:-1]),
    ("random.out", like(), Whole(0, 127), [torch.int8]),
    ("random.out", like(), Whole(0, 255), [torch.uint8]),
    ("random.out", like(), Whole(0, 1), [torch.bool]),
    ("random.out", like(), Whole(0, 256), [torch.bfloat16]),
    ("random.from_out", like(**{"from": -128}), Whole(-128, 127), [torch.int8]),
    ("geometric.out", like(p=0.3), law.Geometric(0.3), [*WHOLE, *FLOATS]),
    ("bernoulli.out", filled(self=0.25), law.Bernoulli(0.25), FLOATS),
    ("bernoulli.float_out", like(p=0.25), law.Bernoulli(0.25), DTYPES),
    ("bernoulli.Tensor_out", like(p=torch.tensor(0.25)), law.Bernoulli(0.25), DTYPES),
    ("poisson.out", filled(self=3.0), law.Poisson(3.0), FLOATS),
    ("poisson.out", filled(self=40.0), law.Poisson(40.0), FLOATS),
    ("binomial.out", filled(count=12.0, prob=0.25), law.Binomial(12, torch.tensor(0.25)), FLOATS),
    ("binomial.out", filled(count=200.0, prob=0.75), law.Binomial(200, torch.tensor(0.75)), FLOATS),
    ("multinomial.out", lambda _: {"self": WEIGHTS, "num_samples": COUNT, "replacement": True},
     law.Categorical(WEIGHTS), [torch.int64]),
]  # fmt: skip


def cumulative(distribution, x):
    if isinstance(distribution, law.Gamma):
        return torch.special.gammainc(torch.as_tensor(distribution.concentration, dtype=x.dtype), x)
    return distribution.cdf(x)


@pytest.mark.parametrize("dtype", FLOATS, ids=SHORT.get)
@pytest.mark.parametrize(("op", "arguments", "distribution"), CONTINUOUS)
def test_numbers_are_of_their_distribution(library, op, arguments, distribution, dtype):
    found = drawn(library, op, arguments(dtype), dtype).double().sort().values
    assert bool(distribution.support.check(found).all())
    if isinstance(distribution, law.Uniform):
        assert distribution.low <= found[0] and found[-1] < distribution.high
    # Kolmogorov and Smirnov: 1.63 is passed by one of a hundred, and numbers of 8 digits are steps of their own.
    steps = cumulative(distribution, found)
    ranks = torch.arange(COUNT + 1) / COUNT
    away = max((ranks[1:] - steps).max(), (steps - ranks[:-1]).max())
    assert away < 1.63 / math.sqrt(COUNT) + (0.004 if dtype == torch.bfloat16 else 0)


@pytest.mark.parametrize(
    ("op", "arguments", "distribution", "dtype"),
    [(op, arguments, distribution, dtype) for op, arguments, distribution, dtypes in DISCRETE for dtype in dtypes],
)
def test_counts_are_those_of_their_distribution(library, op, arguments, distribution, dtype):
    found = drawn(library, op, arguments(dtype), dtype).double()
    found = found - 1 if isinstance(distribution, law.Geometric) else found  # torch counts the success as well
    values, counts = found.unique(return_counts=True)
    expected = COUNT * distribution.log_prob(values).exp()
    assert expected.sum() > 0.999 * COUNT  # none is missing that is not rare
    often = expected >= 8
    square = ((counts - expected) ** 2 / expected)[often].sum()
    freedom = int(often.sum())
    assert square < freedom + 3.5 * math.sqrt(2 * freedom)


@pytest.mark.parametrize(("op", "arguments"), [row[:2] for row in CONTINUOUS + [row[:3] for row in DISCRETE]])
def test_the_same_seed_gives_the_same_numbers_and_nothing_else_does(library, op, arguments):
    dtype = torch.int64 if op == "multinomial.out" else torch.float32
    draw = partial(drawn, library, op, arguments(dtype), dtype)
    first = draw(seed=7)
    assert not torch.equal(first, draw(seed=None))
    assert torch.equal(first, draw(seed=7))
    assert not torch.equal(first, draw(seed=2**63))


def test_every_kernel_that_draws_is_looked_at():
    own = ["native_dropout.out", "randperm.out", "_sample_dirichlet.out"]
    assert (
        sorted({f"aten::{op}" for op in [*own, *(row[0] for row in CONTINUOUS), *(row[0] for row in DISCRETE)]})
        == RANDOM
    )


def test_whole_numbers_reach_over_all_of_64_bits(library):
    found = drawn(
        library, "random.from_out", {"self": torch.ones(COUNT, dtype=torch.int64), "from": -(2**63)}, torch.int64
    )
    assert len(found.unique()) == COUNT
    assert found.min() < -(2**62) and found.max() > 2**62
    assert abs((found < 0).double().mean() - 0.5) < 0.02


# --- those of another shape ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES[:-1], ids=SHORT.get)
def test_a_permutation_has_each_number_once(library, dtype):
    for count in (0, 1, 2, 100):
        found = drawn(library, "randperm.out", {"n": count}, dtype, (count,))
        assert found.sort().values.tolist() == list(range(count))


def test_all_permutations_are_equally_likely(library):
    seen = {}
    for i in range(1200):
        key = tuple(drawn(library, "randperm.out", {"n": 3}, torch.int64, (3,), seed=None if i else 5).tolist())
        seen[key] = seen.get(key, 0) + 1
    assert len(seen) == 6
    assert all(abs(count - 200) < 45 for count in seen.values())


def test_what_is_drawn_without_replacement_is_there_once_and_as_often_as_its_weight_says(library):
    weights = torch.tensor([1.0, 4.0, 0.0, 5.0])
    arguments = {"self": weights.expand(COUNT, 4).contiguous(), "num_samples": 3}
    found = drawn(library, "multinomial.out", arguments, torch.int64, (COUNT, 3))
    assert found.sort().values.unique(dim=0).tolist() == [[0, 1, 3]]
    part = weights / 10
    first = torch.bincount(found[:, 0], minlength=4) / COUNT
    torch.testing.assert_close(first, part, atol=0.015, rtol=0)
    second = torch.bincount(found[:, 1], minlength=4) / COUNT
    expected = [sum(part[i] * part[j] / (1 - part[i]) for i in range(4) if i != j) for j in range(4)]
    torch.testing.assert_close(second, torch.stack(expected), atol=0.015, rtol=0)
    (all_four,) = (drawn(library, "multinomial.out", {"self": weights, "num_samples": 4}, torch.int64, (4,)),)
    assert all_four[3] == 2


@pytest.mark.parametrize("dtype", FLOATS, ids=SHORT.get)
def test_parts_of_a_whole_are_one_together_and_each_of_its_size(library, dtype):
    shapes = torch.tensor([0.5, 1.0, 4.5], dtype=dtype).expand(COUNT // 10, 2, 3).contiguous()
    arguments = {"self": shapes}
    found = drawn(library, "_sample_dirichlet.out", arguments, dtype, shapes.shape, seed=4).double()
    torch.testing.assert_close(found.sum(-1), torch.ones(COUNT // 10, 2, dtype=torch.float64), atol=0.01, rtol=0)
    expected = law.Dirichlet(torch.tensor([0.5, 1.0, 4.5], dtype=torch.float64))
    torch.testing.assert_close(found.mean((0, 1)), expected.mean, atol=0.01, rtol=0)
    torch.testing.assert_close(found.flatten(0, 1).var(0), expected.variance, atol=0.003, rtol=0)


@pytest.mark.parametrize("dtype", DTYPES, ids=SHORT.get)
def test_a_dropout_keeps_what_its_mask_says(library, dtype):
    tensor = torch.arange(1, 1 + 100).to(dtype).repeat(COUNT // 100)
    for p, train in ((0.3, True), (0.3, None), (0.0, True), (1.0, True), (0.7, False)):
        if not dtype.is_floating_point and train is not False:
            continue
        library.seed(3)
        places = [Out(tensor), Out(tensor > 0)]
        arguments = {"input": tensor, "p": p, "train": train}
        result, mask = run(library, Call("aten::native_dropout.out", arguments, ()), places)
        kept = 1.0 if train is False else 1 - p
        assert abs(mask.double().mean() - kept) < 0.015
        assert kept not in (0, 1) or bool((mask == kept).all())
        expected = tensor if train is False else tensor * mask * (0 if p == 1 else 1 / (1 - p))
        torch.testing.assert_close(result, expected.to(dtype), check_stride=False)


@pytest.mark.parametrize(
    ("op", "arguments", "place", "words"),
    [
        ("rand.out", {"size": [2]}, torch.ones(2).int(), "there is no kernel for int32"),
        ("uniform.out", {"self": torch.ones(2), "from": 2.0, "to": 1.0}, torch.ones(2),
         "from 2 to 1 there is no number"),
        ("randint.out", {"high": 0, "size": [2]}, torch.ones(2), "from 0 to below 0 there is no number"),
        ("randint.out", {"high": 300, "size": [2]}, torch.ones(2).char(), "from 0 to 299 there is no number of int8"),
        ("randint.low_out", {"low": -1, "high": 2, "size": [2]}, torch.ones(2).byte(),
         "from -1 to 1 there is no number of uint8"),
        ("randint_like.Tensor_out", {"self": torch.ones(2), "high": torch.ones(2)}, torch.ones(2),
         "high is a tensor of shape [2]"),
        ("randperm.out", {"n": -1}, torch.ones(2), "there are no -1 numbers to order"),
        ("randperm.out", {"n": 200}, torch.ones(200).char(), "the numbers up to 199 are not all of int8"),
        ("normal.out", {"self": torch.ones(2), "std": -1.0}, torch.ones(2),
         "std is -1, and between 0 and 1.79769e+308"),
        ("normal.Tensor_Tensor_out", {"mean": torch.ones(2), "std": torch.tensor([1.0, -2.0])}, torch.ones(2),
         "std is -2 at position 1, and between 0 and 1.79769e+308"),
        ("exponential.out", {"self": torch.ones(2), "lambd": 0.0}, torch.ones(2), "lambd is 0, and above 0"),
        ("geometric.out", {"self": torch.ones(2), "p": 1.0}, torch.ones(2), "p is 1, and between 0 and 1"),
        ("log_normal.out", {"self": torch.ones(2), "std": 0.0}, torch.ones(2), "std is 0, and above 0"),
        ("cauchy.out", {"self": torch.ones(2), "sigma": 0.0}, torch.ones(2), "sigma is 0, and above 0"),
        ("poisson.out", {"self": torch.tensor([1.0, math.inf])}, torch.ones(2),
         "the rate is inf at position 1, and between 0 and 1.79769e+308"),
        ("binomial.out", {"count": torch.ones(2), "prob": torch.tensor([0.0, math.nan])}, torch.ones(2),
         "prob is nan at position 1, and between 0 and 1"),
        ("bernoulli.float_out", {"self": torch.ones(2), "p": 1.5}, torch.ones(2), "p is 1.5, and between 0 and 1"),
        ("bernoulli.out", {"self": torch.tensor([0.0, -1.0])}, torch.ones(2),
         "p is -1 at position 1, and between 0 and 1"),
        ("bernoulli.out", {"self": torch.ones(2), "generator": 5}, torch.ones(2),
         "argument 1 is an int, but must be nothing"),
        ("_sample_dirichlet.out", {"self": torch.tensor(1.0)}, torch.tensor(1.0), "a number alone has no parts"),
        ("_standard_gamma.out", {"self": torch.zeros(1)}, torch.ones(1),
         "the shape is 0 at position 0, and between 2.22507e-308 and 1.79769e+308"),
        ("native_dropout.out", {"input": torch.ones(2), "p": 2.0, "train": True}, torch.ones(2),
         "p is 2, and between 0 and 1"),
        ("multinomial.out", {"self": torch.ones(2), "num_samples": 3}, torch.ones(3).long(), "3 of 2 are not drawn"),
        ("multinomial.out", {"self": torch.zeros(2), "num_samples": 1}, torch.ones(1).long(),
         "the weights of row 0 sum to 0"),
        ("multinomial.out", {"self": torch.tensor([1.0, -1.0]), "num_samples": 1}, torch.ones(1).long(),
         "a weight is -1 at position 1, and between 0 and 1.79769e+308"),
        ("multinomial.out", {"self": torch.ones(1, 2, 3), "num_samples": 1}, torch.ones(1).long(),
         "weights of shape [1, 2, 3] are no rows"),
    ],
)  # fmt: skip
def test_what_is_not_drawn_is_told_with_values(library, op, arguments, place, words):
    with pytest.raises(Refused) as told:
        run(library, Call(f"aten::{op}", arguments, ()), [Out(place, room=0)] * 2)
    assert str(told.value) == words
