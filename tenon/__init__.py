"""Tenon takes a PyTorch model and cuts a native runtime to fit it.

What is public is listed here and loaded when first used, so that `import tenon` needs no torch.
"""

import importlib
import sys
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tenon import ops
    from tenon.capture import convert_exported_program
    from tenon.dialect import verify
    from tenon.errors import Invalid, TenonError, Unsupported
    from tenon.ir import Graph, load_ir, parse_ir, save_ir
    from tenon.ir.mermaid import ir_to_mermaid
    from tenon.ops import list_registered_ops, register_executor, register_op
    from tenon.pipeline import capture, export, extract_ir, verify_ir
    from tenon.pte import Program, read_program
    from tenon.run import Executor, execute_ir, load_weights
    from tenon.run.kernels import get_num_threads, kernels, manual_seed, set_num_threads
    from tenon.run.load import load

_HOME = {
    "Executor": "tenon.run",
    "Graph": "tenon.ir",
    "Invalid": "tenon.errors",
    "Program": "tenon.pte",
    "TenonError": "tenon.errors",
    "Unsupported": "tenon.errors",
    "capture": "tenon.pipeline",
    "convert_exported_program": "tenon.capture",
    "execute_ir": "tenon.run",
    "export": "tenon.pipeline",
    "extract_ir": "tenon.pipeline",
    "get_num_threads": "tenon.run.kernels",
    "ir_to_mermaid": "tenon.ir.mermaid",
    "kernels": "tenon.run.kernels",
    "list_registered_ops": "tenon.ops",
    "load": "tenon.run.load",
    "load_ir": "tenon.ir",
    "load_weights": "tenon.run",
    "manual_seed": "tenon.run.kernels",
    "parse_ir": "tenon.ir",
    "read_program": "tenon.pte",
    "register_executor": "tenon.ops",
    "register_op": "tenon.ops",
    "save_ir": "tenon.ir",
    "set_num_threads": "tenon.run.kernels",
    "verify": "tenon.dialect",
    "verify_ir": "tenon.pipeline",
}

_FOLDERS = {"ops"}  # public as a whole: tenon.ops.load_inline

__all__ = sorted({*_HOME, *_FOLDERS})
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in _FOLDERS:
        return importlib.import_module(f"tenon.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'tenon' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


class _Face(types.ModuleType):
    """Importing the folder tenon/capture sets `tenon.capture` to it; the function of that name is what is public."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, types.ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face
