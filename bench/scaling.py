"""Whether cost grows as the work does: batches of 1 to 32, sequences of 16 to 1024, widths of 64 to 4096."""

import argparse

BATCHES, LENGTHS, WIDTHS = (tuple(2**power for power in range(*ends)) for ends in ((0, 6), (4, 11), (6, 13)))
SERIES = {
    "batch of MobileNetV3-small": ("mobilenet_v3_small,batch", BATCHES),
    "batch of the MLP": ("mlp,batch", BATCHES),
    "tokens of BERT": ("bert,length", LENGTHS),
    "width of the MLP": ("mlp,width", WIDTHS),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--systems", nargs="*", default=["tenon", "xnnpack", "onnxruntime"])
    parser.add_argument("--threads", type=int, nargs="*", default=[1])
    parser.add_argument("--only", default="", help="series with this in their name")
    options = parser.parse_args()
    from bench.machine import machine
    from bench.measure import measured
    from bench.report import keep

    series = {name: each for name, each in SERIES.items() if options.only in name}
    specs = [f"{spec}={size}" for spec, sizes in series.values() for size in sizes]
    rows = measured(specs, options.systems, options.threads, rounds=options.rounds, seconds=0.2)
    keep("scaling", {"rows": [row.plain() for row in rows], "series": series, "machine": machine()})


if __name__ == "__main__":
    main()
