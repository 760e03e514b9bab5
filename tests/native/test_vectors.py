"""Fast kernels on shorter vectors than this processor has: what a smaller one would run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FAST = "test_op and f32 and (tenon:: or softmax or layer_norm or gelu or mm)"


@pytest.fixture(scope="module")
def shorter(tmp_path_factory):
    path = tmp_path_factory.mktemp("vectors") / "vectors.so"
    subprocess.run(["g++", "-shared", "-fPIC", ROOT / "tests" / "native" / "vectors.cpp", "-o", path], check=True)
    return path


@pytest.mark.parametrize("size", [16, 32, 64])
def test_fast_kernels_on_vectors_of_a_size(size, shorter):
    lines = Path("/proc/cpuinfo").read_text()
    if any(needed not in lines for needed in {16: (), 32: ("avx2", "fma"), 64: ("avx512vl",)}[size]):
        pytest.skip(f"this processor has no vectors of {size} bytes")
    environment = os.environ | {"LD_PRELOAD": str(shorter), "TENON_VECTOR_BYTES": str(size)}
    command = [sys.executable, "-m", "pytest", "tests/native/test_kernels.py", "-q", "-p", "no:xdist", "-k", FAST]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
