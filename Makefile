# Everything here works on a machine with make and Python 3.11 or newer, as root or not; the rest is fetched.
# Another Python: make PYTHON=python3.12 test. Arguments for the tool behind a target: make test ARGS="-k lobby".

PYTHON ?= python3
ARGS ?=

STAMP := .venv/.ready
RUN := .venv/bin/python
PYTEST := $(RUN) -m pytest

.DEFAULT_GOAL := help
.PHONY: help environment run demo test check format fuzz soak bench browser redis golden openapi lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

environment: $(STAMP) ## Make or refresh .venv (all other targets do so by themselves)

# A Python that was asked for by name must be the one in the environment; the default is content with any fit one.
EXACTLY := $(if $(filter-out file default,$(origin PYTHON)),--exactly-this-python)
# Rebuilt as well when the environment's Python has gone, or when another Python is asked for.
ifneq ($(EXACTLY)$(shell test -x $(RUN) || echo gone),)
.PHONY: $(STAMP)
endif

$(STAMP): requirements.lock pyproject.toml $(wildcard clients/python/pyproject.toml)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo >&2 \
	    "Python 3.11 or newer is needed, and $(PYTHON) is none. Name one: make PYTHON=/path/to/python3 ..."; exit 1; }
	@$(PYTHON) .ci/environment.py $(EXACTLY)

# exec: Ctrl-C and kill reach the service itself, which closes its sockets and stops its database.
run: $(STAMP) ## Start the service, with a PostgreSQL of its own unless DATABASE_URL is set
	@exec $(RUN) -m service serve $(ARGS)

demo: $(STAMP) ## Show a game being played from the contract alone
	@exec $(RUN) -m service demo $(ARGS)

# Two files of tests at a time: each process has a PostgreSQL of its own. One at a time: make test ARGS="-n 0".
test: $(STAMP) ## Run the tests
	@$(PYTEST) -n 2 --dist loadfile $(ARGS)

check: $(STAMP) ## Check format, lint, types and wording
	$(RUN) -m ruff format --check
	$(RUN) -m ruff check
	$(RUN) -m basedpyright
	$(RUN) .ci/words.py

format: $(STAMP) ## Format the sources and repair what the linter can
	$(RUN) -m ruff check --fix-only --quiet
	$(RUN) -m ruff format

fuzz: $(STAMP) ## Send generated requests at the whole contract
	@$(PYTEST) -m fuzz --timeout 3600 $(ARGS)

soak: $(STAMP) ## Play for minutes with faults thrown in, watching for leaks
	@$(PYTEST) -m soak --timeout 7200 $(ARGS)

bench: $(STAMP) ## Measure; ratios are judged, absolute figures printed
	@$(PYTEST) -m bench -s --timeout 3600 $(ARGS)

browser: $(STAMP) ## Look at the service from pages in Chromium, which must be installed
	@$(PYTEST) -m browser $(ARGS)

redis: $(STAMP) ## Test limits that processes share, with a redis-server, which must be installed
	@$(PYTEST) -m redis $(ARGS)

golden: $(STAMP) ## Write the golden files anew; review the difference
	@TABLELOG_GOLDEN=write $(PYTEST) -m golden $(ARGS)

openapi: $(STAMP) ## Write the documents under openapi/ anew
	@$(RUN) -m service openapi --write $(ARGS)

# Pins stay as they are where they can; make lock ARGS=--upgrade moves them all.
lock: $(STAMP) ## Work out requirements.lock anew from pyproject.toml
	@$(RUN) -m pip install --quiet --disable-pip-version-check uv
	@$(RUN) -m uv pip compile pyproject.toml --extra dev --universal --generate-hashes --python-version 3.11 \
	    --no-header --no-emit-index-url --quiet --output-file requirements.lock $(ARGS)

clean: ## Delete the environment and all caches; the data in .data/ stays
	@rm -rf .venv .pytest_cache .ruff_cache .hypothesis .schemathesis build dist htmlcov .coverage .coverage.*
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
