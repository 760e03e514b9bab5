"""`python -m bench`: the table of models. With --quick: few rounds, the two fastest peers, printed and not kept."""

import argparse
import time

from bench.machine import machine
from bench.measure import measured
from bench.models import MODELS
from bench.report import keep, latencies, not_run
from bench.systems import CORES, PEERS, SYSTEMS

QUICK = ("tenon", "xnnpack", "onnxruntime")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--models", nargs="*", default=list(MODELS), help=", ".join(MODELS))
    parser.add_argument("--systems", nargs="*", choices=list(SYSTEMS))
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2] if CORES > 1 else [1])
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float, help="of a round")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    start = time.perf_counter()
    systems = options.systems or (QUICK if options.quick else ("tenon", *PEERS))
    rounds, seconds = options.rounds or (5 if options.quick else 15), options.seconds or (0.1 if options.quick else 0.3)
    rows = measured(options.models, systems, options.threads, rounds=rounds, seconds=seconds, together=options.quick)
    for threads in options.threads:
        print(f"\n{threads} thread{'s' if threads > 1 else ''}\n\n{latencies(rows, threads)}")
    print(not_run(rows))
    if options.quick:
        left = [SYSTEMS[name].label for name in PEERS if name not in systems]
        left += [name for name in MODELS if name not in options.models]
        print(f"Left out: {', '.join(left)}; kernels, scaling, overhead, the limit of the language model, plots.")
        print(f"{time.perf_counter() - start:.0f} s; `make bench` measures it all and writes docs/benchmarks/.")
    else:
        keep("models", {"rows": [row.plain() for row in rows], "machine": machine()})


if __name__ == "__main__":
    main()
