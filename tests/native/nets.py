"""Small models, for programs whose kernels the driver has."""

import torch


class Plain(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("by", torch.arange(6.0).reshape(2, 3))

    def forward(self, x, y):
        return torch.relu(x + y * self.by) - 0.5, x


class Views(torch.nn.Module):
    def forward(self, x):
        flat = torch.relu(x).view(-1)
        return (flat + flat).view(x.shape[0], 2, 2) * 2, x.shape[0] * 3 - 1


class Sum(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.full((2, 3), 7.0))

    def forward(self, x):
        self.total.add_(x)
        return self.total * 2


class Branch(torch.nn.Module):
    def forward(self, p, x):
        return torch.cond(p, lambda x: x + x, lambda x: x * x, (x,))
