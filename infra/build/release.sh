#!/usr/bin/env bash
# Makes a release: checks, tests, builds and tags. Nothing is uploaded; push the tag afterwards: git push origin vVERSION
# usage: release.sh VERSION          (for example 0.2.0)
#        release.sh VERSION verify   only says whether the files name this version
set -euo pipefail
cd "$(dirname "$0")/../.."
version=${1:-}

fail() {
  echo "release.sh: $1" >&2
  exit 2
}

[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "give a version such as VERSION=0.2.0"
grep -qx "version = \"$version\"" pyproject.toml || fail "set version = \"$version\" in pyproject.toml"
grep -q "^## \[$version\] - " CHANGELOG.md || fail "add a section '## [$version] - YYYY-MM-DD' to CHANGELOG.md"
[ "${2:-}" != verify ] || exit 0
[ -z "$(git status --porcelain)" ] || fail "commit or stash your changes first: git status"
git rev-parse -q --verify "refs/tags/v$version" >/dev/null && fail "the tag v$version exists already"

make lint
make test-all
make template-check
make sam-build
git tag -a "v$version" -m "AiSHA $version"
echo "release: built .aws-sam/build and tagged v$version; push it with: git push origin v$version"
