"""Stage 5 of 7. In: a planned graph of the Exec dialect, and its weights. Out: a method of a program."""

from tenon.emit.method import Constants, constant_method, emit_method

__all__ = ["Constants", "constant_method", "emit_method"]
