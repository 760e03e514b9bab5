"""All kernels in one shared library, built once for a state of the sources, and called by name on torch's tensors."""

import ctypes
import fcntl
import hashlib
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import torch

from tenon.ir.types import DTYPE_BY_CODE
from tenon.ops.values import TORCH_DTYPE

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"
STRICT = "-std=c++17 -Wall -Wextra -Werror -fno-exceptions -fno-rtti -fPIC".split()
# Without the last two, a loop with a comparison or a square root in it is not made into vectors.
FAST = ["-O3", "-fno-math-errno", "-fno-trapping-math"]
SANITIZED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
CODE = {TORCH_DTYPE[dtype]: code for code, dtype in DTYPE_BY_CODE.items() if dtype in TORCH_DTYPE}
RANK = 16
CALLERS = ("kernels.cpp", "seed.cpp", "threads.cpp")
_KEPT_SECONDS = 7 * 24 * 3600


def kernel_sources():
    generated = (NATIVE / "kernels" / "generated").glob("*.cpp")
    return [*in_folder("core"), *in_folder("kernels"), *in_folder("kernels/fast"), *sorted(generated)]


def in_folder(name):
    return sorted((NATIVE / name).glob("*.cpp"))


def built_in(config, flags):
    """Where objects made with these flags are kept from run to run."""
    return config.cache.mkdir("native-kernels") / flags[0].strip("-")


def build_library(folder, flags):
    """All kernels, with what calls them from Python."""
    sources = [*(ROOT / "tests" / "native" / name for name in CALLERS), *kernel_sources()]
    return build(folder, flags, sources, "kernels.so", ["-shared", "-Wl,-z,defs"])


def build_runner(folder, flags):
    """tenon_run."""
    sources = [*kernel_sources(), *in_folder("load"), *in_folder("exec")]
    sources += [*in_folder("runner/every"), *(each for each in in_folder("runner") if each.stem != "kernels")]
    return build(folder, flags, sources, "tenon_run", [])


def build(folder, flags, sources, name, link):
    """What is linked of these sources, from objects of earlier runs as far as source and headers are the same."""
    folder.mkdir(parents=True, exist_ok=True)
    headers = hashlib.sha256()
    for header in sorted(NATIVE.rglob("*.h")):
        headers.update(header.read_bytes())

    def compile_one(source):
        key = hashlib.sha256(headers.digest() + source.read_bytes() + " ".join(flags).encode()).hexdigest()[:16]
        target = folder / f"{source.stem}-{key}.o"
        if not target.exists():
            partial = target.with_suffix(".partial")
            include = ["-I", str(NATIVE / "include")]
            run(["g++", *STRICT, *flags, *include, "-c", str(source), "-o", str(partial)])
            partial.rename(target)
        return target

    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            objects = list(pool.map(compile_one, sources))
        key = hashlib.sha256("".join(map(str, objects)).encode()).hexdigest()[:16]
        made = folder / f"{key}-{name}"
        if not made.exists():
            for old in folder.iterdir():
                if time.time() - old.stat().st_mtime > _KEPT_SECONDS:
                    old.unlink()
            run(["g++", *link, *flags, *map(str, objects), "-o", str(made)])
    return made


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-8000:]


class CTensor(ctypes.Structure):
    _fields_ = [
        ("dtype", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("is_dynamic", ctypes.c_int32),
        ("is_constant", ctypes.c_int32),
        ("sizes", ctypes.c_int32 * RANK),
        ("strides", ctypes.c_int32 * RANK),
        ("order", ctypes.c_uint8 * RANK),
        ("data", ctypes.c_void_p),
    ]


class CValue(ctypes.Structure):
    _fields_ = [
        ("tag", ctypes.c_int32),
        ("count", ctypes.c_int32),
        ("whole", ctypes.c_int64),
        ("real", ctypes.c_double),
        ("items", ctypes.c_void_p),
    ]


TAGS = "none tensor string double int bool bools doubles ints tensors numbers optionals".split()
TAG = {name: i for i, name in enumerate(TAGS)}


class Refused(Exception):
    """What a kernel says when it fails."""


class Out:
    """A place for a result. It has room for one more row, so that the kernel has to resize it."""

    def __init__(self, like, room=1):
        self.like = like
        self.room = room if like.dim() else 0
        sizes = [size + (self.room if d == 0 else 0) for d, size in enumerate(like.shape)]
        self.order = dim_order(like)
        self.buffer = torch.empty_strided(sizes, dense_strides(sizes, self.order), dtype=like.dtype)
        if like.dtype.is_floating_point or like.dtype.is_complex:
            self.buffer.fill_(float("nan"))

    def result(self, described):
        shape = list(described.sizes[: described.rank])
        return self.buffer.as_strided(shape, dense_strides(shape, self.order))


def dim_order(tensor):
    """From outermost to innermost; sizes of 1 stay in place between equals."""
    return sorted(range(tensor.dim()), key=lambda d: (-tensor.stride(d), d))


def dense_strides(sizes, order):
    strides, step = [0] * len(sizes), 1
    for d in reversed(order):
        strides[d] = step
        step *= max(sizes[d], 1)
    return strides


class Library:
    def __init__(self, path):
        self.loaded = ctypes.CDLL(str(path))
        self.loaded.tenon_call.argtypes = [
            ctypes.c_char_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_char_p,
            ctypes.c_size_t,
        ]
        self.loaded.tenon_call.restype = ctypes.c_uint32
        self.loaded.tenon_count.restype = ctypes.c_size_t
        self.loaded.tenon_name.restype = ctypes.c_char_p

    def seed(self, number):
        """What random kernels begin with."""
        self.loaded.tenon_seed(ctypes.c_uint64(number))

    @contextmanager
    def threads(self, count):
        """So many share the work of a kernel."""
        self.loaded.tenon_threads(count)
        yield
        self.loaded.tenon_threads(0)

    @contextmanager
    def without_temporary_memory(self):
        temporary = ctypes.c_size_t.in_dll(self.loaded, "tenon_temporary")
        before, temporary.value = temporary.value, 0
        yield
        temporary.value = before

    def names(self):
        return [self.loaded.tenon_name(ctypes.c_size_t(i)).decode() for i in range(self.loaded.tenon_count())]

    def call(self, name, values):
        """Calls a kernel on (kind, value) pairs; gives the tensors that the Outs among them hold afterwards."""
        kept = []
        described = []
        stack = (CValue * len(values))(*(self._value(kind, value, kept, described) for kind, value in values))
        words = ctypes.create_string_buffer(512)
        error = self.loaded.tenon_call(name.encode(), stack, len(values), words, len(words))
        if error:
            assert words.value, f"{name} fails with {error:#x} and without words"
            raise Refused(words.value.decode())
        return [out.result(ctensor) for out, ctensor in described]

    def _value(self, kind, value, kept, described):
        if value is None:
            return CValue(TAG["none"])
        if kind in ("int", "bool"):
            return CValue(TAG[kind], 0, int(value))
        if kind == "double":
            return CValue(TAG[kind], 0, 0, float(value))
        if kind == "tensor":
            items = self._tensor(value, kept, described)
            return CValue(TAG[kind], 1, 0, 0, ctypes.addressof(items))
        if kind == "string":
            items = ctypes.create_string_buffer(value.encode())
        elif kind in ("tensors", "optionals"):
            tensors = [item if item is None else self._tensor(item, kept, described) for item in value]
            items = (ctypes.c_void_p * max(len(value), 1))(*(t and ctypes.addressof(t) for t in tensors))
        else:
            element = {"ints": ctypes.c_int64, "doubles": ctypes.c_double, "bools": ctypes.c_bool}[kind]
            items = (element * max(len(value), 1))(*value)
        kept.append(items)
        return CValue(TAG[kind], len(value), 0, 0, ctypes.addressof(items))

    def _tensor(self, value, kept, described):
        tensor = value.buffer if isinstance(value, Out) else value
        order = value.order if isinstance(value, Out) else dim_order(tensor)
        result = CTensor(CODE[tensor.dtype], tensor.dim(), isinstance(value, Out) and bool(value.room), 0)
        result.sizes[: tensor.dim()] = tensor.shape
        result.strides[: tensor.dim()] = dense_strides(tensor.shape, order)
        result.order[: tensor.dim()] = order
        result.data = tensor.data_ptr() or None
        kept += [result, tensor]
        if isinstance(value, Out):
            described.append((value, result))
        return result
