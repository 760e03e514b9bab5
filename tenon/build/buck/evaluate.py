"""BUCK files to targets. A Starlark interpreter runs them; the rules they call only write down what they are given."""

import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any

import starlark

from tenon.build.buck.derive import derived
from tenon.build.buck.faults import Frame, frames, in_words
from tenon.build.buck.labels import Label, Workspace
from tenon.build.buck.rules import RULES, Rule, checked
from tenon.errors import Invalid, near
from tenon.ops.table import SCALAR_TYPES, Place

# .bzl files that stand for ours, by the end of their path: the cell and the folders before it are the caller's matter.
OURS = """
codegen:codegen.bzl build:runtime_wrapper.bzl build:selects.bzl build:fb_native_wrapper.bzl
portable:op_registration_util.bzl optimized:op_registration_util.bzl lib:op_registration_util.bzl test:util.bzl
prim_ops:selective_build.bzl build_defs:fb_native_wrapper.bzl build_defs:native_rules.bzl
build_defs:export_files.bzl build_defs:default_platform_defs.bzl build_defs:fb_xplat_cxx_library.bzl
build_defs:fb_xplat_cxx_binary.bzl build_defs:fb_xplat_cxx_test.bzl
""".split()
_PRELUDE = "prelude.bzl"
_UINT64 = "Uint64"  # how ExecuTorch's macro spells UInt64


@dataclass(frozen=True)
class Target:
    """A call of a rule. `through` are the lines of macros between the BUCK file and the rule, outermost first."""

    label: Label
    rule: str
    place: Place
    attributes: Mapping[str, Any]
    through: tuple[Place, ...] = ()
    part: str = ""  # which of the several targets that one call makes: "headers", "static", "aot"

    @property
    def where(self) -> str:
        return str(self.place) + "".join(f" (through {place})" for place in self.through[-1:])


class Evaluator:
    """Runs each file of a workspace once."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._packages: dict[str, dict[str, Target]] = {}
        self._loaded: dict[Path, starlark.FrozenModule] = {}
        self._files: list[Path] = []  # being evaluated, the innermost last
        self._fault: tuple[Invalid, bool] | None = None  # Rust turns exceptions to text; whether it has its place
        self._globals = starlark.Globals.extended_by(
            [
                getattr(starlark.LibraryExtension, name)
                for name in "StructType RecordType EnumType Map Filter Partial Print Json Typing CallStack".split()
            ]
        )
        self._dialect = starlark.Dialect.extended()
        self._dialect.enable_f_strings = True
        self._prelude, self._names = self._make_prelude()

    def package(self, package: str) -> dict[str, Target]:
        """The targets of a folder's BUCK file, by name."""
        if package in self._packages:
            return self._packages[package]
        path = self.workspace.build_file(package)
        if path is None:
            raise Invalid(_no_package(self.workspace, package))
        self._packages[package] = {}
        try:
            self._run(path)
        except Invalid:
            del self._packages[package]
            self._fault = None
            raise
        return self._packages[package]

    def _run(self, path: Path) -> starlark.Module:
        name = self.workspace.shown(path)
        try:
            text = path.read_text()
        except (OSError, UnicodeDecodeError) as fault:
            raise Invalid(f"{name} cannot be read: {fault}") from None
        module = starlark.Module()
        self._files.append(path)
        try:
            loads = ", ".join(f'"{symbol}"' for symbol in self._names)
            first = starlark.parse(_PRELUDE, f'load("{_PRELUDE}", {loads})', self._dialect)
            starlark.eval(module, first, self._globals, starlark.FileLoader(lambda _: self._prelude))
            ast = starlark.parse(name, text, self._dialect)
            starlark.eval(module, ast, self._globals, starlark.FileLoader(self._load))
        except starlark.StarlarkError as fault:
            raise self._explained(str(fault)) from None
        finally:
            self._files.pop()
        return module

    def _explained(self, text: str) -> Invalid:
        """The first fault with its place: the files that load the one at fault report it again."""
        fault, placed = self._fault or (None, False)
        if fault is None or not placed:
            fault = Invalid(in_words(text, self._names, self._source, said=str(fault or "")))
            self._fault = (fault, True)
        return fault

    def _source(self, file: str, line: int) -> str:
        lines = (self.workspace.root / file).read_text().splitlines()
        return lines[line - 1] if line <= len(lines) else ""

    def _load(self, module: str) -> starlark.FrozenModule:
        try:
            return self._frozen(module)
        except Invalid as fault:
            self._fault = self._fault or (fault, False)
            raise

    def _frozen(self, module: str) -> starlark.FrozenModule:
        workspace = self.workspace
        package = self._files[-1].parent.relative_to(workspace.root).as_posix()
        label = workspace.label(module, "" if package == "." else package)
        path = workspace.root / label.package / label.name
        known = f"{PurePosixPath(label.package).name}:{label.name}"
        if known in OURS and ("executorch" in module or not path.is_file()):
            return self._prelude
        if not path.is_file():
            folder = path.parent
            there = [f"//{label.package}:{p.name}" for p in folder.glob("*.bzl")] if folder.is_dir() else []
            ours = [f"@fbsource//xplat/executorch/{known}" for known in OURS]
            raise Invalid(
                f"load of {module}: there is no file {workspace.shown(path)}, and it is not one of the .bzl files that "
                f"Tenon stands in for.{near(str(label), [*there, *ours])}"
            )
        if path in self._files:
            chain = [workspace.shown(p) for p in [*self._files[self._files.index(path) :], path]]
            raise Invalid(f"a .bzl file cannot load itself: {' -> '.join(chain)}.")
        if path not in self._loaded:
            self._loaded[path] = self._run(path).freeze()
        return self._loaded[path]

    def _make_prelude(self) -> tuple[starlark.FrozenModule, list[str]]:
        """Our names as one module. A rule is a Starlark function, since only such a one knows the line of its call."""
        module = starlark.Module()
        module.add_callable("_define", self._define)
        module.add_callable("_glob", self._glob)
        module.add_callable("_package", self._package)
        text = "\n".join(
            [
                "def _stack(): return str(call_stack())",
                "def _plain(value):",
                '    if type(value) == "function": return {"function": str(value)}',
                '    if type(value) == "list": return [_plain(item) for item in value]',
                "    return value",
                "def _rule(name):",
                "    def call(*args, **kwargs):",
                "        _define(name, _stack(), _plain(list(args)), {k: _plain(v) for k, v in kwargs.items()})",
                "    return call",
                *(f'{name} = _rule("{name}")' for name in RULES),
                f'_MACHINE = "{platform.machine()}"',
                "ScalarType = enum(" + ", ".join(f'"{name}"' for name in (*SCALAR_TYPES, _UINT64)) + ")",
                resources.files("tenon.build.buck").joinpath(_PRELUDE).read_text(),
            ]
        )
        starlark.eval(module, starlark.parse(_PRELUDE, text, self._dialect), self._globals)
        defined = re.findall(r"^(?:def ([a-z]\w*)|(\w[\w, ]*) = )", text, re.MULTILINE)
        names = [name for function, variables in defined for name in (function or variables).split(", ")]
        return module.freeze(), sorted({name for name in names if not name.startswith("_")})

    def _define(self, rule: str, stack: str, positional: Sequence[Any], named: Mapping[str, Any]) -> None:
        try:
            self._add(RULES[rule], frames(stack, _PRELUDE), positional, named)
        except Invalid as fault:
            self._fault = (fault, True)
            raise

    def _add(self, rule: Rule, calls: list[Frame], positional: Sequence[Any], named: Mapping[str, Any]) -> None:
        place, *through = [call.place for call in calls]
        where = str(place) + "".join(f" (through {inner})" for inner in through[-1:])
        path = self._files[-1]
        folder = self.workspace.shown(path.parent) if path.parent != self.workspace.root else ""
        if path.suffix == ".bzl":
            raise Invalid(
                f"{where}: a .bzl file has no targets of its own. Call {rule.name} in a function, or in a BUCK file."
            )
        try:
            attributes = checked(rule, positional, named)
        except Invalid as fault:
            raise Invalid(f"{where}: {fault}") from None
        if "name" not in attributes:
            return
        targets = self._packages[folder]
        for name, part in derived(rule.name, attributes).items():
            other = targets.get(name)
            if other is not None:
                raise Invalid(
                    f"{where}: {rule.name} {name} is the second target of that name; the first is {other.rule} at "
                    f"{other.where}. Rename one of them."
                )
            targets[name] = Target(Label(folder, name), rule.name, place, attributes, tuple(through), part)

    def _glob(self, stack: str, include: Sequence[str], exclude: Sequence[str]) -> list[str]:
        if not isinstance(include, list) or not isinstance(exclude, list):
            fault = Invalid(f'{frames(stack, _PRELUDE)[-1].place}: glob takes lists of patterns: glob(["*.cpp"]).')
            self._fault = (fault, True)
            raise fault
        folder = self._files[-1].parent
        found = {path for pattern in include for path in folder.glob(pattern) if path.is_file()}
        found -= {path for pattern in exclude for path in folder.glob(pattern)}
        return sorted(path.relative_to(folder).as_posix() for path in found)

    def _package(self) -> str:
        folder = self.workspace.shown(self._files[-1].parent)
        return "" if folder == "." else folder


def _no_package(workspace: Workspace, package: str) -> str:
    folder = workspace.root / package
    if folder.is_dir():
        return f"there is no BUCK or TARGETS file in {package or workspace.root}."
    parent = folder.parent
    siblings = [workspace.shown(p) for p in parent.iterdir() if p.is_dir()] if parent.is_dir() else []
    return f"there is no folder {package} in {workspace.root}.{near(package, siblings)}"
