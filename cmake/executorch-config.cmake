# find_package(executorch CONFIG) for projects that are written for ExecuTorch: -Dexecutorch_DIR=<this folder>.
include("${CMAKE_CURRENT_LIST_DIR}/TenonConfig.cmake")
set(EXECUTORCH_FOUND ON)
set(EXECUTORCH_INCLUDE_DIRS "${TENON_NATIVE}/include")
set(EXECUTORCH_LIBRARIES executorch executorch_core portable_kernels)
