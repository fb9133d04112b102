# On a fresh machine with python3 (3.11 or newer, with venv) and make: `make demo`, `make test`.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
STAMP  := $(VENV)/.stamp

export PIP_NO_INPUT = 1

.PHONY: help demo test fuzz check format docs schemas bench bench-check bench-peers clean

help:
	@echo "make demo    a catalogue of tools goes to Tool Definition 1.0 and comes home, equal"
	@echo "make test    the tests (HYPOTHESIS_PROFILE=long for the patient)"
	@echo "make fuzz    what nobody means well with, for 5 minutes (MINUTES=60 JOBS=4 SEED=1 for other runs)"
	@echo "make check   linter, formatter, type checkers, generated files"
	@echo "make format  let the formatter rewrite"
	@echo "make docs    write docs/ and schemas/ anew from the code"
	@echo "make bench   the benchmarks, and their page; bench-check: is anything slower; bench-peers: others beside us"
	@echo "make clean   remove what the others made"

# The stamp is made last: an installation that was cut off is begun again.
$(STAMP): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "toolbridge needs Python 3.11 or newer; there is no $(PYTHON) here" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "toolbridge needs Python 3.11 or newer; %s is %s. Try: make PYTHON=python3.12 ..." % (sys.executable, sys.version.split()[0]))'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) lacks the venv module; on Debian: apt install python3-venv" >&2; exit 1; }
	@echo "installing into $(VENV) ..."
	@test -x $(BIN)/python && $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || $(PYTHON) -m venv --clear $(VENV)
	@PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(PIP) install --editable '.[test,rich]'
	@touch $@

$(VENV)/.stamp-dev: $(STAMP)
	@PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(PIP) install --editable '.[test,rich,dev]'
	@touch $@

demo: $(STAMP)
	@$(BIN)/python examples/demo.py

test: $(STAMP)
	@$(BIN)/python -m pytest -q -n auto $(ARGS)

# With a seed the inputs are the same in every run, and coverage, which depends on time, guides none of them.
MINUTES ?= 5
JOBS    ?= 2

fuzz: $(STAMP) $(if $(SEED),,$(VENV)/.stamp-fuzz)
	@PYTHONPATH=src:tests $(BIN)/python -m fuzz --minutes $(MINUTES) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(ARGS)

# atheris has wheels for few systems; without it inputs are made by chance alone.
$(VENV)/.stamp-fuzz: $(STAMP)
	@PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(PIP) install --editable '.[fuzz]' 2>/dev/null || echo "atheris does not install here" >&2
	@touch $@

check: $(VENV)/.stamp-dev
	@$(BIN)/ruff check --quiet --output-format concise
	@$(BIN)/ruff format --check --quiet || { $(BIN)/ruff format --check; echo "run: make format" >&2; exit 1; }
	@$(BIN)/pyright --warnings --pythonpath $(BIN)/python > $(VENV)/pyright.txt || { cat $(VENV)/pyright.txt; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/python schemas/generate.py --check
	@$(BIN)/python docs/generate.py --check

format: $(VENV)/.stamp-dev
	@$(BIN)/ruff check --fix --quiet
	@$(BIN)/ruff format --quiet

docs: $(STAMP)
	@$(BIN)/python schemas/generate.py
	@$(BIN)/python docs/generate.py

schemas: $(STAMP)
	@$(BIN)/python schemas/generate.py

bench: $(STAMP)
	@$(BIN)/python benchmarks/run.py
	@$(BIN)/python benchmarks/bulk.py
	@$(BIN)/python benchmarks/tried.py
	@$(BIN)/python docs/generate.py

# Ratios now against the committed ones. Takes minutes, wants a quiet machine, and is for people: CI has neither.
bench-check: $(STAMP)
	@$(BIN)/python benchmarks/check.py $(ARGS)

# Installs every peer from its pins, 2 GB in all.
bench-peers: $(STAMP)
	@$(BIN)/python benchmarks/peers.py --speed
	@$(BIN)/python docs/generate.py

clean:
	@rm -rf $(VENV) build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
