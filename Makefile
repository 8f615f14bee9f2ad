# Two commands matter: `make run` starts the companion on its sample table, `make test` checks everything.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# Tests wait a third of their time, for a camera, a board of lights or a browser: two more at once than there are cores.
WORKERS := $(BIN)/python -c 'import os; print(min(4, 2 + (os.cpu_count() or 1)))'

# The workers share the cores, as NumPy's own threads would.
export OPENBLAS_NUM_THREADS ?= 1

# OpenCV and the nets that follow it likewise, but where their speed is measured.
test fast explore test-%: export OPENCV_FOR_THREADS_NUM ?= 1

# Where Python may not keep what it has compiled, each worker and each program that a test starts compiles it all anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test lint fast explore bench pictures shapes templates setup setup-test system lock audit clean

# Opens the browser where there is a screen; `make run OPEN=--no-open` never does.
OPEN ?= --open
run: setup
	$(BIN)/companion serve --demo ludus-regularis $(OPEN)

# Style, the layers, and the page's scripts.
STYLE := $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/lint-imports --no-cache && .ci/page/check

test: system setup-test
	.ci/beside "$(STYLE) && $(BIN)/mypy" "$(BIN)/pytest -n $$($(WORKERS)) --dist loadfile --no-loadscope-reorder"

lint: setup-test
	$(STYLE)

# What a change breaks first: the tests nearest to what differs from the last commit.
fast: lint
	$(BIN)/pytest -q -n $$($(WORKERS)) --dist loadfile $$(.ci/nearest)

# The tests of one room: make test-rules, make test-web.
test-%: setup-test
	$(BIN)/pytest -n $$($(WORKERS)) --dist loadfile tests/$*

# `make test` judges by the same examples each time; this looks for others, each time anew, and begins with those that
# once failed: they stay in .explored. Mend the fault, and let make test keep the case (CONTRIBUTING.md).
explore: system setup-test
	$(BIN)/pytest -n $$($(WORKERS)) -m hypothesis --hypothesis-profile=explore

# Every measurement that the project reports, with n, seed and machine load, as JSON.
bench: system setup-test
	@.ci/system-packages bench-packages.txt
	$(BIN)/python -m bench --out bench.json

# The pictures of the documents and the icons, taken anew from the running program; PICTURES="page zeno" takes only those.
pictures: system setup-test
	@.ci/system-packages bench-packages.txt
	$(BIN)/python -m tests.browser.pictures $(PICTURES)

# The types of what a page receives, after its shapes were changed.
shapes: setup-test
	$(BIN)/python -m workshop.page_types

# The index of the texts for players, after a sentence was added, changed or taken away.
templates: setup
	$(BIN)/python -m workshop.templates

setup: $(VENV)/.run
setup-test: $(VENV)/.test

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed, but $(PYTHON) is `$(PYTHON) -V 2>&1`: name another one with 'make PYTHON=python3.12'."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python cannot make a virtual environment here: install its venv module (Debian: apt install python3-venv)."; exit 1; }

$(VENV)/.run: $(VENV)/bin/python requirements.lock pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -c 'import cv2' || \
	  { echo "OpenCV is installed but a system library that it wants is missing; the line above names it (Debian: apt install libgl1 libglib2.0-0)."; exit 1; }
	@touch $@

# Most modules of these are never imported; those that are, compile themselves then.
$(VENV)/.test: $(VENV)/.run requirements-test.lock
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r requirements-test.lock
	@touch $@

system:
	@.ci/system-packages

# After a change of dependencies in pyproject.toml. Writes no index address.
LOCK := $(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-header --no-annotate
lock: setup-test
	$(BIN)/python -m pip install --quiet pip-tools
	$(LOCK) --build-deps-for editable --output-file requirements.lock pyproject.toml
	$(LOCK) --build-deps-for editable --extra hall --constraint requirements.lock --output-file requirements-hall.lock pyproject.toml
	$(LOCK) --extra test --constraint requirements.lock --output-file requirements-test.lock pyproject.toml
	cd .ci/page && npm update --package-lock-only && node -e 'const lock = JSON.parse(fs.readFileSync("package-lock.json")); for (const one of Object.values(lock.packages)) delete one.funding; fs.writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n")'

# The bill of materials, and what is publicly known against the locked packages; needs a network. After every change of the locks, and monthly.
audit:
	@$(PYTHON) .ci/audit

clean:
	rm -rf $(VENV) .venv-audit .venv-trial .mypy_cache .pytest_cache .ruff_cache .hypothesis .ci/page/node_modules bench.json
