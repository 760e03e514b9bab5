# Functions that projects for ExecuTorch call, and that have little or nothing to do here.

# Kernels register themselves when their library is linked: no linker is told to take the whole of it.
function(executorch_target_link_options_shared_lib target)
endfunction()
function(executorch_kernel_link_options target)
endfunction()
function(executorch_macos_kernel_link_options target)
endfunction()
function(executorch_msvc_kernel_link_options target)
endfunction()

function(target_link_options_gc_sections target)
  target_link_options(${target} PRIVATE -Wl,--gc-sections)
endfunction()

# Sources by target, relative to EXECUTORCH_ROOT, as ExecuTorch's lists are.
macro(executorch_load_build_variables)
  if(NOT EXECUTORCH_ROOT)
    set(EXECUTORCH_ROOT "${TENON_NATIVE}")
  endif()
  foreach(_tenon_list executor_runner:runner portable_kernels:kernels executorch_core:core executorch:exec)
    string(REPLACE ":" ";" _tenon_list "${_tenon_list}")
    list(GET _tenon_list 0 _tenon_name)
    list(GET _tenon_list 1 _tenon_folder)
    file(GLOB _tenon_sources "${TENON_NATIVE}/${_tenon_folder}/*.cpp")
    set(_${_tenon_name}__srcs)
    foreach(_tenon_source IN LISTS _tenon_sources)
      file(RELATIVE_PATH _tenon_source "${EXECUTORCH_ROOT}" "${_tenon_source}")
      list(APPEND _${_tenon_name}__srcs "${_tenon_source}")
    endforeach()
  endforeach()
endmacro()

# Appends a list of sources by ExecuTorch's name of it, such as EXECUTOR_RUNNER_SRCS.
function(executorch_append_filelist name outputvar)
  executorch_load_build_variables()
  string(TOLOWER "${name}" wanted)
  string(REGEX REPLACE "_srcs$" "" wanted "${wanted}")
  if(NOT DEFINED _${wanted}__srcs)
    _tenon_stop(executorch_append_filelist "there is no list ${name} here; there are EXECUTOR_RUNNER_SRCS, \
PORTABLE_KERNELS_SRCS, EXECUTORCH_CORE_SRCS and EXECUTORCH_SRCS.")
  endif()
  set(${outputvar} ${${outputvar}} ${_${wanted}__srcs} PARENT_SCOPE)
endfunction()
