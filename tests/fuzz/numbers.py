"""Shapes and the numbers in tensors: small and ordinary for the most part, and now and then what breaks things."""

import math
from collections.abc import Sequence
from random import Random

import torch

WHOLES = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
DTYPES = (*WHOLES, *FLOATS, torch.bool)
MOST, MOST_OF_SOME = 4096, 16_000  # elements of a tensor that is drawn

_SIZES = (0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8)
_LARGE = (9, 16, 17, 31, 32, 33, 64, 65, 100, 257, 1024, 2049)
_EDGES = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 1e-8, -1e-30, 50.0, -88.0, 0.999)
_SCALES = (1.0, 1.0, 1.0, 4.0, 0.1, 30.0)


class Source:
    """One stream of choices: the same seed gives the same."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.bulk = torch.Generator().manual_seed(seed)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, options: Sequence):
        return options[int(self.random.random() * len(options))]

    def whole(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def dtype(self) -> torch.dtype:
        return torch.float32 if self.chance(0.3) else self.pick(DTYPES)

    def size(self) -> int:
        return self.pick(_LARGE) if self.chance(0.06) else self.pick(_SIZES) or int(self.chance(0.7))

    def shape(self, rank: int | None = None) -> tuple[int, ...]:
        rank = self.pick((0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5)) if rank is None else rank
        sizes = [self.size() for _ in range(rank)]
        while math.prod(sizes) > (MOST_OF_SOME if sizes and sizes[0] % 5 == 2 else MOST):
            sizes[sizes.index(max(sizes))] = self.whole(1, 4)
        return tuple(sizes)

    def part_of(self, shape: Sequence[int]) -> tuple[int, ...]:
        """A shape that goes with this one where dimensions of size 1 stand for any."""
        kept = list(shape[self.whole(0, len(shape)) :]) if self.chance(0.3) else list(shape)
        return tuple(1 if self.chance(0.2) else size for size in kept)

    def tensor(self, shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
        """Any numbers of a dtype."""
        if dtype == torch.bool:
            return torch.rand(shape, generator=self.bulk) < self.pick((0.5, 0.5, 0.1, 0.95))
        if dtype.is_complex:
            return torch.randn(shape, generator=self.bulk, dtype=dtype) * self.pick(_SCALES)
        return self._floats(shape, dtype) if dtype.is_floating_point else self._wholes(shape, dtype)

    def within(self, shape: Sequence[int], low: int, high: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
        """Whole numbers from low to below high."""
        return torch.randint(low, max(high, low + 1), tuple(shape), generator=self.bulk, dtype=torch.int64).to(dtype)

    def _floats(self, shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
        made = torch.randn(shape, generator=self.bulk) * self.pick(_SCALES)
        if self.chance(0.15):
            made = made.round()  # ties, and equal elements
        made = made.to(dtype)
        if self.chance(0.2) and made.numel():
            info = torch.finfo(dtype)
            edges = [*_EDGES, info.max, info.min, info.tiny, info.eps, -info.smallest_normal]
            self._sprinkle(made, edges)
        return made

    def _wholes(self, shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
        info = torch.iinfo(dtype)
        if self.chance(0.15):
            made = torch.randint(max(info.min, -(2**62)), min(info.max, 2**62), shape, generator=self.bulk).to(dtype)
            self._sprinkle(made, [info.min, info.max, 0, 1, max(info.min, -1)])
            return made
        low = 0 if dtype == torch.uint8 else self.pick((-8, -3, 0, 1))
        return torch.randint(low, self.pick((2, 5, 11, 100)), shape, generator=self.bulk).to(dtype)

    def _sprinkle(self, tensor: torch.Tensor, edges: Sequence[float]) -> None:
        flat = tensor.view(-1)
        for _ in range(self.whole(1, 6) if flat.numel() else 0):
            flat[self.whole(0, flat.numel() - 1)] = self.pick(edges)
