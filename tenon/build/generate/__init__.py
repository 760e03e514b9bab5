"""Rows of YAML to C++: the declarations of all kernels, tables that register them, and checks of their types."""

from tenon.build.generate.aot import generate_aot
from tenon.build.generate.bind import Bound, bind
from tenon.build.generate.chains import Chain, chains_source, is_compiled
from tenon.build.generate.checks import checks
from tenon.build.generate.cpp import Registration, generate

__all__ = [
    "Bound",
    "Chain",
    "Registration",
    "bind",
    "chains_source",
    "checks",
    "generate",
    "generate_aot",
    "is_compiled",
]
