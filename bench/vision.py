"""Convolution nets that transformers lacks: MobileNetV3-small and SqueezeNet 1.1, after their papers."""

from typing import Any

import torch
from torch import nn


def convolved(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1, act: Any = None) -> list[Any]:
    """Convolution, batch norm and activation."""
    convolution = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
    return [convolution, nn.BatchNorm2d(outputs, eps=1e-3), *([act()] if act else [])]


def eighths(number: float) -> int:
    """The multiple of 8 next to a number, and not under nine tenths of it."""
    rounded = max(8, int(number + 4) // 8 * 8)
    return rounded + 8 if rounded < 0.9 * number else rounded


class SqueezeExcite(nn.Module):
    """Channels scaled by what two small layers make of their means."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        inner = eighths(channels / 4)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.squeeze, self.excite = nn.Conv2d(channels, inner, 1), nn.Conv2d(inner, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scale = nn.functional.relu(self.squeeze(self.pool(x)))
        return x * nn.functional.hardsigmoid(self.excite(scale))


class InvertedResidual(nn.Module):
    """Wider by a 1x1 convolution, depthwise, narrower again; added to what came in, where that fits."""

    def __init__(
        self, inputs: int, kernel: int, wide: int, outputs: int, excite: bool, hardswish: bool, stride: int
    ) -> None:
        super().__init__()
        act = nn.Hardswish if hardswish else nn.ReLU
        layers = convolved(inputs, wide, 1, act=act) if wide != inputs else []
        layers += convolved(wide, wide, kernel, stride, groups=wide, act=act)
        layers += [SqueezeExcite(wide)] if excite else []
        layers += convolved(wide, outputs, 1)
        self.block = nn.Sequential(*layers)
        self.added = stride == 1 and inputs == outputs

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.block(x)
        return x + found if self.added else found


# inputs, kernel, wide, outputs, squeeze and excite, hardswish, stride
_SMALL = (
    (16, 3, 16, 16, True, False, 2),
    (16, 3, 72, 24, False, False, 2),
    (24, 3, 88, 24, False, False, 1),
    (24, 5, 96, 40, True, True, 2),
    (40, 5, 240, 40, True, True, 1),
    (40, 5, 240, 40, True, True, 1),
    (40, 5, 120, 48, True, True, 1),
    (48, 5, 144, 48, True, True, 1),
    (48, 5, 288, 96, True, True, 2),
    (96, 5, 576, 96, True, True, 1),
    (96, 5, 576, 96, True, True, 1),
)


class MobileNetV3Small(nn.Module):
    def __init__(self, classes: int = 1000) -> None:
        super().__init__()
        blocks = [InvertedResidual(*row) for row in _SMALL]
        first, last = convolved(3, 16, 3, 2, act=nn.Hardswish), convolved(96, 576, 1, act=nn.Hardswish)
        self.features = nn.Sequential(*first, *blocks, *last)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Linear(576, 1024), nn.Hardswish(), nn.Linear(1024, classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.classifier(self.pool(self.features(x)).flatten(1))
        return found


class Fire(nn.Module):
    """Squeezed by a 1x1 convolution, expanded by a 1x1 and a 3x3 one side by side."""

    def __init__(self, inputs: int, squeezed: int, expanded: int) -> None:
        super().__init__()
        self.squeeze = nn.Conv2d(inputs, squeezed, 1)
        self.one = nn.Conv2d(squeezed, expanded, 1)
        self.three = nn.Conv2d(squeezed, expanded, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.squeeze(x))
        return torch.cat([torch.relu(self.one(x)), torch.relu(self.three(x))], 1)


class SqueezeNet(nn.Module):
    """Version 1.1: the pools come early."""

    def __init__(self, classes: int = 1000) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            *(nn.Conv2d(3, 64, 3, stride=2), nn.ReLU(), nn.MaxPool2d(3, 2, ceil_mode=True)),
            *(Fire(64, 16, 64), Fire(128, 16, 64), nn.MaxPool2d(3, 2, ceil_mode=True)),
            *(Fire(128, 32, 128), Fire(256, 32, 128), nn.MaxPool2d(3, 2, ceil_mode=True)),
            *(Fire(256, 48, 192), Fire(384, 48, 192), Fire(384, 64, 256), Fire(512, 64, 256)),
            *(nn.Conv2d(512, classes, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.layers(x)
        return found
