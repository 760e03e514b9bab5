# Target executorch_kernels: all of Tenon's kernels, or those that one of these variables selects.
#
#   EXECUTORCH_SELECT_OPS_LIST      aten::add.out,aten::mul.out
#   EXECUTORCH_SELECT_OPS_MODEL     a program
#   EXECUTORCH_SELECT_OPS_YAML      a YAML of operators
#   EXECUTORCH_ENABLE_DTYPE_SELECTIVE_BUILD   with a model, only its dtypes
if(TARGET executorch_kernels)
  return()
endif()

set(_tenon_selected)
foreach(_tenon_name LIST MODEL YAML)
  if(EXECUTORCH_SELECT_OPS_${_tenon_name})
    list(APPEND _tenon_selected EXECUTORCH_SELECT_OPS_${_tenon_name})
  endif()
endforeach()
list(LENGTH _tenon_selected _tenon_count)
if(_tenon_count GREATER 1)
  list(JOIN _tenon_selected " and " _tenon_selected)
  message(FATAL_ERROR "Tenon: ${_tenon_selected} are both set, and one selects the operators of executorch_kernels. \
For their union, call et_operator_library for each.")
endif()
if(EXECUTORCH_ENABLE_DTYPE_SELECTIVE_BUILD AND NOT EXECUTORCH_SELECT_OPS_MODEL)
  message(FATAL_ERROR "Tenon: EXECUTORCH_ENABLE_DTYPE_SELECTIVE_BUILD takes dtypes from a model. Set \
EXECUTORCH_SELECT_OPS_MODEL.")
endif()

add_library(executorch_kernels INTERFACE)
if(NOT _tenon_selected)
  target_link_libraries(executorch_kernels INTERFACE portable_ops_lib)
  return()
endif()
string(REPLACE "," ";" _tenon_ops "${EXECUTORCH_SELECT_OPS_LIST}")
et_operator_library(NAME executorch_selected_ops
  OPS ${_tenon_ops} MODEL ${EXECUTORCH_SELECT_OPS_MODEL} OPS_SCHEMA_YAML ${EXECUTORCH_SELECT_OPS_YAML})
set(_tenon_dtypes)
if(EXECUTORCH_ENABLE_DTYPE_SELECTIVE_BUILD)
  set(_tenon_dtypes DTYPE_SELECTIVE_BUILD)
endif()
executorch_generated_lib(NAME executorch_selected_kernels DEPS executorch_selected_ops ${_tenon_dtypes})
target_link_libraries(executorch_kernels INTERFACE executorch_selected_kernels)
