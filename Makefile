# Each target does its own set-up; it needs only Python >= 3.11, make and git, and is quick the second time.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: demo test test-all lint bench fixtures catalogues pictures lock clean

demo: $(READY)
	$(BIN)/bansha demo

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

test-all: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python -m bench

# Records the cases under fixtures/ anew from the scripts of the test board.
fixtures: $(READY)
	$(BIN)/python -m tests.board.record

# Writes the catalogues under engine/locales anew from the source, and lists what is not translated yet.
catalogues: $(READY)
	$(BIN)/python -m catalogues

# Takes the pictures of the READMEs anew; needs Chromium and its driver.
pictures: $(READY)
	$(BIN)/python -m tests.browser.pictures

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "bansha needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(READY)

# Needs uv (`pipx install uv`); contributors run it when a dependency changes.
lock:
	uv pip compile --universal --generate-hashes --no-header --python-version 3.11 --extra dev --extra report -o requirements.lock pyproject.toml

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache
