"""Targets that are files: those that are there, and those that a command writes."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tenon.build import installed
from tenon.build.buck.evaluate import Target
from tenon.build.buck.external import External, Stands
from tenon.build.buck.graph import MACRO, Graph, command, is_label
from tenon.build.buck.labels import Label
from tenon.errors import Invalid, near

_FILE_RULES = ("export_file", "filegroup", "genrule")


class Files:
    """The files of a graph's targets. What commands write is written once, in a folder for the time of a build."""

    def __init__(self, graph: Graph, work: Path) -> None:
        self.graph = graph
        self.work = work
        self._written: dict[Label, dict[str, Path]] = {}

    def one(self, text: str, user: Target) -> Path:
        """The file that a path or a label in an argument of `user` is."""
        if not is_label(text):
            return self.graph.file(text, user)
        found = self.all(text, user)
        if len(found) != 1:
            names = ", ".join(found) or "none"
            raise Invalid(f"{user.where}: {user.rule} {user.label} needs one file of {text}, which has {names}.")
        return next(iter(found.values()))

    def all(self, text: str, user: Target) -> dict[str, Path]:
        """The files that a label is, by their names; of `:target[name]` that one."""
        node = self.graph.node(text, user)
        part = self.graph.workspace.label(text, user.label.package).part
        files = self._external(node, user) if isinstance(node, External) else self.of(node, user)
        if not part:
            return files
        if part not in files:
            raise Invalid(f"{user.where}: {text}: there is no {part} in it.{near(part, files)}")
        return {part: files[part]}

    def of(self, target: Target, user: Target | None = None) -> dict[str, Path]:
        """The files of one of the rules for files."""
        attributes = target.attributes
        match target.rule:
            case "export_file":
                path = self.one(attributes.get("src", attributes["name"]), target)
                return {attributes.get("out", path.name): path}
            case "filegroup":
                return self.sources(target)
            case "genrule":
                if target.label not in self._written:
                    self._written[target.label] = self._run(target)
                return self._written[target.label]
        raise Invalid(
            f"{(user or target).where}: {target.label} is a {target.rule}, and not a file. "
            f"The rules for files are {', '.join(_FILE_RULES)}."
        )

    def sources(self, target: Target, argument: str = "srcs") -> dict[str, Path]:
        """The files of an argument that lists paths and labels, or renames them by a dict."""
        value = target.attributes.get(argument, [])
        found: dict[str, Path] = {}
        items = value.items() if isinstance(value, Mapping) else ((None, each) for each in value)
        for name, item in items:
            text = item if isinstance(item, str) else item[0]
            if is_label(text):
                files = self.all(text, target)
                found |= {name: self.one(text, target)} if name else files
            else:
                found[name or text] = self.graph.file(text, target)
        return found

    def _external(self, node: External, user: Target) -> dict[str, Path]:
        tables = dict(zip((Stands.FUNCTIONS_YAML, Stands.CUSTOM_OPS_YAML), installed.own_tables(), strict=True))
        if node.stands not in tables:
            raise Invalid(f"{user.where}: {node.label} is {node.stands.value}, and not a file.")
        return {tables[node.stands].name: tables[node.stands]}

    def _run(self, target: Target) -> dict[str, Path]:
        """A command of the shell, in a folder with its sources."""
        folder = self.work / re.sub(r"\W", "_", str(target.label))
        sources, out = folder / "srcs", folder / "out"
        for path in (sources, out):
            path.mkdir(parents=True)
        for name, path in self.sources(target).items():
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, sources / name)
        names = _outs(target)
        single = out / names[0] if "out" in target.attributes else out
        listed = " ".join(str(sources / name) for name in self.sources(target))
        environment = {"SRCS": listed, "SRCDIR": str(sources), "OUT": str(single), "TMP": str(folder)}
        text = MACRO.sub(lambda match: self._location(match[1], match[2].strip(), target), command(target))
        # Here and not by the shell, so that they are known in a text in '' too.
        text = re.sub(r"\$(?:\{(\w+)\}|(\w+))", lambda match: environment.get(match[1] or match[2], match[0]), text)
        done = subprocess.run(["sh", "-e", "-c", text], cwd=sources, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr or done.stdout).strip().splitlines()[-5:]
            words = "".join(f"\n  {line}" for line in last)
            raise Invalid(f"{target.where}: the command of genrule {target.label} failed ({done.returncode}).{words}")
        missing = [name for name in names if not (out / name).exists()]
        if missing:
            raise Invalid(f"{target.where}: the command of genrule {target.label} did not write {', '.join(missing)}.")
        return {name: out / name for name in names}

    def _location(self, kind: str, label: str, target: Target) -> str:
        if kind == "exe":
            raise Invalid(
                f"{target.where}: genrule {target.label} runs {label}, and only commands of the host are run."
            )
        return str(self.one(label, target))


def _outs(target: Target) -> list[str]:
    if "out" in target.attributes:
        return [target.attributes["out"]]
    outs = target.attributes.get("outs")
    if isinstance(outs, Mapping):
        outs = [name for names in outs.values() for name in names]
    if not isinstance(outs, list) or not outs or not all(isinstance(name, str) for name in outs):
        raise Invalid(f"{target.where}: genrule {target.label} needs out, or outs with lists of names.")
    return outs
