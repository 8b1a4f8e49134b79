#!/usr/bin/env bash
# Builds the AWS Lambda Web Adapter for this machine into .local/tools, once, by cargo (many minutes). Prints its path.
# In AWS the same adapter is the layer that template.yaml names.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=1.0.0-rc1
home=$PWD/.local/tools/lambda-adapter-$version
if [ ! -x "$home/bin/lambda-adapter" ]; then
  command -v cargo >/dev/null ||
    { echo "lambda_adapter.sh: cargo is missing; it builds the adapter (Rust's toolchain has it)" >&2; exit 3; }
  echo "building the Lambda Web Adapter $version, once ..." >&2
  # Link-time optimisation over all crates takes most of the build's time and changes nothing here.
  export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
  cargo install --locked --root "$home" --version "$version" lambda_web_adapter >&2 ||
    cargo install --root "$home" --version "$version" lambda_web_adapter >&2
fi
echo "$home/bin/lambda-adapter"
