"""The targets that one call of a rule makes: some rules make several."""

from collections.abc import Mapping
from typing import Any


def derived(rule: str, attributes: Mapping[str, Any]) -> dict[str, str]:
    """Names of targets, each with the part of the whole that it is; '' is the target that bears the call's name."""
    name = attributes["name"]
    if rule == "executorch_generated_lib":
        return _generated(name, attributes)
    if attributes.get("define_static_target"):
        return {name: "", f"{name}_static": "static"}
    return {name: ""}


def _generated(name: str, attributes: Mapping[str, Any]) -> dict[str, str]:
    custom = attributes.get("custom_ops_yaml_target")
    only_custom = custom and not attributes.get("functions_yaml_target")
    made = {f"{name}_headers": "headers"}
    if not (only_custom and attributes.get("custom_ops_requires_runtime_registration") is False):
        made |= {name: ""}
        if attributes.get("define_static_targets"):
            made |= {f"{name}_static": "static"}
    if custom and attributes.get("custom_ops_requires_aot_registration", True):
        made |= {f"custom_ops_{name}": "aot"}
    return made
