"""A 7-billion-parameter Llama extracted on the meta device: time and peak memory, in a process of its own."""

import resource
import time
import warnings

import torch
import transformers

import tenon

warnings.filterwarnings("ignore", category=FutureWarning)


def main() -> None:
    config = transformers.LlamaConfig(use_cache=False)  # the defaults are Llama-2 7B
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(config).eval()
        inputs = {"input_ids": torch.zeros(1, 16, dtype=torch.int64)}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    graph = tenon.extract_ir(model, (), inputs)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    parameters = sum(weight.type.numel for weight in graph.weights if weight.kind == "parameter")
    print(f"Llama, {parameters / 1e9:.2f} billion parameters, {len(graph.nodes)} nodes")
    print(f"extracted in {seconds:.1f} s; peak memory {peak / 2**10:.0f} MiB, of which {before / 2**10:.0f} MiB before")


if __name__ == "__main__":
    main()
