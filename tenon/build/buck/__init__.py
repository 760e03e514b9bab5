"""BUCK and TARGETS files, read by a Starlark interpreter and built as `tenon build` builds models."""

from tenon.build.buck.build import build_targets

__all__ = ["build_targets"]
