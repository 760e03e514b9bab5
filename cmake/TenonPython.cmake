# The Python that has Tenon in it.

# Sets PYTHON_EXECUTABLE in the caller: the one that is asked for, else the one that Tenon was installed for.
macro(resolve_python_executable)
  _tenon_find_python()
  set(PYTHON_EXECUTABLE "${_tenon_python}")
endmacro()

function(_tenon_find_python)
  # lib/python3.11/site-packages/tenon/cmake, in an environment that has its bin/ beside lib/
  get_filename_component(own "${TENON_CMAKE}/../../../../../bin/python3" ABSOLUTE)
  foreach(candidate "${PYTHON_EXECUTABLE}" "${Python_EXECUTABLE}" "${Python3_EXECUTABLE}" "${own}" python3)
    if(NOT candidate)
      continue()
    endif()
    _tenon_ask("${candidate}" "import importlib.util as u, sys; sys.exit(u.find_spec('tenon') is None)" answer result)
    if(result EQUAL 0)
      set(_tenon_python "${candidate}" PARENT_SCOPE)
      return()
    endif()
    set(tried "${candidate}")
    if(candidate STREQUAL PYTHON_EXECUTABLE)
      break()  # it was asked for by name
    endif()
  endforeach()
  message(FATAL_ERROR "Tenon: ${tried} has no Tenon in it. Set PYTHON_EXECUTABLE to a Python that has.")
endfunction()

# What a Python prints, and its exit code. -P: what lies in the current folder is no package.
function(_tenon_ask python question answer result)
  execute_process(COMMAND "${python}" -P -c "${question}"
    OUTPUT_VARIABLE printed RESULT_VARIABLE code ERROR_VARIABLE words OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${answer} "${printed}" PARENT_SCOPE)
  set(${result} "${code}" PARENT_SCOPE)
endfunction()

resolve_python_executable()
