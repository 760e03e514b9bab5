# Kernels against their schemas: each source of a kernel library is compiled once more, with an assertion per row that
# names the line of YAML, the argument, what was found and what was expected.

set(_tenon_source_pattern "\\.(cpp|cc|cxx|C)$")

# Sets RESULT to the target of the checks, or to nothing if there is nothing to check.
function(_tenon_checks lib kernels folder result)
  set(sources)
  set(names)
  get_target_property(given ${kernels} SOURCES)
  get_target_property(home ${kernels} SOURCE_DIR)
  foreach(source IN LISTS given)
    get_filename_component(name "${source}" NAME)
    if(name MATCHES "${_tenon_source_pattern}" AND NOT source MATCHES "\\$<" AND NOT name IN_LIST names)
      get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${home}")
      list(APPEND sources "${source}")
      list(APPEND names "${name}")
    endif()
  endforeach()
  if(NOT sources)
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  set(made)
  set(arguments)
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME)
    list(APPEND made "${folder}/check_${name}")
    list(APPEND arguments "--checks=${source}")
  endforeach()
  get_target_property(rows ${lib}_bindings tenon_rows)
  get_target_property(depends ${lib}_bindings tenon_depends)
  _tenon_command(
    OUTPUT ${made}
    ARGUMENTS gen ${rows} --generate headers ${arguments} "--install-dir=${folder}"
    DEPENDS ${depends}
    SAYS "Writing checks for the kernels of ${kernels}")
  add_library(${lib}_checks_${kernels} OBJECT EXCLUDE_FROM_ALL ${made})
  set_target_properties(${lib}_checks_${kernels} PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
  target_compile_options(${lib}_checks_${kernels} PRIVATE
    -O0 -w $<$<CXX_COMPILER_ID:GNU>:-ftrack-macro-expansion=0> $<TARGET_PROPERTY:${kernels},COMPILE_OPTIONS>)
  foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_FEATURES)
    set_property(TARGET ${lib}_checks_${kernels} APPEND PROPERTY ${property} $<TARGET_PROPERTY:${kernels},${property}>)
  endforeach()
  target_link_libraries(${lib}_checks_${kernels} PRIVATE $<TARGET_PROPERTY:${kernels},LINK_LIBRARIES> tenon::runtime)
  set(${result} ${lib}_checks_${kernels} PARENT_SCOPE)
endfunction()
