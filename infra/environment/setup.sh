#!/usr/bin/env bash
# Creates .venv from the lock. usage: setup.sh [local|dev]   env: PYTHON (an interpreter of 3.12 or 3.13), UV
# Needs only a Python (any 3.9+, for pip) and make; uv comes from pip when it is not on the PATH.
set -euo pipefail
cd "$(dirname "$0")/../.."
kind=${1:-local}; lock=requirements-$kind.txt; stamp=.venv/.installed-$kind
[ -f "$stamp" ] && [ "$stamp" -nt "$lock" ] && exit 0
[ "$kind" = local ] && [ -f .venv/.installed-dev ] && [ .venv/.installed-dev -nt requirements-dev.txt ] && exit 0
. infra/environment/toolchain.sh
echo "setting up .venv ($kind) ..." >&2
uv=$(find_uv)
if [ ! -x .venv/bin/python ]; then
  supported="v in ((3, 12), (3, 13))"
  python=$(find_python "$supported" python3.13 python3.12 python3)
  [ -z "${PYTHON:-}" ] || "$PYTHON" -c "import sys; v = sys.version_info[:2]; assert $supported" 2>/dev/null ||
    echo "setup.sh: PYTHON=$PYTHON is not Python 3.12 or 3.13; taking ${python:-3.13}" >&2
  "$uv" venv -q --python "${python:-3.13}" .venv   # uv downloads 3.13 where none is installed
fi
# Compiled at once and in parallel: the tests' workers would each compile every package at their start.
[ "$kind" = local ] && compile="" || compile=--compile-bytecode
"$uv" pip install -q -p .venv/bin/python --require-hashes ${compile:+"$compile"} -r "$lock"
touch "$stamp"
