#!/usr/bin/env bash
# The tests against DynamoDB Local, OpenSearch, the Lambda runtime and the Lambda Web Adapter. usage: test_real.sh [pytest options]
# What they need is fetched or built at the first run into .local/tools; a test whose tools are missing here is skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec .venv/bin/python -m pytest -q -m real "$@" tests/real
