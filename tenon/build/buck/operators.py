"""The rules of ExecuTorch: et_operator_library to a selection, executorch_generated_lib to an operator library."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tenon.build import installed
from tenon.build.buck.evaluate import Target
from tenon.build.buck.external import External, Stands
from tenon.build.buck.files import Files
from tenon.build.buck.graph import Graph
from tenon.build.buck.reach import Reached, reached
from tenon.build.buck.sources import Sources
from tenon.build.drive.library import OperatorLibrary, operator_library
from tenon.build.drive.toolchain import Toolchain, Unit
from tenon.build.generate import Bound, bind, generate
from tenon.build.select import (
    Selection,
    chosen,
    of_dict,
    of_everything,
    of_list,
    of_model,
    of_yaml,
    read_selection,
    union,
)
from tenon.errors import Invalid, Unsupported, listing, plural
from tenon.ops.table import Row, merged, read_table

_INPUTS = """ops ops_dict model include_all_operators include_all_ops ops_schema_yaml_target ops_schema_yaml_path
server_generated_yaml_target""".split()
_PORTABLE = "torch::executor::native"  # where ExecuTorch's own kernels are, which ours stand for


@dataclass(frozen=True)
class Chosen:
    """What is selected by the targets that a generated library depends on, and by which model each part."""

    selection: Selection
    models: tuple[tuple[str, Selection], ...]


class Operators:
    """Selections and operator libraries of a graph, each made once."""

    def __init__(self, graph: Graph, files: Files, sources: Sources, toolchain: Toolchain) -> None:
        self.graph, self.files, self.sources, self.toolchain = graph, files, sources, toolchain
        self._libraries: dict[tuple[str, str, bool], OperatorLibrary] = {}

    def chosen(self, target: Target) -> Chosen:
        """What an et_operator_library selects."""
        given = target.attributes
        asked = [name for name in _INPUTS if given.get(name)]
        if not asked:
            raise Invalid(
                f"{target.where}: et_operator_library {target.label} selects nothing. "
                "Give it ops, ops_dict, model, ops_schema_yaml_target or include_all_operators = True."
            )
        origin = f"{target.label} at {target.where}"
        if "server_generated_yaml_target" in asked:
            if len(asked) > 1:
                raise Invalid(
                    f"{target.where}: et_operator_library {target.label} takes either server_generated_yaml_target or "
                    f"{' and '.join(name for name in asked if name != 'server_generated_yaml_target')}, not both."
                )
            return Chosen(read_selection(self.files.one(given["server_generated_yaml_target"], target)), ())
        models = [self.files.one(text, target) for text in given.get("model", [])]
        by_model = tuple((str(path), of_model(path)) for path in models)
        parts = [selection for _, selection in by_model]
        parts += [of_list(given.get("ops", []), origin), of_dict(_dtypes(given.get("ops_dict", {})), origin)]
        for name in ("ops_schema_yaml_target", "ops_schema_yaml_path"):
            if name in asked:
                parts.append(of_yaml(self.files.one(given[name], target)))
        if given.get("include_all_operators") or given.get("include_all_ops"):
            parts.append(of_everything())
        return Chosen(union(parts), by_model)

    def union(self, target: Target, reach: Reached) -> Chosen:
        """What all that a generated library depends on selects."""
        if not reach.selections:
            raise Invalid(
                f"{target.where}: {target.rule} {target.label} has no et_operator_library among its deps, so that "
                'nothing would be registered. For all operators, add et_operator_library(name = "all_ops", '
                "include_all_operators = True)."
            )
        all_of_them = [self.chosen(each) for each in reach.selections]
        models = tuple(pair for each in all_of_them for pair in each.models)
        return Chosen(union(each.selection for each in all_of_them), models)

    def rows(self, target: Target, reach: Reached) -> list[Row]:
        """The rows that a generated library selects from; without a YAML, Tenon's own."""
        given = target.attributes
        tables = {
            name: read_table(self.files.one(given[f"{name}_yaml_target"], target))
            for name in ("functions", "custom_ops", "fallback")
            if given.get(f"{name}_yaml_target")
        }
        if given.get("aten_mode"):
            if "functions" in tables:
                raise Invalid(
                    f"{target.where}: {target.rule} {target.label} has aten_mode, where the kernels are torch's, and "
                    "functions_yaml_target, which names others. Leave one of them out."
                )
            return tables.get("custom_ops", [])
        if "functions" not in tables and "custom_ops" not in tables:
            return merged(tables.get("fallback", []), installed.own_rows())
        rows = merged(tables.get("custom_ops", []), tables.get("functions", []))
        rows = merged(rows, tables.get("fallback", []))
        return _with_own_kernels(rows) if reach.stands(Stands.KERNELS) else rows

    def library(self, target: Target) -> OperatorLibrary:
        """An executorch_generated_lib, with the kernel libraries that it depends on compiled in."""
        given = target.attributes
        key = (target.label.package, given["name"], bool(given.get("aten_mode")))
        if key not in self._libraries:
            reach = reached(self.graph, target)
            self._check(target, reach)
            self._libraries[key] = operator_library(
                self.union(target, reach).selection,
                self.rows(target, reach),
                name=self.identifier(target),
                kernels=self.kernels(reach),
                mode="aten" if given.get("aten_mode") else "lean",
                dtype=bool(given.get("dtype_selective_build")),
                manual=bool(given.get("manual_registration")),
                every_prim=bool(given.get("include_all_prim_ops", True)),
                toolchain=self.toolchain,
            )
        return self._libraries[key]

    def standing_for(self, external: External) -> OperatorLibrary:
        """All operators there are, for a label such as //executorch/kernels/portable:generated_lib."""
        name = "aten_operators" if external.aten else "portable_operators"
        key = ("", name, external.aten)
        if key not in self._libraries:
            self._libraries[key] = operator_library(
                of_everything(),
                [] if external.aten else installed.own_rows(),
                name=name,
                mode="aten" if external.aten else "lean",
                every_prim=True,
                toolchain=self.toolchain,
            )
        return self._libraries[key]

    def kernels(self, reach: Reached) -> list[Path | Unit]:
        """The sources and prebuilt libraries of what is reached."""
        found: list[Path | Unit] = []
        for library in reach.libraries:
            if library.rule == "prebuilt_cxx_library":
                found += self.prebuilt(library)
            else:
                behind = reached(self.graph, library)
                found += self.sources.units(library, behind, self.header_folders(behind))
        return found

    def prebuilt(self, target: Target) -> list[Path]:
        names = ("static_lib", "static_pic_lib", "shared_lib")
        given = [self.files.one(target.attributes[name], target) for name in names if name in target.attributes]
        return given[:1]

    def header_folders(self, reach: Reached) -> tuple[Path, ...]:
        """Headers that are generated for libraries that are not linked: kernels may include those of their own."""
        made = [self.headers(each) for each in reach.headers]
        return tuple(self.toolchain.store.texts(files) for files in made)

    def headers(self, target: Target) -> dict[str, str]:
        """The headers of an executorch_generated_lib by name, without compiling anything."""
        aten = bool(target.attributes.get("aten_mode"))
        manual = bool(target.attributes.get("manual_registration"))
        files = generate(
            self.bound(target), self.identifier(target), registration="manual" if manual else "static", aten=aten
        )
        return {name: text for name, text in files.items() if name.endswith(".h")}

    def bound(self, target: Target) -> list[Bound]:
        reach = reached(self.graph, target, ("deps",))
        rows = self.rows(target, reached(self.graph, target, ("deps",)))
        return chosen(self.union(target, reach).selection, bind(rows), aten=bool(target.attributes.get("aten_mode")))

    def _check(self, target: Target, reach: Reached) -> None:
        given = target.attributes
        who = f"{target.where}: {target.rule} {target.label}"
        aten = [name for name in reach.in_aten_mode if name != str(target.label)]
        if aten and not given.get("aten_mode"):
            raise Invalid(
                f"{who} is for lean mode, and depends on {aten[0]}, which is for ATen mode. Set aten_mode = True."
            )
        if given.get("expose_operator_symbols") and not given.get("dtype_selective_build"):
            raise Invalid(f"{who} has expose_operator_symbols, which needs dtype_selective_build = True.")
        if not given.get("dtype_selective_build"):
            return
        if given.get("aten_mode"):
            raise Unsupported(
                f"{who}: torch's kernels cannot be built for some dtypes only. Leave out one of "
                "dtype_selective_build and aten_mode."
            )
        named = given.get("functions_yaml_target") or given.get("custom_ops_yaml_target")
        if named and not reached(self.graph, target, ("kernel_deps",)).stands(Stands.KERNELS):
            raise Invalid(
                f"{who}: dtype_selective_build compiles //executorch/kernels/portable:operators for the selected "
                "dtypes, and kernel_deps does not have it."
            )

    def identifier(self, target: Target) -> str:
        """The name of a library in C++: with its folder where two have one name."""
        name = target.attributes["name"]
        same = {t.label.package for t in self.graph.targets if t.rule == target.rule and t.attributes["name"] == name}
        whole = name if len(same) == 1 else f"{target.label.package}_{name}"
        plain = re.sub(r"\W", "_", whole, flags=re.ASCII)
        return plain if plain.isidentifier() else f"_{plain}"

    def check_overlap(self, target: Target) -> None:
        """executorch_ops_check: no two of the libraries it depends on have one operator."""
        homes: dict[str, list[str]] = {}
        for library in reached(self.graph, target).generated:
            for op in {bound.row.op for bound in self.bound(library)}:
                homes.setdefault(op, []).append(str(library.label))
        double = [f"{op}  in {' and '.join(labels)}" for op, labels in sorted(homes.items()) if len(labels) > 1]
        if double:
            raise Invalid(
                listing(f"{target.where}: {plural(len(double), 'operator')} in more than one library.", double)
            )


def _dtypes(wanted: dict[str, Sequence[str]]) -> dict[str, list[str]]:
    """ExecuTorch's macro spells one dtype in a way of its own."""
    return {op: ["UInt64" if name == "Uint64" else name for name in names] for op, names in wanted.items()}


def _with_own_kernels(rows: Sequence[Row]) -> list[Row]:
    """Rows that name kernels of ExecuTorch's portable library are bound to ours for the same operator."""
    own = {row.op: row for row in installed.own_rows()}
    return [
        replace(row, kernel=own[row.op].kernel) if row.kernel.namespace == _PORTABLE and row.op in own else row
        for row in rows
    ]
