"""The model suite: well-known architectures in small configurations with random weights. Nothing is downloaded."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
import transformers
from torch.export import Dim


@dataclass(frozen=True)
class Case:
    """A model with an example of its inputs; `shapes` marks the dimensions that may vary."""

    model: torch.nn.Module
    kwargs: dict[str, torch.Tensor]
    shapes: dict[str, Any] = field(default_factory=dict)
    resized: Callable[[int, int], dict[str, torch.Tensor]] | None = None  # inputs of another batch and length


def tokens(batch: int, length: int, vocabulary: int = 99) -> torch.Tensor:
    return torch.randint(0, vocabulary, (batch, length), generator=torch.Generator().manual_seed(batch * 1000 + length))


def _text(model: torch.nn.Module) -> Case:
    def inputs(batch: int, length: int) -> dict[str, torch.Tensor]:
        return {
            "input_ids": tokens(batch, length),
            "attention_mask": torch.ones(batch, length, dtype=torch.int64),
        }

    sizes = {0: Dim("batch", min=1, max=8), 1: Dim("length", min=2, max=32)}
    return Case(model, inputs(2, 12), {"input_ids": sizes, "attention_mask": sizes}, inputs)


def bert() -> Case:
    config = transformers.BertConfig(
        vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64
    )
    return _text(transformers.BertModel(config))


def gpt2() -> Case:
    config = transformers.GPT2Config(vocab_size=99, n_embd=32, n_layer=2, n_head=4, n_positions=64, use_cache=False)
    return _text(transformers.GPT2LMHeadModel(config))


def llama() -> Case:
    config = transformers.LlamaConfig(
        vocab_size=99,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        use_cache=False,
    )
    return _text(transformers.LlamaForCausalLM(config))


def _image(model: torch.nn.Module, size: int) -> Case:
    for module in model.modules():  # the default weights are so small that a deep network's outputs vanish
        if isinstance(module, torch.nn.Conv2d):
            torch.nn.init.kaiming_normal_(module.weight, mode="fan_in")
    return Case(model, {"pixel_values": torch.randn(2, 3, size, size)})


def vit() -> Case:
    config = transformers.ViTConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        image_size=32,
        patch_size=8,
    )
    return _image(transformers.ViTModel(config), 32)


def resnet() -> Case:
    config = transformers.ResNetConfig(embedding_size=16, hidden_sizes=[16, 32], depths=[1, 1], layer_type="basic")
    return _image(transformers.ResNetForImageClassification(config), 32)


def mobilenet_v2() -> Case:
    config = transformers.MobileNetV2Config(image_size=64, depth_multiplier=0.35)
    return _image(transformers.MobileNetV2ForImageClassification(config), 64)


def whisper() -> Case:
    config = transformers.WhisperConfig(
        vocab_size=99,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        num_mel_bins=16,
        max_source_positions=30,
        max_target_positions=40,
        use_cache=False,
        pad_token_id=0,
        decoder_start_token_id=1,
    )
    return Case(
        transformers.WhisperModel(config),
        {"input_features": torch.randn(2, 16, 60), "decoder_input_ids": tokens(2, 7)},
    )


def t5() -> Case:
    config = transformers.T5Config(
        vocab_size=99, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, use_cache=False, decoder_start_token_id=0
    )
    return Case(
        transformers.T5ForConditionalGeneration(config), {"input_ids": tokens(2, 12), "decoder_input_ids": tokens(2, 7)}
    )


SUITE: dict[str, Callable[[], Case]] = {
    function.__name__: function for function in (bert, gpt2, llama, vit, resnet, mobilenet_v2, whisper, t5)
}


def make(name: str) -> Case:
    """The case of that name, in inference mode, the same at every call."""
    torch.manual_seed(0)
    case = SUITE[name]()
    case.model.eval()
    return case
