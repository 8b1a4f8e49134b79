#!/usr/bin/env bash
# The AWS Lambda Web Adapter for this machine, built by cargo once (about two minutes) into .local/tools; prints its path.
# In AWS the same adapter comes as the layer that template.yaml names.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=1.0.0-rc1
home=$PWD/.local/tools/lambda-adapter-$version
if [ ! -x "$home/bin/lambda-adapter" ]; then
  command -v cargo >/dev/null || { echo "lambda_adapter.sh: cargo is missing; it builds the adapter (Rust's toolchain has it)" >&2; exit 3; }
  echo "building the Lambda Web Adapter $version, once ..." >&2
  cargo install --quiet --locked --root "$home" --version "$version" lambda_web_adapter >&2 ||
    cargo install --quiet --root "$home" --version "$version" lambda_web_adapter >&2
fi
echo "$home/bin/lambda-adapter"
