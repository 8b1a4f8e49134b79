#!/usr/bin/env bash
# Runs `sam build` without containers, then trims the layers, compiles them, measures them and tries their imports.
# usage: build.sh [ARCHITECTURE] [FOLDER]   env: V=1 shows SAM's own output
# ARCHITECTURE: arm64 (default, as in template.yaml), x86_64 or host. FOLDER: .aws-sam/build by default.
# The dependencies layer comes from layers/dependencies/requirements.txt; pip insists on its hashes.
set -euo pipefail
cd "$(dirname "$0")/../.."
architecture=${1:-arm64}; folder=${2:-.aws-sam/build}
case "$(uname -m)" in arm64 | aarch64) host=arm64 ;; *) host=x86_64 ;; esac
[ "$architecture" != host ] || architecture=$host
mkdir -p "$(dirname "$folder")"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
sam() {
  infra/sam/sam.sh build --build-dir "$folder" --cache-dir "$folder-cache" \
    --parameter-overrides "Architecture=$architecture"
}
if [ -n "${V:-}" ]; then sam; else sam > "$log" 2>&1 || { status=$?; cat "$log" >&2; exit "$status"; }; fi
python=$(infra/environment/tool_environment.sh --python)
"$python" -B -m infra.build.layer trim "$folder" "$architecture"
# A function can't write to its layers, so without bytecode it would compile every module at each cold start.
# Unchecked: Lambda's packaging does not preserve the modification times against which a checked file is compared.
find "$folder" -name __pycache__ -not -path "$folder/DependenciesLayer/*" -prune -exec rm -rf {} +
for layer in DependenciesLayer SharedLayer; do
  "$python" -m compileall -q -j 0 --invalidation-mode unchecked-hash -s "$folder/$layer" -p /opt "$folder/$layer/python"
done
"$python" -B -m infra.build.layer check "$folder" "$architecture"
if [ "$architecture" = "$host" ]; then
  PYTHONPATH="$folder/DependenciesLayer/python:$folder/SharedLayer/python" \
    "$python" -B -S infra/build/layer_imports.py "$folder"
else
  echo "layer: imports not tried, it is built for $architecture and this machine is $host;" \
    "to try them: infra/build/build.sh host .local/build"
fi
