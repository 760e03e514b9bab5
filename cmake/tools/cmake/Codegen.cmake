# With EXECUTORCH_ROOT=<the folder of TenonConfig.cmake>, a project finds ExecuTorch's functions where it looks for them.
include("${CMAKE_CURRENT_LIST_DIR}/../../TenonConfig.cmake")
