"""Labels of ExecuTorch and torch that BUCK files depend on, and what stands for them here."""

import re
from dataclasses import dataclass
from enum import Enum

from tenon.build.buck.labels import Label
from tenon.errors import Invalid, near


class Stands(Enum):
    """What a label of another project is here."""

    RUNTIME = "the runtime and its headers"
    RUNNER = "main() of tenon_run"
    KERNELS = "Tenon's kernels, not registered"
    OPERATORS = "Tenon's kernels, all registered"
    FUNCTIONS_YAML = "the rows of Tenon's kernels for operators of torch"
    CUSTOM_OPS_YAML = "the rows of Tenon's kernels for operators of its own"
    TORCH = "libtorch and its headers"


@dataclass(frozen=True)
class External:
    """A label outside the workspace. `aten` when it stands for the ATen-mode half."""

    label: Label
    stands: Stands
    aten: bool = False


_RUNTIME = """
runtime/executor:program runtime/executor:program_no_prim_ops runtime/executor:method_meta
runtime/executor:memory_manager runtime/executor:tensor_parser runtime/executor:pte_data_map
runtime/executor:merged_data_map runtime/core:core runtime/core:evalue runtime/core:memory_allocator
runtime/core:event_tracer runtime/core:freeable_buffer runtime/core:tag runtime/core:tensor_shape_dynamism
runtime/core:tensor_layout runtime/core:named_data_map runtime/core/exec_aten:lib
runtime/core/exec_aten/util:tensor_util runtime/core/exec_aten/util:scalar_type_util
runtime/core/exec_aten/util:dim_order_util runtime/core/exec_aten/util:tensor_dimension_limit
runtime/core/portable_type:portable_type runtime/core/portable_type:scalar_type runtime/kernel:kernel_includes
runtime/kernel:kernel_runtime_context runtime/kernel:operator_registry
runtime/kernel:operator_registry_MAX_NUM_KERNELS_TEST_ONLY runtime/kernel:thread_parallel_interface
runtime/backend:interface runtime/platform:platform runtime/platform:compiler runtime/platform:platform_private
schema:program schema:extended_header extension/data_loader:file_data_loader
extension/data_loader:buffer_data_loader extension/data_loader:mmap_data_loader
extension/data_loader:shared_ptr_data_loader extension/data_loader:file_descriptor_data_loader
extension/runner_util:inputs extension/evalue_util:print_evalue extension/module:module extension/tensor:tensor
extension/memory_allocator:malloc_memory_allocator extension/memory_allocator:cpu_caching_malloc_allocator
extension/kernel_util:kernel_util extension/aten_util:aten_bridge extension/flat_tensor:flat_tensor_data_map
extension/parallel:thread_parallel extension/threadpool:threadpool codegen:macros codegen/tools:selective_build
kernels/prim_ops:prim_ops_registry kernels/portable/cpu:scalar_utils kernels/portable/cpu:vec_ops
kernels/portable/cpu:selective_build kernels/portable/cpu/util:all_deps kernels/portable/cpu/util:broadcast_util
kernels/portable/cpu/util:elementwise_util kernels/portable/cpu/util:dtype_util
kernels/portable/cpu/util:reduce_util kernels/portable/cpu/util:kernel_ops_util
kernels/portable/cpu/util:functional_util kernels/portable/cpu/util:copy_ops_util
kernels/portable/cpu/util:index_util kernels/portable/cpu/util:activation_ops_util
kernels/portable/cpu/util:math_util kernels/portable/cpu/pattern:all_deps kernels/portable/cpu/pattern:pattern
kernels/portable:generated_lib_headers kernels/optimized:generated_lib_headers kernels/aten:generated_lib_headers
""".split()
_KNOWN = {
    **dict.fromkeys(_RUNTIME, Stands.RUNTIME),
    "examples/portable/executor_runner:executor_runner_lib": Stands.RUNNER,
    "examples/portable/executor_runner:executor_runner": Stands.RUNNER,
    "kernels/portable:operators": Stands.KERNELS,
    "kernels/portable/cpu:cpu": Stands.KERNELS,
    "kernels/optimized:optimized_operators": Stands.KERNELS,
    "kernels/portable:generated_lib": Stands.OPERATORS,
    "kernels/portable:generated_lib_all_ops": Stands.OPERATORS,
    "kernels/optimized:generated_lib": Stands.OPERATORS,
    "configurations:optimized_native_cpu_ops": Stands.OPERATORS,
    "kernels/aten:generated_lib": Stands.OPERATORS,
    "kernels/portable:functions.yaml": Stands.FUNCTIONS_YAML,
    "kernels/optimized:optimized.yaml": Stands.FUNCTIONS_YAML,
    "kernels/portable:custom_ops.yaml": Stands.CUSTOM_OPS_YAML,
}
_TORCH = re.compile(r"(torch|libtorch|_?ATen|c10)\b.*", re.IGNORECASE)
_OPERATOR = re.compile(r"kernels/(portable|optimized)/cpu:op_\w+")


def external(label: Label) -> External | None:
    """What stands for a label that is not in the workspace; None when it belongs to no project that is known here."""
    parts = label.package.split("/")
    if parts[0] in ("caffe2", "pytorch") or (parts[0] == "third-party" and _TORCH.fullmatch(label.name)):
        return External(label, Stands.TORCH, aten=True)
    inside = _in_executorch(label)
    if inside is None:
        return None
    plain = inside.removesuffix("_static")
    aten = plain.endswith("_aten") or plain.startswith("kernels/aten:")
    stands = _KNOWN.get(plain) or _KNOWN.get(plain.removesuffix("_aten"))
    if _OPERATOR.fullmatch(plain):
        stands = Stands.KERNELS
    if stands is None:
        hint = near(f"//executorch/{inside}", [f"//executorch/{known}" for known in _KNOWN])
        raise Invalid(f"Tenon has nothing that stands for {label}.{hint}")
    return External(label, stands, aten)


def _in_executorch(label: Label) -> str | None:
    """`runtime/executor:program` of //executorch/..., //xplat/executorch/..., executorch//..."""
    package = label.package.removeprefix("xplat/")
    if package == "executorch" or package.startswith("executorch/"):
        return f"{package.removeprefix('executorch').lstrip('/')}:{label.name}"
    return f"{package}:{label.name}" if label.cell == "executorch" else None
