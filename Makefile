# Everything a developer does here. Needs make and Python 3.12 or newer; each target sets up what it needs.
MAKEFLAGS += --no-print-directory
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PORT ?= 3000
SERVICES ?= embedded
DYNAMODB_PORT ?= 8000
OPENSEARCH_PORT ?= 9200
Q ?=
# USER is also the login name in every shell's environment: only one given to make counts.
WHO := $(if $(filter command line,$(origin USER)),$(value USER),alice)
WHERE := $(if $(filter command line,$(origin TENANT)),$(value TENANT),demo)

quote = '$(subst ','\'',$(1))'
python := PYTHONPATH=shared:. .venv/bin/python
local := $(python) -m infra.local.cli
as := --port $(call quote,$(PORT)) --user $(call quote,$(WHO)) --tenant $(call quote,$(WHERE))

.PHONY: help run chat ask token reset test test-real lint format schemas openapi bench sam-validate sam-build lock clean
.PHONY: setup setup-dev

help: ## This list
	@echo "usage: make TARGET [NAME=value ...]"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-13s %s\n", $$1, $$2}' Makefile

run: setup ## The whole product on 127.0.0.1:PORT (3000), demo data and all; SERVICES=real takes DynamoDB Local and OpenSearch
	@exec env $(local) serve --port $(call quote,$(PORT)) --services $(call quote,$(SERVICES)) \
	  --dynamodb-port $(call quote,$(DYNAMODB_PORT)) --opensearch-port $(call quote,$(OPENSEARCH_PORT))

chat: setup ## Talk to it in the terminal; USER=alice TENANT=demo
	@exec env $(local) chat $(as)

ask: setup ## One question: make ask Q="Tell me about Jack Russel"
	@exec env $(local) ask $(as) -- $(call quote,$(value Q))

token: setup ## A token, and nothing else: make token USER=bob TENANT=demo
	@exec env $(local) token $(as)

reset: setup ## Demo data as new
	@exec env $(local) reset $(as)

test: setup-dev ## All tests that need nothing but Python
	@.venv/bin/python -m pytest -q -n 2

test-real: setup-dev ## The tests against DynamoDB Local and the Lambda runtime; needs Java 17+ and Maven
	@infra/local/test_real.sh

lint: setup-dev ## Style, types, import directions, generated files
	@.venv/bin/ruff check -q .
	@.venv/bin/ruff format -q --check .
	@.venv/bin/python -m mypy --no-error-summary shared functions infra tests bench
	@said=$$(PYTHONPATH=shared .venv/bin/lint-imports --no-logo 2>&1) || { echo "$$said"; exit 1; }
	@$(python) -m infra.schemas --check
	@$(python) -m infra.openapi --check
	@echo "lint: nothing to say"

format: setup-dev ## Formats and sorts what can be
	@.venv/bin/ruff check -q --fix . ; .venv/bin/ruff format -q .

schemas: setup-dev ## Writes tool_schemas/ from the tools
	@$(python) -m infra.schemas

openapi: setup-dev ## Writes the API's description from the functions
	@$(python) -m infra.openapi

bench: setup-dev ## How much CPU a turn takes beside a hand-written loop that does the same
	@$(python) -m bench.turn_cpu

sam-validate: ## Checks template.yaml with the SAM CLI, which is installed into .local/tools
	@infra/local/sam.sh validate --lint

sam-build: ## Builds what `sam deploy` uploads; ARCHITECTURE=arm64
	@infra/local/build.sh $(ARCHITECTURE)

lock: setup-dev ## Writes the requirements files anew from pyproject.toml
	@infra/local/lock.sh

clean: ## Removes environments, builds and caches; data and signing key under .local stay
	@rm -rf .venv .aws-sam .local/build .local/build-cache .local/build.toml .local/uv .pytest_cache .mypy_cache .ruff_cache \
	  .import_linter_cache .hypothesis
	@find . -name __pycache__ -not -path './.local/*' -prune -exec rm -rf {} +

setup:
	@infra/local/setup.sh local

setup-dev:
	@infra/local/setup.sh dev
