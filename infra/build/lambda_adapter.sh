#!/usr/bin/env bash
# The AWS Lambda Web Adapter for this machine, built by cargo once (many minutes) into .local/tools; prints its path.
# In AWS the same adapter comes as the layer that template.yaml names.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=1.0.0-rc1
home=$PWD/.local/tools/lambda-adapter-$version
if [ ! -x "$home/bin/lambda-adapter" ]; then
  command -v cargo >/dev/null || { echo "lambda_adapter.sh: cargo is missing; it builds the adapter (Rust's toolchain has it)" >&2; exit 3; }
  echo "building the Lambda Web Adapter $version, once; cargo says what it compiles ..." >&2
  # Its release profile optimises over all crates at once, which takes most of the time and changes nothing here.
  export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
  cargo install --locked --root "$home" --version "$version" lambda_web_adapter >&2 ||
    cargo install --root "$home" --version "$version" lambda_web_adapter >&2
fi
echo "$home/bin/lambda-adapter"
