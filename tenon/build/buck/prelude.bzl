# What every BUCK file finds under the names of Buck and of ExecuTorch's .bzl files. The rules themselves are bound above.

def glob(include, exclude = [], **_):
    return _glob(_stack(), include, exclude)

def package_name():
    return _package()

def get_base_path():
    return _package()

def repository_name():
    return "@"

def get_cell_name():
    return "root"

def read_config(section, key, default = None):
    return default

def oncall(*_):
    pass

def host_info():
    return struct(
        os = struct(is_linux = True, is_macos = False, is_windows = False, is_freebsd = False, is_unknown = False),
        arch = struct(
            is_x86_64 = _MACHINE == "x86_64",
            is_aarch64 = _MACHINE == "aarch64",
            is_arm = False,
            is_i386 = False,
            is_unknown = _MACHINE not in ("x86_64", "aarch64"),
        ),
    )

_HOST = ["linux", _MACHINE, "arm64" if _MACHINE == "aarch64" else _MACHINE, "cpu"]

# A choice by platform is made at once, for this host, so that its value is a plain list or text.
def select(choices, *_):
    for word in _HOST:
        for key in choices:
            if word in key.split(":")[-1].split("-"):
                return choices[key]
    if "DEFAULT" in choices:
        return choices["DEFAULT"]
    fail("select() has no DEFAULT and no choice for linux on " + _MACHINE + ", but " + ", ".join(choices))

def select_map(value, function):
    return function(value)

selects = struct(apply = lambda obj, function: function(obj))

_NATIVE = {
    "alias": alias,
    "command_alias": command_alias,
    "cxx_binary": cxx_binary,
    "cxx_library": cxx_library,
    "cxx_python_extension": cxx_python_extension,
    "cxx_test": cxx_test,
    "export_file": export_file,
    "filegroup": filegroup,
    "genrule": genrule,
    "prebuilt_cxx_library": prebuilt_cxx_library,
    "python_binary": python_binary,
    "python_library": python_library,
    "python_test": python_test,
}
_QUESTIONS = {
    "glob": glob,
    "host_info": host_info,
    "package_name": package_name,
    "read_config": read_config,
    "repository_name": repository_name,
    "select": select,
}
native = struct(**(_NATIVE | _QUESTIONS))
fb_native = native
fb_xplat_cxx_library = cxx_library
fb_xplat_cxx_binary = cxx_binary
fb_xplat_cxx_test = cxx_test

def _external_dep_location(name):
    return "//caffe2:torch-cpp" if "torch" in name else "//third-party:" + name

runtime = struct(is_oss = True, external_dep_location = _external_dep_location, **_NATIVE)

APPLE, ANDROID, CXX, FBCODE, IOS, MACOSX, WINDOWS = "Apple", "Android", "CXX", "fbcode", "iOS", "macOS", "Windows"

def get_default_executorch_platforms():
    return [CXX]

def get_executorch_supported_platforms():
    return [CXX]

def is_xplat():
    return False

def is_arvr_mode():
    return False

def get_oss_build_kwargs():
    return {}

def get_aten_mode_options():
    return [True, False]

def struct_to_json(value):
    return json.encode(value)

def get_portable_lib_deps():
    return []

def get_optimized_lib_deps():
    return []

# An operator of a kernel library: a source that is named as its target.
def op_target(name, deps = [], android_deps = [], _allow_third_party_deps = False, _aten_mode_deps = [], compiler_flags = []):
    return {
        "name": name,
        "deps": deps,
        "android_deps": android_deps,
        "_allow_third_party_deps": _allow_third_party_deps,
        "_aten_mode_deps": _aten_mode_deps,
        "compiler_flags": compiler_flags,
    }

def define_op_library(name, deps = [], android_deps = [], aten_target = False, _allow_third_party_deps = False, compiler_flags = []):
    suffix = "_aten" if aten_target else ""
    cxx_library(
        name = name + suffix,
        srcs = [name + ".cpp"],
        deps = ["//executorch/runtime/kernel:kernel_includes" + suffix] + deps,
        compiler_flags = compiler_flags,
    )

def define_op_target(
        name,
        deps = [],
        android_deps = [],
        is_aten_op = True,
        is_et_op = True,
        _allow_third_party_deps = False,
        _aten_mode_deps = [],
        compiler_flags = []):
    if is_et_op:
        define_op_library(name, deps = deps, compiler_flags = compiler_flags)
    if is_aten_op and not is_et_op:
        define_op_library(name, deps = deps + _aten_mode_deps, aten_target = True, compiler_flags = compiler_flags)

def op_test(name, deps = [], kernel_name = "portable", use_kernel_prefix = False):
    source = (kernel_name + "_" if use_kernel_prefix else "") + name + ".cpp"
    cxx_test(name = name, srcs = [source], deps = deps)
