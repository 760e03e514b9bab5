# libtorch, as Python has it. torch's own package is not asked: it looks for a GPU's tools when there was one.

# Sets the variable to torch's folder.
function(get_torch_base_path result)
  if(NOT TORCH_DIR)
    set(question "import importlib.util as u; print(*u.find_spec('torch').submodule_search_locations)")
    _tenon_ask("${PYTHON_EXECUTABLE}" "${question}" found code)
    set(TORCH_DIR "${found}" CACHE PATH "The folder of torch, with include/ and lib/ in it" FORCE)
  endif()
  if(NOT EXISTS "${TORCH_DIR}/include/ATen/ATen.h")
    message(FATAL_ERROR "Tenon: ${PYTHON_EXECUTABLE} has no torch. Install it, or set TORCH_DIR to its folder.")
  endif()
  set(${result} "${TORCH_DIR}" PARENT_SCOPE)
endfunction()

function(add_torch_to_cmake_prefix_path)
  get_torch_base_path(folder)
  list(APPEND CMAKE_PREFIX_PATH "${folder}")
  set(CMAKE_PREFIX_PATH "${CMAKE_PREFIX_PATH}" PARENT_SCOPE)
endfunction()

# Target `torch`, and the variables that torch's own package sets.
macro(find_package_torch)
  _tenon_torch()
  get_torch_base_path(_tenon_folder)
  set(TORCH_INCLUDE_DIRS "${_tenon_folder}/include" "${_tenon_folder}/include/torch/csrc/api/include")
  set(TORCH_LIBRARIES torch)
endmacro()

macro(find_package_torch_headers)
  find_package_torch()
endmacro()

function(_tenon_torch)
  if(TARGET torch)
    return()
  endif()
  get_torch_base_path(folder)
  add_library(torch INTERFACE IMPORTED GLOBAL)
  target_compile_features(torch INTERFACE cxx_std_20)  # torch's headers are in C++20
  target_include_directories(torch SYSTEM INTERFACE "${folder}/include" "${folder}/include/torch/csrc/api/include")
  target_link_libraries(torch INTERFACE "${folder}/lib/libtorch_cpu.so" "${folder}/lib/libc10.so")
endfunction()

# What stands between the runtime and ATen's types: target tenon_aten_tensors what a kernel over them needs, tenon_aten
# also what calls the operators of torch.
function(_tenon_aten)
  if(TARGET tenon_aten)
    return()
  endif()
  _tenon_torch()
  add_library(tenon_aten_tensors STATIC EXCLUDE_FROM_ALL "${TENON_NATIVE}/aten/tensors.cpp")
  target_compile_definitions(tenon_aten_tensors PUBLIC USE_ATEN_LIB)
  target_link_libraries(tenon_aten_tensors PUBLIC tenon::runtime torch)
  add_library(tenon_aten STATIC EXCLUDE_FROM_ALL "${TENON_NATIVE}/aten/operators.cpp")
  target_include_directories(tenon_aten INTERFACE "${TENON_NATIVE}")
  target_link_libraries(tenon_aten PUBLIC tenon_aten_tensors)
  set_target_properties(tenon_aten_tensors tenon_aten PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
