# `make tables` and `make test` create everything they need in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= out
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# The requirements of a group in one line of pyproject.toml, without spaces.
group = $(shell sed -n 's/^$1 = \[\(.*\)]$$/\1/p' pyproject.toml | sed 's/[ "]//g; s/,/ /g')
SETUP := setup.cfg pyproject.toml setup.py $(wildcard cpp/src/* cpp/binding/* cpp/include/exactdice/*)

export HYPOTHESIS_PROFILE ?= ci
# Without bytecode files each program that the tests start would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: help check release-check quick budget test-oldest test-long matrix wheels mutants tables tables-long book papers serve test lint types fast unit browser \
    exchange docs play site test-fractions bench crosscheck coq forgeries bounded recomputed tcr clean \
    native native-release native-sanitize native-threads native-gil native-asan native-tsan

help:
	@echo 'First steps'
	@echo '  make tables      all exact tables, into $(OUT)/'
	@echo '  make serve       a web server for all questions, at http://127.0.0.1:8000/'
	@echo '  make docs        the manual with tables, claims, figures and papers, into build/site/'
	@echo '  make clean       remove the virtual environment and caches, never $(OUT)/'
	@echo
	@echo 'While you work'
	@echo '  make quick ROOM=dice  the tests of one subpackage, in seconds'
	@echo '  make test        after each edit: linter, type checker, and tests of up to half a second (3 minutes)'
	@echo '  make check       everything that continuous integration runs (about half an hour)'
	@echo '  make budget      lines, classes and modules: on main, here, and allowed'
	@echo '  make bench       the benchmarks, as ratios to other tools (ten minutes)'
	@echo
	@echo 'Sometimes'
	@echo '  make tables-long  the tables that take minutes each, into $(OUT)/'
	@echo '  make book        the book of dice as a data set, into $(BOOK)/ (an hour; resumes after a stop)'
	@echo '  make papers      the numbers, tables and figures of the papers, and the papers'
	@echo '  make site        the manual with a page that computes in the browser; make play: only that page'
	@echo '  make test-long   the tests that take a minute or more each'
	@echo '  make test-oldest  the tests with the lowest versions that setup.cfg allows'
	@echo '  make test-fractions  the exact tests without gmpy2'
	@echo '  make browser     the tests in a real browser (needs chromium and the group browser)'
	@echo '  make exchange    tests that read our models with Storm, umbi, Gambit, OpenSpiel and Gymnasium'
	@echo '  make matrix      the tests with each Python on the path, from sources and wheels, with a compiler and without (an hour)'
	@echo '  make wheels      wheels for each Python on the path, repaired and tested, into build/wheels/'
	@echo '  make release-check  all that a release needs; prints what only a person can do'
	@echo '  make mutants     change the package at random; a test must fail (half an hour)'
	@echo '  make crosscheck  compare the C++ solvers with the exact ones, also at large sizes'
	@echo '  make native      the C++ solvers and their module, with tests and sanitizers (needs cmake; minutes)'
	@echo '  make coq         the proofs in proofs/coq, from scratch (needs Coq)'
	@echo '  make recomputed  check large results with separate programs, without the package (20 minutes)'
	@echo '  make forgeries   both checkers of values on 300000 forged certificates (after make coq)'
	@echo '  make bounded     the value of 30 rounds of SWE, by a program proved in Coq (after make coq)'
	@echo '  make tcr         on each save: commit all changes if the tests pass, else move them to git stash'

tables: $(VENV)/ready
	$(BIN)/exactdice project tables --output $(OUT)

tables-long: $(VENV)/ready
	$(BIN)/exactdice project tables --long --output $(OUT)

BOOK ?= book
book: $(VENV)/ready
	$(BIN)/exactdice project tables --book --output $(BOOK) --memory 4GiB
	@! grep -vxFf $(BOOK)/index.csv exactdice/book/answers.csv  # rows that differ from the manual

papers: $(VENV)/ready-plots
	@$(BIN)/python -m papers.make.sentences >/dev/null  # fails for statements without backing
	$(BIN)/python -m papers.make

PORT ?= 8000
serve: $(VENV)/ready-web
	$(BIN)/exactdice serve --port $(PORT)

test: $(VENV)/ready-test
	@$(MAKE) --no-print-directory -j2 --output-sync=target lint types
	@$(MAKE) --no-print-directory fast

lint: $(VENV)/ready-test
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check --quiet
	@$(BIN)/python tools/phrases.py
	@$(BIN)/codespell
	@$(BIN)/lint-imports --no-logo >/dev/null || $(BIN)/lint-imports --no-logo
	@$(BIN)/zizmor --offline --quiet --no-progress .github

types: $(VENV)/ready-test
	$(BIN)/mypy

# More than two, because many tests wait for a program that they have started.
fast: $(VENV)/ready-test
	$(BIN)/pytest -q -n 4 --dist worksteal

ROOM ?= dice
quick: $(VENV)/ready-test
	$(BIN)/pytest -q -p no:cacheprovider $(wildcard exactdice/$(ROOM) exactdice/$(ROOM).py exactdice/games/$(ROOM) \
	    tests/$(ROOM) tests/games/$(ROOM) tests/test_$(ROOM)*.py)

budget: $(VENV)/ready
	@$(BIN)/python tools/budget.py

# Everything that continuous integration runs. Missing tools (Coq, a browser) are named at the end; what
# keeps one core busy runs side by side.
check: lint unit test-fractions
	@missing=''; also=types; \
	if command -v chromium >/dev/null && $(BIN)/python -c 'import playwright, axe_playwright_python' 2>/dev/null; \
	then also="$$also browser"; \
	else missing="$$missing; the pages in a browser (no chromium or no playwright)"; fi; \
	if command -v coqc >/dev/null && command -v ocamlopt >/dev/null; \
	then also="$$also coq"; \
	else missing="$$missing; the proofs in proofs/coq (no Coq)"; fi; \
	$(MAKE) --no-print-directory -j2 --output-sync=target $$also || exit 1; \
	echo "make check: skipped$${missing:-: nothing}"

# The fast tests, then the slow ones, with the coverage of both. Failed tests run once more, alone: real
# defects fail again, races on a loaded machine do not; the log names both. A test that takes more than
# two seconds of processor time both times, and is not marked slow, fails too.
WHOLE := -m 'not long and not browser'
PARALLEL := -q -rs -n 3 --dist load --durations=25
LIMIT := --processor-limit 2
unit: $(VENV)/ready-test
	$(BIN)/coverage erase
	@failed=0; \
	$(BIN)/pytest $(PARALLEL) --cov --cov-report= --cov-fail-under=0 $(LIMIT) || failed=$$?; \
	[ $$failed -gt 1 ] || $(BIN)/pytest $(PARALLEL) --cov --cov-append --cov-report=term \
	    -m 'slow and not long and not browser' || failed=$$?; \
	[ $$failed = 0 ] || { [ $$failed = 1 ] && \
	    $(BIN)/pytest -q --last-failed --last-failed-no-failures none $(WHOLE) $(LIMIT); }

# The tests that `make check` leaves out, without coverage.
test-long: $(VENV)/ready-test
	$(BIN)/pytest -q -p no:cacheprovider -o faulthandler_timeout=3600 -m long
	$(MAKE) --no-print-directory test-fractions FRACTIONS="-m 'slow and not (measured or long or browser)'"

# Once they are installed, `make check` uses them too.
exchange: $(VENV)/ready-exchange
	$(BIN)/pytest -q -p no:cacheprovider $(WHOLE) tests/formats/test_default_output.py \
	    tests/formats/test_gambit_trees.py tests/formats/test_models_formats.py tests/formats/test_openspiel.py \
	    tests/formats/test_gymnasium.py

# Installs nothing. Failed tests run once more, as in `unit`.
browser:
	@command -v chromium >/dev/null || \
	    { echo 'make: no chromium; on Debian: apt-get install --no-install-recommends chromium' >&2; exit 1; }
	@$(BIN)/python -c 'import exactdice.web.serving, playwright, axe_playwright_python' 2>/dev/null || \
	    { echo "make: no playwright; run make $(VENV)/ready-browser" >&2; exit 1; }
	$(BIN)/pytest -q -n 2 --dist worksteal -o faulthandler_timeout=1200 -m browser tests/browser || { [ $$? = 1 ] && \
	    $(BIN)/pytest -q --last-failed --last-failed-no-failures none -m browser tests/browser; }

# Environments of their own, in .nox; noxfile.py says what is installed how.
test-oldest: $(VENV)/ready-nox
	$(BIN)/nox -s lowest

matrix: $(VENV)/ready-nox
	$(BIN)/nox

wheels: $(VENV)/ready-nox
	$(BIN)/nox -s repaired -- build/wheels

# What a release needs and a program can check; then what only a person can do.
release-check: check test-oldest test-long docs papers
	@! git status --porcelain | grep . || { echo 'make: commit or remove the changes above' >&2; exit 1; }
	rm -rf build/dist
	$(PIP) build twine check-manifest validate-pyproject
	$(BIN)/check-manifest
	$(BIN)/validate-pyproject pyproject.toml
	$(BIN)/python -m build --outdir build/dist
	$(BIN)/twine check --strict build/dist/*
	@echo 'Left to a person:'
	@echo '  1. set the version in exactdice/__init__.py and its date in CHANGELOG.md; run tools/citation.py,'
	@echo '     exactdice verify --write, because certificates name the version, and this check again; commit'
	@echo '  2. authors, affiliations and ORCIDs in CITATION.cff and papers/joss/paper.md; maintainers in conda/recipe.yaml'
	@echo '  3. push the tag vX.Y.Z; wheels.yml then builds, tests and publishes'
	@echo '  4. archive the release at Zenodo, and enter its DOI in CITATION.cff'

MUTANTS ?= 300
mutants: $(VENV)/ready-test
	$(BIN)/python tools/mutation/mutants.py --number $(MUTANTS)

crosscheck: $(VENV)/ready
	$(BIN)/exactdice project crosscheck --large

native: $(addprefix native-,release sanitize threads gil asan tsan)

# The solvers by themselves: tests in C++, plainly and with sanitizers.
native-release native-sanitize native-threads: native-%:
	cd cpp && cmake --preset $* && \
	    cmake --build $$([ $* = release ] && echo build || echo build-$*) -j2 && ctest --preset $*

# The Python module in builds that watch over it; see CHECKS in setup.py. The sanitizers must be
# loaded before Python, which leaks on purpose; what they print is not for pytest to keep.
native-asan: preload = $(foreach part,libasan.so libstdc++.so.6,$(shell $(CXX) -print-file-name=$(part)))
native-tsan: preload = $(shell $(CXX) -print-file-name=libtsan.so)
native-gil native-asan native-tsan: native-%: $(VENV)/ready-test build/checked-%/ready
	EXACTDICE_NATIVE_CHECKS=$* PYTHONPATH=build/checked-$* LD_PRELOAD='$(preload)' \
	    ASAN_OPTIONS=detect_leaks=0 $(BIN)/pytest -q $(WHOLE) --import-mode=importlib --capture=sys \
	    -p no:cacheprovider tests/native

.PRECIOUS: build/checked-%/ready
build/checked-%/ready: $(SETUP) $(wildcard exactdice/*.py exactdice/*/*.py exactdice/*/*/*.py)
	EXACTDICE_NATIVE_CHECKS=$* $(PIP) \
	    --no-deps --upgrade --target $(@D) .
	@touch $@

coq:
	@command -v coqc >/dev/null && command -v ocamlopt >/dev/null || \
	    { echo 'make: no Coq; on Debian: apt-get install --no-install-recommends coq ocaml-nox' >&2; exit 1; }
	$(MAKE) -C proofs/coq --no-print-directory

# Programs for results that Python would compute too slowly; processor time in comments. V(30) takes 4 GB.
BY_PROGRAM := $(addprefix proofs/certificates/,$(addsuffix .json,swe.promote-lowest-if-any \
    swe.d10-promote-lowest-if-any swe.means-30-drawn swe.p10-10 swe.p10-30 swe.p10-100 risk.seen-below-half book.best-seat))
recomputed: $(addprefix build/,race_check sets_check swe_bounds swe_value swe_safer swe_four swe_short qwixx_check risk_line \
        risk_seen yahtzee_spread)
	CXX='$(CXX)' $(PYTHON) proofs/check.py --programs $(BY_PROGRAM)  # 4 min
	build/race_check proofs/recomputed/farkle-race-4000.cert  # 1 s
	build/sets_check proofs/recomputed/farkle-best-sets.cert  # 15 s
	build/swe_bounds 4,6,8,12,20 30 0 0,0,0,0,0 94.897811874 94.897811875  # 11 s
	build/swe_value 4,6,8,12,20 100 660.909265223 660.909265224  # 80 s
	build/swe_safer 65  # 30 s
	build/swe_four 14 18 1000 3000 19 8  # 2 s
	build/swe_short 11 38 0,0,0,9,0 0,0,0,10,0 0,0,0,11,0  # 4 min
	build/qwixx_check 6 5 4 0 115.483126 115.483127  # 35 s
	build/yahtzee_spread 3553.523266 3553.558464  # 2 min
	$(PYTHON) proofs/recomputed/fewest_sides.py proofs/recomputed/fewest-sides.txt  # 45 s
	$(PYTHON) proofs/recomputed/triples_check.py proofs/recomputed/proper-triples.txt 10  # 5 s
	build/risk_line 150000  # 4 s
	build/risk_seen 100000  # 25 s
	$(PYTHON) proofs/recomputed/census_check.py proofs/recomputed/fatestones-census.cert WORKERS 2  # 6 min

build/%: proofs/recomputed/%.cpp
	@mkdir -p build
	$(CXX) -O2 -std=c++17 -frounding-math -pthread -o $@ $<

# Both checkers of certificates on forged ones, about two minutes; after `make coq`.
forgeries: $(VENV)/ready-test
	$(BIN)/python tests/proofs/both_checkers.py 300000

# Three minutes; after `make coq`.
bounded:
	proofs/coq/extracted/swe 4,6,8,12,20 30

docs: $(VENV)/ready-docs
	rm -rf build/site/play
	$(BIN)/python docs/make.py --output build/site

# The page that computes in a browser, with Pyodide from npm and wheels from PyPI.
play: $(VENV)/ready-test
	$(BIN)/python docs/play/make.py build/site/play

site: docs
	$(MAKE) --no-print-directory play

# The exact tests with Python's own numbers, as in a browser: the fast ones in `make check`, the slow
# ones in `make test-long`. Deselected are tests about the text or floats of gmpy2's numbers, and one
# that starts a process with gmpy2.
FRACTIONS := -m 'measured or not (slow or long or browser)'
test-fractions: $(VENV)/ready-test
	EXACTDICE_WITHOUT_GMPY2=1 $(BIN)/pytest -q $(FRACTIONS) -n 3 --no-cov -p no:cacheprovider \
	    tests/test_arithmetic.py tests/test_enclosure.py tests/test_dice*.py tests/report \
	    tests/games/risk tests/games/reroll tests/solve tests/book tests/question tests/symbolic \
	    --ignore tests/solve/test_models_trust.py \
	    --deselect tests/solve/test_models_game.py::test_what_is_no_turn_is_refused_with_the_state \
	    --deselect tests/solve/test_models_optimum.py::test_a_model_is_solved_in_another_process

# Other tools to compare with, if they have wheels.
RIVALS := icepool cvxpy ecos

bench: $(VENV)/ready-bench
	$(BIN)/python -m benchmarks

tcr: $(VENV)/ready-tcr
	$(BIN)/python tools/tcr.py

clean:
	rm -rf $(VENV) .nox build cpp/build cpp/build-sanitize cpp/build-threads exactdice/native/*.so *.egg-info .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis .coverage

# A stamp is made only after a successful installation.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo 'make: $(PYTHON) is older than 3.11; set PYTHON=python3.11 or newer' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || \
	    { echo 'make: no virtual environment; on Debian: apt install python3-venv' >&2; exit 1; }

# pip knows groups of requirements since 25.1.
$(VENV)/ready-pip: $(VENV)/bin/python
	$(PIP) 'pip >= 25.1'
	@touch $@

$(VENV)/ready: $(VENV)/ready-pip $(SETUP)
	$(PIP) --editable .
	@touch $@

$(VENV)/ready-plots $(VENV)/ready-web: $(VENV)/ready-%: $(VENV)/ready-pip $(SETUP)
	$(PIP) --editable '.[$*]'
	@touch $@ $(VENV)/ready

$(VENV)/ready-test $(VENV)/ready-docs: $(VENV)/ready-%: $(VENV)/ready-pip $(SETUP)
	$(PIP) --editable . --group $*
	@touch $@ $(VENV)/ready

$(VENV)/ready-tcr: $(VENV)/ready-test
	$(PIP) --editable . --group tcr
	@touch $@

$(VENV)/ready-nox: $(VENV)/ready-pip pyproject.toml
	$(PIP) --group nox
	@touch $@

# Libraries of the extras storm, openspiel and learning, and of the groups exchange and browser: 350 MB,
# with wheels for some Pythons only. None is compiled.
READERS := $(shell sed -n '/^storm =/,/^$$/{s/ //g;/[>=]=/p;}' setup.cfg) $(call group,exchange)
$(VENV)/ready-exchange $(VENV)/ready-bench: others = $(READERS)
$(VENV)/ready-bench: others += $(RIVALS)
$(VENV)/ready-browser: others = $(call group,browser)
$(VENV)/ready-exchange $(VENV)/ready-bench $(VENV)/ready-browser: $(VENV)/ready-test
	@for other in $(foreach each,$(others),'$(each)'); do \
	    $(PIP) --only-binary :all: "$$other" \
	        2>/dev/null || echo "make: no wheel of $$other; skipped"; done
	@touch $@
