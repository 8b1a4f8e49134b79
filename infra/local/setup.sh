#!/usr/bin/env bash
# Makes .venv from the lock. usage: setup.sh [local|dev]   env: PYTHON (an interpreter of 3.12 or newer), UV
# Needs only a Python (any 3.9+, for pip) and make; uv comes from pip when it is not on the PATH.
set -euo pipefail
cd "$(dirname "$0")/../.."
kind=${1:-local}; lock=requirements-$kind.txt; stamp=.venv/.installed-$kind
[ -f "$stamp" ] && [ "$stamp" -nt "$lock" ] && exit 0
[ "$kind" = local ] && [ -f .venv/.installed-dev ] && [ .venv/.installed-dev -nt requirements-dev.txt ] && exit 0
uv=${UV:-$(command -v uv || true)}
if [ -z "$uv" ]; then
  [ -x .local/uv/bin/uv ] || { mkdir -p .local; python3 -m venv .local/uv && .local/uv/bin/python -m pip install -q "uv>=0.9"; }
  uv=.local/uv/bin/uv
fi
if [ ! -x .venv/bin/python ]; then
  for candidate in ${PYTHON:-} python3.13 python3.12 python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[34]*/bin/python "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.12*/bin/python; do
    if found=$("$candidate" -c 'import sys; assert sys.version_info >= (3, 12); print(sys.executable)' 2>/dev/null); then break; fi
    found=
  done
  "$uv" venv -q --python "${found:-3.13}" .venv   # without one here, uv gets it
fi
"$uv" pip install -q -p .venv/bin/python --require-hashes -r "$lock"
touch "$stamp"
