"""Results whose size depends on data have an upper bound, also where torch tells none or one that is too small."""

import pytest
import torch

import tenon


class Pick(torch.nn.Module):
    def forward(self, x, mask):
        return torch.masked_select(x, mask)


class Distinct(torch.nn.Module):
    def forward(self, x):
        return torch.unique(x)


@pytest.mark.parametrize(
    ("model", "inputs", "most"),
    [
        (Pick(), (torch.ones(1), torch.tensor([True])), 1),
        (Pick(), (torch.arange(3.0), torch.ones(4, 1, dtype=torch.bool)), 12),
        (Pick(), (torch.arange(12.0).view(4, 3), torch.tensor([True, False, True])), 12),
        (Distinct(), (torch.tensor([[3, 1], [1, 2]]),), 4),
    ],
)
def test_what_is_picked_is_at_most_what_there_is_to_pick_from(model, inputs, most, tmp_path):
    graph = tenon.capture(model, inputs)
    assert max(symbol.high for symbol in graph.symbols) == most
    tenon.export(model, inputs).save(tmp_path / "pick.pte")
    torch.testing.assert_close(tenon.load(tmp_path / "pick.pte")(*inputs), model(*inputs))
