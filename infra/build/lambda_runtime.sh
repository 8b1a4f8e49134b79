#!/usr/bin/env bash
# Installs AWS's Python runtime client (awslambdaric) for Python 3.13 in its own environment, .local/tools/runtime, so
# that a function gets its packages from the built layers alone. Prints the environment's interpreter.
set -euo pipefail
cd "$(dirname "$0")/../.."
home=$(infra/environment/tool_environment.sh runtime)
echo "$home/bin/python"
