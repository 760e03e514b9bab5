# What all functions do with their arguments: read them by name, and say in a sentence what is wrong with them.

function(_tenon_stop who words)
  message(FATAL_ERROR "${who}: ${words}")
endfunction()

# After cmake_parse_arguments(GEN ...): whether argument REQUIRED is there, and nothing that has no name. TODAY is how
# the function is called; documents of ExecuTorch show calls by position, which it has left.
function(_tenon_check_arguments who required today)
  if(GEN_UNPARSED_ARGUMENTS)
    list(JOIN GEN_UNPARSED_ARGUMENTS "\", \"" shown)
    _tenon_stop(${who} "\"${shown}\" has no name in front of it. Arguments have names: ${who}(${today}).")
  endif()
  if(NOT GEN_${required})
    _tenon_stop(${who} "${required} is missing: ${who}(${today}).")
  endif()
endfunction()

# The file as an absolute path. What a build makes need not be there yet.
function(_tenon_file who argument path result)
  get_filename_component(absolute "${path}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  get_source_file_property(made "${absolute}" GENERATED)
  string(FIND "${absolute}/" "${CMAKE_BINARY_DIR}/" in_build)
  if(NOT EXISTS "${absolute}" AND NOT made AND NOT in_build EQUAL 0)
    _tenon_stop("${who}" "${argument} is ${absolute}, and there is no such file.")
  endif()
  set(${result} "${absolute}" PARENT_SCOPE)
endfunction()

# The same for a list.
function(_tenon_files who argument paths result)
  set(found)
  foreach(path IN LISTS paths)
    _tenon_file("${who}" ${argument} "${path}" absolute)
    list(APPEND found "${absolute}")
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Runs `tenon ARGUMENTS...` during the build, when an output is older than what it is made from. -P: what lies in the
# folder of the build is no package.
function(_tenon_command)
  cmake_parse_arguments(RUN "" "SAYS" "OUTPUT;ARGUMENTS;DEPENDS" ${ARGN})
  add_custom_command(
    OUTPUT ${RUN_OUTPUT}
    COMMAND "${PYTHON_EXECUTABLE}" -P -m tenon.cli ${RUN_ARGUMENTS}
    DEPENDS ${RUN_DEPENDS} "${TENON_FUNCTIONS_YAML}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    COMMENT "${RUN_SAYS}"
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()
