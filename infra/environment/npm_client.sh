#!/usr/bin/env bash
# Installs the npm packages that tests/npm pins into .local/npm and prints that folder.
# Exits with 3 and a reason when Node or npm is missing or the packages can't be installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
home=$PWD/.local/npm
for tool in node npm; do
  command -v "$tool" >/dev/null || { echo "npm_client.sh: there is no $tool on the PATH" >&2; exit 3; }
done
major=$(node -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 20 ] ||
  { echo "npm_client.sh: Node $major is too old for the client; 20 or newer is needed" >&2; exit 3; }
if ! cmp -s tests/npm/package-lock.json "$home/.installed"; then
  mkdir -p "$home"
  cp tests/npm/package.json tests/npm/package-lock.json "$home/"
  if ! output=$(npm ci --prefix "$home" --no-audit --no-fund --ignore-scripts --loglevel=error 2>&1); then
    echo "npm_client.sh: the packages of tests/npm can't be installed: $(tail -n 3 <<<"$output" | tr '\n' ' ')" >&2
    exit 3
  fi
  cp tests/npm/package-lock.json "$home/.installed"
fi
cp tests/npm/*.mjs "$home/"
echo "$home"
