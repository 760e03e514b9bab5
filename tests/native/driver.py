"""How tests talk to the driver, tests/native/run.cpp: commands go in, lines come out."""

import subprocess
from pathlib import Path

import torch

import tenon
from pte.programs import plan
from tenon.ir.types import DTYPES
from tenon.ops.values import DTYPE_OF, TORCH_DTYPE
from tenon.pte.program import Program
from tenon.pte.schema import (
    Bool,
    Double,
    Dynamism,
    Int,
    KernelCall,
)

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"
SOURCES = sorted(path for folder in ("core", "load", "exec") for path in (NATIVE / folder).glob("*.cpp"))
STRICT = "-std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fno-exceptions -fno-rtti".split()
SANITIZED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover"]
FLOAT, LONG, DYNAMIC = 6, 4, Dynamism.DYNAMIC_BOUND


def call(*command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False, **more)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def answers(driver, *commands):
    """What the driver prints to each command."""
    found, lines = [], []
    for line in call(driver, input="".join(f"{each}\n" for each in commands)).splitlines():
        if line == ".":
            found.append(lines)
            lines = []
        else:
            lines.append(line)
    return found


def listed(numbers):
    return ",".join(map(str, numbers)) or "-"


def given(value):
    """A tensor as the driver takes it: dtype, shape, bytes."""
    code = DTYPE_OF[value.dtype].code
    data = value.detach().contiguous().view(-1).view(torch.uint8).numpy().tobytes() if value.numel() else b""
    return f"{code} {listed(value.shape)} {data.hex() or '-'}"


def inputs(*values):
    kinds = {bool: "bool", int: "int", float: "double", str: "string"}
    for i, value in enumerate(values):
        if isinstance(value, torch.Tensor):
            yield f"tensor {i} {given(value)}"
        else:
            yield f"none {i}" if value is None else f"{kinds[type(value)]} {i} {value}"


def taken(line):
    """A value that the driver printed."""
    kind, _, rest = line.partition(" ")
    if kind != "tensor":
        return {"int": int, "double": float, "string": str, "bool": lambda word: word == "1"}[kind](rest)
    code, shape, data = rest.split(" ")
    dtype = next(each for each in DTYPES if each.code == int(code))
    sizes = [] if shape == "-" else list(map(int, shape.split(",")))
    content = bytearray() if data == "-" else bytearray.fromhex(data)
    if not content:
        return torch.empty(sizes, dtype=TORCH_DTYPE[dtype])
    return torch.frombuffer(content, dtype=TORCH_DTYPE[dtype]).reshape(sizes)


def saved(program, folder, name="model.pte"):
    program.save(folder / name)
    return folder / name


def assert_runs_as_in_python(driver, program, folder, calls, method="forward"):
    """Every call in turn, in both: state goes on from one to the next."""
    path = saved(program, folder)
    python = tenon.load(path, mode="aten")[method]
    commands = [f"load {path}", f"method {method}"]
    for each in calls:
        commands += [*inputs(*each), "run"]
    found = answers(driver, *commands)
    assert found[:2] == [["ok"], ["ok"]]
    runs = [reply for command, reply in zip(commands, found, strict=True) if command == "run"]
    for each, reply in zip(calls, runs, strict=True):
        expected = torch.utils._pytree.tree_leaves(python(*each))
        assert len(reply) == len(expected), reply
        for line, other in zip(reply, expected, strict=True):
            mine = taken(line)
            assert type(mine) is type(other)
            if isinstance(other, torch.Tensor):
                torch.testing.assert_close(mine, other)
            else:
                assert mine == other


def held(value):
    return {bool: Bool, int: Int, float: Double}[type(value)](value)


def one_call(name, values, args, banks=(0, 64), **fields):
    base, _, overload = name.partition(".")
    return Program(
        [plan(values, [KernelCall(0, args)], [], fields.pop("outputs", []), list(banks), [(base, overload)])]
    )
