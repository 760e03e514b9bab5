"""The whole way in a second or two: capture, verify, save, load, run, compare."""

import torch

import tenon


class Tiny(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.linear(x))


def test_a_model_goes_from_capture_to_the_same_numbers(tmp_path):
    model, x = Tiny(), torch.randn(2, 4)
    ir = tenon.capture(model, (x,))
    ir.save(tmp_path / "tiny.json")
    again = tenon.load_ir(tmp_path / "tiny.json")
    assert again == ir
    assert tenon.verify(again, dialect="aten") is again
    torch.testing.assert_close(tenon.execute_ir(again, (x,), model.state_dict()), model(x))
