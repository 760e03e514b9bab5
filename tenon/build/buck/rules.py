"""The rules of BUCK files: their arguments, and what each argument must be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tenon.errors import Invalid, near

# What an argument may hold. `files` are paths or labels; a header may be renamed by a dict, a source may carry flags.
KINDS = {
    "text": "a text",
    "flag": "True or False",
    "texts": "a list of texts",
    "label": "the label of a target",
    "labels": "a list of labels",
    "file": "a path or a label",
    "files": "a list of paths or labels",
    "models": "a path or a label, or a list of them",
    "dtypes": "a dict from operators to lists of dtypes",
    "anything": "anything",
}


@dataclass(frozen=True)
class Rule:
    """A rule by name. `arguments` are in the order in which a caller may leave out their names."""

    name: str
    arguments: Mapping[str, str]
    required: tuple[str, ...]
    why_not: str = ""  # a rule that is read, and cannot be built


def _rule(name: str, arguments: str, why_not: str = "") -> Rule:
    """`srcs:files name:text!`: an argument with what it holds, and ! when a call must have it."""
    pairs = (word.rstrip("!").partition(":")[::2] for word in arguments.split())
    required = tuple(word.split(":")[0] for word in arguments.split() if word.endswith("!"))
    return Rule(name, dict(pairs), required, why_not)


_CXX = """
name:text! srcs:files headers:files exported_headers:files raw_headers:files header_namespace:text
deps:labels exported_deps:labels external_deps:texts exported_external_deps:texts
compiler_flags:texts preprocessor_flags:texts exported_preprocessor_flags:texts propagated_pp_flags:texts
linker_flags:texts exported_linker_flags:texts defines:texts
include_directories:texts public_include_directories:texts public_system_include_directories:texts
define_static_target:flag
"""
_GENERATED = """
name:text! functions_yaml_target:file custom_ops_yaml_target:file fallback_yaml_target:file
define_static_targets:flag custom_ops_aten_kernel_deps:labels custom_ops_requires_runtime_registration:flag
custom_ops_requires_aot_registration:flag visibility:anything aten_mode:flag manual_registration:flag
use_default_aten_ops_lib:flag deps:labels xplat_deps:labels fbcode_deps:labels platforms:anything
compiler_flags:texts kernel_deps:labels dtype_selective_build:flag feature:anything compatible_with:anything
expose_operator_symbols:flag support_exceptions:flag include_all_prim_ops:flag
"""
# The documents also write include_all_ops and ops_schema_yaml_path.
_OPERATORS = """
name:text! ops:texts ops_dict:dtypes model:models include_all_operators:flag ops_schema_yaml_target:file
server_generated_yaml_target:file include_all_ops:flag ops_schema_yaml_path:file define_static_targets:flag
"""
_PYTHON = "it holds Python, and is there when Python runs: nothing is built of it"

RULES = {
    rule.name: rule
    for rule in (
        _rule("cxx_library", _CXX),
        _rule("cxx_binary", _CXX),
        _rule("cxx_test", _CXX),
        _rule(
            "prebuilt_cxx_library",
            "name:text! static_lib:file static_pic_lib:file shared_lib:file header_dirs:texts header_only:flag "
            "exported_headers:files header_namespace:text deps:labels exported_deps:labels "
            "exported_preprocessor_flags:texts",
        ),
        _rule("export_file", "name:text! src:file mode:text out:text"),
        _rule("filegroup", "name:text! srcs:files"),
        _rule("genrule", "name:text! cmd:text bash:text srcs:files out:text outs:anything default_outs:texts"),
        _rule("command_alias", "name:text! exe:label! args:texts env:anything"),
        _rule("alias", "name:text! actual:label!"),
        _rule("et_operator_library", _OPERATORS),
        _rule("executorch_generated_lib", _GENERATED),
        _rule(
            "exir_custom_ops_aot_lib",
            "name:text! yaml_target:file visibility:anything kernels:labels deps:labels compiler_flags:texts "
            "define_static_target:flag support_exceptions:flag platforms:anything",
        ),
        _rule("executorch_ops_check", "name:text! deps:labels!"),
        _rule("selected_operators_genrule", "name:text! deps:labels! platforms:anything"),
        _rule("python_library", "name:text! srcs:files deps:labels base_module:text resources:anything", _PYTHON),
        _rule(
            "python_binary",
            "name:text! srcs:files deps:labels main_module:text main_function:text main_src:file",
            _PYTHON,
        ),
        _rule("python_test", "name:text! srcs:files deps:labels", _PYTHON),
        _rule(
            "cxx_python_extension",
            f"{_CXX} base_module:text module_name:text",
            "an extension of Python is not built here. Build a shared library with exir_custom_ops_aot_lib, "
            "or one call of tenon.ops.load_inline",
        ),
        *(
            _rule(name, "name:text", "Tenon keeps what it makes inside executorch_generated_lib. Depend on that target")
            for name in (
                "selected_prim_operators_genrule dtype_header_genrule build_portable_header_lib build_portable_lib "
                "build_optimized_lib check_recursive_dependencies copy_files prim_ops_registry_selective "
                "generated_op_test define_supported_features_lib codegen_function_header_wrapper"
            ).split()
        ),
    )
}

# Arguments of every rule that say nothing about what is built on this host.
_IDLE = set(
    """visibility within_view labels licenses metadata contacts oncall platforms feature features tests tests_deps
    compatible_with target_compatible_with exec_compatible_with default_target_platform default_host_platform
    link_whole link_style link_group preferred_linkage force_static soname reexport_all_header_dependencies
    modular_headers supports_merged_linking can_be_asset use_link_groups supports_python_dlopen allow_jemalloc env
    args type cacheable executable strip precompiled_header autoglob tests_only compiler_specific_flags
    lang_compiler_flags lang_preprocessor_flags version_universe run_test_separately use_instrumentation timeout
    resources remote allow_cache_upload supported_platforms thin_lto enable_distributed_thinlto tags typing
    """.split()
)
_IDLE_PREFIXES = (
    "_ android_ apple_ arvr_ cuda_ cxx_ fbandroid_ fbcode_ fbobjc_ ios_ macosx_ platform_ windows_ xplat_".split()
)


def checked(rule: Rule, positional: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call that mean something, each of its kind. The first that is wrong is an error."""
    if len(positional) > len(rule.arguments):
        raise Invalid(f"{rule.name} takes {len(rule.arguments)} arguments, and {len(positional)} came without a name.")
    given = dict(zip(rule.arguments, positional, strict=False))
    doubled = next((name for name in named if name in given), None)
    if doubled is not None:
        raise Invalid(f"{rule.name} has its argument {doubled} twice, once without a name.")
    given |= named
    who = f"{rule.name} {given['name']}" if isinstance(given.get("name"), str) else rule.name
    missing = [name for name in rule.required if given.get(name) is None]
    if missing:
        raise Invalid(f"{who} needs the argument {' and '.join(missing)}.")
    if not rule.why_not:
        _refuse_unknown(rule, who, given)
    kept = {name: value for name, value in given.items() if name in rule.arguments and value is not None}
    for name, value in kept.items():
        kept[name] = _of_kind(rule.arguments[name], value, f"{who}: {name}")
    if "name" in kept and (not kept["name"] or any(mark in kept["name"] for mark in ":[]")):
        raise Invalid(f"{rule.name}: {kept['name']!r} cannot name a target.")
    return kept


def _refuse_unknown(rule: Rule, who: str, given: Mapping[str, Any]) -> None:
    for name in given:
        if name not in rule.arguments and name not in _IDLE and not name.startswith(tuple(_IDLE_PREFIXES)):
            known = [*rule.arguments, *_IDLE]
            raise Invalid(f"{who} has no argument {name}.{near(name, known)}")


def _of_kind(kind: str, value: Any, what: str) -> Any:
    match kind:
        case "text" | "label" | "file":
            good = isinstance(value, str)
        case "flag":
            good = isinstance(value, bool)
        case "texts" | "labels":
            good = _are_texts(value)
        case "files":
            good = _flagged(value) or (isinstance(value, dict) and _are_texts(list(value.values())))
        case "models":
            value = [value] if isinstance(value, str) else value
            good = _are_texts(value)
        case "dtypes":
            good = isinstance(value, dict) and all(_are_texts(dtypes) for dtypes in value.values())
        case _:
            good = True
    if not good:
        hint = f" Write [{_shown(value)}]." if isinstance(value, str) and kind in ("texts", "labels", "files") else ""
        raise Invalid(f"{what} is {_shown(value)}, and must be {KINDS[kind]}.{hint}")
    return value


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _flagged(value: Any) -> bool:
    """A list in which a source may be a pair of its path and its flags."""
    return isinstance(value, list) and all(
        isinstance(item, str)
        or (isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) and _are_texts(item[1]))
        for item in value
    )


def _shown(value: Any) -> str:
    words = f'"{value}"' if isinstance(value, str) else repr(value)
    return words if len(words) <= 60 else f"{words[:57]}..."
