#!/usr/bin/env bash
# AWS's Python runtime client (awslambdaric) for Python 3.13 in an environment of its own, under .local/tools/runtime,
# so that nothing but the built layers gives a function its packages. Prints the environment's interpreter.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=4.2.2
home=$PWD/.local/tools/runtime
if [ ! -f "$home/.installed-$version" ]; then
  . infra/local/toolchain.sh
  python=$(find_python "v == (3, 13)" python3.13)
  [ -n "$python" ] || { echo "lambda_runtime.sh: no Python 3.13 here (the functions' runtime); set PYTHON to one" >&2; exit 3; }
  uv=$(find_uv)
  rm -rf "$home" && mkdir -p .local/tools
  "$uv" venv -q --python "$python" "$home"
  "$uv" pip install -q -p "$home/bin/python" "awslambdaric==$version"
  touch "$home/.installed-$version"
fi
echo "$home/bin/python"
