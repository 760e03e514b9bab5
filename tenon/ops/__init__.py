"""What exists: torch's schemas, the executor's own operators, and what users register."""

from tenon.ops.registry import list_registered_ops, register_executor, register_op

__all__ = ["list_registered_ops", "register_executor", "register_op"]
