"""The machine that is measured on: its processor, its caches, what it can compute and read per second, and versions."""

import os
import platform
import shutil
import subprocess
import tempfile
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

_PACKAGES = ("tenon-torch", "torch", "executorch", "onnxruntime", "onnx", "onnxscript", "transformers", "numpy")


@cache
def machine() -> dict[str, Any]:
    """Facts by name. `peak` and `read` are GFLOP/s and GB/s by count of threads, None where nothing could compile."""
    peaks = {threads: measured_peak(threads) for threads in (1, 2)}
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "caches": _caches(),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        "versions": {name: _version(name) for name in _PACKAGES},
        "peak": {str(threads): found[0] if found else None for threads, found in peaks.items()},
        "read": {str(threads): found[1] if found else None for threads, found in peaks.items()},
    }


def measured_peak(threads: int) -> tuple[float, float] | None:
    """GFLOP/s of float32 multiply-adds, and GB/s read from memory, by a loop in C++."""
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "peak"
        compiled(compiler, program)
        done = subprocess.run([program, str(threads)], check=True, capture_output=True, text=True)
    flops, read = map(float, done.stdout.split())
    return flops, read


def compiled(compiler: str, path: Path, *flags: str) -> None:
    """peak.cpp, as a program or what flags say."""
    source = Path(__file__).with_name("peak.cpp")
    subprocess.run([compiler, "-O3", "-march=native", "-std=c++17", "-pthread", *flags, source, "-o", path], check=True)


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip() + ", " + _vectors()
    return platform.processor() or platform.machine()


def _vectors() -> str:
    flags = set(Path("/proc/cpuinfo").read_text().split())
    return next((name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags), "baseline")


def _caches() -> str:
    found = []
    for each in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = ((each / name).read_text().strip() for name in ("level", "type", "size"))
        if kind != "Instruction":
            found.append(f"L{level} {size}")
    return ", ".join(found) or "unknown"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
