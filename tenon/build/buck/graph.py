"""Targets and what they depend on: a closure in the order in which it is built, without cycles and without gaps."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tenon.build.buck.evaluate import Evaluator, Target
from tenon.build.buck.external import External, external
from tenon.build.buck.labels import Label, Workspace
from tenon.build.buck.rules import RULES
from tenon.errors import Invalid, listing, near, plural

Node = Target | External
# Kernels may include the headers that are generated for them, and what torch loads has kernels of its own.
_NOT_OF_PART = {
    "": ("custom_ops_aten_kernel_deps",),
    "static": ("custom_ops_aten_kernel_deps",),
    "headers": ("custom_ops_aten_kernel_deps", "kernel_deps"),
    "aot": ("kernel_deps",),
}


@dataclass(frozen=True)
class Graph:
    """`order` has what a target needs before it; `asked` are those that were named."""

    workspace: Workspace
    asked: tuple[Label, ...]
    order: tuple[Label, ...]
    nodes: Mapping[Label, Node]

    def node(self, text: str, user: Target) -> Node:
        """What a label in an argument of `user` is; for an alias, what it stands for."""
        found = self.nodes[self.workspace.label(text, user.label.package).whole]
        if isinstance(found, Target) and found.rule == "alias":
            return self.node(found.attributes["actual"], found)
        return found

    def file(self, text: str, user: Target) -> Path:
        """A path in an argument of `user`."""
        return self.workspace.root / user.label.package / text

    @cached_property
    def targets(self) -> list[Target]:
        return [node for label in self.order if isinstance(node := self.nodes[label], Target)]


MACRO = re.compile(r"\$\((location|exe)\s+([^)]+)\)")


def command(genrule: Target) -> str:
    return str(genrule.attributes.get("bash") or genrule.attributes.get("cmd") or "")


def is_label(text: str) -> bool:
    """Whether an argument that may be a path or a label is a label."""
    return text.startswith(":") or "//" in text


def needs(target: Target) -> Iterator[tuple[str, bool]]:
    """All labels and paths in the arguments of a target, in their order; True with what is a label."""
    kinds = RULES[target.rule].arguments
    idle = _NOT_OF_PART.get(target.part, ()) if target.rule == "executorch_generated_lib" else ()
    for name, value in target.attributes.items():
        match "" if name in idle else kinds[name]:
            case "label":
                yield value, True
            case "labels":
                yield from ((text, True) for text in value)
            case "file":
                yield value, is_label(value)
            case "files" | "models":
                items = value.values() if isinstance(value, dict) else value
                paths = (item if isinstance(item, str) else item[0] for item in items)
                yield from ((path, is_label(path)) for path in paths)
    if target.rule == "genrule":
        yield from ((label.strip(), True) for _, label in MACRO.findall(command(target)))
    if target.rule == "export_file" and "src" not in target.attributes:
        yield target.attributes["name"], False


def closure(workspace: Workspace, asked: Sequence[str], package: str = "") -> Graph:
    """The named targets and all that they need. Every label and every file that is missing is told at once."""
    walk = _Walk(Evaluator(workspace))
    labels = [workspace.label(text, package).whole for text in asked]
    for label in labels:
        walk.read(label.package)
        try:
            node = walk.find(label)
        except Invalid as fault:
            raise Invalid(f"{label}: {fault}") from None
        if isinstance(node, External):
            raise Invalid(f"{label} is {node.stands.value}: there is nothing to build.")
        walk.visit(label, node, [])
    if len(walk.missing) == 1:
        raise Invalid(walk.missing[0])
    if walk.missing:
        raise Invalid(listing(f"{plural(len(walk.missing), 'thing is', 'things are')} missing.", walk.missing))
    return Graph(workspace, tuple(labels), tuple(walk.order), walk.order)


class _Walk:
    """Depth first, so that a label that is met on the way to itself closes a cycle."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.workspace = evaluator.workspace
        self.order: dict[Label, Node] = {}
        self.missing: list[str] = []

    def read(self, package: str) -> None:
        """What is wrong in a BUCK file has its place there, and is not laid to the one who named it."""
        if self.workspace.build_file(package) is not None:
            self.evaluator.package(package)

    def find(self, label: Label) -> Node:
        if self.workspace.build_file(label.package) is None:
            outside = external(label)
            if outside is not None:
                return outside
        targets = self.evaluator.package(label.package)
        if label.name not in targets:
            file = self.workspace.build_file(label.package)
            assert file is not None
            raise Invalid(
                f"there is no target {label.name} in {self.workspace.shown(file)}.{near(label.name, targets)}"
            )
        return targets[label.name]

    def visit(self, label: Label, node: Node, chain: list[Target]) -> None:
        if label in self.order:
            return
        if isinstance(node, External):
            self.order[label] = node
            return
        if node in chain:
            raise Invalid(_cycle([*chain[chain.index(node) :], node]))
        for text, is_target in needs(node):
            if is_target:
                self._follow(text, node, [*chain, node])
            else:
                self._check_file(text, node)
        self.order[label] = node

    def _follow(self, text: str, user: Target, chain: list[Target]) -> None:
        try:
            label = self.workspace.label(text, user.label.package).whole
        except Invalid as fault:
            self.missing.append(f"{self._at(user, text)}: {fault}")
            return
        self.read(label.package)
        try:
            found = self.find(label)
        except Invalid as fault:
            self.missing.append(f"{self._at(user, text)}: {user.rule} {user.label} needs {text}, and {fault}")
            return
        self.visit(label, found, chain)

    def _check_file(self, path: str, user: Target) -> None:
        folder = self.workspace.root / user.label.package
        if (folder / path).exists():
            return
        beside = (folder / path).parent
        there = [p.relative_to(folder).as_posix() for p in beside.iterdir()] if beside.is_dir() else []
        self.missing.append(
            f"{self._at(user, path)}: {user.rule} {user.label} needs the file {self.workspace.shown(folder / path)}, "
            f"which is not there.{near(path, there)}"
        )

    def _at(self, target: Target, text: str) -> str:
        """The line on which a call names `text`: that of the call when the text was computed."""
        if target.through:
            return target.where
        lines = (self.workspace.root / target.place.file).read_text().splitlines()
        for number, line in enumerate(lines[target.place.line - 1 :], target.place.line):
            if f'"{text}"' in line or f"'{text}'" in line:
                return f"{target.place.file}:{number}"
            if number > target.place.line and line[:1] == ")":
                break
        return target.where


def _cycle(chain: Sequence[Target]) -> str:
    steps = " -> ".join(f"{target.label} ({target.where})" for target in chain)
    return f"{chain[0].where}: {chain[0].rule} {chain[0].label} depends on itself: {steps}."
