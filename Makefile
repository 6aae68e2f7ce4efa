# The front door. `make tables` and `make test` set everything up by themselves, in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= out
SETUP := setup.cfg pyproject.toml setup.py $(wildcard cpp/src/* cpp/binding/* cpp/include/exactdice/*)

export HYPOTHESIS_PROFILE ?= ci

.DELETE_ON_ERROR:
.PHONY: help tables tables-long papers test lint types unit bench crosscheck native coq tcr clean

help:
	@echo 'make tables      every exact table of every game, into $(OUT)/'
	@echo 'make tables-long  those that take minutes each, into the same folder'
	@echo 'make test        everything that must pass: tests, doctests, linter, type checker'
	@echo 'make crosscheck  the C++ solvers against the exact ones, large sizes too'
	@echo 'make native      the C++ solvers alone, with their tests and sanitizers (needs cmake)'
	@echo 'make coq         the proofs in proofs/coq, from scratch (needs Coq)'
	@echo 'make papers      the numbers, tables and figures of the papers, and the papers'
	@echo 'make bench       the benchmarks, as ratios against what you would use instead'
	@echo 'make tcr         watch the tree: commit on green, stash on red'
	@echo 'make clean       remove the virtual environment and caches, never $(OUT)/'

tables: $(VENV)/ready
	$(BIN)/exactdice tables --output $(OUT)

tables-long: $(VENV)/ready
	$(BIN)/exactdice tables --long --output $(OUT)

papers: $(VENV)/ready-papers
	$(BIN)/exactdice paper-data

test: lint types unit

lint: $(VENV)/ready-test
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check --quiet

types: $(VENV)/ready-test
	$(BIN)/mypy

unit: $(VENV)/ready-test
	$(BIN)/coverage erase
	$(BIN)/pytest -q -n 2 --dist worksteal --cov --cov-report=term

crosscheck: $(VENV)/ready
	$(BIN)/exactdice crosscheck --large

native:
	cd cpp && cmake --preset release && cmake --build build -j2 && ctest --preset release
	cd cpp && cmake --preset sanitize && cmake --build build-sanitize -j2 && ctest --preset sanitize

coq:
	@command -v coqc >/dev/null && command -v ocamlopt >/dev/null || \
	    { echo 'make: no Coq; on Debian: apt-get install --no-install-recommends coq ocaml-nox' >&2; exit 1; }
	$(MAKE) -C proofs/coq --no-print-directory

bench: $(VENV)/ready-bench
	$(BIN)/python -m benchmarks

tcr: $(VENV)/ready-tcr
	$(BIN)/python tests/tcr.py

clean:
	rm -rf $(VENV) build cpp/build cpp/build-sanitize exactdice/native/*.so *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage

# A stamp is made only after its installation succeeded, so a run that was stopped starts over.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo 'make: $(PYTHON) is older than 3.11; set PYTHON=python3.11 or newer' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || \
	    { echo 'make: no virtual environment; on Debian: apt install python3-venv' >&2; exit 1; }

$(VENV)/ready: $(VENV)/bin/python $(SETUP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/ready-papers: $(VENV)/bin/python $(SETUP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[plots]'
	@touch $@ $(VENV)/ready

$(VENV)/ready-test: $(VENV)/bin/python $(SETUP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(VENV)/ready

$(VENV)/ready-bench: $(VENV)/bin/python $(SETUP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,bench]'
	@touch $@ $(VENV)/ready $(VENV)/ready-test

$(VENV)/ready-tcr: $(VENV)/bin/python $(SETUP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,tcr]'
	@touch $@ $(VENV)/ready $(VENV)/ready-test
