# The runtime and its kernels, and the names by which a project for ExecuTorch links them.

set(TENON_NATIVE "${TENON_CMAKE}/../native")
if(NOT EXISTS "${TENON_NATIVE}/lib")  # in a checkout, the libraries are where Python has them
  set(_tenon_question "import importlib.util as u; print(u.find_spec('tenon._native').origin)")
  _tenon_ask("${PYTHON_EXECUTABLE}" "${_tenon_question}" _tenon_extension _tenon_result)
  get_filename_component(TENON_NATIVE "${_tenon_extension}/../native" ABSOLUTE)
  if(NOT EXISTS "${TENON_NATIVE}/lib")
    message(FATAL_ERROR "Tenon: ${PYTHON_EXECUTABLE} has no libraries of Tenon. Install it again.")
  endif()
endif()
get_filename_component(TENON_NATIVE "${TENON_NATIVE}" REALPATH)
set(TENON_FUNCTIONS_YAML "${TENON_NATIVE}/kernels/functions.yaml")
set(TENON_CUSTOM_OPS_YAML "${TENON_NATIVE}/kernels/custom_ops.yaml")

if(TENON_OPTIMIZE AND NOT TENON_OPTIMIZE MATCHES "^(size|speed)$")
  message(FATAL_ERROR "Tenon: TENON_OPTIMIZE is ${TENON_OPTIMIZE}; there is size and speed.")
endif()
if(TENON_OPTIMIZE)
  set(TENON_KIND ${TENON_OPTIMIZE})
elseif(CMAKE_BUILD_TYPE STREQUAL MinSizeRel)
  set(TENON_KIND size)
else()
  set(TENON_KIND speed)
endif()
# What goes with the libraries is compiled as they were.
file(STRINGS "${TENON_NATIVE}/lib/${TENON_KIND}/flags.txt" TENON_FLAGS)

if(TARGET tenon::runtime)
  return()
endif()

foreach(_tenon_name runtime kernels runner)
  add_library(tenon::${_tenon_name} STATIC IMPORTED GLOBAL)
  set_target_properties(tenon::${_tenon_name} PROPERTIES
    IMPORTED_LOCATION "${TENON_NATIVE}/lib/${TENON_KIND}/libtenon_${_tenon_name}.a"
    IMPORTED_LINK_INTERFACE_LANGUAGES CXX)
endforeach()
target_include_directories(tenon::runtime INTERFACE "${TENON_NATIVE}/include")
target_compile_features(tenon::runtime INTERFACE cxx_std_17)
target_link_options(tenon::runtime INTERFACE -Wl,--gc-sections)
target_link_libraries(tenon::kernels INTERFACE tenon::runtime)
target_link_libraries(tenon::runner INTERFACE tenon::runtime)
target_sources(tenon::runner INTERFACE "${TENON_CMAKE}/runner.cpp")

# Loaders, modules and tensors are in the runtime, and not libraries of their own.
foreach(_tenon_name executorch executorch_core extension_data_loader extension_flat_tensor extension_evalue_util
    extension_runner_util extension_module extension_module_static extension_tensor)
  add_library(${_tenon_name} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(${_tenon_name} INTERFACE tenon::runtime)
endforeach()
add_library(portable_kernels INTERFACE IMPORTED GLOBAL)
target_link_libraries(portable_kernels INTERFACE tenon::kernels)

# All kernels, registered.
add_library(portable_ops_lib STATIC EXCLUDE_FROM_ALL "${TENON_CMAKE}/portable_ops_lib.cpp")
target_compile_options(portable_ops_lib PRIVATE ${TENON_FLAGS})
target_link_libraries(portable_ops_lib PUBLIC tenon::kernels)
target_link_options(portable_ops_lib INTERFACE -Wl,-u,tenon_register_portable_ops_lib)
