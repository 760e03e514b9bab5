#!/usr/bin/env bash
# test_selective_build.sh [cmake|buck2|command]: builds a runner with add, mul and div, runs a model of the three,
# compares the values, and shows that no fourth operator is in it.
# PYTHON_EXECUTABLE is a Python with Tenon in it, BUILD a folder for all that is made.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")"
way="${1:-cmake}"
python="${PYTHON_EXECUTABLE:-python3}"
build="${BUILD:-build}"
prefix="$("$python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')"  # find_package(Tenon) looks there
mkdir -p "$build/output"
build="$(cd "$build" && pwd)"

build_cmake() {
  cmake -S . -B "$build/cmake" -DMODEL="$build/model_1.pte" -DCMAKE_BUILD_TYPE=MinSizeRel \
    -DPYTHON_EXECUTABLE="$python" -DCMAKE_PREFIX_PATH="$prefix"
  cmake --build "$build/cmake" --parallel 2
  runner="$build/cmake/selective_runner"
}

build_buck2() {
  cp "$build/model_1.pte" .  # a target is a file of its package
  "$python" -m tenon.cli build :selective_runner -o "$build/buck2"
  runner="$build/buck2/selective_runner"
}

build_command() {
  "$python" -m tenon.cli build "$build/model_1.pte" --ops aten::add,aten::mul --name selective -o "$build/command"
  runner="$build/command/selective_runner"
}

case "$way" in
  cmake | buck2 | command) ;;
  *)
    echo "usage: test_selective_build.sh [cmake|buck2|command]" >&2
    exit 2
    ;;
esac

"$python" export.py "$build"
"build_$way"
"$runner" "$build/three.pte" --input "$build/x.npy" --input "$build/y.npy" --output "$build/output"
"$python" - "$build/expected.npy" "$build/output/output_0.npy" <<'END'
import sys, numpy
numpy.testing.assert_allclose(numpy.load(sys.argv[2]), numpy.load(sys.argv[1]), rtol=1e-6)
print(f"{sys.argv[2]} is what torch gives.")
END

if "$runner" "$build/fourth.pte" 2>"$build/words"; then
  echo "a model that subtracts ran, and should not have." >&2
  exit 1
fi
grep "aten::sub.out" "$build/words"
