"""Rows of YAML to C++: the declarations of all kernels, tables that register them, and checks of their types."""

from tenon.build.generate.aot import generate_aot
from tenon.build.generate.bind import Bound, bind
from tenon.build.generate.chains import NO_PROGRAMS, POINTWISE, Chain, Programs, chains_source, is_compiled
from tenon.build.generate.checks import checks
from tenon.build.generate.cpp import Registration, generate

__all__ = [
    "NO_PROGRAMS",
    "POINTWISE",
    "Bound",
    "Chain",
    "Programs",
    "Registration",
    "bind",
    "chains_source",
    "checks",
    "generate",
    "generate_aot",
    "is_compiled",
]
