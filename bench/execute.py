"""What running a graph costs beside eager PyTorch: a 12-layer transformer, rounds interleaved, medians and ratios."""

import argparse
import statistics
import time
import warnings
from collections.abc import Callable

import torch
import transformers

import tenon

warnings.filterwarnings("ignore", category=FutureWarning)


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--width", type=int, default=768)
    parser.add_argument("--length", type=int, default=128)
    options = parser.parse_args()
    torch.manual_seed(0)
    config = transformers.BertConfig(
        num_hidden_layers=12, hidden_size=options.width, intermediate_size=4 * options.width, num_attention_heads=12
    )
    model = transformers.BertModel(config).eval()
    inputs = {"input_ids": torch.randint(0, config.vocab_size, (1, options.length))}
    weights = model.state_dict()
    captured = tenon.Executor(tenon.extract_ir(model, (), inputs), weights)
    aten = tenon.Executor(tenon.capture(model, (), inputs), weights)

    def eager() -> object:
        with torch.no_grad():
            return model(**inputs)

    ways: dict[str, Callable[[], object]] = {
        "eager": eager,
        "IR as captured": lambda: captured(**inputs),
        "IR in the ATen dialect": lambda: aten(**inputs),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(3):
        for call in ways.values():
            call()
    for _ in range(options.rounds):
        for name, call in ways.items():
            times[name].append(timed(call))
    base = statistics.median(times["eager"])
    print(f"BERT, 12 layers, {options.width} wide, {options.length} tokens, {torch.get_num_threads()} threads")
    for name, samples in times.items():
        low, middle, high = statistics.quantiles(samples, n=4)
        print(f"{name:24} {middle * 1e3:8.2f} ms  ({low * 1e3:.2f} to {high * 1e3:.2f})  {middle / base:.3f} x eager")


if __name__ == "__main__":
    main()
