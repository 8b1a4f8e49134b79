#!/usr/bin/env bash
# Where the code's parts come from and what is in them. usage: check.sh      Reports go to .local/supply-chain.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=$(infra/environment/tool_environment.sh supply-chain)
"$tools/bin/shellcheck" -S warning -s bash -x infra/*/*.sh .ci/run
"$tools/bin/shellcheck" -S warning functions/*/run.sh
PYTHONPATH=. .venv/bin/python -m infra.supply_chain.check "$tools"
