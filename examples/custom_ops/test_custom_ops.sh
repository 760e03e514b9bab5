#!/usr/bin/env bash
# test_custom_ops.sh [cmake|buck2|command]: exports both models, builds a runner for each, runs them, and compares the
# values.
# PYTHON_EXECUTABLE is a Python with Tenon in it, BUILD a folder for all that is made.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")"
way="${1:-cmake}"
python="${PYTHON_EXECUTABLE:-python3}"
build="${BUILD:-build}"
prefix="$("$python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')"  # find_package(Tenon) looks there
mkdir -p "$build"

build_cmake() {  # NUMBER TARGET
  cmake -S . -B "$build/cmake_$1" -DREGISTER_EXAMPLE_CUSTOM_OP="$1" -DCMAKE_BUILD_TYPE=MinSizeRel \
    -DPYTHON_EXECUTABLE="$python" -DCMAKE_PREFIX_PATH="$prefix"
  cmake --build "$build/cmake_$1" --target "$2" --parallel 2
}

# Each sets `library` to what torch loads to know mul4.
library_cmake() {
  build_cmake 2 custom_ops_aot_lib
  library="$build/cmake_2/libcustom_ops_aot_lib.so"
}
library_buck2() {
  "$python" -m tenon.cli build :custom_ops_aot_lib_2 -o "$build/buck2"
  library="$build/buck2/libcustom_ops_aot_lib_2.so"
}
library_command() {
  library_buck2
}

# Each sets `runner` to the runner of an operator.
runner_cmake() {  # NUMBER
  build_cmake "$1" custom_ops_executor_runner
  runner="$build/cmake_$1/custom_ops_executor_runner"
}
runner_buck2() {  # NUMBER
  "$python" -m tenon.cli build ":custom_ops_executor_runner_$1" -o "$build/buck2"
  runner="$build/buck2/custom_ops_executor_runner_$1"
}
runner_command() {  # NUMBER
  "$python" -m tenon.cli build "$build/custom_ops_$1.pte" --custom-ops custom_ops.yaml --lib "custom_ops_$1_out.cpp" \
    -o "$build/command"
  runner="$build/command/custom_ops_$1_runner"
}

run_and_compare() {  # NUMBER FACTOR
  mkdir -p "$build/output_$1"
  "$runner" --model_path="$build/custom_ops_$1.pte" --input "$build/custom_ops_$1.npy" --output "$build/output_$1"
  "$python" - "$2" "$build/custom_ops_$1.npy" "$build/output_$1/output_0.npy" <<'END'
import sys, numpy
factor, given, found = int(sys.argv[1]), *map(numpy.load, sys.argv[2:])
numpy.testing.assert_array_equal(found, factor * given)
print(f"{sys.argv[3]} is {factor} times {sys.argv[2]}.")
END
}

case "$way" in
  cmake | buck2 | command) ;;
  *)
    echo "usage: test_custom_ops.sh [cmake|buck2|command]" >&2
    exit 2
    ;;
esac

"$python" custom_ops_1.py --folder "$build"
"runner_$way" 1
run_and_compare 1 3

"library_$way"
"$python" custom_ops_2.py --so_library "$library" --folder "$build"
"runner_$way" 2
run_and_compare 2 4
