"""What a program file holds: its tables, read, checked and written. Stages that make or run one share it."""

from tenon.pte.program import Memory, Program, read_program

__all__ = ["Memory", "Program", "read_program"]
