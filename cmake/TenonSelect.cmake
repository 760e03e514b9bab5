# Which operators a library has: selections, their union, and what is made of them.

# Writes FOLDER/selected_operators.yaml from models, names, YAML and selections of others, whatever is given.
function(_tenon_selection who folder)
  cmake_parse_arguments(PARSE_ARGV 2 GEN "EVERYTHING" "SCHEMA;DICT" "OPS;MODELS;SELECTIONS")
  if(NOT (GEN_EVERYTHING OR GEN_SCHEMA OR GEN_DICT OR GEN_OPS OR GEN_MODELS OR GEN_SELECTIONS))
    _tenon_stop(${who} "no operator is selected, so that none would be registered. Give a list of operators, a model, \
a YAML of operators, or INCLUDE_ALL_OPS.")
  endif()
  set(arguments)
  if(GEN_EVERYTHING)
    list(APPEND arguments --include-all-operators)
  endif()
  foreach(model IN LISTS GEN_MODELS)
    list(APPEND arguments "--model_file_path=${model}")
  endforeach()
  foreach(selection IN LISTS GEN_SELECTIONS)
    list(APPEND arguments "--model-file-list-path=${selection}")
  endforeach()
  if(GEN_SCHEMA)
    list(APPEND arguments "--ops_schema_yaml_path=${GEN_SCHEMA}")
  endif()
  if(GEN_OPS)
    string(REPLACE ";" "," names "${GEN_OPS}")
    list(APPEND arguments "--root_ops=${names}")
  endif()
  if(GEN_DICT)
    list(APPEND arguments "--ops_dict=${GEN_DICT}")
  endif()
  file(MAKE_DIRECTORY "${folder}")
  get_filename_component(name "${folder}" NAME)
  _tenon_command(
    OUTPUT "${folder}/selected_operators.yaml"
    ARGUMENTS select "--output_path=${folder}" ${arguments}
    DEPENDS ${GEN_MODELS} ${GEN_SCHEMA} ${GEN_SELECTIONS}
    SAYS "Selecting the operators of ${name}")
endfunction()

# The union of selections; of one, a copy.
function(_tenon_union who folder)
  list(LENGTH ARGN count)
  if(count GREATER 1)
    _tenon_selection("${who}" "${folder}" SELECTIONS ${ARGN})
    return()
  endif()
  get_filename_component(from "${ARGN}" DIRECTORY)
  get_filename_component(name "${folder}" NAME)
  add_custom_command(
    OUTPUT "${folder}/selected_operators.yaml"
    COMMAND "${CMAKE_COMMAND}" -E copy_directory "${from}" "${folder}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/selected_operators.yaml"
    DEPENDS ${ARGN}
    COMMENT "Selecting the operators of ${name}" VERBATIM)
endfunction()

# FOLDER/selected_op_variants.h, also by the name that kernels include it by.
function(_tenon_dtype_header folder)
  file(WRITE "${folder}/executorch/kernels/portable/cpu/selected_op_variants.h"
    "#pragma once\n#include \"../../../../selected_op_variants.h\"\n")
  _tenon_command(
    OUTPUT "${folder}/selected_op_variants.h"
    ARGUMENTS select "--yaml-file-path=${folder}/selected_operators.yaml"
      "--output-path=${folder}/selected_op_variants.h"
    DEPENDS "${folder}/selected_operators.yaml"
    SAYS "Selecting dtypes")
endfunction()

function(gen_selected_ops)
  cmake_parse_arguments(GEN "" "LIB_NAME;OPS_SCHEMA_YAML;INCLUDE_ALL_OPS;DTYPE_SELECTIVE_BUILD;OPS_DICT"
    "ROOT_OPS;OPS_FROM_MODEL" ${ARGN})
  _tenon_check_arguments(gen_selected_ops LIB_NAME
    "LIB_NAME name [ROOT_OPS op...] [OPS_FROM_MODEL file...] [OPS_SCHEMA_YAML file] [INCLUDE_ALL_OPS ON]")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${GEN_LIB_NAME}")
  set(arguments)
  if(GEN_INCLUDE_ALL_OPS)
    list(APPEND arguments EVERYTHING)
  endif()
  if(GEN_OPS_SCHEMA_YAML)
    _tenon_file(gen_selected_ops OPS_SCHEMA_YAML "${GEN_OPS_SCHEMA_YAML}" schema)
    list(APPEND arguments SCHEMA "${schema}")
  endif()
  if(GEN_OPS_DICT)
    list(APPEND arguments DICT "${GEN_OPS_DICT}")
  endif()
  _tenon_files(gen_selected_ops OPS_FROM_MODEL "${GEN_OPS_FROM_MODEL}" models)
  _tenon_selection("gen_selected_ops(LIB_NAME ${GEN_LIB_NAME})" "${folder}" ${arguments}
    OPS ${GEN_ROOT_OPS} MODELS ${models})
  if(GEN_DTYPE_SELECTIVE_BUILD)
    if(NOT models AND NOT GEN_OPS_DICT)
      _tenon_stop(gen_selected_ops "DTYPE_SELECTIVE_BUILD takes dtypes from models, and OPS_FROM_MODEL names none.")
    endif()
    _tenon_dtype_header("${folder}")
  endif()
  set(gen_selected_ops_output_yaml "${folder}/selected_operators.yaml" PARENT_SCOPE)
endfunction()

function(gen_selected_max_kernel_num)
  cmake_parse_arguments(GEN "" "LIB_NAME" "OPLIST_YAMLS" ${ARGN})
  _tenon_check_arguments(gen_selected_max_kernel_num LIB_NAME "LIB_NAME name OPLIST_YAMLS file...")
  if(NOT GEN_OPLIST_YAMLS)
    _tenon_stop(gen_selected_max_kernel_num "OPLIST_YAMLS is missing: the selections whose kernels are counted.")
  endif()
  set(include "${CMAKE_CURRENT_BINARY_DIR}/${GEN_LIB_NAME}")
  set(header "${include}/executorch/runtime/kernel/selected_max_kernel_num.h")
  _tenon_files(gen_selected_max_kernel_num OPLIST_YAMLS "${GEN_OPLIST_YAMLS}" selections)
  set(arguments)
  foreach(selection IN LISTS selections)
    list(APPEND arguments "--oplist-yaml=${selection}")
  endforeach()
  _tenon_command(
    OUTPUT "${header}"
    ARGUMENTS select ${arguments} "--output-path=${header}"
    DEPENDS ${selections}
    SAYS "Counting the kernels of ${GEN_LIB_NAME}")
  add_custom_target(${GEN_LIB_NAME}_max_kernel_num_header DEPENDS "${header}")
  set(${GEN_LIB_NAME}_max_kernel_num_include_dir "${include}" PARENT_SCOPE)
endfunction()

function(merge_yaml)
  cmake_parse_arguments(GEN "" "FUNCTIONS_YAML;FALLBACK_YAML;OUTPUT_DIR" "" ${ARGN})
  _tenon_check_arguments(merge_yaml OUTPUT_DIR "FUNCTIONS_YAML file FALLBACK_YAML file OUTPUT_DIR folder")
  foreach(argument FUNCTIONS_YAML FALLBACK_YAML)
    if(NOT GEN_${argument})
      _tenon_stop(merge_yaml "${argument} is missing.")
    endif()
    _tenon_file(merge_yaml ${argument} "${GEN_${argument}}" ${argument})
  endforeach()
  get_filename_component(folder "${GEN_OUTPUT_DIR}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  _tenon_command(
    OUTPUT "${folder}/merged.yaml"
    ARGUMENTS select "--functions_yaml_path=${FUNCTIONS_YAML}" "--fallback_yaml_path=${FALLBACK_YAML}"
      "--output-path=${folder}/merged.yaml"
    DEPENDS "${FUNCTIONS_YAML}" "${FALLBACK_YAML}"
    SAYS "Merging ${FUNCTIONS_YAML} and ${FALLBACK_YAML}")
  set_source_files_properties("${folder}/merged.yaml" PROPERTIES GENERATED TRUE)
endfunction()
