"""A library that torch.ops.load_library takes: operators of a YAML, or those that C++ defines by TORCH_LIBRARY."""

from pathlib import Path

from tenon.build.buck.evaluate import Target
from tenon.build.buck.operators import Operators
from tenon.build.buck.program import compiled_bridge, run_paths
from tenon.build.buck.reach import Reached, reached
from tenon.build.buck.sources import in_aten_mode
from tenon.build.drive.aten import aten_unit, torch_libraries
from tenon.build.drive.own import own_library
from tenon.build.drive.symbols import defined_functions
from tenon.build.drive.toolchain import Toolchain
from tenon.build.generate import Bound, bind, generate_aot
from tenon.build.select import chosen
from tenon.errors import Invalid
from tenon.ops.table import read_table


def torch_library(target: Target, operators: Operators, out: Path) -> None:
    """exir_custom_ops_aot_lib, or custom_ops_<name> of an executorch_generated_lib. Without kernels, it has stubs."""
    graph, toolchain = operators.graph, operators.toolchain
    toolchain.check_machine(f"{target.where}: {target.label} is for the torch that is installed")
    of_rule = target.rule == "exir_custom_ops_aot_lib"
    kernels = reached(graph, target, ("kernels", "deps") if of_rule else ("custom_ops_aten_kernel_deps",))
    units = [each for each in operators.kernels(kernels) if not isinstance(each, Path)]
    prebuilt = [each for each in operators.kernels(kernels) if isinstance(each, Path)]
    yaml = target.attributes.get("yaml_target" if of_rule else "custom_ops_yaml_target")
    if not yaml and not units:
        raise Invalid(
            f"{target.where}: {target.rule} {target.label} needs yaml_target or kernels: there is nothing in it."
        )
    objects = toolchain.compile([in_aten_mode(unit) for unit in units])
    if yaml:
        bound = _bound(target, yaml, operators, reached(graph, target, ("deps",)))
        files = generate_aot(bound, stubs=not units and not prebuilt, with_context=_with_context(objects, toolchain))
        folder = toolchain.store.texts(files)
        objects += toolchain.compile([aten_unit(folder / name, folder) for name in files if name.endswith(".cpp")])
    objects += compiled_bridge(toolchain)
    runtime = own_library("runtime", toolchain)
    libraries = [*prebuilt, runtime, *torch_libraries()]
    toolchain.link(out, [*objects, *libraries], shared=True, flags=run_paths(libraries))


def _bound(target: Target, yaml: str, operators: Operators, reach: Reached) -> list[Bound]:
    """The custom operators that are selected; all, where nothing selects."""
    every = bind(read_table(operators.files.one(yaml, target)))
    if not reach.selections:
        return every
    return chosen(operators.union(target, reach).selection, every, aten=True)


def _with_context(objects: list[Path], toolchain: Toolchain) -> frozenset[str]:
    """The kernels that have only a form with a context."""
    functions = [each for path in objects for each in defined_functions(path, toolchain.tool("nm"))]
    plain = {each.name for each in functions if not each.has_context}
    return frozenset(each.name for each in functions if each.has_context and each.name not in plain)
