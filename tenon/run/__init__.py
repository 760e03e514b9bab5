"""Stage 7 of 7. In: a graph or a program, and its inputs. Out: what the model would have returned.

What is public is loaded when first used: a program runs where there is no torch.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tenon.run.compare import Comparison
    from tenon.run.executor import Executor, execute_ir
    from tenon.run.oracle import Module
    from tenon.run.weights import bind_weights, load_weights

_HOME = {
    "Comparison": "compare",
    "Executor": "executor",
    "Module": "oracle",
    "bind_weights": "weights",
    "execute_ir": "executor",
    "load_weights": "weights",
}
__all__ = ["Comparison", "Executor", "Module", "bind_weights", "execute_ir", "load_weights"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tenon.run' has no attribute {name!r}")
    return getattr(importlib.import_module(f"tenon.run.{_HOME[name]}"), name)
