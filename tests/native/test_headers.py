"""The headers for kernels, the registry, and what the runtime is made of."""

import re
from pathlib import Path

import pytest
import torch

from native.driver import (
    NATIVE,
    ROOT,
    SANITIZED,
    SOURCES,
    STRICT,
    call,
    one_call,
    saved,
)
from tenon.ir.types import DTYPES
from tenon.ops.values import DTYPE_OF, TORCH_DTYPE
from tenon.pte.schema import (
    Int,
)

HERE = Path(__file__).parent


# --- what it is made of ---------------------------------------------------------------------------------------------


def test_dtypes_of_the_headers_are_those_of_python():
    rows = re.findall(r'X\((\d+), (\w+), .*?, "(\w+)"\)', (NATIVE / "include" / "tenon" / "dtype.h").read_text())
    assert [(int(code), name) for code, _, name in rows] == sorted(
        (d.code, d.name) for d in DTYPES if d.code is not None
    )


def test_promotion_and_half_floats_are_those_of_torch(objects, tmp_path):
    call("g++", "-std=c++17", "-O1", f"-I{NATIVE / 'include'}", HERE / "dtypes.cpp", "-o", tmp_path / "dtypes")
    lines = call(tmp_path / "dtypes").splitlines()
    promoted = list(map(int, lines[0].split()))
    by_code = {d.code: TORCH_DTYPE[d] for d in DTYPES if d.code is not None}
    numbers = [code for code, dtype in by_code.items() if code not in range(12, 27) or code == 15]
    for a in numbers:
        for b in numbers:
            try:
                expected = DTYPE_OF[torch.promote_types(by_code[a], by_code[b])].code
            except RuntimeError:
                expected = 30
            assert promoted[30 * a + b] == expected, (by_code[a], by_code[b])
    patterns = torch.arange(65536, dtype=torch.int32).to(torch.uint16)
    wide = torch.stack([patterns.view(torch.float16).float(), patterns.view(torch.bfloat16).float()], 1)
    ours = torch.tensor([[int(word, 16) for word in line.split()] for line in lines[1:65537]])
    mine = ours[:, :2].to(torch.uint32).view(torch.float32)
    torch.testing.assert_close(mine, wide, rtol=0, atol=0, equal_nan=True)
    finite = ~wide.isnan()
    assert torch.equal(ours[:, 2:][finite], patterns.to(torch.int64)[:, None].expand(-1, 2)[finite])
    floats = (torch.arange(65536, dtype=torch.int64) * 65537 + 12345).to(torch.uint32).view(torch.float32)
    kept = ~floats.isnan()
    cut = torch.tensor([[int(word, 16) for word in line.split()] for line in lines[65537:]])
    for column, dtype in ((0, torch.float16), (1, torch.bfloat16)):
        assert torch.equal(cut[:, column][kept], floats.to(dtype).view(torch.uint16).to(torch.int64)[kept])


def test_the_registry_finds_refuses_and_goes_by_precedence(objects, tmp_path):
    call(
        "g++",
        "-std=c++17",
        *SANITIZED,
        f"-I{NATIVE / 'include'}",
        HERE / "registry.cpp",
        *objects,
        "-o",
        tmp_path / "registry",
    )
    assert call(tmp_path / "registry").splitlines() == [
        "Ok",
        "two one",
        "one none none",
        "RegistrationAlreadyRegistered a::x.out has a kernel in the library first, and another in second. "
        "Leave one out, or give one library a higher precedence.",
        "InvalidArgument the library third says that its kernels are in order, and b::z is not. "
        "Sort them by name, or do not say so.",
        "Ok",
        "three three",
        "two none",
        "1 1",
        "Ok",
        "RegistrationAlreadyRegistered",
        "1 v1/27;0,2,3,1|6;",
    ]


def test_the_runtime_runs_nothing_at_start_and_allocates_nothing(tmp_path):
    for source in SOURCES:
        call("g++", *STRICT, "-Os", f"-I{NATIVE / 'include'}", "-c", source, "-o", tmp_path / f"{source.stem}.o")
    made = sorted(tmp_path.glob("*.o"))
    assert "_GLOBAL__sub_I" not in call("nm", *made)
    needed = {line.split()[-1] for line in call("nm", "-u", *made).splitlines() if " U " in line}
    assert not {
        name
        for name in needed
        if name in ("malloc", "free", "calloc", "realloc") or name.startswith(("_Zn", "_Zd", "__cxa"))
    }


SMALL = "-Os -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -Wl,--gc-sections -s".split()
LINKED = ["-Wl,-z,noseparate-code,-z,norelro"]  # sections are not padded to pages


@pytest.mark.parametrize("words, largest", [(0, 40 * 1024), (1, 54 * 1024)])
def test_the_smallest_program_is_small(tmp_path, words, largest):
    """A whole program that loads and runs, with the prim operators: with codes only, and with all sentences."""
    made = tmp_path / "smallest"
    call("g++", *STRICT, f"-I{NATIVE / 'include'}", *SMALL, *LINKED, f"-DTENON_WORDS={words}",
         ROOT / "tests" / "native" / "smallest.cpp", *SOURCES, "-o", made)  # fmt: skip
    values = [Int(2), Int(3), Int(0)]
    path = saved(one_call("executorch_prim::add.Scalar", values, [0, 1, 2], banks=[0], outputs=[2]), tmp_path)
    assert call(made, path) == "ok\n"
    assert made.stat().st_size <= largest


# --- sources of others ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [0, 1])
def test_a_kernel_in_the_words_of_executorch_compiles_and_runs(tmp_path, words):
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fno-exceptions", "-fno-rtti", f"-DTENON_WORDS={words}"]
    core = sorted((NATIVE / "core").glob("*.cpp"))
    call("g++", *flags, *SANITIZED, f"-I{NATIVE / 'include'}", HERE / "surface.cpp", *core, "-o", tmp_path / "surface")
    call(tmp_path / "surface")


def test_every_header_stands_alone(tmp_path):
    needing_torch = {"aten.h", "make_aten_functor_from_et_functor.h"}
    headers = [path for path in sorted((NATIVE / "include").rglob("*.h")) if path.name not in needing_torch]
    assert len(headers) > 40
    text = "".join(f"#include <{each.relative_to(NATIVE / 'include')}>\n" for each in headers)
    for each in [*(f"#include <tenon/{path.name}>\n" for path in headers if path.parent.name == "tenon"), text]:
        (tmp_path / "one.cpp").write_text(each)
        call("g++", *STRICT, f"-I{NATIVE / 'include'}", "-fsyntax-only", tmp_path / "one.cpp")


def test_the_map_names_every_source_of_the_runtime():
    text = (ROOT / "docs" / "map.md").read_text()
    own = [
        *SOURCES,
        *(NATIVE / "core").glob("*.h"),
        *(NATIVE / "exec").glob("*.h"),
        *(NATIVE / "include" / "tenon").iterdir(),
    ]
    assert [path.name for path in own if f"`{path.name}`" not in text] == []
