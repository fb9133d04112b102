# On a fresh machine with python3 (3.11 or newer, with venv) and make: `make demo`, `make test`.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
STAMP  := $(VENV)/.stamp

# Which Pythons `make test-pythons` looks for, and which one `make test-lowest` takes: the lowest that is supported.
PYTHONS       ?= 3.11 3.12 3.13 3.14 3.15
LOWEST_PYTHON ?= python3.11
# All extras but spark, which is 400 MB.
EXTRAS := arrow dask duckdb polars rich validate zst
empty :=
comma := $(empty),$(empty)

export PIP_NO_INPUT = 1
# uv installs no bytecode: without this every process of the tests would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

# Tests need not have the vendors' SDKs: these want newer versions than the lowest, and are too large for every Python.
WITHOUT_SDKS := TOOLBRIDGE_SDKS=optional HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-few}
# What says nothing about versions: judges without their SDKs, real documents by the thousand, laws of the mapping and
# rules of single formats (every format has its fixtures), what only standard Python does (words, growth, kills), benchmarks.
NOT_LOWEST := --ignore tests/vendors --ignore tests/laws --ignore-glob 'tests/formats/test_[!f]*.py' \
	--ignore tests/toolbox/test_corpus.py --ignore tests/docs/test_benchmarks.py --ignore tests/pull \
	--ignore tests/fuzz --ignore tests/docs/test_pages.py --ignore tests/comparison --ignore tests/cli/test_width.py \
	--ignore tests/cli/test_hooks.py --ignore tests/schema --ignore tests/toolbox/test_stream_corpus.py \
	--ignore tests/test_growth.py --ignore tests/test_words.py --ignore tests/test_architecture.py \
	--ignore tests/bulk/files/test_interrupted.py --ignore tests/bulk/files/test_working_files.py \
	--ignore tests/conversion/test_secrets.py --ignore tests/docs/test_website.py \
	--ignore tests/bulk/files/test_equality.py --ignore tests/toolbox/test_alternatives.py

.PHONY: help demo test fuzz test-lowest test-pythons test-frameworks check format docs docs-build docs-serve release schemas bench bench-check bench-peers clean

help:
	@echo "make demo    converts a catalogue of tools to Tool Definition 1.0 and back, and compares"
	@echo "make test    the tests (HYPOTHESIS_PROFILE=long: many more examples)"
	@echo "make fuzz    hostile input to all functions, for 5 minutes (MINUTES=60 JOBS=4 SEED=1 for other runs)"
	@echo "make test-lowest   most of the tests with the lowest version of every dependency and extra but spark (needs Python 3.11)"
	@echo "make test-pythons  the tests on every installed Python (PYTHONS=\"$(PYTHONS)\")"
	@echo "make test-frameworks  the adapters in environments of agent frameworks (NAMES=\"crewai strands\": some of them)"
	@echo "make check   linter, formatter, type checkers, generated files"
	@echo "make format  let the formatter rewrite"
	@echo "make docs    write docs/ and schemas/ anew from the code"
	@echo "make docs-build    the website, in build/site; fails at a dead link or anchor"
	@echo "make docs-serve    the website at http://127.0.0.1:8000/, built again when a page changes"
	@echo "make release       checks and builds a release in dist/, up to the upload"
	@echo "make bench   the benchmarks, and their page; bench-check: compares with the last results; bench-peers: other converters"
	@echo "make clean   remove what the others made"

# What tests need besides the library: `make test-pythons` says it otherwise.
INSTALL := test,rich
TOOLS   :=

# uv takes a tenth of the time that pip takes, but does not know the settings of pip, such as another index.
UV       := $(BIN)/python -m uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable
WITH_PIP := PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(PIP) install --editable

# The stamp is made last: an installation that was cut off is begun again.
$(STAMP): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "toolbridge needs Python 3.11 or newer; there is no $(PYTHON) here" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "toolbridge needs Python 3.11 or newer; %s is %s. Try: make PYTHON=python3.12 ..." % (sys.executable, sys.version.split()[0]))'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) lacks the venv module; on Debian: apt install python3-venv" >&2; exit 1; }
	@echo "installing the library into $(VENV) ..."
	@test -x $(BIN)/python && $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || $(PYTHON) -m venv --clear $(VENV)
	@PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(PIP) install --editable .
	@touch $@

# Vendors' SDKs and test tools: 900 MB, which who only tries the library does not wait for.
$(VENV)/.stamp-test: $(STAMP)
	@echo "installing what the tests need into $(VENV) ..."
	@PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(PIP) install uv
	@$(UV) '.[$(INSTALL)]' $(TOOLS) 2>/dev/null || $(WITH_PIP) '.[$(INSTALL)]' $(TOOLS)
	@touch $@

$(VENV)/.stamp-dev: $(VENV)/.stamp-test
	@$(UV) '.[test,rich,dev]' 2>/dev/null || $(WITH_PIP) '.[test,rich,dev]'
	@touch $@

demo: $(STAMP)
	@$(BIN)/python examples/demo.py

test: $(VENV)/.stamp-test
	@$(BIN)/python -m pytest -q -n auto $(ARGS)

# With a seed the inputs are the same in every run, and coverage, which depends on time, guides none of them.
MINUTES ?= 5
JOBS    ?= 2

fuzz: $(VENV)/.stamp-test $(if $(SEED),,$(VENV)/.stamp-fuzz)
	@PYTHONPATH=src:tests $(BIN)/python -m fuzz --minutes $(MINUTES) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(ARGS)

# atheris has wheels for few systems; without it inputs are made by chance alone.
$(VENV)/.stamp-fuzz: $(VENV)/.stamp-test
	@$(UV) '.[fuzz]' 2>/dev/null || echo "atheris does not install here" >&2
	@touch $@

.venv-lowest/.stamp: LOWEST := $(EXTRAS)
.venv-lowest-pull/.stamp: LOWEST := pull validate
.venv-lowest/.stamp .venv-lowest-pull/.stamp: pyproject.toml constraints.txt tests/lowest.py
	@command -v $(LOWEST_PYTHON) >/dev/null || { echo "the lowest versions are for Python 3.11; there is no $(LOWEST_PYTHON) here" >&2; exit 1; }
	@echo "installing into $(@D) ..."
	@$(LOWEST_PYTHON) -m venv --clear $(@D)
	@PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(@D)/bin/python -m pip --disable-pip-version-check --quiet install packaging uv
	@$(@D)/bin/python tests/lowest.py $(LOWEST)
	@touch $@

# Pull has an environment of its own: mcp needs a newer pydantic than the rest. Its lowest version is mcp 1, which is
# tested here, and mcp 2 by `make test`.
test-lowest: .venv-lowest/.stamp .venv-lowest-pull/.stamp
	@$(WITHOUT_SDKS) .venv-lowest/bin/python -m pytest -q -n auto $(NOT_LOWEST) $(ARGS)
	@$(WITHOUT_SDKS) .venv-lowest-pull/bin/python -m pytest -q -n auto tests/pull tests/adapters/test_mcp_sdk_v1.py

# Each in .venv-VERSION: from PATH, or else from pyenv.
test-pythons:
	@set -e; for version in $(PYTHONS); do \
		for python in python$$version "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$$version.*/bin/python; do \
			$$python -c '' 2>/dev/null && break; python=; \
		done; \
		test -n "$$python" || { echo "Python $$version: not on this machine, not tested"; continue; }; \
		echo "Python $$version: $$python"; \
		$(MAKE) --no-print-directory VENV=.venv-$$version PYTHON=$$python .venv-$$version/.stamp-test \
			INSTALL=$(subst $(empty) $(empty),$(comma),$(EXTRAS)),pull TOOLS='fastapi hypothesis mcp-server-time pytest pytest-xdist'; \
		$(WITHOUT_SDKS) .venv-$$version/bin/python -m pytest -q -n auto $(ARGS); \
	done

# Environments of 2 GB in .venv-frameworks: for people, before a release. CI has those that install beside the rest.
test-frameworks: $(VENV)/.stamp-test
	@$(BIN)/python tests/frameworks.py $(NAMES)
	@$(BIN)/python docs/generate.py

check: $(VENV)/.stamp-dev
	@$(BIN)/ruff check --quiet --output-format concise
	@$(BIN)/ruff format --check --quiet || { $(BIN)/ruff format --check; echo "run: make format" >&2; exit 1; }
	@$(BIN)/pyright --warnings --pythonpath $(BIN)/python > $(VENV)/pyright.txt || { cat $(VENV)/pyright.txt; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports > $(VENV)/imports.txt || { cat $(VENV)/imports.txt; exit 1; }
	@$(BIN)/python schemas/generate.py --check
	@$(BIN)/python docs/generate.py --check

format: $(VENV)/.stamp-dev
	@$(BIN)/ruff check --fix --quiet
	@$(BIN)/ruff format --quiet

docs: $(VENV)/.stamp-test
	@$(BIN)/python schemas/generate.py
	@$(BIN)/python docs/generate.py

$(VENV)/.stamp-docs: $(STAMP)
	@$(UV) '.[docs]' 2>/dev/null || $(WITH_PIP) '.[docs]'
	@touch $@

# The banner says that MkDocs 2 is not compatible: see mkdocs.yml.
docs-build: export NO_MKDOCS_2_WARNING = 1
docs-build: $(VENV)/.stamp-docs
	@$(BIN)/python docs/website.py
	@$(BIN)/mkdocs build --quiet

docs-serve: export NO_MKDOCS_2_WARNING = 1
docs-serve: $(VENV)/.stamp-docs
	@$(BIN)/python docs/website.py serve

release: $(VENV)/.stamp-dev
	@$(BIN)/python .ci/release.py

schemas: $(VENV)/.stamp-test
	@$(BIN)/python schemas/generate.py

bench: $(VENV)/.stamp-test
	@$(BIN)/python benchmarks/run.py
	@$(BIN)/python benchmarks/first_pass.py
	@$(BIN)/python benchmarks/large.py
	@$(BIN)/python benchmarks/bulk.py
	@$(BIN)/python benchmarks/tried.py
	@$(BIN)/python docs/generate.py

# Ratios now against the committed ones. Takes minutes, wants a quiet machine, and is for people: CI has neither.
bench-check: $(VENV)/.stamp-test
	@$(BIN)/python benchmarks/check.py $(ARGS)

# Installs every peer from its pins, 2 GB in all.
bench-peers: $(VENV)/.stamp-test
	@$(BIN)/python benchmarks/peers.py --speed
	@$(BIN)/python docs/generate.py

clean:
	@rm -rf $(VENV) .venv-lowest .venv-lowest-pull .venv-frameworks $(PYTHONS:%=.venv-%) build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
