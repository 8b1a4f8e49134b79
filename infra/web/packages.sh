#!/usr/bin/env bash
# Installs the npm packages that web/package-lock.json pins into web/node_modules.
# Exits with 3 and a reason when Node or npm is missing or the packages can't be installed.
set -euo pipefail
cd "$(dirname "$0")/../../web"
for tool in node npm; do
  command -v "$tool" >/dev/null || { echo "web: there is no $tool on the PATH" >&2; exit 3; }
done
major=$(node -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 20 ] || { echo "web: Node $major is too old; 20 or newer is needed" >&2; exit 3; }
cmp -s package-lock.json node_modules/.installed && exit 0
if ! output=$(npm ci --no-audit --no-fund --ignore-scripts --loglevel=error 2>&1); then
  echo "web: the packages can't be installed: $(tail -n 3 <<<"$output" | tr '\n' ' ')" >&2
  exit 3
fi
cp package-lock.json node_modules/.installed
