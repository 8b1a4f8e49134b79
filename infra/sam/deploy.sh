#!/usr/bin/env bash
# Deploys the build in .aws-sam/build to an environment of samconfig.toml, then asks the stack's API for its health.
# usage: deploy.sh dev|staging|prod [yes]   with `yes` the change set is not asked about, for a pipeline with approvals
set -euo pipefail
cd "$(dirname "$0")/../.."
environment=${1:-}; approved=${2:-}
HEALTH_TRIES=10
HEALTH_PAUSE=6

fail() {
  echo "deploy.sh: $1" >&2
  exit 2
}

grep -q "^\[$environment\.deploy\.parameters\]" samconfig.toml 2>/dev/null ||
  fail "give an environment of samconfig.toml, such as ENVIRONMENT=staging"
[ -f .aws-sam/build/template.yaml ] || fail "there is no build; first run: make sam-build"
stack=$(sed -n "/^\[$environment\.global\.parameters\]/,/^\[/s/^stack_name = \"\(.*\)\"/\1/p" samconfig.toml)
options=(--config-env "$environment" --no-fail-on-empty-changeset)
[ -z "$approved" ] || options+=(--no-confirm-changeset)
infra/sam/sam.sh deploy "${options[@]}"
url=$(infra/sam/sam.sh list stack-outputs --stack-name "$stack" --output json |
  python3 -c 'import json, sys; print(next(o["OutputValue"] for o in json.load(sys.stdin) if o["OutputKey"] == "ApiUrl"))')
for ((try = 1; try <= HEALTH_TRIES; try++)); do
  if curl -fsS --max-time 30 "${url%/}/health"; then
    echo
    echo "deploy.sh: $stack is deployed and healthy"
    exit
  fi
  sleep "$HEALTH_PAUSE"
done
fail "$stack is deployed, but ${url%/}/health does not answer; read docs/debugging.md"
