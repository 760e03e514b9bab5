# The table of prim operators, with those of a selection only. The runtime's own has all of them, and is left out of a
# program that is linked with another.

function(gen_selected_prim_ops_lib)
  cmake_parse_arguments(GEN "INCLUDE_ALL_OPS" "LIB_NAME;SELECTED_OPS_YAML" "DEPS" ${ARGN})
  _tenon_check_arguments(gen_selected_prim_ops_lib LIB_NAME "LIB_NAME name SELECTED_OPS_YAML file [DEPS target...]")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${GEN_LIB_NAME}")
  if(GEN_INCLUDE_ALL_OPS)
    add_library(${GEN_LIB_NAME}_impl INTERFACE)
    target_link_libraries(${GEN_LIB_NAME}_impl INTERFACE tenon::runtime ${GEN_DEPS})
  elseif(GEN_SELECTED_OPS_YAML)
    _tenon_file(gen_selected_prim_ops_lib SELECTED_OPS_YAML "${GEN_SELECTED_OPS_YAML}" selection)
    _tenon_prim_library(${GEN_LIB_NAME}_impl "${folder}" "${selection}")
    target_link_libraries(${GEN_LIB_NAME}_impl PUBLIC ${GEN_DEPS})
  else()
    _tenon_stop(gen_selected_prim_ops_lib
      "SELECTED_OPS_YAML is missing. For all prim operators, write INCLUDE_ALL_OPS.")
  endif()
  add_library(${GEN_LIB_NAME} INTERFACE)
  target_link_libraries(${GEN_LIB_NAME} INTERFACE ${GEN_LIB_NAME}_impl)
endfunction()

# Library LIB defines tenon::prim_kernels. The header has a macro per selected operator, and the source a line for each
# that there is.
function(_tenon_prim_library lib folder selection)
  _tenon_command(
    OUTPUT "${folder}/selected_prim_ops.h"
    ARGUMENTS select "--op-selection-yaml-path=${selection}" "--output-path=${folder}/selected_prim_ops.h"
    DEPENDS "${selection}"
    SAYS "Selecting prim operators")
  set(rows)
  file(STRINGS "${TENON_NATIVE}/include/tenon/prim.h" lines REGEX "^ *X\\(\"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^ *X\\(\"([^\"]+)\".*" "\\1" operator "${line}")
    string(REGEX REPLACE "[^A-Za-z0-9]+" "_" macro "${operator}")
    string(TOUPPER "INCLUDE_${macro}" macro)
    string(APPEND rows "#if !defined(EXECUTORCH_ENABLE_PRIM_OPS_SELECTIVE_BUILD) || defined(${macro})\n"
      "    TENON_PRIM(\"${operator}\"),\n#endif\n")
  endforeach()
  file(WRITE "${folder}/prim_kernels.cpp.new" "// The prim operators of selected_prim_ops.h.
#include <tenon/prim.h>

#include \"selected_prim_ops.h\"

namespace tenon {

constexpr Kernel rows[] = {
${rows}    {\"\", nullptr},  // an array has at least one element
};

const KernelTable prim_kernels{\"prim\", {rows, sizeof rows / sizeof *rows - 1}, /*in_order=*/true};

}  // namespace tenon
")
  configure_file("${folder}/prim_kernels.cpp.new" "${folder}/prim_kernels.cpp" COPYONLY)
  add_library(${lib} STATIC "${folder}/prim_kernels.cpp" "${folder}/selected_prim_ops.h")
  target_include_directories(${lib} PRIVATE "${folder}")
  target_compile_options(${lib} PRIVATE ${TENON_FLAGS})
  target_link_libraries(${lib} PUBLIC tenon::runtime)
  target_link_options(${lib} INTERFACE -Wl,-u,_ZN5tenon12prim_kernelsE)  # from here, before the runtime is searched
endfunction()
