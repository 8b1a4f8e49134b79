#!/usr/bin/env bash
# Writes the locks (exact versions, hashes, every platform) from pyproject.toml. usage: lock.sh [further `uv pip compile` options]
set -euo pipefail
cd "$(dirname "$0")/../.."
uv=${UV:-$(command -v uv || echo .local/uv/bin/uv)}
compile() { "$uv" pip compile -q --universal --python-version 3.12 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header "$@" pyproject.toml; }
compile -o layers/dependencies/requirements.txt "$@"
compile --group local -o requirements-local.txt "$@"
compile --group dev -o requirements-dev.txt "$@"
