#!/usr/bin/env bash
# Installs a tool in its own environment under .local/tools, because it pins other versions than the project does.
# The environments have Python 3.13, the functions' version.
# usage: tool_environment.sh NAME         prints the folder of the environment of infra/supply_chain/locks/NAME.txt
#        tool_environment.sh --python     prints the interpreter of the environments
#        tool_environment.sh --lock       regenerates the locks (exact versions, hashes, every platform) from their *.in
# Exits with 3 when something that it needs is missing on this machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
locks=infra/supply_chain/locks
. infra/environment/toolchain.sh
if [ "${1:-}" = --lock ]; then
  for source in "$locks"/*.in; do
    excludes=${source%.in}.excludes
    [ -f "$excludes" ] && excludes=(--excludes "$excludes") || excludes=()
    compile_lock --python-version 3.13 "${excludes[@]}" -o "${source%.in}.txt" "$source"
  done
  exit
fi
python=$(find_python "v == (3, 13)" python3.13)
[ -n "$python" ] || python=$("$(find_uv)" python find 3.13 2>/dev/null || true)
if [ -z "$python" ]; then
  echo "tool_environment.sh: no Python 3.13 found (the functions' runtime);" \
    "set PYTHON to one, or: uv python install 3.13" >&2
  exit 3
fi
[ "${1:-}" != --python ] || { echo "$python"; exit; }
name=${1:?usage: tool_environment.sh NAME}; lock=$locks/$name.txt; home=$PWD/.local/tools/$name
[ -f "$lock" ] || { echo "tool_environment.sh: there is no $lock" >&2; exit 2; }
# Its commands name their interpreter by its full path, so a checkout that was moved needs a new environment.
contents() { echo "# $home"; cat "$lock"; }
if ! contents | cmp -s - "$home/.installed"; then
  echo "installing $(head -n 1 "${lock%.txt}.in") into .local/tools/$name ..." >&2
  uv=$(find_uv)
  rm -rf "$home" && mkdir -p .local/tools
  "$uv" venv -q --python "$python" "$home"
  "$uv" pip install -q -p "$home/bin/python" --require-hashes --no-deps -r "$lock"
  contents > "$home/.installed"
fi
echo "$home"
