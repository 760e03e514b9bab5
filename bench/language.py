"""Tokens per second of a language model with its keys and values as state, beside what the memory's speed allows."""

import argparse
from copy import deepcopy
from typing import Any

import torch
from torch import nn

from bench.models import Case
from bench.narrow_weights import GROUP, weights_only


class Cache:
    """What the attention of transformers asks of a cache: rows put where they belong, all rows back."""

    def __init__(self, tensors: list[torch.Tensor], position: torch.Tensor, in_place: bool) -> None:
        self.tensors, self.position, self.in_place = tensors, position, in_place

    def update(self, key: torch.Tensor, value: torch.Tensor, layer: int, *_: Any, **__: Any) -> tuple[Any, Any]:
        return self._put(2 * layer, key), self._put(2 * layer + 1, value)

    def _put(self, number: int, rows: torch.Tensor) -> torch.Tensor:
        cache = self.tensors[number]
        put = cache.index_copy_ if self.in_place else cache.index_copy
        self.tensors[number] = put(2, self.position, rows)
        return self.tensors[number]


class Step(nn.Module):
    """One token more: its logits, and the caches after it."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, token: torch.Tensor, position: torch.Tensor, *caches: torch.Tensor) -> tuple[torch.Tensor, ...]:
        cache = Cache(list(caches), position, in_place=False)
        return self.logits(token, position, cache), *cache.tensors

    def logits(self, token: torch.Tensor, position: torch.Tensor, cache: Cache) -> torch.Tensor:
        inner = self.model.model
        x = inner.embed_tokens(token)
        turned = inner.rotary_emb(x, position_ids=position[None])
        seen = torch.arange(cache.tensors[0].shape[2])[None, None, None] <= position
        for layer in inner.layers:
            x = layer(x, attention_mask=seen, position_embeddings=turned, past_key_values=cache)
        found: torch.Tensor = self.model.lm_head(inner.norm(x[:, -1]))
        return found


class Decoder(nn.Module):
    """The same with the caches as buffers that every call writes to."""

    def __init__(self, step: Step, caches: tuple[torch.Tensor, ...]) -> None:
        super().__init__()
        self.step = step
        self.names = [f"{('key', 'value')[number % 2]}_{number // 2}" for number in range(len(caches))]
        for name, cache in zip(self.names, caches, strict=True):
            self.register_buffer(name, cache.clone())

    def forward(self, token: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
        caches = [getattr(self, name) for name in self.names]
        return self.step.logits(token, position, Cache(caches, position, in_place=True))


def llama(
    batch: int = 1, width: int = 768, layers: int = 12, room: int = 256, position: int = 128, bits: int = 32
) -> Case:
    """100 million parameters as it stands: 12 heads that share 4 of keys and values, embeddings used twice.

    With fewer bits all linear layers are quantised, the last one too, which is then the embedding's no more.
    """
    import transformers

    config = transformers.LlamaConfig(
        vocab_size=32000,
        hidden_size=width,
        intermediate_size=width * 8 // 3,
        num_hidden_layers=layers,
        num_attention_heads=width // 64,
        num_key_value_heads=max(1, width // 192),
        max_position_embeddings=room,
        tie_word_embeddings=True,
    )
    step = Step(transformers.LlamaForCausalLM(config))
    shape = (batch, max(1, width // 192), room, 64)
    caches = tuple(torch.zeros(shape) for _ in range(2 * layers))  # ExecuTorch's programs hold no other state
    args = (torch.randint(0, 32000, (batch, 1)), torch.tensor([position]))
    full = Decoder(step, caches).requires_grad_(False)
    stateless = (step, (*args, *caches))
    if bits == 32:
        return Case(full, args, stateless)
    return Case(weights_only(deepcopy(full), bits), args, stateless, full, bits)


def bytes_per_token(case: Case) -> int:
    """The weights that one token reads: all, and of the embedding one row, except that it is the last layer too."""
    total = 0
    for module in (case.full or case.module).modules():
        if isinstance(module, nn.Linear):
            outputs, inputs = module.weight.shape
            scales = {32: 0, 8: outputs, 4: outputs * inputs // GROUP}[case.bits]
            total += outputs * inputs * case.bits // 8 + 4 * scales
        elif not isinstance(module, nn.Embedding):
            total += sum(weight.nbytes for weight in module.parameters(recurse=False))
    return total


SPECS = {"language:llama": "float32", "language:llama,bits=8": "int8", "language:llama,bits=4": "int4"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--systems", nargs="*", default=None)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--models", nargs="*", default=list(SPECS))
    options = parser.parse_args()
    from bench.machine import machine
    from bench.measure import measured
    from bench.report import keep
    from bench.systems import PEERS

    systems = [*(options.systems or ["tenon", *PEERS]), "memory"]
    rows = measured(options.models, systems, options.threads, rounds=options.rounds)
    found = {"rows": [row.plain() for row in rows], "names": SPECS, "machine": machine()}
    keep("language", found)


if __name__ == "__main__":
    main()
