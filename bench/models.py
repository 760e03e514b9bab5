"""The models of the benchmark: well-known architectures with random weights, the same at every call. No downloads."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from bench.vision import MobileNetV3Small, SqueezeNet


@dataclass(frozen=True)
class Case:
    """A module that takes tensors and gives a tensor or a tuple of them, and its arguments.

    `stateless` is the same for systems without state: what was state comes in behind the arguments and goes out behind
    the results. Where weights have fewer than 32 `bits`, `full` is the model before it was quantised, and `stateless`
    is made of that: some systems quantise in a way of their own.
    """

    module: nn.Module
    args: tuple[torch.Tensor, ...]
    stateless: tuple[nn.Module, tuple[torch.Tensor, ...]] | None = None
    full: nn.Module | None = None
    bits: int = 32


class Only(nn.Module):
    """A model of transformers that takes one tensor and gives one: the field of its outputs that is named."""

    def __init__(self, model: nn.Module, takes: str, gives: str, **settings: Any) -> None:
        super().__init__()
        self.model, self.takes, self.gives, self.settings = model, takes, gives, settings

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = getattr(self.model(**{self.takes: x}, **self.settings), self.gives)
        return found


def mlp(batch: int = 1, width: int = 1024) -> Case:
    layers = (nn.Linear(256, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 10))
    return Case(nn.Sequential(*layers), (torch.randn(batch, 256),))


def _image(model: nn.Module, batch: int, size: int) -> Case:
    return Case(_lively(model), (torch.randn(batch, 3, size, size),))


def _lively(model: nn.Module) -> nn.Module:
    """With fresh weights a deep network's outputs vanish, and a fresh batch norm does nothing."""
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_in")
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.weight, 0.5, 1.0)
            nn.init.normal_(module.bias, std=0.1)
            assert module.running_mean is not None and module.running_var is not None
            nn.init.normal_(module.running_mean, std=0.1)
            nn.init.uniform_(module.running_var, 0.5, 1.5)
    return model


def mobilenet_v2(batch: int = 1, size: int = 224) -> Case:
    import transformers

    config = transformers.MobileNetV2Config(image_size=size)
    config.num_labels = 1000
    model = transformers.MobileNetV2ForImageClassification(config)
    return _image(Only(model, "pixel_values", "logits"), batch, size)


def mobilenet_v3_small(batch: int = 1, size: int = 224) -> Case:
    return _image(MobileNetV3Small(), batch, size)


def squeezenet(batch: int = 1, size: int = 224) -> Case:
    return _image(SqueezeNet(), batch, size)


def resnet18(batch: int = 1, size: int = 224) -> Case:
    import transformers

    config = transformers.ResNetConfig(
        embedding_size=64, hidden_sizes=[64, 128, 256, 512], depths=[2, 2, 2, 2], layer_type="basic"
    )
    config.num_labels = 1000
    return _image(Only(transformers.ResNetForImageClassification(config), "pixel_values", "logits"), batch, size)


def bert(batch: int = 1, length: int = 64, width: int = 256, layers: int = 4) -> Case:
    import transformers

    config = transformers.BertConfig(
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=max(1, width // 64),
        intermediate_size=4 * width,
        max_position_embeddings=max(512, length),
    )
    model = Only(transformers.BertModel(config), "input_ids", "last_hidden_state")
    return Case(model, (torch.randint(0, config.vocab_size, (batch, length)),))


def vit(batch: int = 1, width: int = 192, layers: int = 6, size: int = 224) -> Case:
    import transformers

    config = transformers.ViTConfig(
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=max(1, width // 64),
        intermediate_size=4 * width,
        image_size=size,
        patch_size=16,
    )
    model = Only(transformers.ViTModel(config), "pixel_values", "last_hidden_state")
    return Case(model, (torch.randn(batch, 3, size, size),))


def gpt2(batch: int = 1, length: int = 64, width: int = 256, layers: int = 4) -> Case:
    """A prompt read: the logits of what comes next."""
    import transformers

    config = transformers.GPT2Config(
        n_embd=width, n_layer=layers, n_head=max(1, width // 64), n_positions=max(512, length), use_cache=False
    )
    model = Only(transformers.GPT2LMHeadModel(config), "input_ids", "logits", logits_to_keep=1)
    return Case(model, (torch.randint(0, config.vocab_size, (batch, length)),))


MODELS: dict[str, str] = {
    "mlp": "MLP 256-1024-1024-10",
    "mobilenet_v2": "MobileNetV2",
    "mobilenet_v3_small": "MobileNetV3-small",
    "squeezenet": "SqueezeNet 1.1",
    "resnet18": "ResNet-18",
    "bert": "BERT 4 layers, 256 wide",
    "vit": "ViT 6 layers, 192 wide",
    "gpt2": "GPT-2 4 layers, prefill",
    "language:llama": "Llama 100M, one token",
}


def make(spec: str) -> Case:
    """`bert`, `bert,length=128,width=512` or, from another file of the benchmark, `language:llama,layers=2`.

    In inference mode, the same at every call.
    """
    name, *settings = spec.split(",")
    file, _, function = name.rpartition(":")
    factory: Callable[..., Case] = getattr(importlib.import_module(f"bench.{file or 'models'}"), function)
    given: dict[str, Any] = {key: int(value) for key, value in (each.split("=") for each in settings)}
    torch.manual_seed(0)
    case = factory(**given)
    for module in (case.module, case.full, *(case.stateless or ())[:1]):
        if module is not None:
            module.eval().requires_grad_(False)
    return case
