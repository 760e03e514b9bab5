"""Which line of the user's model a captured node comes from."""

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

import torch

from tenon.ir.graph import Source

_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>\S+)')
_ASSIGNED = re.compile(r"(?P<name>\w+) = [^\n]*\Z")
NO_MODULE = "_empty_nn_module_stack_from_metadata_hook"  # what torch writes where it knows of none
_LIBRARY = (str(Path(torch.__file__).parent) + "/", str(Path(__file__).parents[1]) + "/", "torch/")


def source_of(meta: Mapping[str, Any], regions: Mapping[tuple[str, str], Source] | None = None) -> Source | None:
    """The innermost frame of the user's code in a node's stack trace, with the path of its module.

    For a node that was traced out of a region's body, torch shows only the body's generated code: `regions` (see
    `region_sources`) has the place of the body's own node.
    """
    trace = meta.get("stack_trace") or ""
    frames = _FRAME.findall(trace)
    found = _innermost(((file, int(line), function) for file, line, function in frames), _module_path(meta))
    assigned = _ASSIGNED.search(trace)
    if found is None and regions and assigned and meta.get("from_node"):
        return regions.get((_origin(meta["from_node"][-1]), assigned["name"]))
    return found


def region_sources(module: torch.fx.GraphModule) -> dict[tuple[str, str], Source]:
    """The place of every node in the body of a region (no_grad, autocast), by the call's name and its own."""
    found: dict[tuple[str, str], Source] = {}
    for call in module.graph.nodes:
        if call.op == "call_function" and isinstance(call.target, torch._ops.HigherOrderOperator):
            for body in (arg for arg in call.args if isinstance(arg, torch.fx.Node) and arg.op == "get_attr"):
                for node in getattr(module, str(body.target)).graph.nodes:
                    source = source_of(node.meta)
                    if source:
                        found[call.name, node.name] = source
    return found


def _origin(source: Any) -> str:
    """The name of the node that a chain of rewrites began with."""
    while source.from_node:
        source = source.from_node[-1]
    return str(source.name)


def source_of_error(trace: TracebackType | None) -> Source | None:
    """The innermost frame of the user's code that an exception went through."""
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append((code.co_filename, trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    return _innermost(frames)


def _innermost(frames: Iterable[tuple[str, int, str]], module: str = "") -> Source | None:
    for file, line, function in reversed(list(frames)):
        if not file.startswith(("<", *_LIBRARY)):
            return Source(short_path(file), line, _qualified(file, line) or function, module)
    return None


def _module_path(meta: Mapping[str, Any]) -> str:
    stack = [path for path, _ in (meta.get("nn_module_stack") or {}).values()]
    return stack[-1] if stack and stack[-1] != NO_MODULE else ""


@cache
def short_path(file: str) -> str:
    """The path from the folder it was imported from: the same on every machine, and short."""
    path = Path(file)
    roots = [Path(entry or ".").resolve() for entry in sys.path if Path(entry or ".").is_dir()]
    inside = [root for root in roots if path.is_relative_to(root)]
    return str(path.relative_to(max(inside, key=lambda root: len(root.parts)))) if inside else path.name


@cache
def _definitions(file: str) -> list[tuple[int, int, str]]:
    """Every function of a file: first line, last line, qualified name; inner ones after outer ones."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []
    found: list[tuple[int, int, str]] = []

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{prefix}.{child.name}" if prefix else child.name
                if not isinstance(child, ast.ClassDef):
                    found.append((child.lineno, child.end_lineno or child.lineno, name))
            visit(child, name)

    visit(tree, "")
    return found


@cache
def _qualified(file: str, line: int) -> str:
    names = [name for first, last, name in _definitions(file) if first <= line <= last]
    return names[-1] if names else ""
