# find_package(Tenon): the runtime and its kernels as targets, and functions that build libraries of operators.
#
#   find_package(Tenon REQUIRED)
#   et_operator_library(NAME ops OPS aten::add aten::mul MODEL model.pte)
#   executorch_generated_lib(NAME kernels DEPS ops)
#   add_executable(run)
#   target_link_libraries(run PRIVATE kernels tenon::runner)   # linking is enough
#
# A prefix is the folder that tenon/ is installed in:
#   cmake -DCMAKE_PREFIX_PATH="$(python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')" ...
#
# Read: PYTHON_EXECUTABLE (a Python with Tenon in it; else the one that this was installed for), TENON_OPTIMIZE (`size`
# or `speed`; else the build type MinSizeRel is for size, and all others are for speed), TORCH_DIR (the folder of torch,
# for ATen mode and for operators ahead of time; else Python's).
cmake_policy(VERSION 3.18)

set(TENON_CMAKE "${CMAKE_CURRENT_LIST_DIR}")
include("${TENON_CMAKE}/TenonPython.cmake")
include("${TENON_CMAKE}/TenonArguments.cmake")
include("${TENON_CMAKE}/TenonTargets.cmake")
include("${TENON_CMAKE}/TenonTorch.cmake")
include("${TENON_CMAKE}/TenonSelect.cmake")
include("${TENON_CMAKE}/TenonPrim.cmake")
include("${TENON_CMAKE}/TenonChecks.cmake")
include("${TENON_CMAKE}/TenonGenerate.cmake")
include("${TENON_CMAKE}/TenonCodegen.cmake")
include("${TENON_CMAKE}/TenonRules.cmake")
include("${TENON_CMAKE}/TenonUtils.cmake")
include("${TENON_CMAKE}/TenonOptions.cmake")
