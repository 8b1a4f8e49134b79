#!/usr/bin/env bash
# Builds the web client and tests it in Chromium over the local API. usage: test.sh [smoke | screenshots]
# `smoke`: whole conversations with axe, and safety, against the web/dist that is committed.
# Exits with 3 and a reason when Node, its packages or Chromium are missing.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
  echo "test-web: skipped: $1" >&2
  exit 3
}

reason=$(infra/web/packages.sh 2>&1) || skip "$reason"
browser=${CHROMIUM:-$(command -v chromium chromium-browser google-chrome 2>/dev/null | head -n 1 || true)}
[ -x "$browser" ] || skip "there is no Chromium: apt-get install chromium, or set CHROMIUM to its path"
export CHROMIUM=$browser
[ "${1:-}" = smoke ] || npm run -s --prefix web build
cd web
case "${1:-}" in
  screenshots) node tests/screenshots.mjs "${@:2}" ;;
  smoke) node tests/run.mjs tests/{catalogues,conversation,safety}.test.mjs ;;
  *) npm run -s test ;;
esac
