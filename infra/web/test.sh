#!/usr/bin/env bash
# Builds the web client and tests it in Chromium over the local API. usage: test.sh [screenshots | measure]
# Says why and succeeds when Node, its packages or Chromium are missing: AISHA_WEB_REQUIRED=1 makes that a failure.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
  echo "test-web: skipped: $1" >&2
  [ "${AISHA_WEB_REQUIRED:-}" = 1 ] && exit 1
  exit 0
}

reason=$(infra/web/packages.sh 2>&1) || skip "$reason"
browser=${CHROMIUM:-$(command -v chromium chromium-browser google-chrome 2>/dev/null | head -n 1 || true)}
[ -x "$browser" ] || skip "there is no Chromium: apt-get install chromium, or set CHROMIUM to its path"
export CHROMIUM=$browser
npm run -s --prefix web build
cd web
case "${1:-}" in
  screenshots) node tests/screenshots.mjs ;;
  measure) node tests/measure.mjs ;;
  *) npm run -s test ;;
esac
