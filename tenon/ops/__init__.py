"""What exists: torch's schemas, the executor's own operators, and what users register.

`load_inline` builds kernels, and is loaded when first used: who only captures needs no compiler.
"""

from typing import TYPE_CHECKING, Any

from tenon.ops.registry import list_registered_ops, register_executor, register_op

if TYPE_CHECKING:
    from tenon.inline import load_inline

__all__ = ["list_registered_ops", "load_inline", "register_executor", "register_op"]


def __getattr__(name: str) -> Any:
    if name != "load_inline":
        raise AttributeError(f"module 'tenon.ops' has no attribute {name!r}")
    from tenon.inline import load_inline

    return load_inline
