#!/usr/bin/env bash
# AWS's Python runtime client (awslambdaric) for Python 3.13 in an environment of its own, under .local/tools/runtime,
# so that nothing but the built layers gives a function its packages. Prints the environment's interpreter.
set -euo pipefail
cd "$(dirname "$0")/../.."
home=$(infra/environment/tool_environment.sh runtime)
echo "$home/bin/python"
