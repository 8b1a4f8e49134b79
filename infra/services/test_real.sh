#!/usr/bin/env bash
# Runs the tests against DynamoDB Local, OpenSearch, BottleCRM, the Lambda runtime, the Lambda Web Adapter and a small
# language model.
# usage: test_real.sh [pytest options]
# The services are fetched or built into .local/tools at the first run; a test whose tools are missing is skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec .venv/bin/python -m pytest -q -m real "$@" tests/real
