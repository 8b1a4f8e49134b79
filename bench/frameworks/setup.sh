#!/usr/bin/env bash
# Creates .local/tools/bench, the environment of the frameworks that the bench compares with.
# usage: setup.sh [lock]   env: UV
# `lock` regenerates requirements.txt; packages that the product uses too keep the product's version.
set -euo pipefail
cd "$(dirname "$0")/../.."
lock=bench/frameworks/requirements.txt; place=.local/tools/bench; stamp=$place/.installed
. infra/environment/toolchain.sh
if [ "${1:-}" = lock ]; then
  compile_lock --python-version 3.12 -c requirements-dev.txt bench/frameworks/requirements.in -o "$lock"
  exit 0
fi
[ -f "$stamp" ] && [ "$stamp" -nt "$lock" ] && exit 0
echo "setting up $place ..." >&2
uv=$(find_uv)
[ -x "$place/bin/python" ] || "$uv" venv -q --python .venv/bin/python "$place"
"$uv" pip install -q -p "$place/bin/python" --require-hashes -r "$lock"
touch "$stamp"
