"""What a target links: the libraries, operators and selections that it reaches, each once, users before the used."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tenon.build.buck.evaluate import Target
from tenon.build.buck.external import External, Stands
from tenon.build.buck.graph import Graph
from tenon.errors import Invalid

_LINKED = ("deps", "exported_deps", "kernel_deps")


@dataclass
class Reached:
    """In the order of a walk from the target, which is not in it."""

    libraries: list[Target] = field(default_factory=list)
    generated: list[Target] = field(default_factory=list)
    headers: list[Target] = field(default_factory=list)  # of generated libraries that are not linked
    selections: list[Target] = field(default_factory=list)
    externals: list[External] = field(default_factory=list)

    def stands(self, kind: Stands) -> bool:
        return any(each.stands == kind for each in self.externals)

    @property
    def in_aten_mode(self) -> list[str]:
        """Who asks for ATen's types."""
        generated = [str(each.label) for each in self.generated if each.attributes.get("aten_mode")]
        return [*generated, *(str(each.label) for each in self.externals if each.aten)]


def reached(graph: Graph, target: Target, arguments: Sequence[str] = _LINKED) -> Reached:
    """What is behind these arguments of a target; behind what is found there, all that is linked."""
    found = Reached()
    seen: set[tuple[str, str, str]] = set()

    def walk(user: Target, names: Sequence[str]) -> None:
        for name in names:
            for text in user.attributes.get(name, []):
                node = graph.node(text, user)
                if isinstance(node, External):
                    if node not in found.externals:
                        found.externals.append(node)
                    continue
                # The static form of a library is the library.
                part = "" if node.part == "static" else node.part
                key = (node.label.package, node.attributes["name"], part)
                if key not in seen:
                    seen.add(key)
                    _sort(node, user, found)
                    if part != "headers":
                        walk(node, _LINKED)

    walk(target, arguments)
    if any("torch" in name for each in (target, *found.libraries) for name in _external_deps(each)):
        found.externals.append(External(target.label, Stands.TORCH, aten=True))
    return found


def _external_deps(target: Target) -> list[str]:
    return [*target.attributes.get("external_deps", []), *target.attributes.get("exported_external_deps", [])]


def _sort(node: Target, user: Target, found: Reached) -> None:
    match node.rule, node.part:
        case ("executorch_generated_lib", "headers"):
            found.headers.append(node)
        case ("executorch_generated_lib", "" | "static"):
            found.generated.append(node)
        case ("cxx_library" | "prebuilt_cxx_library", _):
            found.libraries.append(node)
        case ("et_operator_library", _):
            found.selections.append(node)
        case ("executorch_generated_lib" | "exir_custom_ops_aot_lib", _):
            raise Invalid(
                f"{user.where}: {user.rule} {user.label} cannot be linked with {node.label}, which is a library that "
                "torch loads. Depend on the executorch_generated_lib itself."
            )
        case (rule, _) if rule.startswith("python_") or rule == "executorch_ops_check":
            pass
        case (rule, _):
            raise Invalid(
                f"{user.where}: {user.rule} {user.label} depends on {node.label}, which is no library ({rule})."
            )
