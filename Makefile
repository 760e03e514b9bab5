# Two commands do everything: `make demo` and `make test`. The others are for those who change Tenon.
PYTHON ?= python3
TORCH ?= torch==2.13.0
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
PROGRAMS ?= 10000
SEED ?= 0
LIMIT ?= 3600

.DEFAULT_GOAL := help
.PHONY: help demo test peers ops fuzz check format bench bench-quick size clean

help:  ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

demo: $(VENV)/ready  ## capture a small model, print its graph, run it, compare with PyTorch
	$(BIN)/python examples/demo.py

test: $(VENV)/ready  ## every test
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

peers: $(VENV)/peers  ## programs crossed with ExecuTorch: theirs here, ours there
	$(BIN)/python -m pytest tests/test_peers.py -n $(JOBS) --dist worksteal

ops: $(VENV)/ready  ## every sample of torch's operator database on kernels and as programs; writes docs/ops.md
	@mkdir -p build
	TENON_ALL_SAMPLES=1 $(BIN)/python -m pytest tests/native/test_kernels.py -k test_op -n $(JOBS) --dist worksteal \
	  -o junit_family=xunit1 --junitxml build/kernels.xml || test $$? = 1 # the page says what failed
	cd tests && ../$(BIN)/python -m opinfo.sweep --jobs $(JOBS) --out ../build/opinfo.jsonl
	cd tests && ../$(BIN)/python -m opinfo.page

fuzz: $(VENV)/ready  ## random programs in lean mode and in torch: PROGRAMS=10000 SEED=0, at most LIMIT=3600 seconds
	$(BIN)/python -m tests.fuzz --programs $(PROGRAMS) --seed $(SEED) --seconds $(LIMIT) --jobs $(JOBS)

check: $(VENV)/dev  ## ruff and mypy, as pre-commit runs them
	$(BIN)/pre-commit run --all-files

format: $(VENV)/dev  ## lay the code out
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/bench  ## Tenon beside its peers, one process each; writes docs/benchmarks/; and the time of an export
	$(BIN)/python -m bench
	$(BIN)/python -m bench.language
	$(BIN)/python -m bench.kernels
	$(BIN)/python -m bench.scaling
	$(BIN)/python -m bench.overhead
	$(BIN)/python -m bench.report
	$(BIN)/python bench/execute.py
	$(BIN)/python bench/capture_7b.py
	$(BIN)/python bench/export_time.py
	$(BIN)/python bench/large_program.py

bench-quick: $(VENV)/bench  ## the models beside XNNPACK and ONNX Runtime in few rounds, printed only
	$(BIN)/python -m bench --quick

# What a small target gets: without sentences (codes only), unwind tables and page padding. Verification is always in.
SMALL := -std=c++17 -Os -fno-exceptions -fno-rtti -ffunction-sections -fdata-sections -Inative/include \
  -fno-asynchronous-unwind-tables -Wl,--gc-sections,-z,noseparate-code,-z,norelro -s

size: $(VENV)/ready  ## bytes: the runtime, runners for each model by operator and by dtype, all; and lines by folder
	@mkdir -p build
	$(BIN)/python bench/size.py
	@for words in 0 1; do \
	  $(CXX) $(SMALL) -DTENON_WORDS=$$words tests/native/smallest.cpp native/core/*.cpp native/load/*.cpp native/exec/*.cpp \
	    -o build/smallest && printf '%s\truntime at -Os, stripped, %s\n' $$(stat -c %s build/smallest) \
	    $$(test $$words = 0 && echo without-sentences || echo with-sentences); done
	@$(BIN)/python bench/lines.py

clean:  ## everything that was built or installed
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# torch first: whatever depends on it then takes this build, and not one with gigabytes of CUDA.
$(VENV)/torch:
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Tenon needs Python 3.11 or newer with venv (Debian: apt-get install python3-venv python3-dev), and $(PYTHON) is not that." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$(TORCH)"
	@touch $@

NATIVE := $(shell find native cmake -type f -not -path '*/__pycache__/*')
$(VENV)/ready: $(VENV)/torch pyproject.toml CMakeLists.txt $(NATIVE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

$(VENV)/dev: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,dev]'
	@touch $@

$(VENV)/peers: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,peers]'
	@touch $@

$(VENV)/bench: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,bench,peers]'
	@touch $@
