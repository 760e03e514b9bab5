"""Tenon beside its peers: what `make bench` runs for `docs/benchmarks/`.

models, kernels, language, overhead, scaling  what is measured
systems, child, measure                       by whom, in a process of its own, in interleaved rounds
machine, report                               on what, and how it is told
"""
