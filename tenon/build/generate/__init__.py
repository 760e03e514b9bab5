"""Rows of YAML to C++: the prototypes of all kernels, and a table that registers them."""

from tenon.build.generate.bind import Bound, bind
from tenon.build.generate.cpp import generate

__all__ = ["Bound", "bind", "generate"]
