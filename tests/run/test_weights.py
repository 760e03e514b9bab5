"""Weights from files and state dicts: read safely, and every fault named at once."""

import pickle

import pytest
import torch
from safetensors.torch import save_file

import tenon


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(4, 3)
        self.b = torch.nn.Linear(3, 2)
        self.tied = torch.nn.Linear(4, 3, bias=False)
        self.tied.weight = self.a.weight

    def forward(self, x):
        return self.b(self.a(x) + self.tied(x))


@pytest.fixture(scope="module")
def ir():
    return tenon.extract_ir(Net(), (torch.ones(1, 4),))


def fault(ir, weights):
    with pytest.raises(tenon.Invalid) as error:
        tenon.Executor(ir, weights)
    return str(error.value)


def test_missing_extra_wrongly_shaped_and_wrongly_typed_are_named_at_once(ir):
    weights = Net().state_dict()
    del weights["b.bias"]
    weights["c.weight"] = torch.ones(2)
    weights["b.weight"] = torch.ones(3, 3)
    weights["a.bias"] = torch.ones(3, dtype=torch.float16)
    assert fault(ir, weights).splitlines() == [
        "these weights do not fit Net: 4 faults.",
        "  dtype     a.bias: float16, and the graph has float32",
        "  shape     b.weight: [3, 3], and the graph has [2, 3]",
        "  missing   b.bias: float32[2]",
        "  extra     c.weight: float32[2]",
    ]


def test_no_weights_at_all_are_all_missing(ir):
    assert fault(ir, None).count("missing") == len(ir.weights)


def test_a_shared_weight_may_be_given_under_either_name_but_not_as_two(ir):
    weights, x = dict(Net().state_dict()), torch.ones(1, 4)
    expected = tenon.execute_ir(ir, x, weights)
    for name in ("a.weight", "tied.weight"):
        fewer = {key: value for key, value in weights.items() if key != name}
        assert torch.equal(tenon.execute_ir(ir, x, fewer), expected)
    weights["tied.weight"] = weights["tied.weight"] + 1
    assert "are one tensor in the model, but two different ones here" in fault(ir, weights)


def test_weights_on_the_meta_device_have_no_data(ir):
    weights = {name: tensor.to("meta") for name, tensor in Net().state_dict().items()}
    assert "no data   a.weight: it is on the meta device" in fault(ir, weights)


def test_a_pickle_that_runs_code_is_not_loaded(tmp_path):
    class Evil:
        def __reduce__(self):
            return (print, ("executed",))

    path = tmp_path / "evil.pt"
    path.write_bytes(pickle.dumps(Evil()))
    with pytest.raises(
        tenon.Invalid, match="evil.pt: cannot be read as weights only, and nothing else is loaded from it"
    ):
        tenon.load_weights(path)


def test_what_is_not_a_state_dict_is_told(tmp_path):
    torch.save({"model": Net().state_dict(), "epoch": 3}, tmp_path / "checkpoint.pt")
    with pytest.raises(
        tenon.Invalid, match=r"checkpoint.pt: model, epoch in it is not a tensor. Save model.state_dict\(\) alone."
    ):
        tenon.load_weights(tmp_path / "checkpoint.pt")
    torch.save([1, 2], tmp_path / "list.pt")
    with pytest.raises(tenon.Invalid, match=r"list.pt: holds a list, not a state dict. Save model.state_dict\(\)."):
        tenon.load_weights(tmp_path / "list.pt")


@pytest.mark.parametrize("name", ["rubbish.pt", "rubbish.safetensors"])
@pytest.mark.parametrize("content", [b"", b"rubbish", b'\x08\x00\x00\x00\x00\x00\x00\x00{"a":1}'])
def test_rubbish_is_told(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(tenon.Invalid, match=f"{name}: cannot be read as"):
        tenon.load_weights(tmp_path / name)


def test_truncated_files_are_told(tmp_path):
    torch.save(Net().state_dict(), tmp_path / "whole.pt")
    save_file({"a": torch.ones(100)}, tmp_path / "whole.safetensors")
    for suffix in ("pt", "safetensors"):
        whole = (tmp_path / f"whole.{suffix}").read_bytes()
        (tmp_path / f"half.{suffix}").write_bytes(whole[: len(whole) // 2])
        with pytest.raises(tenon.Invalid, match="cannot be read as"):
            tenon.load_weights(tmp_path / f"half.{suffix}")


def test_a_missing_or_foreign_file_is_told(tmp_path):
    with pytest.raises(tenon.Invalid, match="none.pt: there is no such file of weights."):
        tenon.load_weights(tmp_path / "none.pt")
    (tmp_path / "w.onnx").write_bytes(b"")
    with pytest.raises(tenon.Invalid, match="weights come as .pt, .pth, .bin or .safetensors, not as .onnx."):
        tenon.load_weights(tmp_path / "w.onnx")
