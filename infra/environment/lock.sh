#!/usr/bin/env bash
# Writes the locks (exact versions, hashes, every platform) from pyproject.toml.
# usage: lock.sh [options for `uv pip compile`]
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/environment/toolchain.sh
compile() { compile_lock --python-version 3.12 "$@" pyproject.toml; }
compile -o layers/dependencies/requirements.txt "$@"
compile --group local -o requirements-local.txt "$@"
compile --group dev -o requirements-dev.txt "$@"
