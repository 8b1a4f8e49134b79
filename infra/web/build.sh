#!/usr/bin/env bash
# Builds the web client into web/dist. With --check it fails when web/dist is not what the sources build.
# Exits with 3 and a reason when Node or npm is missing or the packages can't be installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
infra/web/packages.sh
cd web
if [ "${1:-}" = "--check" ]; then
  built=$(mktemp -d)
  trap 'rm -rf "$built"' EXIT
  npm run -s types >/dev/null
  node build.mjs --out "$built" >/dev/null
  diff -rq dist "$built" >&2 || { echo "web/dist is not current: run make web and commit it" >&2; exit 1; }
else
  npm run -s build
fi
