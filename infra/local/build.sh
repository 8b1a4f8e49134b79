#!/usr/bin/env bash
# `sam build` without containers, then the layers' bytecode. usage: build.sh [ARCHITECTURE] [FOLDER]
# ARCHITECTURE: arm64 (what template.yaml deploys by default), x86_64 or host. FOLDER: where, .aws-sam/build by default.
set -euo pipefail
cd "$(dirname "$0")/../.."
architecture=${1:-arm64}; folder=${2:-.aws-sam/build}
if [ "$architecture" = host ]; then
  case "$(uname -m)" in arm64 | aarch64) architecture=arm64 ;; *) architecture=x86_64 ;; esac
fi
infra/local/sam.sh build --build-dir "$folder" --cache-dir "$folder-cache" \
  --parameter-overrides "Architecture=$architecture"
# opensearch-py pulls gRPC in, but its HTTP transport never imports it.
(cd "$folder/DependenciesLayer/python" && rm -rf grpc grpcio-*.dist-info google protobuf-*.dist-info opensearch opensearch_protobufs-*.dist-info)
# A function can't write beside its layers, so without bytecode it would compile every module at each cold start.
# Unchecked: Lambda's packaging does not keep the times that a checked file is compared with.
find "$folder/SharedLayer" -name __pycache__ -prune -exec rm -rf {} +
for layer in DependenciesLayer SharedLayer; do
  .local/tools/sam/bin/python -m compileall -q -j 0 --invalidation-mode unchecked-hash \
    -s "$folder/$layer" -p /opt "$folder/$layer/python"
done
du -sh "$folder/DependenciesLayer" "$folder/SharedLayer"
