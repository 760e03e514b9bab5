"""The systems that are compared: each exports a case to a folder, and loads it from there as something to call."""

import ctypes
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy

Call = Callable[[], Sequence[Any]]  # runs the model once on the inputs that loading was given


@dataclass(frozen=True)
class System:
    """One way to run a model. `export` writes `file` into a folder; `load` makes a call of it for so many threads.

    `ready` imports what `load` needs, so that the time of imports is no part of the time to load.
    """

    name: str
    label: str
    packages: tuple[str, ...]
    file: str
    export: Callable[[Any, Path], None]
    ready: Callable[[], None]
    load: Callable[[Path, list[numpy.ndarray], int], Call]
    stateless: bool = False

    def version(self) -> str:
        return " ".join(f"{package} {metadata.version(package)}" for package in self.packages)


def _torch_export(case: Any, path: Path) -> None:
    import torch

    from bench.narrow_weights import with_torchs_products

    torch.save(case.module if case.full is None else with_torchs_products(case.full, case.bits), path)


def _torch_ready() -> None:
    import torch
    import transformers  # noqa: F401  a saved module names its classes

    torch.set_grad_enabled(False)


def _eager_load(path: Path, inputs: list[numpy.ndarray], threads: int, compiled: bool = False) -> Call:
    import torch

    torch.set_num_threads(threads)
    module = torch.load(path, weights_only=False)
    call = torch.compile(module, dynamic=False) if compiled else module
    tensors = [torch.from_numpy(each) for each in inputs]

    def run() -> Sequence[Any]:
        found = call(*tensors)
        return found if isinstance(found, tuple) else (found,)

    return run


def _compile_load(path: Path, inputs: list[numpy.ndarray], threads: int) -> Call:
    return _eager_load(path, inputs, threads, compiled=True)


def _executorch_export(case: Any, path: Path, partitioners: list[Any] | None = None) -> None:
    import torch
    from executorch.exir import to_edge_transform_and_lower

    from bench.narrow_weights import with_dynamic_activations

    module = case.module if case.full is None else with_dynamic_activations(case.full, case.bits)
    exported = torch.export.export(module, case.args)
    lowered = to_edge_transform_and_lower(exported, partitioner=partitioners)
    path.write_bytes(lowered.to_executorch().buffer)


def _xnnpack_export(case: Any, path: Path) -> None:
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    _executorch_export(case, path, [XnnpackPartitioner()])


def _executorch_ready() -> None:
    import torch  # noqa: F401  whose libraries the runtime is linked with
    from executorch.extension.pybindings import _portable_lib  # noqa: F401


def _executorch_load(path: Path, inputs: list[numpy.ndarray], threads: int) -> Call:
    import torch
    from executorch.extension.pybindings import _portable_lib as runtime

    runtime._unsafe_reset_threadpool(threads)
    assert runtime._threadpool_get_thread_count() == threads
    program = runtime._load_program(str(path))
    method = program.load_method("forward")  # which a module would put off to the first call
    tensors = [torch.from_numpy(each) for each in inputs]

    def run() -> Sequence[Any]:
        assert program is not None  # the method refers to it
        found: Sequence[Any] = method.call(tensors, clone_outputs=False)
        return found

    return run


def _onnx_export(case: Any, path: Path) -> None:
    import torch

    module, args = case.stateless or (case.module, case.args)
    torch.onnx.export(module, args, str(path), dynamo=True, external_data=False)
    if case.full is not None:
        from bench.narrow_weights import onnx_in_place

        onnx_in_place(path, case.bits)


def _onnx_ready() -> None:
    import onnxruntime  # noqa: F401


def _onnx_load(path: Path, inputs: list[numpy.ndarray], threads: int) -> Call:
    """What comes in behind the model's own inputs is state, kept where it is: an output is the next call's input."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    outputs = [each.name for each in session.get_outputs()]
    if len(outputs) == 1:
        given = dict(zip(names, inputs, strict=True))
        return lambda: session.run(None, given)
    own = len(names) - len(outputs) + 1  # all outputs but the first are state
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(each) for each in inputs]
    state = values[own:]

    def run() -> Sequence[Any]:
        binding = session.io_binding()
        for name, value in zip(names, [*values[:own], *state], strict=True):
            binding.bind_ortvalue_input(name, value)
        for name in outputs:
            binding.bind_output(name)
        session.run_with_iobinding(binding)
        found = binding.get_outputs()
        state[:] = found[1:]
        return [found[0].numpy()]

    return run


def _tenon_export(case: Any, path: Path) -> None:
    import tenon

    tenon.export(case.module, case.args, optimize=True).save(path)


def _tenon_plain_export(case: Any, path: Path) -> None:
    import tenon

    tenon.export(case.module, case.args, optimize=False).save(path)


def _tenon_ready() -> None:
    import tenon.run.lean

    _ = tenon.load, tenon.set_num_threads


def _tenon_load(path: Path, inputs: list[numpy.ndarray], threads: int) -> Call:
    import tenon

    tenon.set_num_threads(threads)
    module = tenon.load(path)

    def run() -> Sequence[Any]:
        found = module(*inputs)
        return found if isinstance(found, (tuple, list)) else (found,)

    return run


def _memory_export(case: Any, path: Path) -> None:
    from bench.language import bytes_per_token
    from bench.machine import compiled

    compiled(os.environ.get("CXX", "c++"), path, "-shared", "-fPIC")
    path.with_suffix(".bytes").write_text(str(bytes_per_token(case)))


def _memory_load(path: Path, inputs: list[numpy.ndarray], threads: int) -> Call:
    """Bytes as many as a language model's weights, read: the least that a token takes."""
    library, expected = ctypes.CDLL(str(path)), numpy.load(path.parent / "expected.npy")
    library.make_reader.restype = ctypes.c_void_p
    size = int(path.with_suffix(".bytes").read_text())
    reader = ctypes.c_void_p(library.make_reader(ctypes.c_long(size), threads))

    def run() -> Sequence[Any]:
        library.read_once(reader)
        return (expected,)

    return run


_TORCH = (_torch_export, _torch_ready)
SYSTEMS = {
    system.name: system
    for system in (
        System("tenon", "Tenon", ("tenon-torch",), "model.pte", _tenon_export, _tenon_ready, _tenon_load),
        System("eager", "eager", ("torch",), "model.pt", *_TORCH, _eager_load),
        System("compile", "torch.compile", ("torch",), "model.pt", *_TORCH, _compile_load),
        *(
            System(name, label, ("executorch", "torch"), "model.pte", export, _executorch_ready, _executorch_load)
            for name, label, export in (
                ("executorch", "ExecuTorch wheel", _executorch_export),
                ("xnnpack", "ExecuTorch + XNNPACK", _xnnpack_export),
                ("executorch_of_tenon", "ExecuTorch, Tenon's program", _tenon_plain_export),
            )
        ),
        System(
            "onnxruntime",
            "ONNX Runtime",
            ("onnxruntime", "onnx", "onnxscript", "torch"),
            "model.onnx",
            _onnx_export,
            _onnx_ready,
            _onnx_load,
            stateless=True,
        ),
        System("memory", "memory", (), "model.so", _memory_export, lambda: None, _memory_load),
        System(
            "tenon_plain", "Tenon, plain", ("tenon-torch",), "model.pte", _tenon_plain_export, _tenon_ready, _tenon_load
        ),
    )
}
PEERS = ("eager", "compile", "executorch", "xnnpack", "onnxruntime")
CORES = len(os.sched_getaffinity(0))
