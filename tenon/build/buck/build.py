"""Targets of BUCK files to programs and libraries, in one folder."""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tenon.build.buck.evaluate import Target
from tenon.build.buck.files import Files
from tenon.build.buck.graph import Graph, closure
from tenon.build.buck.labels import Label, Workspace
from tenon.build.buck.operators import Chosen, Operators
from tenon.build.buck.program import REMEDY, compiled, link_program, run_paths
from tenon.build.buck.reach import reached
from tenon.build.buck.rules import RULES
from tenon.build.buck.sources import Sources
from tenon.build.buck.torch_library import torch_library
from tenon.build.drive.build import copy_headers, library_parts
from tenon.build.drive.library import OperatorLibrary
from tenon.build.drive.output import written_whole
from tenon.build.drive.toolchain import Toolchain
from tenon.build.select import selection_files
from tenon.errors import Invalid, Unsupported


def build_targets(
    targets: Sequence[str],
    here: Path | None,
    out: Path,
    *,
    optimize: str = "size",
    cxx: str | None = None,
    cxx_flags: str | None = None,
) -> list[Path]:
    """What is built of the named targets, in the folder `out`. `:target` is one of the folder `here`.

    A program is out/<name>, a library out/lib<name>.a and .so; headers are in out/include, and what is selected for a
    library in out/<name>/selective_operators.yaml.
    """
    folder = (here or Path.cwd()).resolve()
    workspace = Workspace.around(folder)
    graph = closure(workspace, targets, "" if folder == workspace.root else workspace.shown(folder))
    with written_whole(out) as made, tempfile.TemporaryDirectory() as work:
        toolchain = Toolchain(cxx, optimize, cxx_flags=cxx_flags, other_machine=True)
        builder = _Builder(graph, toolchain, Path(work), made)
        for label in graph.asked:
            builder.build(label)
    return [out / name for name in dict.fromkeys("include" if n.startswith("include/") else n for n in builder.names)]


class _Builder:
    """One build: each target is made once, whoever needs it."""

    def __init__(self, graph: Graph, toolchain: Toolchain, work: Path, out: Path) -> None:
        self.graph, self.toolchain, self.out = graph, toolchain, out
        self.files = Files(graph, work)
        self.sources = Sources(graph, self.files, toolchain)
        self.operators = Operators(graph, self.files, self.sources, toolchain)
        self.names: dict[str, Label] = {}  # what was written, and for which target

    def build(self, label: Label) -> None:
        target = self.graph.nodes[label]
        assert isinstance(target, Target)
        if target.rule in ("alias", "command_alias"):
            node = self.graph.node(target.attributes.get("actual") or target.attributes["exe"], target)
            if isinstance(node, Target):
                self.build(node.label)
            return
        if (why := RULES[target.rule].why_not) and not target.rule.startswith("python_"):
            raise Unsupported(f"{target.where}: {target.rule} {target.label}: {why}.")
        ways: dict[str, Callable[[Target], None]] = {
            "cxx_binary": self._program,
            "cxx_test": self._program,
            "cxx_library": self._archive,
            "et_operator_library": self._selection,
            "selected_operators_genrule": self._selection,
            "executorch_generated_lib": self._generated,
            "exir_custom_ops_aot_lib": self._torch_library,
            "executorch_ops_check": self.operators.check_overlap,
            **dict.fromkeys(("export_file", "filegroup", "genrule"), self._copies),
        }
        ways.get(target.rule, lambda _: None)(target)

    def _path(self, target: Target, name: str) -> Path:
        """Where to write a file of the target."""
        if not (self.out / name).resolve().is_relative_to(self.out.resolve()):
            raise Invalid(
                f"{target.where}: {target.rule} {target.label} would be written to {name}, outside of the folder."
            )
        call = Label(target.label.package, target.attributes["name"])  # the targets of one call share their headers
        other = self.names.setdefault(name, call)
        if other != call:
            raise Invalid(f"{other} and {call} would both be written to {name}. Build them into two folders.")
        (self.out / name).parent.mkdir(parents=True, exist_ok=True)
        return self.out / name

    def _archive(self, target: Target) -> None:
        """A library alone, without what it depends on."""
        reach = reached(self.graph, target)
        objects = compiled(target, self.operators, aten=bool(reach.in_aten_mode))
        if objects:
            self.toolchain.archive(self._path(target, f"lib{target.label.name}.a"), objects)

    def _program(self, target: Target) -> None:
        link_program(target, self.operators, self._path(target, target.label.name))

    def _selection(self, target: Target) -> None:
        if target.rule == "et_operator_library":
            self._write_selection(target, self.operators.chosen(target))
        else:
            self._write_selection(target, self.operators.union(target, reached(self.graph, target)))

    def _write_selection(self, target: Target, found: Chosen) -> None:
        for name, text in selection_files(found.models, found.selection).items():
            self._path(target, f"{target.label.name}/{name}").write_text(text)

    def _generated(self, target: Target) -> None:
        if target.part == "aot":
            return self._torch_library(target)
        if target.part == "headers":
            for name, text in self.operators.headers(target).items():
                self._path(target, f"include/{self.operators.identifier(target)}/{name}").write_text(text)
            return None
        library = self.operators.library(target)
        shared = [each for each in library.libraries if ".so" in each.suffixes]
        name = target.label.name
        with library.explaining(self.toolchain, REMEDY), self.toolchain.store.scratch() as scratch:
            parts = library_parts(library, scratch / "static", self.toolchain)
            self.toolchain.archive(self._path(target, f"lib{name}.a"), parts)
            if target.part != "static":
                parts = library_parts(library, scratch / "shared", self.toolchain, roots=library.loadable)
                out = self._path(target, f"lib{name}.so")
                self.toolchain.link(out, [*parts, *shared], shared=True, flags=run_paths(shared))
        self._headers(target, library)
        self._write_selection(target, self.operators.union(target, reached(self.graph, target)))
        return None

    def _headers(self, target: Target, library: OperatorLibrary) -> None:
        """Ours once, and what was generated in a folder of the library's name."""
        if "include" not in self.names:
            copy_headers(library, self._path(target, "include"))
        for header in library.generated.glob("*.h"):
            shutil.copy(header, self._path(target, f"include/{library.name}/{header.name}"))

    def _torch_library(self, target: Target) -> None:
        out = self._path(target, f"lib{target.label.name}.so")
        torch_library(target, self.operators, out)

    def _copies(self, target: Target) -> None:
        for name, path in self.files.of(target).items():
            shutil.copy(path, self._path(target, name))
