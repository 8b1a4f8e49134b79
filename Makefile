# All tasks of a developer. Requires make and Python 3.12 or 3.13; each target installs what it needs.
MAKEFLAGS += --no-print-directory
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
# The suites start Python some hundred times; without kept bytecode each start compiles every module.
unexport PYTHONDONTWRITEBYTECODE

PORT ?= 3000
ENVIRONMENT ?= dev
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
CRM ?=
URL ?=
SECRET ?=
USERS ?=
STACK ?= aisha
REGION ?= us-east-1
PART ?= closed
PERTURB ?=
# USER is also the login name in every shell's environment: only a value on make's command line counts.
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

crm = --crm $(call quote,$(CRM)) $(tenant) --url $(call quote,$(value URL)) --secret $(call quote,$(SECRET)) \
  --users $(call quote,$(value USERS)) $(if $(TIME_ZONE),--time-zone $(call quote,$(TIME_ZONE))) \
  $(if $(VARIABLES),--variables $(call quote,$(value VARIABLES)))

.PHONY: help run connect connect-check chat ask token reset memory-load memory-reindex forget sweep audit-verify onboard
.PHONY: test test-slow test-all test-real test-kills lint format schemas openapi prices api-check
.PHONY: answers trace attack mutants sentences train-planner measure-planner bench bench-sweep bench-memory bench-connection live sam-validate template-check sam-build cold-start sam-local
.PHONY: web web-deploy test-web screenshots
.PHONY: supply-chain lock release clean
.PHONY: setup setup-dev

help: ## Print this list
	@echo "usage: make TARGET [NAME=value ...]"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' Makefile

run: setup ## Serve the product with demo data on 127.0.0.1:PORT (3000); SERVICES=real uses DynamoDB Local and OpenSearch; CRM=bottlecrm a CRM
	@exec env $(local) serve --port $(call quote,$(PORT)) --services $(call quote,$(SERVICES)) \
	  $(if $(CRM),--crm $(call quote,$(CRM)) --crm-url $(call quote,$(value URL))) \
	  $(if $(TIME_ZONE),--crm-time-zone $(call quote,$(TIME_ZONE))) \
	  $(if $(USERS),--crm-users $(call quote,$(value USERS))) \
	  $(if $(VARIABLES),--crm-variables $(call quote,$(value VARIABLES))) \
	  --dynamodb-port $(call quote,$(DYNAMODB_PORT)) --opensearch-port $(call quote,$(OPENSEARCH_PORT))

chat: setup ## Chat in the terminal; USER=alice TENANT=demo
	@exec env $(local) chat $(as)

ask: setup ## Ask one question: make ask Q="Tell me about Jack Russel"; V=1 adds results, timing and prompt size
	@exec env $(local) ask $(as) $(if $(V),--verbose) -- $(call quote,$(value Q))

token: setup ## Print an access token: make token USER=bob TENANT=demo
	@exec env $(local) token $(as)

reset: setup ## Restore the demo data
	@exec env $(local) reset $(as)

memory-load: setup ## Load a tenant's notes, activities and closed deals into memory; TENANT=demo; DEPLOYED=1 for AWS
	@exec env $(if $(DEPLOYED),$(admin) memory-load $(tenant),$(local) memory-load $(as))

memory-reindex: setup ## Rebuild memory's index and vectors, after a change of AISHA_EMBEDDER or of the mapping; DEPLOYED=1 for AWS
	@exec env $(if $(DEPLOYED),$(admin) memory-reindex,$(local) memory-reindex $(as))

forget: setup ## Delete a user's data: make forget USER=bob TENANT=demo; DEPLOYED=1 for AWS
	@$(if $(filter command line,$(origin USER)),:,echo "error: give USER=... and TENANT=..." >&2; exit 2)
	@$(if $(filter command line,$(origin TENANT)),:,echo "error: give TENANT=..." >&2; exit 2)
	@exec env $(if $(DEPLOYED),$(admin) forget $(user) $(tenant),$(local) forget $(as))

sweep: setup ## Scan a tenant's open records, make suggestions, send due notifications; TENANT=demo
	@exec env $(local) sweep $(as)

audit-verify: setup ## Verify a tenant's audit log; TENANT=demo KNOWN=<earlier end>; TABLE=<table of entries> for AWS
	@exec env $(if $(TABLE),$(admin) verify $(tenant) --table $(call quote,$(TABLE)),$(local) verify $(as) \
	  --services $(call quote,$(SERVICES)) --dynamodb-port $(call quote,$(DYNAMODB_PORT))) \
	  $(if $(KNOWN),--known $(call quote,$(KNOWN)))

onboard: setup ## Set up a tenant at a deployed stack: TENANT=acme PLAN=standard [STACK= REGION= LABELS= USERS= ...]; APPLY=1 applies
	@$(if $(filter command line,$(origin TENANT)),:,echo "error: give TENANT=... PLAN=..." >&2; exit 2)
	@$(admin) onboard $(tenant) --plan $(call quote,$(PLAN)) --stack $(call quote,$(STACK)) \
	  --region $(call quote,$(REGION)) --labels $(call quote,$(value LABELS)) --users $(call quote,$(value USERS)) \
	  $(if $(value ASSISTANT),--assistant-name $(call quote,$(value ASSISTANT))) \
	  $(if $(BUDGET),--budget-usd $(call quote,$(BUDGET))) $(if $(PROVIDER),--provider $(call quote,$(PROVIDER))) \
	  $(if $(MASK),--mask-contacts $(call quote,$(MASK))) $(if $(TRUST),--trust $(call quote,$(value TRUST))) \
	  $(if $(filter command line,$(origin APPLY)),$(if $(filter 1,$(APPLY)),--apply))

web-deploy: setup ## Put the web client where a deployed stack serves it, which needs WebHosting=true: [STACK= REGION=]
	@$(admin) web-deploy --stack $(call quote,$(STACK)) --region $(call quote,$(REGION))

connect: setup ## Connect a tenant to its CRM at a deployed stack: CRM=hubspot TENANT=acme URL= SECRET= USERS= ADMINS= [STACK= REGION=]; APPLY=1 applies
	@$(if $(filter command line,$(origin TENANT)),:,echo "error: give CRM=... TENANT=..." >&2; exit 2)
	@$(admin) connect $(crm) $(if $(ADMINS),--admins $(call quote,$(value ADMINS))) $(if $(KEYED),--keyed) \
	  $(if $(CURRENCY),--currency $(call quote,$(CURRENCY))) $(if $(HOOK_SECRET),--hook-secret $(call quote,$(HOOK_SECRET))) \
	  --stack $(call quote,$(STACK)) --region $(call quote,$(REGION)) \
	  $(if $(filter command line,$(origin APPLY)),$(if $(filter 1,$(APPLY)),--apply))

connect-check: setup ## Read one page of each record type of a CRM and say what maps, writing nothing: CRM=hubspot TENANT=acme URL=
	@$(admin) connect-check $(crm)

test: setup-dev ## Run the tests for every change: under three minutes on two cores, needs only Python
	@$(pytest) && echo "make test: $$SECONDS s"

test-slow: setup-dev ## Run what make test leaves out: all conversations, kills, random API requests, large data, npm clients; KILL_EVERY=3
	@AISHA_TEST_KILL_EVERY=$(KILL_EVERY) $(pytest) -m 'slow or npm' && echo "make test-slow: $$SECONDS s"

test-all: test test-slow ## Run all tests that need no other service; those are in make test-real

test-real: setup-dev ## Run the tests against DynamoDB Local, OpenSearch and the Lambda runtime; needs a JDK 21+ and Maven
	@infra/services/test_real.sh

test-kills: setup-dev ## Kill the process at every step of a turn, or at every third: KILL_EVERY=3; minutes
	@AISHA_TEST_KILL_EVERY=$(or $(KILL_EVERY),1) $(pytest) -m 'slow or not slow' tests/integration/faults/test_kills.py

lint: setup-dev ## Check style, types, import directions, dead code and generated files
	@.venv/bin/ruff check -q .
	@.venv/bin/ruff format -q --check .
	@.venv/bin/python -m mypy --no-error-summary shared functions infra tests bench
	@report=$$(PYTHONPATH=shared .venv/bin/lint-imports --no-logo 2>&1) || { echo "$$report"; exit 1; }
	@report=$$(.venv/bin/python -m vulture) || [ $$? -eq 3 ]; \
	  ! grep -v "^$$\|unused variable\|unused attribute" <<< "$$report"
	@! grep -rnE '^ *"""(What|Whether|Which|Who|Whose|How|Where|When|Why)\b' --include=*.py shared functions infra tests bench \
	  || { echo "A docstring begins with what the code does, never with a question word."; exit 1; }
	@$(python) -m infra.extensions
	@$(python) -m infra.schemas --check
	@$(python) -m infra.openapi --check
	@$(python) -m infra.prices --check
	@echo "lint: no problems"

format: setup-dev ## Format the code and sort its imports
	@.venv/bin/ruff check -q --fix . ; .venv/bin/ruff format -q .

schemas: setup-dev ## Generate tool_schemas/ from the tools
	@$(python) -m infra.schemas

openapi: setup-dev ## Generate the API's description from the functions
	@$(python) -m infra.openapi

prices: setup-dev ## Generate the models' prices from the library genai-prices
	@$(python) -m infra.prices

api-check: setup-dev ## Test the API against its description with random requests; EXAMPLES=50 per operation
	@$(python) -m infra.local.checks.api_check --max-examples $(call quote,$(EXAMPLES))

answers: setup-dev ## Measure the offline planner on conversations it was not made with: PART=open or closed; PERTURB=1 varies them
	@$(python) -m tests.answers --part $(call quote,$(PART)) $(if $(PERTURB),--perturb)

trace: setup-dev ## Print how the offline planner handles a message, step by step: make trace Q="Who is Jack Russel?"
	@$(python) -m tests.answers.trace $(call quote,$(value Q))

sentences: setup-dev ## Print every form of sentence that the offline planner replies with, with an example of each; minutes
	@$(python) -m tests.answers.forms

attack: setup-dev ## Injected orders and honest ones through every door, with the gate and without it: ATTACKS=4000 SHOW=1
	@$(python) -m tests.attack $(if $(ATTACKS),--attacks $(call quote,$(ATTACKS))) $(if $(SHOW),--show)

mutants: setup-dev ## Plant small faults in the code that decides about writes, and count those the tests notice: SAMPLE=40 SEED=1 GROUP=gate
	@$(python) -m infra.mutants $(if $(SAMPLE),--sample $(call quote,$(SAMPLE))) $(if $(SEED),--seed $(call quote,$(SEED))) \
	  $(if $(GROUP),--group $(call quote,$(GROUP)))

train-planner: setup-dev ## Train the offline planner's reader on infra/planner/data, which writes shared/aisha/assets/reader; an hour
	@$(python) -m infra.planner.train
	@$(python) -m infra.orders.train
	@$(python) -m infra.planner.encoder_messages .local/planner.msgpack
	@"$$(infra/environment/tool_environment.sh planner)/bin/python" infra/planner/fine_tune.py .local/planner.msgpack

measure-planner: setup-dev ## Print how the offline planner's reader reads voices that its training has not seen
	@$(python) -m infra.planner.measure

web: ## Build the web client into web/dist; needs Node 20 or newer
	@infra/web/build.sh

test-web: setup ## Test the web client in Chromium; needs Node 20 or newer and chromium; PART=smoke is what CI runs
	@infra/web/test.sh $(if $(filter smoke,$(PART)),smoke) || [ $$? -eq 3 ]

screenshots: setup ## Draw each state of the web client into web/screenshots
	@infra/web/test.sh screenshots || [ $$? -eq 3 ]

bench: setup-dev ## Measure turns against hand-written loops and frameworks, starts, prompt tokens; some minutes
	@bench/frameworks/setup.sh
	@$(python) -m bench

bench-sweep: setup-dev ## Measure sweeps of 1,000 and 10,000 records, and with more workers; LARGE=1 adds 100,000; minutes
	@$(python) -m bench.sweep $(if $(LARGE),--large)

bench-connection: setup-dev ## Measure loads, writes and changes of a connected CRM with a fake HubSpot; LARGE=1 adds a bulk change of 100,000
	@$(python) -m bench.connection
	@$(if $(LARGE),$(python) -m bench.bulk_change)

bench-memory: setup-dev ## Measure OpenSearch's recall among CHUNKS (100000) memories, on BENCH_PORT (9290); minutes
	@trap 'infra/services/opensearch.sh stop $(BENCH_PORT)' EXIT; \
	  infra/services/opensearch.sh start $(call quote,$(BENCH_PORT)) .local/bench-opensearch && \
	  $(python) -m bench.memory_recall http://127.0.0.1:$(call quote,$(BENCH_PORT)) --chunks $(call quote,$(CHUNKS))

live: setup-dev ## Hold a conversation with every model provider whose key is in the environment
	@$(python) -m infra.local.checks.live

sam-validate: ## Validate template.yaml by the SAM CLI, which is installed into .local/tools
	@infra/sam/sam.sh validate --lint

template-check: ## Check template.yaml by SAM, cfn-lint and checkov, which are installed into .local/tools
	@infra/sam/template_check.sh

sam-build: ## Build what `sam deploy` uploads; ARCHITECTURE=arm64
	@infra/build/build.sh $(ARCHITECTURE)

cold-start: setup-dev ## Measure cold and warm starts under AWS's runtime emulator; first run infra/build/build.sh host .local/build
	@$(python) -m bench.cold_start

sam-local: ## Prepare `sam local invoke` and `sam local start-api`; needs Docker or Podman
	@infra/sam/sam_local.sh prepare

supply-chain: setup-dev ## Check locks, vulnerabilities, licences, SBOM, bandit, secrets; reports in .local/supply-chain
	@infra/supply_chain/check.sh

lock: setup-dev ## Regenerate every lock: from pyproject.toml, and for tools and bench from their *.in files
	@infra/environment/lock.sh
	@infra/environment/tool_environment.sh --lock
	@bench/frameworks/setup.sh lock

deploy: ## Deploy the build and ask the API for its health: make deploy ENVIRONMENT=staging; shows the change set and asks
	@infra/sam/deploy.sh $(call quote,$(ENVIRONMENT)) $(if $(YES),yes)

release: setup-dev ## Check, test, build and tag a release: make release VERSION=0.2.0
	@infra/build/release.sh $(call quote,$(VERSION))

clean: ## Remove environments, builds and caches, but not data and signing key under .local
	@rm -rf .venv .aws-sam .local/build .local/build-cache .local/build.toml .local/uv .pytest_cache .mypy_cache .ruff_cache \
	  .import_linter_cache .hypothesis
	@find . -name __pycache__ -not -path './.local/*' -prune -exec rm -rf {} +

setup:
	@infra/environment/setup.sh local

setup-dev:
	@infra/environment/setup.sh dev
