# Everything a developer does here. Needs make and Python 3.12 or 3.13; each target sets up what it needs.
MAKEFLAGS += --no-print-directory
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PORT ?= 3000
SERVICES ?= embedded
DYNAMODB_PORT ?= 8000
OPENSEARCH_PORT ?= 9200
Q ?=
EXAMPLES ?= 50
CHUNKS ?= 100000
KILL_EVERY ?=
BENCH_PORT ?= 9290
V ?=
PLAN ?= standard
VERSION ?=
STACK ?= aisha
REGION ?= us-east-1
# USER is also the login name in every shell's environment: only one given to make counts.
WHO := $(if $(filter command line,$(origin USER)),$(value USER),alice)
WHERE := $(if $(filter command line,$(origin TENANT)),$(value TENANT),demo)

quote = '$(subst ','\'',$(1))'
python := PYTHONPATH=shared:. .venv/bin/python
pytest := .venv/bin/python -m pytest -q -n 2 --dist worksteal
local := $(python) -m infra.local.cli
admin := $(python) -m infra.admin.cli
tenant := --tenant $(call quote,$(WHERE))
user := --user $(call quote,$(WHO))
as := --port $(call quote,$(PORT)) $(user) $(tenant)

.PHONY: help run chat ask token reset memory-load memory-reindex forget sweep audit-verify onboard test test-slow test-all test-real test-kills lint format schemas openapi prices api-check bench bench-sweep bench-memory live sam-validate template-check sam-build cold-start sam-local supply-chain lock release clean
.PHONY: setup setup-dev

help: ## This list
	@echo "usage: make TARGET [NAME=value ...]"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' Makefile

run: setup ## The whole product on 127.0.0.1:PORT (3000), demo data and all; SERVICES=real takes DynamoDB Local and OpenSearch
	@exec env $(local) serve --port $(call quote,$(PORT)) --services $(call quote,$(SERVICES)) \
	  --dynamodb-port $(call quote,$(DYNAMODB_PORT)) --opensearch-port $(call quote,$(OPENSEARCH_PORT))

chat: setup ## Talk to it in the terminal; USER=alice TENANT=demo
	@exec env $(local) chat $(as)

ask: setup ## One question: make ask Q="Tell me about Jack Russel"; V=1 tells results, timing and the prompt's size
	@exec env $(local) ask $(as) $(if $(V),--verbose) -- $(call quote,$(value Q))

token: setup ## A token, and nothing else: make token USER=bob TENANT=demo
	@exec env $(local) token $(as)

reset: setup ## Demo data as new
	@exec env $(local) reset $(as)

memory-load: setup ## A tenant's notes, activities and endings into memory: make memory-load TENANT=demo; in AWS with DEPLOYED=1
	@exec env $(if $(DEPLOYED),$(admin) memory-load $(tenant),$(local) memory-load $(as))

memory-reindex: setup ## Memory's index and vectors anew, after another AISHA_EMBEDDER or a new mapping; in AWS with DEPLOYED=1
	@exec env $(if $(DEPLOYED),$(admin) memory-reindex,$(local) memory-reindex $(as))

forget: setup ## Deletes what is kept about a user: make forget USER=bob TENANT=demo; in AWS with DEPLOYED=1
	@$(if $(filter command line,$(origin USER)),$(if $(filter command line,$(origin TENANT)),:,echo "error: say TENANT=..." >&2; exit 2),echo "error: say USER=... and TENANT=..." >&2; exit 2)
	@exec env $(if $(DEPLOYED),$(admin) forget $(user) $(tenant),$(local) forget $(as))

sweep: setup ## Scans a tenant's open records, suggests what to do, sends what is due: make sweep TENANT=demo
	@exec env $(local) sweep $(as)

audit-verify: setup ## Whether a tenant's audit log is whole: make audit-verify TENANT=demo; in AWS with TABLE=<table of entries>; KNOWN=<an earlier end>
	@exec env $(if $(TABLE),$(admin) verify $(tenant) --table $(call quote,$(TABLE)),$(local) verify $(as) \
	  --services $(call quote,$(SERVICES)) --dynamodb-port $(call quote,$(DYNAMODB_PORT))) \
	  $(if $(KNOWN),--known $(call quote,$(KNOWN)))

onboard: setup ## Sets a tenant up at a deployed stack: make onboard TENANT=acme PLAN=standard STACK=aisha REGION=us-east-1 LABELS=... USERS=... ASSISTANT=... BUDGET=... PROVIDER=... MASK=1; APPLY=1 does it
	@$(if $(filter command line,$(origin TENANT)),:,echo "error: say TENANT=... PLAN=..." >&2; exit 2)
	@$(admin) onboard $(tenant) --plan $(call quote,$(PLAN)) --stack $(call quote,$(STACK)) \
	  --region $(call quote,$(REGION)) --labels $(call quote,$(value LABELS)) --users $(call quote,$(value USERS)) \
	  $(if $(value ASSISTANT),--assistant-name $(call quote,$(value ASSISTANT))) $(if $(BUDGET),--budget-usd $(call quote,$(BUDGET))) $(if $(PROVIDER),--provider $(call quote,$(PROVIDER))) $(if $(MASK),--mask-contacts $(call quote,$(MASK))) \
	  $(if $(filter command line,$(origin APPLY)),$(if $(filter 1,$(APPLY)),--apply))

test: setup-dev ## What every change needs to know, under three minutes on two cores; needs nothing but Python
	@$(pytest) && echo "make test: $$SECONDS s"

test-slow: setup-dev ## What make test leaves out: all conversations, kills, random API requests, large data, npm clients; KILL_EVERY=3
	@AISHA_TEST_KILL_EVERY=$(KILL_EVERY) $(pytest) -m 'slow or npm' && echo "make test-slow: $$SECONDS s"

test-all: test test-slow ## All tests that need no other service; those are in make test-real

test-real: setup-dev ## The tests against DynamoDB Local, OpenSearch and the Lambda runtime; needs a JDK 21+ and Maven
	@infra/services/test_real.sh

test-kills: setup-dev ## Kills the process at every step of a turn, or at one in so many: KILL_EVERY=3; minutes
	@AISHA_TEST_KILL_EVERY=$(or $(KILL_EVERY),1) $(pytest) -m 'slow or not slow' tests/integration/test_kills.py

lint: setup-dev ## Style, types, import directions, generated files
	@.venv/bin/ruff check -q .
	@.venv/bin/ruff format -q --check .
	@.venv/bin/python -m mypy --no-error-summary shared functions infra tests bench
	@said=$$(PYTHONPATH=shared .venv/bin/lint-imports --no-logo 2>&1) || { echo "$$said"; exit 1; }
	@$(python) -m infra.schemas --check
	@$(python) -m infra.openapi --check
	@$(python) -m infra.prices --check
	@echo "lint: nothing to say"

format: setup-dev ## Formats and sorts what can be
	@.venv/bin/ruff check -q --fix . ; .venv/bin/ruff format -q .

schemas: setup-dev ## Writes tool_schemas/ from the tools
	@$(python) -m infra.schemas

openapi: setup-dev ## Writes the API's description from the functions
	@$(python) -m infra.openapi

prices: setup-dev ## Writes what models cost from the library genai-prices; newer prices come with a newer library
	@$(python) -m infra.prices

api-check: setup-dev ## The whole API against its description, with random requests; EXAMPLES=50 for each operation
	@$(python) -m infra.local.checks.api_check --max-examples $(call quote,$(EXAMPLES))

bench: setup-dev ## The table of ratios: turns beside hand-written loops and frameworks, starts, prompt tokens; some minutes
	@bench/frameworks/setup.sh
	@$(python) -m bench

bench-sweep: setup-dev ## A sweep's time at 1,000 and 10,000 records and with more workers; LARGE=1 adds 100,000; minutes
	@$(python) -m bench.sweep $(if $(LARGE),--large)

bench-memory: setup-dev ## What OpenSearch finds of the nearest among CHUNKS (100000) memories; starts one of its own at BENCH_PORT (9290); minutes
	@trap 'infra/services/opensearch.sh stop $(BENCH_PORT)' EXIT; \
	  infra/services/opensearch.sh start $(call quote,$(BENCH_PORT)) .local/bench-opensearch && \
	  $(python) -m bench.memory_recall http://127.0.0.1:$(call quote,$(BENCH_PORT)) --chunks $(call quote,$(CHUNKS))

live: setup-dev ## The same conversation with every model provider that has its key in the environment
	@$(python) -m infra.local.checks.live

sam-validate: ## Checks template.yaml with the SAM CLI, which is installed into .local/tools
	@infra/sam/sam.sh validate --lint

template-check: ## template.yaml by SAM, cfn-lint and checkov, which are installed into .local/tools
	@infra/sam/template_check.sh

sam-build: ## Builds what `sam deploy` uploads; ARCHITECTURE=arm64
	@infra/build/build.sh $(ARCHITECTURE)

cold-start: setup-dev ## Every built function under AWS's runtime emulator: cold and warm figures; after: infra/build/build.sh host .local/build
	@$(python) -m bench.cold_start

sam-local: ## What `sam local invoke` and `sam local start-api` need; wants Docker or Podman
	@infra/sam/sam_local.sh prepare

supply-chain: setup-dev ## Locks, known vulnerabilities, licences, SBOM, bandit, secrets; reports in .local/supply-chain
	@infra/supply_chain/check.sh

lock: setup-dev ## Writes every lock anew: the requirements files from pyproject.toml, those of tools and of the bench from their *.in
	@infra/environment/lock.sh
	@infra/environment/tool_environment.sh --lock
	@bench/frameworks/setup.sh lock

release: setup-dev ## Check, test, build and tag a release: make release VERSION=0.2.0
	@infra/build/release.sh $(call quote,$(VERSION))

clean: ## Removes environments, builds and caches; data and signing key under .local stay
	@rm -rf .venv .aws-sam .local/build .local/build-cache .local/build.toml .local/uv .pytest_cache .mypy_cache .ruff_cache \
	  .import_linter_cache .hypothesis
	@find . -name __pycache__ -not -path './.local/*' -prune -exec rm -rf {} +

setup:
	@infra/environment/setup.sh local

setup-dev:
	@infra/environment/setup.sh dev
