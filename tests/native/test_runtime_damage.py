"""Damaged programs in the lean runtime: each is refused in words, or runs without a fault on any kernels."""

import os
import random
import struct

import pytest
import torch

import tenon
from native.driver import (
    DYNAMIC,
    answers,
)
from pte.programs import PROGRAMS, plan, stateful, tensor
from tenon.pte.program import Program, to_bytes
from tenon.pte.schema import (
    Bool,
    Int,
    IntList,
    JumpFalseCall,
    KernelCall,
    MoveCall,
)


def letters(driver, folder, many):
    """What became of each file: p refused as a program, m as a method, e while running; r it ran."""
    (folder / "many").write_bytes(b"".join(struct.pack("<I", len(data)) + data for data in many))
    found = answers(driver, f"batch {folder / 'many'}")[0][0]
    assert len(found) == len(many)
    return found


@pytest.fixture(scope="module")
def files():
    from test_export import Loops

    made = {name: PROGRAMS[name]() for name in PROGRAMS}
    stateless = stateful()
    stateless.plans[0].values[16].val = tensor([4], data_buffer_idx=1)
    made["stateful"] = stateless
    loop = [Int(0), Int(1), Int(3), Bool(False), tensor([3, 2], 1, 0, shape_dynamism=DYNAMIC), tensor([2], 1, 32)]
    calls = [
        KernelCall(0, [4, 5, 0]),
        KernelCall(1, [0, 1, 0]),
        KernelCall(2, [0, 2, 3]),
        JumpFalseCall(3, 0),
        KernelCall(3, [0, 2, 0]),
    ]
    names = [
        ("executorch_prim::et_copy_index", "tensor"),
        *((f"executorch_prim::{name}", "Scalar") for name in ("add", "eq", "sub")),
    ]
    made["loop"] = Program([plan(loop, calls, [5], [4], [0, 48], names)])
    views = [
        tensor([2, 3], 1, 0),
        Int(3),
        Int(-1),
        IntList([1, 2]),
        tensor([3, 2], shape_dynamism=DYNAMIC),
        tensor([3, 2], 1, 32),
    ]
    called = [KernelCall(0, [0, 3, 4]), KernelCall(1, [4, 5, 5]), MoveCall(5, 4)]
    made["views"] = Program(
        [plan(views, called, [0], [4], [0, 64], [("executorch_prim::et_view", "default"), ("aten::relu", "out")])]
    )
    torch.manual_seed(0)
    made["loops"] = tenon.export(Loops(), (torch.tensor(0), torch.randn(3, 2), torch.ones(2)))
    return {name: b"".join(to_bytes(program)) for name, program in made.items()}


NAMES = ("addition", "stateful", "branching", "loop", "views", "loops")


def test_the_files_run_before_anything_is_changed(driver, files, tmp_path):
    found = dict(zip(NAMES, letters(driver, tmp_path, [files[name] for name in NAMES]), strict=True))
    assert {name for name, letter in found.items() if letter == "r"} >= {"addition", "stateful", "loop", "views"}, found


@pytest.mark.parametrize("name", NAMES)
def test_a_file_cut_anywhere_is_run_or_refused(driver, files, name, tmp_path):
    step = 1 if len(files[name]) < 4000 else 13
    letters(driver, tmp_path, [files[name][:size] for size in range(0, len(files[name]), step)])


@pytest.mark.parametrize("name", NAMES)
def test_a_file_with_one_byte_changed_is_run_or_refused(driver, files, name, tmp_path):
    data, many = files[name], []
    step = 1 if len(data) < 4000 else 5
    for place in range(0, len(data), step):
        for new in sorted({0, 1, 2, 0x7F, 0xFF, data[place] ^ 1, data[place] ^ 0x10} - {data[place]}):
            many.append(data[:place] + bytes([new]) + data[place + 1 :])
    found = letters(driver, tmp_path, many)
    assert ("r" in found) == (name != "branching")  # that has a delegate


@pytest.mark.parametrize("name", NAMES)
def test_a_file_with_words_changed_is_run_or_refused(driver, files, name, tmp_path):
    """Indices, sizes, offsets and jumps that lead elsewhere."""
    data, chance, many = files[name], random.Random(name), []
    for _ in range(int(os.environ.get("TENON_DAMAGE", "3000"))):
        changed = bytearray(data)
        for _ in range(chance.choice((1, 1, 2, 3, 5))):
            place = 4 * chance.randrange(len(data) // 4)
            value = chance.choice(
                (
                    chance.randrange(8),
                    chance.randrange(40),
                    4 * chance.randrange(len(data) // 4),
                    -chance.randrange(400),
                )
            )
            code = chance.choice("<i <h <q".split() if abs(value) > 127 else "<b <i <h <q".split())
            struct.pack_into(code, changed, min(place, len(data) - 8), value)
        many.append(bytes(changed))
    letters(driver, tmp_path, many)
