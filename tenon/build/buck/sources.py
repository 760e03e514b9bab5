"""C++ libraries and programs as units to compile: their sources, where headers are found, and flags."""

import os
from dataclasses import replace
from pathlib import Path

from tenon.build import installed
from tenon.build.buck.evaluate import Target
from tenon.build.buck.files import Files
from tenon.build.buck.graph import Graph, is_label
from tenon.build.buck.reach import Reached
from tenon.build.drive.aten import aten_unit
from tenon.build.drive.library import SOURCES
from tenon.build.drive.toolchain import Toolchain, Unit
from tenon.errors import Invalid

_OWN_FLAGS = ("preprocessor_flags", "exported_preprocessor_flags", "propagated_pp_flags", "compiler_flags")
_EXPORTED_FLAGS = ("exported_preprocessor_flags", "propagated_pp_flags")


class Sources:
    """Units of the C++ targets of a graph. `generated` are folders of headers that the build has made."""

    def __init__(self, graph: Graph, files: Files, toolchain: Toolchain) -> None:
        self.graph = graph
        self.files = files
        self.toolchain = toolchain

    def units(self, target: Target, reach: Reached, generated: tuple[Path, ...] = ()) -> list[Unit]:
        """A unit for each source, for lean mode; `aten` makes those for ATen mode of them."""
        own = self.includes(target, ("headers", "raw_headers"))
        exported = [folder for each in (target, *reach.libraries) for folder in self.exported(each)]
        # Last, so that a folder of the workspace that is named like ours does not hide it.
        includes = (*own, *exported, *generated, installed.include(), self.graph.workspace.root)
        flags = [flag for name in _OWN_FLAGS for flag in target.attributes.get(name, [])]
        flags += [
            flag for each in reach.libraries for name in _EXPORTED_FLAGS for flag in each.attributes.get(name, [])
        ]
        defines = tuple(target.attributes.get("defines", []))
        per_source = self._flags_of_sources(target)
        return [
            Unit(path, tuple(dict.fromkeys(includes)), defines, (*flags, *per_source.get(name, ())))
            for name, path in self.files.sources(target).items()
            if self._is_compiled(path, target)
        ]

    def exported(self, target: Target) -> list[Path]:
        """The folders in which those who depend on a library find its headers."""
        return self.includes(target, ("exported_headers",))

    def includes(self, target: Target, arguments: tuple[str, ...]) -> list[Path]:
        package = self.graph.workspace.root / target.label.package
        exported = ["public_include_directories", "public_system_include_directories", "header_dirs"]
        names = ["include_directories"] if "headers" in arguments else exported
        folders = [package / folder for name in names for folder in target.attributes.get(name, [])]
        namespace = target.attributes.get("header_namespace", target.label.package)
        for argument in arguments:
            headers = self.files.sources(target, argument)
            if headers:
                folders.append(self._renamed(headers, namespace, target))
        return folders

    def _renamed(self, headers: dict[str, Path], namespace: str, target: Target) -> Path:
        """Headers under the names by which they are included. Each includes the real one, so that errors name that."""
        texts = {
            os.path.normpath(os.path.join(namespace, name)): f'#include "{path}"\n' for name, path in headers.items()
        }
        outside = next((name for name in texts if os.path.isabs(name) or name.startswith("..")), None)
        if outside:
            raise Invalid(f"{target.where}: {target.rule} {target.label}: a header cannot be included as {outside}.")
        return self.toolchain.store.texts(texts)

    def _flags_of_sources(self, target: Target) -> dict[str, tuple[str, ...]]:
        pairs = (item for item in target.attributes.get("srcs", []) if not isinstance(item, str))
        return {path: tuple(flags) for path, flags in pairs if not is_label(path)}

    def _is_compiled(self, path: Path, target: Target) -> bool:
        if path.suffix in SOURCES:
            return True
        if path.suffix in (".h", ".hpp", ".inc", ".inl", ".txt", ".md"):
            return False
        raise Invalid(
            f"{target.where}: {target.rule} {target.label}: {path.name} is no C++ source ({', '.join(SOURCES)})."
        )


def in_aten_mode(unit: Unit) -> Unit:
    """The same source over ATen's types."""
    aten = aten_unit(unit.source, *unit.includes)
    return replace(aten, defines=(*aten.defines, *unit.defines), flags=(*aten.flags, *unit.flags))
