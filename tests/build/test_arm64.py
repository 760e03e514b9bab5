"""Fast programs on arm64, where kernels are compiled for NEON: cross-compiled, and run by an emulator."""

import shutil
import subprocess

import numpy
import pytest
import torch

import tenon
from bench.passes import case_of
from tenon.build.drive.build import BuildRequest, build

CXX, EMULATOR = "aarch64-linux-gnu-g++", "qemu-aarch64"
TINY = "language:llama,layers=1,width=192,room=16,position=5"
SPECS = [
    *("mobilenet_v3_small,size=64", "squeezenet,size=64", "resnet18,size=64", "bert,layers=1", "vit,layers=1,size=64"),
    *(TINY, f"{TINY},bits=8", f"{TINY},bits=4", "int8 mobilenet_v2,size=64"),
]

pytestmark = pytest.mark.skipif(
    not (shutil.which(CXX) and shutil.which(EMULATOR)),
    reason=f"{CXX} or {EMULATOR} is not there (Debian: g++-aarch64-linux-gnu, qemu-user)",
)


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    """Models by name: the file of their program, and what it is run on."""
    folder, found = tmp_path_factory.mktemp("programs"), {}
    for number, spec in enumerate(SPECS):
        case = case_of(spec)
        path = folder / f"model{number}.pte"
        tenon.export(case.module, case.args, optimize=True).save(path)
        found[spec] = path, case.args
    return found


@pytest.fixture(scope="module")
def runner(cases, tmp_path_factory, pytestconfig):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENON_CACHE", str(pytestconfig.cache.mkdir("native-builds")))
        models = tuple(path for path, _ in cases.values())
        return build(BuildRequest(tmp_path_factory.mktemp("made") / "out", models, optimize="speed", cxx=CXX)).runner


@pytest.mark.parametrize("spec", SPECS)
def test_a_fast_program_gives_on_arm64_what_it_gives_here(spec, cases, runner, tmp_path):
    path, args = cases[spec]
    words = []
    for number, arg in enumerate(args):
        numpy.save(tmp_path / f"{number}.npy", arg.numpy())
        words += ["--input", tmp_path / f"{number}.npy"]
    command = [EMULATOR, "-L", "/usr/aarch64-linux-gnu", runner, path, *words, "--output", tmp_path]
    subprocess.run(command, check=True, capture_output=True)
    found = torch.from_numpy(numpy.load(tmp_path / "output_0.npy"))
    here = tenon.load(path)(*args)
    here = here if torch.is_tensor(here) else here[0]
    if spec.startswith("int8"):
        assert torch.equal(found, here)  # sums of whole numbers are exact everywhere
    else:
        torch.testing.assert_close(found, here, rtol=0, atol=1e-5 * here.abs().max().item())
