#!/usr/bin/env bash
# test_aten_mode.sh [cmake|buck2|command]: builds executorch_bin in lean mode and in ATen mode, runs a model of
# aten::add.out in both, and compares the values. PYTHON_EXECUTABLE is a Python with Tenon in it, BUILD a folder for all
# that is made.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")"
way="${1:-cmake}"
python="${PYTHON_EXECUTABLE:-python3}"
build="${BUILD:-build}"
prefix="$("$python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')"  # find_package(Tenon) looks there
mkdir -p "$build"

build_cmake() {  # MODE
  cmake -S . -B "$build/cmake_$1" -DATEN_MODE="$([ "$1" = aten ] && echo ON || echo OFF)" \
    -DCMAKE_BUILD_TYPE=MinSizeRel -DPYTHON_EXECUTABLE="$python" -DCMAKE_PREFIX_PATH="$prefix"
  cmake --build "$build/cmake_$1" --parallel 2
  runner="$build/cmake_$1/executorch_bin"
}

build_buck2() {  # MODE
  target="executorch_bin$([ "$1" = aten ] && echo _aten || true)"
  "$python" -m tenon.cli build ":$target" -o "$build/buck2_$1"
  runner="$build/buck2_$1/$target"
}

build_command() {  # MODE
  if [ "$1" = aten ]; then
    "$python" -m tenon.cli build "$build/add.pte" --mode aten -o "$build/command_$1"
  else
    "$python" -m tenon.cli build "$build/add.pte" --functions functions.yaml --lib add.cpp -o "$build/command_$1"
  fi
  runner="$build/command_$1/add_runner"
}

case "$way" in
  cmake | buck2 | command) ;;
  *)
    echo "usage: test_aten_mode.sh [cmake|buck2|command]" >&2
    exit 2
    ;;
esac

"$python" export.py "$build"
for mode in lean aten; do
  "build_$way" "$mode"
  mkdir -p "$build/output_$mode"
  "$runner" "$build/add.pte" --input "$build/x.npy" --input "$build/y.npy" --output "$build/output_$mode"
  "$python" - "$build/expected.npy" "$build/output_$mode/output_0.npy" <<'END'
import sys, numpy
numpy.testing.assert_allclose(numpy.load(sys.argv[2]), numpy.load(sys.argv[1]), rtol=1e-6)
print(f"{sys.argv[2]} is what torch gives.")
END
done
