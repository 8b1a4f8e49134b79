#!/usr/bin/env bash
# Lints the shell scripts and checks the supply chain. usage: check.sh      Reports go to .local/supply-chain.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=$(infra/environment/tool_environment.sh supply-chain)
"$tools/bin/shellcheck" -S warning -s bash -x infra/*/*.sh bench/*/*.sh .ci/run
"$tools/bin/shellcheck" -S warning functions/*/run.sh
PYTHONPATH=. .venv/bin/python -m infra.supply_chain.check "$tools"
